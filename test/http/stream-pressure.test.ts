/** Clients that stand still, fall behind and go away, many of them, counted in the server's own process. */
import { connect, type Socket } from "node:net";
import { setTimeout as wait } from "node:timers/promises";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { z } from "zod";
import { createEngine, GET, on, stream } from "../../src/http/index.js";
import { expectStandstill, settle } from "../standstill.js";
import { interpret } from "./event-stream-rules.js";
import { gate } from "./gate.js";
import { ask, listening, serve } from "./serve.js";

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
    await expect.poll(() => sent).toBeGreaterThan(0);
    // What the sockets of both sides take, and no more.
    expect(await expectStandstill(() => sent)).toBeLessThan(1_500);
    const { events } = interpret(bodyOf(await client.read()));
    expect(events.map(({ data }) => Number.parseInt(data.slice(1), 10))).toEqual([...Array(2_000).keys()]);
  });

  test("gets a burst of sends that were not awaited, in order", async () => {
    const url = await serve(
      stream("GET", "/x", { event: z.int() }, (_call, { send }) => {
        for (let n = 0; n < 100_000; n++) void send(n);
      }),
    );
    const { events } = interpret((await ask(`${url}/x`)).text);
    expect(events).toHaveLength(100_000);
    expect(events.every(({ data }, n) => data === String(n))).toBe(true);
  });

  test("settles each send once: all that wait for room settle together, also at the end", async () => {
    const results: boolean[] = [];
    const full = gate();
    let left: (() => void) | undefined;
    const done = new Promise<void>((resolve) => {
      left = resolve;
    });
    const url = await serve(
      stream("GET", "/x", { event: z.string() }, async (_call, { send }) => {
        while (await Promise.race([send("x".repeat(100_000)), wait(200, null)]));
        full.open();
        const waiting = [send("a"), send("b"), send("c")];
        results.push(...(await Promise.all(waiting)));
        left?.();
      }),
    );
    const { socket } = slow(url, "/x");
    await full.opened;
    await settle();
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
      stream("GET", path, { event: z.string(), stallMs: 1_500 }, async (_call, { send }) => {
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
    await vi.waitFor(() => expect(failed).toEqual(["/still"]), { timeout: 60_000 });
    expect(errors).toEqual(["/still the client took nothing for 1500 ms"]);
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
    const api = createEngine({ timeouts: { headersMs: 1_500, requestMs: 1_500 } }).withHandlers(
      GET("/big", ({ response }) => {
        response.end(big);
      }),
      GET("/thinks", () => wait(2_000).then(() => "done")),
    );
    const url = await listening(api);
    const clients = Array.from({ length: 200 }, () => slow(url, "/big").socket);
    const closed = Promise.all(
      clients.map((socket) => new Promise<void>((resolve) => socket.on("close", () => resolve()))),
    );
    const thinks = ask(`${url}/thinks`);
    const failed: string[] = [];
    const off = on("http.request.failed", ({ path }) => void failed.push(path));
    onTestFinished(() => void off());
    await vi.waitFor(() => expect(failed).toHaveLength(200), { timeout: 60_000 });
    expect(failed.every((path) => path === "/big")).toBe(true);
    off();
    // What the system has taken for the client is still there; the end comes after it.
    for (const socket of clients) socket.resume();
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
      await wait(turn % 2 === 0 ? 50 : 1);
    }
    expect(bytes).toBeGreaterThan(20_000_000);
  });
});
