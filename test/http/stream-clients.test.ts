/** Streams as real clients see them: curl, undici, the `eventsource` package, Chromium, and the package's own. */
import { spawn } from "node:child_process";
import { setTimeout as wait } from "node:timers/promises";
import cors from "cors";
import { EventSource as PolyfilledEventSource } from "eventsource";
import { createParser } from "eventsource-parser";
import type { Browser } from "playwright-core";
import { createClient } from "rowtype/http/client";
import { serveRequest, serveRequestWithHeaders, testEngine } from "rowtype/http/testing";
import { request, EventSource as UndiciEventSource } from "undici";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { createEngine, GET, NotFound, on, stream } from "../../src/http/index.js";
import { chromiumIsThere } from "../availability.js";
import { launchChromium } from "../chromium.js";
import { expectStandstill } from "../standstill.js";
import { interpret } from "./event-stream-rules.js";
import { listening } from "./serve.js";

const TOTAL = 25;
const PER_CONNECTION = 4;

/** Numbers, four to a connection; who comes again goes on after the last that it has seen. */
const numbers = stream(
  "GET",
  "/numbers",
  {
    events: { number: z.object({ n: z.int(), text: z.string() }), end: z.int() },
    query: { sign: z.string().default("№") },
    heartbeatMs: 20,
  },
  async ({ response, params }, { sendEvent, lastEventId }) => {
    const { sign } = params.query;
    const from = Number(lastEventId?.replace(sign, "") ?? -1) + 1;
    if (from > TOTAL) {
      // What tells an event source that there is no more to come.
      response.status(204).end();
      return;
    }
    for (let n = from; n < Math.min(from + PER_CONNECTION, TOTAL); n++) {
      const text = `line one\nline two\r\n${n} № ünïcode \u2028`;
      await sendEvent("number", { n, text }, { id: `${sign}${n}`, retry: 20 });
      if (n % 5 === 0) await wait(30);
    }
    if (from + PER_CONNECTION > TOTAL) await sendEvent("end", TOTAL, { id: `${sign}${TOTAL}` });
  },
);

const api = createEngine()
  .withMiddleware(cors({ allowedHeaders: ["last-event-id"] }))
  .withHandlers(
    numbers,
    stream("GET", "/refused", { event: z.int(), errors: [NotFound] }, () => NotFound),
    stream("GET", "/forever", { event: z.int() }, async (_call, { send, signal }) => {
      for (let n = 0; await send(n); n++) await wait(5, undefined, { signal });
    }),
    GET("/page", ({ response }) => {
      response.type("html").send("<!doctype html><title>page</title>");
    }),
  );

let url: string;
beforeAll(async () => {
  url = await listening(api);
});

const expected = Array.from({ length: TOTAL }, (_, n) => ({
  n,
  text: `line one\nline two\r\n${n} № ünïcode \u2028`,
}));

/** What an event source sees, of whatever make, until the end. */
interface EventSourceLike {
  readonly readyState: number;
  addEventListener(name: string, listener: (event: { data: string; lastEventId: string }) => void): void;
  close(): void;
}

function follow(source: EventSourceLike): Promise<{ seen: unknown[]; ids: string[]; opened: number }> {
  return new Promise((resolve) => {
    const seen: unknown[] = [];
    const ids: string[] = [];
    let opened = 0;
    source.addEventListener("open", () => void opened++);
    source.addEventListener("number", (event) => {
      seen.push(JSON.parse(event.data));
      ids.push(event.lastEventId);
    });
    source.addEventListener("end", () => {
      source.close();
      resolve({ seen, ids, opened });
    });
  });
}

