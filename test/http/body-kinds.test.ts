/** Bodies that are no JSON: forms, text, bytes, streams of bytes, lines of JSON, several by content type. */
import { once } from "node:events";
import { Agent, type IncomingMessage, request as sendRequest } from "node:http";
import { connect } from "node:net";
import bodyParser, { urlencoded } from "express";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { z as z3 } from "zod/v3";
import { createClient } from "../../src/http/client/index.js";
import {
  byteStream,
  bytes,
  createEngine,
  csv,
  DeclarationError,
  form,
  GET,
  html,
  ndjson,
  on,
  POST,
  QUERY,
  rows,
  stream,
  text,
} from "../../src/http/index.js";
import {
  type AnyEngine,
  assertErrorCode,
  serveRequest,
  serveRequestWithHeaders,
  testEngine,
} from "../../src/http/testing/index.js";
import { atEnd } from "../at-end.js";
import { listening } from "./serve.js";
import { expectValid } from "./validate-document.js";

const Sign = form({ name: z.string(), age: z.int().optional(), tags: z.array(z.string()) });
const Row = z.object({ id: z.int(), at: z.date().optional(), qty: z.int().min(1) });
const Order = z.object({ id: z.int() });
// Every value here is one that the compiler refuses.
const wrong = (value: unknown) => value as never;

const sign = POST("/sign", { body: Sign, output: z.unknown() }, ({ body }) => ({ ...body }));
const note = POST("/note", { body: text(), output: z.string() }, ({ body }) => body);
const image = POST(
  "/image",
  { body: bytes(["image/*", "application/pdf"]), output: z.string() },
  ({ body }) => Buffer.from(body).toString("hex"),
);
const measure = POST("/measure", { body: byteStream("*/*"), output: z.int() }, async ({ body }) => {
  let size = 0;
  for await (const chunk of body) size += chunk.length;
  return size;
});
const lines = POST("/lines", { body: ndjson(Row), output: z.array(Row) }, async ({ body }) => {
  const all: z.infer<typeof Row>[] = [];
  for await (const row of body) all.push(row);
  return all;
});
const either = POST(
  "/either",
  { body: [Order, form({ id: z.int(), note: z.string() }), text("text/markdown")], output: z.unknown() },
  ({ body }) => (typeof body === "string" ? { markdown: body } : { ...body }),
);
const engine = testEngine(sign, note, image, measure, lines, either);

const ask = (path: string, type: string, body?: unknown, on: AnyEngine = engine) =>
  serveRequestWithHeaders(on, "POST", path, { "content-type": type }, body);
const FORM = "application/x-www-form-urlencoded";

