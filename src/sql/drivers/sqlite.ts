/**
 * `rowtype/sqlite`: a database over the caller's own better-sqlite3 handle. The handle is synchronous and has
 * one connection, so a transaction holds it and everything else waits in a queue.
 */
import { type Database, makeDatabase } from "../database.js";
import { sqlite as grammar } from "../dialect/sqlite.js";
import { QueryError, type SqlError } from "../errors.js";
import type {
  Control,
  Driver,
  DriverAnswer,
  DriverConnection,
  DriverRequest,
  DriverResult,
} from "../exec/driver.js";
import { Queue } from "../exec/queue.js";
import { translateSqliteError } from "./sqlite-errors.js";

/** What rowtype uses of a better-sqlite3 `Database`. */
export interface SqliteHandle {
  prepare(sql: string): SqliteStatement;
  exec(sql: string): unknown;
  readonly inTransaction: boolean;
}

/** What rowtype uses of a better-sqlite3 `Statement`. */
export interface SqliteStatement {
  all(...params: unknown[]): unknown[];
  run(...params: unknown[]): { readonly changes: number };
  raw(toggle?: boolean): unknown;
  safeIntegers(toggle?: boolean): unknown;
  columns(): readonly { readonly name: string }[];
  /** Whether it gives rows. */
  readonly reader: boolean;
}

/**
 * A database over a better-sqlite3 handle; without one it renders and never executes. The caller closes the
 * handle.
 * @example
 * import Sqlite from "better-sqlite3";
 * import { sqlite } from "rowtype/sqlite";
 * const db = sqlite(new Sqlite("app.db"));
 */
export function sqlite(handle?: SqliteHandle): Database<"sqlite"> {
  return makeDatabase("sqlite", grammar, handle === undefined ? undefined : driverOf(handle));
}

const drivers = new WeakMap<SqliteHandle, SqliteDriver>();

// One queue for each handle, however many databases are made over it.
function driverOf(handle: SqliteHandle): SqliteDriver {
  const driver = drivers.get(handle) ?? new SqliteDriver(handle);
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

class SqliteDriver implements Driver {
  readonly #handle: SqliteHandle;
  readonly #statements: StatementCache;
  readonly #queue = new Queue();

  constructor(handle: SqliteHandle) {
    this.#handle = handle;
    this.#statements = new StatementCache(handle);
  }

  run(request: DriverRequest, signal: AbortSignal | undefined): DriverAnswer {
    if (this.#queue.isFree) return this.#execute(request);
    return this.#queue.hold({}, signal).then(() => {
      try {
        return this.#execute(request);
      } finally {
        this.#queue.release();
      }
    });
  }

  async connect(signal: AbortSignal | undefined): Promise<DriverConnection> {
    const holder = {};
    await this.#queue.hold(holder, signal);
    const handle = this.#handle;
    let begun = false;
    const isOpen = () => begun && handle.inTransaction;
    // SQLite ends a transaction by itself on some errors; what came after would be stored one by one.
    const throwIfEnded = () => {
      if (!isOpen())
        throw new QueryError("TRANSACTION_CLOSED", "SQLite has rolled the transaction back by itself");
    };
    return {
      run: (request) => {
        throwIfEnded();
        return this.#execute(request);
      },
      begin: async () => {
        // IMMEDIATE takes the write lock at once, so a transaction never fails half way for want of it.
        handle.exec("BEGIN IMMEDIATE");
        begun = true;
      },
      control: async (command) => {
        if (command === "rollback" && !isOpen()) return;
        throwIfEnded();
        handle.exec(controls[command]);
      },
      release: (inDoubt) => {
        if (inDoubt && isOpen()) handle.exec("ROLLBACK");
        this.#queue.release();
      },
      scope: (fn) => this.#queue.scope(holder, fn),
    };
  }

  translate(error: unknown, propertyOf: (column: string) => string): SqlError {
    return translateSqliteError(error, propertyOf);
  }

  #execute(request: DriverRequest): DriverResult {
    const statement = this.#statements.get(request);
    const { givesRows, named, params } = request;
    // A text of the caller's own may be asked for rows and have none, and the other way round.
    if (named === true ? !statement.reader : !givesRows)
      return { rows: [], affected: statement.run(...params).changes };
    // With `raw` on, every row is an array.
    const rows = statement.all(...params) as unknown[][];
    if (named !== true) return { rows, affected: rows.length };
    return { rows, affected: rows.length, columns: statement.columns().map(({ name }) => name) };
  }
}

/** Prepared statements by text. Beyond a number, or a length in all, those that were prepared first make room. */
class StatementCache {
  static readonly #mostStatements = 500;
  static readonly #mostCharacters = 2_000_000;
  readonly #handle: SqliteHandle;
  // A statement is set to give arrays, or exact integers, once: each way has a map, and the text is the key.
  readonly #kept = {
    count: new Map<string, SqliteStatement>(),
    rows: new Map<string, SqliteStatement>(),
    exact: new Map<string, SqliteStatement>(),
  };
  readonly #order: { readonly way: Way; readonly sql: string }[] = [];
  #characters = 0;

  constructor(handle: SqliteHandle) {
    this.#handle = handle;
  }

  get({ sql, givesRows, bigints }: DriverRequest): SqliteStatement {
    const way: Way = givesRows ? (bigints ? "exact" : "rows") : "count";
    const kept = this.#kept[way].get(sql);
    if (kept !== undefined) return kept;
    const statement = this.#handle.prepare(sql);
    if (statement.reader) statement.raw(true);
    if (way === "exact") statement.safeIntegers(true);
    // A plan stays as it was when its statement was prepared, whatever becomes of the tables.
    if (!/^\s*EXPLAIN\b/i.test(sql)) this.#keep(way, sql, statement);
    return statement;
  }

  #keep(way: Way, sql: string, statement: SqliteStatement): void {
    this.#kept[way].set(sql, statement);
    this.#order.push({ way, sql });
    this.#characters += sql.length;
    while (
      this.#order.length > StatementCache.#mostStatements ||
      this.#characters > StatementCache.#mostCharacters
    ) {
      const oldest = this.#order.shift();
      if (oldest === undefined) return;
      this.#kept[oldest.way].delete(oldest.sql);
      this.#characters -= oldest.sql.length;
    }
  }
}

type Way = "count" | "rows" | "exact";
