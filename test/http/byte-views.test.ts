/** Bytes of every form on the wire: those that were given and none around them, whatever larger buffer they are a part of. */
import { createClient } from "rowtype/http/client";
import { expect, test } from "vitest";
import { z } from "zod";
import { z as z3 } from "zod/v3";
import {
  byteStream,
  bytes,
  createEngine,
  defineError,
  GET,
  multipart,
  POST,
  stream,
  upload,
} from "../../src/http/index.js";
import { signKeys } from "../../src/http/session/cookies.js";
import { serveRequest, serveRequestWithHeaders, testEngine } from "../../src/http/testing/index.js";
import { fromJSON, fromYAML } from "../../src/openapi/index.js";
import { byteForms } from "../byte-forms.js";
import { listening } from "./serve.js";

const CONTENT = [0, 1, 92, 34, 39, 127, 128, 255, 0xc3, 0x28];
const plain = new Uint8Array(CONTENT);
const text = Buffer.from(CONTENT).toString("base64");

const Bytes = z.instanceof(Uint8Array);
const Everywhere = z.object({
  one: Bytes,
  buffer: z.instanceof(Buffer),
  absent: Bytes.nullable().optional(),
  list: z.array(Bytes),
  pair: z.tuple([Bytes]).rest(Bytes),
  by: z.record(z.string(), Bytes),
  map: z.map(Bytes, Bytes),
  set: z.set(Bytes),
  either: z.union([z.object({ kind: z.literal("a"), bytes: Bytes }), z.string()]),
  both: z.intersection(z.object({ a: Bytes }), z.object({ b: Bytes })),
});
type Everywhere = z.infer<typeof Everywhere>;
const everywhere = (one: Uint8Array<ArrayBuffer>): Everywhere => ({
  one,
  buffer: Buffer.from(one.buffer, one.byteOffset, one.length),
  absent: one,
  list: [one, one],
  pair: [one, one],
  by: { a: one },
  map: new Map([[one, one]]),
  set: new Set([one]),
  either: { kind: "a", bytes: one },
  both: { a: one, b: one },
});
const onWire = {
  one: text,
  buffer: text,
  absent: text,
  list: [text, text],
  pair: [text, text],
  by: { a: text },
  map: [[text, text]],
  set: [text],
  either: { kind: "a", bytes: text },
  both: { a: text, b: text },
};

const Failed = defineError({
  code: "FAILED",
  status: 409,
  message: "failed",
  details: z.object({ bytes: Bytes }),
});

const forms = Object.entries(byteForms);

test.each(forms)("%s is written as base64 in answers, errors and events", async (_, make) => {
  const given = make(CONTENT);
  const engine = testEngine(
    GET("/output", { output: Everywhere }, () => everywhere(given)),
    GET("/zod3", { output: z3.object({ list: z3.array(z3.instanceof(Uint8Array)) }) }, () => ({
      list: [given],
    })),
    GET("/error", { errors: [Failed] }, () => Failed.withDetails({ bytes: given })),
    stream("GET", "/events", { event: z.object({ bytes: Bytes }) }, (_call, { send }) =>
      send({ bytes: given }),
    ),
  );
  const json = async (path: string) => (await serveRequest(engine, "GET", path)).decodeJSON();
  expect(await json("/output")).toEqual(onWire);
  expect(await json("/zod3")).toEqual({ list: [text] });
  expect(await json("/error")).toMatchObject({ details: { bytes: text } });
  const sent: unknown[] = [];
  for await (const { data } of (await serveRequest(engine, "GET", "/events")).events()) sent.push(data);
  expect(sent).toEqual([{ bytes: text }]);
});

test.each(forms)(
  "%s is sent by a test as its handler reads it, as JSON or as the text that it is",
  async (_, make) => {
    const seen: unknown[] = [];
    const engine = testEngine(
      POST(
        "/body",
        { body: z.object({ bytes: z.array(Bytes) }) },
        ({ body }) => void seen.push(...body.bytes),
      ),
    );
    const json = [...new TextEncoder().encode(JSON.stringify({ bytes: [text] }))];
    for (const body of [{ bytes: [make(CONTENT)] }, make(json)])
      expect((await serveRequest(engine, "POST", "/body", body)).status).toBe(200);
    expect(seen).toEqual([plain, plain]);
  },
);

