/**
 * A tracer on nothing but the events: of requests and statements that run at once it makes spans with the right
 * beginnings, ends and parents, because the events of one share a context.
 */
import { AsyncLocalStorage } from "node:async_hooks";
import { setTimeout } from "node:timers/promises";
import { on as onSql, table } from "rowtype";
import { recording } from "rowtype/testing";
import { afterEach, expect, test, vi } from "vitest";
import { z } from "zod";
import { HTTP_EVENT_NAMES } from "../../src/http/contract/events.js";
import {
  createEngine,
  GET,
  HostLoopback,
  type HttpEvents,
  identity,
  NotFound,
  on,
  stream,
} from "../../src/http/index.js";
import { Exchange } from "../../src/http/pipeline/exchange.js";
import { serveRequest } from "../../src/http/testing/index.js";
import { HANG_MS } from "../stopwatch.js";

interface Span {
  readonly name: string;
  readonly parent: Span | undefined;
  readonly begun: number;
  ended?: number;
  outcome?: string;
}

/** The whole of a tracer: spans by the context of their events, parents by the asynchronous context of Node. */
function tracer() {
  const spans: Span[] = [];
  const byContext = new WeakMap<object, Span>();
  const current = new AsyncLocalStorage<Span>();
  const begin = (context: object, name: string, parent?: Span): Span => {
    expect(byContext.has(context)).toBe(false);
    const span: Span = { name, parent, begun: performance.now() };
    byContext.set(context, span);
    spans.push(span);
    return span;
  };
  const end = (context: object, outcome: string) => {
    const span = byContext.get(context);
    expect(span?.ended).toBeUndefined();
    if (span !== undefined) Object.assign(span, { ended: performance.now(), outcome });
  };
  const offs = [
    // A request is nobody's child, whatever ran before it on its connection.
    on("http.request.received", ({ context, method, route, path }) =>
      current.enterWith(begin(context, `${method} ${route ?? `no route: ${path}`}`)),
    ),
    on("http.request.completed", ({ context, statusCode }) => end(context, String(statusCode))),
    on("http.request.failed", ({ context, statusCode }) => end(context, `failed ${statusCode}`)),
    onSql("db.query.started", ({ context, operation }) => void begin(context, operation, current.getStore())),
    onSql("db.query.completed", ({ context }) => end(context, "completed")),
    onSql("db.query.failed", ({ context, error }) => end(context, error.code)),
  ];
  return { spans, stop: () => offs.forEach((off) => void off()) };
}

type OfRequest = Exclude<keyof HttpEvents, `http.engine.${string}` | "http.handler.registered">;

function isOfRequest(name: keyof HttpEvents): name is OfRequest {
  return !name.startsWith("http.engine.") && name !== "http.handler.registered";
}

const Item = table("items", z.object({ id: z.int() }));

afterEach(() => void vi.restoreAllMocks());

