/**
 * All values of a group in one, as each dialect gathers them. Where there are no lists, they are JSON, in which numbers
 * and dates are texts, so that no digit is lost.
 */
import type { Storage } from "../../declare/declaration.js";
import type { ExpressionGrammar } from "./grammar.js";

/** How a dialect gathers all values of a group. */
export type Listings = Pick<ExpressionGrammar, "textAgg" | "listAgg" | "listsTexts">;

const ordered = (isOrdered: boolean): string => (isOrdered ? " {2}" : "");

export const postgresListings: Listings = {
  textAgg: (isOrdered) => `string_agg({f}, {1}${ordered(isOrdered)})`,
  listAgg: (_, isOrdered) => `coalesce(array_agg({f}${ordered(isOrdered)}){0}, '{}')`,
};

export const sqliteListings: Listings = {
  textAgg: (isOrdered) => `group_concat({f}, {1}${ordered(isOrdered)})`,
  listAgg: (_, isOrdered) => `json_group_array({f}${ordered(isOrdered)})`,
  listsTexts: true,
};

/** The separator is a literal here: so it stands before each value, and is cut off before the first. */
export const mariadbListings: Listings = {
  textAgg: (isOrdered) =>
    `SUBSTRING(GROUP_CONCAT(CONCAT({1}, {f})${ordered(isOrdered)} SEPARATOR ''), CHAR_LENGTH({1}) + 1)`,
  listAgg: (storage, isOrdered) => {
    const item =
      storage.kind === "text"
        ? "JSON_QUOTE(CONVERT({f} USING utf8mb4))"
        : `CONCAT('"', ${digitsOf(storage)}, '"')`;
    return `CONCAT('[', IFNULL(GROUP_CONCAT(${item}${ordered(isOrdered)} SEPARATOR ','), ''), ']')`;
  },
};

// The server reserves 23 characters for a double, some have 25, and it cuts off what does not fit.
function digitsOf({ kind, integer }: Storage): string {
  return kind === "number" && integer !== true ? "CAST({f} AS CHAR(40))" : "{f}";
}

/** The separator must be constant for the server, which a parameter is not: so it is cut off before the first value. */
export const oracleListings: Listings = {
  textAgg: (isOrdered) => {
    const values = `LISTAGG(NVL2({f}, {1} || {f}, NULL), '') WITHIN GROUP (${isOrdered ? "{2}" : "ORDER BY NULL"})`;
    return `SUBSTR(${values}, NVL(LENGTH({1}), 0) + 1)`;
  },
  listAgg: (_, isOrdered) =>
    `NVL(JSON_ARRAYAGG({f}${ordered(isOrdered)} ABSENT ON NULL RETURNING CLOB), TO_CLOB('[]'))`,
  listsTexts: true,
};

/** Whether an item is a JSON text where lists are JSON: what JSON could not hold, or not exactly. */
export function isTextInJson({ kind, integer }: Storage): boolean {
  return (
    kind === "bigint" || kind === "decimal" || kind === "date" || (kind === "number" && integer !== true)
  );
}
