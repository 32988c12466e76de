/**
 * How each dialect calculates: whole numbers in 64 bits, other numbers as doubles. What leaves these is an error, and
 * what is divided by zero is NULL, whatever the server would do by itself.
 */
import type { Storage } from "../../declare/declaration.js";
import type { Dialect } from "../../words/dialect.js";
import type { ArithmeticFunction } from "../../words/functions.js";

/** Where the values of an operand come from: a column of this type, a parameter, arithmetic, or anything else. */
export type Origin =
  | { readonly from: "column"; readonly type: string | undefined }
  | { readonly from: "parameter" | "arithmetic" | "other" };

/** How a dialect calculates. */
export interface ArithmeticGrammar {
  /** An operand `{f}` in the type in which the dialect calculates. */
  readonly operand: (storage: Storage, origin: Origin) => string;
  /** A function of such operands `{0}` and `{1}`, in parentheses or a call; `{0}` alone where it takes one. */
  readonly calculated: (func: ArithmeticFunction, result: Storage) => string;
  /** A whole number `{f}` that JavaScript holds exactly; any other is an error. */
  readonly safe: string;
}

const signs: { readonly [F in "add" | "sub" | "mul"]: string } = { add: "+", sub: "-", mul: "*" };

/** The function as most dialects write it; `0 - x` overflows where `-x` would become another type. */
export function plain(func: Exclude<ArithmeticFunction, "div" | "mod">): string {
  return func === "neg" ? "0 - {0}" : `{0} ${signs[func]} {1}`;
}

const MOST = 2n ** 63n - 1n;
const MOST_SAFE = BigInt(Number.MAX_SAFE_INTEGER);

// What is moved to an end of 64 bits and back leaves these if it is not between the bounds.
const TO_END = MOST - MOST_SAFE;
const THERE_AND_BACK = `+ ${TO_END} - ${TO_END} - ${TO_END} - 1 + ${TO_END} + 1`;

/** Whether an operand has the type already, because a column declares it or by what rowtype has written. */
function hasType(origin: Origin, declared: RegExp): boolean {
  if (origin.from === "column") return origin.type === undefined || declared.test(origin.type);
  return origin.from !== "other";
}

const postgres: ArithmeticGrammar = {
  operand: ({ integer }, origin) => {
    if (integer === true)
      return hasType(origin, /^\s*(?:bigint|int8|bigserial|serial8)\b/i) ? "{f}" : "CAST({f} AS bigint)";
    if (hasType(origin, /^\s*(?:double\s+precision|float8)\b/i)) return "{f}";
    // By its digits: a real is another number as a double.
    const digits = origin.from === "column" ? "CAST({f} AS text)" : "{f}";
    return `CAST(${digits} AS double precision)`;
  },
  calculated: (func, { integer }) => {
    if (func === "div") return "({0} / NULLIF({1}, 0))";
    if (func !== "mod") return `(${plain(func)})`;
    if (integer === true) return "({0} % NULLIF({1}, 0))";
    // Doubles have no remainder, and as numeric the server would keep only 15 of their digits.
    const digits = (operand: string) => `CAST(CAST(${operand} AS text) AS numeric)`;
    return `CAST(${digits("{0}")} % NULLIF(${digits("{1}")}, 0) AS double precision)`;
  },
  safe: `(CAST({f} AS bigint) ${THERE_AND_BACK})`,
};

const mariadb: ArithmeticGrammar = {
  operand: ({ integer }, origin) => {
    if (integer === true)
      // Beside an unsigned number the result would be unsigned, and a sum of whole numbers has 65 digits.
      return hasType(origin, /^\s*(?:tiny|small|medium|big)?int(?:eger)?\b(?!.*\b(?:unsigned|zerofill)\b)/i)
        ? "{f}"
        : "(CAST({f} AS DECIMAL(65)) DIV 1)";
    return hasType(origin, /^\s*double\b/i) ? "{f}" : "CAST({f} AS DOUBLE)";
  },
  calculated: (func, { integer, kind }) => {
    // The server takes 0 - (-2^63) for -2^63 where other differences beyond 64 bits fail.
    if (integer === true && func === "neg") return "({0} * -1)";
    if (kind === "bigint" && func === "sub") return "(({0} - CAST({1} AS DECIMAL(65))) DIV 1)";
    // Some modes of the session refuse a division by zero.
    if (func === "mod") return "({0} % NULLIF({1}, 0))";
    if (func === "div") return `({0} ${integer === true ? "DIV" : "/"} NULLIF({1}, 0))`;
    return `(${plain(func)})`;
  },
  safe: `(CAST({f} AS SIGNED) ${THERE_AND_BACK})`,
};

/** Functions that the driver registers: SQLite has none that fails for a number and otherwise returns it. */
export const WHOLE = "rowtype_whole";
export const SAFE = "rowtype_safe";
export const FINITE = "rowtype_finite";

const sqlite: ArithmeticGrammar = {
  operand: ({ integer, kind, wide }, origin) => {
    if (wide === true) return `${WHOLE}({f})`;
    if (integer !== true)
      return hasType(origin, /real|floa|doub/i) || origin.from === "parameter" ? "{f}" : "CAST({f} AS REAL)";
    // A number is bound as a double, and so may be what a function returns of it.
    const mayBeDouble = kind === "number" && (origin.from === "parameter" || origin.from === "other");
    return mayBeDouble || !(hasType(origin, /int/i) || kind === "bigint") ? "CAST({f} AS INTEGER)" : "{f}";
  },
  calculated: (func, { integer }) => {
    // The result of a division by zero is NULL here.
    if (func === "mod") return integer === true ? "({0} % {1})" : "mod({0}, {1})";
    return `${integer === true ? WHOLE : FINITE}(${func === "div" ? "{0} / {1}" : plain(func)})`;
  },
  safe: `${SAFE}({f})`,
};

const oracle: ArithmeticGrammar = {
  operand: ({ integer }, origin) =>
    integer === true || hasType(origin, /^\s*binary_double\b/i) ? "{f}" : "CAST({f} AS BINARY_DOUBLE)",
  calculated: (func, { integer }) => {
    if (func === "mod") return "MOD({0}, NULLIF({1}, 0))";
    if (integer !== true) return `(${func === "div" ? "{0} / NULLIF({1}, 0)" : plain(func)})`;
    return between(-MOST - 1n, MOST, func === "div" ? "TRUNC({0} / NULLIF({1}, 0))" : plain(func));
  },
  safe: between(-MOST_SAFE, MOST_SAFE, "{f}"),
};

// A number has 38 digits. The bounds are moved to those of their number of digits, beyond which a cast fails.
function between(least: bigint, most: bigint, expression: string): string {
  const { length } = `${most}`;
  const nines = 10n ** BigInt(length) - 1n;
  const [above, below] = [nines - most, nines + least];
  const type = `NUMBER(${length})`;
  return `(CAST(CAST(${expression} + ${above} AS ${type}) - ${above + below} AS ${type}) + ${below})`;
}

/** How each dialect calculates. */
export const arithmetic: { readonly [D in Dialect]: ArithmeticGrammar } = {
  postgres,
  mariadb,
  sqlite,
  oracle,
};
