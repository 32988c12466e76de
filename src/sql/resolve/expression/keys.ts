/** Whether conditions fix a key and so match at most one row. */
import type { AnyTable } from "../../declare/declaration.js";
import type { ResolvedCondition } from "../scope/resolved.js";

/** The field that a condition fixes by `=`; undefined if it fixes none. */
export function fixedField(condition: ResolvedCondition): string | undefined {
  return condition.kind === "comparison" && condition.isEquality && condition.left.kind === "field"
    ? condition.left.column.property
    : undefined;
}

/** Whether conditions fix a declared key of a table. */
export function fixesKey(where: readonly ResolvedCondition[], { keys }: AnyTable): boolean {
  const fixed = new Set(where.map(fixedField));
  return keys.some((key) => key.every((property) => fixed.has(property)));
}
