/** How MariaDB calculates. */
import { type ArithmeticGrammar, hasType, plain, THERE_AND_BACK } from "../grammar/arithmetic.js";

export const mariadbArithmetic: ArithmeticGrammar = {
  operand: ({ integer }, origin) => {
    if (integer === true)
      // With an unsigned operand the result would be unsigned, and a sum of whole numbers has 65 digits.
      return hasType(origin, /^\s*(?:tiny|small|medium|big)?int(?:eger)?\b(?!.*\b(?:unsigned|zerofill)\b)/i)
        ? "{f}"
        : "(CAST({f} AS DECIMAL(65)) DIV 1)";
    return hasType(origin, /^\s*double\b/i) ? "{f}" : "CAST({f} AS DOUBLE)";
  },
  calculated: {
    ...plain((text) => `(${text})`),
    // The server computes 0 - (-2^63) as -2^63, while other differences beyond 64 bits fail.
    neg: ({ integer }) => (integer === true ? "({0} * -1)" : "(0 - {0})"),
    sub: ({ kind }) => (kind === "bigint" ? "(({0} - CAST({1} AS DECIMAL(65))) DIV 1)" : "({0} - {1})"),
    // Some modes of the session refuse a division by zero.
    div: ({ integer }) => `({0} ${integer === true ? "DIV" : "/"} NULLIF({1}, 0))`,
    mod: () => "({0} % NULLIF({1}, 0))",
  },
  safe: `(CAST({f} AS SIGNED) ${THERE_AND_BACK})`,
};
