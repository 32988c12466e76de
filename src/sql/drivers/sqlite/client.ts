/**
 * A client of SQLite as the driver uses it. A handle of better-sqlite3 is one; `node.ts` and `bun.ts` make one of the
 * handles of other clients.
 */
export interface SqliteClient {
  /** Prepares one statement; it throws for a text with none, and for one with a second statement. */
  prepare(sql: string): SqliteStatement;
  /**
   * Prepares one statement as the client gives it to its own caller. Without this method, those of `prepare` are such
   * until they are set otherwise.
   */
  own?(sql: string): OwnStatement;
  /** Executes one statement or several that give no rows. */
  exec(sql: string): unknown;
  readonly inTransaction: boolean;
  readonly open?: boolean;
  /**
   * Registers a function. Without this method there is no arithmetic, not even with dates, and numbers cannot be cast to
   * text.
   */
  function?(name: string, options: SqliteFunctionOptions, call: (...values: never[]) => unknown): unknown;
}

/** A statement that takes and gives what the client takes and gives. */
export interface OwnStatement extends Pick<SqliteStatement, "all" | "run" | "reader"> {
  /** Whether it changes rows, and its `all` may fail when they are changed. */
  readonly failsLate?: boolean;
}

/** The options of a registered function. */
export interface SqliteFunctionOptions {
  readonly deterministic: boolean;
  /** Whether it gets whole numbers as bigints. */
  readonly safeIntegers?: boolean;
}

/** A prepared statement. Numbers are bound as REAL, bigints as INTEGER. */
export interface SqliteStatement {
  all(...params: unknown[]): unknown[];
  /** Its `changes` are 0 for a statement that changes no rows. */
  run(...params: unknown[]): { readonly changes: number };
  /** With it on, every row is an array. */
  raw(toggle?: boolean): unknown;
  /** With it on, whole numbers are read as bigints; without it those beyond 2^53 are rounded. */
  safeIntegers(toggle?: boolean): unknown;
  columns(): readonly { readonly name: string }[];
  /** Whether it returns rows. */
  readonly reader: boolean;
}
