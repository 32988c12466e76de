/**
 * The status that a handler sets on the response itself. If the engine writes the answer, it sends the declared status;
 * another one would be lost without notice, so it is a failure.
 */
import type { Exchange } from "./exchange.js";

/** The status that was set on the response; `undefined` if none was. */
export function ownStatus({ response, responseExposed }: Exchange): number | undefined {
  return responseExposed && Object.hasOwn(response, "statusCode") ? response.statusCode : undefined;
}

/** The error, if the handler has set a status other than the declared one. */
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
