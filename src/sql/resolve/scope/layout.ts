/**
 * A table in the form for statements of a dialect: quoted names, the text of all columns, its fields. It is made once
 * for each table and dialect.
 */
import type { TableJoin } from "../../ast/builder-parts.js";
import { sourceOf } from "../../ast/source.js";
import type { AnyTable, ColumnInfo, Storage } from "../../declare/declaration.js";
import type { Grammar } from "../../dialect/grammar/grammar.js";
import { qualifiedName } from "../../dialect/grammar/names.js";
import { codecOf } from "../../value/column-codec.js";
import type { Dialect } from "../../words/dialect.js";
import type { Field, Item, Layout, ResolvedExpression } from "./resolved.js";

const layouts = new WeakMap<AnyTable, Map<Dialect, Layout>>();

/** The layout of a table on a dialect. A query as a table has no fields until the statement is resolved. */
export function layoutOf(table: AnyTable, grammar: Grammar): Layout {
  if (sourceOf(table) !== undefined) return unresolved(table, grammar);
  let byDialect = layouts.get(table);
  if (byDialect === undefined) {
    byDialect = new Map();
    layouts.set(table, byDialect);
  }
  let layout = byDialect.get(grammar.dialect);
  if (layout === undefined) {
    layout = makeLayout(table, grammar);
    byDialect.set(grammar.dialect, layout);
  }
  return layout;
}

function unresolved(table: AnyTable, { quote }: Grammar): Layout {
  return {
    table,
    name: quote(table.name),
    qualifier: undefined,
    ...layoutOfFields([]),
  };
}

function makeLayout(table: AnyTable, grammar: Grammar): Layout {
  const all = Object.values(table.columns).map((column): Field => {
    const { property, kind, nullable } = column;
    const output = { name: property, kind, nullable, ...codecOf(column, grammar) };
    const name = grammar.quote(column.name);
    const dates = kind === "date" ? grammar.dates(column.storage) : undefined;
    return { kind: "field", column, table, nullable, name, label: name, sql: name, dates, output };
  });
  return {
    table,
    name: qualifiedName(table, grammar),
    qualifier: undefined,
    ...layoutOfFields(all),
  };
}

/** What a layout says of its fields together. */
export function layoutOfFields(
  all: readonly Field[],
): Pick<Layout, "fields" | "columns" | "dates" | "comparesOtherwise" | "outputs"> {
  return {
    fields: new Map(all.map((field) => [field.column.property, field])),
    columns: all.map(({ sql }) => sql).join(", "),
    dates: all.filter(({ dates }) => dates !== undefined),
    comparesOtherwise: all.some(({ dates }) => dates?.isExact === false),
    outputs: all.map(({ output }) => output),
  };
}

/**
 * The layout of the own table of a statement that has other tables, or that is inside another statement.
 * @param taken the quoted names that it cannot have.
 * @param otherwise its name if its own is taken.
 */
export function ownAmong(
  layout: Layout,
  taken: readonly string[],
  { quote }: Grammar,
  otherwise: string = "own",
): Layout {
  const { name: own } = layout.table;
  const qualifier = freeName(own, otherwise, taken, quote);
  const name = qualifier === quote(own) ? layout.name : `${layout.name} ${qualifier}`;
  return qualified({ ...layout, name }, qualifier, (field) => field);
}

// Some servers cut longer names, and the result may be the name of something else.
const MOST_LETTERS = 63;

/**
 * The quoted name, or another one if it is already used. Some servers ignore the case of names.
 * @param otherwise the other name, to which `_` are added.
 */
export function freeName(
  name: string,
  otherwise: string,
  taken: readonly string[],
  quote: Grammar["quote"],
): string {
  const isTaken = (one: string) => taken.some((other) => other.toLowerCase() === quote(one).toLowerCase());
  let free = isTaken(name) ? withTail(otherwise, "") : name;
  for (let tail = "_"; isTaken(free); tail += "_") free = withTail(otherwise, tail);
  return quote(free);
}

const withTail = (name: string, tail: string): string =>
  name.length + tail.length > MOST_LETTERS ? `own${tail}` : name + tail;

/** The place of a joined table. */
interface JoinPlace {
  /** The name before its fields: `name.field`. */
  readonly name: string;
  /** Whether its row may be missing. */
  readonly isOptional: boolean;
  /** The index of the join in the statement, from 0. */
  readonly index: number;
  /** The quoted names of outer tables, which it cannot have in the text. */
  readonly taken: readonly string[];
}

