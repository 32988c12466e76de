/**
 * `rowtype/sqlite`: a database over the caller's own better-sqlite3 handle. The handle is synchronous and has
 * one connection, so a transaction holds it and everything else waits in a queue.
 */
import { AsyncLocalStorage } from "node:async_hooks";
import { type Database, makeDatabase } from "../database.js";
import { sqlite as grammar } from "../dialect/sqlite.js";
import { ConstraintError, QueryError, type SqlError } from "../errors.js";
import type { Driver, DriverAnswer, DriverConnection, DriverRequest, DriverResult } from "../exec/driver.js";

/** What rowtype uses of a better-sqlite3 `Database`. */
export interface SqliteHandle {
  prepare(sql: string): SqliteStatement;
  exec(sql: string): unknown;
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

class SqliteDriver implements Driver {
  readonly #handle: SqliteHandle;
  readonly #statements = new StatementCache();
  readonly #scopes = new AsyncLocalStorage<object>();
  // Who holds the handle, and who waits for it, first come first served.
  #holder: object | undefined;
  readonly #waiting: { readonly holder: object; readonly start: () => void }[] = [];

  constructor(handle: SqliteHandle) {
    this.#handle = handle;
  }

  run(request: DriverRequest): DriverAnswer {
    if (this.#holder === undefined) return this.#execute(request);
    return this.#hold({}).then(() => {
      try {
        return this.#execute(request);
      } finally {
        this.#release();
      }
    });
  }

  async connect(): Promise<DriverConnection> {
    const holder = {};
    await this.#hold(holder);
    const control = async (sql: string) => {
      this.#handle.exec(sql);
    };
    return {
      run: (request) => this.#execute(request),
      // IMMEDIATE takes the write lock at once, so a transaction never fails half way for want of it.
      begin: () => control("BEGIN IMMEDIATE"),
      commit: () => control("COMMIT"),
      rollback: () => control("ROLLBACK"),
      release: (broken) => {
        if (broken) this.#abandon();
        this.#release();
      },
      scope: (fn) => this.#scopes.run(holder, fn),
    };
  }

  translate(error: unknown, propertyOf: (column: string) => string): SqlError {
    return translate(error, propertyOf);
  }

  #execute({ sql, params, givesRows, bigints }: DriverRequest): DriverResult {
    const statement = this.#statements.get(this.#handle, sql, givesRows, bigints);
    // With `raw` on, every row is an array.
    if (givesRows) return { rows: statement.all(...params) as unknown[][], affected: 0 };
    return { rows: [], affected: statement.run(...params).changes };
  }

  #hold(holder: object): Promise<void> {
    if (this.#holder === undefined) {
      this.#holder = holder;
      return Promise.resolve();
    }
    // Waiting for a transaction from inside it would be waiting for oneself.
    if (this.#scopes.getStore() === this.#holder)
      return Promise.reject(
        new QueryError("TRANSACTION_REQUIRED", "a transaction of this handle is running here: use its tx"),
      );
    return new Promise((start) => {
      this.#waiting.push({ holder, start });
    });
  }

  #release(): void {
    const next = this.#waiting.shift();
    this.#holder = next?.holder;
    next?.start();
  }

  #abandon(): void {
    try {
      this.#handle.exec("ROLLBACK");
    } catch {
      // There was no transaction left to roll back, or the handle is closed: nothing is held either way.
    }
  }
}

/** Prepared statements by text, the least recently used thrown away first. */
class StatementCache {
  readonly #byText = new Map<string, SqliteStatement>();
  static readonly #most = 500;

  get(handle: SqliteHandle, sql: string, givesRows: boolean, bigints: boolean): SqliteStatement {
    const key = bigints ? `bigints ${sql}` : sql;
    let statement = this.#byText.get(key);
    if (statement === undefined) {
      statement = handle.prepare(sql);
      if (givesRows) statement.raw(true);
      if (bigints) statement.safeIntegers(true);
    } else this.#byText.delete(key);
    this.#byText.set(key, statement);
    if (this.#byText.size > StatementCache.#most)
      for (const oldest of this.#byText.keys()) {
        this.#byText.delete(oldest);
        break;
      }
    return statement;
  }
}

const constraints: Readonly<Record<string, ConstraintError["code"]>> = {
  SQLITE_CONSTRAINT_UNIQUE: "UNIQUE_VIOLATION",
  SQLITE_CONSTRAINT_PRIMARYKEY: "UNIQUE_VIOLATION",
  SQLITE_CONSTRAINT_ROWID: "UNIQUE_VIOLATION",
  SQLITE_CONSTRAINT_FOREIGNKEY: "FOREIGN_KEY_VIOLATION",
  SQLITE_CONSTRAINT_NOTNULL: "NOT_NULL_VIOLATION",
  SQLITE_CONSTRAINT_CHECK: "CHECK_VIOLATION",
};

function translate(error: unknown, propertyOf: (column: string) => string): SqlError {
  const { code, message } = error as { readonly code?: unknown; readonly message?: unknown };
  const constraint = typeof code === "string" ? constraints[code] : undefined;
  // "UNIQUE constraint failed: users.email": the columns, never their values.
  const place = typeof message === "string" ? (/failed: (.+)$/.exec(message)?.[1] ?? "") : "";
  if (constraint !== undefined) {
    const fields = place
      .split(", ")
      .flatMap((part) => (part.includes(".") ? [part.slice(part.indexOf(".") + 1)] : []));
    return new ConstraintError(
      constraint,
      `constraint failed: ${place || String(code)}`,
      { fields: fields.map(propertyOf) },
      { cause: error },
    );
  }
  if (typeof code === "string" && code.startsWith("SQLITE_BUSY"))
    return new QueryError("LOCK_TIMEOUT", "the database is locked by another connection", { cause: error });
  if (message === "The database connection is not open")
    return new QueryError("NO_CONNECTION", "the database handle is closed", { cause: error });
  return new QueryError(
    "QUERY_FAILED",
    `the statement failed (${typeof code === "string" ? code : "no code"})`,
    {
      cause: error,
    },
  );
}
