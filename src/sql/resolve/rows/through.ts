/** The table between, in a join of a relation that leads through it. */
import type { TableJoin } from "../../ast/builder-parts.js";
import { betweenLayout } from "../expression/inner.js";
import { allOf, equalPairs } from "../expression/two-values.js";
import { standingConditions } from "../expression/where.js";
import { ownAmong } from "../scope/layout.js";
import type { BetweenRows } from "../scope/related.js";
import type { Resolution } from "../scope/resolution.js";
import type { Field, JoinedBetween, Layout, ResolvedCondition } from "../scope/resolved.js";

/** A join that leads through a table. */
interface Leading {
  readonly kind: TableJoin;
  /** The fields of the tables before, and those of the table between that are equal to them. */
  readonly mine: readonly (Field | undefined)[];
  readonly held: readonly string[];
  readonly between: BetweenRows;
  /** The joined table as the statement reads it, and as it is joined before it is restricted to a part. */
  readonly layout: Layout;
  readonly given: Layout;
}

/** The table between, and the condition that connects the joined table with it. */
interface Led {
  readonly through: JoinedBetween;
  readonly on: readonly ResolvedCondition[];
}

/** @param taken the quoted names of the tables of the statement; those of the added ones are added to them. */
export function leadThrough(
  { kind, mine, held, between, layout, given }: Leading,
  taken: string[],
  path: string,
  resolution: Resolution,
): Led | undefined {
  const table = betweenLayout(between.table, taken, resolution);
  if (table === undefined) return undefined;
  taken.push(table.qualifier ?? "");
  const near = equalPairs(
    mine,
    held.map((property) => table.fields.get(property)),
    path,
    resolution,
  );
  const far = (target: Layout) =>
    equalPairs(
      between.pairs.map((pair) => table.fields.get(pair.mine)),
      between.pairs.map((pair) => target.fields.get(pair.theirs)),
      path,
      resolution,
    );
  const on = far(layout);
  if (near === undefined || on === undefined) return undefined;
  const connected = { table, on: allOf([...near, ...standingConditions(table, resolution)]) };
  if (kind !== "full") return { through: connected, on };
  // Its rows are kept once, however many rows between lead to them or to rows that are not there.
  const again = ownAmong(given, taken, resolution.grammar, "found");
  taken.push(again.qualifier ?? "");
  const found = far(again);
  if (found === undefined) return undefined;
  const whole = allOf([...found, ...standingConditions(again, resolution)]);
  return { through: { ...connected, found: { table: again, on: whole } }, on };
}
