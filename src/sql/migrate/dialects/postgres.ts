/** Migrations of PostgreSQL. */
import { postgresCatalog } from "../catalog/postgres/dialect.js";
import { postgresWrite } from "../write/postgres/dialect.js";
import type { MigrationDialect } from "./dialect.js";

export const postgres: MigrationDialect = {
  ...postgresCatalog,
  catalog: postgresCatalog,
  schema: postgresWrite,
};
