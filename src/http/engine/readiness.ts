/**
 * The answer to the probes of a load balancer: whether this process takes requests. A shutdown makes it false
 * first, so that the balancer stops sending requests before the process refuses them.
 */
import { ServiceUnavailable } from "../contract/errors.js";
import { GET, type Handler } from "../contract/handler.js";

/**
 * Whether what the application needs is there too: `false` and a throw mean that it is not. A check that gives nothing,
 * such as `db.ping`, has found what it needs.
 */
export type ReadinessCheck = (context: {
  readonly signal: AbortSignal;
}) => boolean | undefined | Promise<boolean | undefined> | Promise<void>;

/** The handler of a probe; like the document and the docs page, it is not in the document. */
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
    const answer: unknown = await check({ signal });
    return answer === undefined || Boolean(answer);
  } catch {
    return false;
  }
}
