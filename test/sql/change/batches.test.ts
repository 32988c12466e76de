/** Batches: in few statements, and the rows of `execMany` in the order of the records on every server. */

import Sqlite from "better-sqlite3";
import { column, type Database, json, table } from "rowtype";
import { oracle } from "rowtype/oracle";
import { sqlite } from "rowtype/sqlite";
import { recording } from "rowtype/testing";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { z } from "zod";
import { placed, UnclearOrder } from "../../../src/sql/exec/placed.js";
import { sqlErrorOf } from "../../kit/thrown.js";
import { recording as oracleRecording } from "../../oracle/recording.js";
import { type Lent, servers } from "../../servers.js";

const Item = table(
  "items",
  z.object({
    id: column(z.int(), { primaryKey: true, generated: true }),
    code: column(z.string(), { unique: true }),
    at: column(z.date(), { unique: true }),
    n: column(z.int(), { default: "7" }),
  }),
);

const Open = table(
  "opens",
  z.object({
    id: column(z.int(), { primaryKey: true, generated: true }),
    tag: column(z.string().nullable(), { unique: true }),
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

    test("rows have the order of the records, for records with any keys", async () => {
      const varied = records.map(({ n, ...rest }, i) => (i % 3 === 0 ? rest : { ...rest, n }));
      const rows = await insert().execMany(varied);
      expect(rows.map(({ code }) => code)).toEqual(records.map(({ code }) => code));
      expect(rows.map(({ n }) => n)).toEqual(records.map(({ n }, i) => (i % 3 === 0 ? 7 : n)));
      expect(new Set(rows.map(({ id }) => id)).size).toBe(50);
    });

    test("doNothing gives null for an existing row, and an upsert gives the current row", async () => {
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

    test("doNothing with keys that come twice in the batch, and with NULL in a key", async () => {
      await db.dropTables(Open);
      await db.createTables(Open);
      const leave = db.repository(Open).insert().onConflict("tag").doNothing();
      const tags = ["a", null, "b", "a", null, "b", "c"];
      await leave.exec({ tag: "b" });
      const rows = await leave.execMany(tags.map((tag) => ({ tag })));
      expect(rows.map((row) => (row === null ? "left" : row.tag))).toEqual([
        "a",
        null,
        "left",
        "left",
        null,
        "left",
        "c",
      ]);
      expect(await leave.execBatch(tags.map((tag) => ({ tag })))).toBe(2);
      expect(await leave.execBatch([{ tag: "a" }])).toBe(0);
      expect(await leave.execMany([{ tag: "a" }])).toEqual([null]);
      await db.dropTables(Open);
    });

    test("doNothing in a transaction uses the current rows", async () => {
      if (server.dialect !== "mariadb" && server.dialect !== "postgres") return;
      const leave = insert().onConflict("code").doNothing();
      await leave.execMany(records.slice(0, 4));
      const rows = await db.transaction(
        async (tx) => {
          await db.repository(Item).count().exec({ tx });
          await db.repository(Item).remove().where("code", "=", "code").exec({ code: "c0" }, { tx: null });
          return leave.execMany(records.slice(0, 5), { tx });
        },
        { isolation: "read committed" },
      );
      expect(rows.map((row) => row?.code ?? null)).toEqual(["c0", null, null, null, "c48"]);
    });

    test("one refused record rolls back all, and the error names the key", async () => {
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

test("rows that Oracle returns in variables come from few calls of the driver, one by one with large objects", async () => {
  const Small = table("items", Item.schema.pick({ code: true, n: true }));
  const Large = table("items", Small.schema.extend({ tags: z.array(z.string()) }));
  const calls: (number | undefined)[] = [];
  const { pool } = oracleRecording(({ sql, binds, times }) => {
    if (!sql.startsWith("INSERT")) return undefined;
    calls.push(times);
    const given = binds.filter(({ dir }) => dir === 3001).map(({ values }) => values);
    const [code = [], n] = given;
    const rows = Array.from({ length: times ?? 1 }, (_, i) => ({
      o0: [code[i]],
      o1: [String(n?.[i] ?? 7)],
      ...(times === undefined ? { o2: ["[]"] } : {}),
    }));
    return { rowsAffected: times ?? 1, outBinds: times === undefined ? rows[0] : rows };
  });
  const db = oracle(pool);
  const given = Array.from({ length: 1_500 }, (_, i) =>
    i % 2 === 0 ? { code: `c${i}` } : { code: `c${i}`, n: i },
  );
  const rows = await db.repository(Small).insert().execMany(given);
  expect(rows).toEqual(given.map(({ code, n = 7 }) => ({ code, n })));
  expect(calls).toEqual([750, 750]);
  await db
    .repository(Large)
    .insert()
    .execMany([
      { code: "a", n: 1, tags: [] },
      { code: "b", n: 2, tags: [] },
    ]);
  expect(calls.slice(2)).toEqual([undefined, undefined]);
});

test("doNothing on MariaDB is a select and an insert, and no insert if all rows exist", async () => {
  const there = (params: readonly unknown[]) =>
    params.filter((code) => Number(String(code).slice(1)) % 2 === 0).map((code) => ({ code }));
  const db = recording("mariadb", ({ sql, params }) =>
    sql.startsWith("SELECT")
      ? there(params as string[])
      : Array.from({ length: params.length / 2 }, (_, i) => ({
          id: i,
          code: params[2 * i],
          at: day(0),
          n: 7,
        })),
  );
  const leave = db.repository(Item).insert().onConflict("code").doNothing();
  const rows = await leave.execMany(many(1_000));
  expect(rows.map((row) => row?.code ?? null)).toEqual(
    many(1_000).map(({ code }, i) => (i % 2 === 0 ? null : code)),
  );
  expect(db.statements).toHaveLength(2);
  expect(await leave.execBatch(many(1_000))).toBe(500);
  expect(db.statements).toHaveLength(4);
  expect(await leave.execMany(many(1_000).filter((_, i) => i % 2 === 0))).toEqual(Array(500).fill(null));
  expect(db.statements).toHaveLength(5);
  expect(db.transactions).toHaveLength(0);
});

test("a batch that is one statement begins no transaction where that is undone as a whole", async () => {
  for (const dialect of ["postgres", "sqlite", "mariadb", "oracle"] as const) {
    const db = recording(dialect, ({ sql }) =>
      sql.startsWith("INSERT") ? [{ id: 1, code: "c0", at: day(0), n: 7 }] : [],
    );
    const items = db.repository(Item);
    const rename = items.modify().set("code", "code").where("id", "=", "id");
    const remove = items.remove().where("id", "=", "id");
    await rename.execBatch([{ id: 1, code: "a" }]);
    await remove.execBatch([{ id: 1 }]);
    await items.insert().execMany(many(1));
    expect(db.transactions).toHaveLength(dialect === "oracle" ? 1 : 0);
    await rename.execBatch([
      { id: 1, code: "a" },
      { id: 2, code: "b" },
    ]);
    await remove.execBatch([{ id: 1 }, { id: 2 }]);
    const begun = { postgres: 0, mariadb: 0, sqlite: 2, oracle: 3 };
    expect(db.transactions).toHaveLength(begun[dialect]);
  }
});

test("keys of dates, bytes, arrays and JSON are compared by their stored value", async () => {
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

test("rows in another order are reordered, and ambiguous rows are refused", () => {
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
