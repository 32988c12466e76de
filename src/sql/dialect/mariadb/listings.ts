/** All values of a group as one on MariaDB: a text, or JSON. */
import type { Storage } from "../../declare/declaration.js";
import { type Listings, ordered } from "../grammar/listings.js";

/** The separator must be a literal here: so it is written before each value, and cut off before the first. */
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

// The server reserves 23 characters for a double. Some have 25, and it would cut them off.
function digitsOf({ kind, integer }: Storage): string {
  return kind === "number" && integer !== true ? "CAST({f} AS CHAR(40))" : "{f}";
}
