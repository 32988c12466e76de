/** The names of the functions of expressions. */

/** A function that gathers rows. */
export type GatheringFunction = "count" | "count_distinct" | "sum" | "avg" | "min" | "max";

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
export type CastTarget = "text" | "integer" | "number" | "boolean" | "date";

/** A function that only a window gives a meaning. */
export type RankingName =
  | "row_number"
  | "rank"
  | "dense_rank"
  | "ntile"
  | "lag"
  | "lead"
  | "first_value"
  | "last_value";
