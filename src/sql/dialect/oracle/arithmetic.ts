/** How Oracle calculates. */
import type { Storage } from "../../declare/declaration.js";
import { type ArithmeticGrammar, hasType, MOST, MOST_SAFE, plain } from "../grammar/arithmetic.js";

export const oracleArithmetic: ArithmeticGrammar = {
  operand: ({ integer }, origin) =>
    integer === true || hasType(origin, /^\s*binary_double\b/i) ? "{f}" : "CAST({f} AS BINARY_DOUBLE)",
  calculated: {
    ...plain(checked),
    div: (result) =>
      checked(result.integer === true ? "TRUNC({0} / NULLIF({1}, 0))" : "{0} / NULLIF({1}, 0)", result),
    mod: () => "MOD({0}, NULLIF({1}, 0))",
  },
  safe: between(-MOST_SAFE, MOST_SAFE, "{f}"),
};

function checked(text: string, { integer }: Storage): string {
  return integer === true ? between(-MOST - 1n, MOST, text) : `(${text})`;
}

// A number has 38 digits. The value is moved, so that its bounds are those of the digits: a cast fails beyond them.
function between(least: bigint, most: bigint, expression: string): string {
  const { length } = `${most}`;
  const nines = 10n ** BigInt(length) - 1n;
  const [above, below] = [nines - most, nines + least];
  const type = `NUMBER(${length})`;
  return `(CAST(CAST(${expression} + ${above} AS ${type}) - ${above + below} AS ${type}) + ${below})`;
}
