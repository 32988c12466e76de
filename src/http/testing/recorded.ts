/**
 * An answer as it arrives over the pair of streams that replaces a socket: complete, or a stream of events that
 * continues after the test gets it.
 */
import type { IncomingMessage } from "node:http";
import { StringDecoder } from "node:string_decoder";
import { EventReader, type ReceivedEvent } from "../client/event-reader.js";

/** An event of a stream, with its data read as JSON. */
export interface TestEvent {
  /** `message` if the event has no name. */
  readonly event: string;
  readonly data: unknown;
  readonly id?: string;
}

/** The events of a stream; events wait until they are read. */
export interface TestEvents extends AsyncIterable<TestEvent> {
  /** Leaves the stream, like a client that goes away. */
  close(): void;
}

/** The pair of streams over which an answer arrives. */
interface Connection {
  /** Resolves when the engine has also finished the answer: cut earlier, it would count as failed. */
  answered(): Promise<void>;
  /** Ends the connection, on both sides. */
  hangUp(): void;
}

/** The bytes of a stream that are read before its test requests them: a sender meets a client's back-pressure. */
const AHEAD_BYTES = 1024 * 1024;
/** Turns of the event loop after which a stream that ends at once has ended. */
const TURNS = 10;

/** The body of an answer. */
export class RecordedBody {
  readonly #response: IncomingMessage;
  readonly #connection: Connection;
  readonly #decoder = new StringDecoder("utf8");
  readonly #reader = new EventReader();
  readonly #events: ReceivedEvent[] = [];
  readonly #ended: Promise<void>;
  readonly #chunks: Buffer[] = [];
  #text = "";
  /** The text that arrived since the last read event. */
  #ahead = 0;
  #over = false;
  #failure: Error | undefined;
  #wake: (() => void) | undefined;

  constructor(response: IncomingMessage, connection: Connection) {
    this.#response = response;
    this.#connection = connection;
    const isStream = /^text\/event-stream\b/.test(response.headers["content-type"] ?? "");
    response.on("data", (chunk: Buffer) => {
      this.#chunks.push(chunk);
      const text = this.#decoder.write(chunk);
      this.#text += text;
      if (!isStream) return;
      this.#events.push(...this.#reader.push(text));
      this.#ahead += chunk.length;
      if (this.#ahead > AHEAD_BYTES) response.pause();
      this.#wake?.();
    });
    this.#ended = new Promise((resolve) => {
      const end = (failure?: Error) => {
        if (this.#over) return;
        this.#over = true;
        this.#failure = failure;
        connection.hangUp();
        resolve();
        this.#wake?.();
      };
      response.on("end", () => void connection.answered().then(() => end()));
      response.on("error", end);
      response.on("close", () => {
        if (!response.readableEnded) end();
      });
    });
  }

  /** The text received so far. */
  get text(): string {
    return this.#text;
  }

  /** The bytes received so far, as a copy. */
  get bytes(): Uint8Array {
    return new Uint8Array(Buffer.concat(this.#chunks));
  }

  /** The end of the answer. @throws the error that broke it off */
  async complete(): Promise<void> {
    await this.#ended;
    if (this.#failure !== undefined) throw this.#failure;
  }

  /** The end of a stream that ends at once, or the beginning of one that does not. */
  async settled(): Promise<void> {
    for (let turn = 0; turn < TURNS && !this.#over; turn++) {
      await new Promise((resolve) => setImmediate(resolve));
    }
  }

  close(): void {
    this.#over = true;
    this.#connection.hangUp();
    this.#wake?.();
  }

  /** The events after the last one of the previous iteration. */
  events(): TestEvents {
    return {
      [Symbol.asyncIterator]: () => ({ next: () => this.#next() }),
      close: () => this.close(),
    };
  }

  async #next(): Promise<IteratorResult<TestEvent, undefined>> {
    for (;;) {
      const received = this.#events.shift();
      if (received !== undefined)
        return { done: false, value: { ...received, data: JSON.parse(received.data) } };
      if (this.#failure !== undefined) throw this.#failure;
      if (this.#over) return { done: true, value: undefined };
      this.#ahead = 0;
      this.#response.resume();
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }
}
