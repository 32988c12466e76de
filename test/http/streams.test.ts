import { setTimeout as wait } from "node:timers/promises";
import compression from "compression";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { z as z3 } from "zod/v3";
import {
  Conflict,
  createEngine,
  DeclarationError,
  GET,
  type HttpEvents,
  NotFound,
  on,
  StreamError,
  stream,
} from "../../src/http/index.js";
import { settle } from "../standstill.js";
import { expectBelow, expectSoon, idleClock } from "../stopwatch.js";
import { interpret } from "./event-stream-rules.js";
import { ask, send as jsonBody, listening, serve } from "./serve.js";

/** Everything that is said of the streams at a path. */
function record(path: string): {
  readonly seen: [name: string, error?: unknown][];
  readonly stop: () => void;
} {
  const seen: [string, unknown?][] = [];
  const names: (keyof HttpEvents)[] = [
    "http.stream.executing",
    "http.stream.started",
    "http.stream.ended",
    "http.stream.client.disconnected",
    "http.stream.error",
    "http.handler.sentinel.error",
    "http.handler.sentinel.undeclared",
    "http.request.completed",
    "http.request.failed",
  ];
  const offs = names.map((name) =>
    on(name, (event) => {
      if (!("path" in event) || event.path !== path) return;
      seen.push("error" in event ? [name, event.error] : [name]);
    }),
  );
  return { seen, stop: () => offs.forEach((off) => void off()) };
}

const names = (seen: readonly [name: string, error?: unknown][]) => seen.map(([name]) => name);

