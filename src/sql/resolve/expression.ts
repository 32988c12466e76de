/** Resolves expressions to trees: functions against the kinds of their operands, and what they give. */
import { listed, quoted } from "../../core/errors.js";
import type {
  AggregateNode,
  CallNode,
  CaseNode,
  CastNode,
  ExpressionNode,
  Operand,
  WindowFunctionNode,
  WindowNode,
} from "../ast/expression.js";
import {
  type Binder,
  countBinder,
  numberBinder,
  operandBinder,
  storedBinder,
  type Target,
  textBinder,
} from "../value/binder.js";
import { codecOf } from "../value/column-codec.js";
import type { Output } from "../value/output.js";
import { type AggregateFunction, type CallName, castTargets } from "../words/functions.js";
import type { Kind } from "../words/operators.js";
import { type Comparable, requireOrder } from "./comparison.js";
import { resolveCondition } from "./condition.js";
import { dateCondition, specialDates } from "./dates.js";
import { resolveDistance } from "./distance.js";
import { compared } from "./layout.js";
import { hasOrder } from "./operators.js";
import type { Resolution } from "./resolution.js";
import type { Call, Case, Condition, Field, Literal, Parameter } from "./resolved.js";
import {
  type Result,
  resultOfAggregate,
  resultOfCall,
  resultOfCast,
  resultOfDistance,
  type Value,
} from "./result.js";
import { isCount, overWindow, rankingOf, takesField } from "./window.js";

/** The values of a field. */
export function valueOfField(field: Field): Value {
  const { storage, schema } = field.column;
  return { expression: field, storage, nullable: field.nullable, schema };
}

/** What an expression gives under a name. */
export function outputOf(
  { storage, nullable, schema }: Result,
  name: string,
  { grammar }: Resolution,
): Output {
  const codec = codecOf({ storage, schema }, grammar);
  // Where the dialect knows no empty text, NULL is what stands for it.
  const empty = grammar.emptyTextIsNull && storage.kind === "text" && !nullable;
  return { name, kind: storage.kind, nullable, ...codec, ...(empty ? { ifNull: "" } : {}) };
}

/** What is compared where a value is, in the words of errors. */
export function comparableOf({ storage }: Result): Comparable {
  return { kind: storage.kind, storage, property: "its value" };
}

/** A field by its name, or another expression. */
export function resolveOperand(
  operand: Operand | undefined,
  path: string,
  resolution: Resolution,
): Value | undefined {
  if (typeof operand === "object" && operand !== null) return resolveNode(operand, path, resolution);
  const field = resolution.field(operand, path);
  return field === undefined ? undefined : valueOfField(field);
}

/** Resolves an expression. */
export function resolveNode(node: ExpressionNode, path: string, resolution: Resolution): Value | undefined {
  switch (node.kind) {
    case "aggregate":
      return resolveAggregate(node, path, resolution);
    case "call":
      return resolveCall(node, path, resolution);
    case "cast":
      return resolveCast(node, path, resolution);
    case "case":
      return resolveCase(node, path, resolution);
    case "window function":
      return resolveRanking(node, path, resolution, false);
    case "window":
      return resolveWindow(node, path, resolution);
    case "distance": {
      const distance = resolveDistance(node, (part) => `${path}.${part}`, resolution);
      if (distance === undefined) return undefined;
      return { expression: distance.expression, ...resultOfDistance(distance.field.nullable) };
    }
  }
}

const allRows: Literal = { kind: "literal", sql: "*" };
const eachRow: Literal = { kind: "literal", sql: "1" };

/** Resolves a function that gathers rows. */
export function resolveAggregate(
  { func, operand, filter }: Pick<AggregateNode, "func" | "operand" | "filter">,
  path: string,
  resolution: Resolution,
): Value | undefined {
  const ofRows = func === "count" && (operand === undefined || operand === "*");
  const of = ofRows ? undefined : resolveGathered(func, operand, `${path}.field`, resolution);
  const condition = filter === undefined ? undefined : resolveCondition(filter, `${path}.filter`, resolution);
  const isBroken = (!ofRows && of === undefined) || (filter !== undefined && condition === undefined);
  return isBroken ? undefined : aggregated(func, of, condition, resolution);
}

