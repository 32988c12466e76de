/** Functions of one row: text, numbers, the clock, nulls, casts, and the distance of vectors. */
import type { CallNode } from "../ast/expression.js";
import type { AnyValue, Value } from "../types/expressions.js";
import type { Leaf } from "../types/leaves.js";
import type {
  ComparedOperand,
  ExpressionRole,
  FirstOf,
  Neighbour,
  OperandExpression,
  Parameter,
  ParamIn,
  SideFields,
  SideLeaves,
  SideResult,
  SidesRole,
} from "../types/operands.js";
import type { Param } from "../types/params.js";
import type { ColumnNeed, First, Fn, Is, NumberLike, Of, TextLike } from "../types/results.js";
import type { SqlTypeError } from "../types/sentences.js";
import type { CallName, CastTarget } from "../words/functions.js";
import type { DistanceOperator } from "../words/operators.js";
import { argumentOf, operandOf } from "./operand.js";
import { typedValue } from "./value.js";

/** A function of a text field that returns text. */
type TextOf<F extends string, L = never> = Value<Of<F, "text">, F, Leaf<F, "text", never> | L>;
/** A function of a text expression that returns `K` of it. */
type TextFn<K, T, F extends string, L, R extends ExpressionRole> = Value<
  Fn<K, T>,
  F,
  L | ColumnNeed<T, "text">,
  R
>;
/** A function of a field of numbers. */
type NumberOf<F extends string, K, L = never> = Value<Of<F, K>, F, Leaf<F, "a number", never> | L>;
/** A function of a number expression that returns `K` of it. */
type NumberFn<K, T, F extends string, L, R extends ExpressionRole> = Value<
  Fn<K, T>,
  F,
  L | ColumnNeed<T, "a number">,
  R
>;

/** The text in upper case. On SQLite only ASCII letters change, on other servers all letters. */
export function upper<F extends string>(field: F): TextOf<F>;
export function upper<T extends TextLike, F extends string, L, R extends ExpressionRole>(
  operand: OperandExpression<T, F, L, R>,
): TextFn<"text", T, F, L, R>;
export function upper(operand: unknown): AnyValue {
  return call("upper", [operand]);
}

/** The text in lower case. On SQLite only ASCII letters change, on other servers all letters. */
export function lower<F extends string>(field: F): TextOf<F>;
export function lower<T extends TextLike, F extends string, L, R extends ExpressionRole>(
  operand: OperandExpression<T, F, L, R>,
): TextFn<"text", T, F, L, R>;
export function lower(operand: unknown): AnyValue {
  return call("lower", [operand]);
}

/** The text without blanks at both ends. */
export function trim<F extends string>(field: F): TextOf<F>;
export function trim<T extends TextLike, F extends string, L, R extends ExpressionRole>(
  operand: OperandExpression<T, F, L, R>,
): TextFn<"text", T, F, L, R>;
export function trim(operand: unknown): AnyValue {
  return call("trim", [operand]);
}

/** The text without leading blanks. */
export function ltrim<F extends string>(field: F): TextOf<F>;
export function ltrim<T extends TextLike, F extends string, L, R extends ExpressionRole>(
  operand: OperandExpression<T, F, L, R>,
): TextFn<"text", T, F, L, R>;
export function ltrim(operand: unknown): AnyValue {
  return call("ltrim", [operand]);
}

/** The text without trailing blanks. */
export function rtrim<F extends string>(field: F): TextOf<F>;
export function rtrim<T extends TextLike, F extends string, L, R extends ExpressionRole>(
  operand: OperandExpression<T, F, L, R>,
): TextFn<"text", T, F, L, R>;
export function rtrim(operand: unknown): AnyValue {
  return call("rtrim", [operand]);
}

/** The length of the text in code points. */
export function length<F extends string>(field: F): Value<Of<F, "number">, F, Leaf<F, "text", never>>;
export function length<T extends TextLike, F extends string, L, R extends ExpressionRole>(
  operand: OperandExpression<T, F, L, R>,
): TextFn<"number", T, F, L, R>;
export function length(operand: unknown): AnyValue {
  return call("length", [operand]);
}

/** The texts joined, without NULLs. */
export function concat<const F extends readonly string[]>(
  ...fields: F
): Value<Is<string>, F[number], Leaf<F[number], "text", never>>;
export function concat<const A extends readonly (string | OperandExpression<TextLike>)[]>(
  ...operands: A
): Value<
  Is<string>,
  SideFields<A[number]>,
  SideLeaves<A[number]> | ColumnNeed<SideResult<A[number]>, "text">,
  SidesRole<A[number]>
>;
export function concat(...operands: readonly unknown[]): AnyValue {
  return call("concat", operands);
}

