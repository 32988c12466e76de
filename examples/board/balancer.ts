/**
 * A minimal load balancer for the demonstration: it sends requests in turn to the instances that report that
 * they are ready. In production use nginx, HAProxy, Envoy or your platform's.
 */
import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http";

const PROBE_MS = 100;

export interface Balancer {
  readonly url: string;
  /** Adds an instance, which receives requests once it is ready. */
  add(url: string): void;
  remove(url: string): void;
  close(): void;
}

export async function startBalancer(): Promise<Balancer> {
  const copies = new Map<string, boolean>();
  let turn = 0;

  const probe = async (url: string) => {
    const isReady = await fetch(`${url}/ready`, { signal: AbortSignal.timeout(1_000) }).then(
      ({ ok }) => ok,
      () => false,
    );
    if (copies.has(url)) copies.set(url, isReady);
  };
  const timer = setInterval(() => {
    for (const url of copies.keys()) void probe(url);
  }, PROBE_MS);

  const server = createServer((incoming, outgoing) => {
    const ready = [...copies].flatMap(([url, isReady]) => (isReady ? [url] : []));
    const url = ready[turn++ % ready.length];
    if (url === undefined) outgoing.writeHead(503).end();
    else forward(url, incoming, outgoing);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the balancer has no port");

  return {
    url: `http://127.0.0.1:${address.port}`,
    add: (url) => {
      copies.set(url, false);
      void probe(url);
    },
    remove: (url) => void copies.delete(url),
    close: () => {
      clearInterval(timer);
      server.close();
      server.closeAllConnections();
    },
  };
}

/** Forwards a request and streams its response back; if the instance breaks off, so does the response. */
function forward(url: string, incoming: IncomingMessage, outgoing: ServerResponse): void {
  const { method, headers } = incoming;
  const passed = request(`${url}${incoming.url}`, { method: method ?? "GET", headers, agent: false });
  passed.on("response", (answer) => {
    const { connection: _, "keep-alive": __, ...rest } = answer.headers;
    outgoing.writeHead(answer.statusCode ?? 502, rest);
    outgoing.flushHeaders();
    answer.pipe(outgoing);
    answer.on("error", () => outgoing.destroy());
  });
  passed.on("error", () => {
    if (outgoing.headersSent) outgoing.destroy();
    else outgoing.writeHead(502).end();
  });
  outgoing.on("close", () => passed.destroy());
  incoming.pipe(passed);
}
