/**
 * Resolves the queries inside a statement: by a relation or by two fields, for `EXISTS`, nested rows and values. The
 * Each of these queries has its own scope. Its tables have names in the text that no outer table has.
 */
import { quoted } from "../../../core/errors.js";
import { BuilderOnly } from "../../ast/builder-only.js";
import { InnerQuery, type InnerStatement, NoQuery, RowsOn, type RowsWhere } from "../../ast/inner-query.js";
import type { RelatedTables } from "../../ast/statement.js";
import type { AnyTable } from "../../declare/declaration.js";
import { tableFault } from "../../dialect/grammar/names.js";
import { resolveConnecting } from "../on/connecting.js";
import { mayName } from "../on/naming.js";
import { pairsOf, type RowPair } from "../on/pairs.js";
import { layoutOf, ownAmong } from "../scope/layout.js";
import { type BetweenRows, relatedRows } from "../scope/related.js";
import { MOST_QUERIES, type Resolution } from "../scope/resolution.js";
import type { Layout, ResolvedCondition, ResolvedJoin, Subquery } from "../scope/resolved.js";
import type { InnerColumn } from "../scope/result.js";
import { unknownField } from "../scope/scope.js";
import { besideRows } from "../scope/two-sided.js";
import type { Visible } from "../scope/view.js";
import { expressionsOf, fieldsOf, qualifiersIn } from "../scope/walk.js";
import { allOf, equalPairs } from "./two-values.js";

/**
 * The query from a builder, or from a condition or an expression made without one; undefined for any other value. A
 * query that cannot be used here is also undefined, and a problem.
 */
export function givenIn(given: unknown, path: string, resolution: Resolution): InnerStatement | undefined {
  const none = NoQuery.own(given);
  if (none !== undefined) resolution.add("INVALID_RELATION", none.message, path);
  const query = InnerQuery.own(given);
  if (query === undefined) return undefined;
  const { database, problems = [] } = query.offered ?? {};
  for (const problem of problems) resolution.add(problem.code, problem.message, path);
  if (database === undefined || resolution.isOf(database)) return query.statement;
  resolution.add("INVALID_RELATION", "a query inside another is of the same database", path);
  return undefined;
}

/** Rows of another table, and the fields by which they are found. */
export interface RowsSaid {
  readonly table: AnyTable;
  readonly tables: RelatedTables | undefined;
  /** The fields of the statement, in its scope, and those of the table, or of the table between, that are equal to them. */
  readonly pairs: readonly RowPair[];
  /** The table that leads to the rows, if there is one between. */
  readonly between: BetweenRows | undefined;
  /** Whether one row of the statement may have several such rows. */
  readonly isMany: boolean;
  /** Whether the row may be missing although the fields are not null. */
  readonly isOptional: boolean;
  /** The names that a client may use in them. */
  readonly visible: Visible;
  /** The query of a builder; undefined if a spec specifies the rows, or nothing does. */
  readonly query: InnerStatement | undefined;
}

/**
 * The rows of a relation, or those of a query that was given with two fields.
 * @param way the name of a relation, or the result of a builder for a query and two fields.
 * @param given the query of the rows, if there is one: from a builder, or in the form of a spec.
 * @param whole whether a spec says that the rows are those of the whole table, for a scope.
 */
export function rowsSaid(
  way: unknown,
  given: unknown,
  path: string,
  resolution: Resolution,
  whole?: unknown,
): RowsSaid | undefined {
  const on = RowsOn.own(way);
  return on === undefined ? relatedSaid(way, given, path, resolution, whole) : rowsOn(on, path, resolution);
}

