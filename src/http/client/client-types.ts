/**
 * The client's types, derived from the handlers of an engine: the options, the result and the declared errors of a
 * call. Types only. They use only the type members of handlers: nothing of the server is needed.
 */
import type { Outputs } from "../contract/handler-types.js";
import type { AnswerKind, BodyKind } from "../contract/kind.js";
import type { PathNames } from "../contract/path.js";
import type { InputOf, SchemaLike } from "../contract/schema-types.js";
import type { Wire, WireInput, WireOutput } from "../contract/wire-types.js";
import type { CallLimits } from "./call-limits.js";

/** The type of an engine: `typeof api`. */
export interface AnyApi {
  readonly "~handlers"?: AnyHandler;
}

/** The members of a handler that a client uses. */
export interface AnyHandler {
  readonly method: string;
  readonly path: string;
  readonly "~types"?: unknown;
}

/** The handlers of an engine, as a union. */
export type HandlersOf<Api extends AnyApi> = NonNullable<Api["~handlers"]>;

/** Calls the handlers of an engine. */
export interface Client<H extends AnyHandler> {
  readonly GET: Call<Calls<H, "GET">>;
  readonly POST: Call<Calls<H, "POST">>;
  readonly PUT: Call<Calls<H, "PUT">>;
  readonly PATCH: Call<Calls<H, "PATCH">>;
  readonly DELETE: Call<Calls<H, "DELETE">>;
  readonly QUERY: Call<Calls<H, "QUERY">>;
  /** The headers of a path's HEAD or GET. Every error is thrown: it has a status, and no body that says more. */
  readonly HEAD: Head<Calls<H, "GET" | "HEAD">>;
  /** The answer itself, whatever its status and type: it is not read, and no status is an error. */
  readonly raw: Ask<{
    readonly GET: Calls<H, "GET">;
    readonly POST: Calls<H, "POST">;
    readonly PUT: Calls<H, "PUT">;
    readonly PATCH: Calls<H, "PATCH">;
    readonly DELETE: Calls<H, "DELETE">;
    readonly QUERY: Calls<H, "QUERY">;
    readonly HEAD: Calls<H, "GET" | "HEAD">;
    readonly OPTIONS: Calls<H, "OPTIONS">;
  }>;
  /** The events of a stream. Iteration connects to it, and the end of the iteration disconnects. */
  readonly stream: Listen<{
    readonly GET: Streams<H, "GET">;
    readonly POST: Streams<H, "POST">;
    readonly PUT: Streams<H, "PUT">;
    readonly PATCH: Streams<H, "PATCH">;
    readonly DELETE: Streams<H, "DELETE">;
    readonly QUERY: Streams<H, "QUERY">;
  }>;
}

type Call<Routes> = <Path extends keyof Routes & string>(
  path: Path,
  ...options: Given<CallOptions<Path, Routes[Path]>>
) => Promise<Successes<Held<Routes[Path], "output">> | Failure<ErrorsOf<Held<Routes[Path], "errors">>>>;

type Head<Routes> = <Path extends keyof Routes & string>(
  path: Path,
  ...options: Given<CallOptions<Path, Routes[Path]>>
) => Promise<Success<undefined>>;

type Ask<Methods> = <Method extends keyof Methods & string, Path extends keyof Methods[Method] & string>(
  method: Method,
  path: Path,
  ...options: Given<CallOptions<Path, Methods[Method][Path]>>
) => Promise<Response>;

type Listen<Methods> = <Method extends keyof Methods & string, Path extends keyof Methods[Method] & string>(
  method: Method,
  path: Path,
  ...options: Given<CallOptions<Path, Methods[Method][Path], Resuming>>
) => AsyncIterable<StreamEvent<Methods[Method][Path]>>;

/** The handlers of a method by path, without streams. */
type Calls<H extends AnyHandler, Method> = {
  readonly [One in H as CallPath<One, Method>]: TypesOf<One>;
};
type Streams<H extends AnyHandler, Method> = {
  readonly [One in H as StreamPath<One, Method>]: TypesOf<One>;
};

// Only names are compared: testing what a handler extends makes the compiler evaluate its schemas, for every handler.
type CallPath<One extends AnyHandler, Method> = One["method"] extends Method
  ? "events" extends keyof TypesOf<One>
    ? never
    : One["path"]
  : never;
type StreamPath<One extends AnyHandler, Method> = One["method"] extends Method
  ? "events" extends keyof TypesOf<One>
    ? One["path"]
    : never
  : never;

type TypesOf<One extends AnyHandler> = NonNullable<One["~types"]>;

/** An options object that may be omitted if none of its members is required. */
type Given<Options> = Record<never, never> extends Options ? [options?: Options] : [options: Options];

/** The data of a call: those that its handler declares, in their wire form. */
export type CallOptions<Path extends string, Types, More = CallLimits> = Part<
  "path",
  PathInput<PathNames<Path>, Held<Types, "path">>
> &
  Part<"query", ShapeInput<Held<Types, "query">>> &
  HeaderPart<ShapeInput<Held<Types, "headers">>> &
  BodyPart<Held<Types, "body">> &
  More & { readonly signal?: AbortSignal | undefined } extends infer All
  ? { [Key in keyof All]: All[Key] }
  : never;

type Held<Types, Key extends string> = Key extends keyof Types ? Types[Key] : unknown;

/** A part without names is absent; a part without required names is optional. */
type Part<Name extends string, Values> = [keyof Values] extends [never]
  ? unknown
  : Record<never, never> extends Values
    ? { readonly [N in Name]?: Values }
    : { readonly [N in Name]: Values };