describe("what a stream sends", () => {
  test("is an event stream that nothing on the way buffers or caches", async () => {
    const url = await serve(
      stream("GET", "/x", { event: z.int(), responseHeaders: { "X-A": "1" } }, (_call, { send }) => send(1)),
    );
    const answer = await ask(`${url}/x`);
    expect(answer.status).toBe(200);
    expect(answer.text).toBe("data: 1\n\n");
    const headers = Object.fromEntries(answer.headers);
    expect(headers).toMatchObject({
      "content-type": "text/event-stream",
      "cache-control": "no-cache",
      "x-accel-buffering": "no",
      "x-a": "1",
    });
    expect(headers).not.toHaveProperty("content-length");
  });

  test("has the wire forms of outputs: undeclared fields stay, dates and bigints are text", async () => {
    const url = await serve(
      stream(
        "GET",
        "/x",
        {
          event: z.object({
            at: z.date(),
            big: z.bigint(),
            bytes: z.instanceof(Uint8Array),
            inner: z.object({ a: z.int() }),
          }),
        },
        async (_call, { send }) => {
          const inner = { a: 1, secret: 2 };
          const event = { at: new Date(0), big: 2n ** 60n, bytes: new Uint8Array([1]), inner, password: "x" };
          await send(event);
        },
      ),
      stream("GET", "/three", { event: z3.object({ at: z3.date() }) }, (_call, { send }) => {
        const event = { at: new Date(0), password: "x" };
        return send(event);
      }),
    );
    expect((await ask(`${url}/x`)).text).toBe(
      `data: {"at":"1970-01-01T00:00:00.000Z","big":"1152921504606846976","bytes":"AQ==","inner":{"a":1}}\n\n`,
    );
    expect((await ask(`${url}/three`)).text).toBe(`data: {"at":"1970-01-01T00:00:00.000Z"}\n\n`);
  });

  test("may have names, ids and a time to wait", async () => {
    const url = await serve(
      stream(
        "GET",
        "/x",
        { events: { tick: z.int(), message: z.string(), "end: of it": z.null() } },
        async (_call, { send, sendEvent }) => {
          await sendEvent("tick", 1, { id: "a b", retry: 5_000 });
          await send("unnamed", { id: 7 });
          await sendEvent("message", "also", { id: 8n });
          await sendEvent("end: of it", null, { id: "" });
        },
      ),
    );
    const { text } = await ask(`${url}/x`);
    expect(text.startsWith("id: a b\nretry: 5000\nevent: tick\ndata: 1\n\n")).toBe(true);
    expect(interpret(text)).toEqual({
      events: [
        { type: "tick", data: "1", lastEventId: "a b" },
        { type: "message", data: '"unnamed"', lastEventId: "7" },
        { type: "message", data: '"also"', lastEventId: "8" },
        { type: "end: of it", data: "null", lastEventId: "" },
      ],
      comments: [],
      retry: 5_000,
    });
  });

  test("row 111: whatever the payload, the id and the comment are, they come back as they went, and nothing else", async () => {
    let given: { data: unknown; id: string; comment: string } = { data: 0, id: "", comment: "" };
    const url = await serve(
      stream("GET", "/x", { event: z.unknown() }, async (_call, { send, sendComment }) => {
        await sendComment(given.comment);
        await send(given.data, { id: given.id });
      }),
    );
    // Made of what the framing is made of.
    const text = fc.string({
      unit: fc.oneof(
        fc.constantFrom("\r", "\n", ":", " ", "data", "event", "id", "\u2028", "é", "😀"),
        fc.string(),
      ),
    });
    await fc.assert(
      fc.asyncProperty(fc.oneof(fc.jsonValue(), text), text, text, async (data, anyId, comment) => {
        // Leading blanks of an id are the framing's.
        const id = anyId.replace(/[\r\n\0]/g, "");
        given = { data, id, comment };
        const { events, comments } = interpret(new Uint8Array(await (await fetch(`${url}/x`)).arrayBuffer()));
        expect(events).toHaveLength(1);
        expect(JSON.parse(events[0]?.data ?? "")).toEqual(JSON.parse(JSON.stringify(data)));
        expect(events[0]?.type).toBe("message");
        expect(events[0]?.lastEventId).toBe(id.toWellFormed());
        expect(comments.join("\n")).toBe(
          comment
            .toWellFormed()
            .split(/\r\n|\r|\n/)
            .map((line) => ` ${line}`)
            .join("\n"),
        );
      }),
      { numRuns: 300 },
    );
  });

  test("goes out in the order in which it was given, though schemas take their time", async () => {
    const slow = z.int().refine((n) => wait(20 - n, true));
    const url = await serve(
      stream(
        "GET",
        "/x",
        { events: { slow, quick: z.int() }, outputValidation: true },
        (_call, { sendEvent, sendComment }) => {
          // Nobody waits for any of them; the end of the stream does.
          sendEvent("quick", 0);
          sendEvent("slow", 1);
          sendEvent("quick", 2);
          sendEvent("slow", "none" as never);
          sendComment("between");
          sendEvent("slow", 15);
          sendEvent("quick", 4);
        },
      ),
    );
    expect((await ask(`${url}/x`)).text).toBe(
      "event: quick\ndata: 0\n\nevent: slow\ndata: 1\n\nevent: quick\ndata: 2\n\n: between\n\n" +
        "event: slow\ndata: 15\n\nevent: quick\ndata: 4\n\n",
    );
  });

  test("passes compression in front at once", async () => {
    let go: (() => void) | undefined;
    const api = createEngine()
      .withMiddleware(compression())
      .withHandlers(
        stream("GET", "/x", { event: z.string() }, async (_call, { send }) => {
          for (let i = 0; i < 20; i++) {
            await send(`event ${i}`);
            await new Promise<void>((resolve) => {
              go = resolve;
            });
          }
        }),
      );
    const response = await fetch(`${await listening(api)}/x`, { headers: { "accept-encoding": "gzip" } });
    expect(response.headers.get("content-encoding")).toBe("gzip");
    const seen: string[] = [];
    const decoder = new TextDecoder();
    for await (const chunk of response.body ?? []) {
      seen.push(decoder.decode(chunk));
      go?.();
    }
    expect(interpret(seen.join("")).events).toHaveLength(20);
    expect(seen[0]).toBe('data: "event 0"\n\n');
  });
});

