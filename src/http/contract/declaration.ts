/**
 * Judges what a handler was declared with, while the program starts: the compiler sees most of it, callers
 * without types see it here.
 */
import { describeType, isReadable, listed, quoted } from "../../core/errors.js";
import { isZod4 } from "../../schema/inspect.js";
import { textReader } from "../../schema/text.js";
import { type AnySchema, isOneWay } from "../../schema/validate.js";
import { isSchema } from "./any-schema.js";
import { DeclarationError } from "./declaration-error.js";
import { HttpError } from "./errors.js";
import { type AnyOptions, BODYLESS, type ParameterShape } from "./options.js";
import { namesOf, parseTemplate } from "./path.js";
import { checkHeaders, type GivenStream, STREAM_OPTIONS, streamSettings } from "./stream-settings.js";

const METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE"];

const SHARED =
  "name summary description tags deprecated path query headers cookies body errors authentication scopes roles " +
  "usageLimits maxBodySize middleware outputValidation responseHeaders";
const OPTIONS = {
  handler: new Set([...SHARED.split(" "), "status", "output", "etag"]),
  stream: new Set<string>([...SHARED.split(" "), ...STREAM_OPTIONS]),
};

/** What a handler is declared with, before it is judged. */
export interface Declared {
  readonly kind: "handler" | "stream";
  readonly method: string;
  readonly path: string;
  readonly options: unknown;
  readonly run: unknown;
}

/** The options, complete and frozen, and the function. @throws DeclarationError */
export function checkDeclaration(declared: Declared): {
  readonly options: AnyOptions;
  readonly run: (call: never, stream: never) => unknown;
} {
  const { kind, method, path, run } = declared;
  if (!METHODS.includes(method)) {
    throw new DeclarationError(`method ${quoted(method)} is none of ${listed(METHODS)}`);
  }
  const inPath = namesOf(parseTemplate(path));
  const refuse = (problem: string): never => {
    throw new DeclarationError(`${method} ${path}: ${problem}`);
  };
  if (typeof run !== "function") refuse("a handler ends in its function");
  if (!isReadable(declared.options)) refuse("the options are an object");
  // The keys are checked next, each value by what reads it below.
  const given = declared.options as Partial<Record<keyof AnyOptions, unknown>> & AnyGiven;
  for (const key of Object.keys(given)) {
    if (!OPTIONS[kind].has(key)) refuse(`unknown option ${quoted(key)}; options: ${listed(OPTIONS[kind])}`);
  }

  checkPlain(given, refuse);
  const status = given.status ?? 200;
  if (!Number.isInteger(status) || status < 200 || status > 399) refuse("status is a number from 200 to 399");
  if (BODYLESS.has(status) && given.output !== undefined) refuse(`status ${status} has no output`);
  for (const key of ["body", "output"] as const) {
    if (given[key] !== undefined && !isSchema(given[key])) refuse(`${key} is a Zod schema`);
  }
  const stream = kind === "stream" ? streamSettings(given, refuse) : undefined;
  if (given.outputValidation === true) {
    const outputs = given.output === undefined ? [...(stream?.events.values() ?? [])] : [given.output];
    if (outputs.some((output) => isZod4(output) && isOneWay(output))) {
      refuse("outputValidation cannot judge an output schema with a one-way transform; use a codec");
    }
  }
  const path_ = shapeOf(given.path, "path", refuse);
  for (const name of Object.keys(path_.fields)) {
    if (!inPath.includes(name)) refuse(`the path does not name the parameter ${quoted(name)}`);
  }
  const errors = given.errors ?? [];
  if (!errors.every((error) => HttpError.is(error))) refuse("errors are a list of declared errors");
  const maxBodySize = given.maxBodySize;
  if (maxBodySize !== undefined && (!Number.isSafeInteger(maxBodySize) || maxBodySize < 0)) {
    refuse("maxBodySize is a number of bytes");
  }
  const scopes = groups(given.scopes, "scopes", refuse);
  const roles = groups(given.roles, "roles", refuse);
  const usageLimits = given.usageLimits ?? [];
  // A list of limits that turns out empty still asks who is calling: the function is promised an identity.
  const guarded = scopes.length + roles.length > 0 || given.usageLimits !== undefined;
  if (guarded && given.authentication === "optional") {
    refuse("scopes, roles and usage limits need an identity: authentication cannot be optional");
  }
  for (const middleware of given.middleware ?? []) {
    if (typeof middleware !== "function" || middleware.length > 3) {
      refuse("middleware are functions of request, response and next");
    }
  }

  const options: AnyOptions = {
    ...given,
    tags: Object.freeze([...(given.tags ?? [])]),
    deprecated: given.deprecated ?? false,
    status,
    path: path_,
    query: shapeOf(given.query, "query", refuse),
    headers: shapeOf(given.headers, "headers", refuse),
    cookies: shapeOf(given.cookies, "cookies", refuse),
    errors: Object.freeze([...errors]),
    authentication: guarded ? true : (given.authentication ?? false),
    scopes,
    roles,
    usageLimits: Object.freeze([...usageLimits]),
    middleware: Object.freeze([...(given.middleware ?? [])]),
    outputValidation: given.outputValidation ?? false,
    etag: given.etag ?? false,
    stream,
  };
  // A function was seen to be there above.
  return { options: Object.freeze(options), run: run as (call: never, stream: never) => unknown };
}

