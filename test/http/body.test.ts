import express from "express";
import { afterAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { createEngine, GET, on, POST } from "../../src/http/index.js";
import { expectCost, expectMoment } from "../stopwatch.js";
import { raw } from "./raw.js";
import { ask, send, serve } from "./serve.js";

const invalid = { code: "UNPROCESSABLE_ENTITY", message: "invalid request body" };
const open = POST("/open", { body: z.unknown(), output: z.unknown() }, ({ body }) => body);
const user = POST("/user", { body: z.object({ name: z.string().max(5), age: z.int() }) }, ({ body }) => body);
const small = POST("/small", { body: z.string(), maxBodySize: 10 }, ({ body }) => body);
const none = POST("/none", ({ body }) => ({ body: body === undefined }));

describe("a body", () => {
  test.each([
    ["unparseable", "{"],
    ["empty", ""],
    ["blank", "  "],
    ["trailing bytes", "{}x"],
    ["two values", "1 2"],
    ["invalid UTF-8", Buffer.from([0x22, 0xff, 0x22])],
    ["nothing at all", undefined],
  ])("row 61: %s is refused in one form", async (_name, body) => {
    const url = await serve(open);
    const answer = await ask(`${url}/open`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      ...(body === undefined ? {} : { body }),
    });
    expect([answer.status, answer.json]).toEqual([422, invalid]);
  });

  test("that is missing is a 422 whatever its content type", async () => {
    const url = await serve(open);
    for (const headers of [{}, { "content-type": "text/plain" }]) {
      expect(await ask(`${url}/open`, { method: "POST", headers })).toMatchObject({
        status: 422,
        json: invalid,
      });
    }
  });

  test("that is chunked is missing where it ends before its first byte, and is of the wrong type where it does not", async () => {
    const { port } = new URL(await serve(open));
    const head =
      "POST /open HTTP/1.1\r\nHost: x\r\nContent-Type: text/plain\r\nTransfer-Encoding: chunked\r\n";
    const post = (body: string) => raw(Number(port), `${head}Connection: close\r\n\r\n${body}`);
    expect(await post("0\r\n\r\n")).toContain("HTTP/1.1 422");
    expect(await post("2\r\n{}\r\n0\r\n\r\n")).toContain("HTTP/1.1 415");
    // The rest is awaited by nobody.
    expect(await post("2\r\n{}\r\n")).toContain("HTTP/1.1 415");
    const kept = await raw(Number(port), `${head}\r\n2\r\n{}\r\n0\r\n\r\n`.repeat(2));
    expect(kept.match(/HTTP\/1\.1 415/g)).toHaveLength(2);
  });

  test("announced by Expect is called for only when it is read", async () => {
    const { port } = new URL(await serve(small, none));
    const head = (path: string, type: string, length: number) =>
      `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Type: ${type}\r\nContent-Length: ${length}\r\nExpect: 100-continue\r\n\r\n`;
    for (const [text, status] of [
      [head("/small", "application/json", 11), 413],
      [head("/small", "text/plain", 3), 415],
      [head("/nope", "application/json", 3), 404],
      [head("/none", "application/json", 3), 200],
    ] as const) {
      const answer = await raw(Number(port), text);
      expect(answer, text).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
      expect(answer.toLowerCase()).toContain("connection: close");
    }
    const taken = await raw(Number(port), `${head("/small", "application/json", 3)}"a"`);
    expect(taken).toMatch(/^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 200 [\s\S]*"a"$/);
    const other = await raw(Number(port), "GET /none HTTP/1.1\r\nHost: x\r\nExpect: miracles\r\n\r\n");
    expect(other).toMatch(/^HTTP\/1\.1 417 [\s\S]*"code":"BAD_REQUEST"/);
  });

  test("row 62: that does not fit is refused with its fields, without coercion", async () => {
    const url = await serve(user);
    const answer = await ask(`${url}/user`, send("POST", { name: "too long", age: "5" }));
    expect(answer).toMatchObject({
      status: 422,
      json: {
        code: "VALIDATION_FAILED",
        message: "validation failed",
        details: { fields: [{ field: "name" }, { field: "age" }] },
      },
    });
    expect(answer.text).not.toContain("too long");
  });

  test("row 63: undeclared keys are stripped, prototype keys reach nothing", async () => {
    const url = await serve(user, open);
    const hostile =
      '{"name":"a","age":1,"admin":true,"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}';
    const answer = await ask(`${url}/user`, { ...send("POST", null), body: hostile });
    expect(answer.json).toEqual({ name: "a", age: 1 });
    const escaped = '{"a":{"\\u005f_proto__":{"polluted":1}},"list":[{"__proto__":1}]}';
    expect((await ask(`${url}/open`, { ...send("POST", null), body: escaped })).text).toBe(
      '{"a":{},"list":[{}]}',
    );
    expect(Reflect.get({}, "polluted")).toBeUndefined();
  });

  test("row 64: depth bombs and issue floods are refused quickly", async () => {
    const node = z.object({
      get next() {
        return node.optional();
      },
    });
    const many = z.array(z.string());
    const nested = z.object({ list: z.array(z.object({ a: z.string() })).optional() });
    const record = z.record(z.string(), z.string());
    const url = await serve(
      open,
      POST("/deep", { body: node }, () => 1),
      POST("/many", { body: many }, () => 1),
      POST("/nested", { body: nested }, () => 1),
      POST("/record", { body: record }, () => 1),
    );
    const post = (path: string, body: string) => ask(url + path, { ...send("POST", null), body });
    const deep = `${'{"next":'.repeat(100_000)}{}${"}".repeat(100_000)}`;
    for (const [path, body] of [
      ["/open", "[".repeat(500_000)],
      ["/open", `${"[".repeat(10_000)}${"]".repeat(10_000)}`],
      ["/deep", deep],
    ] as const) {
      const { json } = await expectCost(200, () => post(path, body), path);
      expect(json).toEqual(invalid);
    }
    const strings = JSON.stringify("[{".repeat(10_000));
    expect((await post("/open", strings)).status).toBe(200);
    for (const [path, schema, body] of [
      ["/many", many, `[${"1,".repeat(500_000)}1]`],
      ["/nested", nested, `{"list":[${'{"a":1},'.repeat(100_000)}{}]}`],
      ["/record", record, `{${Array.from({ length: 50_000 }, (_, i) => `"k${i}":1`).join(",")}}`],
    ] as const) {
      // Zod alone collects every issue.
      const flood = await expectMoment(
        () => post(path, body),
        () => schema.safeParse(JSON.parse(body)),
        { what: path },
      );
      expect(flood.status).toBe(422);
      expect(flood.json).toMatchObject({ details: { fields: expect.objectContaining({ length: 50 }) } });
    }
    const named = await post(
      "/record",
      `{${Array.from({ length: 2_000 }, (_, i) => `"k${i}":1`).join(",")}}`,
    );
    expect(named.json).toMatchObject({
      details: { fields: expect.arrayContaining([{ field: "k7", message: expect.any(String) }]) },
    });
    expect((await post("/many", JSON.stringify(Array.from({ length: 5_000 }, String)))).status).toBe(200);
  });

  test("row 65: the limit applies to the declared length and to the received bytes", async () => {
    const url = await serve(small);
    expect((await ask(`${url}/small`, { ...send("POST", ""), body: '"12345678"' })).status).toBe(200);
    const over = await ask(`${url}/small`, { ...send("POST", ""), body: '"123456789"' });
    expect(over).toMatchObject({
      status: 413,
      json: { code: "PAYLOAD_TOO_LARGE", message: "payload too large", details: { max_size: 10 } },
    });
    const { port } = new URL(url);
    const head = "POST /small HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n";
    const declared = await raw(Number(port), `${head}Content-Length: 999999999\r\n\r\n"`);
    expect(declared).toContain("HTTP/1.1 413");
    expect(declared.toLowerCase()).toContain("connection: close");
    const chunk = `8\r\n${'"1234567'}\r\n`;
    const chunked = await raw(Number(port), `${head}Transfer-Encoding: chunked\r\n\r\n${chunk.repeat(100)}`);
    expect(chunked).toContain("HTTP/1.1 413");
  });

  test("of the default size passes up to 1 MiB", async () => {
    const url = await serve(POST("/x", { body: z.string() }, ({ body }) => body.length));
    const fits = 1024 * 1024 - 2;
    expect((await ask(`${url}/x`, send("POST", "a".repeat(fits)))).json).toBe(fits);
    expect((await ask(`${url}/x`, send("POST", "a".repeat(fits + 1)))).status).toBe(413);
  });

  test.each([
    ["application/json", 200],
    ["application/json; charset=utf-8", 200],
    ['Application/JSON;charset="UTF-8"', 200],
    ["application/problem+json", 200],
    ["application/vnd.api+json;v=1", 200],
    ['application/vnd.api+json; profile="http://a.test/p;charset=latin1"', 200],
    ['application/json; a="\\"; charset=latin1"; charset="utf\\-8"', 200],
    ['application/json; a="b\\\\"; charset=latin1', 415],
    ['application/json; a=";"; charset=latin1; b=";"', 415],
    ['application/json; a=""; charset=utf-8', 200],
    ["application/json;;charset=utf-8;", 200],
    ["text/plain", 415],
    ["application/x-www-form-urlencoded", 415],
    ["multipart/form-data; boundary=x", 415],
    ["application/json; charset=utf-16", 415],
    ["application/jsonp", 415],
    ["text/json", 415],
  ])("row 66: of type %s gives %i", async (type, status) => {
    const url = await serve(open);
    const answer = await ask(`${url}/open`, {
      method: "POST",
      body: "{}",
      headers: { "content-type": type },
    });
    expect(answer.status).toBe(status);
    if (status === 415) {
      expect(answer.json).toEqual({ code: "UNSUPPORTED_MEDIA_TYPE", message: "unsupported media type" });
    }
  });

  test("with a content encoding or without a content type is a 415", async () => {
    const url = await serve(open);
    const encoded = send("POST", {}, { "content-encoding": "gzip" });
    expect((await ask(`${url}/open`, encoded)).status).toBe(415);
    expect((await ask(`${url}/open`, { method: "POST", body: Buffer.from("{}") })).status).toBe(415);
  });

  test("is not read if the handler declares no body", async () => {
    const url = await serve(none);
    expect((await ask(`${url}/none`, { method: "POST", body: "{" })).json).toEqual({ body: true });
  });

  test("ends the request without running the handler when the client leaves in the middle", async () => {
    let ran = 0;
    const failed = new Promise((resolve) => {
      const off = on("http.request.failed", (event) => {
        if (event.path !== "/cut") return;
        off();
        resolve(event);
      });
    });
    const url = await serve(POST("/cut", { body: z.unknown() }, () => ran++));
    const head =
      "POST /cut HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{";
    await raw(Number(new URL(url).port), head, { endAfterMs: 50 });
    expect(await failed).toMatchObject({ method: "POST", path: "/cut", handlerName: "POST /cut" });
    expect(ran).toBe(0);
  });
});

describe("in an Express application that parses bodies itself", () => {
  const body = z.object({ at: z.date() });
  const app = express();
  app.use(express.json({ type: "*/*" }));
  app.use(
    "/api",
    createEngine()
      .withHandlers(
        POST("/at", { body, output: body, maxBodySize: 5 }, ({ body }) => body),
        GET("/x", () => 1),
      )
      .router(),
  );
  const server = app.listen(0, "127.0.0.1");
  afterAll(() => {
    server.close();
  });

  test("the parsed body is decoded and validated as usual; type and limit are the application's", async () => {
    const address = server.address();
    const port = typeof address === "object" && address !== null ? address.port : 0;
    const url = `http://127.0.0.1:${port}/api/at`;
    const at = "2024-02-29T00:00:00.000Z";
    expect(await ask(url, send("POST", { at }, { "content-type": "text/plain" }))).toMatchObject({
      json: { at },
    });
    expect(await ask(url, send("POST", { at: 5 }))).toMatchObject({
      status: 422,
      json: { code: "VALIDATION_FAILED" },
    });
  });
});
