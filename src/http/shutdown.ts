/**
 * The end of an engine: no new connections, idle ones closed at once, requests under way until a deadline.
 */
import type { Server } from "node:http";
import type { Exchange } from "./pipeline/exchange.js";

/** What a shutdown waits for. */
export interface ShutdownOptions {
  /** Ends the waiting early. */
  readonly signal?: AbortSignal | undefined;
  /** Default 10 s. */
  readonly timeoutMs?: number | undefined;
}

/** Whether every request came to its own end. */
export interface ShutdownResult {
  readonly graceful: boolean;
}

/** Ends a server, or where there is none waits for the exchanges of a router. */
export async function shutDown(
  server: Server | undefined,
  active: ReadonlySet<Exchange>,
  { signal, timeoutMs = 10_000 }: ShutdownOptions,
): Promise<ShutdownResult> {
  let stop = () => {};
  const cut = new Promise<"cut">((resolve) => {
    const timer = setTimeout(() => resolve("cut"), timeoutMs);
    const abort = () => resolve("cut");
    if (signal?.aborted === true) abort();
    signal?.addEventListener("abort", abort, { once: true });
    stop = () => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", abort);
    };
  });
  // Answers that begin from now on say `Connection: close`; those that had begun are closed when they end.
  for (const { response } of active) {
    if (!response.headersSent) response.setHeader("Connection", "close");
    response.once("close", () => setImmediate(() => server?.closeIdleConnections()));
  }
  const closed = server === undefined ? settled(active) : close(server);
  const outcome = await Promise.race([closed.then(() => "closed" as const), cut]);
  stop();
  if (outcome === "closed") return { graceful: true };
  for (const { response } of active) response.destroy();
  server?.closeAllConnections();
  await closed;
  return { graceful: false };
}

function close(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeIdleConnections();
  });
}

async function settled(active: ReadonlySet<Exchange>): Promise<void> {
  await Promise.all(
    [...active].map(
      ({ response }) => new Promise<void>((resolve) => response.once("close", () => resolve())),
    ),
  );
}
