/** The end of an engine with requests and streams in flight, and what a load balancer is told of it. */
import { connect } from "node:net";
import { setTimeout as wait } from "node:timers/promises";
import express from "express";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { createEngine, DeclarationError, GET, HostLoopback, on, stream } from "../../src/http/index.js";
import { HANG_MS } from "../stopwatch.js";
import { interpret } from "./event-stream-rules.js";
import { gate } from "./gate.js";
import { raw } from "./raw.js";
import { ask, listening } from "./serve.js";

const until = (signal: AbortSignal) =>
  new Promise<void>((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener("abort", () => resolve());
  });

/** Longer than the tests: only the shutdown ends what is idle. */
const timeouts = { headersMs: 600_000, requestMs: 600_000, keepAliveMs: 600_000 };

describe("row 89: shutdown", () => {
  test("ends an idle connection and a stream at once, waits for the request, and is over with it", async () => {
    const [asked, begun, answered] = [gate(), gate(), gate()];
    const api = createEngine({ timeouts }).withHandlers(
      GET("/slow", async () => {
        asked.open();
        await answered.opened;
        return "done";
      }),
      stream("GET", "/events", { event: z.int() }, async (_call, { send, signal }) => {
        for (let n = 0; !signal.aborted; n++) {
          await send(n);
          begun.open();
          await wait(50);
        }
      }),
    );
    const { url, port } = await api.start(HostLoopback, 0);
    const silent = raw(port, "", { endAfterMs: 60_000 });
    await ask(`${url}/openapi`);
    const events = ask(`${url}/events`);
    const slow = ask(`${url}/slow`);
    await Promise.all([asked.opened, begun.opened]);
    let isOver = false;
    let started = performance.now();
    const ended = api.shutdown({ timeoutMs: 60_000 }).then((result) => {
      isOver = true;
      return result;
    });
    // The stream and the idle connections do not wait for the request, which is answered only afterwards.
    const { text } = await events;
    expect(await silent).toBe("");
    expect(performance.now() - started).toBeLessThan(HANG_MS);
    expect(interpret(text).events.length).toBeGreaterThan(0);
    expect(isOver).toBe(false);
    started = performance.now();
    answered.open();
    expect(await slow).toMatchObject({ status: 200, json: "done" });
    expect(await ended).toEqual({ graceful: true });
    expect(performance.now() - started).toBeLessThan(HANG_MS);
  });

  test("ends streams whose functions do not listen, whose clients do not read, and that have not begun", async () => {
    const ends: string[] = [];
    const offs = [
      on("http.stream.ended", ({ path }) => void ends.push(`ended ${path}`)),
      on("http.request.completed", ({ path }) => void ends.push(`completed ${path}`)),
    ];
    const [said, met] = [gate(), gate()];
    let sent = 0;
    const api = createEngine({ timeouts }).withHandlers(
      stream("GET", "/deaf", { event: z.int() }, async (_call, { send }) => {
        await send(1);
        said.open();
        await new Promise(() => {});
      }),
      stream("GET", "/full", { event: z.string() }, async (_call, { send }) => {
        for (; await send("x".repeat(100_000)); sent++);
      }),
      stream("GET", "/early", { event: z.int() }, () => {
        met.open();
        return new Promise(() => {});
      }),
    );
    const { url, port } = await api.start(HostLoopback, 0);
    const full = connect(port, "127.0.0.1", () => full.write("GET /full HTTP/1.1\r\nHost: a\r\n\r\n"));
    full.on("error", () => {});
    const deaf = ask(`${url}/deaf`);
    await said.opened;
    // Until the client, which does not read, takes nothing more.
    for (let before = -1; before < sent || sent === 0; await wait(200)) before = sent;
    const early = ask(`${url}/early`);
    await met.opened;
    const started = performance.now();
    expect(await api.shutdown({ timeoutMs: 60_000 })).toEqual({ graceful: true });
    expect(performance.now() - started).toBeLessThan(HANG_MS);
    expect((await deaf).text).toBe("data: 1\n\n");
    // It may come again, elsewhere: an error would keep it away for good.
    expect(await early).toMatchObject({ status: 200, text: "" });
    expect(ends.toSorted()).toEqual(
      ["/deaf", "/full", "/early"].flatMap((path) => [`completed ${path}`, `ended ${path}`]).toSorted(),
    );
    full.destroy();
    for (const off of offs) off();
  });

  // Each with a socket whose buffers are full, on both sides: what was written to it is never read.
  test.each([
    ["and goes on to send", true],
    ["and has stopped to send", false],
  ])("cuts a client that reads nothing and keeps its connection, %s", async (_, goesOn) => {
    let sent = 0;
    const api = createEngine({ timeouts }).withHandlers(
      // Only the end of the engine cuts it.
      stream(
        "GET",
        "/full",
        { event: z.string(), stallMs: Number.POSITIVE_INFINITY },
        async (_call, { send }) => {
          for (; await send("x".repeat(100_000)); sent++);
          if (!goesOn) return;
          for (let more = 0; more < 100; more++) void send("y");
        },
      ),
    );
    const { port } = await api.start(HostLoopback, 0);
    const full = connect(port, "127.0.0.1", () => full.write("GET /full HTTP/1.1\r\nHost: a\r\n\r\n"));
    full.on("error", () => {});
    for (let before = -1; before < sent || sent === 0; await wait(200)) before = sent;
    // The connection has ended before the time is over: it is cut, and its client is not waited for.
    expect(await api.shutdown({ timeoutMs: HANG_MS / 2 })).toEqual({ graceful: true });
    let received = "";
    full.on("data", (chunk) => {
      received += chunk.toString("latin1").slice(-8);
    });
    await new Promise<void>((resolve) => full.once("close", () => resolve()));
    // What it reads afterwards has no end.
    expect(received.endsWith("0\r\n\r\n")).toBe(false);
  });

  test("lets a client read an answer and the last events to their end", async () => {
    const text = "~".repeat(10_000_000);
    const [answering, told] = [gate(), gate()];
    const api = createEngine({ timeouts }).withHandlers(
      GET("/large", () => {
        setImmediate(() => answering.open());
        return text;
      }),
      stream("GET", "/events", { event: z.string() }, async (_call, { send, signal }) => {
        void send(text);
        told.open();
        await until(signal);
      }),
    );
    const { port } = await api.start(HostLoopback, 0);
    const clients = ["/large", "/events"].map((path) => {
      const socket = connect(port, "127.0.0.1", () =>
        socket.write(`GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`),
      );
      const received = new Promise<string>((resolve) => {
        let all = "";
        socket.on("data", (chunk) => {
          all += chunk.toString("latin1");
        });
        socket.on("error", () => {});
        socket.once("close", () => resolve(all));
      });
      socket.pause();
      return { socket, received };
    });
    await Promise.all([answering.opened, told.opened]);
    const ended = api.shutdown({ timeoutMs: HANG_MS });
    await wait(100);
    for (const { socket } of clients) socket.resume();
    for (const { received } of clients)
      expect((await received).replaceAll(/[^~]/g, "").length).toBe(text.length);
    expect(await ended).toEqual({ graceful: true });
  });

  test("asks clients that connect while it drains to connect again elsewhere", async () => {
    const asked = gate();
    const api = createEngine().withHandlers(
      GET("/slow", () => {
        asked.open();
        return wait(400).then(() => "done");
      }),
      stream("GET", "/events", { event: z.int() }, (_call, { signal }) => until(signal)),
    );
    const { port } = await api.start(HostLoopback, 0);
    // One connection, so that it is there when the doors are closed.
    const pipelined = raw(
      port,
      "GET /slow HTTP/1.1\r\nHost: a\r\n\r\nGET /events HTTP/1.1\r\nHost: a\r\n\r\n",
      { endAfterMs: 60_000 },
    );
    await asked.opened;
    await api.shutdown();
    const answers = (await pipelined).split("HTTP/1.1 ");
    expect(answers[1]).toMatch(/^200 OK.*Connection: close.*"done"$/is);
  });

  test("answers what was sent before it, though the engine had not met it yet", async () => {
    for (let round = 0; round < 10; round++) {
      const api = createEngine().withHandlers(GET("/x", () => wait(10).then(() => "done")));
      const { port } = await api.start(HostLoopback, 0);
      const sockets = Array.from({ length: 50 }, () => connect(port, "127.0.0.1"));
      const answers = sockets.map(
        (socket) =>
          new Promise<string>((resolve) => {
            let text = "";
            socket.on("data", (chunk) => {
              text += chunk.toString();
            });
            socket.on("error", () => {});
            socket.on("close", () => resolve(text));
          }),
      );
      await Promise.all(
        sockets.map((socket) => new Promise<void>((resolve) => socket.once("connect", () => resolve()))),
      );
      for (const socket of sockets) socket.write("GET /x HTTP/1.1\r\nHost: a\r\n\r\n");
      expect(await api.shutdown()).toEqual({ graceful: true });
      for (const answer of await Promise.all(answers)) expect(answer).toMatch(/^HTTP\/1.1 200 .*"done"$/s);
    }
  });

  test("of a router ends its streams, and leaves the application's server alone", async () => {
    const begun = gate();
    const api = createEngine().withHandlers(
      stream("GET", "/events", { event: z.int() }, async (_call, { send, signal }) => {
        await send(1);
        begun.open();
        await until(signal);
      }),
    );
    const app = express().use("/api", api.router());
    const server = app.listen(0, "127.0.0.1");
    await new Promise((resolve) => server.once("listening", resolve));
    const address = server.address();
    const port = typeof address === "object" && address !== null ? address.port : 0;
    const events = ask(`http://127.0.0.1:${port}/api/events`);
    await begun.opened;
    expect(await api.shutdown()).toEqual({ graceful: true });
    expect((await events).text).toBe("data: 1\n\n");
    expect(server.listening).toBe(true);
    server.close();
  });

  test("while it starts leaves nothing that listens", async () => {
    const api = createEngine().withHandlers(GET("/x", () => 1));
    const starting = api.start("localhost", 0);
    expect(await api.shutdown()).toEqual({ graceful: true });
    const { url } = await starting;
    await expect(fetch(`${url}/x`)).rejects.toThrow();
    await expect(api.start(HostLoopback, 0)).rejects.toThrow(DeclarationError);
  });

  test("settles once, and a later call can only bring the deadline forward", async () => {
    let completes = 0;
    const off = on("http.engine.shutdown.complete", () => void completes++);
    const asked = gate();
    const api = createEngine().withHandlers(
      GET("/never", () => {
        asked.open();
        return new Promise(() => {});
      }),
    );
    const { url } = await api.start(HostLoopback, 0);
    const never = ask(`${url}/never`).catch(() => "cut");
    await asked.opened;
    const started = performance.now();
    const first = api.shutdown({ timeoutMs: 50_000 });
    const later = api.shutdown({ timeoutMs: 60_000 });
    await wait(100);
    const now = api.shutdown({ timeoutMs: 0 });
    expect(await Promise.all([first, later, now])).toEqual(Array(3).fill({ graceful: false }));
    expect(performance.now() - started).toBeLessThan(HANG_MS);
    expect(await never).toBe("cut");
    expect(await api.shutdown()).toEqual({ graceful: false });
    expect(completes).toBe(1);
    off();
  });
});

