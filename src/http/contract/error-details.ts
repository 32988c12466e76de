/**
 * The details of declared errors, held against their schema: what the document says is there is there, or the answer
 * is a failure of the server.
 */
import { isZod4 } from "../../schema/inspect.js";
import { type AnySchema, fits, isOneWay } from "../../schema/validate.js";

/** Whether an error with details of this schema may be sent without any: where nothing in them must be there. */
export function mayBeAbsent(schema: AnySchema): boolean {
  return isFitting(schema, undefined) === true || isFitting(schema, {}) === true;
}

/** What is wrong with the details that an error is about to be sent with. */
export function wrongDetails(schema: AnySchema, details: unknown): string | undefined {
  if (details === undefined) return mayBeAbsent(schema) ? undefined : "without the details that it declares";
  return isFitting(schema, details) === false ? "with details that do not fit its schema" : undefined;
}

/** Whether a value is one that a handler may give; `undefined` where only a promise could tell. */
function isFitting(schema: AnySchema, value: unknown): boolean | undefined {
  // A transform that is no codec cannot be run backwards.
  if (isZod4(schema)) return fits(schema, value, isOneWay(schema) ? "forward" : "backward");
  try {
    return schema.safeParse(value).success;
  } catch {
    return undefined;
  }
}
