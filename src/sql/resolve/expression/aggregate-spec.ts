/** Parses the aggregate of a spec, which names a function and a field. */
import { quoted } from "../../../core/errors.js";
import type { AggregateNode } from "../../ast/expression.js";
import { aggregateFunctions, isAggregateFunction } from "../../words/functions.js";
import type { Resolution } from "../scope/resolution.js";

/** The aggregate of a spec, if its function and field have the right shape. */
export function readAggregate(
  func: unknown,
  field: unknown,
  path: string,
  resolution: Resolution,
): Pick<AggregateNode, "func" | "operand"> | undefined {
  if (!isAggregateFunction(func)) {
    const message = `${quoted(func)} is not an aggregate; aggregates: ${aggregateFunctions.join(", ")}`;
    resolution.add("INVALID_AGGREGATE", message, `${path}.func`);
  } else if (field === undefined || typeof field === "string") return { func, operand: field };
  else resolution.field(field, `${path}.field`);
  return undefined;
}
