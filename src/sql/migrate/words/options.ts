/** Checks the arguments of callers: databases, folders, options. */
import { describeType, isList, safely } from "../../../core/errors.js";
import type { Database } from "../../door/database.js";
import { DeclarationError } from "../../words/errors.js";

/**
 * Checks that a value is a database.
 * @throws {DeclarationError}
 */
export function checkDatabase(db: unknown, caller: string): asserts db is Database {
  const isOne = safely(() => {
    const { sql, transaction, dialect } = Object(db);
    return typeof sql === "function" && typeof transaction === "function" && typeof dialect === "string";
  });
  if (isOne === true) return;
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
export function checkNames(names: unknown, what: string): void {
  if (names === undefined) return;
  if (!isList(names) || names.some((name) => typeof name !== "string" || name === ""))
    throw new DeclarationError(`${what} must be a list of names, not ${describeType(names)}`);
}
