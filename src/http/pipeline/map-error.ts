/**
 * Step: an error that a handler or its middleware threw and that is none for clients, as one that the handler declares,
 * by the mappers of the engine. What no mapper knows, and what the handler does not declare, stays what it was.
 */
import { type AnyHttpError, HttpError } from "../contract/errors.js";
import { errorKey } from "./endpoint.js";
import type { Exchange } from "./exchange.js";

/** The declared error that mappers make of what was thrown, with that as its cause. */
export function mappedError(exchange: Exchange, thrown: unknown): AnyHttpError | undefined {
  for (const map of exchange.runtime.errorMappers) {
    const error = applied(exchange, map, thrown);
    const declared = HttpError.is(error) ? exchange.declared.get(errorKey(error)) : undefined;
    if (!HttpError.is(error) || declared === undefined) continue;
    // The handler may have said more of its error than a mapper can.
    const isBare = error.details === undefined && error.message === error.definition.message;
    const shown = isBare ? declared : error;
    return shown.cause === undefined ? shown.withCause(thrown) : shown;
  }
  return undefined;
}

/** What a mapper itself throws is another failure than the one that it was asked about. */
function applied(exchange: Exchange, map: (error: unknown) => unknown, thrown: unknown): unknown {
  try {
    return map(thrown);
  } catch (failure) {
    exchange.report(failure);
    return undefined;
  }
}
