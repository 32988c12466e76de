/** Step: the handler's own function. A declared error that it throws counts as returned; other errors stay failures. */
import { isThenable } from "../../core/values.js";
import { HttpError } from "../contract/errors.js";
import { events } from "../contract/events.js";
import type { RuntimeCall } from "./call.js";
import type { Endpoint } from "./endpoint.js";
import { type Exchange, toError } from "./exchange.js";
import { mappedError } from "./map-error.js";

/** The returned value of the function, or the `HttpError` that it threw; a promise only if the function returns one. */
export function runHandler(exchange: Exchange, endpoint: Endpoint, call: RuntimeCall): unknown {
  events.emitWith("http.handler.executing", () => exchange.facts());
  const before = events.listens("http.handler.success") ? exchange.elapsedMs : 0;
  try {
    // The call was made from the handler's own declaration and matches its type.
    const given: unknown = endpoint.handler.run(call as never, undefined as never);
    if (!isThenable(given)) return returned(exchange, before, given);
    return Promise.resolve(given)
      .then((value) => returned(exchange, before, value))
      .catch((reason: unknown) => declaredOf(exchange, reason));
  } catch (reason) {
    return declaredOf(exchange, reason);
  }
}

function returned(exchange: Exchange, before: number, given: unknown): unknown {
  if (!HttpError.is(given))
    events.emitWith("http.handler.success", () =>
      exchange.facts({ durationMs: exchange.elapsedMs - before }),
    );
  return given;
}

/** The `HttpError` that a function's error is, or that it is mapped to. @throws any other error */
export function declaredOf(exchange: Exchange, reason: unknown): HttpError {
  if (HttpError.is(reason)) return reason;
  const mapped = mappedError(exchange, reason);
  if (mapped !== undefined) return mapped;
  events.emitWith("http.handler.error", () => exchange.facts({ error: toError(reason) }));
  throw reason;
}
