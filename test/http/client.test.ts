import { createServer } from "node:http";
import { setTimeout as wait } from "node:timers/promises";
import cors from "cors";
import fc from "fast-check";
import { ClientError, createClient } from "rowtype/http/client";
import { fetch as undiciFetch } from "undici";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { EventReader } from "../../src/http/client/event-reader.js";
import {
  BadRequest,
  createEngine,
  DELETE,
  defineError,
  Forbidden,
  GET,
  InternalServer,
  identity,
  NotFound,
  on,
  PATCH,
  POST,
  PUT,
  stream,
  Unauthorized,
  ValidationFailed,
} from "../../src/http/index.js";
import { expectStandstill } from "../standstill.js";
import { interpret } from "./event-stream-rules.js";
import { listening } from "./serve.js";

const User = z.object({
  id: z.int(),
  born: z.date(),
  balance: z.bigint(),
  bytes: z.instanceof(Uint8Array),
  tags: z.set(z.string()),
});
const OutOfStock = defineError({
  code: "OUT_OF_STOCK",
  status: 409,
  message: "out of stock",
  details: z.object({ since: z.date() }),
});

const api = createEngine({ timeouts: { identityMs: 100 } })
  .withBaseUrl("/v1")
  .withMiddleware(cors())
  .withAuthenticator((request) => {
    const id = request.get("authorization");
    return id === undefined ? null : identity({ id });
  })
  .withHandlers(
    GET("/users/{id}", { path: { id: z.int() }, output: User, errors: [NotFound] }, ({ params }) =>
      params.path.id === 1
        ? { id: 1, born: new Date(0), balance: 7n, bytes: new Uint8Array([1]), tags: new Set(["a"]) }
        : NotFound.withDetails({ resource: "user" }),
    ),
    POST(
      "/users",
      { status: 201, body: User, output: User, errors: [OutOfStock, BadRequest] },
      ({ body }) => {
        if (body.id === 0) throw OutOfStock.withDetails({ since: new Date(0) });
        if (body.id === -1) throw BadRequest.withMessage("declared here");
        return body;
      },
    ),
    PUT("/texts/{a}/{b}", { body: z.string(), output: z.array(z.string()) }, ({ params, body }) => [
      params.path.a,
      params.path.b,
      body,
    ]),
    PATCH("/nothing", () => undefined),
    DELETE("/users/{id}", { status: 204, path: { id: z.int() } }, () => undefined),
    GET(
      "/query",
      {
        query: {
          list: z.array(z.string()),
          n: z.number().optional(),
          at: z.date().optional(),
          on: z.boolean().optional(),
        },
        headers: { "x-list": z.array(z.int()).optional(), "x-one": z.string().optional() },
        output: z.unknown(),
      },
      ({ params }) => ({ ...params.query, ...params.headers }),
    ),
    GET("/me", { authentication: true, output: z.string() }, ({ identity }) => identity.id),
    GET("/forbidden", { errors: [Forbidden] }, () => Forbidden),
    GET("/bug", () => {
      throw new Error("secret");
    }),
    GET("/text", ({ response }) => void response.type("text").send("plain")),
    GET("/never", () => new Promise(() => {})),
    stream(
      "POST",
      "/count/{to}",
      {
        path: { to: z.int() },
        body: z.object({ from: z.bigint() }),
        events: { number: z.bigint(), end: z.object({ at: z.date() }) },
        errors: [NotFound],
      },
      async ({ params, body }, { sendEvent }) => {
        if (params.path.to > 1_000) throw NotFound.withDetails({ resource: "number" });
        for (let n = body.from; n < params.path.to; n++) await sendEvent("number", n, { id: n });
        await sendEvent("end", { at: new Date(0) });
      },
    ),
    stream("GET", "/forever", { event: z.int() }, async (_call, { send, signal }) => {
      for (let n = 0; await send(n); n++) await wait(2, undefined, { signal });
    }),
    stream("GET", "/silent", { event: z.int(), heartbeatMs: 20 }, (_call, { signal }) =>
      wait(60_000, undefined, { signal }),
    ),
  );

let url: string;
const make = () => createClient<typeof api>(`${url}/v1/`, { headers: { "x-all": "1" } });
let client: ReturnType<typeof make>;
beforeAll(async () => {
  url = await listening(api);
  client = make();
});

