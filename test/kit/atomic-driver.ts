/** A driver without sessions, as one over HTTP: single statements, and lists of them that are all or nothing. */
import type Sqlite from "better-sqlite3";
import type { Driver, Result, Statement } from "rowtype/driver";
import { sqlite } from "rowtype/sqlite";

/** The driver, and what was sent by it: a text for each single statement, a list for each `atomic`. */
export interface AtomicDriver {
  readonly driver: Driver & Required<Pick<Driver, "atomic">>;
  readonly sent: (string | readonly string[])[];
}

/** A driver over a handle of better-sqlite3. */
export function atomicDriver(handle: Sqlite.Database): AtomicDriver {
  // It registers the functions of rowtype on the handle.
  sqlite(handle);
  const sent: AtomicDriver["sent"] = [];
  const run = ({ sql, params, bigints, rows: gives }: Statement): Result => {
    const statement = handle.prepare(sql);
    if (!statement.reader) return { rows: [], affected: statement.run(...params).changes };
    statement.raw().safeIntegers(bigints);
    const rows = statement.all(...params) as Result["rows"];
    const columns = gives === "unknown" ? { columns: statement.columns().map(({ name }) => name) } : {};
    return { rows, affected: rows.length, ...columns };
  };
  const driver: AtomicDriver["driver"] = {
    run: async (statement) => {
      sent.push(statement.sql);
      return run(statement);
    },
    atomic: async (statements, signal) => {
      signal?.throwIfAborted();
      sent.push(statements.map(({ sql }) => sql));
      return handle.transaction(() => statements.map(run))();
    },
  };
  return { driver, sent };
}