describe("a form", () => {
  test("is read as query parameters are", async () => {
    const cases: [string, unknown][] = [
      ["name=Ann", { name: "Ann", tags: [] }],
      ["name=A+B%2B&age=5&tags=a&tags=b", { name: "A B+", age: 5, tags: ["a", "b"] }],
      ["name=&other=1&__proto__=2&tags=", { name: "", tags: [""] }],
      ["name=é%F0%9F%98%80", { name: "é😀", tags: [] }],
    ];
    for (const [encoded, value] of cases) {
      const answer = await ask("/sign", FORM, encoded);
      expect([answer.status, answer.decodeJSON()]).toEqual([200, value]);
    }
    const values = new URLSearchParams([
      ["name", "x"],
      ["tags", "a=&b"],
    ]);
    expect((await serveRequest(engine, "POST", "/sign", values)).decodeJSON()).toEqual({
      name: "x",
      tags: ["a=&b"],
    });
  });

  test("says all its faults, with their fields and no place", async () => {
    const answer = await ask("/sign", FORM, "age=x&name=a&name=b");
    assertErrorCode(answer, "VALIDATION_FAILED");
    expect(answer.decodeJSON()).toMatchObject({
      details: { fields: [{ field: "name", message: "given more than once" }, { field: "age" }] },
    });
    expect(answer.text()).not.toContain('"in"');
    for (const broken of ["name=%", "name=%ff", "%e0%a4%a=1", new Uint8Array([0xff, 0x3d])]) {
      const refused = await ask("/sign", FORM, broken);
      expect([refused.status, refused.decodeJSON()]).toMatchObject([
        422,
        { message: "invalid request body" },
      ]);
    }
  });

  test("may be a Zod object, strict or not, of both Zods", async () => {
    const strict = testEngine(
      POST(
        "/four",
        { body: form(z.strictObject({ a: z.string() })), output: z.unknown() },
        ({ body }) => body,
      ),
      POST("/three", { body: form(z3.object({ a: z3.number() })), output: z.unknown() }, ({ body }) => body),
    );
    expect((await ask("/four", FORM, "a=1", strict)).decodeJSON()).toEqual({ a: "1" });
    expect((await ask("/four", FORM, "a=1&b=2", strict)).decodeJSON()).toMatchObject({
      details: { fields: [{ field: "b" }] },
    });
    expect((await ask("/three", FORM, "a=1&b=2", strict)).decodeJSON()).toEqual({ a: 1 });
  });

  test("of 100,000 fields takes a time in proportion, and one over the limit is a 413", async () => {
    const time = async (count: number) => {
      const body = Array.from({ length: count }, (_, n) => `f${n}=${n}`).join("&");
      const before = performance.now();
      const answer = await ask("/sign", FORM, `${body}&name=x`);
      expect(answer.status).toBe(body.length < 1024 * 1024 ? 200 : 413);
      return performance.now() - before;
    };
    await time(1_000);
    const few = await time(8_000);
    expect(await time(64_000)).toBeLessThan(40 * few + 500);
    await time(100_000);
  });
});

describe("text and bytes", () => {
  test("arrive as they were sent", async () => {
    expect((await ask("/note", "text/plain", "héllo")).decodeJSON()).toBe("héllo");
    expect((await ask("/note", "Text/Plain; Charset=UTF-8", "")).decodeJSON()).toBe("");
    expect((await ask("/note", 'text/plain; charset="utf-8"; x="a;charset=latin1"', "a")).status).toBe(200);
    expect((await ask("/note", "text/plain; charset=latin1", "a")).status).toBe(415);
    assertErrorCode(await ask("/note", "text/plain", new Uint8Array([0xc3])), "UNPROCESSABLE_ENTITY");
    for (const type of ["image/png", "IMAGE/x-y", "application/pdf"])
      expect((await ask("/image", type, new Uint8Array([1, 2]))).decodeJSON()).toBe("0102");
    for (const type of ["application/json", "imag/png", "image", "", "application/pd"])
      expect([type, (await ask("/image", type, "x")).status]).toEqual([type, 415]);
  });

  test("of other types say what is taken; compressed ones are refused, and missing ones", async () => {
    const answer = await ask("/image", "text/plain", "x");
    expect([answer.status, answer.headers.get("accept")]).toEqual([415, "image/*, application/pdf"]);
    const gzip = await serveRequestWithHeaders(
      engine,
      "POST",
      "/note",
      { "content-type": "text/plain", "content-encoding": "gzip" },
      "x",
    );
    expect(gzip.status).toBe(415);
    expect((await serveRequest(engine, "POST", "/image")).status).toBe(422);
    // A handler of JSON alone answers as ever.
    const json = await ask("/x", "text/plain", "x", testEngine(POST("/x", { body: z.int() }, () => 1)));
    expect([json.status, json.headers.get("accept")]).toEqual([415, null]);
  });

  test("are held to the limit, by the declared length and while they arrive", async () => {
    const small = testEngine(
      ...[text(), bytes("*/*"), byteStream("*/*"), form({ a: z.string().optional() }), ndjson(Row)].map(
        (body, n) =>
          POST(`/${n}`, { body, maxBodySize: 10, output: z.unknown() }, async ({ body: given }) => {
            if (typeof given === "object" && Symbol.asyncIterator in given) for await (const _ of given);
            return 1;
          }),
      ),
    );
    const types = ["text/plain", "a/b", "a/b", FORM, "application/jsonl"];
    for (const [n, type] of types.entries()) {
      const body = "a=123456789";
      async function* pieces() {
        yield body.slice(0, 5);
        yield body.slice(5);
      }
      for (const sent of [body, pieces()]) {
        const answer = await ask(`/${n}`, type, sent, small);
        expect([type, answer.status, answer.decodeJSON()]).toMatchObject([
          type,
          413,
          { details: { max_size: 10 } },
        ]);
      }
    }
  });
});

