/**
 * Step: the answer. Outputs and errors are JSON, written in one piece with their length; other kinds are written whole or
 * as they come.
 */

import { createHash } from "node:crypto";
import { type AnyHttpError, InternalServer } from "../contract/errors.js";
import { READING } from "../contract/methods.js";
import { ANSWER_KIND, type AnswerWriter } from "./answer-kind.js";
import { encodeOutput } from "./encode.js";
import { type Endpoint, errorKey } from "./endpoint.js";
import { type Exchange, NO_SNIFFING, toError } from "./exchange.js";
import { setSuccessHeaders } from "./headers.js";
import { declaredOf } from "./invoke.js";
import { type GivenAnswer, outcomeOf } from "./outcome.js";
import { outputText } from "./output-text.js";
import { namesTag, tagOf } from "./precondition.js";
import { pump } from "./pump.js";
import { sendFile } from "./send-file.js";

const JSON_TYPE = "application/json; charset=utf-8";

/** A success. @throws the error that makes the output impossible to write, before anything is written */
export function writeOutput(
  exchange: Exchange,
  endpoint: Endpoint,
  given: GivenAnswer,
): Promise<void> | undefined {
  const { success, value } = given;
  if (success.isEmpty) {
    return done(setSuccessHeaders(exchange.response, endpoint.headers, value, given.headers), () =>
      writeEmpty(exchange, success.status),
    );
  }
  if (success.kind !== undefined) return writeKind(exchange, endpoint, given, success.kind(exchange.request));
  const encoded = encodeOutput(exchange, success.steps, value === undefined ? null : value);
  if (encoded instanceof Promise) return encoded.then((json) => writeJson(exchange, endpoint, given, json));
  return writeJson(exchange, endpoint, given, encoded);
}

/** Goes on when the headers are set; most are set at once. */
function done(headers: Promise<void> | undefined, write: () => void): Promise<void> | undefined {
  if (headers !== undefined) return headers.then(write);
  write();
  return undefined;
}

function writeEmpty(exchange: Exchange, status: number): void {
  const { response } = exchange;
  exchange.noSniffing();
  response.statusCode = status;
  response.end();
}

function writeJson(
  exchange: Exchange,
  endpoint: Endpoint,
  { success, value, headers }: GivenAnswer,
  encoded: unknown,
): Promise<void> | undefined {
  const text = outputText(encoded, success.isDeclared) ?? "null";
  return done(setSuccessHeaders(exchange.response, endpoint.headers, value, headers), () => {
    if (isKnown(exchange, endpoint, value, text)) writeEmpty(exchange, 304);
    else send(exchange, success.status, text, JSON_TYPE);
  });
}

/** An answer that is not JSON. */
function writeKind(
  exchange: Exchange,
  endpoint: Endpoint,
  { success, value, headers }: GivenAnswer,
  writer: AnswerWriter,
): Promise<void> | undefined {
  const { response } = exchange;
  if (writer.isFile) {
    return sendFile(exchange, value, async () => {
      await setSuccessHeaders(response, endpoint.headers, value, headers);
      nameKind(exchange, writer);
      exchange.noSniffing();
      response.statusCode = success.status;
    });
  }
  const whole = writer.whole(value);
  if (whole !== undefined) {
    return done(setSuccessHeaders(response, endpoint.headers, value, headers), () => {
      nameKind(exchange, writer);
      if (isKnown(exchange, endpoint, value, whole)) return writeEmpty(exchange, 304);
      exchange.responseExposed = true;
      send(exchange, success.status, whole, writer.type);
    });
  }
  const begin = async () => {
    await setSuccessHeaders(response, endpoint.headers, value, headers);
    nameKind(exchange, writer);
    exchange.noSniffing();
    response.statusCode = success.status;
    response.setHeader("Content-Type", writer.type);
    if (exchange.runtime.closing.aborted) response.setHeader("Connection", "close");
  };
  const encode = (row: unknown) => encodeOutput(exchange, success.steps, row === undefined ? null : row);
  return pump(exchange, writer.chunks(value, encode), begin).catch((thrown: unknown) => {
    if (exchange.answered) throw thrown;
    const { error } = outcomeOf(exchange, endpoint, declaredOf(exchange, thrown));
    writeError(exchange, error ?? InternalServer);
  });
}

function nameKind({ response }: Exchange, { name }: AnswerWriter): void {
  if (name !== undefined) response.setHeader(ANSWER_KIND, name);
}

/**
 * Sets the tag of an answer, if it has one, and says whether the client has it. Express' `request.fresh` is false for every
 * request with `Cache-Control: no-cache`, which Node's `fetch` adds to each request with an `If-None-Match`.
 * @throws TypeError for a function's tag that cannot be sent
 */
function isKnown(
  { request, response }: Exchange,
  { handler }: Endpoint,
  value: unknown,
  text: string | Uint8Array,
): boolean {
  const { etag } = handler.options;
  if (etag === false) return false;
  const tag =
    etag === true
      ? `"${createHash("sha256").update(text).digest("base64url").slice(0, 27)}"`
      : tagOf(etag(value));
  // That of a text is weak: compression changes the bytes of the answer, but keeps the tag (RFC 9110, 8.8.1).
  response.setHeader("ETag", etag === true ? `W/${tag}` : tag);
  const header = request.headers["if-none-match"];
  return header !== undefined && READING.has(request.method) && namesTag(header, tag, false);
}

/** Writes an error as the common body of all errors. */
export function writeError(exchange: Exchange, error: AnyHttpError): void {
  if (error.status >= 500) exchange.failure ??= error;
  let body: string;
  try {
    body =
      outputText(exchange.runtime.errorForm.body(error), error.definition.details !== undefined) ?? "null";
  } catch (cause) {
    exchange.failure = toError(cause);
    writeError(exchange, InternalServer);
    return;
  }
  if (error.status === 500) exchange.report(exchange.failure);
  const { response, runtime } = exchange;
  if (error.status === 401 && !response.hasHeader("WWW-Authenticate")) {
    response.setHeader("WWW-Authenticate", runtime.challenge);
  }
  const after = retryAfter(error);
  if (after !== undefined) response.setHeader("Retry-After", after);
  // Our client uses it to distinguish the handler's declared errors from those of the engine.
  response.setHeader("Error-Origin", exchange.declared.has(errorKey(error)) ? "handler" : "engine");
  send(exchange, error.status, body, runtime.errorForm.type);
}

function send(exchange: Exchange, status: number, text: string | Uint8Array, type: string): void {
  const { response, runtime, responseExposed } = exchange;
  if (!responseExposed && !runtime.closing.aborted) {
    // No other code reads the headers: they need not be set on the response.
    response.writeHead(status, {
      "Content-Type": type,
      "Content-Length": Buffer.byteLength(text),
      [NO_SNIFFING.name]: NO_SNIFFING.value,
    });
    response.end(text);
    return;
  }
  exchange.noSniffing();
  response.statusCode = status;
  response.setHeader("Content-Type", type);
  response.setHeader("Content-Length", Buffer.byteLength(text));
  if (runtime.closing.aborted) response.setHeader("Connection", "close");
  response.end(text);
}

/** `Retry-After` is in whole seconds. */
function retryAfter(error: AnyHttpError): number | undefined {
  if (error.status !== 429 && error.status !== 503) return undefined;
  const { details } = error;
  if (typeof details !== "object" || details === null || !("retry_after" in details)) return undefined;
  const seconds = details.retry_after;
  return typeof seconds === "number" && seconds >= 0 ? Math.ceil(seconds) : undefined;
}
