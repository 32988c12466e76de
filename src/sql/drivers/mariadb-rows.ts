/**
 * Rows of a statement of MariaDB in pages. The server sends all of them over the connection and is held back while
 * nobody reads, so nothing else can be asked on it before they are read, or the server has been stopped.
 */
import type { Readable } from "node:stream";
import { orAborted } from "../exec/abort.js";
import { type DriverCursor, type DriverRequest, type DriverResult, PAGE_ROWS } from "../exec/driver.js";
import {
  acquired,
  end,
  isLong,
  type MariadbConnection,
  type MariadbPool,
  type MariadbStatement,
  statementOf,
} from "./mariadb-handle.js";

/** What rowtype uses of the connection beneath one of `mysql2/promise`. */
interface MariadbCore {
  execute(options: MariadbStatement): MariadbCommand;
  on(event: "error", listener: (error: Error) => void): unknown;
  off(event: "error", listener: (error: Error) => void): unknown;
}

/** A statement under way. */
interface MariadbCommand {
  stream(options: { highWaterMark: number }): Readable;
  on(event: "error" | "end", listener: (error?: Error) => void): unknown;
}

// The server gives up a client that reads nothing for a minute, unless it is told otherwise.
const PATIENTLY = "SET STATEMENT net_write_timeout = 86400 FOR ";

export class MariadbRows implements DriverCursor {
  readonly #pool: MariadbPool;
  readonly #connection: MariadbConnection;
  readonly #core: MariadbCore;
  readonly #signal: AbortSignal | undefined;
  readonly #statement: MariadbStatement;
  readonly #stream: Readable;
  readonly #isLong: boolean;
  #isOpen = true;
  #hasEnded = false;
  #error: unknown;
  #wake: () => void = nothing;
  // An error of the connection is told there alone.
  readonly #onError = (error: unknown) => {
    this.#error ??= error;
    this.#wake();
  };

  constructor(
    pool: MariadbPool,
    connection: MariadbConnection,
    { sql, params }: DriverRequest,
    signal: AbortSignal | undefined,
  ) {
    this.#pool = pool;
    this.#connection = connection;
    this.#signal = signal;
    this.#statement = statementOf({ sql: PATIENTLY + sql, params });
    this.#isLong = isLong(this.#statement);
    // What its type says of it is that of the connection around it.
    this.#core = connection.connection as MariadbCore;
    this.#core.on("error", this.#onError);
    const command = this.#core.execute(this.#statement);
    // The stream listens too, but not after it has been destroyed.
    command.on("error", this.#onError);
    command.on("end", () => {
      this.#hasEnded = true;
      this.#wake();
    });
    this.#stream = command.stream({ highWaterMark: PAGE_ROWS });
    this.#stream.on("error", this.#onError);
    this.#stream.on("readable", () => this.#wake());
    this.#stream.on("end", () => this.#wake());
  }

  /** Whether the connection is still busy with it. */
  get isOpen(): boolean {
    return this.#isOpen;
  }

  async next(): Promise<DriverResult["rows"]> {
    const rows: unknown[][] = [];
    while (this.#isOpen && rows.length < PAGE_ROWS) {
      const row: unknown = this.#stream.read();
      // With `rowsAsArray` every row is an array.
      if (row !== null) rows.push(row as unknown[]);
      else if (this.#error !== undefined) throw this.#error;
      else if (this.#stream.readableEnded) this.#finish();
      else await orAborted(this.#change(), this.#signal, () => this.#abandon());
    }
    return rows;
  }

  /** Stops the server, and reads past what it has sent meanwhile: the connection goes on serving. */
  async close(): Promise<void> {
    if (!this.#isOpen) return;
    this.#stream.destroy();
    // Held back until then, so that it can only be about this statement.
    const stopped = new AbortController();
    const reading = this.#untilEnd().finally(() => stopped.abort());
    const killer = await acquired(this.#pool, stopped.signal).catch(nothing);
    if (killer !== undefined) {
      const kill = { sql: `KILL QUERY ${this.#connection.threadId}`, params: [] };
      await killer.execute(statementOf(kill)).catch(nothing);
      killer.release();
    }
    await reading;
    this.#finish();
  }

  /** Ends the connection, and what the server does on it. */
  #abandon(): void {
    this.#release();
    end(this.#connection, this.#pool);
  }

  #finish(): void {
    if (!this.#isOpen) return;
    this.#release();
    if (this.#isLong && this.#error === undefined) this.#connection.unprepare(this.#statement);
  }

  #release(): void {
    this.#isOpen = false;
    this.#core.off("error", this.#onError);
  }

  async #untilEnd(): Promise<void> {
    while (!this.#hasEnded && !isFatal(this.#error)) await this.#change();
  }

  /** Waits until there is something new to know. */
  #change(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = resolve;
    });
  }
}

/**
 * Opens a statement on a connection of its own. It goes back to the pool with the last row, and is ended where the
 * rest of the rows is not wanted; after either nobody has it any more.
 */
export async function openRows(
  pool: MariadbPool,
  request: DriverRequest,
  signal: AbortSignal | undefined,
): Promise<DriverCursor> {
  const connection = await acquired(pool, signal);
  let rows: MariadbRows;
  try {
    rows = new MariadbRows(pool, connection, request, signal);
  } catch (error) {
    connection.destroy();
    throw error;
  }
  let isHeld = true;
  const letGo = () => {
    if (!isHeld) return;
    isHeld = false;
    if (rows.isOpen) end(connection, pool);
    else connection.release();
  };
  return {
    next: async () => {
      try {
        const page = await rows.next();
        // The page that holds the last row may be the last that is asked for.
        if (!rows.isOpen) letGo();
        return page;
      } catch (error) {
        letGo();
        throw error;
      }
    },
    close: async () => letGo(),
  };
}

function isFatal(error: unknown): boolean {
  return error !== undefined && Object(error).sqlState === undefined;
}

function nothing(): undefined {
  return undefined;
}
