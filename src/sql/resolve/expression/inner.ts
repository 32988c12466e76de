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
import { besideRows } from "../scope/beside.js";
import { relatedRows } from "../scope/related.js";
import { MOST_QUERIES, type Resolution } from "../scope/resolution.js";
import type { Comparison, Field, ResolvedCondition, Subquery } from "../scope/resolved.js";
import type { InnerColumn } from "../scope/result.js";
import { unknownField } from "../scope/scope.js";
import type { Visible } from "../scope/view.js";
import { expressionsOf, fieldsOf } from "../scope/walk.js";
import { equalFields } from "./two-values.js";

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
  /** The field of the statement, in its scope. */
  readonly mine: Field;
  /** The field of the table that is equal to it. */
  readonly theirs: string;
  /** Whether one row of the statement may have several such rows. */
  readonly isMany: boolean;
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
  const mine = related && resolution.scope.hidden(related.mine);
  if (related === undefined || mine === undefined) return undefined;
  const { theirs, isMany, visible } = related;
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
    mine,
    theirs,
    isMany,
    visible,
    query,
  };
}

function rowsOn({ rows, mine, theirs }: RowsOn, path: string, resolution: Resolution): RowsSaid | undefined {
  const statement = givenIn(rows, path, resolution);
  if (statement === undefined) return undefined;
  const { table } = statement;
  const field = resolution.field(mine, `${path}.mine`);
  if (typeof theirs !== "string" || !Object.hasOwn(table.columns, theirs)) {
    resolution.add("INVALID_FIELD", unknownField(theirs, table), `${path}.theirs`);
    return undefined;
  }
  if (field === undefined) return undefined;
  return {
    table,
    tables: tablesOf(statement),
    mine: field,
    theirs,
    isMany: true,
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
  /** The first condition of the query, by which its rows are found. */
  readonly found: Comparison;
}

/**
 * Resolves rows that belong to those of the statement.
 * @param statement its spec, as the caller gave it.
 */
export function resolveRelated(
  { table, tables, mine, theirs, visible }: RowsSaid,
  statement: { readonly kind: InnerStatement["kind"]; readonly spec: unknown },
  path: string,
  resolution: Resolution,
): InnerResolved | undefined {
  const inside = enter({ table, tables }, visible, path, resolution);
  if (inside === undefined) return undefined;
  const resolved = inside.inner(statement);
  // The joins may give its own table another name.
  const field = resolved?.query.from.fields.get(theirs);
  if (resolved === undefined || field === undefined) return undefined;
  const outer = resolution.scope.fromInside(mine, resolution.grammar);
  const found = equalFields(field, outer, "", inside);
  if (found === undefined) return undefined;
  const { query, columns } = resolved;
  return { subquery: subqueryOf({ ...query, where: [found, ...query.where] }, found), columns, found };
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

function subqueryOf(query: Subquery["query"], { right }: Comparison): Subquery {
  return { kind: "subquery", query, reads: right.kind === "field" ? [right] : [] };
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
