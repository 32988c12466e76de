/** Answers that are rows: as lines of JSON, as CSV, as the request asks; served, described and read by the client. */
import { once } from "node:events";
import { connect } from "node:net";
import fc from "fast-check";
import { decimal } from "rowtype";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { z as z3 } from "zod/v3";
import { createClient } from "../../src/http/client/index.js";
import {
  Conflict,
  createEngine,
  csv,
  DeclarationError,
  GET,
  HostLoopback,
  html,
  ndjson,
  on,
  reply,
  rows,
  text,
} from "../../src/http/index.js";
import {
  assertErrorCode,
  serveRequest,
  serveRequestWithHeaders,
  testEngine,
} from "../../src/http/testing/index.js";
import { atEnd } from "../at-end.js";
import { csvTexts, readCsv } from "../kit/csv-reader.js";
import { expectStandstill } from "../standstill.js";
import { listening } from "./serve.js";
import { expectValid } from "./validate-document.js";

const at = new Date("2026-01-02T03:04:05.000Z");
const Order = z.object({ id: z.int(), at: z.date(), total: z.bigint(), note: z.string().nullable() });
const orders = [
  { id: 1, at, total: 5n, note: 'a "b", c\r\nd', secret: 1 },
  { id: 2, at, total: -7n, note: null },
  { id: -3, at, total: 0n, note: "" },
];
const wire = orders.map(({ id, total, note }) => ({ id, at: at.toISOString(), total: `${total}`, note }));
// Every value here is one that the compiler refuses.
const wrong = (value: unknown) => value as never;
async function* each<T>(items: readonly T[], between?: () => Promise<unknown>): AsyncGenerator<T> {
  for (const item of items) {
    yield item;
    await between?.();
  }
}
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

const lines = GET("/lines", { output: ndjson(Order) }, () => each(orders));
const table = GET("/table", { output: csv(Order) }, () => orders);
const asked = GET("/asked", { output: rows(Order) }, async () => each(orders, () => pause(1)));
const none = GET("/none", { outputs: { 200: csv(Order), 203: rows(Order) } }, ({ request }) =>
  request.query["json"] === undefined ? reply(200, []) : reply(203, each([])),
);
const engine = testEngine(lines, table, asked, none);

