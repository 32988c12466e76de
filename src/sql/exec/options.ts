/** What every executing method takes last. */

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
