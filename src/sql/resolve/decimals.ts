/** Exact decimals in expressions and conditions: functions over them, and scales that differ. */
import type { AggregateFunction, CallName } from "../words/functions.js";
import type { Resolution } from "./resolution.js";
import type { Expression } from "./resolved.js";
import { type Result, resultOfAggregate, type Value } from "./result.js";

/** A problem where an average has more decimals than the dialect. */
export function requireDigits(
  func: AggregateFunction,
  operand: Result,
  path: string,
  resolution: Resolution,
): void {
  const { scale = 0, kind } = resultOfAggregate(func, operand).storage;
  const most = resolution.grammar.unitDigits;
  if (most !== undefined && kind === "decimal" && scale > most)
    resolution.unsupported(`decimals with a scale of more than ${most}`, "declare a smaller scale", path);
}

/** The template of a function by the kind of its operand. */
export function templateOf(
  func: CallName,
  operand: Result | undefined,
  digits: number,
  { grammar: { expressions } }: Resolution,
): string {
  const storage = operand?.storage ?? { kind: "number" };
  if (func === "round") {
    // A bigint needs no rounding, and a server would convert it to a number that cannot hold it.
    return storage.kind === "bigint" ? "{f}" : expressions.round(storage, digits);
  }
  if (storage.kind !== "decimal" || (func !== "ceil" && func !== "floor")) return expressions.calls[func];
  return expressions.wholeOfUnits?.(func, storage.scale ?? 0) ?? expressions.calls[func];
}

/** The operand of a function: roots and powers of decimals are floating point numbers. */
export function operandOfCall(
  func: CallName,
  { expression, storage }: Value,
  { grammar: { expressions } }: Resolution,
): Expression {
  if (storage.kind !== "decimal" || (func !== "sqrt" && func !== "power")) return expression;
  const template = expressions.cast(storage, "number");
  return { kind: "call", template, operands: [expression], separator: "", params: [] };
}

/** Decimals of two scales in one, if they are whole numbers of their last digit. */
export function inOneScale(
  left: Value,
  right: Value,
  path: string,
  resolution: Resolution,
): { readonly left: Expression; readonly right: Expression } | undefined {
  const most = resolution.grammar.unitDigits;
  const [one, other] = [left.storage, right.storage];
  if (most === undefined || one.kind !== "decimal") return undefined;
  const scale = Math.max(one.scale ?? 0, other.scale ?? 0);
  const scaled = ({ expression, storage: { precision = 0, scale: own = 0 } }: Value): Expression => {
    if (scale === own) return expression;
    if (precision - own + scale > most)
      resolution.unsupported(
        `comparisons of decimals that have more than ${most} digits in one scale`,
        "declare fewer digits, or the same scale",
        path,
      );
    const template = `({f} * ${10n ** BigInt(scale - own)})`;
    return { kind: "call", template, operands: [expression], separator: "", params: [] };
  };
  return { left: scaled(left), right: scaled(right) };
}
