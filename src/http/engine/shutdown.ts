/**
 * The end of an engine: no new connections, idle ones closed at once, streams ended, requests under way until a
 * deadline.
 */
import { known, type OptionNames } from "../contract/configured.js";
import type { EngineServer } from "../express/server.js";
import type { Exchange } from "../pipeline/exchange.js";

/** What a shutdown waits for. */
export interface ShutdownOptions {
  /** Ends the waiting early. */
  readonly signal?: AbortSignal | undefined;
  /** For the requests under way, after `drainMs`; default 10 s. */
  readonly timeoutMs?: number | undefined;
  /**
   * How long the engine goes on as before while it says that it is not ready, so that a load balancer learns of it
   * and sends nothing more; default 0.
   */
  readonly drainMs?: number | undefined;
}

const OPTIONS: OptionNames<ShutdownOptions> = { signal: true, timeoutMs: true, drainMs: true };

/** Whether every request came to its own end. */
export interface ShutdownResult {
  readonly graceful: boolean;
}

/** The end of all waiting: the earliest that any call of `shutdown` asked for. */
export class Deadline {
  readonly #over = new AbortController();
  readonly #undo: (() => void)[] = [];
  #isPast = false;

  /** Aborts when the time is over. */
  get signal(): AbortSignal {
    return this.#over.signal;
  }

  /** Brings the deadline forward if these options ask for an earlier one. Does nothing after `clear`. */
  add(options: ShutdownOptions): void {
    const { signal, timeoutMs = 10_000, drainMs = 0 } = known(options, OPTIONS, "shutdown");
    if (this.#isPast) return;
    const end = () => this.#over.abort();
    if (signal?.aborted === true) end();
    signal?.addEventListener("abort", end, { once: true });
    const timer = setTimeout(end, timeoutMs + drainMs);
    this.#undo.push(() => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", end);
    });
  }

  /** Resolves after these milliseconds, or when the time is over. */
  wait(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const done = () => {
        clearTimeout(timer);
        this.signal.removeEventListener("abort", done);
        resolve();
      };
      const timer = setTimeout(done, ms);
      this.signal.addEventListener("abort", done);
      if (this.signal.aborted) done();
    });
  }

  /** Ends the waiting. */
  clear(): void {
    this.#isPast = true;
    for (const undo of this.#undo) undo();
  }
}

/** Ends a server; without a server, waits for the exchanges of a router. */
export async function shutDown(
  server: EngineServer | undefined,
  active: ReadonlySet<Exchange>,
  deadline: AbortSignal,
): Promise<ShutdownResult> {
  const watch = ({ response }: Exchange) => {
    // Answers that begin from now on say `Connection: close`; those that had begun are closed when they end.
    if (!response.headersSent) response.setHeader("Connection", "close");
    response.once("close", () => setImmediate(() => server?.server.closeIdleConnections()));
  };
  for (const exchange of active) watch(exchange);
  await server?.arrivals();
  const closed = server === undefined ? settled(active) : close(server).then(() => told(active));
  const cut = new Promise<"cut">((resolve) => {
    if (deadline.aborted) resolve("cut");
    deadline.addEventListener("abort", () => resolve("cut"));
  });
  if ((await Promise.race([closed.then(() => "closed" as const), cut])) === "closed")
    return { graceful: true };
  for (const { response } of active) response.destroy();
  server?.server.closeAllConnections();
  await closed;
  return { graceful: false };
}

/** The turns of the event loop between the end of a connection and the events of its last request, and some more. */
const TURNS = 10;

/** Waits for the events of requests whose connections have ended. */
async function told(active: ReadonlySet<Exchange>): Promise<void> {
  for (let turn = 0; turn < TURNS && active.size > 0; turn++)
    await new Promise((resolve) => setImmediate(resolve));
}

function close({ server, endSilent }: EngineServer): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeIdleConnections();
    endSilent();
  });
}

async function settled(active: ReadonlySet<Exchange>): Promise<void> {
  await Promise.all(
    [...active].map(
      ({ response }) => new Promise<void>((resolve) => response.once("close", () => resolve())),
    ),
  );
}
