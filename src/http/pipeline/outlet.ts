/**
 * The path of a stream's frames to its client: headers before the first frame, back-pressure, heartbeats, and an end
 * that leaves no timer. It handles only text and knows nothing of events.
 */
import { Socket } from "node:net";
import { events } from "../contract/events.js";
import { commentFrame } from "../contract/frame.js";
import type { AnyOptions } from "../contract/options.js";
import type { StreamSettings } from "../contract/stream-settings.js";
import type { Exchange, Streaming } from "./exchange.js";

/** The maximum memory for frames that wait for a slow client. A sender that awaits its sends stays far below it. */
const MAX_HELD_BYTES = 1024 * 1024;
/** The cost of a frame in addition to its text. */
const FRAME_BYTES = 64;
/** How long a shutdown waits for a client to read what was written. */
const LAST_WORDS_MS = 500;

const HEARTBEAT = commentFrame("heartbeat");

/** The result of most sends, made once. */
const MORE: Promise<boolean> = Promise.resolve(true);

/** The head of a stream's answer. It is sent with the first bytes. */
export function writeStreamHead(exchange: Exchange, { responseHeaders }: AnyOptions): void {
  const { request, response, runtime } = exchange;
  exchange.noSniffing();
  response.setHeader("Content-Type", "text/event-stream");
  // A caching header of middleware is kept, `no-transform` for example.
  if (!response.hasHeader("Cache-Control")) response.setHeader("Cache-Control", "no-cache");
  // Without it, nginx and similar proxies would hold back events.
  response.setHeader("X-Accel-Buffering", "no");
  for (const [name, value] of Object.entries(responseHeaders ?? {})) response.setHeader(name, value);
  if (runtime.closing.aborted) response.setHeader("Connection", "close");
  // Node sets it for answers with a body. Without it, the connection would end after a HEAD request.
  if (request.method === "HEAD") response.setHeader("Transfer-Encoding", "chunked");
  response.writeHead(200);
}

/** The sending side of one response. */
export class Outlet implements Streaming {
  readonly #exchange: Exchange;
  readonly #options: AnyOptions;
  readonly #settings: StreamSettings;
  readonly #refusal: () => Error | undefined;
  readonly #fail: (error: Error) => void;
  #begun = false;
  #over = false;
  /** Frames that wait until the client has received the earlier ones, and their cost. */
  #held = "";
  #heldBytes = 0;
  /** While the client is slow: one promise for all waiting sends. */
  #room: Promise<boolean> | undefined;
  #settle: ((more: boolean) => void) | undefined;
  /** The client fell behind in this turn of the event loop and could not read yet. */
  #inBurst = false;
  #heartbeat: NodeJS.Timeout | undefined;
  /** Compression middleware holds data back until its `flush` is called. */
  #flush: (() => void) | undefined;
  #flushing = false;

  /**
   * @param refusal the fault of the response when the headers are about to be sent.
   * @param fail answers with that fault.
   */
  constructor(
    exchange: Exchange,
    options: AnyOptions,
    settings: StreamSettings,
    { refusal, fail }: { readonly refusal: () => Error | undefined; readonly fail: (error: Error) => void },
  ) {
    this.#exchange = exchange;
    this.#options = options;
    this.#settings = settings;
    this.#refusal = refusal;
    this.#fail = fail;
    exchange.streaming = this;
  }

  /** Whether the headers were sent. */
  get begun(): boolean {
    return this.#begun;
  }

  /** Whether nothing more can be sent: the stream has ended, or the handler has answered in another way. */
  get over(): boolean {
    return this.#over || (!this.#begun && this.#exchange.answered);
  }

