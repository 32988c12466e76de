/**
 * A lock on a handle with a first-come-first-served queue: for the transactions of a driver that has a single
 * connection, and for the statements between them.
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

  /** Whether the handle is free, so that a synchronous statement may run at once. */
  get isFree(): boolean {
    return this.#holder === undefined;
  }

  /**
   * Waits for the handle and takes it. The holder must not wait for it again: sessions refuse that before.
   * @throws {QueryError} `ABORTED` if the signal aborts first.
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

  /** Passes the handle to the next in the queue. */
  release(): void {
    const next = this.#waiting.shift();
    this.#holder = next?.holder;
    next?.start();
  }

  /** Runs a function as soon as the handle is free. The function must not throw. */
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
