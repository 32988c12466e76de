/** Sentences of steps that several dialects have. */
import { quoted } from "../../core/errors.js";
import type { TableDelta } from "./compare.js";

/** Why a column is dropped, with the line to write if it was a rename. */
export function whyDropped(
  { added, declared }: TableDelta,
  column: { readonly name: string; readonly type: string },
): string {
  const said = `the column is not declared, and its values are lost`;
  const [twin] = added.filter(({ type }) => type === column.type);
  if (twin === undefined) return said;
  const info = Object.values(declared.table.columns).find(({ name }) => name === twin.name);
  const property = info?.property ?? twin.name;
  return `${said}; if ${quoted(property)} is its new name, write renamedFrom: ${quoted(column.name)} there`;
}

export const NEW_TABLE = "the table is declared and not there";
export const GONE_TABLE = "the table is not declared, and its rows are lost";
export const EXPAND =
  "to go on while old code runs: add a new column, write both, fill it, read it, then drop the old one";
