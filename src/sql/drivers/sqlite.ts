/**
 * `rowtype/sqlite`: a database over the caller's own handle of better-sqlite3, `node:sqlite` or `bun:sqlite`. The handle
 * is synchronous and has one connection: a transaction occupies it and all other calls wait in a queue.
 */

import { throwIfAborted } from "../contract/abort.js";
import {
  type Control,
  type Driver,
  type DriverAnswer,
  type DriverConnection,
  type DriverCursor,
  type DriverRequest,
  type DriverResult,
  type MaybePromise,
  type NativeRequest,
  type NativeResult,
  plainRequest,
  type ResultCheck,
} from "../contract/driver.js";
import { Queue } from "../contract/queue.js";
import { sqlite as grammar } from "../dialect/sqlite/grammar.js";
import { type Database, type DatabaseOptions, makeDatabase } from "../door/database.js";
import { refusedSqliteValue, translateSqliteError } from "../driver-errors/sqlite.js";
import { QueryError } from "../words/errors.js";
import { readOptions } from "../words/known-options.js";
import type { SqliteClient, SqliteStatement } from "./sqlite/client.js";
import { openCopy } from "./sqlite/cursor.js";
import { addFunctions } from "./sqlite/functions.js";
import { clientOf, type SqliteHandle } from "./sqlite/handle.js";
import { StatementCache } from "./sqlite/statements.js";

export type { BunSqliteHandle, BunSqliteStatement } from "./sqlite/bun.js";
export type { SqliteClient, SqliteFunctionOptions, SqliteStatement } from "./sqlite/client.js";
export type { SqliteHandle } from "./sqlite/handle.js";
export type { NodeSqliteHandle, NodeSqliteStatement } from "./sqlite/node.js";

/**
 * Creates a database over a handle; without one it renders and never executes. The caller closes the handle.
 * @example
 * import { DatabaseSync } from "node:sqlite";
 * import { sqlite } from "rowtype/sqlite";
 * const db = sqlite(new DatabaseSync("app.db"));
 */
export function sqlite(handle?: SqliteHandle, given: DatabaseOptions = {}): Database<"sqlite"> {
  const options = readOptions(given, ["retries"], "sqlite");
  return makeDatabase("sqlite", grammar, handle === undefined ? undefined : driverOf(handle), options);
}

const drivers = new WeakMap<SqliteHandle, SqliteDriver>();

// One queue per handle, for all databases over it.
function driverOf(handle: SqliteHandle): SqliteDriver {
  const driver = drivers.get(handle) ?? new SqliteDriver(handle, clientOf(handle));
  drivers.set(handle, driver);
  return driver;
}

const controls: { readonly [C in Control]: string } = {
  commit: "COMMIT",
  rollback: "ROLLBACK",
  savepoint: "SAVEPOINT rowtype",
  "release savepoint": "RELEASE rowtype",
  "rollback to savepoint": "ROLLBACK TO rowtype",
};

/** The statements that surround a statement whose result may be refused, so that it can be rolled back. */
interface Marks {
  readonly begin: SqliteStatement;
  readonly end: SqliteStatement;
  readonly undo: SqliteStatement;
}

class SqliteDriver implements Driver {
  readonly hasOneConnection = true;
  readonly translate: Driver["translate"] = translateSqliteError;
  readonly refusedValue: NonNullable<Driver["refusedValue"]> = refusedSqliteValue;
  readonly #handle: SqliteHandle;
  readonly #client: SqliteClient;
  readonly #statements: StatementCache;
  readonly #queue = new Queue();
  #kept: Marks | undefined;

  constructor(handle: SqliteHandle, client: SqliteClient) {
    this.#handle = handle;
    this.#client = client;
    this.#statements = new StatementCache(client);
    addFunctions(client);
  }

  run(request: DriverRequest, signal: AbortSignal | undefined): DriverAnswer {
    if (this.#queue.isFree) return this.#execute(request);
    return this.#inTurn(() => this.#execute(request), signal);
  }

  native(request: NativeRequest, signal: AbortSignal | undefined): MaybePromise<NativeResult> {
    if (this.#queue.isFree) return this.#executeNative(request);
    return this.#inTurn(() => this.#executeNative(request), signal);
  }

  elsewhere(): { driver: Driver; close(): Promise<void> } {
    // The class of the handle, which this package does not import.
    const Handle = this.#handle.constructor as new (file: string) => SqliteHandle & { close(): unknown };
    const handle = new Handle(":memory:");
    return { driver: driverOf(handle), close: async () => void handle.close() };
  }

  // It does not affect a transaction that uses the handle, and does not wait for it.
  ping(): void {
    this.#execute(plainRequest("SELECT 1", true));
  }

  runChecked(request: DriverRequest, check: ResultCheck, signal: AbortSignal | undefined): DriverAnswer {
    const work = () =>
      this.#undoing(() => {
        const result = this.#execute(request);
        check(result);
        return result;
      });
    return this.#queue.isFree ? work() : this.#inTurn(work, signal);
  }