describe("a stream of bytes", () => {
  test("is read only as fast as the function reads", async () => {
    let go: (() => void) | undefined;
    const slow = createEngine().withHandlers(
      POST("/slow", { body: byteStream(), output: z.int(), maxBodySize: 1e9 }, async ({ body }) => {
        let size = 0;
        for await (const chunk of body) {
          size += chunk.length;
          await new Promise<void>((resolve) => {
            if (go === undefined) go = resolve;
            else resolve();
          });
        }
        return size;
      }),
    );
    const { port, hostname } = new URL(await listening(slow));
    const socket = connect(Number(port), hostname);
    const total = 64 * 1024 * 1024;
    socket.write(
      `POST /slow HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Type: application/octet-stream\r\nContent-Length: ${total}\r\n\r\n`,
    );
    const piece = Buffer.alloc(1024 * 1024);
    for (let n = 0; n < 64; n++) socket.write(piece);
    await new Promise((resolve) => setTimeout(resolve, 300));
    // What the two ends of the connection hold.
    expect(socket.bytesWritten - socket.writableLength).toBeLessThan(total / 2);
    go?.();
    let answer = "";
    for await (const chunk of socket) answer += chunk;
    expect(answer).toMatch(new RegExp(`^HTTP/1.1 200 [^]*${total}$`));
  });

  test("may be left early or not read at all, and the connection goes on", async () => {
    const api = createEngine().withHandlers(
      POST("/first", { body: byteStream(), output: z.int() }, async ({ body }) => {
        for await (const chunk of body) return chunk.length > 0 ? 1 : 0;
        return 0;
      }),
      POST("/none", { body: byteStream(), output: z.int() }, () => 2),
      POST("/held", { body: byteStream(), output: z.int() }, async ({ body }) => {
        await body[Symbol.asyncIterator]().next();
        return 3;
      }),
      POST("/caught", { body: byteStream(), maxBodySize: 10, output: z.string() }, async ({ body }) => {
        try {
          for await (const _ of body);
        } catch (error) {
          return (error as Error).message;
        }
        return "read";
      }),
    );
    const url = await listening(api);
    const body = "x".repeat(500_000);
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    atEnd(async () => agent.destroy());
    const reused: boolean[] = [];
    for (const path of ["/first", "/held", "/none", "/first"]) {
      const headers = { "content-type": "application/octet-stream" };
      const request = sendRequest(`${url}${path}`, { method: "POST", agent, headers });
      request.end(body);
      const [answer] = (await once(request, "response")) as [IncomingMessage];
      expect([path, answer.statusCode]).toEqual([path, 200]);
      await once(answer.resume(), "close");
      reused.push(request.reusedSocket);
    }
    expect(reused).toEqual([false, true, true, true]);
    const chunked = await fetch(`${url}/caught`, {
      method: "POST",
      headers: { "content-type": "application/octet-stream" },
      body: new Blob([body]).stream(),
      duplex: "half",
    } as RequestInit);
    expect([chunked.status, await chunked.json()]).toEqual([200, "payload too large"]);
  });

  test("whose client leaves ends the function's iteration, and is no failure of the server", async () => {
    const reported: Error[] = [];
    let ended: unknown;
    let begun: () => void = () => {};
    const isBegun = new Promise<void>((resolve) => {
      begun = resolve;
    });
    const over = new Promise<void>((resolve) => {
      const api = createEngine({ onError: (error) => void reported.push(error) }).withHandlers(
        POST("/x", { body: byteStream(), output: z.int() }, async ({ body }) => {
          try {
            for await (const _ of body) begun();
          } catch (error) {
            ended = error;
            throw error;
          } finally {
            resolve();
          }
          return 1;
        }),
      );
      void listening(api).then(async (url) => {
        const { port, hostname } = new URL(url);
        const socket = connect(Number(port), hostname);
        socket.write(
          "POST /x HTTP/1.1\r\nHost: a\r\nContent-Type: application/octet-stream\r\nContent-Length: 100\r\n\r\nabc",
        );
        await isBegun;
        socket.destroy();
      });
    });
    await over;
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(ended).toMatchObject({ code: "ECONNRESET" });
    expect(reported).toEqual([]);
  });
});

