/** The greatest and the least of several values of a row. Null operands are ignored. */
import type { ExpressionNode } from "../ast/expression.js";
import type { AnyValue, Value } from "../types/expressions.js";
import type {
  ComparedOperand,
  Neighbour,
  Parameter,
  SideFields,
  SideLeaves,
  SideResult,
  SidesRole,
} from "../types/operands.js";
import type { AnyOf, ColumnNeed, Fn, Is } from "../types/results.js";
import type { SqlTypeError } from "../types/sentences.js";
import type { ExtremeFunction } from "../words/functions.js";
import { operandOf } from "./operand.js";
import { PlainValue } from "./value.js";

/** A function of values of one type; null only if all are null. */
type Extreme = <const A extends readonly [ComparedOperand, ...ComparedOperand[]]>(
  ...operands: A
) => Value<ExtremeResult<A[number]>, SideFields<A[number]>, ExtremeLeaves<A[number]>, SidesRole<A[number]>>;

type ExtremeLeaves<S> =
  | SideLeaves<S>
  | ColumnNeed<SideResult<S>, "a scalar">
  | Neighbour<S, Exclude<S, Parameter<string>>>;

// A parameter is never null, and has the type of the other values.
type ExtremeResult<S> = [Exclude<S, Parameter<string>>] extends [never]
  ? Is<SqlTypeError<"give one of these parameters a schema">>
  : [Extract<S, Parameter<string>>] extends [never]
    ? AnyOf<SideResult<S>>
    : Fn<"value", AnyOf<SideResult<S>>>;

/**
 * The greatest of values of one type: numbers, bigints, decimals, dates, texts (by code point), booleans (false is less
 * than true). Null operands are ignored; null if all are null.
 * @example
 * import { greatest, param } from "rowtype";
 * users.query().fields("id", greatest("seenAt", "createdAt", param("since")).as("last"));
 */
export const greatest: Extreme = extreme("greatest");

/** The least of values of one type. Null operands are ignored; null if all are null. */
export const least: Extreme = extreme("least");

// Results and requirements of a function exist only as types. The cast gives it the type of its interface.
function extreme(func: ExtremeFunction): Extreme {
  const make = (...operands: readonly unknown[]): AnyValue => {
    const node: ExpressionNode = { kind: "extreme", func, operands: Object.freeze(operands.map(operandOf)) };
    return new PlainValue(node) as unknown as AnyValue;
  };
  return make as unknown as Extreme;
}
