/** Declared tables as a table with the option STRICT accepts them: it has no type BOOLEAN, and uses INTEGER for it. */
import type { AnyTable } from "../../../declare/declaration.js";
import { textFor } from "../../../dialect/grammar/declared.js";
import type { Catalog, CatalogTable } from "../../words/catalog.js";
import { declaredTable, declaredTexts, withOther } from "../declared.js";
import type { DeclaredTable } from "../declared-table.js";
import type { CatalogDialect } from "../dialect.js";
import { readDeclaredText } from "./declared.js";
import { isBooleanType } from "./kept.js";

/** A declared table as the existing table accepts it. */
export function asItsTableTakes(
  declared: DeclaredTable,
  actual: CatalogTable,
  { catalog, dialect }: { readonly catalog: Catalog; readonly dialect: CatalogDialect },
): DeclaredTable {
  const isStrict = catalog.unknown.some(
    ({ kind, table, schema, name }) =>
      kind === "table option" &&
      table === actual.name &&
      schema === actual.schema &&
      /\bSTRICT\b/i.test(name),
  );
  const { table } = declared;
  if (!isStrict) return declared;
  const plain = withOther(table, () => ({ columns: withIntegers(table) }));
  // A table from a catalog already has such types.
  if (plain === undefined) return declared;
  const reading = { dialect, home: "main" };
  const texts = declaredTexts(plain, reading);
  return declaredTable(texts, readDeclaredText(texts), reading);
}

function withIntegers({ columns }: AnyTable): AnyTable["columns"] {
  return Object.fromEntries(
    Object.entries(columns).map(([property, column]) => {
      const isBoolean = column.storage.kind === "boolean";
      const isOther = isBoolean && isBooleanType(textFor(column.type, "sqlite") ?? "BOOLEAN");
      return [property, isOther ? { ...column, type: "INTEGER" } : column];
    }),
  );
}
