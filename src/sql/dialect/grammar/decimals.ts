/**
 * How each dialect calculates with exact decimals: the same digits everywhere, halves away from zero. A result with
 * more digits than the dialect has is an error, and a division by zero is NULL.
 */
import type { Storage } from "../../declare/declaration.js";
import type { ArithmeticFunction } from "../../words/functions.js";
import type { Origin } from "./arithmetic.js";

/** How many digits the operands and the result have after the point. */
export interface Scales {
  readonly left: number;
  readonly right: number;
  readonly result: number;
}

/** How a dialect calculates with decimals. */
export interface DecimalGrammar {
  /** An operand `{f}`, a decimal or a whole number, in a type that the dialect calculates with exactly. */
  readonly operand: (storage: Storage, origin: Origin) => string;
  /** A function of such operands, `{0}` and `{1}` or `{0}` alone, in parentheses or as a call. */
  readonly calculated: { readonly [F in ArithmeticFunction]: (scales: Scales) => string };
  /**
   * A decimal with a number of further digits after the point, if it is a whole number of its last digit.
   * @param fits whether every value has room for those digits.
   */
  readonly widened?: (digits: number, fits: boolean) => string;
}

const isInteger = /^\s*(?:big|small)?(?:int|serial)/i;

/** A whole number as the dialect's exact type, if it may have another type. */
export function exact(type: string): DecimalGrammar["operand"] {
  return ({ kind }, origin) => {
    if (kind === "decimal" || origin.from === "parameter" || origin.from === "arithmetic") return "{f}";
    if (origin.from === "column" && (origin.type === undefined || isInteger.test(origin.type))) return "{f}";
    return `CAST({f} AS ${type})`;
  };
}
