/** Resolves queries as tables: the columns of their rows, and the keys of these rows. */
import { listed, quoted } from "../../../core/errors.js";
import { type RecursionParts, type SourceFacts, sourceOf, type TableSource } from "../../ast/source.js";
import type { AnyTable, ColumnInfo } from "../../declare/declaration.js";
import type { Grammar } from "../../dialect/grammar/grammar.js";
import { tableFault } from "../../dialect/grammar/names.js";
import { anyValue } from "../../value/any-value.js";
import { comparableOf, outputOf } from "../expression/value.js";
import { type KeptColumn, layoutOf, undescribed } from "../scope/layout.js";
import { MOST_QUERIES, type Resolution } from "../scope/resolution.js";
import type { Field, Item, Layout, ResolvedAggregate, ResolvedQuery } from "../scope/resolved.js";
import { areAlike, type InnerColumn, type InnerRows, wholeNumber } from "../scope/result.js";
import { hasQuery, parametersOf, shapeOf } from "../scope/walk.js";

/**
 * The layout of a table, or of a query as one; undefined if the dialect does not support the table.
 * @throws {BuildError | UnsupportedError} for a query with problems, because its columns are not known then.
 */
export function tableLayout(table: AnyTable, path: string, resolution: Resolution): Layout | undefined {
  const { grammar } = resolution;
  const source = sourceOf(table);
  if (source !== undefined) {
    const rows = resolution.scope.depth < MOST_QUERIES ? readOf(table, source, path, resolution) : undefined;
    if (rows !== undefined) return rows;
    if (resolution.none)
      resolution.add("INVALID_SPEC", `queries nest more than ${MOST_QUERIES} levels`, path);
    resolution.throwIfAny();
  }
  resolution.addTable(table);
  const fault = tableFault(table, grammar);
  if (fault === undefined) return layoutOf(table, grammar);
  resolution.unsupported(fault.feature, fault.hint, path);
  return undefined;
}

/** A query in its place, or its name if the query is written once. */
function readOf(
  table: AnyTable,
  source: TableSource,
  path: string,
  resolution: Resolution,
): Layout | undefined {
  const { once, recursion } = source;
  const { named, mayName } = resolution.shared;
  if (source.isSelf === true) {
    const self = resolution.shared.selves.get(table);
    if (self === undefined)
      resolution.add("INVALID_RELATION", "what a recursion has found is read by its step alone", path);
    return self;
  }
  if (recursion !== undefined) return recursionOf(table, source, recursion, path, resolution);
  if (once === undefined || !mayName) return rowsOf(table, source, path, resolution);
  const known = named.get(once)?.layout;
  const layout = known ?? rowsOf(table, source, path, resolution);
  if (layout === undefined) return undefined;
  const { rows, ...read } = layout;
  if (known === undefined && rows !== undefined) {
    const { name } = layout;
    if ([...named.values()].some((other) => other.name.toLowerCase() === name.toLowerCase())) {
      const message = `two queries of the statement are named ${quoted(table.name)}: make it once, and use it twice`;
      resolution.add("INVALID_ALIAS", message, path);
      return undefined;
    }
    named.set(once, { name, rows, layout });
  }
  return read;
}

