/** Clients that leave while they send their body: an event, and nothing for `onError`, which anybody could fill. */

import { Writable } from "node:stream";
import { pipeline } from "node:stream/promises";
import express from "express";
import { describe, expect, test, vi } from "vitest";
import { z } from "zod";
import { createEngine, type Engine, HostLoopback, listen, on, POST } from "../../src/http/index.js";
import { atEnd } from "../at-end.js";
import { raw } from "./raw.js";

const body = z.object({ a: z.string() });
const drain = () => new Writable({ write: (_chunk, _encoding, done) => done() });

function engineOf(onError?: (error: Error) => void): Engine {
  return createEngine(onError === undefined ? {} : { onError }).withHandlers(
    POST("/body", { body }, () => 1),
    POST("/optional", { body: body.optional() }, () => 1),
    // These read the request themselves.
    POST("/pipeline", async ({ request }) => pipeline(request, drain())),
    POST("/loop", async ({ request }) => {
      let size = 0;
      for await (const chunk of request) size += (chunk as Buffer).length;
      return size;
    }),
    POST("/parsed", { middleware: [express.json()], body }, () => 1),
    // This one fails by itself while its client leaves.
    POST("/fails", async ({ request }) => {
      await new Promise((resolve) => request.once("close", resolve));
      throw new Error("a fault of the handler");
    }),
  );
}

const doors: Record<string, (engine: Engine) => Promise<number>> = {
  start: async (engine) => (await engine.start(HostLoopback, 0)).port,
  "listen(app)": async (engine) => (await listen(express().use(engine.router()), HostLoopback, 0)).port,
  "app.listen": async (engine) => {
    const server = express().use(engine.router()).listen(0, "127.0.0.1");
    atEnd(() => server.close());
    await new Promise((resolve) => server.once("listening", resolve));
    const address = server.address();
    return typeof address === "object" && address !== null ? address.port : 0;
  },
};

/** Ways to leave in the middle of a body. */
const partial = {
  "of a known length": 'Content-Type: application/json\r\nContent-Length: 50\r\n\r\n{"a":',
  "of a known length, before its first byte": "Content-Type: application/json\r\nContent-Length: 50\r\n\r\n",
  chunked: 'Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n{"a":\r\n',
  "chunked, before its first byte": "Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n",
  "chunked and of another type": "Content-Type: text/plain\r\nTransfer-Encoding: chunked\r\n\r\n",
};

describe.each(Object.entries(doors))("a client of %s that leaves while it sends its body", (_, open) => {
  test("ends in one event, and nothing is reported", async () => {
    const onError = vi.fn();
    const failed = vi.fn();
    atEnd(on("http.request.failed", failed));
    const engine = engineOf(onError);
    atEnd(() => engine.shutdown({ timeoutMs: 1_000 }));
    const port = await open(engine);
    const paths = ["/body", "/optional", "/pipeline", "/loop", "/parsed"];
    for (const path of paths) {
      for (const [name, rest] of Object.entries(partial)) {
        failed.mockClear();
        await raw(port, `POST ${path} HTTP/1.1\r\nHost: x\r\n${rest}`, { endAfterMs: 20 });
        await expect.poll(() => [path, name, failed.mock.calls.length]).toEqual([path, name, 1]);
        expect(failed.mock.calls[0]?.[0]).toMatchObject({ path, error: expect.any(Error) });
      }
    }
    expect(onError.mock.calls).toEqual([]);
  });

  test("does not hide a fault of the handler", async () => {
    const onError = vi.fn();
    const engine = engineOf(onError);
    atEnd(() => engine.shutdown({ timeoutMs: 1_000 }));
    const port = await open(engine);
    await raw(port, `POST /fails HTTP/1.1\r\nHost: x\r\n${partial.chunked}`, { endAfterMs: 20 });
    await expect.poll(() => onError.mock.calls.length).toBe(1);
    expect(onError.mock.calls[0]?.[0]).toMatchObject({ message: "a fault of the handler" });
  });
});

test("by default nothing is written to stderr", async () => {
  const written = vi.spyOn(process.stderr, "write");
  const engine = engineOf();
  atEnd(() => engine.shutdown({ timeoutMs: 1_000 }));
  const { port } = await engine.start(HostLoopback, 0);
  const failed = vi.fn();
  atEnd(on("http.request.failed", failed));
  await raw(port, `POST /body HTTP/1.1\r\nHost: x\r\n${partial["of a known length"]}`, { endAfterMs: 20 });
  await expect.poll(() => failed.mock.calls.length).toBe(1);
  expect(written.mock.calls).toEqual([]);
  written.mockRestore();
});
