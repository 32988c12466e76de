/** Resolves conditions: their shape, their fields, operators and parameters. */

import { quoted } from "../../../core/errors.js";
import { isObject } from "../../../core/values.js";
import { DistanceCondition, Negated, RawCondition } from "../../ast/condition-parts.js";
import { infix } from "../../dialect/grammar/forms.js";
import { numberBinder, operandBinder, storedForm } from "../../value/binder.js";
import { fieldOrExpression } from "../../words/names.js";
import type { Resolution } from "../scope/resolution.js";
import type { ParameterPlace, ResolvedCondition, ResolvedExpression } from "../scope/resolved.js";
import type { GivenParam } from "../scope/resolved-parameter.js";
import { expressionsOf, hasAggregate, hasWindow, paramsOf } from "../scope/walk.js";
import { resolveAmong } from "./among.js";
import { boundOf, comparedWith, formBeside, type Left, requireOrder, resolveOperator } from "./comparison.js";
import { dateBound, specialDates } from "./dates.js";
import { resolveDistance } from "./distance.js";
import { resolveExists } from "./exists.js";
import { hasOrder, isOperator } from "./operators.js";
import { boundTo, placeOf } from "./param.js";
import { compareValues } from "./two-values.js";
import { comparableOf, leftOf } from "./value.js";

const comparisonKeys: ReadonlySet<string> = new Set(["field", "operator", "param", "optional", "is_null"]);
const nullKeys: ReadonlySet<string> = new Set(["field", "operator", "is_null"]);
const rangeKeys: ReadonlySet<string> = new Set(["field", "operator", "low_param", "high_param"]);
const fieldsKeys: ReadonlySet<string> = new Set(["field", "operator", "right_field"]);
const groupKeys: ReadonlySet<string> = new Set(["logic", "group"]);

/** Resolves one condition of a `where`. */
export function resolveFilter(
  condition: unknown,
  path: string,
  resolution: Resolution,
): ResolvedCondition | undefined {
  if (condition instanceof DistanceCondition) return resolveDistanceCondition(condition, path, resolution);
  if (condition instanceof RawCondition) return resolveRawCondition(condition, path, resolution);
  return resolveMember(condition, path, resolution);
}

function resolveRawCondition(
  { text }: RawCondition,
  path: string,
  resolution: Resolution,
): ResolvedCondition | undefined {
  const value = resolution.node(text, path);
  if (value === undefined || value.storage.kind === "boolean")
    return value === undefined ? undefined : { kind: "truth", text: value.expression };
  resolution.add("INVALID_CONDITION", "whereRaw takes raw text of booleans: raw(z.boolean())`…`", path);
  return undefined;
}

/** Refuses a condition on groups: rows are filtered before they are aggregated. */
export function requireOfRows(
  condition: ResolvedCondition,
  hint: string,
  path: string,
  resolution: Resolution,
): boolean {
  const expressions = expressionsOf(condition);
  const what = expressions.some(hasAggregate)
    ? `an aggregate needs groups: ${hint}`
    : expressions.some(hasWindow)
      ? "a condition cannot use a window function: windows are over the rows that conditions have chosen"
      : undefined;
  if (what !== undefined) resolution.add("INVALID_CONDITION", what, path);
  return what === undefined;
}

/** Resolves the filter of an aggregate. */
export function resolveAggregateFilter(
  filter: unknown,
  path: string,
  resolution: Resolution,
): ResolvedCondition | undefined {
  const condition = resolveCondition(filter, path, resolution);
  const hint = "the filter of an aggregate chooses rows";
  return condition !== undefined && requireOfRows(condition, hint, path, resolution) ? condition : undefined;
}

/** Resolves a condition that connects the rows of two tables. */
export function resolveTest(
  test: unknown,
  path: string,
  resolution: Resolution,
): ResolvedCondition | undefined {
  const condition = resolveCondition(test, path, resolution);
  const isOfRows = condition !== undefined && requireOfRows(condition, "filter by having", path, resolution);
  return isOfRows ? condition : undefined;
}

/** A condition of a `where`, which may apply only if all its parameters are given. */
function resolveMember(
  condition: unknown,
  path: string,
  resolution: Resolution,
): ResolvedCondition | undefined {
  if (!isObject(condition) || !("optional" in condition))
    return resolveCondition(condition, path, resolution);
  // A comparison with one parameter stores this itself.
  if ("param" in condition) {
    const comparison = resolveCondition(condition, path, resolution);
    if (comparison === undefined || condition["optional"] !== true) return comparison;
    const names = paramsOf(comparison);
    return names.length < 2
      ? comparison
      : { kind: "group", logic: "AND", members: [comparison], optional: names };
  }
  const { optional, ...rest } = condition;
  if (optional !== undefined && typeof optional !== "boolean")
    resolution.add("INVALID_CONDITION", "optional of a condition must be a boolean", `${path}.optional`);
  const resolved = resolveCondition(rest, path, resolution);
  if (resolved === undefined || optional !== true) return resolved;
  const params = paramsOf(resolved);
  if (resolved.kind === "group") return { ...resolved, optional: params };
  return { kind: "group", logic: "AND", members: [resolved], optional: params };
}

