/**
 * Sends an answer that comes in chunks, as fast as its client reads. Nothing is sent before the first chunk is there, so
 * that a source that fails at once is an ordinary failure. A client that leaves ends the source, and so does the deadline
 * of a shutdown.
 */
import type { Response } from "express";
import { ignore } from "../../core/values.js";
import type { Exchange } from "./exchange.js";

/** The chunks of an answer. */
type Chunks = AsyncIterator<string | Uint8Array>;

/**
 * Sends the chunks and ends the answer.
 * @param begin sends the head of the answer.
 * @throws the failure of the source; the answer has begun if it was not the first chunk that failed
 */
export async function pump(exchange: Exchange, chunks: Chunks, begin: () => Promise<void>): Promise<void> {
  const { request, response } = exchange;
  if (request.method === "HEAD") {
    await release(chunks);
    await begin();
    response.end();
    return;
  }
  const client = new Reader(response, () => void release(chunks));
  exchange.sending = true;
  try {
    let next = await chunks.next();
    if (client.hasLeft) return;
    await begin();
    while (next.done !== true) {
      if (!response.write(next.value)) await client.room();
      // A source that is always ready, as rows of SQLite are, would let nothing else run until a client falls behind.
      await turn();
      if (client.hasLeft) return;
      next = await chunks.next();
      if (client.hasLeft) return;
    }
    response.end();
  } catch (error) {
    await release(chunks);
    // An error of a source after its client has left is of no interest.
    if (!client.hasLeft) throw error;
  } finally {
    exchange.sending = false;
    client.stop();
  }
}

/** The client's side: whether it has room for more, and whether it has left. */
class Reader {
  hasLeft: boolean;
  readonly #response: Response;
  readonly #onLeave: () => void;
  #wake: (() => void) | undefined;
  readonly #closed = () => {
    this.hasLeft = true;
    this.#onLeave();
    this.#wake?.();
  };
  readonly #drained = () => this.#wake?.();

  constructor(response: Response, onLeave: () => void) {
    this.#response = response;
    this.#onLeave = onLeave;
    this.hasLeft = response.destroyed;
    response.on("close", this.#closed).on("drain", this.#drained);
    // A write after the end of the connection fails; the end itself is reported.
    response.on("error", ignore);
    if (this.hasLeft) onLeave();
  }

  /** Resolves when the client can take more, or has left. */
  room(): Promise<void> {
    if (this.hasLeft) return Promise.resolve();
    return new Promise((resolve) => {
      this.#wake = resolve;
    });
  }

  stop(): void {
    this.#response.off("close", this.#closed).off("drain", this.#drained);
  }
}

/** A turn of the event loop. */
function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/** Ends a source that is not needed any more. Its failure is of no interest then. */
async function release(chunks: Chunks): Promise<void> {
  try {
    await chunks.return?.();
  } catch {
    // The answer is over.
  }
}
