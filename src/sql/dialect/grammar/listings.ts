/**
 * All values of a group in one, as each dialect gathers them. Where there are no lists, they are JSON, in which numbers
 * and dates are texts, so that no digit is lost.
 */
import type { Storage } from "../../declare/declaration.js";
import type { ExpressionGrammar } from "./grammar.js";

/** How a dialect gathers all values of a group. */
export type Listings = Pick<ExpressionGrammar, "textAgg" | "listAgg" | "listsTexts">;

export const ordered = (isOrdered: boolean): string => (isOrdered ? " {2}" : "");

/** Whether an item is a JSON text where lists are JSON: what JSON could not hold, or not exactly. */
export function isTextInJson({ kind, integer }: Storage): boolean {
  return (
    kind === "bigint" || kind === "decimal" || kind === "date" || (kind === "number" && integer !== true)
  );
}
