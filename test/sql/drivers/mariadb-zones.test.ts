/**
 * Columns of MariaDB that the server keeps as instants and shows in the zone of the session: dates are right whatever
 * that zone is, the hours that a change of the clock gives twice or leaves out among them.
 */
import mysql from "mysql2/promise";
import { column, type Database, max, min, table } from "rowtype";
import { mariadb } from "rowtype/mariadb";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { z } from "zod";
import { mariadbIsInstalled, type OwnServer, startMariadb } from "../../mariadb-server.js";

const Stamp = table(
  "stamps",
  z.object({
    id: column(z.int(), { primaryKey: true }),
    at: column(z.date().nullable(), { type: "timestamp(3)", unique: true }),
    fine: column(z.date().nullable(), { type: "timestamp(6)" }),
    made: column(z.date(), { type: "timestamp(3)", default: "CURRENT_TIMESTAMP" }),
    text: column(z.date().nullable(), { type: "datetime(3)" }),
  }),
);
/** A table that rowtype did not create, whose declaration does not say that its dates are instants. */
const Bare = table(
  "bares",
  z.object({
    id: column(z.int(), { primaryKey: true }),
    at: z.date().nullable(),
    made: column(z.date(), { default: "CURRENT_TIMESTAMP" }),
    text: z.date().nullable(),
  }),
);
const BARE = `CREATE TABLE bares (id bigint PRIMARY KEY, at timestamp(3) NULL,
  made timestamp(3) DEFAULT CURRENT_TIMESTAMP(3), text datetime(3))`;
/** Another table, without instants. */
const Plain = table("plains", z.object({ id: column(z.int(), { primaryKey: true }) }));

const dates = [
  "1970-01-02T00:00:00.001Z",
  // The clock of Berlin leaves out what lies between 2:00 and 3:00 there, and has it twice in October.
  "2026-03-29T00:59:59.999Z",
  "2026-03-29T01:00:00.000Z",
  "2026-03-29T01:30:00.000Z",
  "2026-03-29T02:30:00.000Z",
  "2026-10-25T00:30:00.000Z",
  "2026-10-25T01:30:00.000Z",
  "2037-12-31T23:59:59.999Z",
].map((text) => new Date(text));