/** Additional headers are for proxies, traces and credentials. */
type HeaderPart<Values> = [keyof Values] extends [never]
  ? { readonly headers?: ExtraHeaders }
  : Record<never, never> extends Values
    ? { readonly headers?: Values & ExtraHeaders }
    : { readonly headers: Values & ExtraHeaders };

/** Headers that no handler declares. */
export interface ExtraHeaders {
  readonly [name: string]: TextValue | readonly TextValue[];
}

/** A value that is written as text in paths, queries and headers. */
export type TextValue = string | number | boolean | null | undefined;

/** A body may be omitted if its schema accepts `undefined` but not everything: `z.unknown()` requires a value. */
type BodyPart<B> = B extends SchemaLike
  ? undefined extends InputOf<B>
    ? unknown extends InputOf<B>
      ? { readonly body: WireInput<B> }
      : { readonly body?: WireInput<B> }
    : { readonly body: WireInput<B> }
  : B extends BodyKind<unknown, infer Sends>
    ? { readonly body: Sends }
    : B extends readonly (infer One)[]
      ? { readonly body: PlainBody<One, B[0]> | SentWhole }
      : unknown;

/** A value that says nothing of its media type is sent as JSON if that is one of the bodies, otherwise as the first. */
type PlainBody<One, First> = [Extract<One, SchemaLike>] extends [never]
  ? First extends BodyKind<unknown, infer Sends>
    ? Sends
    : never
  : WireInput<Extract<One, SchemaLike>>;

/** A body that says what it is. */
type SentWhole = URLSearchParams | FormData | Blob | Uint8Array | ReadableStream<Uint8Array>;

type PathInput<Names extends string, P> = P extends SchemaLike
  ? { readonly [Name in Names]: Name extends keyof InputOf<P> ? Wire<InputOf<P>[Name]> : string }
  : { readonly [Name in Names]: Name extends keyof P ? WireInput<P[Name]> : string };

/** Optional parameters, and lists that may be empty, may be omitted. */
type ShapeInput<S> = unknown extends S
  ? unknown
  : S extends undefined
    ? unknown
    : S extends SchemaLike
      ? Wire<InputOf<S>>
      : { readonly [Name in RequiredNames<S>]: WireInput<S[Name]> } & {
            readonly [Name in Exclude<keyof S, RequiredNames<S>>]?: WireInput<S[Name]> | undefined;
          } extends infer All
        ? { [Name in keyof All]: All[Name] }
        : never;

type RequiredNames<S> = {
  [Name in keyof S]: undefined extends InputOf<S[Name]>
    ? never
    : InputOf<S[Name]> extends ReadonlySet<unknown>
      ? never
      : InputOf<S[Name]> extends readonly unknown[]
        ? readonly [] extends Readonly<InputOf<S[Name]>>
          ? never
          : Name
        : Name;
}[keyof S];

/** The result of a call: the output, or one of the declared errors. All other errors are thrown. */
export type CallResult<Types> = Successes<Held<Types, "output">> | Failure<ErrorsOf<Held<Types, "errors">>>;

/** An answer with an output; its status is known by type if its handler declares `outputs`. */
export interface Success<Data, Status = number> {
  readonly ok: true;
  readonly status: Status;
  /**
   * The output in its wire form. For a handler without an output that writes its own answer: text or bytes
   * (`Uint8Array`) by its `Content-Type`. A page of HTML is never data.
   */
  readonly data: Data;
  readonly headers: Headers;
}

// A status without a body takes the place of a schema.
type Successes<O> = O extends SchemaLike
  ? Success<WireOutput<O>>
  : O extends 204 | 205 | 304
    ? Success<undefined>
    : O extends AnswerKind<unknown, infer Got>
      ? Success<Got>
      : O extends Outputs
        ? { readonly [Status in keyof O]: Success<OutputData<O[Status]>, Status> }[keyof O]
        : Success<unknown>;

type OutputData<O> = O extends SchemaLike
  ? WireOutput<O>
  : O extends AnswerKind<unknown, infer Got>
    ? Got
    : undefined;

type ErrorsOf<E> = E extends readonly (infer One)[] ? One : never;

type Failure<E> = E extends {
  readonly code: infer Code;
  readonly status: infer Status;
  readonly details?: infer Details;
}
  ? Refusal<Code, Status, Wire<Exclude<Details, undefined>>>
  : never;

/** An answer with a declared error. */
export interface Refusal<Code, Status, Details> {
  readonly ok: false;
  readonly status: Status;
  readonly error: Refused<Code, Status, Details>;
  readonly headers: Headers;
}

/** Details are present if at least one of their members is required. */
type Refused<Code, Status, Details> = [Details] extends [never]
  ? WithoutDetails<Code, Status, Details>
  : Record<never, never> extends Details
    ? WithoutDetails<Code, Status, Details>
    : {
        readonly code: Code;
        readonly status: Status;
        readonly message: string;
        readonly details: Details;
      };

interface WithoutDetails<Code, Status, Details> {
  readonly code: Code;
  readonly status: Status;
  readonly message: string;
  readonly details?: Details;
}

/** The events of a stream, as a union by name. */
export type StreamEvent<Types> = Types extends { readonly events: infer Events }
  ? {
      [Name in keyof Events & string]: {
        readonly event: Name;
        readonly data: WireOutput<Events[Name]>;
        readonly id?: string;
      };
    }[keyof Events & string]
  : never;

/** Where a stream resumes, and whether it reconnects. */
export interface Resuming {
  /** The id of the last event that was received. */
  readonly lastEventId?: string | undefined;
  /** Connects again, with the last id, after a lost connection or the end of the stream, until the caller stops it. */
  readonly reconnect?: boolean | undefined;
}
