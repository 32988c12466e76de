/**
 * Settings of the session that a role, a database or a server has, as users set them: what is read is what was written,
 * and the value that was read finds its row.
 */
import { randomBytes } from "node:crypto";
import Sqlite from "better-sqlite3";
import mysql from "mysql2/promise";
import pg from "pg";
import { column, type Database, json, table } from "rowtype";
import { mariadb } from "rowtype/mariadb";
import { postgres } from "rowtype/postgres";
import { sqlite } from "rowtype/sqlite";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { behindPooler } from "../../availability.js";
import { sqlErrorOf } from "../../kit/thrown.js";
import { type Lent, servers } from "../../servers.js";

const BYTES = new Uint8Array(Array.from({ length: 256 }, (_, i) => i));
const TEXT = "a\\b 'c' \"d\" \\' %_ é 漢 🙂\n";

const shape = {
  id: column(z.int(), { primaryKey: true }),
  double: z.number(),
  bytes: z.instanceof(Uint8Array),
  date: z.date(),
  micros: column(z.string(), { type: { postgres: "timestamptz", mariadb: "datetime(6)" } }),
  text: column(z.string(), {
    default: { postgres: "'a\\b'", sqlite: "'a\\b'", mariadb: "CHAR(97, 92, 98)" },
  }),
  data: json(z.object({ x: z.number(), t: z.string() })),
  doubles: z.array(z.number()),
  flag: z.boolean(),
  kind: z.enum(["back\\slash", "it's", "\\'"]),
};
const kinds = shape.kind.options;
const Thing = table("settings_things", z.object(shape));
const Part = table(
  "settings_parts",
  z.object({ ...shape, thingId: column(z.int(), { references: "settings_things(id)" }) }),
);

const doubles = [0.30000000000000004, 1e-7 / 3, 5e-324, 1.7976931348623157e308, 123456789.12345679, -2 / 3];
const dates = ["2026-03-29T01:30:00.123Z", "1999-12-31T23:59:59.999Z", "0043-02-03T00:00:00.001Z"];
const things = doubles.map((double, id) => ({
  id,
  double,
  bytes: BYTES.slice(id * 40, id * 40 + 90),
  date: new Date(dates[id % 3] ?? 0),
  micros: "2026-10-25 00:30:00.123456",
  text: `${TEXT}${id}`,
  data: { x: double, t: TEXT },
  doubles: [double, double / 7],
  flag: id % 2 === 0,
  kind: kinds[id % kinds.length] ?? "it's",
}));
type Thing = (typeof things)[number];