describe("rows", () => {
  test("go out as lines of JSON, without what their schema does not declare", async () => {
    const answer = await serveRequest(engine, "GET", "/lines");
    expect(answer.headers.get("content-type")).toBe("application/x-ndjson");
    expect(answer.headers.get("answer-kind")).toBe("ndjson");
    expect(answer.text().endsWith("}\n")).toBe(true);
    expect(answer.rows()).toEqual(wire);
  });

  test("go out as CSV", async () => {
    const answer = await serveRequest(engine, "GET", "/table");
    expect(answer.headers.get("content-type")).toBe("text/csv; charset=utf-8");
    expect(answer.headers.get("answer-kind")).toBe("csv");
    const time = "2026-01-02T03:04:05.000Z";
    expect(answer.text()).toBe(
      `id,at,total,note\r\n1,${time},5,"a ""b"", c\r\nd"\r\n2,${time},-7,\r\n-3,${time},0,""\r\n`,
    );
  });

  test("go out as the request asks, a list of JSON if it does not", async () => {
    const ask = (accept: string) => serveRequestWithHeaders(engine, "GET", "/asked", { accept });
    const cases: [string, string, string | null][] = [
      ["*/*", "application/json; charset=utf-8", null],
      ["", "application/json; charset=utf-8", null],
      ["text/csv", "text/csv; charset=utf-8", "csv"],
      ["text/*, application/json;q=0.5", "text/csv; charset=utf-8", "csv"],
      ["application/x-ndjson;q=0.9, text/csv;q=0.8", "application/x-ndjson", "ndjson"],
      ["application/json;q=0, */*;q=0.1", "application/x-ndjson", "ndjson"],
    ];
    for (const [accept, type, kind] of cases) {
      const answer = await ask(accept);
      expect([
        accept,
        answer.status,
        answer.headers.get("content-type"),
        answer.headers.get("answer-kind"),
      ]).toEqual([accept, 200, type, kind]);
      expect(answer.headers.get("vary")).toBe("Accept");
    }
    expect((await ask("*/*")).decodeJSON()).toEqual(wire);
    expect((await serveRequest(engine, "GET", "/asked")).decodeJSON()).toEqual(wire);
    expect((await ask("application/x-ndjson")).rows()).toEqual(wire);
    expect(csvTexts((await ask("text/csv")).text())).toHaveLength(4);
    // A browser's page.
    expect((await ask("text/html,application/xhtml+xml,*/*;q=0.8")).decodeJSON()).toEqual(wire);
  });

  test("are refused before the function runs where the request takes none of the forms", async () => {
    let ran = 0;
    const only = testEngine(
      GET("/x", { output: rows(Order) }, () => {
        ran++;
        return orders;
      }),
      lines,
    );
    for (const accept of ["text/html", "application/json;q=0, text/html", "nonsense"]) {
      const answer = await serveRequestWithHeaders(only, "GET", "/x", { accept });
      expect([
        answer.status,
        answer.text(),
        answer.headers.get("vary"),
        answer.headers.get("error-origin"),
      ]).toEqual([406, '{"code":"NOT_ACCEPTABLE","message":"not acceptable"}', "Accept", "engine"]);
    }
    expect(ran).toBe(0);
    // Other kinds do not look at it.
    expect((await serveRequestWithHeaders(only, "GET", "/lines", { accept: "text/html" })).status).toBe(200);
  });

  test("may be none: a header alone, and an empty list", async () => {
    expect((await serveRequest(engine, "GET", "/none")).text()).toBe("id,at,total,note\r\n");
    expect((await serveRequest(engine, "GET", "/none?json")).text()).toBe("[]");
    const refused = await serveRequestWithHeaders(engine, "GET", "/none?json", { accept: "text/html" });
    expect([refused.status, refused.headers.get("vary")]).toEqual([406, "Accept"]);
    const other = await serveRequestWithHeaders(engine, "GET", "/none", { accept: "text/html" });
    expect([other.status, other.headers.get("vary")]).toEqual([200, "Accept"]);
  });

  test("are validated where outputs are", async () => {
    const reported: Error[] = [];
    const checked = createEngine({ onError: (error) => reported.push(error) }).withHandlers(
      GET("/x", { output: ndjson(z.object({ n: z.int().max(2) })), outputValidation: true }, () =>
        [1, 2, 3].map((n) => ({ n })),
      ),
      GET("/nan", { output: csv(z.object({ n: z.number() })) }, () => [{ n: Number.NaN }]),
      GET(
        "/no-rows",
        { output: ndjson(Order) },
        wrong(() => 5),
      ),
      GET(
        "/no-object",
        { output: csv(Order) },
        wrong(() => [5]),
      ),
    );
    for (const path of ["/x", "/nan", "/no-rows", "/no-object"])
      assertErrorCode(await serveRequest(checked, "GET", path), "INTERNAL_SERVER_ERROR");
    expect(reported).toHaveLength(4);
  });

  test("are given to the client: an iterable of lines, text, a list", async () => {
    const client = createClient<typeof engine>(await listening(engine as never));
    const answer = await client.GET("/lines");
    const seen = [];
    for await (const row of answer.data) seen.push(row.at, row.total);
    expect(seen).toEqual(wire.flatMap((row) => [row.at, row.total]));
    expect((await client.GET("/asked")).data).toEqual(wire);
    expect(csvTexts((await client.GET("/table")).data)).toHaveLength(4);
  });

  test("answer HEAD without a body, and end unread", async () => {
    let isEnded = false;
    const source = {
      [Symbol.asyncIterator]: () => ({
        next: () => Promise.reject(new Error("read")),
        return: async () => {
          isEnded = true;
          return { done: true, value: undefined } as const;
        },
      }),
    };
    const url = await listening(testEngine(GET("/s", { output: rows(Order) }, () => source)) as never);
    const head = await fetch(`${url}/s`, { method: "HEAD", headers: { accept: "text/csv" } });
    expect([
      head.status,
      head.headers.get("answer-kind"),
      head.headers.get("vary"),
      await head.text(),
    ]).toEqual([200, "csv", "Accept", ""]);
    expect(isEnded).toBe(true);
  });
});

