/** Resolves functions of one row that are templates of the grammar. */

import type { CallNode, OperandNode } from "../../ast/expression.js";
import type { Storage } from "../../declare/declaration.js";
import { boundBeside } from "../../dialect/grammar/value-codec.js";
import { operandBinder } from "../../value/binder.js";
import type { BuildErrorCode } from "../../words/errors.js";
import type { CallName } from "../../words/functions.js";
import { type Kind, meets } from "../../words/kinds.js";
import { calls, numberArgument } from "../scope/functions.js";
import type { Resolution } from "../scope/resolution.js";
import type { Case, ParameterPlace, ResolvedCall, ResolvedExpression } from "../scope/resolved.js";
import { areAlike, nameOf, type ResolvedValue } from "../scope/result.js";
import { dateCondition, specialDates } from "./dates.js";
import { inGreatestScale, operandOfCall, templateOf } from "./decimals.js";
import { inOneForm } from "./instants.js";
import { operatorsOf } from "./operators.js";
import { argument } from "./param.js";
import { within } from "./path.js";
import { targetOf } from "./value.js";
import { isCount } from "./window.js";

/** The functions that need an operand, or an argument. */
const needed: {
  readonly [F in CallName]?: {
    readonly part: "operands" | "params";
    readonly code: BuildErrorCode;
    readonly message: string;
  };
} = {
  concat: { part: "operands", code: "INVALID_FIELD", message: "concat needs at least one field" },
  coalesce: {
    part: "params",
    code: "INVALID_PARAM",
    message: "coalesce needs a parameter or an operand after the first",
  },
};

/** Resolves a function of one row. */
export function resolveCall(node: CallNode, path: string, resolution: Resolution): ResolvedValue | undefined {
  const { func, operands, params: nodes, digits } = node;
  const need = needed[func];
  if (need !== undefined && node[need.part].length === 0) resolution.add(need.code, need.message, path);
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
  const template = templateOf(func, first, params, digits ?? 0, resolution);
  const expression = (forms[func] ?? called)({ func, template, values, params }, resolution);
  return { expression, ...calls[func].gives(first, params, digits ?? 0) };
}

/** The parts of a call. */
interface Called {
  readonly func: CallName;
  readonly template: string;
  readonly values: readonly ResolvedValue[];
  readonly params: readonly ResolvedValue[];
}

/** The functions that are more than their template. */
const forms: { readonly [F in CallName]?: (parts: Called, resolution: Resolution) => ResolvedExpression } = {
  concat: joined,
  coalesce: firstOf,
  null_if: nulled,
};

function called({ func, template, values, params }: Called, resolution: Resolution): ResolvedCall {
  return {
    kind: "call",
    template,
    operands: values.map((value) => operandOfCall(func, value, resolution)),
    separator: ", ",
    params: params.map(({ expression }) => expression),
  };
}

function joined(parts: Called, resolution: Resolution): ResolvedExpression {
  const { fieldSeparator, mostArguments } = resolution.grammar.expressions;
  const call = called(parts, resolution);
  return withinArguments({ ...call, separator: fieldSeparator ?? call.separator }, mostArguments);
}

// The operands form one list, whatever their number is.
function firstOf({ values, params, ...parts }: Called, resolution: Resolution): ResolvedExpression {
  const all = called({ ...parts, values: [...values, ...params], params: [] }, resolution);
  const [first] = values;
  return first === undefined ? all : oneOf(all, first.storage, resolution);
}

function nulled(parts: Called, resolution: Resolution): ResolvedExpression {
  return nullIfDate(parts.values[0], parts.params[0], resolution) ?? called(parts, resolution);
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
  const { argument: form } = calls[func];
  const beside = form?.values ?? first ?? numberArgument.values;
  if (typeof node === "object" && node.kind === "param" && node.of === undefined) {
    const name = resolution.param(node.name, path);
    if (name === undefined) return undefined;
    const { grammar, table } = resolution;
    const place = { param: name, table };
    const binder = () =>
      form === undefined && first !== undefined
        ? operandBinder(targetOf(first), grammar, place)
        : (form ?? numberArgument).bind(place, index);
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
  const { takes: need } = calls[func];
  return need === undefined ? operatorsOf(kind).size > 0 : meets(kind, need);
}
