/** How SQLite calculates, with functions that the driver registers. */
import type { Storage } from "../../declare/declaration.js";
import { type ArithmeticGrammar, hasType, plain } from "../grammar/arithmetic.js";

/** Functions that the driver registers: SQLite has none that fails for some numbers and returns the others. */
export const WHOLE = "rowtype_whole";
export const SAFE = "rowtype_safe";
export const FINITE = "rowtype_finite";

function checked(text: string, { integer }: Storage): string {
  return `${integer === true ? WHOLE : FINITE}(${text})`;
}

export const sqliteArithmetic: ArithmeticGrammar = {
  operand: ({ integer, kind, wide }, origin) => {
    if (wide === true) return `${WHOLE}({f})`;
    if (integer !== true)
      return hasType(origin, /real|floa|doub/i) || origin.from === "parameter" ? "{f}" : "CAST({f} AS REAL)";
    // A number is bound as a double, and a function of it may return a double too.
    const mayBeDouble = kind === "number" && (origin.from === "parameter" || origin.from === "other");
    return mayBeDouble || !(hasType(origin, /int/i) || kind === "bigint") ? "CAST({f} AS INTEGER)" : "{f}";
  },
  // The result of a division by zero is NULL here.
  calculated: {
    ...plain(checked),
    div: (result) => checked("{0} / {1}", result),
    mod: ({ integer }) => (integer === true ? "({0} % {1})" : "mod({0}, {1})"),
  },
  safe: `${SAFE}({f})`,
};
