/**
 * The request benchmark: the cost of a request for the server, compared with bare `node:http` with `JSON.parse`
 * and Zod, and with Express written by hand. Run by `npm run bench:http`; `npm ci --prefix bench/peers` adds
 * Fastify and Hono, `npm ci --prefix bench/peers/express-zod-api` adds express-zod-api. Arguments select servers
 * by name. Every server is a separate process that reports its CPU time; the rounds are interleaved, and medians
 * over the rounds are shown. Only ratios are results: the microseconds show the scale.
 */
import { type ChildProcess, execFileSync, fork } from "node:child_process";
import { existsSync } from "node:fs";
import { connect } from "node:net";
import { fileURLToPath } from "node:url";

const ROUNDS = Number(process.env["ROUNDS"] ?? 9);
const REQUESTS = Number(process.env["REQUESTS"] ?? 3_000);
const WARM_UP = 12_000;
const CONNECTIONS = 8;

const file = fileURLToPath(new URL("http-servers.mjs", import.meta.url));

const body = JSON.stringify({
  name: "Ann Example",
  email: "ann@example.org",
  age: 41,
  active: true,
  score: 0.75,
  role: "member",
});
const request = Buffer.from(
  `POST /users/42?verbose=true HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
);

/** A server process. */
interface Server {
  readonly name: string;
  readonly child: ChildProcess;
  readonly port: number;
  readonly samples: number[];
}

async function startServer(name: string): Promise<Server> {
  const child = fork(file, [name], { env: { ...process.env, NODE_ENV: "production" } });
  const port = await new Promise<number>((resolve, reject) => {
    child.once("exit", (code) => reject(new Error(`${name} ended with ${code}`)));
    child.once("message", (message: { port: number }) => resolve(message.port));
  });
  return { name, child, port, samples: [] };
}

/** Sends n requests on a few connections, one after the other on each. */
async function load(server: Server, requests: number): Promise<void> {
  const each = Math.ceil(requests / CONNECTIONS);
  await Promise.all(Array.from({ length: CONNECTIONS }, () => converse(server, each)));
}

function converse({ name, port }: Server, requests: number): Promise<void> {
  return new Promise((resolve, reject) => {
    let left = requests;
    let received = "";
    const socket = connect({ port, host: "127.0.0.1", noDelay: true }, () => socket.write(request));
    socket.on("error", reject);
    socket.on("data", (chunk: Buffer) => {
      received += chunk.toString("latin1");
      // Every response is one JSON object, with no other braces.
      if (!received.endsWith("}")) return;
      if (!received.startsWith("HTTP/1.1 200")) reject(new Error(`${name}: ${received}`));
      received = "";
      if (--left > 0) {
        socket.write(request);
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

function median(numbers: readonly number[]): number {
  return [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? Number.NaN;
}

const known = execFileSync(process.execPath, [file], { encoding: "utf8" }).trim().split("\n");
const installed = (path: string) => existsSync(new URL(`peers/${path}`, import.meta.url));
const withPeers = installed("node_modules/fastify");
const withExpressZodApi = installed("express-zod-api/node_modules/express-zod-api");
const mine = known.filter((name) =>
  name.startsWith("express-zod-api") ? withExpressZodApi : withPeers || !/^(fastify|hono)/.test(name),
);
const names = process.argv.length > 2 ? process.argv.slice(2) : mine;
const running: Server[] = [];
for (const name of names) running.push(await startServer(name));
for (const server of running) await load(server, WARM_UP);
for (let round = 0; round < ROUNDS; round++) {
  for (let i = 0; i < running.length; i++) {
    const server = running[(i + round) % running.length];
    if (server === undefined) continue;
    const before = await cpu(server);
    await load(server, REQUESTS);
    server.samples.push(((await cpu(server)) - before) / REQUESTS);
  }
}

const time = (name: string) => median(running.find((server) => server.name === name)?.samples ?? []);
const width = Math.max(...names.map((name) => name.length));
console.log(`node ${process.version}, ${ROUNDS} rounds of ${REQUESTS} requests`);
console.log(`${"".padEnd(width)}  µs/request  ÷ bare  requests ÷ express`);
for (const name of names) {
  const micros = time(name);
  const cells = [
    micros.toFixed(1),
    (micros / time("bare")).toFixed(2),
    (time("express") / micros).toFixed(2),
  ];
  console.log(
    `${name.padEnd(width)}  ${cells.map((cell, i) => cell.padStart([10, 6, 18][i] ?? 0)).join("  ")}`,
  );
}
for (const { child } of running) child.disconnect();
