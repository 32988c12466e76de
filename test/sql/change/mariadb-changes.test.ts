/** Changes on MariaDB, where an update gives no rows and an upsert is about every key: right ones all the same. */
import { setTimeout } from "node:timers/promises";
import type mysql from "mysql2/promise";
import { column, type Database, on, type SqlEvents, table } from "rowtype";
import { mariadb } from "rowtype/mariadb";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { z } from "zod";
import { sqlErrorIn, sqlErrorOf } from "../../kit/thrown.js";
import { type Lent, servers } from "../../servers.js";

// The work of a concurrent writer. The types of all dialects accept those of SQLite.
const OUTSIDE = { tx: null } as never;
const id = column(z.int(), { primaryKey: true });
const Item = table(
  "items",
  z.object({
    id,
    code: column(z.string(), { unique: true }),
    name: z.string(),
    size: z.int().nullable(),
  }),
);
const Pair = table("pairs", z.object({ a: z.int(), b: z.string(), note: z.string().nullable() }), {
  primaryKey: ["a", "b"],
});
const Loose = table("loose", z.object({ name: z.string(), size: z.int().nullable() }));
const Slot = table(
  "slots",
  z.object({
    day: column(z.date(), { type: { mariadb: "datetime(6)" } }),
    price: column(z.string(), { type: "decimal(30,10)" }),
    raw: z.instanceof(Uint8Array),
    big: z.bigint(),
    note: z.string().nullable(),
  }),
  { primaryKey: ["day", "price", "raw", "big"] },
);
const tables = [Item, Pair, Loose, Slot];

describe("the text of an update on MariaDB", () => {
  const items = mariadb().repository(Item);

  test("is shown as an update, although other statements are sent too", () => {
    const rename = items.modify().set("name", "name").where("code", "=", "code");
    expect(rename.render()).toEqual({
      sql: "UPDATE `items` SET `name` = :name WHERE `code` = :code",
      params: ["name", "code"],
      native: { sql: "UPDATE `items` SET `name` = ? WHERE `code` = ?", params: ["name", "code"] },
    });
  });

  test("of a table without a key cannot return rows and is refused; it can return their number", () => {
    const loose = mariadb().repository(Loose).modify().set("size", "size").where("name", "=", "name");
    for (const call of [() => loose.render(), () => loose.build()])
      expect(sqlErrorIn(call)).toMatchObject({
        code: "UNSUPPORTED",
        dialect: "mariadb",
        hint: expect.stringContaining("execBatch"),
      });
    expect(loose.safeRender()).toMatchObject({ success: false, error: { code: "UNSUPPORTED" } });
  });
});

