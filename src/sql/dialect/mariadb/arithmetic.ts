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
  calculated: (func, { integer, kind }) => {
    // The server computes 0 - (-2^63) as -2^63, while other differences beyond 64 bits fail.
    if (integer === true && func === "neg") return "({0} * -1)";
    if (kind === "bigint" && func === "sub") return "(({0} - CAST({1} AS DECIMAL(65))) DIV 1)";
    // Some modes of the session refuse a division by zero.
    if (func === "mod") return "({0} % NULLIF({1}, 0))";
    if (func === "div") return `({0} ${integer === true ? "DIV" : "/"} NULLIF({1}, 0))`;
    return `(${plain(func)})`;
  },
  safe: `(CAST({f} AS SIGNED) ${THERE_AND_BACK})`,
};
