/** Clients that stand still, fall behind and go away, many of them, counted in the server's own process. */
import { type ChildProcess, fork } from "node:child_process";
import { connect, type Socket } from "node:net";
import { setTimeout as wait } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { z } from "zod";
import { createEngine, GET, on, stream } from "../../src/http/index.js";
import { interpret } from "./event-stream-rules.js";
import { ask, listening, serve } from "./serve.js";
import type { Held } from "./stream-process.js";

const MiB = 1024 * 1024;
const file = fileURLToPath(new URL("stream-process.ts", import.meta.url));

describe("in a process of its own", () => {
  let child: ChildProcess;
  let port: number;
  beforeEach(async () => {
    child = fork(file, [], { execArgv: ["--import", "tsx", "--expose-gc"] });
    port = await new Promise<number>((resolve, reject) => {
      child.once("message", (message: number) => resolve(message));
      child.once("exit", () => reject(new Error("the server ended")));
    });
    // What is compiled and cached with the first streams is not what they hold.
    for (const path of ["/flood", "/careless/10", "/idle"]) {
      const clients = await connected(path, 5);
      await wait(100);
      leave(clients);
    }
    await wait(200);
  });
  afterEach(() => {
    child.kill("SIGKILL");
  });

  const held = () =>
    new Promise<Held>((resolve) => {
      child.once("message", (message: Held) => resolve(message));
      child.send("report");
    });

  /** Clients that have their headers and read nothing more. */
  async function connected(path: string, count: number): Promise<Socket[]> {
    const clients: Socket[] = [];
    // Not more at once than a listening socket lets wait.
    for (let left = count; left > 0; left -= 100) {
      const more = Array.from({ length: Math.min(left, 100) }, () => client(path));
      clients.push(...(await Promise.all(more)));
    }
    return clients;
  }

  function client(path: string): Promise<Socket> {
    return new Promise((resolve, reject) => {
      const socket = connect(port, "127.0.0.1", () =>
        socket.write(`GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`),
      );
      socket.on("error", reject);
      socket.once("readable", () => {
        socket.read(1);
        socket.on("error", () => {});
        resolve(socket);
      });
    });
  }

  const leave = (clients: readonly Socket[]) => {
    for (const [i, socket] of clients.entries()) {
      if (i % 2 === 0) socket.destroy();
      else socket.resetAndDestroy();
    }
  };

  /** Waits until the server holds nothing of its clients any more. */
  async function settled(before: Held): Promise<Held> {
    for (let tries = 0; ; tries++) {
      const now = await held();
      const isOver = now.sockets <= before.sockets && now.timers <= before.timers;
      if (isOver && now.returned === now.executing) return now;
      if (tries === 100) return now;
      await wait(50);
    }
  }

  test.each([
    ["/flood", [1_000, 300]],
    ["/idle", [1_000, 1_000, 1_000]],
  ])(
    "row 113: a thousand clients of %s come, stall and leave, and others after them, and nothing is left",
    async (path, rounds) => {
      const before = await held();
      let first: Held | undefined;
      let all = 0;
      for (const count of rounds) {
        all += count;
        const clients = await connected(path, count);
        await wait(300);
        const during = await held();
        expect(during.sockets - before.sockets).toBe(count);
        // A buffer or two for each, however fast their senders would be.
        expect((during.bytes - before.bytes) / count).toBeLessThan(256 * 1024);
        leave(clients);
        const after = await settled(before);
        expect(after).toMatchObject({
          sockets: before.sockets,
          listeners: before.listeners,
          warnings: 0,
        });
        expect(after.timers).toBeLessThanOrEqual(before.timers);
        expect(after.returned - before.returned).toBe(all);
        expect(after.ended - before.ended).toBe(all);
        first ??= after;
        // Beside what the first thousand made the process keep for good: nothing grows.
        expect(after.bytes - first.bytes).toBeLessThan(2 * MiB);
      }
    },
    120_000,
  );

  test.each([10, 1_000, 100_000])(
    "row 113: a client that never reads costs at most 2 MiB, though events of %i bytes are sent without waiting",
    async (bytes) => {
      const before = await held();
      const clients = await connected(`/careless/${bytes}`, 10);
      let worst = 0;
      // Until all have been cut: they are too far behind.
      for (let cut = 0; cut < 10; ) {
        const now = await held();
        worst = Math.max(worst, now.bytes - before.bytes);
        cut = now.ended - before.ended;
        await wait(100);
      }
      expect(worst / 10).toBeLessThan(2 * MiB);
      leave(clients);
      const after = await settled(before);
      expect(after).toMatchObject({ sockets: before.sockets, listeners: before.listeners });
      expect(after.timers).toBeLessThanOrEqual(before.timers);
    },
    120_000,
  );

  test("a process that was streamed to by hundreds ends when it is told to", async () => {
    const clients = [...(await connected("/flood", 100)), ...(await connected("/idle", 200))];
    const ended = new Promise((resolve) => child.once("exit", resolve));
    const started = performance.now();
    child.send("end");
    expect(await ended).toBe(0);
    expect(performance.now() - started).toBeLessThan(5_000);
    leave(clients);
  });
});

