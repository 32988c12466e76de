/**
 * Every way in which a stream ends, over every number of rows around a page, on a pool of two: the connection goes
 * back each time, so that the pool serves the next calls.
 */
import { setTimeout } from "node:timers/promises";
import { column, table } from "rowtype";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { allReturned, type Db, type Two, twoOf } from "../../kit/pool-of-two.js";
import { type Lent, servers } from "../../servers.js";
import { HANG_MS } from "../../stopwatch.js";

const PAGE = 256;
const sizes = [0, 1, 2, 5, PAGE - 1, PAGE, PAGE + 1, 2 * PAGE - 1, 2 * PAGE, 2 * PAGE + 1, 600];

const Line = table("ends", z.object({ id: column(z.int(), { primaryKey: true }), last: z.int().nullable() }));
// The same table; its row without `last` cannot be decoded.
const Strict = table("ends", z.object({ id: column(z.int(), { primaryKey: true }), last: z.int() }));
const Missing = table("ends_missing", z.object({ id: column(z.int(), { primaryKey: true }) }));

class Stop extends Error {}

/** What a way to end a stream is given. */
interface Given {
  readonly db: Db;
  readonly rows: number;
}

const linesOf = (db: Db) => db.repository(Line).query().orderBy("id", "asc");
const iterate = (stream: AsyncIterable<unknown>) => stream[Symbol.asyncIterator]();

async function readUntil(stream: AsyncIterable<{ id: number }>, last: number): Promise<number> {
  let count = 0;
  for await (const { id } of stream) {
    count++;
    if (id >= last) break;
  }
  return count;
}

async function failsOrEnds(promise: Promise<unknown>): Promise<void> {
  await promise.catch(() => undefined);
}

