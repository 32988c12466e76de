/** The client as a browser gets it: bundled, with nothing of the server in it, and at work in Chromium. */
import { relative } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import cors from "cors";
import { type BuildResult, build } from "esbuild";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import {
  commaSeparated,
  createEngine,
  form,
  GET,
  multipart,
  NotFound,
  ndjson,
  POST,
  stream,
  upload,
} from "../../src/http/index.js";
import { chromiumIsThere } from "../availability.js";
import { launchChromium } from "../chromium.js";
import { listening } from "./serve.js";

const source = fileURLToPath(new URL("../../src", import.meta.url));

let bundle: BuildResult<{ write: false; metafile: true }>;
beforeAll(async () => {
  bundle = await build({
    entryPoints: [`${source}/http/client/index.ts`],
    bundle: true,
    minify: true,
    // Anything that only Node has would be an error here.
    platform: "browser",
    format: "esm",
    target: "es2022",
    write: false,
    metafile: true,
  });
});

test("holds the client's own files and one of errors, and no package", () => {
  const files = Object.keys(bundle.metafile.inputs).map((path) => relative(source, path));
  expect(files.filter((path) => !path.startsWith("http/client/"))).toEqual(["core/errors.ts"]);
  expect(files.length).toBeGreaterThan(4);
  const imports = Object.values(bundle.metafile.inputs).flatMap((input) => input.imports);
  expect(imports.filter(({ external }) => external === true)).toEqual([]);
  const { contents } = bundle.outputFiles[0] ?? expect.unreachable();
  // Bodies of other types took 1,800 (700 compressed): forms, lines and bytes are written here, because the client has no
  // schema and learns from the server's 415 what a handler takes. Queries in three styles took 560 (230), which it learns
  // from the 422. Shorter errors, and a shorter reader of events, gave 570 (80) back.
  // Retries, limits of time, hooks and raw answers took 1,950 (780): which failure may pass, waits that a signal ends, and
  // requests that a hook changes or replaces. Waits are those of streams that connect again.
  // Text in the character set of its type, and bytes where it is not in that, took 130 (70).
  // What is refused and not lost took 730 (300): options of another type, what the platform does not send, and bodies that
  // go as the kind that fits them among all that a handler takes.
  expect(contents.length).toBeLessThan(14_800);
  expect(gzipSync(contents).length).toBeLessThan(6_400);
});

describe.skipIf(!chromiumIsThere)("in Chromium", () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await launchChromium();
  });
  afterAll(() => browser.close());

  test("calls, is refused, streams, resumes and leaves, also across origins", async () => {
    const seen: (string | undefined)[] = [];
    let arrive = () => {};
    let arrived = Promise.resolve();
    const api = createEngine()
      .withMiddleware(
        cors({
          allowedHeaders: ["last-event-id", "content-type"],
          exposedHeaders: ["Error-Origin", "Answer-Kind", "Accept", "Query-Styles"],
        }),
      )
      .withHandlers(
        GET("/client.js", ({ response }) => void response.type("js").send(bundle.outputFiles[0]?.text ?? "")),
        GET("/page", ({ response }) => void response.type("html").send("<!doctype html><title>x</title>")),
        GET(
          "/users/{id}",
          { path: { id: z.int() }, output: z.object({ at: z.date() }), errors: [NotFound] },
          ({ params }) => (params.path.id === 1 ? { at: new Date(0) } : NotFound),
        ),
        POST("/echo", { body: z.string(), output: z.string() }, ({ body }) => body),
        POST(
          "/albums",
          {
            body: multipart({ title: z.string(), photo: upload({ maxBytes: 200_000 }) }),
            output: z.string(),
          },
          ({ body: { title, photo } }) => `${title} ${photo.name} ${photo.size}`,
        ),
        POST("/sign", { body: form({ name: z.string() }), output: z.string() }, ({ body }) => body.name),
        POST("/rows", { body: ndjson(z.int()), output: z.int() }, async ({ body }) => {
          let sum = 0;
          for await (const row of body) sum += row;
          return sum;
        }),
        GET("/lines", { output: ndjson(z.int()) }, async function* () {
          yield 1;
          await arrived;
          yield 2;
        }),
        GET("/sum", { query: { ids: commaSeparated(z.array(z.int())) }, output: z.int() }, ({ params }) =>
          params.query.ids.reduce((sum, id) => sum + id, 0),
        ),
        POST("/arrived", () => void arrive()),
        stream("GET", "/numbers", { event: z.int() }, async (_call, { send, lastEventId }) => {
          seen.push(lastEventId);
          const from = Number(lastEventId ?? -1) + 1;
          for (let n = from; n < from + 3; n++) await send(n, { id: n, retry: 10 });
        }),
      );
    const url = await listening(api);
    const elsewhere = await listening(
      createEngine().withHandlers(GET("/page", ({ response }) => void response.type("html").send("<p>"))),
    );
    for (const origin of [url, elsewhere]) {
      seen.length = 0;
      arrived = new Promise((resolve) => {
        arrive = resolve;
      });
      const page = await browser.newPage();
      await page.goto(`${origin}/page`);
      const result: unknown = await page.evaluate(`(async () => {
        const { createClient, ClientError } = await import("${url}/client.js");
        const client = createClient("${url}");
        const user = await client.GET("/users/{id}", { path: { id: 1 } });
        const none = await client.GET("/users/{id}", { path: { id: 2 } });
        const wrong = await client.GET("/users/{id}", { path: { id: "x" } }).catch((error) => [error instanceof ClientError, error.code]);
        const echo = await client.POST("/echo", { body: "é" });
        const own = [];
        const hooked = createClient("${url}", {
          retries: 1,
          timeoutMs: 30_000,
          onRequest: (request) => new Request(request, { headers: { "content-type": "application/json" } }),
          onResponse: (response, request) => own.push(response.status, request.method),
        });
        own.push((await hooked.POST("/echo", { body: "ö" })).data, (await hooked.raw("GET", "/nothing")).status);
        const numbers = [];
        for await (const { data } of client.stream("GET", "/numbers", { reconnect: true })) {
          numbers.push(data);
          if (data === 7) break;
        }
        const photo = new File([new Uint8Array(100_000)], "é.png");
        const album = await client.POST("/albums", { body: { title: "A", photo } });
        const form = new FormData();
        form.set("title", "B");
        form.set("photo", photo);
        const other = await client.POST("/albums", { body: form });
        const sign = await client.POST("/sign", { body: { name: "Ann & Bob" } });
        const sum = await client.POST("/rows", { body: [1, 2, 3].values() });
        const ids = await client.GET("/sum", { query: { ids: [4, 5] } });
        const lines = [];
        // The second line is sent when the first has arrived.
        for await (const line of (await client.GET("/lines")).data) {
          lines.push(line);
          if (line === 1) await client.POST("/arrived");
        }
        return [user.data, none.error.code, wrong, echo.data, own, numbers, album.data, other.data, sign.data, sum.data, ids.data, lines];
      })()`);
      expect(result).toEqual([
        { at: "1970-01-01T00:00:00.000Z" },
        "NOT_FOUND",
        [true, "VALIDATION_FAILED"],
        "é",
        [200, "POST", 404, "GET", "ö", 404],
        [0, 1, 2, 3, 4, 5, 6, 7],
        "A é.png 100000",
        "B é.png 100000",
        "Ann & Bob",
        6,
        9,
        [1, 2],
      ]);
      expect(seen).toEqual([undefined, "2", "5"]);
      await page.close();
    }
  });
});
