/** All values of a group in one on Oracle: a text, or JSON. */
import { type Listings, ordered } from "../grammar/listings.js";

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
