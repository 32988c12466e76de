/** All values of a group as one on PostgreSQL: a text, or an array. */
import { type Listings, ordered } from "../grammar/listings.js";

export const postgresListings: Listings = {
  textAgg: (isOrdered) => `string_agg({f}, {1}${ordered(isOrdered)})`,
  listAgg: (_, isOrdered) => `coalesce(array_agg({f}${ordered(isOrdered)}){0}, '{}')`,
};
