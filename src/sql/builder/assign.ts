/** Shared by `set` of updates and upserts. */
import { quoted } from "../../core/errors.js";
import { SetPaths } from "../ast/builder-parts.js";
import type { Assigned } from "../ast/statement.js";
import type { Problem } from "../words/errors.js";

/**
 * A spec holds one parameter for each field, so a second one, or a field that is not a name, is a problem immediately.
 */
export function faultOfSet(field: unknown, set: object, path: string): Problem | undefined {
  if (typeof field === "string" && !Object.hasOwn(set, field)) return undefined;
  const message =
    typeof field === "string" ? `field ${quoted(field)} is set twice` : `${quoted(field)} is not a field`;
  return { code: "INVALID_FIELD", message, path };
}

/** The values that are set inside a field, with one more; a problem if the field itself is set. */
export function withPath(
  field: string,
  keys: unknown,
  param: unknown,
  set: Readonly<Record<string, unknown>>,
  path: string,
): { readonly fault: Problem } | { readonly set: Readonly<Record<string, Assigned>> } {
  const known = typeof field === "string" && Object.hasOwn(set, field) ? SetPaths.own(set[field]) : undefined;
  const fault = known === undefined ? faultOfSet(field, set, path) : undefined;
  if (fault !== undefined) return { fault };
  return { set: { [field]: (known ?? new SetPaths([])).and(keys, param) } };
}