/** A client that reads nothing until it is told to. */
function slow(url: string, path: string): { readonly socket: Socket; read(): Promise<string> } {
  const socket = connect(Number(new URL(url).port), "127.0.0.1", () =>
    socket.write(`GET ${path} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`),
  );
  socket.on("error", () => {});
  return {
    socket,
    read: () =>
      new Promise((resolve) => {
        let text = "";
        socket.on("data", (chunk) => {
          text += chunk.toString("latin1");
        });
        socket.on("close", () => resolve(text));
      }),
  };
}

/** The body of a chunked answer. */
function bodyOf(answer: string): string {
  let rest = answer.slice(answer.indexOf("\r\n\r\n") + 4);
  let body = "";
  for (;;) {
    const size = Number.parseInt(rest, 16);
    const start = rest.indexOf("\r\n") + 2;
    if (!(size > 0)) return body;
    body += rest.slice(start, start + size);
    rest = rest.slice(start + size + 2);
  }
}

describe("a client that falls behind", () => {
  test("holds its sender back, and gets everything when it reads again", async () => {
    let sent = 0;
    const text = "x".repeat(10_000);
    const url = await serve(
      stream("GET", "/x", { event: z.string() }, async (_call, { send }) => {
        while (sent < 2_000 && (await send(`${sent}${text}`))) sent++;
      }),
    );
    const client = slow(url, "/x");
    await wait(300);
    const held = sent;
    // What the sockets of both sides take, and no more.
    expect(held).toBeGreaterThan(0);
    expect(held).toBeLessThan(1_500);
    await wait(200);
    expect(sent).toBe(held);
    const { events } = interpret(bodyOf(await client.read()));
    expect(events.map(({ data }) => Number.parseInt(data.slice(1), 10))).toEqual([...Array(2_000).keys()]);
  });

  test("gets a burst that nobody waited for, in order", async () => {
    const url = await serve(
      stream("GET", "/x", { event: z.int() }, (_call, { send }) => {
        for (let n = 0; n < 100_000; n++) void send(n);
      }),
    );
    const { events } = interpret((await ask(`${url}/x`)).text);
    expect(events).toHaveLength(100_000);
    expect(events.every(({ data }, n) => data === String(n))).toBe(true);
  });

  test("is told nothing twice: all who wait for room are told at once, and of the end too", async () => {
    const results: boolean[] = [];
    let left: (() => void) | undefined;
    const done = new Promise<void>((resolve) => {
      left = resolve;
    });
    const url = await serve(
      stream("GET", "/x", { event: z.string() }, async (_call, { send }) => {
        while (await Promise.race([send("x".repeat(100_000)), wait(200, null)]));
        const waiting = [send("a"), send("b"), send("c")];
        results.push(...(await Promise.all(waiting)));
        left?.();
      }),
    );
    const { socket } = slow(url, "/x");
    await wait(600);
    socket.destroy();
    await done;
    expect(results).toEqual([false, false, false]);
  });

  test("and takes nothing is cut after `stallMs`; one that reads slowly is not", async () => {
    const errors: string[] = [];
    const failed: string[] = [];
    const offs = [
      on("http.stream.error", ({ path, error }) => void errors.push(`${path} ${error.message}`)),
      on("http.request.failed", ({ path }) => void failed.push(path)),
    ];
    const handler = (path: "/still" | "/slow") =>
      stream("GET", path, { event: z.string(), stallMs: 400 }, async (_call, { send }) => {
        for (let n = 0; n < 1_000 && (await send("x".repeat(10_000))); n++);
      });
    const url = await serve(handler("/still"), handler("/slow"));
    const still = slow(url, "/still");
    const slowly = slow(url, "/slow");
    let bytes = 0;
    const reading = (async () => {
      for (;;) {
        await wait(50);
        const chunk: Buffer | null = slowly.socket.read(300_000) ?? slowly.socket.read();
        bytes += chunk?.length ?? 0;
        if (slowly.socket.readableEnded || slowly.socket.closed) return;
      }
    })();
    await wait(1_500);
    expect(errors).toEqual(["/still the client took nothing for 400 ms"]);
    expect(failed).toEqual(["/still"]);
    still.socket.destroy();
    await reading;
    expect(bytes).toBeGreaterThan(10_000_000);
    expect(errors).toHaveLength(1);
    for (const off of offs) off();
  });

  test("is cut by no timeout of the server", async () => {
    const api = createEngine({ timeouts: { headersMs: 100, requestMs: 200, keepAliveMs: 100 } }).withHandlers(
      stream("GET", "/quiet", { event: z.int(), heartbeatMs: 0 }, async (_call, { send }) => {
        await send(1);
        await wait(2_500);
        await send(2);
      }),
      stream("GET", "/full", { event: z.string() }, async (_call, { send }) => {
        for (let n = 0; n < 1_000; n++) await send("x".repeat(10_000));
      }),
    );
    const url = await listening(api);
    const full = slow(url, "/full");
    expect(interpret((await ask(`${url}/quiet`)).text).events).toHaveLength(2);
    expect(interpret(bodyOf(await full.read())).events).toHaveLength(1_000);
  });
});

