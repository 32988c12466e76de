/**
 * How each dialect calculates with exact decimals: the same digits everywhere, halves away from zero. What leaves the
 * digits of the dialect is an error, and what is divided by zero is NULL.
 */
import type { Storage } from "../../declare/declaration.js";
import type { Dialect } from "../../words/dialect.js";
import type { ArithmeticFunction } from "../../words/functions.js";
import { arithmetic, type Origin, plain, WHOLE } from "./arithmetic.js";

/** How many digits the operands and the result have behind the point. */
export interface Scales {
  readonly left: number;
  readonly right: number;
  readonly result: number;
}

/** How a dialect calculates with decimals. */
export interface DecimalGrammar {
  /** An operand `{f}`, a decimal or a whole number, in a type that the dialect calculates with exactly. */
  readonly operand: (storage: Storage, origin: Origin) => string;
  /** A function of such operands `{0}` and `{1}`, in parentheses or a call; `{0}` alone where it takes one. */
  readonly calculated: (func: ArithmeticFunction, scales: Scales) => string;
  /**
   * A decimal with a number of further digits behind the point, if it is a whole number of its last digit.
   * @param fits whether it has those digits whatever its value is.
   */
  readonly widened?: (digits: number, fits: boolean) => string;
}

const isInteger = /^\s*(?:big|small)?(?:int|serial)/i;

/** A whole number as the dialect's exact type, where it may be of another. */
function exact(type: string): DecimalGrammar["operand"] {
  return ({ kind }, origin) => {
    if (kind === "decimal" || origin.from === "parameter" || origin.from === "arithmetic") return "{f}";
    if (origin.from === "column" && (origin.type === undefined || isInteger.test(origin.type))) return "{f}";
    return `CAST({f} AS ${type})`;
  };
}

/** `1.000`, with the given number of digits. */
function one(digits: number): string {
  return `1.${"0".repeat(digits)}`;
}

// A quotient of these digits more is a half only where the exact one is, for divisors of up to 58 digits.
const GUARD = 60;

const postgres: DecimalGrammar = {
  operand: exact("numeric"),
  calculated: (func, { result }) => {
    if (func === "mod") return "({0} % NULLIF({1}, 0))";
    if (func !== "div") return `(${plain(func)})`;
    return `ROUND(CAST({0} AS numeric(1000, ${result + GUARD})) / NULLIF({1}, 0), ${result})`;
  },
};

const mariadb: DecimalGrammar = {
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

/** Functions that the driver registers: they calculate with more digits than SQLite's whole numbers have. */
export const QUOTIENT = "rowtype_quotient";
export const REMAINDER = "rowtype_remainder";
export const ROUNDED = "rowtype_rounded";

/** A whole number of a last digit `{f}`, as one of a digit that is the given number of places behind it. */
function shifted(operand: string, digits: number): string {
  return digits === 0 ? operand : `${operand} * ${10n ** BigInt(digits)}`;
}

const sqlite: DecimalGrammar = {
  operand: (storage, origin) =>
    storage.kind === "decimal" ? "{f}" : arithmetic.sqlite.operand({ ...storage, integer: true }, origin),
  calculated: (func, { left, right, result }) => {
    if (func === "neg" || func === "mul") return `${WHOLE}(${plain(func)})`;
    if (func === "div") return `${QUOTIENT}({0}, {1}, ${result + right - left})`;
    const [more, others] = [result - left, result - right];
    if (func === "mod") return left === right ? "({0} % {1})" : `${REMAINDER}({0}, ${more}, {1}, ${others})`;
    return `${WHOLE}(${shifted("{0}", more)} ${func === "add" ? "+" : "-"} ${shifted("{1}", others)})`;
  },
  widened: (digits, fits) => (fits ? `(${shifted("{f}", digits)})` : `${WHOLE}(${shifted("{f}", digits)})`),
};

const oracle: DecimalGrammar = {
  operand: () => "{f}",
  calculated: (func, { result }) => {
    if (func === "mod") return "MOD({0}, NULLIF({1}, 0))";
    // It calculates with 40 digits and rounds what has more. A cast fails where 38 are not enough, and rounds halves
    // away from zero.
    return `CAST(${func === "div" ? "{0} / NULLIF({1}, 0)" : plain(func)} AS NUMBER(38, ${result}))`;
  },
};

/** How each dialect calculates with decimals. */
export const decimals: { readonly [D in Dialect]: DecimalGrammar } = { postgres, mariadb, sqlite, oracle };
