/** Exact decimals in expressions and conditions: their scales, functions over them, and scales that differ. */
import type { Storage } from "../../declare/declaration.js";
import type { Scales } from "../../dialect/grammar/decimals.js";
import { decimalOf, MORE_DIGITS, MOST_DIGITS } from "../../kind/decimals.js";
import type { ArithmeticFunction, CallName } from "../../words/functions.js";
import { aggregates, calls, type SingleAggregate } from "../scope/functions.js";
import type { Resolution } from "../scope/resolution.js";
import type { ResolvedCall, ResolvedExpression } from "../scope/resolved.js";
import type { ResolvedValue, ValueResult } from "../scope/result.js";

/** The scales of a calculation with decimals and whole numbers. */
export function scaleOfResult(func: ArithmeticFunction, one: Storage, other: Storage): Scales {
  const [left, right] = [one.scale ?? 0, other.scale ?? 0];
  return { left, right, result: resultScales[func](left, right) };
}

const resultScales: { readonly [F in ArithmeticFunction]: (left: number, right: number) => number } = {
  add: Math.max,
  sub: Math.max,
  mul: (left, right) => left + right,
  div: (left, right) => Math.max(left, right) + MORE_DIGITS,
  mod: Math.max,
  neg: Math.max,
};

/** Adds a problem if a result has more digits after the point than the dialect supports. */
export function requireScale(scale: number, path: string, resolution: Resolution): boolean {
  const most = resolution.grammar.unitDigits ?? MOST_DIGITS;
  if (scale <= most) return true;
  const hint = "round an operand to fewer digits, or declare a smaller scale";
  resolution.unsupported(`decimals with a scale of more than ${most}`, hint, path);
  return false;
}

/** Adds a problem if an average has more digits after the point than the dialect supports. */
export function requireDigits(
  func: SingleAggregate,
  operand: ValueResult,
  path: string,
  resolution: Resolution,
): void {
  const { scale = 0, kind } = aggregates[func].gives(operand).storage;
  if (kind === "decimal") requireScale(scale, path, resolution);
}

/** The template of a function by the kind of its operand, and by its other arguments. */
export function templateOf(
  func: CallName,
  operand: ValueResult | undefined,
  others: readonly ValueResult[],
  digits: number,
  { grammar: { expressions } }: Resolution,
): string {
  const storage = operand?.storage ?? { kind: "number" };
  const own = calls[func].template?.(expressions, storage, others, digits);
  // A rounding always has its own.
  return own ?? expressions.calls[func as Exclude<CallName, "round">];
}

/** The operand of a function: roots and powers of decimals are floating point numbers. */
export function operandOfCall(
  func: CallName,
  { expression, storage }: ResolvedValue,
  { grammar: { expressions } }: Resolution,
): ResolvedExpression {
  if (storage.kind !== "decimal" || calls[func].isFloating !== true) return expression;
  return called(expressions.cast(storage, "number"), expression);
}

/** The excess digits of a decimal in a storage, as errors describe them. */
export function excessOf({ kind, scale: own = 0 }: Storage, { scale = 0 }: Storage): string | undefined {
  return kind === "decimal" && own > scale
    ? `up to ${scale} digits after the point, and this one ${own}: round it`
    : undefined;
}

/** Values that can replace each other: decimals get the greatest of their scales, all others are unchanged. */
export function inGreatestScale(
  values: readonly ResolvedValue[],
  resolution: Resolution,
): readonly ResolvedValue[] {
  const scale = Math.max(...values.map(({ storage }) => storage.scale ?? 0));
  return values.map((value) => inScale(value, scale, resolution));
}

/** A decimal with at least as many digits after the point; any other value unchanged. */
export function inScale(value: ResolvedValue, scale: number, { grammar }: Resolution): ResolvedValue {
  const { kind, scale: own = 0, precision = 0 } = value.storage;
  if (kind !== "decimal" || own >= scale) return value;
  const { widened } = grammar.expressions.decimals;
  const storage = decimalOf(scale);
  if (widened === undefined) return { ...value, storage };
  const fits = precision - own + scale <= (grammar.unitDigits ?? MOST_DIGITS);
  return { ...value, storage, expression: called(widened(scale - own, fits), value.expression) };
}

/** Two decimals in a form in which equal ones are equal values, if they are whole numbers of their last digit. */
export function inOneScale(
  left: ResolvedValue,
  right: ResolvedValue,
  { grammar }: Resolution,
): { readonly left: ResolvedExpression; readonly right: ResolvedExpression } | undefined {
  const { widened } = grammar.expressions.decimals;
  const [one, other] = [left.storage, right.storage];
  if (widened === undefined || one.kind !== "decimal") return undefined;
  const scale = Math.max(one.scale ?? 0, other.scale ?? 0);
  const scaled = ({ expression, storage: { scale: own = 0 } }: ResolvedValue): ResolvedExpression =>
    // A value that exceeds 64 bits becomes a double, which is greater than all 64-bit values.
    own === scale ? expression : called(widened(scale - own, true), expression);
  return { left: scaled(left), right: scaled(right) };
}

/** A sum of bigints in 64 bits, if the dialect has its own form for such sums. It fails if the sum has more bits. */
export function narrowed(value: ResolvedValue, { grammar }: Pick<Resolution, "grammar">): ResolvedValue {
  if (value.storage.wide !== true || grammar.values.wide === undefined) return value;
  const { wide: _, ...storage } = value.storage;
  const template = grammar.expressions.numbers.operand(value.storage, { from: "other" });
  return { ...value, storage, expression: called(template, value.expression) };
}

function called(template: string, operand: ResolvedExpression): ResolvedCall {
  return { kind: "call", template, operands: [operand], separator: "", params: [] };
}
