/** What windows give for each row, worked out without the package and without a server. */
import { given } from "./expression-builder.js";
import { evaluate } from "./expression-evaluator.js";
import { type Direction, idOf, inOrder, orderOf, shown } from "./expression-results.js";
import type { Decimal, Row, Tree, Value } from "./expression-trees.js";

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
  const parts = new Map<string, Row[]>();
  for (const row of inOrder(rows, plan.order, plan.direction)) {
    const key = shown(given(evaluate(plan.partition, row), plan.partition.type));
    const part = parts.get(key) ?? [];
    parts.set(key, part);
    part.push(row);
  }
  const found = [...parts.values()].flatMap((part) => partOf(plan, part));
  if (found.includes(undefined)) return undefined;
  return (found as { readonly id: number }[]).sort((one, other) => one.id - other.id);
}

function partOf(plan: WindowPlan, part: readonly Row[]): readonly (object | undefined)[] {
  const { order, of, item, away } = plan;
  const keys = part.map((row) => evaluate(order, row));
  const items = part.map((row) => given(evaluate(item, row), item.type));
  const numbers = part.map((row) => evaluate(of, row));
  const isPeer = (i: number, j: number) => orderOf(keys[i] ?? null, keys[j] ?? null) === 0;
  return part.map((row, i) => {
    const running = sumOf(numbers.slice(0, i + 1), of);
    const near = sumOf(numbers.slice(Math.max(0, i - 1), i + 2), of);
    if (running === undefined || near === undefined) return undefined;
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
      running,
      near,
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

function sumOf(values: readonly Value[], { type }: Tree): unknown {
  const known = values.filter((value) => value !== null);
  if (known.length === 0) return null;
  const units = known.map((value) => (typeof value === "bigint" ? value : (value as Decimal).units));
  const total = units.reduce((sum, one) => sum + one, 0n);
  const most = 2n ** (type.kind === "int" ? 53n : 63n);
  if (type.kind !== "big" && (total >= most || total <= -most)) return undefined;
  return given(type.kind === "dec" ? { units: total, scale: type.scale } : total, type);
}
