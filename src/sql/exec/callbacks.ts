/** Lifecycle callbacks of a repository: what runs on a record before it is stored, and on a row that was read. */
import type { AnyTable } from "../declaration.js";
import { CallbackError } from "../errors.js";
import type { Operation } from "../events.js";
import type { Row } from "./decode.js";
import type { Call } from "./execute.js";
import type { TransactionHandle } from "./options.js";

/** What a callback learns beside the row or record. */
export interface CallbackContext {
  readonly operation: Operation;
  readonly signal: AbortSignal | undefined;
  /** The transaction that the call runs in, for statements of the callback's own. */
  readonly tx: TransactionHandle | undefined;
}

/** Called with a row or a record; what it gives is waited for. */
export type Callback<T> = (value: T, context: CallbackContext) => unknown;

/** The callbacks of one repository, which builders made before see too. */
export interface Callbacks {
  onScan: Callback<Row> | null;
  onRecord: Callback<Record<string, unknown>> | null;
}

/**
 * Calls a callback and waits for it.
 * @throws {CallbackError} with what it threw as `cause`.
 */
export async function callBack<T>(
  callback: Callback<T>,
  value: T,
  table: AnyTable,
  { operation, signal, tx }: Call,
  index?: number,
): Promise<void> {
  try {
    await callback(value, { operation, signal, tx });
  } catch (cause) {
    throw new CallbackError(table.name, index, { cause });
  }
}