describe("lines of JSON", () => {
  const send = (body: unknown, type = "application/x-ndjson") => ask("/lines", type, body);

  test("are decoded and validated row by row, however they are cut", async () => {
    const at = "2026-01-02T03:04:05.000Z";
    const sent = `{"id":1,"qty":1,"at":"${at}","x":0}\r\n\n  \r\n{"id":2,"qty":2}`;
    const expected = [
      { id: 1, qty: 1, at },
      { id: 2, qty: 2 },
    ];
    for (const type of ["application/x-ndjson", "application/jsonl; charset=utf-8"])
      expect((await send(sent, type)).decodeJSON()).toEqual(expected);
    expect((await send("")).decodeJSON()).toEqual([]);
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(Buffer.byteLength(sent)), { maxLength: 8 }), async (cuts) => {
        const ends = [0, ...cuts, sent.length].toSorted((a, b) => a - b);
        async function* pieces() {
          for (let n = 1; n < ends.length; n++) yield Buffer.from(sent).subarray(ends[n - 1], ends[n]);
        }
        expect((await send(pieces())).decodeJSON()).toEqual(expected);
      }),
      { numRuns: 30 },
    );
    async function* given() {
      yield { id: 1, qty: 1, at: new Date(at) };
      yield { id: 2, qty: 2 };
    }
    expect((await serveRequest(engine, "POST", "/lines", given())).decodeJSON()).toEqual(expected);
  });

  test("end with the error that is the answer, declared or not", async () => {
    const bad = await send(`${'{"id":1,"qty":1}\n'.repeat(7)}{"id":1,"qty":0}\n`);
    expect(bad.decodeJSON()).toMatchObject({
      code: "VALIDATION_FAILED",
      details: { fields: [{ field: "[7].qty" }] },
    });
    const broken = await send('{"id":1,"qty":1}\n{"id":\n');
    expect(broken.decodeJSON()).toEqual({
      code: "UNPROCESSABLE_ENTITY",
      message: "invalid request body",
      details: { reason: "row 1 is not JSON" },
    });
    const deep = await send(`{"id":${"[".repeat(300)}${"]".repeat(300)}}`);
    expect(deep.status).toBe(422);
    expect((await send(new Uint8Array([0x22, 0xff, 0x22]))).status).toBe(422);
  });

  test("that are blank, a million of them, take no time", async () => {
    const before = performance.now();
    expect((await send("\r\n".repeat(500_000))).decodeJSON()).toEqual([]);
    expect(performance.now() - before).toBeLessThan(2_000);
  });

  test("longer than 1 MiB are a 413, in a time in proportion", async () => {
    const big = testEngine(
      POST("/lines", { body: ndjson(z.unknown()), maxBodySize: 1e9, output: z.int() }, async ({ body }) => {
        let count = 0;
        for await (const _ of body) count++;
        return count;
      }),
    );
    async function* endless(chunks: number) {
      for (let n = 0; n < chunks; n++) yield "x".repeat(1_000);
    }
    const answer = await ask("/lines", "application/x-ndjson", endless(2_000), big);
    expect(answer.decodeJSON()).toMatchObject({ details: { max_size: 1024 * 1024 } });
    const fits = await ask("/lines", "application/x-ndjson", `"${"x".repeat(1024 * 1024 - 2)}"\n1`, big);
    expect(fits.decodeJSON()).toBe(2);
    const over = await ask("/lines", "application/x-ndjson", `"${"x".repeat(1024 * 1024 - 1)}"\n1`, big);
    expect(over.status).toBe(413);
  });
});

