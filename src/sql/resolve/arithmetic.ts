/** Resolves arithmetic: numbers with numbers, bigints with bigints. */
import type { ArithmeticNode, Operand } from "../ast/expression.js";
import type { Storage } from "../declare/declaration.js";
import type { Origin } from "../dialect/arithmetic.js";
import { textFor } from "../dialect/declared.js";
import { meets } from "../words/kinds.js";
import { isUntyped, withoutValues } from "./param.js";
import type { Resolution } from "./resolution.js";
import type { Call, Expression } from "./resolved.js";
import { nameOf, type Result, type Value } from "./result.js";

/** Resolves a calculation. */
export function resolveArithmetic(
  { func, operands }: ArithmeticNode,
  path: string,
  resolution: Resolution,
): Value | undefined {
  const values = resolveBeside(operands, path, resolution);
  if (values === undefined) return undefined;
  for (const value of values)
    if (!meets(value.storage.kind, "a number")) {
      const message = `${func} takes numbers, ${nameOf(value)} holds ${value.storage.kind}`;
      resolution.add("INVALID_CONDITION", message, path);
      return undefined;
    }
  const [first, second = first] = values;
  if (first === undefined || second === undefined) return undefined;
  if (first.storage.kind !== second.storage.kind) {
    const message = `${func} takes two numbers or two bigints, not ${nameOf(first)} (${first.storage.kind}) and ${nameOf(second)} (${second.storage.kind}): cast one`;
    resolution.add("INVALID_CONDITION", message, path);
    return undefined;
  }
  if (first.storage.kind === "decimal") {
    resolution.unsupported("arithmetic of decimals", "sum them, or calculate in the application", path);
    return undefined;
  }
  const storage = storageOf(first.storage, second.storage);
  const { numbers } = resolution.grammar.expressions;
  const params = values.map((value, i) => operandOf(value, operands[i], resolution));
  const byZero = func === "div" || func === "mod";
  return {
    expression: called(numbers.calculated(func, storage), params),
    storage,
    nullable: byZero || values.some(({ nullable }) => nullable),
  };
}

/**
 * Operands, of which a parameter without a schema, or a constant, has the values of the first that is neither.
 * Undefined where one of them has a problem.
 */
export function resolveBeside(
  operands: readonly Operand[],
  path: string,
  resolution: Resolution,
): readonly Value[] | undefined {
  const known = [isKnown, isConstant].map((is) => operands.findIndex(is)).find((at) => at !== -1) ?? -1;
  const anchor = known === -1 ? undefined : resolution.node(operands[known] ?? "", path);
  // Its own problem is enough: the others would only say that nothing stands beside them.
  if (known !== -1 && anchor === undefined) return undefined;
  const beside: Result | undefined =
    anchor === undefined ? undefined : { storage: bare(anchor.storage), nullable: anchor.nullable };
  const values = operands.flatMap((operand, i) =>
    i === known ? (anchor ?? []) : (resolution.node(operand, path, beside) ?? []),
  );
  return values.length < operands.length ? undefined : values;
}

function isKnown(operand: Operand): boolean {
  return !isUntyped(operand);
}

function isConstant(operand: Operand): boolean {
  return typeof operand === "object" && operand.kind === "constant";
}

function storageOf(one: Storage, other: Storage): Storage {
  const integer = one.integer === true && other.integer === true;
  return { kind: one.kind, ...(integer ? { integer } : {}) };
}

/** What a value beside one of a storage may be: no sum of many bigints, and not one of a few allowed values. */
function bare(storage: Storage): Storage {
  const { wide: _, ...narrow } = withoutValues(storage);
  return narrow;
}

/** An operand in the type in which the dialect calculates. */
function operandOf(
  { expression, storage }: Value,
  operand: Operand | undefined,
  { grammar }: Resolution,
): Expression {
  const template = grammar.expressions.numbers.operand(storage, originOf(expression, operand));
  return template === "{f}"
    ? expression
    : { kind: "call", template, operands: [expression], separator: "", params: [] };

  function originOf(from: Expression, node: Operand | undefined): Origin {
    if (from.kind === "field") return { from: "column", type: textFor(from.column.type, grammar.dialect) };
    const kind = typeof node === "object" ? node.kind : undefined;
    if (kind === "arithmetic") return { from: kind };
    return { from: kind === "param" || kind === "constant" ? "parameter" : "other" };
  }
}

function called(template: string, params: readonly Expression[]): Call {
  return { kind: "call", template, operands: [], separator: "", params };
}
