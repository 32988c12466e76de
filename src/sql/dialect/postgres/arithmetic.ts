/** How PostgreSQL calculates. */
import { type ArithmeticGrammar, hasType, plain, THERE_AND_BACK } from "../grammar/arithmetic.js";

export const postgresArithmetic: ArithmeticGrammar = {
  operand: ({ integer }, origin) => {
    if (integer === true)
      return hasType(origin, /^\s*(?:bigint|int8|bigserial|serial8)\b/i) ? "{f}" : "CAST({f} AS bigint)";
    if (hasType(origin, /^\s*(?:double\s+precision|float8)\b/i)) return "{f}";
    // By its digits: cast to a double, a real is a different number.
    const digits = origin.from === "column" ? "CAST({f} AS text)" : "{f}";
    return `CAST(${digits} AS double precision)`;
  },
  calculated: {
    ...plain((text) => `(${text})`),
    div: () => "({0} / NULLIF({1}, 0))",
    mod: ({ integer }) => {
      if (integer === true) return "({0} % NULLIF({1}, 0))";
      // Doubles have no remainder operator, and a cast to numeric would keep only 15 of their digits.
      const digits = (operand: string) => `CAST(CAST(${operand} AS text) AS numeric)`;
      return `CAST(${digits("{0}")} % NULLIF(${digits("{1}")}, 0) AS double precision)`;
    },
  },
  safe: `(CAST({f} AS bigint) ${THERE_AND_BACK})`,
};
