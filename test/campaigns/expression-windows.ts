/** What windows give for each row, worked out without the package and without a server. */
import { given } from "./expression-builder.js";
import { evaluate, unlessBeyond } from "./expression-evaluator.js";
import { partsBy, sumOf } from "./expression-parts.js";
import { type Direction, idOf, inOrder, orderOf } from "./expression-results.js";
import type { Row, Tree } from "./expression-trees.js";

/** A query of rows with windows. */
export interface WindowPlan {
  readonly partition: Tree;
  readonly order: Tree;
  readonly direction: Direction;
  /** Numbers that are added. */
  readonly of: Tree;
  /** What the neighbours of a row have. */
  readonly item: Tree;
  /** How far away they are, and how many buckets there are. */
  readonly away: number;
}

/** The rows of such a query in the order of their ids; undefined where a sum may fail. */
export function windowsOf(plan: WindowPlan, rows: readonly Row[]): readonly unknown[] | undefined {
  const parts = partsBy(plan.partition, inOrder(rows, plan.order, plan.direction));
  const found = unlessBeyond(() => parts.flatMap((part) => partOf(plan, part)));
  return found?.sort((one, other) => one.id - other.id);
}

function partOf(plan: WindowPlan, part: readonly Row[]): { readonly id: number }[] {
  const { order, of, item, away } = plan;
  const keys = part.map((row) => evaluate(order, row));
  const items = part.map((row) => given(evaluate(item, row), item.type));
  const numbers = part.map((row) => evaluate(of, row));
  const isPeer = (i: number, j: number) => orderOf(keys[i] ?? null, keys[j] ?? null) === 0;
  return part.map((row, i) => {
    const added = (from: number, to: number) => given(sumOf(numbers.slice(from, to), of), of.type);
    const first = keys.findIndex((_, j) => isPeer(i, j));
    const starts = keys.slice(0, i + 1).filter((_, j) => j === 0 || !isPeer(j - 1, j));
    return {
      id: idOf(row),
      place: i + 1,
      rank: first + 1,
      dense: starts.length,
      bucket: bucketOf(i, part.length, away),
      before: items[i - away] ?? null,
      behind: items[i + away] ?? null,
      first: items[0] ?? null,
      last: items.at(-1) ?? null,
      running: added(0, i + 1),
      near: added(Math.max(0, i - 1), i + 2),
      n: part.length,
    };
  });
}

/** The bucket of a row: the first ones have one row more where the rows are not divided evenly. */
function bucketOf(row: number, rows: number, buckets: number): number {
  const size = Math.floor(rows / buckets);
  const larger = rows % buckets;
  const inLarger = larger * (size + 1);
  return row < inLarger ? Math.floor(row / (size + 1)) + 1 : larger + Math.floor((row - inLarger) / size) + 1;
}
