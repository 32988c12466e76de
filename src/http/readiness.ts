/**
 * The answer to the probes of a load balancer: whether this process wants requests. It is false first of all when
 * the engine shuts down, so that none are sent to a process that is about to refuse them.
 */
import { ServiceUnavailable } from "./errors.js";
import { GET, type Handler } from "./handler.js";

/** Whether what the application needs is there too; a throw means that it is not. */
export type ReadinessCheck = (context: { readonly signal: AbortSignal }) => boolean | Promise<boolean>;

/** The handler of a probe; like the document and the docs page, it is no part of the document. */
export function readinessHandler(
  path: string,
  isServing: () => boolean,
  check: ReadinessCheck | undefined,
): Handler {
  return GET(path, { errors: [ServiceUnavailable] }, async ({ signal, response }) => {
    response.setHeader("Cache-Control", "no-store");
    if (!isServing()) return ServiceUnavailable.withDetails({ reason: "shutting down" });
    const isFine = check === undefined || (await passes(check, signal));
    // The check may have taken as long as it takes to begin to shut down.
    if (isFine && isServing()) return { ready: true };
    return ServiceUnavailable.withDetails({ reason: "not ready" });
  });
}

async function passes(check: ReadinessCheck, signal: AbortSignal): Promise<boolean> {
  try {
    return await check({ signal });
  } catch {
    return false;
  }
}
