/** All values of a group as one on Oracle: a text, or JSON. */
import { type Listings, ordered } from "../grammar/listings.js";

/** The server requires a constant separator, and a parameter is none: so it is cut off before the first value. */
export const oracleListings: Listings = {
  textAgg: (isOrdered) => {
    const values = `LISTAGG(NVL2({f}, {1} || {f}, NULL), '') WITHIN GROUP (${isOrdered ? "{2}" : "ORDER BY NULL"})`;
    return `SUBSTR(${values}, NVL(LENGTH({1}), 0) + 1)`;
  },
  listAgg: (_, isOrdered) =>
    `NVL(JSON_ARRAYAGG({f}${ordered(isOrdered)} ABSENT ON NULL RETURNING CLOB), TO_CLOB('[]'))`,
  listsTexts: true,
};
