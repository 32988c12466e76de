/** Clients that are slow, silent or large: what they hold is given back in time, and nobody waits for them. */
import { connect } from "node:net";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { createEngine, GET, POST } from "../../src/http/index.js";
import { expectBelow, expectSoon, HANG_MS, idleCost } from "../stopwatch.js";
import { raw } from "./raw.js";
import { ask, listening, send } from "./serve.js";

describe("slow clients", () => {
  test("row 81: are cut by the configured timeouts", async () => {
    const api = createEngine({ timeouts: { headersMs: 300, requestMs: 600, keepAliveMs: 200 } }).withHandlers(
      POST("/x", { body: z.unknown() }, () => 1),
    );
    const url = await listening(api);
    const port = Number(new URL(url).port);
    const head = "POST /x HTTP/1.1\r\nHost: a\r\n";
    const more = `${head}Content-Type: application/json\r\nContent-Length: 9\r\n\r\n{`;
    // The defaults are 10 s and 30 s.
    await expectSoon(5_000, async () => {
      const [headers, body] = await Promise.all([
        raw(port, head, { endAfterMs: HANG_MS }),
        raw(port, more, { endAfterMs: HANG_MS }),
      ]);
      expect(headers).toContain("HTTP/1.1 408");
      expect(body === "" || body.includes("408")).toBe(true);
    });
  });

  test("row 81: that send nothing, or headers without an end, are cut, two hundred of them", async () => {
    const timeouts = { headersMs: 300, requestMs: 600, keepAliveMs: 200 };
    const url = await listening(createEngine({ timeouts }).withHandlers(GET("/x", () => 1)));
    const port = Number(new URL(url).port);
    const texts = ["", "G", "GET /x HTTP/1.1\r\nHost: a\r\n", "GET /x HTTP/1.1\r\nHost: a\r\nX: "];
    const stay = (i: number) => {
      const socket = connect(port, "127.0.0.1", () => socket.write(texts[i % texts.length] ?? ""));
      // One byte now and then keeps nothing alive.
      const drip = setInterval(() => {
        if (i % texts.length > 1) socket.write("a");
      }, 50);
      socket.on("error", () => {}).resume();
      return new Promise<void>((resolve) => {
        socket.on("close", () => {
          clearInterval(drip);
          resolve();
        });
      });
    };
    // The default for headers is 10 s.
    await expectSoon(5_000, async () => {
      const cut = Array.from({ length: 200 }, (_, i) => stay(i));
      // The others are answered meanwhile.
      expect((await ask(`${url}/x`)).json).toBe(1);
      await Promise.all(cut);
    });
  });

  test("row 81: that keep a connection after their answer are cut, and may ask again before", async () => {
    const timeouts = { keepAliveMs: 1_000 };
    const url = await listening(createEngine({ timeouts }).withHandlers(GET("/x", () => 1)));
    const get = "GET /x HTTP/1.1\r\nHost: a\r\n\r\n";
    // The default is 5 s.
    await expectSoon(4_000, async () => {
      const answers = await new Promise<string>((resolve) => {
        let text = "";
        const socket = connect(Number(new URL(url).port), "127.0.0.1", () => socket.write(get));
        socket.once("data", () => socket.write(get));
        socket.on("data", (chunk) => {
          text += chunk;
        });
        socket.on("close", () => resolve(text));
      });
      expect(answers.match(/HTTP\/1\.1 200/g)).toHaveLength(2);
    });
  });
});

test("row 83: bodies of the largest allowed size do not delay other requests for long", async () => {
  const item = z.object({ n: z.int(), s: z.string() });
  const url = await listening(
    createEngine().withHandlers(
      POST("/x", { body: z.array(item), output: z.array(item) }, ({ body }) => body),
    ),
  );
  const items = Array.from({ length: 35_000 }, (_, n) => ({ n, s: "abcdefgh" }));
  const large = send("POST", items);
  // Processor time, the client's included.
  await expectBelow(100, async () => {
    const before = process.cpuUsage();
    const answer = await fetch(`${url}/x`, large);
    expect([answer.status, (await answer.arrayBuffer()).byteLength]).toEqual([
      200,
      String(large.body).length,
    ]);
    const { user, system } = process.cpuUsage(before);
    return idleCost((user + system) / 1_000);
  });
});
