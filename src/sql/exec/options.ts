/** What methods take last. */

declare const transaction: unique symbol;

/** A running transaction, as an option of an executing method. `Transaction` is the whole of it. */
export interface TransactionHandle {
  readonly [transaction]: true;
}

/** Options of every executing method. */
export interface ExecOptions {
  /** Runs inside this transaction, which must be one of the same database. */
  readonly tx?: TransactionHandle | undefined;
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
