/** The parts of a declaration that any caller may have given: texts, names, objects with known keys. */
import { isList, quoted, readKeys, readParts, safely } from "../../core/errors.js";
import { DeclarationError } from "../words/errors.js";

/** Text that a server accepts, and that is not empty. */
export function isText(value: unknown): value is string {
  return isWritten(value) && value !== "";
}

/** SQL text, or one for each of some dialects. */
export function isByDialect(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return isWritten(value);
  return safely(() =>
    Object.entries(value).every(
      ([dialect, text]) => /^(postgres|mariadb|sqlite|oracle)$/.test(dialect) && isWritten(text),
    ),
  );
}

export function isFlag(value: unknown): value is boolean {
  return typeof value === "boolean";
}

/** A former name, or several. */
export function isNames(value: unknown): boolean {
  return isText(value) || (isList(value) && value.every(isText));
}

const ACTIONS: ReadonlySet<unknown> = new Set([
  "no action",
  "restrict",
  "cascade",
  "set null",
  "set default",
]);

/** The actions of a reference when its target is removed or changed. */
export function isAction(value: unknown): boolean {
  return ACTIONS.has(value);
}

/** How the value of each key is checked. */
export type Readers = ReadonlyMap<string, (value: unknown) => boolean>;

/**
 * A copy of an object, each part read once. A value that is not an object, unknown keys, and values of the wrong type
 * are refused.
 * @throws {DeclarationError} with the list of the keys.
 */
export function readEntries<O>(value: O, readers: Readers, what: string): O & object {
  const entries = Object.entries(readKnown(value, [...readers.keys()], what)).map(([key, held]) => {
    // A text for each dialect is an object, too.
    const one: unknown = readParts(held) ?? held;
    if (one !== undefined && readers.get(key)?.(one) !== true)
      throw new DeclarationError(`${what} ${quoted(key)} has a value of the wrong type`);
    return [key, one] as const;
  });
  // The copy has the known keys of the value.
  return Object.fromEntries(entries) as O & object;
}

/**
 * A copy of an object, each part read once. A value that is not an object, and unknown keys are refused.
 * @throws {DeclarationError} with the list of the keys.
 */
export function readKnown<O>(value: O, keys: readonly string[], what: string): O & object {
  const result = readKeys(value, keys, { must: `${what} must be an object`, noun: "key", of: what });
  if ("fault" in result) throw new DeclarationError(result.fault);
  // The copy has the known keys of the value.
  return result.read as O & object;
}

/** @throws {DeclarationError} for what cannot name anything in a database. */
export function checkName(name: unknown, what: string): asserts name is string {
  if (!isText(name) || name === "__proto__")
    throw new DeclarationError(`${quoted(name)} cannot name a ${what}`);
}

/** Former names as a frozen list, newest first. */
export function namesOf(given: string | readonly string[] | undefined): readonly string[] {
  return Object.freeze(given === undefined ? [] : typeof given === "string" ? [given] : [...given]);
}

/** Text that a server accepts: without NUL and halves of characters. */
export function isWritten(value: unknown): value is string {
  return typeof value === "string" && !value.includes("\0") && value.isWellFormed();
}
