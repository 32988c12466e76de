/**
 * Step: the declared path, query, header and cookie parameters, from text to validated values. All that is wrong
 * with them is said in one answer, before the body is read.
 */
import { compiledFirst } from "../../schema/compiled/validator.js";
import { type FieldIssue, MAX_FIELDS, toFields } from "../../schema/issues.js";
import { textReader } from "../../schema/text.js";
import type { TextReader } from "../../schema/text-values.js";
import { type AnySchema, type Validation, validator } from "../../schema/validate.js";
import { BadRequest, type FailedField, ValidationFailed } from "../contract/errors.js";
import { events } from "../contract/events.js";
import type { AnyOptions, ParameterShape } from "../contract/options.js";
import { cookieTexts } from "./cookies.js";
import type { Exchange } from "./exchange.js";
import { MalformedQuery, queryTexts } from "./query.js";

/** The validated parameters of a call. */
export interface Params {
  readonly path: Values;
  readonly query: Values;
  readonly headers: Values;
  readonly cookies: Values;
}

type Values = Readonly<Record<string, unknown>>;

/** Reads all parameters of an exchange. @throws HttpError */
export type ParameterReader = (exchange: Exchange) => Promise<Params> | Params;

type Place = "path" | "query" | "header" | "cookie";

/** Every text given for a name. */
type Texts = (exchange: Exchange) => (name: string) => readonly string[];

const NONE: Values = Object.freeze(Object.create(null));

/** Compiles the parameters of a handler; places without any cost nothing. */
export function parameterReader(options: AnyOptions, pathNames: readonly string[]): ParameterReader {
  const readers: PlacedReader[] = [];
  const place = (key: keyof Params, read: GroupReader | undefined) => {
    if (read !== undefined) readers.push({ key, read });
  };
  place(
    "path",
    group("path", options.path, pathNames, (exchange) => (name) => {
      const value = exchange.pathValues[pathNames.indexOf(name)];
      return value === undefined ? [] : [value];
    }),
  );
  place(
    "query",
    group("query", options.query, [], ({ request }) => queryTexts(request.url)),
  );
  place(
    "headers",
    group(
      "header",
      options.headers,
      [],
      ({ request }) =>
        (name) =>
          headerTexts(request, name),
    ),
  );
  place(
    "cookies",
    group("cookie", options.cookies, [], ({ request }) => cookieTexts(request.headers.cookie)),
  );

  return (exchange) => {
    const params: Mutable<Params> = { path: NONE, query: NONE, headers: NONE, cookies: NONE };
    const failed: FailedField[] = [];
    let pending: Promise<void>[] | undefined;
    for (const { key, read } of readers) {
      const result = attempt(read, exchange);
      if (result instanceof Promise) {
        pending ??= [];
        pending.push(
          result.then((settled) => {
            params[key] = settled.values;
            failed.push(...settled.failed);
          }),
        );
        continue;
      }
      params[key] = result.values;
      if (result.failed.length > 0) failed.push(...result.failed);
    }
    if (pending !== undefined) return Promise.all(pending).then(() => accepted(exchange, params, failed));
    return accepted(exchange, params, failed);
  };
}

type Mutable<T> = { -readonly [Key in keyof T]: T[Key] };

type GroupReader = (exchange: Exchange) => GroupResult | Promise<GroupResult>;

interface PlacedReader {
  readonly key: keyof Params;
  readonly read: GroupReader;
}

interface GroupResult {
  readonly values: Values;
  readonly failed: readonly FailedField[];
}

/** The parameters, or one error for all that is wrong with them, in the order of the places. */
function accepted(exchange: Exchange, params: Params, failed: readonly FailedField[]): Params {
  if (failed.length === 0) return params;
  const fields = failed
    .toSorted((a, b) => PLACES.indexOf(a.in ?? "") - PLACES.indexOf(b.in ?? ""))
    .slice(0, MAX_FIELDS);
  const error = ValidationFailed.withDetails({ fields });
  events.emit("http.request.params.invalid", { ...exchange.facts(), error });
  throw error;
}

