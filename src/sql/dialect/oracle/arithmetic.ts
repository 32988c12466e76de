/** How Oracle calculates. */
import { type ArithmeticGrammar, hasType, MOST, MOST_SAFE, plain } from "../grammar/arithmetic.js";

export const oracleArithmetic: ArithmeticGrammar = {
  operand: ({ integer }, origin) =>
    integer === true || hasType(origin, /^\s*binary_double\b/i) ? "{f}" : "CAST({f} AS BINARY_DOUBLE)",
  calculated: (func, { integer }) => {
    if (func === "mod") return "MOD({0}, NULLIF({1}, 0))";
    if (integer !== true) return `(${func === "div" ? "{0} / NULLIF({1}, 0)" : plain(func)})`;
    return between(-MOST - 1n, MOST, func === "div" ? "TRUNC({0} / NULLIF({1}, 0))" : plain(func));
  },
  safe: between(-MOST_SAFE, MOST_SAFE, "{f}"),
};

// A number has 38 digits. The value is moved, so that its bounds are those of the digits: a cast fails beyond them.
function between(least: bigint, most: bigint, expression: string): string {
  const { length } = `${most}`;
  const nines = 10n ** BigInt(length) - 1n;
  const [above, below] = [nines - most, nines + least];
  const type = `NUMBER(${length})`;
  return `(CAST(CAST(${expression} + ${above} AS ${type}) - ${above + below} AS ${type}) + ${below})`;
}
