/**
 * Finds joins that repeat the rows of a sum, an average or a count. A joined `many` gives a row for each of its rows,
 * so rows on the other side of the join would be counted several times.
 */
import { quoted } from "../../../core/errors.js";
import type { Resolution } from "../scope/resolution.js";
import type { ResolvedExpression } from "../scope/resolved.js";
import type { JoinedTables } from "../scope/scope.js";
import { fieldsOf } from "../scope/walk.js";

const counting: ReadonlySet<string> = new Set(["sum", "avg", "count"]);

/**
 * Adds a problem if joins repeat the rows of an aggregate.
 * @param operand the aggregated expression; undefined if the aggregate counts rows.
 */
export function requireNoFanOut(
  func: string,
  operand: ResolvedExpression | undefined,
  path: string,
  resolution: Resolution,
): void {
  if (resolution.scope.joined.size === 0 || !counting.has(func)) return;
  const fault = repeated(func === "count" ? undefined : operand, resolution);
  if (fault === undefined) return;
  const instead = resolution.scope.isOfClient
    ? "ask for it without that join"
    : `use of(relation, ${func}(…))`;
  resolution.add("FAN_OUT", `${func} would take ${fault}: ${instead}`, path);
}

/** The rows that joins repeat, as errors describe them. */
function repeated(operand: ResolvedExpression | undefined, { scope }: Resolution): string | undefined {
  const { joined } = scope;
  const many = [...joined.values()].filter(({ isMany }) => isMany).map(({ name }) => name);
  for (const [i, one] of many.entries())
    for (const other of many.slice(i + 1))
      if (!leadsTo(one, other, joined) && !leadsTo(other, one, joined))
        return `each row of ${quoted(one)} once for each row of ${quoted(other)}`;
  const tables = operand === undefined ? [] : fieldsOf(operand).map((field) => scope.joinedTableOf(field));
  if (tables.length === 0) return undefined;
  const apart = many.find((name) => !tables.some((table) => leadsTo(name, table, joined)));
  return apart === undefined ? undefined : `a value once for each row of ${quoted(apart)}, which is joined`;
}

/** Whether a joined table equals another one, or is on the way to it. */
function leadsTo(one: string, other: string | undefined, joined: JoinedTables): boolean {
  let at = other;
  while (at !== undefined && at !== one) at = joined.get(at)?.from;
  return at === one;
}