interface AnyAnswer {
  readonly ok: boolean;
  readonly headers: Headers;
}

const thrown = async (call: Promise<unknown>): Promise<ClientError> => {
  const error = await call.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(ClientError);
  return error as ClientError;
};

describe("a call", () => {
  test("gives the output in its wire form", async () => {
    const user = await client.GET("/users/{id}", { path: { id: 1 } });
    expect(user).toMatchObject({ ok: true, status: 200 });
    if (!user.ok) throw new Error();
    expect(user.data).toEqual({
      id: 1,
      born: "1970-01-01T00:00:00.000Z",
      balance: "7",
      bytes: "AQ==",
      tags: ["a"],
    });
    expect(user.headers.get("content-type")).toContain("json");
    // What came out goes in.
    const again = await client.POST("/users", { body: { ...user.data, id: 2 } });
    expect(again).toMatchObject({ ok: true, status: 201, data: { id: 2, balance: "7" } });
  });

  test("gives declared errors as values", async () => {
    expect(await client.GET("/users/{id}", { path: { id: 7 } })).toMatchObject({
      ok: false,
      status: 404,
      error: { code: "NOT_FOUND", status: 404, message: "not found", details: { resource: "user" } },
    });
    const body = { id: 0, born: "1970-01-01T00:00:00.000Z", balance: "7", bytes: "", tags: [] };
    const refused = await client.POST("/users", { body });
    if (refused.ok || refused.error.code !== "OUT_OF_STOCK") throw new Error();
    expect(refused.error.details?.since).toBe("1970-01-01T00:00:00.000Z");
    // Also one that the framework gives too: it is the handler's here.
    expect(await client.POST("/users", { body: { ...body, id: -1 } })).toMatchObject({
      ok: false,
      status: 400,
      error: { code: "BAD_REQUEST", message: "declared here" },
    });
    expect(await client.GET("/forbidden")).toMatchObject({ ok: false, status: 403 });
  });

  test("gives declared errors as values where the framework finds them too", async () => {
    const strict = createEngine()
      .withAuthenticator(() => null)
      .withHandlers(
        POST("/checked", { body: z.object({ a: z.int() }), errors: [ValidationFailed] }, () => 1),
        GET("/mine", { authentication: true, errors: [Unauthorized] }, () => 1),
        GET("/bug", { errors: [InternalServer] }, () => {
          throw new Error("secret");
        }),
      );
    const calls = createClient<typeof strict>(await listening(strict));
    const refused = await calls.POST("/checked", { body: { a: 1.5 } });
    if (refused.ok) throw new Error();
    expect(refused.error.details?.fields[0]?.field).toBe("a");
    expect(await calls.GET("/mine")).toMatchObject({ ok: false, error: { code: "UNAUTHORIZED" } });
    expect(await calls.GET("/bug")).toMatchObject({ ok: false, error: { code: "INTERNAL_SERVER_ERROR" } });
  });

  test("throws all others: of the framework, of a proxy in front of it, and of the network", async () => {
    const loose = client as unknown as {
      GET(path: string, options?: object): Promise<unknown>;
    } & typeof client;
    expect(await thrown(loose.GET("/users/{id}", { path: { id: "x" } }))).toMatchObject({
      name: "ClientError",
      code: "VALIDATION_FAILED",
      status: 422,
      message: "validation failed",
      details: { fields: [{ field: "id", in: "path" }] },
    });
    expect(await thrown(loose.GET("/nowhere"))).toMatchObject({ code: "NOT_FOUND", status: 404 });
    expect(await thrown(client.GET("/me"))).toMatchObject({ code: "UNAUTHORIZED", status: 401 });
    const bug = await thrown(client.GET("/bug"));
    expect(bug).toMatchObject({ code: "INTERNAL_SERVER_ERROR", status: 500 });
    expect(JSON.stringify(bug)).not.toContain("secret");

    const nobody = createClient<typeof api>("http://127.0.0.1:1/v1");
    const lost = await thrown(nobody.GET("/bug"));
    expect(lost.code).toBe("NETWORK");
    expect(lost.status).toBeUndefined();
    expect(lost.cause).toBeInstanceOf(Error);
  });

  test("can be aborted, before it is sent, while it waits, and while its answer comes", async () => {
    expect(await thrown(client.GET("/bug", { signal: AbortSignal.abort() }))).toMatchObject({
      code: "ABORTED",
    });
    const waiting = new AbortController();
    setTimeout(() => waiting.abort(new Error("enough")), 30);
    const aborted = await thrown(client.GET("/never", { signal: waiting.signal }));
    expect(aborted).toMatchObject({ code: "ABORTED", cause: { message: "enough" } });
    expect(await thrown(client.GET("/never", { signal: AbortSignal.timeout(20) }))).toMatchObject({
      code: "ABORTED",
      cause: { name: "TimeoutError" },
    });
  });

  test("fills the path, also with what means something in URLs, and refuses what would lead elsewhere", async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ minLength: 1, unit: "grapheme" }), fc.string(), async (a, body) => {
        fc.pre(a.isWellFormed() && a !== "." && a !== "..");
        const answer = await client.PUT("/texts/{a}/{b}", { path: { a, b: "/?#%2F" }, body });
        expect(answer.data).toEqual([a, "/?#%2F", JSON.parse(JSON.stringify(body))]);
      }),
      { numRuns: 100 },
    );
    for (const a of ["", ".", ".."]) {
      const call = client.PUT("/texts/{a}/{b}", { path: { a, b: "x" }, body: "" });
      expect(await thrown(call)).toMatchObject({ code: "INVALID_REQUEST" });
    }
    const unpaired = client.PUT("/texts/{a}/{b}", { path: { a: "\ud800", b: "x" }, body: "" });
    expect(await thrown(unpaired)).toMatchObject({ code: "INVALID_REQUEST" });
  });

  test("writes queries and headers as text", async () => {
    const all = await client.GET("/query", {
      query: { list: ["a b", "c&d=é+"], n: 1.5, at: "2024-02-29T00:00:00.000Z", on: true },
      headers: { "x-list": [1, 2], "x-one": "one", "x-undefined": undefined },
    });
    expect(all.data).toEqual({
      list: ["a b", "c&d=é+"],
      n: 1.5,
      at: "2024-02-29T00:00:00.000Z",
      on: true,
      "x-list": [1, 2],
      "x-one": "one",
    });
    expect((await client.GET("/query", { query: {} })).data).toEqual({ list: [], "x-list": undefined });
    for (const list of [["a,b"], ["a", "b,"]]) {
      const cut = client.GET("/query", { headers: { "x-list": list as never } });
      expect(await thrown(cut)).toMatchObject({ code: "INVALID_REQUEST" });
    }
    const bad = client.GET("/query", { headers: { "x-one": "a\nb" } });
    expect(await thrown(bad)).toMatchObject({ code: "INVALID_REQUEST" });
    const cycle: unknown[] = [];
    cycle.push(cycle);
    expect(
      await thrown(client.PUT("/texts/{a}/{b}", { path: { a: "a", b: "b" }, body: cycle as never })),
    ).toMatchObject({
      code: "INVALID_REQUEST",
    });
  });

  test("knows answers without a body, and those that are not JSON", async () => {
    expect(await client.DELETE("/users/{id}", { path: { id: 1 } })).toMatchObject({
      ok: true,
      status: 204,
      data: undefined,
    });
    expect(await client.PATCH("/nothing")).toMatchObject({ ok: true, status: 200, data: null });
    expect((await client.GET("/text")).data).toBe("plain");
  });

  test("gives a success of status 3xx as one: nothing has changed", async () => {
    const tagged = await listening(
      createEngine().withHandlers(
        GET("/report", { output: z.string(), etag: true }, () => "x"),
        GET("/same", { status: 304 }, () => {}),
        GET("/choices", { status: 300, output: z.array(z.string()) }, () => ["a", "b"]),
      ),
    );
    const own = createClient(tagged) as unknown as Record<"GET", (...given: unknown[]) => Promise<AnyAnswer>>;
    const first = await own.GET("/report");
    expect(first).toMatchObject({ ok: true, status: 200, data: "x" });
    const headers = { "if-none-match": first.headers.get("etag") };
    expect(await own.GET("/report", { headers })).toMatchObject({ ok: true, status: 304, data: undefined });
    expect(await own.GET("/same")).toMatchObject({ ok: true, status: 304, data: undefined });
    expect(await own.GET("/choices")).toMatchObject({ ok: true, status: 300, data: ["a", "b"] });
  });

  test("refuses a body of which JSON would lose something, at any depth, before it is sent", async () => {
    let sent = 0;
    const fetch = async () => {
      sent++;
      return new Response("null", { headers: { "content-type": "application/json" } });
    };
    const own = createClient<typeof api>("https://api.example.org", { fetch });
    const send = (body: unknown) =>
      own.PUT("/texts/{a}/{b}", { path: { a: "a", b: "b" }, body: body as string });
    const form = new FormData();
    form.set("a", "1");
    // Alone they are bodies of other types; inside of JSON they would be lost.
    const whole = [
      form,
      new URLSearchParams("a=1"),
      new Blob(["a"]),
      new ReadableStream(),
      new ArrayBuffer(1),
      Uint8Array.of(1),
      new DataView(new ArrayBuffer(1)),
    ];
    const lost = [
      new Map([[1, 2]]),
      new Set([1]),
      Promise.resolve(1),
      () => 1,
      Symbol("a"),
      Number.NaN,
      Number.NEGATIVE_INFINITY,
      new Date(Number.NaN),
      1n,
    ];
    for (const body of [...lost, ...whole]) {
      for (const given of [body, [body], { deep: [{ deeper: body }] }].slice(
        whole.includes(body as Blob) ? 1 : 0,
      )) {
        expect(await thrown(send(given))).toMatchObject({ code: "INVALID_REQUEST" });
      }
    }
    expect(sent).toBe(0);
    class Point {
      x = 1;
    }
    for (const body of [null, "", 0, new Date(0), new Point(), Object.create(null), { a: undefined }]) {
      await send(body);
    }
    expect(sent).toBe(7);
  });

  test("is refused with a base URL that paths cannot be written behind", () => {
    for (const base of [
      "http://h/v1?key=1",
      "http://h/v1#top",
      "http://h/?",
      "/v1?key=1",
      new URL("http://h/?a=1"),
      "http://ann:secret@h/v1",
      "http://ann@h",
    ]) {
      const make = () => createClient(base);
      expect(make, String(base)).toThrow(ClientError);
      expect(make).toThrow(expect.objectContaining({ code: "INVALID_REQUEST" }));
      expect(make).not.toThrow("secret");
    }
    for (const base of ["http://h/v1/", "/v1", "", "http://h/a@b", new URL("http://h")]) createClient(base);
  });

  test("sends common headers, worked out each time where they are a function, and takes any fetch", async () => {
    let asked = 0;
    const me = createClient<typeof api>(`${url}/v1`, {
      headers: async () => ({ authorization: `caller ${++asked}` }),
      fetch: undiciFetch as unknown as typeof fetch,
    });
    expect((await me.GET("/me")).data).toBe("caller 1");
    expect((await me.GET("/me")).data).toBe("caller 2");
    expect((await me.GET("/me", { headers: { authorization: "own" } })).data).toBe("own");
  });
});

