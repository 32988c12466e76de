/**
 * The contract of a driver: run a statement, and hold a connection for a transaction. Values arrive encoded, and
 * rows are arrays of the driver's values. The files in `drivers/` depend on this file alone.
 */
import type { OutVariable } from "../dialect/grammar/grammar.js";
import type { Output } from "../value/output.js";
import { QueryError, type SqlError } from "../words/errors.js";
import type { Isolation } from "../words/options.js";

/** What a driver must know about a text. It is the same object in every request of the text. */
export interface DriverPrepared {
  /** Whether the statement returns rows. */
  readonly givesRows: boolean;
  /** Whether a column holds integers beyond 2^53 that must be returned exactly. */
  readonly bigints: boolean;
  /** The variables through which rows are returned, if any; the text names them `:o0`, `:o1`, and so on. */
  readonly into?: readonly OutVariable[] | undefined;
  /** The columns of the rows, if known: for a driver that makes up rows. */
  readonly output?: readonly Output[] | undefined;
  /**
   * Whether the names of the columns are requested: the text is the caller's, so the statement may or may not
   * return rows.
   */
  readonly named?: boolean | undefined;
  /** Whether the server must know time zones by their names. */
  readonly zoned?: boolean | undefined;
  /** The end of a text of a change that is refused if its rows could not be decoded: their last column. */
  readonly guard?: string | undefined;
}

/** A text with the values of one call. */
export interface DriverRequest {
  readonly prepared: DriverPrepared;
  readonly sql: string;
  readonly params: readonly unknown[];
  /** Runs the statement once for each of these lists of values, instead of `params`. */
  readonly batch?: readonly (readonly unknown[])[] | undefined;
  /** The text for sessions whose time zone is not UTC, if they need another one. */
  readonly inUtc?: (() => string) | undefined;
  /** Whether no setting of a session changes what it does, so that the session need not be known. */
  readonly anySession?: true | undefined;
}

/** A request of a text without parameters, whose rows are not decoded. */
export function plainRequest(sql: string, givesRows: boolean): DriverRequest {
  return { prepared: { givesRows, bigints: false }, sql, params: [] };
}

export interface DriverResult {
  readonly rows: readonly (readonly unknown[])[];
  /** The number of rows that the statement changed. */
  readonly affected: number;
  /** The names of the columns, if they were requested and the statement returns rows. */
  readonly columns?: readonly string[] | undefined;
  /** The numbers of rows that each execution changed, for a batch. */
  readonly each?: readonly number[] | undefined;
}

/** A text in the client's own form, with values that the client takes as they are. */
export interface NativeRequest {
  readonly text: string;
  readonly values: readonly unknown[];
}

/** What a client gives its own caller. */
export interface NativeResult {
  /** The rows, by the names of their columns; the client has read their values. A new list: libraries want their own. */
  readonly rows: Record<string, unknown>[];
  /** The number of rows that the statement changed or returned. */
  readonly affected: number;
}

/** The rows of one statement, read in pages. */
export interface DriverCursor {
  /** The next rows, at most {@link PAGE_ROWS}; empty at the end, and then nothing needs to be closed. */
  next(): Promise<DriverResult["rows"]>;
  /** Ends the statement early. Not called while `next` runs. */
  close(): Promise<void>;
}

/** The number of rows of a stream that are in memory. */
export const PAGE_ROWS = 256;

/** A value, if the driver is synchronous, or a promise: awaiting a value costs a turn of the microtask queue. */
export type MaybePromise<T> = T | Promise<T>;

export type DriverAnswer = MaybePromise<DriverResult>;

/** Checks a result before the change of its statement is committed; if it throws, the statement is rolled back. */
export type ResultCheck = (result: DriverResult) => void;

