/** Lifecycle callbacks of a repository: what runs on a record before it is stored, and on a row that was read. */

import { orAborted, throwIfAborted } from "../contract/abort.js";
import type { AnyTable } from "../declare/declaration.js";
import { CallbackError } from "../words/errors.js";
import type { Operation } from "../words/events.js";
import type { TransactionHandle } from "../words/options.js";
import type { Row } from "./decode.js";
import type { Call } from "./execute.js";

/** What a callback learns beside the row or record. */
export interface CallbackContext<out Tx = TransactionHandle> {
  readonly operation: Operation;
  readonly signal: AbortSignal | undefined;
  /** The transaction that the call runs in, for statements of the callback's own. */
  readonly tx: Tx | undefined;
}

/** Called with a row or a record; what it gives is waited for. */
export type Callback<T, Tx = TransactionHandle> = (value: T, context: CallbackContext<Tx>) => unknown;

/** The callbacks of one table on one database, which builders made before see too. */
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
  { operation, signal, session }: Call,
  index?: number,
): Promise<void> {
  throwIfAborted(signal);
  // Of one that does not come back the call is let go by its signal.
  const called = calling(() => callback(value, { operation, signal, tx: session.handle }), table, index);
  await orAborted(called, signal, nothing);
}

async function calling(call: () => unknown, table: AnyTable, index: number | undefined): Promise<void> {
  try {
    await call();
  } catch (cause) {
    throw new CallbackError(table.name, index, { cause });
  }
}

function nothing(): void {
  // What it still does, nobody hears of.
}