describe("readiness", () => {
  test("is true while the engine serves, and false first when it ends, while requests are still taken", async () => {
    const begun = gate();
    const api = createEngine()
      .withBaseUrl("/v1")
      .withReadiness("/ready")
      .withHandlers(
        GET("/x", () => 1),
        stream("GET", "/events", { event: z.int(), heartbeatMs: 50 }, (_call, { signal }) => {
          begun.open();
          return until(signal);
        }),
      );
    expect(api.ready).toBe(false);
    const url = `${await listening(api)}/v1`;
    expect(api.ready).toBe(true);
    const ready = await ask(`${url}/ready`);
    expect(ready).toMatchObject({ status: 200, json: { ready: true } });
    expect(ready.headers.get("cache-control")).toBe("no-store");
    expect(Object.keys(api.openapi().paths ?? {})).toEqual(["/x", "/events"]);

    const events = ask(`${url}/events`);
    await begun.opened;
    const started = performance.now();
    const ended = api.shutdown({ drainMs: 2_000, timeoutMs: 60_000 });
    expect(api.ready).toBe(false);
    expect(await ask(`${url}/ready`)).toMatchObject({
      status: 503,
      json: { code: "SERVICE_UNAVAILABLE", details: { reason: "shutting down" } },
    });
    // The load balancer has not noticed yet.
    expect((await ask(`${url}/x`)).json).toBe(1);
    expect(await ended).toEqual({ graceful: true });
    // A timer may be a millisecond early.
    expect(performance.now() - started).toBeGreaterThan(1_990);
    expect((await events).status).toBe(200);
    await expect(fetch(`${url}/x`)).rejects.toThrow();
  });

  test("asks the application too, and a check that fails in any way is a no", async () => {
    let check: () => unknown = () => true;
    const api = createEngine().withReadiness("/ready", async () => (await check()) as boolean);
    const url = await listening(api);
    const status = async (now: typeof check) => {
      check = now;
      return (await ask(`${url}/ready`)).status;
    };
    expect(await status(() => true)).toBe(200);
    expect(await status(() => false)).toBe(503);
    expect(await status(() => Promise.reject(new Error("no database")))).toBe(503);
    expect(
      await status(() => {
        throw new Error("no database");
      }),
    ).toBe(503);
    expect((await ask(`${url}/ready`)).text).not.toContain("database");
    expect(await status(async () => true)).toBe(200);
    // A check that only throws, as `db.ping` does.
    expect(await status(async () => undefined)).toBe(200);
    expect(await status(() => null)).toBe(503);
  });

  test("is asked for at a path of its own, before the engine is in use", async () => {
    const taken = () =>
      createEngine()
        .withHandlers(GET("/ready", () => 1))
        .withReadiness("/ready");
    expect(taken).toThrow(DeclarationError);
    const api = createEngine().withHandlers(GET("/x", () => 1));
    api.router();
    expect(api.ready).toBe(true);
    expect(() => api.withReadiness("/ready")).toThrow(DeclarationError);
    await api.shutdown();
    expect(api.ready).toBe(false);
  });

  test("a drain ends with the deadline", async () => {
    const api = createEngine().withHandlers(GET("/x", () => 1));
    await api.start(HostLoopback, 0);
    const started = performance.now();
    const ended = api.shutdown({ drainMs: 60_000 });
    await wait(50);
    api.shutdown({ timeoutMs: 0 });
    await ended;
    expect(performance.now() - started).toBeLessThan(HANG_MS);
  });
});
