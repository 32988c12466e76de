/** Sentences about steps that several dialects have. */
import { quoted } from "../../../core/errors.js";
import type { Grammar } from "../../dialect/grammar/grammar.js";
import { comparedName } from "../../dialect/grammar/names.js";
import type { DeclaredTable } from "../catalog/declared-table.js";
import type { TableDelta } from "../diff/compare.js";
import type { CatalogTable } from "../words/catalog.js";

/** Why a column is dropped, with the line to write if it was a rename. */
export function whyDropped(
  { added, declared }: TableDelta,
  column: { readonly name: string; readonly type: string },
  grammar: Grammar,
): string {
  const heir = takerOf(column.name, Object.values(declared.table.columns), grammar);
  if (heir !== undefined) return `${bothAreThere("column", heir.property, column.name)}: its values are lost`;
  const said = `the column is not declared, and its values are lost`;
  const [twin] = added.filter(({ type }) => type === column.type);
  if (twin === undefined) return said;
  const info = Object.values(declared.table.columns).find(({ name }) => name === twin.name);
  const property = info?.property ?? twin.name;
  return `${said}; if ${quoted(property)} is its new name, write renamedFrom: ${quoted(column.name)} there`;
}

export const NEW_TABLE = "the table is declared but does not exist";

/** Why a table is dropped. */
export function whyGone(
  { name, schema }: CatalogTable,
  there: readonly DeclaredTable[],
  grammar: Grammar,
): string {
  const heirs = there.filter((one) => one.schema === schema).map(({ table }) => table);
  const heir = takerOf(name, heirs, grammar);
  if (heir === undefined) return "the table is not declared, and its rows are lost";
  return `${bothAreThere("table", heir.name, name)}: its rows are lost`;
}

function takerOf<T extends { readonly renamedFrom: readonly string[] }>(
  name: string,
  list: readonly T[],
  grammar: Grammar,
): T | undefined {
  const nameOf = comparedName(grammar);
  return list.find(({ renamedFrom }) => renamedFrom.some((former) => nameOf(former) === nameOf(name)));
}

// A database that has both does not say that one is the other.
function bothAreThere(what: "column" | "table", heir: string, former: string): string {
  return `the ${what} is not declared; ${quoted(heir)} was renamed from ${quoted(former)}, but both are there, so nothing is renamed`;
}

export const EXPAND =
  "to go on while old code runs: add a new column, write both, fill it, read it, then drop the old one";
