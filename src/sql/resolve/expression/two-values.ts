/** The comparison of two values that are both read: two fields, two expressions, or the rows of a query. */

import type { Resolution } from "../scope/resolution.js";
import type { Comparison, Field, ResolvedCondition, ResolvedExpression } from "../scope/resolved.js";
import { nameOf, type ResolvedValue, valueOfField } from "../scope/result.js";
import { comparableDate, type Fitting, formOf, resolveOperator } from "./comparison.js";
import { inOneScale, narrowed } from "./decimals.js";
import { operandOf } from "./operators.js";
import { leftOf } from "./value.js";

/** The two sides of a comparison. */
interface Sides {
  readonly left: ResolvedExpression;
  readonly right: ResolvedExpression;
}

/** `left operator right`; adds a problem if the values have different kinds. */
export function compareValues(
  left: ResolvedValue,
  right: ResolvedValue,
  fitting: Fitting,
  path: string,
  resolution: Resolution,
): Comparison | undefined {
  const { operator } = fitting;
  if (operandOf(operator) !== "value" || left.storage.kind !== right.storage.kind) {
    const message = `${nameOf(left)} and ${nameOf(right)} cannot be compared by ${operator}`;
    resolution.add("INVALID_OPERATOR", message, path);
    return undefined;
  }
  const form = formOf(leftOf(left, resolution).column, fitting, resolution);
  const sides = sidesOf(left, right, resolution);
  const equates = operator === "=" ? ({ equates: true } as const) : undefined;
  return { kind: "comparison", form, ...sides, isEquality: false, ...equates, optional: undefined };
}

/** `left = right` for two fields that connect rows. */
function equalFields(
  left: Field,
  right: Field,
  path: string,
  resolution: Resolution,
): Comparison | undefined {
  const fitting = resolveOperator("=", left.column, path, resolution);
  return fitting && compareValues(valueOfField(left), valueOfField(right), fitting, path, resolution);
}

/** `left = right` for each pair of fields that connect rows; undefined if a field is missing or cannot be compared. */
export function equalPairs(
  left: readonly (Field | undefined)[],
  right: readonly (Field | undefined)[],
  path: string,
  resolution: Resolution,
): readonly Comparison[] | undefined {
  const equal = left.flatMap((one, i): readonly Comparison[] => {
    const other = right[i];
    const found = one && other && equalFields(one, other, path, resolution);
    return found === undefined ? [] : [found];
  });
  return equal.length === left.length ? equal : undefined;
}

/** All of the conditions as one. */
export function allOf(conditions: readonly ResolvedCondition[]): ResolvedCondition {
  const [only, ...others] = conditions;
  if (only !== undefined && others.length === 0) return only;
  return { kind: "group", logic: "AND", members: conditions };
}

/** Two values of one kind in a form in which equal values are the same. */
export function sidesOf(left: ResolvedValue, right: ResolvedValue, resolution: Resolution): Sides {
  if (left.storage.wide !== right.storage.wide)
    return { left: narrowed(left, resolution).expression, right: narrowed(right, resolution).expression };
  return inOneScale(left, right, resolution) ?? inOneForm(left, right, resolution);
}

// Dates that are stored in several forms, or have several stored values, are compared in one form.
function inOneForm(left: ResolvedValue, right: ResolvedValue, { grammar }: Resolution): Sides {
  const [one, other] = [left, right].map(({ storage }) =>
    storage.kind === "date" ? grammar.dates(storage) : undefined,
  );
  if (one?.comparable === other?.comparable && one?.isExact !== false && other?.isExact !== false)
    return { left: left.expression, right: right.expression };
  return {
    left: one === undefined ? left.expression : comparableDate(left.expression, one),
    right: other === undefined ? right.expression : comparableDate(right.expression, other),
  };
}
