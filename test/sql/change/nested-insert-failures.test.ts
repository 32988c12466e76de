/** Nested inserts that fail at any place, are aborted, or lose their connection between two levels: nothing is stored. */
import { setTimeout } from "node:timers/promises";
import { column, type Database, many, table } from "rowtype";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { z } from "zod";
import { behind, targets } from "../../kit/behind-wire.js";
import { sqlErrorOf } from "../../kit/thrown.js";
import { Wire } from "../../kit/wire.js";
import { type Lent, servers } from "../../servers.js";

const id = () => column(z.int(), { primaryKey: true, generated: true });
const code = () => column(z.string(), { type: "varchar(40)", unique: true });
const orders = table("orders", z.object({ id: id(), code: code() }), {
  relations: { lines: many("lines", "orderId") },
});
const lines = table(
  "order_lines",
  z.object({ id: id(), orderId: column(z.int(), { references: () => orders }), code: code() }),
  { relations: { notes: many("notes", "lineId") } },
);
const notes = table(
  "notes",
  z.object({ id: id(), lineId: column(z.int(), { references: () => lines }), code: code() }),
);
const tables = { orders, lines, notes };
const typed = (db: unknown) => (db as Database<"sqlite">).repositories(tables);
const createOf = (shop: ReturnType<typeof typed>) =>
  shop.orders.insert().with("lines", shop.lines.insert().with("notes"));

/** Two orders of two lines of two notes; each code is its place. */
const records = (wrong?: string) => {
  const codeOf = (place: string) => ({ code: place === wrong ? "taken" : place });
  const both = [0, 1];
  return both.map((i) => ({
    ...codeOf(`${i}`),
    lines: both.map((j) => ({
      ...codeOf(`${i}.${j}`),
      notes: both.map((k) => codeOf(`${i}.${j}.${k}`)),
    })),
  }));
};
const places = records().flatMap((order) => [
  order.code,
  ...order.lines.flatMap((line) => [line.code, ...line.notes.map((note) => note.code)]),
]);

for (const server of servers.filter(({ name }) => ["sqlite", "postgres", "mariadb"].includes(name)))
  describe.skipIf(!server.available)(`nested inserts that fail on ${server.name}`, () => {
    let lent: Lent;
    let shop: ReturnType<typeof typed>;
    beforeAll(async () => {
      lent = await server.lend();
      await lent.db.createTables(orders, lines, notes);
      shop = typed(lent.db);
    });
    afterAll(() => lent.close());
    beforeEach(async () => {
      for (const name of ["notes", "order_lines", "orders"]) await lent.run(`DELETE FROM ${name}`);
      await createOf(shop).exec({ code: "taken", lines: [{ code: "taken", notes: [{ code: "taken" }] }] });
    });
    const counts = async () => [
      await shop.orders.count().exec(),
      await shop.lines.count().exec(),
      await shop.notes.count().exec(),
    ];

    test.each(places)("a key that is taken at %s", async (place) => {
      const create = createOf(shop);
      for (const call of [() => create.execMany(records(place)), () => create.execBatch(records(place))]) {
        expect(await sqlErrorOf(call())).toMatchObject({ code: "UNIQUE_VIOLATION", fields: ["code"] });
        expect(await counts()).toEqual([1, 1, 1]);
      }
    });

    test("a callback on a nested row, and one that aborts", async () => {
      const aborting = new AbortController();
      for (const repository of [shop.orders, shop.lines, shop.notes]) {
        repository.onScan(() => {
          throw new Error("no");
        });
        const error = await sqlErrorOf(createOf(shop).execMany(records()));
        expect(error).toMatchObject({ code: "CALLBACK_FAILED", index: 0 });
        expect(await counts()).toEqual([1, 1, 1]);
        repository.onScan(null);
      }
      shop.lines.onScan(() => aborting.abort());
      const aborted = await sqlErrorOf(createOf(shop).execMany(records(), { signal: aborting.signal }));
      expect(aborted.code).toBe("ABORTED");
      shop.lines.onScan(null);
      expect(await counts()).toEqual([1, 1, 1]);
    });

    test("callbacks: records before anything is sent, rows from the inside out", async () => {
      const seen: string[] = [];
      const all = { order: shop.orders, line: shop.lines, note: shop.notes };
      for (const [name, repository] of Object.entries(all)) {
        repository.onRecord((record) => void seen.push(`record ${name} ${record.code}`));
        repository.onScan((row) => void seen.push(`row ${name} ${row.code}`));
      }
      const [first] = records();
      if (first === undefined) throw new Error("no record");
      await createOf(shop).exec({ ...first, lines: first.lines.slice(0, 1) });
      expect(seen).toEqual([
        ...["record order 0", "record line 0.0", "record note 0.0.0", "record note 0.0.1"],
        ...["row note 0.0.0", "row note 0.0.1", "row line 0.0", "row order 0"],
      ]);
      for (const repository of Object.values(all)) {
        repository.onRecord(null);
        repository.onScan(null);
      }
    });

    const target = targets[server.name];
    if (target === undefined) return;
    test("an abort and a cut connection while a level waits for a lock", async () => {
      const wire = await Wire.before(target);
      const there = behind[server.name]?.(wire.port, lent);
      if (there === undefined) throw new Error("no way to the server");
      const create = createOf(typed(there.db));
      try {
        const ends: readonly [string, (abort: AbortController) => void][] = [
          ["ABORTED", (abort) => abort.abort()],
          ["CONNECTION_LOST", () => wire.cut()],
        ];
        for (const [expected, end] of ends) {
          const abort = new AbortController();
          await lent.db.transaction(async (tx) => {
            const inside = typed(tx);
            const [order] = await inside.orders.query().exec();
            // Whoever stores this code waits for the end of this transaction.
            await inside.lines.insert().exec({ orderId: order?.id ?? 0, code: "1.1" });
            const error = sqlErrorOf(create.execMany(records(), { signal: abort.signal }));
            await setTimeout(300);
            end(abort);
            expect((await error).code).toBe(expected);
          });
          await expect.poll(counts).toEqual([1, 2, 1]);
          // The server ends the transaction of a cut connection a moment later, and until then may name a deadlock.
          const remove = () => lent.run("DELETE FROM order_lines WHERE code = '1.1'");
          await expect.poll(() => remove().then(() => "removed", String)).toBe("removed");
        }
      } finally {
        await there.end();
        await wire.close();
      }
    });
  });
