/**
 * Step: Express middleware, in sequence. It may answer itself; then nothing follows. Whatever it does with `next` or
 * with a promise, the request gets one answer.
 */
import type { Request, RequestHandler, Response } from "express";
import { refusalOf } from "./refusal.js";

/** The objects that middleware gets. */
interface Passed {
  readonly request: Request;
  readonly response: Response;
}

/** The result of Express' `next("route")` and `next("router")`: the rest is skipped for this request. */
export const LEFT: unique symbol = Symbol("left");

/** The words that have this meaning in Express. Before a route is found, only a router can be left. */
export const LEAVES_ENGINE: ReadonlySet<unknown> = new Set(["router"]);
export const LEAVES_HANDLER: ReadonlySet<unknown> = new Set(["router", "route"]);

/** Resolves when the last one calls `next`. Rejects with `LEFT`, or with what one threw or passed to `next`. */
export async function runMiddleware(
  { request, response }: Passed,
  list: readonly RequestHandler[],
  leaves: ReadonlySet<unknown>,
): Promise<void> {
  for (const middleware of list) await runOne(middleware, request, response, leaves);
}

function runOne(
  middleware: RequestHandler,
  request: Request,
  response: Response,
  leaves: ReadonlySet<unknown>,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const fail = (thrown: unknown) => reject(refusalOf(thrown, response));
    // The first call of `next`, or the first failure, decides. A promise ignores the others.
    const next = (error?: unknown) => {
      if (leaves.has(error)) reject(LEFT);
      else if (error === undefined || error === null || error === "route") resolve();
      else fail(error);
    };
    try {
      const result: unknown = middleware(request, response, next);
      if (result instanceof Promise) result.catch(fail);
    } catch (error) {
      fail(error);
    }
  });
}
