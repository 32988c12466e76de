/** Whether a change is bounded: a `WHERE` that is always true is as good as none. */
import type { Filter } from "../ast/statement.js";
import { BuildError } from "../errors.js";

/**
 * Refuses an update or a removal whose conditions become always true by its parameters: `NOT IN` an empty list is.
 * @throws {BuildError} `UNSAFE_UPDATE` or `UNSAFE_DELETE`.
 */
export function checkBounded(
  kind: "update" | "delete",
  where: readonly Filter[] | undefined,
  params: Readonly<Record<string, unknown>>,
): void {
  if (!(where ?? []).every((condition) => truth(condition, params) === true)) return;
  const [code, verb] =
    kind === "update" ? (["UNSAFE_UPDATE", "UPDATE"] as const) : (["UNSAFE_DELETE", "DELETE"] as const);
  const message = `${verb} needs a condition that bounds it: NOT IN an empty list is always true`;
  throw new BuildError([{ code, message, path: "where" }]);
}

/** What a condition is whatever the row; undefined where it depends on the row. */
function truth(condition: Filter, params: Readonly<Record<string, unknown>>): boolean | undefined {
  if ("group" in condition) {
    const parts = condition.group.map((part) => truth(part, params));
    const decisive = condition.logic === "OR";
    if (parts.includes(decisive)) return decisive;
    return parts.includes(undefined) ? undefined : !decisive;
  }
  if (!("param" in condition)) return undefined;
  const list = params[condition.param];
  if (!Array.isArray(list) || list.length > 0) return undefined;
  if (condition.operator === "NOT IN") return true;
  return condition.operator === "IN" ? false : undefined;
}
