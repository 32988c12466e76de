/**
 * Step: the answer. Outputs and errors are JSON, written in one piece with their length.
 */

import { createHash } from "node:crypto";
import type { Response } from "express";
import { ignore } from "../../core/values.js";
import { type AnyHttpError, errorBody, InternalServer } from "../contract/errors.js";
import { type AnyOptions, BODYLESS } from "../contract/options.js";
import { encodeOutput } from "./encode.js";
import { type Endpoint, errorKey } from "./endpoint.js";
import { type Exchange, NO_SNIFFING, toError } from "./exchange.js";
import { outputText } from "./output-text.js";

const JSON_TYPE = "application/json; charset=utf-8";

/** A success. @throws the error that makes the output impossible to write, before anything is written */
export function writeOutput(
  exchange: Exchange,
  endpoint: Endpoint,
  output: unknown,
): Promise<void> | undefined {
  const { response } = exchange;
  const { options } = endpoint.handler;
  if (BODYLESS.has(options.status)) {
    exchange.noSniffing();
    setHeaders(response, headersOf(options.responseHeaders, output));
    response.statusCode = options.status;
    response.end();
    return undefined;
  }
  const encoded = encodeOutput(exchange, endpoint.output, output === undefined ? null : output);
  if (encoded instanceof Promise)
    return encoded.then((value) => writeEncoded(exchange, options, output, value));
  writeEncoded(exchange, options, output, encoded);
  return undefined;
}

function writeEncoded(exchange: Exchange, options: AnyOptions, output: unknown, encoded: unknown): void {
  const { response, request } = exchange;
  const text = outputText(encoded, options.output !== undefined) ?? "null";
  if (options.responseHeaders !== undefined) setHeaders(response, headersOf(options.responseHeaders, output));
  if (options.etag) {
    const tag = `"${createHash("sha256").update(text).digest("base64url").slice(0, 27)}"`;
    // A weak tag: compression changes the bytes of the answer, but keeps the tag (RFC 9110, 8.8.1).
    response.setHeader("ETag", `W/${tag}`);
    if (request.method === "GET" || request.method === "HEAD") {
      if (matches(request.headers["if-none-match"], tag)) {
        exchange.noSniffing();
        response.statusCode = 304;
        response.end();
        return;
      }
    }
  }
  send(exchange, options.status, text);
}

/** Writes an error as the common body of all errors. */
export function writeError(exchange: Exchange, error: AnyHttpError): void {
  if (error.status >= 500) exchange.failure ??= error;
  let body: string;
  try {
    body = outputText(errorBody(error), error.definition.details !== undefined) ?? "null";
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
  send(exchange, error.status, body);
}

function send(exchange: Exchange, status: number, text: string): void {
  const { response, runtime, responseExposed } = exchange;
  if (!responseExposed && !runtime.closing.aborted) {
    // No other code reads the headers: they need not be set on the response.
    response.writeHead(status, {
      "Content-Type": JSON_TYPE,
      "Content-Length": Buffer.byteLength(text),
      [NO_SNIFFING.name]: NO_SNIFFING.value,
    });
    response.end(text);
    return;
  }
  exchange.noSniffing();
  response.statusCode = status;
  response.setHeader("Content-Type", JSON_TYPE);
  response.setHeader("Content-Length", Buffer.byteLength(text));
  if (runtime.closing.aborted) response.setHeader("Connection", "close");
  response.end(text);
}

type DeclaredHeaders =
  | Readonly<Record<string, string>>
  | ((output: unknown) => Readonly<Record<string, string>>)
  | undefined;

function headersOf(declared: DeclaredHeaders, output: unknown): Readonly<Record<string, string>> {
  if (typeof declared !== "function") return declared ?? {};
  const given: unknown = declared(output);
  if (!(given instanceof Promise)) return given as Readonly<Record<string, string>>;
  // No other code awaits it: its rejection would end the process.
  given.catch(ignore);
  throw new TypeError("responseHeaders returned a promise; it returns the headers themselves");
}

/** Sets all headers or, if Node refuses one, none of them. */
export function setHeaders(response: Response, headers: object): void {
  const names: string[] = [];
  try {
    for (const [name, value] of Object.entries(headers)) {
      response.setHeader(name, value);
      names.push(name);
    }
  } catch (error) {
    for (const name of names) response.removeHeader(name);
    throw error;
  }
}

/**
 * Whether a client has the answer with this tag. Express' `request.fresh` is false for every request with
 * `Cache-Control: no-cache`, which Node's `fetch` adds to each request with an `If-None-Match`.
 */
function matches(header: string | undefined, tag: string): boolean {
  if (header === undefined) return false;
  return header.split(",").some((given) => given.trim() === "*" || given.trim().replace(/^W\//, "") === tag);
}

/** `Retry-After` is in whole seconds. */
function retryAfter(error: AnyHttpError): number | undefined {
  if (error.status !== 429 && error.status !== 503) return undefined;
  const { details } = error;
  if (typeof details !== "object" || details === null || !("retry_after" in details)) return undefined;
  const seconds = details.retry_after;
  return typeof seconds === "number" && seconds >= 0 ? Math.ceil(seconds) : undefined;
}
