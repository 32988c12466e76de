/**
 * A server of streams in a process of its own, with its garbage collector at hand: tells what it holds.
 */
import { createHook } from "node:async_hooks";
import { setTimeout as wait } from "node:timers/promises";
import { z } from "zod";
import { createEngine, GET, HostLoopback, on, stream } from "../../src/http/index.js";

/** What the process holds, after a full collection. */
export interface Held {
  readonly bytes: number;
  readonly sockets: number;
  readonly timers: number;
  readonly listeners: number;
  /** Streams that have begun, that have been told to end, and whose functions have returned. */
  readonly executing: number;
  readonly ended: number;
  readonly returned: number;
  readonly warnings: number;
}

const count = { executing: 0, ended: 0, returned: 0, warnings: 0 };
on("http.stream.executing", () => void count.executing++);
on("http.stream.client.disconnected", () => void count.ended++);
on("http.stream.error", () => void count.ended++);
on("http.stream.ended", () => void count.ended++);
process.on("warning", () => void count.warnings++);

// All of them, those too that would not keep the process alive.
const timers = new Set<number>();
createHook({
  init: (id, type) => void (type === "Timeout" && timers.add(id)),
  destroy: (id) => void timers.delete(id),
}).enable();

const flood = "x".repeat(16_000);
const event = z.object({ n: z.int(), text: z.string() });
const returned = () => void count.returned++;

const api = createEngine().withHandlers(
  // Goes as fast as its client reads.
  stream("GET", "/flood", { event }, async (_call, { send }) => {
    for (let n = 0; await send({ n, text: flood }); n++);
    returned();
  }),
  // Goes as fast as it can, and never looks back.
  stream(
    "GET",
    "/careless/{bytes}",
    { event, path: { bytes: z.int() } },
    async ({ params }, { send, signal }) => {
      const text = "x".repeat(params.path.bytes);
      for (let n = 0; !signal.aborted; n++) {
        for (let i = 0; i < 2_000 / params.path.bytes + 1; i++) void send({ n, text });
        await wait(1);
      }
      returned();
    },
  ),
  stream("GET", "/idle", { event, heartbeatMs: 1_000 }, async (_call, { open, signal }) => {
    await open();
    await new Promise((resolve) => signal.addEventListener("abort", resolve));
    returned();
  }),
  GET("/x", () => 1),
);
const { port } = await api.start(HostLoopback, 0);

process.on("message", async (message) => {
  if (message === "end") {
    await api.shutdown({ timeoutMs: 120_000 });
    process.disconnect();
    return;
  }
  // A collection returns before other threads have freed its buffers, late on a busy machine: what is held is in every
  // reading, so the lowest counts.
  let bytes = Number.POSITIVE_INFINITY;
  for (let i = 0; i < 3; i++) {
    await wait(5);
    globalThis.gc?.();
    const { heapUsed, external } = process.memoryUsage();
    bytes = Math.min(bytes, heapUsed + external);
  }
  const resources = process.getActiveResourcesInfo();
  const held: Held = {
    bytes,
    sockets: resources.filter((name) => name === "TCPSocketWrap").length,
    timers: timers.size,
    listeners: process.eventNames().reduce((sum, name) => sum + process.listenerCount(name), 0),
    ...count,
  };
  process.send?.(held);
});
process.send?.(port);
