/** Resolves conditions as expressions. */
import type { ConditionSpec } from "../../ast/spec.js";
import type { Resolution } from "../scope/resolution.js";
import type { Case, ResolvedCondition, ResolvedExpression } from "../scope/resolved.js";
import type { ResolvedValue } from "../scope/result.js";
import { expressionsOf, partsOf } from "../scope/walk.js";
import { resolveCondition } from "./condition.js";

/** Resolves a condition as a boolean, which is null if the condition is unknown. */
export function resolveTest(
  condition: ConditionSpec,
  path: string,
  resolution: Resolution,
): ResolvedValue | undefined {
  const holds = resolveCondition(condition, `${path}.when`, resolution);
  if (holds === undefined) return undefined;
  const { truths } = resolution.grammar.expressions;
  const result = { storage: { kind: "boolean" }, nullable: true } as const;
  if (truths === undefined) return { expression: { kind: "test", condition: holds }, ...result };
  if (Math.max(0, ...expressionsOf(holds).map(levelsIn)) >= MOST_LEVELS) {
    const hint = "write the inner conditions as one, by and, or, not";
    resolution.unsupported(`conditions as expressions in more than ${MOST_LEVELS} levels`, hint, path);
    return undefined;
  }
  const opposite: ResolvedCondition = { kind: "negation", of: holds };
  const expression: Case = {
    kind: "case",
    whens: [
      { condition: holds, result: { kind: "literal", sql: truths.true } },
      { condition: opposite, result: { kind: "literal", sql: truths.false } },
    ],
    otherwise: undefined,
  };
  return { expression, ...result };
}

// The condition is written twice, and so are the conditions inside it.
const MOST_LEVELS = 6;

/** The nesting depth of the cases in an expression. */
function levelsIn(expression: ResolvedExpression): number {
  const inside = Math.max(0, ...partsOf(expression).map(levelsIn));
  return expression.kind === "case" ? inside + 1 : inside;
}
