/** What rowtype uses of better-sqlite3: the shapes of a handle and its statements, and how prepared ones are kept. */
import type { DriverRequest } from "../exec/driver.js";

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

/** Prepared statements by text. Beyond a number, or a length in all, those that were prepared first make room. */
export class StatementCache {
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
