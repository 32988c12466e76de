/** Statements whose dates are those of UTC, whatever the time zone of the session is. */
import type { InUtc } from "./grammar.js";

/** What two parts of a statement need together. */
export function stricter(one: InUtc | undefined, other: InUtc | undefined): InUtc | undefined {
  return one === "always" ? one : (other ?? one);
}