describe("what cannot be sent", () => {
  test("row 112: rejects without a byte of it, and the stream goes on", async () => {
    const errors: unknown[] = [];
    const url = await serve(
      stream("GET", "/x", { events: { any: z.unknown(), int: z.int() } }, async (_call, sent) => {
        const loose = sent as unknown as {
          send(data: unknown): Promise<boolean>;
          sendEvent: typeof sent.sendEvent;
        };
        const cycle: unknown[] = [];
        cycle.push(cycle);
        const attempts = [
          () => sent.sendEvent("any", cycle),
          () => sent.sendEvent("any", 1n),
          () => sent.sendEvent("any", () => 1),
          () =>
            sent.sendEvent("any", {
              toJSON() {
                throw new Error("no");
              },
            }),
          () => loose.send(1),
          () => loose.sendEvent("other" as never, 1 as never),
          () => loose.sendEvent("__proto__" as never, 1 as never),
          () => loose.sendEvent("any\ndata: forged" as never, 1 as never),
          () => sent.sendEvent("int", 1, { id: "a\nb" }),
          () => sent.sendEvent("int", 1, { id: "a\rb" }),
          () => sent.sendEvent("int", 1, { id: "a\0b" }),
          () => sent.sendEvent("int", 1, { id: {} as never }),
          () => sent.sendEvent("int", 1, { retry: 1.5 }),
          () => sent.sendEvent("int", 1, { retry: "1\ndata: forged" as never }),
        ];
        for (const attempt of attempts) await attempt().catch((error: unknown) => errors.push(error));
        // Nobody waits for this one.
        sent.sendEvent("any", cycle);
        await sent.sendEvent("int", 1);
      }),
    );
    expect((await ask(`${url}/x`)).text).toBe("event: int\ndata: 1\n\n");
    expect(errors).toHaveLength(14);
    expect(errors.every((error) => error instanceof StreamError)).toBe(true);
    expect(new Set(errors.map((error) => (error as StreamError).code))).toEqual(
      new Set(["EVENT_UNWRITABLE", "EVENT_UNDECLARED", "EVENT_INVALID"]),
    );
    expect((errors[4] as Error).message).toBe('event "message" is not declared; events: any, int');
  });

  test("is refused by its schema, if events are validated", async () => {
    const { seen, stop } = record("/invalid");
    let refused: unknown;
    const url = await serve(
      stream(
        "GET",
        "/invalid",
        { event: z.object({ n: z.int(), at: z.date() }), outputValidation: true },
        async (_call, { send }) => {
          await send({ n: 1.5, at: new Date(0) }).catch((error: unknown) => {
            refused = error;
          });
          await send({ n: 1, at: new Date(0) });
        },
      ),
    );
    expect((await ask(`${url}/invalid`)).text).toBe(`data: {"n":1,"at":"1970-01-01T00:00:00.000Z"}\n\n`);
    expect(refused).toMatchObject({ issues: [{ path: ["n"] }] });
    await settle();
    stop();
    expect(seen).toContainEqual(["http.stream.error", refused]);
    expect(names(seen)).toEqual([
      "http.stream.executing",
      "http.stream.error",
      "http.stream.started",
      "http.stream.ended",
      "http.request.completed",
    ]);
  });
});

