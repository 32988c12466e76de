/** What a driver is given: checked where the database is made, before anything is sent. */
import { describeType, hasMethods, isReadable } from "../../core/errors.js";
import { DeclarationError } from "../words/errors.js";

/** @throws {DeclarationError} for a handle that lacks a method that the driver calls */
export function checkHandle(handle: unknown, methods: readonly string[], what: string): void {
  if (hasMethods(handle, methods)) return;
  throw new DeclarationError(
    `${what} with ${methods.join(", ")}() was expected, not ${describeType(handle)}`,
  );
}

/** @throws {DeclarationError} for options that are not an object */
export function checkOptions(options: unknown, of: string): void {
  if (options === undefined || options === null || isReadable(options)) return;
  throw new DeclarationError(`the options of ${of} must be an object, not ${describeType(options)}`);
}
