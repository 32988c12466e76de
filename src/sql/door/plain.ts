/**
 * Statements as they are: neither parsed nor given values. For texts whose author writes a whole file of SQL, as those
 * of migrations; `db.sql` is for all others.
 */
import { type DriverRequest, plainRequest } from "../contract/driver.js";
import type { Session } from "../exec/session.js";
import { isSqlError, QueryError } from "../words/errors.js";

const sessions = new WeakMap<object, Session>();

/** Remembers the session behind a database or a transaction. */
export function keepSession<T extends object>(door: T, session: Session): T {
  sessions.set(door, session);
  return door;
}

/** The session behind a database or a transaction; undefined for what is neither. */
export function sessionBehind(door: object): Session | undefined {
  return sessions.get(door);
}

/**
 * Runs one statement as it is on a database or in a transaction; rows are dropped. The driver sends it by itself: one
 * text of two statements is refused.
 * @throws {QueryError} `NO_CONNECTION` for what is not a database of this package.
 */
export async function runPlain(door: object, sql: string): Promise<void> {
  const session = sessionBehind(door);
  if (session === undefined) throw new QueryError("NO_CONNECTION", "this is not a database of rowtype");
  session.throwIfInside(false);
  const { prepared, ...request } = plainRequest(sql, false);
  // Whether it returns rows, nobody knows before it runs.
  const asked: DriverRequest = { ...request, prepared: { ...prepared, named: true } };
  try {
    await session.run(asked, undefined);
  } catch (error) {
    if (isSqlError(error)) throw error;
    throw session.driver.translate(error, (column) => column, undefined, sql);
  }
}
