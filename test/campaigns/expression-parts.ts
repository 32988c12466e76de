/** Rows that belong together, and the sums over them, for groups and for windows. */
import { given } from "./expression-builder.js";
import { Beyond, evaluate } from "./expression-evaluator.js";
import { shown } from "./expression-results.js";
import type { Decimal, Row, Tree, Value } from "./expression-trees.js";

/** The rows with each value of an expression, in their order. */
export function partsBy(by: Tree, rows: readonly Row[]): readonly (readonly Row[])[] {
  const parts = new Map<string, Row[]>();
  for (const row of rows) {
    const key = shown(given(evaluate(by, row), by.type));
    const part = parts.get(key) ?? [];
    parts.set(key, part);
    part.push(row);
  }
  return [...parts.values()];
}

/**
 * The sum of the known values; null if there are none. The sum of whole numbers is one too, that of decimals has 64 bits
 * on SQLite; that of bigints has more bits than they.
 * @throws {Beyond} for a sum that a server may not give.
 */
export function sumOf(values: readonly Value[], { type }: Tree): Value {
  const known = values.filter((value) => value !== null);
  if (known.length === 0) return null;
  const units = known.map((value) => (typeof value === "bigint" ? value : (value as Decimal).units));
  const total = units.reduce((sum, one) => sum + one, 0n);
  const most = 2n ** (type.kind === "int" ? 53n : 63n);
  if (type.kind !== "big" && (total >= most || total <= -most)) throw new Beyond("a sum is beyond its range");
  return type.kind === "dec" ? { units: total, scale: type.scale } : total;
}
