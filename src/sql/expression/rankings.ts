/** Functions that only a window gives a meaning: places, buckets, neighbours. */

import type { EdgeValue, Is, Of, RankingValue } from "../types/expressions.js";
import type { WindowFunction } from "../words/functions.js";
import { WindowFunctionExpression } from "./value.js";

/** The place of the row, from 1; no two rows share one. */
export function rowNumber(): RankingValue<Is<number>> {
  return ranking("row_number");
}

/** The place of the row, from 1; equal rows share one, and the places behind them are left out. */
export function rank(): RankingValue<Is<number>> {
  return ranking("rank");
}

/** The place of the row, from 1; equal rows share one, and none is left out. */
export function denseRank(): RankingValue<Is<number>> {
  return ranking("dense_rank");
}

/** The bucket of the row, from 1, where the rows are divided into n buckets of nearly equal size. */
export function ntile(buckets: number): RankingValue<Is<number>> {
  return ranking("ntile", undefined, buckets);
}

/** The value n rows before, 1 when left out; null where there is no such row. */
export function lag<F extends string>(field: F, rows?: number): RankingValue<Of<F, "orNull">, F> {
  return ranking("lag", field, rows);
}

/** The value n rows after, 1 when left out; null where there is no such row. */
export function lead<F extends string>(field: F, rows?: number): RankingValue<Of<F, "orNull">, F> {
  return ranking("lead", field, rows);
}

/** The value of the first row of the window. */
export function firstValue<F extends string>(field: F): EdgeValue<F> {
  return ranking("first_value", field);
}

/** The value of the last row of the window, which without a frame ends with the current row and its equals. */
export function lastValue<F extends string>(field: F): EdgeValue<F> {
  return ranking("last_value", field);
}

// What an expression gives and asks is a type only: the cast gives the value that of the function that made it.
function ranking<V>(func: WindowFunction, field?: string, count?: number): V {
  return new WindowFunctionExpression({ kind: "window function", func, operand: field, count }) as V;
}