describe("a row", () => {
  test("goes out while the source lets wait for the next one", async () => {
    let open: () => void = () => {};
    const gate = new Promise<void>((resolve) => {
      open = resolve;
    });
    const slow = testEngine(GET("/s", { output: ndjson(Order) }, () => each(orders, () => gate)));
    const client = createClient<typeof slow>(await listening(slow as never));
    const { data } = await client.GET("/s");
    const iterator = data[Symbol.asyncIterator]();
    expect(await iterator.next()).toEqual({ done: false, value: wire[0] });
    open();
    expect(await iterator.next()).toEqual({ done: false, value: wire[1] });
  });

  test("that fails first is an ordinary failure; a declared error is an answer", async () => {
    const failing = (error: unknown) =>
      // biome-ignore lint/correctness/useYield: it fails before its first row.
      (async function* (): AsyncGenerator<z.output<typeof Order>> {
        throw error;
      })();
    const reported: Error[] = [];
    const failed = createEngine({ onError: (error) => reported.push(error) }).withHandlers(
      GET("/bare", { output: csv(Order) }, () => failing(new Error("no"))),
      GET("/declared", { output: ndjson(Order), errors: [Conflict] }, () => failing(Conflict)),
    );
    const bare = await serveRequest(failed, "GET", "/bare");
    assertErrorCode(bare, "INTERNAL_SERVER_ERROR");
    expect(bare.headers.has("answer-kind")).toBe(false);
    assertErrorCode(await serveRequest(failed, "GET", "/declared"), "CONFLICT");
    expect(reported).toHaveLength(1);
  });

  test("that fails later cuts the connection: the client's iteration rejects", async () => {
    const reported: Error[] = [];
    const failures: unknown[] = [];
    atEnd(on("http.request.failed", ({ error }) => failures.push(error)));
    const failure = new Error("the source broke");
    const source = async function* () {
      yield orders[0] as z.output<typeof Order>;
      await pause(20);
      throw failure;
    };
    const failing = createEngine({ onError: (error) => reported.push(error) }).withHandlers(
      GET("/lines", { output: ndjson(Order) }, source),
      GET("/list", { output: rows(Order) }, source),
    );
    const client = createClient<typeof failing>(await listening(failing as never));
    const { data } = await client.GET("/lines");
    const seen: unknown[] = [];
    const iteration = (async () => {
      for await (const row of data) seen.push(row);
    })();
    await expect(iteration).rejects.toMatchObject({ code: "NETWORK" });
    expect(seen).toEqual([wire[0]]);
    await expect(client.GET("/list")).rejects.toMatchObject({ code: "NETWORK" });
    await expect.poll(() => failures).toEqual([failure, failure]);
    expect(reported).toEqual([failure, failure]);
  });
});

describe("a source of rows", () => {
  const endless = () => {
    const state = { given: 0, ended: 0 };
    const source = async function* () {
      try {
        for (;;) {
          state.given++;
          yield { id: state.given, at, total: 0n, note: "x".repeat(100) };
        }
      } finally {
        state.ended++;
      }
    };
    return { state, source };
  };

  test("is read only as fast as its client reads, and ends when the client leaves", async () => {
    const { state, source } = endless();
    const { port } = await startedOn(testEngine(GET("/s", { output: ndjson(Order) }, source)));
    const socket = connect(port, "127.0.0.1");
    socket.write("GET /s HTTP/1.1\r\nHost: x\r\n\r\n");
    await once(socket, "readable");
    socket.pause();
    await expectStandstill(() => state.given);
    expect(state.ended).toBe(0);
    socket.destroy();
    await expect.poll(() => state.ended).toBe(1);
  });

  test("is not read ahead: what is held is one chunk and the buffers of the connection", async () => {
    const { state, source } = endless();
    const held = testEngine(GET("/s", { output: ndjson(Order) }, source));
    const server = await startedOn(held);
    let written = 0;
    const answer = await fetch(`${server.url}/s`);
    const reader = answer.body?.getReader();
    written += (await reader?.read())?.value?.length ?? 0;
    await pause(300);
    // The sockets of the system hold megabytes; this bounds what is held beside them.
    const line = 170;
    expect(state.given * line).toBeLessThan(written + 16 * 1024 * 1024);
    await reader?.cancel();
    await expect.poll(() => state.ended).toBe(1);
  });

  test("ends with the client's loop", async () => {
    const { state, source } = endless();
    const left = testEngine(GET("/s", { output: ndjson(Order) }, source));
    const client = createClient<typeof left>(await listening(left as never));
    for await (const { id } of (await client.GET("/s")).data) if (id === 3) break;
    await expect.poll(() => state.ended).toBe(1);
    const stop = new AbortController();
    const { data } = await client.GET("/s", { signal: stop.signal });
    const loop = (async () => {
      for await (const { id } of data) if (id > 3) stop.abort();
    })();
    await expect(loop).rejects.toMatchObject({ code: "ABORTED" });
    await expect.poll(() => state.ended).toBe(2);
  });

  test("that is waited for ends without a word when the client has left", async () => {
    const ended: string[] = [];
    let fail: (error: Error) => void = () => {};
    const waited = new Promise<never>((_, reject) => {
      fail = reject;
    });
    const source = () => {
      let given = 0;
      return {
        [Symbol.asyncIterator]: () => ({
          next: () => (given++ === 0 ? Promise.resolve({ done: false, value: orders[0] }) : waited),
          return: async () => {
            ended.push("return");
            return { done: true, value: undefined } as const;
          },
        }),
      };
    };
    const reported: Error[] = [];
    const late = createEngine({ onError: (error) => reported.push(error) }).withHandlers(
      GET("/s", { output: ndjson(Order) }, wrong(source)),
    );
    const answer = await fetch(`${await listening(late as never)}/s`);
    const reader = answer.body?.getReader();
    await reader?.read();
    await reader?.cancel();
    await expect.poll(() => ended).toEqual(["return"]);
    fail(new Error("too late"));
    await pause(20);
    expect(reported).toEqual([]);
  });

  test("goes on while the engine shuts down, and ends at the deadline", async () => {
    const { state, source } = endless();
    const closing = testEngine(GET("/s", { output: csv(Order) }, source));
    const { url } = await startedOn(closing);
    const reader = (await fetch(`${url}/s`)).body?.getReader();
    await reader?.read();
    const end = closing.shutdown({ timeoutMs: 200 });
    const rest = (async () => {
      while ((await reader?.read())?.done === false);
    })();
    await expect(rest).rejects.toThrow();
    expect(await end).toEqual({ graceful: false });
    await expect.poll(() => state.ended).toBe(1);
  });
});

