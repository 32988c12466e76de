/** Migrations of SQLite. */
import { sqliteCatalog } from "../catalog/sqlite/dialect.js";
import { sqliteWrite } from "../write/sqlite/dialect.js";
import type { MigrationDialect } from "./dialect.js";

export const sqlite: MigrationDialect = {
  ...sqliteCatalog,
  catalog: sqliteCatalog,
  schema: sqliteWrite,
};
