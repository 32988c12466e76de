/** Conditions without lists of constants. */
import { Negated } from "./condition-parts.js";
import { GivenOperand, givenNode } from "./expression.js";

/** The same condition with each list of constants as comparisons with its items. An empty list is left as it is. */
export function withoutLists(condition: object): object {
  const { operator, param, group } = condition as {
    readonly operator?: unknown;
    readonly param?: unknown;
    readonly group?: readonly object[];
  };
  if (condition instanceof Negated) return new Negated(withoutLists(condition.condition) as never);
  if (Array.isArray(group)) return { ...condition, group: group.map(withoutLists) };
  const list = givenNode(param);
  if ((operator !== "IN" && operator !== "NOT IN") || list?.kind !== "constant") return condition;
  const items: readonly unknown[] = Array.isArray(list.value) ? list.value : [];
  if (items.length === 0) return condition;
  const [logic, compared] = operator === "IN" ? (["OR", "="] as const) : (["AND", "!="] as const);
  return {
    logic,
    group: items.map((value) => ({
      ...condition,
      operator: compared,
      param: new GivenOperand({ kind: "constant", value }),
    })),
  };
}