describe("a cell of CSV", () => {
  const Row = z.object({
    text: z.string().nullable().optional(),
    number: z.number().nullable(),
    price: decimal(10, 2).nullable(),
    big: z.bigint(),
    list: z.array(z.int()),
    inner: z.object({ at: z.date() }).optional(),
    flag: z.boolean(),
    bytes: z.instanceof(Uint8Array),
  });
  const row: z.output<typeof Row> = {
    text: "a",
    number: -1.5,
    price: "-12.50",
    big: -3n,
    list: [1, 2],
    flag: true,
    bytes: new Uint8Array([1, 2]),
  };
  const cells = async (value: z.output<typeof Row>, options: Parameters<typeof csv>[1] = {}) => {
    const one = testEngine(GET("/x", { output: csv(Row, options) }, () => [value]));
    return (await serveRequest(one, "GET", "/x")).text();
  };

  test("is the wire form of its value: lists and objects are JSON, nothing is empty", async () => {
    expect(csvTexts(await cells({ ...row, inner: { at } }))).toEqual([
      ["text", "number", "price", "big", "list", "inner", "flag", "bytes"],
      ["a", "-1.5", "-12.50", "-3", "[1,2]", '{"at":"2026-01-02T03:04:05.000Z"}', "true", "AQI="],
    ]);
    const [, empty] = readCsv(await cells({ ...row, text: undefined, number: null, price: null }));
    expect(empty?.slice(0, 3)).toEqual(Array(3).fill({ text: "", quoted: false }));
    const [, blank] = readCsv(await cells({ ...row, text: "" }));
    expect(blank?.[0]).toEqual({ text: "", quoted: true });
  });

  test.each(["=1+1", "+1", "-1", "@a", "\ta", "\ra"])("is no formula: %j", async (value) => {
    expect(csvTexts(await cells({ ...row, text: value }))[1]?.[0]).toBe(`'${value}`);
    expect(csvTexts(await cells({ ...row, text: value }, { formulas: "keep" }))[1]?.[0]).toBe(value);
    expect(csvTexts(await cells({ ...row, text: `a${value}` }))[1]?.[0]).toBe(`a${value}`);
  });

  test("is separated as the options say, with or without names", async () => {
    for (const delimiter of [";", "\t", "|", "]", "^", "-", "\\"]) {
      const read = csvTexts(
        await cells({ ...row, text: `a${delimiter}b` }, { delimiter, header: false }),
        delimiter,
      );
      expect(read.map(([text, number]) => [text, number])).toEqual([[`a${delimiter}b`, "-1.5"]]);
    }
  });

  test("is read back as it was, whatever the text", async () => {
    const Text = z.object({ a: z.string(), "b,c": z.string() });
    const given: { current: z.output<typeof Text>[] } = { current: [] };
    const echo = testEngine(GET("/x", { output: csv(Text, { formulas: "keep" }) }, () => given.current));
    const cell = fc.string({ unit: fc.constantFrom("a", '"', ",", "\r", "\n", "é", "=", " ") });
    await fc.assert(
      fc.asyncProperty(fc.array(fc.record({ a: cell, "b,c": cell })), async (all) => {
        given.current = all;
        const read = csvTexts((await serveRequest(echo, "GET", "/x")).text());
        expect(read).toEqual([["a", "b,c"], ...all.map((one) => [one.a, one["b,c"]])]);
      }),
      { numRuns: 50 },
    );
  });

  test("is of zod/v3, too", async () => {
    const Old = z3.object({ id: z3.number(), at: z3.date(), big: z3.bigint() });
    const old = testEngine(GET("/x", { output: csv(Old) }, () => [{ id: 1, at, big: -5n }]));
    expect(csvTexts((await serveRequest(old, "GET", "/x")).text())).toEqual([
      ["id", "at", "big"],
      ["1", "2026-01-02T03:04:05.000Z", "-5"],
    ]);
  });
});