const PLACES = ["path", "query", "header", "cookie"] as readonly string[];

function attempt(read: GroupReader, exchange: Exchange): GroupResult | Promise<GroupResult> {
  try {
    return read(exchange);
  } catch (error) {
    if (error instanceof MalformedQuery) {
      throw BadRequest.withDetails({ reason: "malformed percent-encoding in the query" });
    }
    throw error;
  }
}

interface Parameter {
  readonly name: string;
  readonly reader: TextReader;
  readonly validate: (value: unknown) => Validation | Promise<Validation>;
}

/** The parameters of one place, if it has any. Undeclared ones exist for the path only, where they are text. */
function group(
  place: Place,
  shape: ParameterShape,
  untyped: readonly string[],
  texts: Texts,
): GroupReader | undefined {
  const parameters: Parameter[] = Object.entries(shape.fields).map(([name, schema]) => ({
    name,
    reader: readerOf(schema),
    validate: compiledFirst(schema, validator(schema)),
  }));
  const plain = untyped.filter((name) => !(name in shape.fields));
  if (parameters.length === 0 && plain.length === 0) return undefined;
  const whole = shape.whole && compiledFirst(shape.whole, validator(shape.whole));

  return (exchange) => {
    const textsOf = texts(exchange);
    const values: Record<string, unknown> = Object.create(null);
    const failed: FailedField[] = [];
    for (const name of plain) values[name] = textsOf(name)[0];
    const settle = (name: string, result: Validation) => {
      if (!result.ok) failed.push(...placed(toFields(result.issues, name), place));
      else if (result.value !== undefined) values[name] = result.value;
    };
    let pending: Promise<void>[] | undefined;
    for (const { name, reader, validate } of parameters) {
      const texts = textsOf(name);
      // A list in one header is separated by commas, as Node joins repeated headers too.
      const given = place === "header" && reader.list ? texts.flatMap(byComma) : texts;
      if (given.length > 1 && !reader.list) {
        failed.push({ field: name, message: "given more than once", in: place });
        continue;
      }
      const value = readTexts(reader, given);
      if (whole !== undefined) {
        if (value !== undefined) values[name] = value;
        continue;
      }
      const result = validate(value);
      if (!(result instanceof Promise)) settle(name, result);
      else {
        pending ??= [];
        pending.push(result.then((settled) => settle(name, settled)));
      }
    }
    if (whole !== undefined && failed.length === 0) {
      return after(whole(values), (result) => {
        if (!result.ok) return { values, failed: placed(toFields(result.issues), place) };
        // A Zod object gives an object; path parameters that it does not name stay text.
        const parsed = result.value as Values;
        return { values: plain.length === 0 ? parsed : { ...values, ...parsed }, failed };
      });
    }
    return pending === undefined ? { values, failed } : Promise.all(pending).then(() => ({ values, failed }));
  };
}

function after<T, U>(value: T | Promise<T>, next: (value: T) => U): U | Promise<U> {
  return value instanceof Promise ? value.then(next) : next(value);
}

function readTexts(reader: TextReader, given: readonly string[]): unknown {
  const [first] = given;
  if (first === undefined) return reader.absent();
  if (!reader.list) return reader.read(first);
  const items = given.map(reader.read);
  return reader.collect === undefined ? items : reader.collect(items);
}

function byComma(text: string): readonly string[] {
  return text.split(",").map((item) => item.trim());
}

function placed(fields: readonly FieldIssue[], place: Place): FailedField[] {
  return fields.map((field) => ({ ...field, in: place }));
}

/** What text cannot carry was refused when the handler was declared. */
function readerOf(schema: AnySchema): TextReader {
  return textReader(schema) ?? { list: false, read: (text) => text, absent: () => undefined };
}

/** Node joins repeated headers by commas; a list is what it was before that. */
function headerTexts(request: Exchange["request"], name: string): readonly string[] {
  const key = name.toLowerCase();
  const held = request.headersDistinct;
  return Object.hasOwn(held, key) ? (held[key] ?? []) : [];
}
