/** Groups: what they share with their handlers, and the context that `use` gives. */
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { createClient } from "../../src/http/client/index.js";
import {
  Conflict,
  createEngine,
  DeclarationError,
  Forbidden,
  GET,
  group,
  type HttpEvents,
  handlers,
  type Identity,
  identity,
  NotFound,
  on,
  POST,
  stream,
  usageLimit,
} from "../../src/http/index.js";
import {
  assertErrorCode,
  serveRequest,
  serveRequestWithHeaders,
  testEngine,
} from "../../src/http/testing/index.js";
import { atEnd } from "../at-end.js";
import { listening } from "./serve.js";

// Every value here is one that the compiler refuses.
const wrong = (value: unknown) => value as never;

const tenant = group("/tenants/{tenantId}", {
  path: { tenantId: z.int() },
  query: { debug: z.boolean().optional() },
  tags: ["tenants"],
  errors: [NotFound],
}).use(({ params }) =>
  params.path.tenantId === 404 ? NotFound : { tenant: params.path.tenantId * 2, debug: params.query.debug },
);

const show = tenant.GET(
  "/tasks/{id}",
  { path: { id: z.string() }, query: { q: z.string().optional() }, tags: ["tasks"], output: z.unknown() },
  ({ params, context }) => ({ ...params.path, ...params.query, ...context }),
);

describe("a group", () => {
  test("gives ordinary handlers of the whole path, with its parameters and its context", async () => {
    expect(show).toMatchObject({ method: "GET", path: "/tenants/{tenantId}/tasks/{id}" });
    expect(Object.isFrozen(tenant) && Object.isFrozen(show)).toBe(true);
    const engine = testEngine(show);
    const answer = await serveRequest(engine, "GET", "/tenants/7/tasks/a?q=x&debug=true");
    expect(answer.decodeJSON()).toEqual({ tenantId: 7, id: "a", q: "x", tenant: 14, debug: true });
    assertErrorCode(await serveRequest(engine, "GET", "/tenants/404/tasks/a"), "NOT_FOUND");
    assertErrorCode(await serveRequest(engine, "GET", "/tenants/x/tasks/a"), "VALIDATION_FAILED");
  });

  test("is described by the operations of its handlers", () => {
    const operation = testEngine(show).openapi().paths?.["/tenants/{tenantId}/tasks/{id}"]?.get;
    expect(operation?.tags).toEqual(["tenants", "tasks"]);
    expect(operation?.parameters).toMatchObject([
      { name: "tenantId", in: "path", schema: { type: "integer" } },
      { name: "id", in: "path", schema: { type: "string" } },
      { name: "debug", in: "query" },
      { name: "q", in: "query" },
    ]);
    expect(Object.keys(operation?.responses ?? {})).toContain("404");
  });

  test("has its errors and parameters in the client", async () => {
    const engine = testEngine(show);
    const client = createClient<typeof engine>(await listening(engine as never));
    const path = "/tenants/{tenantId}/tasks/{id}";
    const answer = await client.GET(path, { path: { tenantId: 404, id: "a" } });
    expect(answer.ok === false && answer.error.code).toBe("NOT_FOUND");
  });

  test("stands in another, whose options are joined with its own", async () => {
    const seen: string[] = [];
    const mark = (name: string) => (_: unknown, __: unknown, next: () => void) => {
      seen.push(name);
      next();
    };
    const outer = group("/a", {
      scopes: ["read"],
      maxBodySize: 5,
      middleware: [mark("outer")],
      responseHeaders: { "X-A": "outer", "X-B": "outer" },
      errors: [NotFound],
    }).use(() => {
      seen.push("use outer");
      return { outer: 1 };
    });
    const inner = outer
      .group("/b", {
        roles: ["admin"],
        usageLimits: [usageLimit("calls", () => 2)],
        errors: [Conflict, NotFound],
      })
      .use(({ context, identity }) => {
        seen.push(`use inner ${context.outer} ${identity.id}`);
        return { inner: 2 };
      });
    const last = inner.POST(
      "/c",
      {
        scopes: ["write"],
        maxBodySize: 100,
        middleware: [mark("own")],
        responseHeaders: { "x-b": "own" },
        body: z.object({ n: z.int() }),
        output: z.unknown(),
        errors: [Forbidden],
      },
      ({ context, body }) => {
        seen.push("run");
        return { ...context, ...body };
      },
    );
    expect(last.options).toMatchObject({
      scopes: [["read"], ["write"]],
      roles: [["admin"]],
      authentication: true,
      maxBodySize: 100,
      errors: [NotFound, Conflict, Forbidden],
    });
    const caller = (scopes: string[], roles: string[], calls = 0) =>
      testEngine(last).withAuthenticator(() => identity({ id: "ann", scopes, roles, stats: { calls } }));
    const post = (engine: ReturnType<typeof caller>, n: unknown) =>
      serveRequest(engine, "POST", "/a/b/c", { n });
    const answer = await post(caller(["read", "write"], ["admin"]), 3);
    expect(answer.decodeJSON()).toEqual({ outer: 1, inner: 2, n: 3 });
    expect([answer.headers.get("x-a"), answer.headers.get("x-b")]).toEqual(["outer", "own"]);
    expect(seen).toEqual(["outer", "own", "use outer", "use inner 1 ann", "run"]);
    for (const engine of [
      caller(["read"], ["admin"]),
      caller(["write"], ["admin"]),
      caller(["read", "write"], []),
    ])
      assertErrorCode(await post(engine, 3), "FORBIDDEN");
    assertErrorCode(await post(caller(["read", "write"], ["admin"], 2), 3), "TOO_MANY_REQUESTS");
  });

  test("is made for an identity of the application, too", async () => {
    interface Member extends Identity {
      readonly plan: string;
    }
    const plan = handlers<Member>()
      .group("/me", { authentication: true })
      .GET("/plan", ({ identity }) => identity.plan);
    const engine = createEngine<Member>()
      .withAuthenticator(() => identity({ id: "a", plan: "free" }))
      .withHandlers(plan);
    expect((await serveRequest(engine as never, "GET", "/me/plan")).decodeJSON()).toBe("free");
  });

  test("may have no prefix, and handlers without options", async () => {
    const plain = group("")
      .use(() => ({ a: 1 }))
      .GET("/x", ({ context }) => context);
    expect((await serveRequest(testEngine(plain), "GET", "/x")).decodeJSON()).toEqual({ a: 1 });
    const bare = group("/g").GET("/x", ({ context }) => context);
    expect((await serveRequest(testEngine(bare), "GET", "/g/x")).decodeJSON()).toEqual({});
  });

  test("has streams, whose functions of use run once a connection", async () => {
    let runs = 0;
    const ticks = group("/g")
      .use(() => ({ run: ++runs }))
      .stream("GET", "/ticks", { event: z.int() }, async ({ context }, { send }) => {
        await send(context.run);
        await send(context.run);
      });
    const answer = await serveRequest(testEngine(ticks), "GET", "/g/ticks");
    expect(answer.text()).toBe("data: 1\n\ndata: 1\n\n");
  });
});

