/** QUERY, and handlers of HEAD and OPTIONS; handlers that the document leaves out; queries that refuse other names. */
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { createClient } from "../../src/http/client/index.js";
import {
  createEngine,
  DELETE,
  DeclarationError,
  GET,
  group,
  HEAD,
  handler,
  ndjson,
  OPTIONS,
  on,
  QUERY,
  reply,
  stream,
} from "../../src/http/index.js";
import {
  assertErrorCode,
  serveRequest,
  serveRequestWithHeaders,
  testEngine,
} from "../../src/http/testing/index.js";
import { atEnd } from "../at-end.js";
import { ask, listening, send } from "./serve.js";
import { expectValid } from "./validate-document.js";

// Every value here is one that the compiler refuses.
const wrong = (value: unknown) => value as never;
const Search = z.object({ text: z.string() });
const Found = z.array(z.string());
const find = QUERY("/books", { body: Search, output: Found, etag: true }, ({ body }) => [body.text]);
const list = GET("/books", { output: Found }, () => ["a"]);
const ticks = stream("QUERY", "/ticks", { body: Search, event: z.string() }, async ({ body }, { send }) => {
  await send(body.text);
});

describe("QUERY", () => {
  const engine = testEngine(find, list, ticks);

  test("reads a body and answers, over a socket and in the client", async () => {
    const url = await listening(engine as never);
    expect((await ask(`${url}/books`, send("QUERY", { text: "x" }))).json).toEqual(["x"]);
    const client = createClient<typeof engine>(url);
    expect((await client.QUERY("/books", { body: { text: "y" } })).data).toEqual(["y"]);
    for await (const { data } of client.stream("QUERY", "/ticks", { body: { text: "z" } }))
      expect(data).toBe("z");
    expect((await ask(`${url}/books`, send("QUERY", { text: 1 }))).status).toBe(422);
    expect((await ask(`${url}/books`, { method: "QUERY" })).status).toBe(422);
  });

  test("is said by every answer of its path, and by no other", async () => {
    const asked: [string, string, unknown][] = [
      ["GET", "/books", undefined],
      ["HEAD", "/books", undefined],
      ["OPTIONS", "/books", undefined],
      ["PUT", "/books", undefined],
      ["QUERY", "/books", { text: "a" }],
      ["QUERY", "/books", {}],
    ];
    for (const [method, path, body] of asked) {
      const answer = await serveRequest(engine, method, path, body);
      expect([method, answer.headers.get("accept-query")]).toEqual([method, "application/json"]);
    }
    expect((await serveRequest(engine, "OPTIONS", "/books")).headers.get("allow")).toBe(
      "QUERY, GET, HEAD, OPTIONS",
    );
    expect((await serveRequest(testEngine(list), "GET", "/books")).headers.has("accept-query")).toBe(false);
  });

  test("is safe: a tag answers 304", async () => {
    const first = await serveRequest(engine, "QUERY", "/books", { text: "a" });
    const tag = first.headers.get("etag") ?? "";
    const again = await serveRequestWithHeaders(
      engine,
      "QUERY",
      "/books",
      { "if-none-match": tag },
      { text: "a" },
    );
    expect([again.status, again.text()]).toEqual([304, ""]);
    const other = await serveRequestWithHeaders(
      engine,
      "QUERY",
      "/books",
      { "if-none-match": tag },
      { text: "b" },
    );
    expect(other.status).toBe(200);
  });

  test("stands under x-query in 3.1, and is an operation of 3.2", async () => {
    const document = engine.openapi();
    expect(document.openapi).toBe("3.1.0");
    expect(document.paths?.["/books"]).toMatchObject({
      "x-query": {
        operationId: "queryBooks",
        requestBody: { content: { "application/json": { schema: { type: "object" } } } },
        responses: { 200: { headers: { ETag: {} } } },
      },
    });
    await expectValid(document);
    const newer = createEngine({ openapi: "3.2" }).withHandlers(find, list, ticks).openapi();
    expect(newer.openapi).toBe("3.2.0");
    expect(newer.paths?.["/books"]?.query).toMatchObject({ operationId: "queryBooks" });
    expect(newer.paths?.["/books"]).not.toHaveProperty("x-query");
  });
});