/** Writes, reads and compares every value in every way. */
async function works(db: Database): Promise<void> {
  const repository = db.repository(Thing);
  const parts = db.repository(Part);
  await db.dropTables(Part, Thing);
  await db.createTables(Thing, Part);
  const { micros: _, ...comparable } = shape;
  const fields = Object.keys(comparable) as (keyof typeof comparable)[];
  const plain = (row: Thing) => Object.fromEntries(fields.map((field) => [field, row[field]]));

  // Each statement may be the first of a connection, and is of another kind.
  expect(plain(await repository.insert().exec(things[0] as Thing))).toEqual(plain(things[0] as Thing));
  expect(await repository.insert().execBatch(things.slice(1))).toBe(things.length - 1);
  await parts.insert().execMany(things.map((thing) => ({ ...thing, thingId: thing.id })));
  const ordered = repository.query().orderBy("id", "asc");
  const read = await ordered.exec();
  expect(read.map(plain)).toEqual(things.map(plain));

  const { text: _text, ...withoutText } = things[0] as Thing;
  expect((await repository.insert().exec({ ...withoutText, id: 99 })).text).toBe("a\\b");
  await repository.remove().where("id", "=", "id").exec({ id: 99 });

  // What was read finds its row.
  for (const row of read) {
    for (const field of ["double", "bytes", "date", "micros", "text", "kind"] as const) {
      const found = repository.query().fields("id").where(field, "=", "value").where("id", "=", "id");
      // The type of the parameter follows the field, which is one of a choice here.
      expect([field, await found.exec({ value: row[field], id: row.id } as never)]).toEqual([
        field,
        [{ id: row.id }],
      ]);
    }
    const like = repository.query().fields("id").where("text", "LIKE", "pattern");
    const pattern = row.text.replace(/[\\%_]/g, "\\$&");
    expect(await like.exec({ pattern })).toEqual([{ id: row.id }]);
  }
  const among = repository.query().fields("id").where("double", "IN", "list").orderBy("id", "asc");
  expect(await among.exec({ list: [...doubles] })).toHaveLength(things.length);

  // Nested rows, streams, transactions, raw SQL.
  const some = ["double", "bytes", "date", "text", "data", "doubles", "flag", "kind"] as const;
  const inner = parts.query().fields("thingId", ...some);
  const nested = await repository
    .query()
    .fields("id")
    .withOn("parts", inner, "id", "thingId")
    .orderBy("id", "asc")
    .exec();
  expect(nested.map(({ parts: [part] }) => some.map((field) => part?.[field]))).toEqual(
    things.map((thing) => some.map((field) => thing[field])),
  );
  const streamed: unknown[] = [];
  for await (const row of ordered.stream()) streamed.push(plain(row as Thing));
  expect(streamed).toEqual(things.map(plain));
  for (const isolation of [undefined, "serializable"] as const)
    await db.transaction(
      async (tx) => {
        expect((await tx.repository(Thing).query().orderBy("id", "asc").exec()).map(plain)).toEqual(
          things.map(plain),
        );
        await tx.transaction(async (inner) => {
          await inner
            .repository(Thing)
            .modify()
            .set("double", "d")
            .where("id", "=", "id")
            .exec({ d: 0.1 + 0.7, id: 1 });
          expect(
            await inner.repository(Thing).query().fields("double").where("id", "=", "id").exec({ id: 1 }),
          ).toEqual([{ double: 0.1 + 0.7 }]);
        });
        await tx
          .repository(Thing)
          .modify()
          .set("double", "d")
          .where("id", "=", "id")
          .exec({ d: doubles[1] ?? 0, id: 1 });
      },
      isolation === undefined ? {} : { isolation },
    );
}

