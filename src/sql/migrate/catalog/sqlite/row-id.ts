/** The column of a table of SQLite that is its row number (https://sqlite.org/lang_createtable.html#rowid). */
import type { CatalogColumn, CatalogTable, CatalogUnknown } from "../../words/catalog.js";

/**
 * Whether SQLite numbers the rows by this column, AUTOINCREMENT or not: an `INTEGER` that is the key alone. An `INT`, a
 * key of several columns, one that was made `DESC`, and a table WITHOUT ROWID have no such column. One that says NOT NULL
 * is what a declaration makes of a key that is given by inserts, and counts as that.
 */
export function isRowId(
  { name, schema, primaryKey }: CatalogTable,
  column: CatalogColumn,
  unknown: readonly CatalogUnknown[],
): boolean {
  const isAlone = primaryKey?.columns.length === 1 && primaryKey.columns[0] === column.name;
  if (!isAlone || !column.nullable || column.type !== "INTEGER") return false;
  return !unknown.some(
    (one) =>
      one.table === name &&
      one.schema === schema &&
      (one.kind === DESCENDING_KEY || (one.kind === "table option" && /\bWITHOUT ROWID\b/.test(one.name))),
  );
}

/** What is not modelled of `INTEGER PRIMARY KEY DESC`. */
export const DESCENDING_KEY = "key order";