describe("a function of use", () => {
  const handlerOf = (use: unknown, more: object = {}) =>
    group("/g", { errors: [NotFound] })
      .use(() => ({ first: 1 }))
      .use(use as () => object)
      .POST("/x", { body: z.object({ n: z.int() }), ...more }, ({ context }) => context);

  test.each<[string, () => unknown]>([
    ["an error that its group declares", () => NotFound],
    ["one that it throws", () => Promise.reject(NotFound)],
  ])("may give %s: the answer, before the body is read", async (_, use) => {
    const answer = await serveRequest(testEngine(handlerOf(use)), "POST", "/g/x", "{");
    assertErrorCode(answer, "NOT_FOUND");
    expect(answer.headers.get("error-origin")).toBe("handler");
  });

  test("may give nothing", async () => {
    const answer = await serveRequest(testEngine(handlerOf(() => undefined)), "POST", "/g/x", { n: 1 });
    expect(answer.decodeJSON()).toEqual({ first: 1 });
  });

  test.each<[string, () => unknown]>([
    ["throws", () => Promise.reject(new Error("no"))],
    ["gives no object", () => 5],
    ["gives a list", () => []],
    ["gives null", () => null],
    ["gives a key twice", () => ({ first: 2 })],
    ["gives an error that is not declared", () => Conflict],
  ])("that %s is a bare 500, reported once", async (_, use) => {
    const reported: Error[] = [];
    const engine = createEngine({ onError: (error) => reported.push(error) }).withHandlers(handlerOf(use));
    const answer = await serveRequest(engine, "POST", "/g/x", { n: 1 });
    expect(answer.text()).toBe('{"code":"INTERNAL_SERVER_ERROR","message":"internal server error"}');
    expect(reported).toHaveLength(1);
  });

  test("has its errors mapped, like those of handlers", async () => {
    class Taken extends Error {}
    const engine = testEngine(handlerOf(() => Promise.reject(new Taken()))).withErrorMapper((error) =>
      error instanceof Taken ? NotFound : undefined,
    );
    assertErrorCode(await serveRequest(engine, "POST", "/g/x", { n: 1 }), "NOT_FOUND");
  });

  test("that hangs learns from its signal that the client has left", async () => {
    let aborted = false;
    const hangs = group("/g")
      .use(
        ({ signal }) => new Promise<object>(() => signal.addEventListener("abort", () => (aborted = true))),
      )
      .GET("/x", () => 1);
    const url = await listening(testEngine(hangs) as never);
    await expect(fetch(`${url}/g/x`, { signal: AbortSignal.timeout(100) })).rejects.toThrow();
    await expect.poll(() => aborted).toBe(true);
  });

  test("that hangs ends with the engine, at its deadline, and is no failure of the application", async () => {
    const aborted: string[] = [];
    const reported: unknown[] = [];
    const failed: string[] = [];
    atEnd(on("http.request.failed", ({ path }) => void failed.push(path)));
    const hangs = (listens: boolean) => (path: string) =>
      group("/hangs")
        .use(
          ({ signal }) =>
            new Promise<object>((_, reject) =>
              signal.addEventListener("abort", () => {
                aborted.push(path);
                if (listens) reject(signal.reason);
              }),
            ),
        )
        .POST(path, { body: z.unknown() }, () => 1);
    const api = createEngine({ onError: (error) => void reported.push(error) }).withHandlers(
      hangs(false)("/deaf"),
      hangs(true)("/listens"),
    );
    const url = await listening(api);
    const answers = ["/deaf", "/listens"].map((path) =>
      fetch(`${url}/hangs${path}`, { method: "POST", body: "1" }).then(
        ({ status }) => status,
        () => "cut",
      ),
    );
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(await api.shutdown({ timeoutMs: 50 })).toEqual({ graceful: false });
    expect((await Promise.all(answers))[0]).toBe("cut");
    expect(aborted.sort()).toEqual(["/deaf", "/listens"]);
    expect(failed.sort()).toEqual(["/hangs/deaf", "/hangs/listens"]);
    expect(reported.length).toBeLessThan(2);
  });

  test("does not run for a request that was refused before", async () => {
    let runs = 0;
    const guarded = group("/g", { authentication: true, path: {} })
      .use(() => ({ run: ++runs }))
      .GET("/{id}", { path: { id: z.int() } }, () => 1);
    const engine = testEngine(guarded).withAuthenticator((request) =>
      request.get("x-key") === "k" ? identity({ id: "a" }) : null,
    );
    assertErrorCode(await serveRequest(engine, "GET", "/g/1"), "UNAUTHORIZED");
    assertErrorCode(
      await serveRequestWithHeaders(engine, "GET", "/g/a", { "x-key": "k" }),
      "VALIDATION_FAILED",
    );
    expect(runs).toBe(0);
  });

  test("runs between the parameters and the body, as the events of one request show", async () => {
    const seen: string[] = [];
    const names = ["http.request.received", "http.auth.succeeded", "http.handler.executing"] as const;
    for (const name of names) atEnd(on(name satisfies keyof HttpEvents, () => void seen.push(name)));
    atEnd(on("http.request.validation.input.failed", () => void seen.push("body")));
    const one = group("/order", { authentication: true })
      .use(() => void seen.push("use") as undefined)
      .POST("/x", { body: z.object({ n: z.int() }) }, () => 1);
    const engine = testEngine(one).withAuthenticator(() => identity({ id: "a" }));
    await serveRequest(engine, "POST", "/order/x", { n: "x" });
    await serveRequest(engine, "POST", "/order/x", { n: 1 });
    expect(seen).toEqual([
      "http.request.received",
      "http.auth.succeeded",
      "use",
      "body",
      "http.request.received",
      "http.auth.succeeded",
      "use",
      "http.handler.executing",
    ]);
  });
});

