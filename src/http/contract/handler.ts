/**
 * A handler is a frozen value: a method, a path, the schemas of input and output, and a function. It has no effect
 * until an engine gets it. A declaration that cannot work is refused here, once.
 */
import { isValidatedBody } from "./bodies.js";
import { declare, type Handler, type Method } from "./declared.js";
import type { AnyHttpError } from "./errors.js";
import { type GroupMaker, groupMaker } from "./group.js";
import type {
  BodyLike,
  Call,
  HandlerTypes,
  HasBody,
  Late,
  Options,
  OutputLike,
  Result,
  TypedCall,
} from "./handler-types.js";
import type { Authentication, Identity } from "./identity.js";
import type { AnyOptions } from "./options.js";
import type { SchemaLike, ShapeLike } from "./schema-types.js";
import type {
  EventData,
  EventShape,
  EventsOf,
  OneOf,
  Stream,
  StreamAnswer,
  StreamOptions,
  StreamTypes,
} from "./stream-types.js";

export type { Handler, Method } from "./declared.js";

/** Makes handlers of one method. */
export interface Verb<
  M extends Method,
  Id extends Identity,
  // The outputs that the method has.
  Most extends OutputLike | undefined = OutputLike | undefined,
> {
  <const Path extends string>(
    path: Path,
    run: (call: Call<Path>) => unknown,
  ): Handler<M, Path, HandlerTypes, Id>;
  <
    const Path extends string,
    P extends ShapeLike | undefined = undefined,
    Q extends ShapeLike | undefined = undefined,
    H extends ShapeLike | undefined = undefined,
    C extends ShapeLike | undefined = undefined,
    B extends BodyLike | undefined = undefined,
    O extends Most = Most & undefined,
    const E extends readonly AnyHttpError[] = readonly [],
    A extends Authentication | undefined = undefined,
    G extends number | undefined = undefined,
  >(
    path: Path,
    options: Options<Path, Id, P, Q, H, C, B, O, E, A, G>,
    run: Late<Path, (call: TypedCall<Path, Id, P, Q, H, C, B, A, G>) => Result<O, E>>,
  ): Handler<M, Path, HandlerTypes<P, Q, H, C, B, O, E>, Id>;
}

/** Makes handlers of a method that asks by its body: there is no handler without one. */
export type AskingVerb<M extends Method, Id extends Identity> = <
  const Path extends string,
  P extends ShapeLike | undefined = undefined,
  Q extends ShapeLike | undefined = undefined,
  H extends ShapeLike | undefined = undefined,
  C extends ShapeLike | undefined = undefined,
  B extends BodyLike = BodyLike,
  O extends OutputLike | undefined = undefined,
  const E extends readonly AnyHttpError[] = readonly [],
  A extends Authentication | undefined = undefined,
  G extends number | undefined = undefined,
>(
  path: Path,
  options: Options<Path, Id, P, Q, H, C, B, O, E, A, G> & HasBody,
  run: Late<Path, (call: TypedCall<Path, Id, P, Q, H, C, B, A, G>) => Result<O, E>>,
) => Handler<M, Path, HandlerTypes<P, Q, H, C, B, O, E>, Id>;

/** Makes a handler of any method, with the name first. */
export type HandlerMaker<Id extends Identity> = <
  const M extends Method,
  const Path extends string,
  P extends ShapeLike | undefined = undefined,
  Q extends ShapeLike | undefined = undefined,
  H extends ShapeLike | undefined = undefined,
  C extends ShapeLike | undefined = undefined,
  B extends BodyLike | undefined = undefined,
  O extends OutputLike | undefined = undefined,
  const E extends readonly AnyHttpError[] = readonly [],
  A extends Authentication | undefined = undefined,
  G extends number | undefined = undefined,
>(
  name: string,
  method: M,
  path: Path,
  options: Options<Path, Id, P, Q, H, C, B, O, E, A, G>,
  run: Late<Path, (call: TypedCall<Path, Id, P, Q, H, C, B, A, G>) => Result<O, E>>,
) => Handler<M, Path, HandlerTypes<P, Q, H, C, B, O, E>, Id>;

/** Makes streams of server-sent events. */
export type StreamMaker<Id extends Identity> = <
  const M extends Method,
  const Path extends string,
  P extends ShapeLike | undefined = undefined,
  Q extends ShapeLike | undefined = undefined,
  H extends ShapeLike | undefined = undefined,
  C extends ShapeLike | undefined = undefined,
  B extends BodyLike | undefined = undefined,
  V extends SchemaLike | undefined = undefined,
  N extends EventShape | undefined = undefined,
  const E extends readonly AnyHttpError[] = readonly [],
  A extends Authentication | undefined = undefined,
  G extends number | undefined = undefined,
>(
  method: M,
  path: Path,
  options: StreamOptions<Path, Id, P, Q, H, C, B, V, N, E, A, G> & OneOf<V, N>,
  run: Late<
    E,
    (call: TypedCall<Path, Id, P, Q, H, C, B, A, G>, stream: Stream<EventData<V, N>>) => StreamAnswer<E>
  >,
) => Handler<M, Path, StreamTypes<P, Q, H, C, B, EventsOf<V, N>, E>, Id>;