function relatedSaid(
  way: unknown,
  given: unknown,
  path: string,
  resolution: Resolution,
  whole: unknown,
): RowsSaid | undefined {
  const related = relatedRows(way, path, resolution, whole);
  if (related === undefined) return undefined;
  const { ways, isMany, isOptional, visible } = related;
  const pairs = ways.pairs.flatMap(({ mine, theirs }): RowPair | readonly [] => {
    const field = resolution.scope.hidden(mine);
    return field === undefined ? [] : { mine: field, theirs };
  });
  const query = givenIn(given, path, resolution);
  if (query === undefined && BuilderOnly.isOne(given)) return undefined;
  // A part of a table has the table's columns.
  if (query !== undefined && query.table.columns !== related.table.columns) {
    const message = `relation ${quoted(way)} leads to table ${quoted(related.table.name)}, and the query is of ${quoted(query.table.name)}`;
    resolution.add("INVALID_RELATION", message, path);
    return undefined;
  }
  const { tables } = resolution.scope;
  return {
    table: query?.table ?? related.table,
    tables: tablesOf(query) ?? tables,
    pairs,
    between: ways.between,
    isMany,
    isOptional,
    visible,
    query,
  };
}

function rowsOn({ rows, mine, theirs }: RowsOn, path: string, resolution: Resolution): RowsSaid | undefined {
  const statement = givenIn(rows, path, resolution);
  if (statement === undefined) return undefined;
  const { table } = statement;
  const of = {
    kindOf: (field: string) => (Object.hasOwn(table.columns, field) ? table.columns[field]?.kind : undefined),
    unknown: (field: unknown) => unknownField(field, table),
  };
  const pairs = pairsOf(mine, theirs, of, path, resolution);
  if (pairs === undefined) return undefined;
  return {
    table,
    tables: tablesOf(statement),
    pairs,
    between: undefined,
    isMany: true,
    isOptional: false,
    visible: undefined,
    query: statement,
  };
}

function tablesOf(statement: InnerStatement | undefined): RelatedTables | undefined {
  return statement !== undefined && "tables" in statement ? statement.tables : undefined;
}

/** A query inside the statement. */
interface InnerRead {
  readonly subquery: Subquery;
  readonly columns: readonly InnerColumn[];
}

/** A query of rows that belong to those of the statement. */
export interface InnerResolved extends InnerRead {
  /** The first condition of the query, by which its rows are found: equal fields. */
  readonly found: ResolvedCondition;
}

/**
 * Resolves rows that belong to those of the statement.
 * @param statement its spec, as the caller gave it.
 */
export function resolveRelated(
  { table, tables, pairs, between, visible }: RowsSaid,
  statement: { readonly kind: InnerStatement["kind"]; readonly spec: unknown },
  path: string,
  resolution: Resolution,
): InnerResolved | undefined {
  const inside = enter({ table, tables }, visible, path, resolution);
  if (inside === undefined) return undefined;
  const resolved = inside.inner(statement);
  if (resolved === undefined) return undefined;
  const { query, columns } = resolved;
  const join = between && joinBetween(between, query, inside);
  // The joins may give its own table another name.
  const holder = between === undefined ? query.from : join?.table;
  if (holder === undefined) return undefined;
  const reads = pairs.map(({ mine }) => resolution.scope.fromInside(mine, resolution.grammar));
  const held = pairs.map(({ theirs }) => holder.fields.get(theirs));
  const equal = equalPairs(held, reads, "", inside);
  if (equal === undefined) return undefined;
  const found = allOf(equal);
  const joins = join === undefined ? query.joins : [join, ...query.joins];
  const whole = { ...query, joins, where: [found, ...query.where] };
  return { subquery: { kind: "subquery", query: whole, reads }, columns, found };
}

/** The join of the table that leads to the rows of a query. */
function joinBetween(
  { table, pairs }: BetweenRows,
  query: Subquery["query"],
  resolution: Resolution,
): ResolvedJoin | undefined {
  const { grammar, scope } = resolution;
  const layout = betweenLayout(
    table,
    [...scope.qualifiers(grammar), ...qualifiersIn(query, grammar)],
    resolution,
  );
  const mine = pairs.map((pair) => layout?.fields.get(pair.mine));
  const theirs = pairs.map((pair) => query.from.fields.get(pair.theirs));
  const equal = equalPairs(mine, theirs, "", resolution);
  if (layout === undefined || equal === undefined) return undefined;
  const on = allOf([...equal, ...resolution.standing(layout)]);
  return { kind: "inner", table: layout, on, isMany: true };
}

