/** All values of a group as one on SQLite: a text, or JSON. */
import { type Listings, ordered } from "../grammar/listings.js";

export const sqliteListings: Listings = {
  textAgg: (isOrdered) => `group_concat({f}, {1}${ordered(isOrdered)})`,
  listAgg: (_, isOrdered) => `json_group_array({f}${ordered(isOrdered)})`,
  listsTexts: true,
};
