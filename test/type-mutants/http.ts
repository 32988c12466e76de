/** Faults in the types of the HTTP half: what a handler is called with, what it may give, what a client sends and gets. */
import type { Faults } from "./fault.js";

export const ofHttp: Faults = {
  "http/contract/path.ts": [
    {
      text: `type WithoutStar<Name extends string> = Name extends \`\${infer Plain}*\` ? Plain : Name;`,
      put: `type WithoutStar<Name extends string> = Name;`,
      breaks: "the name of a rest has a star",
    },
    {
      text: `WithoutStar<Name> : Name) | PathNames<Rest>`,
      put: `WithoutStar<Name> : Name)`,
      breaks: "only the first parameter of a path is known",
    },
    {
      text: `string extends Path
  ? string
  : Path`,
      put: `string extends Path
  ? never
  : Path`,
      breaks: "a path that the compiler does not know has no parameters",
    },
  ],
  "http/contract/schema-types.ts": [
    {
      text: `export type InputOf<S> = S extends Zod4 ? S["_zod"]["input"] :`,
      put: `export type InputOf<S> = S extends Zod4 ? S["_zod"]["output"] :`,
      breaks: "a client sends what the server gets after it has read it",
    },
    {
      text: `  ? S["_zod"]["output"]
  : S extends Zod3
    ? S["_output"]`,
      put: `  ? S["_zod"]["output"]
  : S extends Zod3
    ? any`,
      breaks: "the values of a schema of Zod 3 are any",
    },
    {
      text: `  : { readonly [Name in keyof S]: OutputOf<S[Name]> };`,
      put: `  : { readonly [Name in keyof S]: any };`,
      breaks: "parameters of a shape are any",
    },
    {
      text: `          ? S[Name]
          : "a parameter is text: a scalar or a list of scalars, no object";`,
      put: `          ? S[Name]
          : S[Name];`,
      breaks: "a header may be an object",
    },
    {
      text: `            : "a parameter is text: a scalar or a list of scalars, no object";`,
      put: `            : S[Name];`,
      breaks: "a parameter of a query may be an object",
    },
    {
      text: `          : S[Name] extends { readonly "~style": true }`,
      put: `          : S[Name] extends { readonly "~style": false }`,
      breaks: "a query has no styles",
    },
    {
      text: `    : "a field of a form is text: a scalar or a list of scalars, no object";`,
      put: `    : S;`,
      breaks: "a field of a form may be an object",
    },
    {
      text: `      : ObjectSchema<Carried<Shape>>`,
      put: `      : S`,
      breaks: "a parameter in a Zod object may be an object",
    },
    {
      text: `    : "parameters are a shape of schemas, or a Zod object";`,
      put: `    : S;`,
      breaks: "the parameters of a query are a text",
    },
  ],
  "http/contract/handler-types.ts": [
    {
      text: `  readonly query?: Q & CarriedByQuery<Q>;`,
      put: `  readonly query?: Q;`,
      breaks: "a query has objects",
    },
    {
      text: `  readonly headers?: H & Carried<H>;`,
      put: `  readonly headers?: H;`,
      breaks: "a header is an object",
    },
    {
      text: `  readonly cookies?: C & Carried<C>;`,
      put: `  readonly cookies?: C;`,
      breaks: "a cookie is an object",
    },
    {
      text: `      readonly [Name in Exclude<keyof P, PathNames<Path>>]: "the path does not name this parameter";`,
      put: `      readonly [Name in Exclude<keyof P, PathNames<Path>>]: unknown;`,
      breaks: "a parameter that the path does not name has a schema",
    },
    {
      text: `    : "the path does not name one of these parameters"`,
      put: `    : Carried<P>`,
      breaks: "a Zod object of a path has names that the path does not have",
    },
    {
      text: `  readonly scopes?: Scopes & Guard<G>;`,
      put: `  readonly scopes?: Scopes;`,
      breaks: "scopes do not demand an identity",
    },
    {
      text: `  readonly roles?: Scopes & Guard<G>;`,
      put: `  readonly roles?: Scopes;`,
      breaks: "roles do not demand an identity",
    },
    {
      text: `  readonly usageLimits?: readonly UsageLimit<Id>[] & Guard<G>;`,
      put: `  readonly usageLimits?: readonly UsageLimit<any>[] & Guard<G>;`,
      breaks: "a usage limit is of a different identity",
    },
    {
      text: `  readonly status?: SuccessStatus | (O & NoContent);`,
      put: `  readonly status?: number;`,
      breaks: "the status of a success is any number",
    },
    {
      text: `  readonly output?: O;`,
      put: `  readonly output?: any;`,
      breaks: "the output of a handler is not known",
    },
    {
      text: `((output: O extends SchemaLike ? OutputOf<O> : unknown) =>`,
      put: `((output: any) =>`,
      breaks: "headers are worked out from any",
    },
    {
      text: `    readonly path: { readonly [Name in PathNames<Path>]: string };`,
      put: `    readonly path: Readonly<Record<string, string>>;`,
      breaks: "a handler without options has any parameters",
    },
    {
      text: `  readonly body: NoBody;
  /** The extractor`,
      put: `  readonly body: any;
  /** The extractor`,
      breaks: "a handler without options has a body",
    },
    {
      text: `  readonly identity: null;`,
      put: `  readonly identity: any;`,
      breaks: "a handler without options has an identity",
    },
    {
      text: `    readonly path: PathValues<PathNames<Path>, P>;
    readonly query: Values<Q>;`,
      put: `    readonly path: any;
    readonly query: Values<Q>;`,
      breaks: "parameters of a path are any",
    },
    {
      text: `    readonly headers: Values<H>;
    readonly cookies: Values<C>;
  };
  readonly body: BodyOf<B>;`,
      put: `    readonly headers: Values<Q>;
    readonly cookies: Values<C>;
  };
  readonly body: BodyOf<B>;`,
      breaks: "headers are those of the query",
    },
    {
      text: `    readonly cookies: Values<C>;
  };
  readonly body: BodyOf<B>;`,
      put: `    readonly cookies: any;
  };
  readonly body: BodyOf<B>;`,
      breaks: "cookies are any",
    },
    {
      text: `  readonly body: BodyOf<B>;`,
      put: `  readonly body: any;`,
      breaks: "a body is any",
    },
    {
      text: `  readonly body: BodyOf<B>;`,
      put: `  readonly body: GivenOr<B, unknown>;`,
      breaks: "a body that is not declared is unknown",
    },
    {
      text: `  readonly identity: G extends number ? Id : Caller<A, Id>;`,
      put: `  readonly identity: Caller<A, Id>;`,
      breaks: "a handler with scopes may have no identity",
    },
    {
      text: `A extends "optional" ? Id | null : null;`,
      put: `A extends "optional" ? Id : null;`,
      breaks: "optional authentication always finds an identity",
    },
    {
      text: `type Caller<A, Id> = A extends true | readonly string[] ? Id`,
      put: `type Caller<A, Id> = A extends true | readonly string[] ? Id | null`,
      breaks: "an identity that is demanded may be null",
    },
    {
      text: `S extends undefined ? NoValues : ValuesOf<S>;`,
      put: `S extends undefined ? any : ValuesOf<S>;`,
      breaks: "parameters that are not declared are any",
    },
    {
      text: `Name extends keyof P ? OutputOf<P[Name]> : string };`,
      put: `Name extends keyof P ? OutputOf<P[Name]> : any };`,
      breaks: "a parameter of a path without a schema is any",
    },
    {
      text: `Name extends keyof OutputOf<P> ? OutputOf<P>[Name] : string }`,
      put: `string }`,
      breaks: "the schemas of a Zod object of a path are not seen",
    },
    {
      text: `  ? Later<NoError<O["_zod"]["output"]> | Reply<number, O["_zod"]["output"]> | E[number]>`,
      put: `  ? Later<NoError<O["_zod"]["output"]> | Reply<number, O["_zod"]["output"]> | AnyHttpError>`,
      breaks: "a handler gives an error that it does not declare",
    },
    {
      text: `  ? Later<NoError<O["_zod"]["output"]> | Reply<number, O["_zod"]["output"]> | E[number]>`,
      put: `  ? Later<NoError<O["_zod"]["output"]> | Reply<number, O["_zod"]["output"]>>`,
      breaks: "a handler cannot give an error that it declares",
    },
    {
      text: `  ? Later<NoError<O["_zod"]["output"]> | Reply<number, O["_zod"]["output"]> | E[number]>`,
      put: `  ? unknown`,
      breaks: "a handler gives anything",
    },
    {
      text: `  ? Later<NoError<O["_zod"]["output"]> | Reply<number, O["_zod"]["output"]> | E[number]>`,
      put: `  ? Later<O["_zod"]["output"] | Reply<number, O["_zod"]["output"]> | E[number]>`,
      breaks: "an undeclared error is taken for data",
    },
    {
      text: `Later<void | undefined | Reply<NoContent, undefined> | E[number]>`,
      put: `Later<unknown>`,
      breaks: "a handler of status 204 gives data",
    },
    {
      text: `type Later<T> = T | Promise<T>;`,
      put: `type Later<T> = T | Promise<unknown>;`,
      breaks: "an async handler gives anything",
    },
    {
      text: `export type Late<T, Fn> = T extends unknown ? Fn : never;`,
      put: `export type Late<T, Fn> = Fn;`,
      breaks: "literals in an output are widened",
    },
    {
      text: `  readonly signal: AbortSignal;
}

/** Who is calling`,
      put: `  readonly signal?: AbortSignal;
}

/** Who is calling`,
      breaks: "a call may have no signal",
    },
  ],
  "http/contract/form-kinds.ts": [
    {
      text: `  readonly [Name in keyof F]: F[Name] extends UploadKind<infer Takes> ? Takes : OutputOf<F[Name]>;`,
      put: `  readonly [Name in keyof F]: F[Name] extends UploadKind<infer Takes> ? Takes : any;`,
      breaks: "the fields of a form with files are any",
    },
    {
      text: `type Sent<S> = S extends UploadKind<unknown, infer Sends> ? Exclude<Sends, undefined> : WireInput<S>;`,
      put: `type Sent<S> = S extends UploadKind ? any : WireInput<S>;`,
      breaks: "a client sends anything as a file",
    },
    {
      text: `  options: UploadOptions & { readonly optional: true },
): UploadKind<Upload | undefined, Blob | undefined>;`,
      put: `  options: UploadOptions & { readonly optional: true },
): UploadKind<Upload, Blob | undefined>;`,
      breaks: "a file that may be missing is there",
    },
  ],
  "http/contract/query-styles.ts": [
    {
      text: `export function jsonParameter<S extends SchemaLike>(value: S): QueryStyle<InputOf<S>, OutputOf<S>> {`,
      put: `export function jsonParameter<S extends SchemaLike>(value: S): QueryStyle<InputOf<S>, any> {`,
      breaks: "a value of JSON in a query is any",
    },
  ],
  "http/contract/answer-kinds.ts": [
    {
      text: `export interface ByteStreamKind extends BodyKind<AsyncIterable<Uint8Array>, SentBytes> {}`,
      put: `export interface ByteStreamKind extends BodyKind<any, SentBytes> {}`,
      breaks: "a body that comes as a stream is any",
    },
    {
      text: `  /** Below the root. What leaves it, a folder, a dot file and what is absent are a 404: it may come from a client. */
  readonly path: string;`,
      put: `  /** Below the root. What leaves it, a folder, a dot file and what is absent are a 404: it may come from a client. */
  readonly path?: string;`,
      breaks: "a file has no path",
    },
  ],
  "http/contract/handler.ts": [
    {
      text: `export const HEAD: Verb<"HEAD", Identity, undefined> = makers.HEAD;`,
      put: `export const HEAD: Verb<"HEAD", Identity> = makers.HEAD as never;`,
      breaks: "HEAD has an output",
    },
    {
      text: `> {
  <const Path extends string>(
    path: Path,
    run: (call: Call<Path>) => unknown,
  ): Handler<M, Path, HandlerTypes, Id>;`,
      put: `> {
  <Path extends string>(
    path: Path,
    run: (call: Call<Path>) => unknown,
  ): Handler<M, string, HandlerTypes, Id>;`,
      breaks: "the path of a handler without options is a string",
    },
    {
      text: `    run: Late<Path, (call: TypedCall<Path, Id, P, Q, H, C, B, A, G>) => Result<O, E>>,
  ): Handler<M, Path, HandlerTypes<P, Q, H, C, B, O, E>, Id>;`,
      put: `    run: Late<Path, (call: TypedCall<Path, Id, P, Q, H, C, B, A, G>) => Result<O, E>>,
  ): Handler<M, Path, HandlerTypes<P, Q, H, C, B, O>, Id>;`,
      breaks: "a client does not know the errors of a handler",
    },
    {
      text: `    run: Late<Path, (call: TypedCall<Path, Id, P, Q, H, C, B, A, G>) => Result<O, E>>,
  ): Handler<M, Path, HandlerTypes<P, Q, H, C, B, O, E>, Id>;`,
      put: `    run: Late<Path, (call: TypedCall<Path, Id, P, Q, H, C, B, A, G>) => Result<O, E>>,
  ): Handler<M, Path, HandlerTypes<P, H, Q, C, B, O, E>, Id>;`,
      breaks: "a client sends the query as headers",
    },
    {
      text: `    run: Late<Path, (call: TypedCall<Path, Id, P, Q, H, C, B, A, G>) => Result<O, E>>,
  ): Handler<M, Path, HandlerTypes<P, Q, H, C, B, O, E>, Id>;`,
      put: `    run: Late<Path, (call: TypedCall<Path, Id, P, Q, H, C, B, A, G>) => Result<O, E>>,
  ): Handler<M, Path, HandlerTypes<P, Q, H, C, B, O, E>>;`,
      breaks: "a handler of an identity of its own is one of any engine",
    },
    {
      text: `  run: Late<Path, (call: TypedCall<Path, Id, P, Q, H, C, B, A, G>) => Result<O, E>>,
) => Handler<M, Path, HandlerTypes<P, Q, H, C, B, O, E>, Id>;

/** Makes streams of server-sent events. */`,
      put: `  run: Late<Path, (call: TypedCall<Path, Id, P, Q, H, C, B, A, G>) => unknown>,
) => Handler<M, Path, HandlerTypes<P, Q, H, C, B, O, E>, Id>;

/** Makes streams of server-sent events. */`,
      breaks: "a handler with a name gives anything",
    },
    {
      text: `  run: Late<Path, (call: TypedCall<Path, Id, P, Q, H, C, B, A, G>) => Result<O, E>>,
) => Handler<M, Path, HandlerTypes<P, Q, H, C, B, O, E>, Id>;

/** Makes streams of server-sent events. */`,
      put: `  run: Late<Path, (call: TypedCall<Path, Id, P, Q, H, C, B, A, G>) => Result<O, E>>,
) => Handler<string, Path, HandlerTypes<P, Q, H, C, B, O, E>, Id>;

/** Makes streams of server-sent events. */`,
      breaks: "the method of a handler with a name is a string",
    },
    {
      text: `  options: Options<Path, Id, P, Q, H, C, B, O, E, A, G> & HasBody,`,
      put: `  options: Options<Path, Id, P, Q, H, C, B, O, E, A, G>,`,
      breaks: "a QUERY has no body",
    },
    {
      text: `) => Handler<M, Path, StreamTypes<P, Q, H, C, B, EventsOf<V, N>, E>, Id>;`,
      put: `) => Handler<M, Path, StreamTypes<P, Q, H, C, B, unknown, E>, Id>;`,
      breaks: "a client does not know the events of a stream",
    },
    {
      text: `  options: StreamOptions<Path, Id, P, Q, H, C, B, V, N, E, A, G> & OneOf<V, N>,`,
      put: `  options: StreamOptions<Path, Id, P, Q, H, C, B, V, N, E, A, G>,`,
      breaks: "a stream has no events",
    },
  ],
  "http/contract/group.ts": [
    {
      text: `type IsPrefix<Prefix extends string> = Prefix extends \`\${string}/\`
  ? false`,
      put: `type IsPrefix<Prefix extends string> = Prefix extends \`\${string}/\`
  ? true`,
      breaks: "the prefix of a group ends with a slash",
    },
  ],
  "http/contract/declared.ts": [
    {
      text: `  readonly "~identity"?: (identity: Id) => void;`,
      put: `  readonly "~identity"?: (identity: never) => void;`,
      breaks: "an engine takes handlers of an identity that it does not have",
    },
  ],
  "http/contract/identity.ts": [
    {
      text: `): Identity & Omit<Fields, keyof IdentityFields> & TextOf<Fields> {`,
      put: `): Identity {`,
      breaks: "an identity forgets the fields of the application",
    },
    {
      text: `  readonly [Name in keyof Fields & ("id" | "tenantId" | "email")]: Fields[Name] extends string
    ? string
    : Fields[Name];`,
      put: `  readonly [Name in keyof Fields & ("id" | "tenantId" | "email")]: Fields[Name];`,
      breaks: "the id of an identity is a literal",
    },
    {
      text: `export function usageLimit<Id extends Identity = Identity>(
  stat: string,
  limit: (identity: Id) => number | Promise<number>,
): UsageLimit<Id> {`,
      put: `export function usageLimit<Id extends Identity = Identity>(
  stat: string,
  limit: (identity: Id) => unknown,
): UsageLimit<Id> {`,
      breaks: "a usage limit is no number",
    },
    {
      text: `  add: (identity: From, request: Request) => To | null | Promise<To | null>,
): Extractor<To> {`,
      put: `  add: (identity: From, request: Request) => To | null | Promise<To | null>,
): Extractor {`,
      breaks: "an extractor forgets what enrich has added",
    },
  ],
  "http/client/client-types.ts": [
    {
      text: `      ? { readonly body: PlainBody<One, B[0]> | SentWhole }`,
      put: `      ? { readonly body?: any }`,
      breaks: "the client sends anything where several bodies are declared",
    },
    {
      text: `  readonly HEAD: Head<Calls<H, "GET" | "HEAD">>;`,
      put: `  readonly HEAD: Head<Calls<H, "HEAD">>;`,
      breaks: "the client has no HEAD of GET",
    },
  ],
  "http/contract/row-kinds.ts": [
    {
      text: `type ObjectLike = SchemaLike & { readonly shape: unknown };`,
      put: `type ObjectLike = SchemaLike;`,
      breaks: "rows of CSV are no objects",
    },
    {
      text: `  extends AnswerKind<GivenRows<OutputOf<S>>, AsyncIterable<WireOutput<S>>>,`,
      put: `  extends AnswerKind<GivenRows<OutputOf<S>>, AsyncIterable<OutputOf<S>>>,`,
      breaks: "the client's rows are not in their wire form",
    },
    {
      text: `    BodyKind<AsyncIterable<OutputOf<S>>, SentRows<WireInput<S>>> {}`,
      put: `    BodyKind<AsyncIterable<OutputOf<S>>, SentRows<OutputOf<S>>> {}`,
      breaks: "the client sends rows that are not in their wire form",
    },
    {
      text: `): AnswerKind<GivenRows<OutputOf<S>>, string> {`,
      put: `): AnswerKind<GivenRows<unknown>, string> {`,
      breaks: "CSV takes any rows",
    },
  ],
  "http/contract/errors.ts": [
    {
      text: `  const Code extends string,
  const Status extends number,
  Schema extends SchemaLike | undefined = undefined,
>(definition`,
      put: `  Code extends string,
  Status extends number,
  Schema extends SchemaLike | undefined = undefined,
>(definition`,
      breaks: "the code of a declared error is widened",
      unseen: "A literal is kept for a type parameter that extends string or number, with const or without.",
    },
    {
      text: `>(definition: DefinitionOf<Code, Status, Schema>): HttpError<Code, Status, DetailsOf<Schema>> {`,
      put: `>(definition: DefinitionOf<Code, Status, Schema>): HttpError<string, Status, DetailsOf<Schema>> {`,
      breaks: "the code of a declared error is a string",
    },
    {
      text: `>(definition: DefinitionOf<Code, Status, Schema>): HttpError<Code, Status, DetailsOf<Schema>> {`,
      put: `>(definition: DefinitionOf<Code, Status, Schema>): HttpError<Code, number, DetailsOf<Schema>> {`,
      breaks: "the status of a declared error is a number",
    },
    {
      text: `>(definition: DefinitionOf<Code, Status, Schema>): HttpError<Code, Status, DetailsOf<Schema>> {`,
      put: `>(definition: DefinitionOf<Code, Status, Schema>): HttpError<Code, Status, any> {`,
      breaks: "the details of a declared error are any",
    },
    {
      text: `  withDetails(details: Details): this {`,
      put: `  withDetails(details: unknown): this {`,
      breaks: "an error takes any details",
    },
    {
      text: `export const NotFound: HttpError<"NOT_FOUND", 404,`,
      put: `export const NotFound: HttpError<"NOT_FOUND", number,`,
      breaks: "the status of NotFound is a number",
    },
  ],
};