describe("several bodies", () => {
  test("are chosen by the content type", async () => {
    expect((await ask("/either", "application/json", { id: 1, x: 1 })).decodeJSON()).toEqual({ id: 1 });
    expect((await ask("/either", "application/a+json", { id: 1 })).decodeJSON()).toEqual({ id: 1 });
    expect((await ask("/either", FORM, "id=2&note=n")).decodeJSON()).toEqual({ id: 2, note: "n" });
    expect((await ask("/either", "text/markdown", "# a")).decodeJSON()).toEqual({ markdown: "# a" });
    const other = await ask("/either", "text/plain", "# a");
    expect([other.status, other.headers.get("accept")]).toEqual([
      415,
      `application/json, ${FORM}, text/markdown`,
    ]);
    const ranges = testEngine(
      POST(
        "/x",
        { body: [bytes("*/*"), text("text/*"), text("text/html"), z.int()], output: z.unknown() },
        ({ body }) => (body instanceof Uint8Array ? "bytes" : body),
      ),
    );
    for (const [type, got] of [
      ["text/html", "1"],
      ["text/x", "1"],
      ["a/b", "bytes"],
      ["application/json", 1],
    ])
      expect((await ask("/x", String(type), "1", ranges)).decodeJSON()).toEqual(got);
  });

  test("may be missing where JSON may be, and only then", async () => {
    const maybe = testEngine(
      POST("/x", { body: [Order.optional(), text()], output: z.unknown() }, ({ body }) => body ?? "none"),
    );
    expect((await serveRequest(maybe, "POST", "/x")).decodeJSON()).toBe("none");
    expect((await serveRequest(engine, "POST", "/either")).status).toBe(422);
  });
});

describe("a body that middleware has read", () => {
  test("is validated as it is where it is a form, and names the middleware's place where it is not", async () => {
    const reported: Error[] = [];
    const parsers = [urlencoded({ extended: true }), bodyParser.text(), bodyParser.raw()];
    const api = createEngine({ onError: (error) => void reported.push(error) }).withHandlers(
      POST("/sign", { body: Sign, middleware: parsers, output: z.unknown() }, ({ body }) => body),
      POST("/note", { body: text(), middleware: parsers, output: z.unknown() }, ({ body }) => body),
    );
    expect((await ask("/sign", FORM, "name=Ann&age=5&tags=a", api)).decodeJSON()).toEqual({
      name: "Ann",
      age: 5,
      tags: ["a"],
    });
    expect((await ask("/sign", FORM, "name[x]=Ann", api)).status).toBe(422);
    const answer = await ask("/note", "text/plain", "x", api);
    expect(answer.text()).toBe('{"code":"INTERNAL_SERVER_ERROR","message":"internal server error"}');
    expect(reported.map(({ message }) => message)).toEqual([
      "middleware of the handler's option middleware has read the body, which text() reads itself: remove it there",
    ]);
    for (const body of [text(), bytes("text/*"), byteStream("text/*")]) {
      const engineWide = createEngine({ onError: (error) => void reported.push(error) })
        .withMiddleware(bodyParser.text())
        .withHandlers(POST("/note", { body, output: z.unknown() }, () => 1));
      expect((await ask("/note", "text/plain", "x", engineWide)).status).toBe(500);
      expect(reported.at(-1)?.message).toMatch(/^middleware of the engine or the application/);
    }
    // What left the body alone is no trouble.
    const other = createEngine().withMiddleware(bodyParser.json()).withHandlers(note);
    expect((await ask("/note", "text/plain", "x", other)).decodeJSON()).toBe("x");
  });
});

