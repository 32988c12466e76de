/** How databases of SQLite are read. */
import { doubleQuoted } from "../../../dialect/grammar/names.js";
import { sqlite } from "../../../dialect/sqlite/grammar.js";
import { sqliteText } from "../../text/sqlite.js";
import type { CatalogDialect } from "../dialect.js";
import { thereIf } from "../empty-tables.js";
import { type HoldingTypes, holdsBy } from "../holds.js";
import { linksByNames } from "../view-links.js";
import { readSqlite } from "./catalog.js";
import { readDeclaredText } from "./declared.js";
import { isKindCheck, meaningOf } from "./kept.js";
import { isRowId } from "./row-id.js";
import { asItsTableTakes } from "./strict.js";

// Types with the affinity that such values need (https://sqlite.org/datatype3.html#determination_of_column_affinity).
const types: HoldingTypes = {
  text: /CHAR|CLOB|TEXT|^$/,
  bigint: /INT/,
  boolean: /INT|BOOL/,
  date: /TEXT|CHAR|DATE|TIME/,
  bytes: /BLOB|^$/,
  json: /TEXT|CHAR|JSON/,
  array: /TEXT|CHAR|JSON/,
};

export const sqliteCatalog: CatalogDialect = {
  ...sqliteText,
  grammar: sqlite,
  read: readSqlite,
  home: async () => "main",
  readDeclared: async (texts, _, views) => {
    await views();
    return texts.map(readDeclaredText);
  },
  asTaken: (declared, actual, catalog) =>
    asItsTableTakes(declared, actual, { catalog, dialect: sqliteCatalog }),
  viewLinks: async (views) => linksByNames(views, sqliteText),
  // Columns of text have no collation of ours: SQLite compares by code point.
  holds: holdsBy(types, /REAL|FLOA|DOUB|NUMERIC|DECIMAL/, () => false),
  nullInKeys: true,
  numbersRows: isRowId,
  kindChecks: { meaningOf, isOne: isKindCheck },
  lookAt: (runs, { schema, name }) =>
    thereIf(
      runs,
      `SELECT COUNT(*) AS n FROM ${doubleQuoted(schema ?? "main")}.sqlite_schema WHERE type = 'table' AND name = :name COLLATE NOCASE`,
      { schema: null, name },
    ),
  oneRow: "LIMIT 1",
};
