/** Batches where the server knows better than the records: keys that it takes for one, and tables with triggers. */
import { column, type Database, table } from "rowtype";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { z } from "zod";
import { sqlErrorOf } from "../../kit/thrown.js";
import { type Lent, servers } from "../../servers.js";

const Price = table(
  "prices",
  z.object({
    amount: column(z.string(), { primaryKey: true, type: "decimal(10,4)" }),
    note: z.string(),
  }),
);
const Word = table(
  "words",
  z.object({
    id: column(z.int(), { primaryKey: true, generated: true }),
    word: column(z.string(), { unique: true, type: "varchar(20)" }),
    n: column(z.int(), { default: "0" }),
  }),
);

/** A trigger of both servers: what it does to `NEW` before an insert or an update. */
function triggerOn(name: string, event: "INSERT" | "UPDATE", sets: string): readonly string[] {
  if (name === "mariadb")
    return [`CREATE TRIGGER changes BEFORE ${event} ON words FOR EACH ROW ${sets.replaceAll(":=", "=")}`];
  const body = sets.replace(/^SET /, "");
  return [
    `CREATE OR REPLACE FUNCTION changes() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN ${body}; RETURN NEW; END $$`,
    `CREATE TRIGGER changes BEFORE ${event} ON words FOR EACH ROW EXECUTE FUNCTION changes()`,
  ];
}

