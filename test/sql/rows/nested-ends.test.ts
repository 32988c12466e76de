/**
 * Every way in which reading rows with rows inside ends, as a list, a stream and pages, on a pool of two: the connection
 * goes back each time, the server has nothing open, and the pool gives all rows to the next.
 */
import { column, many, one, table } from "rowtype";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { running, serverIsIdle } from "../../kit/behind-wire.js";
import { allReturned, type Db, type Two, twoOf } from "../../kit/pool-of-two.js";
import { type Lent, servers } from "../../servers.js";

// More than the sockets between hold, so that the server is in the middle of its rows when the first are read.
const ORDERS = 1_500;
const NOTE = "n".repeat(4_000);
const LINES = 3;
const WRONG = 700;

const key = () => column(z.int(), { primaryKey: true });
const orders = table("ended_orders", z.object({ id: key(), note: z.string() }), {
  relations: { lines: many("lines", "orderId"), strict: many("strict", "orderId") },
});
const lines = table(
  "ended_lines",
  z.object({ id: key(), orderId: column(z.int(), { index: true }), qty: z.int().nullable() }),
  { relations: { order: one("orders", "orderId") } },
);
// The same table; one of its rows cannot be read so.
const strict = table("ended_lines", z.object({ id: key(), orderId: z.int(), qty: z.int() }));
const module = { orders, lines, strict };

class Stop extends Error {}

const of = (db: Db) => db.repositories(module);
const queryOf = (db: Db) => {
  const { orders, lines } = of(db);
  return orders.query().with("lines", lines.query().orderBy("id", "desc")).orderBy("id", "asc");
};
const strictOf = (db: Db) => {
  const { orders, strict } = of(db);
  return orders.query().with("strict", strict.query().orderBy("id", "asc")).orderBy("id", "asc");
};

type Options = { readonly signal?: AbortSignal };
type Query = ReturnType<typeof queryOf> | ReturnType<typeof strictOf>;
type Seen = (id: number) => unknown;
type Reader = (query: Query, seen: Seen, options?: Options) => Promise<number>;

/** Three ways to read all rows; `seen` is told of each as soon as it can be. */
const readers: Readonly<Record<string, Reader>> = {
  list: async (query, seen, options = {}) => {
    const rows = await query.exec(undefined, options);
    for (const { id } of rows) await seen(id);
    return rows.length;
  },
  stream: async (query, seen, options = {}) => {
    let count = 0;
    for await (const { id } of query.stream(undefined, options)) {
      count++;
      await seen(id);
    }
    return count;
  },
  pages: async (query, seen, options = {}) => {
    const page = query.page(400);
    let count = 0;
    for (let after: string | undefined; ; ) {
      const { rows, next }: Awaited<ReturnType<typeof page.exec>> = await page.exec(undefined, {
        ...options,
        after,
      });
      for (const { id } of rows) await seen(id);
      count += rows.length;
      if (next === null) return count;
      after = next;
    }
  },
};

/** What a way is given: two connections, a reader, and the end of the session that reads. */
interface Given {
  readonly db: Db;
  readonly read: Reader;
  readonly kill: () => Promise<void>;
}

const none = () => undefined;

/** Reads while callbacks of the repositories are set. */
async function withScan(
  { db, read }: Given,
  which: "orders" | "lines",
  callback: (row: { readonly id?: number }) => unknown,
  options?: Options,
): Promise<number> {
  const repository = of(db)[which];
  repository.onScan(async (row) => void (await callback(row)));
  try {
    return await read(queryOf(db), none, options);
  } finally {
    repository.onScan(null);
  }
}

