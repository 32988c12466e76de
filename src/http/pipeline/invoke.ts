/**
 * Step: the handler's own function. What it throws is what it gives, if it is a declared error; the rest goes on
 * as a failure.
 */
import { HttpError } from "../contract/errors.js";
import { events } from "../contract/events.js";
import type { RuntimeCall } from "./call.js";
import type { Endpoint } from "./endpoint.js";
import { type Exchange, toError } from "./exchange.js";
import { mappedError } from "./map-error.js";

/** What the function returned, or the `HttpError` that it threw. */
export async function runHandler(
  exchange: Exchange,
  endpoint: Endpoint,
  call: RuntimeCall,
): Promise<unknown> {
  if (events.listens("http.handler.executing")) events.emit("http.handler.executing", exchange.facts());
  const before = events.listens("http.handler.success") ? exchange.elapsedMs : 0;
  try {
    // The call was made from the handler's own declaration, which is what its type says.
    const given: unknown = await endpoint.handler.run(call as never, undefined as never);
    if (!HttpError.is(given) && events.listens("http.handler.success")) {
      events.emit("http.handler.success", { ...exchange.facts(), durationMs: exchange.elapsedMs - before });
    }
    return given;
  } catch (thrown) {
    if (HttpError.is(thrown)) return thrown;
    const mapped = mappedError(exchange, thrown);
    if (mapped !== undefined) return mapped;
    if (events.listens("http.handler.error")) {
      events.emit("http.handler.error", { ...exchange.facts(), error: toError(thrown) });
    }
    throw thrown;
  }
}
