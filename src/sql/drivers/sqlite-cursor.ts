/**
 * Rows of SQLite in pages. A statement that is stepped through keeps everybody else from writing, so its rows are
 * copied first, into a temporary table of the connection, which SQLite keeps on disk: they are those of one moment,
 * and between two pages the handle is free.
 */
import { type DriverCursor, type DriverRequest, PAGE_ROWS } from "../contract/driver.js";
import type { SqliteHandle, SqliteStatement } from "./sqlite-handle.js";

/** How work gets the handle: at once inside a transaction, in its turn outside. */
export interface Turns {
  /** @throws {SqlError} where the signal comes first */
  now<T>(work: () => T): Promise<T>;
  /** As soon as it may be, and nobody waits for it. */
  later(work: () => void): void;
}

let made = 0;

/** Copies the rows of a statement, to be read in pages. */
export async function openCopy(
  handle: SqliteHandle,
  { sql, params, bigints }: DriverRequest,
  turns: Turns,
): Promise<DriverCursor> {
  const name = `temp.rowtype_rows_${++made}`;
  let read: SqliteStatement | undefined = await turns.now(() => {
    // Columns without a type keep every value as it is.
    const width = handle.prepare(sql).columns().length;
    handle.exec(`CREATE TABLE ${name} (${Array.from({ length: width }, (_, i) => `c${i}`).join(", ")})`);
    try {
      handle.prepare(`INSERT INTO ${name} ${sql}`).run(...params);
    } catch (error) {
      handle.exec(`DROP TABLE IF EXISTS ${name}`);
      throw error;
    }
    const statement = handle.prepare(
      `SELECT * FROM ${name} WHERE rowid > ? ORDER BY rowid LIMIT ${PAGE_ROWS}`,
    );
    statement.raw(true);
    statement.safeIntegers(bigints);
    return statement;
  });
  const drop = () => {
    // It went with a transaction that was rolled back, or with the handle.
    try {
      handle.exec(`DROP TABLE IF EXISTS ${name}`);
    } catch {
      // Then there is nothing left to be dropped.
    }
  };
  const close = async () => {
    if (read === undefined) return;
    read = undefined;
    turns.later(drop);
  };
  let last = 0;
  return {
    next: async () => {
      const statement = read;
      if (statement === undefined) return [];
      // With `raw` on, every row is an array.
      const rows = (await turns.now(() => statement.all(last))) as unknown[][];
      last += rows.length;
      if (rows.length < PAGE_ROWS) await close();
      return rows;
    },
    close,
  };
}
