/**
 * Repeats work that a server has rolled back because of concurrent work. The caller decides which work may be
 * repeated: a transaction's callback, or a call that changes rows outside a transaction.
 */
import { setTimeout } from "node:timers/promises";
import { aborted } from "../contract/abort.js";
import { isSqlError, type SqlErrorCode } from "../words/errors.js";

/** How often work is repeated, after which errors, and the signal that ends the pauses. */
interface Repetition {
  readonly retries: number;
  readonly after: ReadonlySet<SqlErrorCode>;
  readonly signal: AbortSignal | undefined;
}

const LONGEST_PAUSE_MS = 100;

/**
 * Runs work until it succeeds, fails with another error, or has been repeated the maximum number of times.
 * @throws {SqlError} the error of the last run; `ABORTED` if the signal aborts in a pause
 */
export async function repeated<T>(
  work: () => T | Promise<T>,
  { retries, after, signal }: Repetition,
): Promise<T> {
  for (let attempt = 0; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      if (attempt >= retries || !isSqlError(error) || !after.has(error.code)) throw error;
      // Concurrent writers that start again at once conflict again, and a synchronous driver would not let them run.
      await pause(Math.random() * Math.min(LONGEST_PAUSE_MS, 2 ** attempt), signal);
    }
  }
}

async function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  if (signal === undefined) {
    await setTimeout(ms);
    return;
  }
  try {
    await setTimeout(ms, undefined, { signal });
  } catch {
    throw aborted(signal);
  }
}