function recursionOf(
  table: AnyTable,
  { statement, once = table }: TableSource,
  recursion: RecursionParts,
  path: string,
  resolution: Resolution,
): Layout | undefined {
  const known = resolution.shared.named.get(once)?.layout;
  if (known !== undefined) return known;
  const refuse = (message: string) => {
    resolution.add("INVALID_SPEC", message, path);
    return undefined;
  };
  if (!resolution.shared.mayName) return refuse("a recursion cannot stand in a statement that changes rows");
  const begun = rowsApart(statement, `${path}.start`, resolution);
  if (begun === undefined) return undefined;
  const start = comparing(begun, resolution);
  const { grammar } = resolution;
  const { self, step: next, maxDepth, depth } = recursion;
  if (depth !== undefined && hasColumn(depth, start.columns, grammar)) {
    const message = `the level cannot be named ${quoted(depth)}: a column has that name`;
    resolution.add("INVALID_ALIAS", message, path);
    return undefined;
  }
  const { rows: __, ...found } = sourceLayout(self, start, grammar);
  resolution.shared.selves.set(self, { ...found, keys: [] });
  const gone = rowsApart(next, `${path}.step`, resolution);
  resolution.shared.selves.delete(self);
  if (gone === undefined) return undefined;
  const step = comparing(gone, resolution);
  const query = rowsAlone(start.query);
  const further = rowsAlone(step.query);
  if (query === undefined || further === undefined)
    return refuse("start and step of a recursion take no order, limit or offset, and the step no groups");
  const read = [
    further.from,
    ...further.joins.flatMap(({ kind, table: one }) => (kind === "inner" ? [one] : [])),
  ];
  const [own, ...more] = read.filter((one) => one.table === self);
  if (own === undefined || more.length > 0 || further.groupBy.length > 0 || further.isDistinct)
    return refuse(
      "the step of a recursion reads once what was found, by from or joinQuery, and does not group it",
    );
  const items = start.columns.map(({ name }) => step.columns.find((column) => column.name === name));
  const isAlike = (i: number) => {
    const [one, other] = [start.columns[i]?.value, items[i]?.value];
    return (
      one !== undefined &&
      other !== undefined &&
      areAlike(one.storage, other.storage) &&
      one.storage.scale === other.storage.scale &&
      (one.nullable || !other.nullable)
    );
  };
  if (items.length !== step.columns.length || !items.every((_, i) => isAlike(i))) {
    const names = listed(start.columns.map(({ name }) => name));
    resolution.add(
      "INVALID_FIELD",
      `the step of a recursion must give what its start gives, of the same kinds: ${names}`,
      path,
    );
    return undefined;
  }
  const level = grammar.quote(levelName(depth, start.columns));
  const levels = outputOf(wholeNumber, depth ?? "level", resolution);
  const above = own.qualifier === undefined ? level : `${own.qualifier}.${level}`;
  const levelled = (sql: string): Item => ({
    expression: { kind: "literal", sql },
    name: level,
    output: levels,
  });
  const layout: Layout = {
    ...sourceLayout(
      table,
      {
        ...start,
        columns: [...start.columns, ...(depth === undefined ? [] : [levelColumn(depth, level, levels)])],
      },
      grammar,
    ),
    keys: [],
  };
  const { rows: _, ...readable } = layout;
  resolution.shared.named.set(once, {
    name: layout.name,
    layout: readable,
    rows: { ...query, items: [...start.columns.map(({ item }) => item), levelled("1")] },
    recursion: {
      maxDepth,
      columns: [...start.columns.map(({ item }) => item.name), level],
      step: {
        ...further,
        items: [
          ...items.flatMap((column) => column?.item ?? []),
          levelled(
            grammar.recursion.next.replaceAll("{f}", () => above).replaceAll("{most}", String(maxDepth)),
          ),
        ],
      },
    },
  });
  return readable;
}

// The server could read either of two columns with the same name.
function hasColumn(name: string, columns: readonly InnerColumn[], { quote }: Grammar): boolean {
  const same = (one: string, other: string) => one.toLowerCase() === other.toLowerCase();
  return columns.some((column) => same(column.name, name) || same(column.item.name, quote(name)));
}

function rowsAlone(query: InnerRows["query"]): ResolvedQuery | undefined {
  if (query.kind === "aggregate" || query.paging.length > 0) return undefined;
  return query.orderBy.length > 0 ? undefined : query;
}

function levelName(depth: string | undefined, columns: readonly InnerColumn[]): string {
  let name = depth ?? "level";
  while (depth === undefined && columns.some(({ item }) => item.name.slice(1, -1).toLowerCase() === name))
    name += "_";
  return name;
}

function levelColumn(name: string, quotedName: string, output: Item["output"]): InnerColumn {
  const expression = { kind: "literal", sql: quotedName } as const;
  return { name, value: { ...wholeNumber, expression }, item: { expression, name: quotedName, output } };
}

/** Adds a problem for a query with the name of a table, because the statement could no longer read that table. */
export function requireNames(resolution: Resolution): void {
  for (const { layout } of resolution.shared.named.values()) {
    const { name } = layout.table;
    if (!resolution.shared.tables.has(name.toLowerCase())) continue;
    const message = `a query cannot be named ${quoted(name)}: the statement reads a table of that name`;
    resolution.add("INVALID_ALIAS", message, "with");
  }
}

function rowsOf(
  table: AnyTable,
  source: TableSource,
  path: string,
  resolution: Resolution,
): Layout | undefined {
  const inner = rowsApart(source.statement, path, resolution);
  if (inner === undefined) return undefined;
  return sourceLayout(table, comparing(inner, resolution), resolution.grammar);
}

/** The rows of a query that does not read the fields of the statement. */
function rowsApart(
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
function comparing({ query, columns }: InnerRows, resolution: Resolution): InnerRows {
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

function sourceLayout(table: AnyTable, inner: InnerRows, grammar: Grammar): Layout {
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
    fields: new Map(all.map((field) => [field.column.property, field])),
    columns: all.map(({ sql }) => sql).join(", "),
    dates: all.filter(({ dates }) => dates !== undefined),
    comparesOtherwise: all.some(({ dates }) => dates?.isExact === false),
    outputs: all.map(({ output }) => output),
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
  if (joins.some(({ isMany }) => isMany)) return [];
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
  { dissolvesTables = false, paging, noLimit }: Grammar,
): ResolvedQuery | ResolvedAggregate {
  if (!dissolvesTables || query.kind === "aggregate" || query.paging.length > 0) return query;
  if (query.items?.some(({ expression }) => hasQuery(expression)) !== true || noLimit === undefined)
    return query;
  const all = paging.flatMap(({ part, before, after }) =>
    part === "limit" ? [{ part, before, count: noLimit, after }] : [],
  );
  return { ...query, paging: all };
}