export interface Driver {
  /** Whether the driver has one connection only, so that nothing can run during a transaction. */
  readonly hasOneConnection?: boolean;
  /** Whether it cannot hold a connection for a transaction: `connect` refuses. */
  readonly hasNoSessions?: boolean;
  /** Whether its rows are made up: they have the columns of the text, and nothing is stored. */
  readonly makesUpRows?: boolean;
  /** Runs a statement outside any transaction. */
  run(request: DriverRequest, signal: AbortSignal | undefined): DriverAnswer;
  /**
   * Runs a single statement, and checks its result before the change is committed. Without this method, that takes a
   * transaction, with its statements at the beginning and the end.
   */
  runChecked?(request: DriverRequest, check: ResultCheck, signal: AbortSignal | undefined): DriverAnswer;
  /** Runs several statements in order, all or none. Only a driver without sessions has it. */
  together?(
    requests: readonly DriverRequest[],
    signal: AbortSignal | undefined,
  ): Promise<readonly DriverResult[]>;
  /** Runs a single statement of the caller's, who gets what the client gives. */
  native?(request: NativeRequest, signal: AbortSignal | undefined): MaybePromise<NativeResult>;
  /** Opens a cursor outside any transaction, for drivers that do not need a transaction for it. */
  open?(request: DriverRequest, signal: AbortSignal | undefined): Promise<DriverCursor>;
  /**
   * Checks in one round trip that the server answers and accepts statements, for servers where `SELECT 1` is not
   * enough.
   */
  ping?(signal: AbortSignal | undefined): MaybePromise<void>;
  /**
   * Opens another database of the same server with the same settings, or a new one in memory; undefined where the
   * handle does not tell how.
   */
  elsewhere?(database: string): { readonly driver: Driver; close(): Promise<void> } | undefined;
  /**
   * Asks for the columns of a key, in their order, for servers that report only the name of a violated one.
   * @param table its name, and its schema if that is declared.
   */
  keyColumns?(
    table: { readonly name: string; readonly namespace?: string | undefined },
    key: string,
  ): DriverRequest;
  /** A connection for one transaction. */
  connect(signal: AbortSignal | undefined): Promise<DriverConnection>;
  /** An error as the usual client of the dialect would throw it, for a driver whose errors have another form. */
  asOfClient?(error: unknown): unknown;
  /** The value of a call that caused an error; undefined where something else may have caused it. */
  refusedValue?(error: unknown): RefusedValue | undefined;
  /**
   * Converts an error of the driver to one of ours.
   * @param propertyOf the property of a column name, for the fields of a constraint.
   * @param keys for servers that report only the name of a constraint.
   * @param sql the statement's text: a message of the server may repeat it.
   */
  translate(
    error: unknown,
    propertyOf: (column: string) => string,
    keys?: DeclaredKeys,
    sql?: string,
  ): SqlError;
}

/** The facts in an error of a server about a value that it refused. */
export type RefusedValue =
  /** The value of a placeholder, counted from 0. */
  | { readonly place: number }
  /** The value that a column was to get; the row is one of the statement, counted from 0. */
  | { readonly column: string; readonly row?: number }
  /** A text that is longer than its column takes. */
  | { readonly longerThan: number }
  /** A number whose amount is this one, or is above it. */
  | { readonly from: number }
  /** A pattern that is longer; where `sought`, a plain text that is searched for too. */
  | { readonly patternOver: number; readonly sought: boolean }
  /** A text with letters that the character set of a column lacks. */
  | { readonly outsideCharset: true }
  /** A text for a column of another type, which it does not say a value of. */
  | { readonly unreadable: true };

/** The constraints of a table, each as the names of its columns. */
export interface DeclaredKeys {
  readonly primary: readonly string[];
  readonly others: readonly (readonly string[])[];
  /** By the names that rowtype gives; without conditions and expressions over several columns. */
  readonly named: ReadonlyMap<string, readonly string[]>;
  /** Conditions of columns, which formerly had no names, by their text. */
  readonly conditions: ReadonlyMap<string, readonly string[]>;
}

/** Commands of a transaction; savepoints nest. */
export type Control = "commit" | "rollback" | "savepoint" | "release savepoint" | "rollback to savepoint";

/** The answers to statements that were sent together. */
export interface TogetherAnswer {
  /** The results of the statements that were executed, in their order. */
  readonly results: readonly DriverResult[];
  /** What refused the next statement, or the commit if all were executed. The others were not executed. */
  readonly refusal?: { readonly error: unknown } | undefined;
}

export interface DriverConnection {
  run(request: DriverRequest, signal: AbortSignal | undefined): DriverAnswer;
  /**
   * Sends statements in one message, without waiting for their answers. It does not reject once they are sent.
   * @param commits whether a commit follows them in the same message. A later `control("commit")` then does nothing.
   */
  together?(
    requests: readonly DriverRequest[],
    commits: boolean,
    signal: AbortSignal | undefined,
  ): Promise<TogetherAnswer>;
  native?(request: NativeRequest, signal: AbortSignal | undefined): MaybePromise<NativeResult>;
  /** Opens a statement whose rows are read in pages; the signal applies to all pages. */
  open(request: DriverRequest, signal: AbortSignal | undefined): Promise<DriverCursor>;
  begin(isolation: Isolation | undefined): Promise<void>;
  /** Rejects if the server answers a commit with a rollback. */
  control(command: Control): Promise<void>;
  /** Returns the connection; with `inDoubt`, a transaction may still be open, and the connection is destroyed. */
  release(inDoubt: boolean): void | Promise<void>;
}

const unsent = new WeakSet<object>();

/** The error of a command that was not sent because the connection is known to be lost: its outcome is certain. */
export function notSent(cause?: unknown): QueryError {
  const error = new QueryError("CONNECTION_LOST", "the connection to the server was lost", { cause });
  unsent.add(error);
  return error;
}

/** Whether an error says that the command was not sent. */
export function isUnsent(error: unknown): boolean {
  return unsent.has(Object(error));
}