  open(request: DriverRequest, signal: AbortSignal | undefined): Promise<DriverCursor> {
    return openCopy(this.#client, request, {
      now: (work) => this.#inTurn(work, signal),
      later: (work) => this.#queue.whenFree(work),
    });
  }

  async connect(signal: AbortSignal | undefined): Promise<DriverConnection> {
    const holder = {};
    await this.#queue.hold(holder, signal);
    const client = this.#client;
    let begun = false;
    let savepoints = 0;
    const waiting: (() => void)[] = [];
    const isOpen = () => begun && client.inTransaction;
    // SQLite itself rolls a transaction back on some errors. Later statements would then be committed one by one.
    const throwIfEnded = () => {
      if (!isOpen())
        throw new QueryError("TRANSACTION_CLOSED", "SQLite has rolled the transaction back by itself");
    };
    return {
      run: (request) => {
        throwIfEnded();
        return this.#execute(request);
      },
      native: (request) => {
        throwIfEnded();
        return this.#executeNative(request);
      },
      open: (request, pageSignal) =>
        openCopy(client, request, {
          now: async (work) => {
            throwIfAborted(pageSignal);
            throwIfEnded();
            return work();
          },
          // A rollback to the savepoint may undo what is done in it.
          later: (work) => (savepoints === 0 ? work() : waiting.push(work)),
        }),
      begin: async () => {
        // IMMEDIATE takes the write lock at the start: the transaction cannot fail later for lack of it.
        client.exec("BEGIN IMMEDIATE");
        begun = true;
      },
      control: async (command) => {
        if (command === "rollback" && !isOpen()) return;
        throwIfEnded();
        client.exec(controls[command]);
        if (command === "savepoint") savepoints++;
        if (command !== "release savepoint" || --savepoints > 0) return;
        for (const work of waiting.splice(0)) work();
      },
      release: (inDoubt) => {
        if (inDoubt && isOpen()) client.exec("ROLLBACK");
        this.#queue.release();
      },
    };
  }

  // Uses a savepoint: the caller may have begun a transaction. Outside one, a savepoint begins it.
  #undoing<T>(work: () => T): T {
    const { begin, end, undo } = this.#marks();
    const isNested = this.#client.inTransaction;
    begin.run();
    try {
      const result = work();
      end.run();
      return result;
    } catch (error) {
      // On some errors SQLite itself rolls everything back.
      if (!this.#client.inTransaction) throw error;
      if (isNested) {
        undo.run();
        end.run();
      }
      // Releasing the first savepoint commits, which a reader of the file may prevent.
      else this.#client.exec("ROLLBACK");
      throw error;
    }
  }

  #marks(): Marks {
    this.#kept ??= {
      begin: this.#client.prepare("SAVEPOINT rowtype_call"),
      end: this.#client.prepare("RELEASE rowtype_call"),
      undo: this.#client.prepare("ROLLBACK TO rowtype_call"),
    };
    return this.#kept;
  }

  async #inTurn<T>(work: () => T, signal: AbortSignal | undefined): Promise<T> {
    throwIfAborted(signal);
    await this.#queue.hold({}, signal);
    try {
      return work();
    } finally {
      this.#queue.release();
    }
  }

  #executeNative({ text, values }: NativeRequest): NativeResult {
    const client = this.#client;
    const statement = client.own?.(text) ?? client.prepare(text);
    if (!statement.reader) return { rows: [], affected: statement.run(...values).changes };
    const read = () => statement.all(...values) as Record<string, unknown>[];
    const rows = "failsLate" in statement && statement.failsLate === true ? this.#undoing(read) : read();
    return { rows, affected: rows.length };
  }

  #execute(request: DriverRequest): DriverResult {
    const statement = this.#statements.get(request);
    const { params, prepared } = request;
    const { givesRows, named } = prepared;
    // The caller's SQL may return rows although none are expected, or no rows although some are.
    if (named === true ? !statement.reader : !givesRows)
      return { rows: [], affected: statement.run(...params).changes };
    // With `raw` on, every row is an array. Spreading it costs a twentieth of a query of one row.
    const rows = (params.length === 1 ? statement.all(params[0]) : statement.all(...params)) as unknown[][];
    if (named !== true) return { rows, affected: rows.length };
    return { rows, affected: rows.length, columns: statement.columns().map(({ name }) => name) };
  }
}
