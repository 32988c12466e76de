/** Every request that is received ends in exactly one of completed and failed, whatever happens to it. */
import { setTimeout as wait } from "node:timers/promises";
import express from "express";
import { expect, test } from "vitest";
import { z } from "zod";
import { createEngine, GET, NotFound, on, POST, stream } from "../../src/http/index.js";
import { settle } from "../standstill.js";
import { raw } from "./raw.js";
import { ask, listening } from "./serve.js";

const engine = () =>
  createEngine()
    .withMiddleware((request, response, next) => {
      if (request.path.endsWith("/answered")) response.end("by middleware");
      else if (request.path.endsWith("/crash")) throw new Error("crash");
      else if (request.path.endsWith("/dropped")) response.destroy();
      else next();
    })
    .withHandlers(
      GET("/ok", { etag: true }, () => 1),
      GET("/not-found", { errors: [NotFound] }, () => NotFound),
      GET("/undeclared", () => {
        throw NotFound;
      }),
      GET("/throws", () => Promise.reject(null)),
      GET("/file", ({ response }) => response.sendFile("/nowhere/at/all")),
      GET("/twice", ({ response }) => {
        response.end("a");
        throw new Error("after the end");
      }),
      GET("/half", ({ response }) => {
        response.write("half");
        throw new Error("in the middle");
      }),
      GET("/destroys", ({ response }) => {
        response.destroy();
      }),
      GET("/slow", () => wait(100)),
      GET("/cycle", () => {
        const cycle: unknown[] = [];
        cycle.push(cycle);
        return cycle;
      }),
      stream("GET", "/stream", { event: z.int() }, (_call, { send }) => send(1)),
      stream("GET", "/stream-refused", { event: z.int(), errors: [NotFound] }, () => NotFound),
      stream("GET", "/stream-fails", { event: z.int() }, () => Promise.reject(new Error("early"))),
      stream("GET", "/stream-late", { event: z.int() }, async (_call, { send }) => {
        await send(1);
        throw new Error("late");
      }),
      stream("GET", "/stream-gone", { event: z.int() }, ({ response }) => {
        response.status(204).end();
      }),
      stream("GET", "/stream-left", { event: z.int() }, async (_call, { send }) => {
        while (await send(1)) await wait(5);
      }),
      stream("GET", "/stream-silent", { event: z.int() }, (_call, { signal }) =>
        wait(2_000, undefined, { signal }),
      ),
      POST("/body", { body: z.object({ a: z.int() }), maxBodySize: 20 }, ({ body }) => body),
    );

function watch(prefix: string) {
  const received: string[] = [];
  const ended: string[] = [];
  const note = (list: string[]) => (event: { method: string; path: string }) => {
    if (event.path.startsWith(prefix)) list.push(`${event.method} ${event.path}`);
  };
  const offs = [
    on("http.request.received", note(received)),
    on("http.request.completed", note(ended)),
    on("http.request.failed", note(ended)),
  ];
  return { received, ended, stop: () => offs.forEach((off) => void off()) };
}

async function everything(url: string): Promise<number> {
  const { port, pathname } = new URL(url);
  const at = pathname === "/" ? "" : pathname;
  const quietly = (path: string, init?: RequestInit) => ask(url + path, init).catch(() => undefined);
  const gets =
    "ok nope answered crash dropped not-found undeclared throws file twice half destroys slow cycle docs openapi.yaml " +
    "stream stream-refused stream-fails stream-late stream-gone %ZZ";
  for (const path of gets.split(" ")) await quietly(`/${path}`);
  await quietly("/ok", { method: "HEAD" });
  await quietly("/stream", { method: "HEAD" });
  // One leaves before its stream has begun.
  for (const path of ["left", "silent"]) {
    await raw(Number(port), `GET ${at}/stream-${path} HTTP/1.1\r\nHost: a\r\n\r\n`, { endAfterMs: 30 });
  }
  await quietly("/ok", { method: "OPTIONS" });
  await quietly("/ok", { method: "DELETE" });
  await quietly("/ok", { headers: { "if-none-match": "*" } });
  const bodies = ['{"a":1}', '{"a":"x"}', "{", "", `"${"a".repeat(30)}"`];
  for (const body of bodies)
    await quietly("/body", { method: "POST", body, headers: { "content-type": "application/json" } });
  await quietly("/body", { method: "POST", body: "a=1" });
  const head = `POST ${at}/body HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n`;
  await raw(Number(port), `${head}Content-Length: 10\r\n\r\n{`, { endAfterMs: 50 });
  await raw(Number(port), `${head}Content-Length: 10\r\nExpect: 100-continue\r\n\r\n`, { endAfterMs: 50 });
  await raw(Number(port), `${head}Transfer-Encoding: chunked\r\n\r\nzz\r\n`, { endAfterMs: 50 });
  await raw(Number(port), `GET ${at}/slow HTTP/1.1\r\nHost: a\r\n\r\n`, { endAfterMs: 20 });
  await raw(Number(port), `GET ${at}/ok HTTP/1.1\r\nHost: a\r\n\r\n`.repeat(5), { endAfterMs: 100 });
  await settle(150);
  return gets.split(" ").length + 7 + bodies.length + 1 + 4 + 5;
}

test("of a started engine", async () => {
  const url = await listening(engine());
  const { received, ended, stop } = watch("/");
  const sent = await everything(url);
  await expect.poll(() => ended.length).toBeGreaterThanOrEqual(received.length);
  stop();
  expect(received).toHaveLength(sent);
  expect(ended.toSorted()).toEqual(received.toSorted());
});

test("of an engine in an application, apart from those that are the application's", async () => {
  const app = express();
  app.use("/one-end", engine().router());
  app.use((_request, response) => {
    response.status(404).end();
  });
  const server = app.listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  const { received, ended, stop } = watch("/one-end");
  const sent = await everything(`http://127.0.0.1:${port}/one-end`);
  stop();
  server.close();
  // The paths that it does not own: /nope, /answered, /crash, /dropped and /%ZZ.
  expect(received).toHaveLength(sent - 5);
  expect(ended.toSorted()).toEqual(received.toSorted());
});
