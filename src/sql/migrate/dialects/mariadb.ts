/** Migrations of MariaDB. */
import { mariadbPull } from "../pull/mariadb/dialect.js";
import { mariadbRun } from "../run/mariadb/dialect.js";
import { mariadbWrite } from "../write/mariadb/dialect.js";
import type { MigrationDialect } from "./dialect.js";

export const mariadb: MigrationDialect = {
  ...mariadbRun,
  schema: { ...mariadbWrite, ...mariadbPull },
};
