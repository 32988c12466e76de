/**
 * The argument and the result of a handler's function, derived from its options. Types only. The compiler resolves a
 * property when it is used: a handler that uses two of them costs two.
 */
import type { Request, RequestHandler, Response } from "express";
import type { AnyHttpError, HttpError } from "./errors.js";
import type { UsageLimit } from "./identity.js";
import type { PathNames } from "./path.js";
import type { Carried, GivenOr, OutputOf, SchemaLike, ValuesOf } from "./schema-types.js";

/** Names of scopes or roles: any one of a list, or lists joined by AND. */
export type Scopes = readonly string[] | readonly (readonly string[])[];

/** The declaration, kept in the type of the handler. */
export interface HandlerTypes<
  P = unknown,
  Q = unknown,
  H = unknown,
  C = unknown,
  B = unknown,
  O = unknown,
  E = unknown,
> {
  readonly path: P;
  readonly query: Q;
  readonly headers: H;
  readonly cookies: C;
  readonly body: B;
  readonly output: O;
  readonly errors: E;
}

/** The options that handlers and streams share. */
export interface RequestOptions<Path extends string, Id, P, Q, H, C, B, E, A, G> {
  readonly name?: string;
  readonly summary?: string;
  readonly description?: string;
  readonly tags?: readonly string[];
  readonly deprecated?: boolean;
  readonly path?: P & NamedBy<P, Path>;
  readonly query?: Q & Carried<Q>;
  readonly headers?: H & Carried<H>;
  readonly cookies?: C & Carried<C>;
  /** Without it the body is not read. */
  readonly body?: B;
  readonly errors?: E;
  readonly authentication?: A;
  /** Any one of a list; lists in a list are joined by AND. */
  readonly scopes?: Scopes & Guard<G>;
  readonly roles?: Scopes & Guard<G>;
  readonly usageLimits?: readonly UsageLimit<Id>[] & Guard<G>;
  /** In bytes; the default is that of the engine. */
  readonly maxBodySize?: number;
  readonly middleware?: readonly RequestHandler[];
}

/** The options of a handler; each is described in the documentation of `rowtype/http`. */
export interface Options<Path extends string, Id, P, Q, H, C, B, O, E, A, G>
  extends RequestOptions<Path, Id, P, Q, H, C, B, E, A, G> {
  /** The status of a success; default 200. With 204, 205 and 304 there is no output and no body. */
  readonly status?: SuccessStatus | (O & NoContent);
  readonly output?: O;
  readonly outputValidation?: boolean;
  readonly responseHeaders?: ResponseHeaders<O>;
  readonly etag?: boolean;
}

/** The statuses of a success that have a body. */
export type SuccessStatus =
  | (200 | 201 | 202 | 203 | 206 | 207 | 208 | 226)
  | (300 | 301 | 302 | 303 | 305 | 307 | 308);

/** The statuses of a success without a body; one of them takes the place of the output's schema. */
export type NoContent = 204 | 205 | 304;

/**
 * Any list that guards a handler gives this parameter a number. One parameter then shows whether any list exists; one
 * for each list would cost every handler more.
 */
interface Guard<G> {
  readonly length: G;
}

/** Headers of a success: fixed, or computed from the output. */
export type ResponseHeaders<O> =
  | Readonly<Record<string, string>>
  | ((output: O extends SchemaLike ? OutputOf<O> : unknown) => Readonly<Record<string, string>>);

/** Refuses, by an impossible type that says why, parameters that the path does not name. */
// The output type has the same names, and the type of the call needs it anyway.
type NamedBy<P, Path extends string> = P extends SchemaLike
  ? keyof OutputOf<P> extends PathNames<Path>
    ? Carried<P>
    : "the path does not name one of these parameters"
  : Carried<P> & {
      readonly [Name in Exclude<keyof P, PathNames<Path>>]: "the path does not name this parameter";
    };

/** The argument of a handler without options. */
export interface Call<Path extends string> {
  readonly params: {
    readonly path: { readonly [Name in PathNames<Path>]: string };
    readonly query: NoValues;
    readonly headers: NoValues;
    readonly cookies: NoValues;
  };
  /** Without a declared body, none is read. */
  readonly body: NoBody;
  /** The extractor does not run for a handler that does not require authentication. */
  readonly identity: null;
  readonly request: Request;
  readonly response: Response;
  /** Aborts when the client goes away or the engine shuts down. */
  readonly signal: AbortSignal;
}

/** The body of a handler without a declared body. */
export type NoBody = undefined;

type NoValues = Readonly<Record<never, never>>;

/** The argument of a handler. */
export interface TypedCall<
  in out Path extends string,
  in out Id,
  in out P,
  in out Q,
  in out H,
  in out C,
  in out B,
  in out A,
  in out G,
> {
  readonly params: {
    readonly path: PathValues<PathNames<Path>, P>;
    readonly query: Values<Q>;
    readonly headers: Values<H>;
    readonly cookies: Values<C>;
  };
  readonly body: GivenOr<B, NoBody>;
  /** Never null where authentication is required. */
  readonly identity: G extends number ? Id : Caller<A, Id>;
  readonly request: Request;
  readonly response: Response;
  /** Aborts when the client goes away or the engine shuts down. */
  readonly signal: AbortSignal;
}

type Caller<A, Id> = A extends true ? Id : A extends "optional" ? Id | null : null;

type Values<S> = S extends undefined ? NoValues : ValuesOf<S>;

type PathValues<Names extends string, P> = P extends SchemaLike
  ? { readonly [Name in Names]: Name extends keyof OutputOf<P> ? OutputOf<P>[Name] : string }
  : { readonly [Name in Names]: Name extends keyof P ? OutputOf<P[Name]> : string };

/**
 * The same type, resolved late. The compiler uses inferred type arguments as the context of a function only if the
 * parameter's type is still generic. Without this, `"a"` in an output would be a `string` and `["a", 1]` would not be a
 * tuple.
 */
export type Late<T, Fn> = T extends unknown ? Fn : never;

/**
 * The result of a handler's function, synchronous or not: the output, or a declared error. Output types that would
 * accept an error as data exclude errors.
 */
export type Result<O, E extends readonly AnyHttpError[]> = O extends SchemaLike
  ? Later<NoError<OutputOf<O>> | E[number]>
  : O extends NoContent
    ? // biome-ignore lint/suspicious/noConfusingVoidType: a function without a `return` returns nothing.
      Later<void | undefined | E[number]>
    : unknown;

type Later<T> = T | Promise<T>;

// Most output types do not accept an error as data; one comparison shows it.
type NoError<Out> = HttpError<never, never, never> extends Out ? Marked<Out> : Out;

type Marked<Out> = Out extends readonly unknown[]
  ? Out
  : Out extends object
    ? Out & { readonly withCause?: never }
    : Out;