test("makes spans of parallel requests with parallel statements of one text", async () => {
  // Of equal statements the last that was sent is answered first, and one of them fails.
  const db = recording("postgres", async ({ params }) => {
    await setTimeout(400 - Number(params[0]) * 100);
    if (Number(params[0]) === 3) throw Object.assign(new Error("deadlock"), { code: "40P01" });
    return [{ id: Number(params[0]) }];
  });
  const byId = db.repository(Item).query().where("id", "=", "id");
  const api = createEngine({ onError: false })
    .withBaseUrl("/v1")
    .withHandlers(
      GET("/items/{id}", { path: { id: z.int() } }, async () => {
        const found = await Promise.allSettled([1, 2, 3].map((id) => byId.exec({ id })));
        return found.map(({ status }) => status);
      }),
      GET("/fails/{id}", async () => {
        await byId.exec({ id: 1 });
        throw new Error("no");
      }),
    );
  const { url } = await api.start(HostLoopback, 0);
  const { spans, stop } = tracer();
  const paths = ["/v1/items/1", "/v1/items/2", "/v1/items/1", "/v1/fails/9", "/v1/items/x", "/v1/nowhere"];
  // Twice over: the second time on connections that are kept alive.
  for (const _ of [1, 2]) await Promise.all(paths.map(async (path) => (await fetch(url + path)).text()));
  await vi.waitFor(() => expect(spans.every(({ ended }) => ended !== undefined)).toBe(true), HANG_MS);
  stop();
  await api.shutdown();

  const requests = spans.filter(({ parent }) => parent === undefined);
  const count = (name: string, outcome: string) =>
    requests.filter((span) => span.name === name && span.outcome === outcome).length;
  expect(requests).toHaveLength(12);
  expect(count("GET /v1/items/{id}", "200")).toBe(6);
  expect(count("GET /v1/items/{id}", "422")).toBe(2);
  expect(count("GET /v1/fails/{id}", "failed 500")).toBe(2);
  expect(count("GET no route: /v1/nowhere", "404")).toBe(2);
  for (const request of requests) {
    const children = spans.filter(({ parent }) => parent === request);
    if (request.outcome === "200") {
      expect(children.map(({ outcome }) => outcome)).toEqual(["completed", "completed", "DEADLOCK"]);
      // They ran at once, and ended the other way round.
      const [first, second, third] = children.map(({ ended = 0 }) => ended);
      expect([third, second, first]).toEqual([third, second, first].sort((a = 0, b = 0) => a - b));
    } else expect(children).toHaveLength(request.outcome === "failed 500" ? 1 : 0);
    for (const child of children) {
      expect(child.begun).toBeGreaterThanOrEqual(request.begun);
      expect(child.ended).toBeLessThanOrEqual(request.ended ?? 0);
    }
  }
});

test("all events of one request have one context and its route, and no two requests share one", async () => {
  const seen: { name: string; context: object; route: string | undefined }[] = [];
  const offs = HTTP_EVENT_NAMES.filter(isOfRequest).map((name) =>
    on(name, ({ context, route }) => seen.push({ name, context, route })),
  );
  const engine = createEngine()
    .withAuthenticator((request) =>
      request.query["as"] === "ann" ? identity({ id: "ann", roles: ["a"] }) : null,
    )
    .withHandlers(
      GET("/a/{id}", { path: { id: z.int() }, roles: ["a"], errors: [NotFound] }, ({ params }) =>
        params.path.id === 0 ? NotFound : 1,
      ),
      GET("/b/{id}", { roles: ["b"] }, () => 1),
      stream("GET", "/s/{id}", { event: z.int() }, async (_call, { send }) => void (await send(1))),
    );
  const contexts = new Set<object>();
  for (const [path, route, events] of [
    ["/a/1?as=ann", "/a/{id}", 6],
    ["/a/0?as=ann", "/a/{id}", 6],
    ["/a/x?as=ann", "/a/{id}", 5],
    ["/a/1", "/a/{id}", 3],
    ["/b/1?as=ann", "/b/{id}", 4],
    ["/s/1", "/s/{id}", 5],
    ["/none", undefined, 2],
  ] as const) {
    await serveRequest(engine, "GET", path);
    const own = seen.splice(0);
    expect([path, own.length, new Set(own.map(({ context }) => context)).size]).toEqual([path, events, 1]);
    expect(new Set(own.map((event) => event.route))).toEqual(new Set([route]));
    for (const { context } of own) contexts.add(context);
  }
  for (const off of offs) off();
  expect(contexts.size).toBe(7);
});

test("nothing is made for events without listeners", async () => {
  const facts = vi.spyOn(Exchange.prototype, "facts");
  const engine = createEngine()
    .withAuthenticator(() => identity({ id: "ann", roles: ["a"] }))
    .withHandlers(
      GET("/unheard", { roles: ["a"], errors: [NotFound] }, () => 1),
      GET("/unheard/missing", { errors: [NotFound] }, () => NotFound),
    );
  expect((await serveRequest(engine, "GET", "/unheard")).status).toBe(200);
  expect((await serveRequest(engine, "GET", "/unheard/missing")).status).toBe(404);
  // A request that the tests before have left may end meanwhile.
  // The type of a spy does not say that `this` of the method is an exchange.
  const exchanges = facts.mock.contexts as readonly Exchange[];
  const paths = exchanges.map(({ request }) => request.path);
  expect(paths.filter((path) => path.startsWith("/unheard"))).toEqual([]);
});
