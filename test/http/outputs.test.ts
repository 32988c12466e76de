/** Several successes, their headers, and answers that are text or bytes: as they are served, described and read by the client. */
import { once } from "node:events";
import { connect } from "node:net";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { createClient } from "../../src/http/client/index.js";
import {
  bytes,
  Conflict,
  createEngine,
  DeclarationError,
  GET,
  type Handler,
  HostLoopback,
  html,
  model,
  POST,
  reply,
  stream,
  text,
} from "../../src/http/index.js";
import { assertErrorCode, serveRequest, testEngine } from "../../src/http/testing/index.js";
import { atEnd } from "../at-end.js";
import { listening } from "./serve.js";
import { expectValid } from "./validate-document.js";

const at = new Date("2026-01-02T03:04:05.000Z");
const Report = z.object({ rows: z.int(), at: z.date() });
const Job = z.object({ job: z.string() });
// Every value here is one that the compiler refuses.
const wrong = (value: unknown) => value as never;

const load = POST(
  "/imports",
  { body: z.object({ n: z.int() }), outputs: { 200: Report, 202: Job, 204: null }, errors: [Conflict] },
  ({ body }) => {
    if (body.n === 0) return reply(204);
    if (body.n < 0) return Conflict;
    if (body.n > 100) return reply(202, { job: "j", secret: 1 } as { job: string });
    return reply(200, { rows: body.n, at });
  },
);

