/** Retries, limits of time, hooks and raw answers of the client, against servers that fail in every way. */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { setTimeout as wait } from "node:timers/promises";
import { type ClientError, createClient } from "rowtype/http/client";
import { fetch as undiciFetch } from "undici";
import { afterEach, describe, expect, test } from "vitest";
import { z } from "zod";
import {
  bytes,
  createEngine,
  DELETE,
  GET,
  HEAD,
  NotFound,
  ndjson,
  OPTIONS,
  POST,
  PUT,
  QUERY,
  ServiceUnavailable,
  stream,
} from "../../src/http/index.js";
import { listening } from "./serve.js";

const api = createEngine().withHandlers(
  GET("/x", { output: z.string() }, () => "x"),
  GET("/lines", { output: ndjson(z.object({ n: z.int() })) }, () => []),
  POST("/x", { body: z.string(), output: z.string() }, ({ body }) => body),
  PUT("/x", { output: z.string() }, () => "x"),
  DELETE("/x", { output: z.string() }, () => "x"),
  QUERY("/x", { body: z.string(), output: z.string() }, ({ body }) => body),
  QUERY("/bytes", { body: bytes(), output: z.string() }, () => "x"),
  QUERY("/rows", { body: ndjson(z.int()), output: z.string() }, () => "x"),
  OPTIONS("/x", { status: 204 }, () => {}),
  HEAD("/x", () => {}),
  GET("/none/{id}", { path: { id: z.int() }, errors: [NotFound] }, () => NotFound),
  stream("GET", "/events", { event: z.int() }, () => {}),
);

type Turn = (response: ServerResponse, request: IncomingMessage) => unknown;
const json: Turn = (response) => response.writeHead(200, { "content-type": "application/json" }).end('"x"');
const status =
  (code: number, headers: Record<string, string> = {}): Turn =>
  (response) =>
    response
      .writeHead(code, { "content-type": "application/json", ...headers })
      .end(JSON.stringify({ code: `S_${code}`, message: "m" }));
const cut: Turn = (response) => response.destroy();
const cutInside: Turn = (response) => {
  response.writeHead(200, { "content-type": "application/json", "content-length": "3" }).write('"');
  setTimeout(() => response.destroy(), 20);
};

const open = new Set<ReturnType<typeof createServer>>();
afterEach(() => {
  for (const server of open) {
    server.closeAllConnections();
    server.close();
  }
  open.clear();
});

