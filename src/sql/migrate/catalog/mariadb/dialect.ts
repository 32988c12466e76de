/** How databases of MariaDB are read. */
import { z } from "zod";
import { MARIADB_BY_CODE_POINT } from "../../../dialect/mariadb/collation.js";
import { mariadb } from "../../../dialect/mariadb/grammar.js";
import { mariadbText } from "../../text/mariadb.js";
import type { Runs } from "../../words/reading.js";
import type { CatalogDialect } from "../dialect.js";
import { thereIf } from "../empty-tables.js";
import { type HoldingTypes, holdsBy } from "../holds.js";
import { linksByNames } from "../view-links.js";
import { currentDatabase, readMariadb } from "./catalog.js";
import { readDeclaredOnMariadb, withoutRestrict } from "./declared.js";

const types: HoldingTypes = {
  text: /^(?:char|varchar|tinytext|text|mediumtext|longtext|enum|uuid)\b/,
  bigint: /^(?:tinyint|smallint|mediumint|int|bigint)\b/,
  // Another number type may hold a number that is no boolean.
  boolean: /^tinyint\(1\)/,
  date: /^datetime(?:\(\d\))?$/,
  bytes: /^(?:binary|varbinary|tinyblob|blob|mediumblob|longblob)\b/,
  json: /^(?:text|mediumtext|longtext)$/,
  array: /^(?:text|mediumtext|longtext)$/,
};

export const mariadbCatalog: CatalogDialect = {
  ...mariadbText,
  grammar: mariadb,
  read: readMariadb,
  home: currentDatabase,
  tableNames,
  readDeclared: readDeclaredOnMariadb,
  keptReference: withoutRestrict,
  viewLinks: async (views) => linksByNames(views, mariadbText),
  holds: holdsBy(types, /^(?:double|float|decimal)\b/, (name) => MARIADB_BY_CODE_POINT.endsWith(name)),
  nullInKeys: false,
  lookAt: (runs, table) =>
    thereIf(
      runs,
      `SELECT COUNT(*) AS n FROM information_schema.TABLES WHERE TABLE_SCHEMA = ${table.schema === null ? "DATABASE()" : ":schema"} AND TABLE_NAME = :name`,
      table,
    ),
  oneRow: "LIMIT 1",
};

const Setting = z.object({ folds: z.boolean() });

// Whether a table has one name in every case depends on the server
// (https://mariadb.com/docs/server/ha-and-performance/optimization-and-tuning/system-variables/server-system-variables#lower_case_table_names).
async function tableNames(runs: Runs): Promise<(name: string) => string> {
  const [found] = await runs.sql("SELECT @@lower_case_table_names <> 0 AS folds", Setting).exec();
  return found?.folds === true ? (name) => name.toLowerCase() : (name) => name;
}