describe("an answer that is not of the engine", () => {
  const answer = (body: string | null, init: ResponseInit = {}) =>
    createClient<typeof api>("https://api.example.org", { fetch: async () => new Response(body, init) });

  test("is recognised by its status", async () => {
    const html = { headers: { "content-type": "text/html" } };
    expect(await thrown(answer("<p>", { ...html, status: 502 }).GET("/bug"))).toMatchObject({
      code: "INVALID_RESPONSE",
      status: 502,
    });
    expect(await thrown(answer('{"error":1}', { status: 500 }).GET("/bug"))).toMatchObject({
      code: "INVALID_RESPONSE",
    });
    const json = { headers: { "content-type": "application/json" } };
    expect(await thrown(answer("{", json).GET("/bug"))).toMatchObject({
      code: "INVALID_RESPONSE",
      status: 200,
    });
    expect(await thrown(answer("null", { status: 404 }).GET("/bug"))).toMatchObject({
      code: "INVALID_RESPONSE",
    });
  });

  test("is recognised by its type: a page, no type, and no body, whatever the status of the success", async () => {
    for (const status of [200, 201, 202, 302]) {
      for (const type of ["text/html", "Text/HTML; charset=utf-8", "application/xhtml+xml", ""]) {
        const call = answer("<!doctype html>", { status, headers: { "content-type": type } }).GET("/text");
        expect(await thrown(call), `${status} ${type}`).toMatchObject({ code: "INVALID_RESPONSE", status });
      }
    }
    for (const type of ["application/json", "text/plain", "text/html"]) {
      const call = answer("", { status: 200, headers: { "content-type": type } }).GET("/text");
      expect(await thrown(call)).toMatchObject({ code: "INVALID_RESPONSE", status: 200 });
    }
  });

  test("but a handler's own is data: JSON of every name, text, bytes as they are", async () => {
    const data = async (body: string | Uint8Array<ArrayBuffer>, type: string) => {
      const fetch = async () => new Response(body, { headers: { "content-type": type } });
      return (await createClient<typeof api>("https://api.example.org", { fetch }).GET("/text")).data;
    };
    for (const type of ["application/json", "APPLICATION/JSON; charset=utf-8", "application/vnd.api+json"]) {
      expect(await data("[1]", type)).toEqual([1]);
    }
    expect(await data("a,b", "text/csv; charset=utf-8")).toBe("a,b");
    const bytes = Uint8Array.of(0, 255, 254, 128);
    for (const type of ["application/octet-stream", "image/png", "application/jsonlines"]) {
      expect(await data(bytes, type)).toEqual(bytes);
    }
    // Text in its own character set; what is no text in it stays as it came.
    for (const charset of ["utf-8", "latin1", "windows-1252", "utf-16le", "shift_jis", "unknown-set"])
      for (const label of [charset, `"${charset.toUpperCase()}"`]) {
        const type = `text/csv; charset=${label}`;
        const decoded = (given: Uint8Array) => {
          try {
            return new TextDecoder(charset, { fatal: true }).decode(given);
          } catch {
            return given;
          }
        };
        for (const given of [Uint8Array.of(0x61, 0xe9), Uint8Array.of(0xc3, 0xa9), bytes])
          expect([type, await data(given as typeof bytes, type)]).toEqual([type, decoded(given)]);
      }
    expect(await data(bytes, "text/plain")).toEqual(bytes);
  });

  test("is of a kind that it names; any other name is none", async () => {
    const data = async (kind: string, type: string, body = "1") => {
      const headers = { "answer-kind": kind, "content-type": type };
      const answer = await createClient<typeof api>("https://api.example.org", {
        fetch: async () => new Response(body, { headers }),
      }).GET("/text");
      return answer.data;
    };
    const page = "text/html";
    for (const kind of ["text", "html", "csv"]) expect(await data(kind, page)).toBe("1");
    for (const kind of ["bytes", "file"]) expect(await data(kind, page)).toEqual(Uint8Array.of(49));
    for (const kind of ["", "texts", "byte", "form", "csv, html", "TEXT"]) {
      expect(await thrown(data(kind, page) as never)).toMatchObject({ code: "INVALID_RESPONSE" });
      expect(await data(kind, "application/json")).toBe(1);
    }
  });

  test("may have blank lines, and a last line without a break, which is cut or whole", async () => {
    const lines = async (body: string) => {
      const headers = { "answer-kind": "ndjson", "content-type": "application/x-ndjson" };
      const fetch = async () => new Response(body, { headers });
      const { data } = await createClient<typeof api>("https://api.example.org", { fetch }).GET("/text");
      const rows: unknown[] = [];
      for await (const row of data as AsyncIterable<unknown>) rows.push(row);
      return rows;
    };
    for (const rest of ["", "\n", "2", "2\n", "\r\n2\r\n", " \n\n2\n \n", "\n2 "])
      expect([rest, await lines(`1\n${rest}`)]).toEqual([rest, rest.includes("2") ? [1, 2] : [1]]);
    for (const rest of ["{", '{"a":1', "1\n[2", "x\n", '"'])
      await expect(lines(`1\n${rest}`)).rejects.toMatchObject({ code: "INVALID_RESPONSE" });
  });

  test("is recognised by its code without the header of its origin, which another origin cannot read", async () => {
    const error = (code: string, status: number) =>
      answer(JSON.stringify({ code, message: "m" }), { status });
    expect(await error("NOT_FOUND", 404).GET("/users/{id}", { path: { id: 1 } })).toMatchObject({
      ok: false,
      error: { code: "NOT_FOUND" },
    });
    expect(await error("OUT_OF_STOCK", 409).GET("/bug")).toMatchObject({ ok: false });
    for (const [code, status] of [
      ["VALIDATION_FAILED", 422],
      ["UNAUTHORIZED", 401],
      ["INTERNAL_SERVER_ERROR", 500],
      ["TOO_MANY_REQUESTS", 429],
    ] as const) {
      expect(await thrown(error(code, status).GET("/bug"))).toMatchObject({ code, status });
    }
  });
});

