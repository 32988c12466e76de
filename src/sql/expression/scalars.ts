/** Functions of one row: text, numbers, the clock, nulls, casts, and the distance of vectors. */

import type { ExpressionNode } from "../ast/expression.js";
import type { Is, Of, Value } from "../types/expressions.js";
import type { Leaf } from "../types/model.js";
import type { Param } from "../types/params.js";
import type { CallName, CastTarget } from "../words/functions.js";
import type { DistanceOperator } from "../words/operators.js";
import { PlainValue } from "./value.js";

/** A function of a field of text that gives text. */
type TextOf<F extends string, L = never> = Value<Of<F, "text">, F, Leaf<F, "text", never> | L>;
/** A function of a field of numbers. */
type NumberOf<F extends string, K, L = never> = Value<Of<F, K>, F, Leaf<F, "a number", never> | L>;

/** The text in capitals. On SQLite the letters of ASCII change, elsewhere all. */
export function upper<F extends string>(field: F): TextOf<F> {
  return call("upper", [field]);
}

/** The text in small letters. On SQLite the letters of ASCII change, elsewhere all. */
export function lower<F extends string>(field: F): TextOf<F> {
  return call("lower", [field]);
}

/** The text without blanks at both ends. */
export function trim<F extends string>(field: F): TextOf<F> {
  return call("trim", [field]);
}

/** The text without blanks before it. */
export function ltrim<F extends string>(field: F): TextOf<F> {
  return call("ltrim", [field]);
}

/** The text without blanks behind it. */
export function rtrim<F extends string>(field: F): TextOf<F> {
  return call("rtrim", [field]);
}

/** The length of the text in code points. */
export function length<F extends string>(field: F): Value<Of<F, "number">, F, Leaf<F, "text", never>> {
  return call("length", [field]);
}

/** The texts one behind the other; one that is null is left out. */
export function concat<const F extends readonly string[]>(
  ...fields: F
): Value<Is<string>, F[number], Leaf<F[number], "text", never>> {
  return call("concat", fields);
}

/** A part of the text, in code points: where it begins (from 1) and how long it is (from 0). */
export function substring<F extends string, S extends string, N extends string>(
  field: F,
  start: S,
  length: N,
): TextOf<F, Param<S, number> | Param<N, number>> {
  return call("substring", [field], [start, length]);
}

/** The text with every occurrence of one text replaced by another. */
export function replace<F extends string, S extends string, N extends string>(
  field: F,
  search: S,
  by: N,
): TextOf<F, Param<S, string> | Param<N, string>> {
  return call("replace", [field], [search, by]);
}

/** The number without its sign. */
export function abs<F extends string>(field: F): NumberOf<F, "amount"> {
  return call("abs", [field]);
}

/** The least whole number that is not less. */
export function ceil<F extends string>(field: F): NumberOf<F, "amount"> {
  return call("ceil", [field]);
}

/** The greatest whole number that is not greater. */
export function floor<F extends string>(field: F): NumberOf<F, "amount"> {
  return call("floor", [field]);
}

/** The square root; null for a number below 0. */
export function sqrt<F extends string>(field: F): NumberOf<F, "numberOrNull"> {
  return call("sqrt", [field]);
}

/** The number raised to a power. */
export function power<F extends string, N extends string>(
  field: F,
  exponent: N,
): NumberOf<F, "number", Param<N, number>> {
  return call("power", [field], [exponent]);
}

/** The number rounded to n digits (0 to 15), halves away from zero. */
export function round<F extends string>(field: F, digits?: number): NumberOf<F, "amount"> {
  return value({ kind: "call", func: "round", operands: [field], params: [], digits: digits ?? 0 });
}

/** The date and time of the server. */
export function now(): Value<Is<Date>> {
  return call("now", []);
}

/** The day of the server in UTC: `YYYY-MM-DD`. */
export function currentDate(): Value<Is<string>> {
  return call("current_date", []);
}

/** The time of the server in UTC: `HH:MM:SS`. */
export function currentTime(): Value<Is<string>> {
  return call("current_time", []);
}

/** The date and time of the server. */
export function currentTimestamp(): Value<Is<Date>> {
  return call("current_timestamp", []);
}

/** The field, or the parameter where it is null. */
export function coalesce<F extends string, N extends string>(
  field: F,
  param: N,
): Value<Of<F, "value">, F, Leaf<F, "=", N>> {
  return call("coalesce", [field], [param]);
}

/** The field, or null where it equals the parameter. */
export function nullIf<F extends string, N extends string>(
  field: F,
  param: N,
): Value<Of<F, "orNull">, F, Leaf<F, "=", N>> {
  return call("null_if", [field], [param]);
}

/** What a cast gives. A number that becomes an integer loses what stands behind its point. */
interface CastResults {
  readonly text: "text";
  readonly integer: "number";
  readonly number: "number";
  readonly boolean: "boolean";
  readonly date: "date";
}

/** The field as another type. */
export function cast<F extends string, To extends CastTarget>(
  field: F,
  to: To,
): Value<Of<F, CastResults[To]>, F, Leaf<F, "a scalar", never>> {
  return value({ kind: "cast", operand: field, to });
}

/** The distance of a vector from a parameter: `<->` Euclidean, `<#>` negative inner product, `<=>` cosine, `<+>` taxicab. */
export function distance<F extends string, N extends string>(
  field: F,
  operator: DistanceOperator,
  param: N,
): Value<Of<F, "number">, F, Leaf<F, "a vector", never> | Param<N, readonly number[]>> {
  return value({ kind: "distance", field, operator, param });
}

function call<T, F extends string, L>(
  func: CallName,
  fields: readonly string[],
  params: readonly string[] = [],
): Value<T, F, L> {
  return value({
    kind: "call",
    func,
    operands: Object.freeze([...fields]),
    params: Object.freeze([...params]),
  });
}

// What an expression gives and asks is a type only: the cast gives the value that of the function that made it.
function value<T, F extends string, L>(node: ExpressionNode): Value<T, F, L> {
  return new PlainValue(node) as unknown as Value<T, F, L>;
}
