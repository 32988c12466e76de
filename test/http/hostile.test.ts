import fc from "fast-check";
import { expect, test } from "vitest";
import { z } from "zod";
import { createEngine, GET, HostLoopback, POST } from "../../src/http/index.js";
import { raw } from "./raw.js";

const engine = createEngine().withHandlers(
  GET(
    "/x/{id}",
    {
      query: { q: z.string().optional(), n: z.int().optional(), list: z.array(z.string()) },
      cookies: { c: z.string().optional() },
    },
    ({ params }) => params,
  ),
  POST(
    "/y",
    {
      body: z.object({
        a: z.string(),
        d: z.date().nullable(),
        u: z.union([z.bigint(), z.object({ t: z.date() })]),
      }),
    },
    ({ body }) => Object.keys(body),
  ),
  POST("/any", { body: z.json() }, ({ body }) => body),
);

/** A request target is bytes without blanks and control characters. */
const target = fc.string({
  unit: fc.constantFrom(..."abcxyz0189/%?&=+[]{}._-~!$'()*,;:@#\\^|<>\""),
  maxLength: 60,
});

test("for any request line, headers and body, the answer is not a 5xx and the process lives", async () => {
  const { port } = await engine.start(HostLoopback, 0);
  const status = async (text: string) =>
    Number(/^HTTP\/1\.1 (\d+)/.exec(await raw(port, text, { endAfterMs: 10_000 }))?.[1]);
  const end = "Host: a\r\nConnection: close\r\n";
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom("/", "/x/", "/x/1?", "/y", "http://h/x/", "*"),
      target,
      target,
      async (start, rest, cookie) => {
        expect(await status(`GET ${start}${rest} HTTP/1.1\r\n${end}Cookie: ${cookie}\r\n\r\n`)).toBeLessThan(
          500,
        );
      },
    ),
    { numRuns: 300 },
  );
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom("/y", "/any"),
      fc.oneof(fc.json(), fc.string(), target),
      async (path, body) => {
        const length = Buffer.byteLength(body);
        const head = `POST ${path} HTTP/1.1\r\n${end}Content-Type: application/json\r\nContent-Length: ${length}\r\n\r\n`;
        expect(await status(head + body)).toBeLessThan(500);
      },
    ),
    { numRuns: 300 },
  );
  expect(Object.keys(Object.prototype)).toEqual([]);
  expect(await engine.shutdown({ timeoutMs: 60_000 })).toEqual({ graceful: true });
});

test("JSON comes back as it went, prototype keys apart", async () => {
  const api = createEngine().withHandlers(POST("/any", { body: z.unknown() }, ({ body }) => body));
  const { url } = await api.start(HostLoopback, 0);
  await fc.assert(
    fc.asyncProperty(fc.jsonValue(), async (value) => {
      const body = JSON.stringify(value);
      fc.pre(!body.includes("__proto__") && !body.includes("constructor"));
      const answer = await fetch(`${url}/any`, {
        method: "POST",
        body,
        headers: { "content-type": "application/json" },
      });
      expect(await answer.json()).toEqual(JSON.parse(body));
    }),
    { numRuns: 100 },
  );
  await api.shutdown();
});
