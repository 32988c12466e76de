/** Migrations of SQLite. */
import { sqlitePull } from "../pull/sqlite/dialect.js";
import { sqliteRun } from "../run/sqlite/dialect.js";
import { sqliteWrite } from "../write/sqlite/dialect.js";
import type { MigrationDialect } from "./dialect.js";

export const sqlite: MigrationDialect = {
  ...sqliteRun,
  schema: { ...sqliteWrite, ...sqlitePull },
};
