/** Expressions and compound queries as MariaDB writes them. */
import type { Storage } from "../../declare/declaration.js";
import type { CastTarget } from "../../words/functions.js";
import { standardCompound } from "../grammar/forms.js";
import type { CompoundGrammar, ExpressionGrammar } from "../grammar/grammar.js";
import { typedParameter } from "../grammar/value-codec.js";
import { mariadbArithmetic } from "./arithmetic.js";
import { mariadbDate } from "./date-functions.js";
import { mariadbDecimals } from "./decimals.js";
import { mariadbExtremes } from "./extremes.js";
import { mariadbListings } from "./listings.js";
import { mariadbPaths } from "./paths.js";
import { mariadbValues } from "./values.js";
import { mariadbZonedDate } from "./zoned-dates.js";

// The collation determines which letters change case; the collation by code point knows few letters outside
// Europe. The second collation exists since 10.10; older servers read it as a comment.
const ALL_LETTERS = "COLLATE utf8mb4_unicode_520_ci /*M!101001 COLLATE utf8mb4_uca1400_nopad_as_cs */";

// The session determines how a text compares that no column holds.
const BY_CODE_POINT = "{0} COLLATE utf8mb4_nopad_bin";

// The result compares by code point again.
function inCase(call: string): string {
  return `${call}(CONVERT({f} USING utf8mb4) ${ALL_LETTERS}) COLLATE utf8mb4_nopad_bin`;
}

/** Text in lower case. */
export const LOWERED: string = inCase("LOWER");

export const mariadbExpressions: ExpressionGrammar = {
  calls: {
    upper: inCase("UPPER"),
    lower: LOWERED,
    trim: "TRIM({f})",
    ltrim: "LTRIM({f})",
    rtrim: "RTRIM({f})",
    length: "CHAR_LENGTH({f})",
    // CONCAT is NULL if one of its arguments is, and CONCAT_WS overwrites some texts while it joins them (10.11).
    concat: "CONCAT(IFNULL({f}, ''))",
    substring: "SUBSTRING({f}, {0}, {1})",
    replace: "REPLACE({f}, {0}, {1})",
    abs: "ABS({f})",
    ceil: "CEILING({f})",
    floor: "FLOOR({f})",
    sqrt: "SQRT({f})",
    power: "POWER({f}, {0})",
    now: "UTC_TIMESTAMP(3)",
    current_date: "DATE_FORMAT(UTC_TIMESTAMP(), '%Y-%m-%d')",
    current_time: "DATE_FORMAT(UTC_TIMESTAMP(), '%H:%i:%s')",
    current_timestamp: "UTC_TIMESTAMP(3)",
    coalesce: "COALESCE({f})",
    null_if: "NULLIF({f}, {0})",
  },
  // After each field but the last, which the template ends.
  fieldSeparator: ", ''), IFNULL(",
  replaceByNullable: "CASE WHEN {1} IS NOT NULL THEN REPLACE({f}, {0}, {1}) END",
  // The server gives an integer.
  wholeDecimal: (func) => `CAST(${func === "ceil" ? "CEILING" : "FLOOR"}({f}) AS DECIMAL(65))`,
  // A double is rounded as a binary number, a decimal as written. A number too large for a decimal has no fraction.
  // Each branch is a double: where a CASE mixes decimals with doubles, the server changes the last digits of some.
  round: ({ kind }, digits) =>
    kind === "decimal"
      ? `ROUND({f}, ${digits})`
      : `CASE WHEN ABS({f}) < 1e45 THEN CAST(ROUND(CAST({f} AS DECIMAL(65, 20)), ${digits}) AS DOUBLE) ELSE ROUND({f}, ${Math.min(digits, 0)}) END`,
  cast: castTo,
  date: (func, unit, isZoned) => (isZoned ? mariadbZonedDate : mariadbDate)(func, unit),
  sum: () => "SUM({f})",
  // The average of whole numbers would have four decimals.
  avg: (result) => (result.kind === "decimal" ? averageOfDecimals(result) : "AVG(CAST({f} AS DOUBLE))"),
  filters: false,
  // Together with windows in two other orders, an empty window makes the server return wrong results for all of them.
  wholeWindow: (column) => `PARTITION BY (${column} IS NULL) * 0`,
  // The server sorts rows by a key before it reads the texts that a query in the key needs (10.11). If the key is not
  // known before, it keeps the keys in a table, and the result is correct.
  besideQueries: "RAND() * 0",
  // Texts of dates have three or six digits after the second, so they may differ where the dates are equal.
  inHaving: "MIN({f})",
  oneOfDates: "CAST({f} AS DATETIME(3))",
  typed: (storage) => (storage.kind === "text" ? BY_CODE_POINT : typedParameter(storage, mariadbValues)),
  textBeside: "{0}",
  numbers: mariadbArithmetic,
  decimals: mariadbDecimals,
  ...mariadbListings,
  extremes: mariadbExtremes,
  booleans: { all: "MIN({f})", any: "MAX({f})" },
  paths: mariadbPaths,
  arithmetic: (operator, { integer }) => {
    if (integer !== true) return `{f} ${operator} {0}`;
    return operator === "/" ? "{f} DIV CAST({0} AS SIGNED)" : `{f} ${operator} CAST({0} AS SIGNED)`;
  },
};

