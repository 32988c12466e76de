/** Replaces parts of resolved expressions by other expressions. */
import type { ResolvedCondition, ResolvedExpression } from "./resolved.js";

/** The replacement of a part; undefined if the part stays, and its own parts are examined. */
type Other = (part: ResolvedExpression) => ResolvedExpression | undefined;

/** An expression with replaced parts. Aggregates, windows and queries are unchanged. */
function replacedIn(expression: ResolvedExpression, other: Other): ResolvedExpression {
  const instead = other(expression);
  if (instead !== undefined) return instead;
  const each = (parts: readonly ResolvedExpression[]) => parts.map((part) => replacedIn(part, other));
  switch (expression.kind) {
    case "call":
      return { ...expression, operands: each(expression.operands), params: each(expression.params) };
    case "fragment":
      return { ...expression, holes: each(expression.holes) };
    case "case": {
      const { whens, otherwise } = expression;
      return {
        ...expression,
        whens: whens.map(({ condition, result }) => ({
          condition: conditionWith(condition, other),
          result: replacedIn(result, other),
        })),
        otherwise: otherwise === undefined ? undefined : replacedIn(otherwise, other),
      };
    }
    case "test":
      return { ...expression, condition: conditionWith(expression.condition, other) };
    default:
      return expression;
  }
}

/** A condition with replaced parts in its compared expressions. */
export function conditionWith(condition: ResolvedCondition, other: Other): ResolvedCondition {
  const replaced = (part: ResolvedExpression) => replacedIn(part, other);
  switch (condition.kind) {
    case "group":
      return { ...condition, members: condition.members.map((member) => conditionWith(member, other)) };
    case "comparison":
      return { ...condition, left: replaced(condition.left), right: replaced(condition.right) };
    case "range": {
      const { operand, low, high } = condition;
      return { ...condition, operand: replaced(operand), low: replaced(low), high: replaced(high) };
    }
    case "null test":
      return { ...condition, operand: replaced(condition.operand) };
    case "truth":
      return { ...condition, text: replaced(condition.text) };
    case "negation":
      return { ...condition, of: conditionWith(condition.of, other) };
    case "membership":
    case "among":
      return { ...condition, left: replaced(condition.left) };
    case "exists":
      return condition;
  }
}
