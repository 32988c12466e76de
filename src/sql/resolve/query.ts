/** Resolves the rows of a select or a query: what they have, which they are, in which order, how they are locked. */
import type { Grammar } from "../dialect/grammar.js";
import { UnsupportedError } from "../words/errors.js";
import { resolveWhere } from "./condition.js";
import { resolveDistinct } from "./distinct.js";
import { isGrouped, resolveGrouping, ungrouped } from "./grouping.js";
import { fixesKey } from "./keys.js";
import { resolveLock } from "./locking.js";
import { resolveOrder } from "./order.js";
import { firstRow, resolvePaging } from "./paging.js";
import type { Resolution } from "./resolution.js";
import type { Condition, ResolvedQuery } from "./resolved.js";
import { resolveFields, type Selection } from "./selection.js";

/** A query, and what its rows have. */
export interface ResolvedRows {
  readonly query: ResolvedQuery;
  readonly selection: Selection;
}

/** Resolves a spec of rows. */
export function resolveRows(
  kind: "select" | "query",
  spec: Readonly<Record<string, unknown>>,
  resolution: Resolution,
): ResolvedRows {
  // By themselves fields stand in conditions, where an index finds them.
  const where = resolveWhere(spec["where"], true, resolution.comparing(false));
  const isDistinct = spec["distinct"] === true;
  // Where rows are told apart by what they hold, values that are one are written as one.
  const comparing = isDistinct || spec["group_by"] !== undefined ? resolution.comparing(true) : resolution;
  const selection = resolveFields(spec["fields"], comparing);
  const orderBy = resolveOrder(
    spec["order_by"],
    selection,
    isDistinct ? "DISTINCT" : "columns",
    spec["distinct_on"] === undefined ? comparing : resolution.comparing(true),
  );
  const isOne = kind === "select";
  const paging = isOne ? firstRow(resolution) : resolvePaging(spec, resolution);
  const distinctOn = resolveDistinct(spec, selection, resolution);
  // Groups are worked out of parts that are known to be right.
  const { groupBy, having } = resolution.none ? resolveGrouping(spec, selection, comparing) : ungrouped;
  const lock = resolveLock(spec, isGrouped(spec, selection), resolution);
  const query: ResolvedQuery = {
    kind: "query",
    from: resolution.scope.own,
    isDistinct,
    distinctOn,
    items: selection.items,
    where,
    groupBy,
    having,
    orderBy,
    paging,
    lock,
    findBy: undefined,
    isOne,
  };
  return { query, selection };
}

/**
 * A query of which is settled how its rows are locked, where the dialect takes no limit beside a lock: the limit finds
 * them by their own identity. What fixes a key finds one at most, and needs no limit.
 * @throws {UnsupportedError} where locked rows are to be skipped, which would count among those found; and where an
 * expression orders them.
 */
export function withLockSettled(query: ResolvedQuery, { dialect, rowIdentity }: Grammar): ResolvedQuery {
  const { lock, where, from, paging, isOne, orderBy } = query;
  if (lock === undefined || rowIdentity === undefined) return query;
  const findsFirst = isOne ? !fixesKey(where, from.table) : paging.length > 0;
  if (!findsFirst) return { ...query, paging: [] };
  if (lock.skipsLocked)
    throw new UnsupportedError(
      dialect,
      "limit beside SKIP LOCKED",
      "leave out the limit and take the first rows, or fix a key by =",
    );
  if (orderBy.some(({ operand }) => operand.kind !== "field"))
    throw new UnsupportedError(dialect, "order of locked rows by an expression", "order by a field");
  return { ...query, findBy: rowIdentity };
}

/** The parameters of conditions that count only where they are given. */
export function optionalParams(where: readonly Condition[]): string[] {
  return where.flatMap((condition) => optionalOf(condition) ?? []);
}

/** Conditions without those that do not count without some parameters. */
export function without(where: readonly Condition[], left: readonly string[]): readonly Condition[] {
  return where.filter((condition) => {
    const param = optionalOf(condition);
    return param === undefined || !left.includes(param);
  });
}

function optionalOf(condition: Condition): string | undefined {
  return "optional" in condition ? condition.optional : undefined;
}
