/**
 * Step: what a handler gave, or what went wrong, as an output or an error that may be shown.
 */
import {
  type AnyHttpError,
  BadRequest,
  HttpError,
  InternalServer,
  PayloadTooLarge,
  UnprocessableEntity,
  UnsupportedMediaType,
} from "../errors.js";
import { events } from "../events.js";
import { type Endpoint, errorKey } from "./endpoint.js";
import type { Exchange } from "./exchange.js";

/** An output, or an error to answer with. */
export interface Outcome {
  readonly error?: AnyHttpError;
  /** A declared error is the handler's own. */
  readonly origin?: "handler" | "engine";
  readonly output?: unknown;
}

/** What the handler gave: an undeclared error is hidden behind a bare 500. */
export function outcomeOf(exchange: Exchange, endpoint: Endpoint, given: unknown): Outcome {
  if (!HttpError.is(given)) return { output: given };
  const facts = { ...exchange.facts(), error: given, statusCode: given.status };
  if (endpoint.declared.has(errorKey(given))) {
    events.emit("http.handler.sentinel.error", facts);
    exchange.failure = given;
    return { error: given, origin: "handler" };
  }
  events.emit("http.handler.sentinel.undeclared", facts);
  exchange.failure = given;
  return { error: InternalServer };
}

/** What was thrown in a step or in middleware: an `HttpError` is meant for the client, nothing else is. */
export function failureOf(exchange: Exchange, thrown: unknown): AnyHttpError {
  if (HttpError.is(thrown)) return thrown;
  exchange.failure = thrown;
  return parserError(thrown) ?? InternalServer;
}

/** The refusals of Express' body parsers and of multer, where they run as middleware. */
function parserError(thrown: unknown): AnyHttpError | undefined {
  if (!(thrown instanceof Error)) return undefined;
  if (thrown.name === "MulterError") {
    return "code" in thrown && TOO_LARGE.has(String(thrown.code)) ? PayloadTooLarge : BadRequest;
  }
  if (!("type" in thrown)) return undefined;
  switch (thrown.type) {
    case "entity.parse.failed":
    case "entity.verify.failed":
      return UnprocessableEntity.withMessage("invalid request body");
    case "entity.too.large":
      return "limit" in thrown && typeof thrown.limit === "number"
        ? PayloadTooLarge.withDetails({ max_size: thrown.limit })
        : PayloadTooLarge;
    case "charset.unsupported":
    case "encoding.unsupported":
      return UnsupportedMediaType;
    case "request.aborted":
    case "request.size.invalid":
      return BadRequest;
    default:
      return undefined;
  }
}

const TOO_LARGE = new Set(["LIMIT_FILE_SIZE", "LIMIT_FIELD_VALUE", "LIMIT_PART_COUNT", "LIMIT_FILE_COUNT"]);
