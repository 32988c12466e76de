/** MariaDB's rows are read in the same way for all settings of the pool for JSON, decimals, dates and casts. */
import mysql from "mysql2/promise";
import { column, json, table } from "rowtype";
import { mariadb } from "rowtype/mariadb";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { type Lent, servers } from "../servers.js";
import { sqlErrorOf } from "./thrown.js";

const Thing = table(
  "things",
  z.object({
    id: column(z.int(), { primaryKey: true }),
    exact: column(z.string().nullable(), { type: "decimal(40,20)" }),
    rough: column(z.number().nullable(), { type: "decimal(10,2)" }),
    big: z.bigint().nullable(),
    at: z.date().nullable(),
    day: column(z.string().nullable(), { type: "date" }),
    made: json(z.object({ n: z.number(), s: z.string() })).nullable(),
    document: column(z.string().nullable(), { type: "json" }),
    parsed: column(json(z.unknown()).nullable(), { type: "json" }),
    bytes: z.instanceof(Uint8Array).nullable(),
    flag: z.boolean().nullable(),
  }),
);
const full = {
  id: 1,
  exact: "12345678901234567890.12345678901234567890",
  rough: 12.5,
  big: 2n ** 62n + 1n,
  at: new Date("2026-03-29T01:30:00.123Z"),
  day: "2026-03-29",
  made: { n: 0.1, s: "ä" },
  document: '{"n": 9007199254740993,  "s": "\\u00e4"}',
  parsed: ["5", { a: null }],
  bytes: new Uint8Array([0, 255, 34]),
  flag: true,
};
const empty = {
  id: 2,
  exact: null,
  rough: null,
  big: null,
  at: null,
  day: null,
  made: null,
  document: null,
  parsed: null,
  bytes: null,
  flag: null,
};

const settings: Readonly<Record<string, mysql.PoolOptions>> = {
  none: {},
  jsonStrings: { jsonStrings: true },
  decimalNumbers: { decimalNumbers: true },
  "a typeCast function": { typeCast: () => "wrong" },
  "typeCast: false": { typeCast: false },
  "dateStrings of some types": { dateStrings: ["DATE"] },
  "dateStrings and a zone": { dateStrings: true, timezone: "+09:00" },
  disableEval: { disableEval: true },
  "nestTables and objects": { nestTables: true, rowsAsArray: false },
  bigNumbers: { supportBigNumbers: false, bigNumberStrings: false },
};

const server = servers.find(({ name }) => name === "mariadb");
describe.skipIf(server?.available !== true)("values of MariaDB", () => {
  let lent: Lent;
  beforeAll(async () => {
    lent = (await server?.lend()) as Lent;
    await lent.db.createTables(Thing);
    await mariadb(lent.mysqlPool).repository(Thing).insert().execBatch([full, empty]);
  });
  afterAll(() => lent.close());

  test.each(Object.entries(settings))("with %s", async (_, options) => {
    const pool = mysql.createPool({ uri: lent.url ?? "", connectionLimit: 1, ...options });
    const db = mariadb(pool);
    const things = db.repository(Thing);
    const all = things.query().orderBy("id", "asc");
    const raw = db.sql(
      "SELECT exact, document FROM things WHERE id = :id",
      z.object({ exact: z.string(), document: z.string() }),
    );
    // The first time a statement is sent, and when its columns are known.
    for (let times = 0; times < 3; times++) {
      expect(await all.exec()).toEqual([full, empty]);
      expect(await raw.exec({ id: 1 })).toEqual([{ exact: full.exact, document: full.document }]);
      const streamed = [];
      for await (const row of all.stream()) streamed.push(row);
      expect(streamed).toEqual([full, empty]);
      await db.transaction(async (tx) => {
        expect(await things.remove().where("id", "=", "id").execMany({ id: 1 }, { tx })).toEqual([full]);
        expect(await things.insert().exec(full, {}, { tx })).toEqual(full);
        expect(
          await things
            .modify()
            .set("flag", "flag")
            .where("id", "=", "id")
            .exec({ flag: true, id: 1 }, { tx }),
        ).toEqual(full);
      });
    }
    // What else goes over the pool is read as the caller has set it.
    const other = mysql.createPool({ uri: lent.url ?? "", ...options });
    const sql = "SELECT exact, `at`, document FROM things";
    expect(await pool.execute(sql).then(([rows]) => rows)).toEqual(
      await other.execute(sql).then(([rows]) => rows),
    );
    await other.end();
    await pool.end();
  });

  test("from the second time on no function reads each value, in texts too long to be kept prepared either", async () => {
    const Many = table("many", z.object({ id: column(z.int(), { primaryKey: true }), text: z.string() }));
    await lent.db.createTables(Many);
    const pool = mysql.createPool({ uri: lent.url ?? "", connectionLimit: 1 });
    const ways: unknown[] = [];
    const get = pool.getConnection.bind(pool);
    pool.getConnection = async () => {
      const connection = await get();
      const execute = connection.execute.bind(connection);
      return Object.assign(connection, {
        execute: (options: mysql.QueryOptions) => {
          ways.push(typeof options.typeCast);
          return execute(options);
        },
      });
    };
    const insert = mariadb(pool).repository(Many).insert();
    const records = (from: number) =>
      Array.from({ length: 1_000 }, (_, i) => ({ id: from + i, text: `${i}` }));
    for (const from of [0, 1_000, 2_000]) expect(await insert.execMany(records(from))).toEqual(records(from));
    expect(ways).toEqual(["function", "boolean", "boolean"]);
    await pool.end();
  });

  test("a column that becomes JSON after a statement was prepared is one error, and is then read", async () => {
    const Late = table("late", z.object({ id: column(z.int(), { primaryKey: true }), text: z.string() }));
    const pool = mysql.createPool({ uri: lent.url ?? "", connectionLimit: 1 });
    const db = mariadb(pool);
    await db.createTables(Late);
    const late = db.repository(Late).query();
    await db.repository(Late).insert().exec({ id: 1, text: '"quoted"' });
    const rows = [{ id: 1, text: '"quoted"' }];
    for (let times = 0; times < 2; times++) expect(await late.exec()).toEqual(rows);
    for await (const row of late.stream()) expect(row).toEqual(rows[0]);
    await lent.run("ALTER TABLE late MODIFY `text` json NOT NULL");
    expect(await sqlErrorOf(late.exec())).toMatchObject({ code: "QUERY_FAILED" });
    expect(await sqlErrorOf(late.stream()[Symbol.asyncIterator]().next())).toMatchObject({
      code: "QUERY_FAILED",
    });
    for (let times = 0; times < 2; times++) {
      expect(await late.exec()).toEqual(rows);
      for await (const row of late.stream()) expect(row).toEqual(rows[0]);
    }
    await pool.end();
  });
});
