/** The error translators by the name of their dialect: for a driver that can stand for any of them. */

import type { Driver } from "../contract/driver.js";
import type { Dialect } from "../words/dialect.js";
import { refusedMariadbValue, translateMariadbError } from "./mariadb.js";
import { translateOracleError } from "./oracle.js";
import { refusedPostgresValue, translatePostgresError } from "./postgres.js";
import { refusedSqliteValue, translateSqliteError } from "./sqlite.js";

const translators: { readonly [D in Dialect]: Driver["translate"] } = {
  postgres: translatePostgresError,
  mariadb: translateMariadbError,
  sqlite: translateSqliteError,
  oracle: translateOracleError,
};

const refusals: { readonly [D in Dialect]: Driver["refusedValue"] } = {
  postgres: refusedPostgresValue,
  mariadb: refusedMariadbValue,
  sqlite: refusedSqliteValue,
  oracle: undefined,
};

/** What finds the value of a call that caused an error of a dialect's driver. */
export function refusalOf(dialect: Dialect): Driver["refusedValue"] {
  return refusals[dialect];
}

/** Translates errors of a dialect's driver to ours. */
export function translatorOf(dialect: Dialect): Driver["translate"] {
  return translators[dialect];
}
