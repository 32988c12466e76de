/** The errors of `pg` as ours: those of the server by SQLSTATE, those of the connection by what they are. */
import { ConstraintError, QueryError, type QueryErrorCode, type SqlError } from "../errors.js";

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
  "57014": "ABORTED",
  "57P01": "CONNECTION_LOST",
  "57P02": "CONNECTION_LOST",
  "57P03": "CONNECTION_LOST",
  // Too many connections.
  "53300": "CONNECTION_LOST",
};

/** An error of `pg` as one of ours. The server's own message may quote values, so ours is made from the facts. */
export function translatePostgresError(error: unknown, propertyOf: (column: string) => string): SqlError {
  const { code, constraint, column, detail, message } = Object(error) as Readonly<Record<string, unknown>>;
  const cause = { cause: error };
  // Five letters and digits with a digit among them; `EPIPE` is not of the server.
  if (typeof code !== "string" || !/^(?=.*\d)[0-9A-Z]{5}$/.test(code)) {
    if (message === "Cannot use a pool after calling end on the pool")
      return new QueryError("NO_CONNECTION", "the pool is closed", cause);
    const lost =
      typeof code === "string" || /connect|terminated|timeout|not queryable/i.test(String(message));
    if (lost) return new QueryError("CONNECTION_LOST", "the connection to the server failed", cause);
    return new QueryError("QUERY_FAILED", "the driver could not send the statement", cause);
  }
  const broken = constraints[code];
  if (broken !== undefined) {
    const name = typeof constraint === "string" ? constraint : undefined;
    const columns = typeof column === "string" ? [column] : columnsOf(detail);
    const facts = { constraint: name, fields: columns.map(propertyOf) };
    return new ConstraintError(broken, `constraint failed: ${name ?? columns.join(", ")}`, facts, cause);
  }
  const known = states[code] ?? (code.startsWith("08") ? "CONNECTION_LOST" : "QUERY_FAILED");
  return new QueryError(known, `the statement failed (SQLSTATE ${code})`, cause);
}

// `Key (team_id, "userName")=(…) already exists.`, in whatever language the server speaks.
function columnsOf(detail: unknown): string[] {
  const list = typeof detail === "string" ? /\((.+?)\)=\(/s.exec(detail)?.[1] : undefined;
  return (
    list
      ?.match(/"(?:[^"]|"")+"|[^",\s]+/g)
      ?.map((name) => name.replace(/^"|"$/g, "").replaceAll('""', '"')) ?? []
  );
}
