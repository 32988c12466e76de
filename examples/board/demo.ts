/**
 * Two instances behind a load balancer, with followers that reconnect and an author that publishes continuously,
 * while both instances are replaced one after the other and one of the new ones crashes. At the end every
 * follower must have seen every message once, in order. Run by `npx tsx examples/board/demo.ts`, with PostgreSQL
 * at `DATABASE_URL`.
 */
import { type ChildProcess, fork } from "node:child_process";
import { randomUUID } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { ClientError, createClient } from "rowtype/http/client";
import type { makeApi } from "./api.js";
import { startBalancer } from "./balancer.js";

type Api = ReturnType<typeof makeApi>;

const FOLLOWERS = Number(process.env["FOLLOWERS"] ?? 5);
const MESSAGES = Number(process.env["MESSAGES"] ?? 200);

interface Copy {
  readonly url: string;
  readonly process: ChildProcess;
}

const balancer = await startBalancer();
const client = createClient<Api>(balancer.url);
const say = (text: string) => console.log(`${(performance.now() / 1000).toFixed(1).padStart(5)} s  ${text}`);

async function startCopy(): Promise<Copy> {
  const main = fileURLToPath(new URL("main.ts", import.meta.url));
  const child = fork(main, [], {
    execArgv: ["--import", "tsx"],
    env: { ...process.env, PORT: "0", DRAIN_MS: "500" },
    stdio: "inherit",
  });
  const url = await new Promise<string>((resolve, reject) => {
    child.once("message", (message) => resolve(String(message)));
    child.once("exit", () => reject(new Error("a copy did not start")));
  });
  balancer.add(url);
  return { url, process: child };
}

async function endCopy(copy: Copy, signal: "SIGTERM" | "SIGKILL"): Promise<void> {
  const ended = new Promise((resolve) => copy.process.once("exit", resolve));
  copy.process.kill(signal);
  await ended;
  balancer.remove(copy.url);
}

/** Repeats until the message is published: the key makes a second attempt harmless. */
async function publish(n: number): Promise<number> {
  const key = randomUUID();
  for (let attempts = 1; ; attempts++) {
    try {
      await client.PUT("/messages/{key}", { path: { key }, body: { author: "demo", text: `message ${n}` } });
      return attempts;
    } catch (error) {
      if (!(error instanceof ClientError) || attempts === 50) throw error;
      await wait(50);
    }
  }
}

/** Follows from a message on, over any number of connections. */
async function follow(lastEventId: string): Promise<string[]> {
  const seen: string[] = [];
  for await (const { data } of client.stream("GET", "/messages/live", { lastEventId, reconnect: true })) {
    if (data.author === "demo") seen.push(data.text);
    if (seen.length >= MESSAGES) break;
  }
  return seen;
}

const copies = [await startCopy(), await startCopy()];
await wait(300);
const known = await client.GET("/messages", { query: { limit: 1 } });
const from = known.data.at(-1)?.id ?? "0";
const followers = Array.from({ length: FOLLOWERS }, () => follow(from));

let repeated = 0;
const author = (async () => {
  for (let n = 0; n < MESSAGES; n++) {
    repeated += (await publish(n)) - 1;
    await wait(20);
  }
})();

for (const [i, old] of [...copies].entries()) {
  await wait(300);
  say(`copy ${i + 1} is replaced`);
  copies[i] = await startCopy();
  await endCopy(old, "SIGTERM");
}
say(`both were replaced; ${repeated} messages had to be sent again`);
const [first, second] = copies;
if (first === undefined || second === undefined) throw new Error("there are two");
await wait(300);
say("copy 1 crashes");
await endCopy(first, "SIGKILL");
await author;
say("all messages are published");

const expected = JSON.stringify(Array.from({ length: MESSAGES }, (_, n) => `message ${n}`));
const all = await Promise.all(followers);
const right = all.filter((seen) => JSON.stringify(seen) === expected).length;
say(`${right} of ${FOLLOWERS} followers saw all ${MESSAGES} messages once, in order`);
await endCopy(second, "SIGTERM");
balancer.close();
process.exitCode = right === FOLLOWERS ? 0 : 1;