test("bytes are read into arrays of their own, and into a Buffer where the schema asks for one", async () => {
  let seen: Everywhere | undefined;
  let params: readonly unknown[] = [];
  const place = { bytes: Bytes, buffer: z.instanceof(Buffer), list: z.array(Bytes) };
  const engine = testEngine(
    POST("/body", { body: Everywhere }, ({ body }) => {
      seen = body;
    }),
    GET(
      "/params/{path}",
      { path: { path: Bytes }, query: place, headers: { "x-bytes": Bytes }, cookies: { c: Bytes } },
      (call) => {
        const { path, query, headers, cookies } = call.params;
        expect(query.buffer).toEqual(Buffer.from(CONTENT));
        params = [path.path, query.bytes, ...query.list, headers["x-bytes"], cookies.c];
      },
    ),
  );
  expect((await serveRequest(engine, "POST", "/body", onWire)).status).toBe(200);
  expect(seen).toEqual(everywhere(plain));
  const one = encodeURIComponent(text);
  const headers = { "x-bytes": text, cookie: `c=${one}` };
  const path = `/params/${one}?bytes=${one}&buffer=${one}&list=${one}&list=${one}`;
  expect((await serveRequestWithHeaders(engine, "GET", path, headers)).status).toBe(200);
  expect(params).toEqual(Array(6).fill(plain));
  const { one: alone, absent, list = [], pair = [], by, map, set, either, both } = seen ?? {};
  const within = typeof either === "object" ? either.bytes : undefined;
  const inMap = [...(map ?? [])].flat();
  for (const bytes of [
    alone,
    absent,
    ...list,
    ...pair,
    by?.["a"],
    ...inMap,
    ...(set ?? []),
    within,
    both?.a,
    both?.b,
    ...params,
  ]) {
    expect(Object.getPrototypeOf(bytes)).toBe(Uint8Array.prototype);
    expect(bytes instanceof Uint8Array && bytes.buffer.byteLength).toBe(CONTENT.length);
  }
});

test.each(forms)(
  "a client sends %s as a body, and the function gets the bytes and none around them",
  async (_, make) => {
    const seen: Uint8Array[] = [];
    const Form = multipart({ file: upload({ maxBytes: 100 }) });
    const api = createEngine().withHandlers(
      POST("/bytes", { body: bytes() }, ({ body }) => void seen.push(body)),
      POST("/stream", { body: byteStream() }, async ({ body }) => {
        for await (const chunk of body) seen.push(chunk);
      }),
      POST("/form", { body: Form }, async ({ body: { file } }) => {
        seen.push(await file.bytes());
        for await (const chunk of file.stream()) seen.push(chunk);
      }),
    );
    const client = createClient<typeof api>(await listening(api));
    const given = make(CONTENT);
    for (const path of ["/bytes", "/stream"] as const) await client.POST(path, { body: given });
    await client.POST("/form", { body: { file: new Blob([plain]) } });
    expect(seen).toHaveLength(4);
    for (const one of seen) {
      expect(Object.getPrototypeOf(one)).toBe(Uint8Array.prototype);
      expect([[...one], one.buffer.byteLength]).toEqual([CONTENT, CONTENT.length]);
    }
  },
);

test.each(forms)("a client refuses %s inside of what the wire carries as text", async (_, make) => {
  let sent = 0;
  const fetch = async () => {
    sent++;
    return new Response("null", { headers: { "content-type": "application/json" } });
  };
  // biome-ignore lint/suspicious/noExplicitAny: these are the calls that no compiler stops.
  const client = createClient<any>("https://api.example.org", { fetch }) as any;
  const given = make(CONTENT);
  const places = [[given], { deep: [{ deeper: given }] }].map((body) => ({ body }));
  for (const options of [
    ...places,
    { path: { p: given } },
    { query: { q: given } },
    { query: { q: [given] } },
    { headers: { h: given } },
  ])
    await expect(client.POST("/x/{p}", { path: { p: "p" }, ...options })).rejects.toMatchObject({
      code: "INVALID_REQUEST",
    });
  expect(sent).toBe(0);
});

test.each(forms)("%s is a key that signs cookies, and a description that is read", (_, make) => {
  const key = Array.from({ length: 40 }, (_, i) => i);
  expect(signKeys({ signKey: make(key) })).toEqual([Buffer.from(key)]);
  expect(() => signKeys({ signKey: make(key.slice(0, 31)) })).toThrow("at least 32 bytes, not 31");
  const json = [...new TextEncoder().encode('{"openapi":"3.1.1","info":{"title":"é","version":"1"}}')];
  for (const read of [fromJSON, fromYAML]) expect(read(make(json)).info.title).toBe("é");
});