function resolveGathered(
  func: AggregateFunction,
  operand: Operand | undefined,
  path: string,
  resolution: Resolution,
): Value | undefined {
  if (operand === undefined) {
    resolution.add("INVALID_AGGREGATE", `${func} needs a field`, path);
    return undefined;
  }
  const value = resolveOperand(operand, path, resolution);
  if (value === undefined || func === "count") return value;
  const { storage } = value;
  const refuse = (what: string) => {
    const message = `${func} takes a field ${what}, ${nameOf(value)} holds ${storage.kind}`;
    resolution.add("INVALID_AGGREGATE", message, path);
  };
  if (func === "count_distinct") {
    if (value.expression.kind !== "field") return value;
    resolution.comparable(value.expression.column, path);
    // Those that are one are counted once.
    return { ...value, expression: compared(value.expression) };
  } else if (func === "sum" || func === "avg") {
    if (!isNumber(storage.kind)) refuse("of numbers");
  } else if (hasOrder(storage.kind)) requireOrder(value, path, resolution);
  else refuse("that has an order");
  return value;
}

const templates: { readonly [F in Exclude<AggregateFunction, "sum" | "avg">]: string } = {
  count: "COUNT({f})",
  count_distinct: "COUNT(DISTINCT {f})",
  min: "MIN({f})",
  max: "MAX({f})",
};

