/** Enum types that the types of columns name. */
import { postgresRules, tokensOf } from "../text/sql-cursor.js";
import type { CatalogEnum } from "../words/catalog.js";

/** The enum type, of the given ones, that a column's type names, or whose list it is. */
export function enumOfType(type: string, enums: readonly CatalogEnum[]): CatalogEnum | undefined {
  const names = tokensOf(type.replace(/(?:\[\])+$/, ""), postgresRules).filter(({ text }) => text !== ".");
  const [name, schema] = names.reverse();
  if (name === undefined || names.length > 2) return undefined;
  return enums.find((one) => one.name === name.value && one.schema === (schema?.value ?? null));
}
