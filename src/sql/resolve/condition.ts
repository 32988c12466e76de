/** Resolves conditions: their shape, their fields, operators and parameters. */
import { quoted } from "../../core/errors.js";
import { DistanceCondition } from "../ast/expression.js";
import type { ColumnInfo } from "../declare/declaration.js";
import { infix } from "../dialect/forms.js";
import { numberBinder, operandBinder } from "../value/binder.js";
import { comparedWith, formOn, requireOrder, resolveOperator } from "./comparison.js";
import { dateBound, specialDates } from "./dates.js";
import { resolveDistance } from "./distance.js";
import { comparable } from "./layout.js";
import { hasOrder, isOperator, operandOf } from "./operators.js";
import type { Resolution } from "./resolution.js";
import type { Condition, Expression, Field, Parameter } from "./resolved.js";

const comparisonKeys: ReadonlySet<string> = new Set(["field", "operator", "param", "optional", "is_null"]);
const nullKeys: ReadonlySet<string> = new Set(["field", "operator", "is_null"]);
const rangeKeys: ReadonlySet<string> = new Set(["field", "operator", "low_param", "high_param"]);
const fieldsKeys: ReadonlySet<string> = new Set(["field", "operator", "right_field"]);
const groupKeys: ReadonlySet<string> = new Set(["logic", "group"]);

/**
 * Resolves the conditions of a `where`.
 * @param mayBeOptional whether one may count only where its parameter is given: not where something is changed.
 */
export function resolveWhere(where: unknown, mayBeOptional: boolean, resolution: Resolution): Condition[] {
  const conditions: Condition[] = [];
  for (const [i, condition] of resolution.list(where, "where").entries()) {
    const path = `where[${i}]`;
    const resolved =
      condition instanceof DistanceCondition
        ? resolveDistanceCondition(condition, path, resolution)
        : resolveCondition(condition, path, resolution);
    if (!mayBeOptional && isOptional(condition))
      resolution.add(
        "INVALID_CONDITION",
        "a condition of an update or a removal cannot be optional",
        `${path}.optional`,
      );
    if (resolved !== undefined) conditions.push(resolved);
  }
  return conditions;
}

function isOptional(condition: unknown): boolean {
  return (
    typeof condition === "object" &&
    condition !== null &&
    "optional" in condition &&
    condition.optional !== undefined &&
    condition.optional !== false
  );
}

// A group is one level; this bound keeps the recursion finite, `specs({ maxDepth })` sets narrower ones.
const MAX_DEPTH = 100;

/** Resolves one condition, a group with all that it holds. */
export function resolveCondition(
  condition: unknown,
  path: string,
  resolution: Resolution,
  depth = 0,
): Condition | undefined {
  if (typeof condition !== "object" || condition === null || Array.isArray(condition)) {
    resolution.add(
      "INVALID_CONDITION",
      `a condition must be made by c, isNull, between, and, or; not ${quoted(condition)}`,
      path,
    );
    return undefined;
  }
  if ("logic" in condition || "group" in condition) return resolveGroup(condition, path, resolution, depth);
  if ("low_param" in condition || "high_param" in condition) return resolveRange(condition, path, resolution);
  if ("right_field" in condition) return resolveFields(condition, path, resolution);
  if ("param" in condition) return resolveComparison(condition, path, resolution);
  return resolveNullTest(condition, path, resolution);
}

function resolveDistanceCondition(
  { distance, comparison, limit }: DistanceCondition,
  path: string,
  resolution: Resolution,
): Condition | undefined {
  const resolved = resolveDistance(distance, (part) => `${path}.${part}`, resolution);
  const isKnown = comparison === "<" || comparison === "<=";
  if (!isKnown)
    resolution.add("INVALID_OPERATOR", `a distance is < or <= its limit, not ${quoted(comparison)}`, path);
  const param = resolution.param(limit, `${path}.limit`);
  if (resolved === undefined || !isKnown || param === undefined) return undefined;
  const { table } = resolution;
  const { open, between, close } = infix(comparison);
  return {
    kind: "comparison",
    form: { open: `(${open}`, between: `)${between}`, close },
    left: resolved.expression,
    right: { kind: "parameter", name: param, binder: () => numberBinder({ param, table }), form: undefined },
    isEquality: false,
    optional: undefined,
  };
}

function resolveGroup(
  group: object,
  path: string,
  resolution: Resolution,
  depth: number,
): Condition | undefined {
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
  const conditions: Condition[] = [];
  for (const [i, member] of members.entries()) {
    const place = `${path}.group[${i}]`;
    const resolved = resolveCondition(member, place, resolution, depth + 1);
    if (isOptional(member))
      resolution.add("INVALID_CONDITION", "a condition in a group cannot be optional", `${place}.optional`);
    if (resolved !== undefined) conditions.push(resolved);
  }
  return isKnown ? { kind: "group", logic, members: conditions } : undefined;
}

