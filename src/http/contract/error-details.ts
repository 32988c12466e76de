/**
 * Checks the details of declared errors against their schema: an answer has the promised details, or the server has
 * failed.
 */
import { readerOf } from "../../schema/reader/reader-of.js";
import type { AnySchema } from "../../schema/schema-reader.js";

/** Whether an error may be sent without details of this schema: it requires no field. */
export function mayBeAbsent(schema: AnySchema): boolean {
  return readerOf(schema).fitsOutput(undefined) === true || readerOf(schema).fitsOutput({}) === true;
}

/** The fault of the details of an error before it is sent. */
export function wrongDetails(schema: AnySchema, details: unknown): string | undefined {
  if (details === undefined) return mayBeAbsent(schema) ? undefined : "without the details that it declares";
  return readerOf(schema).fitsOutput(details) === false
    ? "with details that do not fit its schema"
    : undefined;
}
