/**
 * All values of a group as one value, as each dialect gathers them. Dialects without lists use JSON, in which numbers
 * and dates are texts, so that no digit is lost.
 */
import type { Storage } from "../../declare/declaration.js";
import type { ExpressionGrammar } from "./grammar.js";

/** How a dialect gathers all values of a group. */
export type Listings = Pick<ExpressionGrammar, "textAgg" | "listAgg" | "listsTexts">;

export const ordered = (isOrdered: boolean): string => (isOrdered ? " {2}" : "");

/** Whether an item is a text in lists that are JSON: values that JSON could not hold, or not exactly. */
export function isTextInJson({ kind, integer }: Storage): boolean {
  return (
    kind === "bigint" || kind === "decimal" || kind === "date" || (kind === "number" && integer !== true)
  );
}