/** The layout of a joined table. */
export function joinedLayout(layout: Layout, place: JoinPlace, grammar: Grammar): Layout {
  const { name, isOptional, taken } = place;
  const qualifier = freeName(name, `${name}_`, taken, grammar.quote);
  return qualified({ ...layout, name: `${layout.name} ${qualifier}` }, qualifier, (field, i) => {
    const { column, table, output } = field;
    const property = `${name}.${column.property}`;
    const nullable = field.nullable || isOptional;
    const joined: JoinedColumn = { ...column, property, nullable, declared: column, declaredIn: table };
    return {
      ...field,
      column: joined,
      nullable,
      label: labelOf(place, column.property, i, grammar),
      // In an existing row the value has the type of its column.
      output: { ...output, name: property, inside: { part: name, name: column.property } },
    };
  });
}

/** Whether a join keeps rows of its table without ours. */
export function keepsTheirs(kind: TableJoin | undefined): boolean {
  return kind === "right" || kind === "full";
}

/** The layout of a table whose rows may be missing in those of the statement. */
export function missing(layout: Layout): Layout {
  const all = [...layout.fields.values()].map((field): Field => {
    const { column, output } = field;
    return {
      ...field,
      nullable: true,
      column: { ...column, nullable: true },
      output: { ...output, nullable: true },
    };
  });
  return { ...layout, ...layoutOfFields(all), mayMiss: true };
}

/** The quoted name in a result for a part of a joined table. */
export function labelOf(
  { name, index }: Pick<JoinPlace, "name" | "index">,
  of: string,
  at: number | string,
  grammar: Grammar,
): string {
  const label = `${name}.${of}`;
  const isLong = Buffer.byteLength(label) > grammar.maxNameBytes;
  return grammar.quote(isLong ? `#${index}.${at}` : label);
}

function qualified(layout: Layout, qualifier: string, inPlace: (field: Field, i: number) => Field): Layout {
  const all = [...layout.fields.values()].map((field, i): Field => {
    const name = `${qualifier}.${field.name}`;
    return inPlace({ ...field, name, sql: name }, i);
  });
  const properties = [...layout.fields.keys()];
  return {
    ...layout,
    qualifier,
    fields: new Map(all.map((field, i) => [properties[i] ?? "", field])),
    columns: all.map(({ sql }) => sql).join(", "),
    dates: all.filter(({ dates }) => dates !== undefined),
    outputs: all.map(({ output }) => output),
  };
}

/** A column of a joined table, by its name in the statement. */
interface JoinedColumn extends ColumnInfo {
  readonly declared: ColumnInfo;
  readonly declaredIn: AnyTable;
}

/** A column without the changes that a join has made. */
export function undescribed(column: ColumnInfo): ColumnInfo {
  const { declared: _, declaredIn: __, ...plain } = column as ColumnInfo & Partial<JoinedColumn>;
  return plain;
}

/** A column of a query as a table that has the stored values of a column of a table. */
export interface KeptColumn extends ColumnInfo {
  readonly kept: Pick<Field, "column" | "table">;
}

/** Whether a column of a statement is a large object, if the dialect has large objects. */
export function isLargeObject(
  column: ColumnInfo,
  own: AnyTable,
  { largeObjects }: Pick<Grammar, "largeObjects">,
): boolean {
  // For a joined table, and for a query as a table, the declaration decides.
  const { declared = column, declaredIn = own } = column as Partial<JoinedColumn>;
  const { kept } = declared as Partial<KeptColumn>;
  if (kept !== undefined) return isLargeObject(kept.column, kept.table, { largeObjects });
  return largeObjects?.holds(declared, declaredIn) === true;
}

/** The column of a field as it was declared. In a joined table this ignores that its row may be missing. */
export function keyFieldOf({ column }: Field): ColumnInfo {
  return (column as Partial<JoinedColumn>).declared ?? column;
}

/** A field as a value of a row. */
export function itemOf(field: Field): Item {
  return { expression: field, name: field.label, output: field.output, dates: field.dates };
}

/** A field in the form in which equal values are the same: for grouping, DISTINCT and ordering. */
export function comparedField(field: Field): Field {
  return field.dates?.isExact === false ? comparableField(field) : field;
}

/** An expression in a form in which equal values are the same. */
export function comparedValue({
  expression,
}: {
  readonly expression: ResolvedExpression;
}): ResolvedExpression {
  return expression.kind === "field" ? comparedField(expression) : expression;
}

/** A field in the form for comparison with fields that are stored in other forms. */
export function comparableField(field: Field): Field {
  const { name, dates } = field;
  return dates === undefined ? field : { ...field, sql: dates.comparable.replaceAll("{f}", () => name) };
}

const instants = new WeakMap<Field, Field>();

/** A field whose dates are written in the form that all dates of the dialect can have. */
export function instant(field: Field): Field {
  if (field.dates === undefined) return field;
  let one = instants.get(field);
  if (one === undefined) {
    const { column } = field;
    one = { ...comparableField(field), column: { ...column, type: undefined, storage: PLAIN_DATE } };
    instants.set(field, one);
  }
  return one;
}

const PLAIN_DATE: Storage = { kind: "date" };
