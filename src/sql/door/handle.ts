/** Checks a driver's arguments when the database is made, before anything is sent. */
import { describeType, hasMethods } from "../../core/errors.js";
import { DeclarationError } from "../words/errors.js";
import { readOptions } from "../words/known-options.js";

/**
 * @param foreign methods of handles of other clients, which have the driver's methods too
 * @throws {DeclarationError} for a handle that lacks a method that the driver calls, and for one of another client
 */
export function checkHandle(
  handle: unknown,
  methods: readonly string[],
  what: string,
  foreign: readonly string[],
): void {
  if (hasMethods(handle, methods) && !foreign.some((name) => hasMethods(handle, [name]))) return;
  throw new DeclarationError(
    `${what} with ${methods.join(", ")}() was expected, not ${describeType(handle)}`,
  );
}

/**
 * A copy of options that may be omitted, each read once.
 * @throws {DeclarationError} for a value that is not an object, and for an unknown option, with the list of known
 *   options
 */
export function readOptional<O extends object>(
  options: O | null | undefined,
  known: readonly string[],
  of: string,
): Partial<O> {
  return options === undefined || options === null ? {} : readOptions(options, known, of);
}
