/** Checks the options passed to a function of this package. */
import { faultOfKeys } from "../../core/errors.js";
import { DeclarationError } from "./errors.js";

/**
 * Refuses options that are not an object, and unknown ones.
 * @throws {DeclarationError} with the list of the options.
 */
export function checkOptionNames(
  options: unknown,
  known: readonly string[] | ReadonlySet<string>,
  of: string,
): asserts options is object {
  const must = `the options of ${of} must be an object`;
  const fault = faultOfKeys(options, known, { must, noun: "option", of });
  if (fault !== undefined) throw new DeclarationError(fault);
}
