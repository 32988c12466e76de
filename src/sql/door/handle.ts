/** Checks a driver's arguments when the database is made, before anything is sent. */
import { describeType, hasMethods } from "../../core/errors.js";
import { DeclarationError } from "../words/errors.js";
import { checkOptionNames } from "../words/known-options.js";

/** @throws {DeclarationError} for a handle that lacks a method that the driver calls */
export function checkHandle(handle: unknown, methods: readonly string[], what: string): void {
  if (hasMethods(handle, methods)) return;
  throw new DeclarationError(
    `${what} with ${methods.join(", ")}() was expected, not ${describeType(handle)}`,
  );
}

/**
 * Checks options that may be omitted.
 * @throws {DeclarationError} for a value that is not an object, and for an unknown option, with the list of known
 *   options
 */
export function checkOptions(options: unknown, known: readonly string[], of: string): void {
  if (options !== undefined && options !== null) checkOptionNames(options, known, of);
}
