/**
 * What rowtype asks of a driver: run a statement, hold a connection for a transaction. Values arrive encoded,
 * rows leave as arrays of what the driver gives. The files in `drivers/` are written against this alone.
 */
import type { OutVariable } from "../dialect/grammar.js";
import type { Output } from "../value/output.js";
import { QueryError, type SqlError } from "../words/errors.js";
import type { Isolation } from "../words/options.js";

export interface DriverRequest {
  readonly sql: string;
  readonly params: readonly unknown[];
  /** Whether rows come back. */
  readonly givesRows: boolean;
  /** Whether a column holds integers beyond 2^53 that must come back exactly. */
  readonly bigints: boolean;
  /** The variables that rows come back through, where they do; the text names them `:o0`, `:o1`, and so on. */
  readonly into?: readonly OutVariable[] | undefined;
  /** Runs the statement once with each of these, in place of `params`. */
  readonly batch?: readonly (readonly unknown[])[] | undefined;
  /** What the values of its rows are, where that is known: for a driver that makes rows up. */
  readonly output?: readonly Output[] | undefined;
  /** Whether the names of the columns are asked for: the text is the caller's own, and so may give rows or not. */
  readonly named?: boolean | undefined;
}

export interface DriverResult {
  readonly rows: readonly (readonly unknown[])[];
  /** Rows that the statement changed. */
  readonly affected: number;
  /** The names of the columns, where they were asked for and there are any. */
  readonly columns?: readonly string[] | undefined;
  /** Those that each execution changed, where there were several. */
  readonly each?: readonly number[] | undefined;
}

/** The rows of one statement, taken in pages. */
export interface DriverCursor {
  /** The next rows, at most {@link PAGE_ROWS}; none at the end, and then nothing is left to be closed. */
  next(): Promise<DriverResult["rows"]>;
  /** Ends the statement before its end. Not called while `next` runs. */
  close(): Promise<void>;
}

/** How many rows of a stream are in memory. */
export const PAGE_ROWS = 256;

/** What is there now, where the driver is synchronous, or later: to wait for what is there costs a turn of the queue. */
export type MaybePromise<T> = T | Promise<T>;

export type DriverAnswer = MaybePromise<DriverResult>;

/** Reads a result before what its statement did is made to last; where it throws, the statement is undone. */
export type Judge = (result: DriverResult) => void;

export interface Driver {
  /** Whether a transaction has the only connection, so that nothing can run beside it. */
  readonly hasOneConnection?: boolean;
  /** Runs a statement of its own, outside any transaction. */
  run(request: DriverRequest, signal: AbortSignal | undefined): DriverAnswer;
  /**
   * Runs a statement of its own, and has its result judged before what it did lasts. Left out, that takes a
   * transaction, with its statements at the beginning and the end.
   */
  runJudged?(request: DriverRequest, judge: Judge, signal: AbortSignal | undefined): DriverAnswer;
  /** Opens a statement of its own, where that is done otherwise than in a transaction. */
  open?(request: DriverRequest, signal: AbortSignal | undefined): Promise<DriverCursor>;
  /** Asks in one round trip whether the server answers and takes work, where `SELECT 1` is not the way to. */
  ping?(signal: AbortSignal | undefined): MaybePromise<void>;
  /** A connection for one transaction. */
  connect(signal: AbortSignal | undefined): Promise<DriverConnection>;
  /**
   * An error of the driver as one of ours.
   * @param propertyOf the property of a column's name, for the fields of a constraint.
   * @param keys for servers that tell only the name of a key.
   * @param sql the statement's text: what a server says of it may be repeated.
   */
  translate(
    error: unknown,
    propertyOf: (column: string) => string,
    keys?: DeclaredKeys,
    sql?: string,
  ): SqlError;
}

/** The keys of a table, each as the names of its columns. */
export interface DeclaredKeys {
  readonly table: string;
  readonly primary: readonly string[];
  readonly others: readonly (readonly string[])[];
}

/** Commands of a transaction; a savepoint stands inside another where they nest. */
export type Control = "commit" | "rollback" | "savepoint" | "release savepoint" | "rollback to savepoint";

export interface DriverConnection {
  run(request: DriverRequest, signal: AbortSignal | undefined): DriverAnswer;
  /** Opens a statement whose rows are taken in pages; the signal is about all of them. */
  open(request: DriverRequest, signal: AbortSignal | undefined): Promise<DriverCursor>;
  begin(isolation: Isolation | undefined): Promise<void>;
  /** Rejects on a commit that the server answers with a rollback. */
  control(command: Control): Promise<void>;
  /** Gives the connection back; one of which it is not known whether a transaction is open is thrown away. */
  release(inDoubt: boolean): void | Promise<void>;
}

const unsent = new WeakSet<object>();

/** The error of a command that was not sent, on a connection known to be lost: nobody has to ask what became of it. */
export function notSent(cause?: unknown): QueryError {
  const error = new QueryError("CONNECTION_LOST", "the connection to the server was lost", { cause });
  unsent.add(error);
  return error;
}

/** Whether an error says that nothing was sent. */
export function isUnsent(error: unknown): boolean {
  return unsent.has(Object(error));
}
