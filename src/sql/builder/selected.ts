/** Shared by `fields` and `returning`: the parts of a row. */
import { describeType } from "../../core/errors.js";
import { ReturnedFields } from "../ast/builder-parts.js";
import { ExpressionOperand, NamedExpression } from "../ast/expression.js";
import type { ReturningParts, SelectedItem } from "../ast/statement.js";
import { isAggregateFunction } from "../words/functions.js";

/**
 * A part of a row as it is kept: an aggregate that specs have as its spec. What is neither a field nor an expression becomes a
 * word for it, which the check refuses: an object of somebody else could change between the check and the rendering.
 */
export function selected(one: unknown): SelectedItem {
  if (typeof one === "string") return one;
  const expression = ExpressionOperand.own(one);
  if (expression === undefined) return describeType(one);
  if (!(expression instanceof NamedExpression)) return expression;
  const { node, alias } = expression;
  if (node.kind !== "aggregate" || node.filter !== undefined) return expression;
  const { func, operand: field } = node;
  if (typeof field === "object" || !isAggregateFunction(func)) return expression;
  return Object.freeze(field === undefined ? { func, alias } : { func, field, alias });
}

/** What rows hold that come back, after one more call of `returning`. */
export function returningAlso(
  { returning }: ReturningParts,
  names: readonly unknown[],
): Required<ReturningParts> {
  return { returning: new ReturnedFields([...(returning?.list ?? []), ...names.map(selected)]) };
}