describe("a handler with outputs", () => {
  test("answers each status with its own output, without what that does not declare", async () => {
    const engine = testEngine(load);
    const answers = await Promise.all(
      [5, 500, 0, -1].map((n) => serveRequest(engine, "POST", "/imports", { n })),
    );
    expect(answers.map((one) => [one.status, one.text()])).toEqual([
      [200, '{"rows":5,"at":"2026-01-02T03:04:05.000Z"}'],
      [202, '{"job":"j"}'],
      [204, ""],
      [409, '{"code":"CONFLICT","message":"conflict"}'],
    ]);
  });

  test.each<[string, Handler]>([
    [
      "a status that is not declared",
      GET(
        "/x",
        { outputs: { 200: Job } },
        wrong(() => reply(201, { job: "" })),
      ),
    ],
    [
      "a value that is no reply",
      GET(
        "/x",
        { outputs: { 200: Job } },
        wrong(() => ({ job: "" })),
      ),
    ],
    [
      "a value where there is no body",
      GET(
        "/x",
        { outputs: { 202: null } },
        wrong(() => reply(202, 1)),
      ),
    ],
    [
      "another status beside output",
      GET(
        "/x",
        { output: Job },
        wrong(() => reply(201, { job: "" })),
      ),
    ],
    [
      "no text for text",
      GET(
        "/x",
        { output: text() },
        wrong(() => 5),
      ),
    ],
    [
      "no bytes for bytes",
      GET(
        "/x",
        { output: bytes() },
        wrong(() => "text"),
      ),
    ],
    [
      "a chunk that is no bytes",
      GET(
        "/x",
        { output: bytes() },
        wrong(() => ReadableStream.from(["text"])),
      ),
    ],
    [
      "an output that does not fit",
      GET(
        "/x",
        { outputs: { 200: Job }, outputValidation: true },
        wrong(() => reply(200, { job: 1 })),
      ),
    ],
    [
      "a missing header",
      GET("/x", { output: Job, responseHeaders: { "X-N": z.int() } }, () => ({ job: "" })),
    ],
    [
      "a header with a line break",
      GET("/x", { output: Job }, () => reply(200, { job: "" }, { a: "b\r\nc: d" })),
    ],
    ...(["\r\nx-n: 1", "a\nb", "a\rb", "a\0b", "\u2028\u0100"].flatMap((broken) => [
      [
        `${JSON.stringify(broken)} in a header of a function`,
        GET("/x", { output: Job, responseHeaders: () => ({ a: broken }) }, () => ({ job: "" })),
      ],
      [
        `${JSON.stringify(broken)} in a header with a schema`,
        GET("/x", { output: Job, responseHeaders: { "X-A": z.string() } }, () =>
          reply(200, { job: "" }, { "X-A": broken }),
        ),
      ],
      [
        `${JSON.stringify(broken)} as the name of a header`,
        GET("/x", { output: Job }, () => reply(200, { job: "" }, { [broken]: "a" })),
      ],
    ]) satisfies [string, Handler][]),
    ["a header that no text can carry", GET("/x", { output: Job }, () => reply(200, { job: "" }, { a: {} }))],
  ])("answers 500 once for %s", async (_, handler) => {
    const reported: Error[] = [];
    const engine = createEngine({ onError: (error) => reported.push(error) }).withHandlers(handler);
    const answer = await serveRequest(engine, "GET", "/x");
    expect(answer.text()).toBe('{"code":"INTERNAL_SERVER_ERROR","message":"internal server error"}');
    expect(answer.headers.get("x-n")).toBeNull();
    expect(reported).toHaveLength(1);
  });

  test("says a status without a body by a length of 0", async () => {
    const url = await listening(testEngine(GET("/x", { outputs: { 202: null } }, () => reply(202))));
    const answer = await fetch(`${url}/x`);
    expect([answer.status, answer.headers.get("content-length"), answer.headers.has("content-type")]).toEqual(
      [202, "0", false],
    );
  });

  test("gives its client a union by status", async () => {
    const engine = testEngine(load);
    const client = createClient<typeof engine>(await listening(engine as never));
    const call = (n: number) => client.POST("/imports", { body: { n } });
    expect(await call(5)).toMatchObject({ ok: true, status: 200, data: { rows: 5, at: at.toISOString() } });
    expect(await call(500)).toMatchObject({ ok: true, status: 202, data: { job: "j" } });
    expect(await call(0)).toMatchObject({ ok: true, status: 204, data: undefined });
    expect(await call(-1)).toMatchObject({ ok: false, status: 409, error: { code: "CONFLICT" } });
  });

  test("has an ETag on each answer that has one text", async () => {
    const tagged = GET("/x", { outputs: { 200: text(), 203: Job }, etag: true }, ({ request }) =>
      request.query["j"] === undefined ? reply(200, "a") : reply(203, { job: "j" }),
    );
    const engine = testEngine(tagged);
    const url = await listening(engine as never);
    for (const path of ["/x", "/x?j=1"]) {
      const first = await fetch(`${url}${path}`);
      const tag = first.headers.get("etag") ?? "";
      expect(tag).toMatch(/^W\/"/);
      const again = await fetch(`${url}${path}`, { headers: { "if-none-match": tag } });
      expect([again.status, await again.text()]).toEqual([304, ""]);
    }
  });
});

describe("headers with schemas", () => {
  const made = POST(
    "/made",
    {
      status: 201,
      output: Job,
      responseHeaders: {
        "X-Total": z.int().describe("how many there are"),
        "X-At": z.date().optional(),
        "X-Tags": z.array(z.string()).optional(),
        "Cache-Control": "no-store",
      },
    },
    ({ request }) =>
      request.query["all"] === undefined
        ? reply(201, { job: "a" }, { "x-total": 3 })
        : reply(201, { job: "a" }, { "X-Total": 4, "X-At": at, "X-Tags": ["a", "b"], Location: "/made/4" }),
  );

  test("are given by a reply, in the text form of parameters", async () => {
    const engine = testEngine(made);
    const few = await serveRequest(engine, "POST", "/made");
    expect([few.status, few.headers.get("x-total"), few.headers.get("cache-control")]).toEqual([
      201,
      "3",
      "no-store",
    ]);
    expect(few.headers.has("x-at")).toBe(false);
    const all = await serveRequest(engine, "POST", "/made?all");
    expect(["x-total", "x-at", "x-tags", "location"].map((name) => all.headers.get(name))).toEqual([
      "4",
      "2026-01-02T03:04:05.000Z",
      "a, b",
      "/made/4",
    ]);
  });

  test("are described with their schemas", () => {
    expect(testEngine(made).openapi().paths?.["/made"]?.post).toMatchObject({
      responses: {
        201: {
          headers: {
            "X-Total": { description: "how many there are", required: true, schema: { type: "integer" } },
            "X-At": { schema: { type: "string", format: "date-time" } },
            "Cache-Control": { schema: { type: "string" } },
          },
        },
      },
    });
  });
});

describe("an answer that is not JSON", () => {
  const big = new Uint8Array(300_000).fill(7);
  const robots = GET("/robots.txt", { output: text(), etag: true }, () => "User-agent: Jürgen\n");
  const page = GET("/page", { output: html() }, async () => "<p>ü</p>");
  const markdown = GET("/a.md", { output: text("text/markdown; variant=GFM") }, () => "# a");
  const whole = GET("/whole", { output: bytes("image/png") }, () => big.subarray(1));
  const parts = GET("/parts", { output: bytes(), responseHeaders: { "X-A": "b" } }, () =>
    ReadableStream.from([big, new Uint8Array(), new Uint8Array([1, 2])]),
  );
  const engine = testEngine(robots, page, markdown, whole, parts);

  test("has its media type, its bytes and the name of its kind", async () => {
    const url = await listening(engine as never);
    const seen = await Promise.all(
      ["/robots.txt", "/page", "/a.md", "/whole", "/parts"].map(async (path) => {
        const { headers, ...answer } = await fetch(`${url}${path}`).then(async (one) => ({
          headers: one.headers,
          length: (await one.arrayBuffer()).byteLength,
        }));
        return [headers.get("content-type"), headers.get("answer-kind"), answer.length];
      }),
    );
    expect(seen).toEqual([
      ["text/plain; charset=utf-8", "text", 20],
      ["text/html; charset=utf-8", "html", 9],
      ["text/markdown; variant=GFM; charset=utf-8", "text", 3],
      ["image/png", "bytes", 299_999],
      ["application/octet-stream", "bytes", 300_002],
    ]);
    const client = createClient<typeof engine>(url);
    expect((await client.GET("/page")).data).toBe("<p>ü</p>");
    expect((await client.GET("/robots.txt")).data).toBe("User-agent: Jürgen\n");
    expect(isSame((await client.GET("/whole")).data, big.subarray(1))).toBe(true);
    const streamed = await client.GET("/parts");
    expect(streamed.data.subarray(-2)).toEqual(new Uint8Array([1, 2]));
    expect(streamed.headers.get("x-a")).toBe("b");
  });

  test("is given by rowtype/http/testing as bytes", async () => {
    const answer = await serveRequest(engine, "GET", "/whole");
    expect(isSame(answer.bytes(), big.subarray(1))).toBe(true);
  });

  test("is a page only where the handler declares one", async () => {
    const url = await listening(testEngine(GET("/p", ({ response }) => void response.send("<p>"))) as never);
    await expect(createClient<typeof engine>(url).GET("/p" as "/page")).rejects.toMatchObject({
      code: "INVALID_RESPONSE",
    });
  });

  test("answers HEAD without a body, and ends a stream that nobody reads", async () => {
    let isEnded = false;
    const source = GET("/s", { output: bytes() }, () => ({
      [Symbol.asyncIterator]: () => ({
        next: () => Promise.reject(new Error("read")),
        return: async () => {
          isEnded = true;
          return { done: true, value: undefined } as const;
        },
      }),
    }));
    const url = await listening(testEngine(source, robots) as never);
    const head = await fetch(`${url}/s`, { method: "HEAD" });
    expect([head.status, head.headers.get("answer-kind"), await head.text()]).toEqual([200, "bytes", ""]);
    const ofText = await fetch(`${url}/robots.txt`, { method: "HEAD" });
    expect([ofText.headers.get("content-length"), await ofText.text()]).toEqual(["20", ""]);
    expect(ofText.headers.get("etag")).toMatch(/^W\//);
    expect(isEnded).toBe(true);
  });
});

describe("a stream of bytes", () => {
  const chunk = new Uint8Array(64 * 1024);

  test("that fails at its first chunk is an ordinary failure; a declared error is an answer", async () => {
    const failing = (error: unknown) =>
      // biome-ignore lint/correctness/useYield: it fails before its first chunk.
      (async function* (): AsyncGenerator<Uint8Array> {
        throw error;
      })();
    const reported: Error[] = [];
    const engine = createEngine({ onError: (error) => reported.push(error) }).withHandlers(
      GET("/bare", { output: bytes() }, () => failing(new Error("no"))),
      GET("/declared", { output: bytes(), errors: [Conflict] }, () => failing(Conflict)),
      GET("/undeclared", { output: bytes() }, () => failing(Conflict)),
    );
    assertErrorCode(await serveRequest(engine, "GET", "/bare"), "INTERNAL_SERVER_ERROR");
    assertErrorCode(await serveRequest(engine, "GET", "/declared"), "CONFLICT");
    assertErrorCode(await serveRequest(engine, "GET", "/undeclared"), "INTERNAL_SERVER_ERROR");
    expect(reported).toHaveLength(2);
  });

  test("that fails later is cut, and reported once", async () => {
    const reported: Error[] = [];
    const failures: unknown[] = [];
    const { on } = await import("../../src/http/index.js");
    atEnd(on("http.request.failed", ({ error }) => failures.push(error)));
    const failure = new Error("the source broke");
    const source = async function* () {
      yield chunk;
      await new Promise((resolve) => setTimeout(resolve, 20));
      throw failure;
    };
    const engine = createEngine({ onError: (error) => reported.push(error) }).withHandlers(
      GET("/s", { output: bytes() }, source),
    );
    const url = await listening(engine as never);
    const answer = await fetch(`${url}/s`);
    expect(answer.status).toBe(200);
    await expect(answer.arrayBuffer()).rejects.toThrow();
    const client = createClient<typeof engine>(url);
    await expect(client.GET("/s")).rejects.toMatchObject({ code: "NETWORK" });
    await expect.poll(() => failures).toEqual([failure, failure]);
    expect(reported).toEqual([failure, failure]);
  });

  test("is read only as fast as its client reads, and ends when the client leaves", async () => {
    let given = 0;
    let ended = 0;
    const source = async function* () {
      try {
        for (;;) {
          given++;
          yield chunk;
        }
      } finally {
        ended++;
      }
    };
    const engine = testEngine(GET("/s", { output: bytes() }, source));
    const { port } = await startedOn(engine);
    const socket = connect(port, "127.0.0.1");
    socket.write("GET /s HTTP/1.1\r\nHost: x\r\n\r\n");
    await once(socket, "readable");
    socket.pause();
    await new Promise((resolve) => setTimeout(resolve, 300));
    const stalled = given;
    await new Promise((resolve) => setTimeout(resolve, 200));
    // Sockets of the system hold a few megabytes; the source has no end.
    expect(given).toBe(stalled);
    expect(ended).toBe(0);
    socket.destroy();
    await expect.poll(() => ended).toBe(1);
  });

  test("goes on while the engine shuts down, and is cut at the deadline", async () => {
    let aborted = false;
    let ended = false;
    const engine = testEngine(
      GET("/s", { output: bytes() }, async function* ({ signal }) {
        signal.addEventListener("abort", () => {
          aborted = true;
        });
        try {
          for (;;) {
            yield chunk;
            await new Promise((resolve) => setTimeout(resolve, 5));
          }
        } finally {
          ended = true;
        }
      }),
    );
    const { url } = await startedOn(engine);
    const answer = await fetch(`${url}/s`);
    const reader = answer.body?.getReader();
    await reader?.read();
    const end = engine.shutdown({ timeoutMs: 300 });
    await reader?.read();
    await reader?.read();
    expect(aborted).toBe(false);
    const rest = (async () => {
      while ((await reader?.read())?.done === false);
    })();
    await expect(rest).rejects.toThrow();
    expect(await end).toEqual({ graceful: false });
    await expect.poll(() => ended && aborted).toBe(true);
  });
});

describe("what cannot work is refused when it is declared", () => {
  test.each<[string, () => unknown, string]>([
    [
      "outputs beside output",
      () => GET("/x", wrong({ output: Job, outputs: { 200: Job } }), () => 1),
      "outputs replace status and output",
    ],
    [
      "outputs beside status",
      () => GET("/x", wrong({ status: 200, outputs: { 200: Job } }), () => 1),
      "outputs replace status and output",
    ],
    ["no outputs", () => GET("/x", wrong({ outputs: {} }), () => 1), "at least one status"],
    ["outputs that are a schema", () => GET("/x", wrong({ outputs: Job }), () => 1), "schemas by status"],
    ["an error's status", () => GET("/x", wrong({ outputs: { 404: Job } }), () => 1), '"404" is no status'],
    ["a body of 204", () => GET("/x", wrong({ outputs: { 204: Job } }), () => 1), "status 204 has no body"],
    ["no schema", () => GET("/x", wrong({ outputs: { 200: 5 } }), () => 1), "output 200 is a Zod schema"],
    [
      "a kind in an object",
      () =>
        GET(
          "/x",
          { output: z.object({ a: wrong(text()) }) },
          wrong(() => 1),
        ),
      "inside",
    ],
    ["a kind in a list", () => POST("/x", { body: z.array(wrong(html())) }, () => 1), "html() is no schema"],
    [
      "a kind among parameters",
      () => GET("/x", { query: { a: wrong(text()) } }, () => 1),
      'query parameter "a": text() is no schema',
    ],
    ["a kind as the body", () => POST("/x", { body: wrong(html()) }, () => 1), "html() is no body"],
    [
      "a kind as an event",
      () =>
        stream(
          "GET",
          "/x",
          wrong({ event: text() }),
          wrong(() => 1),
        ),
      "not a Zod schema",
    ],
    ["a kind as a model", () => model("A", wrong(text())), "Zod schema"],
    ["a kind as a header", () => GET("/x", { responseHeaders: { a: wrong(text()) } }, () => 1), "header"],
    ["no media type", () => text("text"), "media type"],
    ["a range", () => GET("/x", { output: text("text/*") }, () => ""), "one media type"],
    [
      "a tag of a stream",
      () =>
        GET(
          "/x",
          { output: bytes(), etag: true },
          wrong(() => 1),
        ),
      "has no tag",
    ],
    [
      "a header with a line break",
      () => GET("/x", { responseHeaders: { a: "b\r\nc: d" } }, () => 1),
      "cannot be sent",
    ],
    ["a name with a line break", () => GET("/x", { responseHeaders: { "a\r\nb": "c" } }, () => 1), "header"],
    ["a header of no text", () => GET("/x", { responseHeaders: { a: z.object({}) } }, () => 1), "text"],
    [
      "a stream's header with a schema",
      () => stream("GET", "/x", { event: z.int(), responseHeaders: { a: wrong(z.int()) } }, async () => {}),
      "no schemas",
    ],
  ])("%s", (_, declare, message) => {
    expect(declare).toThrow(DeclarationError);
    expect(declare).toThrow(message);
  });
});

describe("the document", () => {
  test("has a response for each status, and is valid", async () => {
    const document = testEngine(
      load,
      GET("/either", { outputs: { 200: html(), 203: bytes("image/png") } }, () => reply(200, "")),
    ).openapi();
    expect(document.paths?.["/imports"]?.post?.responses).toMatchObject({
      200: { description: "OK", content: { "application/json": { schema: { type: "object" } } } },
      202: { description: "Accepted", content: { "application/json": { schema: { type: "object" } } } },
      204: { description: "No Content" },
    });
    expect(document.paths?.["/imports"]?.post?.responses?.["204"]).not.toHaveProperty("content");
    expect(document.paths?.["/either"]?.get?.responses).toMatchObject({
      200: { content: { "text/html": { schema: { type: "string" } } } },
      203: { content: { "image/png": {} } },
    });
    await expectValid(document);
  });
});

/** Vitest compares bytes one by one, which takes seconds. */
function isSame(a: Uint8Array, b: Uint8Array): boolean {
  return Buffer.compare(a, b) === 0;
}

async function startedOn(engine: {
  start(host: string, port: number): Promise<{ url: string; port: number }>;
}) {
  return engine.start(HostLoopback, 0);
}
