/**
 * The status that a handler, or middleware of the engine or of the handler, sets on the response itself. If the engine
 * writes the answer, it sends the declared status. A different one would be lost without notice and is therefore a
 * failure. A status that the application set before the request came to the engine does not belong to this answer.
 */
import type { Exchange } from "./exchange.js";

/** The status that was set on the response; `undefined` if none was. */
export function ownStatus({ response, responseExposed }: Exchange): number | undefined {
  return responseExposed && Object.hasOwn(response, "statusCode") ? response.statusCode : undefined;
}

/**
 * The error, if a status other than the declared one was set.
 * @param before the status when the handler began.
 */
export function otherStatus(
  exchange: Exchange,
  before: number | undefined,
  declared: number,
): Error | undefined {
  const status = ownStatus(exchange);
  if (status === undefined || status === exchange.statusAtFirst || status === declared) return undefined;
  const setter = status === before ? "middleware" : "the handler";
  const answer = status === before ? "the answer was left to the handler's" : "left the answer to its";
  return new Error(
    `${setter} set status ${status} on the response and ${answer} declaration, which says ${declared}`,
  );
}
