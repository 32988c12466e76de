/**
 * Step: the declared path, query, header and cookie parameters, from text to validated values. One answer reports all
 * their faults, before the body is read.
 */
import { after } from "../../core/values.js";
import { type FieldIssue, MAX_FIELDS, toFields } from "../../schema/issues.js";
import { readerOf } from "../../schema/reader/reader-of.js";
import type { AnySchema } from "../../schema/schema-reader.js";
import type { TextReader } from "../../schema/text-values.js";
import type { Validation } from "../../schema/validate.js";
import { BadRequest, type FailedField, ValidationFailed } from "../contract/errors.js";
import { events } from "../contract/events.js";
import type { AnyOptions, ParameterShape } from "../contract/options.js";
import { namesOf, type Segment } from "../contract/path.js";
import type { Exchange } from "./exchange.js";
import {
  cookieTextsOf,
  headerTextsOf,
  type PlaceTexts,
  pathTextsOf,
  queryTextsOf,
  type TextsOf,
} from "./parameter-texts.js";
import { MalformedQuery } from "./query.js";

/** The validated parameters of a call. */
export interface RequestParams {
  readonly path: Values;
  readonly query: Values;
  readonly headers: Values;
  readonly cookies: Values;
}

type Values = Readonly<Record<string, unknown>>;

/** Reads all parameters of an exchange. @throws HttpError */
export type ParameterReader = (exchange: Exchange) => Promise<RequestParams> | RequestParams;

type Place = "path" | "query" | "header" | "cookie";

const NONE: Values = Object.freeze(Object.create(null));

/** Compiles the parameters of a handler; places without any cost nothing. @param base the number of segments before the template */
export function parameterReader(
  options: AnyOptions,
  template: readonly Segment[],
  { base, strictQuery }: { readonly base: number; readonly strictQuery: boolean },
): ParameterReader {
  const readers: PlacedReader[] = [];
  const place = (key: keyof RequestParams, read: GroupReader | undefined) => {
    if (read !== undefined) readers.push({ key, read });
  };
  place("path", group("path", options.path, namesOf(template), pathTextsOf(template, base)));
  place(
    "query",
    group("query", strictQuery ? { ...options.query, strict: true } : options.query, [], queryTextsOf),
  );
  place("headers", group("header", options.headers, [], headerTextsOf));
  place("cookies", group("cookie", options.cookies, [], cookieTextsOf));

  return (exchange) => {
    const params: Mutable<RequestParams> = { path: NONE, query: NONE, headers: NONE, cookies: NONE };
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
  readonly key: keyof RequestParams;
  readonly read: GroupReader;
}

interface GroupResult {
  readonly values: Values;
  readonly failed: readonly FailedField[];
}

/** The parameters, or one error for all their faults, in the order of the places. */
function accepted(exchange: Exchange, params: RequestParams, failed: readonly FailedField[]): RequestParams {
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

/** The parameters of one place, if it has any. Undeclared ones exist only for the path, as text. */
function group(
  place: Place,
  shape: ParameterShape,
  untyped: readonly string[],
  textsOf: TextsOf,
): GroupReader | undefined {
  const parameters: Parameter[] = Object.entries(shape.fields).map(([name, schema]) => ({
    name,
    reader: textReaderOf(schema),
    validate: readerOf(schema).valueValidator(),
  }));
  const plain = untyped.filter((name) => !(name in shape.fields));
  if (parameters.length === 0 && plain.length === 0 && shape.strict !== true) return undefined;
  const whole = shape.whole && readerOf(shape.whole).valueValidator();

  return (exchange) => {
    const texts = textsOf(exchange);
    const values: Record<string, unknown> = Object.create(null);
    const failed: FailedField[] = shape.strict ? undeclared(texts, shape, place) : [];
    for (const name of plain) values[name] = texts.of(name, false)?.[0];
    const settle = (name: string, result: Validation) => {
      if (!result.ok) failed.push(...placed(toFields(result.issues, name), place));
      else if (result.value !== undefined) values[name] = result.value;
    };
    let pending: Promise<void>[] | undefined;
    for (const { name, reader, validate } of parameters) {
      const given = texts.of(name, reader.many);
      if (given !== undefined && given.length > 1 && !reader.many) {
        failed.push({ field: name, message: "given more than once", in: place });
        continue;
      }
      const value = given === undefined ? reader.absent() : reader.read(given);
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
        // A Zod object returns an object; path parameters that it does not name stay text.
        const parsed = result.value as Values;
        return { values: plain.length === 0 ? parsed : { ...values, ...parsed }, failed };
      });
    }
    return pending === undefined ? { values, failed } : Promise.all(pending).then(() => ({ values, failed }));
  };
}

/** The names that a strict object refuses. */
function undeclared({ names = [] }: PlaceTexts, { fields }: ParameterShape, place: Place): FailedField[] {
  const issues = [...names]
    .filter((name) => !Object.hasOwn(fields, name))
    .map((name) => ({ path: [name], message: "not declared" }));
  return placed(toFields(issues), place);
}

function placed(fields: readonly FieldIssue[], place: Place): FailedField[] {
  return fields.map((field) => ({ ...field, in: place }));
}

/** A type that text cannot carry was refused when the handler was declared. */
function textReaderOf(schema: AnySchema): TextReader {
  return (
    readerOf(schema).textReader() ?? {
      many: false,
      read: ([text]) => text,
      absent: () => undefined,
      required: false,
    }
  );
}
