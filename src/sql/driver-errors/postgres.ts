/** Translates the errors of the clients of PostgreSQL: those of the server by SQLSTATE, those of the connection by their code. */

import type { DeclaredKeys, RefusedValue } from "../contract/driver.js";
import { ConstraintError, QueryError, type QueryErrorCode, type SqlError } from "../words/errors.js";
import { recursionLimit } from "./recursion.js";
import { repeatable, vocabulary } from "./sentence.js";

const constraints: Readonly<Record<string, ConstraintError["code"]>> = {
  "23505": "UNIQUE_VIOLATION",
  "23503": "FOREIGN_KEY_VIOLATION",
  "23502": "NOT_NULL_VIOLATION",
  "23514": "CHECK_VIOLATION",
};

const states: Readonly<Record<string, QueryErrorCode>> = {
  "40P01": "DEADLOCK",
  "40001": "SERIALIZATION_FAILURE",
  "55P03": "LOCK_TIMEOUT",
  "25006": "READ_ONLY",
  "57014": "ABORTED",
  "57P01": "CONNECTION_LOST",
  "57P02": "CONNECTION_LOST",
  "57P03": "CONNECTION_LOST",
  // Too many connections.
  "53300": "CONNECTION_LOST",
};

/**
 * Translates an error of a client. The server's message may contain values. If it may, our message is made from the facts.
 */
export function translatePostgresError(
  error: unknown,
  propertyOf: (column: string) => string,
  keys?: DeclaredKeys,
  sql = "",
): SqlError {
  const facts = Object(error) as Readonly<Record<string, unknown>>;
  const { code, detail, message, where } = facts;
  const cause = { cause: error };
  // Five letters and digits with at least one digit; `EPIPE` is not a server error.
  if (typeof code !== "string" || !/^(?=.*\d)[0-9A-Z]{5}$/.test(code)) return ofClient(code, message, cause);
  const tooDeep = recursionLimit(message, error);
  if (tooDeep !== undefined) return tooDeep;
  const broken = constraints[code];
  if (broken !== undefined) {
    // postgres.js has the same facts under other names.
    const { constraint = facts["constraint_name"], column = facts["column_name"] } = facts;
    const name = typeof constraint === "string" ? constraint : undefined;
    const columns = typeof column === "string" ? [column] : placeOf(broken, name, detail, keys);
    const place = { constraint: name, fields: columns.map(propertyOf) };
    return new ConstraintError(broken, `constraint failed: ${name ?? columns.join(", ")}`, place, cause);
  }
  const known =
    states[code] ?? (code.startsWith("08") && !isOfMessage(error) ? "CONNECTION_LOST" : "QUERY_FAILED");
  const sentence = ownSentence(code, message, where, sql) ?? "the statement failed";
  return new QueryError(known, `${sentence} (SQLSTATE ${code})`, cause);
}

/** Codes of errors of postgres.js about a statement that it did not send. */
const UNSENDABLE: ReadonlySet<unknown> = new Set([
  "UNDEFINED_VALUE",
  "MAX_PARAMETERS_EXCEEDED",
  "NOT_TAGGED_CALL",
  "COPY_IN_PROGRESS",
]);

/** What a client says of a handle that its owner has closed. */
const CLOSED: ReadonlySet<unknown> = new Set([
  "Cannot use a pool after calling end on the pool",
  "PGlite is closed",
  "PGlite is closing",
]);

/** An error that the server did not report. */
function ofClient(code: unknown, message: unknown, cause: ErrorOptions): QueryError {
  if (CLOSED.has(message) || code === "CONNECTION_ENDED")
    return new QueryError("NO_CONNECTION", "the pool is closed", cause);
  const lost =
    (typeof code === "string" && !UNSENDABLE.has(code)) ||
    /connect|terminated|timeout|not queryable/i.test(String(message));
  if (lost) return new QueryError("CONNECTION_LOST", "the connection to the server failed", cause);
  return new QueryError("QUERY_FAILED", "the driver could not send the statement", cause);
}

/** Whether the server only refused a message, such as one with too few values for its text. */
function isOfMessage(error: unknown): boolean {
  const { code, severity } = Object(error) as Readonly<Record<string, unknown>>;
  return code === "08P01" && severity === "ERROR";
}

// Connection privileges, unknown databases, transaction states, resources, operator intervention: not about the
// text of a statement.
const ABOUT_THE_SERVER: ReadonlySet<string> = new Set(["25", "28", "3D", "53", "57"]);
// Syntax, names, types, privileges, unimplemented features.
const ABOUT_THE_TEXT: ReadonlySet<string> = new Set(["42", "0A"]);

