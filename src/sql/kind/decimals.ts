/** Exact decimals of a storage: their faults, and their forms for dialects. */
import { describeType } from "../../core/errors.js";
import {
  canonicalDecimal,
  type Digits,
  decimalOfServer,
  decimalOfUnits,
  unitsOf,
} from "../../schema/decimal.js";
import type { Storage } from "../declare/declaration.js";

/** The digits of the results of aggregates: as many as every server has. */
export const MOST_DIGITS = 38;

/** The digits after the point that quotients and averages have more than their operands. */
export const MORE_DIGITS = 4;

/** The results of functions of decimals, with a given number of digits after the point. */
export function decimalOf(scale: number): Storage {
  return { kind: "decimal", precision: Math.max(MOST_DIGITS, scale), scale };
}

function digitsOf({ precision = MOST_DIGITS, scale = 0 }: Storage): Digits {
  return { precision, scale };
}

export function decimalFault(value: unknown, storage: Storage): string | undefined {
  const { precision, scale } = digitsOf(storage);
  if (typeof value === "string" && canonicalDecimal(value, { precision, scale }) !== undefined)
    return undefined;
  const expected = `a decimal as text, of at most ${precision} digits, ${scale} of them after the point`;
  return typeof value === "string" ? expected : `${expected}, not ${describeType(value)}`;
}

/** A decimal without fault in its canonical form. */
export function canonical(value: string, storage: Storage): string {
  return canonicalDecimal(value, digitsOf(storage)) ?? value;
}

/** A server's digits in canonical form. */
export function decimalFromText(value: unknown, { scale = 0 }: Storage): string | undefined {
  return decimalOfServer(value, scale);
}

/** A decimal without fault as a whole number of its last digit. */
export function toUnits(value: string, storage: Storage): bigint {
  return unitsOf(canonical(value, storage));
}

/** The decimal of a whole number of its last digit. */
export function fromUnits(value: unknown, { scale = 0 }: Storage): string | undefined {
  if (typeof value === "bigint") return decimalOfUnits(value, scale);
  return typeof value === "number" && Number.isSafeInteger(value)
    ? decimalOfUnits(BigInt(value), scale)
    : undefined;
}

/** Zero with the decimals of a storage. */
export function zeroDecimal({ scale = 0 }: Storage): string {
  return decimalOfUnits(0n, scale);
}

/** `0.01` for a scale of 2: the last digit. */
export function lastDigit(scale: number): string {
  return scale === 0 ? "1" : `0.${"1".padStart(scale, "0")}`;
}
