/** The types in groups: what a group shares with its handlers, and what makes these. Types only. */
import type { Request, RequestHandler, Response } from "express";
import type { Handler, Method } from "./declared.js";
import type { AnyHttpError } from "./errors.js";
import type {
  BodyLike,
  BodyOf,
  Caller,
  HandlerTypes,
  HasBody,
  Late,
  Options,
  OutputLike,
  PathValues,
  Result,
  Scopes,
  Values,
} from "./handler-types.js";
import type { Authentication, UsageLimit } from "./identity.js";
import type { PathNames } from "./path.js";
import type { SchemaLike, ShapeLike } from "./schema-types.js";
import type {
  EventData,
  EventShape,
  EventsOf,
  OneOf,
  Stream,
  StreamAnswer,
  StreamOptions,
} from "./stream-types.js";

/** What a group declares, in one type. */
export interface GroupTypes {
  readonly path: ShapeLike | undefined;
  readonly query: ShapeLike | undefined;
  readonly headers: ShapeLike | undefined;
  readonly cookies: ShapeLike | undefined;
  readonly errors: readonly AnyHttpError[];
  readonly authentication: Authentication | undefined;
  /** A number if scopes, roles or usage limits guard it. */
  readonly guard: number | undefined;
  readonly context: object;
}

/** The options of a group; each is that of a handler, for all handlers of the group. */
export interface GroupOptions<Path extends string, Id, P, Q, H, C, E, A, G> {
  readonly path?: Options<Path, Id, P, Q, H, C, undefined, undefined, E, A, G>["path"];
  readonly query?: Options<Path, Id, P, Q, H, C, undefined, undefined, E, A, G>["query"];
  readonly headers?: Options<Path, Id, P, Q, H, C, undefined, undefined, E, A, G>["headers"];
  readonly cookies?: Options<Path, Id, P, Q, H, C, undefined, undefined, E, A, G>["cookies"];
  readonly tags?: readonly string[];
  /** Those of all its handlers, and of its `use`. */
  readonly errors?: E;
  readonly authentication?: A;
  /** They are asked for in addition to those of a handler. */
  readonly scopes?: Scopes & { readonly length: G };
  readonly roles?: Scopes & { readonly length: G };
  readonly usageLimits?: readonly UsageLimit<Id>[] & { readonly length: G };
  /** Before that of a handler. */
  readonly middleware?: readonly RequestHandler[];
  readonly maxBodySize?: number;
  /** Leaves all its handlers out of the document. */
  readonly hidden?: boolean;
  readonly responseHeaders?: Readonly<Record<string, string | SchemaLike>>;
}

/** Parameters of a group and of what is in it. */
export type JoinedShape<Outer, Inner> = Outer extends undefined
  ? Inner
  : Inner extends undefined
    ? Outer
    : { readonly [Name in keyof Outer | keyof Inner]: Member<Outer, Inner, Name> };

type Member<Outer, Inner, Name> = Name extends keyof Inner
  ? Inner[Name]
  : Name extends keyof Outer
    ? Outer[Name]
    : never;

export type Stricter<Outer, Inner> = Outer extends true | readonly string[]
  ? Outer
  : Inner extends undefined | false
    ? Outer
    : Inner;

export type Guarded<Outer, Inner> = Outer extends number ? Outer : Inner;

/** Refuses, by an impossible type that says why, what the group has already declared or guarded. */
export type NotAgain<T extends GroupTypes, A> = Taken<"path", T["path"]> &
  Taken<"query", T["query"]> &
  Taken<"headers", T["headers"]> &
  Taken<"cookies", T["cookies"]> &
  NotOpened<T, A>;

// It asks for nothing that the handler declares, and a place where the group declares nothing has no member: the compiler
// looks at each member again for every handler. The empty type lets parameters pass that share no name with these.
type Taken<Place extends string, Outer> = Outer extends undefined
  ? unknown
  : {
      readonly [At in Place]?: {
        readonly [Name in keyof Outer]?: "the group declares this parameter";
      } & Readonly<Record<never, never>>;
    };

interface NotOpened<T extends GroupTypes, A> {
  readonly authentication?: A extends false
    ? T["authentication"] extends true | readonly string[]
      ? "the group asks who is calling: its handlers cannot open it"
      : T["guard"] extends number
        ? "the group asks who is calling: its handlers cannot open it"
        : false
    : A;
}

/** The call of a handler of a group. Each member is resolved where it is used. */
export interface GroupedCall<
  in out Path extends string,
  in out Id,
  in out T extends GroupTypes,
  in out P,
  in out Q,
  in out H,
  in out C,
  in out B,
  in out A,
  in out G,
> {
  readonly params: {
    readonly path: PathValues<PathNames<Path>, JoinedShape<T["path"], P>>;
    readonly query: Values<JoinedShape<T["query"], Q>>;
    readonly headers: Values<JoinedShape<T["headers"], H>>;
    readonly cookies: Values<JoinedShape<T["cookies"], C>>;
  };
  readonly body: BodyOf<B>;
  /** Never null where authentication is required. */
  readonly identity: Guarded<T["guard"], G> extends number
    ? Id
    : Caller<Stricter<T["authentication"], A>, Id>;
  /** What the functions of `use` gave. */
  readonly context: T["context"];
  readonly request: Request;
  readonly response: Response;
  /** With the option `ifMatch`: refuses the request unless its `If-Match` names this tag; `null`: there is nothing. */
  readonly ifMatch: (tag: string | null) => void;
  /** Aborts when the client goes away or the engine shuts down. */
  readonly signal: AbortSignal;
}

