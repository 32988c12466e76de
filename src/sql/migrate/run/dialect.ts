/** How the runner of migrations works with a dialect's databases: one record for each dialect. */
import type { Missing } from "../../dialect/grammar/grammar.js";
import type { Database } from "../../door/database.js";
import type { Transaction } from "../../door/repository.js";
import type { CatalogDialect } from "../catalog/dialect.js";
import type { LooksAtRows } from "../catalog/empty-tables.js";
import type { TextDialect } from "../text/dialect.js";
import type { FileStep } from "../text/migration-file.js";

/** How migrations of a dialect are run. */
export interface RunDialect extends TextDialect, LooksAtRows {
  /** How the catalog is read; undefined if it is not. */
  readonly catalog: CatalogDialect | undefined;
  /** Counts, as `n`, the tables `:name` where an unqualified name leads. */
  readonly countTables: string;
  /** The place of the first of these tables whose rows this role may not see, if the server hides rows. */
  readonly hiddenTable?: (
    db: Database,
    tables: readonly string[],
    tx: Transaction | undefined,
  ) => Promise<number | undefined>;
  /** The names that a written name may stand for; by default itself. */
  readonly spellings?: (name: string) => readonly string[];
  /** The sessions of the server, if it tells one from another. */
  readonly sessions?: Sessions;
  /** The name of this process as an owner, for a database that has no server. */
  readonly processName?: () => string;
  /**
   * Whether the session of an owner lives, or one of its statements.
   * @param tag the comment in its statements outside transactions.
   */
  readonly lifeOf: (db: Database, session: string | null, tag: string) => Promise<Life>;
  readonly patience: Patience;
  /** The statement by which a transaction does not wait long for a lock, so that it can be repeated. */
  readonly limitLocks?: string;
  /** Works without waiting for locks in the server, if the whole process would wait. */
  readonly withoutWaiting: <T>(db: Database, work: () => Promise<T>) => Promise<T>;
  /** The statement of a step that runs alone, with settings that make it fail if rows do not fit. */
  readonly alone: (step: FileStep) => string;
  /** A statement with a comment by which other runners recognise it. */
  readonly tagged: (sql: string, tag: string) => string;
  /** Matches a statement outside transactions that has no effect the second time. */
  readonly repeatable: RegExp;
  /** Matches the driver's message about a text with several statements, if it has one of its own. */
  readonly refusesSeveral?: RegExp;
  /** The driver's codes for a row without a value that `NOT_NULL_VIOLATION` does not cover. */
  readonly lacksValue?: LackingCodes;
  /** What a failed step leaves half done, if it does. */
  readonly halves?: Halves;
  /** How a rebuilt table is watched, if tables are rebuilt. */
  readonly rebuilds?: Rebuilds;
  /** How an empty database is created and dropped; the name is quoted. */
  readonly scratch: DatabaseStatements | undefined;
  readonly reset: Reset | Missing;
}

/** A database, and how migrations of its dialect are run. */
export interface RunTarget {
  readonly db: Database;
  readonly dialect: RunDialect;
}

/** Whether the session of a runner lives, as far as the server tells. */
export type Life = "lives" | "gone" | "unknown";

/** How long a call is repeated that failed because of a lock. */
export interface Patience {
  /** @param end the time at which waiting is over. */
  readonly isOver: (tries: number, end: number) => boolean;
  /** The longest pause after so many tries, in milliseconds. */
  readonly pause: (tries: number) => number;
}

interface Sessions {
  /** The server's name of a transaction's session; null if no name distinguishes it from later sessions. */
  readonly nameOf: (tx: Transaction) => Promise<string | null>;
  /** A statement that keeps the session of a long transaction alive. */
  readonly keepAlive: string;
}

/** Codes of the driver's errors. */
export interface LackingCodes {
  /** A column that may no longer be null. */
  readonly inColumn: readonly unknown[];
  /** The key of a rebuilt table. */
  readonly inKey?: readonly unknown[];
  /** Reads the code of a client's error. */
  readonly codeOf: (cause: unknown) => unknown;
}

interface Halves {
  /** Whether a statement that builds something outside transactions has built it; undefined for another statement. */
  readonly isWhole: (db: Database, sql: string) => Promise<boolean | undefined>;
  /** Drops what such a statement has not built to the end. */
  readonly drop: (db: Database, sql: string) => Promise<void>;
  /** The statement that undoes the step before a failed one, if the two are one change. */
  readonly undoOf: (failed: string, before: string) => string | undefined;
}

interface Rebuilds {
  /** Works with foreign keys off, which only works outside a transaction; then restores the setting. */
  readonly withoutForeignKeys: <T>(db: Database, work: () => Promise<T>) => Promise<T>;
  /** The number of violated references, by their tables. */
  readonly violations: (tx: Transaction) => Promise<ReadonlyMap<string, number>>;
  /** The number of rows of a table; undefined if it does not exist. */
  readonly rowCount: (
    tx: Transaction,
    table: { readonly schema?: string; readonly table: string },
  ) => Promise<number | undefined>;
}

interface DatabaseStatements {
  readonly create: (name: string) => readonly string[];
  readonly drop: (name: string) => readonly string[];
}

interface Reset {
  /** The end of a statement that drops something that others depend on. */
  readonly cascade: string;
  /** The statement that drops a reference first, if no table is dropped to which others refer. */
  readonly dropReference?: (table: string, name: string) => string;
}