describe("a declaration", () => {
  const refused = (body: unknown) => {
    try {
      POST("/x", { body: wrong(body) }, () => 1);
    } catch (error) {
      expect(error).toBeInstanceOf(DeclarationError);
      return (error as Error).message;
    }
    return "none";
  };

  test("refuses what is no body, two of one type, and kinds where none may stand", () => {
    const cases: [unknown, string][] = [
      [html(), "html() is no body"],
      [csv(Row), "csv() is no body"],
      [rows(Row), "rows() is no body"],
      [[], "at least one body"],
      [[text(), [text("a/b")]], "a Zod schema, or a kind"],
      [[Order, Row], 'two bodies have the media type "application/json"'],
      [
        [text("Text/Plain; charset=utf-8"), bytes("text/plain")],
        'two bodies have the media type "text/plain"',
      ],
      [[Order, text("application/json")], "two bodies"],
      [[ndjson(Row), text("application/jsonl")], "two bodies"],
      [text("te*t/plain"), "no media type"],
      [text("*/plain"), "no media type"],
      [{}, "a Zod schema"],
      [z.object({ a: wrong(form({ a: z.string() })) }), "cannot stand inside a schema"],
      [z.array(wrong(text())), "cannot stand inside a schema"],
      ["text/plain", "a Zod schema"],
    ];
    for (const [body, message] of cases) expect(refused(body)).toContain(message);
    for (const given of ["", "text", "text/", [], ["text/plain", 5]])
      expect(() => text(wrong(given))).toThrow(DeclarationError);
    for (const fields of [5, null, { a: 1 }, { a: text() }, { a: z.object({}) }, text(), undefined])
      expect(() => form(wrong(fields)), JSON.stringify(fields)).toThrow(DeclarationError);
    expect(() =>
      GET(
        "/x",
        { output: wrong(byteStream()) },
        wrong(() => 1),
      ),
    ).toThrow("byteStream() is no answer");
    expect(() =>
      GET(
        "/x",
        { output: wrong(form({})) },
        wrong(() => 1),
      ),
    ).toThrow("form() is no answer");
    expect(() => GET("/x", { output: bytes(["a/b", "c/d"]) }, () => new Uint8Array())).toThrow(
      "one media type",
    );
    expect(() => ndjson(wrong(form({})))).toThrow(DeclarationError);
  });

  test("of a QUERY names the types of its body in Accept-Query, and streams take kinds too", async () => {
    const api = testEngine(
      QUERY(
        "/q",
        { body: [z.string(), text(), form({ a: z.string() })], output: z.unknown() },
        ({ body }) => body,
      ),
      stream("POST", "/s", { body: text(), event: z.string() }, ({ body }, { send }) => send(body)),
    );
    const answer = await serveRequestWithHeaders(api, "QUERY", "/q", { "content-type": "text/plain" }, "x");
    expect([answer.headers.get("accept-query"), answer.decodeJSON()]).toEqual([
      `application/json, text/plain, ${FORM}`,
      "x",
    ]);
    const events = await ask("/s", "text/plain", "hello", api);
    expect(events.text()).toBe('data: "hello"\n\n');
  });
});

test("events tell of bodies that cannot be read or do not fit", async () => {
  const told: string[] = [];
  const stops = (["http.request.body.parse.error", "http.request.validation.input.failed"] as const).map(
    (name) => on(name, ({ error }) => void told.push(`${name} ${(error as { code?: string }).code}`)),
  );
  await ask("/sign", FORM, "a=%");
  await ask("/sign", FORM, "a=1");
  await ask("/lines", "application/jsonl", "{");
  await ask("/lines", "application/jsonl", "{}");
  for (const stop of stops) stop();
  const [parse, fit] = [
    "http.request.body.parse.error UNPROCESSABLE_ENTITY",
    "http.request.validation.input.failed VALIDATION_FAILED",
  ];
  expect(told).toEqual([parse, fit, parse, fit]);
});

