/** The row lock of the reading steps. */
import type { LockMode } from "../words/locks.js";
import type { Writer } from "./writer.js";

/** A lock reads the current rows, not the snapshot of the transaction: the first mode that the dialect supports. */
export function asOfNow(writer: Writer, ...modes: readonly LockMode[]): Writer {
  const forms = modes.map((mode) => writer.grammar.locks[mode]);
  return writer.sql(forms.find((form) => typeof form === "string") ?? "");
}