describe("a stream", () => {
  test("is its events, read and typed, and every iteration a connection of its own", async () => {
    const numbers = client.stream("POST", "/count/{to}", { path: { to: 3 }, body: { from: "1" } });
    for (let round = 0; round < 2; round++) {
      const seen: unknown[] = [];
      for await (const event of numbers) seen.push(event);
      expect(seen).toEqual([
        { event: "number", data: "1", id: "1" },
        { event: "number", data: "2", id: "2" },
        { event: "end", data: { at: "1970-01-01T00:00:00.000Z" } },
      ]);
    }
  });

  test("that is refused is thrown when it is iterated, a declared error too", async () => {
    const first = (of: AsyncIterable<unknown>) => thrown(of[Symbol.asyncIterator]().next());
    expect(
      await first(client.stream("POST", "/count/{to}", { path: { to: 5_000 }, body: { from: "1" } })),
    ).toMatchObject({ code: "NOT_FOUND", status: 404, details: { resource: "number" } });
    expect(
      await first(client.stream("POST", "/count/{to}", { path: { to: 5 }, body: { from: "x" } })),
    ).toMatchObject({ code: "VALIDATION_FAILED", status: 422 });
    const nobody = createClient<typeof api>("http://127.0.0.1:1/v1");
    expect(await first(nobody.stream("GET", "/forever"))).toMatchObject({ code: "NETWORK" });
    const page = createClient<typeof api>("https://x", { fetch: async () => new Response("<p>") });
    expect(await first(page.stream("GET", "/forever"))).toMatchObject({ code: "INVALID_RESPONSE" });
    const garbage = createClient<typeof api>("https://x", {
      fetch: async () => new Response("data: {\n\n", { headers: { "content-type": "text/event-stream" } }),
    });
    expect(await first(garbage.stream("GET", "/forever"))).toMatchObject({ code: "INVALID_RESPONSE" });
  });

  test("is left by break, by return while it waits, and by its signal; the server knows each time", async () => {
    let left = 0;
    const off = on("http.stream.client.disconnected", () => void left++);
    let begun = 0;
    const offBegun = on("http.stream.started", () => void begun++);
    const gone = (count: number) => expect.poll(() => left).toBe(count);
    for await (const { data } of client.stream("GET", "/forever")) if (data === 3) break;
    await gone(1);

    const silent = client.stream("GET", "/silent")[Symbol.asyncIterator]();
    const next = silent.next();
    await expect.poll(() => begun).toBe(2);
    expect(await silent.return?.()).toEqual({ done: true, value: undefined });
    expect(await next).toEqual({ done: true, value: undefined });
    await gone(2);

    const aborting = new AbortController();
    const aborted = client.stream("GET", "/silent", { signal: aborting.signal })[Symbol.asyncIterator]();
    const refused = thrown(aborted.next());
    await expect.poll(() => begun).toBe(3);
    aborting.abort(new Error("enough"));
    expect(await refused).toMatchObject({ code: "ABORTED" });
    offBegun();
    await gone(3);
    expect(
      await thrown(
        client.stream("GET", "/silent", { signal: AbortSignal.abort() })[Symbol.asyncIterator]().next(),
      ),
    ).toMatchObject({
      code: "ABORTED",
    });

    await expect(
      (async () => {
        for await (const _ of client.stream("GET", "/forever")) throw new Error("mine");
      })(),
    ).rejects.toThrow("mine");
    await gone(4);
    off();
  });

  test("is read no faster than it is asked for", async () => {
    let sent = 0;
    const flood = createEngine().withHandlers(
      stream("GET", "/flood", { event: z.string() }, async (_call, { send }) => {
        while (await send(`${sent}${"x".repeat(50_000)}`)) sent++;
      }),
    );
    const iterator = createClient<typeof flood>(await listening(flood))
      .stream("GET", "/flood")
      [Symbol.asyncIterator]();
    for (let n = 0; n < 10; n++) expect((await iterator.next()).value?.data.startsWith(`${n}x`)).toBe(true);
    await expectStandstill(() => sent);
    await iterator.return?.();
  });
});

