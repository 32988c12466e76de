/**
 * The request benchmark: the cost of a request for the server, compared with bare `node:http` with `JSON.parse`
 * and Zod, and with Express written by hand. Run by `npm run bench http`; `npm ci --prefix bench/peers` adds
 * Fastify and Hono, `npm ci --prefix bench/peers/express-zod-api` adds express-zod-api. Arguments select servers
 * by name. Every server is a separate process that reports its CPU time; the rounds are interleaved, and medians
 * over the rounds are shown. Only ratios are results: the microseconds show the scale.
 */
import type { ChildProcess } from "node:child_process";
import { existsSync } from "node:fs";
import { connect } from "node:net";
import { fileURLToPath } from "node:url";
import { median } from "./kit/measure.js";
import { serverNames, startServer } from "./kit/server-processes.js";

const ROUNDS = Number(process.env["ROUNDS"] ?? 9);
const REQUESTS = Number(process.env["REQUESTS"] ?? 3_000);
const WARM_UP = 12_000;
const CONNECTIONS = 8;

const file = fileURLToPath(new URL("kit/http-servers.mjs", import.meta.url));

const body = JSON.stringify({
  name: "Ann Example",
  email: "ann@example.org",
  age: 41,
  active: true,
  score: 0.75,
  role: "member",
});
const head = (method: string, path: string) =>
  `${method} ${path}/42?verbose=true HTTP/1.1\r\nHost: localhost\r\n`;
const post = (path: string) =>
  Buffer.from(
    `${head("POST", path)}Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  );

/** Requests that are sent in turn, by name; the servers of many routes have the paths of `ROUTES` of them. */
const ROUTES = 300;
const REQUEST_KINDS: Readonly<Record<string, readonly Buffer[]>> = {
  POST: [post("/users")],
  GET: [Buffer.from(`${head("GET", "/users")}\r\n`)],
  "POST, all routes in turn": Array.from({ length: ROUTES - 1 }, (_, i) => post(`/r${i}`)),
};
const KINDS = Object.keys(REQUEST_KINDS);
/** Whether a server is sent such requests. */
const takes = (name: string, kind: string) =>
  (kind !== KINDS[2] || /^bare$|routes|mounted/.test(name)) &&
  (kind !== KINDS[1] || !name.startsWith("express-zod-api"));

/** A server process. */
interface Server {
  readonly name: string;
  readonly child: ChildProcess;
  readonly port: number;
  /** Microseconds of a request, by kind. */
  readonly samples: ReadonlyMap<string, number[]>;
}

async function start(name: string): Promise<Server> {
  const { child, port } = await startServer(file, name);
  return { name, child, port, samples: new Map(KINDS.map((kind) => [kind, []])) };
}

/** Sends n requests on a few connections, one after the other on each. */
async function load(server: Server, kind: string, requests: number): Promise<void> {
  const each = Math.ceil(requests / CONNECTIONS);
  await Promise.all(Array.from({ length: CONNECTIONS }, (_, i) => converse(server, kind, each, i)));
}

function converse({ name, port }: Server, kind: string, requests: number, start: number): Promise<void> {
  const given = REQUEST_KINDS[kind] ?? [];
  return new Promise((resolve, reject) => {
    let left = requests;
    // The connections begin at different routes.
    let turn = Math.floor((start * given.length) / CONNECTIONS);
    const request = () => given[turn++ % given.length] ?? Buffer.alloc(0);
    let received = "";
    const socket = connect({ port, host: "127.0.0.1", noDelay: true }, () => socket.write(request()));
    socket.on("error", reject);
    socket.on("data", (chunk: Buffer) => {
      received += chunk.toString("latin1");
      // Every response is one JSON object, with no other braces.
      if (!received.endsWith("}")) return;
      if (!received.startsWith("HTTP/1.1 200")) reject(new Error(`${name}: ${received}`));
      received = "";
      if (--left > 0) {
        socket.write(request());
        return;
      }
      socket.destroy();
      resolve();
    });
  });
}

async function cpu({ child }: Server): Promise<number> {
  const answer = new Promise<{ cpu: NodeJS.CpuUsage }>((resolve) => child.once("message", resolve));
  child.send("cpu");
  const { user, system } = (await answer).cpu;
  return user + system;
}

const known = serverNames(file);
const installed = (path: string) => existsSync(new URL(`peers/${path}`, import.meta.url));
const withPeers = installed("node_modules/fastify");
const withExpressZodApi = installed("express-zod-api/node_modules/express-zod-api");
const mine = known.filter((name) =>
  name.startsWith("express-zod-api") ? withExpressZodApi : withPeers || !/^(fastify|hono)/.test(name),
);
const names = process.argv.length > 2 ? process.argv.slice(2) : mine;
const running: Server[] = [];
for (const name of names) running.push(await start(name));
const samplesOf = (name: string, kind: string) =>
  running.find((server) => server.name === name)?.samples.get(kind) ?? [];
const rotated = (round: number) => [
  ...running.slice(round % running.length),
  ...running.slice(0, round % running.length),
];
for (const kind of KINDS)
  for (const server of running) if (takes(server.name, kind)) await load(server, kind, WARM_UP);
for (let round = 0; round < ROUNDS; round++) {
  for (const kind of KINDS) {
    for (const server of rotated(round)) {
      if (!takes(server.name, kind)) continue;
      const before = await cpu(server);
      await load(server, kind, REQUESTS);
      server.samples.get(kind)?.push(((await cpu(server)) - before) / REQUESTS);
    }
  }
}

const time = (name: string, kind: string) => median(samplesOf(name, kind));
const width = Math.max(...names.map((name) => name.length));
console.log(`node ${process.version}, ${ROUNDS} rounds of ${REQUESTS} requests of a kind`);
for (const kind of KINDS) {
  console.log(`${kind.padEnd(width)}  µs/request  ÷ bare  requests ÷ express`);
  for (const name of names) {
    if (!takes(name, kind)) continue;
    const micros = time(name, kind);
    const cells = [
      micros.toFixed(1),
      (micros / time("bare", kind)).toFixed(2),
      (time("express", kind) / micros).toFixed(2),
    ];
    console.log(
      `${name.padEnd(width)}  ${cells.map((cell, i) => cell.padStart([10, 6, 18][i] ?? 0)).join("  ")}`,
    );
  }
}
for (const { child } of running) child.disconnect();
