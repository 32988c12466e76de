/** The forms of nested rows in a query: aggregated as they are found, or read from a table in FROM. */
import { freeName } from "../scope/layout.js";
import type { Resolution } from "../scope/resolution.js";
import type {
  Comparison,
  Field,
  Item,
  Literal,
  Nested,
  NestedTable,
  OrderTerm,
  PagingClause,
  ResolvedCondition,
  ResolvedExpression,
  ResolvedQuery,
} from "../scope/resolved.js";
import { hasAggregate, hasWindow, parametersOfOrder, qualifiersIn } from "../scope/walk.js";
import { requireReadable } from "./source-rows.js";

/** A query of nested rows. Its first condition connects them to the outer row, mostly by equal fields. */
export interface ResolvedNestedRows {
  readonly query: ResolvedQuery;
  readonly found: ResolvedCondition;
  readonly items: readonly Item[];
  /** Writes the value of an item in the form for JSON, wherever it is read from. */
  readonly written: (item: Item, from: ResolvedExpression, isAgain: boolean) => ResolvedExpression;
  readonly reads: readonly Field[];
  /** Whether there is at most one row, even without a limit. */
  readonly isAlone: boolean;
}

/** The form of nested rows, and the length of their list for a number of found rows. */
interface NestedForm {
  readonly nested: Nested;
  readonly holds: ((found: number) => number) | undefined;
}

/** The form of nested rows; undefined, with a problem, if the dialect has no form. */
export function formOfNested(
  rows: ResolvedNestedRows,
  path: string,
  resolution: Resolution,
): NestedForm | undefined {
  const { query, items } = rows;
  const { nested: grammar } = resolution.grammar;
  const isOneGroup = query.groupBy.length === 0 && items.some(({ expression }) => hasAggregate(expression));
  const isPlain =
    !isOneGroup &&
    !query.isDistinct &&
    query.distinctOn.length === 0 &&
    query.groupBy.length === 0 &&
    query.having.length === 0 &&
    !items.some(({ expression }) => hasWindow(expression)) &&
    // Items of aggregated rows have no names.
    !query.orderBy.some(({ operand }) => operand.kind === "literal");
  if (rows.isAlone && isPlain && query.paging.length === 0)
    return { nested: gatheredRow(rows, resolution), holds: undefined };
  const limits = grammar.limits === true ? literalCounts(query.paging) : undefined;
  if (isPlain && (grammar.orders || query.orderBy.length === 0))
    if (query.paging.length === 0 || limits !== undefined)
      return {
        nested: gathered(rows, "list", query.orderBy, query.paging),
        holds: grammar.counts === true ? (limits ?? all) : undefined,
      };
  if (!requireReadable(items, path, resolution)) return undefined;
  if (grammar.single === undefined) return { nested: fromTable(rows, resolution), holds: undefined };
  if (items.some(({ expression }) => hasWindow(expression)))
    return missing("window functions in nested rows", path, resolution);
  if (isOneGroup)
    return query.having.length + query.paging.length + query.distinctOn.length > 0
      ? missing("conditions and limits of a nested row of aggregates", path, resolution)
      : { nested: gathered(rows, "single", [], []), holds: all };
  // A condition may let a row belong to several outer rows.
  const { found } = rows;
  const keys = equalKeys(found);
  if (keys === undefined)
    return missing(
      "groups, DISTINCT and limits by parameters of nested rows by a condition",
      path,
      resolution,
    );
  return {
    nested: apart(rows, keys, resolution),
    holds: grammar.counts === true ? (limits ?? all) : undefined,
  };
}

function missing(feature: string, path: string, resolution: Resolution): undefined {
  resolution.unsupported(feature, "ask for them in a query of their own", path);
  return undefined;
}

const all = (found: number): number => found;

/** The number of rows within a limit and an offset; undefined if one of them is a parameter. */
function literalCounts(paging: readonly PagingClause[]): ((found: number) => number) | undefined {
  const [limit = Number.POSITIVE_INFINITY, offset = 0] = [
    countOf("limit", paging),
    countOf("offset", paging),
  ];
  if (typeof limit === "object" || typeof offset === "object") return undefined;
  return (found) => Math.min(Number(limit), Math.max(0, found - Number(offset)));
}

function countOf(
  part: PagingClause["part"],
  paging: readonly PagingClause[],
): PagingClause["count"] | undefined {
  return paging.find((clause) => clause.part === part)?.count;
}

function gathered(
  { query, items, written, reads }: ResolvedNestedRows,
  shape: Nested["shape"],
  orderBy: readonly OrderTerm[],
  paging: readonly PagingClause[],
): Nested {
  const values = items.map((item) => written(item, item.expression, false));
  return { kind: "nested", query, shape, values, orderBy, paging, table: undefined, reads };
}

// A single row needs no order.
function gatheredRow(rows: ResolvedNestedRows, resolution: Resolution): Nested {
  const { query } = rows;
  resolution.shared.unwritten.push(...parametersOfOrder(query.orderBy));
  return gathered({ ...rows, query: { ...query, orderBy: [] } }, "row", [], []);
}

/** The query with its own order and limit as a table that sees the outer row. */
function fromTable(rows: ResolvedNestedRows, resolution: Resolution): Nested {
  const { grammar } = resolution;
  const name = tableName(rows, resolution);
  if (grammar.nested.keepsOrder)
    return readFrom(rows, rows.query, { name, number: undefined, where: [] }, [], []);
  const { query, orderBy } = orderedOutside(rows, rows.query, name, resolution);
  return readFrom(rows, query, { name, number: undefined, where: [] }, orderBy, []);
}

