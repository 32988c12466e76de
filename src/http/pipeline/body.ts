/**
 * Step: the declared body, from bytes to a validated value. A body that the application's middleware has already parsed
 * is only decoded and validated.
 */
import type { Request } from "express";
import { after, isObject } from "../../core/values.js";
import { toFields } from "../../schema/issues.js";
import { UnprocessableEntity, UnsupportedMediaType, ValidationFailed } from "../contract/errors.js";
import { events } from "../contract/events.js";
import type { CompiledBody } from "./endpoint.js";
import type { Exchange } from "./exchange.js";
import { parseJson } from "./json-text.js";
import { endsEmpty, readBody } from "./read-body.js";

/** The body of the exchange; a promise unless it is already parsed, or is missing and may be. @throws HttpError */
export function bodyStep(exchange: Exchange, body: CompiledBody, limit: number): unknown {
  const { request, response } = exchange;
  const parsed: unknown = request.body;
  const isThere = hasBody(request);
  if (parsed !== undefined && (isThere || !isPlaceholder(parsed))) return validated(exchange, body, parsed);
  if (!isThere) return missing(exchange, body);
  if (isJson(request)) {
    return readBody(request, response, limit).then((bytes) =>
      bytes.length === 0 ? missing(exchange, body) : validated(exchange, body, parsedFrom(exchange, bytes)),
    );
  }
  if (request.headers["content-length"] !== undefined) throw UnsupportedMediaType;
  // Only reading shows whether a chunked body is empty.
  return endsEmpty(request).then((isEmpty) => {
    if (isEmpty) return missing(exchange, body);
    throw UnsupportedMediaType;
  });
}

/** The value of a missing body. @throws HttpError if a body is required */
function missing(exchange: Exchange, body: CompiledBody): unknown {
  if (!body.mayBeMissing) throw unreadable(exchange);
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

function validated(exchange: Exchange, body: CompiledBody, value: unknown): unknown {
  const decoded = body.decode === undefined ? value : body.decode(value);
  return after(body.validate(decoded), (result) => {
    if (result.ok) return result.value;
    const error = ValidationFailed.withDetails({ fields: toFields(result.issues) });
    events.emit("http.request.validation.input.failed", { ...exchange.facts(), error });
    throw error;
  });
}

function unreadable(exchange: Exchange, cause?: unknown): Error {
  const error = UnprocessableEntity.withMessage("invalid request body").withCause(cause);
  events.emit("http.request.body.parse.error", { ...exchange.facts(), error });
  return error;
}

/** RFC 9112: a request has a body if it has a length or a transfer coding. */
function hasBody({ headers }: Request): boolean {
  return headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0;
}

const JSON_TYPE = /^application\/(?:json|[!#$&^_.+\-a-z0-9]+\+json)$/;

/** `application/json` or `application/*+json`, in UTF-8, without a content encoding. */
function isJson({ headers }: Request): boolean {
  const given = headers["content-type"] ?? "";
  const encoding = headers["content-encoding"];
  if (given === "application/json" && encoding === undefined) return true;
  if (encoding !== undefined && encoding.trim().toLowerCase() !== "identity") return false;
  const [type = "", ...parameters] = unquotedParts(given);
  if (!JSON_TYPE.test(type.trim().toLowerCase())) return false;
  return parameters.every((parameter) => {
    const [name = "", value = ""] = parameter.split("=");
    if (name.trim().toLowerCase() !== "charset") return true;
    return /^"?utf-?8"?$/.test(value.trim().toLowerCase().replaceAll("\\", ""));
  });
}

/** A field split at its semicolons; those in a quoted string do not split it (RFC 9110, 5.6.4). */
function unquotedParts(field: string): readonly string[] {
  const parts: string[] = [];
  let start = 0;
  let isQuoted = false;
  for (let i = 0; i < field.length; i++) {
    const character = field[i];
    if (character === '"') isQuoted = !isQuoted;
    else if (character === "\\" && isQuoted) i++;
    else if (character === ";" && !isQuoted) {
      parts.push(field.slice(start, i));
      start = i + 1;
    }
  }
  parts.push(field.slice(start));
  return parts;
}