/** Whether a condition says that it may be left out. */
export function isOptional(condition: unknown): boolean {
  return (
    typeof condition === "object" &&
    condition !== null &&
    "optional" in condition &&
    condition.optional !== undefined &&
    condition.optional !== false
  );
}

// A group is one level; this bound limits the recursion, and `specs({ maxDepth })` sets a lower one.
const MAX_DEPTH = 100;

/** Resolves one condition, including the conditions of a group. */
export function resolveCondition(
  condition: unknown,
  path: string,
  resolution: Resolution,
  depth = 0,
): ResolvedCondition | undefined {
  if (typeof condition !== "object" || condition === null || Array.isArray(condition)) {
    const { isOfClient } = resolution.scope;
    const wanted = isOfClient ? "an object," : "made by c, isNull, between, and, or, not;";
    resolution.add("INVALID_CONDITION", `a condition must be ${wanted} not ${quoted(condition)}`, path);
    return undefined;
  }
  if ("logic" in condition || "group" in condition) return resolveGroup(condition, path, resolution, depth);
  if ("exists" in condition || "not_exists" in condition) return resolveExists(condition, path, resolution);
  if ("query" in condition) return resolveAmong(condition, path, resolution);
  const negated = "not" in condition ? Negated.own(condition.not) : undefined;
  if (negated !== undefined) return resolveNegation(negated, path, resolution, depth);
  if ("low_param" in condition || "high_param" in condition) return resolveRange(condition, path, resolution);
  if ("right_field" in condition) return resolveFields(condition, path, resolution);
  if ("param" in condition) return resolveComparison(condition, path, resolution);
  return resolveNullTest(condition, path, resolution);
}

function resolveDistanceCondition(
  { distance, comparison, limit }: DistanceCondition,
  path: string,
  resolution: Resolution,
): ResolvedCondition | undefined {
  const resolved = resolveDistance(distance, (part) => `${path}.${part}`, resolution);
  const isKnown = comparison === "<" || comparison === "<=";
  if (!isKnown)
    resolution.add(
      "INVALID_OPERATOR",
      `the comparison of a distance must be < or <=, not ${quoted(comparison)}`,
      path,
    );
  const given = resolution.given(limit, `${path}.limit`);
  if (resolved === undefined || !isKnown || given === undefined) return undefined;
  const place = placeOf(given, distance.field, resolution);
  const { open, between, close } = infix(comparison);
  return {
    kind: "comparison",
    form: { open: `(${open}`, between: `)${between}`, close },
    left: resolved.expression,
    right: {
      kind: "parameter",
      ...given,
      binder: boundTo(given, () => numberBinder(place)),
      form: undefined,
    },
    isEquality: false,
    optional: undefined,
  };
}

function resolveGroup(
  group: object,
  path: string,
  resolution: Resolution,
  depth: number,
): ResolvedCondition | undefined {
  if (!resolution.keys(group, groupKeys, path)) return undefined;
  const { logic, group: members } = group;
  const isKnown = logic === "AND" || logic === "OR";
  if (!isKnown)
    resolution.add(
      "INVALID_CONDITION",
      `logic of a group must be AND or OR, not ${quoted(logic)}`,
      `${path}.logic`,
    );
  if (!Array.isArray(members) || members.length === 0) {
    resolution.add("INVALID_CONDITION", "a group needs at least one condition", `${path}.group`);
    return undefined;
  }
  if (depth >= MAX_DEPTH) {
    resolution.add("INVALID_CONDITION", `groups nest more than ${MAX_DEPTH} levels`, path);
    return undefined;
  }
  const conditions: ResolvedCondition[] = [];
  for (const [i, member] of members.entries()) {
    const place = `${path}.group[${i}]`;
    const resolved = resolveCondition(member, place, resolution, depth + 1);
    if (isOptional(member))
      resolution.add("INVALID_CONDITION", "a condition in a group cannot be optional", `${place}.optional`);
    if (resolved !== undefined) conditions.push(resolved);
  }
  return isKnown ? { kind: "group", logic, members: conditions } : undefined;
}

function resolveNegation(
  { condition }: Negated,
  path: string,
  resolution: Resolution,
  depth: number,
): ResolvedCondition | undefined {
  if (depth >= MAX_DEPTH) {
    resolution.add("INVALID_CONDITION", `groups nest more than ${MAX_DEPTH} levels`, path);
    return undefined;
  }
  const of = resolveCondition(condition, `${path}.not`, resolution, depth + 1);
  return of === undefined ? undefined : { kind: "negation", of };
}

