/** Resolves the rows of a select or a query: their items, conditions, order and lock. */
import type { Grammar } from "../../dialect/grammar/grammar.js";
import { UnsupportedError } from "../../words/errors.js";
import { fixesKey } from "../expression/keys.js";
import { resolveWhere } from "../expression/where.js";
import type { Resolution } from "../scope/resolution.js";
import type { ResolvedCall, ResolvedExpression, ResolvedQuery } from "../scope/resolved.js";
import { mayHoldQuery } from "../scope/walk.js";
import { requireSkipped, resolveDistinct } from "./distinct.js";
import { isGrouped, resolveGrouping, ungrouped } from "./grouping.js";
import { resolveJoins } from "./joins.js";
import { resolveLock } from "./locking.js";
import { resolveNested } from "./nested.js";
import { resolveOrder } from "./order.js";
import { resolvePage } from "./page.js";
import { firstRow, firstRows, resolvePaging } from "./paging.js";
import { selectReturned } from "./returning.js";
import { presencesIn, type ResolvedSelection, resolveFields, selectedItems } from "./selection.js";

/** A query and its selected items. */
interface ResolvedRows {
  /** The resolution that knows the joined tables. */
  readonly inside: Resolution;
  readonly query: ResolvedQuery;
  readonly selection: ResolvedSelection;
}

/**
 * Resolves a spec of rows.
 * @param isPart whether a set operation compares the rows.
 */
export function resolveRows(
  kind: "select" | "query",
  spec: Readonly<Record<string, unknown>>,
  outside: Resolution,
  isPart = false,
): ResolvedRows {
  const { joins, resolution } = resolveJoins(spec["joins"], outside);
  if (spec["after"] !== undefined)
    resolution.add("INVALID_SPEC", "after is the cursor of a page: pageFromSpec takes it", "after");
  // Conditions use plain fields, so that an index serves them.
  const { scope } = resolution;
  const where = resolveWhere(spec["where"], resolution.seeing(scope.comparing(false)));
  const isDistinct = spec["distinct"] === true;
  // If rows are compared by their values, equal values are written in one form.
  const compares = isDistinct || spec["group_by"] !== undefined;
  const comparing = compares ? resolution.seeing(scope.comparing(true)) : resolution;
  const selection =
    selectReturned(spec["returning"], resolution) ??
    resolveFields(spec["fields"], comparing, { compares: compares || isPart });
  const orderBy = resolveOrder(
    spec["order_by"],
    selection,
    isDistinct ? "DISTINCT" : "columns",
    spec["distinct_on"] === undefined ? comparing : resolution.seeing(scope.comparing(true)),
  );
  const isOne = kind === "select";
  const plain = isOne ? firstRow(resolution) : resolvePaging(spec, resolution);
  const distinctOn = resolveDistinct(spec, selection, resolution);
  // Grouping needs parts without problems.
  const { groupBy, having } = resolution.none
    ? resolveGrouping(spec, selection, { orderBy, distinctOn }, comparing)
    : ungrouped;
  const groups = isGrouped(spec, selection);
  const lock = resolveLock(spec, groups, resolution);
  const nested = resolveNested(spec, { selection, isGrouped: groups, isPart }, resolution);
  const whole = nested.length === 0 ? selection.items : [...selectedItems(selection, comparing), ...nested];
  const paged = resolvePage(spec, selection, whole, resolution);
  // One additional row shows whether there are more.
  const paging = paged === undefined ? plain : firstRows(paged.page.size + 1, resolution);
  const query: ResolvedQuery = {
    kind: "query",
    from: resolution.scope.own,
    joins,
    isDistinct,
    distinctOn,
    items: paged === undefined ? whole : paged.items,
    where,
    groupBy: groupBy.length === 0 ? groupBy : [...groupBy, ...keysBeside(groupBy, selection, resolution)],
    having,
    orderBy,
    paging,
    lock,
    findBy: undefined,
    isOne,
    page: paged?.page,
  };
  requireSkipped(query, resolution);
  return { query, selection, inside: comparing };
}

/** What a group also needs besides its keys: the presence of joined parts, and what a key with a query needs. */
function keysBeside(
  keys: readonly ResolvedExpression[],
  selection: ResolvedSelection,
  resolution: Resolution,
): readonly ResolvedExpression[] {
  return [...presencesIn(selection), ...besideQueries(keys, resolution)];
}

function besideQueries(
  keys: readonly ResolvedExpression[],
  { grammar }: Resolution,
): readonly ResolvedCall[] {
  const { besideQueries: template } = grammar.expressions;
  if (template === undefined || !keys.some(mayHoldQuery)) return [];
  return [{ kind: "call", template, operands: [], separator: "", params: [] }];
}

/**
 * A query whose lock is final, for dialects that do not accept a limit with a lock: the rows within the limit
 * are found by their physical identity. Conditions that fix a key match at most one row, and need no limit.
 * @throws {UnsupportedError} if locked rows are skipped, because they would count towards the limit, and if an
 * expression orders the rows.
 */
export function withLockSettled(query: ResolvedQuery, { dialect, rowIdentity }: Grammar): ResolvedQuery {
  const { lock, where, from, paging, isOne, orderBy, joins } = query;
  if (lock === undefined || rowIdentity === undefined) return query;
  const findsFirst = isOne ? joins.length > 0 || !fixesKey(where, from.table) : paging.length > 0;
  if (!findsFirst) return { ...query, paging: [] };
  if (joins.length > 0)
    throw new UnsupportedError(
      dialect,
      "a limit of locked rows of several tables",
      "lock the rows of the table alone, and read the others after that",
    );
  if (lock.skipsLocked)
    throw new UnsupportedError(
      dialect,
      "a limit with SKIP LOCKED",
      "leave out the limit and take the first rows, or fix a key by =",
    );
  if (orderBy.some(({ operand }) => operand.kind !== "field"))
    throw new UnsupportedError(dialect, "ordering locked rows by an expression", "order by a field");
  return { ...query, findBy: rowIdentity };
}
