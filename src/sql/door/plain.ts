/**
 * Statements that are sent unchanged: neither parsed nor given values. They serve authors of whole SQL files, such as
 * migrations; `db.sql` serves all others.
 */
import { type DriverRequest, plainRequest } from "../contract/driver.js";
import { type Session, sqlErrorOf } from "../exec/session.js";
import { QueryError } from "../words/errors.js";

const sessions = new WeakMap<object, Session>();

/** Stores the session of a database or a transaction. */
export function keepSession<T extends object>(door: T, session: Session): T {
  sessions.set(door, session);
  return door;
}

/** Gives a copy of a database without some methods the session of the database. */
export function sameSession<T extends object>(copy: T, database: object): T {
  const session = sessions.get(database);
  return session === undefined ? copy : keepSession(copy, session);
}

/** The session of a database or a transaction; undefined for any other value. */
export function sessionOfDoor(door: object): Session | undefined {
  return sessions.get(door);
}

/**
 * Runs one statement unchanged on a database or in a transaction, and drops its rows. The driver refuses a text with
 * two statements.
 * @throws {QueryError} `NO_CONNECTION` for a value that is not a database of this package.
 */
export async function runPlain(door: object, sql: string): Promise<void> {
  const session = sessionOfDoor(door);
  if (session === undefined) throw new QueryError("NO_CONNECTION", "this is not a database of rowtype");
  session.throwIfInside(false);
  const { prepared, ...request } = plainRequest(sql, false);
  // Before it runs, it is unknown whether it returns rows.
  const asked: DriverRequest = { ...request, prepared: { ...prepared, named: true } };
  try {
    await session.run(asked, undefined);
  } catch (error) {
    throw sqlErrorOf(error, session.driver, sql);
  }
}
