/** How the values and the rows that servers give are compared and shown. */
import { isDeepStrictEqual } from "node:util";
import { compared, evaluate } from "./expression-evaluator.js";
import type { Row, Tree, Value } from "./expression-trees.js";

export type Direction = "asc" | "desc";

export const idOf = (row: Row): number => Number(row["id"]);

/** As text in which a bigint is not a number. */
export const shown = (what: unknown): string =>
  JSON.stringify(what, (_, value: unknown) => (typeof value === "bigint" ? `${value}n` : value));

export function isSame(one: unknown, other: unknown): boolean {
  if (one instanceof Date && other instanceof Date) return one.getTime() === other.getTime();
  if (typeof one === "object" && one !== null) return isDeepStrictEqual(one, other);
  return Object.is(one, other);
}

/** The order of two values, in which NULL is greater than all. */
export function orderOf(one: Value, other: Value): number {
  return one === null || other === null
    ? Number(one === null) - Number(other === null)
    : compared(one, other);
}

/** Rows in the order of an expression, and of their ids where it is the same. */
export function inOrder(rows: readonly Row[], by: Tree, direction: Direction): readonly Row[] {
  const keyed = rows.map((row) => ({ row, key: evaluate(by, row) }));
  const sign = direction === "asc" ? 1 : -1;
  return keyed
    .sort((one, other) => sign * orderOf(one.key, other.key) || idOf(one.row) - idOf(other.row))
    .map(({ row }) => row);
}
