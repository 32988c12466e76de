/** Functions over the rows of a group: with `filter` over some of them, with `over` over a window. */
import type { AggregateValue, AnyAggregate } from "../types/expressions.js";
import type { Leaf } from "../types/leaves.js";
import type { OperandExpression } from "../types/operands.js";
import type { ColumnNeed, Fn, Is, NumberLike, Of } from "../types/results.js";
import type { AggregateFunction } from "../words/functions.js";
import { operandOf } from "./operand.js";
import { AggregateExpression } from "./value.js";

/** The number of rows; with an operand, of those in which it is not null. */
export function count(): AggregateValue<Is<number>>;
export function count<F extends string>(field: F): AggregateValue<Is<number>, F>;
export function count<F extends string, L>(
  operand: OperandExpression<unknown, F, L, "plain">,
): AggregateValue<Is<number>, F, L>;
export function count(operand?: unknown): AnyAggregate {
  return aggregate("count", operand);
}

/** The number of different values that are not null. */
export function countDistinct<F extends string>(field: F): AggregateValue<Is<number>, F>;
export function countDistinct<F extends string, L>(
  operand: OperandExpression<unknown, F, L, "plain">,
): AggregateValue<Is<number>, F, L>;
export function countDistinct(operand: unknown): AnyAggregate {
  return aggregate("count_distinct", operand);
}

/** The sum of numbers, exact for bigints and decimals; null if there are no values. */
export function sum<F extends string>(
  field: F,
): AggregateValue<Of<F, "amountOrNull">, F, Leaf<F, "a number", never>>;
export function sum<T extends NumberLike, F extends string, L>(
  operand: OperandExpression<T, F, L, "plain">,
): AggregateValue<Fn<"amountOrNull", T>, F, L | ColumnNeed<T, "a number">>;
export function sum(operand: unknown): AnyAggregate {
  return aggregate("sum", operand);
}

/** The average of numbers; null if there are none. */
export function avg<F extends string>(
  field: F,
): AggregateValue<Of<F, "averageOrNull">, F, Leaf<F, "a number", never>>;
export function avg<T extends NumberLike, F extends string, L>(
  operand: OperandExpression<T, F, L, "plain">,
): AggregateValue<Fn<"averageOrNull", T>, F, L | ColumnNeed<T, "a number">>;
export function avg(operand: unknown): AnyAggregate {
  return aggregate("avg", operand);
}

/** The least of values that have an order; null if there is none. */
export function min<F extends string>(
  field: F,
): AggregateValue<Of<F, "orNull">, F, Leaf<F, "an order", never>>;
export function min<T, F extends string, L>(
  operand: OperandExpression<T, F, L, "plain">,
): AggregateValue<Fn<"orNull", T>, F, L | ColumnNeed<T, "an order">>;
export function min(operand: unknown): AnyAggregate {
  return aggregate("min", operand);
}

/** The greatest of values that have an order; null if there is none. */
export function max<F extends string>(
  field: F,
): AggregateValue<Of<F, "orNull">, F, Leaf<F, "an order", never>>;
export function max<T, F extends string, L>(
  operand: OperandExpression<T, F, L, "plain">,
): AggregateValue<Fn<"orNull", T>, F, L | ColumnNeed<T, "an order">>;
export function max(operand: unknown): AnyAggregate {
  return aggregate("max", operand);
}

// Results and requirements of an expression exist only as types. The cast gives the value the type of its function.
function aggregate<T, F extends string, L>(
  func: AggregateFunction,
  operand: unknown,
): AggregateValue<T, F, L> {
  const of = operand === undefined ? undefined : operandOf(operand);
  return new AggregateExpression({ kind: "aggregate", func, operand: of }) as unknown as AggregateValue<
    T,
    F,
    L
  >;
}
