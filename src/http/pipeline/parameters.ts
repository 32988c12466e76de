/**
 * Step: the declared path, query, header and cookie parameters, from text to validated values. One answer reports all
 * their faults, before the body is read.
 */
import { MAX_FIELDS } from "../../schema/issues.js";
import { BadRequest, type FailedField, ValidationFailed } from "../contract/errors.js";
import { events } from "../contract/events.js";
import type { ParameterShape } from "../contract/kind.js";
import type { AnyOptions } from "../contract/options.js";
import { namesOf, type Segment } from "../contract/path.js";
import { type FieldValues, fieldsReader, type NamedValues, type RequestPlace } from "../input/fields.js";
import { MalformedQuery } from "../input/query.js";
import { stylesText } from "../input/styles.js";
import type { Exchange } from "./exchange.js";
import { cookieTextsOf, headerTextsOf, pathTextsOf, queryTextsOf, type TextsOf } from "./parameter-texts.js";

/** The validated parameters of a call. */
export interface RequestParams {
  readonly path: NamedValues;
  readonly query: NamedValues;
  readonly headers: NamedValues;
  readonly cookies: NamedValues;
}

/** Reads all parameters of an exchange. @throws HttpError */
export type ParameterReader = (exchange: Exchange) => Promise<RequestParams> | RequestParams;

const NONE: NamedValues = Object.freeze(Object.create(null));

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

  const { styles } = options.query;
  const written = styles && stylesText(styles);
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
    if (pending !== undefined)
      return Promise.all(pending).then(() => accepted(exchange, params, failed, written));
    return accepted(exchange, params, failed, written);
  };
}

type Mutable<T> = { -readonly [Key in keyof T]: T[Key] };

type GroupReader = (exchange: Exchange) => FieldValues | Promise<FieldValues>;

interface PlacedReader {
  readonly key: keyof RequestParams;
  readonly read: GroupReader;
}

/** The parameters, or one error for all their faults, in the order of the places. */
function accepted(
  exchange: Exchange,
  params: RequestParams,
  failed: readonly FailedField[],
  styles: string | undefined,
): RequestParams {
  if (failed.length === 0) return params;
  // Our client writes its query again in these styles.
  if (styles !== undefined) exchange.response.setHeader("Query-Styles", styles);
  const fields = failed
    .toSorted((a, b) => PLACES.indexOf(a.in ?? "") - PLACES.indexOf(b.in ?? ""))
    .slice(0, MAX_FIELDS);
  const error = ValidationFailed.withDetails({ fields });
  events.emit("http.request.params.invalid", exchange.facts({ error }));
  throw error;
}

const PLACES = ["path", "query", "header", "cookie"] as readonly string[];

function attempt(read: GroupReader, exchange: Exchange): FieldValues | Promise<FieldValues> {
  try {
    return read(exchange);
  } catch (error) {
    if (error instanceof MalformedQuery) {
      throw BadRequest.withDetails({ reason: "malformed percent-encoding in the query" });
    }
    throw error;
  }
}

/** The parameters of one place, if it has any. Undeclared ones exist only for the path, as text. */
function group(
  place: RequestPlace,
  shape: ParameterShape,
  untyped: readonly string[],
  textsOf: TextsOf,
): GroupReader | undefined {
  const read = fieldsReader(place, shape, untyped);
  return read && ((exchange) => read(textsOf(exchange)));
}
