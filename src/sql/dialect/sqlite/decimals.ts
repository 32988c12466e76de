/** How SQLite calculates with exact decimals, which are whole numbers of their last digit on SQLite. */
import { plain } from "../grammar/arithmetic.js";
import type { DecimalGrammar, Scales } from "../grammar/decimals.js";
import { sqliteArithmetic, WHOLE } from "./arithmetic.js";

/** Functions that the driver registers: they calculate with more digits than SQLite's whole numbers have. */
export const QUOTIENT = "rowtype_quotient";
export const REMAINDER = "rowtype_remainder";
export const ROUNDED = "rowtype_rounded";

/** A whole number of a last digit `{f}`, as a whole number of a digit that many places further right. */
function shifted(operand: string, digits: number): string {
  return digits === 0 ? operand : `${operand} * ${10n ** BigInt(digits)}`;
}

function sumOf(sign: "+" | "-", { left, right, result }: Scales): string {
  return `${WHOLE}(${shifted("{0}", result - left)} ${sign} ${shifted("{1}", result - right)})`;
}

export const sqliteDecimals: DecimalGrammar = {
  operand: (storage, origin) =>
    storage.kind === "decimal" ? "{f}" : sqliteArithmetic.operand({ ...storage, integer: true }, origin),
  calculated: {
    ...plain((text) => `${WHOLE}(${text})`),
    add: (scales) => sumOf("+", scales),
    sub: (scales) => sumOf("-", scales),
    div: ({ left, right, result }) => `${QUOTIENT}({0}, {1}, ${result + right - left})`,
    mod: ({ left, right, result }) =>
      left === right ? "({0} % {1})" : `${REMAINDER}({0}, ${result - left}, {1}, ${result - right})`,
  },
  widened: (digits, fits) => (fits ? `(${shifted("{f}", digits)})` : `${WHOLE}(${shifted("{f}", digits)})`),
};
