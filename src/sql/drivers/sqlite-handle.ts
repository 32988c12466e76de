/** What rowtype uses of better-sqlite3: the shapes of a handle and its statements, and how prepared ones are kept. */
import { Lru } from "../../core/lru.js";
import type { DriverRequest } from "../contract/driver.js";
import { NUMBER_TEXT } from "../dialect/sqlite-expressions.js";

/** What rowtype uses of a better-sqlite3 `Database`. */
export interface SqliteHandle {
  prepare(sql: string): SqliteStatement;
  exec(sql: string): unknown;
  readonly inTransaction: boolean;
  readonly open?: boolean;
  /** Without it no number is cast to text. */
  function?(name: string, options: { deterministic: boolean }, call: (value: unknown) => unknown): unknown;
}

/** Makes the functions that statements of rowtype use and SQLite has not. */
export function addFunctions(handle: SqliteHandle): void {
  // A closed one says so when it is used.
  if (handle.open === false) return;
  handle.function?.(NUMBER_TEXT, { deterministic: true }, (value) => (value === null ? null : String(value)));
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

/** How many texts are kept prepared, and how many characters they may have together. */
const MOST_TEXTS = 500;
const MOST_CHARACTERS = 2_000_000;

/** Prepared statements by text, bounded. */
export class StatementCache {
  readonly #handle: SqliteHandle;
  readonly #kept = new Lru<string, Statements>({
    max: MOST_TEXTS,
    maxWeight: MOST_CHARACTERS,
    weigh: (_, sql) => sql.length,
  });

  constructor(handle: SqliteHandle) {
    this.#handle = handle;
  }

  get({ sql, givesRows, bigints }: DriverRequest): SqliteStatement {
    const way: Way = givesRows ? (bigints ? "exact" : "rows") : "count";
    const kept = this.#kept.get(sql);
    return kept?.[way] ?? this.#prepare(sql, way, kept);
  }

  #prepare(sql: string, way: Way, kept: Statements | undefined): SqliteStatement {
    const statement = this.#handle.prepare(sql);
    if (statement.reader) statement.raw(true);
    if (way === "exact") statement.safeIntegers(true);
    if (kept !== undefined) kept[way] = statement;
    // A plan stays as it was when its statement was prepared, whatever becomes of the tables.
    else if (!/^\s*EXPLAIN\b/i.test(sql)) this.#kept.set(sql, { [way]: statement });
    return statement;
  }
}

type Way = "count" | "rows" | "exact";

/** The statements of one text: each is set once to give arrays, or exact integers. */
type Statements = { [W in Way]?: SqliteStatement };
