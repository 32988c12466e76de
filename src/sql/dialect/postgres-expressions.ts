/** Expressions and compound queries as PostgreSQL writes them. */

import type { Storage } from "../declare/declaration.js";
import type { CastTarget } from "../words/functions.js";
import { isZoneless } from "./dates.js";
import { standardCompound } from "./forms.js";
import type { CompoundGrammar, ExpressionGrammar } from "./grammar.js";

/** The names of the types that a parameter may be of. */
const types: { readonly [K in Storage["kind"]]?: string } = {
  text: "text",
  bigint: "bigint",
  boolean: "boolean",
  date: "timestamptz",
  bytes: "bytea",
  json: "jsonb",
};

/** The collation that folds all letters. Every server that is built with ICU has it, in every database. */
export const FOLDING = 'COLLATE "und-x-icu"';

export const postgresExpressions: ExpressionGrammar = {
  mostArguments: 100,
  calls: {
    // The result is compared by code point again.
    upper: `upper({f} ${FOLDING}) COLLATE "C"`,
    lower: `lower({f} ${FOLDING}) COLLATE "C"`,
    trim: "trim({f})",
    ltrim: "ltrim({f})",
    rtrim: "rtrim({f})",
    length: "char_length({f})",
    concat: "concat({f})",
    // Parameters of no known type would choose the form with patterns.
    substring: "substring({f}, CAST({0} AS integer), CAST({1} AS integer))",
    replace: "replace({f}, CAST({0} AS text), CAST({1} AS text))",
    abs: "abs({f})",
    ceil: "ceil({f})",
    floor: "floor({f})",
    // PostgreSQL fails where the others give NULL.
    sqrt: "CASE WHEN {f} >= 0 THEN sqrt({f}) END",
    power: "power({f}, CAST({0} AS double precision))",
    now: "now()",
    current_date: "to_char(now() AT TIME ZONE 'UTC', 'YYYY-MM-DD')",
    current_time: "to_char(now() AT TIME ZONE 'UTC', 'HH24:MI:SS')",
    current_timestamp: "CURRENT_TIMESTAMP",
    coalesce: "coalesce({f}, {0})",
    null_if: "nullif({f}, {0})",
  },
  // Only numeric rounds to digits, and halves away from zero.
  round: (_, digits) => `round(CAST({f} AS numeric), ${digits})`,
  cast: castTo,
  sum: () => "SUM({f})",
  avg: "AVG({f})",
  filters: true,
  typed: (storage) => `CAST({0} AS ${typeOf(storage)})`,
  arithmetic: (operator, { integer }) =>
    // Floating point numbers have no remainder here.
    operator === "%" && integer !== true
      ? "CAST(CAST({f} AS numeric) % CAST({0} AS numeric) AS double precision)"
      : `{f} ${operator} {0}`,
};

export const postgresCompound: CompoundGrammar = { ...standardCompound, intersectBindsFirst: true };

function typeOf(storage: Storage): string {
  if (storage.kind === "array") return `${typeOf(storage.item ?? { kind: "text" })}[]`;
  if (storage.kind === "number") return storage.integer === true ? "bigint" : "double precision";
  return types[storage.kind] ?? "text";
}

// The number that is read of the column, which a numeric or a real one gives by its digits.
const NUMBER = "CAST(CAST({f} AS text) AS double precision)";
// The server's exponents begin earlier than JavaScript's, and have two digits.
const NUMBER_TEXT = `CASE WHEN abs(${NUMBER}) >= 1e21 OR (abs(${NUMBER}) < 1e-6 AND ${NUMBER} <> 0) THEN regexp_replace(CAST(${NUMBER} AS text), 'e([+-])0', 'e\\1') ELSE CAST(CAST(CAST(${NUMBER} AS text) AS numeric) AS text) END`;

function castTo(storage: Storage, to: CastTarget): string {
  const { kind, integer } = storage;
  switch (to) {
    case "text":
      if (kind === "number" && integer !== true) return NUMBER_TEXT;
      if (kind !== "date") return "CAST({f} AS text)";
      return `to_char(${isZoneless(storage) ? "CAST({f} AS timestamp)" : "{f} AT TIME ZONE 'UTC'"}, 'YYYY-MM-DD HH24:MI:SS.MS')`;
    case "integer":
      if (kind === "number" && integer !== true) return "CAST(trunc({f}) AS bigint)";
      return kind === "boolean" ? "CAST({f} AS integer)" : "CAST({f} AS bigint)";
    case "number":
      return kind === "boolean"
        ? "CAST(CAST({f} AS integer) AS double precision)"
        : "CAST({f} AS double precision)";
    case "boolean":
      if (kind === "boolean") return "{f}";
      return kind === "text" ? "CASE {f} WHEN 'true' THEN true WHEN 'false' THEN false END" : "{f} <> 0";
    case "date":
      if (kind === "date") return "{f}";
      // Text without a zone is UTC, whatever the session's is.
      return "CASE WHEN {f} ~ ':\\d\\d.*(Z|[+-]\\d\\d(:?\\d\\d)?)$' THEN CAST({f} AS timestamptz) ELSE CAST({f} AS timestamp) AT TIME ZONE 'UTC' END";
  }
}
