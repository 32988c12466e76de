/**
 * What a handler's function is given and may give back, derived from its options. Types only. Properties are
 * worked out when they are looked at, so that a handler which uses two of them pays for two.
 */
import type { Request, RequestHandler, Response } from "express";
import type { AnyHttpError } from "./errors.js";
import type { UsageLimit } from "./identity.js";
import type { PathNames } from "./path.js";
import type { Carried, OutputOf, SchemaLike, ShapeLike, ValuesOf } from "./schema-types.js";

/** Names of scopes or roles: any one of a list, or lists joined by AND. */
export type Scopes = readonly string[] | readonly (readonly string[])[];

/** What was declared, kept in the type of the handler. */
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
export interface RequestOptions<Names extends string, Id, P, Q, H, C, B, E, A, S, R, U> {
  readonly name?: string;
  readonly summary?: string;
  readonly description?: string;
  readonly tags?: readonly string[];
  readonly deprecated?: boolean;
  readonly path?: P & OnlyNamed<P, Names> & Carried<P>;
  readonly query?: Q & Carried<Q>;
  readonly headers?: H & Carried<H>;
  readonly cookies?: C & Carried<C>;
  /** None: the body is not read. */
  readonly body?: B;
  readonly errors?: E;
  readonly authentication?: A;
  /** Any one of a list; lists in a list are joined by AND. */
  readonly scopes?: S;
  readonly roles?: R;
  readonly usageLimits?: U & readonly UsageLimit<Id>[];
  /** In bytes; default that of the engine. */
  readonly maxBodySize?: number;
  readonly middleware?: readonly RequestHandler[];
}

/** The options of a handler; each is described in the documentation of `rowtype/http`. */
export interface Options<Names extends string, Id, P, Q, H, C, B, O, E, A, S, R, U>
  extends RequestOptions<Names, Id, P, Q, H, C, B, E, A, S, R, U> {
  /** Of a success; default 200. With 204 there is no output and no body. */
  readonly status?: number;
  readonly output?: O;
  readonly outputValidation?: boolean;
  readonly responseHeaders?: ResponseHeaders<O>;
  readonly etag?: boolean;
}

/** Headers of a success: fixed, or worked out from the output. */
export type ResponseHeaders<O> =
  | Readonly<Record<string, string>>
  | ((output: O extends SchemaLike ? OutputOf<O> : unknown) => Readonly<Record<string, string>>);

/** Refuses, by an impossible type that says why, parameters that the path does not name. */
type OnlyNamed<P, Names extends string> = P extends SchemaLike
  ? unknown
  : { readonly [Name in Exclude<keyof P, Names>]: "the path does not name this parameter" };

/** What a handler without options is called with. */
export interface Call<Path extends string> {
  readonly params: {
    readonly path: { readonly [Name in PathNames<Path>]: string };
    readonly query: NoValues;
    readonly headers: NoValues;
    readonly cookies: NoValues;
  };
  /** No body was declared, none is read. */
  readonly body: NoBody;
  /** The extractor does not run for a handler that asks for no authentication. */
  readonly identity: null;
  readonly request: Request;
  readonly response: Response;
  /** Aborts when the client goes away or the engine shuts down. */
  readonly signal: AbortSignal;
}

/** The body of a handler that declares none. */
export type NoBody = undefined;

type NoValues = Readonly<Record<never, never>>;

/** What a handler is called with. */
export interface TypedCall<Path extends string, Id, P, Q, H, C, B, A, S, R, U> {
  readonly params: {
    readonly path: PathValues<PathNames<Path>, P>;
    readonly query: Values<Q>;
    readonly headers: Values<H>;
    readonly cookies: Values<C>;
  };
  readonly body: B extends SchemaLike ? OutputOf<B> : NoBody;
  /** Never null where authentication is required. */
  readonly identity: [S, R, U] extends [undefined, undefined, undefined] ? Caller<A, Id> : Id;
  readonly request: Request;
  readonly response: Response;
  /** Aborts when the client goes away or the engine shuts down. */
  readonly signal: AbortSignal;
}

type Caller<A, Id> = A extends true ? Id : A extends "optional" ? Id | null : null;

type Values<S> = S extends ShapeLike ? ValuesOf<S> : NoValues;

type PathValues<Names extends string, P> = P extends SchemaLike
  ? OutputOf<P> & { readonly [Name in Exclude<Names, keyof OutputOf<P>>]: string }
  : { readonly [Name in Names]: Name extends keyof P ? OutputOf<P[Name]> : string };

/** A handler's function: gives the output, or a declared error. */
export type HandlerFunction<
  Path extends string,
  Id,
  P,
  Q,
  H,
  C,
  B,
  O,
  E extends readonly AnyHttpError[],
  A,
  S,
  R,
  U,
> = (call: TypedCall<Path, Id, P, Q, H, C, B, A, S, R, U>) => Result<O, E> | Promise<Result<O, E>>;

/**
 * The same type, worked out late. The compiler reads a function that it is given in the light of what it has
 * inferred so far only where the parameter's type is still open; without this, `"a"` in an output would be a
 * `string` and `["a", 1]` no tuple.
 */
export type Late<T, Fn> = T extends unknown ? Fn : never;

/** What a function may give: errors are kept out of object outputs that would take them for data. */
export type Result<O, E extends readonly AnyHttpError[]> = O extends SchemaLike
  ? NoError<OutputOf<O>> | E[number]
  : unknown;

type NoError<Out> = Out extends readonly unknown[]
  ? Out
  : Out extends object
    ? Out & { readonly withCause?: never }
    : Out;
