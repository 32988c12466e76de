/** How Oracle calculates with exact decimals. */
import { plain } from "../grammar/arithmetic.js";
import type { DecimalGrammar, Scales } from "../grammar/decimals.js";

export const oracleDecimals: DecimalGrammar = {
  operand: () => "{f}",
  calculated: {
    ...plain(rounded),
    div: (scales) => rounded("{0} / NULLIF({1}, 0)", scales),
    mod: () => "MOD({0}, NULLIF({1}, 0))",
  },
};

// Oracle calculates with 40 digits and rounds the rest. A cast fails if 38 are not enough, and rounds halves away from
// zero.
function rounded(text: string, { result }: Scales): string {
  return `CAST(${text} AS NUMBER(38, ${result}))`;
}