for (const server of servers.filter(({ name }) => name === "postgres" || name === "mariadb"))
  describe.skipIf(!server.available)(`batches that the server judges, on ${server.name}`, () => {
    let lent: Lent;
    let db: Database<"sqlite">;
    beforeAll(async () => {
      lent = await server.lend();
      db = lent.db as unknown as Database<"sqlite">;
    });
    afterAll(() => lent.close());
    beforeEach(async () => {
      await db.dropTables(Price, Word);
      await db.createTables(Price, Word);
    });
    const words = () => db.repository(Word);
    const stored = async () =>
      (await words().query().orderBy("id", "asc").exec()).map(({ word, n }) => `${word} ${n}`);
    const trigger = async (event: "INSERT" | "UPDATE", sets: string) => {
      for (const sql of triggerOn(server.name, event, sets)) await lent.run(sql);
    };
    const given = ["Ann", "Bob", "Cid", "Dan"].map((word, n) => ({ word, n }));

    test("two keys that are one to the server: the last upsert wins, doNothing leaves the second alone", async () => {
      const insert = db.repository(Price).insert().onConflict("amount");
      const twice = [
        { amount: "1.5", note: "a" },
        { amount: "2", note: "b" },
        { amount: "1.50", note: "c" },
      ];
      for (let call = 0; call < 2; call++) {
        const rows = await insert.doUpdate().execMany(twice);
        expect(rows.map(({ amount, note }) => [Number(amount), note])).toEqual([
          [1.5, "a"],
          [2, "b"],
          [1.5, "c"],
        ]);
        expect(await insert.doUpdate().execBatch(twice)).toBe(3);
        expect(await db.repository(Price).count().exec()).toBe(2);
        const last = db.repository(Price).select().where("amount", "=", "amount");
        expect(await last.exec({ amount: "1.5" })).toMatchObject({ note: "c" });
      }
      const left = [
        { amount: "2.0", note: "x" },
        { amount: "3", note: "y" },
        { amount: "3.0", note: "z" },
      ];
      const rows = await insert.doNothing().execMany(left);
      expect(rows.map((row) => row?.note ?? null)).toEqual([null, "y", null]);
      expect(await insert.doNothing().execBatch(left)).toBe(0);
      expect(await insert.doNothing().execBatch([...left, { amount: "4", note: "w" }])).toBe(1);
    });

    test("a trigger that changes what is stored: rows show it, in the records' order", async () => {
      await trigger("INSERT", "SET NEW.n := NEW.n + 100");
      for (let call = 0; call < 2; call++) {
        const records = given.map(({ word, n }) => ({ word: `${word}${call}`, n }));
        const rows = await words().insert().execMany(records);
        expect(rows.map(({ word, n }) => [word, n])).toEqual(records.map(({ word, n }) => [word, n + 100]));
      }
    });

    test("a trigger that changes the key: who is left alone, and which row is whose, is as one by one", async () => {
      await trigger("INSERT", "SET NEW.word := LOWER(NEW.word)");
      const leave = words().insert().onConflict("word").doNothing();
      await leave.exec({ word: "BOB", n: 7 });
      for (let call = 0; call < 2; call++) {
        const records = given.map(({ word, n }) => ({ word: `${word}${call}`.toLowerCase(), n }));
        expect(await leave.execMany(records)).toMatchObject(records);
        expect(await leave.execMany([{ word: "bob" }, { word: `eve${call}` }])).toMatchObject([
          null,
          { word: `eve${call}` },
        ]);
      }
      const upserts = await words()
        .insert()
        .onConflict("word")
        .doUpdate()
        .execMany([
          { word: "bob", n: 1 },
          { word: "zoe", n: 2 },
        ]);
      expect(upserts.map(({ word, n }) => [word, n])).toEqual([
        ["bob", 1],
        ["zoe", 2],
      ]);
    });

    test("rows that are left alone meet no trigger of updates", async () => {
      await words().insert().execBatch(given);
      await trigger("UPDATE", "SET NEW.n := NEW.n + 100");
      const before = await stored();
      const leave = words().insert().onConflict("word").doNothing();
      expect(await leave.execBatch(given)).toBe(0);
      expect(await leave.execMany(given)).toEqual([null, null, null, null]);
      expect(await stored()).toEqual(before);
      const rows = await words().insert().onConflict("word").doUpdate().execMany(given.slice(0, 2));
      expect(rows.map(({ word, n }) => [word, n])).toEqual([
        ["Ann", 100],
        ["Bob", 101],
      ]);
    });

    test("inserts into a table whose trigger has made a row that cannot be read are undone from then on", async () => {
      const loose = async () => (await lent.run("SELECT word FROM words")).length;
      await words().insert().exec({ word: "Ann" });
      await trigger("INSERT", "SET NEW.n := 9007199254740993");
      expect(await sqlErrorOf(words().insert().exec({ word: "Bob" }))).toMatchObject({
        code: "DECODE_FAILED",
      });
      const before = await loose();
      for (const insert of [words().insert(), words().insert().onConflict("word").doNothing()])
        expect(await sqlErrorOf(insert.exec({ word: "Cid", n: 1 }))).toMatchObject({ code: "DECODE_FAILED" });
      expect(await loose()).toBe(before);
    });

    test("a trigger that refuses one record undoes all of them", async () => {
      const refuse =
        server.name === "mariadb"
          ? "BEGIN IF NEW.word = 'Cid' THEN SIGNAL SQLSTATE '45000'; END IF; END"
          : "IF NEW.word = 'Cid' THEN RAISE EXCEPTION 'no'; END IF";
      await trigger("INSERT", refuse);
      const insert = words().insert();
      const conflicting = insert.onConflict("word");
      for (const builder of [insert, conflicting.doNothing(), conflicting.doUpdate()])
        for (let call = 0; call < 2; call++) {
          expect(await sqlErrorOf(builder.execMany(given))).toMatchObject({ code: "QUERY_FAILED" });
          expect(await sqlErrorOf(builder.execBatch(given))).toMatchObject({ code: "QUERY_FAILED" });
          expect(await stored()).toEqual([]);
        }
    });

    test.skipIf(server.name === "mariadb")(
      "a trigger that leaves a record out undoes all of them",
      async () => {
        await trigger("INSERT", "IF NEW.word = 'Cid' THEN RETURN NULL; END IF");
        for (let call = 0; call < 2; call++) {
          expect(await sqlErrorOf(words().insert().execMany(given))).toMatchObject({ code: "NO_ROWS" });
          expect(await stored()).toEqual([]);
        }
      },
    );
  });