/**
 * A part of the text, in code points: its start (from 1) and its length (from 0), as the names of parameters or as
 * operands.
 */
export function substring<F extends string, S extends string, N extends string>(
  field: F,
  start: S,
  length: N,
): TextOf<F, Param<S, number> | Param<N, number>>;
export function substring<
  const A extends string | OperandExpression<TextLike>,
  const S extends string | NumberArgument,
  const N extends string | NumberArgument,
>(
  operand: A,
  start: S,
  length: N,
): Value<
  Fn<"text", SideResult<A>>,
  SideFields<A> | ArgumentFields<S | N>,
  SideLeaves<A> | ColumnNeed<SideResult<A>, "text"> | Arguments<S | N, number>,
  SidesRole<A | Exclude<S | N, string>>
>;
export function substring(operand: unknown, start: unknown, length: unknown): AnyValue {
  return call("substring", [operand], [start, length]);
}

/** The other arguments of a function, if the name of a parameter is not enough. */
type NumberArgument = OperandExpression<NumberLike> | Parameter<string>;
type TextArgument = OperandExpression<TextLike> | Parameter<string>;
/** The requirements and parameters of such an argument, if the values have the type `V`. */
type Arguments<A, V> = ParamIn<A, V> | SideLeaves<A>;
type ArgumentFields<A> = SideFields<Exclude<A, string>>;

/** The text with every occurrence of one text replaced by another. Both are the names of parameters, or operands. */
export function replace<F extends string, S extends string, N extends string>(
  field: F,
  search: S,
  by: N,
): TextOf<F, Param<S, string> | Param<N, string>>;
export function replace<
  const A extends string | OperandExpression<TextLike>,
  const S extends string | TextArgument,
  const N extends string | TextArgument,
>(
  operand: A,
  search: S,
  by: N,
): Value<
  Fn<"text", SideResult<A>>,
  SideFields<A> | ArgumentFields<S | N>,
  SideLeaves<A> | ColumnNeed<SideResult<A>, "text"> | Arguments<S | N, string>,
  SidesRole<A | Exclude<S | N, string>>
>;
export function replace(operand: unknown, search: unknown, by: unknown): AnyValue {
  return call("replace", [operand], [search, by]);
}

/** The absolute value of the number. */
export function abs<F extends string>(field: F): NumberOf<F, "amount">;
export function abs<T extends NumberLike, F extends string, L, R extends ExpressionRole>(
  operand: OperandExpression<T, F, L, R>,
): NumberFn<"amount", T, F, L, R>;
export function abs(operand: unknown): AnyValue {
  return call("abs", [operand]);
}

/** The least whole number that is not less than the number. */
export function ceil<F extends string>(field: F): NumberOf<F, "amount">;
export function ceil<T extends NumberLike, F extends string, L, R extends ExpressionRole>(
  operand: OperandExpression<T, F, L, R>,
): NumberFn<"amount", T, F, L, R>;
export function ceil(operand: unknown): AnyValue {
  return call("ceil", [operand]);
}

/** The greatest whole number that is not greater than the number. */
export function floor<F extends string>(field: F): NumberOf<F, "amount">;
export function floor<T extends NumberLike, F extends string, L, R extends ExpressionRole>(
  operand: OperandExpression<T, F, L, R>,
): NumberFn<"amount", T, F, L, R>;
export function floor(operand: unknown): AnyValue {
  return call("floor", [operand]);
}

/** The square root; null for a number below 0. */
export function sqrt<F extends string>(field: F): NumberOf<F, "numberOrNull">;
export function sqrt<T extends NumberLike, F extends string, L, R extends ExpressionRole>(
  operand: OperandExpression<T, F, L, R>,
): NumberFn<"numberOrNull", T, F, L, R>;
export function sqrt(operand: unknown): AnyValue {
  return call("sqrt", [operand]);
}

/** The number raised to a power: the name of a parameter, or an operand. */
export function power<F extends string, N extends string>(
  field: F,
  exponent: N,
): NumberOf<F, "number", Param<N, number>>;
export function power<
  const A extends string | OperandExpression<NumberLike>,
  const N extends string | NumberArgument,
>(
  operand: A,
  exponent: N,
): Value<
  Fn<"number", SideResult<A>>,
  SideFields<A> | ArgumentFields<N>,
  SideLeaves<A> | ColumnNeed<SideResult<A>, "a number"> | Arguments<N, number>,
  SidesRole<A | Exclude<N, string>>
>;
export function power(operand: unknown, exponent: unknown): AnyValue {
  return call("power", [operand], [exponent]);
}

