/**
 * Statements that go together: each waits until all have been given, and only then they are sent. Whoever sends a
 * statement gets no answer before the others are given, so that none can need the rows of another.
 */
import { ignore } from "../../core/values.js";
import { QueryError } from "../words/errors.js";
import type { DriverRequest, DriverResult, TogetherAnswer } from "./driver.js";

interface Waiting {
  readonly request: DriverRequest;
  readonly resolve: (result: DriverResult) => void;
  readonly reject: (error: unknown) => void;
}

/** Statements that wait for each other. */
export class Gathering {
  /** Whether the rows of one of them may differ from the declaration. */
  isDoubted = false;
  readonly #waiting: Waiting[] = [];
  #isSent = false;
  #starting = 0;
  /** Told of each statement, and of the end of each start. */
  readonly #listeners = new Set<() => void>();

  get count(): number {
    return this.#waiting.length;
  }

  /** Adds a statement; resolves with its result. */
  add(request: DriverRequest): Promise<DriverResult> {
    if (this.#isSent)
      throw new QueryError("QUERY_FAILED", "a statement came after those that were sent together");
    return new Promise((resolve, reject) => {
      this.#waiting.push({ request, resolve, reject });
      this.#tell();
    });
  }

  /**
   * Starts work, and waits until it has given its first statement or has ended.
   * @throws what it rejects with before it has given one.
   */
  async start<T>(work: () => Promise<T>): Promise<{ readonly running: Promise<T> }> {
    const before = this.count;
    this.#starting++;
    try {
      const running = work();
      const over = running.then(ignore, ignore);
      if (this.count === before) await Promise.race([over, this.#next(() => this.count > before)]);
      if (this.count === before) await running;
      return { running };
    } finally {
      this.#starting--;
      this.#tell();
    }
  }

  /** Resolves once something is so. */
  #next(isSo: () => boolean): Promise<void> {
    return new Promise((resolve) => {
      const listener = () => {
        if (!isSo()) return;
        this.#listeners.delete(listener);
        resolve();
      };
      this.#listeners.add(listener);
    });
  }

  #tell(): void {
    for (const listener of [...this.#listeners]) listener();
  }

  /**
   * Waits until work gives no more statements. Between two statements it may wait for the caller's code.
   * @returns whether there is something to send: not if the work has ended before.
   */
  async #isComplete(running: Promise<unknown>): Promise<boolean> {
    let isOver = false;
    const over = running.then(ignore, ignore).then(() => {
      isOver = true;
    });
    do {
      if (this.#starting > 0) await Promise.race([over, this.#next(() => this.#starting === 0)]);
      // Code that follows at once may give another.
      await new Promise(setImmediate);
    } while (this.#starting > 0 && !isOver);
    return !isOver && this.count > 0;
  }

  /**
   * Sends the statements of work once it has given all, and resolves to what the work makes of their results.
   * @param send sends them; it does not reject.
   * @throws what the work rejects with, or what refused the commit.
   */
  async run<T>(
    running: Promise<T>,
    send: (requests: readonly DriverRequest[]) => Promise<TogetherAnswer>,
  ): Promise<T> {
    if (!(await this.#isComplete(running))) {
      this.#isSent = true;
      const error = new QueryError("QUERY_FAILED", "not executed: another call of the same atomic failed");
      for (const { reject } of this.#waiting) reject(error);
      return running;
    }
    this.#isSent = true;
    const { results, refusal } = await send(this.#waiting.map(({ request }) => request));
    this.#answer(results, refusal);
    const outcome = await running;
    if (results.length === this.#waiting.length && refusal !== undefined) throw refusal.error;
    return outcome;
  }

  #answer(results: readonly DriverResult[], refusal: TogetherAnswer["refusal"]): void {
    for (const [i, { resolve, reject }] of this.#waiting.entries()) {
      const result = results[i];
      if (result !== undefined) resolve(result);
      else if (i === results.length && refusal !== undefined) reject(refusal.error);
      else reject(new QueryError("QUERY_FAILED", "not executed: a statement before it failed"));
    }
  }
}
