/**
 * Checks the details of declared errors against their schema: an answer has the details that the document promises, or
 * it is a failure of the server.
 */
import { isZod4 } from "../../schema/inspect.js";
import { type AnySchema, fits, isOneWay } from "../../schema/validate.js";

/** Whether an error may be sent without details of this schema: it requires no field. */
export function mayBeAbsent(schema: AnySchema): boolean {
  return isFitting(schema, undefined) === true || isFitting(schema, {}) === true;
}

/** The problem with the details of an error that is about to be sent. */
export function wrongDetails(schema: AnySchema, details: unknown): string | undefined {
  if (details === undefined) return mayBeAbsent(schema) ? undefined : "without the details that it declares";
  return isFitting(schema, details) === false ? "with details that do not fit its schema" : undefined;
}

/** Whether a value fits, as an output of a handler; `undefined` if the schema needs a promise to decide. */
function isFitting(schema: AnySchema, value: unknown): boolean | undefined {
  // A transform that is not a codec cannot be run backwards.
  if (isZod4(schema)) return fits(schema, value, isOneWay(schema) ? "forward" : "backward");
  try {
    return schema.safeParse(value).success;
  } catch {
    return undefined;
  }
}