/** The makers of handlers whose identity is the application's own type. */
export interface HandlerMakers<Id extends Identity> {
  readonly GET: Verb<"GET", Id>;
  readonly POST: Verb<"POST", Id>;
  readonly PUT: Verb<"PUT", Id>;
  readonly PATCH: Verb<"PATCH", Id>;
  readonly DELETE: Verb<"DELETE", Id>;
  readonly QUERY: AskingVerb<"QUERY", Id>;
  readonly HEAD: Verb<"HEAD", Id, undefined>;
  readonly OPTIONS: Verb<"OPTIONS", Id>;
  readonly handler: HandlerMaker<Id>;
  readonly stream: StreamMaker<Id>;
  readonly group: GroupMaker<Id>;
}

/**
 * The verbs for an identity of the application's own type; they can be registered only on a `createEngine<Id>()`.
 * @example
 * import { handlers, type Identity } from "rowtype/http";
 * interface Member extends Identity { readonly plan: "free" | "paid" }
 * const { GET } = handlers<Member>();
 * const plan = GET("/plan", { authentication: true }, ({ identity }) => identity.plan);
 */
export function handlers<Id extends Identity>(): HandlerMakers<Id> {
  return {
    GET: verb("GET"),
    POST: verb("POST"),
    PUT: verb("PUT"),
    PATCH: verb("PATCH"),
    DELETE: verb("DELETE"),
    QUERY: verb("QUERY"),
    HEAD: verb<"HEAD", Id, undefined>("HEAD"),
    OPTIONS: verb("OPTIONS"),
    handler: (name, method, path, options, run) =>
      declare({ kind: "handler", name, method, path, options, run }),
    stream: (method, path, options, run) =>
      declare({ kind: "stream", name: undefined, method, path, options, run }),
    group: groupMaker<Id>(),
  };
}

const makers: HandlerMakers<Identity> = handlers();

/** A handler of GET: `GET(path, run)` or `GET(path, options, run)`. It also answers HEAD. */
export const GET: Verb<"GET", Identity> = makers.GET;
/** A handler of POST: `POST(path, run)` or `POST(path, options, run)`. Its status is 200 unless `status` is set. */
export const POST: Verb<"POST", Identity> = makers.POST;
/** A handler of PUT: `PUT(path, run)` or `PUT(path, options, run)`. Its status is 200 unless `status` is set. */
export const PUT: Verb<"PUT", Identity> = makers.PUT;
/** A handler of PATCH: `PATCH(path, run)` or `PATCH(path, options, run)`. A table's `updateSchema` is a body for it. */
export const PATCH: Verb<"PATCH", Identity> = makers.PATCH;
/** A handler of DELETE: `DELETE(path, run)` or `DELETE(path, options, run)`. With `status: 204` it returns nothing. */
export const DELETE: Verb<"DELETE", Identity> = makers.DELETE;
/**
 * A handler of QUERY (RFC 10008): `QUERY(path, options, run)`. It reads, as GET does, and asks by its body, which it
 * declares; `etag` answers 304. Every answer of its path names the media types of the body in `Accept-Query`.
 */
export const QUERY: AskingVerb<"QUERY", Identity> = makers.QUERY;
/** A handler of HEAD: `HEAD(path, run)` or `HEAD(path, options, run)`, in place of GET's. It has no output. */
export const HEAD: Verb<"HEAD", Identity, undefined> = makers.HEAD;
/** A handler of OPTIONS: `OPTIONS(path, run)` or `OPTIONS(path, options, run)`, in place of the engine's answer. */
export const OPTIONS: Verb<"OPTIONS", Identity> = makers.OPTIONS;

/** A handler with its own name, for events and as the document's `operationId`. */
export const handler: HandlerMaker<Identity> = makers.handler;

/**
 * A handler that answers with server-sent events, until its function ends, its client leaves or the engine shuts
 * down.
 * @example
 * import { stream } from "rowtype/http";
 * import { z } from "zod";
 * const clock = stream("GET", "/clock", { event: z.date() }, async (_call, { send, signal }) => {
 *   while (await send(new Date())) await setTimeout(1_000, undefined, { signal });
 * });
 */
export const stream: StreamMaker<Identity> = makers.stream;

function verb<
  M extends Method,
  Id extends Identity,
  Most extends OutputLike | undefined = OutputLike | undefined,
>(method: M): Verb<M, Id, Most> {
  const make = (path: string, second: unknown, third?: unknown) =>
    third === undefined
      ? declare({ kind: "handler", name: undefined, method, path, options: {}, run: second })
      : declare({ kind: "handler", name: undefined, method, path, options: second, run: third });
  // The overloads type the two forms. At run time both are this function.
  return make as Verb<M, Id, Most>;
}

/** Whether a request may be refused because its parameters or its body do not fit their schemas. */
export function isValidated({ path, query, headers, cookies, body }: AnyOptions): boolean {
  const hasFields = [path, query, headers, cookies].some(({ fields }) => Object.keys(fields).length > 0);
  return hasFields || query.strict === true || isValidatedBody(body);
}