/** The number rounded to n digits (0 to 15), halves away from zero. */
export function round<F extends string>(field: F, digits?: number): NumberOf<F, "amount">;
export function round<T extends NumberLike, F extends string, L, R extends ExpressionRole>(
  operand: OperandExpression<T, F, L, R>,
  digits?: number,
): NumberFn<"amount", T, F, L, R>;
export function round(operand: unknown, digits?: number): AnyValue {
  return typedValue({
    kind: "call",
    func: "round",
    operands: Object.freeze([operandOf(operand)]),
    params: [],
    digits: digits ?? 0,
  });
}

/** The server's date and time. */
export function now(): Value<Is<Date>> {
  return call("now", []);
}

/** The server's date in UTC: `YYYY-MM-DD`. */
export function currentDate(): Value<Is<string>> {
  return call("current_date", []);
}

/** The server's time in UTC: `HH:MM:SS`. */
export function currentTime(): Value<Is<string>> {
  return call("current_time", []);
}

/** The server's date and time. */
export function currentTimestamp(): Value<Is<Date>> {
  return call("current_timestamp", []);
}

/** The first operand that is not null. After the first operand a text is the name of a parameter. */
export function coalesce<F extends string, N extends string>(
  field: F,
  param: N,
): Value<Of<F, "value">, F, Leaf<F, "=", N>>;
export function coalesce<
  const A extends ComparedOperand,
  const B extends readonly [ComparedOperand, ...ComparedOperand[]],
>(
  operand: A & WithSchema<A>,
  ...others: B
): Value<
  Coalesced<A, B>,
  SideFields<A> | ArgumentFields<B[number]>,
  SideLeaves<A> | SideLeaves<B[number]> | Neighbour<Named<B[number]>, A>,
  SidesRole<A | Exclude<B[number], string>>
>;
export function coalesce(operand: unknown, ...others: readonly unknown[]): AnyValue {
  return call("coalesce", [operand], others);
}

// A parameter that comes first has no other operand yet.
type WithSchema<A> = A extends Parameter<string> ? SqlTypeError<"give this parameter a schema"> : A;
type Named<A> = A extends string ? Parameter<A> : A;
// A parameter is never null, and has the type of the first operand.
type Coalesced<A, B extends readonly unknown[]> = [Extract<B[number], string | Parameter<string>>] extends [
  never,
]
  ? First<SideResult<A>, FirstOf<B>>
  : Fn<"value", SideResult<A>>;

/** The operand, or null if it equals another value: the name of a parameter, or an operand. */
export function nullIf<F extends string, N extends string>(
  field: F,
  param: N,
): Value<Of<F, "orNull">, F, Leaf<F, "=", N>>;
export function nullIf<const A extends string | OperandExpression, const B extends ComparedOperand>(
  operand: A,
  other: B,
): Value<
  Fn<"orNull", SideResult<A>>,
  SideFields<A> | ArgumentFields<B>,
  SideLeaves<A> | SideLeaves<B> | Neighbour<Named<B>, A>,
  SidesRole<A | Exclude<B, string>>
>;
export function nullIf(operand: unknown, other: unknown): AnyValue {
  return call("null_if", [operand], [other]);
}

/** The type of a cast. A number that becomes an integer is truncated. */
interface CastResults {
  readonly text: "text";
  readonly integer: "number";
  readonly number: "number";
  readonly boolean: "boolean";
  readonly date: "date";
}

/** The operand as another type. */
export function cast<F extends string, To extends CastTarget>(
  field: F,
  to: To,
): Value<Of<F, CastResults[To]>, F, Leaf<F, "a scalar", never>>;
export function cast<T, F extends string, L, R extends ExpressionRole, To extends CastTarget>(
  operand: OperandExpression<T, F, L, R>,
  to: To,
): Value<Fn<CastResults[To], T>, F, L | ColumnNeed<T, "a scalar">, R>;
export function cast(operand: unknown, to: CastTarget): AnyValue {
  return typedValue({ kind: "cast", operand: operandOf(operand), to });
}

/** The distance of a vector from a parameter: `<->` Euclidean, `<#>` negative inner product, `<=>` cosine, `<+>` taxicab. */
export function distance<F extends string, N extends string>(
  field: F,
  operator: DistanceOperator,
  param: N,
): Value<Of<F, "number">, F, Leaf<F, "a vector", never> | Param<N, readonly number[]>> {
  return typedValue({ kind: "distance", field, operator, param });
}

function call<T, F extends string, L, R extends ExpressionRole>(
  func: CallName,
  operands: readonly unknown[],
  params: readonly unknown[] = [],
): Value<T, F, L, R> {
  const node: CallNode = {
    kind: "call",
    func,
    operands: Object.freeze(operands.map(operandOf)),
    params: Object.freeze(params.map(argumentOf)),
  };
  return typedValue(node);
}
