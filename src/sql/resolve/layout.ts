/**
 * A table as the statements of a dialect use it: quoted names, the text of all columns, its fields. Made once
 * for each table and dialect.
 */
import type { AnyTable, Storage } from "../declare/declaration.js";
import type { Grammar } from "../dialect/grammar.js";
import { qualifiedName } from "../dialect/names.js";
import { codecOf } from "../value/column-codec.js";
import type { Dialect } from "../words/dialect.js";
import type { Expression, Field, Item, Layout } from "./resolved.js";

const layouts = new WeakMap<AnyTable, Map<Dialect, Layout>>();

/** The layout of a table on a dialect. */
export function layoutOf(table: AnyTable, grammar: Grammar): Layout {
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

function makeLayout(table: AnyTable, grammar: Grammar): Layout {
  const all = Object.values(table.columns).map((column): Field => {
    const { property, kind, nullable } = column;
    const output = { name: property, kind, nullable, ...codecOf(column, grammar) };
    const name = grammar.quote(column.name);
    const dates = kind === "date" ? grammar.dates(column.storage) : undefined;
    return { kind: "field", column, table, nullable, name, sql: name, dates, output };
  });
  return {
    table,
    name: qualifiedName(table, grammar),
    fields: new Map(all.map((field) => [field.column.property, field])),
    columns: all.map(({ sql }) => sql).join(", "),
    dates: all.filter(({ dates }) => dates !== undefined),
    comparesOtherwise: all.some(({ dates }) => dates?.isExact === false),
    outputs: all.map(({ output }) => output),
  };
}

/** A field as a value of a row. */
export function itemOf(field: Field): Item {
  return { expression: field, name: field.name, output: field.output };
}

/** A field in the form in which equal values are the same: for grouping, DISTINCT and ordering. */
export function compared(field: Field): Field {
  return field.dates?.isExact === false ? comparable(field) : field;
}

/** An expression such that equal values of it are the same. */
export function comparedValue({ expression }: { readonly expression: Expression }): Expression {
  return expression.kind === "field" ? compared(expression) : expression;
}

/** A field as it is compared with others that may be kept in other ways. */
export function comparable(field: Field): Field {
  const { name, dates } = field;
  return dates === undefined ? field : { ...field, sql: dates.comparable.replaceAll("{f}", () => name) };
}

const instants = new WeakMap<Field, Field>();

/** A field whose dates are written in the form that all dates of the dialect can have, as a value of that form. */
export function instant(field: Field): Field {
  if (field.dates === undefined) return field;
  let one = instants.get(field);
  if (one === undefined) {
    const { column } = field;
    one = { ...comparable(field), column: { ...column, type: undefined, storage: PLAIN_DATE } };
    instants.set(field, one);
  }
  return one;
}

const PLAIN_DATE: Storage = { kind: "date" };
