/** How SQLite calculates, with functions that the driver registers. */
import { type ArithmeticGrammar, hasType, plain } from "../grammar/arithmetic.js";

/** Functions that the driver registers: SQLite has none that fails for some numbers and returns the others. */
export const WHOLE = "rowtype_whole";
export const SAFE = "rowtype_safe";
export const FINITE = "rowtype_finite";

export const sqliteArithmetic: ArithmeticGrammar = {
  operand: ({ integer, kind, wide }, origin) => {
    if (wide === true) return `${WHOLE}({f})`;
    if (integer !== true)
      return hasType(origin, /real|floa|doub/i) || origin.from === "parameter" ? "{f}" : "CAST({f} AS REAL)";
    // A number is bound as a double, and a function of it may return a double too.
    const mayBeDouble = kind === "number" && (origin.from === "parameter" || origin.from === "other");
    return mayBeDouble || !(hasType(origin, /int/i) || kind === "bigint") ? "CAST({f} AS INTEGER)" : "{f}";
  },
  calculated: (func, { integer }) => {
    // The result of a division by zero is NULL here.
    if (func === "mod") return integer === true ? "({0} % {1})" : "mod({0}, {1})";
    return `${integer === true ? WHOLE : FINITE}(${func === "div" ? "{0} / {1}" : plain(func)})`;
  },
  safe: `${SAFE}({f})`,
};
