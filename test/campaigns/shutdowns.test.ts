/** The end of an engine at any moment, with requests and streams in flight: none is cut, and nothing is left. */
import { Agent, get } from "node:http";
import { setTimeout as wait } from "node:timers/promises";
import fc from "fast-check";
import { expect, test } from "vitest";
import { z } from "zod";
import { createEngine, GET, HostLoopback, stream } from "../../src/http/index.js";
import { interpret } from "../http/event-stream-rules.js";
import { patience, rounds } from "../rounds.js";

const SHUTDOWNS = rounds({ small: 60, full: 200 });

test(
  `${SHUTDOWNS} shutdowns at random moments, with fifty requests and twenty streams, abort nothing and leak nothing`,
  async () => {
    const received = new Set<string>();
    const resources = () =>
      process.getActiveResourcesInfo().filter((name) => /^(?:TCP|Timeout|Immediate)/.test(name)).length;

    /** One engine, its clients, and its end. */
    async function round(delays: readonly number[], endMs: number): Promise<void> {
      received.clear();
      const api = createEngine()
        .withMiddleware((request, _response, next) => {
          received.add(request.url);
          next();
        })
        .withHandlers(
          GET("/slow/{id}/{ms}", { path: { ms: z.int() } }, async ({ params }) => {
            await wait(params.path.ms);
            return "x".repeat(10_000);
          }),
          stream("GET", "/events/{id}", { event: z.int() }, async (_call, { send, signal }) => {
            for (let n = 0; !signal.aborted && (await send(n)); n++) await wait(1);
          }),
        );
      const { url } = await api.start(HostLoopback, 0);
      const agent = new Agent({ keepAlive: true, maxSockets: 60 });
      const fetched = delays.map(async (delay, id) => {
        await wait(delay % 30);
        const path = id < 50 ? `/slow/${id}/${delay % 17}` : `/events/${id}`;
        return { path, outcome: await fetchWhole(`${url}${path}`, id < 50 ? agent : undefined) };
      });
      await wait(endMs);
      expect(await api.shutdown({ timeoutMs: 60_000 })).toEqual({ graceful: true });
      for (const { path, outcome } of await Promise.all(fetched)) {
        // What had not arrived when the doors closed is for the client to send elsewhere.
        if (!received.has(path)) continue;
        expect([path, outcome.error, outcome.status]).toEqual([path, undefined, 200]);
        if (path.startsWith("/slow")) expect(outcome.text).toHaveLength(10_002);
        else {
          const numbers = interpret(outcome.text).events.map(({ data }) => Number(data));
          expect(numbers).toEqual([...numbers.keys()]);
        }
      }
      agent.destroy();
    }

    await wait(100);
    const before = resources();
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.nat(1_000), { minLength: 70, maxLength: 70 }),
        fc.nat(40),
        (delays, endMs) => round(delays, endMs),
      ),
      { numRuns: SHUTDOWNS },
    );
    await wait(300);
    expect(resources()).toBeLessThanOrEqual(before);
  },
  patience(60_000, 500, SHUTDOWNS),
);

interface Outcome {
  readonly status?: number | undefined;
  readonly text: string;
  /** The connection failed, or the answer was cut. */
  readonly error?: Error;
}

function fetchWhole(url: string, agent: Agent | undefined): Promise<Outcome> {
  return new Promise((resolve) => {
    let text = "";
    const request = get(url, { agent: agent ?? false }, (response) => {
      response.setEncoding("utf8");
      response.on("data", (chunk: string) => {
        text += chunk;
      });
      response.on("error", (error) => resolve({ status: response.statusCode, text, error }));
      response.on("end", () => resolve({ status: response.statusCode, text }));
    });
    request.on("error", (error) => resolve({ text, error }));
  });
}
