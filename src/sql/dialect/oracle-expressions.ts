/** Expressions and compound queries as Oracle writes them. */
import type { Storage } from "../declare/declaration.js";
import type { CastTarget } from "../words/functions.js";
import { standardCompound } from "./forms.js";
import type { CompoundGrammar, ExpressionGrammar } from "./grammar.js";

// With its offset, by which the driver reads it; without one it would be read in the zone of the process.
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
    // Oracle fails where the others give NULL.
    sqrt: "CASE WHEN {f} >= 0 THEN SQRT({f}) END",
    power: "POWER({f}, {0})",
    now,
    current_date: `TO_CHAR(${utc}, 'YYYY-MM-DD')`,
    current_time: `TO_CHAR(${utc}, 'HH24:MI:SS')`,
    current_timestamp: now,
    coalesce: "COALESCE({f}, {0})",
    null_if: "NULLIF({f}, {0})",
  },
  fieldSeparator: " || ",
  // A floating point number is rounded to the even half.
  round: (_, digits) => `ROUND(CAST({f} AS NUMBER), ${digits})`,
  cast: castTo,
  sum: () => "SUM({f})",
  avg: "AVG({f})",
  filters: false,
  typed: ({ kind, integer }) => {
    if (kind !== "number" && kind !== "bigint") return "{0}";
    return `CAST({0} AS ${integer === true || kind === "bigint" ? "NUMBER" : "BINARY_DOUBLE"})`;
  },
  arithmetic: (operator, { integer }) => {
    if (operator === "%") return "MOD({f}, {0})";
    return operator === "/" && integer === true ? "TRUNC({f} / {0})" : `{f} ${operator} {0}`;
  },
};

export const oracleCompound: CompoundGrammar = {
  ...standardCompound,
  // EXCEPT is new in 21c, as ALL is; MINUS is in every version.
  operations: { ...standardCompound.operations, except: "MINUS" },
  // It does not yet, and Oracle says that it will.
  intersectBindsFirst: true,
  bounded: "table",
};

// A double as its digits, which TO_CHAR alone would write with an exponent; and a zero before the point.
const DIGITS =
  "REGEXP_REPLACE(TO_CHAR(CAST({f} AS NUMBER), 'TM9', 'NLS_NUMERIC_CHARACTERS=''.,'''), '^(-?)[.]', '\\10.')";

function castTo({ kind, integer }: Storage, to: CastTarget): string {
  switch (to) {
    case "text":
      if (kind === "boolean") return "CASE {f} WHEN 1 THEN 'true' WHEN 0 THEN 'false' END";
      if (kind === "date") return "TO_CHAR(SYS_EXTRACT_UTC({f}), 'YYYY-MM-DD HH24:MI:SS.FF3')";
      if (kind === "number" && integer !== true) return DIGITS;
      return kind === "text" ? "{f}" : "TO_CHAR({f})";
    case "integer":
      if (kind === "text") return "CAST({f} AS NUMBER)";
      return kind === "number" && integer !== true ? "TRUNC({f})" : "{f}";
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
