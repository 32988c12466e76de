/**
 * The servers of the stream benchmark: each sends the same event to all of its clients, as often as its parent
 * requests, and reports the CPU time. Without a name it lists the names.
 */
import { createServer } from "node:http";
import { z } from "zod";

const event = {
  id: 42,
  name: "Ann Example",
  email: "ann@example.org",
  age: 41,
  active: true,
  score: 0.75,
};
const schema = z.object({
  id: z.int(),
  name: z.string(),
  email: z.string(),
  age: z.int().nullable(),
  active: z.boolean(),
  score: z.number(),
});
const head = { "Content-Type": "text/event-stream", "Cache-Control": "no-cache" };

/** Sends to one client; a send returns a promise if it must be awaited. */
const clients = new Set();

/** Waits for `drain`, as a careful program does. */
function written(response, text) {
  return response.write(text) ? undefined : new Promise((resolve) => response.once("drain", resolve));
}

const servers = {
  /** The text of the event, made once: the minimum cost of any server. */
  bare: () => {
    const text = `data: ${JSON.stringify(event)}\n\n`;
    return plain((response) => written(response, text));
  },
  /** By hand, with JSON and Zod. */
  "by hand": () => plain((response) => written(response, `data: ${JSON.stringify(schema.parse(event))}\n\n`)),
  rowtype: () => engine(false),
  "rowtype, validated": () => engine(true),
};

function plain(send) {
  return createServer((_request, response) => {
    response.writeHead(200, head);
    response.flushHeaders();
    clients.add(() => send(response));
  });
}

async function engine(outputValidation) {
  const { createEngine, stream } = await import("rowtype/http");
  const api = createEngine().withHandlers(
    stream("GET", "/", { event: schema, outputValidation }, async (_call, { open, send, signal }) => {
      await open();
      clients.add(() => send(event));
      await new Promise((resolve) => signal.addEventListener("abort", resolve));
    }),
  );
  return { listen: async (_port, host, ready) => ready(await api.start(host, 0)) };
}

const [, , name] = process.argv;
const make = servers[name];
if (make === undefined || process.send === undefined) {
  console.log(Object.keys(servers).join("\n"));
} else {
  const server = await make();
  server.listen(0, "127.0.0.1", (address) => process.send({ port: (address ?? server.address()).port }));
  process.on("message", async ({ events }) => {
    const before = process.cpuUsage();
    await Promise.all(
      [...clients].map(async (send) => {
        for (let n = 0; n < events; n++) await send();
      }),
    );
    // Data on its way to the sockets is part of the cost.
    await new Promise((resolve) => setTimeout(resolve, 50));
    const { user, system } = process.cpuUsage(before);
    process.send({ perEvent: (user + system) / (events * clients.size), clients: clients.size });
  });
  process.on("disconnect", () => process.exit());
}
