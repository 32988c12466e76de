/** The declaration of a stream and the arguments of its function, derived from its options. Types only. */
import type { AnyHttpError } from "./errors.js";
import type { EventOptions } from "./frame.js";
import type { RequestOptions } from "./handler-types.js";
import type { OutputOf, SchemaLike } from "./schema-types.js";

/** The schemas of named events. */
export interface EventShape {
  readonly [name: string]: SchemaLike;
}

/** The declaration, kept in the type of the stream. */
export interface StreamTypes<
  P = unknown,
  Q = unknown,
  H = unknown,
  C = unknown,
  B = unknown,
  Events = unknown,
  E = unknown,
> {
  readonly path: P;
  readonly query: Q;
  readonly headers: H;
  readonly cookies: C;
  readonly body: B;
  readonly events: Events;
  readonly errors: E;
}

/** The options of a stream; each is described in the documentation of streams. */
export interface StreamOptions<Path extends string, Id, P, Q, H, C, B, V, N, E, A, G>
  extends RequestOptions<Path, Id, P, Q, H, C, B, E, A, G> {
  /** The schema of unnamed events. */
  readonly event?: V;
  /** The schemas of named events; `message` is the name of unnamed ones. */
  readonly events?: N;
  readonly outputValidation?: boolean;
  readonly responseHeaders?: Readonly<Record<string, string>>;
  /** Milliseconds without an event after which a comment keeps the connection alive; default 15,000. 0: no comments. */
  readonly heartbeatMs?: number;
  /** Milliseconds after which a client that does not read is disconnected; default 60,000. */
  readonly stallMs?: number;
}

/** Refuses, by a key that says why, a stream with no events, or with both ways to declare them. */
export type OneOf<V, N> = [V, N] extends [undefined, undefined]
  ? { readonly "a stream declares its event or its events": never }
  : undefined extends V | N
    ? unknown
    : { readonly "a stream declares its event or its events, not both": never };

/** The schemas of a stream's events, by name. */
export type EventsOf<V, N> = V extends SchemaLike
  ? { readonly message: V }
  : N extends EventShape
    ? N
    : never;

/** The data that a stream sends, by the name of the event. */
export type EventData<V, N> = V extends SchemaLike
  ? { readonly message: OutputOf<V> }
  : { readonly [Name in NamesOf<N>]: Name extends keyof N ? OutputOf<N[Name]> : never };

// A separate look-up: the compiler then infers the schemas from the options alone.
type NamesOf<N> = N extends EventShape ? keyof N : never;

/**
 * The sending side of a stream, by the data of its events. Every send resolves to `true` when the client can take more,
 * and to `false` after the end of the stream: a loop that awaits its sends goes as fast as its client reads.
 */
export interface Stream<Events> {
  /** Sends an unnamed event. Rejects for data that cannot be written; the stream continues. */
  send(
    data: "message" extends keyof Events
      ? Events["message"]
      : "this stream declares named events: use sendEvent",
    options?: EventOptions,
  ): Promise<boolean>;
  /** Sends a named event. Rejects for an undeclared name, too. */
  sendEvent<Name extends keyof Events & string>(
    name: Name,
    data: Events[Name],
    options?: EventOptions,
  ): Promise<boolean>;
  /** Sends a line that clients ignore. */
  sendComment(text: string): Promise<boolean>;
  /** Sends the headers now, before the first event. */
  open(): Promise<boolean>;
  /** Aborts when the client goes away or the engine shuts down. */
  readonly signal: AbortSignal;
  /** The id of the last event that the client received, if it connects again. */
  readonly lastEventId: string | undefined;
}

/** The result of a stream's function. It ends the stream. A declared error is an answer until the first byte. */
export type StreamAnswer<E extends readonly AnyHttpError[]> = StreamResult<E> | Promise<StreamResult<E>>;

// biome-ignore lint/suspicious/noConfusingVoidType: a function without a `return` returns nothing.
type StreamResult<E extends readonly AnyHttpError[]> = boolean | void | E[number];
