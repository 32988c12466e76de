/**
 * The whole course of a request: engine middleware, the route, handler middleware, access, parameters, body, the
 * handler's function, its answer. The steps run in the order of the lines; each has its own file.
 */
import type { NextFunction, Request, RequestHandler, Response } from "express";
import { after } from "../../core/values.js";
import { BadRequest, HttpError, MethodNotAllowed, NotFound } from "../contract/errors.js";
import { bodyStep } from "../input/body.js";
import { accessStep } from "./access.js";
import { type Context, callOf } from "./call.js";
import type { Endpoint } from "./endpoint.js";
import { Exchange, type Runtime, toError } from "./exchange.js";
import { runHandler } from "./invoke.js";
import { allowed, type ByMethod, endpointFor, type Located, locate } from "./locate.js";
import { mappedError } from "./map-error.js";
import { LEAVES_ENGINE, LEAVES_HANDLER, LEFT, runMiddleware } from "./middleware.js";
import { failureOf, givenOf, outcomeOf } from "./outcome.js";
import { otherStatus, ownStatus } from "./own-status.js";
import type { RequestParams } from "./parameters.js";
import { Precondition } from "./precondition.js";
import { refusalOf } from "./refusal.js";
import type { Routes } from "./routes.js";
import { streamStep } from "./stream.js";
import { useStep } from "./uses.js";
import { writeError, writeOutput } from "./write.js";

/** The entry point of an engine. With `next`, unknown paths are passed on to it. */
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
  // RFC 10008: what a QUERY of this path may send.
  const query = located.methods.get("QUERY");
  if (query !== undefined) exchange.response.setHeader("Accept-Query", query.body?.types.join(", ") ?? "");
  if (located.malformed !== undefined) {
    fail(exchange, malformed(located.malformed));
    return;
  }
  // Other code reads from the response the headers that will be sent.
  if (exchange.responseExposed) exchange.expose();
  const { request, response } = exchange;
  const { methods, values, segments } = located;
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
  exchange.mappable = endpoint.mappable;
  exchange.pathValues = values;
  exchange.segments = segments;
  if (endpoint.isNegotiated) response.vary("Accept");
  const refuse = (thrown: unknown) => (thrown === LEFT ? leave(exchange, next) : fail(exchange, thrown));
  try {
    const answering = answer(exchange, endpoint);
    if (answering instanceof Promise) answering.catch(refuse);
  } catch (thrown) {
    // In a later turn, like failures of asynchronous handlers: the handler's output is sent before the cut.
    Promise.reject(thrown).catch(refuse);
  }
}

/** Passes on a request that this engine does not answer. */
function leave(exchange: Exchange, next: NextFunction | undefined): void {
  if (exchange.answered) return;
  if (next !== undefined) next();
  else fail(exchange, NotFound);
}

/**
 * Answers an exchange whose endpoint is known. It waits only if a step must wait: a handler that returns its value
 * answers in the same turn of the event loop. @throws the failure, before an answer has begun or after
 */
function answer(exchange: Exchange, endpoint: Endpoint): Promise<void> | void {
  const { middleware, authentication } = endpoint.handler.options;
  if (middleware.length === 0 && authentication === false) return handle(exchange, endpoint);
  return admit(exchange, endpoint).then((admitted) => (admitted ? handle(exchange, endpoint) : undefined));
}

/** The handler's middleware and access; `false` if the middleware has answered. @throws the refusal */
async function admit(exchange: Exchange, { handler: { options } }: Endpoint): Promise<boolean> {
  if (options.middleware.length > 0) {
    exchange.expose();
    const wasRead = exchange.request.readableDidRead;
    try {
      await runMiddleware(exchange, options.middleware, LEAVES_HANDLER);
      exchange.readByHandler = !wasRead;
    } catch (thrown) {
      const isUnknown = thrown !== LEFT && !HttpError.is(thrown);
      throw (isUnknown ? mappedError(exchange, thrown) : undefined) ?? thrown;
    }
    if (exchange.answered) return false;
  }
  if (options.authentication !== false) exchange.identity = await accessStep(exchange, options);
  return true;
}

/** Parameters, the functions of groups, body, the handler's function, its answer. */
function handle(exchange: Exchange, endpoint: Endpoint): Promise<void> | void {
  const { uses, ifMatch } = endpoint.handler.options;
  if (ifMatch !== false)
    exchange.precondition = new Precondition(exchange.request.headers["if-match"], ifMatch === "required");
  // A request that takes none of the forms of the only success is refused before the function runs.
  if (endpoint.success?.isNegotiated === true) endpoint.success.kind?.(exchange.request);
  return after(endpoint.parameters(exchange), (params) => {
    if (uses === undefined) return work(exchange, endpoint, params, undefined);
    return useStep(exchange, endpoint, uses, params).then((context) =>
      context === undefined ? undefined : work(exchange, endpoint, params, context),
    );
  });
}

/** Body, the handler's function, its answer. */
function work(
  exchange: Exchange,
  endpoint: Endpoint,
  params: RequestParams,
  context: Context | undefined,
): Promise<void> | void {
  const { maxBodySize } = endpoint.handler.options;
  return after(endpoint.body && bodyStep(exchange, endpoint.body, maxBodySize), (body) => {
    const call = callOf(exchange, params, body, fail, context);
    if (endpoint.streamed !== undefined) return streamStep(exchange, endpoint, endpoint.streamed, call);
    const before = ownStatus(exchange);
    return after(runHandler(exchange, endpoint, call), (given) =>
      conclude(exchange, endpoint, before, given),
    );
  });
}

/** The answer to the handler's result. */
function conclude(
  exchange: Exchange,
  endpoint: Endpoint,
  before: number | undefined,
  given: unknown,
): Promise<void> | void {
  if (exchange.answered) return;
  const outcome = outcomeOf(exchange, endpoint, given);
  if (outcome.error !== undefined) return writeError(exchange, outcome.error);
  exchange.precondition?.settle();
  const answer = givenOf(endpoint, outcome.output);
  const other = otherStatus(exchange, before, answer.success.status);
  if (other !== undefined) throw other;
  return writeOutput(exchange, endpoint, answer);
}

/** Answers with an error: an `HttpError` unchanged, everything else as a bare 500. */
function fail(exchange: Exchange, thrown: unknown): void {
  const error = failureOf(exchange, thrown);
  if (exchange.answered) {
    // It is too late for an error answer. The answer that has begun must not look complete.
    exchange.failure = toError(thrown);
    exchange.report(thrown);
    if (exchange.response.writableEnded) return;
    if (!exchange.isAbort(thrown)) exchange.cutFor = thrown;
    exchange.response.destroy();
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
