/** Translates the errors of the clients of SQLite: better-sqlite3, `node:sqlite`, `bun:sqlite`. */

import type { DeclaredKeys, RefusedValue } from "../contract/driver.js";
import { ConstraintError, QueryError, type SqlError } from "../words/errors.js";
import { recursionLimit } from "./recursion.js";
import { repeatable, vocabulary } from "./sentence.js";
import { sqliteCode } from "./sqlite-codes.js";

const constraints: Readonly<Record<string, ConstraintError["code"]>> = {
  SQLITE_CONSTRAINT_UNIQUE: "UNIQUE_VIOLATION",
  SQLITE_CONSTRAINT_PRIMARYKEY: "UNIQUE_VIOLATION",
  SQLITE_CONSTRAINT_ROWID: "UNIQUE_VIOLATION",
  SQLITE_CONSTRAINT_FOREIGNKEY: "FOREIGN_KEY_VIOLATION",
  SQLITE_CONSTRAINT_NOTNULL: "NOT_NULL_VIOLATION",
  SQLITE_CONSTRAINT_CHECK: "CHECK_VIOLATION",
};

/** Translates an error of a client of SQLite. */
export function translateSqliteError(
  error: unknown,
  propertyOf: (column: string) => string,
  keys?: DeclaredKeys,
  sql = "",
): SqlError {
  const { code, text } = factsOf(error);
  const cause = { cause: error };
  const tooDeep = recursionLimit(text, error);
  if (tooDeep !== undefined) return tooDeep;
  const constraint = code === undefined ? undefined : constraints[code];
  if (constraint !== undefined) {
    // "UNIQUE constraint failed: users.email, users.name" or "CHECK constraint failed: age >= 0": never contains
    // a value.
    const place = /failed: (.+)$/s.exec(text)?.[1] ?? "";
    const name = nameIn(place, constraint);
    const columns =
      name === undefined
        ? place.split(", ").flatMap((part) => /\.([^.]+)$/.exec(part)?.[1] ?? [])
        : (keys?.named.get(name) ?? keys?.conditions.get(name) ?? []);
    const facts = { constraint: name, fields: columns.map(propertyOf) };
    return new ConstraintError(constraint, `constraint failed: ${place || code}`, facts, cause);
  }
  if (code === "SQLITE_BUSY_SNAPSHOT")
    return new QueryError("SERIALIZATION_FAILURE", "the rows have changed since they were read", cause);
  if (code !== undefined && /^SQLITE_(BUSY|LOCKED)/.test(code))
    return new QueryError("LOCK_TIMEOUT", "the database is locked by another connection", cause);
  if (CLOSED.has(text)) return new QueryError("NO_CONNECTION", "the database handle is closed", cause);
  const place = code ?? "no code";
  const sentence = ownSentence(place, text, sql) ?? "the statement failed";
  return new QueryError(
    place.startsWith("SQLITE_READONLY") ? "READ_ONLY" : "QUERY_FAILED",
    `${sentence} (${place})`,
    cause,
  );
}

interface Facts {
  /** The name of the extended result code. */
  readonly code: string | undefined;
  readonly text: string;
}

function factsOf(error: unknown): Facts {
  const { code, errcode, message } = Object(error) as Readonly<Record<string, unknown>>;
  const named = typeof errcode === "number" ? sqliteCode(errcode) : code;
  return {
    code: typeof named === "string" ? named : undefined,
    text: typeof message === "string" ? message : "",
  };
}

// What the clients say of a handle that is closed.
const CLOSED = new Set([
  "The database connection is not open",
  "database is not open",
  "statement has been finalized",
  "Cannot use a closed database",
  "Database has closed",
]);

// The name of a check, or its condition if it has no name; or the name of a unique index of an expression.
function nameIn(place: string, constraint: ConstraintError["code"]): string | undefined {
  if (constraint === "CHECK_VIOLATION") return place === "" ? undefined : place;
  return /^index '(.*)'$/s.exec(place)?.[1];
}

// Messages with a fixed text: failures of the file, the disk and the process.
const ABOUT_THE_FILE =
  /^SQLITE_(?:AUTH|CANTOPEN|CORRUPT|FULL|IOERR|MISMATCH|NOLFS|NOMEM|NOTADB|PERM|PROTOCOL|READONLY|TOOBIG)(?:_|$)/;

function ownSentence(code: string, message: string, sql: string): string | undefined {
  if (code !== "SQLITE_ERROR" && !ABOUT_THE_FILE.test(code)) return undefined;
  return repeatable(message, sql, WORDS);
}

const WORDS = vocabulary(
  `a access aggregate all already ambiguous an and another any apply are argument arguments as at attached attempt
  authorized be because before big blob by can cannot clause collation column columns come compound constant
  constraint contain could create database datatype default denied depth different disk do does duplicate each
  error exist existing exists expected expression file for foreign from full function generated has have i if in
  incomplete index indexed indices input insert integer into invalid is it join key large left limit locked logic
  malformed many matching maximum may memory mismatch missing misuse misused modify module more most must name
  named near new no non not null number o of old on one only open operator or order out overflow parser permission
  primary privileges prohibited protocol query readonly recursive reference references result returns right row
  same schema select selects sequence set sql stack string sub such support supported syntax table tables temp
  term terms than that the there this to token too transaction tree trigger type unable unique unknown
  unrecognized unsupported update use used using value values variable variables view virtual when where window
  with within without write wrong you`,
  true,
);

/** The value of a call that caused an error: `cannot store TEXT value in INTEGER column items.count`, of a STRICT table. */
export function refusedSqliteValue(error: unknown): RefusedValue | undefined {
  const { code, text } = factsOf(error);
  // The limit is 50,000 bytes.
  if (text === "LIKE or GLOB pattern too complex") return { patternOver: 12_499, sought: true };
  if (code !== "SQLITE_CONSTRAINT_DATATYPE") return undefined;
  const column = /\.([^.]+)$/s.exec(text)?.[1];
  return column === undefined ? undefined : { column };
}
