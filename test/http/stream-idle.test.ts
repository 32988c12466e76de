/** Streams that have nothing to say for longer than a client may stand still, and senders that do not wait for theirs. */
import { connect } from "node:net";
import { setImmediate, setTimeout as wait } from "node:timers/promises";
import { describe, expect, onTestFinished, test } from "vitest";
import { z } from "zod";
import { on, stream } from "../../src/http/index.js";
import { interpret } from "./event-stream-rules.js";
import { ask, serve } from "./serve.js";

const stallMs = 200;

/** What went wrong with streams from here on, and how their requests ended. */
function told() {
  const errors: string[] = [];
  const failed: string[] = [];
  const offs = [
    on("http.stream.error", ({ error }) => void errors.push(error.message)),
    on("http.request.failed", ({ path }) => void failed.push(path)),
  ];
  onTestFinished(() => {
    for (const off of offs) off();
  });
  return { errors, failed };
}

/** A client that reads nothing. */
function deaf(url: string, path: string): void {
  const socket = connect(Number(new URL(url).port), "127.0.0.1", () =>
    socket.write(`GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`),
  );
  socket.on("error", () => {});
  onTestFinished(() => void socket.destroy());
}

describe.each([
  ["without a heartbeat", 0],
  ["with a heartbeat that comes sooner", 60],
  ["with a heartbeat that comes later", 900],
])("a stream that is idle for longer than `stallMs`, %s", (_name, heartbeatMs) => {
  test("goes on: a client that has taken everything does not stand still", async () => {
    const { errors, failed } = told();
    const url = await serve(
      stream("GET", "/x", { event: z.int(), stallMs, heartbeatMs }, async (_call, { send }) => {
        for (let n = 0; n < 3; n++) {
          await send(n);
          await wait(3 * stallMs);
        }
      }),
    );
    const { events } = interpret((await ask(`${url}/x`)).text);
    expect(events.map(({ data }) => data)).toEqual(["0", "1", "2"]);
    expect([errors, failed]).toEqual([[], []]);
  });

  test("is cut all the same when its client stands still afterwards", async () => {
    const { errors, failed } = told();
    let sent = 0;
    const url = await serve(
      stream("GET", "/x", { event: z.string(), stallMs, heartbeatMs }, async (_call, { send }) => {
        await send("first");
        await wait(3 * stallMs);
        while (await send("x".repeat(100_000))) sent++;
      }),
    );
    deaf(url, "/x");
    await expect.poll(() => failed).toEqual(["/x"]);
    expect(errors).toEqual([`the client took nothing for ${stallMs} ms`]);
    expect(sent).toBeGreaterThan(0);
  });
});

test("a sender that does not wait is cut when its client is a mebibyte behind, and is told so", async () => {
  const { errors, failed } = told();
  const text = "x".repeat(10_000);
  let sent = 0;
  let over: boolean | undefined;
  const url = await serve(
    stream(
      "GET",
      "/x",
      { event: z.string(), stallMs: 60_000, heartbeatMs: 0 },
      async (_call, { send, signal }) => {
        let last: Promise<boolean> | undefined;
        for (; !signal.aborted; sent++) {
          last = send(text);
          await setImmediate();
        }
        over = await last;
        // Nothing is kept of what comes after the end.
        expect(await send(text)).toBe(false);
      },
    ),
  );
  deaf(url, "/x");
  await expect.poll(() => failed).toEqual(["/x"]);
  expect(errors).toEqual(["the client is more than 1048576 bytes behind"]);
  await expect.poll(() => over).toBe(false);
  // What the sockets of both sides take, a mebibyte of text in memory, and no more.
  expect(sent * text.length).toBeGreaterThan(500_000);
  expect(sent).toBeLessThan(3_000);
});

test("no heartbeat comes on top of what a client has not taken", async () => {
  let lengths: readonly number[] = [];
  const url = await serve(
    stream(
      "GET",
      "/x",
      { event: z.string(), stallMs: 60_000, heartbeatMs: 5 },
      async ({ response }, { send }) => {
        const text = "x".repeat(100_000);
        while ((await Promise.race([send(text), wait(200)])) === true);
        const before = response.writableLength;
        await wait(100);
        lengths = [before, response.writableLength];
      },
    ),
  );
  deaf(url, "/x");
  await expect.poll(() => lengths).toHaveLength(2);
  const [before = 0, after] = lengths;
  expect(before).toBeGreaterThan(0);
  expect(after).toBe(before);
});
