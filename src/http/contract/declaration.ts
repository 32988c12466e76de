/**
 * Checks the declaration of a handler at program start. The compiler refuses most mistakes; callers without types get
 * these errors.
 */
import {
  DeclarationError,
  describeType,
  hasMethods,
  isList,
  quoted,
  readKeys,
  safely,
} from "../../core/errors.js";
import { readerOf } from "../../schema/reader/reader-of.js";
import { readBodyOption } from "./bodies.js";
import { HttpError } from "./errors.js";
import type { ParameterShape } from "./kind.js";
import { checkMethod, checkOfMethod } from "./methods.js";
import {
  type AnyOptions,
  HANDLER_OPTIONS,
  type OptionName,
  SHARED_OPTIONS,
  type UseFunction,
} from "./options.js";
import { namesOf, parseTemplate, type Segment } from "./path.js";
import { readShape } from "./shape.js";
import { STREAM_OPTIONS, streamSettings } from "./stream-settings.js";
import { checkSuccesses, isStatus, readHeaders, readOutput, readOutputs, schemasOf } from "./successes.js";

const OPTIONS: { readonly [Kind in DeclaredHandler["kind"]]: ReadonlySet<string> } = {
  handler: new Set([...SHARED_OPTIONS, ...HANDLER_OPTIONS]),
  stream: new Set([...SHARED_OPTIONS, ...STREAM_OPTIONS]),
};

/** The declaration of a handler, before it is checked. */
export interface DeclaredHandler {
  readonly kind: "handler" | "stream";
  readonly method: string;
  readonly path: string;
  readonly options: unknown;
  readonly run: unknown;
  /** The functions of `use` of its groups. */
  readonly uses?: readonly UseFunction[];
}

/** A declaration that was checked. */
interface Checked {
  /** The path, parsed. */
  readonly segments: readonly Segment[];
  /** Complete and frozen. */
  readonly options: AnyOptions;
  readonly run: (call: never, stream: never) => unknown;
}

/** Checks a declaration and fills in the defaults. @throws DeclarationError */
export function checkDeclaration(declared: DeclaredHandler): Checked {
  const { kind, method, path, run, uses } = declared;
  checkMethod(method);
  const segments = parseTemplate(path);
  const refuse = (problem: string): never => {
    throw new DeclarationError(`${method} ${path}: ${problem}`);
  };
  if (typeof run !== "function") refuse("the last argument of a handler is its function");
  const given = readGiven(kind, declared.options, refuse);
  const read = readOptions(given, refuse);
  const stream = kind === "stream" ? streamSettings(given, refuse) : undefined;
  checkSuccesses(given, read, refuse);
  checkOfMethod(method, kind, read, refuse);
  if (read.outputValidation) {
    const outputs = stream === undefined ? schemasOf(read) : [...stream.events.values()];
    if (outputs.some((output) => readerOf(output).isOneWay())) {
      refuse("outputValidation cannot check an output schema with a one-way transform; use a codec");
    }
  }
  checkLists(segments, read.path, refuse);
  const inPath = namesOf(segments);
  for (const name of Object.keys(read.path.fields)) {
    if (!inPath.includes(name)) refuse(`the path does not name the parameter ${quoted(name)}`);
  }
  const unread = inPath.find((name) => !Object.hasOwn(read.path.fields, name));
  if (read.path.strict && unread !== undefined) {
    refuse(`the strict object of the path does not declare ${quoted(unread)}, which every request has`);
  }
  // An empty list of usage limits requires authentication too: its type gives the function an identity.
  const isGuarded = read.scopes.length + read.roles.length > 0 || given.usageLimits !== undefined;
  if (isGuarded && read.authentication === "optional") {
    refuse("scopes, roles and usage limits need an identity: authentication cannot be optional");
  }
  const authentication = isGuarded ? read.authentication || true : read.authentication;
  return {
    segments,
    options: Object.freeze({ ...read, authentication, stream, uses }),
    // The check above has shown that it is a function.
    run: run as Checked["run"],
  };
}

/** A copy of the options of a handler or a stream, each read once. */
export function readGiven(kind: DeclaredHandler["kind"], options: unknown, refuse: Refuse): Given {
  const words = { must: "the options must be an object", noun: "option", of: `a ${kind}` } as const;
  const result = readKeys(options, OPTIONS[kind], words);
  return "fault" in result ? refuse(result.fault) : result.read;
}

/** Refuses lists that commas cannot separate. */
function checkLists(segments: readonly Segment[], { fields }: ParameterShape, refuse: Refuse): void {
  for (const segment of segments) {
    if (!("name" in segment) || !Object.hasOwn(fields, segment.name)) continue;
    const { name, before, after, isRest } = segment;
    const schema = fields[name];
    if (schema === undefined || readerOf(schema).textReader()?.many !== true) continue;
    if (isRest) refuse(`{${name}*} is one text, whose segments are separated by slashes, and no list`);
    if (`${before}${after}`.includes(","))
      refuse(`the list ${quoted(name)} has commas around it, which separate its items`);
  }
}