test("3.2 describes the items of streams, and the rest as 3.1 does", () => {
  const events = stream("GET", "/e", { events: { a: z.int(), b: z.string() } }, async () => {});
  const lines = GET("/l", { output: ndjson(z.object({ a: z.int() })) }, () => []);
  const version = (openapi: "3.1" | "3.2") =>
    createEngine({ openapi }).withHandlers(events, lines, list).openapi();
  const [older, newer] = [version("3.1"), version("3.2")];
  const contentOf = (document: typeof newer, path: `/${string}`) =>
    document.paths?.[path]?.get?.responses?.["200"];
  expect(contentOf(newer, "/l")).toMatchObject({
    content: {
      "application/x-ndjson": { itemSchema: { type: "object", properties: { a: { type: "integer" } } } },
    },
  });
  const { content } = contentOf(newer, "/e") as {
    content: Record<string, { itemSchema?: { oneOf?: unknown[] } }>;
  };
  expect(content["text/event-stream"]?.itemSchema?.oneOf).toHaveLength(2);
  expect(content["text/event-stream"]).not.toHaveProperty("schema");
  expect(newer.paths?.["/books"]).toEqual(older.paths?.["/books"]);
  expect(newer.components).toEqual(older.components);
});

describe("a handler of HEAD or OPTIONS", () => {
  test("takes the place of the engine's own answer", async () => {
    let calls = 0;
    const engine = testEngine(
      GET("/x", { output: Found }, () => {
        calls++;
        return ["x"];
      }),
      HEAD("/x", { responseHeaders: { "X-Length": z.int() } }, () =>
        reply(200, undefined, { "X-Length": 3 }),
      ),
      OPTIONS("/x", { output: z.object({ methods: z.array(z.string()) }) }, () => ({ methods: ["GET"] })),
      HEAD("/alone", () => undefined),
      OPTIONS("/bare", { status: 204 }, ({ response }) => void response.setHeader("Allow", "OPTIONS")),
    );
    const url = await listening(engine as never);
    const head = await fetch(`${url}/x`, { method: "HEAD" });
    expect([
      head.status,
      head.headers.get("x-length"),
      head.headers.has("content-type"),
      await head.text(),
    ]).toEqual([200, "3", false, ""]);
    expect(calls).toBe(0);
    expect((await ask(`${url}/x`, { method: "OPTIONS" })).json).toEqual({ methods: ["GET"] });
    expect((await ask(`${url}/bare`, { method: "OPTIONS" })).headers.get("allow")).toBe("OPTIONS");
    const wrongMethod = await ask(`${url}/x`, { method: "PUT" });
    expect([wrongMethod.status, wrongMethod.headers.get("allow")]).toEqual([405, "GET, HEAD, OPTIONS"]);
    expect((await ask(`${url}/alone`)).headers.get("allow")).toBe("HEAD, OPTIONS");
    // The connection serves on.
    expect((await ask(`${url}/alone`, { method: "HEAD" })).status).toBe(200);

    const client = createClient<typeof engine>(url);
    const answer = await client.HEAD("/x");
    expect([answer.data, answer.headers.get("x-length")]).toEqual([undefined, "3"]);
    await expect(client.HEAD("/none" as "/x")).rejects.toMatchObject({
      code: "INVALID_RESPONSE",
      status: 404,
    });
  });

  test("is in the document without a body", async () => {
    const document = testEngine(
      HEAD("/x", () => undefined),
      OPTIONS("/x", { output: Found }, () => []),
    ).openapi();
    const item = document.paths?.["/x"];
    expect(item?.head?.responses?.["200"]).toEqual({ description: "OK" });
    expect(item?.options?.responses?.["200"]).toHaveProperty("content");
    await expectValid(document);
  });

  test("is made by groups and by handler(), too", async () => {
    const books = group("/books", { query: { shelf: z.int() } });
    const engine = testEngine(
      books.QUERY("", { body: Search, output: Found }, ({ body, params }) => [
        body.text,
        `${params.query.shelf}`,
      ]),
      books.HEAD("/a", ({ response }) => void response.setHeader("X-A", "1")),
      books.OPTIONS("/a", { output: Found }, () => ["o"]),
      handler("search", "QUERY", "/more", { body: Search, output: Found }, ({ body }) => [body.text]),
    );
    expect((await serveRequest(engine, "QUERY", "/books?shelf=3", { text: "a" })).decodeJSON()).toEqual([
      "a",
      "3",
    ]);
    expect((await serveRequest(engine, "HEAD", "/books/a?shelf=3")).headers.get("x-a")).toBe("1");
    expect((await serveRequest(engine, "OPTIONS", "/books/a?shelf=3")).decodeJSON()).toEqual(["o"]);
    expect((await serveRequest(engine, "QUERY", "/more", { text: "b" })).decodeJSON()).toEqual(["b"]);
  });

  test.each<[string, () => unknown, string]>([
    [
      "QUERY without a body",
      () =>
        QUERY(
          "/x",
          wrong(() => 1),
          wrong(undefined),
        ),
      "a QUERY asks by its body",
    ],
    [
      "QUERY without a body, with options",
      () => QUERY("/x", wrong({ output: Found }), () => []),
      "a QUERY asks by its body",
    ],
    ["HEAD with an output", () => HEAD("/x", wrong({ output: Found }), () => []), "no body, and no output"],
    [
      "HEAD with outputs",
      () => HEAD("/x", wrong({ outputs: { 200: Found } }), () => []),
      "no body, and no output",
    ],
    ["a stream of HEAD", () => stream("HEAD", "/x", { event: z.int() }, async () => {}), "events to send"],
    ["TRACE", () => handler("x", wrong("TRACE"), "/x", {}, () => 1), "is not one of"],
  ])("%s is refused", (_, declare, message) => {
    expect(declare).toThrow(DeclarationError);
    expect(declare).toThrow(message);
  });
});

