/** The scope of a condition that connects rows of a query inside a statement with the rows of the statement. */
import type { Grammar } from "../../dialect/grammar/grammar.js";
import { layoutOfFields } from "./layout.js";
import type { Field, From, Layout } from "./resolved.js";
import type { NameScope } from "./scope.js";

/**
 * The scope of the statement with the tables of the query, all under one name.
 * @param rows the tables of the query, as they are named in the text.
 */
export function besideRows(outer: NameScope, name: string, rows: From, grammar: Grammar): NameScope {
  const own = { ...outer.own, ...seenInside(outer, grammar) };
  const layout = underName(name, rows);
  const joined = { name, layout, from: undefined, isMany: true, presence: undefined, visible: undefined };
  return outer.joining(own, new Map([...outer.joined, [name, joined]]));
}

function seenInside(outer: NameScope, grammar: Grammar): ReturnType<typeof layoutOfFields> {
  return layoutOfFields([...outer.own.fields.values()].map((field) => outer.fromInside(field, grammar)));
}

function underName(name: string, { from, joins }: From): Layout {
  const all = [...from.fields, ...joins.flatMap(({ table }) => [...table.fields.values()].map(byProperty))];
  const fields = all.map(([key, field]): [string, Field] => [
    key,
    { ...field, column: { ...field.column, property: `${name}.${key}` } },
  ]);
  return { ...from, ...layoutOfFields(fields.map(([, field]) => field)), fields: new Map(fields) };
}

function byProperty(field: Field): [string, Field] {
  return [field.column.property, field];
}
