/**
 * A handle that one at a time may hold, first come first served: the transactions of a driver that has a single
 * connection, and the statements that come between them.
 */
import { QueryError } from "../words/errors.js";

interface Waiter {
  readonly holder: object;
  readonly start: () => void;
}

/** The queue of one handle. */
export class Queue {
  #holder: object | undefined;
  readonly #waiting: Waiter[] = [];

  /** Whether nobody holds the handle, so that a synchronous statement may run at once. */
  get isFree(): boolean {
    return this.#holder === undefined;
  }

  /**
   * Waits for the handle and holds it.
   * Whoever holds it must not wait for it once more: sessions refuse that before.
   * @throws {QueryError} `ABORTED` when the signal says so first.
   */
  hold(holder: object, signal: AbortSignal | undefined): Promise<void> {
    if (this.#holder === undefined) {
      this.#holder = holder;
      return Promise.resolve();
    }
    return new Promise((resolve, reject) => {
      const abort = () => {
        this.#waiting.splice(this.#waiting.indexOf(waiter), 1);
        reject(new QueryError("ABORTED", "the call was aborted while it waited", { cause: signal?.reason }));
      };
      const waiter: Waiter = {
        holder,
        start: () => {
          signal?.removeEventListener("abort", abort);
          resolve();
        },
      };
      this.#waiting.push(waiter);
      signal?.addEventListener("abort", abort, { once: true });
    });
  }

  /** Gives the handle to the next in the queue. */
  release(): void {
    const next = this.#waiting.shift();
    this.#holder = next?.holder;
    next?.start();
  }

  /** Does something as soon as nobody holds the handle, whoever asks. It must not throw. */
  whenFree(work: () => void): void {
    if (this.isFree) {
      work();
      return;
    }
    const start = () => {
      work();
      this.release();
    };
    this.#waiting.push({ holder: {}, start });
  }
}
