/** Migrations of PostgreSQL. */
import { postgresCatalog } from "../catalog/postgres/dialect.js";
import type { MigrationDialect } from "./dialect.js";

export const postgres: MigrationDialect = {
  ...postgresCatalog,
  catalog: postgresCatalog,
  schema: postgresCatalog,
};