describe("a stream that is taken up again", () => {
  /** Cuts its connections in every way there is, and tells what it was asked with. */
  const asked: (string | undefined)[] = [];
  const server = createServer((request, response) => {
    const turn = asked.push(request.headers["last-event-id"] as string | undefined);
    if (turn === 2) response.destroy();
    else if (turn === 3) {
      response.writeHead(503).end("<p>no copy is up</p>");
    } else if (turn === 6) response.writeHead(204).end();
    else {
      response.writeHead(200, { "content-type": "text/event-stream" });
      if (turn === 1) response.write("retry: 1\n\n");
      response.write(`id: ${turn}a\ndata: ${turn}\n\n`);
      if (turn === 4) setTimeout(() => response.destroy(), 500);
      else response.end(`id: ${turn}b\ndata: ${turn}\n\ndata: half`);
    }
  });
  const forever = createEngine().withHandlers(stream("GET", "/x", { event: z.int() }, () => {}));
  const again = () => {
    const address = server.address();
    const port = typeof address === "object" && address !== null ? address.port : 0;
    return createClient<typeof forever>(`http://127.0.0.1:${port}`);
  };
  beforeAll(() => new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve)));
  afterAll(() => void server.close());

  test("goes on after ends, cuts and 503, from the last id, until the server says that there is no more", async () => {
    const seen: unknown[] = [];
    for await (const { data, id } of again().stream("GET", "/x", { reconnect: true, lastEventId: "0" })) {
      seen.push([data, id]);
    }
    expect(seen).toEqual([
      [1, "1a"],
      [1, "1b"],
      [4, "4a"],
      [5, "5a"],
      [5, "5b"],
    ]);
    expect(asked).toEqual(["0", "1b", "1b", "1b", "4a", "5b"]);
  });

  test("without `reconnect` is not", async () => {
    asked.length = 0;
    const seen: unknown[] = [];
    for await (const { data } of again().stream("GET", "/x")) seen.push(data);
    expect([seen, asked]).toEqual([[1, 1], [undefined]]);
    expect(await thrown(again().stream("GET", "/x")[Symbol.asyncIterator]().next())).toMatchObject({
      code: "NETWORK",
    });
  });

  test("stops at an error that will not pass, and can be left while it waits", async () => {
    const refusing = createEngine().withHandlers(
      stream("GET", "/x", { event: z.int(), authentication: false, query: { n: z.int() } }, () => {}),
    );
    const at = await listening(refusing);
    const refused = createClient<typeof refusing>(at).stream("GET", "/x", {
      query: { n: "no" as never },
      reconnect: true,
    });
    expect(await thrown(refused[Symbol.asyncIterator]().next())).toMatchObject({ code: "VALIDATION_FAILED" });

    const nobody = createClient<typeof forever>("http://127.0.0.1:1").stream("GET", "/x", {
      reconnect: true,
    });
    const iterator = nobody[Symbol.asyncIterator]();
    const next = iterator.next();
    await wait(50);
    await iterator.return?.();
    expect(await next).toEqual({ done: true, value: undefined });
  });
});

