/** Inserts that meet a row of the same key: left alone, updated, or refused. */
import { column, table } from "rowtype";
import { postgres } from "rowtype/postgres";
import { sqlite } from "rowtype/sqlite";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { onEachServer } from "../../kit/each-server.js";
import { Person } from "../../kit/people.js";
import { sqlErrorIn, sqlErrorOf } from "../../kit/thrown.js";

const Stock = table(
  "stock",
  z.object({
    shop: z.int(),
    item: z.string(),
    code: column(z.string(), { unique: true }),
    count: column(z.int(), { default: "0" }),
    note: column(z.string().nullable(), { name: "a_note" }),
  }),
  { primaryKey: ["shop", "item"] },
);

describe("the text of an upsert", () => {
  const databases = {
    sqlite: sqlite().repository(Stock).insert(),
    postgres: postgres().repository(Stock).insert(),
  };
  const values = { sqlite: "(?, ?, ?, ?, ?)", postgres: "($1, $2, $3, $4, $5)" };
  const last = { sqlite: "?", postgres: "$6" };

  test.each(["sqlite", "postgres"] as const)("on %s", (dialect) => {
    const insert = databases[dialect].onConflict("item", "shop");
    const head = `INSERT INTO "stock" ("shop", "item", "code", "count", "a_note") VALUES ${values[dialect]} ON CONFLICT ("item", "shop") DO `;
    const tail = ' RETURNING "shop", "item", "code", "count", "a_note"';
    expect(insert.doNothing().render().native.sql).toBe(`${head}NOTHING${tail}`);
    expect(insert.doUpdate().render().native.sql).toBe(
      `${head}UPDATE SET "code" = excluded."code", "count" = excluded."count", "a_note" = excluded."a_note"${tail}`,
    );
    const set = insert.doUpdate().set("note", "code").set("count", "newCount").render();
    expect(set.native.sql).toBe(
      `${head}UPDATE SET "a_note" = excluded."code", "count" = ${last[dialect]}${tail}`,
    );
    expect(set.params).toEqual(["shop", "item", "code", "count", "note", "newCount"]);
  });

  test("an undeclared key and an unknown action are refused", () => {
    // biome-ignore lint/suspicious/noExplicitAny: an untyped caller.
    const insert: any = sqlite().repository(Stock).insert();
    const refused = (builder: { render(): unknown }) => sqlErrorIn(() => builder.render());
    expect(refused(insert.onConflict("shop").doNothing())).toMatchObject({
      code: "INVALID_FIELD",
      message: expect.stringContaining("shop+item, code"),
    });
    expect(refused(insert.onConflict("nope").doNothing())).toMatchObject({ code: "INVALID_FIELD" });
    expect(refused(insert.onConflict("code"))).toMatchObject({ code: "INVALID_SPEC" });
    expect(refused(insert.onConflict("code").doNothing().set("note", "n"))).toMatchObject({
      code: "INVALID_SPEC",
    });
    expect(refused(insert.onConflict("code").doUpdate().set("note", "n").set("note", "m"))).toMatchObject({
      code: "INVALID_FIELD",
    });
    expect(refused(insert.onConflict("code").doUpdate().set("note", "a b"))).toMatchObject({
      code: "INVALID_PARAM",
    });
    const people = sqlite().repository(Person);
    expect(
      refused(people.insertFromSpec({ on_conflict: ["email"], conflict_action: "update", conflict_set: {} })),
    ).toMatchObject({ code: "INVALID_SPEC" });
  });

  test("is unchanged by a round trip through its spec", () => {
    const stock = sqlite().repository(Stock);
    const upsert = stock.insert().onConflict("code").doUpdate().set("count", "more");
    expect(upsert.toSpec()).toEqual({
      on_conflict: ["code"],
      conflict_action: "update",
      conflict_set: { count: "more" },
    });
    expect(stock.insertFromSpec(upsert.toSpec()).render()).toEqual(upsert.render());
  });
});

