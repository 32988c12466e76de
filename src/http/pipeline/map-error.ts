/**
 * Step: maps an error that a handler or its middleware threw to an error that the handler declares, or to a failed
 * validation of the client's data, by the mappers of the engine. An error that no mapper knows, or that becomes an
 * undeclared one, stays unchanged.
 */
import { isList } from "../../core/errors.js";
import { ignore } from "../../core/values.js";
import { type AnyHttpError, HttpError } from "../contract/errors.js";
import { errorKey } from "./endpoint.js";
import type { Exchange } from "./exchange.js";

/** The declared error that a mapper returns for a thrown one. The thrown error becomes its cause. */
export function mappedError(exchange: Exchange, thrown: unknown): AnyHttpError | undefined {
  for (const map of exchange.runtime.errorMappers) {
    const given = applied(exchange, map, thrown);
    for (const error of isList(given) ? given : [given]) {
      const declared = HttpError.is(error) ? exchange.mappable.get(errorKey(error)) : undefined;
      if (!HttpError.is(error) || declared === undefined) continue;
      // The declared error may have a message and details, which the mapper's copy lacks.
      const isBare = error.details === undefined && error.message === error.definition.message;
      const shown = isBare ? declared : error;
      exchange.mapped = shown.cause === undefined ? shown.withCause(thrown) : shown;
      return exchange.mapped;
    }
  }
  return undefined;
}

/** Reports an error of the mapper itself. The original error stays unmapped. */
function applied(exchange: Exchange, map: (error: unknown) => unknown, thrown: unknown): unknown {
  try {
    const given = map(thrown);
    if (given instanceof Promise) {
      // No other code awaits it: its rejection would end the process.
      given.catch(ignore);
      throw new TypeError("an error mapper returned a promise; it returns the error itself");
    }
    return given;
  } catch (failure) {
    exchange.report(failure);
    return undefined;
  }
}