describe("the beginning of a stream", () => {
  test("is its first event, `open`, or 50 ms", async () => {
    const url = await serve(
      stream("GET", "/open", { event: z.int() }, async (_call, { open, signal }) => {
        await open();
        await wait(5_000, undefined, { signal });
      }),
      stream("GET", "/silent", { event: z.int() }, (_call, { signal }) => wait(5_000, undefined, { signal })),
    );
    const begins = async (path: string) => {
      const client = new AbortController();
      const started = performance.now();
      expect((await fetch(url + path, { signal: client.signal })).status).toBe(200);
      const took = performance.now() - started;
      client.abort();
      return took;
    };
    await expectBelow(45, async () => idleClock(await begins("/open")), { attempts: 20 });
    await expectBelow(500, async () => {
      const silent = await begins("/silent");
      expect(silent).toBeGreaterThan(45);
      return idleClock(silent);
    });
  });

  test("row 114: until then a declared error is an ordinary answer, and any other failure a bare 500", async () => {
    const url = await serve(
      stream(
        "GET",
        "/fails/{how}",
        {
          event: z.int(),
          path: { how: z.enum(["throws", "returns", "late", "undeclared", "bug"]) },
          errors: [NotFound],
        },
        async ({ params }, { send }) => {
          if (params.path.how === "returns") return NotFound.withDetails({ resource: "room" });
          if (params.path.how === "undeclared") throw Conflict;
          if (params.path.how === "bug") throw new Error("secret");
          if (params.path.how === "throws") throw NotFound;
          await send(1);
          throw NotFound.withMessage("secret");
        },
      ),
    );
    const all = record("/fails/late");
    expect(await ask(`${url}/fails/returns`)).toMatchObject({
      status: 404,
      json: { code: "NOT_FOUND", message: "not found", details: { resource: "room" } },
    });
    expect(await ask(`${url}/fails/throws`)).toMatchObject({ status: 404, json: { code: "NOT_FOUND" } });
    for (const how of ["undeclared", "bug"]) {
      const answer = await ask(`${url}/fails/${how}`);
      expect(answer.status).toBe(500);
      expect(answer.text).toBe('{"code":"INTERNAL_SERVER_ERROR","message":"internal server error"}');
      expect(answer.headers.get("content-type")).toBe("application/json; charset=utf-8");
    }
    expect(await ask(`${url}/fails/other`)).toMatchObject({ status: 422 });
    // After it, it is an event and the end.
    expect(await ask(`${url}/fails/late`)).toMatchObject({ status: 200, text: "data: 1\n\n" });
    await settle();
    all.stop();
    expect(names(all.seen)).toEqual([
      "http.stream.executing",
      "http.stream.started",
      "http.stream.error",
      "http.request.completed",
    ]);
    expect(all.seen[2]?.[1]).toMatchObject({ code: "NOT_FOUND", message: "secret" });
  });

  test("may be the handler's own answer: a 204 that keeps clients away, a redirect", async () => {
    const url = await serve(
      stream("GET", "/gone", { event: z.int() }, async ({ response }, { send }) => {
        response.status(204).end();
        expect(await send(1)).toBe(false);
      }),
      stream("GET", "/moved", { event: z.int() }, ({ response }) => {
        response.redirect(307, "/elsewhere");
      }),
    );
    expect(await ask(`${url}/gone`)).toMatchObject({ status: 204, text: "" });
    expect((await ask(`${url}/moved`)).headers.get("location")).toBe("/elsewhere");
  });

  test("of HEAD is all of it: the same headers, and nothing runs", async () => {
    let ran = 0;
    const url = await serve(
      stream("GET", "/x/{id}", { event: z.int(), path: { id: z.int() } }, (_call, { send }) => {
        ran++;
        return send(1);
      }),
    );
    const head = await ask(`${url}/x/1`, { method: "HEAD" });
    expect([head.status, head.text, ran]).toEqual([200, "", 0]);
    const get = await ask(`${url}/x/1`);
    // Node's client ends the connection of a HEAD by itself.
    const own = ["date", "connection", "keep-alive"];
    const without = ({ headers }: { headers: Headers }) =>
      [...headers].filter(([name]) => !own.includes(name));
    expect(without(head)).toEqual(without(get));
    expect((await ask(`${url}/x/y`, { method: "HEAD" })).status).toBe(422);
  });

  test("comes after all that guards a handler, and POST brings a body along", async () => {
    const url = await serve(
      stream(
        "POST",
        "/chat",
        { body: z.object({ text: z.string().max(10) }), events: { word: z.string() } },
        async ({ body }, { sendEvent }) => {
          for (const word of body.text.split(" ")) await sendEvent("word", word);
        },
      ),
    );
    expect((await ask(`${url}/chat`, jsonBody("POST", { text: "a b" }))).text).toBe(
      'event: word\ndata: "a"\n\nevent: word\ndata: "b"\n\n',
    );
    expect(await ask(`${url}/chat`, jsonBody("POST", { text: 1 }))).toMatchObject({
      status: 422,
      json: { code: "VALIDATION_FAILED" },
    });
    expect((await ask(`${url}/chat`)).status).toBe(405);
    expect((await ask(`${url}/chat`, { method: "POST", body: "text" })).status).toBe(415);
  });
});

