/** Migrations of PostgreSQL. */
import { postgresPull } from "../pull/postgres/dialect.js";
import { postgresRun } from "../run/postgres/dialect.js";
import { postgresWrite } from "../write/postgres/dialect.js";
import type { MigrationDialect } from "./dialect.js";

export const postgres: MigrationDialect = {
  ...postgresRun,
  schema: { ...postgresWrite, ...postgresPull },
};
