/** QUERY as every client sends it: `fetch`, undici, curl and a raw socket. And what a request may say at length. */
import { execFile } from "node:child_process";
import { once } from "node:events";
import { connect } from "node:net";
import { text } from "node:stream/consumers";
import { promisify } from "node:util";
import { request } from "undici";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { createEngine, GET, QUERY, rows } from "../../src/http/index.js";
import { expectBelow } from "../stopwatch.js";
import { listening } from "./serve.js";

const made = () =>
  createEngine().withHandlers(
    QUERY("/found", { body: z.object({ text: z.string() }), output: z.string() }, ({ body }) => body.text),
    GET("/rows", { output: rows(z.object({ n: z.int() })) }, () => [{ n: 1 }]),
  );
const body = '{"text":"é"}';
const headers = { "content-type": "application/json" };

describe("QUERY is sent by", () => {
  test("fetch, undici, curl and a raw socket", async () => {
    const url = await listening(made() as never);
    expect(await (await fetch(`${url}/found`, { method: "QUERY", body, headers })).json()).toBe("é");
    // Its type names the methods of its day.
    const { body: answer } = await request(`${url}/found`, { method: "QUERY" as "POST", body, headers });
    expect(await answer.json()).toBe("é");
    const args = ["-sS", "-X", "QUERY", "-H", "Content-Type: application/json", "-d", body, `${url}/found`];
    expect((await promisify(execFile)("curl", args)).stdout).toBe('"é"');
    const socket = connect(Number(new URL(url).port), "127.0.0.1");
    await once(socket, "connect");
    const head = `QUERY /found HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Type: application/json\r\n`;
    // In pieces, as a slow client sends it.
    socket.write(`${head}Transfer-Encoding: chunked\r\n\r\n5\r\n{"tex\r\n`);
    socket.write(`${Buffer.byteLength(body.slice(5)).toString(16)}\r\n${body.slice(5)}\r\n0\r\n\r\n`);
    expect(await text(socket)).toMatch(/^HTTP\/1\.1 200 OK\r\n[\s\S]*"é"/);
  });
});

test("an Accept of 10 kB is read, in a time in proportion", async () => {
  const url = await listening(made() as never);
  const accepts = (count: number, item = "text/x;q=0.5") => Array(count).fill(item).join(", ");
  const ask = (accept: string) => fetch(`${url}/rows`, { headers: { accept } });
  expect((await ask(`${accepts(700)}, text/csv`)).headers.get("content-type")).toBe(
    "text/csv; charset=utf-8",
  );
  expect((await ask(accepts(700))).status).toBe(406);
  for (const odd of [
    ",".repeat(10_000),
    ";".repeat(10_000),
    '"'.repeat(10_000),
    `*/*${";q=1".repeat(2_500)}`,
  ])
    expect([200, 400, 406]).toContain((await ask(odd)).status);
  const cost = async (accept: string) => {
    let least = Number.POSITIVE_INFINITY;
    for (let round = 0; round < 10; round++) {
      const started = performance.now();
      await (await ask(accept)).arrayBuffer();
      least = Math.min(least, performance.now() - started);
    }
    return least;
  };
  await cost("*/*");
  // Ten times as long: not a hundred times the time.
  await expectBelow(20, async () => (await cost(accepts(700))) / (await cost(accepts(70))));
});
