/** Lifecycle callbacks of a repository, called with a record before it is stored and a row after it is read. */

import { orAborted, throwIfAborted } from "../contract/abort.js";
import type { AnyTable } from "../declare/declaration.js";
import { CallbackError } from "../words/errors.js";
import type { Operation } from "../words/events.js";
import type { TransactionHandle } from "../words/options.js";
import type { RequestCall } from "./call.js";
import type { DecodedRow } from "./decode.js";

/** The second argument of a callback. */
export interface CallbackContext<out Tx = TransactionHandle> {
  readonly operation: Operation;
  readonly signal: AbortSignal | undefined;
  /** The transaction of the call, for the callback's own statements. */
  readonly tx: Tx | undefined;
}

/** Called with a row or a record; a returned promise is awaited. */
export type Callback<T, Tx = TransactionHandle> = (value: T, context: CallbackContext<Tx>) => unknown;

/** The callbacks of one table on one database; existing builders use them too. */
export interface Callbacks {
  onScan: Callback<DecodedRow> | null;
  onRecord: Callback<Record<string, unknown>> | null;
}

/** Where the record of a callback stands: its position in the list of the call, and its path in the record around. */
export interface RecordPlace {
  readonly index?: number | undefined;
  readonly path?: string | undefined;
}

/**
 * Calls a callback and awaits it.
 * @throws {CallbackError} with the thrown error as `cause`.
 */
export async function callBack<T>(
  callback: Callback<T>,
  value: T,
  table: AnyTable,
  { operation, signal, session }: RequestCall,
  place: RecordPlace = {},
): Promise<void> {
  throwIfAborted(signal);
  // If a callback never settles, the signal still ends the call.
  const called = calling(() => callback(value, { operation, signal, tx: session.handle }), table, place);
  await orAborted(called, signal, nothing);
}

async function calling(call: () => unknown, table: AnyTable, { index, path }: RecordPlace): Promise<void> {
  try {
    await call();
  } catch (cause) {
    throw new CallbackError(table.name, index, { cause }, path);
  }
}

function nothing(): void {
  // Its later result is ignored.
}
