/**
 * Step: Express middleware, one after the other. It may answer itself, and then nothing follows; whatever it
 * does with `next` or with a promise, the request gets one answer.
 */
import type { Request, RequestHandler, Response } from "express";
import { refusalOf } from "./refusal.js";

/** What middleware runs on. */
export interface Passed {
  readonly request: Request;
  readonly response: Response;
}

/** Resolves when the last has called `next`; rejects with what one of them refused, threw or gave to `next`. */
export async function runMiddleware(
  { request, response }: Passed,
  list: readonly RequestHandler[],
): Promise<void> {
  for (const middleware of list) await runOne(middleware, request, response);
}

function runOne(middleware: RequestHandler, request: Request, response: Response): Promise<void> {
  return new Promise((resolve, reject) => {
    const fail = (thrown: unknown) => reject(refusalOf(thrown, response));
    // The first call of `next`, or the first failure, decides; a promise ignores the others.
    const next = (error?: unknown) => {
      // Express' own words for "leave this router": there is nothing to leave for here.
      if (error === undefined || error === null || error === "route" || error === "router") resolve();
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
