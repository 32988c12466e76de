/**
 * Rows one by one, of which never more than a page is in memory. The statement is sent when the first row is asked
 * for; it ends, and its connection goes back, with the last row, with an error, with the signal, or when whoever reads
 * stops.
 */
import { aborted, throwIfAborted } from "../contract/abort.js";
import type { DriverCursor } from "../contract/driver.js";
import { requestOf } from "./command.js";
import type { Row } from "./decode.js";
import { type Call, failureOf } from "./execute.js";
import type { Prepared } from "./prepared.js";
import { type Watch, watched } from "./watch.js";

/** What a stream is of. */
export interface Streamed {
  readonly prepared: Prepared;
  readonly values: readonly unknown[];
  readonly call: Call;
  /** Called with each row before it is given out. */
  readonly onRow: (row: Row) => Promise<unknown> | undefined;
}

/**
 * The rows of a statement. Each iteration sends it anew.
 * @param begin binds the statement; what it throws comes with the first row.
 */
export function rowsOneByOne(begin: () => Streamed): AsyncIterable<Row> {
  return { [Symbol.asyncIterator]: () => new Rows(begin) };
}

class Rows implements AsyncIterator<Row, undefined> {
  readonly #begin: () => Streamed;
  #streamed: Streamed | undefined;
  #cursor: DriverCursor | undefined;
  #watch: Watch | undefined;
  #page: readonly (readonly unknown[])[] = [];
  #at = 0;
  #count = 0;
  #isEnded = false;
  /** Of an end that nobody has been told yet. */
  #failure: { readonly error: unknown } | undefined;
  // One step at a time, in the order in which they were asked for.
  #last: Promise<unknown> = Promise.resolve();
  readonly #onAbort = () => void this.#inTurn(() => this.#abort());

  constructor(begin: () => Streamed) {
    this.#begin = begin;
  }

  next(): Promise<IteratorResult<Row, undefined>> {
    return this.#inTurn(() => this.#next());
  }

  return(): Promise<IteratorResult<Row, undefined>> {
    return this.#inTurn(async () => {
      this.#failure = undefined;
      await this.#stop();
      return END;
    });
  }

  async throw(error: unknown): Promise<IteratorResult<Row, undefined>> {
    await this.return();
    throw error;
  }

  #inTurn<T>(step: () => Promise<T>): Promise<T> {
    const done = this.#last.then(step);
    this.#last = done.catch(ignore);
    return done;
  }

  async #next(): Promise<IteratorResult<Row, undefined>> {
    if (this.#failure !== undefined) {
      const { error } = this.#failure;
      this.#failure = undefined;
      throw error;
    }
    if (this.#isEnded) return END;
    try {
      this.#streamed ??= this.#begin();
      const { prepared, call, onRow } = this.#streamed;
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
      const row = prepared.decodeRow(values);
      await onRow(row);
      this.#count++;
      return { done: false, value: row };
    } catch (error) {
      throw await this.#fail(error);
    }
  }

  #open({ prepared, values, call }: Streamed): Promise<DriverCursor> {
    const { session, operation, signal } = call;
    const request = requestOf(prepared, values, true, session);
    this.#watch = watched(prepared.table, operation, prepared.sql);
    signal?.addEventListener("abort", this.#onAbort, { once: true });
    return session.open(request, signal);
  }

  /** Ends a stream of which the rest is not wanted. */
  async #stop(): Promise<void> {
    if (this.#isEnded) return;
    this.#end();
    await this.#cursor?.close();
    this.#watch?.completed({ rowsReturned: this.#count });
  }

  /** Lets go of everything as soon as the signal comes, though nobody may ask for a row any more. */
  async #abort(): Promise<void> {
    const signal = this.#streamed?.call.signal;
    if (this.#isEnded || signal === undefined) return;
    this.#failure = { error: await this.#fail(aborted(signal)) };
  }

  async #fail(error: unknown): Promise<unknown> {
    this.#end();
    // The error that led here is the one to tell.
    await this.#cursor?.close().catch(ignore);
    if (this.#streamed === undefined) return error;
    const { prepared, call } = this.#streamed;
    const failure = failureOf(error, prepared, call.session);
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

function ignore(): void {
  // Whoever asked for the step has its error.
}
