import { expect, test } from "vitest";
import { z } from "zod";
import { createEngine, GET, NotFound, on, POST, stream } from "../../src/http/index.js";
import {
  assertErrorCode,
  assertStatus,
  mockIdentity,
  serveRequest,
  serveRequestWithHeaders,
  testEngine,
} from "../../src/http/testing/index.js";

const echo = POST(
  "/echo",
  { body: z.object({ a: z.int() }), output: z.object({ a: z.int() }) },
  ({ body }) => body,
);
const none = GET("/none", { output: z.string(), errors: [NotFound] }, () => NotFound);

test("requests are answered without a port", async () => {
  const engine = testEngine(echo, none);
  const answer = await serveRequest(engine, "POST", "/echo", { a: 1 });
  assertStatus(answer, 200);
  expect(answer.decodeJSON()).toEqual({ a: 1 });
  expect(answer.text()).toBe('{"a":1}');
  expect(answer.headers.get("content-type")).toBe("application/json; charset=utf-8");
  const missing = await serveRequest(engine, "GET", "/none");
  assertErrorCode(missing, "NOT_FOUND");
});

test("an answer is reported as completed, once, and before it is returned", async () => {
  const ends: string[] = [];
  const offs = (["http.request.completed", "http.request.failed"] as const).map((name) =>
    on(name, ({ path }) => void ends.push(`${name} ${path}`)),
  );
  const engine = testEngine(
    GET("/now", () => 1),
    GET("/later", async ({ signal }) => {
      await new Promise((resolve) => setTimeout(resolve, 5));
      return signal.aborted;
    }),
    GET("/large", () => "x".repeat(5_000_000)),
    GET("/elsewhere", { status: 302 }, ({ response }) => {
      response.writeHead(302, { Location: "/now" }).end();
    }),
    none,
  );
  const paths = ["/now", "/later", "/large", "/elsewhere", "/none", "/nowhere"];
  for (const path of paths) {
    await serveRequest(engine, "GET", path);
    expect(ends.splice(0)).toEqual([`http.request.completed ${path}`]);
  }
  await Promise.all(paths.map((path) => serveRequest(engine, "GET", path)));
  expect(ends.sort()).toEqual(paths.map((path) => `http.request.completed ${path}`).sort());
  for (const off of offs) off();
});

test("an answered request is a completed one, by the time the test has the answer", async () => {
  const told: unknown[] = [];
  const offs = [
    on("http.request.completed", ({ path, statusCode }) => told.push(["completed", path, statusCode])),
    on("http.request.failed", ({ path, error }) => told.push(["failed", path, error.message])),
  ];
  const engine = testEngine(
    echo,
    none,
    GET("/sync", () => 1),
    GET("/boom", () => {
      throw new Error("boom");
    }),
    stream("GET", "/two", { event: z.int() }, async (_, { send }) => {
      await send(1);
      await send(2);
    }),
  );
  await serveRequest(engine, "GET", "/sync");
  await serveRequest(engine, "POST", "/echo", { a: 1 });
  await serveRequest(engine, "HEAD", "/none");
  await serveRequest(engine, "GET", "/unknown");
  await serveRequest(engine, "GET", "/boom");
  await serveRequest(engine, "GET", "/two");
  for (const off of offs) off();
  expect(told).toEqual([
    ["completed", "/sync", 200],
    ["completed", "/echo", 200],
    ["completed", "/none", 404],
    ["completed", "/unknown", 404],
    ["failed", "/boom", "boom"],
    ["completed", "/two", 200],
  ]);
});

test("a request that the server refuses or cuts gives an answer or an error", async () => {
  const engine = testEngine(
    GET("/destroyed", ({ response }) => {
      response.destroy();
    }),
    GET("/half", ({ response }) => {
      response.write("half");
      throw new Error("broken");
    }),
    GET("/last", ({ response }) => {
      response.setHeader("Connection", "close");
      return "whole";
    }),
  );
  await expect(serveRequest(engine, "GET", "/destroyed")).rejects.toThrow("socket hang up");
  await expect(serveRequest(engine, "GET", "/half")).rejects.toThrow("aborted");
  expect((await serveRequest(engine, "GET", "/last")).decodeJSON()).toBe("whole");
  for (const [method, path] of [
    ["GET", "no-slash"],
    ["BREW", "/last"],
  ] as const) {
    const answer = await serveRequest(engine, method, path);
    assertStatus(answer, 400);
    assertErrorCode(answer, "BAD_REQUEST");
  }
  assertStatus(await serveRequestWithHeaders(engine, "GET", "/last", { long: "x".repeat(100_000) }), 431);
});

test("a body is written as its handler reads it", async () => {
  const body = z.object({
    at: z.date(),
    big: z.bigint(),
    list: z.array(z.instanceof(Uint8Array)),
    set: z.set(z.bigint()),
    map: z.map(z.string(), z.date()),
  });
  let seen: unknown;
  const take = POST("/x", { body }, (call) => {
    seen = call.body;
  });
  const at = new Date(5);
  const sent = {
    at,
    big: 2n ** 70n,
    list: [new Uint8Array([1, 2]), Buffer.from([255])],
    set: new Set([1n]),
    map: new Map([["a", at]]),
  };
  assertStatus(await serveRequest(testEngine(take), "POST", "/x", sent), 200);
  expect(seen).toEqual({ ...sent, list: [new Uint8Array([1, 2]), new Uint8Array([255])] });
});

test("a path is written as people write it, or as it is to be sent", async () => {
  const q = GET("/q/{p}", { query: { q: z.string() } }, ({ params }) => [params.path.p, params.query.q]);
  const ask = async (path: string) => (await serveRequest(testEngine(q), "GET", path)).decodeJSON();
  expect(await ask("/q/a b?q=ü ☃")).toEqual(["a b", "ü ☃"]);
  expect(await ask("/q/a%20b?q=%C3%BC+%2B")).toEqual(["a b", "ü +"]);
});

test("failed assertions say what came instead", async () => {
  const answer = await serveRequest(testEngine(none), "GET", "/none");
  expect(() => assertStatus(answer, 200)).toThrow("expected status 200, got 404: {");
  expect(() => assertErrorCode(answer, "CONFLICT")).toThrow("expected error code CONFLICT, got NOT_FOUND");
});

test("headers are sent as given, also with a body that is not JSON", async () => {
  const engine = testEngine(echo);
  const answer = await serveRequestWithHeaders(
    engine,
    "POST",
    "/echo",
    { "Content-Type": "text/plain" },
    "a=1",
  );
  assertStatus(answer, 415);
  assertStatus(await serveRequest(engine, "POST", "/echo", "{"), 422);
  const head = await serveRequest(testEngine(none), "HEAD", "/none");
  expect([head.status, head.text()]).toEqual([404, ""]);
});

test("a mock identity is who calls", async () => {
  const caller = mockIdentity()
    .withId("u1")
    .withTenant("t1")
    .withEmail("a@b.c")
    .withRoles("admin")
    .withScopes("read", "write")
    .withStats({ calls: 3 });
  const me = GET("/me", { scopes: ["read"], roles: ["admin"] }, ({ identity }) => ({ ...identity }));
  const engine = createEngine()
    .withAuthenticator(() => caller)
    .withHandlers(me);
  expect((await serveRequest(engine, "GET", "/me")).decodeJSON()).toEqual({
    id: "u1",
    tenantId: "t1",
    email: "a@b.c",
    roles: ["admin"],
    scopes: ["read", "write"],
    stats: { calls: 3 },
  });
  expect(mockIdentity()).toMatchObject({ id: "test-user", scopes: [], roles: [], stats: {} });
});