describe("what cannot work is refused when it is declared", () => {
  const named = group("/g/{id}", { path: { id: z.int() }, query: { q: z.string().optional() } });
  const guarded = group("/g", { scopes: ["a"] });
  test.each<[string, () => unknown, string]>([
    ["a prefix with a slash at its end", () => group(wrong("/a/")), "does not end with one"],
    ["a slash alone", () => group(wrong("/")), "does not end with one"],
    ["a prefix without a slash", () => group(wrong("a")), 'begins with "/"'],
    ["no prefix", () => group(wrong(5)), 'begins with "/"'],
    ["an unknown option", () => group("/a", wrong({ output: z.int() })), 'unknown option "output"'],
    ["options that are none", () => group("/a", wrong(5)), "are an object"],
    ["a name twice in a path", () => named.GET("/{id}", () => 1), "names {id} twice"],
    ["a parameter twice", () => named.GET("/x", wrong({ query: { q: z.string() } }), () => 1), '"q"'],
    [
      "an object beside a shape",
      () => named.GET("/x", wrong({ query: z.object({}) }), () => 1),
      "both are shapes",
    ],
    ["an opened handler", () => guarded.GET("/x", wrong({ authentication: false }), () => 1), "cannot open"],
    ["an opened group", () => guarded.group("/x", wrong({ authentication: false })), "cannot open"],
    ["use of no function", () => guarded.use(wrong(5)), "use takes a function"],
    ["a path that is none", () => guarded.GET("x", () => 1), "must start with"],
    ["tags that are no list", () => group("/g", wrong({ tags: "a" })).GET("/x", () => 1), "tags are a list"],
  ])("%s", (_, declare, message) => {
    expect(declare).toThrow(DeclarationError);
    expect(declare).toThrow(message);
  });
});

test("handlers outside of groups have no context", async () => {
  const keys = GET("/x", (call) => Object.keys(call));
  expect((await serveRequest(testEngine(keys), "GET", "/x")).decodeJSON()).not.toContain("context");
  expect([POST, stream]).toBeDefined();
});
