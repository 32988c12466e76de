/** The column of a table of SQLite that is its row number (https://sqlite.org/lang_createtable.html#rowid). */
import type { CatalogColumn, CatalogTable, CatalogUnknown } from "../../words/catalog.js";

/**
 * Whether SQLite numbers the rows by this column, AUTOINCREMENT or not: an `INTEGER` that is the whole key. An `INT`, a
 * key of several columns, one that was created as `DESC`, and a table WITHOUT ROWID have no such column. A NOT NULL
 * column does not count: a declaration creates it for a key that inserts give.
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

/** The part of `INTEGER PRIMARY KEY DESC` that is not modelled. */
export const DESCENDING_KEY = "key order";
