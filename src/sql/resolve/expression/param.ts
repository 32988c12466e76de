/** Resolves operands that are values: parameters and constants. */

import { describeType, isDate } from "../../../core/errors.js";
import type { InvalidNode, OperandNode, ParamNode } from "../../ast/expression.js";
import type { ConstantNode } from "../../ast/given-node.js";
import type { ByDialect, Storage } from "../../declare/declaration.js";
import { boundIn } from "../../dialect/grammar/value-codec.js";
import { MOST_DIGITS } from "../../kind/decimals.js";
import { type Binder, type BinderPlace, operandBinder, storedBinder } from "../../value/binder.js";
import { codecOf } from "../../value/column-codec.js";
import { EXPRESSION } from "../../words/names.js";
import type { Resolution } from "../scope/resolution.js";
import type { Form, ParameterPlace, ResolvedCall } from "../scope/resolved.js";
import type { GivenParam } from "../scope/resolved-parameter.js";
import type { ResolvedValue, ValueResult } from "../scope/result.js";
import { requireScale } from "./decimals.js";

/** A parameter as an operand. It has the values of its schema, or of the other operand. */
export function resolveParam(
  { name: given, of }: ParamNode,
  path: string,
  resolution: Resolution,
  beside: ValueResult | undefined,
): ResolvedValue | undefined {
  const name = resolution.param(given, path);
  if (name === undefined) return undefined;
  const described = of ?? beside;
  if (described === undefined) {
    const message = `nothing says the type of parameter ${JSON.stringify(name)}: give it a schema, param(name, schema)`;
    resolution.add("INVALID_CONDITION", message, path);
    return undefined;
  }
  const { storage, schema } = described;
  const result = { storage, nullable: of?.nullable === true, schema };
  const parameter = argument(name, storage, binderOf(result, name, resolution), resolution);
  return { expression: typed(parameter, storage, resolution), ...result };
}

/** Binds the values of a parameter that has the type of a schema or a column. */
export function binderOf(result: ValueResult, param: string, { grammar, table }: Resolution): () => Binder {
  const bindAs = result.nullable ? storedBinder : operandBinder;
  return () => bindAs({ ...result, property: EXPRESSION }, grammar, { param, table });
}

/** Whether the type of an operand depends on the other operand: a parameter without a schema, or a constant. */
export function isUntyped(operand: OperandNode): boolean {
  if (typeof operand === "string") return false;
  return operand.kind === "constant" || (operand.kind === "param" && operand.of === undefined);
}

/** A parameter of a function. */
export function argument(
  name: string,
  storage: Storage,
  binder: () => Binder,
  { grammar }: Pick<Resolution, "grammar">,
  type?: ByDialect,
): ParameterPlace {
  return {
    kind: "parameter",
    name,
    binder,
    form: { operand: "argument", column: { kind: storage.kind, storage, type } },
    template: boundIn(storage, grammar),
  };
}

/** The parameter of a constant value of the program: it is bound, and is not a parameter of `exec`. */
export function constantParameter(
  value: unknown,
  form: Form & { readonly column: object },
  binder: () => Binder,
  { grammar }: Pick<Resolution, "grammar">,
): ParameterPlace {
  const template = boundIn(form.column.storage, grammar);
  return { kind: "parameter", name: "", binder, form, template, constant: { value } };
}

/** A parameter or a constant, as the errors of its binder name it. @param property the field that it is compared with. */
export function placeOf(
  { name, constant }: GivenParam,
  property: string,
  { table }: Pick<Resolution, "table">,
): BinderPlace {
  return constant === undefined ? { param: name, table } : { param: property, table, isConstant: true };
}

/** The binder of a parameter, or of a constant in its place: if its value is known, a call gives none. */
export function boundTo({ constant }: GivenParam, binder: () => Binder): () => Binder {
  if (constant === undefined || "hole" in constant) return binder;
  const { value } = constant;
  return () => {
    const bind = binder();
    return () => bind(value);
  };
}

/** A parameter that is cast to its type, because nothing else tells the server the type. */
export function typed(parameter: ParameterPlace, storage: Storage, { grammar }: Resolution): ResolvedCall {
  return inTemplate(grammar.expressions.typed(storage), parameter);
}

/** A parameter in a template with no other operands. */
export function inTemplate(template: string, parameter: ParameterPlace): ResolvedCall {
  return { kind: "call", template, operands: [], separator: "", params: [parameter] };
}

/** A constant of the program. With an operand of its kind, it has the type of that operand. */
export function resolveConstant(
  { value }: ConstantNode,
  path: string,
  resolution: Resolution,
  beside: ValueResult | undefined,
): ResolvedValue | undefined {
  const own =
    beside?.storage.kind === "decimal" ? decimalConstant(value, beside.storage) : storageOfConstant(value);
  if (own === undefined) {
    const message = `a constant is a text, a number, a bigint, a boolean or a Date, not ${describeType(value)}`;
    resolution.add("INVALID_CONDITION", message, path);
    return undefined;
  }
  const storage =
    beside !== undefined && includesStorage(beside.storage, own) ? withoutValues(beside.storage) : own;
  if (storage.kind === "decimal" && !requireScale(storage.scale ?? 0, path, resolution)) return undefined;
  const { fault, encode } = codecOf({ storage }, resolution.grammar);
  const problem = fault(value);
  if (problem !== undefined) {
    resolution.add("INVALID_CONDITION", `a constant for this operand takes ${problem}`, path);
    return undefined;
  }
  const encoded = encode(value);
  const form = { operand: "argument", column: { kind: storage.kind, storage } } as const;
  const parameter = constantParameter(value, form, () => () => encoded, resolution);
  return { expression: typed(parameter, storage, resolution), storage, nullable: false };
}

/** Refuses a value that an untyped caller gave in place of an operand. */
export function refuseInvalid({ what }: InvalidNode, path: string, resolution: Resolution): undefined {
  const message = `an operand is the name of a field, an expression, param(…) or value(…), not ${what}`;
  resolution.add("INVALID_FIELD", message, path);
  return undefined;
}

// With a decimal, a text of digits is also a decimal: with the same scale, or with its own if that is greater.
function decimalConstant(value: unknown, { precision = 0, scale: least = 0 }: Storage): Storage | undefined {
  if (typeof value !== "string") return storageOfConstant(value);
  const [whole = "", fraction = ""] = value.replace(/^-?0*/, "").split(".");
  const scale = Math.max(fraction.length, least);
  const digits = Math.max(whole.length, precision - least, 1) + scale;
  return { kind: "decimal", precision: Math.min(digits, Math.max(MOST_DIGITS, scale)), scale };
}

/** The storage of a constant alone; undefined for a value that cannot be a constant. */
export function storageOfConstant(value: unknown): Storage | undefined {
  switch (typeof value) {
    case "string":
      return { kind: "text" };
    case "number":
      return Number.isSafeInteger(value) ? { kind: "number", integer: true } : { kind: "number" };
    case "bigint":
      return { kind: "bigint", integer: true };
    case "boolean":
      return { kind: "boolean" };
    default:
      return isDate(value) ? { kind: "date" } : undefined;
  }
}

/**
 * Whether values of one storage include those of another. A whole number is also a number, but a fraction is not a
 * whole number. A decimal has its own digits.
 */
export function includesStorage(beside: Storage, own: Storage): boolean {
  return (
    own.kind !== "decimal" && beside.kind === own.kind && (beside.integer !== true || own.integer === true)
  );
}

/** The storage without its set of allowed values. */
export function withoutValues({ values: _, ...storage }: Storage): Storage {
  return storage;
}
