/** Requests as curl makes them: the client that everybody has at hand, with habits of its own. */
import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import compression from "compression";
import multer from "multer";
import { afterAll, beforeAll, expect, test } from "vitest";
import { z } from "zod";
import { createEngine, GET, identity, POST } from "../../src/http/index.js";
import { listening } from "./serve.js";

const folder = mkdtempSync(join(tmpdir(), "rowtype-curl-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const User = z.object({ id: z.int(), name: z.string(), at: z.date() });
let url = "";

beforeAll(async () => {
  url = await listening(
    createEngine()
      .withAuthenticator((request) => {
        const [, text = ""] = request.get("authorization")?.split(" ") ?? [];
        return text === "" ? null : identity({ id: Buffer.from(text, "base64").toString() });
      })
      .withMiddleware(compression({ threshold: 0 }))
      .withHandlers(
        GET("/users/{id}", { path: { id: z.int() }, output: User, etag: true }, ({ params }) => ({
          id: params.path.id,
          name: "Ann",
          at: new Date(0),
        })),
        GET("/search", { query: { q: z.string(), tag: z.array(z.string()) } }, ({ params }) => params.query),
        GET("/me", { authentication: true }, ({ identity }) => identity.id),
        GET("/cookies", { cookies: { a: z.string() } }, ({ params }) => params.cookies.a),
        POST("/users", { status: 201, body: User, output: User }, ({ body }) => body),
        POST("/size", { body: z.array(z.int()), maxBodySize: 100_000 }, ({ body }) => body.length),
        POST("/upload", { middleware: [multer().single("file")] }, ({ request }) => request.file?.size),
        GET("/old", ({ response }) => response.redirect("/users/7")),
      ),
  );
});

/** Its output, with the status on a line of its own behind. */
async function curl(path: string, ...args: readonly string[]): Promise<readonly [number, string]> {
  const all = ["-sS", "-w", "\n%{http_code}", ...args, url + path];
  const { stdout } = await untilSent(() => promisify(execFile)("curl", all));
  const end = stdout.lastIndexOf("\n");
  return [Number(stdout.slice(end + 1)), stdout.slice(0, end)];
}

/** What it says when its socket was closed while it was still sending, and it has not read the answer. */
const UNREAD = [55, 56];

/** A server that refuses a body closes the connection: where curl sees that first, it is asked again. */
async function untilSent<T>(run: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++)
    try {
      return await run();
    } catch (error) {
      if (tries === 10 || !UNREAD.includes(Object(error).code)) throw error;
    }
}

const json = ["-H", "Content-Type: application/json"];
const user = '{"id":7,"name":"Ann","at":"1970-01-01T00:00:00.000Z"}';

test("gets, asks for the head alone, and for what it does not have yet", async () => {
  expect(await curl("/users/7")).toEqual([200, user]);
  expect(await curl("/users/7", "--compressed")).toEqual([200, user]);
  expect(await curl("/users/7", "--http1.0")).toEqual([200, user]);
  expect(await curl("/old", "-L")).toEqual([200, user]);
  const [status, head] = await curl("/users/7", "-I");
  expect(status).toBe(200);
  expect(head.toLowerCase()).toContain("content-type: application/json; charset=utf-8\r\n");
  const saved = join(folder, "etag");
  expect((await curl("/users/7", "--etag-save", saved))[0]).toBe(200);
  expect(await curl("/users/7", "--etag-compare", saved)).toEqual([304, ""]);
});

test("sends JSON; without its type it sends a form, which is refused", async () => {
  expect(await curl("/users", ...json, "-d", user)).toEqual([201, user]);
  const [status, body] = await curl("/users", "-d", user);
  expect([status, JSON.parse(body).code]).toEqual([415, "UNSUPPORTED_MEDIA_TYPE"]);
});

test("sends parameters, credentials and cookies", async () => {
  const search = ["-G", "--data-urlencode", "q=a+b & c", "-d", "tag=x", "-d", "tag=y"];
  expect(await curl("/search", ...search)).toEqual([200, '{"q":"a+b & c","tag":["x","y"]}']);
  expect(await curl("/me", "-u", "ann:secret")).toEqual([200, '"ann:secret"']);
  expect((await curl("/me"))[0]).toBe(401);
  expect(await curl("/cookies", "-b", "a=1; b=2")).toEqual([200, '"1"']);
});

test("sends large bodies, announced or in chunks, and is refused before it has sent what is too large", async () => {
  const file = join(folder, "list.json");
  const chunked = ["-H", "Transfer-Encoding: chunked"];
  const announced = ["-H", "Expect: 100-continue"];
  writeFileSync(file, JSON.stringify(Array(20_000).fill(1)));
  for (const how of [[], chunked, announced])
    expect(await curl("/size", ...json, ...how, "--data-binary", `@${file}`)).toEqual([200, "20000"]);
  writeFileSync(file, JSON.stringify(Array(2_000_000).fill(1)));
  for (const how of [[], chunked, announced]) {
    const [status, body] = await curl("/size", ...json, ...how, "--data-binary", `@${file}`);
    expect([status, JSON.parse(body).details]).toEqual([413, { max_size: 100_000 }]);
  }
});

test("uploads files", async () => {
  const file = join(folder, "picture");
  writeFileSync(file, "x".repeat(5_000));
  expect(await curl("/upload", "-F", `file=@${file}`)).toEqual([200, "5000"]);
});

test("sends paths as they are", async () => {
  expect((await curl("/users/../users/7", "--path-as-is"))[0]).toBe(404);
  expect((await curl("/users/%37"))[0]).toBe(200);
  expect((await curl("/users/%zz"))[0]).toBe(400);
  expect((await curl("/users/7", "-X", "BREW"))[0]).toBeGreaterThanOrEqual(400);
  expect((await curl("/users/7", "-X", "TRACE"))[0]).toBe(405);
});
