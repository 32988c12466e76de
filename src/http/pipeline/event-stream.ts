/**
 * The sending side of a stream: events become frames, in the order of the calls. An event that cannot be a frame is
 * refused before any byte of it is sent.
 */

import { isUtf8 } from "node:buffer";
import { describeType, listed, quoted } from "../../core/errors.js";
import { events } from "../contract/events.js";
import { commentFrame, type EventOptions, eventFrame, UNNAMED } from "../contract/frame.js";
import { StreamError } from "../contract/stream-error.js";
import { encodeOutput } from "./encode.js";
import type { CompiledEvent } from "./endpoint.js";
import { type Exchange, toError } from "./exchange.js";
import type { Outlet } from "./outlet.js";
import { outputText } from "./output-text.js";

type Sent = Promise<boolean>;

/** The `Stream` of a call, for any types. Its functions need no `this`: they can be destructured. */
export class EventStream {
  readonly send: (data: unknown, options?: EventOptions) => Sent;
  readonly sendEvent: (name: string, data: unknown, options?: EventOptions) => Sent;
  readonly sendComment: (text: string) => Sent;
  readonly open: () => Sent;
  readonly lastEventId: string | undefined;
  readonly #exchange: Exchange;
  readonly #events: ReadonlyMap<string, CompiledEvent>;
  readonly #outlet: Outlet;
  /** The last send that waits for its schema; later sends wait for it. */
  #pending: Promise<unknown> | undefined;
  #refused: unknown;

  constructor(exchange: Exchange, declared: ReadonlyMap<string, CompiledEvent>, outlet: Outlet) {
    this.#exchange = exchange;
    this.#events = declared;
    this.#outlet = outlet;
    this.lastEventId = lastEventId(exchange);
    this.send = (data, options) => this.#send(UNNAMED, data, options);
    this.sendEvent = (name, data, options) => this.#send(name, data, options);
    this.sendComment = (text) => this.#comment(text);
    this.open = () => outlet.open();
  }

  get signal(): AbortSignal {
    return this.#exchange.signal;
  }

  /** Whether a failure is the error of a refused send, which was reported. */
  hasReported(failure: unknown): boolean {
    return failure !== undefined && failure === this.#refused;
  }

  /** Settles when no send waits for its schema. */
  async settled(): Promise<void> {
    while (this.#pending !== undefined) await this.#pending;
  }

  #comment(text: unknown): Sent {
    if (Object(text) !== text) return this.#inOrder(() => this.#outlet.write(commentFrame(String(text))));
    const message = `a comment must be text, not ${describeType(text)}`;
    return this.#refuse(new StreamError("EVENT_UNWRITABLE", "", message));
  }

  #send(name: string, data: unknown, options: EventOptions | undefined): Sent {
    // After the end the outlet answers, for any data.
    if (this.#outlet.over) return this.#outlet.write("");
    try {
      const event = this.#events.get(name);
      if (event === undefined) throw this.#undeclared(name);
      const frame = (encoded: unknown) =>
        eventFrame(name, event.start, jsonOf(name, encoded), options ?? undefined);
      const encoded = encodeOutput(this.#exchange, event.data, data === undefined ? null : data);
      if (!(encoded instanceof Promise) && this.#pending === undefined)
        return this.#outlet.write(frame(encoded));
      return this.#wait(encoded, frame);
    } catch (error) {
      return this.#refuse(error);
    }
  }

  /** Sends after all earlier sends. */
  #wait(encoded: unknown, frame: (encoded: unknown) => string): Sent {
    const before = this.#pending;
    const ready = Promise.resolve(encoded).then(frame);
    // The earlier send may take longer. Until then a rejection of this one would be unhandled.
    ready.catch(() => {});
    const frameInTurn = before === undefined ? ready : before.then(() => ready);
    let sent: Sent;
    const mine: Promise<unknown> = frameInTurn
      .then(
        (text) => {
          sent = this.#outlet.write(text);
        },
        (error: unknown) => {
          sent = this.#refuse(error);
        },
      )
      .finally(() => {
        if (this.#pending === mine) this.#pending = undefined;
      });
    this.#pending = mine;
    return quiet(mine.then(() => sent));
  }

  #inOrder(send: () => Sent): Sent {
    return this.#pending === undefined ? send() : quiet(this.#pending.then(send));
  }

  #undeclared(name: unknown): StreamError {
    return new StreamError(
      "EVENT_UNDECLARED",
      typeof name === "string" ? name : describeType(name),
      `event ${quoted(name)} is not declared; events: ${listed(this.#events.keys())}`,
    );
  }

  /** Emits the event also for senders that do not await the rejection. */
  #refuse(error: unknown): Sent {
    this.#refused = error;
    events.emitWith("http.stream.error", () => this.#exchange.facts({ error: toError(error) }));
    return quiet(Promise.reject(error));
  }
}

/** An unhandled rejection would end the process. */
function quiet(sent: Sent): Sent {
  sent.catch(() => {});
  return sent;
}

function jsonOf(name: string, encoded: unknown): string {
  let json: string | undefined;
  try {
    json = outputText(encoded, true);
  } catch (cause) {
    throw new StreamError("EVENT_UNWRITABLE", name, `the data of event ${quoted(name)} cannot be written`, {
      cause,
    });
  }
  if (json !== undefined) return json;
  throw new StreamError("EVENT_UNWRITABLE", name, `the data of event ${quoted(name)} are not JSON`);
}

/** Node reads headers as Latin-1. Browsers send the received bytes of the id, in UTF-8. */
function lastEventId({ request }: Exchange): string | undefined {
  const header = request.headers["last-event-id"];
  if (typeof header !== "string" || header === "") return undefined;
  const bytes = Buffer.from(header, "latin1");
  return isUtf8(bytes) ? bytes.toString("utf8") : header;
}
