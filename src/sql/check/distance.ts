/** Checks the distance of a vector from a parameter, wherever one stands: in a condition, an order, an expression. */
import { quoted } from "../../core/errors.js";
import { isDistanceOperator } from "./operators.js";
import type { Problems } from "./problems.js";

/**
 * Checks a distance: a field of vectors, one of the four operators, a parameter.
 * @param at the place of each of them.
 */
export function checkDistance(
  {
    field,
    operator,
    param,
  }: { readonly field: unknown; readonly operator: unknown; readonly param: unknown },
  at: (part: "field" | "operator" | "param") => string,
  problems: Problems,
): void {
  const column = problems.column(field, at("field"));
  if (!isDistanceOperator(operator))
    problems.add(
      "INVALID_OPERATOR",
      `a distance takes <->, <#>, <=> or <+>, not ${quoted(operator)}`,
      at("operator"),
    );
  else if (column !== undefined && column.kind !== "vector")
    problems.add(
      "INVALID_OPERATOR",
      `field ${quoted(column.property)} (${column.kind}) is no vector, and has no distance`,
      at("field"),
    );
  problems.param(param, at("param"));
}
