/**
 * Whether a handle of postgres.js was ended. A reservation of an ended one opens a new connection, or waits for ever; a
 * query fails at once. So an empty query is sent while a reservation waits for a free connection: an ended handle has
 * none.
 */
import { ignore } from "../../../core/values.js";
import type { Sends } from "./postgresjs-query.js";

/** How often an empty query is sent while reservations wait. */
const EVERY_MS = 1_000;

/** Finds out whether a handle was ended. */
export class EndedHandle {
  readonly #handle: Sends;
  readonly #waiting = new Set<(error: unknown) => void>();
  #timer: NodeJS.Timeout | undefined;
  #isOpen = false;

  constructor(handle: Sends) {
    this.#handle = handle;
  }

  /**
   * Reserves a connection, and rejects with the error of the client when the handle is ended before.
   * @param abandon is called with a reservation that comes later.
   */
  async orFails<T>(reserve: () => Promise<T>, abandon: (late: T) => void): Promise<T> {
    // Where there may be no connection, the empty query opens one, so that there are not two.
    if (!this.#isOpen) await this.#send();
    this.#isOpen = true;
    let isSettled = false;
    const reserving = reserve();
    const settle = () => {
      isSettled = true;
    };
    const settled = reserving.then(settle, settle);
    // A free connection is reserved at once.
    for (let turn = 0; turn < 4 && !isSettled; turn++) await undefined;
    if (isSettled) return reserving;
    return new Promise((resolve, reject) => {
      const fail = (error: unknown) => {
        reject(error);
        reserving.then(abandon, ignore);
      };
      const done = () => {
        this.#waiting.delete(fail);
        if (this.#waiting.size === 0) clearInterval(this.#timer);
      };
      if (this.#waiting.size === 0) this.#timer = setInterval(() => this.#ask(), EVERY_MS);
      this.#waiting.add(fail);
      this.#ask();
      // By then the handle has said whether it was ended.
      void settled.then(done);
      reserving.then(resolve, reject);
    });
  }

  /** A connection was lost or closed: there may be no other. */
  doubt(): void {
    this.#isOpen = false;
  }

  #ask(): void {
    this.#send().then(ignore, (error: unknown) => {
      if (Object(error).code !== "CONNECTION_ENDED") return;
      for (const fail of this.#waiting) fail(error);
    });
  }

  #send(): Promise<unknown> {
    return this.#handle.unsafe("", [], { simple: true, prepare: false });
  }
}
