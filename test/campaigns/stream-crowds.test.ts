/** Crowds of clients that come, stand still and go away, counted in the server's own process. */
import { type ChildProcess, fork } from "node:child_process";
import { connect, type Socket } from "node:net";
import { setTimeout as wait } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { Held } from "../http/stream-process.js";
import { patience, rounds } from "../rounds.js";
import { expectBelow, HANG_MS } from "../stopwatch.js";

const CROWD = rounds({ small: 400, full: 1_000 });
const PATIENCE_MS = patience(120_000, 300, CROWD);
const MiB = 1024 * 1024;
const file = fileURLToPath(new URL("../http/stream-process.ts", import.meta.url));

describe("in a separate process", () => {
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
      if (tries === 600) return now;
      await wait(50);
    }
  }

  test.each([
    ["/flood", [CROWD, 300]],
    ["/idle", [CROWD, CROWD, CROWD]],
  ])(
    "row 113: many clients of %s connect, stall and leave, twice, without a leak",
    async (path, counts) => {
      const before = await held();
      let first: Held | undefined;
      let all = 0;
      for (const count of counts) {
        all += count;
        const clients = await connected(path, count);
        await wait(300);
        const during = await held();
        expect(during.sockets - before.sockets).toBe(count);
        // A buffer or two for each, however fast their senders would be.
        await expectBelow(256 * 1024, async () => ((await held()).bytes - before.bytes) / count);
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
        const { bytes } = first;
        // Beside what the first of them made the process keep for good: nothing grows.
        await expectBelow(2 * MiB, async () => (await held()).bytes - bytes);
      }
    },
    PATIENCE_MS,
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
    PATIENCE_MS,
  );

  test("a process that streamed to hundreds of clients ends on request", async () => {
    const clients = [...(await connected("/flood", 100)), ...(await connected("/idle", 200))];
    const ended = new Promise((resolve) => child.once("exit", resolve));
    const started = performance.now();
    child.send("end");
    expect(await ended).toBe(0);
    expect(performance.now() - started).toBeLessThan(HANG_MS);
    leave(clients);
  });
});
