/**
 * A part of a table: the rows in which some fields have one value. It is a table of its own, so that whatever is made
 * of it, statements, records and specs, is of that part alone.
 */
import * as z from "zod";
import { isReadOnly, lessRules } from "../words/rules.js";
import type { AnyTable, Fixed, FixedFields } from "./declaration.js";
import type { TableModule } from "./module.js";
import { markDeclared } from "./table.js";

/** The part of a table. Its schemas of inserts and updates do not have the fixed fields. */
export function partOf(table: AnyTable, fixed: FixedFields): AnyTable {
  const mask: Record<string, true> & Record<number, never> = {};
  for (const property of fixed.keys()) if (table.fixed?.has(property) !== true) mask[property] = true;
  const { insertSchema, updateSchema } = table;
  // A view has none.
  const schemas =
    table.view === undefined
      ? { insertSchema: insertSchema.omit(mask), updateSchema: updateSchema.omit(mask) }
      : {};
  const part: AnyTable = { ...table, ...schemas, fixed };
  markDeclared(part);
  return Object.freeze(part);
}

/** The table without some of its rules. Its schemas of inserts and updates have the times that it then may give. */
export function withoutRules(table: AnyTable, names: readonly string[]): AnyTable {
  const { rules } = table;
  if (rules === undefined) return table;
  const less = lessRules(rules, new Set(names));
  const made = { ...table, rules: less };
  if (table.view === undefined) {
    const given = Object.values(table.columns).filter(
      (column) => column.readOnly && !isReadOnly(column, made) && isReadOnly(column, table),
    );
    const shape = Object.fromEntries(given.map(({ property, schema }) => [property, z.optional(schema)]));
    made.insertSchema = table.insertSchema.extend(shape);
    made.updateSchema = table.updateSchema.extend(shape);
  }
  markDeclared(made);
  return Object.freeze(made);
}

/** The tables of a module as a scope sees them: each that has fields of the scope is the part with its values. */
export function tablesWithin(tables: TableModule, fixed: FixedFields): TableModule {
  return new Map([...tables].map(([name, table]) => [name, within(table, fixed)]));
}

function within(table: AnyTable, fixed: FixedFields): AnyTable {
  const own = new Map<string, Fixed>();
  for (const [property, { column, value }] of fixed) {
    const theirs = Object.hasOwn(table.columns, property) ? table.columns[property] : undefined;
    if (theirs !== undefined && theirs.kind === column.kind) own.set(property, { column: theirs, value });
  }
  if (own.size === 0) return table;
  const part: AnyTable = { ...table, fixed: own, whole: table };
  markDeclared(part);
  return Object.freeze(part);
}
