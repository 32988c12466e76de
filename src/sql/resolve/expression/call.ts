/** Resolves functions of one row that are templates of the grammar. */

import type { CallNode, OperandNode } from "../../ast/expression.js";
import type { Storage } from "../../declare/declaration.js";
import { boundBeside } from "../../dialect/grammar/value-codec.js";
import { type Binder, countBinder, numberBinder, operandBinder, textBinder } from "../../value/binder.js";
import type { CallName } from "../../words/functions.js";
import { type Kind, meets } from "../../words/kinds.js";
import type { Resolution } from "../scope/resolution.js";
import type { Case, ParameterPlace, ResolvedCall, ResolvedExpression } from "../scope/resolved.js";
import { areAlike, nameOf, type ResolvedValue, resultOfCall, type ValueResult } from "../scope/result.js";
import { dateCondition, specialDates } from "./dates.js";
import { inGreatestScale, operandOfCall, templateOf } from "./decimals.js";
import { inOneForm } from "./instants.js";
import { operatorsOf } from "./operators.js";
import { argument } from "./param.js";
import { within } from "./path.js";
import { targetOf } from "./value.js";
import { isCount } from "./window.js";

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

/** Resolves a function of one row. */
export function resolveCall(node: CallNode, path: string, resolution: Resolution): ResolvedValue | undefined {
  const { func, operands, params: nodes, digits } = node;
  if (func === "concat" && operands.length === 0)
    resolution.add("INVALID_FIELD", "concat needs at least one field", path);
  if (func === "coalesce" && nodes.length === 0)
    resolution.add("INVALID_PARAM", "coalesce needs a parameter or an operand after the first", path);
  const taken = operands.flatMap((operand) => resolveTaken(func, operand, path, resolution) ?? []);
  const others = nodes.flatMap((one, i) => resolveArgument(func, i, one, taken[0], path, resolution) ?? []);
  const scaled = inGreatestScale(inOneForm([...taken, ...others], resolution), resolution);
  const [values, params] = [scaled.slice(0, taken.length), scaled.slice(taken.length)];
  const [first] = values;
  if (digits !== undefined && !isCount(digits, 0, 15)) {
    resolution.add("INVALID_PARAM", "round takes a whole number of digits from 0 to 15", path);
    return undefined;
  }
  if (first === undefined ? operands.length > 0 : values.length < operands.length) return undefined;
  if (params.length < nodes.length) return undefined;
  const result = resultOfCall(func, first, params, digits);
  const nulled = func === "null_if" ? nullIfDate(first, params[0], resolution) : undefined;
  if (nulled !== undefined) return { expression: nulled, ...result };
  const { expressions } = resolution.grammar;
  const joins = func === "concat";
  // The operands of a coalesce form one list, whatever their number is.
  const all = func === "coalesce" ? [...values, ...params] : values;
  const expression: ResolvedCall = {
    kind: "call",
    template: templateOf(func, first, params, digits ?? 0, resolution),
    operands: all.map((value) => operandOfCall(func, value, resolution)),
    separator: (joins ? expressions.fieldSeparator : undefined) ?? ", ",
    params: func === "coalesce" ? [] : params.map((value) => value.expression),
  };
  const whole = withinArguments(expression, joins ? expressions.mostArguments : undefined);
  return { expression: func === "coalesce" ? oneOf(whole, result.storage, resolution) : whole, ...result };
}

/** One of several values of the same kind. */
export function oneOf(
  expression: ResolvedExpression,
  { kind }: Storage,
  { grammar }: Resolution,
): ResolvedExpression {
  const template = kind === "date" ? grammar.expressions.oneOfDates : undefined;
  return template === undefined ? expression : within(template, expression);
}

function resolveTaken(
  func: CallName,
  operand: OperandNode,
  path: string,
  resolution: Resolution,
): ResolvedValue | undefined {
  const value = resolution.node(operand, path);
  if (value !== undefined && !takes(func, value.storage.kind)) {
    const message = `${func} cannot take field ${nameOf(value)} (${value.storage.kind})`;
    resolution.add("INVALID_OPERATOR", message.replace("field an expression", "an expression"), path);
  }
  return value;
}

/** The other arguments of a function: a parameter by its name, or another operand. */
function resolveArgument(
  func: CallName,
  index: number,
  node: OperandNode,
  first: ResolvedValue | undefined,
  path: string,
  resolution: Resolution,
): ResolvedValue | undefined {
  const beside = besideOf(func, first);
  if (typeof node === "object" && node.kind === "param" && node.of === undefined) {
    const name = resolution.param(node.name, path);
    if (name === undefined) return undefined;
    const binder = () => binderOf(func, index, first, name, resolution);
    const template = boundBeside(beside.storage, resolution.grammar);
    const expression = { ...argument(name, beside.storage, binder, resolution), template };
    return { ...beside, expression, nullable: false };
  }
  const value = resolution.node(node, path, beside);
  if (value === undefined || areAlike(beside.storage, value.storage)) return value;
  const message = `${func} takes ${beside.storage.kind} here, not ${value.storage.kind}`;
  resolution.add("INVALID_CONDITION", message, path);
  return undefined;
}

/** The values of an argument. */
function besideOf(func: CallName, first: ResolvedValue | undefined): ValueResult {
  if (func === "substring") return { storage: { kind: "number", integer: true }, nullable: false };
  if (func === "replace") return { storage: { kind: "text" }, nullable: false };
  if (func === "power" || first === undefined) return { storage: { kind: "number" }, nullable: false };
  return first;
}

// Only joined texts have so many operands, and joining parts first gives the same text.
function withinArguments(call: ResolvedCall, most: number | undefined): ResolvedCall {
  const { operands } = call;
  if (most === undefined || operands.length <= most) return call;
  const parts: ResolvedCall[] = [];
  for (let from = 0; from < operands.length; from += most)
    parts.push({ ...call, operands: operands.slice(from, from + most) });
  return withinArguments({ ...call, operands: parts }, most);
}

/** NULLIF of dates that have several equal stored values. */
function nullIfDate(
  value: ResolvedValue | undefined,
  other: ResolvedValue | undefined,
  { grammar }: Resolution,
): Case | undefined {
  const dates = value === undefined ? undefined : specialDates(value.storage, grammar);
  const param = other === undefined || other.nullable ? undefined : boundIn(other.expression);
  if (value === undefined || param === undefined || dates === undefined) return undefined;
  const { expression: result } = value;
  const whens = [{ condition: dateCondition(result, "!=", param, dates), result }];
  return { kind: "case", whens, otherwise: undefined };
}

/** The parameter that an expression consists of, with or without a cast. */
function boundIn(expression: ResolvedExpression): ParameterPlace | undefined {
  if (expression.kind === "parameter") return expression;
  const [param, ...more] = expression.kind === "call" ? expression.params : [];
  const isAlone = expression.kind === "call" && expression.operands.length === 0 && more.length === 0;
  return isAlone && param?.kind === "parameter" ? param : undefined;
}

function takes(func: CallName, kind: Kind): boolean {
  if (textCalls.has(func)) return meets(kind, "text");
  return numberCalls.has(func) ? meets(kind, "a number") : operatorsOf(kind).size > 0;
}

function binderOf(
  func: CallName,
  index: number,
  operand: ResolvedValue | undefined,
  param: string,
  { grammar, table }: Resolution,
): Binder {
  const place = { param, table };
  if (func === "substring") return countBinder(place, index === 0 ? 1 : 0);
  if (func === "replace") return textBinder(place);
  if (func === "power" || operand === undefined) return numberBinder(place);
  return operandBinder(targetOf(operand), grammar, place);
}