const ways: Readonly<Record<string, (given: Given) => Promise<unknown>>> = {
  "read to the end": async ({ db, rows }) => {
    expect(await readUntil(linesOf(db).stream(), Number.POSITIVE_INFINITY)).toBe(rows);
  },
  "read to the end, and asked for more": async ({ db }) => {
    const iterator = iterate(linesOf(db).stream());
    while ((await iterator.next()).done !== true);
    expect(await iterator.next()).toEqual({ done: true, value: undefined });
    await iterator.return?.();
  },
  "a break at the first row": ({ db }) => readUntil(linesOf(db).stream(), 1),
  "a break in the middle": ({ db, rows }) => readUntil(linesOf(db).stream(), Math.ceil(rows / 2)),
  "a break before the last row": ({ db, rows }) => readUntil(linesOf(db).stream(), rows - 1),
  "a break at the last row": ({ db, rows }) => readUntil(linesOf(db).stream(), rows),
  "a break at the end of the first page": ({ db }) => readUntil(linesOf(db).stream(), PAGE),
  "a return before the first row was asked for": async ({ db }) => {
    await iterate(linesOf(db).stream()).return?.();
  },
  "a return while the first row is asked for, and another": async ({ db }) => {
    const iterator = iterate(linesOf(db).stream());
    await Promise.all([iterator.next(), iterator.return?.(), iterator.return?.(), iterator.next()]);
  },
  "an error thrown into the iterator": async ({ db }) => {
    const iterator = iterate(linesOf(db).stream());
    await iterator.next();
    await expect(iterator.throw?.(new Stop())).rejects.toThrow(Stop);
  },
  "an error of the loop": async ({ db, rows }) => {
    const loop = async () => {
      for await (const _ of linesOf(db).stream()) throw new Stop();
    };
    if (rows > 0) await expect(loop()).rejects.toThrow(Stop);
  },
  ...Object.fromEntries(
    (["first", "last"] as const).map((which) => [
      `an error of onScan at the ${which} row`,
      async ({ db, rows }: Given) => {
        const lines = db.repository(Line);
        lines.onScan(({ id }) => {
          if (id === (which === "first" ? 1 : rows)) throw new Stop();
        });
        const reading = readUntil(lines.query().orderBy("id", "asc").stream(), Number.POSITIVE_INFINITY);
        const outcome = reading.finally(() => lines.onScan(null));
        if (rows > 0) await expect(outcome).rejects.toMatchObject({ code: "CALLBACK_FAILED" });
        else await outcome;
      },
    ]),
  ),
  "a row that cannot be decoded": async ({ db, rows }) => {
    const reading = readUntil(
      db.repository(Strict).query().orderBy("id", "asc").stream(),
      Number.POSITIVE_INFINITY,
    );
    if (rows > 0) await expect(reading).rejects.toMatchObject({ code: "DECODE_FAILED" });
    else await reading;
  },
  "a statement that the server refuses": ({ db }) =>
    expect(readUntil(db.repository(Missing).query().stream(), 1)).rejects.toMatchObject({
      code: "QUERY_FAILED",
    }),
  "an abort before the first row": ({ db }) =>
    expect(
      readUntil(linesOf(db).stream(undefined, { signal: AbortSignal.abort() }), 1),
    ).rejects.toMatchObject({ code: "ABORTED" }),
  "an abort while the first row is asked for": async ({ db }) => {
    const controller = new AbortController();
    const next = iterate(linesOf(db).stream(undefined, { signal: controller.signal })).next();
    controller.abort();
    await failsOrEnds(next);
  },
  "an abort a moment after the first row was asked for": async ({ db }) => {
    const controller = new AbortController();
    const next = iterate(linesOf(db).stream(undefined, { signal: controller.signal })).next();
    await setTimeout(1);
    controller.abort();
    await failsOrEnds(next);
  },
  "an abort at the first row, after which nobody asks for another": async ({ db }) => {
    const controller = new AbortController();
    const iterator = iterate(linesOf(db).stream(undefined, { signal: controller.signal }));
    await iterator.next();
    controller.abort();
  },
  "an abort at the last row": async ({ db, rows }) => {
    const controller = new AbortController();
    const iterator = iterate(linesOf(db).stream(undefined, { signal: controller.signal }));
    for (let count = 0; count < rows; count++) await iterator.next();
    controller.abort();
    await failsOrEnds(iterator.next());
  },
  "an abort after the end": async ({ db }) => {
    const controller = new AbortController();
    await readUntil(linesOf(db).stream(undefined, { signal: controller.signal }), Number.POSITIVE_INFINITY);
    controller.abort();
  },
  "a break inside a transaction, which goes on": ({ db, rows }) =>
    db.transaction(async (tx) => {
      await readUntil(linesOf(db).stream(undefined, { tx }), 1);
      expect(await db.repository(Line).count().exec(undefined, { tx })).toBe(rows);
    }),
  "a stream that a transaction leaves open": ({ db }) =>
    db.transaction(async (tx) => {
      await iterate(linesOf(db).stream(undefined, { tx })).next();
    }),
  "a transaction that fails beside its stream": async ({ db }) => {
    const running = db.transaction(async (tx) => {
      await iterate(linesOf(db).stream(undefined, { tx })).next();
      throw new Stop();
    });
    await expect(running).rejects.toThrow(Stop);
  },
};

/** The pool serves more calls at once than it has connections, and everything is back then. */
async function serves(two: Two, rows: number, way: string): Promise<void> {
  const { db } = two;
  const counts = Promise.all(Array.from({ length: 4 }, () => db.repository(Line).count().exec()));
  const late = setTimeout(HANG_MS, "no connection is left", { ref: false });
  expect(await Promise.race([counts, late]), way).toEqual([rows, rows, rows, rows]);
  await allReturned(two, way);
}

for (const server of servers)
  describe.skipIf(!server.available)(`ends of streams on ${server.name}`, () => {
    let lent: Lent;
    beforeAll(async () => {
      lent = await server.lend();
    });
    afterAll(() => lent.close());

    test.each(sizes)("of %i rows", async (rows) => {
      await lent.db.dropTables(Line);
      await lent.db.createTables(Line);
      const records = Array.from({ length: rows }, (_, i) => ({
        id: i + 1,
        last: i + 1 === rows ? null : 0,
      }));
      await (lent.db as unknown as Db).repository(Line).insert().execBatch(records);
      const two = twoOf(lent);
      for (const [name, end] of Object.entries(ways)) {
        await end({ db: two.db, rows });
        // It asks for more at once than there are connections, and each of them must be back.
        await serves(two, rows, name);
      }
      const all = Object.values(ways).map((end) => end({ db: two.db, rows }));
      if (server.name !== "sqlite") await Promise.all(all.map(failsOrEnds));
      else await Promise.allSettled(all);
      await serves(two, rows, "all of them at once");
      await two.close();
    });
  });
