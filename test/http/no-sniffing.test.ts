/** Every answer that the framework writes says that it is what it is called: refusals below Express and streams too. */
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import express from "express";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import {
  createEngine,
  GET,
  type Handler,
  HostLoopback,
  identity,
  NotFound,
  POST,
  stream,
} from "../../src/http/index.js";
import { raw } from "./raw.js";
import { listening } from "./serve.js";

const handlers: readonly Handler[] = [
  GET("/value", () => 1),
  GET("/touched", ({ response }) => void response.set("x-a", "1")),
  GET("/headers", { responseHeaders: { "x-a": "1" } }, () => 1),
  GET("/empty", { status: 204 }, () => {}),
  GET("/tagged", { etag: true }, () => 1),
  GET("/declared", { errors: [NotFound] }, () => NotFound),
  GET("/fails", () => {
    throw new Error("no");
  }),
  GET("/moved", { status: 302 }, ({ response }) => response.redirect("/value")),
  GET("/written", ({ response }) => void response.writeHead(200, { "x-a": "1" }).end("<script>")),
  GET("/file", ({ response }) => response.sendFile(fileURLToPath(import.meta.url))),
  GET("/no-file", ({ response }) => response.sendFile("/nowhere/at/all")),
  GET(
    "/piped",
    ({ response }) => void response.type("text").end(readFileSync(fileURLToPath(import.meta.url))),
  ),
  GET("/by-request", ({ request }) => void request.res?.end("by request")),
  GET("/middleware", { middleware: [(_q, response) => void response.end("answered")] }, () => 1),
  GET("/me", { authentication: true }, () => 1),
  GET("/admin", { roles: ["admin"] }, () => 1),
  POST("/body", { body: z.int() }, () => 1),
  stream("GET", "/stream", { event: z.int() }, async (_call, { send }) => void (await send(1))),
  stream("GET", "/early", { event: z.int(), errors: [NotFound] }, () => NotFound),
];

type Asked = readonly [line: string, rest?: string];
const requests: readonly Asked[] = [
  ...[
    "value",
    "touched",
    "headers",
    "empty",
    "tagged",
    "declared",
    "fails",
    "moved",
    "written",
    "file",
    "no-file",
    "piped",
  ]
    .concat([
      "by-request",
      "middleware",
      "me",
      "stream",
      "early",
      "openapi",
      "openapi.yaml",
      "docs",
      "docs/init.js",
    ])
    .concat(["docs/swagger-ui.css", "docs/swagger-ui-bundle.js", "ready", "nowhere", "%zz"])
    .map((path): Asked => [`GET /${path} HTTP/1.1`]),
  ["GET /admin HTTP/1.1", "X-User: ann\r\n"],
  ["GET /tagged HTTP/1.1", "If-None-Match: *\r\n"],
  ["HEAD /value HTTP/1.1"],
  ["HEAD /stream HTTP/1.1"],
  ["OPTIONS /value HTTP/1.1"],
  ["DELETE /value HTTP/1.1"],
  ["POST /body HTTP/1.1"],
  ["POST /body HTTP/1.1", "Content-Type: text/plain\r\nContent-Length: 1\r\n\r\n1"],
  ["POST /body HTTP/1.1", "Content-Type: application/json\r\nContent-Length: 9999999\r\n"],
  ["POST /body HTTP/1.1", 'Content-Type: application/json\r\nContent-Length: 3\r\n\r\n"x"'],
];
// What never reaches a handler: Node's parser, or what stands before the engine, refuses it.
const refusedRaw: readonly string[] = [
  "nonsense\r\n\r\n",
  "GET /value HTTP/1.1\r\n\r\n",
  "GET /value HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n",
  "GET /value HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: xchunked\r\n\r\n",
  "GET /value HTTP/1.1\r\nHost: a\r\nExpect: something\r\n\r\n",
  `GET /value HTTP/1.1\r\nHost: a\r\nX: ${"x".repeat(20_000)}\r\n\r\n`,
  "GET /value HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n",
];

const heads = (answer: string): string[] =>
  answer.split(/(?=HTTP\/1\.1 \d{3} )/).map((part) => part.split("\r\n\r\n")[0] ?? "");

const makeEngine = () =>
  createEngine({ onError: false })
    .withAuthenticator((request) => (request.headers["x-user"] === "ann" ? identity({ id: "ann" }) : null))
    .withReadiness("/ready")
    .withHandlers(...handlers);

describe.each([
  ["served", async () => new URL(await listening(makeEngine())).port],
  [
    "served with middleware",
    async () => new URL(await listening(makeEngine().withMiddleware((_q, _s, next) => next()))).port,
  ],
])("an engine that is %s", (_title, start) => {
  test("says nosniff with everything that it writes, and nothing twice", async () => {
    const port = Number(await start());
    const seen = new Set<string>();
    for (const [line, rest = ""] of requests) {
      const more = rest.includes("\r\n\r\n") ? rest : `${rest}\r\n`;
      const answer = await raw(port, `${line}\r\nHost: a\r\nConnection: close\r\n${more}`);
      for (const head of heads(answer)) {
        expect([line, head.match(/^x-content-type-options: nosniff\r?$/gim)]).toEqual([
          line,
          [expect.any(String)],
        ]);
        seen.add(head.slice(9, 12));
      }
    }
    expect([...seen].sort()).toEqual(
      ["200", "204", "302", "304", "400", "401", "403", "404", "405", "413", "415", "422", "500"].sort(),
    );
    for (const text of refusedRaw) {
      const [head = ""] = heads(await raw(port, text));
      expect(head).toMatch(/^HTTP\/1\.1 4\d\d .*x-content-type-options: nosniff/is);
      expect(head).toMatch(/content-type: application\/json/i);
    }
  });
});

test("a mounted engine says it of its own answers, and leaves those of the application alone", async () => {
  const app = express();
  app.use("/api", makeEngine().router());
  app.get("/api/other", (_request, response) => void response.send("the application's"));
  const server = app.listen(0, HostLoopback);
  await new Promise((resolve) => server.once("listening", resolve));
  const address = server.address();
  const url = `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}/api`;
  for (const [path, expected] of [
    ["/value", "nosniff"],
    ["/written", "nosniff"],
    ["/fails", "nosniff"],
    ["/other", null],
  ]) {
    const response = await fetch(url + path);
    await response.text();
    expect([path, response.headers.get("x-content-type-options")]).toEqual([path, expected]);
  }
  await new Promise((resolve) => server.close(resolve));
});
