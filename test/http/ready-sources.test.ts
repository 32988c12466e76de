/**
 * Sources that are always ready, as rows of SQLite are, and a client that takes all at once: other work of the process
 * runs in between, and nothing piles up until the end.
 */
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { bytes, csv, GET, ndjson, rows, stream } from "../../src/http/index.js";
import { serve } from "./serve.js";

const Row = z.object({ n: z.int(), text: z.string() });
// Less than what the buffers of a connection take: the socket never says that it is full.
const COUNT = 8_000;
const text = "x".repeat(200);
const TURNS = (COUNT * text.length) / 65_536;

/** The turns of the event loop while `count` items are taken. */
function watched() {
  let turns = 0;
  let isOver = false;
  const seen: number[] = [];
  const turn = () => {
    turns++;
    if (!isOver) setImmediate(turn);
  };
  return {
    begin: () => {
      seen.push(turns);
      setImmediate(turn);
    },
    end: () => {
      isOver = true;
      seen.push(turns);
    },
    passed: () => (seen[1] ?? Number.NaN) - (seen[0] ?? Number.NaN),
  };
}

describe("while a source is always ready, other work runs", () => {
  function* list(): Generator<z.output<typeof Row>> {
    for (let n = 0; n < COUNT; n++) yield { n, text };
  }
  async function* promised() {
    yield* list();
  }
  const chunk = Buffer.alloc(text.length * 20);
  async function* pieces() {
    for (let n = 0; n < COUNT / 20; n++) yield chunk;
  }
  const within = async function* <T>(
    items: Iterable<T> | AsyncIterable<T>,
    watch: ReturnType<typeof watched>,
  ) {
    watch.begin();
    yield* items;
    watch.end();
  };

  test.each([
    ["lines of a list", ndjson(Row), list],
    ["lines of promised rows", ndjson(Row), promised],
    ["CSV", csv(Row), promised],
    ["JSON", rows(Row), promised],
  ] as const)("%s", async (_, output, source) => {
    const watch = watched();
    const url = await serve(GET("/x", { output }, () => within(source(), watch)));
    await (await fetch(`${url}/x`)).text();
    expect(watch.passed()).toBeGreaterThan(TURNS);
  });

  test("bytes", async () => {
    const watch = watched();
    const url = await serve(GET("/x", { output: bytes() }, () => within(pieces(), watch)));
    await (await fetch(`${url}/x`)).arrayBuffer();
    expect(watch.passed()).toBeGreaterThan(TURNS);
  });

  test("events", async () => {
    const watch = watched();
    const url = await serve(
      stream("GET", "/x", { event: Row }, async (_call, { send }) => {
        watch.begin();
        for (const row of list()) await send(row);
        watch.end();
      }),
    );
    expect((await (await fetch(`${url}/x`)).text()).match(/^data:/gm)).toHaveLength(COUNT);
    expect(watch.passed()).toBeGreaterThan(TURNS);
  });
});
