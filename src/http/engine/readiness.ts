/**
 * The answer to the probes of a load balancer: whether this process takes requests. A shutdown makes it false
 * first, so that the balancer stops sending requests before the process refuses them.
 */
import { ServiceUnavailable } from "../contract/errors.js";
import { GET, type Handler } from "../contract/handler.js";
import type { OnError } from "../outside/failure-report.js";
import { toError } from "../pipeline/exchange.js";

/**
 * Whether what the application needs is there too: `false` and a throw mean that it is not. A check that gives nothing,
 * such as `db.ping`, has found what it needs.
 */
export type ReadinessCheck = (context: {
  readonly signal: AbortSignal;
}) => boolean | undefined | Promise<boolean | undefined> | Promise<void>;

const notReady = ServiceUnavailable.withDetails({ reason: "not ready" });

/**
 * The handler of a probe; like the document and the docs page, it is not in the document. What the check throws is the
 * cause of its 503, and goes to `report`.
 */
export function readinessHandler(
  path: string,
  isServing: () => boolean,
  check: ReadinessCheck | undefined,
  report: OnError | undefined,
): Handler {
  return GET(path, { errors: [ServiceUnavailable] }, async ({ signal, request, response }) => {
    response.setHeader("Cache-Control", "no-store");
    if (!isServing()) return ServiceUnavailable.withDetails({ reason: "shutting down" });
    try {
      const answer: unknown = await check?.({ signal });
      // The check may have taken as long as it takes to begin to shut down.
      return (answer === undefined || Boolean(answer)) && isServing() ? { ready: true } : notReady;
    } catch (thrown) {
      // A probe that is given up aborts the check.
      const { method, originalUrl } = request;
      const [asked = path] = originalUrl.split("?");
      if (!signal.aborted) report?.(toError(thrown), { context: {}, method, path: asked });
      return notReady.withCause(thrown);
    }
  });
}
