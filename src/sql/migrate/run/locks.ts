/** Waiting for locks: calls that are repeated, and how long a statement waits. */
import { setTimeout } from "node:timers/promises";
import { runPlain } from "../../door/plain.js";
import type { Transaction } from "../../door/repository.js";
import { isTransient } from "../../words/failures.js";
import type { Patience, RunDialect } from "./dialect.js";

/** Before the statements of a transaction: limits how long one waits for a lock before it is repeated. */
export async function limitLocks({ limitLocks: text }: RunDialect, tx: Transaction): Promise<void> {
  if (text !== undefined) await runPlain(tx, text);
}

/** Repeats a call that failed because of a lock. */
export async function repeated<T>(
  { patience }: Pick<RunDialect, "patience">,
  waitMs: number,
  call: () => Promise<T>,
): Promise<T> {
  const end = Date.now() + waitMs;
  for (let tries = 1; ; tries++)
    try {
      return await call();
    } catch (error) {
      const cause = error instanceof Error && error.cause !== undefined ? error.cause : error;
      const isLocked = [error, cause].some(isTransient);
      if (!isLocked || patience.isOver(tries, end)) throw error;
      const longest = patience.pause(tries);
      await setTimeout(longest / 2 + (Math.random() * longest) / 2);
    }
}

/** A few times, because each call has already waited in the server. */
export const afterWaiting: Patience = { isOver: (tries) => tries >= 10, pause: (tries) => 300 * tries };
