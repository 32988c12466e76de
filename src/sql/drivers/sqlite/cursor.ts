/**
 * Reads the rows of SQLite in pages. An open statement prevents all writes. Therefore its rows are first copied into a
 * temporary table of the connection, which SQLite keeps on disk. They are a snapshot, and the handle is free between
 * two pages.
 */
import { type DriverCursor, type DriverRequest, PAGE_ROWS } from "../../contract/driver.js";
import type { SqliteClient, SqliteStatement } from "./client.js";

/** How a cursor gets the handle: at once inside a transaction, through the queue outside. */
interface Turns {
  /** @throws {SqlError} if the signal aborts first */
  now<T>(work: () => T): Promise<T>;
  /** Runs as soon as the handle is free; the caller does not wait for it. */
  later(work: () => void): void;
}

let made = 0;

/** Copies the rows of a statement, which are then read in pages. */
export async function openCopy(
  client: SqliteClient,
  { sql, params, prepared }: DriverRequest,
  turns: Turns,
): Promise<DriverCursor> {
  const name = `temp.rowtype_rows_${++made}`;
  let read: SqliteStatement | undefined = await turns.now(() => {
    // Columns without a type keep every value unchanged.
    const width = client.prepare(sql).columns().length;
    client.exec(`CREATE TABLE ${name} (${Array.from({ length: width }, (_, i) => `c${i}`).join(", ")})`);
    try {
      client.prepare(`INSERT INTO ${name} ${sql}`).run(...params);
    } catch (error) {
      client.exec(`DROP TABLE IF EXISTS ${name}`);
      throw error;
    }
    const statement = client.prepare(
      `SELECT * FROM ${name} WHERE rowid > ? ORDER BY rowid LIMIT ${PAGE_ROWS}`,
    );
    statement.raw(true);
    statement.safeIntegers(prepared.bigints);
    return statement;
  });
  const drop = () => {
    // The table was dropped by a rollback, or the handle is closed.
    try {
      client.exec(`DROP TABLE IF EXISTS ${name}`);
    } catch {
      // There is nothing to drop.
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
