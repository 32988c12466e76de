/** Checks expressions: their functions against the kinds of their fields, the names that they bring, their windows. */

import { listed, quoted } from "../../core/errors.js";
import type { ExpressionNode, NamedExpression, RankingNode } from "../ast/expression.js";
import type { ColumnInfo } from "../declaration.js";
import type { CallName, GatheringFunction, RankingName } from "../types/functions.js";
import type { Kind } from "../types/operators.js";
import { checkCondition, checkDecimal } from "./condition.js";
import { checkDistance } from "./distance.js";
import { hasOrder } from "./operators.js";
import { PARAM_NAME, type Problems } from "./problems.js";

const gathering: ReadonlySet<unknown> = new Set<GatheringFunction>([
  "count",
  "count_distinct",
  "sum",
  "avg",
  "min",
  "max",
]);

/** Whether a value from outside names a function that gathers rows. */
export function isGathering(func: unknown): func is GatheringFunction {
  return gathering.has(func);
}

/** Checks an expression and its name. */
export function checkExpression({ node, alias }: NamedExpression, path: string, problems: Problems): void {
  checkAlias(alias, `${path}.alias`, problems);
  checkNode(node, path, problems);
}

/** A problem unless the value can name an expression of this table. */
export function checkAlias(alias: unknown, path: string, problems: Problems): void {
  if (typeof alias !== "string" || !PARAM_NAME.test(alias)) {
    problems.add(
      "INVALID_FIELD",
      `${quoted(alias)} cannot name an expression: letters, digits and _, at most 63`,
      path,
    );
    return;
  }
  // A row with such a key would be a row with another prototype.
  if (alias === "__proto__")
    problems.add("INVALID_FIELD", 'an expression cannot be called "__proto__"', path);
  const columns = Object.values(problems.table.columns);
  // A server would not know which of the two an order is about; some of them fold the case of names.
  const same = (name: string) => name.toLowerCase() === alias.toLowerCase();
  if (columns.some(({ property, name }) => same(property) || same(name)))
    problems.add("INVALID_FIELD", `an expression cannot be called ${quoted(alias)}: a field is`, path);
}

/** Checks a function that gathers rows, and its field. */
export function checkGathering(
  func: GatheringFunction,
  field: unknown,
  path: string,
  problems: Problems,
): ColumnInfo | undefined {
  if (func === "count" && (field === undefined || field === "*")) return undefined;
  if (field === undefined) {
    problems.add("INVALID_AGGREGATE", `${func} needs a field`, path);
    return undefined;
  }
  const column = problems.column(field, path);
  if (column === undefined || func === "count") return column;
  const refuse = (what: string) => {
    const message = `${func} takes a field ${what}, ${quoted(column.property)} holds ${column.kind}`;
    problems.add("INVALID_AGGREGATE", message, path);
  };
  if (func === "count_distinct") problems.comparable(column, path);
  else if (func === "sum" || func === "avg") {
    if (!isNumber(column.kind)) refuse("of numbers");
  } else if (hasOrder(column.kind)) checkDecimal(column, path, problems);
  else refuse("that has an order");
  return column;
}

function checkNode(node: ExpressionNode, path: string, problems: Problems): void {
  switch (node.kind) {
    case "aggregate":
      checkGathering(node.func, node.field, `${path}.field`, problems);
      if (node.filter !== undefined) checkCondition(node.filter, `${path}.filter`, problems);
      return;
    case "call":
      checkCall(node.func, node.fields, path, problems);
      for (const param of node.params) problems.param(param, path);
      if (node.digits !== undefined && !isCount(node.digits, 0, 15))
        problems.add("INVALID_PARAM", "round takes a whole number of digits from 0 to 15", path);
      return;
    case "cast":
      checkCast(node.field, node.to, path, problems);
      return;
    case "case":
      for (const [i, { condition, param }] of node.whens.entries()) {
        checkCondition(condition, `${path}.when[${i}]`, problems);
        problems.param(param, `${path}.when[${i}]`);
      }
      if (node.whens.length === 0)
        problems.add("INVALID_CONDITION", "caseWhen needs at least one condition: call when(…)", path);
      if (node.otherwise !== undefined) problems.param(node.otherwise, `${path}.else`);
      return;
    case "ranking":
      checkRanking(node, path, problems);
      return;
    case "window":
      if (node.of.kind === "aggregate" && node.of.func === "count_distinct")
        problems.add("INVALID_AGGREGATE", "no database counts different values over a window", path);
      checkNode(node.of, path, problems);
      checkWindow(node.window, `${path}.over`, problems);
      return;
    case "distance":
      checkDistance(node, (part) => `${path}.${part}`, problems);
  }
}

const textCalls: ReadonlySet<CallName> = new Set<CallName>([
  "upper",
  "lower",
  "trim",
  "ltrim",
  "rtrim",
  "length",
  "concat",
  "substring",
  "replace",
]);
const numberCalls: ReadonlySet<CallName> = new Set<CallName>([
  "abs",
  "ceil",
  "floor",
  "sqrt",
  "power",
  "round",
]);