describe("a hidden handler", () => {
  const Secret = z.object({ s: z.string() });
  const hidden = GET("/secret", { hidden: true, output: Secret, tags: ["ops"] }, () => ({ s: "x" }));
  const inner = group("/ops", { hidden: true });

  test("is served and in events, and not in the document", async () => {
    const engine = testEngine(
      hidden,
      list,
      inner.GET("/a", { output: z.int() }, () => 1),
      inner.GET("/b", { output: z.int(), hidden: false }, () => 2),
    ).withModels({ name: "Found", schema: Found });
    const received: (string | undefined)[] = [];
    atEnd(on("http.request.received", ({ route }) => received.push(route)));
    expect((await serveRequest(engine, "GET", "/secret")).decodeJSON()).toEqual({ s: "x" });
    expect((await serveRequest(engine, "GET", "/ops/a")).decodeJSON()).toBe(1);
    expect(received).toEqual(["/secret", "/ops/a"]);
    const document = engine.openapi();
    expect(Object.keys(document.paths ?? {})).toEqual(["/books", "/ops/b"]);
    expect(JSON.stringify(document)).not.toContain("ecret");
    expect(JSON.stringify(document)).not.toContain('"s"');
  });

  test("takes its components with it, and those of its errors", () => {
    const one = z.object({ name: z.string() }).meta({ id: "OnlyHidden" });
    const both = z.object({ name: z.string() }).meta({ id: "OfBoth" });
    const document = testEngine(
      GET("/h", { hidden: true, output: z.array(z.union([one, both])) }, () => []),
      GET("/v", { output: both }, () => ({ name: "" })),
    ).openapi();
    expect(Object.keys(document.components?.schemas ?? {})).toContain("OfBoth");
    expect(Object.keys(document.components?.schemas ?? {})).not.toContain("OnlyHidden");
  });

  test("is refused where it says something else", () => {
    expect(() => GET("/x", { hidden: wrong("yes") }, () => 1)).toThrow("hidden is a boolean");
  });
});

describe("a strict query", () => {
  const engine = createEngine({ strictQuery: true }).withHandlers(
    GET("/all", { query: { a: z.string().optional() }, output: z.int() }, () => 1),
    DELETE("/none", { status: 204 }, () => undefined),
    stream("GET", "/events", { event: z.int() }, async (_, { send }) => void (await send(1))),
    GET("/whole", { query: z.object({ a: z.string() }), output: z.int() }, () => 1),
  );

  test("refuses names that are not declared, everywhere", async () => {
    const refused = await serveRequest(engine, "GET", "/all?a=1&b=2&c");
    expect([refused.status, refused.decodeJSON()]).toMatchObject([
      422,
      {
        code: "VALIDATION_FAILED",
        details: {
          fields: [
            { field: "b", in: "query" },
            { field: "c", in: "query" },
          ],
        },
      },
    ]);
    expect((await serveRequest(engine, "GET", "/all?a=1")).status).toBe(200);
    assertErrorCode(await serveRequest(engine, "DELETE", "/none?x"), "VALIDATION_FAILED");
    expect((await serveRequest(engine, "DELETE", "/none")).status).toBe(204);
    assertErrorCode(await serveRequest(engine, "GET", "/events?x"), "VALIDATION_FAILED");
    assertErrorCode(await serveRequest(engine, "GET", "/whole?a=1&b=2"), "VALIDATION_FAILED");
    assertErrorCode(await serveRequest(engine, "GET", "/all?__proto__=1"), "VALIDATION_FAILED");
  });

  test("is not asked of the engine's own pages", async () => {
    expect((await serveRequest(engine, "GET", "/openapi?v=1")).status).toBe(200);
  });

  test("is in the document: each operation may refuse its query", () => {
    expect(engine.openapi().paths?.["/none"]?.delete?.responses).toHaveProperty("422");
    expect(
      testEngine(DELETE("/n", { status: 204 }, () => undefined)).openapi().paths?.["/n"]?.delete?.responses,
    ).not.toHaveProperty("422");
  });

  test("options of an engine are checked", () => {
    expect(() => createEngine({ strictQuery: wrong(1) })).toThrow("strictQuery is true or false");
    expect(() => createEngine({ openapi: wrong("3.0") })).toThrow('openapi is "3.1" or "3.2"');
  });
});
