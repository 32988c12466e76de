/** Resolves DISTINCT and DISTINCT ON. */
import { operandKey } from "../../ast/key.js";
import { requireScalar } from "../expression/comparison.js";
import { comparedValue } from "../scope/layout.js";
import type { Resolution } from "../scope/resolution.js";
import type { Item, ResolvedExpression, ResolvedQuery } from "../scope/resolved.js";
import { nameOf } from "../scope/result.js";
import { fieldsOf, hasAggregate, hasWindow } from "../scope/walk.js";
import { type ResolvedSelection, selectedFields } from "./selection.js";

/** Adds a problem for an offset of DISTINCT rows that are all equal, if the server does not skip the only one. */
export function requireSkipped(
  { isDistinct, items = [], paging }: Pick<ResolvedQuery, "isDistinct" | "items" | "paging">,
  resolution: Resolution,
): void {
  const { noConstantDistinct: missing } = resolution.grammar;
  if (missing === undefined || !isDistinct || !paging.some(({ part }) => part === "offset")) return;
  const isConstant = ({ expression }: Item) =>
    fieldsOf(expression).length === 0 && !hasAggregate(expression) && !hasWindow(expression);
  if (items.length > 0 && items.every(isConstant))
    resolution.unsupported(missing.feature, missing.hint, "offset");
}

// The same expression may be made twice.
function keyOfBy(by: unknown): unknown {
  return operandKey(by) ?? by;
}

/** Resolves `distinct` and gives the fields of `distinct_on`. */
export function resolveDistinct(
  { distinct, distinct_on: on, order_by: orderBy }: Readonly<Record<string, unknown>>,
  selection: ResolvedSelection,
  resolution: Resolution,
): ResolvedExpression[] {
  if (distinct !== undefined && typeof distinct !== "boolean")
    resolution.add("INVALID_SPEC", "distinct must be a boolean", "distinct");
  if (distinct === true)
    for (const { column } of selectedFields(selection, resolution).values())
      resolution.comparable(column, "distinct");
  if (on === undefined) return [];
  const names = resolution.list(on, "distinct_on");
  const values = names.flatMap((name, i) => resolution.operand(name, `distinct_on[${i}]`) ?? []);
  for (const [i, value] of values.entries())
    requireScalar(value, "DISTINCT ON", `distinct_on[${i}]`, resolution);
  if (names.length === 0)
    resolution.add("INVALID_FIELD", "DISTINCT ON needs at least one field", "distinct_on");
  const { distinctOn } = resolution.grammar;
  if (distinctOn !== "native") resolution.unsupported(distinctOn.feature, distinctOn.hint, "distinct_on");
  if (distinct === true)
    resolution.add("INVALID_SPEC", "DISTINCT and DISTINCT ON exclude each other", "distinct_on");
  // The first row of each group is the first in the order, so the order must begin with the fields of the group.
  const terms = Array.isArray(orderBy) ? orderBy.slice(0, new Set(names).size) : [];
  const keys = new Set(names.map(keyOfBy));
  for (const [i, term] of terms.entries())
    if (!keys.has(keyOfBy(Object(term).field))) {
      const message = `the order of DISTINCT ON must begin with its fields: ${values.map(nameOf).join(", ")}`;
      resolution.add("INVALID_FIELD", message, `order_by[${i}].field`);
    }
  return values.map(comparedValue);
}
