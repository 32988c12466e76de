/** A process that stood still, as when its machine was paused: what it was waiting for is not late because of that. */
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { afterEach, expect, test } from "vitest";
import { json, provider } from "./provider.js";

const LIMIT_MS = 500;
const children: ChildProcess[] = [];
afterEach(() => {
  for (const child of children.splice(0)) child.kill("SIGKILL");
});

/** Stops a process while it waits for an answer, until long after its limit. The answer comes soon after, or never. */
async function outcome(what: string, answers: boolean): Promise<unknown> {
  let asked = () => {};
  const isAsked = new Promise<void>((resolve) => {
    asked = resolve;
  });
  let answer = () => {};
  const { url } = await provider((_asked, response) => {
    answer = () => json(response, { access_token: "fresh", token_type: "Bearer" });
    asked();
  });
  const program = fileURLToPath(new URL("standstill-process.ts", import.meta.url));
  const child = fork(program, [url, String(LIMIT_MS)], { execArgv: ["--import", "tsx"] });
  children.push(child);
  await once(child, "message");
  child.send(what);
  await isAsked;
  child.kill("SIGSTOP");
  await sleep(3 * LIMIT_MS);
  child.kill("SIGCONT");
  await sleep(20);
  if (answers) answer();
  const [told] = await once(child, "message");
  return told;
}

test("new tokens", async () => {
  const [told, late] = await Promise.all([outcome("refresh", true), outcome("refresh", false)]);
  expect(told).toBe("fresh");
  expect(late).toMatch(/no complete answer in time/);
});

test("the caller of a request", async () => {
  const [told, late] = await Promise.all([outcome("request", true), outcome("request", false)]);
  expect(told).toBe('"ann"');
  expect(late).toMatch(/SERVICE_UNAVAILABLE/);
});
