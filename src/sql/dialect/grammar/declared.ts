/** The declaration of a column, as one dialect reads it. */
import type { AnyTable, ByDialect, ColumnInfo } from "../../declare/declaration.js";
import type { Dialect } from "../../words/dialect.js";
import type { Indexing } from "./grammar.js";

/** The text of a declaration for a dialect, if it has one. */
export function textFor(text: ByDialect | undefined, dialect: Dialect): string | undefined {
  return typeof text === "string" ? text : text?.[dialect];
}

/** The name of a column in the database, by its property. */
export function columnName({ columns }: Pick<AnyTable, "columns">, property: string): string {
  return columns[property]?.name ?? property;
}

/** Whether a column has an index. A full-text or spatial index does not limit the values of the column. */
export function indexingOf(
  table: AnyTable,
  { property, index, references }: ColumnInfo,
  dialect: Dialect,
): Indexing {
  const indexes = table.indexes.filter(
    ({ using }) => !/^(?:fulltext|spatial)$/i.test(textFor(using, dialect) ?? ""),
  );
  const groups = [
    ...table.keys,
    ...table.foreignKeys.map(({ columns }) => columns),
    ...indexes.map(({ columns }) => columns.map((one) => one.property)),
  ].filter((group) => group.includes(property));
  if (groups.some((group) => group.length > 1)) return "with others";
  // A reference has the type of the key that it refers to.
  const alone = groups.length > 0 || references !== undefined || (index !== undefined && index !== false);
  return alone ? "alone" : "none";
}