const server = servers.find(({ name }) => name === "mariadb");
describe.skipIf(server?.available !== true)("changes on MariaDB", () => {
  let lent: Lent;
  let db: Database<"mariadb">;
  beforeAll(async () => {
    lent = (await server?.lend()) as Lent;
    db = mariadb(lent.mysqlPool);
  });
  beforeEach(async () => {
    await db.dropTables(...tables);
    await db.createTables(...tables);
    await db
      .repository(Item)
      .insert()
      .execBatch([1, 2, 3].map((n) => ({ id: n, code: `c${n}`, name: "same", size: n })));
  });
  afterAll(() => lent.close());

  describe("an update gives its rows", () => {
    test("if it changes the column of its condition", async () => {
      const items = db.repository(Item);
      const rename = items.modify().set("name", "to").where("name", "=", "from");
      const rows = await rename.execMany({ from: "same", to: "other" });
      expect(rows.map((row) => [row.id, row.name])).toEqual([
        [1, "other"],
        [2, "other"],
        [3, "other"],
      ]);
      const recode = items.modify().set("code", "to").where("code", "=", "from");
      expect(await recode.exec({ from: "c2", to: "x" })).toMatchObject({ id: 2, code: "x" });
      expect(await recode.execMany({ from: "c2", to: "y" })).toEqual([]);
    });

    test("if it changes the key, completely or in part", async () => {
      const moved = db.repository(Item).modify().set("id", "to").where("id", "=", "from");
      expect(await moved.exec({ from: 1, to: 10 })).toMatchObject({ id: 10, code: "c1" });
      const pairs = db.repository(Pair);
      await pairs.insert().execBatch([
        { a: 1, b: "x" },
        { a: 2, b: "x" },
        { a: 3, b: "y" },
      ]);
      const part = pairs.modify().set("b", "to").set("note", "note").where("b", "=", "from");
      const rows = await part.execMany({ from: "x", to: "y", note: "n" }).catch((error) => error);
      // The pair (3, "y") was there before, and is not among those that were changed.
      expect(rows).toEqual([
        { a: 1, b: "y", note: "n" },
        { a: 2, b: "y", note: "n" },
      ]);
    });

    test("if it changes nothing in them", async () => {
      const items = db.repository(Item);
      const same = items.modify().set("name", "name").where("id", "=", "id");
      expect(await same.exec({ id: 1, name: "same" })).toMatchObject({ id: 1, name: "same" });
      expect(
        await same.execBatch([
          { id: 1, name: "same" },
          { id: 9, name: "same" },
        ]),
      ).toBe(1);
    });

    test("in their current state, not in the snapshot of the transaction", async () => {
      const items = db.repository(Item);
      const found = await db.transaction(
        async (tx) => {
          await items.count().exec(undefined, { tx });
          await items.modify().set("size", "size").where("id", "=", "id").exec({ size: 77, id: 1 }, OUTSIDE);
          const same = items.modify().set("name", "name").where("id", "=", "id");
          return same.exec({ name: "same", id: 1 }, { tx });
        },
        { isolation: "repeatable read" },
      );
      expect(found).toMatchObject({ size: 77 });
    });

    test("each caller its own, for concurrent callers", async () => {
      const items = db.repository(Item);
      const claim = items.modify().set("name", "to").where("name", "=", "from").where("id", "=", "id");
      const rounds = Array.from({ length: 30 }, (_, i) =>
        claim.execMany({ from: "same", to: `by ${i}`, id: 1 }),
      );
      const winners = (await Promise.all(rounds)).flatMap((rows, i) =>
        rows.map((row) => ({ by: `by ${i}`, got: row.name })),
      );
      expect(winners).toHaveLength(1);
      expect(winners[0]?.got).toBe(winners[0]?.by);
      const write = items.modify().set("name", "name").where("id", "=", "id");
      const written = await Promise.all(
        Array.from({ length: 30 }, (_, i) => write.exec({ name: `n${i}`, id: 2 })),
      );
      expect(written.map(({ name }) => name)).toEqual(Array.from({ length: 30 }, (_, i) => `n${i}`));
    });

    test("by keys of every kind, exactly", async () => {
      const slots = db.repository(Slot);
      const keys = [
        { day: new Date("2024-01-02T03:04:05.678Z"), price: "12345678901234567890.1234567891" },
        { day: new Date("0099-01-02T03:04:05.001Z"), price: "12345678901234567890.1234567892" },
      ];
      for (const key of keys)
        for (const big of [9007199254740993n, 9007199254740992n])
          await slots.insert().exec({ ...key, raw: new Uint8Array([0, 92, 255]), big });
      // Finer than what a Date holds: the key is taken as the server gives it.
      await lent.run("UPDATE slots SET day = day + INTERVAL 5 MICROSECOND");
      const mark = slots.modify().set("note", "note").where("big", "=", "big");
      const rows = await mark.execMany({ note: "marked", big: 9007199254740993n });
      expect(rows).toHaveLength(2);
      expect(rows.every(({ note, big }) => note === "marked" && big === 9007199254740993n)).toBe(true);
      expect(await slots.count().where("note", "=", "note").exec({ note: "marked" })).toBe(2);
    });

    test("of more keys than a statement takes, all or nothing", async () => {
      const items = db.repository(Item);
      await lent.run(
        "INSERT INTO items (id, code, name, size) SELECT seq + 100, CONCAT('m', seq), 'many', seq FROM seq_0_to_65999",
      );
      const grow = items.modify().set("name", "to").where("name", "=", "from");
      const rows = await grow.execMany({ from: "many", to: "grown" });
      expect(rows).toHaveLength(66_000);
      expect(new Set(rows.map(({ id: one }) => one)).size).toBe(66_000);
      expect(await items.count().where("name", "=", "name").exec({ name: "grown" })).toBe(66_000);
      // A server that fails half way: in a transaction that goes on, nothing of it stays.
      await lent.run(
        "CREATE TRIGGER half BEFORE UPDATE ON items FOR EACH ROW BEGIN IF OLD.id > 66050 THEN SIGNAL SQLSTATE '45000'; END IF; END",
      );
      await db.transaction(async (tx) => {
        const failing = grow.execMany({ from: "grown", to: "lost" }, { tx });
        expect(await sqlErrorOf(failing)).toMatchObject({ code: "QUERY_FAILED" });
      });
      await lent.run("DROP TRIGGER half");
      expect(await items.count().where("name", "=", "name").exec({ name: "lost" })).toBe(0);
    });

    test("by its key in two statements, and by another condition in three", async () => {
      const sent: string[] = [];
      const pool = lent.mysqlPool as mysql.Pool;
      const listening = {
        execute: () => Promise.reject(new Error("outside of the transaction")),
        getConnection: async () => {
          const connection = await pool.getConnection();
          return {
            threadId: connection.threadId,
            execute: (statement: { sql: string }) => {
              sent.push(statement.sql);
              return connection.execute(statement as never);
            },
            query: (sql: string) => {
              // What is asked of a session before its first statement.
              if (!sql.includes("@@character_set")) sent.push(sql);
              return connection.query(sql);
            },
            unprepare: () => undefined,
            release: () => connection.release(),
            destroy: () => connection.destroy(),
          };
        },
      };
      const items = mariadb(listening as never).repository(Item);
      const all = "`id`, `code`, `name`, `size`";
      const byCode = items.modify().set("name", "name").where("code", "=", "code");
      await byCode.exec({ name: "x", code: "c1" });
      expect(sent.splice(0)).toEqual([
        "START TRANSACTION",
        "UPDATE `items` SET `name` = ? WHERE `code` = ?",
        `SELECT ${all} FROM \`items\` WHERE \`code\` = ? FOR UPDATE`,
        "COMMIT",
      ]);
      await items
        .modify()
        .set("code", "to")
        .set("id", "id")
        .where("code", "=", "code")
        .exec({ to: "x", id: 9, code: "c1" });
      expect(sent.splice(0)).toEqual([
        "START TRANSACTION",
        "SELECT `id` FROM `items` WHERE `code` = ? FOR UPDATE",
        "UPDATE `items` SET `code` = ?, `id` = ? WHERE `id` IN (?)",
        `SELECT ${all} FROM \`items\` WHERE \`id\` = ? FOR UPDATE`,
        "COMMIT",
      ]);
      await items
        .modify()
        .setExpr("size", "+", "more")
        .where("name", "=", "name")
        .execMany({ more: 1, name: "same" });
      expect(sent.splice(0)).toEqual([
        "START TRANSACTION",
        "SELECT `id` FROM `items` WHERE `name` = ? FOR UPDATE",
        "UPDATE `items` SET `size` = `size` + CAST(? AS SIGNED) WHERE `id` IN (?, ?)",
        `SELECT ${all} FROM \`items\` WHERE \`id\` IN (?, ?) FOR UPDATE`,
        "COMMIT",
      ]);
      await byCode.execMany({ name: "x", code: "nobody" });
      expect(sent).toHaveLength(3);
    });

    test("by another key if arithmetic changes one, and not if it changes all", async () => {
      const items = db.repository(Item);
      const shift = items.modify().setExpr("id", "+", "n").where("id", ">", "from");
      const rows = await shift.execMany({ n: 100, from: 1 });
      expect(rows.map(({ id: one, code }) => [one, code])).toEqual([
        [102, "c2"],
        [103, "c3"],
      ]);
      const slot = mariadb().repository(Slot).modify().setExpr("big", "+", "n").where("big", "=", "big");
      expect(sqlErrorIn(() => slot.render())).toMatchObject({ code: "UNSUPPORTED" });
    });

    test("without a key it does not, and counts them", async () => {
      const loose = db.repository(Loose);
      await loose.insert().execBatch([{ name: "a" }, { name: "a" }, { name: "b" }]);
      const grow = loose.modify().set("size", "size").where("name", "=", "name");
      expect(await sqlErrorOf(grow.execMany({ size: 1, name: "a" }))).toMatchObject({ code: "UNSUPPORTED" });
      expect(await grow.execBatch([{ size: 1, name: "a" }])).toBe(2);
      expect(await loose.remove().where("name", "=", "name").execMany({ name: "a" })).toHaveLength(2);
    });

    test("and is reported as one statement", async () => {
      const told: SqlEvents["db.query.completed"][] = [];
      const off = on("db.query.completed", (event) => told.push(event));
      await db
        .repository(Item)
        .modify()
        .set("name", "name")
        .where("id", "=", "id")
        .exec({ name: "x", id: 1 });
      off();
      expect(told).toMatchObject([
        { operation: "UPDATE", sql: "UPDATE `items` SET `name` = ? WHERE `id` = ?", rowsReturned: 1 },
      ]);
    });
  });

  describe("an upsert applies to the named key only", () => {
    const both = { id: 1, code: "c2", name: "new", size: 0 };

    test("the row of the named key is updated, also if another key conflicts with another row first", async () => {
      const items = db.repository(Item);
      const byCode = items.insert().onConflict("code").doUpdate().set("name", "name");
      expect(await byCode.exec(both)).toEqual({ id: 2, code: "c2", name: "new", size: 2 });
      expect(await items.select().where("id", "=", "id").exec({ id: 1 })).toMatchObject({ name: "same" });
    });

    test("what the update then breaks is a violation", async () => {
      const items = db.repository(Item);
      const all = items.insert().onConflict("id").doUpdate();
      expect(await sqlErrorOf(all.exec(both))).toMatchObject({ code: "UNIQUE_VIOLATION", fields: ["code"] });
      expect(await items.query().fields("name").distinct().exec()).toEqual([{ name: "same" }]);
    });

    test("a conflict of another key alone is a violation, one by one and in a batch", async () => {
      const items = db.repository(Item);
      const byId = items.insert().onConflict("id").doUpdate();
      const record = { id: 9, code: "c3", name: "new", size: 0 };
      const violation = { code: "UNIQUE_VIOLATION", fields: ["code"] };
      expect(await sqlErrorOf(byId.exec(record))).toMatchObject(violation);
      expect(await sqlErrorOf(byId.execBatch([{ ...record, code: "new" }, record]))).toMatchObject(violation);
      const byCode = items.insert().onConflict("code").doNothing();
      const other = { id: 3, code: "new", name: "new", size: 0 };
      expect(await sqlErrorOf(byCode.exec(other))).toMatchObject({ ...violation, fields: ["id"] });
      expect(await sqlErrorOf(byCode.execBatch([{ ...other, id: 10, code: "newer" }, other]))).toMatchObject({
        fields: ["id"],
      });
      expect(await items.count().exec()).toBe(3);
    });

    test("a batch updates the rows of the named key, also if another key conflicts first", async () => {
      const items = db.repository(Item);
      const byCode = items.insert().onConflict("code").doUpdate().set("name", "name");
      expect(
        await byCode.execBatch([{ ...both, id: 20, code: "c20" }, both, { ...both, id: 3, code: "c3" }]),
      ).toBe(3);
      expect(await items.query().fields("id", "name").orderBy("id", "asc").exec()).toEqual([
        { id: 1, name: "same" },
        { id: 2, name: "new" },
        { id: 3, name: "new" },
        { id: 20, name: "new" },
      ]);
    });

    test("doNothing keeps the row of the named key, and counts the stored rows", async () => {
      const items = db.repository(Item);
      const byCode = items.insert().onConflict("code").doNothing();
      expect(await byCode.exec(both)).toBeNull();
      expect(await byCode.execMany([both, { ...both, id: 30, code: "c30" }])).toMatchObject([
        null,
        { id: 30 },
      ]);
      const records = Array.from({ length: 3_000 }, (_, i) => ({ ...both, id: 100 + i, code: `c${i}` }));
      expect(await byCode.execBatch(records)).toBe(2_996);
      expect(await byCode.execBatch(records)).toBe(0);
    });

    test("the key itself may be changed by it, and the row comes back", async () => {
      const items = db.repository(Item);
      const byCode = items.insert().onConflict("code").doUpdate().set("code", "newCode");
      expect(await byCode.exec(both, { newCode: "z" })).toMatchObject({ id: 2, code: "z", name: "same" });
    });

    test("a null in a key conflicts with no row", async () => {
      const Open = table(
        "open_keys",
        z.object({
          id: column(z.int(), { primaryKey: true }),
          tag: column(z.string().nullable(), { unique: true }),
        }),
      );
      await db.dropTables(Open);
      await db.createTables(Open);
      const open = db.repository(Open);
      const byTag = open.insert().onConflict("tag").doUpdate().set("tag", "tag");
      await byTag.exec({ id: 1, tag: null });
      await byTag.exec({ id: 2 });
      expect(await sqlErrorOf(byTag.exec({ id: 1, tag: null }))).toMatchObject({
        code: "UNIQUE_VIOLATION",
        fields: ["id"],
      });
      expect(await open.count().exec()).toBe(2);
    });

    test("concurrent callers store one row of a key", async () => {
      const items = db.repository(Item);
      const upsert = items.insert().onConflict("code").doUpdate().set("name", "name");
      const calls = Array.from({ length: 40 }, (_, i) =>
        upsert.exec({ id: 500 + i, code: "hot", name: `n${i}`, size: null }),
      );
      const rows = await Promise.all(calls);
      expect(new Set(rows.map(({ id: one }) => one)).size).toBe(1);
      expect(rows.map(({ name }) => name)).toEqual(rows.map((_, i) => `n${i}`));
      expect(await items.count().where("code", "=", "code").exec({ code: "hot" })).toBe(1);
    });

    test("waits for a concurrent writer that is storing the row", async () => {
      const items = db.repository(Item);
      const nothing = items.insert().onConflict("code").doNothing();
      const record = { id: 70, code: "late", name: "rival", size: null };
      let answer: Promise<unknown> | undefined;
      await db.transaction(async (tx) => {
        await items.insert().exec(record, undefined, { tx });
        answer = nothing.exec({ ...record, id: 71 }, undefined, OUTSIDE);
        await setTimeout(30);
      });
      expect(await answer).toBeNull();
    });
  });
});
