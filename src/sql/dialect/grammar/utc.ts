/** Statements whose dates are in UTC, whatever the time zone of the session is. */
import type { Storage } from "../../declare/declaration.js";
import type { InUtc, UtcForm } from "./grammar.js";

/** The requirement of two parts of a statement together. */
export function stricter(one: InUtc | undefined, other: InUtc | undefined): InUtc | undefined {
  return one === "always" ? one : (other ?? one);
}

/** The requirement of the columns of a table. */
export function inUtcOf(
  columns: readonly { readonly storage: Storage }[],
  { appliesTo }: UtcForm,
): InUtc | undefined {
  return columns.map(({ storage }) => appliesTo(storage)).reduce(stricter, undefined);
}