function checkCall(func: CallName, fields: readonly unknown[], path: string, problems: Problems): void {
  if (func === "concat" && fields.length === 0)
    problems.add("INVALID_FIELD", "concat needs at least one field", path);
  for (const field of fields) {
    const column = problems.column(field, path);
    if (column === undefined) continue;
    const takes = textCalls.has(func)
      ? column.kind === "text"
      : numberCalls.has(func)
        ? isNumber(column.kind)
        : column.kind !== "json" && column.kind !== "vector";
    if (takes) continue;
    const message = `${func} cannot take field ${quoted(column.property)} (${column.kind})`;
    problems.add("INVALID_OPERATOR", message, path);
  }
}

const castTargets: ReadonlySet<unknown> = new Set(["text", "integer", "number", "boolean", "date"]);

function checkCast(field: unknown, to: unknown, path: string, problems: Problems): void {
  const column = problems.column(field, path);
  if (!castTargets.has(to)) {
    problems.add("INVALID_OPERATOR", `a cast makes ${listed(castTargets as Set<string>)}`, path);
    return;
  }
  if (column === undefined) return;
  const { kind } = column;
  const scalar = kind === "text" || kind === "boolean" || kind === "date" || isNumber(kind);
  const sensible = to === "date" ? kind === "text" || kind === "date" : kind !== "date" || to === "text";
  if (scalar && sensible) return;
  const message = `field ${quoted(column.property)} (${kind}) cannot be cast to ${String(to)}`;
  problems.add("INVALID_OPERATOR", message, path);
}

const takesField: ReadonlySet<RankingName> = new Set<RankingName>([
  "lag",
  "lead",
  "first_value",
  "last_value",
]);

function checkRanking({ func, field, count }: RankingNode, path: string, problems: Problems): void {
  if (func === "ntile") {
    if (!isCount(count, 1, Number.MAX_SAFE_INTEGER))
      problems.add("INVALID_PARAM", "ntile takes a whole number of buckets from 1", path);
    return;
  }
  if (field !== undefined || takesField.has(func)) problems.column(field, `${path}.field`);
  if (count !== undefined && !isCount(count, 0, Number.MAX_SAFE_INTEGER))
    problems.add("INVALID_PARAM", `${func} takes a whole number of rows from 0`, path);
}

const windowKeys: ReadonlySet<string> = new Set(["partitionBy", "orderBy", "frame"]);
const frameKeys: ReadonlySet<string> = new Set(["rows", "range"]);

function checkWindow(window: unknown, path: string, problems: Problems): void {
  if (!problems.keys(window, windowKeys, path)) return;
  const { partitionBy, orderBy, frame } = window;
  problems.list(partitionBy, `${path}.partitionBy`).forEach((field, i) => {
    const column = problems.column(field, `${path}.partitionBy[${i}]`);
    if (column !== undefined) problems.comparable(column, `${path}.partitionBy[${i}]`);
  });
  const terms = problems.list(orderBy, `${path}.orderBy`);
  terms.forEach((term, i) => {
    const place = `${path}.orderBy[${i}]`;
    if (!Array.isArray(term) || term.length !== 2) {
      problems.add("INVALID_SPEC", "a term of the order of a window is a field and a direction", place);
      return;
    }
    const [field, direction]: unknown[] = term;
    const column = problems.column(field, place);
    if (column !== undefined) {
      checkDecimal(column, place, problems);
      problems.comparable(column, place);
    }
    if (direction !== "asc" && direction !== "desc")
      problems.add("INVALID_DIRECTION", `direction is asc or desc, not ${quoted(direction)}`, place);
  });
  if (frame !== undefined) checkFrame(frame, terms.length, `${path}.frame`, problems);
}

function checkFrame(frame: unknown, terms: number, path: string, problems: Problems): void {
  if (!problems.keys(frame, frameKeys, path)) return;
  const { rows, range } = frame;
  const bounds = rows ?? range;
  if ((rows === undefined) === (range === undefined) || !Array.isArray(bounds) || bounds.length !== 2) {
    problems.add("INVALID_SPEC", "a frame is rows or range, with a start and an end", path);
    return;
  }
  const places = bounds.map(placeOf);
  const [start, end] = places;
  if (start === undefined || end === undefined)
    problems.add(
      "INVALID_SPEC",
      "a bound of a frame is a word, or so many rows preceding or following",
      path,
    );
  else if (start > end || start === Infinity || end === -Infinity)
    problems.add("INVALID_SPEC", "a frame begins before it ends", path);
  else if (
    range !== undefined &&
    places.some((place) => Number.isFinite(place) && place !== 0) &&
    terms !== 1
  )
    problems.add("INVALID_SPEC", "a range of values needs exactly one field to order by", path);
}

/** Where a bound lies, in rows behind the current one; undefined for what is none. */
function placeOf(bound: unknown): number | undefined {
  if (bound === "unbounded preceding") return -Infinity;
  if (bound === "unbounded following") return Infinity;
  if (bound === "current row") return 0;
  if (typeof bound !== "object" || bound === null || Object.keys(bound).length !== 1) return undefined;
  if ("preceding" in bound && isCount(bound.preceding, 0, Number.MAX_SAFE_INTEGER)) return -bound.preceding;
  if ("following" in bound && isCount(bound.following, 0, Number.MAX_SAFE_INTEGER)) return bound.following;
  return undefined;
}

function isCount(value: unknown, least: number, most: number): value is number {
  return Number.isSafeInteger(value) && Number(value) >= least && Number(value) <= most;
}

function isNumber(kind: Kind): boolean {
  return kind === "number" || kind === "bigint";
}
