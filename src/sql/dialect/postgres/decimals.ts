/** How PostgreSQL calculates with exact decimals. */
import { plain } from "../grammar/arithmetic.js";
import { type DecimalGrammar, exact } from "../grammar/decimals.js";

// A quotient with this many more digits is a half only if the exact one is, for divisors of up to 58 digits.
const GUARD = 60;

export const postgresDecimals: DecimalGrammar = {
  operand: exact("numeric"),
  calculated: {
    ...plain((text) => `(${text})`),
    div: ({ result }) => `ROUND(CAST({0} AS numeric(1000, ${result + GUARD})) / NULLIF({1}, 0), ${result})`,
    mod: () => "({0} % NULLIF({1}, 0))",
  },
};