/** A function over the values of an expression, or over all rows: over those that a condition leaves. */
export function aggregated(
  func: AggregateFunction,
  of: Value | undefined,
  filter: Condition | undefined,
  { grammar: { expressions } }: Resolution,
): Value {
  const result = resultOfAggregate(func, of);
  const template =
    func === "sum" ? expressions.sum(result.storage) : func === "avg" ? expressions.avg : templates[func];
  if (filter === undefined || expressions.filters) {
    const operand = of?.expression ?? allRows;
    return { expression: { kind: "aggregate", template, operand, filter }, ...result };
  }
  const whens = [{ condition: filter, result: of?.expression ?? eachRow }];
  const operand = { kind: "case", whens, otherwise: undefined } as const;
  return { expression: { kind: "aggregate", template, operand, filter: undefined }, ...result };
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

function resolveCall(node: CallNode, path: string, resolution: Resolution): Value | undefined {
  const { func, operands, params: names, digits } = node;
  if (func === "concat" && operands.length === 0)
    resolution.add("INVALID_FIELD", "concat needs at least one field", path);
  const values = operands.flatMap((operand) => {
    const value = resolveOperand(operand, path, resolution);
    if (value !== undefined && !takes(func, value.storage.kind)) {
      const message = `${func} cannot take field ${nameOf(value)} (${value.storage.kind})`;
      resolution.add("INVALID_OPERATOR", message, path);
    }
    return value ?? [];
  });
  const [first] = values;
  const params = names.flatMap((name, i): readonly Parameter[] => {
    const param = resolution.param(name, path);
    if (param === undefined) return [];
    const binder = () => binderOf(func, i, first, param, resolution);
    return [{ kind: "parameter", name: param, binder, form: undefined }];
  });
  if (digits !== undefined && !isCount(digits, 0, 15))
    resolution.add("INVALID_PARAM", "round takes a whole number of digits from 0 to 15", path);
  if (values.length < operands.length) return undefined;
  const nulled = func === "null_if" ? nullIfDate(first, params[0], resolution) : undefined;
  if (nulled !== undefined) return { expression: nulled, ...resultOfCall(func, first) };
  const { expressions } = resolution.grammar;
  const expression: Call = {
    kind: "call",
    template: func === "round" ? roundOf(first, digits ?? 0, resolution) : expressions.calls[func],
    operands: values.map((value) => value.expression),
    separator: expressions.fieldSeparator ?? ", ",
    params,
  };
  return { expression: withinArguments(expression, expressions.mostArguments), ...resultOfCall(func, first) };
}

// Only joined texts have that many operands, and joining parts first gives the same text.
function withinArguments(call: Call, most: number | undefined): Call {
  const { operands } = call;
  if (most === undefined || operands.length <= most) return call;
  const parts: Call[] = [];
  for (let from = 0; from < operands.length; from += most)
    parts.push({ ...call, operands: operands.slice(from, from + most) });
  return withinArguments({ ...call, operands: parts }, most);
}

/** NULLIF of dates of which several stored values are one. */
function nullIfDate(
  value: Value | undefined,
  param: Parameter | undefined,
  { grammar }: Resolution,
): Case | undefined {
  const dates = value === undefined ? undefined : specialDates(value.storage, grammar);
  if (value === undefined || param === undefined || dates === undefined) return undefined;
  const { expression: result } = value;
  const whens = [{ condition: dateCondition(result, "!=", param, dates), result }];
  return { kind: "case", whens, otherwise: undefined };
}

function takes(func: CallName, kind: Kind): boolean {
  if (textCalls.has(func)) return kind === "text";
  return numberCalls.has(func) ? isNumber(kind) : kind !== "json" && kind !== "vector";
}

// A bigint has nothing to round, and a server would make a number of it that cannot hold it.
function roundOf(operand: Result | undefined, digits: number, { grammar }: Resolution): string {
  const storage = operand?.storage ?? { kind: "number" };
  return storage.kind === "bigint" ? "{f}" : grammar.expressions.round(storage, digits);
}

function binderOf(
  func: CallName,
  index: number,
  operand: Value | undefined,
  param: string,
  { grammar, table }: Resolution,
): Binder {
  const place = { param, table };
  if (func === "substring") return countBinder(place, index === 0 ? 1 : 0);
  if (func === "replace") return textBinder(place);
  if (func === "power" || operand === undefined) return numberBinder(place);
  return operandBinder(targetOf(operand), grammar, place);
}

function targetOf(value: Value): Target {
  return value.expression.kind === "field" ? value.expression.column : { ...value, property: "its value" };
}

const castNames: ReadonlySet<unknown> = new Set(castTargets);

function resolveCast({ operand, to }: CastNode, path: string, resolution: Resolution): Value | undefined {
  const value = resolveOperand(operand, path, resolution);
  if (!castNames.has(to)) {
    resolution.add("INVALID_OPERATOR", `a cast makes ${listed(castTargets)}`, path);
    return undefined;
  }
  if (value === undefined) return undefined;
  const { kind } = value.storage;
  const scalar = kind === "text" || kind === "boolean" || kind === "date" || isNumber(kind);
  const sensible = to === "date" ? kind === "text" || kind === "date" : kind !== "date" || to === "text";
  if (!scalar || !sensible) {
    const message = `field ${nameOf(value)} (${kind}) cannot be cast to ${String(to)}`;
    resolution.add("INVALID_OPERATOR", message, path);
    return undefined;
  }
  const template = resolution.grammar.expressions.cast(value.storage, to);
  const expression = {
    kind: "call",
    template,
    operands: [value.expression],
    separator: "",
    params: [],
  } as const;
  return { expression, ...resultOfCast(to, value) };
}

function resolveCase(
  { labels, whens, otherwise }: CaseNode,
  path: string,
  resolution: Resolution,
): Value | undefined {
  const resolved = whens.flatMap(({ condition, param }, i) => {
    const holds = resolveCondition(condition, `${path}.when[${i}]`, resolution);
    const result = labelOf(labels, param, `${path}.when[${i}]`, resolution);
    return holds === undefined || result === undefined ? [] : { condition: holds, result };
  });
  if (whens.length === 0)
    resolution.add("INVALID_CONDITION", "caseWhen needs at least one condition: call when(…)", path);
  const last = otherwise === undefined ? undefined : labelOf(labels, otherwise, `${path}.else`, resolution);
  const { storage, schema } = labels;
  const nullable = labels.nullable || otherwise === undefined;
  return { expression: { kind: "case", whens: resolved, otherwise: last }, storage, nullable, schema };
}

function labelOf(
  labels: CaseNode["labels"],
  name: unknown,
  path: string,
  resolution: Resolution,
): Call | undefined {
  const param = resolution.param(name, path);
  if (param === undefined) return undefined;
  const { grammar, table } = resolution;
  const target = { ...labels, property: "the label of a CASE" };
  const bindAs = labels.nullable ? storedBinder : operandBinder;
  const binder = () => bindAs(target, grammar, { param, table });
  return {
    kind: "call",
    template: grammar.expressions.typed(labels.storage),
    operands: [],
    separator: "",
    params: [{ kind: "parameter", name: param, binder, form: undefined }],
  };
}

function resolveRanking(
  node: WindowFunctionNode,
  path: string,
  resolution: Resolution,
  inFrame: boolean,
): Value | undefined {
  const { operand } = node;
  if (operand === undefined && !takesField(node.func))
    return rankingOf(node, undefined, inFrame, path, resolution);
  const of = resolveOperand(operand, `${path}.field`, resolution);
  return of === undefined ? undefined : rankingOf(node, of, inFrame, path, resolution);
}

function resolveWindow({ of, window }: WindowNode, path: string, resolution: Resolution): Value | undefined {
  if (of.kind === "aggregate" && of.func === "count_distinct")
    resolution.add("INVALID_AGGREGATE", "no database counts different values over a window", path);
  const value =
    of.kind === "aggregate"
      ? resolveAggregate(of, path, resolution)
      : resolveRanking(of, path, resolution, Object(window).frame !== undefined);
  return overWindow(value, window, `${path}.over`, resolution);
}

/** What a value is called in errors. */
function nameOf({ expression }: Value): string {
  return expression.kind === "field" ? quoted(expression.column.property) : "an expression";
}

function isNumber(kind: Kind): boolean {
  return kind === "number" || kind === "bigint";
}
