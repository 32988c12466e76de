/**
 * The answer to the probes of a load balancer: whether this process accepts requests. A shutdown makes it false first:
 * the balancer then stops sending requests before the process refuses them.
 */
import { ServiceUnavailable } from "../contract/errors.js";
import { GET, type Handler } from "../contract/handler.js";
import type { OnError } from "../outside/failure-report.js";
import { toError } from "../pipeline/exchange.js";

/**
 * Checks whether the application's dependencies are available: `false` and a throw mean that they are not. A check that
 * returns nothing, such as `db.ping`, has succeeded.
 */
export type ReadinessCheck = (context: {
  readonly signal: AbortSignal;
}) => boolean | undefined | Promise<boolean | undefined> | Promise<void>;

const notReady = ServiceUnavailable.withDetails({ reason: "not ready" });

/**
 * The handler of a probe. Like the document and the docs page, it is not in the document. An error of the check is the
 * cause of its 503, and is passed to `report`.
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
      // A shutdown may have begun during the check.
      return (answer === undefined || Boolean(answer)) && isServing() ? { ready: true } : notReady;
    } catch (thrown) {
      // If the client aborts the probe, the check is aborted.
      const { method, originalUrl } = request;
      const [asked = path] = originalUrl.split("?");
      if (!signal.aborted) report?.(toError(thrown), { context: {}, method, path: asked });
      return notReady.withCause(thrown);
    }
  });
}
