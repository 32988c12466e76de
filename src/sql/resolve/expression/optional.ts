/** Optional conditions: which parameters a call may omit, and the statement without the conditions of those it omits. */
import type { Layout, ResolvedCondition } from "../scope/resolved.js";

/** The parameters of optional conditions. */
export function optionalParams(where: readonly ResolvedCondition[]): string[] {
  return where.flatMap(optionalOf);
}

/** The conditions without the optional ones whose parameters are absent. */
export function without(
  where: readonly ResolvedCondition[],
  left: readonly string[],
): readonly ResolvedCondition[] {
  return where.filter((condition) => !optionalOf(condition).some((param) => left.includes(param)));
}

/** The parameters without which a condition does not apply. */
export function optionalOf(condition: ResolvedCondition): readonly string[] {
  const { optional = [] } = "optional" in condition ? condition : {};
  return typeof optional === "string" ? [optional] : optional;
}

// Parts without queries, which may be large.
const leaves: ReadonlySet<unknown> = new Set(["field", "parameter", "literal", "proposed"]);
const plain: ReadonlySet<string> = new Set(["from", "table", "output", "form"]);

// A table has no conditions. A query as a table has.
function copiedTable(table: unknown, left: readonly string[]): unknown {
  const { rows } = Object(table) as Partial<Layout>;
  return rows === undefined ? table : { ...Object(table), rows: copied(rows, left) };
}

/** The same part of a statement, whose inner queries lose their optional conditions. */
export function withoutInside<T>(part: T, left: readonly string[]): T {
  // Resolved statements are plain data: a copy of an object has its type.
  return copied(part, left) as T;
}

function copied(part: unknown, left: readonly string[]): unknown {
  if (Array.isArray(part)) return part.map((one) => copied(one, left));
  if (typeof part !== "object" || part === null) return part;
  const { kind } = part as { readonly kind?: unknown };
  if (leaves.has(kind)) return part;
  const copy = Object.entries(part).map(([key, value]) => [
    key,
    plain.has(key) ? copiedTable(value, left) : copied(value, left),
  ]);
  const { where, ...rest } = Object.fromEntries(copy);
  // A function of a group also has the kind "aggregate", but no conditions.
  const isQuery = (kind === "query" || kind === "aggregate") && where !== undefined;
  return isQuery ? { ...rest, where: without(where, left) } : Object.fromEntries(copy);
}