// The quotient has at least as many digits after the point as the dividend: one more than the result keeps. A cast
// would replace sums that are too large.
function averageOfDecimals({ scale = 0 }: Storage): string {
  return `ROUND(SUM({f}){0} * 1.${"0".repeat(scale + 1)} / COUNT({f}){0}, ${scale})`;
}

export const mariadbCompound: CompoundGrammar = {
  ...standardCompound,
  intersectBindsFirst: true,
  namesFields: false,
};

// The server uses exponents in other cases and in another form than JavaScript. It may write small numbers without an
// exponent: then their digits are counted.
const AMOUNT = "ABS(CAST({f} AS DOUBLE))";
const TEXT = `CAST(${AMOUNT} AS CHAR)`;
const SMALL_DIGITS = `TRIM(LEADING '0' FROM SUBSTRING(${TEXT}, 3))`;
const SMALL = `CONCAT(LEFT(${SMALL_DIGITS}, 1), IF(LENGTH(${SMALL_DIGITS}) > 1, CONCAT('.', SUBSTRING(${SMALL_DIGITS}, 2)), ''), 'e-', LENGTH(${TEXT}) - LENGTH(${SMALL_DIGITS}) - 1)`;
const WRITTEN_OUT = `TRIM(TRAILING '.' FROM TRIM(TRAILING '0' FROM CAST(CAST(${TEXT} AS DECIMAL(65, 30)) AS CHAR)))`;
const NUMBER_TEXT = `CONCAT(IF({f} < 0, '-', ''), CASE WHEN ${AMOUNT} = 0 OR (${AMOUNT} >= 1e-6 AND ${AMOUNT} < 1e21) THEN ${WRITTEN_OUT} WHEN LOCATE('e-', ${TEXT}) > 0 THEN ${TEXT} WHEN LOCATE('e', ${TEXT}) > 0 THEN REPLACE(${TEXT}, 'e', 'e+') ELSE ${SMALL} END)`;

function textOf({ kind, integer, scale = 0 }: Storage): string {
  if (kind === "boolean") return "CASE {f} WHEN 1 THEN 'true' WHEN 0 THEN 'false' END";
  if (kind === "number" && integer !== true) return NUMBER_TEXT;
  // A value that was chosen among values of other scales has its own scale.
  if (kind === "decimal") return `CAST(CAST({f} AS DECIMAL(65, ${scale})) AS CHAR)`;
  return kind === "date" ? "LEFT(DATE_FORMAT({f}, '%Y-%m-%d %H:%i:%s.%f'), 23)" : "CAST({f} AS CHAR)";
}

// The server writes it with the collation of the session.
function byCodePoint(text: string): string {
  return `CONVERT(${text} USING utf8mb4) COLLATE utf8mb4_nopad_bin`;
}

function castTo(storage: Storage, to: CastTarget): string {
  const { kind, integer } = storage;
  switch (to) {
    case "text":
      return kind === "text" ? "{f}" : byCodePoint(textOf(storage));
    case "integer":
      return (kind === "number" && integer !== true) || kind === "decimal"
        ? "CAST(TRUNCATE({f}, 0) AS SIGNED)"
        : "CAST({f} AS SIGNED)";
    case "number":
      return "CAST({f} AS DOUBLE)";
    case "boolean":
      if (kind === "boolean") return "{f}";
      return kind === "text" ? "CASE {f} WHEN 'true' THEN 1 WHEN 'false' THEN 0 END" : "({f} <> 0)";
    case "date":
      return "CAST({f} AS DATETIME(3))";
  }
}
