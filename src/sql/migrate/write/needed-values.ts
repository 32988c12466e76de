/** Columns for which every row needs a value and existing rows have none: none is invented for them. */
import type { Grammar } from "../../dialect/grammar/grammar.js";
import { beginningOf } from "../../dialect/grammar/names.js";
import type { CatalogColumn } from "../words/catalog.js";
import { NOT_NULL_END } from "../words/step.js";

/** Whether a new column of this kind cannot be added to a table with rows. */
export function needsValue({ nullable, default: said, generated, computed }: CatalogColumn): boolean {
  return !nullable && said === null && generated === false && computed === null;
}

/** Why such a step may fail, and what to do. */
export const NEEDS_VALUE =
  "the column is new; existing rows have no value for it: give it a default, or make it nullable first";

/** The name of the check that replaces NOT NULL, until the server itself has it. */
export function notNullCheck(table: string, column: string, { maxNameBytes }: Grammar): string {
  return beginningOf(`${table}_${column}`, maxNameBytes - NOT_NULL_END.length) + NOT_NULL_END;
}