describe("what cannot work is refused when it is declared", () => {
  test.each<[string, () => unknown, string]>([
    ["no schema", () => ndjson(wrong(5)), "ndjson() takes the Zod schema of a row"],
    ["a kind as a row", () => ndjson(wrong(text())), "text() is no schema and cannot stand inside ndjson()"],
    ["a kind in a row", () => csv(z.object({ a: wrong(html()) })), "html() is no schema"],
    ["rows of no object", () => csv(wrong(z.string())), "an object whose keys are known"],
    ["rows of other keys", () => csv(z.looseObject({ a: z.int() })), "an object whose keys are known"],
    ["rows of no keys", () => rows(z.object({})), "an object whose keys are known"],
    ["an unknown option", () => csv(Order, wrong({ separator: ";" })), "separator"],
    ["a delimiter of two", () => csv(Order, { delimiter: "::" }), "delimiter"],
    ["a quote as the delimiter", () => csv(Order, { delimiter: '"' }), "delimiter"],
    ["another header", () => csv(Order, { header: wrong("yes") }), "header"],
    ["other formulas", () => csv(Order, { formulas: wrong("no") }), "formulas"],
    ["a tag", () => GET("/x", { output: ndjson(Order), etag: true }, () => []), "has no tag"],
    [
      "a one-way transform that is to be validated",
      () =>
        GET(
          "/x",
          { output: ndjson(z.object({ a: z.string().transform(Number) })), outputValidation: true },
          () => [],
        ),
      "one-way",
    ],
  ])("%s", (_, declare, message) => {
    expect(declare).toThrow(DeclarationError);
    expect(declare).toThrow(message);
  });

  test("what JSON cannot hold, by the engine", () => {
    const held = testEngine(GET("/x", { output: ndjson(z.object({ a: z.symbol() })) }, () => []));
    expect(() => held.router()).toThrow(DeclarationError);
  });
});

test("the document has the rows as text that contains a list, and is valid", async () => {
  const document = testEngine(lines, table, asked).openapi();
  const responseOf = (path: `/${string}`) => document.paths?.[path]?.get?.responses?.["200"];
  expect(responseOf("/lines")).toMatchObject({
    content: {
      "application/x-ndjson": {
        schema: {
          type: "string",
          contentMediaType: "application/x-ndjson",
          contentSchema: { type: "array", items: { type: "object" } },
        },
      },
    },
  });
  expect(responseOf("/table")).toMatchObject({ content: { "text/csv": { schema: { type: "string" } } } });
  expect(Object.keys((responseOf("/asked") as { content: object }).content)).toEqual([
    "application/json",
    "application/x-ndjson",
    "text/csv",
  ]);
  expect(document.paths?.["/asked"]?.get?.responses).toHaveProperty("406");
  expect(document.paths?.["/lines"]?.get?.responses).not.toHaveProperty("406");
  await expectValid(document);
});

async function startedOn(one: { start(host: string, port: number): Promise<{ url: string; port: number }> }) {
  return one.start(HostLoopback, 0);
}