  /** Sends the headers. */
  open(): Promise<boolean> {
    if (this.over) return never();
    if (!this.#begun) {
      if (!this.#begin()) return never();
      this.#exchange.response.flushHeaders();
      this.#flushSoon();
    }
    return this.#room ?? MORE;
  }

  /** Sends text, in order. Resolves to whether the client can take more, as soon as that is known. */
  write(text: string): Promise<boolean> {
    if (this.over || !this.#begin()) return never();
    if (this.#room !== undefined) return this.#hold(text, this.#room);
    this.#heartbeat?.refresh();
    return this.#put(text) ? MORE : this.#fallBehind();
  }

  /** The end, after all sent data. */
  end(): void {
    if (this.over || !this.#begin()) return;
    this.#over = true;
    const { response } = this.#exchange;
    if (this.#held === "") response.end();
    else response.end(this.#held);
    this.#stop();
  }

  close(): void {
    if (this.over) return;
    this.end();
    events.emitWith("http.stream.ended", () => this.#exchange.streamEnd());
    const { response } = this.#exchange;
    // A client that does not read must not delay the shutdown.
    const timer = setTimeout(() => response.destroy(), LAST_WORDS_MS);
    response.once("close", () => clearTimeout(timer));
  }

  closed(): void {
    // An end from this side was already reported, and a complete response was the handler's own.
    const known = this.#over || this.#exchange.finished;
    this.#over = true;
    this.#stop();
    if (!known) events.emitWith("http.stream.client.disconnected", () => this.#exchange.streamEnd());
  }

  /** Sends the headers, once; `false` if the response has another answer. */
  #begin(): boolean {
    if (this.#begun) return true;
    const refusal = this.#refusal();
    if (refusal !== undefined) {
      this.#fail(refusal);
      return false;
    }
    this.#begun = true;
    const { response, request } = this.#exchange;
    const { heartbeatMs, stallMs } = this.#settings;
    writeStreamHead(this.#exchange, this.#options);
    // After a turn of the event loop: a function that is always ready would let nothing else run, because what the socket
    // takes at once drains before the next turn.
    response.on("drain", () => setImmediate(() => this.#drained()));
    // A write after the end of the connection fails; the end itself is reported.
    response.on("error", () => {});
    // With such a listener, the server leaves a timed-out response to it.
    response.on("timeout", () => this.#stalled());
    if (request.socket instanceof Socket) response.setTimeout(Number.isFinite(stallMs) ? stallMs : 0);
    const flush: unknown = Reflect.get(response, "flush");
    if (typeof flush === "function") this.#flush = () => void Reflect.apply(flush, response, []);
    if (heartbeatMs > 0) this.#heartbeat = setInterval(() => this.#beat(), heartbeatMs).unref();
    events.emitWith("http.stream.started", () => this.#exchange.facts());
    return true;
  }

  /** Writes text, and returns whether there is room for more. */
  #put(text: string): boolean {
    const hasRoom = this.#exchange.response.write(text);
    this.#flushSoon();
    return hasRoom;
  }

  #flushSoon(): void {
    const flush = this.#flush;
    if (flush === undefined || this.#flushing) return;
    this.#flushing = true;
    process.nextTick(() => {
      this.#flushing = false;
      flush();
    });
  }

  #fallBehind(): Promise<boolean> {
    this.#inBurst = true;
    setImmediate(() => {
      this.#inBurst = false;
    });
    this.#room = new Promise((resolve) => {
      this.#settle = resolve;
    });
    return this.#room;
  }

  #hold(text: string, room: Promise<boolean>): Promise<boolean> {
    this.#held += text;
    this.#heldBytes += 2 * text.length + FRAME_BYTES;
    if (this.#heldBytes <= MAX_HELD_BYTES || this.#inBurst) return room;
    this.#cut(`the client is more than ${MAX_HELD_BYTES} bytes behind`);
    return never();
  }

  #drained(): void {
    const text = this.#held;
    this.#held = "";
    this.#heldBytes = 0;
    if (this.#over || (text !== "" && !this.#put(text))) return;
    this.#release(true);
  }

  #stalled(): void {
    if (this.#exchange.request.socket.writableLength === 0) return;
    this.#cut(`the client took nothing for ${this.#settings.stallMs} ms`);
  }

  #cut(message: string): void {
    const error = new Error(message);
    const known = this.#over;
    this.#over = true;
    this.#stop();
    if (!known) events.emit("http.stream.error", this.#exchange.facts({ error }));
    this.#exchange.cut(error);
  }

  #beat(): void {
    if (this.#room === undefined && !this.over && !this.#put(HEARTBEAT)) void this.#fallBehind();
  }

  #stop(): void {
    clearInterval(this.#heartbeat);
    this.#held = "";
    this.#release(false);
  }

  #release(more: boolean): void {
    const settle = this.#settle;
    this.#room = undefined;
    this.#settle = undefined;
    settle?.(more);
  }
}

/** The answer after the end. It takes a turn of the event loop: a loop that ignores it would otherwise never end. */
function never(): Promise<boolean> {
  return new Promise((resolve) => setImmediate(resolve, false));
}