function ownSentence(code: string, message: unknown, where: unknown, sql: string): string | undefined {
  // A function can raise any message with any state.
  if (typeof message !== "string" || (typeof where === "string" && where !== "")) return undefined;
  const kind = code.slice(0, 2);
  if (ABOUT_THE_SERVER.has(kind)) return message;
  return ABOUT_THE_TEXT.has(kind) ? repeatable(message, sql, WORDS) : undefined;
}

const WORDS = vocabulary(
  `a access after aggregate aggregates all allowed already also ambiguous an and any appear are argument arguments
  array arrays as at attribute base be bigint body bool boolean but by bytea cached call calls can cannot cast
  catalog change char character clause coerced collation collations column columns combined command commands
  composite condition configuration conflict conflicts constraint constraints contain contains conversion convert
  converted could create data database date deferrable deferred defined definition denied determine different
  disallowed do does domain double duplicate each element else empty end entries entry enum error exclusion exist
  existing exists expression expressions extension failed feature fewer field find first for foreign frame from
  function functions generated given group grouping has have identity implemented implicit in inconsistent index
  inet inherited initial initially input insert int int2 int4 int8 integer interval into invalid is it item items
  its join json jsonb key keys kind language large last left length level list lists lock locked many match
  matched matches matching method mismatch missing mixed modified modify more most multidimensional multiple must
  name named names near nested no non not null number numeric object of oid on once one only op operation operator
  operators option or order ordered other out outer over owner parameter parameters part partition partitioned
  permission permitted plan polymorphic position precision prepared primary privileges procedure qualified query
  range real record recursive reference referenced references referencing relation required requires reserved
  result return returned returning returns reverse right role row rows rule same scalar schema select selected
  sequence set sets side smallint specified specify statement statements subquery subscript superuser supported
  syntax system table target temporary term text than that the there this time timestamp timestamptz to too
  transaction treated trigger two type types unique unknown unlogged unrecognized unsupported update updated use
  used user uses using uuid value values varchar variable varying view volatile when where which whole window with
  within without yet you zone`,
);

// The detail of a reference error says which side it is about. The detail of a check holds the row.
function placeOf(
  broken: ConstraintError["code"],
  name: string | undefined,
  detail: unknown,
  keys: DeclaredKeys | undefined,
): readonly string[] {
  const declared = name === undefined ? undefined : keys?.named.get(name);
  if (broken === "CHECK_VIOLATION") return declared ?? [];
  return broken === "UNIQUE_VIOLATION" ? (declared ?? columnsOf(detail)) : columnsOf(detail);
}

// `Key (team_id, "userName")=(…) already exists.`, in any language of the server.
function columnsOf(detail: unknown): string[] {
  const list = typeof detail === "string" ? /\((.+?)\)=\(/s.exec(detail)?.[1] : undefined;
  return (
    list
      ?.match(/"(?:[^"]|"")+"|[^",\s]+/g)
      ?.map((name) => name.replace(/^"|"$/g, "").replaceAll('""', '"')) ?? []
  );
}

const INVALID_REGEX = "2201B";
/** Functions of the server that put a row into an index. */
const OF_INDEX_ROWS: ReadonlySet<unknown> = new Set([
  "_bt_check_third_page",
  "index_form_tuple",
  "index_form_tuple_context",
]);

/**
 * The value of a call that caused an error. When the server fails to read a value, it names the value in `where`, in
 * any language: `unnamed portal parameter $2 = '...'`. When a text or number does not fit its column, the server does
 * not name the value.
 */
export function refusedPostgresValue(error: unknown): RefusedValue | undefined {
  const { code, where, message, detail, routine } = Object(error) as Readonly<Record<string, unknown>>;
  // A value is too long for an index: a third of a page of 8 kB is the most, in bytes.
  if (code === "54000" && OF_INDEX_ROWS.has(routine)) return { longerThan: 600 };
  // Class 22: about values.
  if (typeof code !== "string" || !/^22[0-9A-Z]{3}$/.test(code)) return undefined;
  if (typeof where === "string" && where !== "") {
    // For JSON, the lines before it show the place in the JSON.
    const [, place] =
      /^[^"$\n]*\$(\d+)(?: = '|[^"$\n]*$)/.exec(where.slice(where.lastIndexOf("\n") + 1)) ?? [];
    return place === undefined ? undefined : { place: Number(place) - 1 };
  }
  if (code === INVALID_REGEX) return { patternOver: 0, sought: false };
  const length = code === "22001" ? /\((\d+)\)/.exec(String(message))?.[1] : undefined;
  if (length !== undefined) return { longerThan: Number(length) };
  // `A field with precision 5, scale 2 must round to an absolute value less than 10^3.`, or than 1.
  if (code !== "22003" || routine !== "apply_typmod" || typeof detail !== "string") return undefined;
  const digits = /10\^(-?\d+)/.exec(detail)?.[1];
  return { from: 10 ** Number(digits ?? 0) };
}
