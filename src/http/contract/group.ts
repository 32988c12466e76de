/**
 * Groups: handlers that share a prefix, options and a context. A group joins its options with those of each handler and
 * makes an ordinary handler of the whole path.
 */
import { DeclarationError, quoted } from "../../core/errors.js";
import { readGiven } from "./declaration.js";
import { declare } from "./declared.js";
import type { AnyHttpError } from "./errors.js";
import { type GivenGroup, joinedOptions, readGroup } from "./group-options.js";
import type {
  GroupAskingVerb,
  GroupHandlerMaker,
  GroupOptions,
  GroupStreamMaker,
  GroupTypes,
  GroupVerb,
  Guarded,
  JoinedShape,
  NotAgain,
  Stricter,
  UseCall,
} from "./group-types.js";
import type { Authentication, Identity } from "./identity.js";
import type { UseFunction } from "./options.js";
import type { ShapeLike } from "./schema-types.js";

/** A group before its types. */
interface Declared {
  readonly prefix: string;
  readonly options: GivenGroup;
  readonly uses: readonly UseFunction[];
}

/**
 * A group of handlers: their paths begin with the prefix, and its options count for all of them. Parameters, tags,
 * errors, middleware and usage limits are joined, scopes and roles by AND; a handler's `maxBodySize` and headers take
 * precedence.
 * @param prefix `""`, or a path that does not end with a slash.
 * @throws DeclarationError for another prefix, and for options that no handler has
 * @example
 * import { group, NotFound } from "rowtype/http";
 * const tenant = group("/tenants/{tenantId}", { path: { tenantId: z.int() }, errors: [NotFound] })
 *   .use(({ params }) => tenants.get(params.path.tenantId) ?? NotFound);
 * const name = tenant.GET("/name", { output: z.string() }, ({ context }) => context.name);
 */
export const group: GroupMaker<Identity> = groupMaker<Identity>();

/** Makes groups for an identity. */
export function groupMaker<Id>(): GroupMaker<Id> {
  return ((prefix: string, options: unknown = {}) =>
    made(declared({ prefix: "", options: {}, uses: [] }, prefix, options))) as GroupMaker<Id>;
}

/** A group inside another. @throws DeclarationError */
function declared(outer: Declared, prefix: string, options: unknown): Declared {
  const isPrefix = prefix === "" || (typeof prefix === "string" && /^\/.*[^/]$/s.test(prefix));
  if (!isPrefix) {
    throw new DeclarationError(
      `the prefix of a group is "" or begins with "/" and does not end with one, not ${quoted(prefix)}`,
    );
  }
  const whole = `${outer.prefix}${prefix}`;
  const own = readGroup(whole, options);
  return { prefix: whole, options: joinedOptions(`group ${whole}`, outer.options, own), uses: outer.uses };
}

function made({ prefix, options, uses }: Declared): unknown {
  const one =
    (kind: "handler" | "stream", name: string | undefined) =>
    (method: string, path: string, own: unknown, run: unknown): unknown => {
      if (path !== "" && !(typeof path === "string" && path.startsWith("/")))
        throw new DeclarationError(`path ${quoted(path)} must start with "/"`);
      const whole = `${prefix}${path}`;
      const read = readGiven(kind, own, (problem) => {
        throw new DeclarationError(`${method} ${whole}: ${problem}`);
      });
      const joined = joinedOptions(`${method} ${whole}`, options, read);
      return declare({ kind, name, method, path: whole, options: joined, run, uses });
    };
  const verb = (method: string) => (path: string, second: unknown, third?: unknown) =>
    third === undefined
      ? one("handler", undefined)(method, path, {}, second)
      : one("handler", undefined)(method, path, second, third);
  return Object.freeze({
    prefix,
    GET: verb("GET"),
    POST: verb("POST"),
    PUT: verb("PUT"),
    PATCH: verb("PATCH"),
    DELETE: verb("DELETE"),
    QUERY: verb("QUERY"),
    HEAD: verb("HEAD"),
    OPTIONS: verb("OPTIONS"),
    handler: (name: string, method: string, path: string, own: unknown, run: unknown) =>
      one("handler", name)(method, path, own, run),
    stream: one("stream", undefined),
    group: (inner: string, own: unknown = {}) => made(declared({ prefix, options, uses }, inner, own)),
    use: (fn: unknown) => {
      if (typeof fn !== "function") throw new DeclarationError(`group ${prefix}: use takes a function`);
      return made({ prefix, options, uses: Object.freeze([...uses, fn as UseFunction]) });
    },
  });
}

