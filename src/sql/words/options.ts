/** What methods, transactions and databases take last. */
import { describeType } from "../../core/errors.js";
import type { Dialect } from "./dialect.js";

/** How far a transaction is kept apart from others. */
export type Isolation = "read committed" | "repeatable read" | "serializable";

/** Options of a database, whatever its dialect. */
export interface DatabaseOptions {
  /**
   * How often a call that changes rows outside a transaction is sent again after a deadlock or a serialization failure,
   * with a short random pause; default 0.
   */
  readonly retries?: number | undefined;
}

/** Options of a transaction. */
export interface TransactionOptions<D extends Dialect = "sqlite"> {
  readonly isolation?: Isolation | undefined;
  readonly signal?: AbortSignal | undefined;
  /** How often the whole callback is run again after a deadlock, a serialization failure or a lock that was not available; default 0. */
  readonly retries?: number | undefined;
  /** `null` begins another transaction beside the one that the call is made in. */
  readonly tx?: OutsideOn[D] | undefined;
}

/** What is wrong with a number of retries, if anything. */
export function faultOfRetries(retries: unknown): string | undefined {
  if (retries === undefined || (Number.isSafeInteger(retries) && Number(retries) >= 0)) return undefined;
  return `retries is a whole number from 0, not ${describeType(retries)}`;
}

declare const transaction: unique symbol;

/**
 * `tx: null` says that a call is to run outside of the transaction that it is made in, on another connection. SQLite
 * has one connection, so nothing runs outside there.
 */
interface OutsideOn {
  readonly postgres: null;
  readonly mariadb: null;
  readonly oracle: null;
  readonly sqlite: never;
}

/** A running transaction, as an option of an executing method. `Transaction` is the whole of it. */
export interface TransactionHandle {
  readonly [transaction]: true;
}

/** Options of every executing method. */
export interface ExecOptions {
  /**
   * Runs inside this transaction, which must be one of the same database; `null` runs outside of the one that the call
   * is made in, which SQLite refuses.
   */
  readonly tx?: TransactionHandle | null | undefined;
  /** Ends the call with `ABORTED`. */
  readonly signal?: AbortSignal | undefined;
}

/** What a lock does with rows that somebody else has locked: it waits for them, unless told otherwise. */
export interface LockOptions {
  /** Leaves them out. */
  readonly skipLocked?: boolean | undefined;
  /** Fails at once, with `LOCK_TIMEOUT`. */
  readonly noWait?: boolean | undefined;
}