describe("while a stream lives", () => {
  test("a comment keeps it alive when nothing else does", async () => {
    const url = await serve(
      stream("GET", "/idle", { event: z.int(), heartbeatMs: 30 }, () => wait(600)),
      stream("GET", "/busy", { event: z.int(), heartbeatMs: 120 }, async (_call, { send }) => {
        for (let i = 0; i < 20; i++) {
          await send(i);
          await wait(10);
        }
      }),
      stream("GET", "/none", { event: z.int(), heartbeatMs: 0 }, () => wait(100)),
    );
    const idle = interpret((await ask(`${url}/idle`)).text);
    expect(idle.events).toEqual([]);
    expect(idle.comments.length).toBeGreaterThanOrEqual(3);
    expect(idle.comments[0]).toBe(" heartbeat");
    // Where a machine that is busy stops the process for long, a heartbeat is right.
    await expectBelow(1, async () => interpret((await ask(`${url}/busy`)).text).comments.length);
    expect((await ask(`${url}/none`)).text).toBe("");
  });

  test("row 113: its signal aborts within 50 ms after the client has gone, and sends are over", async () => {
    const leave = async () => {
      const { seen, stop } = record("/leave");
      let left = 0;
      let done: (() => void) | undefined;
      const finished = new Promise<void>((resolve) => {
        done = resolve;
      });
      const results: boolean[] = [];
      const url = await serve(
        stream("GET", "/leave", { event: z.int() }, async (_call, { send, sendComment, open, signal }) => {
          await send(1);
          signal.addEventListener("abort", () => {
            left = performance.now();
          });
          await new Promise((resolve) => signal.addEventListener("abort", resolve));
          results.push(await send(2), await sendComment("x"), await open());
          done?.();
          // How most functions stop when their signal tells them to.
          await wait(1_000, undefined, { signal });
        }),
      );
      const client = new AbortController();
      const response = await fetch(`${url}/leave`, { signal: client.signal });
      await response.body?.getReader().read();
      const started = performance.now();
      client.abort();
      await finished;
      expect(results).toEqual([false, false, false]);
      await expect.poll(() => names(seen)).toContain("http.request.completed");
      await settle();
      stop();
      expect(names(seen)).toEqual([
        "http.stream.executing",
        "http.stream.started",
        "http.stream.client.disconnected",
        "http.request.completed",
      ]);
      return idleClock(left - started);
    };
    await expectBelow(50, leave, { attempts: 20 });
  });

  test("a loop that does not listen to the end stops no other request", async () => {
    // They take longer than any answer.
    const MOST = 20_000_000;
    let sends = 0;
    const url = await serve(
      stream("GET", "/loop", { event: z.int() }, async (_call, { send }) => {
        for (; sends < MOST; sends++) await send(sends);
      }),
      GET("/x", () => 1),
    );
    const client = new AbortController();
    await fetch(`${url}/loop`, { signal: client.signal });
    client.abort();
    await wait(20);
    const before = sends;
    await expectSoon(500, async () => expect((await ask(`${url}/x`)).json).toBe(1));
    expect(sends).toBeGreaterThan(before);
    expect(sends).toBeLessThan(MOST);
    sends = MOST;
  });

  test("the id that a client has seen last is available, in any script", async () => {
    const url = await serve(
      stream("GET", "/x", { event: z.string().nullable() }, (_call, { send, lastEventId }) =>
        send(lastEventId ?? null),
      ),
    );
    const asked = async (id?: string) => {
      const headers: Record<string, string> = id === undefined ? {} : { "last-event-id": id };
      return JSON.parse(interpret((await ask(`${url}/x`, { headers })).text).events[0]?.data ?? "");
    };
    expect(await asked()).toBe(null);
    expect(await asked("")).toBe(null);
    expect(await asked("42")).toBe("42");
    expect(await asked(Buffer.from("é😀", "utf8").toString("latin1"))).toBe("é😀");
    // Bytes that are not UTF-8 are letters of Latin-1.
    expect(await asked("\u00e9!")).toBe("\u00e9!");
  });
});

describe("a stream that cannot work is refused when it is declared", () => {
  const make = (options: object, run: unknown = () => {}) =>
    Reflect.apply(stream, undefined, ["GET", "/x", options, run]) as unknown;

  test.each([
    ["no event", {}, "a stream declares either its event or its events"],
    ["both", { event: z.int(), events: { a: z.int() } }, "a stream declares either its event or its events"],
    ["no schema", { event: 1 }, 'event "message" is not a Zod schema'],
    ["no named event", { events: {} }, "events has no event"],
    ["a schema for events", { events: z.object({}) }, "events are Zod schemas by name"],
    ["an empty name", { events: { "": z.int() } }, "is empty or has more than one line"],
    ["a name of two lines", { events: { "a\rb": z.int() } }, "is empty or has more than one line"],
    ["an output", { event: z.int(), output: z.int() }, 'unknown option "output"'],
    ["a status", { event: z.int(), status: 201 }, 'unknown option "status"'],
    ["a negative heartbeat", { event: z.int(), heartbeatMs: -1 }, "heartbeatMs"],
    ["a heartbeat beyond all timers", { event: z.int(), heartbeatMs: 2 ** 31 }, "heartbeatMs"],
    ["a stall limit of 0", { event: z.int(), stallMs: 0 }, "stallMs"],
    ["headers that depend", { event: z.int(), responseHeaders: () => ({}) }, "responseHeaders are a record"],
    ["a header of two lines", { event: z.int(), responseHeaders: { a: "b\nc" } }, "cannot be sent"],
    [
      "a one-way event to be judged",
      { event: z.string().transform(Number), outputValidation: true },
      "one-way transform",
    ],
  ])("%s", (_name, options, message) => {
    expect(() => make(options)).toThrow(DeclarationError);
    expect(() => make(options)).toThrow(message);
  });

  test("a handler that declares events, and a stream without its function", () => {
    expect(() => Reflect.apply(GET, undefined, ["/x", { event: z.int() }, () => 1])).toThrow(
      'option "event"',
    );
    expect(() => make({ event: z.int() }, null)).toThrow("the last argument of a handler is its function");
  });
});
