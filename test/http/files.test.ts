/** Answers that are files: ranges, conditions, names, and nothing outside of the root whatever a client asks for. */
import { execFile } from "node:child_process";
import { linkSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import contentDisposition from "content-disposition";
import fc from "fast-check";
import { afterAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { createClient } from "../../src/http/client/index.js";
import {
  createEngine,
  DeclarationError,
  file,
  GET,
  HEAD,
  NotFound,
  on,
  POST,
  reply,
} from "../../src/http/index.js";
import { serveRequest, serveRequestWithHeaders, testEngine } from "../../src/http/testing/index.js";
import { atEnd } from "../at-end.js";
import { raw } from "./raw.js";
import { listening } from "./serve.js";
import { expectValid } from "./validate-document.js";

const place = mkdtempSync(join(tmpdir(), "files-test-"));
afterAll(() => rmSync(place, { recursive: true }));
const root = join(place, "root");
mkdirSync(join(root, "folder", ".hidden"), { recursive: true });
mkdirSync(join(place, "root-beside"));
const digits = "0123456789";
const large = Buffer.alloc(3_000_000, digits);
const inside: Record<string, string | Buffer> = {
  "a.txt": digits,
  "folder/b é.json": "{}",
  "folder/large.bin": large,
  "no-extension": "x",
  "%2e%2e": "dots",
  "..a": "no dot file of ours",
};
for (const [name, content] of Object.entries(inside)) writeFileSync(join(root, name), content);
const time = new Date("2026-01-02T03:04:05.000Z");
utimesSync(join(root, "a.txt"), time, time);
for (const name of ["secret", "root-beside/secret", "root/.secret", "root/folder/.hidden/secret"])
  writeFileSync(join(place, name), "secret");
symlinkSync(join(place, "secret"), join(root, "link-out"));
symlinkSync(place, join(root, "link-folder"));
symlinkSync(join(root, "a.txt"), join(root, "link-in"));
symlinkSync(join(root, "loop"), join(root, "loop"));
linkSync(join(root, "a.txt"), join(root, "hard"));
symlinkSync(root, join(place, "link-root"));
// Every value here is one that the compiler refuses.
const wrong = (value: unknown) => value as never;

const rest = GET("/files/{path*}", { output: file() }, ({ params }) => ({ root, path: params.path.path }));
const asked = GET(
  "/asked",
  {
    query: { path: z.string(), name: z.string().optional(), type: z.string().optional() },
    output: file({ types: ["text/*", "image/png"] }),
    errors: [NotFound],
  },
  ({ params }) => ({ root: join(place, "link-root"), ...params.query }),
);
const engine = testEngine(rest, asked);
const ask = (path: string, headers: Record<string, string> = {}) =>
  serveRequestWithHeaders(engine, "GET", `/asked?path=${encodeURIComponent(path)}`, headers);

describe("a file", () => {
  test("is sent with its type, its length, its time and a tag", async () => {
    const answer = await serveRequest(engine, "GET", "/files/a.txt");
    expect([answer.status, answer.text()]).toEqual([200, digits]);
    const headers = Object.fromEntries(answer.headers);
    expect(headers).toMatchObject({
      "accept-ranges": "bytes",
      "answer-kind": "file",
      "content-length": "10",
      "content-type": "text/plain; charset=utf-8",
      "last-modified": time.toUTCString(),
      etag: expect.stringMatching(/^W\/"/),
      "x-content-type-options": "nosniff",
    });
    expect(headers).not.toHaveProperty("cache-control");
    expect(headers).not.toHaveProperty("content-disposition");
    const types: [string, string][] = [
      ["folder/b%20%C3%A9.json", "application/json; charset=utf-8"],
      ["folder/large.bin", "application/octet-stream"],
      ["no-extension", "application/octet-stream"],
    ];
    for (const [path, type] of types)
      expect((await serveRequest(engine, "GET", `/files/${path}`)).headers.get("content-type")).toBe(type);
    const own = await serveRequest(engine, "GET", "/asked?path=a.txt&type=text/x&name=b.csv");
    expect([own.headers.get("content-type"), own.headers.get("content-disposition")]).toEqual([
      "text/x",
      'attachment; filename="b.csv"',
    ]);
  });

  test("is sent in parts, and not again to whom has it", async () => {
    const ranges: [string, number, string, string | null][] = [
      ["bytes=0-3", 206, "0123", "bytes 0-3/10"],
      ["bytes=5-", 206, "56789", "bytes 5-9/10"],
      ["bytes=-2", 206, "89", "bytes 8-9/10"],
      ["bytes=0-100", 206, digits, "bytes 0-9/10"],
      ["bytes=0-4,2-6", 206, "0123456", "bytes 0-6/10"],
      ["bytes=0-1,5-6", 200, digits, null],
      [
        `bytes=${Array.from({ length: 100 }, (_, n) => `${n % 10}-${n % 10}`).join(",")}`,
        206,
        digits,
        "bytes 0-9/10",
      ],
      ["bytes=5-2", 416, "", "bytes */10"],
      ["bytes=10-", 416, "", "bytes */10"],
      ["bytes=nonsense", 200, digits, null],
      ["pages=1-2", 200, digits, null],
    ];
    for (const [range, status, text, contentRange] of ranges) {
      const answer = await ask("a.txt", { range });
      const isRefused = status === 416;
      expect([range, answer.status, answer.headers.get("content-range")]).toEqual([
        range.slice(0, 2_000),
        status,
        contentRange,
      ]);
      if (!isRefused) expect(answer.text()).toBe(text);
      else {
        expect(answer.decodeJSON()).toEqual({
          code: "RANGE_NOT_SATISFIABLE",
          message: "range not satisfiable",
        });
        const kept = ["etag", "last-modified", "answer-kind", "accept-ranges"].filter((name) =>
          answer.headers.has(name),
        );
        expect([answer.headers.get("content-type"), kept]).toEqual(["application/json; charset=utf-8", []]);
      }
    }
    const first = await ask("a.txt");
    const etag = first.headers.get("etag") ?? "";
    for (const headers of [{ "if-none-match": etag }, { "if-modified-since": time.toUTCString() }]) {
      const again = await ask("a.txt", headers);
      expect([again.status, again.text(), again.headers.get("etag")]).toEqual([304, "", etag]);
    }
    expect((await ask("a.txt", { "if-none-match": '"other"' })).status).toBe(200);
    expect((await ask("a.txt", { "if-range": '"other"', range: "bytes=0-1" })).status).toBe(200);
    const failed = await ask("a.txt", { "if-match": '"other"' });
    expect([failed.status, failed.decodeJSON()]).toMatchObject([412, { code: "PRECONDITION_FAILED" }]);
  });

  test("answers HEAD without a body, after its function has run, or by a handler of HEAD", async () => {
    const answer = await serveRequest(engine, "HEAD", "/files/folder/large.bin");
    expect([answer.status, answer.headers.get("content-length"), answer.bytes().length]).toEqual([
      200,
      "3000000",
      0,
    ]);
    expect((await serveRequest(engine, "HEAD", "/files/none")).status).toBe(404);
    const own = testEngine(
      rest,
      HEAD("/files/{path*}", ({ response }) => void response.setHeader("x", "1")),
    );
    expect((await serveRequest(own, "HEAD", "/files/a.txt")).headers.get("x")).toBe("1");
  });

  test("is one of several answers, with headers of a reply, and has no parts for POST", async () => {
    const api = testEngine(
      GET(
        "/x",
        {
          outputs: { 200: file(), 202: z.string() },
          responseHeaders: { "X-Of": z.string().optional() },
          query: { later: z.boolean().optional() },
        },
        ({ params }) =>
          params.query.later === true
            ? reply(202, "later")
            : reply(200, { root, path: "a.txt" }, { "X-Of": "a" }),
      ),
      POST("/x", { output: file(), status: 201 }, () => ({ root, path: "a.txt" })),
    );
    expect((await serveRequest(api, "GET", "/x?later=true")).decodeJSON()).toBe("later");
    expect((await serveRequest(api, "GET", "/x")).headers.get("x-of")).toBe("a");
    const refused = await serveRequestWithHeaders(api, "GET", "/x", { range: "bytes=99-" });
    expect([refused.status, refused.headers.get("x-of")]).toEqual([416, null]);
    const posted = await serveRequestWithHeaders(api, "POST", "/x", { range: "bytes=0-1" });
    expect([posted.status, posted.text()]).toEqual([201, digits]);
  });

  test("has a name that every program reads", async () => {
    const nameOf = async (name: string) =>
      (await serveRequest(engine, "GET", `/asked?path=a.txt&name=${encodeURIComponent(name)}`)).headers.get(
        "content-disposition",
      ) ?? "";
    expect(await nameOf("Übersicht €.txt")).toBe(
      "attachment; filename=\"_bersicht _.txt\"; filename*=UTF-8''%C3%9Cbersicht%20%E2%82%AC.txt",
    );
    expect(await nameOf('a"b\r\nSet-Cookie: x=1')).toBe(
      "attachment; filename=\"a_b__Set-Cookie: x=1\"; filename*=UTF-8''a%22b%0D%0ASet-Cookie%3A%20x%3D1",
    );
    await fc.assert(
      fc.asyncProperty(fc.string({ minLength: 1, unit: "binary" }), async (name) => {
        expect(contentDisposition.parse(await nameOf(name)).parameters["filename"]).toBe(name);
      }),
      { numRuns: 300 },
    );
    const lone = testEngine(GET("/x", { output: file() }, () => ({ root, path: "a.txt", name: "a\ud800" })));
    expect((await serveRequest(lone, "GET", "/x")).headers.get("content-disposition")).toContain(
      "UTF-8''a%EF%BF%BD",
    );
  });

  test("is read with curl, also where it left off", async () => {
    const url = await listening(createEngine().withHandlers(rest));
    const target = join(place, "resumed");
    const curl = (...options: string[]) => promisify(execFile)("curl", ["-s", "--path-as-is", ...options]);
    expect((await curl("-r", "2-5", `${url}/files/a.txt`)).stdout).toBe("2345");
    expect((await curl("-r", "-3", `${url}/files/a.txt`)).stdout).toBe("789");
    writeFileSync(target, large.subarray(0, 1_234_567));
    await curl("-C", "-", "-o", target, `${url}/files/folder/large.bin`);
    const { readFileSync } = await import("node:fs");
    expect(readFileSync(target).equals(large)).toBe(true);
    expect((await curl("-w", "%{http_code}", "-o", "/dev/null", `${url}/files/../secret`)).stdout).toBe(
      "404",
    );
  });
});

describe("a path", () => {
  const absent = [
    "",
    "/",
    ".",
    "..",
    "./",
    "none",
    "a.txt/",
    "a.txt/b",
    "folder",
    "folder/",
    ".secret",
    "folder/.hidden/secret",
    "../secret",
    "folder/../../secret",
    "../root-beside/secret",
    "..\\secret",
    "a.txt\0",
    "\0",
    "link-out",
    "link-folder/secret",
    "link-folder",
    "loop",
    "..a",
    "/etc/hostname",
    "//etc/hostname",
    join(place, "secret"),
    "x".repeat(5_000),
    `${"a/".repeat(5_000)}b`,
    "\ud800",
  ];
  test.each(absent)("that leads to no file of the root is a 404: %j", async (path) => {
    const at = testEngine(GET("/x", { output: file() }, () => ({ root, path })));
    const answer = await serveRequest(at, "GET", "/x");
    expect([answer.status, answer.decodeJSON()]).toEqual([404, { code: "NOT_FOUND", message: "not found" }]);
    expect(answer.headers.has("answer-kind")).toBe(false);
  });

  test("is taken below the root, through links that stay in it", async () => {
    for (const path of [
      "a.txt",
      "/a.txt",
      "//a.txt",
      "folder/../a.txt".replace("folder/../", "./"),
      "link-in",
      "hard",
      "link-folder/../a.txt".slice(15),
    ])
      expect([path, (await ask(path)).text()]).toEqual([path, digits]);
    expect((await ask("%2e%2e")).text()).toBe("dots");
    expect((await ask("%252e%252e")).status).toBe(404);
  });

  test("in any encoding shows nothing outside of the root", async () => {
    const url = await listening(createEngine({ onError: false }).withHandlers(rest, asked));
    const port = Number(new URL(url).port);
    const pieces = [
      "..",
      ".",
      "/",
      "\\",
      "%2e",
      "%2E",
      "%2f",
      "%5c",
      "%252e%252e",
      "%252f",
      "%c0%ae",
      "%u002e",
      "%00",
      "..;",
      "~",
      "secret",
      "root-beside",
      ".secret",
      "a.txt",
      "folder",
      "link-out",
      "link-folder",
      "%ef%bc%8f",
      "%e2%80%a5",
      " ",
      "%20",
      "C:",
      "file:",
      "?",
      "#",
    ].map((piece) => piece.replaceAll(" ", "%20"));
    const contents = new Set(Object.values(inside).map(String));
    const path = fc
      .array(fc.constantFrom(...pieces), { minLength: 1, maxLength: 9 })
      .map((parts) => parts.join(""));
    const seen = new Map<string, number>();
    await fc.assert(
      fc.asyncProperty(path, fc.boolean(), async (given, isRest) => {
        const target = isRest ? `/files/${given}` : `/asked?path=${given.replaceAll("#", "")}`;
        const answer = await raw(port, `GET ${target} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`);
        const [head = "", body = ""] = answer.split("\r\n\r\n");
        const status = /^HTTP\/1.1 (\d+)/.exec(head)?.[1] ?? "none";
        seen.set(status, (seen.get(status) ?? 0) + 1);
        expect(body).not.toBe("secret");
        expect([given, ["200", "400", "404", "422"].includes(status)]).toEqual([given, true]);
        if (status === "200") expect(contents.has(body)).toBe(true);
      }),
      {
        numRuns: 600,
        examples: [
          ["a.txt", true],
          ["../secret", false],
          ["%2e%2e%2fsecret", true],
          ["link-out", true],
          [".secret", false],
        ],
      },
    );
    expect(seen.get("200")).toBeGreaterThan(0);
    expect(seen.get("404")).toBeGreaterThan(100);
  }, 60_000);
});

describe("a failure", () => {
  test("of the function's value is a bare 500", async () => {
    const reported: string[] = [];
    const values = [
      undefined,
      null,
      5,
      "a.txt",
      [],
      {},
      { root },
      { root, path: 5 },
      { root: "", path: "a.txt" },
      { root: join(place, "none"), path: "a.txt" },
      { root, path: "a.txt", name: 5 },
      { root, path: "a.txt", name: "" },
      { root, path: "a.txt", type: "a\r\nb" },
    ];
    for (const value of values) {
      const api = createEngine({ onError: ({ message }) => void reported.push(message) }).withHandlers(
        GET("/x", { output: file() }, () => wrong(value)),
      );
      const answer = await serveRequest(api, "GET", "/x");
      expect([answer.status, answer.text()]).toEqual([
        500,
        '{"code":"INTERNAL_SERVER_ERROR","message":"internal server error"}',
      ]);
    }
    expect(reported).toHaveLength(values.length);
    expect(reported.slice(0, 3)).toEqual(
      ["undefined", "null", "a number"].map(
        (type) => `the handler gave ${type}, and an answer of file() is { root, path }`,
      ),
    );
  });

  test("of a client that leaves ends the reading, and is not reported", async () => {
    const reported: Error[] = [];
    const failed: number[] = [];
    atEnd(on("http.request.failed", ({ statusCode }) => void failed.push(statusCode)));
    const huge = join(root, "huge.bin");
    writeFileSync(huge, Buffer.alloc(40_000_000));
    const api = createEngine({ onError: (error) => void reported.push(error) }).withHandlers(rest);
    const { port } = new URL(await listening(api));
    const socket = connect(Number(port), "127.0.0.1");
    socket.write("GET /files/huge.bin HTTP/1.1\r\nHost: a\r\n\r\n");
    await new Promise((resolve) => socket.once("data", resolve));
    socket.destroy();
    while (failed.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(reported).toEqual([]);
    expect(await api.shutdown({ timeoutMs: 500 })).toEqual({ graceful: true });
  });

  test("of a declaration is told at once", () => {
    for (const options of [{ types: "text" }, { types: [] }, { types: ["te*t/x"] }, { type: "text/plain" }])
      expect(() => file(wrong(options))).toThrow(DeclarationError);
    expect(() => GET("/x", { output: file(), etag: true }, () => ({ root, path: "a" }))).toThrow(
      "has no tag",
    );
    expect(() => POST("/x", { body: wrong(file()) }, () => 1)).toThrow("file() is no body");
  });
});

test("the document lists the types, the parts, and what is absent", async () => {
  const document = createEngine().withHandlers(rest, asked).openapi();
  await expectValid(document);
  const responses = document.paths?.["/asked"]?.get?.responses ?? {};
  const content = { "text/*": {}, "image/png": {} };
  expect(responses["200"]).toMatchObject({ content });
  expect(responses["206"]).toMatchObject({
    content,
    headers: { "Content-Range": { schema: { type: "string" } } },
  });
  expect(Object.keys(responses)).toEqual(
    ["200", "206", "304", "400", "404", "416", "422", "500"].filter((status) => status in responses),
  );
  for (const status of ["304", "404", "416"]) expect(responses).toHaveProperty(status);
  expect(document.paths?.["/files/{path}"]?.get?.responses?.["200"]).toMatchObject({
    content: { "*/*": {} },
  });
});

test("the client gets bytes, and the declared 404 as a result", async () => {
  const api = createEngine().withHandlers(rest, asked);
  const client = createClient<typeof api>(await listening(api));
  const answer = await client.GET("/files/{path*}", { path: { path: "folder/b é.json" } });
  expect(Buffer.from(answer.data).toString()).toBe("{}");
  expect(await client.GET("/asked", { query: { path: "none" } })).toMatchObject({
    ok: false,
    error: { code: "NOT_FOUND" },
  });
  await expect(client.GET("/files/{path*}", { path: { path: "none" } })).rejects.toMatchObject({
    code: "NOT_FOUND",
    status: 404,
  });
});
