/** The rows of a query as a table: their columns, in the form in which they are compared, and their keys. */
import { quoted } from "../../../core/errors.js";
import type { SourceFacts, TableSource } from "../../ast/source.js";
import type { AnyTable, ColumnInfo } from "../../declare/declaration.js";
import type { Grammar } from "../../dialect/grammar/grammar.js";
import { anyValue } from "../../value/any-value.js";
import { comparableOf, outputOf } from "../expression/value.js";
import { type KeptColumn, keepsTheirs, layoutOfFields, undescribed } from "../scope/layout.js";
import type { Resolution } from "../scope/resolution.js";
import type { Field, Item, Layout, ResolvedAggregate, ResolvedQuery } from "../scope/resolved.js";
import type { InnerColumn, InnerRows } from "../scope/result.js";
import { hasQuery, parametersOf, shapeOf } from "../scope/walk.js";
import { everyRow } from "./paging.js";

/** The rows of a query that does not read the fields of the statement. */
export function rowsApart(
  statement: TableSource["statement"],
  path: string,
  resolution: Resolution,
): InnerRows | undefined {
  const { scope, grammar } = resolution;
  const rows = resolution.inside(path, scope.apart(statement, grammar)).inner(statement);
  if (rows === undefined || !areColumns(rows.columns, path, resolution) || !resolution.none) return undefined;
  return rows;
}

/** Rows with values in their comparable form, instead of the form for a caller. */
export function comparing({ query, columns }: InnerRows, resolution: Resolution): InnerRows {
  const others = new Map<Item, Item>();
  const all = columns.map((column): InnerColumn => {
    const { name, value, item } = column;
    if (value.selected === undefined || item.expression === value.expression) return column;
    const other: Item = { ...item, expression: value.expression, output: outputOf(value, name, resolution) };
    others.set(item, other);
    return { ...column, item: other };
  });
  if (others.size === 0 || query.kind === "aggregate" || query.items === undefined) return { query, columns };
  const items = query.items.map((item) => others.get(item) ?? item);
  return { query: { ...query, items }, columns: all };
}

/** The columns and keys of a query as a table. */
export function sourceFacts({ columns, query }: InnerRows): SourceFacts {
  const infos = columns.map((column) => [column.name, infoOf(column)] as const);
  return { columns: Object.fromEntries(infos), keys: keysOf(columns, query) };
}

/** Whether the outer query can read the columns of a query as a table by these names; adds a problem if not. */
export function requireReadable(items: readonly Item[], path: string, resolution: Resolution): boolean {
  const { lostNames } = resolution.grammar;
  const lost = lostNames && items.find(({ name }) => lostNames.has(name.toLowerCase()));
  if (lost === undefined) return true;
  const { name } = lost.output;
  const feature = `columns named ${lost.name} in queries as tables`;
  resolution.unsupported(feature, `give it another name: field(${quoted(name)}).as(…)`, path);
  return false;
}

// A part of a row is not a column of a table.
function areColumns(columns: readonly InnerColumn[], path: string, resolution: Resolution): boolean {
  const part = columns.find(({ item }) => item.output.inside !== undefined);
  if (part === undefined)
    return requireReadable(
      columns.map(({ item }) => item),
      `${path}.fields`,
      resolution,
    );
  const { name } = part;
  const message = `${quoted(name)} is not a column of a query as a table: give it a name, field(${quoted(name)}).as(…)`;
  resolution.add("INVALID_FIELD", message, `${path}.fields`);
  return false;
}

export function sourceLayout(table: AnyTable, inner: InnerRows, grammar: Grammar): Layout {
  const { columns } = inner;
  const all = columns.map((column): Field => {
    const { item, name } = column;
    const info = infoOf(column);
    const dates = info.storage.kind === "date" ? grammar.dates(info.storage) : undefined;
    return {
      kind: "field",
      column: info,
      table,
      nullable: info.nullable,
      name: item.name,
      label: item.name,
      sql: item.name,
      dates,
      output: { ...item.output, name },
      ...(isOfColumn(column) ? {} : { isComputed: true }),
    };
  });
  return {
    table,
    name: grammar.quote(table.name),
    rows: asTable(unordered(inner.query), grammar),
    keys: keysOf(columns, inner.query),
    qualifier: undefined,
    ...layoutOfFields(all),
  };
}

/** Whether the value under a name is the stored value of a column. */
function isOfColumn({ item: { expression } }: InnerColumn): boolean {
  return expression.kind === "field" && expression.isComputed !== true;
}

function infoOf({ name, value, item }: InnerColumn): ColumnInfo {
  const { expression, output } = item;
  const { storage, nullable, schema } = value;
  const own = { property: name, name, nullable: nullable && output.ifNull === undefined };
  const free = { ...undeclared, storage };
  if (expression.kind === "field") {
    const { column, table } = expression;
    const same: KeptColumn = { ...undescribed(column), ...own, ...free, kept: { column, table } };
    return same;
  }
  const { kind } = comparableOf(value);
  return { ...own, ...free, kind, schema: schema ?? anyValue };
}

// It belongs to no table, because no statement writes it.
const undeclared = {
  primaryKey: false,
  generated: false,
  unique: false,
  optional: false,
  readOnly: true,
  renamedFrom: [],
} as const;

/** The keys of the rows: the grouping expressions, or the keys of the query's only table. */
function keysOf(
  columns: readonly InnerColumn[],
  query: ResolvedQuery | ResolvedAggregate,
): readonly (readonly string[])[] {
  if (query.kind === "aggregate") return [];
  const { groupBy, from, joins, distinctOn } = query;
  const named = <T>(parts: readonly T[], isOf: (column: InnerColumn, part: T) => boolean) => {
    const found = parts.map((part) => columns.find((column) => isOf(column, part))?.name);
    return found.every((name) => name !== undefined) ? [found] : [];
  };
  const isField = ({ item: { expression } }: InnerColumn, property: string) =>
    expression.kind === "field" && expression.column.property === property;
  const by = groupBy.length > 0 ? groupBy : distinctOn;
  if (by.length > 0)
    return named(by, (column, one) => {
      if (one.kind === "field") return isField(column, one.column.property);
      if (one.kind === "literal") return column.item.name === one.sql;
      return shapeOf(column.item.expression) === shapeOf(one);
    });
  if (joins.some(({ isMany, kind }) => isMany || keepsTheirs(kind))) return [];
  return (from.keys ?? from.table.keys).flatMap((key) => named(key, isField));
}

// An order without a limit has no effect. An order with parameters stays, because callers give these parameters.
function unordered(query: ResolvedQuery | ResolvedAggregate): ResolvedQuery | ResolvedAggregate {
  if (query.kind === "aggregate" || query.paging.length > 0 || query.distinctOn.length > 0) return query;
  return query.orderBy.some(({ operand }) => parametersOf(operand).length > 0)
    ? query
    : { ...query, orderBy: [] };
}

// A column that is a subquery has a value in rows that a left join did not find, unless the query stays a table.
function asTable(
  query: ResolvedQuery | ResolvedAggregate,
  grammar: Grammar,
): ResolvedQuery | ResolvedAggregate {
  if (query.kind === "aggregate" || query.paging.length > 0) return query;
  if (query.items?.some(({ expression }) => hasQuery(expression)) !== true) return query;
  return { ...query, paging: everyRow(grammar) };
}
