/**
 * The door of an engine: middleware, then the route, then the handler. Paths that the engine does not own are
 * handed on, or answered with 404 where nobody comes after.
 */
import type { NextFunction, Request, RequestHandler, Response } from "express";
import { BadRequest, MethodNotAllowed, NotFound } from "../errors.js";
import type { Routes } from "../routes.js";
import type { Endpoint } from "./endpoint.js";
import { Exchange, type Runtime } from "./exchange.js";
import { runMiddleware } from "./middleware.js";
import { refusalOf } from "./refusal.js";
import { fail, run } from "./run.js";

/** The endpoints of one path, by method. */
export type ByMethod = Map<string, Endpoint>;

/** An engine's door. With `next`, unknown paths are handed on to it. */
export type Dispatch = (request: Request, response: Response, next?: NextFunction) => void;

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
      if (located.found) exchange.handlerName = endpointFor(located.methods, request.method)?.handler.name;
      exchange.begin();
    }
    if (middleware.length === 0) {
      exchange.seen = next !== undefined;
      enter(exchange, located, next);
      return;
    }
    // Methods of Express' response report here what they could not do.
    request.next ??= (error?: unknown) => fail(exchange, refusalOf(error ?? NotFound, response));
    runMiddleware(exchange, middleware).then(
      () => {
        if (exchange.answered) return;
        // Middleware may have rewritten the URL.
        const now = request.url === url ? located : locate(routes, request.url);
        if (now.found && !owned) exchange.begin();
        enter(exchange, now, next);
      },
      (thrown: unknown) => fail(exchange, thrown),
    );
  };
}

/** Answers a located exchange; never throws. */
function enter(exchange: Exchange, located: Located, next: NextFunction | undefined): void {
  if (!located.found) {
    if (next !== undefined) next();
    else fail(exchange, located.malformed === undefined ? NotFound : malformed(located.malformed));
    return;
  }
  if (located.malformed !== undefined) {
    fail(exchange, malformed(located.malformed));
    return;
  }
  const { request, response } = exchange;
  const { methods, values } = located;
  const endpoint = endpointFor(methods, request.method);
  if (endpoint === undefined) {
    response.setHeader("Allow", allowed(methods));
    if (request.method !== "OPTIONS") {
      fail(exchange, MethodNotAllowed);
      return;
    }
    response.statusCode = 204;
    response.end();
    return;
  }
  exchange.handlerName = endpoint.handler.name;
  exchange.pathValues = values;
  void run(exchange, endpoint);
}

function malformed(reason: string): Error {
  return BadRequest.withDetails({ reason });
}

/** `GET` also serves `HEAD`. */
function endpointFor(methods: ByMethod, method: string): Endpoint | undefined {
  return methods.get(method) ?? (method === "HEAD" ? methods.get("GET") : undefined);
}

function allowed(methods: ByMethod): string {
  const names = [...methods.keys()];
  if (methods.has("GET")) names.push("HEAD");
  return [...names, "OPTIONS"].join(", ");
}

interface Lost {
  readonly found: false;
  /** What is wrong with the request target itself. */
  readonly malformed: string | undefined;
}

type Located =
  | Lost
  | {
      readonly found: true;
      readonly malformed: string | undefined;
      readonly methods: ByMethod;
      readonly values: readonly string[];
    };

/** Segments are split first and decoded once, so that an encoded slash is part of a value. */
function locate(routes: Routes<ByMethod>, url: string): Located {
  const path = pathOf(url);
  if (!path.startsWith("/")) return NO_PATH;
  const raw = path.slice(1).split("/");
  let segments: readonly string[] = raw;
  let malformed: string | undefined;
  if (path.includes("%")) {
    try {
      segments = raw.map(decodeURIComponent);
    } catch {
      malformed = "malformed percent-encoding in the path";
    }
  }
  const found = routes.find(segments);
  if (found === undefined) return { found: false, malformed };
  return { found: true, malformed, methods: found.target, values: found.values };
}

const NO_PATH: Lost = { found: false, malformed: "the request target is no path" };

/** The path of a request target, which may be in absolute form. */
function pathOf(url: string): string {
  const query = url.indexOf("?");
  const target = query === -1 ? url : url.slice(0, query);
  if (target.startsWith("/")) return target;
  const absolute = /^https?:\/\/[^/]*(\/.*)?$/i.exec(target);
  return absolute === null ? target : (absolute[1] ?? "/");
}
