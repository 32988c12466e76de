/**
 * A session runs statements: a database, or one transaction of it. Both run single requests, and both can run
 * several atomically: the database in a transaction, a transaction in a savepoint.
 */

import type {
  Driver,
  DriverAnswer,
  DriverCursor,
  DriverRequest,
  MaybePromise,
  NativeRequest,
  NativeResult,
  ResultCheck,
} from "../contract/driver.js";
import type { Gathering } from "../contract/gathering.js";
import type { Grammar } from "../dialect/grammar/grammar.js";
import { isSqlError, type SqlError, UnsupportedError } from "../words/errors.js";
import type { TransactionHandle, TransactionOptions } from "../words/options.js";

/** Options of atomic work. */
export interface AtomicOptions extends TransactionOptions<"postgres"> {
  /** Whether it calls the caller's code, which must not use an outer session by mistake. */
  readonly callsBack?: boolean;
}

/** Runs statements. */
export interface Session {
  readonly driver: Driver;
  readonly grammar: Grammar;
  /** Whether statements run inside a transaction. */
  readonly isTransaction: boolean;
  /** The value of the option `tx` for this session, if it is a transaction. */
  readonly handle: TransactionHandle | undefined;
  /** The database that this is, or is a transaction of. */
  readonly database: Session;
  /** The statements of the session, if they go together. */
  readonly gathering?: Gathering;
  /**
   * Throws `TRANSACTION_REQUIRED` if the current code runs in a transaction outside this session; with `isMeant` only if
   * nothing can run outside it.
   */
  throwIfInside(isMeant: boolean): void;
  /** Throws `TRANSACTION_CLOSED` if no more statements may be sent. */
  throwIfClosed(): void;
  run(request: DriverRequest, signal: AbortSignal | undefined): DriverAnswer;
  /**
   * Runs a statement, and undoes it if `check` throws. Inside a transaction the result is not checked, as with `run`:
   * the transaction decides.
   */
  runChecked(request: DriverRequest, check: ResultCheck, signal: AbortSignal | undefined): DriverAnswer;
  /** Runs a text of the client's own. */
  native(request: NativeRequest, signal: AbortSignal | undefined): MaybePromise<NativeResult>;
  /** Opens a statement whose rows are read in pages. */
  open(request: DriverRequest, signal: AbortSignal | undefined): Promise<DriverCursor>;
  /** Runs the statements that `work` sends to its session, all or nothing. */
  atomically<T>(work: (session: Session) => Promise<T>, options?: AtomicOptions): Promise<T>;
  /**
   * Runs work whose statements go together in one message. Without this method, they cannot.
   * @param commits whether a commit follows them in the message, asked when they are sent: with whether a row of them
   * may differ from its declaration.
   */
  readonly together?: <T>(
    work: (session: Session) => Promise<T>,
    commits: (isDoubted: boolean) => boolean,
  ) => Promise<T>;
  /**
   * Runs a call that changes rows. If the server rolls it back, it is repeated as often as the database's `retries`
   * allow.
   */
  changing<T>(work: () => Promise<T>, signal: AbortSignal | undefined): Promise<T>;
  changing<T>(work: () => MaybePromise<T>, signal: AbortSignal | undefined): MaybePromise<T>;
}

/** Calls the driver and converts its error to one of ours. */
export async function translated<T>(driver: Driver, call: () => T | Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    throw sqlErrorOf(error, driver);
  }
}

/** An error of a statement that belongs to no table, as one of ours. @param sql its text. */
export function sqlErrorOf(error: unknown, driver: Driver, sql?: string): SqlError {
  return isSqlError(error) ? error : driver.translate(error, (column) => column, undefined, sql);
}

/** Runs a text of the client's own on a driver or a connection. */
export function runNative(
  runner: Pick<Driver, "native">,
  { dialect }: Grammar,
  request: NativeRequest,
  signal: AbortSignal | undefined,
): MaybePromise<NativeResult> {
  if (runner.native === undefined)
    throw new UnsupportedError(dialect, "native with this driver", "write it as db.sql(…)");
  return runner.native(request, signal);
}