function resolveComparison(condition: object, path: string, resolution: Resolution): Condition | undefined {
  if (!resolution.keys(condition, comparisonKeys, path)) return undefined;
  const field = resolution.field(condition["field"], `${path}.field`);
  const fitting = resolveOperator(condition["operator"], field?.column, `${path}.operator`, resolution);
  const param = resolution.param(condition["param"], `${path}.param`);
  const { optional, is_null: isNull } = condition;
  if (optional !== undefined && typeof optional !== "boolean")
    resolution.add("INVALID_CONDITION", "optional of a condition is a boolean", `${path}.optional`);
  if (isNull !== undefined && isNull !== false)
    resolution.add("INVALID_CONDITION", "a condition with a parameter is no null test", `${path}.is_null`);
  if (field === undefined || fitting === undefined || param === undefined) return undefined;
  const { column } = field;
  const left = { expression: field, target: column, column };
  return comparedWith(left, fitting, param, resolution, optional === true ? param : undefined);
}

function resolveFields(condition: object, path: string, resolution: Resolution): Condition | undefined {
  if (!resolution.keys(condition, fieldsKeys, path)) return undefined;
  const left = resolution.field(condition["field"], `${path}.field`);
  const right = resolution.field(condition["right_field"], `${path}.right_field`);
  const fitting = resolveOperator(condition["operator"], left?.column, `${path}.operator`, resolution);
  if (left === undefined || right === undefined || fitting === undefined) return undefined;
  const { operator } = fitting;
  if (operandOf(operator) !== "value" || left.column.kind !== right.column.kind) {
    const [one, other] = [quoted(left.column.property), quoted(right.column.property)];
    const message = `${one} and ${other} cannot be compared by ${operator}`;
    resolution.add("INVALID_OPERATOR", message, path);
    return undefined;
  }
  const form = formOn(left.column, fitting, resolution);
  const sides = areAlike(left, right)
    ? { left, right }
    : { left: comparable(left), right: comparable(right) };
  return { kind: "comparison", form, ...sides, isEquality: false, optional: undefined };
}

// Dates that are kept in several ways, or have several stored values, are compared in one form.
function areAlike({ dates: one }: Field, { dates: other }: Field): boolean {
  return one?.comparable === other?.comparable && one?.isExact !== false;
}

function resolveRange(condition: object, path: string, resolution: Resolution): Condition | undefined {
  if (!resolution.keys(condition, rangeKeys, path)) return undefined;
  const field = resolution.field(condition["field"], `${path}.field`);
  const { operator } = condition;
  const isKnown = operator === "BETWEEN" || operator === "NOT BETWEEN";
  if (!isKnown)
    resolution.add(
      "INVALID_OPERATOR",
      `a range takes BETWEEN or NOT BETWEEN, not ${quoted(operator)}`,
      `${path}.operator`,
    );
  if (field !== undefined && !hasOrder(field.column.kind))
    resolution.add(
      "INVALID_OPERATOR",
      `field ${quoted(field.column.property)} (${field.column.kind}) has no order for BETWEEN`,
      `${path}.operator`,
    );
  if (field !== undefined) requireOrder(field.column, `${path}.operator`, resolution);
  const low = resolution.param(condition["low_param"], `${path}.low_param`);
  const high = resolution.param(condition["high_param"], `${path}.high_param`);
  if (field === undefined || !isKnown || low === undefined || high === undefined) return undefined;
  return {
    kind: "range",
    operand: field,
    word: ` ${operator} `,
    low: boundOf(field.column, low, "first", resolution),
    high: boundOf(field.column, high, "last", resolution),
    optional: undefined,
  };
}

function boundOf(
  column: ColumnInfo,
  param: string,
  end: "first" | "last",
  { grammar, table }: Resolution,
): Expression {
  const value: Parameter = {
    kind: "parameter",
    name: param,
    binder: () => operandBinder(column, grammar, { param, table }),
    form: { operand: "value", column },
  };
  const dates = specialDates(column.storage, grammar);
  return dates === undefined ? value : dateBound(value, dates[end]);
}

function resolveNullTest(condition: object, path: string, resolution: Resolution): Condition | undefined {
  if (!resolution.keys(condition, nullKeys, path)) return undefined;
  const field = resolution.field(condition["field"], `${path}.field`);
  const { operator, is_null: isNull } = condition;
  const tests = operator === "IS NULL" || operator === "IS NOT NULL";
  if (isNull !== undefined && isNull !== true)
    resolution.add("INVALID_CONDITION", "is_null of a null test is true or absent", `${path}.is_null`);
  else if (operator === undefined && isNull !== true)
    resolution.add("INVALID_CONDITION", "a condition needs an operator and a parameter", path);
  else if (operator !== undefined && isOperator(operator))
    resolution.add("INVALID_CONDITION", `operator ${operator} needs a parameter`, `${path}.param`);
  else if (operator !== undefined && !tests)
    resolution.add("INVALID_OPERATOR", `unknown operator ${quoted(operator)}`, `${path}.operator`);
  else if (field !== undefined)
    return { kind: "null test", operand: field, test: tests ? ` ${operator}` : " IS NULL" };
  return undefined;
}