describe.skipIf(!mariadbIsInstalled)("instants of MariaDB", () => {
  let server: OwnServer;
  let admin: mysql.Connection;
  beforeAll(async () => {
    server = await startMariadb("TZ=Europe/Berlin");
    admin = await mysql.createConnection({ uri: server.url.href, multipleStatements: true });
    await admin.query("CREATE DATABASE zones; USE zones");
  }, 60_000);
  afterAll(async () => {
    await admin?.end();
    await server?.stop();
  });

  describe.each(["+05:30", "SYSTEM", "-12:00", "+00:00"])("in a session whose zone is %s", (zone) => {
    let pool: mysql.Pool;
    let db: Database<"mariadb">;
    beforeEach(async () => {
      pool = mysql.createPool({ uri: new URL("/zones", server.url).href, connectionLimit: 2 });
      pool.on("connection", (connection) => void connection.query(`SET time_zone = '${zone}'`));
      db = mariadb(pool);
      await db.dropTables(Stamp, Plain);
      await db.createTables(Stamp, Plain);
      return () => pool.end();
    });
    /** What is stored, as the server itself tells it in UTC. */
    const stored = async () => {
      const columns = "CAST(at AS CHAR) a, CAST(fine AS CHAR) f, CAST(text AS CHAR) t";
      await admin.query("SET time_zone = '+00:00'");
      const [rows] = await admin.query(`SELECT ${columns} FROM stamps ORDER BY id`);
      return (rows as { a: string; f: string; t: string }[]).map(({ a, f, t }) => [a, f, t]);
    };
    const texts = (at: Date) => {
      const text = at.toISOString().replace("T", " ").slice(0, 23);
      return [text, `${text}000`, text];
    };
    const records = dates.map((at, id) => ({ id, at, fine: at, text: at }));

    test("written by every kind of statement, the instant is the one that was given", async () => {
      const stamps = db.repository(Stamp);
      const before = Date.now();
      const [first, ...rest] = records;
      const row = await stamps.insert().exec(first as (typeof records)[0]);
      expect(row).toMatchObject({ at: dates[0], fine: dates[0], text: dates[0] });
      expect(Math.abs(row.made.getTime() - before)).toBeLessThan(60_000);
      expect((await stamps.insert().execMany(rest)).map(({ at }) => at)).toEqual(dates.slice(1));
      expect(await stored()).toEqual(dates.map(texts));
      const move = stamps.modify().set("at", "at").set("fine", "at").set("text", "at").where("id", "=", "id");
      for (const [id, at] of dates.entries()) {
        const to = new Date(at.getTime() + 1_000);
        if (id === dates.length - 1) continue;
        expect(await move.exec({ id, at: to })).toMatchObject({ at: to, fine: to, text: to });
      }
      await move.execBatch(dates.map((at, id) => ({ id, at })));
      expect(await stored()).toEqual(dates.map(texts));
      const leave = stamps.insert().onConflict("at").doNothing();
      expect(await leave.execMany(records.map((one) => ({ ...one, id: one.id + 50 })))).toEqual(
        dates.map(() => null),
      );
      const upsert = stamps.insert().onConflict("at").doUpdate().set("text", "text");
      expect((await upsert.execMany(records)).map(({ at }) => at)).toEqual(dates);
      expect(await stored()).toEqual(dates.map(texts));
    });

    test("read, compared, ordered and streamed, it is the one that is stored", async () => {
      const stamps = db.repository(Stamp);
      await stamps.insert().execBatch(records);
      for (const [id, at] of dates.entries()) {
        expect(await stamps.query().fields("id").where("at", "=", "at").exec({ at })).toEqual([{ id }]);
        expect(await stamps.query().fields("id").where("fine", "=", "at").exec({ at })).toEqual([{ id }]);
        expect(await stamps.count().where("at", "<=", "at").exec({ at })).toBe(id + 1);
        expect(
          await stamps
            .count()
            .where("at", "IN", "list")
            .exec({ list: [at] }),
        ).toBe(1);
        expect(await stamps.count().whereFields("at", "=", "text").where("id", "=", "id").exec({ id })).toBe(
          1,
        );
      }
      const order = stamps.query().orderBy("at", "asc");
      expect((await order.exec()).map(({ fine }) => fine)).toEqual(dates);
      const streamed: unknown[] = [];
      for await (const { at } of order.stream()) streamed.push(at);
      expect(streamed).toEqual(dates);
      await db.transaction(async (tx) => {
        for await (const { at } of order.stream({ tx })) streamed.push(at);
      });
      expect(streamed.slice(dates.length)).toEqual(dates);
      expect(await stamps.query().fields(min("at").as("a"), max("at").as("b")).exec()).toEqual([
        { a: dates[0], b: dates.at(-1) },
      ]);
      const [one] = dates;
      const other = db.repository(Plain).query().fields("id");
      const both = other.unionAll(stamps.query().fields("id").where("at", "=", "at"));
      expect(await both.exec({ at: one as Date })).toEqual([{ id: 0 }]);
      expect(await order.explain()).toContain("stamps");
      const long = Array.from({ length: 70_000 }, (_, i) => new Date(i * 1_000));
      expect(
        await stamps
          .count()
          .where("at", "IN", "list")
          .exec({ list: [...long, ...dates] }),
      ).toBe(8);
      const gone = await stamps
        .remove()
        .where("at", "IN", "list")
        .execMany({ list: [...long, ...dates] });
      expect(gone.map(({ at }) => at?.getTime()).sort()).toEqual(dates.map((at) => at.getTime()).sort());
    });

    test("text of the caller's own reads it where its schema says the type", async () => {
      await db.repository(Stamp).insert().execBatch(records);
      const rows = await db
        .sql("SELECT id, at FROM stamps WHERE at = :at", z.object({ id: z.int(), at: Stamp.schema.shape.at }))
        .exec({ at: dates[5] as Date });
      expect(rows).toEqual([{ id: 5, at: dates[5] }]);
    });

    test("it is right too where the declaration does not say the type of the column", async () => {
      await admin.query(`DROP TABLE IF EXISTS bares; ${BARE}`);
      const bares = db.repository(Bare);
      const bare = records.map(({ id, at }) => ({ id, at, text: at }));
      const before = Date.now();
      const [row, ...others] = await bares.insert().execMany(bare);
      expect([row, ...others].map((one) => one?.at)).toEqual(dates);
      expect(Math.abs(Number(row?.made.getTime()) - before)).toBeLessThan(60_000);
      await admin.query("SET time_zone = '+00:00'");
      const [kept] = await admin.query(
        "SELECT CAST(at AS CHAR) a, CAST(text AS CHAR) t FROM bares ORDER BY id",
      );
      expect((kept as { a: string; t: string }[]).map(({ a, t }) => [a, t])).toEqual(
        dates.map((at) => [texts(at)[0], texts(at)[0]]),
      );
      const found = bares.query().fields("id").where("at", "=", "at").where("text", "=", "at");
      const streamed: unknown[] = [];
      for await (const { at } of bares.query().orderBy("at", "asc").stream()) streamed.push(at);
      expect(streamed).toEqual(dates);
      await db.transaction(async (tx) => {
        for (const [id, at] of dates.entries()) expect(await found.exec({ at }, { tx })).toEqual([{ id }]);
        for await (const { at } of bares.query().orderBy("at", "asc").stream({ tx })) streamed.push(at);
        const later = bares.modify().set("at", "at").where("id", "=", "id");
        expect(await later.exec({ id: 0, at: dates[5] as Date }, { tx })).toMatchObject({ at: dates[5] });
      });
      expect(streamed.slice(dates.length)).toEqual(dates);
      expect(await bares.query().explain()).toContain("bares");
    });

    test("the session keeps its zone", async () => {
      await db.repository(Stamp).insert().execBatch(records);
      const [rows] = await pool.query("SELECT @@time_zone AS zone");
      expect(rows).toEqual([{ zone }]);
    });
  });
});