function resolveComparison(
  condition: object,
  path: string,
  resolution: Resolution,
): ResolvedCondition | undefined {
  if (!resolution.keys(condition, comparisonKeys, path)) return undefined;
  const value = resolution.operand(condition["field"], `${path}.field`);
  const compared = value === undefined ? undefined : comparableOf(value);
  const fitting = resolveOperator(condition["operator"], compared, `${path}.operator`, resolution);
  const param = resolution.given(condition["param"], `${path}.param`);
  const { optional, is_null: isNull } = condition;
  if (optional !== undefined && typeof optional !== "boolean")
    resolution.add("INVALID_CONDITION", "optional of a condition must be a boolean", `${path}.optional`);
  if (isNull !== undefined && isNull !== false)
    resolution.add("INVALID_CONDITION", "a condition with a parameter is not a null test", `${path}.is_null`);
  if (value === undefined || fitting === undefined || param === undefined) return undefined;
  return comparedWith(
    leftOf(value, resolution),
    fitting,
    param,
    resolution,
    optional === true ? param.name : undefined,
  );
}

function resolveFields(
  condition: object,
  path: string,
  resolution: Resolution,
): ResolvedCondition | undefined {
  if (!resolution.keys(condition, fieldsKeys, path)) return undefined;
  const left = resolution.operand(condition["field"], `${path}.field`);
  const right = resolution.operand(condition["right_field"], `${path}.right_field`);
  const compared = left === undefined ? undefined : comparableOf(left);
  const fitting = resolveOperator(condition["operator"], compared, `${path}.operator`, resolution);
  if (left === undefined || right === undefined || fitting === undefined) return undefined;
  return compareValues(left, right, fitting, path, resolution);
}

function resolveRange(
  condition: object,
  path: string,
  resolution: Resolution,
): ResolvedCondition | undefined {
  if (!resolution.keys(condition, rangeKeys, path)) return undefined;
  const value = resolution.operand(condition["field"], `${path}.field`);
  const { operator } = condition;
  const isKnown = operator === "BETWEEN" || operator === "NOT BETWEEN";
  if (!isKnown)
    resolution.add(
      "INVALID_OPERATOR",
      `a range takes BETWEEN or NOT BETWEEN, not ${quoted(operator)}`,
      `${path}.operator`,
    );
  if (value !== undefined && !hasOrder(value.storage.kind)) {
    const { property, kind } = comparableOf(value);
    const message = `${fieldOrExpression(property)} (${kind}) has no order for BETWEEN`;
    resolution.add("INVALID_OPERATOR", message, `${path}.operator`);
  }
  if (value !== undefined) requireOrder(value, `${path}.operator`, resolution);
  const low = resolution.given(condition["low_param"], `${path}.low_param`);
  const high = resolution.given(condition["high_param"], `${path}.high_param`);
  if (value === undefined || !isKnown || low === undefined || high === undefined) return undefined;
  const left = leftOf(value, resolution);
  return {
    kind: "range",
    operand: left.expression,
    word: ` ${operator} `,
    low: rangeBound(left, low, "first", resolution),
    high: rangeBound(left, high, "last", resolution),
    optional: undefined,
  };
}

function rangeBound(
  left: Left,
  given: GivenParam,
  end: "first" | "last",
  resolution: Resolution,
): ResolvedExpression {
  const { target, column } = left;
  const { grammar } = resolution;
  const place = placeOf(given, target.property, resolution);
  const value: ParameterPlace = {
    kind: "parameter",
    ...given,
    binder: boundTo(given, () => operandBinder(target, grammar, place, storedForm(column))),
    form: formBeside("value", left, grammar),
    template: boundOf(left, grammar),
  };
  const dates = specialDates(target.storage, grammar);
  return dates === undefined ? value : dateBound(value, dates[end]);
}

function resolveNullTest(
  condition: object,
  path: string,
  resolution: Resolution,
): ResolvedCondition | undefined {
  if (!resolution.keys(condition, nullKeys, path)) return undefined;
  const value = resolution.operand(condition["field"], `${path}.field`);
  const { operator, is_null: isNull } = condition;
  const tests = operator === "IS NULL" || operator === "IS NOT NULL";
  if (isNull !== undefined && isNull !== true)
    resolution.add("INVALID_CONDITION", "is_null of a null test must be true or absent", `${path}.is_null`);
  else if (operator === undefined && isNull !== true)
    resolution.add("INVALID_CONDITION", "a condition needs an operator and a parameter", path);
  else if (operator !== undefined && isOperator(operator))
    resolution.add("INVALID_CONDITION", `operator ${operator} needs a parameter`, `${path}.param`);
  else if (operator !== undefined && !tests)
    resolution.add("INVALID_OPERATOR", `unknown operator ${quoted(operator)}`, `${path}.operator`);
  else if (value !== undefined)
    return { kind: "null test", operand: value.expression, test: tests ? ` ${operator}` : " IS NULL" };
  return undefined;
}