const postgresServer = servers.find(({ name }) => name === "postgres");
// A pooler keeps sessions that are older than the settings of a database.
describe.skipIf(postgresServer?.available !== true || behindPooler)("settings of PostgreSQL", () => {
  let lent: Lent;
  beforeAll(async () => {
    lent = (await postgresServer?.lend()) as Lent;
  });
  afterAll(() => lent.close());

  const cases: readonly (readonly [name: string, value: string])[] = [
    ["extra_float_digits", "0"],
    ["extra_float_digits", "-15"],
    ["extra_float_digits", "3"],
    ["bytea_output", "escape"],
    ["DateStyle", "'SQL, DMY'"],
    ["DateStyle", "German"],
    ["DateStyle", "'Postgres, MDY'"],
    ["DateStyle", "'ISO, YMD'"],
    ["IntervalStyle", "iso_8601"],
    ["IntervalStyle", "sql_standard"],
    ["TimeZone", "'Asia/Kolkata'"],
    ["TimeZone", "'Europe/Amsterdam'"],
    ["TimeZone", "'America/St_Johns'"],
    ["standard_conforming_strings", "off"],
    ["client_encoding", "LATIN1"],
  ];
  const everything = cases.filter(([name], i) => cases.findIndex(([other]) => other === name) === i);

  /** Works on a database that has these settings, by a pool that is used in some way. */
  async function worksWith(
    set: readonly (readonly [string, string])[],
    over: (pool: pg.Pool) => Database = (pool) => postgres(pool) as Database,
    max = 2,
  ): Promise<void> {
    const name = new URL(lent.url ?? "").pathname.slice(1);
    const pool = new pg.Pool({ connectionString: lent.url, max });
    try {
      for (const [setting, value] of set) await lent.run(`ALTER DATABASE ${name} SET ${setting} = ${value}`);
      await works(over(pool));
    } finally {
      await pool.end();
      await lent.run(`ALTER DATABASE ${name} RESET ALL`);
    }
  }

  test.each(cases)("%s = %s of the database", (name, value) => worksWith([[name, value]]));
  test("all of them", () => worksWith(everything));
  test("all of them, on clients whose query the application has replaced", () =>
    worksWith(everything, (pool) => {
      pool.on("connect", (client) => {
        const { query } = client;
        // It is called as it was.
        client.query = ((...args: never[]) =>
          (query as (...args: never[]) => unknown).apply(client, args)) as never;
      });
      return postgres(pool) as Database;
    }));

  test("those of a role, and nothing stays set on its sessions", async () => {
    const role = `rowtype_${randomBytes(4).toString("hex")}`;
    await lent.run(`CREATE ROLE ${role} SUPERUSER LOGIN`);
    const url = new URL(lent.url ?? "");
    url.username = role;
    const pool = new pg.Pool({ connectionString: url.href, max: 1 });
    try {
      for (const [name, value] of everything) await lent.run(`ALTER ROLE ${role} SET ${name} = ${value}`);
      await works(postgres(pool) as Database);
      const { rows } = await pool.query("SELECT current_setting('extra_float_digits') AS digits");
      expect(rows).toEqual([{ digits: "0" }]);
    } finally {
      await pool.end();
      await lent.run(`DROP OWNED BY ${role}`);
      await lent.run(`DROP ROLE ${role}`);
    }
  });

  test("an interval that was read finds its row in any style", async () => {
    const Span = table(
      "settings_spans",
      z.object({ id: column(z.int(), { primaryKey: true }), span: column(z.string(), { type: "interval" }) }),
    );
    const name = new URL(lent.url ?? "").pathname.slice(1);
    for (const style of ["postgres", "postgres_verbose", "sql_standard", "iso_8601"]) {
      await lent.run(`ALTER DATABASE ${name} SET IntervalStyle = ${style}`);
      const pool = new pg.Pool({ connectionString: lent.url, max: 1 });
      const db = postgres(pool);
      await db.dropTables(Span);
      await db.createTables(Span);
      const spans = ["1 year 2 mons -3 days 04:05:06.789", "-1 days -02:03:04", "-00:00:00.000001", "3 mons"];
      await db
        .repository(Span)
        .insert()
        .execBatch(spans.map((span, id) => ({ id, span })));
      for (const { id, span } of await db.repository(Span).query().exec())
        expect([
          style,
          await db.repository(Span).query().fields("id").where("span", "=", "span").exec({ span }),
        ]).toEqual([style, [{ id }]]);
      await pool.end();
    }
    await lent.run(`ALTER DATABASE ${name} RESET ALL`);
  });

  test("a statement that runs outside a transaction only", async () => {
    const name = new URL(lent.url ?? "").pathname.slice(1);
    await lent.run(`ALTER DATABASE ${name} SET extra_float_digits = 0`);
    await lent.run(
      "CREATE OR REPLACE PROCEDURE settings_commits() LANGUAGE plpgsql AS $$BEGIN PERFORM 1; COMMIT; PERFORM 2; END$$",
    );
    for (const sql of ["VACUUM", "CALL settings_commits()"])
      for (const before of ["", "SELECT 1 AS one"]) {
        const pool = new pg.Pool({ connectionString: lent.url, max: 1 });
        const db = postgres(pool);
        if (before !== "") await db.sql(before, z.object({ one: z.int() })).exec();
        await db.sql(sql).exec();
        expect(await db.sql("SELECT 0.1::float8 + 0.2 AS sum", z.object({ sum: z.number() })).exec()).toEqual(
          [{ sum: 0.1 + 0.2 }],
        );
        await pool.end();
      }
    await lent.run(`ALTER DATABASE ${name} RESET ALL`);
  });

  test("a connection is asked once, and calls of usual sessions send nothing more", async () => {
    const pool = new pg.Pool({ connectionString: lent.url, max: 1 });
    const sent: string[] = [];
    pool.on("connect", (client) => {
      // What the socket is given.
      const { stream } = (client as unknown as { connection: { stream: { write(bytes: Buffer): boolean } } })
        .connection;
      const { write } = stream;
      stream.write = (bytes: Buffer) => {
        sent.push(bytes.toString("latin1"));
        return write.call(stream, bytes);
      };
    });
    const db = postgres(pool);
    await db.dropTables(Part, Thing);
    for (let i = 0; i < 5; i++) await db.ping();
    await db.transaction((tx) => tx.sql("SELECT 1 AS one", z.object({ one: z.int() })).exec());
    expect(sent.filter((text) => text.includes("current_setting"))).toHaveLength(1);
    expect(sent.filter((text) => text.includes("set_config") || text.includes("SET LOCAL"))).toEqual([]);
    await pool.end();
  });
});

