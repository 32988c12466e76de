/** A call that rejects has changed nothing: what cannot be read back is undone, on every server. */

import Sqlite from "better-sqlite3";
import { add, column, type Database, json, mul, param, table } from "rowtype";
import { sqlite } from "rowtype/sqlite";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { z } from "zod";
import { sqlErrorOf } from "../../kit/thrown.js";
import { type Lent, servers } from "../../servers.js";

const MOST = 9_007_199_254_740_991;

const Tally = table(
  "tallies",
  z.object({
    id: column(z.int(), { primaryKey: true }),
    name: column(z.string(), { unique: true }),
    n: z.int(),
    role: column(z.enum(["a", "b"]), { default: "'a'" }),
    m: column(z.int(), { default: "9007199254740993" }),
  }),
);

/** The same table with defaults that can be read. */
const Plain = table(
  "tallies",
  z.object({
    id: column(z.int(), { primaryKey: true }),
    name: column(z.string(), { unique: true }),
    n: z.int(),
    role: column(z.string(), { default: "'a'" }),
    m: column(z.bigint(), { default: "9007199254740993" }),
  }),
);

const Sum = table(
  "sums",
  z.object({ role: column(z.string(), { primaryKey: true }), most: z.int().nullable() }),
);

for (const server of servers)
  describe.skipIf(!server.available)(`rows that cannot be decoded on ${server.name}`, () => {
    let lent: Lent;
    let db: Database<"sqlite">;
    beforeAll(async () => {
      lent = await server.lend();
      db = lent.db as unknown as Database<"sqlite">;
    });
    afterAll(() => lent.close());
    beforeEach(async () => {
      await db.dropTables(Tally, Sum);
      await db.createTables(Tally, Sum);
      const plain = db.repository(Plain).insert();
      await plain.execBatch([
        { id: 1, name: "one", n: 1, m: 1n },
        { id: 2, name: "two", n: 2, role: "zzz", m: 2n },
        { id: 3, name: "three", n: 3, m: 9007199254740993n },
      ]);
    });
    const stored = () => db.repository(Plain).query().orderBy("id", "asc").exec();
    const tallies = () => db.repository(Tally);

    const calls: Readonly<Record<string, () => Promise<unknown>>> = {
      "setExpr past the safe integers": () =>
        tallies().modify().setExpr("n", "+", "by").where("id", "=", "id").exec({ by: MOST, id: 1 }),
      "modify exec of a row with an unknown value": () =>
        tallies().modify().set("name", "name").where("id", "=", "id").exec({ name: "new", id: 2 }),
      "modify exec of a row with a great number": () =>
        tallies().modify().set("name", "name").where("id", "=", "id").exec({ name: "new", id: 3 }),
      "modify execMany": () => tallies().modify().set("n", "n").where("id", ">", "id").exec({ n: 9, id: 2 }),
      "modify execMany of all": () =>
        tallies().modify().set("n", "n").where("id", ">", "id").execMany({ n: 9, id: 0 }),
      execPatch: () => tallies().modify().where("id", "=", "id").execPatch({ n: 5 }, { id: 2 }),
      "remove execMany": () => tallies().remove().where("id", ">=", "id").execMany({ id: 1 }),
      "insert with a default that cannot be read": () =>
        tallies().insert().exec({ id: 4, name: "four", n: 4 }),
      "execMany with a default that cannot be read": () =>
        tallies()
          .insert()
          .execMany([
            { id: 4, name: "four", n: 4, m: 4 },
            { id: 5, name: "five", n: 5 },
          ]),
      "an upsert of a row with an unknown value": () =>
        tallies().insert().onConflict("id").doUpdate().exec({ id: 2, name: "new", n: 7 }),
      "execMany of upserts": () =>
        tallies()
          .insert()
          .onConflict("id")
          .doUpdate()
          .execMany([
            { id: 1, name: "new", n: 7 },
            { id: 2, name: "newer", n: 7 },
          ]),
      "doNothing with a default that cannot be read": () =>
        tallies().insert().onConflict("id").doNothing().exec({ id: 4, name: "four", n: 4 }),
      "execMany of doNothing": () =>
        tallies()
          .insert()
          .onConflict("id")
          .doNothing()
          .execMany([
            { id: 1, name: "x", n: 4, m: 4 },
            { id: 4, name: "four", n: 4 },
          ]),
    };
    // A second call of the same text is undone like the first.
    test.each(Object.keys(calls))("%s is rolled back", async (name) => {
      const before = await stored();
      for (let i = 0; i < 2; i++) {
        expect(await sqlErrorOf(calls[name]?.() ?? Promise.resolve())).toMatchObject({
          code: "DECODE_FAILED",
        });
        expect(await stored()).toEqual(before);
      }
      // The connection is of use afterwards.
      expect(await tallies().insert().exec({ id: 9, name: "nine", n: 9, m: 9 })).toMatchObject({ id: 9 });
    });

    const by = param("by");
    const unseen: Readonly<Record<string, () => Promise<unknown>>> = {
      "execBatch of setExpr": () =>
        tallies()
          .modify()
          .setExpr("n", "+", "by")
          .where("id", "=", "id")
          .execBatch([{ by: MOST, id: 1 }]),
      "execBatch of setExpr downwards": () =>
        tallies()
          .modify()
          .setExpr("n", "-", "by")
          .where("id", "=", "id")
          .execBatch([
            { by: MOST, id: 1 },
            { by: 2, id: 1 },
          ]),
      "execBatch of an expression": () =>
        tallies()
          .modify()
          .set("n", mul("n", by))
          .where("id", "=", "id")
          .execBatch([{ by: MOST, id: 2 }]),
      "returning another field": () =>
        tallies()
          .modify()
          .set("n", add("n", by))
          .where("id", "=", "id")
          .returning("id")
          .exec({ by: MOST, id: 1 }),
      "execMany returning another field": () =>
        tallies()
          .modify()
          .setExpr("n", "+", "by")
          .where("id", "<", "id")
          .returning("id")
          .execMany({ by: MOST, id: 2 }),
      "execBatch of upserts": () =>
        tallies()
          .insert()
          .onConflict("id")
          .doUpdate()
          .set("n", add("n", by))
          .execBatch([{ id: 1, name: "one", n: 1, m: 1 }], { by: MOST }),
      "an upsert returning another field": () =>
        tallies()
          .insert()
          .onConflict("id")
          .doUpdate()
          .set("n", add("n", by))
          .returning("id")
          .exec({ id: 1, name: "one", n: 1, m: 1 }, { by: MOST }),
      execFrom: () => {
        const query = tallies().query().fields("role", add("n", by).as("most")).where("id", "=", "id");
        return db.repository(Sum).insert().execFrom(query, { by: MOST, id: 1 });
      },
    };
    test.each(Object.keys(unseen))("%s: a number that could not be read is not stored", async (name) => {
      const before = await stored();
      expect(await sqlErrorOf(unseen[name]?.() ?? Promise.resolve())).toMatchObject({
        code: expect.stringMatching(/^(QUERY|DECODE)_FAILED$/),
      });
      expect(await stored()).toEqual(before);
      expect(await db.repository(Sum).count().exec()).toBe(0);
    });

    test("the greatest and the least number that can be read are stored by such a statement", async () => {
      const more = tallies().modify().setExpr("n", "+", "by").where("id", "=", "id");
      await more.execBatch([{ by: MOST - 1, id: 1 }]);
      await more.execBatch([
        { by: -MOST, id: 2 },
        { by: -2, id: 2 },
      ]);
      expect((await stored()).map(({ n }) => n).slice(0, 2)).toEqual([MOST, -MOST]);
      await more.execBatch([{ by: -MOST, id: 1 }]);
      expect((await stored())[0]?.n).toBe(0);
    });

    test("inside the caller's transaction, the transaction decides", async () => {
      const failed = await db.transaction(async (tx) => {
        const modify = tx.repository(Tally).modify().set("name", "name").where("id", "=", "id");
        const error = await sqlErrorOf(modify.exec({ name: "new", id: 2 }));
        expect(await tx.repository(Plain).select().where("id", "=", "id").exec({ id: 2 })).toBeDefined();
        return error;
      });
      expect(failed).toMatchObject({ code: "DECODE_FAILED" });
    });

    // A NUMBER of Oracle holds more than 64 bits.
    test.skipIf(server.dialect === "oracle")(
      "an overflow of 64 bits is refused, and changes nothing",
      async () => {
        await db
          .repository(Plain)
          .modify()
          .set("m", "m")
          .where("id", "=", "id")
          .exec({ m: 2n ** 63n - 1n, id: 1 });
        const before = await stored();
        const plain = db.repository(Plain).modify();
        const more = plain.setExpr("m", "+", "by").where("id", "=", "id");
        const fails = [
          () => more.exec({ by: 1n, id: 1 }),
          () => more.execBatch([{ by: 1n, id: 1 }]),
          () =>
            plain
              .setExpr("m", "*", "by")
              .where("id", "=", "id")
              .exec({ by: 2n ** 62n, id: 1 }),
        ];
        for (const call of fails) {
          expect(await sqlErrorOf(call())).toMatchObject({ code: "QUERY_FAILED" });
          expect(await stored()).toEqual(before);
        }
      },
    );

    test("rows of JSON that the schema refuses are rolled back", async () => {
      const Loose = table(
        "docs",
        z.object({ id: column(z.int(), { primaryKey: true }), doc: json(z.unknown()) }),
      );
      const Strict = table(
        "docs",
        z.object({ id: column(z.int(), { primaryKey: true }), doc: json(z.object({ a: z.int() })) }),
      );
      await db.dropTables(Loose);
      await db.createTables(Loose);
      await db
        .repository(Loose)
        .insert()
        .exec({ id: 1, doc: { b: 1 } });
      const remove = db.repository(Strict).remove().where("id", "=", "id");
      expect(await sqlErrorOf(remove.execMany({ id: 1 }))).toMatchObject({ code: "DECODE_FAILED" });
      expect(await db.repository(Loose).count().exec()).toBe(1);
    });
  });

test("numbers that overflow on SQLite are refused, NULL stays NULL", async () => {
  const handle = new Sqlite(":memory:");
  const db = sqlite(handle);
  const Size = table(
    "sizes",
    z.object({ id: column(z.int(), { primaryKey: true }), x: z.number().nullable(), n: z.int() }),
  );
  await db.createTables(Size);
  const sizes = db.repository(Size);
  await sizes.insert().execBatch([
    { id: 1, x: 1e308, n: 7 },
    { id: 2, x: null, n: -7 },
  ]);
  const times = sizes.modify().setExpr("x", "*", "by").where("id", "=", "id");
  expect(await sqlErrorOf(times.exec({ by: 10, id: 1 }))).toMatchObject({ code: "QUERY_FAILED" });
  expect(await times.exec({ by: 10, id: 2 })).toMatchObject({ x: null });
  expect(await times.exec({ by: 0.5, id: 1 })).toMatchObject({ x: 5e307 });
  const divided = sizes.modify().setExpr("n", "/", "by").where("id", ">", "id");
  expect(await divided.execMany({ by: 2, id: 0 })).toMatchObject([{ n: 3 }, { n: -3 }]);
  handle.close();
});
