/**
 * Step: Express middleware, one after the other. It may answer itself, and then nothing follows; whatever it
 * does with `next` or with a promise, the request gets one answer.
 */
import type { Request, RequestHandler, Response } from "express";
import { refusalOf } from "./refusal.js";

/** What middleware runs on. */
interface Passed {
  readonly request: Request;
  readonly response: Response;
}

/** What Express knows `next("route")` and `next("router")` as: what comes after is not for this request. */
export const LEFT: unique symbol = Symbol("left");

/** Where Express reads the words so. Before a route is found, there is only a router to leave. */
export const LEAVES_ENGINE: ReadonlySet<unknown> = new Set(["router"]);
export const LEAVES_HANDLER: ReadonlySet<unknown> = new Set(["router", "route"]);

/** Resolves when the last has called `next`; rejects with `LEFT`, or what one refused, threw or gave to `next`. */
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
    // The first call of `next`, or the first failure, decides; a promise ignores the others.
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
