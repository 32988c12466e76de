/** The error translators by the name of their dialect: for a driver that can stand for any of them. */

import type { Driver } from "../contract/driver.js";
import type { Dialect } from "../words/dialect.js";
import { translateMariadbError } from "./mariadb.js";
import { translateOracleError } from "./oracle.js";
import { translatePostgresError } from "./postgres.js";
import { translateSqliteError } from "./sqlite.js";

const translators: { readonly [D in Dialect]: Driver["translate"] } = {
  postgres: translatePostgresError,
  mariadb: translateMariadbError,
  sqlite: translateSqliteError,
  oracle: translateOracleError,
};

/** Translates errors of a dialect's driver to ours. */
export function translatorOf(dialect: Dialect): Driver["translate"] {
  return translators[dialect];
}
