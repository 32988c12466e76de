/** The errors of mysql2 as ours: those of the server by number, those of the connection by what they are. */
import { ConstraintError, QueryError, type QueryErrorCode, type SqlError } from "../errors.js";
import type { DeclaredKeys } from "../exec/driver.js";

const constraints: ReadonlyMap<unknown, ConstraintError["code"]> = new Map([
  [1062, "UNIQUE_VIOLATION"],
  [1586, "UNIQUE_VIOLATION"],
  [1216, "FOREIGN_KEY_VIOLATION"],
  [1217, "FOREIGN_KEY_VIOLATION"],
  [1451, "FOREIGN_KEY_VIOLATION"],
  [1452, "FOREIGN_KEY_VIOLATION"],
  [1048, "NOT_NULL_VIOLATION"],
  [1364, "NOT_NULL_VIOLATION"],
  [4025, "CHECK_VIOLATION"],
]);

const numbers: ReadonlyMap<unknown, QueryErrorCode> = new Map([
  [1213, "DEADLOCK"],
  // A row has changed since the transaction first read.
  [1020, "SERIALIZATION_FAILURE"],
  [1205, "LOCK_TIMEOUT"],
  // Interrupted by KILL QUERY, and by `max_statement_time`.
  [1317, "ABORTED"],
  [1969, "ABORTED"],
  // Shut down, killed, too many connections, broken packets.
  [1040, "CONNECTION_LOST"],
  [1053, "CONNECTION_LOST"],
  [1152, "CONNECTION_LOST"],
  [1158, "CONNECTION_LOST"],
  [1159, "CONNECTION_LOST"],
  [1160, "CONNECTION_LOST"],
  [1161, "CONNECTION_LOST"],
  [1184, "CONNECTION_LOST"],
  [1927, "CONNECTION_LOST"],
]);

/** An error of mysql2 as one of ours. The server's own message may quote values, so ours is made from the facts. */
export function translateMariadbError(
  error: unknown,
  propertyOf: (column: string) => string,
  keys: DeclaredKeys | undefined,
): SqlError {
  const { errno, sqlState, sqlMessage, fatal, code, message } = Object(error) as Readonly<
    Record<string, unknown>
  >;
  const cause = { cause: error };
  // Only an error of the server has a state.
  if (typeof sqlState !== "string" || typeof errno !== "number") {
    if (message === "Pool is closed.") return new QueryError("NO_CONNECTION", "the pool is closed", cause);
    const lost = fatal === true || isOfConnection(code) || /connection|queue limit/i.test(String(message));
    if (lost) return new QueryError("CONNECTION_LOST", "the connection to the server failed", cause);
    return new QueryError("QUERY_FAILED", "the driver could not send the statement", cause);
  }
  const broken = constraints.get(errno);
  if (broken !== undefined) {
    const { name, columns } = placeOf(broken, String(sqlMessage), keys);
    const facts = { constraint: name, fields: columns.map(propertyOf) };
    return new ConstraintError(broken, `constraint failed: ${name ?? columns.join(", ")}`, facts, cause);
  }
  const known = numbers.get(errno) ?? (fatal === true ? "CONNECTION_LOST" : "QUERY_FAILED");
  return new QueryError(known, `the statement failed (error ${errno}, SQLSTATE ${sqlState})`, cause);
}

// `ECONNRESET` and the like of the system, `PROTOCOL_CONNECTION_LOST` and the like of the driver.
function isOfConnection(code: unknown): boolean {
  return typeof code === "string" && /^(E[A-Z]+|PROTOCOL_\w+)$/.test(code);
}

interface Place {
  readonly name?: string | undefined;
  readonly columns: readonly string[];
}

// What the messages name, in whatever language: a value never stands where these look.
function placeOf(code: ConstraintError["code"], message: string, keys: DeclaredKeys | undefined): Place {
  switch (code) {
    case "UNIQUE_VIOLATION": {
      // Duplicate entry '…' for key 'name'
      const name = /'([^']+)'\s*$/.exec(message)?.[1];
      return { name, columns: name === undefined ? [] : columnsOfKey(name, keys) };
    }
    case "FOREIGN_KEY_VIOLATION": {
      // … (`db`.`people`, CONSTRAINT `name` FOREIGN KEY (`team_id`) REFERENCES …)
      const [, name, list = ""] = /CONSTRAINT `([^`]+)` FOREIGN KEY \(([^)]+)\)/.exec(message) ?? [];
      return { name, columns: list.match(/[^`, ]+/g) ?? [] };
    }
    case "NOT_NULL_VIOLATION":
      // Column 'name' cannot be null
      return { columns: /'([^']+)'/.exec(message)?.slice(1) ?? [] };
    case "CHECK_VIOLATION":
      // CONSTRAINT `people.age` failed for `db`.`people`
      return { name: /`([^`]+)`/.exec(message)?.[1], columns: [] };
  }
}

/**
 * A key that was given no name is called by its first column, and where several begin with it, the others have a
 * number behind it: `email`, `email_2`.
 */
function columnsOfKey(name: string, keys: DeclaredKeys | undefined): readonly string[] {
  if (keys === undefined) return [];
  if (name === "PRIMARY") return keys.primary;
  const beginningWith = (first: string) => keys.others.filter((key) => key[0] === first);
  const [, base = name, number = "1"] = /^(.+)_(\d+)$/.exec(name) ?? [];
  return beginningWith(name)[0] ?? beginningWith(base)[Number(number) - 1] ?? [];
}