test("the reader of events follows the rules of the standard, however the text is split", () => {
  const text = fc.string({
    unit: fc.constantFrom(
      "\r",
      "\n",
      "\r\n",
      ":",
      " ",
      "data",
      "event",
      "id",
      "retry",
      "1",
      "x",
      "\0",
      "é",
      "\ufeff",
    ),
    maxLength: 60,
  });
  fc.assert(
    fc.property(text, fc.array(fc.nat(10)), (body, sizes) => {
      const reader = new EventReader();
      const events: unknown[] = [];
      let at = 0;
      let lastEventId = "";
      const push = (piece: string) => {
        for (const { event, data, id } of reader.push(piece)) {
          lastEventId = id ?? lastEventId;
          events.push({ type: event, data, lastEventId });
        }
      };
      for (const size of sizes) {
        push(body.slice(at, at + size));
        at += size;
      }
      push(body.slice(at));
      // An id without data is not an event, and counts for those after it all the same.
      const ids = (list: readonly unknown[]) =>
        list.map((event) => ({ ...(event as object), lastEventId: "" }));
      const rules = interpret(body);
      expect(ids(events)).toEqual(ids(rules.events));
      expect(reader.retryMs).toBe(rules.retry);
    }),
    { numRuns: 5_000 },
  );
});
