/** Reads declared tables on SQLite by their text, because SQLite keeps the author's text. */
import { createOf } from "../../text/create-text.js";
import type { CatalogIndex, CatalogTable } from "../../words/catalog.js";
import type { DeclaredTexts } from "../declared-table.js";
import { readSqliteIndex, readSqliteTable } from "./create.js";

/** The catalog of a declared table. */
export function readDeclaredText({ create, indexes }: DeclaredTexts): CatalogTable {
  const sql = createOf(
    create,
    create.items.map(({ text }) => text),
  );
  const { options: _options, clauses: _clauses, ...table } = readSqliteTable(sql, null);
  const built = [...indexes.values()].map((index) => readSqliteIndex(index));
  return { ...table, indexes: built.filter((index): index is CatalogIndex => index !== undefined) };
}
