/** How Oracle calculates with exact decimals. */
import { plain } from "../grammar/arithmetic.js";
import type { DecimalGrammar } from "../grammar/decimals.js";

export const oracleDecimals: DecimalGrammar = {
  operand: () => "{f}",
  calculated: (func, { result }) => {
    if (func === "mod") return "MOD({0}, NULLIF({1}, 0))";
    // Oracle calculates with 40 digits and rounds the rest. A cast fails if 38 are not enough, and rounds halves away
    // from zero.
    return `CAST(${func === "div" ? "{0} / NULLIF({1}, 0)" : plain(func)} AS NUMBER(38, ${result}))`;
  },
};
