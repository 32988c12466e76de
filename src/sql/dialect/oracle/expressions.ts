/** Expressions and compound queries as Oracle writes them. */
import type { Storage } from "../../declare/declaration.js";
import type { CastTarget } from "../../words/functions.js";
import { standardCompound } from "../grammar/forms.js";
import type { CompoundGrammar, ExpressionGrammar } from "../grammar/grammar.js";
import { typedParameter } from "../grammar/value-codec.js";
import { oracleArithmetic } from "./arithmetic.js";
import { oracleDate } from "./date-functions.js";
import { oracleDecimals } from "./decimals.js";
import { oracleExtremes } from "./extremes.js";
import { oracleListings } from "./listings.js";
import { oraclePaths } from "./paths.js";
import { oracleValues } from "./values.js";
import { oracleZonedDate } from "./zoned-dates.js";

// With its offset, so that the driver does not read it in the time zone of the process.
const now = "SYSTIMESTAMP";
const utc = `SYS_EXTRACT_UTC(${now})`;

export const oracleExpressions: ExpressionGrammar = {
  calls: {
    upper: "UPPER({f})",
    lower: "LOWER({f})",
    trim: "TRIM({f})",
    ltrim: "LTRIM({f})",
    rtrim: "RTRIM({f})",
    length: "LENGTH({f})",
    concat: "{f}",
    substring: "SUBSTR({f}, {0}, {1})",
    replace: "REPLACE({f}, {0}, {1})",
    abs: "ABS({f})",
    ceil: "CEIL({f})",
    floor: "FLOOR({f})",
    // Oracle fails where the other dialects return NULL.
    sqrt: "CASE WHEN {f} >= 0 THEN SQRT({f}) END",
    power: "POWER({f}, {0})",
    now,
    current_date: `TO_CHAR(${utc}, 'YYYY-MM-DD')`,
    current_time: `TO_CHAR(${utc}, 'HH24:MI:SS')`,
    current_timestamp: now,
    coalesce: "COALESCE({f})",
    null_if: "NULLIF({f}, {0})",
  },
  fieldSeparator: " || ",
  // A double is rounded half to even.
  round: ({ kind }, digits) =>
    kind === "decimal" ? `ROUND({f}, ${digits})` : `ROUND(CAST({f} AS NUMBER), ${digits})`,
  cast: castTo,
  date: (func, unit, isZoned) => (isZoned ? oracleZonedDate : oracleDate)(func, unit),
  sum: () => "SUM({f})",
  avg: ({ kind, scale = 0 }) =>
    kind === "decimal" ? `ROUND(SUM({f}){0} / COUNT({f}){0}, ${scale})` : "AVG({f})",
  filters: false,
  typed: (storage) => typedParameter(storage, oracleValues),
  numbers: oracleArithmetic,
  decimals: oracleDecimals,
  ...oracleListings,
  extremes: oracleExtremes,
  truths: { true: "1", false: "0" },
  booleans: { all: "MIN({f})", any: "MAX({f})" },
  paths: oraclePaths,
  arithmetic: (operator, { integer }) => {
    if (operator === "%") return "MOD({f}, {0})";
    return operator === "/" && integer === true ? "TRUNC({f} / {0})" : `{f} ${operator} {0}`;
  },
};

export const oracleCompound: CompoundGrammar = {
  ...standardCompound,
  // EXCEPT is new in 21c, as is ALL; every version has MINUS.
  operations: { ...standardCompound.operations, except: "MINUS" },
  // Not yet true, but Oracle has announced it.
  intersectBindsFirst: true,
  bounded: "table",
};

// A double as digits, for which TO_CHAR would use an exponent; with a zero before the point.
const DIGITS =
  "REGEXP_REPLACE(TO_CHAR(CAST({f} AS NUMBER), 'TM9', 'NLS_NUMERIC_CHARACTERS=''.,'''), '^(-?)[.]', '\\10.')";

function castTo(storage: Storage, to: CastTarget): string {
  const { kind, integer } = storage;
  switch (to) {
    case "text":
      if (kind === "boolean") return "CASE {f} WHEN 1 THEN 'true' WHEN 0 THEN 'false' END";
      if (kind === "date") return "TO_CHAR(SYS_EXTRACT_UTC({f}), 'YYYY-MM-DD HH24:MI:SS.FF3')";
      if (kind === "number" && integer !== true) return DIGITS;
      if (kind === "decimal") return decimalText(storage);
      return kind === "text" ? "{f}" : "TO_CHAR({f})";
    case "integer":
      if (kind === "text") return "CAST({f} AS NUMBER)";
      return (kind === "number" && integer !== true) || kind === "decimal" ? "TRUNC({f})" : "{f}";
    case "number":
      return "CAST({f} AS BINARY_DOUBLE)";
    case "boolean":
      if (kind === "boolean") return "{f}";
      return kind === "text"
        ? "CASE {f} WHEN 'true' THEN 1 WHEN 'false' THEN 0 END"
        : "CASE WHEN {f} <> 0 THEN 1 WHEN {f} = 0 THEN 0 END";
    case "date":
      return kind === "date"
        ? "{f}"
        : "FROM_TZ(TO_TIMESTAMP(REPLACE(RTRIM({f}, 'Z'), 'T', ' '), 'YYYY-MM-DD HH24:MI:SS.FF3'), 'UTC')";
  }
}

// All its digits: a zero before the point, and the zeros at the end.
function decimalText({ precision = 0, scale = 0 }: Storage): string {
  const whole = `FM${"9".repeat(Math.max(precision - scale - 1, 0))}0`;
  const format = scale === 0 ? whole : `${whole}.${"0".repeat(scale)}`;
  return `TO_CHAR({f}, '${format}')`;
}
