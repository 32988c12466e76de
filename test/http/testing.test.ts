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

test("failed assertions say what came instead", async () => {
  const answer = await serveRequest(testEngine(none), "GET", "/none");
  expect(() => assertStatus(answer, 200)).toThrow("expected status 200, got 404: {");
  expect(() => assertErrorCode(answer, "CONFLICT")).toThrow("expected error code CONFLICT, got NOT_FOUND");
});

test("headers are sent as given, also a body that is no JSON", async () => {
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
