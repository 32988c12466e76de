/** How MariaDB calculates with exact decimals. */
import { plain } from "../grammar/arithmetic.js";
import { type DecimalGrammar, exact } from "../grammar/decimals.js";

/** `1.000`, with the given number of digits. */
function one(digits: number): string {
  return `1.${"0".repeat(digits)}`;
}

export const mariadbDecimals: DecimalGrammar = {
  operand: exact("DECIMAL(65)"),
  calculated: {
    ...plain((text) => `(${text})`),
    // The server cuts off a quotient after the digits of its operands: one digit more than the result keeps decides
    // whether to round up. A cast would replace numbers that are too large, and a zero has lost its digits.
    div: ({ result }) => `ROUND({0} * ${one(result + 1)} / NULLIF({1}, 0), ${result})`,
    // A remainder of zero would be a negative zero, which the server treats as a different number.
    mod: () => "({0} % NULLIF({1}, 0) + 0)",
  },
};
