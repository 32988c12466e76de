/** Checks conditions: their shape, their fields, operators and parameters, against a table and a dialect. */
import { listed, quoted } from "../../core/errors.js";
import { DistanceCondition } from "../ast/expression.js";
import type { ColumnInfo } from "../declaration.js";
import { isMissing } from "../dialect/grammar.js";
import type { Operator } from "../types/operators.js";
import { checkDistance } from "./distance.js";
import { hasOrder, isOperator, operandOf, operatorsOf } from "./operators.js";
import type { Problems } from "./problems.js";

const comparisonKeys: ReadonlySet<string> = new Set(["field", "operator", "param", "optional", "is_null"]);
const nullKeys: ReadonlySet<string> = new Set(["field", "operator", "is_null"]);
const rangeKeys: ReadonlySet<string> = new Set(["field", "operator", "low_param", "high_param"]);
const fieldsKeys: ReadonlySet<string> = new Set(["field", "operator", "right_field"]);
const groupKeys: ReadonlySet<string> = new Set(["logic", "group"]);

/**
 * Checks the conditions of a `where`.
 * @param mayBeOptional whether one may count only where its parameter is given: not where something is changed.
 */
export function checkConditions(where: unknown, mayBeOptional: boolean, problems: Problems): void {
  problems.list(where, "where").forEach((condition, i) => {
    const path = `where[${i}]`;
    if (condition instanceof DistanceCondition) checkDistanceCondition(condition, path, problems);
    else checkCondition(condition, path, problems);
    if (!mayBeOptional && isOptional(condition))
      problems.add(
        "INVALID_CONDITION",
        "a condition of an update or a removal cannot be optional",
        `${path}.optional`,
      );
  });
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

/** Checks one condition, a group with all that it holds. */
export function checkCondition(condition: unknown, path: string, problems: Problems, depth = 0): void {
  if (typeof condition !== "object" || condition === null || Array.isArray(condition)) {
    problems.add(
      "INVALID_CONDITION",
      `a condition must be made by c, isNull, between, and, or; not ${quoted(condition)}`,
      path,
    );
    return;
  }
  if ("logic" in condition || "group" in condition) checkGroup(condition, path, problems, depth);
  else if ("low_param" in condition || "high_param" in condition) checkRange(condition, path, problems);
  else if ("right_field" in condition) checkFields(condition, path, problems);
  else if ("param" in condition) checkComparison(condition, path, problems);
  else checkNull(condition, path, problems);
}

function checkDistanceCondition(condition: DistanceCondition, path: string, problems: Problems): void {
  const { distance, comparison, limit } = condition;
  checkDistance(distance, (part) => `${path}.${part}`, problems);
  if (comparison !== "<" && comparison !== "<=")
    problems.add("INVALID_OPERATOR", `a distance is < or <= its limit, not ${quoted(comparison)}`, path);
  problems.param(limit, `${path}.limit`);
}

function checkGroup(group: object, path: string, problems: Problems, depth: number): void {
  if (!problems.keys(group, groupKeys, path)) return;
  const { logic, group: members } = group;
  if (logic !== "AND" && logic !== "OR")
    problems.add(
      "INVALID_CONDITION",
      `logic of a group must be AND or OR, not ${quoted(logic)}`,
      `${path}.logic`,
    );
  if (!Array.isArray(members) || members.length === 0) {
    problems.add("INVALID_CONDITION", "a group needs at least one condition", `${path}.group`);
    return;
  }
  if (depth >= MAX_DEPTH) {
    problems.add("INVALID_CONDITION", `groups nest more than ${MAX_DEPTH} levels`, path);
    return;
  }
  members.forEach((member: unknown, i) => {
    const place = `${path}.group[${i}]`;
    checkCondition(member, place, problems, depth + 1);
    if (isOptional(member))
      problems.add("INVALID_CONDITION", "a condition in a group cannot be optional", `${place}.optional`);
  });
}

function checkComparison(condition: object, path: string, problems: Problems): void {
  if (!problems.keys(condition, comparisonKeys, path)) return;
  const column = problems.column(condition["field"], `${path}.field`);
  checkOperator(condition["operator"], column, `${path}.operator`, problems);
  problems.param(condition["param"], `${path}.param`);
  const { optional, is_null: isNull } = condition;
  if (optional !== undefined && typeof optional !== "boolean")
    problems.add("INVALID_CONDITION", "optional of a condition is a boolean", `${path}.optional`);
  if (isNull !== undefined && isNull !== false)
    problems.add("INVALID_CONDITION", "a condition with a parameter is no null test", `${path}.is_null`);
}

function checkFields(condition: object, path: string, problems: Problems): void {
  if (!problems.keys(condition, fieldsKeys, path)) return;
  const left = problems.column(condition["field"], `${path}.field`);
  const right = problems.column(condition["right_field"], `${path}.right_field`);
  const operator = checkOperator(condition["operator"], left, `${path}.operator`, problems);
  if (left === undefined || right === undefined || operator === undefined) return;
  if (operandOf(operator) !== "value" || left.kind !== right.kind)
    problems.add(
      "INVALID_OPERATOR",
      `${quoted(left.property)} and ${quoted(right.property)} cannot be compared by ${operator}`,
      path,
    );
}

function checkRange(condition: object, path: string, problems: Problems): void {
  if (!problems.keys(condition, rangeKeys, path)) return;
  const column = problems.column(condition["field"], `${path}.field`);
  const { operator } = condition;
  if (operator !== "BETWEEN" && operator !== "NOT BETWEEN")
    problems.add(
      "INVALID_OPERATOR",
      `a range takes BETWEEN or NOT BETWEEN, not ${quoted(operator)}`,
      `${path}.operator`,
    );
  if (column !== undefined && !hasOrder(column.kind))
    problems.add(
      "INVALID_OPERATOR",
      `field ${quoted(column.property)} (${column.kind}) has no order for BETWEEN`,
      `${path}.operator`,
    );
  if (column !== undefined) checkDecimal(column, `${path}.operator`, problems);
  problems.param(condition["low_param"], `${path}.low_param`);
  problems.param(condition["high_param"], `${path}.high_param`);
}

function checkNull(condition: object, path: string, problems: Problems): void {
  if (!problems.keys(condition, nullKeys, path)) return;
  problems.column(condition["field"], `${path}.field`);
  const { operator, is_null: isNull } = condition;
  const tests = operator === "IS NULL" || operator === "IS NOT NULL";
  if (isNull !== undefined && isNull !== true)
    problems.add("INVALID_CONDITION", "is_null of a null test is true or absent", `${path}.is_null`);
  else if (operator === undefined && isNull !== true)
    problems.add("INVALID_CONDITION", "a condition needs an operator and a parameter", path);
  else if (operator !== undefined && isOperator(operator))
    problems.add("INVALID_CONDITION", `operator ${operator} needs a parameter`, `${path}.param`);
  else if (operator !== undefined && !tests)
    problems.add("INVALID_OPERATOR", `unknown operator ${quoted(operator)}`, `${path}.operator`);
}

/** What has values that an operator compares: a column, or an expression. */
type Comparable = Pick<ColumnInfo, "kind" | "property" | "storage">;

/** Checks an operator against what it compares; gives it where it fits. */
export function checkOperator(
  operator: unknown,
  column: Comparable | undefined,
  place: string,
  problems: Problems,
): Operator | undefined {
  if (!isOperator(operator)) {
    problems.add("INVALID_OPERATOR", `unknown operator ${quoted(operator)}${allowed(column)}`, place);
    return undefined;
  }
  if (column === undefined) return undefined;
  if (!operatorsOf(column.kind).has(operator)) {
    problems.add(
      "INVALID_OPERATOR",
      `field ${quoted(column.property)} (${column.kind}) does not take ${operator}${allowed(column)}`,
      place,
    );
    return undefined;
  }
  if (orders.has(operator)) checkDecimal(column, place, problems);
  const form = problems.grammar.operators[operator];
  if (isMissing(form)) problems.unsupported(form.feature, form.hint, place);
  return operator;
}

const orders: ReadonlySet<string> = new Set([">", ">=", "<", "<="]);

/** A problem where a dialect keeps exact decimals as text, which has another order than they have. */
export function checkDecimal(column: Pick<ColumnInfo, "storage">, path: string, problems: Problems): void {
  const missing = problems.grammar.noDecimalOrder;
  if (missing !== undefined && column.storage.decimal === true)
    problems.unsupported(missing.feature, missing.hint, path);
}

function allowed(column: Comparable | undefined): string {
  if (column === undefined) return "";
  const operators = operatorsOf(column.kind);
  return operators.size === 0 ? "; only null tests" : `; operators: ${listed(operators)}`;
}
