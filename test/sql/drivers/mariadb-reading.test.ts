/** MariaDB's rows are read in the same way for all settings of the pool for JSON, decimals, dates and casts. */
import mysql from "mysql2/promise";
import { column, json, table } from "rowtype";
import { mariadb } from "rowtype/mariadb";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { sqlErrorOf } from "../../kit/thrown.js";
import { type Lent, servers } from "../../servers.js";

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

/** A pool that the application has changed: its rows are read by the driver's own function. */
function changed(pool: mysql.Pool): mysql.Pool {
  const get = pool.getConnection.bind(pool);
  return Object.assign(pool, {
    getConnection: async () => {
      const connection = await get();
      return Object.assign(connection, { execute: connection.execute.bind(connection) });
    },
  });
}

const ways: Readonly<Record<string, (pool: mysql.Pool) => mysql.Pool>> = {
  "a pool": (pool) => pool,
  "a pool that the application has changed": changed,
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

  const cases = Object.entries(ways).flatMap(([way, made]) =>
    Object.entries(settings).map(([name, options]) => [way, name, { made, options }] as const),
  );
  test.each(cases)("of %s with %s", async (_way, _name, { made, options }) => {
    const pool = made(mysql.createPool({ uri: lent.url ?? "", connectionLimit: 1, ...options }));
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

  test("in a pool that the application has changed no function reads each value from the second time on, in texts too long to be kept prepared either", async () => {
    const Many = table("many", z.object({ id: column(z.int(), { primaryKey: true }), text: z.string() }));
    await lent.db.createTables(Many);
    const pool = mysql.createPool({ uri: lent.url ?? "", connectionLimit: 1 });
    const casts: unknown[] = [];
    const get = pool.getConnection.bind(pool);
    pool.getConnection = async () => {
      const connection = await get();
      const execute = connection.execute.bind(connection);
      return Object.assign(connection, {
        execute: (options: mysql.QueryOptions) => {
          casts.push(typeof options.typeCast);
          return execute(options);
        },
      });
    };
    const insert = mariadb(pool).repository(Many).insert();
    const records = (from: number) =>
      Array.from({ length: 1_000 }, (_, i) => ({ id: from + i, text: `${i}` }));
    for (const from of [0, 1_000, 2_000]) expect(await insert.execMany(records(from))).toEqual(records(from));
    expect(casts).toEqual(["function", "boolean", "boolean"]);
    await pool.end();
  });

  test.each([
    ["read at once", "a pool"],
    ["one error, and is then read", "a pool that the application has changed"],
  ] as const)(
    "a column that becomes JSON after a statement was prepared is %s, by %s",
    async (result, way) => {
      const Late = table("late", z.object({ id: column(z.int(), { primaryKey: true }), text: z.string() }));
      const made = ways[way] ?? changed;
      const pool = made(mysql.createPool({ uri: lent.url ?? "", connectionLimit: 1 }));
      const db = mariadb(pool);
      await db.dropTables(Late);
      await db.createTables(Late);
      const late = db.repository(Late).query();
      await db.repository(Late).insert().exec({ id: 1, text: '"quoted"' });
      const rows = [{ id: 1, text: '"quoted"' }];
      for (let times = 0; times < 2; times++) expect(await late.exec()).toEqual(rows);
      for await (const row of late.stream()) expect(row).toEqual(rows[0]);
      await lent.run("ALTER TABLE late MODIFY `text` json NOT NULL");
      if (result !== "read at once")
        expect(await sqlErrorOf(late.exec())).toMatchObject({ code: "QUERY_FAILED" });
      for (let times = 0; times < 2; times++) {
        expect(await late.exec()).toEqual(rows);
        for await (const row of late.stream()) expect(row).toEqual(rows[0]);
      }
      await pool.end();
    },
  );

  test("values of every type are the same by both ways", async () => {
    const types: Readonly<Record<string, readonly string[]>> = {
      tinyint: ["-128", "127"],
      "tinyint unsigned": ["0", "255"],
      smallint: ["-32768", "32767"],
      "smallint unsigned": ["65535", "0"],
      mediumint: ["-8388608", "8388607"],
      "mediumint unsigned": ["16777215", "1"],
      int: ["-2147483648", "2147483647"],
      "int unsigned": ["4294967295", "0"],
      bigint: ["-9223372036854775808", "9007199254740993"],
      "bigint unsigned": ["18446744073709551615", "12"],
      year: ["1999", "2026"],
      float: ["1.5", "-0.1"],
      double: ["1e300", "-0.0"],
      "decimal(40, 20)": ["12345678901234567890.12345678901234567890", "-1"],
      "bit(20)": ["b'1010'", "b'1'"],
      date: ["'0000-00-00'", "'2024-02-29'"],
      datetime: ["'0050-01-02 03:04:05'", "'2026-12-31 23:59:59'"],
      "datetime(3)": ["'2026-02-31 00:00:00.001'", "'9999-12-31 23:59:59.999'"],
      "datetime(6)": ["'2026-01-01 00:00:00.000001'", "'0000-00-00 00:00:00'"],
      "timestamp(2) null": ["'2026-01-01 01:02:03.04'", "'2026-01-01 00:00:00'"],
      "time(3)": ["'-838:59:59'", "'00:00:01.250'"],
      "char(10)": ["'ä'", "''"],
      "varchar(300)": ["REPEAT('ab€', 100)", "'x'"],
      "varchar(10) character set latin1": ["'é'", "'e'"],
      longtext: ["REPEAT('x', 70000)", "''"],
      "enum('a', 'b')": ["'a'", "'b'"],
      "set('a', 'b')": ["'a,b'", "''"],
      "varbinary(10)": ["X'00ff'", "''"],
      longblob: ["X'27'", "''"],
      json: ["'{\"a\": 1}'", "'null'"],
      uuid: ["'123e4567-e89b-12d3-a456-426614174000'", "NULL"],
      inet6: ["'::1'", "NULL"],
      point: ["POINT(1, 2)", "NULL"],
    };
    const names = Object.keys(types).map((type, i) => `c${i} ${type}${type.endsWith("null") ? "" : " NULL"}`);
    const mode = "SET STATEMENT sql_mode = 'ALLOW_INVALID_DATES' FOR ";
    await lent.run(`CREATE TABLE every_type (id int PRIMARY KEY, ${names.join(", ")})`);
    for (const i of [0, 1]) {
      const values = Object.values(types).map((one) => one[i]);
      await lent.run(`${mode}INSERT INTO every_type VALUES (${i}, ${values.join(", ")})`);
    }
    await lent.run("INSERT INTO every_type (id) VALUES (2)");
    const Every = z.looseObject({ id: z.int() });
    const read = async (made: (pool: mysql.Pool) => mysql.Pool) => {
      const pool = made(mysql.createPool({ uri: lent.url ?? "", connectionLimit: 1 }));
      const rows = await mariadb(pool).sql("SELECT * FROM every_type ORDER BY id", Every).exec();
      await pool.end();
      return rows;
    };
    const rows = await read((pool) => pool);
    expect(rows).toHaveLength(3);
    expect(rows).toEqual(await read(changed));
  });

  test.each([
    ["2026-02-31 00:00:00.001", undefined],
    ["0000-00-00 00:00:00.000", undefined],
    ["2026-01-00 00:00:00.000", undefined],
    ["2024-02-29 23:59:59.999", "2024-02-29T23:59:59.999Z"],
    ["0050-01-02 03:04:05.000", "0050-01-02T03:04:05.000Z"],
    ["0001-01-01 00:00:00.000", "0001-01-01T00:00:00.000Z"],
    ["9999-12-31 23:59:59.999", "9999-12-31T23:59:59.999Z"],
  ])("the date %s is %s", async (text, expected) => {
    const Day = table("days", z.object({ id: column(z.int(), { primaryKey: true }), at: z.date() }));
    const db = mariadb(lent.mysqlPool);
    await db.createTables(Day);
    await lent.run("DELETE FROM days");
    await lent.run(
      `SET STATEMENT sql_mode = 'ALLOW_INVALID_DATES' FOR INSERT INTO days (id, at) VALUES (1, '${text}')`,
    );
    const all = db.repository(Day).query();
    if (expected === undefined)
      expect(await sqlErrorOf(all.exec())).toMatchObject({ code: "DECODE_FAILED", field: "at" });
    else expect(await all.exec()).toEqual([{ id: 1, at: new Date(expected) }]);
  });
});
