/**
 * The end of an engine: no new connections, idle ones closed at once, streams ended, active requests until a deadline.
 */
import { known, type OptionNames } from "../contract/configured.js";
import type { EngineServer } from "../express/server.js";
import type { Exchange } from "../pipeline/exchange.js";

/** The time limits of a shutdown. */
export interface ShutdownOptions {
  /** Ends the waiting early. */
  readonly signal?: AbortSignal | undefined;
  /** For active requests, after `drainMs`; default 10 s. */
  readonly timeoutMs?: number | undefined;
  /**
   * How long the engine continues to serve while it reports that it is not ready: a load balancer learns of it and
   * stops sending; default 0.
   */
  readonly drainMs?: number | undefined;
}

const OPTIONS: OptionNames<ShutdownOptions> = { signal: true, timeoutMs: true, drainMs: true };

/** A copy of the options, each read once. @throws DeclarationError */
export function readShutdown(options: ShutdownOptions): ShutdownOptions {
  return known(options, OPTIONS, "shutdown");
}

/** Whether every request completed. */
export interface ShutdownResult {
  readonly graceful: boolean;
}

/** The end of all waiting: the earliest one that any call of `shutdown` requested. */
export class Deadline {
  readonly #over = new AbortController();
  readonly #undo: (() => void)[] = [];
  #isPast = false;

  /** Aborts at the deadline. */
  get signal(): AbortSignal {
    return this.#over.signal;
  }

  /** Brings the deadline forward if these options request an earlier one. Does nothing after `clear`. */
  add({ signal, timeoutMs = 10_000, drainMs = 0 }: ShutdownOptions): void {
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

  /** Resolves after these milliseconds, or at the deadline. */
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

/** Ends a server. Without a server, waits for the exchanges of a router. */
export async function shutDown(
  server: EngineServer | undefined,
  active: ReadonlySet<Exchange>,
  deadline: AbortSignal,
): Promise<ShutdownResult> {
  const watch = ({ response }: Exchange) => {
    // Answers that begin later get `Connection: close`; the connections of earlier ones are closed when they end.
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