/** A server that answers each request by its turn, the last one again and again. */
async function serving(...turns: readonly Turn[]) {
  const asked: {
    readonly at: number;
    readonly body: string;
    readonly headers: IncomingMessage["headers"];
  }[] = [];
  const server = createServer(async (request, response) => {
    const at = performance.now();
    const body = await text(request).catch(() => "");
    asked.push({ at, body, headers: request.headers });
    await turns[Math.min(asked.length, turns.length) - 1]?.(response, request);
  });
  open.add(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const waits = () => asked.slice(1).map(({ at }, index) => at - (asked[index]?.at ?? 0));
  return { url, asked, waits };
}

async function thrown(call: Promise<unknown>): Promise<unknown> {
  return call.then(
    (value) => expect.fail(`it gave ${JSON.stringify(value)}`),
    (reason: unknown) => reason,
  );
}

describe("retries", () => {
  test("repeat what may pass, after waits that double, until there is an answer", async () => {
    const { url, asked, waits } = await serving(cut, status(502), status(504), cutInside, json);
    const answer = await createClient<typeof api>(url, { retries: 4 }).GET("/x");
    expect(answer).toMatchObject({ ok: true, data: "x" });
    expect(asked.length).toBe(5);
    waits().forEach((ms, turn) => {
      expect(ms, `wait ${turn}`).toBeGreaterThan(145 * 2 ** turn);
    });
    expect(waits()[0]).toBeLessThan(waits()[3] ?? 0);
  });

  test("give the last failure when there are no more, and are none unless asked for", async () => {
    for (const [turn, expected] of [
      [cut, { code: "NETWORK" }],
      [status(503), { ok: false, status: 503, error: { code: "S_503" } }],
    ] as const) {
      for (const retries of [0, 1]) {
        const { url, asked } = await serving(turn);
        const client = createClient<typeof api>(url, retries === 0 ? {} : { retries });
        const result = await client.GET("/x").catch((error: unknown) => error);
        expect(result).toMatchObject(expected);
        expect(asked.length).toBe(retries + 1);
      }
    }
    // A call's own number goes before that of the client.
    const { url, asked } = await serving(cut);
    const client = createClient<typeof api>(url, { retries: 5 });
    await thrown(client.GET("/x", { retries: 0 }));
    expect(asked.length).toBe(1);
    await thrown(createClient<typeof api>(url).GET("/x", { retries: 1 }));
    expect(asked.length).toBe(3);
  });

  test("are for GET, HEAD, QUERY and OPTIONS alone, with the body again", async () => {
    const { url, asked } = await serving(cut);
    const client = createClient<typeof api>(url, { retries: 1 });
    const counted = async (call: Promise<unknown>) => {
      asked.length = 0;
      expect(await thrown(call)).toMatchObject({ code: "NETWORK" });
      return asked.length;
    };
    expect(await counted(client.GET("/x"))).toBe(2);
    expect(await counted(client.HEAD("/x"))).toBe(2);
    expect(await counted(client.QUERY("/x", { body: "b" }))).toBe(2);
    expect(asked.map(({ body }) => body)).toEqual(['"b"', '"b"']);
    expect(await counted(client.raw("OPTIONS", "/x"))).toBe(2);
    expect(await counted(client.POST("/x", { body: "b" }))).toBe(1);
    expect(await counted(client.PUT("/x"))).toBe(1);
    expect(await counted(client.DELETE("/x"))).toBe(1);
  });

  test("never send a body that is a stream or gives its rows one by one a second time", async () => {
    const { url, asked } = await serving(status(503));
    const client = createClient<typeof api>(url, { retries: 1 });
    const numbers = async function* () {
      yield 1;
    };
    const again = new Set([Uint8Array.of(1), [1]]);
    for (const body of [new Blob(["a"]).stream(), ...again])
      if (!Array.isArray(body)) {
        asked.length = 0;
        await client.QUERY("/bytes", { body });
        expect(asked.length).toBe(again.has(body as never) ? 2 : 1);
      }
    for (const body of [numbers(), [1].values()]) {
      asked.length = 0;
      await client.QUERY("/rows", { body });
      expect(asked.length).toBe(1);
      expect(asked[0]?.body).toBe("1\n");
    }
  });

  test("repeat a 429 only with Retry-After, and wait as long as it says", async () => {
    const limited = await serving(status(429), json);
    expect(await createClient<typeof api>(limited.url, { retries: 1 }).GET("/x")).toMatchObject({
      status: 429,
    });
    for (const [after, least, most] of [
      ["1", 990, 3_000],
      ["0", 0, 150],
      [() => new Date(Date.now() + 2_000).toUTCString(), 900, 4_000],
      ["soon", 145, 1_000],
    ] as const) {
      const at = typeof after === "string" ? after : after();
      const { url, waits } = await serving(status(429, { "retry-after": at }), json);
      expect(await createClient<typeof api>(url, { retries: 1 }).GET("/x")).toMatchObject({ data: "x" });
      expect(waits()[0], at).toBeGreaterThanOrEqual(least);
      expect(waits()[0], at).toBeLessThan(most);
    }
  });

  test("leave other statuses as they are", async () => {
    for (const code of [400, 404, 408, 500, 501, 505]) {
      const { url, asked } = await serving(status(code));
      expect(await createClient<typeof api>(url, { retries: 2 }).GET("/x")).toMatchObject({ status: code });
      expect(asked.length).toBe(1);
    }
  });

  test("end with the signal, also in a wait", async () => {
    const { url, asked } = await serving(status(503, { "retry-after": "3600" }));
    const client = createClient<typeof api>(url, { retries: 9 });
    const leaving = new AbortController();
    const call = thrown(client.GET("/x", { signal: leaving.signal }));
    await expect.poll(() => asked.length).toBe(1);
    await wait(50);
    leaving.abort(new Error("enough"));
    expect(await call).toMatchObject({ code: "ABORTED", cause: { message: "enough" } });
    expect(await thrown(client.GET("/x", { signal: leaving.signal }))).toMatchObject({ code: "ABORTED" });
    expect(asked.length).toBe(1);
  });
});

describe("timeoutMs", () => {
  const silent: Turn = () => {};
  const slow: Turn = async (response) => {
    response.writeHead(200, { "content-type": "application/json" });
    for (let n = 0; n < 100 && !response.destroyed; n++) {
      response.write(" ");
      await wait(20);
    }
    response.end('"x"');
  };
  const lines: Turn = (response) => {
    response.writeHead(200, { "content-type": "application/x-ndjson", "answer-kind": "ndjson" });
    response.write('{"n":1}\n');
  };

  test("is for the head, the body, the waits and all that is repeated", async () => {
    for (const turn of [silent, slow, status(503)]) {
      const { url } = await serving(turn);
      const start = performance.now();
      const client = createClient<typeof api>(url, { retries: 50 });
      expect(await thrown(client.GET("/x", { timeoutMs: 200 }))).toMatchObject({
        name: "ClientError",
        code: "TIMEOUT",
        cause: { name: "TimeoutError" },
      });
      expect(performance.now() - start).toBeGreaterThan(190);
      expect(performance.now() - start).toBeLessThan(1_500);
    }
    const { url } = await serving(slow);
    const raw = await createClient<typeof api>(url, { timeoutMs: 100 }).raw("GET", "/x");
    // Whoever reads it gets the reason itself.
    expect(await thrown(raw.text())).toMatchObject({ name: "TimeoutError" });
  });

  test("ends lines that do not go on, and what the caller gave and does not end", async () => {
    const { url } = await serving(lines);
    const answer = await createClient<typeof api>(url, { timeoutMs: 150 }).GET("/lines");
    if (!answer.ok) throw new Error();
    const seen: unknown[] = [];
    const read = async () => {
      for await (const row of answer.data) seen.push(row);
    };
    expect(await thrown(read())).toMatchObject({ code: "TIMEOUT" });
    expect(seen).toEqual([{ n: 1 }]);
    const never = () => new Promise<never>(() => {});
    for (const options of [
      { headers: never },
      { onRequest: never },
      { onResponse: never },
      { fetch: never },
    ]) {
      const client = createClient<typeof api>((await serving(json)).url, { ...options, timeoutMs: 50 });
      expect(await thrown(client.GET("/x"))).toMatchObject({ code: "TIMEOUT" });
    }
  });

  test("is not the caller's signal, and does not disturb an answer in time", async () => {
    const { url } = await serving(silent);
    const client = createClient<typeof api>(url, { timeoutMs: 5_000 });
    expect(await thrown(client.GET("/x", { signal: AbortSignal.timeout(30) }))).toMatchObject({
      code: "ABORTED",
    });
    const { url: good } = await serving(json);
    for (const timeoutMs of [Number.POSITIVE_INFINITY, 2 ** 40, 999.5])
      expect(await createClient<typeof api>(good, { timeoutMs }).GET("/x")).toMatchObject({ data: "x" });
  });
});

test("numbers that say no count and no time are refused, for a client and for a call", async () => {
  const { url, asked } = await serving(json);
  const wrong = [
    { retries: -1 },
    { retries: 1.5 },
    { retries: "2" as never },
    { timeoutMs: 0 },
    { timeoutMs: Number.NaN },
    { timeoutMs: "5" as never },
  ];
  const refused = expect.objectContaining({ code: "INVALID_REQUEST" });
  for (const options of wrong) {
    expect(() => createClient(url, options)).toThrow(refused);
    expect(await thrown(createClient<typeof api>(url).GET("/x", options))).toEqual(refused);
  }
  expect(() => createClient(url, { retry: 1 } as never)).toThrow(refused);
  const streamed = createClient<typeof api>(url);
  expect(() => streamed.stream("GET", "/events", { retries: 1 } as never)).toThrow(refused);
  expect(asked.length).toBe(0);
});

describe("hooks", () => {
  test("see each request and the head of each answer, before its body is read", async () => {
    const { url, asked } = await serving(status(503), json);
    const seen: unknown[] = [];
    const client = createClient<typeof api>(url, {
      retries: 1,
      onRequest: async (request) => {
        await wait(1);
        seen.push([request.method, request.url]);
        request.headers.set("x-turn", String(seen.length));
      },
      onResponse: (response, request) => {
        expect(response).toBeInstanceOf(Response);
        seen.push([response.status, response.headers.get("content-type"), request.headers.get("x-turn")]);
        // It has the head alone.
        expect(response.body).toBe(null);
      },
    });
    expect(await client.QUERY("/x", { body: "é" })).toMatchObject({ data: "x" });
    const type = "application/json";
    expect(seen).toEqual([
      ["QUERY", `${url}/x`],
      [503, type, "1"],
      ["QUERY", `${url}/x`],
      [200, type, "3"],
    ]);
    expect(asked.map(({ body, headers }) => [body, headers["x-turn"]])).toEqual([
      ['"é"', "1"],
      ['"é"', "3"],
    ]);
  });

  test("may give another request, which ends with the call too", async () => {
    const other = await serving(json);
    const client = createClient<typeof api>("http://127.0.0.1:1", {
      onRequest: (request) => new Request(`${other.url}/other`, request),
    });
    expect(await client.POST("/x", { body: "b" })).toMatchObject({ data: "x" });
    expect(other.asked[0]?.body).toBe('"b"');
    const silent = await serving(() => {});
    const lost = createClient<typeof api>("http://127.0.0.1:1", {
      onRequest: () => new Request(silent.url),
    });
    expect(await thrown(lost.GET("/x", { timeoutMs: 50 }))).toMatchObject({ code: "TIMEOUT" });
    const leaving = new AbortController();
    setTimeout(() => leaving.abort(), 50);
    expect(await thrown(lost.GET("/x", { signal: leaving.signal }))).toMatchObject({ code: "ABORTED" });
  });

  test("reject the call as it is with what they throw, once", async () => {
    const { url, asked } = await serving(json);
    const mine = new TypeError("mine");
    const fail = () => {
      throw mine;
    };
    const before = createClient<typeof api>(url, { retries: 3, onRequest: fail });
    expect(await thrown(before.GET("/x"))).toBe(mine);
    expect(await thrown(before.raw("GET", "/x"))).toBe(mine);
    expect(asked.length).toBe(0);
    const after = createClient<typeof api>(url, { retries: 3, onResponse: async () => fail() });
    expect(await thrown(after.GET("/x"))).toBe(mine);
    expect(asked.length).toBe(1);
  });

  test("send forms and streams as they are, by a fetch of one's own too", async () => {
    const echo = createEngine().withHandlers(
      POST("/form", { body: bytes("*/*"), output: z.string() }, ({ body }) => new TextDecoder().decode(body)),
    );
    const url = await listening(echo);
    for (const fetch of [undefined, undiciFetch as unknown as typeof globalThis.fetch]) {
      const client = createClient<typeof echo>(url, { fetch, onRequest: () => undefined });
      const form = new FormData();
      form.set("a", "é");
      const sent = await client.POST("/form", { body: form as never });
      expect(sent.data).toContain('name="a"\r\n\r\né\r\n');
      const blob = await client.POST("/form", { body: new Blob(["abc"]).stream() });
      expect(blob.data).toBe("abc");
    }
  });

  test("see the connections of streams", async () => {
    const events = createEngine().withHandlers(
      stream("GET", "/n", { event: z.int() }, async (_call, { send }) => void (await send(7))),
    );
    const seen: unknown[] = [];
    const client = createClient<typeof events>(await listening(events), {
      onRequest: (request) => void seen.push(request.headers.get("accept")),
      onResponse: (response) => void seen.push(response.status),
    });
    for await (const { data } of client.stream("GET", "/n")) seen.push(data);
    expect(seen).toEqual(["text/event-stream", 200, 7]);
  });
});

test("raw gives the answer itself, whatever its status, retried and typed by its handler", async () => {
  let turn = 0;
  const own = createEngine().withHandlers(
    GET("/none/{id}", { path: { id: z.int() }, errors: [NotFound] }, () => NotFound),
    GET("/page", ({ response }) => void response.type("html").send("<p>")),
    GET("/busy", { output: z.int(), errors: [ServiceUnavailable] }, () =>
      ++turn < 3 ? ServiceUnavailable : turn,
    ),
    HEAD("/files/{path*}", { responseHeaders: { "x-a": "1" } }, () => {}),
  );
  const client = createClient<typeof own>(await listening(own));
  const none = await client.raw("GET", "/none/{id}", { path: { id: 1 } });
  expect(none).toBeInstanceOf(Response);
  expect([none.status, await none.json()]).toEqual([404, expect.objectContaining({ code: "NOT_FOUND" })]);
  expect(await (await client.raw("GET", "/page")).text()).toBe("<p>");
  expect((await client.raw("GET", "/busy")).status).toBe(503);
  expect(await (await client.raw("GET", "/busy", { retries: 2 })).json()).toBe(3);
  const head = await client.raw("HEAD", "/files/{path*}", { path: { path: "a/b" } });
  expect([head.status, head.headers.get("x-a")]).toEqual([200, "1"]);
  const wrong = client.raw("GET", "/none/{id}", { path: { id: ".." as never } });
  expect((await thrown(wrong)) as ClientError).toMatchObject({ code: "INVALID_REQUEST" });
  // @ts-expect-error: no handler of that method has this path
  expect((await client.raw("GET", "/files/{path*}", { path: { path: "a" } })).status).toBe(405);
});