const mariadbServer = servers.find(({ name }) => name === "mariadb");
describe.skipIf(mariadbServer?.available !== true)("settings of MariaDB", () => {
  let lent: Lent;
  beforeAll(async () => {
    lent = (await mariadbServer?.lend()) as Lent;
  });
  afterAll(() => lent.close());

  const modes = [
    "ANSI_QUOTES",
    "PIPES_AS_CONCAT",
    "IGNORE_SPACE",
    "NO_BACKSLASH_ESCAPES",
    "HIGH_NOT_PRECEDENCE",
    "NO_UNSIGNED_SUBTRACTION",
    "NO_ZERO_DATE,NO_ZERO_IN_DATE",
    "ONLY_FULL_GROUP_BY",
    "PAD_CHAR_TO_FULL_LENGTH",
    "REAL_AS_FLOAT",
    "SIMULTANEOUS_ASSIGNMENT",
    "TIME_ROUND_FRACTIONAL",
    "EMPTY_STRING_IS_NULL",
    "TRADITIONAL",
    "ANSI",
    "ORACLE",
    "MSSQL",
  ];
  const settings = [
    ...modes.map((mode) => `sql_mode = 'STRICT_TRANS_TABLES,${mode}'`),
    "time_zone = '+05:30'",
    "time_zone = '-03:30'",
    "character_set_results = NULL",
    "collation_connection = utf8mb4_unicode_ci",
  ];

  const poolWith = (setting: string) => {
    const pool = mysql.createPool({ uri: lent.url ?? "", connectionLimit: 2 });
    pool.on("connection", (connection) => void connection.query(`SET ${setting}`));
    return pool;
  };

  test.each(settings)("%s", async (setting) => {
    const pool = poolWith(setting);
    try {
      await works(mariadb(pool) as unknown as Database);
    } finally {
      await pool.end();
    }
  });

  test.each(["character_set_results", "character_set_client", "character_set_connection"])(
    "%s: one in which texts lose characters is refused by its name",
    async (name) => {
      for (const set of ["latin1", "utf8mb3"]) {
        const pool = poolWith(`${name} = ${set}`);
        const db = mariadb(pool);
        const calls = [
          () => db.repository(Thing).query().exec(),
          () => db.transaction((tx) => tx.repository(Thing).count().exec()),
          async () => {
            for await (const _ of db.repository(Thing).query().stream());
          },
        ];
        for (const call of calls)
          expect(await sqlErrorOf(call())).toMatchObject({
            code: "QUERY_FAILED",
            message: expect.stringContaining(`${name} = ${set}`),
          });
        await pool.end();
      }
    },
  );
});

describe("settings of SQLite", () => {
  test.each([
    "case_sensitive_like = 1",
    "encoding = 'UTF-16le'",
    "reverse_unordered_selects = 1",
    "full_column_names = 1",
    "short_column_names = 0",
    "recursive_triggers = 1",
    "foreign_keys = 0",
    "legacy_alter_table = 1",
    "auto_vacuum = 1",
    "secure_delete = 1",
    "trusted_schema = 0",
  ])("%s", async (pragma) => {
    const handle = new Sqlite(":memory:");
    handle.pragma(pragma);
    await works(sqlite(handle) as unknown as Database);
    handle.close();
  });
});
