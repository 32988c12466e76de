/**
 * The argument and the result of a handler's function, derived from its options. Types only. The compiler resolves a
 * property when it is used: a handler that uses two of them costs two.
 */
import type { Request, RequestHandler, Response } from "express";
import type { AnyHttpError, HttpError } from "./errors.js";
import type { UsageLimit } from "./identity.js";
import type { AnswerKind, BodyKind } from "./kind.js";
import type { PathNames } from "./path.js";
import type { Reply } from "./reply.js";
import type {
  Carried,
  CarriedByQuery,
  GivenOr,
  OutputOf,
  SchemaLike,
  ValuesOf,
  Zod3,
  Zod4,
} from "./schema-types.js";

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
  /** Served as any other, and not in the document. */
  readonly hidden?: boolean;
  readonly path?: P & NamedBy<P, Path>;
  readonly query?: Q & CarriedByQuery<Q>;
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
  /** The outputs by status, where there are several; `null` is an answer without a body. */
  readonly outputs?: O & ByStatus<O>;
  readonly outputValidation?: boolean;
  readonly responseHeaders?: ResponseHeaders<O>;
  /** A weak tag of the text, or a strong one that the function gives of the output: a version. */
  readonly etag?: boolean | ((output: GivenOr<O, unknown>) => string);
  /** For PUT, PATCH and DELETE: the function calls `ifMatch` of its call. `"required"` asks for the header. */
  readonly ifMatch?: boolean | "required";
}

/** The statuses of a success that have a body. */
export type SuccessStatus =
  | (200 | 201 | 202 | 203 | 206 | 207 | 208 | 226)
  | (300 | 301 | 302 | 303 | 305 | 307 | 308);

/** The statuses of a success without a body; one of them takes the place of the output's schema. */
export type NoContent = 204 | 205 | 304;

/** What an output or a status declares: a schema or a kind, a status without a body, or outputs by status. */
export type OutputLike = SchemaLike | AnswerKind | NoContent | Outputs;

/** Outputs by status, at least one: the compiler sees it in each of these. */
export type Outputs = {
  [Status in SuccessStatus | NoContent]: {
    readonly [Name in Status]: SchemaLike | AnswerKind | null;
  };
}[SuccessStatus | NoContent];

/** Refuses, by an impossible type that says why, statuses that no success has, and bodies where HTTP has none. */
// Together with a status the compiler infers no output, and takes every possible one.
type ByStatus<O> = undefined extends O
  ? { readonly "outputs name at least one status; leave out the option status": never }
  : {
      readonly [Status in keyof O]: Status extends NoContent
        ? null
        : Status extends SuccessStatus
          ? // Asked of the output that was given: as the type that is expected, it would be inferred from for each schema.
            O[Status] extends SchemaLike | AnswerKind | null
            ? unknown
            : SchemaLike | AnswerKind | null
          : "a success has a status from 200 to 399 that HTTP knows";
    };

/**
 * Any list that guards a handler gives this parameter a number. One parameter then shows whether any list exists; one
 * for each list would cost every handler more.
 */
interface Guard<G> {
  readonly length: G;
}

/** Headers of a success: fixed, given by `reply` as their schemas say, or computed from the output. */
export type ResponseHeaders<O> =
  | Readonly<Record<string, string | SchemaLike>>
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

/** What a body declares: a schema or a kind, or several for several media types. */
export type BodyLike = BodyForm | readonly [BodyForm, ...BodyForm[]];

type BodyForm = SchemaLike | BodyKind;

/** What a function takes of a body: one of its forms. */
export type BodyOf<B> = B extends Zod4
  ? B["_zod"]["output"]
  : B extends Zod3
    ? B["_output"]
    : B extends BodyKind<infer Takes>
      ? Takes
      : B extends readonly (infer One)[]
        ? BodyOf<One>
        : NoBody;

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
  readonly body: BodyOf<B>;
  /** Never null where authentication is required. */
  readonly identity: G extends number ? Id : Caller<A, Id>;
  readonly request: Request;
  readonly response: Response;
  /** With the option `ifMatch`: refuses the request unless its `If-Match` names this tag; `null`: there is nothing. */
  readonly ifMatch: (tag: string | null) => void;
  /** Aborts when the client goes away or the engine shuts down. */
  readonly signal: AbortSignal;
}

/** Who is calling, by `authentication`. */
export type Caller<A, Id> = A extends true | readonly string[] ? Id : A extends "optional" ? Id | null : null;

/** The values of a place. */
export type Values<S> = S extends undefined ? NoValues : ValuesOf<S>;

/** The values of a path; undeclared ones are text. */
export type PathValues<Names extends string, P> = P extends SchemaLike
  ? { readonly [Name in Names]: Name extends keyof OutputOf<P> ? OutputOf<P>[Name] : string }
  : { readonly [Name in Names]: Name extends keyof P ? OutputOf<P[Name]> : string };

/** The options of a method that asks by its body. */
export interface HasBody {
  readonly body: unknown;
}

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
export type Result<O, E extends readonly AnyHttpError[]> = O extends Zod4
  ? Later<NoError<O["_zod"]["output"]> | Reply<number, O["_zod"]["output"]> | E[number]>
  : O extends Zod3
    ? Later<NoError<O["_output"]> | Reply<number, O["_output"]> | E[number]>
    : O extends NoContent
      ? // Not `Reply<O>`: the compiler would infer `O` from what the function returns.
        // biome-ignore lint/suspicious/noConfusingVoidType: a function without a `return` returns nothing.
        Later<void | undefined | Reply<NoContent, undefined> | E[number]>
      : O extends AnswerKind<infer Gives>
        ? Later<Gives | Reply<number, Gives> | E[number]>
        : O extends Outputs
          ? Later<Replies<O> | E[number]>
          : unknown;

/** The replies of declared outputs, each with the value of its status. */
type Replies<O> = {
  [Status in keyof O]: Reply<Status, GivenBy<O[Status]>>;
}[keyof O];

/** What a function gives for an output; nothing for `null`. */
type GivenBy<S> = S extends SchemaLike ? OutputOf<S> : S extends AnswerKind<infer Gives> ? Gives : undefined;

type Later<T> = T | Promise<T>;

// Most output types do not accept an error as data; one comparison shows it.
type NoError<Out> = HttpError<never, never, never> extends Out ? Marked<Out> : Out;

type Marked<Out> = Out extends readonly unknown[]
  ? Out
  : Out extends object
    ? Out & { readonly withCause?: never }
    : Out;
