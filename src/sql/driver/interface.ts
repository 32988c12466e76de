/** What a driver of your own is: the whole interface of `rowtype/driver`, without anything that runs. */
import type { MaybePromise, NativeResult } from "../contract/driver.js";
import type { Isolation } from "../words/options.js";

/** A dialect whose databases take a driver. The values of Oracle's parameters are its client's own. */
export type DriverDialect = "postgres" | "mariadb" | "sqlite";

/**
 * An encoded value. PostgreSQL: a text in the server's own form (`t`, `\x00ff`, `{1,2}`), or null. MariaDB: texts,
 * numbers, bigints and bytes; dates and decimals are the server's texts. SQLite: its five storage classes; an integer is
 * a number, or a bigint where {@link Statement.bigints} is set.
 */
export type Value = null | string | number | bigint | Uint8Array;

/** A statement with the values of one call. */
export interface Statement {
  /** One statement, with the placeholders of the dialect: `$1` on PostgreSQL, `?` elsewhere. */
  readonly sql: string;
  readonly params: readonly Value[];
  /** The same object in every call of one text: a key for what a driver keeps of it. */
  readonly text: object;
  /** Whether it returns rows; of a text of the caller's own it is not known. */
  readonly rows: boolean | "unknown";
  /** Whether integers beyond 2^53 may be among its rows and must be exact. */
  readonly bigints: boolean;
}

/** The answer to a statement. */
export interface Result {
  /** By position: two columns of one name are two values. */
  readonly rows: readonly (readonly Value[])[];
  /** The number of rows that were changed; of an update, those that met its condition. */
  readonly affected: number;
  /** The names of the columns, where {@link Statement.rows} is `"unknown"` and rows came. */
  readonly columns?: readonly string[];
}

/** The rows of one statement, in pages. */
export interface Cursor {
  /** The next rows, at most 256; `[]` at the end, after which nothing needs to be closed. */
  next(): Promise<readonly (readonly Value[])[]>;
  /** Ends the statement early. It is not called while `next` runs. */
  close(): Promise<void>;
}

/** Runs statements. */
export interface Runs {
  run(statement: Statement, signal?: AbortSignal): MaybePromise<Result>;
  /** Runs a text of the client's own, whose values and rows are the client's. */
  native?(text: string, values: readonly unknown[], signal?: AbortSignal): MaybePromise<NativeResult>;
}

/** A command of a transaction. Savepoints nest: each is about the innermost. */
export type ControlCommand =
  | "commit"
  | "rollback"
  | "savepoint"
  | "release savepoint"
  | "rollback to savepoint";

/** A connection for one transaction. One statement at a time is sent on it, and it is released exactly once. */
export interface Connection extends Runs {
  begin(isolation?: Isolation): MaybePromise<void>;
  /** Rejects a commit that the server answers with a rollback. */
  control(command: ControlCommand): MaybePromise<void>;
  /** Opens a statement whose rows are read in pages. Without it, streams are `UNSUPPORTED`. */
  open?(statement: Statement, signal?: AbortSignal): Promise<Cursor>;
  /** With `inDoubt`, a transaction may be open, and the connection must not be used again. */
  release(inDoubt: boolean): void | Promise<void>;
}

/** A driver: one object is one pool. Two databases over it share its transactions. */
export interface Driver extends Runs {
  /** A connection for a transaction. Without it there are no interactive transactions. */
  connect?(signal?: AbortSignal): Promise<Connection>;
  /** Runs statements in order, all or none. */
  atomic?(statements: readonly Statement[], signal?: AbortSignal): Promise<readonly Result[]>;
  /** Checks in one round trip that the server answers. Without it, `SELECT 1` is sent. */
  ping?(signal?: AbortSignal): MaybePromise<void>;
  /** Opens another database of the same server, or a new one in memory. */
  elsewhere?(database: string): { readonly driver: Driver; close(): Promise<void> } | undefined;
  /** What the server said in an error. Without it, the error itself is read. */
  fault?(error: unknown): Fault;
  /** Nothing can run while a transaction is open. */
  readonly oneConnection?: true;
  /** `functions`: functions cannot be registered in SQLite. `bigints`: integers beyond 2^53 are not exact. */
  readonly lacks?: readonly ("functions" | "bigints")[];
  /** The most parameters of a statement, where they are fewer than the database takes. */
  readonly mostParams?: number;
}

/** What a server said in an error: the SQLSTATE of PostgreSQL, the number of MariaDB, the extended code of SQLite. */
export interface Fault {
  /** `lost`: the connection was lost; `unsent`: it was lost before the command was sent; `aborted`: by the signal. */
  readonly kind?: "lost" | "aborted" | "unsent";
  readonly sqlState?: string;
  readonly errno?: number;
  readonly code?: string;
  readonly message: string;
  readonly constraint?: string;
  readonly table?: string;
  readonly column?: string;
  readonly detail?: string;
}
