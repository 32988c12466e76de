/** Finds the constants in the arguments of a step. */
import { BuilderOnly } from "./builder-only.js";
import { ConditionValue } from "./condition-value.js";
import { type ConstantNode, NO_CONSTANTS } from "./given-node.js";

/** The constants in the arguments of a step, in the order in which `mapGiven` visits them. */
export function constantsIn(parts: readonly unknown[]): readonly ConstantNode[] {
  let found: ConstantNode[] | undefined;
  for (const part of parts) {
    if (typeof part !== "object" || part === null) continue;
    const inside = Array.isArray(part)
      ? constantsIn(part)
      : (BuilderOnly.isOne(part) ? part : ConditionValue.own(part))?.constants;
    if (inside === undefined || inside.length === 0) continue;
    found ??= [];
    found.push(...inside);
  }
  return found ?? NO_CONSTANTS;
}