/** Options as the caller passes them. */
type Given = { readonly [Name in OptionName | (typeof STREAM_OPTIONS)[number]]?: unknown };

type ReadOptions = { readonly [Name in OptionName]: AnyOptions[Name] };

type Refuse = (problem: string) => never;

/** Checks the value of an option. Returns its default for `undefined`. */
type Reader<Value> = (given: unknown, refuse: Refuse, name: string) => Value;

function readOptions(given: Given, refuse: Refuse): ReadOptions {
  const read = Object.entries(READERS).map(([name, reader]) => [
    name,
    // The keys of `READERS` are the names of options.
    reader(given[name as OptionName], refuse, name),
  ]);
  // Each field was read by the reader of its name.
  return Object.fromEntries(read) as ReadOptions;
}

const READERS: { readonly [Name in OptionName]: Reader<AnyOptions[Name]> } = {
  name: text,
  summary: text,
  description: text,
  tags: (given, refuse, name) => {
    const tags = list(given, refuse, name);
    return Object.freeze(tags.every((tag) => typeof tag === "string") ? [...tags] : refuse("tags are text"));
  },
  deprecated: flag,
  hidden: flag,
  outputValidation: flag,
  etag: (given, refuse, name) =>
    // Its result is checked when it is sent.
    typeof given === "function" ? (given as (output: unknown) => unknown) : flag(given, refuse, name),
  ifMatch: (given, refuse, name) => (given === "required" ? given : flag(given, refuse, name)),
  authentication: (given = false, refuse) =>
    given === true || given === false || given === "optional"
      ? given
      : isList(given) && given.length > 0 && given.every((name) => typeof name === "string")
        ? Object.freeze([...given])
        : refuse('authentication is true, false, "optional" or a list of names of schemes'),
  responseHeaders: readHeaders,
  status: (given = 200, refuse) => (isStatus(given) ? given : refuse("status is a number from 200 to 399")),
  body: readBodyOption,
  output: readOutput,
  outputs: readOutputs,
  path: shape,
  query: shape,
  headers: shape,
  cookies: shape,
  errors: (given, refuse, name) => {
    const errors = list(given, refuse, name);
    return Object.freeze(
      errors.every(HttpError.is) ? [...errors] : refuse("errors are a list of declared errors"),
    );
  },
  maxBodySize: (given, refuse) => {
    if (given === undefined) return undefined;
    const isSize = typeof given === "number" && Number.isSafeInteger(given) && given >= 0;
    return isSize ? given : refuse("maxBodySize is a number of bytes");
  },
  scopes: groups,
  roles: groups,
  usageLimits: (given, refuse, name) => {
    const limits = list(given, refuse, name);
    if (!limits.every(isUsageLimit)) return refuse("usage limits are what usageLimit() gives");
    return Object.freeze([...limits]);
  },
  middleware: (given, refuse, name) => {
    const middleware = list(given, refuse, name);
    if (!middleware.every(isMiddleware)) {
      return refuse("middleware are functions of request, response and next");
    }
    return Object.freeze([...middleware]);
  },
};

function text(given: unknown, refuse: Refuse, name: string): string | undefined {
  if (given === undefined || typeof given === "string") return given;
  return refuse(`${name} is a string, not ${describeType(given)}`);
}

function flag(given: unknown, refuse: Refuse, name: string): boolean {
  if (given === undefined || typeof given === "boolean") return given ?? false;
  return refuse(`${name} is a boolean, not ${describeType(given)}`);
}

function list(given: unknown, refuse: Refuse, name: string): readonly unknown[] {
  if (given === undefined) return [];
  return isList(given) ? given : refuse(`${name} are a list, not ${describeType(given)}`);
}

function isUsageLimit(value: unknown): value is AnyOptions["usageLimits"][number] {
  return hasMethods(value, ["limit"]);
}

/** Express calls a function with four parameters only with errors. */
export function isMiddleware(value: unknown): value is AnyOptions["middleware"][number] {
  return safely(() => typeof value === "function" && value.length <= 3);
}

/** Parameters of one place. */
function shape(given: unknown, refuse: Refuse, place: string): ParameterShape {
  return readShape(given, refuse, {
    of: place,
    one: `${place} parameter`,
    isOpen: OPEN_PLACES.has(place),
    hasStyles: place === "query",
  });
}

/** The places to which browsers, proxies and other pages of the host add undeclared values. */
const OPEN_PLACES = new Set(["headers", "cookies"]);

/** `["a", "b"]` is one group. An empty list or group would guard nothing and is refused. */
function groups(given: unknown, refuse: Refuse, what: string): readonly (readonly string[])[] {
  if (given === undefined) return Object.freeze([]);
  if (!isList(given) || given.length === 0) return refuse(`${what} are a non-empty list`);
  const list: readonly unknown[] = given.every((item) => typeof item === "string") ? [given] : given;
  return Object.freeze(
    list.map((group) => {
      if (!isList(group) || group.length === 0) return refuse(`a group of ${what} is a non-empty list`);
      if (!group.every((name): name is string => typeof name === "string" && name !== ""))
        return refuse(`${what} are names`);
      return Object.freeze([...group]);
    }),
  );
}
