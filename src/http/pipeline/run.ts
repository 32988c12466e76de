/**
 * A request from front to back: engine middleware, the route, handler middleware, access, parameters, body, the
 * handler's function, its answer. The order of the steps is the order of the lines; each is a file of its own.
 */
import type { NextFunction, Request, RequestHandler, Response } from "express";
import { BadRequest, HttpError, MethodNotAllowed, NotFound } from "../contract/errors.js";
import { accessStep } from "./access.js";
import { bodyStep } from "./body.js";
import { RuntimeCall } from "./call.js";
import type { Endpoint } from "./endpoint.js";
import { Exchange, type Runtime, toError } from "./exchange.js";
import { runHandler } from "./invoke.js";
import { allowed, type ByMethod, endpointFor, type Located, locate } from "./locate.js";
import { mappedError } from "./map-error.js";
import { LEAVES_ENGINE, LEAVES_HANDLER, LEFT, runMiddleware } from "./middleware.js";
import { failureOf, outcomeOf } from "./outcome.js";
import { otherStatus, ownStatus } from "./own-status.js";
import { refusalOf } from "./refusal.js";
import type { Routes } from "./routes.js";
import { streamStep } from "./stream.js";
import { writeError, writeOutput } from "./write.js";

/** An engine's door. With `next`, unknown paths are handed on to it. */
export type Dispatch = (request: Request, response: Response, next?: NextFunction) => void;

/** The pipeline of an engine. */
export function dispatcher(
  routes: Routes<ByMethod>,
  middleware: readonly RequestHandler[],
  runtime: Runtime,
): Dispatch {
  return (request, response, next) => {
    const exchange = new Exchange(request, response, runtime);
    const { url } = request;
    const located = locate(routes, url);
    const owned = next === undefined || located.found;
    if (owned) {
      const endpoint = located.found ? endpointFor(located.methods, request.method) : undefined;
      exchange.handlerName = endpoint?.handler.name;
      exchange.route = endpoint?.route;
      exchange.begin();
    }
    exchange.responseExposed = next !== undefined || middleware.length > 0;
    exchange.statusAtFirst = ownStatus(exchange);
    if (middleware.length === 0) {
      enter(exchange, located, next);
      return;
    }
    if (owned) exchange.expose();
    // Methods of Express' response report their failures here.
    request.next ??= (error?: unknown) => fail(exchange, refusalOf(error ?? NotFound, response));
    runMiddleware(exchange, middleware, LEAVES_ENGINE).then(
      () => {
        if (exchange.answered) return;
        // Middleware may have rewritten the URL.
        const now = request.url === url ? located : locate(routes, request.url);
        if (now.found && !owned) exchange.begin();
        enter(exchange, now, next);
      },
      (thrown: unknown) => (thrown === LEFT ? leave(exchange, next) : fail(exchange, thrown)),
    );
  };
}

/** Answers a located exchange; never throws. */
function enter(exchange: Exchange, located: Located, next: NextFunction | undefined): void {
  if (!located.found) {
    if (next === undefined && located.malformed !== undefined) fail(exchange, malformed(located.malformed));
    else leave(exchange, next);
    return;
  }
  if (located.malformed !== undefined) {
    fail(exchange, malformed(located.malformed));
    return;
  }
  // Other holders of the response read the headers that will be sent.
  if (exchange.responseExposed) exchange.expose();
  const { request, response } = exchange;
  const { methods, values } = located;
  const endpoint = endpointFor(methods, request.method);
  if (endpoint === undefined) {
    response.setHeader("Allow", allowed(methods));
    if (request.method !== "OPTIONS") {
      fail(exchange, MethodNotAllowed);
      return;
    }
    exchange.noSniffing();
    response.statusCode = 204;
    response.end();
    return;
  }
  exchange.handlerName = endpoint.handler.name;
  exchange.route = endpoint.route;
  exchange.declared = endpoint.declared;
  exchange.pathValues = values;
  answer(exchange, endpoint).catch((thrown: unknown) =>
    thrown === LEFT ? leave(exchange, next) : fail(exchange, thrown),
  );
}

/** Hands on a request that this engine does not answer. */
function leave(exchange: Exchange, next: NextFunction | undefined): void {
  if (exchange.answered) return;
  if (next !== undefined) next();
  else fail(exchange, NotFound);
}

/** Answers an exchange whose endpoint is known. @throws what went wrong, before an answer has begun or after */
async function answer(exchange: Exchange, endpoint: Endpoint): Promise<void> {
  const { options } = endpoint.handler;

  if (options.middleware.length > 0) {
    exchange.expose();
    try {
      await runMiddleware(exchange, options.middleware, LEAVES_HANDLER);
    } catch (thrown) {
      const isUnknown = thrown !== LEFT && !HttpError.is(thrown);
      throw (isUnknown ? mappedError(exchange, thrown) : undefined) ?? thrown;
    }
    if (exchange.answered) return;
  }
  if (options.authentication !== false) exchange.identity = await accessStep(exchange, options);
  const read = endpoint.parameters(exchange);
  const params = read instanceof Promise ? await read : read;
  const limit = options.maxBodySize ?? exchange.runtime.maxBodySize;
  const body = endpoint.body && (await bodyStep(exchange, endpoint.body, limit));
  const call = new RuntimeCall(exchange, params, body, fail);
  if (endpoint.streamed !== undefined) return streamStep(exchange, endpoint, endpoint.streamed, call);
  const before = ownStatus(exchange);
  const given = await runHandler(exchange, endpoint, call);
  if (exchange.answered) return;
  const outcome = outcomeOf(exchange, endpoint, given);
  if (outcome.error !== undefined) writeError(exchange, outcome.error);
  else {
    const other = otherStatus(exchange, before, options.status);
    if (other !== undefined) throw other;
    const writing = writeOutput(exchange, endpoint, outcome.output);
    if (writing !== undefined) await writing;
  }
}

/** Answers with an error: an `HttpError` as it is, everything else as a bare 500. */
function fail(exchange: Exchange, thrown: unknown): void {
  const error = failureOf(exchange, thrown);
  if (exchange.answered) {
    // Too late for an error answer; the answer that has begun must not look complete.
    exchange.failure = toError(thrown);
    exchange.report(thrown);
    if (!exchange.response.writableEnded) exchange.response.destroy();
    return;
  }
  try {
    writeError(exchange, error);
  } catch (cause) {
    exchange.failure = toError(cause);
    exchange.response.destroy();
  }
}

function malformed(reason: string): Error {
  return BadRequest.withDetails({ reason });
}
