/**
 * The status that a handler sets on the response by hand. Where the engine writes the answer, the declared status goes
 * out: another would be dropped silently, so it is a failure.
 */
import type { Exchange } from "./exchange.js";

/** The status that somebody has set; a response that nobody has touched has none of its own. */
export function ownStatus({ response, responseExposed }: Exchange): number | undefined {
  return responseExposed && Object.hasOwn(response, "statusCode") ? response.statusCode : undefined;
}

/** What is wrong where the handler has set another status than the declared one. */
export function otherStatus(
  exchange: Exchange,
  before: number | undefined,
  declared: number,
): Error | undefined {
  const status = ownStatus(exchange);
  if (status === undefined || status === before || status === declared) return undefined;
  return new Error(
    `the handler set status ${status} on the response and left the answer to its declaration, which says ${declared}`,
  );
}
