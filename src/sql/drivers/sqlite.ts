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
    // With `raw` on, every row is an array.
    if (request.givesRows) return { rows: statement.all(...request.params) as unknown[][], affected: 0 };
    return { rows: [], affected: statement.run(...request.params).changes };
  }
}

/** Prepared statements by text; those that were not used for the longest time are thrown away first. */
class StatementCache {
  static readonly #mostStatements = 500;
  static readonly #mostCharacters = 2_000_000;
  readonly #handle: SqliteHandle;
  readonly #kept = new Map<string, SqliteStatement>();
  #characters = 0;

  constructor(handle: SqliteHandle) {
    this.#handle = handle;
  }

  get({ sql, givesRows, bigints }: DriverRequest): SqliteStatement {
    const key = `${givesRows ? "rows" : "count"} ${bigints ? "exact" : "plain"} ${sql}`;
    const kept = this.#kept.get(key);
    const statement = kept ?? this.#prepare(sql, givesRows, bigints);
    if (kept === undefined) this.#characters += key.length;
    else this.#kept.delete(key);
    this.#kept.set(key, statement);
    for (const oldest of this.#kept.keys()) {
      if (
        this.#kept.size <= StatementCache.#mostStatements &&
        this.#characters <= StatementCache.#mostCharacters
      )
        break;
      this.#kept.delete(oldest);
      this.#characters -= oldest.length;
    }
    return statement;
  }

  #prepare(sql: string, givesRows: boolean, bigints: boolean): SqliteStatement {
    const statement = this.#handle.prepare(sql);
    if (givesRows) statement.raw(true);
    if (bigints) statement.safeIntegers(true);
    return statement;
  }
}
