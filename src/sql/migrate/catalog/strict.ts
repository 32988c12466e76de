/** Declared tables as a table with the option STRICT accepts them: it has no type BOOLEAN, and uses INTEGER for it. */
import { isTable, markDeclared } from "../../declare/table.js";
import { textFor } from "../../dialect/grammar/declared.js";
import type { Grammar } from "../../dialect/grammar/grammar.js";
import type { Catalog, CatalogTable } from "../words/catalog.js";
import { type DeclaredTable, readDeclaredText } from "./declared.js";
import { isBooleanType } from "./sqlite/kept.js";

/** A declared table as the existing table accepts it. */
export function asItsTableTakes(
  declared: DeclaredTable,
  actual: CatalogTable,
  { catalog, grammar }: { readonly catalog: Catalog; readonly grammar: Grammar },
): DeclaredTable {
  const isStrict = catalog.unknown.some(
    ({ kind, table, schema, name }) =>
      kind === "table option" &&
      table === actual.name &&
      schema === actual.schema &&
      /\bSTRICT\b/i.test(name),
  );
  const { table } = declared;
  // A table from a catalog already has such types.
  if (!isStrict || !isTable(table)) return declared;
  const columns = Object.fromEntries(
    Object.entries(table.columns).map(([property, column]) => {
      const isBoolean = column.storage.kind === "boolean";
      const isOther = isBoolean && isBooleanType(textFor(column.type, "sqlite") ?? "BOOLEAN");
      return [property, isOther ? { ...column, type: "INTEGER" } : column];
    }),
  );
  const plain = { ...table, columns };
  markDeclared(plain);
  return isTable(plain) ? readDeclaredText(plain, grammar) : declared;
}
