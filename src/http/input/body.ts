/**
 * Step: the declared body, from bytes to a validated value. A body that the application's middleware has already parsed
 * is only decoded and validated.
 */
import type { Request } from "express";
import { after, isObject } from "../../core/values.js";
import { toFields } from "../../schema/issues.js";
import { UnsupportedMediaType } from "../contract/errors.js";
import type { Exchange } from "../pipeline/exchange.js";
import { unfit, unreadable } from "./body-error.js";
import type { CompiledBodies, CompiledJson, CompiledKind } from "./compile.js";
import { parseJson } from "./json-text.js";
import { givenForm, readKind } from "./kinds.js";
import { chosenBy, isJson } from "./media-type.js";
import { endsEmpty, readBody } from "./read-body.js";

/**
 * The body of the exchange; a promise unless it is already parsed, is missing and may be, or is read by the function.
 * @param own the limit of the handler, in bytes.
 * @throws HttpError
 */
export function bodyStep(exchange: Exchange, bodies: CompiledBodies, own: number | undefined): unknown {
  const { json, kinds } = bodies;
  if (kinds.length > 0) return oneOf(exchange, bodies, own);
  if (json === undefined) return undefined;
  const { request } = exchange;
  const parsed: unknown = request.body;
  const isThere = hasBody(request);
  if (parsed !== undefined && (isThere || !isPlaceholder(parsed))) return validated(exchange, json, parsed);
  if (!isThere) return missing(exchange, json);
  if (isJson(request)) return readJson(exchange, json, own);
  return refuseType(exchange, bodies);
}

/** One of several bodies, or one that is no JSON. */
function oneOf(exchange: Exchange, bodies: CompiledBodies, own: number | undefined): unknown {
  const { json, kinds } = bodies;
  const { request } = exchange;
  const chosen = chosenBy(request, kinds);
  const isOfJson = json !== undefined && chosen?.isExact !== true && isJson(request);
  const kind = isOfJson ? undefined : chosen?.body;
  const isThere = hasBody(request);
  const parsed: unknown = request.body;
  if ((parsed !== undefined && !isPlaceholder(parsed)) || (isThere && request.readableDidRead)) {
    if (json !== undefined && (isOfJson || kind === undefined)) return validated(exchange, json, parsed);
    return given(exchange, kind ?? kinds[0], parsed);
  }
  if (kind !== undefined) return readKind(exchange, kind, own ?? kind.limit ?? exchange.runtime.maxBodySize);
  if (!isThere) return missing(exchange, json);
  if (isOfJson) return readJson(exchange, json, own);
  return refuseType(exchange, bodies);
}

/** A body of a kind that middleware has read. @throws TypeError if nothing of it is left to read */
function given(exchange: Exchange, kind: CompiledKind | undefined, parsed: unknown): unknown {
  if (kind?.facts.name === "form" && isObject(parsed)) return givenForm(exchange, kind, parsed);
  const place = exchange.readByHandler ? "the handler's option middleware" : "the engine or the application";
  throw new TypeError(
    `middleware of ${place} has read the body, which ${kind?.facts.name}() reads itself: remove it there`,
  );
}

function readJson(exchange: Exchange, json: CompiledJson, own: number | undefined): unknown {
  const { request, response, runtime } = exchange;
  return readBody(request, response, own ?? runtime.maxBodySize).then((bytes) =>
    bytes.length === 0 ? missing(exchange, json) : validated(exchange, json, parsedFrom(exchange, bytes)),
  );
}

/** A body of another type. */
function refuseType(exchange: Exchange, bodies: CompiledBodies): Promise<unknown> {
  const { request, response } = exchange;
  // RFC 9110, 15.5.16: what is taken. Our client sends its body again in the first of these forms.
  if (bodies.kinds.length > 0) response.setHeader("Accept", bodies.types.join(", "));
  if (request.headers["content-length"] !== undefined) throw UnsupportedMediaType;
  // Only reading shows whether a chunked body is empty.
  return endsEmpty(request).then((isEmpty) => {
    if (!isEmpty) throw UnsupportedMediaType;
    response.removeHeader("Accept");
    return missing(exchange, bodies.json);
  });
}

/** The value of a missing body. @throws HttpError if a body is required */
function missing(exchange: Exchange, body: CompiledJson | undefined): unknown {
  if (body?.mayBeMissing !== true) throw unreadable(exchange);
  return validated(exchange, body, undefined);
}

/** Body parsers before Express 5 leave an empty object if there is no body. */
function isPlaceholder(parsed: unknown): boolean {
  return isObject(parsed) && Object.keys(parsed).length === 0;
}

function parsedFrom(exchange: Exchange, bytes: Buffer): unknown {
  try {
    return parseJson(bytes);
  } catch (cause) {
    throw unreadable(exchange, cause);
  }
}

function validated(exchange: Exchange, body: CompiledJson, value: unknown): unknown {
  const decoded = body.decode === undefined ? value : body.decode(value);
  return after(body.validate(decoded), (result) => {
    if (result.ok) return result.value;
    throw unfit(exchange, toFields(result.issues));
  });
}

/** RFC 9112: a request has a body if it has a length or a transfer coding. */
function hasBody({ headers }: Request): boolean {
  return headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0;
}
