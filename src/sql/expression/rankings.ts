/** Functions that need a window: positions, buckets, neighbours. */
import type { EdgeValue, RankingValue } from "../types/expressions.js";
import type { OperandExpression } from "../types/operands.js";
import type { Fn, Is, Of } from "../types/results.js";
import type { WindowFunction } from "../words/functions.js";
import { operandOf } from "./operand.js";
import { WindowFunctionExpression } from "./value.js";

/** The position of the row, from 1; different for every row. */
export function rowNumber(): RankingValue<Is<number>> {
  return ranking("row_number");
}

/** The position of the row, from 1; equal rows have the same position, and the next positions are skipped. */
export function rank(): RankingValue<Is<number>> {
  return ranking("rank");
}

/** The position of the row, from 1; equal rows have the same position, and no position is skipped. */
export function denseRank(): RankingValue<Is<number>> {
  return ranking("dense_rank");
}

/** The bucket of the row, from 1 to n; the rows are divided into n buckets of nearly equal size. */
export function ntile(buckets: number): RankingValue<Is<number>> {
  return ranking("ntile", undefined, buckets);
}

/** The value n rows before, 1 by default; null if there is no such row. */
export function lag<F extends string>(field: F, rows?: number): RankingValue<Of<F, "orNull">, F>;
export function lag<T, F extends string, L>(
  operand: OperandExpression<T, F, L, "plain">,
  rows?: number,
): RankingValue<Fn<"orNull", T>, F, L>;
export function lag(operand: unknown, rows?: number): RankingValue<unknown, string, unknown> {
  return ranking("lag", operand, rows);
}

/** The value n rows after, 1 by default; null if there is no such row. */
export function lead<F extends string>(field: F, rows?: number): RankingValue<Of<F, "orNull">, F>;
export function lead<T, F extends string, L>(
  operand: OperandExpression<T, F, L, "plain">,
  rows?: number,
): RankingValue<Fn<"orNull", T>, F, L>;
export function lead(operand: unknown, rows?: number): RankingValue<unknown, string, unknown> {
  return ranking("lead", operand, rows);
}

/** The value of the first row of the window. */
export function firstValue<F extends string>(field: F): EdgeValue<Of<F, "same">, F>;
export function firstValue<T, F extends string, L>(
  operand: OperandExpression<T, F, L, "plain">,
): EdgeValue<T, F, L>;
export function firstValue(operand: unknown): EdgeValue<unknown, string, unknown> {
  return ranking("first_value", operand);
}

/** The value of the last row of the window, which without a frame ends with the current row and its equals. */
export function lastValue<F extends string>(field: F): EdgeValue<Of<F, "same">, F>;
export function lastValue<T, F extends string, L>(
  operand: OperandExpression<T, F, L, "plain">,
): EdgeValue<T, F, L>;
export function lastValue(operand: unknown): EdgeValue<unknown, string, unknown> {
  return ranking("last_value", operand);
}

// Results and requirements of an expression exist only as types. The cast gives the value the type of its function.
function ranking<V>(func: WindowFunction, operand?: unknown, count?: number): V {
  const of = operand === undefined ? undefined : operandOf(operand);
  return new WindowFunctionExpression({ kind: "window function", func, operand: of, count }) as V;
}
