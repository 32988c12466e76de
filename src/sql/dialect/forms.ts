/** Entries that the grammars of several dialects share. */
import type { ComparisonOperator } from "../types/operators.js";
import type { Missing, OperatorForm } from "./grammar.js";

/** `column operator parameter`. */
export function infix(operator: string): OperatorForm {
  return { open: "", between: ` ${operator} `, close: "" };
}

/** The comparison operators, written alike everywhere. */
export const comparisons: Readonly<Record<ComparisonOperator, OperatorForm>> = {
  "=": infix("="),
  "!=": infix("<>"),
  ">": infix(">"),
  ">=": infix(">="),
  "<": infix("<"),
  "<=": infix("<="),
};

/** A regular expression operator that only PostgreSQL has. */
export const noRegex: Missing = {
  feature: "regular expression operators",
  hint: "use LIKE or ILIKE, or match in the application",
};

/** An array operator that only PostgreSQL has. */
export const noArrayOperators: Missing = {
  feature: "array operators",
  hint: "arrays are stored as JSON here; compare whole arrays with = and !=",
};
