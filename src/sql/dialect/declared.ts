/** The declaration of a column, as one dialect reads it. */
import type { AnyTable, ByDialect, ColumnInfo } from "../declare/declaration.js";
import type { Dialect } from "../words/dialect.js";
import type { Indexing } from "./grammar.js";

/** The text of a declaration for a dialect, if it has one. */
export function textFor(text: ByDialect | undefined, dialect: Dialect): string | undefined {
  return typeof text === "string" ? text : text?.[dialect];
}

/** The name in the database of a column, by its property. */
export function columnName({ columns }: Pick<AnyTable, "columns">, property: string): string {
  return columns[property]?.name ?? property;
}

/** Whether a column has an index. */
export function indexingOf(table: AnyTable, { property, index, references }: ColumnInfo): Indexing {
  const keys = table.keys.filter((key) => key.includes(property));
  if (keys.some((key) => key.length > 1)) return "with others";
  // A reference has the type of the key that it references.
  const alone = keys.length > 0 || references !== undefined || (index !== undefined && index !== false);
  return alone ? "alone" : "none";
}
