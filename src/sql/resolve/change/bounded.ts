/** Whether a change is bounded: a `WHERE` that is always true does not restrict it. */
import { BuildError } from "../../words/errors.js";
import { limiting } from "../expression/where.js";
import type { Resolution } from "../scope/resolution.js";
import type { ResolvedCondition } from "../scope/resolved.js";
import type { ResolvedChange } from "../scope/resolved-change.js";

type Params = Readonly<Record<string, unknown>>;

/** The code of a change that is not bounded, and its word in SQL. */
export const unsafe: {
  readonly modify: readonly ["UNSAFE_UPDATE", "UPDATE"];
  readonly remove: readonly ["UNSAFE_DELETE", "DELETE"];
} = { modify: ["UNSAFE_UPDATE", "UPDATE"], remove: ["UNSAFE_DELETE", "DELETE"] };

/** Refuses an update or a removal without conditions. An untyped caller may have made them. */
export function requireCondition(kind: "modify" | "remove", where: unknown, resolution: Resolution): void {
  if (Array.isArray(where) && where.length > 0) return;
  const [code, verb] = unsafe[kind];
  const how = resolution.scope.isOfClient ? "where lists at least one" : "select the rows with where(…)";
  resolution.add(code, `${verb} needs a condition: ${how}`, "where");
}

/**
 * Refuses an update or a removal whose conditions are always true for its parameters, such as `NOT IN` with an
 * empty list.
 * @throws {BuildError} `UNSAFE_UPDATE` or `UNSAFE_DELETE`.
 */
export function requireBounded(
  kind: "modify" | "remove",
  { where, table }: ResolvedChange,
  params: Params,
): void {
  if (!limiting(where, table).every((condition) => truth(condition, params) === true)) return;
  const [code, verb] = unsafe[kind];
  const message = `${verb} needs a condition that limits its rows: NOT IN with an empty list is always true`;
  throw new BuildError([{ code, message, path: "where" }]);
}

/** The truth of a condition for every row; undefined if it depends on the row. */
function truth(condition: ResolvedCondition, params: Params): boolean | undefined {
  if (condition.kind === "group") {
    const parts = condition.members.map((part) => truth(part, params));
    const decisive = condition.logic === "OR";
    if (parts.includes(decisive)) return decisive;
    return parts.includes(undefined) ? undefined : !decisive;
  }
  if (condition.kind === "negation") {
    const of = truth(condition.of, params);
    return of === undefined ? undefined : !of;
  }
  if (condition.kind !== "membership") return undefined;
  const list = params[condition.list.name];
  return Array.isArray(list) && list.length === 0 ? condition.isNegated : undefined;
}
