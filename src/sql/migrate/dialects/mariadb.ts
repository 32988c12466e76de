/** Migrations of MariaDB. */
import { mariadbCatalog } from "../catalog/mariadb/dialect.js";
import { mariadbWrite } from "../write/mariadb/dialect.js";
import type { MigrationDialect } from "./dialect.js";

export const mariadb: MigrationDialect = {
  ...mariadbCatalog,
  catalog: mariadbCatalog,
  schema: mariadbWrite,
};
