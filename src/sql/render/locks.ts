/** The lock of a row that steps read. */
import type { LockMode } from "../words/locks.js";
import type { Writer } from "./writer.js";

/** A lock reads rows as they are now, not as the transaction saw them first: the first of the modes that the dialect has. */
export function asOfNow(writer: Writer, ...modes: readonly LockMode[]): Writer {
  const forms = modes.map((mode) => writer.grammar.locks[mode]);
  return writer.sql(forms.find((form) => typeof form === "string") ?? "");
}
