/** Functions over the rows of a group: with `filter` over some of them, with `over` over a window. */

import type { AggregateValue, Is, Of } from "../types/expressions.js";
import type { Leaf } from "../types/model.js";
import type { AggregateFunction } from "../words/functions.js";
import { AggregateExpression } from "./value.js";

/** The number of rows; with a field, of those in which it is not null. */
export function count(): AggregateValue<Is<number>>;
export function count<F extends string>(field: F): AggregateValue<Is<number>, F>;
export function count(field?: string): AggregateValue<Is<number>, string> {
  return gathering("count", field);
}

/** The number of different values that are not null. */
export function countDistinct<F extends string>(field: F): AggregateValue<Is<number>, F> {
  return gathering("count_distinct", field);
}

/** The sum of a field of numbers, exact on bigints; null where there is nothing to sum up. */
export function sum<F extends string>(
  field: F,
): AggregateValue<Of<F, "amountOrNull">, F, Leaf<F, "a number", never>> {
  return gathering("sum", field);
}

/** The average of a field of numbers; null where there are none. */
export function avg<F extends string>(
  field: F,
): AggregateValue<Of<F, "numberOrNull">, F, Leaf<F, "a number", never>> {
  return gathering("avg", field);
}

/** The least value of a field that has an order; null where there is none. */
export function min<F extends string>(
  field: F,
): AggregateValue<Of<F, "orNull">, F, Leaf<F, "an order", never>> {
  return gathering("min", field);
}

/** The greatest value of a field that has an order; null where there is none. */
export function max<F extends string>(
  field: F,
): AggregateValue<Of<F, "orNull">, F, Leaf<F, "an order", never>> {
  return gathering("max", field);
}

// What an expression gives and asks is a type only: the cast gives the value that of the function that made it.
function gathering<T, F extends string, L>(
  func: AggregateFunction,
  field: string | undefined,
): AggregateValue<T, F, L> {
  return new AggregateExpression({ kind: "aggregate", func, operand: field }) as unknown as AggregateValue<
    T,
    F,
    L
  >;
}
