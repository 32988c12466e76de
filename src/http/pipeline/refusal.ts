/**
 * Refusals of Express middleware, in the form of all errors. Middleware refuses with an error that has a 4xx status, as
 * `http-errors` makes them, or with a code of multer. Every other error is a failure.
 */
import { STATUS_CODES } from "node:http";
import type { Response } from "express";
import {
  type AnyHttpError,
  BadRequest,
  Conflict,
  defineError,
  Forbidden,
  HttpError,
  MethodNotAllowed,
  NotFound,
  PayloadTooLarge,
  RangeNotSatisfiable,
  TooManyRequests,
  Unauthorized,
  UnprocessableEntity,
  UnsupportedMediaType,
} from "../contract/errors.js";
import { setHeaders } from "./headers.js";

/** An error that middleware throws or passes to `next`: a refusal as an `HttpError`, every other error unchanged. */
export function refusalOf(thrown: unknown, response: Response): unknown {
  if (!(thrown instanceof Error) || HttpError.is(thrown)) return thrown;
  try {
    const refusal = parserRefusal(thrown) ?? statusRefusal(thrown, response);
    return refusal?.withCause(thrown) ?? thrown;
  } catch {
    // The headers cannot be sent, or the error cannot be read.
    return thrown;
  }
}

/** `PayloadTooLarge` without details: they contain the limit, which most middleware does not report. */
const { code, status, message } = PayloadTooLarge;
const tooLarge = defineError({ code, status, message });

/** Errors of Express' body parsers and of multer, as errors of the framework. */
function parserRefusal(error: Error): AnyHttpError | undefined {
  const { code, type, limit } = given(error);
  if (error.name === "MulterError") {
    if (code === "STREAM_DESTROYED") return undefined;
    return TOO_LARGE.has(code) ? tooLarge : BadRequest;
  }
  // The parser's own message quotes the body.
  if (type === "entity.parse.failed") return UnprocessableEntity.withMessage("invalid request body");
  if (type === "entity.too.large" && typeof limit === "number") {
    return PayloadTooLarge.withDetails({ max_size: limit });
  }
  return undefined;
}

const TOO_LARGE = new Set<unknown>([
  "LIMIT_FILE_SIZE",
  "LIMIT_FILE_COUNT",
  "LIMIT_FIELD_KEY",
  "LIMIT_FIELD_VALUE",
  "LIMIT_FIELD_COUNT",
  "LIMIT_PART_COUNT",
]);

/** `http-errors` with a 4xx status: the message only if it is meant to be exposed, and the headers if there are any. */
function statusRefusal(error: Error, response: Response): AnyHttpError | undefined {
  const { status, statusCode, expose, headers } = given(error);
  const code = status ?? statusCode;
  if (typeof code !== "number" || !Number.isInteger(code) || code < 400 || code > 499) return undefined;
  if (typeof headers === "object" && headers !== null) setHeaders(response, Object.entries(headers));
  const refusal = BUILT_IN.get(code) ?? namedBy(code);
  return expose === true ? refusal.withMessage(error.message) : refusal;
}

const BUILT_IN: ReadonlyMap<number, AnyHttpError> = new Map(
  [
    BadRequest,
    Unauthorized,
    Forbidden,
    NotFound,
    MethodNotAllowed,
    Conflict,
    tooLarge,
    UnsupportedMediaType,
    RangeNotSatisfiable,
    UnprocessableEntity,
    TooManyRequests,
  ].map((error) => [error.status, error]),
);

/** An error for a status without a built-in error, named by HTTP's name of the status. */
function namedBy(status: number): AnyHttpError {
  const words = STATUS_CODES[status] ?? "Bad Request";
  const code = words.toUpperCase().replaceAll(/[^A-Z]+/g, "_");
  return defineError({ code, status, message: words.toLowerCase() });
}

/** The properties of such an error, all of them `unknown`. */
function given(error: Error): Readonly<Record<string, unknown>> {
  return error as Error & Readonly<Record<string, unknown>>;
}