describe("an event source resumes where it was, with no gap and nothing twice", () => {
  test("of undici", async () => {
    // It takes ids of Latin-1 only.
    const { seen, ids, opened } = await follow(new UndiciEventSource(`${url}/numbers?sign=a`));
    expect(seen).toEqual(expected);
    expect(ids.at(-1)).toBe(`a${TOTAL - 1}`);
    expect(opened).toBe(Math.ceil(TOTAL / PER_CONNECTION));
  });

  test("of the `eventsource` package", async () => {
    // It hands the id to `fetch` as it is, which takes Latin-1 only.
    const source = new PolyfilledEventSource(`${url}/numbers`, {
      fetch: (input, init) => {
        const id = init.headers["Last-Event-ID"];
        const headers: Record<string, string> = { ...init.headers };
        if (id !== undefined) headers["Last-Event-ID"] = Buffer.from(id, "utf8").toString("latin1");
        return fetch(input, { ...init, headers });
      },
    });
    const { seen, opened } = await follow(source);
    expect(seen).toEqual(expected);
    expect(opened).toBe(Math.ceil(TOTAL / PER_CONNECTION));
  });

  test("stops if the server says that there is no more, and if it is refused", async () => {
    for (const path of ["/refused", "/gone"]) {
      const source = new PolyfilledEventSource(`${url}${path}`);
      await new Promise<void>((resolve) => source.addEventListener("error", () => resolve()));
      expect(source.readyState).toBe(PolyfilledEventSource.CLOSED);
    }
    const response = await request(`${url}/numbers`, { headers: { "last-event-id": `${TOTAL}` } });
    expect([response.statusCode, await response.body.text()]).toEqual([204, ""]);
  });

  describe.skipIf(!chromiumIsThere)("of Chromium", () => {
    let browser: Browser;
    beforeAll(async () => {
      browser = await launchChromium();
    });
    afterAll(() => browser.close());

    // Runs in the page, so it is text.
    const inPage = (source: string) => `new Promise((resolve) => {
      const seen = []; let opened = 0;
      const source = new EventSource(${JSON.stringify(source)});
      source.onopen = () => opened++;
      source.addEventListener("number", (event) => seen.push({ ...JSON.parse(event.data), id: event.lastEventId }));
      source.addEventListener("end", () => { source.close(); resolve({ seen, opened }); });
    })`;

    test.each(["of the same origin", "of another origin"])("%s", async (where) => {
      const other = await listening(
        createEngine().withHandlers(GET("/page", ({ response }) => void response.type("html").send("<p>"))),
      );
      const page = await browser.newPage();
      await page.goto(`${where === "of another origin" ? other : url}/page`);
      const { seen, opened } = (await page.evaluate(inPage(`${url}/numbers`))) as {
        seen: unknown[];
        opened: number;
      };
      expect(seen).toEqual(expected.map((event) => ({ ...event, id: `№${event.n}` })));
      expect(opened).toBe(Math.ceil(TOTAL / PER_CONNECTION));
      await page.close();
    });

    test("leaves, and the server knows", async () => {
      const left = new Promise<void>((resolve) => {
        const off = on("http.stream.client.disconnected", ({ path }) => {
          if (path !== "/forever") return;
          off();
          resolve();
        });
      });
      const page = await browser.newPage();
      await page.goto(`${url}/page`);
      const first = await page.evaluate(
        `new Promise((resolve) => { window.source = new EventSource("/forever"); source.onmessage = ({ data }) => resolve(data); })`,
      );
      expect(first).toBe("0");
      await page.close();
      await left;
    });
  });

  test("as does the client of the package", async () => {
    const seen: unknown[] = [];
    for await (const received of createClient<typeof api>(url).stream("GET", "/numbers", {
      reconnect: true,
    })) {
      if (received.event === "number") seen.push(received.data);
      else expect(received).toEqual({ event: "end", data: TOTAL, id: `№${TOTAL}` });
    }
    expect(seen).toEqual(expected);
  });
});

describe("other clients", () => {
  test("curl shows events as they come, and sends an id", async () => {
    const curl = (...args: string[]) =>
      new Promise<string>((resolve) => {
        const child = spawn("curl", ["-sN", ...args]);
        let text = "";
        child.stdout.on("data", (chunk: Buffer) => {
          text += chunk.toString();
          if (args.includes("--max-time") && text.includes("data: 20")) child.kill();
        });
        child.on("close", () => resolve(text));
      });
    const { events } = interpret(await curl("-H", `Last-Event-ID: №${TOTAL - 2}`, `${url}/numbers`));
    expect(events.map(({ type }) => type)).toEqual(["number", "end"]);
    const endless = interpret(await curl("--max-time", "20", `${url}/forever`));
    expect(endless.events.slice(0, 21).map(({ data }) => Number(data))).toEqual([...Array(21).keys()]);
    const head = await curl("-I", `${url}/forever`);
    expect(head).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
    expect(head.toLowerCase()).toContain("content-type: text/event-stream\r\n");
  });

  test("the parser that most libraries use reads what the rules say", async () => {
    const { body } = await request(`${url}/numbers`);
    const text = await body.text();
    const read: unknown[] = [];
    const parser = createParser({
      onEvent: ({ event, data, id }) => read.push({ type: event, data, lastEventId: id }),
    });
    for (const piece of text.split(/(?=[\n:])/)) parser.feed(piece);
    expect(read).toEqual(interpret(text).events);
  });

  test("a test without a port", async () => {
    const response = await serveRequest(testEngine(numbers), "GET", "/numbers");
    expect(response.status).toBe(200);
    expect(interpret(response.text()).events.length).toBeGreaterThan(0);
    const seen: unknown[] = [];
    for await (const { event, data, id } of response.events()) seen.push([event, data, id]);
    expect(seen).toEqual(expected.slice(0, PER_CONNECTION).map((data) => ["number", data, `№${data.n}`]));
    const again = await serveRequestWithHeaders(testEngine(numbers), "GET", "/numbers", {
      "last-event-id": Buffer.from(`№${TOTAL - 1}`).toString("latin1"),
    });
    expect(again.text()).toContain("event: end\n");
    expect((await serveRequest(api, "GET", "/refused")).decodeJSON()).toMatchObject({ code: "NOT_FOUND" });
  });

  test("a test that leaves, and one that takes its time", async () => {
    let ended: (() => void) | undefined;
    const over = new Promise<void>((resolve) => {
      ended = resolve;
    });
    let sent = 0;
    const engine = testEngine(
      stream("GET", "/forever", { event: z.string() }, async (_call, { send }) => {
        while (await send(`${sent}${"x".repeat(10_000)}`)) sent++;
        ended?.();
      }),
    );
    const response = await serveRequest(engine, "GET", "/forever");
    const events = response.events();
    let n = 0;
    for await (const { data } of events) {
      expect(String(data).startsWith(`${n}x`)).toBe(true);
      if (++n === 50) break;
    }
    // It meets the resistance of a client that has stopped to read.
    expect(await expectStandstill(() => sent)).toBeLessThan(500);
    // A further iteration goes on.
    for await (const { data } of response.events()) {
      expect(String(data).startsWith("50x")).toBe(true);
      break;
    }
    events.close();
    await over;
    response.close();
  });
});