const PLAIN = {
  name: "string",
  summary: "string",
  description: "string",
  deprecated: "boolean",
  outputValidation: "boolean",
  etag: "boolean",
} as const;

/** The options that are values, and whether those that are lists are lists. */
function checkPlain(given: AnyGiven, refuse: Refuse): void {
  for (const [name, type] of Object.entries(PLAIN)) {
    const value: unknown = Reflect.get(given, name);
    if (value !== undefined && typeof value !== type) {
      refuse(`${name} is a ${type}, not ${describeType(value)}`);
    }
  }
  const { tags = [], errors = [], usageLimits = [], middleware = [], authentication } = given;
  for (const [name, list] of Object.entries({ tags, errors, usageLimits, middleware })) {
    if (!Array.isArray(list)) refuse(`${name} are a list, not ${describeType(list)}`);
  }
  if (!tags.every((tag) => typeof tag === "string")) refuse("tags are text");
  if (!usageLimits.every((limit) => typeof limit?.limit === "function")) {
    refuse("usage limits are what usageLimit() gives");
  }
  if (![undefined, true, false, "optional"].includes(authentication)) {
    refuse('authentication is true, false or "optional"');
  }
  const { responseHeaders } = given;
  if (responseHeaders !== undefined && typeof responseHeaders !== "function") {
    checkHeaders(responseHeaders, refuse);
  }
}

/** The options as they are given, most of them optional. */
type AnyGiven = GivenStream &
  Partial<Omit<AnyOptions, Unread>> & {
    readonly path?: unknown;
    readonly query?: unknown;
    readonly headers?: unknown;
    readonly cookies?: unknown;
    readonly scopes?: unknown;
    readonly roles?: unknown;
  };

type Unread = "path" | "query" | "headers" | "cookies" | "scopes" | "roles" | "stream";

type Refuse = (problem: string) => never;

/** A shape of schemas, or a Zod object, of either Zod. */
function shapeOf(given: unknown, where: string, refuse: Refuse): ParameterShape {
  if (given === undefined) return NO_PARAMETERS;
  const whole = isSchema(given) ? given : undefined;
  const shape: unknown = whole === undefined ? given : fieldsOf(whole);
  if (!isReadable(shape)) {
    return refuse(`${where} is a shape of Zod schemas or a Zod object, not ${describeType(given)}`);
  }
  const fields: Record<string, AnySchema> = Object.create(null);
  for (const [name, schema] of Object.entries(shape)) {
    if (!isSchema(schema)) return refuse(`${where} parameter ${quoted(name)} is no Zod schema`);
    if (textReader(schema) === undefined) {
      refuse(`${where} parameter ${quoted(name)} has a type that text cannot carry`);
    }
    fields[name] = schema;
  }
  return Object.freeze({ fields: Object.freeze(fields), whole });
}

const NO_PARAMETERS: ParameterShape = Object.freeze({ fields: Object.freeze(Object.create(null)) });

function fieldsOf(schema: AnySchema): unknown {
  if (!isZod4(schema)) return "shape" in schema ? schema.shape : undefined;
  const def: object = schema._zod.def;
  return "shape" in def ? def.shape : undefined;
}

/** `["a", "b"]` is one group; an empty list or group would guard nothing, so it is refused. */
function groups(given: unknown, what: string, refuse: Refuse): readonly (readonly string[])[] {
  if (given === undefined) return Object.freeze([]);
  if (!Array.isArray(given) || given.length === 0) return refuse(`${what} are a list that is not empty`);
  const list: readonly unknown[] = given.every((item) => typeof item === "string") ? [given] : given;
  return Object.freeze(
    list.map((group) => {
      if (!Array.isArray(group) || group.length === 0)
        return refuse(`a group of ${what} is a list that is not empty`);
      if (!group.every((name) => typeof name === "string" && name !== "")) return refuse(`${what} are names`);
      return Object.freeze([...group]);
    }),
  );
}