/** The declaration of a handler of a group, kept in its type. */
export interface GroupedTypes<T extends GroupTypes, P, Q, H, C, B, O, E extends readonly AnyHttpError[]> {
  readonly path: JoinedShape<T["path"], P>;
  readonly query: JoinedShape<T["query"], Q>;
  readonly headers: JoinedShape<T["headers"], H>;
  readonly cookies: JoinedShape<T["cookies"], C>;
  readonly body: B;
  readonly output: O;
  readonly errors: readonly [...T["errors"], ...E];
}

/** The declaration of a stream of a group, kept in its type. */
export interface GroupedStreamTypes<
  T extends GroupTypes,
  P,
  Q,
  H,
  C,
  B,
  Events,
  E extends readonly AnyHttpError[],
> {
  readonly path: JoinedShape<T["path"], P>;
  readonly query: JoinedShape<T["query"], Q>;
  readonly headers: JoinedShape<T["headers"], H>;
  readonly cookies: JoinedShape<T["cookies"], C>;
  readonly body: B;
  readonly events: Events;
  readonly errors: readonly [...T["errors"], ...E];
}

/** A handler of a group without options of its own. */
type Bare<Path extends string, Id, T extends GroupTypes> = GroupedCall<
  Path,
  Id,
  T,
  undefined,
  undefined,
  undefined,
  undefined,
  undefined,
  undefined,
  undefined
>;

/** What a function of `use` gets: the call of its group, before the body is read. */
export interface UseCall<Path extends string, Id, T extends GroupTypes> {
  readonly params: Bare<Path, Id, T>["params"];
  readonly identity: Bare<Path, Id, T>["identity"];
  /** What the earlier functions gave. */
  readonly context: T["context"];
  readonly request: Request;
  /** Aborts when the client goes away or the engine shuts down. */
  readonly signal: AbortSignal;
}

/** Makes handlers of one method, in a group. */
export interface GroupVerb<
  M extends Method,
  Prefix extends string,
  Id,
  T extends GroupTypes,
  // The outputs that the method has.
  Most extends OutputLike | undefined = OutputLike | undefined,
> {
  <const Path extends string>(
    path: Path,
    run: (call: Bare<`${Prefix}${Path}`, Id, T>) => unknown,
  ): Handler<
    M,
    `${Prefix}${Path}`,
    HandlerTypes<T["path"], T["query"], T["headers"], T["cookies"], unknown, unknown, T["errors"]>,
    Id
  >;
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
    options: Options<`${Prefix}${Path}`, Id, P, Q, H, C, B, O, E, A, G> & NotAgain<T, A>,
    run: Late<
      Path,
      (
        call: GroupedCall<`${Prefix}${Path}`, Id, T, P, Q, H, C, B, A, G>,
      ) => Result<O, readonly [...T["errors"], ...E]>
    >,
  ): Handler<M, `${Prefix}${Path}`, GroupedTypes<T, P, Q, H, C, B, O, E>, Id>;
}

/** Makes handlers of a method that asks by its body, in a group. */
export type GroupAskingVerb<M extends Method, Prefix extends string, Id, T extends GroupTypes> = <
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
  options: Options<`${Prefix}${Path}`, Id, P, Q, H, C, B, O, E, A, G> & NotAgain<T, A> & HasBody,
  run: Late<
    Path,
    (
      call: GroupedCall<`${Prefix}${Path}`, Id, T, P, Q, H, C, B, A, G>,
    ) => Result<O, readonly [...T["errors"], ...E]>
  >,
) => Handler<M, `${Prefix}${Path}`, GroupedTypes<T, P, Q, H, C, B, O, E>, Id>;

/** Makes a handler of any method, with the name first, in a group. */
export type GroupHandlerMaker<Prefix extends string, Id, T extends GroupTypes> = <
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
  options: Options<`${Prefix}${Path}`, Id, P, Q, H, C, B, O, E, A, G> & NotAgain<T, A>,
  run: Late<
    Path,
    (
      call: GroupedCall<`${Prefix}${Path}`, Id, T, P, Q, H, C, B, A, G>,
    ) => Result<O, readonly [...T["errors"], ...E]>
  >,
) => Handler<M, `${Prefix}${Path}`, GroupedTypes<T, P, Q, H, C, B, O, E>, Id>;

/** Makes streams of server-sent events, in a group. */
export type GroupStreamMaker<Prefix extends string, Id, T extends GroupTypes> = <
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
  options: StreamOptions<`${Prefix}${Path}`, Id, P, Q, H, C, B, V, N, E, A, G> & OneOf<V, N> & NotAgain<T, A>,
  run: Late<
    E,
    (
      call: GroupedCall<`${Prefix}${Path}`, Id, T, P, Q, H, C, B, A, G>,
      stream: Stream<EventData<V, N>>,
    ) => StreamAnswer<readonly [...T["errors"], ...E]>
  >,
) => Handler<M, `${Prefix}${Path}`, GroupedStreamTypes<T, P, Q, H, C, B, EventsOf<V, N>, E>, Id>;
