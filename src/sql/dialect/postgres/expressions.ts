/** Expressions and compound queries as PostgreSQL writes them. */
import type { Storage } from "../../declare/declaration.js";
import type { CastTarget } from "../../words/functions.js";
import { standardCompound } from "../grammar/forms.js";
import type { CompoundGrammar, ExpressionGrammar } from "../grammar/grammar.js";
import { postgresArithmetic } from "./arithmetic.js";
import { castType } from "./cast.js";
import { postgresDate } from "./date-functions.js";
import { isZoneless } from "./dates.js";
import { postgresDecimals } from "./decimals.js";
import { postgresExtremes } from "./extremes.js";
import { postgresListings } from "./listings.js";
import { postgresPaths } from "./paths.js";
import { postgresParameter } from "./values.js";
import { postgresZonedDate } from "./zoned-dates.js";

/** The collation that folds all letters. Every server built with ICU has it, in every database. */
export const FOLDING = 'COLLATE "und-x-icu"';

export const postgresExpressions: ExpressionGrammar = {
  mostArguments: 100,
  calls: {
    // The result compares by code point again.
    upper: `upper({f} ${FOLDING}) COLLATE "C"`,
    lower: `lower({f} ${FOLDING}) COLLATE "C"`,
    trim: "trim({f})",
    ltrim: "ltrim({f})",
    rtrim: "rtrim({f})",
    // As a whole number of 64 bits, because it is compared with such numbers.
    length: "CAST(char_length({f}) AS bigint)",
    concat: "concat({f})",
    // Parameters of unknown type would select the form with patterns.
    substring: "substring({f}, CAST({0} AS integer), CAST({1} AS integer))",
    replace: "replace({f}, CAST({0} AS text), CAST({1} AS text))",
    abs: "abs({f})",
    ceil: "ceil({f})",
    floor: "floor({f})",
    // PostgreSQL fails where the other dialects return NULL, and gives the root of a numeric with fewer digits.
    sqrt: "CASE WHEN {f} >= 0 THEN sqrt(CAST({f} AS double precision)) END",
    power: "power({f}, CAST({0} AS double precision))",
    now: "now()",
    current_date: "to_char(now() AT TIME ZONE 'UTC', 'YYYY-MM-DD')",
    current_time: "to_char(now() AT TIME ZONE 'UTC', 'HH24:MI:SS')",
    current_timestamp: "CURRENT_TIMESTAMP",
    coalesce: "coalesce({f})",
    null_if: "nullif({f}, {0})",
  },
  // Only numeric rounds to a number of digits, and halves away from zero.
  round: (storage, digits) =>
    `round(${storage.kind === "decimal" ? "{f}" : numeric("{f}", storage)}, ${digits})`,
  cast: castTo,
  date: (func, unit, isZoned) => (isZoned ? postgresZonedDate : postgresDate)(func, unit),
  sum: () => "SUM({f})",
  avg: ({ kind, scale = 0 }) =>
    // More digits than the result keeps, so that a half is recognised.
    kind === "decimal"
      ? `ROUND(CAST(SUM({f}){0} AS numeric(1000, ${Math.max(40, scale + 20)})) / COUNT({f}){0}, ${scale})`
      : "AVG({f})",
  filters: true,
  // Next to a date without a zone, one with a zone would be read in the zone of the session.
  typed: (storage) => `CAST({0} AS ${isZoneless(storage) ? "timestamp" : postgresParameter(storage)})`,
  typedAs: (declared) => `CAST({0} AS ${castType(declared)})`,
  textAlone: byCodePoint("{f}"),
  numbers: postgresArithmetic,
  decimals: postgresDecimals,
  ...postgresListings,
  extremes: postgresExtremes,
  booleans: { all: "bool_and({f})", any: "bool_or({f})" },
  paths: postgresPaths,
  arithmetic: (operator, storage) =>
    // Doubles have no remainder operator.
    operator === "%" && storage.integer !== true
      ? `CAST(${numeric("{f}", storage)} % CAST({0} AS numeric) AS double precision)`
      : `{f} ${operator} {0}`,
};

export const postgresCompound: CompoundGrammar = { ...standardCompound, intersectBindsFirst: true };

// A cast of a double to numeric keeps 15 digits; its text has as many as distinguish it from every other double.
function numeric(value: string, { integer }: Storage): string {
  return integer === true ? `CAST(${value} AS numeric)` : `CAST(CAST(${value} AS text) AS numeric)`;
}

// The number as it is read from the column; numeric and real columns return their digits.
const NUMBER = "CAST(CAST({f} AS text) AS double precision)";
// The server uses exponents for smaller numbers than JavaScript, and writes them with two digits.
const NUMBER_TEXT = `CASE WHEN abs(${NUMBER}) >= 1e21 OR (abs(${NUMBER}) < 1e-6 AND ${NUMBER} <> 0) THEN regexp_replace(CAST(${NUMBER} AS text), 'e([+-])0', 'e\\1') ELSE CAST(CAST(CAST(${NUMBER} AS text) AS numeric) AS text) END`;

// A text that does not come from a column has the collation of the database.
function byCodePoint(text: string): string {
  return `${text} COLLATE "C"`;
}

function castTo(storage: Storage, to: CastTarget): string {
  const { kind, integer } = storage;
  switch (to) {
    case "text":
      // Some locales ignore signs: there "-2" comes after "1".
      if (kind === "number" && integer !== true) return byCodePoint(`(${NUMBER_TEXT})`);
      // A value that was chosen among values of other scales has its own scale.
      if (kind === "decimal") return byCodePoint(`CAST(round({f}, ${storage.scale ?? 0}) AS text)`);
      if (kind === "number" || kind === "bigint") return byCodePoint("CAST({f} AS text)");
      if (kind !== "date") return "CAST({f} AS text)";
      return `to_char(${isZoneless(storage) ? "CAST({f} AS timestamp)" : "{f} AT TIME ZONE 'UTC'"}, 'YYYY-MM-DD HH24:MI:SS.MS')`;
    case "integer":
      if ((kind === "number" && integer !== true) || kind === "decimal") return "CAST(trunc({f}) AS bigint)";
      return kind === "boolean" ? "CAST(CAST({f} AS integer) AS bigint)" : "CAST({f} AS bigint)";
    case "number":
      return kind === "boolean"
        ? "CAST(CAST({f} AS integer) AS double precision)"
        : "CAST({f} AS double precision)";
    case "boolean":
      if (kind === "boolean") return "{f}";
      return kind === "text" ? "CASE {f} WHEN 'true' THEN true WHEN 'false' THEN false END" : "({f} <> 0)";
    case "date":
      if (kind === "date") return "{f}";
      // Text without a time zone is UTC, regardless of the session.
      return "CASE WHEN {f} ~ ':\\d\\d.*(Z|[+-]\\d\\d(:?\\d\\d)?)$' THEN CAST({f} AS timestamptz) ELSE CAST({f} AS timestamp) AT TIME ZONE 'UTC' END";
  }
}
