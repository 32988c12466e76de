/**
 * A session is where statements run: a database, or one transaction of it. Both run a request and both can run
 * several as one: the database in a transaction, a transaction in a savepoint.
 */

import type {
  Driver,
  DriverAnswer,
  DriverCursor,
  DriverRequest,
  Judge,
  MaybePromise,
} from "../contract/driver.js";
import type { Grammar } from "../dialect/grammar.js";
import type { Dialect } from "../words/dialect.js";
import { isSqlError } from "../words/errors.js";
import type { TransactionHandle, TransactionOptions } from "../words/options.js";

/** Options of what runs as one. */
export interface AtomicOptions extends TransactionOptions<Dialect> {
  /** Whether it calls code of the caller's, which must not use what is outside by mistake. */
  readonly callsBack?: boolean;
}

/** Where statements run. */
export interface Session {
  readonly driver: Driver;
  readonly grammar: Grammar;
  /** Whether statements run inside a transaction. */
  readonly isTransaction: boolean;
  /** What stands for it as the option `tx`, where it is a transaction. */
  readonly handle: TransactionHandle | undefined;
  /** The database that it is, or is a transaction of. */
  readonly database: Session;
  /**
   * Throws `TRANSACTION_REQUIRED` where the code that asks runs in a transaction that this is outside of, unless
   * outside is meant; and where nothing can run outside.
   */
  throwIfInside(isMeant: boolean): void;
  /** Throws `TRANSACTION_CLOSED` where nothing may be sent any more. */
  throwIfClosed(): void;
  run(request: DriverRequest, signal: AbortSignal | undefined): DriverAnswer;
  /**
   * Runs a statement so that nothing is changed where `judge` throws. Inside a transaction, that decides: there the
   * result is as little judged as one of `run`.
   */
  runJudged(request: DriverRequest, judge: Judge, signal: AbortSignal | undefined): DriverAnswer;
  /** Opens a statement whose rows are taken in pages. */
  open(request: DriverRequest, signal: AbortSignal | undefined): Promise<DriverCursor>;
  /** Runs everything that `work` sends to the session it gets, or nothing of it. */
  atomically<T>(work: (session: Session) => Promise<T>, options?: AtomicOptions): Promise<T>;
  /** Runs a call that changes rows, again where the database's `retries` say so and the server has undone it all. */
  changing<T>(work: () => Promise<T>, signal: AbortSignal | undefined): Promise<T>;
  changing<T>(work: () => MaybePromise<T>, signal: AbortSignal | undefined): MaybePromise<T>;
}

/** What a call to the driver gives, with its error as one of ours. */
export async function translated<T>(driver: Driver, call: () => T | Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    throw isSqlError(error) ? error : driver.translate(error, (column) => column);
  }
}

/** Whether an error says that the connection is gone. */
export function isLost(error: unknown): boolean {
  return isSqlError(error) && (error.code === "CONNECTION_LOST" || error.code === "UNKNOWN_OUTCOME");
}