const ways: Readonly<Record<string, (given: Given) => Promise<unknown>>> = {
  "read to the end": async ({ db, read }) => expect(await read(queryOf(db), none)).toBe(ORDERS),
  "callbacks of the rows inside, which see each of them": async (given) => {
    let count = 0;
    await withScan(given, "lines", () => void count++);
    expect(count).toBe(ORDERS * LINES);
  },
  ...Object.fromEntries(
    [1, 256, 257, WRONG, ORDERS].map((last) => [
      `an error of the reader at row ${last}`,
      ({ db, read }: Given) =>
        expect(
          read(queryOf(db), (id) => {
            if (id === last) throw new Stop();
          }),
        ).rejects.toThrow(Stop),
    ]),
  ),
  ...Object.fromEntries(
    [1, 300, ORDERS].map((last) => [
      `an abort at row ${last}`,
      async ({ db, read }: Given) => {
        const controller = new AbortController();
        const { signal } = controller;
        const reading = read(queryOf(db), (id) => void (id === last && controller.abort()), { signal });
        // What was read before, nobody takes back.
        const outcome = await reading.catch((error: { code: unknown }) => error.code);
        expect([ORDERS, "ABORTED"]).toContain(outcome);
      },
    ]),
  ),
  "an abort before": ({ db, read }) =>
    expect(read(queryOf(db), none, { signal: AbortSignal.abort() })).rejects.toMatchObject({
      code: "ABORTED",
    }),
  "an abort while the first rows are asked for": async ({ db, read }) => {
    const controller = new AbortController();
    const reading = read(queryOf(db), none, { signal: controller.signal });
    setTimeout(() => controller.abort(), 2);
    expect([ORDERS, "ABORTED"]).toContain(await reading.catch((error: { code: unknown }) => error.code));
  },
  ...Object.fromEntries(
    (["orders", "lines"] as const).flatMap((which) =>
      [1, WRONG].map((last) => [
        `an error of onScan of ${which} at ${last}`,
        (given: Given) =>
          expect(
            withScan(given, which, ({ id }) => {
              if (id === last) throw new Stop();
            }),
          ).rejects.toMatchObject({ code: "CALLBACK_FAILED" }),
      ]),
    ),
  ),
  "an abort by onScan of rows inside": async (given) => {
    const controller = new AbortController();
    const { signal } = controller;
    const reading = withScan(given, "lines", ({ id }) => void (id === WRONG && controller.abort()), {
      signal,
    });
    await expect(reading).rejects.toMatchObject({ code: "ABORTED" });
  },
  "a row inside that cannot be decoded": ({ db, read }) =>
    expect(read(strictOf(db), none)).rejects.toMatchObject({ code: "DECODE_FAILED", field: "strict.qty" }),
  "a session that somebody ends at the first row": async ({ db, read, kill }) => {
    const reading = read(queryOf(db), async (id) => {
      if (id === 1) await kill();
    });
    const outcome = await reading.catch((error: { code: unknown }) => error.code);
    // A list is read before its first row is seen, and so is a page.
    expect([ORDERS, "CONNECTION_LOST"]).toContain(outcome);
  },
};

for (const server of servers.filter(({ name }) => name !== "h2" && name !== "oracle"))
  describe.skipIf(!server.available)(`ends of reading rows with rows inside on ${server.name}`, () => {
    let lent: Lent;
    let two: Two;
    beforeAll(async () => {
      lent = await server.lend();
      two = twoOf(lent);
      const { orders: some, lines: more } = of(lent.db as unknown as Db);
      await lent.db.createTables(orders, lines);
      const numbers = Array.from({ length: ORDERS }, (_, i) => i + 1);
      await some.insert().execBatch(numbers.map((id) => ({ id, note: NOTE })));
      await more.insert().execBatch(
        numbers.flatMap((orderId) =>
          Array.from({ length: LINES }, (_, i) => ({
            id: (orderId - 1) * LINES + i + 1,
            orderId,
            qty: orderId === WRONG && i === 0 ? null : i,
          })),
        ),
      );
    });
    afterAll(async () => {
      await two.close();
      await lent.close();
    });

    async function kill(): Promise<void> {
      if (server.name === "sqlite") return;
      for (const row of await lent.run(running[server.name] ?? "")) {
        const { id } = row as { readonly id: number };
        await lent
          .run(server.name === "postgres" ? `SELECT pg_terminate_backend(${id})` : `KILL ${id}`)
          // It may have ended by itself.
          .catch(() => undefined);
      }
    }

    test.each(Object.keys(readers))("as a %s", async (name) => {
      const read = readers[name] as Reader;
      for (const [way, end] of Object.entries(ways)) {
        await end({ db: two.db, read, kill }).catch((error: unknown) => {
          throw new Error(`${way}: ${error}`, { cause: error });
        });
        // One connection that does not come back is seen here.
        await allReturned(two, way);
        if (server.name !== "sqlite") await serverIsIdle(server.name, lent);
        const both = [read(queryOf(two.db), none), of(two.db).lines.count().exec()];
        expect(await Promise.all(both), way).toEqual([ORDERS, ORDERS * LINES]);
      }
    });

    test("in a transaction, which goes on", async () => {
      await two.db.transaction(async (tx) => {
        for (const name of ["list", "pages", "stream"])
          await expect(
            (readers[name] as Reader)(
              queryOf(two.db),
              () => {
                throw new Stop();
              },
              { tx } as Options,
            ),
          ).rejects.toThrow(Stop);
        await expect(strictOf(two.db).exec(undefined, { tx })).rejects.toMatchObject({
          code: "DECODE_FAILED",
        });
        expect(await of(two.db).lines.count().exec(undefined, { tx })).toBe(ORDERS * LINES);
        expect(await queryOf(two.db).limit(1).exec(undefined, { tx })).toHaveLength(1);
      });
      await allReturned(two, "a transaction");
    });
  });
