/** The errors of better-sqlite3 as ours. */
import { ConstraintError, QueryError, type SqlError } from "../errors.js";

const constraints: Readonly<Record<string, ConstraintError["code"]>> = {
  SQLITE_CONSTRAINT_UNIQUE: "UNIQUE_VIOLATION",
  SQLITE_CONSTRAINT_PRIMARYKEY: "UNIQUE_VIOLATION",
  SQLITE_CONSTRAINT_ROWID: "UNIQUE_VIOLATION",
  SQLITE_CONSTRAINT_FOREIGNKEY: "FOREIGN_KEY_VIOLATION",
  SQLITE_CONSTRAINT_NOTNULL: "NOT_NULL_VIOLATION",
  SQLITE_CONSTRAINT_CHECK: "CHECK_VIOLATION",
};

/** An error of better-sqlite3 as one of ours. */
export function translateSqliteError(error: unknown, propertyOf: (column: string) => string): SqlError {
  const { code, message } = Object(error) as Readonly<Record<string, unknown>>;
  const text = typeof message === "string" ? message : "";
  const cause = { cause: error };
  const constraint = typeof code === "string" ? constraints[code] : undefined;
  if (constraint !== undefined) {
    // "UNIQUE constraint failed: users.email, users.name" or "CHECK constraint failed: age >= 0": never a value.
    const place = /failed: (.+)$/s.exec(text)?.[1] ?? "";
    const isCheck = constraint === "CHECK_VIOLATION";
    const fields = isCheck ? [] : place.split(", ").flatMap((part) => /\.([^.]+)$/.exec(part)?.[1] ?? []);
    const facts = { constraint: isCheck && place !== "" ? place : undefined, fields: fields.map(propertyOf) };
    return new ConstraintError(constraint, `constraint failed: ${place || String(code)}`, facts, cause);
  }
  if (code === "SQLITE_BUSY_SNAPSHOT")
    return new QueryError("SERIALIZATION_FAILURE", "the rows have changed since they were read", cause);
  if (typeof code === "string" && /^SQLITE_(BUSY|LOCKED)/.test(code))
    return new QueryError("LOCK_TIMEOUT", "the database is locked by another connection", cause);
  if (text === "The database connection is not open")
    return new QueryError("NO_CONNECTION", "the database handle is closed", cause);
  return new QueryError(
    "QUERY_FAILED",
    `the statement failed (${typeof code === "string" ? code : "no code"})`,
    cause,
  );
}