onEachServer("upserts", (world) => {
  const open = async () => {
    const { db } = world();
    await db.dropTables(Stock);
    await db.createTables(Stock);
    const stock = db.repository(Stock);
    await stock.insert().exec({ shop: 1, item: "a", code: "c1", count: 5, note: "old" });
    return stock;
  };

  test("doNothing gives the stored row, or null", async () => {
    const stock = await open();
    const insert = stock.insert().onConflict("shop", "item").doNothing();
    expect(await insert.exec({ shop: 1, item: "a", code: "c2" })).toBeNull();
    expect(await insert.exec({ shop: 1, item: "b", code: "c2" })).toMatchObject({ item: "b", count: 0 });
    expect(await stock.count().exec()).toBe(2);
  });

  test("an insert without columns handles conflicts as any other", async () => {
    const { db } = world();
    const Note = table(
      "plain_notes",
      z.object({
        id: column(z.int(), { primaryKey: true, generated: "byDefault" }),
        text: column(z.string(), { default: "'new'" }),
        more: z.int().nullable(),
      }),
    );
    const Single = table("singles", z.object({ n: column(z.int(), { unique: true, default: "7" }) }));
    await db.dropTables(Note, Single);
    await db.createTables(Note, Single);
    const notes = db.repository(Note).insert();
    const row = { id: 1, text: "new", more: null };
    expect(await notes.onConflict("id").doNothing().exec({})).toEqual(row);
    expect(await notes.onConflict("id").doUpdate().exec({})).toEqual({ ...row, id: 2 });
    expect(await notes.onConflict("id").doNothing().execBatch([{}, {}])).toBe(2);
    const singles = db.repository(Single).insert();
    expect(await singles.onConflict("n").doNothing().exec({})).toEqual({ n: 7 });
    expect(await singles.onConflict("n").doNothing().exec({})).toBeNull();
    expect(await singles.onConflict().doNothing().execMany([{}])).toEqual([null]);
    expect(await singles.onConflict("n").doUpdate().exec({})).toEqual({ n: 7 });
  });

  test("doUpdate updates every inserted column outside the key, and no other", async () => {
    const stock = await open();
    const upsert = stock.insert().onConflict("shop", "item").doUpdate();
    expect(await upsert.exec({ shop: 1, item: "a", code: "c9", count: 7 })).toEqual({
      shop: 1,
      item: "a",
      code: "c9",
      count: 7,
      note: "old",
    });
    const Pair = table("pairs", z.object({ a: z.int(), b: z.int() }), { primaryKey: ["a", "b"] });
    const { db } = world();
    await db.dropTables(Pair);
    await db.createTables(Pair);
    const pairs = db.repository(Pair).insert().onConflict("a", "b").doUpdate();
    expect([await pairs.exec({ a: 1, b: 2 }), await pairs.exec({ a: 1, b: 2 })]).toEqual([
      { a: 1, b: 2 },
      { a: 1, b: 2 },
    ]);
  });

  test("set takes the proposed row's value, or a parameter", async () => {
    const stock = await open();
    const upsert = stock.insert().onConflict("code").doUpdate().set("note", "item").set("count", "newCount");
    expect(await upsert.exec({ shop: 2, item: "b", code: "c1" }, { newCount: 42 })).toEqual({
      shop: 1,
      item: "a",
      code: "c1",
      count: 42,
      note: "b",
    });
    expect(await sqlErrorOf(upsert.exec({ shop: 2, item: "b", code: "c1" }, {} as never))).toMatchObject({
      code: "MISSING_PARAM",
      param: "newCount",
    });
    expect(
      await sqlErrorOf(upsert.exec({ shop: 2, item: "b", code: "c1" }, { newCount: "x" } as never)),
    ).toMatchObject({ code: "PARAM_TYPE" });
    expect(
      await sqlErrorOf(upsert.exec({ shop: 2, item: "b", code: "c1" }, { newCount: 1, item: "x" } as never)),
    ).toMatchObject({ code: "EXTRA_PARAM" });
    expect(
      await sqlErrorOf(stock.insert().exec({ shop: 3, item: "x", code: "y" }, { z: 1 } as never)),
    ).toMatchObject({ code: "EXTRA_PARAM" });
  });

  test("a conflict on another key is a UNIQUE_VIOLATION", async () => {
    const stock = await open();
    const other = { shop: 9, item: "z", code: "c1" };
    expect(await sqlErrorOf(stock.insert().onConflict("shop", "item").doNothing().exec(other))).toMatchObject(
      { code: "UNIQUE_VIOLATION", fields: ["code"] },
    );
    expect(await sqlErrorOf(stock.insert().onConflict("shop", "item").doUpdate().exec(other))).toMatchObject({
      code: "UNIQUE_VIOLATION",
      fields: ["code"],
    });
  });

  test("a batch inserts, keeps and updates rows; the last record of a duplicate key wins", async () => {
    const stock = await open();
    const records = [
      { shop: 1, item: "a", code: "c1", count: 1 },
      { shop: 1, item: "b", code: "c2", count: 2 },
      { shop: 1, item: "b", code: "c2", count: 3, note: "x" },
      { shop: 1, item: "b", code: "c2", count: 4 },
    ];
    expect(await stock.insert().onConflict("shop", "item").doNothing().execBatch(records)).toBe(1);
    expect(await stock.select().where("item", "=", "i").exec({ i: "b" })).toMatchObject({
      count: 2,
      note: null,
    });
    expect(await stock.insert().onConflict("shop", "item").doUpdate().execBatch(records)).toBe(4);
    expect(await stock.query().fields("item", "count", "note").orderBy("item", "asc").exec()).toEqual([
      { item: "a", count: 1, note: "old" },
      { item: "b", count: 4, note: "x" },
    ]);
    const add = stock.insert().onConflict("shop", "item").doUpdate().set("note", "mark");
    const many = Array.from({ length: 20_000 }, (_, i) => ({
      shop: 2,
      item: String(i % 10_000),
      code: `m${i % 10_000}`,
    }));
    expect(await add.execBatch(many, { mark: "seen" })).toBe(20_000);
    expect(await stock.count().where("note", "=", "n").exec({ n: "seen" })).toBe(10_000);
    expect(await add.execMany(many.slice(0, 2), { mark: "again" })).toMatchObject([
      { item: "0", note: "again" },
      { item: "1", note: "again" },
    ]);
  });
});

