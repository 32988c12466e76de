/** Resolves arithmetic: numbers with numbers, bigints with bigints, decimals with decimals and whole numbers. */
import type { ArithmeticNode, OperandNode } from "../../ast/expression.js";
import type { Storage } from "../../declare/declaration.js";
import type { Origin } from "../../dialect/grammar/arithmetic.js";
import { textFor } from "../../dialect/grammar/declared.js";
import { decimalOf } from "../../kind/decimals.js";
import type { ArithmeticFunction } from "../../words/functions.js";
import { meets } from "../../words/kinds.js";
import type { Resolution } from "../scope/resolution.js";
import type { ResolvedCall, ResolvedExpression } from "../scope/resolved.js";
import { isStoredField, nameOf, type ResolvedValue, type ValueResult } from "../scope/result.js";
import { requireScale, scaleOfResult } from "./decimals.js";
import { isUntyped, withoutValues } from "./param.js";

// A division by zero is NULL.
const dividing: ReadonlySet<ArithmeticFunction> = new Set<ArithmeticFunction>(["div", "mod"]);

/** Resolves a calculation. */
export function resolveArithmetic(
  { func, operands }: ArithmeticNode,
  path: string,
  resolution: Resolution,
): ResolvedValue | undefined {
  const values = resolveBeside(operands, path, resolution, exactly);
  if (values === undefined) return undefined;
  const problem = problemOf(func, values);
  if (problem !== undefined) {
    resolution.add("INVALID_CONDITION", problem, path);
    return undefined;
  }
  const [first, second = first] = values;
  if (first === undefined || second === undefined) return undefined;
  const { numbers, decimals } = resolution.grammar.expressions;
  const nullable = dividing.has(func) || values.some((value) => value.nullable);
  if (values.some(isDecimal)) {
    const scales = scaleOfResult(func, first.storage, second.storage);
    if (!requireScale(scales.result, path, resolution)) return undefined;
    const params = values.map((value, i) => operandOf(value, operands[i], decimals.operand, resolution));
    const expression = called(decimals.calculated[func](scales), params);
    return { expression, storage: decimalOf(scales.result), nullable };
  }
  const storage = storageOf(first.storage, second.storage);
  const params = values.map((value, i) => operandOf(value, operands[i], numbers.operand, resolution));
  return { expression: called(numbers.calculated[func](storage), params), storage, nullable };
}

/** The problem with the kinds of operands. */
function problemOf(func: ArithmeticFunction, values: readonly ResolvedValue[]): string | undefined {
  const text = values.find(({ storage }) => !meets(storage.kind, "a number"));
  if (text !== undefined) return `${func} takes numbers, ${nameOf(text)} holds ${text.storage.kind}`;
  if (values.some(isDecimal)) {
    const double = values.find((value) => !isDecimal(value) && value.storage.integer !== true);
    if (double === undefined) return undefined;
    return `${func} takes decimals with decimals, whole numbers or bigints, and ${nameOf(double)} is a number that may have a fraction: cast one`;
  }
  const [first, second = first] = values;
  if (first === undefined || second === undefined || first.storage.kind === second.storage.kind)
    return undefined;
  return `${func} takes two numbers or two bigints, not ${nameOf(first)} (${first.storage.kind}) and ${nameOf(second)} (${second.storage.kind}): cast one`;
}

function isDecimal({ storage }: ResolvedValue): boolean {
  return storage.kind === "decimal";
}

// Arithmetic has no texts, so text of digits is a decimal with the digits that it has.
const exactly: ValueResult = { storage: { kind: "decimal", precision: 0, scale: 0 }, nullable: false };

/**
 * Resolves operands. A parameter without a schema, or a constant, has the values of the first operand that is neither.
 * Undefined if one of the operands has a problem.
 * @param besideText the type of constants that are texts, whatever the other operands are.
 */
export function resolveBeside(
  operands: readonly OperandNode[],
  path: string,
  resolution: Resolution,
  besideText?: ValueResult,
): readonly ResolvedValue[] | undefined {
  const known = [isKnown, isConstant].map((is) => operands.findIndex(is)).find((at) => at !== -1) ?? -1;
  const resolve = (operand: OperandNode, beside?: ValueResult) =>
    resolution.node(operand, path, isText(operand) ? (besideText ?? beside) : beside);
  const anchor = known === -1 ? undefined : resolve(operands[known] ?? "");
  // Its own problem is enough. The other operands would only report that they have no type.
  if (known !== -1 && anchor === undefined) return undefined;
  const beside: ValueResult | undefined =
    anchor === undefined ? undefined : { storage: bare(anchor.storage), nullable: anchor.nullable };
  const values = operands.flatMap((operand, i) =>
    i === known ? (anchor ?? []) : (resolve(operand, beside) ?? []),
  );
  return values.length < operands.length ? undefined : values;
}

function isKnown(operand: OperandNode): boolean {
  return !isUntyped(operand);
}

function isConstant(operand: OperandNode): boolean {
  return typeof operand === "object" && operand.kind === "constant";
}

function isText(operand: OperandNode): boolean {
  return typeof operand === "object" && operand.kind === "constant" && typeof operand.value === "string";
}

function storageOf(one: Storage, other: Storage): Storage {
  const integer = one.integer === true && other.integer === true;
  return { kind: one.kind, ...(integer ? { integer } : {}) };
}

/** The storage of a value next to another: without sums of many bigints, and without a set of allowed values. */
function bare(storage: Storage): Storage {
  const { wide: _, ...narrow } = withoutValues(storage);
  return narrow;
}

/** An operand in the type in which the dialect calculates. */
function operandOf(
  { expression, storage }: ResolvedValue,
  operand: OperandNode | undefined,
  typed: (storage: Storage, origin: Origin) => string,
  { grammar }: Resolution,
): ResolvedExpression {
  const template = typed(storage, originOf(expression, operand));
  return template === "{f}"
    ? expression
    : { kind: "call", template, operands: [expression], separator: "", params: [] };

  function originOf(from: ResolvedExpression, node: OperandNode | undefined): Origin {
    if (isStoredField(from)) return { from: "column", type: textFor(from.column.type, grammar.dialect) };
    const kind = typeof node === "object" ? node.kind : undefined;
    if (kind === "arithmetic") return { from: kind };
    return { from: kind === "param" || kind === "constant" ? "parameter" : "other" };
  }
}

function called(template: string, params: readonly ResolvedExpression[]): ResolvedCall {
  return { kind: "call", template, operands: [], separator: "", params };
}
