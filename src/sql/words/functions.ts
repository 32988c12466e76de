/** The names of the functions of expressions. */

/** The functions over the rows of a group. */
export const aggregateFunctions = ["count", "count_distinct", "sum", "avg", "min", "max"] as const;
export type AggregateFunction = (typeof aggregateFunctions)[number];

/** A function of one row, written by the template of its name in the grammar. */
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

/** What `cast` makes. */
export const castTargets = ["text", "integer", "number", "boolean", "date"] as const;
export type CastTarget = (typeof castTargets)[number];

/** A function that only a window gives a meaning. */
export type WindowFunction =
  | "row_number"
  | "rank"
  | "dense_rank"
  | "ntile"
  | "lag"
  | "lead"
  | "first_value"
  | "last_value";
