/** Batches: in few statements, and the rows of `execMany` in the order of the records on every server. */

import Sqlite from "better-sqlite3";
import { column, type Database, json, table } from "rowtype";
import { sqlite } from "rowtype/sqlite";
import { recording } from "rowtype/testing";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { z } from "zod";
import { placed, UnclearOrder } from "../../src/sql/exec/placed.js";
import { type Lent, servers } from "../servers.js";
import { sqlErrorOf } from "./thrown.js";

const Item = table(
  "items",
  z.object({
    id: column(z.int(), { primaryKey: true, generated: true }),
    code: column(z.string(), { unique: true }),
    at: column(z.date(), { unique: true }),
    n: column(z.int(), { default: "7" }),
  }),
);

const day = (i: number) => new Date(Date.UTC(2026, 0, 1) + i);
// Not in the order of their keys.
const records = Array.from({ length: 50 }, (_, i) => ({
  code: `c${(i * 37) % 50}`,
  at: day((i * 37) % 50),
  n: i,
}));

for (const server of servers)
  describe.skipIf(!server.available)(`batches on ${server.name}`, () => {
    let lent: Lent;
    let db: Database<"sqlite">;
    beforeAll(async () => {
      lent = await server.lend();
      db = lent.db as unknown as Database<"sqlite">;
    });
    afterAll(() => lent.close());
    beforeEach(async () => {
      await db.dropTables(Item);
      await db.createTables(Item);
    });
    const insert = () => db.repository(Item).insert();

    test("rows come in the records' order, whatever keys the records have", async () => {
      const varied = records.map(({ n, ...rest }, i) => (i % 3 === 0 ? rest : { ...rest, n }));
      const rows = await insert().execMany(varied);
      expect(rows.map(({ code }) => code)).toEqual(records.map(({ code }) => code));
      expect(rows.map(({ n }) => n)).toEqual(records.map(({ n }, i) => (i % 3 === 0 ? 7 : n)));
      expect(new Set(rows.map(({ id }) => id)).size).toBe(50);
    });

    test("doNothing gives null where a row was there, upserts the row that is there now", async () => {
      const first = await insert().execMany(records.filter((_, i) => i % 2 === 0));
      expect(first).toHaveLength(25);
      const rest = await insert().onConflict("code").doNothing().execMany(records);
      expect(rest.map((row) => row?.code ?? null)).toEqual(
        records.map(({ code }, i) => (i % 2 === 0 ? null : code)),
      );
      const upserts = records.map((one) => ({ ...one, n: one.n + 1_000 })).reverse();
      const twice = [...upserts, { code: "c0", at: day(0), n: 5 }];
      const updated = await insert().onConflict("code").doUpdate().execMany(twice);
      expect(updated.map(({ code }) => code)).toEqual(twice.map(({ code }) => code));
      expect(updated.at(-1)?.n).toBe(5);
      expect(await db.repository(Item).count().exec()).toBe(50);
    });

    test("one refused record undoes all, and says which key", async () => {
      await insert().exec({ code: "c7", at: day(999) });
      expect(await sqlErrorOf(insert().execMany(records))).toMatchObject({ code: "UNIQUE_VIOLATION" });
      expect(await sqlErrorOf(insert().execBatch(records))).toMatchObject({ code: "UNIQUE_VIOLATION" });
      const other = insert().onConflict("at").doNothing();
      expect(await sqlErrorOf(other.execMany(records))).toMatchObject({ code: "UNIQUE_VIOLATION" });
      expect(await db.repository(Item).count().exec()).toBe(1);
    });
  });

const many = (length: number) => Array.from({ length }, (_, i) => ({ code: `c${i}`, at: day(i) }));

test("a batch that is one statement is sent alone; upserts keyed by dates go together", async () => {
  for (const dialect of ["postgres", "sqlite", "mariadb"] as const) {
    const db = recording(dialect, (statement) =>
      Array.from({ length: statement.params.length / 2 }, (_, i) => ({
        id: i,
        code: `c${i}`,
        at: day(i),
        n: 7,
      })),
    );
    const items = db.repository(Item);
    expect(await items.insert().execMany(many(1_000))).toHaveLength(1_000);
    await items.insert().execBatch(many(1_000));
    expect(db.statements).toHaveLength(2);
    expect(db.transactions).toHaveLength(0);
    await items.insert().onConflict("at").doUpdate().execBatch(many(1_000));
    expect(db.statements).toHaveLength(3);
  }
});

test("keys of dates, bytes, arrays and JSON are told apart by what is stored", async () => {
  const db = recording("postgres");
  const Keyed = table(
    "keyed",
    z.object({
      bytes: column(z.instanceof(Uint8Array), { unique: true }),
      list: column(z.array(z.string()), { unique: true }),
      doc: column(json(z.record(z.string(), z.number())), { unique: true }),
    }),
  );
  const insert = db.repository(Keyed).insert();
  const keyed = [
    { bytes: new Uint8Array([1, 2]), list: ["a,b"], doc: { a: 1, b: 2 } },
    { bytes: new Uint8Array([1, 3]), list: ["a", "b"], doc: { b: 2, a: 1 } },
    { bytes: new Uint8Array([1, 4]), list: ["b"], doc: { a: 2 } },
  ];
  for (const [key, statements] of [
    ["bytes", 1],
    ["list", 1],
    ["doc", 2],
  ] as const) {
    const before = db.statements.length;
    await insert.onConflict(key).doUpdate().execBatch(keyed);
    expect(db.statements.length - before).toBe(statements);
  }
});

test("rows in another order are put right, and what is unclear is refused", () => {
  const given = [
    { a: 1, b: "x" },
    { a: 2, b: "y" },
  ];
  const expected = { table: "t", records: given, fields: ["a", "b"], isKey: false, mayMiss: false };
  expect(
    placed(
      [
        { a: 2, b: "y" },
        { a: 1, b: "x" },
      ],
      expected,
      true,
    ),
  ).toEqual(given);
  // A trigger has changed `b`; `a` tells.
  expect(
    placed(
      [
        { a: 2, b: "!" },
        { a: 1, b: "?" },
      ],
      expected,
      true,
    ),
  ).toEqual([
    { a: 1, b: "?" },
    { a: 2, b: "!" },
  ]);
  const keyed = { ...expected, fields: ["a"], isKey: true, mayMiss: true };
  expect(placed([{ a: 2, b: "y" }], keyed, true)).toEqual([null, { a: 2, b: "y" }]);
  expect(() => placed([{ a: 9, b: "y" }], keyed, true)).toThrow(UnclearOrder);
  expect(() => placed([{ a: 1, b: "x" }], expected, true)).toThrow(/no rows/);
});

test("triggers that change or leave out rows: nothing is stored of a batch that rejects", async () => {
  const handle = new Sqlite(":memory:");
  const db = sqlite(handle);
  await db.createTables(Item);
  handle.exec("CREATE TRIGGER skips BEFORE INSERT ON items WHEN NEW.n = 3 BEGIN SELECT RAISE(IGNORE); END");
  const items = db.repository(Item);
  expect(await sqlErrorOf(items.insert().execMany(records.slice(0, 5)))).toMatchObject({ code: "NO_ROWS" });
  expect(await items.count().exec()).toBe(0);
  handle.close();
});
