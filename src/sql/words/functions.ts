/** The names of the functions of expressions. */

/** The functions that aggregate the rows of a group. */
export const aggregateFunctions = ["count", "count_distinct", "sum", "avg", "min", "max"] as const;
/** A function that aggregates the rows of a group. */
export type AggregateFunction = (typeof aggregateFunctions)[number];

const aggregateNames: ReadonlySet<unknown> = new Set(aggregateFunctions);

/** Whether a value names an aggregate function that specs have. */
export function isAggregateFunction(func: unknown): func is AggregateFunction {
  return aggregateNames.has(func);
}

/** An aggregate function: those of specs, and those that specs do not have. */
export type AnyAggregateFunction = AggregateFunction | "bool_and" | "bool_or" | ListingFunction;

/** The functions that return all values of a group in sequence. */
export type ListingFunction = "text_agg" | "list_agg";

/** A function of one row, written by the grammar's template of the same name. */
export type CallName =
  | "upper"
  | "lower"
  | "trim"
  | "ltrim"
  | "rtrim"
  | "length"
  | "concat"
  | "substring"
  | "replace"
  | "abs"
  | "ceil"
  | "floor"
  | "sqrt"
  | "power"
  | "round"
  | "now"
  | "current_date"
  | "current_time"
  | "current_timestamp"
  | "coalesce"
  | "null_if";

/** The functions that calculate with numbers. */
const arithmeticFunctions = ["add", "sub", "mul", "div", "mod", "neg"] as const;
export type ArithmeticFunction = (typeof arithmeticFunctions)[number];

/** The functions that pick one of several values of a row. */
export type ExtremeFunction = "greatest" | "least";

/** The units that dates are truncated to. */
export const truncUnits = ["year", "quarter", "month", "week", "day", "hour", "minute"] as const;
export type TruncUnit = (typeof truncUnits)[number];

/** The parts of dates. */
export const partUnits = [
  "year",
  "quarter",
  "month",
  "week",
  "day",
  "weekday",
  "hour",
  "minute",
  "second",
] as const;
export type PartUnit = (typeof partUnits)[number];

/** The units of `dateAdd` and `dateDiff`. */
export const dateUnits = ["year", "quarter", "month", "week", "day", "hour", "minute", "second"] as const;
export type DateUnit = (typeof dateUnits)[number];

export type DateFunction = "trunc" | "part" | "add" | "diff";

/** The target types of `cast`. */
export const castTargets = ["text", "integer", "number", "boolean", "date"] as const;
/** The target type of a `cast`. */
export type CastTarget = (typeof castTargets)[number];

/** A function that requires a window. */
export type WindowFunction =
  | "row_number"
  | "rank"
  | "dense_rank"
  | "ntile"
  | "lag"
  | "lead"
  | "first_value"
  | "last_value";
