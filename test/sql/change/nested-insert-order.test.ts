/** Nested inserts: every row is that of its record, whatever order a server returns them in; statements counted. */
import { column, type Database, type Dialect, many, table } from "rowtype";
import { type RecordedStatement, type Recording, recording } from "rowtype/testing";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { servers } from "../../servers.js";

const id = () => column(z.int(), { primaryKey: true, generated: true });
const orders = table("orders", z.object({ id: id(), code: z.string() }), {
  relations: { lines: many("lines", "orderId") },
});
const lines = table("lines", z.object({ id: id(), orderId: z.int(), sku: z.string() }), {
  relations: { notes: many("notes", "lineId") },
});
const notes = table("notes", z.object({ id: id(), lineId: z.int(), text: z.string() }));
const tables = { orders, lines, notes };

const typed = (db: unknown) => (db as Database<"sqlite">).repositories(tables);

for (const server of servers.filter(({ name }) => ["sqlite", "postgres", "mariadb"].includes(name)))
  test.skipIf(!server.available)(`10,000 equal children keep their order on ${server.name}`, async () => {
    const lent = await server.lend();
    try {
      await lent.db.createTables(orders, lines, notes);
      const shop = typed(lent.db);
      const create = shop.orders.insert().with("lines", shop.lines.insert().with("notes"));
      const texts = Array.from({ length: 10_000 }, (_, i) => `n${i}`);
      const stored = await create.exec({
        code: "a",
        lines: texts.map((text) => ({ sku: "same", notes: [{ text }] })),
      });
      expect(stored.lines.map((line) => line.notes[0]?.text)).toEqual(texts);
      expect(stored.lines.every((line) => line.notes[0]?.lineId === line.id)).toBe(true);
      const read = shop.lines.query().join("notes", "note").fields("note.text").orderBy("id", "asc");
      expect((await read.exec()).map(({ note }) => note.text)).toEqual(texts);
      const ids = stored.lines.map((line) => line.id);
      expect(ids).toEqual([...ids].sort((a, b) => a - b));
    } finally {
      await lent.close();
    }
  });

/** A server that gives keys in the order of the records, and returns the rows of a statement in another one. */
function answering(
  dialect: Dialect,
  shuffled: <T>(rows: readonly T[]) => T[],
  written = (text: string) => text,
) {
  let next = 1;
  const answer = ({ sql, params }: RecordedStatement) => {
    const name = /INTO \W(\w+)/.exec(sql)?.[1] ?? "";
    const fields = { orders: ["code"], lines: ["orderId", "sku"], notes: ["lineId", "text"] }[name] ?? [];
    const rows = [];
    for (let at = 0; at < params.length; at += fields.length) {
      const values = fields.map((field, i) => [field, params[at + i]]);
      const row = { id: next++, ...Object.fromEntries(values) };
      rows.push(name === "orders" ? { ...row, code: written(String(row["code"])) } : row);
    }
    return shuffled(rows);
  };
  const db = recording(dialect, answer as never) as Recording;
  return { db, shop: typed(db) };
}

const records = ["a", "b", "a"].map((code, i) => ({
  code,
  lines: [0, 1, 2].map((j) => ({ sku: `s${j % 2}`, notes: [{ text: `${i}${j}` }] })),
}));

describe.each(["postgres", "mariadb", "sqlite"] as const)("on %s, rows in any order", (dialect) => {
  const orderOf = {
    "as they were sent": <T>(rows: readonly T[]) => [...rows],
    "the last first": <T>(rows: readonly T[]) => [...rows].reverse(),
    "the odd ones first": <T>(rows: readonly T[]) => [
      ...rows.filter((_, i) => i % 2 === 1),
      ...rows.filter((_, i) => i % 2 === 0),
    ],
  };
  for (const [title, shuffled] of Object.entries(orderOf))
    test(`each is that of its record: ${title}`, async () => {
      const { db, shop } = answering(dialect, shuffled);
      const create = shop.orders.insert().with("lines", shop.lines.insert().with("notes"));
      const stored = await create.execMany(records);
      expect(
        stored.map(({ code, lines }) => [code, lines.map(({ sku, notes }) => [sku, notes[0]?.text])]),
      ).toEqual(
        records.map(({ code, lines }) => [code, lines.map(({ sku, notes }) => [sku, notes[0]?.text])]),
      );
      // The keys are in the order of the records too.
      expect(stored.map((one) => one.id)).toEqual([1, 2, 3]);
      expect(stored.flatMap((one) => one.lines.map((line) => line.id))).toEqual([
        4, 5, 6, 7, 8, 9, 10, 11, 12,
      ]);
      for (const one of stored)
        for (const line of one.lines) {
          expect(line.orderId).toBe(one.id);
          expect(line.notes[0]?.lineId).toBe(line.id);
        }
      expect(db.statements).toHaveLength(3);
      expect(db.transactions.map(({ outcome }) => outcome)).toEqual(["committed"]);
    });

  test("values that the server writes otherwise do not cost a statement each", async () => {
    // A trigger, say, writes capitals.
    const { db, shop } = answering(dialect, orderOf["as they were sent"], (text) => text.toUpperCase());
    const create = shop.orders.insert().with("lines");
    await create.execMany([
      { code: "a", lines: [] },
      { code: "b", lines: [{ sku: "a" }] },
    ]);
    expect(db.statements).toHaveLength(2);
  });

  test("rows that show neither by a value nor by their order whose they are, are stored one by one", async () => {
    const { db, shop } = answering(dialect, orderOf["the last first"], (text) => text.toUpperCase());
    const create = shop.orders.insert().with("lines");
    const stored = await create.execMany([
      { code: "a", lines: [] },
      { code: "b", lines: [{ sku: "a" }] },
    ]);
    expect(stored.map(({ code, lines }) => [code, lines.length])).toEqual([
      ["A", 0],
      ["B", 1],
    ]);
    // The first attempt is undone.
    expect(db.transactions.map(({ outcome, statements }) => [outcome, statements.length])).toEqual([
      ["rolled back", 1],
      ["committed", 3],
    ]);
  });
});

test("on Oracle a level is one call, or one call for each record with rows in variables", async () => {
  const { db, shop } = answering("oracle", (rows) => [...rows]);
  const create = shop.orders.insert().with("lines");
  expect(await create.execBatch([{ code: "a", lines: [{ sku: "a" }, { sku: "b" }] }])).toBe(1);
  expect(db.statements.map(({ sql }) => sql)).toEqual([
    'INSERT INTO "orders" ("code") VALUES (:p0) RETURNING "id", "code" INTO :o0, :o1',
    'INSERT INTO "lines" ("orderId", "sku") VALUES (:p0, :p1)',
    'INSERT INTO "lines" ("orderId", "sku") VALUES (:p0, :p1)',
  ]);
  expect(db.statements.map(({ params }) => params)).toEqual([["a"], [1, "a"], [1, "b"]]);
});

test("1,000 orders with 100 lines each are two statements and their chunks", async () => {
  const { db, shop } = answering("postgres", (rows) => [...rows]);
  const create = shop.orders.insert().with("lines");
  const many = Array.from({ length: 1_000 }, () => ({
    code: "a",
    lines: Array.from({ length: 100 }, (_, i) => ({ sku: `s${i}` })),
  }));
  expect(await create.execBatch(many)).toBe(1_000);
  // 65,535 parameters a statement; a line has two.
  expect(db.statements).toHaveLength(1 + Math.ceil(100_000 / 32_767));
  expect(db.statements.slice(1).every(({ sql }) => !sql.includes("RETURNING"))).toBe(true);
});
