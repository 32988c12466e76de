/** A server of large uploads, in a process of its own, which says how much memory it took. */
import { createEngine, HostLoopback, multipart, POST, upload } from "rowtype/http";
import { z } from "zod";

/** What the process holds in bytes after a collection, and the most that it has held since the last message. */
export interface UploadState {
  readonly heap: number;
  readonly rss: number;
  readonly mostHeap: number;
  readonly mostRss: number;
}

const [, , folder = ""] = process.argv;
const File = multipart({ file: upload({ maxBytes: 128 * 1024 * 1024 }) });
const api = createEngine({ uploads: { folder }, timeouts: { requestMs: 600_000 } }).withHandlers(
  POST("/file", { body: File, output: z.int() }, ({ body }) => body.file.size),
);

const most = { heap: 0, rss: 0 };
// What waits to be collected is not held.
const sample = () => {
  globalThis.gc?.();
  const { heapUsed, external, rss } = process.memoryUsage();
  most.heap = Math.max(most.heap, heapUsed + external);
  most.rss = Math.max(most.rss, rss);
};
setInterval(sample, 100);

process.on("message", () => {
  sample();
  const { heap: mostHeap, rss: mostRss } = most;
  const { heapUsed, external, rss } = process.memoryUsage();
  Object.assign(most, { heap: 0, rss: 0 });
  process.send?.({ heap: heapUsed + external, rss, mostHeap, mostRss } satisfies UploadState);
});
process.send?.((await api.start(HostLoopback, 0)).port);
