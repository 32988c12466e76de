/** Resolves DISTINCT and DISTINCT ON. */
import { listed } from "../../core/errors.js";
import type { Resolution } from "./resolution.js";
import type { Field } from "./resolved.js";
import { type Selection, selectedFields } from "./selection.js";

/** Resolves `distinct` and gives the fields of `distinct_on`. */
export function resolveDistinct(
  { distinct, distinct_on: on, order_by: orderBy }: Readonly<Record<string, unknown>>,
  selection: Selection,
  resolution: Resolution,
): Field[] {
  if (distinct !== undefined && typeof distinct !== "boolean")
    resolution.add("INVALID_SPEC", "distinct is a boolean", "distinct");
  if (distinct === true)
    for (const { column } of selectedFields(selection, resolution).values())
      resolution.comparable(column, "distinct");
  if (on === undefined) return [];
  const names = resolution.list(on, "distinct_on");
  const fields = resolution.comparing(true).fields(names, "distinct_on");
  if (names.length === 0)
    resolution.add("INVALID_FIELD", "DISTINCT ON needs at least one field", "distinct_on");
  const { distinctOn } = resolution.grammar;
  if (distinctOn !== "native") resolution.unsupported(distinctOn.feature, distinctOn.hint, "distinct_on");
  if (distinct === true)
    resolution.add("INVALID_SPEC", "DISTINCT and DISTINCT ON are one or the other", "distinct_on");
  // The first row of each is the first by the order, so the order begins with what makes them one.
  const terms = Array.isArray(orderBy) ? orderBy.slice(0, new Set(names).size) : [];
  for (const [i, term] of terms.entries())
    if (!names.includes(Object(term).field)) {
      const message = `the order of DISTINCT ON begins with its own fields: ${listed(fields.map(({ column }) => column.property))}`;
      resolution.add("INVALID_FIELD", message, `order_by[${i}].field`);
    }
  return fields;
}
