/** Resolves the contents of the returned rows of a change: fields, and expressions of one row. */
import { quoted } from "../../../core/errors.js";
import { ReturnedFields } from "../../ast/builder-parts.js";
import { isLargeObject } from "../scope/layout.js";
import type { Resolution } from "../scope/resolution.js";
import type { ParameterPlace } from "../scope/resolved.js";
import type { ReturnedItem } from "../scope/resolved-change.js";
import { hasAggregate, hasQuery, hasWindow, looseFields, parametersOf } from "../scope/walk.js";
import { type ResolvedSelection, resolveFields } from "./selection.js";

/** Resolves `returning`; undefined if the rows hold all columns. */
export function resolveReturned(given: unknown, resolution: Resolution): readonly ReturnedItem[] | undefined {
  const { grammar } = resolution;
  const selection = selectReturned(given, resolution);
  return selection?.items?.map((item): ReturnedItem => {
    const { expression, output } = item;
    // No expression has the name of a field.
    const value = selection.expressions.get(output.name);
    const stored = value?.selected ?? value ?? selection.fields?.get(output.name)?.column;
    const isLarge = looseFields(expression, never).some(({ column, table }) =>
      isLargeObject(column, table, grammar),
    );
    return { ...item, stored: stored ?? TEXT, isLarge };
  });
}

const TEXT = { storage: { kind: "text" } } as const;

/** The same list in the form of a query's selection. */
export function selectReturned(given: unknown, resolution: Resolution): ResolvedSelection | undefined {
  const list = ReturnedFields.own(given)?.list;
  if (list === undefined) return undefined;
  const selection = resolveFields(list, resolution, { place: "returning" });
  for (const [alias, { expression }] of selection.expressions) {
    const what = hasAggregate(expression)
      ? "an aggregate needs groups"
      : hasWindow(expression)
        ? "a window needs the rows of a query"
        : hasQuery(expression)
          ? "a query inside reads other rows"
          : undefined;
    if (what === undefined) continue;
    const message = `${quoted(alias)} cannot be returned: returning reads one changed row, and ${what}`;
    resolution.add("INVALID_CONDITION", message, "returning");
  }
  return selection;
}

/** The parameters of the returned expressions. */
export function returnedParams(returned: readonly ReturnedItem[] | undefined): readonly ParameterPlace[] {
  return (returned ?? []).flatMap(({ expression }) => parametersOf(expression));
}

function never(): boolean {
  return false;
}
