/** How MariaDB calculates with exact decimals. */
import { plain } from "../grammar/arithmetic.js";
import { type DecimalGrammar, exact } from "../grammar/decimals.js";

/** `1.000`, with the given number of digits. */
function one(digits: number): string {
  return `1.${"0".repeat(digits)}`;
}

export const mariadbDecimals: DecimalGrammar = {
  operand: exact("DECIMAL(65)"),
  calculated: (func, { result }) => {
    // What is left of nothing would be a negative zero, which the server takes for another number.
    if (func === "mod") return "({0} % NULLIF({1}, 0) + 0)";
    if (func !== "div") return `(${plain(func)})`;
    // The server cuts a quotient off behind the digits of its operands: one digit more than are kept says whether to
    // round up. A cast would replace numbers that are too large, and a zero has lost its digits.
    return `ROUND({0} * ${one(result + 1)} / NULLIF({1}, 0), ${result})`;
  },
};