/** Refuses, by an impossible type that says why, a literal prefix that is none. */
type CheckedPrefix<Prefix extends string> =
  IsPrefix<Prefix> extends true
    ? unknown
    : { readonly 'a prefix is "", or begins with "/" and does not end with one': never };

type IsPrefix<Prefix extends string> = Prefix extends `${string}/`
  ? false
  : Prefix extends "" | `/${string}`
    ? true
    : string extends Prefix
      ? true
      : false;

/** What a function of `use` gives: an object for the context, nothing, or an error of the group. */
// Without the mark an error that is not declared would be an object for the context.
type Used<More, T extends GroupTypes> =
  | (More & { readonly withCause?: never })
  | T["errors"][number]
  | undefined;

/** The context with what a function of `use` gave. */
type WithContext<T extends GroupTypes, More> = {
  readonly [Key in keyof T]: Key extends "context" ? T["context"] & Exclude<More, AnyHttpError> : T[Key];
};

/** Handlers that share a prefix, options and a context. It is frozen; `group` and `use` give a new one. */
export interface RouteGroup<Prefix extends string, Id, T extends GroupTypes> {
  readonly prefix: Prefix;
  readonly GET: GroupVerb<"GET", Prefix, Id, T>;
  readonly POST: GroupVerb<"POST", Prefix, Id, T>;
  readonly PUT: GroupVerb<"PUT", Prefix, Id, T>;
  readonly PATCH: GroupVerb<"PATCH", Prefix, Id, T>;
  readonly DELETE: GroupVerb<"DELETE", Prefix, Id, T>;
  readonly QUERY: GroupAskingVerb<"QUERY", Prefix, Id, T>;
  readonly HEAD: GroupVerb<"HEAD", Prefix, Id, T, undefined>;
  readonly OPTIONS: GroupVerb<"OPTIONS", Prefix, Id, T>;
  readonly handler: GroupHandlerMaker<Prefix, Id, T>;
  readonly stream: GroupStreamMaker<Prefix, Id, T>;
  /** A group inside this one. */
  group<
    const Path extends string,
    P extends ShapeLike | undefined = undefined,
    Q extends ShapeLike | undefined = undefined,
    H extends ShapeLike | undefined = undefined,
    C extends ShapeLike | undefined = undefined,
    const E extends readonly AnyHttpError[] = readonly [],
    A extends Authentication | undefined = undefined,
    G extends number | undefined = undefined,
  >(
    prefix: Path & CheckedPrefix<Path>,
    options?: GroupOptions<`${Prefix}${Path}`, Id, P, Q, H, C, E, A, G> & NotAgain<T, A>,
  ): RouteGroup<
    `${Prefix}${Path}`,
    Id,
    {
      readonly path: JoinedShape<T["path"], P>;
      readonly query: JoinedShape<T["query"], Q>;
      readonly headers: JoinedShape<T["headers"], H>;
      readonly cookies: JoinedShape<T["cookies"], C>;
      readonly errors: readonly [...T["errors"], ...E];
      readonly authentication: Stricter<T["authentication"], A>;
      readonly guard: Guarded<T["guard"], G>;
      readonly context: T["context"];
    }
  >;
  /**
   * A group whose handlers get more in their `context`. The function runs once a request, after the parameters and
   * before the body, outer ones first. It gives an object, nothing, or an error of the group, which is the answer.
   */
  use<More extends object>(
    fn: (call: UseCall<Prefix, Id, T>) => Used<More, T> | Promise<Used<More, T>>,
  ): RouteGroup<Prefix, Id, WithContext<T, More>>;
}

/** Makes groups. */
export type GroupMaker<Id> = <
  const Prefix extends string,
  P extends ShapeLike | undefined = undefined,
  Q extends ShapeLike | undefined = undefined,
  H extends ShapeLike | undefined = undefined,
  C extends ShapeLike | undefined = undefined,
  const E extends readonly AnyHttpError[] = readonly [],
  A extends Authentication | undefined = undefined,
  G extends number | undefined = undefined,
>(
  prefix: Prefix & CheckedPrefix<Prefix>,
  options?: GroupOptions<Prefix, Id, P, Q, H, C, E, A, G>,
) => RouteGroup<
  Prefix,
  Id,
  {
    readonly path: P;
    readonly query: Q;
    readonly headers: H;
    readonly cookies: C;
    readonly errors: E;
    readonly authentication: A;
    readonly guard: G;
    // Nothing, before the first `use`.
    readonly context: NoContext;
  }
>;

/** The context of a group without `use`. */
export type NoContext = Readonly<Record<never, never>>;