/**
 * The layout of a table that a relation leads through, which nothing names.
 * @param taken the quoted names that it cannot have.
 */
export function betweenLayout(
  table: AnyTable,
  taken: readonly string[],
  resolution: Resolution,
): Layout | undefined {
  const { grammar } = resolution;
  const fault = tableFault(table, grammar);
  if (fault !== undefined) {
    resolution.unsupported(fault.feature, fault.hint, "");
    return undefined;
  }
  resolution.addTable(table);
  return ownAmong(layoutOf(table, grammar), taken, grammar, "between");
}

/** Resolves a query that does not read fields of the statement. */
export function resolveApart(
  statement: InnerStatement,
  path: string,
  resolution: Resolution,
): InnerRead | undefined {
  const inside = enter(statement, undefined, path, resolution);
  const resolved = inside?.inner(statement);
  if (resolved === undefined) return undefined;
  const { query, columns } = resolved;
  return { subquery: { kind: "subquery", query, reads: [] }, columns };
}

/** A query of rows that are found by a condition. */
export interface InnerFound extends InnerRead {
  /** The first condition of the query. */
  readonly found: ResolvedCondition;
}

/**
 * The query of rows that are found by a condition; undefined, with a problem, if there is none.
 * @param name the name before their fields in the condition.
 */
export function resolveFound(
  { condition }: RowsWhere["of"],
  name: string,
  statement: InnerStatement,
  path: string,
  resolution: Resolution,
): InnerFound | undefined {
  const inside = enter(statement, undefined, path, resolution);
  const resolved = inside?.inner(statement);
  if (resolved === undefined) return undefined;
  const { query, columns } = resolved;
  const { scope, grammar } = resolution;
  // Conditions use plain fields, so that an index serves them.
  const both = resolution.seeing(besideRows(scope, name, query, grammar).comparing(false));
  const connecting = resolveConnecting(condition, name, `${path}.on`, both);
  if (connecting === undefined) return undefined;
  const { on: found } = connecting;
  const reads = expressionsOf(found)
    .flatMap(fieldsOf)
    .filter((field) => both.scope.joinedTableOf(field) !== name);
  return {
    subquery: { kind: "subquery", query: { ...query, where: [found, ...query.where] }, reads },
    columns,
    found,
  };
}

/** The query as a table of rows that are found by a condition; undefined, with a problem, if there is none. */
export function tableFound(
  { rows }: RowsWhere["of"],
  path: string,
  resolution: Resolution,
): { readonly name: string; readonly statement: InnerStatement } | undefined {
  if (!("table" in rows)) {
    givenIn(rows, path, resolution);
    return undefined;
  }
  const { name, table, database, problems } = rows;
  for (const problem of problems) resolution.add(problem.code, problem.message, path);
  if (!resolution.isOf(database)) {
    resolution.add("INVALID_RELATION", "a query inside another is of the same database", path);
    return undefined;
  }
  return mayName(name, "a query", path, resolution)
    ? { name, statement: { kind: "query", table, spec: {} } }
    : undefined;
}

function enter(
  statement: { readonly table: AnyTable; readonly tables?: RelatedTables | undefined },
  visible: Visible,
  path: string,
  resolution: Resolution,
): Resolution | undefined {
  const { grammar } = resolution;
  if (resolution.scope.proposed !== undefined) {
    const message = "the update of an upsert takes no queries: ask before it, or by db.sql";
    resolution.add("INVALID_CONDITION", message, path);
    return undefined;
  }
  if (resolution.scope.taken.length >= MOST_QUERIES) {
    resolution.add("INVALID_SPEC", `queries nest more than ${MOST_QUERIES} tables`, path);
    return undefined;
  }
  const fault = tableFault(statement.table, grammar);
  if (fault !== undefined) {
    resolution.unsupported(fault.feature, fault.hint, path);
    return undefined;
  }
  return resolution.inside(path, resolution.scope.inside(statement, grammar, visible));
}
