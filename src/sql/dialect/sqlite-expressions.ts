/** Expressions and compound queries as SQLite writes them. */

import type { Storage } from "../declare/declaration.js";
import type { CastTarget } from "../words/functions.js";
import { isEpoch, sqliteDates } from "./dates.js";
import { standardCompound } from "./forms.js";
import type { CompoundGrammar, ExpressionGrammar, ValueCodec } from "./grammar.js";
import { decimalText } from "./values.js";

const now = "strftime('%Y-%m-%d %H:%M:%f', 'now')";

/** The function that writes a number as text; the driver makes it, for SQLite itself has no way to all digits. */
export const NUMBER_TEXT = "rowtype_number_text";

export const sqliteExpressions: ExpressionGrammar = {
  mostArguments: 100,
  calls: {
    upper: "upper({f})",
    lower: "lower({f})",
    trim: "trim({f})",
    ltrim: "ltrim({f})",
    rtrim: "rtrim({f})",
    length: "length({f})",
    concat: "concat({f})",
    substring: "substr({f}, {0}, {1})",
    replace: "replace({f}, {0}, {1})",
    abs: "abs({f})",
    ceil: "ceil({f})",
    floor: "floor({f})",
    sqrt: "sqrt({f})",
    power: "power({f}, {0})",
    now,
    current_date: "date('now')",
    current_time: "time('now')",
    current_timestamp: now,
    coalesce: "coalesce({f}, {0})",
    null_if: "nullif({f}, {0})",
  },
  round: rounded,
  cast: castTo,
  sum: ({ wide }) => (wide === true ? wideSum() : "SUM({f})"),
  avg: "AVG({f})",
  filters: true,
  typed: () => "{0}",
  // A number is bound as a floating point one, which would make the result one too.
  arithmetic: (operator, { integer }) => {
    if (operator === "%") return integer === true ? "{f} % CAST({0} AS INTEGER)" : "mod({f}, {0})";
    return integer === true
      ? inRange(
          `{f} ${operator} CAST({0} AS INTEGER)`,
          "typeof(v) = 'real' AND abs(v) >= 9223372036854775807",
        )
      : inRange(`{f} ${operator} {0}`, "abs(v) > 1.7976931348623157e308");
  },
};

// A whole number beyond 64 bits would become a floating point one, and that an infinity; the others refuse both.
// The least number has no absolute value, so `abs` fails.
function inRange(expression: string, isOver: string): string {
  return `(SELECT CASE WHEN ${isOver} THEN abs(-9223372036854775807 - 1 + (v IS NULL)) ELSE v END FROM (SELECT ${expression} AS v))`;
}

// SQLite's own sum ends at 64 bits: the halves of the numbers are summed apart, and put together as digits.
function wideSum(): string {
  const high = "SUM({f} >> 32){0}";
  const low = "SUM({f} & 4294967295){0}";
  return `CASE WHEN ${high} IS NOT NULL THEN printf('%019d%010d', ${high} + (${low} >> 32) + ${HIGH_ZERO}, ${low} & 4294967295) END`;
}

const HIGH_ZERO = 2n ** 62n;
const LOW_DIGITS = 10;
const DIGITS = 29;

/**
 * Whole numbers of more than 64 bits: the digits of their upper part, from a middle that keeps them positive, and of
 * the lower 32 bits. They sort as text as they do as numbers.
 */
export const wideIntegers: ValueCodec = {
  encode: (value: bigint) => {
    const high = (value >> 32n) + HIGH_ZERO;
    const low = value & 0xffff_ffffn;
    return `${String(high).padStart(DIGITS - LOW_DIGITS, "0")}${String(low).padStart(LOW_DIGITS, "0")}`;
  },
  decode: (value) => {
    if (typeof value !== "string" || value.length !== DIGITS) return decimalText(value);
    const high = BigInt(value.slice(0, -LOW_DIGITS)) - HIGH_ZERO;
    return (high << 32n) + BigInt(value.slice(-LOW_DIGITS));
  },
};

export const sqliteCompound: CompoundGrammar = {
  ...standardCompound,
  operations: {
    ...standardCompound.operations,
    intersect_all: { numbered: "INTERSECT" },
    except_all: { numbered: "EXCEPT" },
  },
  bounded: "table",
  mostQueries: 500,
};

// SQLite rounds the binary number, the others the decimal one that it stands for: 2.675 is a little less than its
// half. Fifteen digits tell numbers apart, so what is added below them changes nothing but that.
function rounded({ integer }: Storage, digits: number): string {
  const plain = `round({f}, ${digits})`;
  if (integer === true) return plain;
  return `CASE WHEN abs({f}) < 1e${13 - digits} THEN round({f} * 1.000000000000001, ${digits}) ELSE ${plain} END`;
}

function castTo(storage: Storage, to: CastTarget): string {
  const { kind, integer } = storage;
  if (isEpoch(storage)) return sqliteDates(storage).comparable;
  switch (to) {
    case "text":
      if (kind === "boolean") return "CASE {f} WHEN 1 THEN 'true' WHEN 0 THEN 'false' END";
      if (kind === "number" && integer !== true) return `${NUMBER_TEXT}({f})`;
      return kind === "date" ? "strftime('%Y-%m-%d %H:%M:%f', {f})" : "CAST({f} AS TEXT)";
    case "integer":
      return "CAST({f} AS INTEGER)";
    case "number":
      return "CAST({f} AS REAL)";
    case "boolean":
      if (kind === "boolean") return "{f}";
      return kind === "text" ? "CASE {f} WHEN 'true' THEN 1 WHEN 'false' THEN 0 END" : "{f} <> 0";
    case "date":
      return "strftime('%Y-%m-%d %H:%M:%f', {f})";
  }
}
