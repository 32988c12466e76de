/**
 * A part of a table: the rows in which some fields have one value. It is a table of its own, so that whatever is made
 * of it, statements, records and specs, is of that part alone.
 */
import type { AnyTable, FixedFields } from "./declaration.js";
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
