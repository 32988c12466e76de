/**
 * Reads the rows of a MariaDB statement in pages. The server sends all of them over the connection and waits while
 * nobody reads. The connection cannot be used until all rows are read or the statement is killed.
 */
import type { Readable } from "node:stream";
import { orAborted, throwIfAborted } from "../../contract/abort.js";
import {
  type DriverCursor,
  type DriverRequest,
  type DriverResult,
  PAGE_ROWS,
} from "../../contract/driver.js";
import { withSetting } from "../../dialect/mariadb/settings.js";
import { isSpent } from "../../driver-errors/mariadb.js";
import { coreOf, type MariadbConnection, type MariadbCore, type MariadbStatement } from "./handle.js";
import { acquired, end, kill } from "./pool.js";
import { readsOwnRows } from "./row-reader.js";
import { changedSince, type MariadbStatements } from "./statements.js";

// By default the server disconnects a client that reads nothing for a minute.
const PATIENTLY = "net_write_timeout = 86400";

export class MariadbRows implements DriverCursor {
  readonly #statements: MariadbStatements;
  readonly #connection: MariadbConnection;
  readonly #core: MariadbCore;
  readonly #signal: AbortSignal | undefined;
  readonly #statement: MariadbStatement;
  readonly #stream: Readable;
  #arePlain = false;
  #isOpen = true;
  #hasEnded = false;
  #error: unknown;
  #wake: () => void = nothing;
  // An error of the connection is reported only here.
  readonly #onError = (error: unknown) => {
    this.#error ??= error;
    this.#wake();
  };

  /** Starts a statement on a connection, which stays busy until all rows are read or the cursor is closed. */
  constructor(
    statements: MariadbStatements,
    connection: MariadbConnection,
    text: Text,
    signal: AbortSignal | undefined,
  ) {
    const core = coreOf(connection);
    if (core === undefined) throw new TypeError("a stream needs a connection of mysql2");
    this.#statements = statements;
    this.#connection = connection;
    this.#signal = signal;
    this.#statement = statements.of(connection).statementOf(text);
    this.#core = core;
    this.#core.on("error", this.#onError);
    const command = this.#core.execute(this.#statement);
    const isOwn = readsOwnRows(command, text.prepared);
    // The stream listens too, but not after it is destroyed.
    command.on("error", this.#onError);
    command.on("fields", (fields) => {
      this.#arePlain = isOwn || statements.of(connection).arePlain(fields);
      const error = changedSince(this.#statement, this.#arePlain);
      if (error !== undefined) this.#onError(error);
    });
    command.on("end", () => {
      this.#hasEnded = true;
      this.#wake();
    });
    this.#stream = command.stream({ highWaterMark: PAGE_ROWS });
    this.#stream.on("error", this.#onError);
    this.#stream.on("readable", () => this.#wake());
    this.#stream.on("end", () => this.#wake());
  }

  /** Whether the connection is still busy with the statement. */
  get isOpen(): boolean {
    return this.#isOpen;
  }

  async next(): Promise<DriverResult["rows"]> {
    const rows: unknown[][] = [];
    while (this.#isOpen && rows.length < PAGE_ROWS) {
      const row: unknown = this.#stream.read();
      // With `rowsAsArray` every row is an array.
      if (row !== null) rows.push(row as unknown[]);
      else if (this.#error !== undefined) throw this.#failed(this.#error);
      else if (this.#stream.readableEnded) this.#finish();
      else await orAborted(this.#change(), this.#signal, () => this.#abandon());
    }
    return rows;
  }

  /** Kills the statement, and discards the rows that the server has sent. The connection stays usable. */
  async close(): Promise<void> {
    if (!this.#isOpen) return;
    this.#stream.destroy();
    // The statement waits until then: the kill cannot hit a later statement.
    const stopped = new AbortController();
    const reading = this.#untilEnd().finally(() => stopped.abort());
    await kill(this.#statements.pool, `KILL QUERY ${this.#connection.threadId}`, stopped.signal);
    await reading;
    this.#finish();
  }

  // A refused statement has no rows to read.
  #failed(error: unknown): unknown {
    if (this.#hasEnded && !isFatal(error)) this.#finish();
    return error;
  }

  /** Closes the connection, which ends the statement at the server. */
  #abandon(): void {
    this.#release();
    end(this.#connection, this.#statements.pool);
  }

  #finish(): void {
    if (!this.#isOpen) return;
    this.#release();
    if (!isFatal(this.#error)) this.#statements.of(this.#connection).used(this.#statement, this.#arePlain);
  }

  #release(): void {
    this.#isOpen = false;
    this.#core.off("error", this.#onError);
  }

  async #untilEnd(): Promise<void> {
    while (!this.#hasEnded && !isFatal(this.#error)) await this.#change();
  }

  /** Waits for the next change of state. */
  #change(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = resolve;
    });
  }
}

/**
 * Opens a statement on its own connection. The connection returns to the pool after the last row, and is closed
 * if the remaining rows are not read.
 */
export async function openRows(
  statements: MariadbStatements,
  request: DriverRequest,
  signal: AbortSignal | undefined,
): Promise<DriverCursor> {
  const { pool } = statements;
  const connection = await acquired(pool, signal);
  let rows: MariadbRows;
  try {
    const text = await prepareRows(statements, connection, request, signal);
    rows = new MariadbRows(statements, connection, text, signal);
  } catch (error) {
    if (isFatal(error) || isSpent(error)) connection.destroy();
    else connection.release();
    throw error;
  }
  let isHeld = true;
  const letGo = (error?: unknown) => {
    if (!isHeld) return;
    isHeld = false;
    if (rows.isOpen) end(connection, pool);
    else if (error !== undefined && isSpent(error)) connection.destroy();
    else connection.release();
  };
  return {
    next: async () => {
      try {
        const page = await rows.next();
        // The page with the last row may be the last one that is requested.
        if (!rows.isOpen) letGo();
        return page;
      } catch (error) {
        letGo(error);
        throw error;
      }
    },
    close: async () => letGo(),
  };
}

/** A text and its values. */
type Text = Pick<DriverRequest, "prepared" | "sql" | "params">;

/** Prepares a statement whose rows will be read in pages, and returns its text. */
export async function prepareRows(
  statements: MariadbStatements,
  connection: MariadbConnection,
  request: DriverRequest,
  signal: AbortSignal | undefined,
): Promise<Text> {
  throwIfAborted(signal);
  await statements.askForZones(connection, request, signal);
  const { sql, params } = await statements.inZone(connection, request, signal);
  const text = { prepared: request.prepared, sql: withSetting(PATIENTLY, sql), params };
  await statements.prepare(connection, text, signal);
  throwIfAborted(signal);
  return text;
}

function isFatal(error: unknown): boolean {
  return error !== undefined && Object(error).sqlState === undefined;
}

function nothing(): undefined {
  return undefined;
}
