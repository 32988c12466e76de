/**
 * Yields rows one by one, with at most a page in memory. The statement is sent when the first row is requested. It ends
 * and releases its connection after the last row, on an error, when the signal aborts, or when the reader stops.
 */
import { ignore } from "../../core/values.js";
import { aborted, throwIfAborted } from "../contract/abort.js";
import type { DriverCursor } from "../contract/driver.js";
import type { RequestCall } from "./call.js";
import type { DecodedRow } from "./decode.js";
import { driverRequest } from "./driver-request.js";
import { failureOf } from "./execute.js";
import type { PlanRequest } from "./prepared.js";
import { type Watch, watched } from "./watch.js";

/** The source of a stream. */
interface Streamed {
  readonly request: PlanRequest;
  readonly call: RequestCall;
  /** Whether a callback exists for the next row. */
  readonly callsBack: () => boolean;
  /** Called with each row before it is yielded. */
  readonly onRow: (row: DecodedRow) => Promise<unknown> | undefined;
}

/**
 * The rows of a statement. Each iteration sends it again.
 * @param begin binds the request; its error is reported with the first row.
 */
export function rowsOneByOne(begin: () => Streamed): AsyncIterable<DecodedRow> {
  return { [Symbol.asyncIterator]: () => new Rows(begin) };
}

class Rows implements AsyncIterator<DecodedRow, undefined> {
  readonly #begin: () => Streamed;
  #streamed: Streamed | undefined;
  #cursor: DriverCursor | undefined;
  #watch: Watch | undefined;
  #page: readonly (readonly unknown[])[] = [];
  #at = 0;
  #count = 0;
  #isEnded = false;
  /** The error that has not been reported yet. */
  #failure: { readonly error: unknown } | undefined;
  // One step at a time, in the order of the requests.
  #last: Promise<unknown> = Promise.resolve();
  #steps = 0;
  readonly #onAbort = () => void this.#inTurn(() => this.#abort());

  constructor(begin: () => Streamed) {
    this.#begin = begin;
  }

  next(): Promise<IteratorResult<DecodedRow, undefined>> {
    const row = this.#steps === 0 ? this.#atHand() : undefined;
    return row === undefined
      ? this.#inTurn(() => this.#next())
      : Promise.resolve({ done: false, value: row });
  }

  return(): Promise<IteratorResult<DecodedRow, undefined>> {
    return this.#inTurn(async () => {
      this.#failure = undefined;
      await this.#stop();
      return END;
    });
  }

  async throw(error: unknown): Promise<IteratorResult<DecodedRow, undefined>> {
    await this.return();
    throw error;
  }

  #inTurn<T>(step: () => Promise<T>): Promise<T> {
    this.#steps++;
    const done = this.#last.then(step).finally(() => {
      this.#steps--;
    });
    this.#last = done.catch(ignore);
    return done;
  }

  /**
   * The next row of the page, if nothing must be awaited or reported: one promise per row in place of six. A stream of
   * 10,000 rows on MariaDB takes 0.70 of the time.
   */
  #atHand(): DecodedRow | undefined {
    const values = this.#page[this.#at];
    const streamed = this.#streamed;
    if (values === undefined || streamed === undefined || streamed.callsBack()) return undefined;
    const { request, call } = streamed;
    if (call.signal?.aborted === true) return undefined;
    try {
      call.session.throwIfClosed();
      const row = request.prepared.decodeRow(values);
      this.#at++;
      this.#count++;
      return row;
    } catch {
      // The regular path repeats this and reports the error.
      return undefined;
    }
  }

  async #next(): Promise<IteratorResult<DecodedRow, undefined>> {
    if (this.#failure !== undefined) {
      const { error } = this.#failure;
      this.#failure = undefined;
      throw error;
    }
    if (this.#isEnded) return END;
    try {
      this.#streamed ??= this.#begun();
      const { request, call, onRow } = this.#streamed;
      throwIfAborted(call.signal);
      call.session.throwIfClosed();
      this.#cursor ??= await this.#open(this.#streamed);
      if (this.#at >= this.#page.length) {
        this.#page = await this.#cursor.next();
        this.#at = 0;
      }
      const values = this.#page[this.#at++];
      if (values === undefined) {
        this.#end();
        this.#watch?.completed({ rowsReturned: this.#count });
        return END;
      }
      const row = request.prepared.decodeRow(values);
      await onRow(row);
      this.#count++;
      return { done: false, value: row };
    } catch (error) {
      throw await this.#fail(error);
    }
  }

  /** The streamed parts, with a signal that can be listened to. */
  #begun(): Streamed {
    const streamed = this.#begin();
    throwIfAborted(streamed.call.signal);
    return streamed;
  }

  #open({ request, call }: Streamed): Promise<DriverCursor> {
    const { session, operation, signal } = call;
    const sent = driverRequest(request, session);
    const { table, sql } = request.prepared;
    this.#watch = watched(table, operation, sql);
    signal?.addEventListener("abort", this.#onAbort, { once: true });
    return session.open(sent, signal);
  }

  /** Ends a stream whose remaining rows are not needed. */
  async #stop(): Promise<void> {
    if (this.#isEnded) return;
    this.#end();
    try {
      await this.#cursor?.close();
    } catch (error) {
      throw this.#failed(error);
    }
    this.#watch?.completed({ rowsReturned: this.#count });
  }

  /** Releases everything as soon as the signal aborts, even if no more rows are requested. */
  async #abort(): Promise<void> {
    const signal = this.#streamed?.call.signal;
    if (this.#isEnded || signal === undefined) return;
    this.#failure = { error: await this.#fail(aborted(signal)) };
  }

  async #fail(error: unknown): Promise<unknown> {
    this.#end();
    // The caller reports the original error.
    await this.#cursor?.close().catch(ignore);
    return this.#failed(error);
  }

  /** The error as the caller gets it. */
  #failed(error: unknown): unknown {
    if (this.#streamed === undefined) return error;
    const { request, call } = this.#streamed;
    const failure = failureOf(error, request, call.session);
    this.#watch?.failed(failure);
    return failure;
  }

  #end(): void {
    this.#isEnded = true;
    this.#page = [];
    this.#streamed?.call.signal?.removeEventListener("abort", this.#onAbort);
  }
}

const END: IteratorReturnResult<undefined> = { done: true, value: undefined };
