/** How SQLite calculates with exact decimals, which are whole numbers of their last digit on SQLite. */
import { plain } from "../grammar/arithmetic.js";
import type { DecimalGrammar } from "../grammar/decimals.js";
import { sqliteArithmetic, WHOLE } from "./arithmetic.js";

/** Functions that the driver registers: they calculate with more digits than SQLite's whole numbers have. */
export const QUOTIENT = "rowtype_quotient";
export const REMAINDER = "rowtype_remainder";
export const ROUNDED = "rowtype_rounded";

/** A whole number of a last digit `{f}`, as a whole number of a digit that many places further right. */
function shifted(operand: string, digits: number): string {
  return digits === 0 ? operand : `${operand} * ${10n ** BigInt(digits)}`;
}

export const sqliteDecimals: DecimalGrammar = {
  operand: (storage, origin) =>
    storage.kind === "decimal" ? "{f}" : sqliteArithmetic.operand({ ...storage, integer: true }, origin),
  calculated: (func, { left, right, result }) => {
    if (func === "neg" || func === "mul") return `${WHOLE}(${plain(func)})`;
    if (func === "div") return `${QUOTIENT}({0}, {1}, ${result + right - left})`;
    const [more, others] = [result - left, result - right];
    if (func === "mod") return left === right ? "({0} % {1})" : `${REMAINDER}({0}, ${more}, {1}, ${others})`;
    return `${WHOLE}(${shifted("{0}", more)} ${func === "add" ? "+" : "-"} ${shifted("{1}", others)})`;
  },
  widened: (digits, fits) => (fits ? `(${shifted("{f}", digits)})` : `${WHOLE}(${shifted("{f}", digits)})`),
};
