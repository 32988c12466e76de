/** All values of a group in one on MariaDB: a text, or JSON. */
import type { Storage } from "../../declare/declaration.js";
import { type Listings, ordered } from "../grammar/listings.js";

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