onEachServer("aggregates and fields compared", (world) => {
  test("sum, avg, min and max over the matching rows; zero without rows", async () => {
    const { people } = world();
    expect(await people.sum("age").exec()).toBe(111);
    expect(await people.avg("age").exec()).toBe(27.75);
    expect(await people.min("age").exec()).toBe(20);
    expect(await people.max("score").exec()).toBe(1.5);
    expect(await people.sum("score").where("role", "=", "r").exec({ r: "member" })).toBeCloseTo(1.4);
    expect(await people.min("balance").exec()).toBe(-9223372036854775808n);
    expect(await people.max("balance").exec()).toBe(9007199254740993n);
    expect(
      await people
        .sum("balance")
        .whereOptional("id", "IN", "ids")
        .exec({ ids: [2, 1] }),
    ).toBe(9007199254740993n);
    const none = { id: 99 };
    expect(await people.sum("age").where("id", "=", "id").exec(none)).toBe(0);
    expect(await people.avg("age").where("id", "=", "id").exec(none)).toBe(0);
    expect(await people.max("balance").where("id", "=", "id").exec(none)).toBe(0n);
    expect(await people.sumFromSpec(people.sum("age").whereNotNull("age").toSpec()).exec()).toBe(111);
  });

  test("an aggregate without numbers is refused", () => {
    // biome-ignore lint/suspicious/noExplicitAny: an untyped caller.
    const people: any = world().people;
    expect(sqlErrorIn(() => people.sum("name").render())).toMatchObject({ code: "INVALID_AGGREGATE" });
    expect(sqlErrorIn(() => people.max().render())).toMatchObject({ code: "INVALID_AGGREGATE" });
    expect(sqlErrorIn(() => people.avgFromSpec({}).render())).toMatchObject({ code: "INVALID_AGGREGATE" });
    expect(sqlErrorIn(() => people.min("agee").render())).toMatchObject({ code: "INVALID_FIELD" });
  });

  test("compares two fields", async () => {
    const { people } = world();
    const rows = await people.query().fields("id").whereFields("id", "=", "teamId").exec();
    expect(rows).toEqual([{ id: 1 }]);
    expect(await people.count().whereFields("id", ">", "teamId").exec()).toBe(3);
    // biome-ignore lint/suspicious/noExplicitAny: an untyped caller.
    const untyped: any = people;
    expect(sqlErrorIn(() => untyped.query().whereFields("id", "=", "name").render())).toMatchObject({
      code: "INVALID_OPERATOR",
    });
    expect(sqlErrorIn(() => untyped.query().whereFields("name", "LIKE", "email").render())).toMatchObject({
      code: "INVALID_OPERATOR",
    });
  });
});
