/** Errors of a driver as those of rowtype: a fault becomes an error as the client of the dialect would throw it. */
import { describeType, safely } from "../../core/errors.js";
import { isObject } from "../../core/values.js";
import { notSent } from "../contract/driver.js";
import { isSqlError, QueryError, type SqlError } from "../words/errors.js";
import { mistake } from "./answers.js";
import type { Driver, DriverDialect, Fault } from "./interface.js";

/** What an error of a driver says: an error of ours, or one that the translator of the dialect reads. */
export type Said = { readonly ours: SqlError } | { readonly read: unknown };

/** Reads an error of a driver. It does not throw. */
export function saidBy(driver: Driver, dialect: DriverDialect, error: unknown): Said {
  if (isSqlError(error)) return { ours: error };
  if (driver.fault === undefined)
    return safely(() => canBeRead(error)) ? { read: error } : { ours: mistake("its error cannot be read") };
  let fault: unknown;
  try {
    fault = driver.fault(error);
  } catch (thrown) {
    return { ours: mistake("fault threw an error", thrown) };
  }
  if (!isFault(fault))
    return { ours: mistake(`fault gave ${describeType(fault)}, not a fault with a message`, error) };
  switch (fault.kind) {
    case "aborted":
      return { ours: new QueryError("ABORTED", "the call was aborted", { cause: error }) };
    case "unsent":
      return { ours: notSent(error) };
    case "lost": {
      const text = "the connection to the server was lost";
      return { ours: new QueryError("CONNECTION_LOST", text, { cause: error }) };
    }
    case undefined:
      return { read: Object.assign(new Error(fault.message, { cause: error }), forms[dialect](fault)) };
  }
  return { ours: mistake('the kind of a fault is "lost", "aborted" or "unsent"', error) };
}

/** The facts that the translators of the dialects read. */
const FACTS = ["code", "errno", "errcode", "message", "sqlState", "sqlMessage", "severity"] as const;

function canBeRead(error: unknown): boolean {
  const facts: Readonly<Record<string, unknown>> = Object(error);
  for (const name of FACTS) void facts[name];
  return true;
}

function isFault(fault: unknown): fault is Fault {
  return isObject(fault) && typeof (fault as { readonly message?: unknown }).message === "string";
}

/** The facts of a fault under the names that the clients of a dialect have for them. */
const forms: { readonly [D in DriverDialect]: (fault: Fault) => object } = {
  postgres: ({ sqlState, code = sqlState, constraint, table, column, detail }) => ({
    ...{ code: sqlState ?? code, constraint, table, column, detail, severity: "ERROR" },
  }),
  mariadb: ({ errno, sqlState, code, message }) => ({ errno, sqlState, code, sqlMessage: message }),
  sqlite: ({ code, errno }) => ({ code, errcode: code === undefined ? errno : undefined }),
};
