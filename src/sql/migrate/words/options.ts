/** Checks the arguments of callers: databases, folders, options. */
import { describeType, isList, safely } from "../../../core/errors.js";
import type { Database } from "../../door/database.js";
import type { Dialect } from "../../words/dialect.js";
import { DeclarationError, UnsupportedError } from "../../words/errors.js";

/**
 * Checks that a value is a database with transactions, which everything about migrations needs.
 * @throws {DeclarationError} for what is no database
 * @throws {SqlError} `UNSUPPORTED` for a database over a driver without transactions
 */
export function checkDatabase(db: unknown, caller: string): asserts db is Database {
  let dialect: unknown;
  const has = (name: string) =>
    safely(() => {
      const { sql, dialect: ofDatabase, [name]: method } = Object(db);
      dialect = ofDatabase;
      return typeof sql === "function" && typeof method === "function" && typeof ofDatabase === "string";
    });
  if (has("transaction")) return;
  if (has("createTables"))
    throw new UnsupportedError(
      dialect as Dialect,
      `${caller} over a driver without transactions`,
      "it needs interactive ones: connect() of the driver",
    );
  throw new DeclarationError(`${caller} needs a database of rowtype, not ${describeType(db)}`);
}

/**
 * A list of texts, which may be absent.
 * @throws {DeclarationError}
 */
export function textsOf(value: unknown, name: string): readonly string[] {
  if (value === undefined) return [];
  if (isList(value) && value.every((one) => typeof one === "string")) return value;
  throw new DeclarationError(`${name} must be a list of texts, not ${describeType(value)}`);
}

/**
 * Checks a list of names, which may be absent.
 * @throws {DeclarationError}
 */
export function checkNameList(names: unknown, what: string): void {
  if (names === undefined) return;
  if (!isList(names) || names.some((name) => typeof name !== "string" || name === ""))
    throw new DeclarationError(`${what} must be a list of names, not ${describeType(names)}`);
}
