/** All functions of expressions: `rowtype` exports each by its name, and all of them as `fn`. */
export { avg, count, countDistinct, max, min, sum } from "./aggregates.js";
export { add, div, mod, mul, neg, sub } from "./arithmetic.js";
export { caseWhen } from "./case-when.js";
export { dateAdd, dateDiff, datePart, dateTrunc } from "./dates.js";
export { greatest, least } from "./extremes.js";
export { type ListingOptions, type ListingOrder, listAgg, textAgg } from "./listings.js";
export { of } from "./of.js";
export { path } from "./path.js";
export { denseRank, firstValue, lag, lastValue, lead, ntile, rank, rowNumber } from "./rankings.js";
export {
  abs,
  cast,
  ceil,
  coalesce,
  concat,
  currentDate,
  currentTime,
  currentTimestamp,
  distance,
  floor,
  length,
  lower,
  ltrim,
  now,
  nullIf,
  power,
  replace,
  round,
  rtrim,
  sqrt,
  substring,
  trim,
  upper,
} from "./scalars.js";
export { boolAnd, boolOr, when } from "./tests.js";
