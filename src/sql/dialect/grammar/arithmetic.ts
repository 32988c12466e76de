/**
 * How each dialect calculates: whole numbers in 64 bits, other numbers as doubles. A result outside these is an error,
 * and a division by zero is NULL, whatever the server would do.
 */
import type { Storage } from "../../declare/declaration.js";
import type { ArithmeticFunction } from "../../words/functions.js";

/** Where the values of an operand come from: a column of this type, a parameter, arithmetic, or anything else. */
export type Origin =
  | { readonly from: "column"; readonly type: string | undefined }
  | { readonly from: "parameter" | "arithmetic" | "other" };

/** How a dialect calculates. */
export interface ArithmeticGrammar {
  /** An operand `{f}`, in the type in which the dialect calculates. */
  readonly operand: (storage: Storage, origin: Origin) => string;
  /** A function of such operands, `{0}` and `{1}` or `{0}` alone, in parentheses or as a call. */
  readonly calculated: { readonly [F in ArithmeticFunction]: (result: Storage) => string };
  /** A whole number `{f}` that JavaScript holds exactly; any other is an error. */
  readonly safe: string;
}

/** The functions without a division as most dialects write them. A dialect writes each in its own way around that. */
export function plain<R>(write: (plain: string, result: R) => string): {
  readonly [F in Exclude<ArithmeticFunction, "div" | "mod">]: (result: R) => string;
} {
  return {
    add: (result) => write("{0} + {1}", result),
    sub: (result) => write("{0} - {1}", result),
    mul: (result) => write("{0} * {1}", result),
    // It overflows where `-x` would become another type.
    neg: (result) => write("0 - {0}", result),
  };
}

export const MOST: bigint = 2n ** 63n - 1n;
export const MOST_SAFE: bigint = BigInt(Number.MAX_SAFE_INTEGER);

// A number that is moved to an end of 64 bits and back overflows if it is not between the bounds.
const TO_END = MOST - MOST_SAFE;
/** Written after a whole number: the number itself, or an error outside the bounds. */
export const THERE_AND_BACK: string = `+ ${TO_END} - ${TO_END} - ${TO_END} - 1 + ${TO_END} + 1`;

/** Whether an operand already has the type, because a column declares it or rowtype has written it. */
export function hasType(origin: Origin, declared: RegExp): boolean {
  if (origin.from === "column") return origin.type === undefined || declared.test(origin.type);
  return origin.from !== "other";
}
