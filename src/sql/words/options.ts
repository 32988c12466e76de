/** Options of methods, transactions and databases. */
import { describeType } from "../../core/errors.js";
import type { Dialect } from "./dialect.js";

/** The isolation level of a transaction. */
export type Isolation = "read committed" | "repeatable read" | "serializable";

/** Options of a database of any dialect. */
export interface DatabaseOptions {
  /**
   * How often a call that changes rows outside a transaction is repeated after a deadlock or a serialization
   * failure, with a short random pause; default 0.
   */
  readonly retries?: number | undefined;
}

/** Options of a transaction. */
export interface TransactionOptions<D extends Dialect = "sqlite"> {
  readonly isolation?: Isolation | undefined;
  readonly signal?: AbortSignal | undefined;
  /**
   * How often the whole callback is repeated after a deadlock, a serialization failure or a lock timeout; default 0.
   */
  readonly retries?: number | undefined;
  /** `null` begins an independent transaction even if the call is made inside one. */
  readonly tx?: Outside[keyof OutsideOn[D] & "outside"] | undefined;
}

/** The fault of a number of retries, if any. */
export function faultOfRetries(retries: unknown): string | undefined {
  if (retries === undefined || (Number.isSafeInteger(retries) && Number(retries) >= 0)) return undefined;
  return `retries must be a whole number from 0, not ${describeType(retries)}`;
}

declare const transaction: unique symbol;

interface Outside {
  readonly outside: null;
}

/**
 * `tx: null` runs a call outside the transaction in which it is made, on another connection. SQLite has one connection
 * and does not allow it. The type looks up names of members: for several dialects only the shared members remain.
 */
interface OutsideOn {
  readonly postgres: Outside;
  readonly mariadb: Outside;
  readonly oracle: Outside;
  readonly sqlite: object;
}

/** A running transaction, as an option of an executing method. `Transaction` is the full type. */
export interface TransactionHandle {
  readonly [transaction]: true;
}

/** Options of every executing method. */
export interface ExecOptions {
  /**
   * Runs inside this transaction, which must belong to the same database. `null` runs outside the transaction in which
   * the call is made; SQLite refuses it.
   */
  readonly tx?: TransactionHandle | null | undefined;
  /** Aborts the call with `ABORTED`. */
  readonly signal?: AbortSignal | undefined;
}

/** Options of the calls of a page. */
export interface PageOptions extends ExecOptions {
  /** The `next` of the previous page. Without it the call returns the first page. */
  readonly after?: string | undefined;
}

/** The treatment of rows that another transaction has locked. By default the lock waits for them. */
export interface LockOptions {
  /** Skips locked rows. */
  readonly skipLocked?: boolean | undefined;
  /** Fails at once, with `LOCK_TIMEOUT`. */
  readonly noWait?: boolean | undefined;
}
