/** Statements whose dates are those of UTC, whatever the time zone of the session is. */
import type { Storage } from "../../declare/declaration.js";
import type { InUtc, UtcForm } from "./grammar.js";

/** What two parts of a statement need together. */
export function stricter(one: InUtc | undefined, other: InUtc | undefined): InUtc | undefined {
  return one === "always" ? one : (other ?? one);
}

/** What the columns of a table need. */
export function inUtcOf(
  columns: readonly { readonly storage: Storage }[],
  { appliesTo }: UtcForm,
): InUtc | undefined {
  return columns.map(({ storage }) => appliesTo(storage)).reduce(stricter, undefined);
}