/** One for all, so that it is the sockets that are tested and not the memory. */
const big = Buffer.alloc(20_000_000, "x");

describe("row 81: a client that does not take its answer", () => {
  test("is cut after `requestMs`, also two hundred of them; one that reads slowly, or whose handler thinks, is not", async () => {
    const api = createEngine({ timeouts: { headersMs: 300, requestMs: 500 } }).withHandlers(
      GET("/big", ({ response }) => {
        response.end(big);
      }),
      GET("/thinks", () => wait(1_500).then(() => "done")),
    );
    const url = await listening(api);
    const clients = Array.from({ length: 200 }, () => slow(url, "/big").socket);
    const closed = Promise.all(
      clients.map(
        (socket) =>
          new Promise<void>((resolve) => {
            // What the system has taken for the client is still there; the end comes after it.
            setTimeout(() => socket.resume(), 6_000);
            socket.on("close", () => resolve());
          }),
      ),
    );
    const thinks = ask(`${url}/thinks`);
    const failed: string[] = [];
    const off = on("http.request.failed", ({ path }) => void failed.push(path));
    const started = performance.now();
    while (failed.length < 200 && performance.now() - started < 5_500) await wait(50);
    expect(failed).toHaveLength(200);
    expect(failed.every((path) => path === "/big")).toBe(true);
    off();
    expect((await thinks).json).toBe("done");
    await closed;
    expect(clients.every(({ bytesRead }) => bytesRead < 20_000_000)).toBe(true);

    const slowly = slow(url, "/big");
    let bytes = 0;
    slowly.socket.on("data", (chunk) => {
      bytes += chunk.length;
    });
    for (let turn = 0; !slowly.socket.closed; turn++) {
      if (turn % 2 === 0) slowly.socket.pause();
      else slowly.socket.resume();
      await wait(turn % 2 === 0 ? 150 : 1);
    }
    expect(bytes).toBeGreaterThan(20_000_000);
  });
});