describe("the document", () => {
  test("lists the content by media type", async () => {
    for (const version of ["3.1", "3.2"] as const) {
      const api = createEngine({ openapi: version }).withHandlers(sign, note, image, measure, lines, either);
      const document = api.openapi();
      if (version === "3.1") await expectValid(document);
      const body = (path: string) => document.paths?.[path as `/${string}`]?.post?.requestBody;
      expect(body("/sign")).toEqual({
        required: true,
        content: {
          [FORM]: {
            schema: {
              type: "object",
              properties: {
                name: { type: "string" },
                age: { type: "integer" },
                tags: { type: "array", items: { type: "string" } },
              },
              required: ["name"],
            },
          },
        },
      });
      expect(body("/note")).toEqual({
        required: true,
        content: { "text/plain": { schema: { type: "string" } } },
      });
      expect(body("/image")).toEqual({ required: true, content: { "image/*": {}, "application/pdf": {} } });
      expect(body("/measure")).toEqual({ required: true, content: { "*/*": {} } });
      const content = (
        body("/lines") as { content: Record<string, { itemSchema?: object; schema?: object }> }
      ).content;
      expect(Object.keys(content)).toEqual(["application/x-ndjson", "application/jsonl"]);
      for (const media of Object.values(content))
        expect(Object.keys(media)).toEqual([version === "3.2" ? "itemSchema" : "schema"]);
      expect(Object.keys((body("/either") as { content: object }).content)).toEqual([
        "application/json",
        FORM,
        "text/markdown",
      ]);
    }
  });
});

describe("the client", () => {
  test("sends every kind, knows after one call what a handler takes, and sends other forms as they are", async () => {
    const seen: string[] = [];
    const api = createEngine()
      .withMiddleware((request, _, next) => {
        seen.push(`${request.url} ${request.get("content-type")}`);
        next();
      })
      .withHandlers(sign, note, image, measure, lines, either);
    const client = createClient<typeof api>(await listening(api));
    const dataOf = (answer: { data: unknown }) => answer.data;
    const values = { name: "A&b", age: 3, tags: ["x", "y,z"] };
    expect(dataOf(await client.POST("/sign", { body: values }))).toEqual(values);
    expect(dataOf(await client.POST("/sign", { body: { name: "again" } }))).toEqual({
      name: "again",
      tags: [],
    });
    expect(dataOf(await client.POST("/sign", { body: new URLSearchParams("name=p") }))).toEqual({
      name: "p",
      tags: [],
    });
    expect(seen.splice(0)).toEqual([
      "/sign application/json",
      `/sign ${FORM};charset=UTF-8`,
      `/sign ${FORM};charset=UTF-8`,
      `/sign ${FORM};charset=UTF-8`,
    ]);
    for (const body of ["text", "", "[1]"]) expect(dataOf(await client.POST("/note", { body }))).toBe(body);
    expect(dataOf(await client.POST("/note", { body: new Blob(["b"]) }))).toBe("b");
    expect(
      dataOf(await client.POST("/image", { body: new Blob([new Uint8Array([7])], { type: "image/png" }) })),
    ).toBe("07");
    expect(
      dataOf(
        await client.POST("/image", { body: new Uint8Array([8]), headers: { "content-type": "image/gif" } }),
      ),
    ).toBe("08");
    expect(dataOf(await client.POST("/measure", { body: new Uint8Array(70_000) }))).toBe(70_000);
    expect(dataOf(await client.POST("/measure", { body: new Blob(["abc"]).stream() }))).toBe(3);
    const some = [
      { id: 1, qty: 1 },
      { id: 2, qty: 2, at: "2026-01-02T03:04:05.000Z" },
    ];
    async function* later() {
      yield* some;
    }
    for (const body of [later(), some, some.values(), new Set(some)])
      expect(dataOf(await client.POST("/lines", { body }))).toEqual(some);
    expect(dataOf(await client.POST("/either", { body: { id: 4 } }))).toEqual({ id: 4 });
    expect(dataOf(await client.POST("/either", { body: new URLSearchParams("id=5&note=n") }))).toEqual({
      id: 5,
      note: "n",
    });
    expect(
      dataOf(await client.POST("/either", { body: new Blob(["#"], { type: "text/markdown" }) })),
    ).toEqual({ markdown: "#" });
    await expect(client.POST("/sign", { body: { name: wrong({ a: 1 }) } })).rejects.toMatchObject({
      code: "INVALID_REQUEST",
    });
    await expect(
      client.POST("/image", { body: new Blob(["x"], { type: "text/html" }) }),
    ).rejects.toMatchObject({
      code: "UNSUPPORTED_MEDIA_TYPE",
    });
  });
});