/** The values of the rows that are equal to those of the outer row; undefined if they are found otherwise. */
function equalKeys(found: ResolvedCondition): readonly Comparison[] | undefined {
  const members = found.kind === "group" && found.logic === "AND" ? found.members : [found];
  const equal = members.flatMap((one) => (one.kind === "comparison" && one.equates === true ? [one] : []));
  return equal.length === members.length ? equal : undefined;
}

/**
 * The query for all outer rows as a table, filtered by the rows that belong to one outer row. It is used if a table in
 * FROM does not see the outer row.
 */
function apart(rows: ResolvedNestedRows, keys: readonly Comparison[], resolution: Resolution): Nested {
  const { query } = rows;
  const name = tableName(rows, resolution);
  const found = keys.map(({ left }) => left);
  const items = keyItems(rows.items, found, resolution);
  const whole: ResolvedQuery = {
    ...query,
    items: [...rows.items, ...items],
    where: query.where.filter((condition) => condition !== rows.found),
    groupBy: query.groupBy.length === 0 ? query.groupBy : [...query.groupBy, ...found],
    distinctOn: query.distinctOn.length === 0 ? query.distinctOn : [...query.distinctOn, ...found],
    orderBy: [],
    paging: [],
  };
  const ordered = orderedOutside(rows, whole, name, resolution);
  const columns = items.map((item) => columnOf(name, item));
  const belongs = keys.map((key, i): ResolvedCondition => ({ ...key, left: columns[i] ?? key.left }));
  const { paging } = query;
  if (!paging.some(({ count }) => typeof count === "object"))
    return readFrom(
      rows,
      ordered.query,
      { name, number: undefined, where: belongs },
      ordered.orderBy,
      paging,
    );
  const place = hiddenName("number", ordered.query.items ?? [], resolution);
  const number = { name: place, partitionBy: columns, orderBy: ordered.orderBy };
  const where = [...belongs, ...within(`${name}.${place}`, paging)];
  const byNumber: OrderTerm = { template: "{f}", operand: { kind: "literal", sql: `${name}.${place}` } };
  return readFrom(rows, ordered.query, { name, number, where }, [byNumber], []);
}

/** A limit and an offset as conditions on the position of a row. */
function within(place: string, paging: readonly PagingClause[]): ResolvedCondition[] {
  const [limit, offset] = [countOf("limit", paging), countOf("offset", paging)];
  const rank = offset === undefined ? place : `${place} - {0}`;
  const counts = offset === undefined ? [] : [offset];
  return [
    ...(offset === undefined ? [] : [placed(`${place} > {0}`, [offset])]),
    ...(limit === undefined ? [] : [placed(`${rank} <= {${counts.length}}`, [...counts, limit])]),
  ];
}

function placed(template: string, counts: readonly PagingClause["count"][]): ResolvedCondition {
  const params = counts.map(
    (count): ResolvedExpression =>
      typeof count === "object" ? count : { kind: "literal", sql: String(count) },
  );
  return { kind: "truth", text: { kind: "call", template, operands: [], separator: "", params } };
}

function readFrom(
  { items, written, reads }: ResolvedNestedRows,
  query: ResolvedQuery,
  table: NestedTable,
  orderBy: readonly OrderTerm[],
  paging: readonly PagingClause[],
): Nested {
  const values = items.map((item) => written(item, columnOf(table.name, item), true));
  const full = query.items === undefined ? { ...query, items } : query;
  return { kind: "nested", query: full, shape: "list", values, orderBy, paging, table, reads };
}

/** The query with the expressions of its order among its items, and with the order outside. */
function orderedOutside(
  { items, query: { orderBy } }: ResolvedNestedRows,
  query: ResolvedQuery,
  name: string,
  resolution: Resolution,
): { readonly query: ResolvedQuery; readonly orderBy: readonly OrderTerm[] } {
  const more: Item[] = [...(query.items ?? items)];
  const terms = orderBy.map(({ template, operand }): OrderTerm => {
    // The name of an item is also a name of the table.
    if (operand.kind === "literal")
      return { template, operand: { kind: "literal", sql: `${name}.${operand.sql}` } };
    const known = more.find(({ expression }) => expression === operand);
    const item = known ?? hiddenItem(operand, more, resolution);
    if (known === undefined) more.push(item);
    return { template, operand: columnOf(name, item) };
  });
  return { query: { ...query, items: more }, orderBy: terms };
}

function hiddenItem(expression: ResolvedExpression, items: readonly Item[], resolution: Resolution): Item {
  const [like] = items;
  // A row always has an item. Nobody reads the output of this one.
  if (like === undefined) throw new TypeError("a query has no items");
  return { expression, name: hiddenName("order", items, resolution), output: like.output };
}

function keyItems(
  items: readonly Item[],
  keys: readonly ResolvedExpression[],
  resolution: Resolution,
): readonly Item[] {
  const all = [...items];
  for (const key of keys)
    all.push({ ...hiddenItem(key, items, resolution), name: hiddenName("key", all, resolution) });
  return all.slice(items.length);
}

function hiddenName(name: string, items: readonly Item[], { grammar: { quote } }: Resolution): string {
  return freeName(
    name,
    `${name}_`,
    items.map((item) => item.name),
    quote,
  );
}

function columnOf(table: string, { name }: Pick<Item, "name">): Literal {
  return { kind: "literal", sql: `${table}.${name}` };
}

/** A name that no table of the query and no outer table has. */
function tableName({ query }: ResolvedNestedRows, { scope, grammar }: Resolution): string {
  const taken = [...scope.qualifiers(grammar), ...qualifiersIn(query, grammar)];
  return freeName("rows", "rows_", taken, grammar.quote);
}
