/** Reads the options passed to a function of this package. */
import { readKeys } from "../../core/errors.js";
import { DeclarationError } from "./errors.js";

/**
 * A copy of options, each read once. Options that are not an object and unknown ones are refused.
 * @throws {DeclarationError} with the list of the options.
 */
export function readOptions<O>(
  options: O,
  known: readonly string[] | ReadonlySet<string>,
  of: string,
): O & object {
  const must = `the options of ${of} must be an object`;
  const result = readKeys(options, known, { must, noun: "option", of });
  if ("fault" in result) throw new DeclarationError(result.fault);
  // The copy has the known keys of the options.
  return result.read as O & object;
}
