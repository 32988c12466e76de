/** Expressions and compound queries as SQLite writes them. */
import type { Storage } from "../../declare/declaration.js";
import { MORE_DIGITS } from "../../kind/decimals.js";
import type { CastTarget } from "../../words/functions.js";
import { standardCompound } from "../grammar/forms.js";
import type { CompoundGrammar, ExpressionGrammar, ValueCodec } from "../grammar/grammar.js";
import { decimalText } from "../grammar/values.js";
import { sqliteArithmetic, WHOLE } from "./arithmetic.js";
import { sqliteDate } from "./date-functions.js";
import { isEpoch, sqliteDates } from "./dates.js";
import { QUOTIENT, ROUNDED, sqliteDecimals } from "./decimals.js";
import { sqliteExtremes } from "./extremes.js";
import { sqliteListings } from "./listings.js";
import { sqlitePaths } from "./paths.js";
import { sqliteZonedDate } from "./zoned-dates.js";

const now = "strftime('%Y-%m-%d %H:%M:%f', 'now')";

/** The function that writes a number as text; the driver registers it, because SQLite cannot write all digits. */
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
    coalesce: "coalesce({f})",
    null_if: "nullif({f}, {0})",
  },
  // SQLite does not search for an empty text.
  replaceByNullable: "CASE WHEN {1} IS NOT NULL THEN replace({f}, {0}, {1}) END",
  wholeDecimal: (func, scale) => {
    const unit = 10n ** BigInt(scale);
    return func === "ceil"
      ? `({f} / ${unit} + ({f} % ${unit} > 0))`
      : `({f} / ${unit} - ({f} % ${unit} < 0))`;
  },
  round: rounded,
  cast: castTo,
  date: (func, unit, isZoned) => (isZoned ? sqliteZonedDate : sqliteDate)(func, unit),
  sum: ({ wide }) => (wide === true ? wideSum() : "SUM({f})"),
  avg: (result) =>
    result.kind === "decimal" ? `${QUOTIENT}(SUM({f}){0}, COUNT({f}){0}, ${MORE_DIGITS})` : "AVG({f})",
  filters: true,
  typed: () => "{0}",
  // A number is bound as a double, which would make the result a double too.
  numbers: sqliteArithmetic,
  decimals: sqliteDecimals,
  ...sqliteListings,
  extremes: sqliteExtremes,
  booleans: { all: "MIN({f})", any: "MAX({f})" },
  paths: sqlitePaths,
  arithmetic: (operator, { kind, integer: isInteger }) => {
    const integer = isInteger === true || kind === "decimal";
    if (operator === "%") return integer ? "{f} % CAST({0} AS INTEGER)" : "mod({f}, {0})";
    return integer
      ? inRange(
          `{f} ${operator} CAST({0} AS INTEGER)`,
          "typeof(v) = 'real' AND abs(v) >= 9223372036854775807",
        )
      : inRange(`{f} ${operator} {0}`, "abs(v) > 1.7976931348623157e308");
  },
};

// A whole number beyond 64 bits would become a double, possibly infinite; the other dialects refuse both. The
// least number has no absolute value, so `abs` fails.
function inRange(expression: string, isOver: string): string {
  return `(SELECT CASE WHEN ${isOver} THEN abs(-9223372036854775807 - 1 + (v IS NULL)) ELSE v END FROM (SELECT ${expression} AS v))`;
}

// SQLite's own sum is limited to 64 bits: the halves of the numbers are summed separately, and combined as
// digits.
function wideSum(): string {
  const high = "SUM({f} >> 32){0}";
  const low = "SUM({f} & 4294967295){0}";
  return `CASE WHEN ${high} IS NOT NULL THEN printf('%019d%010d', ${high} + (${low} >> 32) + ${HIGH_ZERO}, ${low} & 4294967295) END`;
}

const HIGH_ZERO = 2n ** 62n;
const LOW_DIGITS = 10;
const DIGITS = 29;

/**
 * Whole numbers of more than 64 bits: the digits of their upper part, with an offset that keeps them positive,
 * and of the lower 32 bits. They sort as text in the order of the numbers.
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

// SQLite rounds the binary number, the other dialects the decimal one: 2.675 is slightly less than its half. Fifteen
// digits identify a number, so adding a smaller amount corrects only that.
function rounded({ kind, integer, scale = 0 }: Storage, digits: number): string {
  if (kind === "decimal") return roundedUnits(scale, digits);
  const plain = `round({f}, ${digits})`;
  if (integer === true) return plain;
  return `CASE WHEN abs({f}) < 1e${13 - digits} THEN round({f} * 1.000000000000001, ${digits}) ELSE ${plain} END`;
}

function castTo(storage: Storage, to: CastTarget): string {
  const { kind, integer } = storage;
  if (isEpoch(storage)) return sqliteDates(storage).comparable;
  if (kind === "decimal") return castDecimal(storage, to);
  switch (to) {
    case "text":
      if (kind === "boolean") return "CASE {f} WHEN 1 THEN 'true' WHEN 0 THEN 'false' END";
      if (kind === "number" && integer !== true) return `${NUMBER_TEXT}({f})`;
      if (kind === "date") return "strftime('%Y-%m-%d %H:%M:%f', {f})";
      // A number is bound as a double, whose text has a point.
      return kind === "number" ? "CAST(CAST({f} AS INTEGER) AS TEXT)" : "CAST({f} AS TEXT)";
    case "integer":
      return "CAST({f} AS INTEGER)";
    case "number":
      return "CAST({f} AS REAL)";
    case "boolean":
      if (kind === "boolean") return "{f}";
      return kind === "text" ? "CASE {f} WHEN 'true' THEN 1 WHEN 'false' THEN 0 END" : "({f} <> 0)";
    case "date":
      return "strftime('%Y-%m-%d %H:%M:%f', {f})";
  }
}

function roundedUnits(scale: number, digits: number): string {
  if (digits === scale) return "{f}";
  return digits > scale
    ? `${WHOLE}({f} * ${10n ** BigInt(digits - scale)})`
    : `${ROUNDED}({f}, ${scale - digits})`;
}

// A decimal is a whole number of its last digit.
function castDecimal({ scale = 0 }: Storage, to: CastTarget): string {
  const unit = 10n ** BigInt(scale);
  const sign = "CASE WHEN {f} < 0 THEN '-' ELSE '' END";
  const text =
    scale === 0
      ? "CAST({f} AS TEXT)"
      : `CASE WHEN {f} IS NOT NULL THEN printf('%s%d.%0${scale}d', ${sign}, abs({f} / ${unit}), abs({f} % ${unit})) END`;
  switch (to) {
    case "integer":
      return `{f} / ${unit}`;
    case "number":
      return `CAST(${text} AS REAL)`;
    case "boolean":
      return "({f} <> 0)";
    default:
      return text;
  }
}
