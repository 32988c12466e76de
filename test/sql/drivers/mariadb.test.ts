/** What is MariaDB's own: modes of a session, collations, settings of a pool, limits of a statement. */
import mysql from "mysql2/promise";
import { column, type Database, json, table } from "rowtype";
import { mariadb } from "rowtype/mariadb";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { mariadbUrl } from "../../availability.js";
import { createPeople, Person, people } from "../../kit/people.js";
import { sqlErrorIn, sqlErrorOf } from "../../kit/thrown.js";
import { type Lent, servers } from "../../servers.js";

const Note = table(
  "notes",
  z.object({
    id: column(z.int(), { primaryKey: true, generated: "byDefault" }),
    title: column(z.string(), { unique: true }),
    body: z.string().nullable(),
    madeAt: column(z.date(), { name: "made_at", default: "CURRENT_TIMESTAMP" }),
  }),
);

describe("the text on MariaDB", () => {
  const notes = mariadb().repository(Note);

  test("has names in backticks, and one that holds a backtick stays a name", () => {
    const Odd = table("o`d", z.object({ 'a"b`': column(z.int(), { primaryKey: true, name: "x`y" }) }));
    expect(mariadb().repository(Odd).query().render().sql).toBe("SELECT `x``y` FROM `o``d`");
  });

  test("of an upsert fails where another key than the named one is in conflict", () => {
    expect(notes.insert().onConflict("title").doUpdate().set("body", "body").render().native.sql).toBe(
      "INSERT INTO `notes` (`id`, `title`, `body`, `made_at`) VALUES (?, ?, ?, ?) ON DUPLICATE KEY UPDATE `title` = IF(`title` = VALUES(`title`), `title`, (SELECT `title` UNION ALL SELECT `title`)), `body` = VALUES(`body`) RETURNING `id`, `title`, `body`, `made_at`",
    );
    expect(notes.insert().onConflict("title").doNothing().render().native.sql).toBe(
      "INSERT INTO `notes` (`id`, `title`, `body`, `made_at`) VALUES (?, ?, ?, ?) RETURNING `id`, `title`, `body`, `made_at`",
    );
  });

  test("of locks", () => {
    const one = notes.select().fields("id").where("id", "=", "id");
    const head = "SELECT `id` FROM `notes` WHERE `id` = ? LIMIT 1";
    expect(one.forUpdate().render().native.sql).toBe(`${head} FOR UPDATE`);
    expect(one.forShare({ noWait: true }).render().native.sql).toBe(`${head} LOCK IN SHARE MODE NOWAIT`);
    expect(one.forUpdate({ skipLocked: true }).render().native.sql).toBe(`${head} FOR UPDATE SKIP LOCKED`);
  });

  // biome-ignore lint/suspicious/noExplicitAny: an untyped caller.
  const untyped: any = notes;
  test.each([
    ["a regular expression", () => untyped.query().where("title", "~", "p"), "regular expression operators"],
    ["DISTINCT ON", () => untyped.query().distinctOn("title"), "DISTINCT ON"],
    [
      "another lock",
      () => untyped.query().forKeyShare(),
      "row locks other than FOR UPDATE and LOCK IN SHARE MODE",
    ],
  ])("%s is refused with a hint", (_, make, feature) => {
    expect(sqlErrorIn(() => make().render())).toMatchObject({
      code: "UNSUPPORTED",
      dialect: "mariadb",
      feature,
      hint: expect.stringMatching(/\w/),
    });
  });

  test("names of 65 characters are refused, and columns that differ only in case", () => {
    const long = table("t", z.object({ id: column(z.int(), { primaryKey: true, name: "x".repeat(65) }) }));
    const cased = table("t", z.object({ id: column(z.int(), { primaryKey: true }), ID: z.int() }));
    for (const refused of [long, cased])
      expect(sqlErrorIn(() => mariadb().repository(refused))).toMatchObject({ code: "UNSUPPORTED" });
  });
});

const server = servers.find(({ name }) => name === "mariadb");
describe.skipIf(server?.available !== true)("MariaDB", () => {
  let lent: Lent;
  let db: Database<"mariadb">;
  const pools: mysql.Pool[] = [];
  /** A pool of the same database with other settings, whose connections begin with these statements. */
  const poolWith = async (options: mysql.PoolOptions, ...begin: readonly string[]) => {
    const [row] = (await lent.run("SELECT DATABASE() AS name")) as { name: string }[];
    const url = new URL(mariadbUrl);
    url.pathname = `/${row?.name}`;
    const pool = mysql.createPool({ uri: url.href, connectionLimit: 2, ...options });
    pools.push(pool);
    pool.on("connection", (connection) => {
      for (const sql of begin) connection.query(sql);
    });
    return pool;
  };
  beforeAll(async () => {
    lent = (await server?.lend()) as Lent;
    db = mariadb(lent.mysqlPool);
    await createPeople(lent.db);
    await db.createTables(Note);
  });
  afterAll(async () => {
    await Promise.all(pools.map((pool) => pool.end()));
    await lent.close();
  });

  test("NO_BACKSLASH_ESCAPES lets no value into the text, and escapes mean the same", async () => {
    const pool = await poolWith({}, "SET SESSION sql_mode = 'NO_BACKSLASH_ESCAPES,STRICT_ALL_TABLES'");
    const strict = mariadb(pool).repository(Note);
    const [modes] = (await pool.query("SELECT @@sql_mode AS mode")) as [{ mode: string }[], unknown];
    expect(modes[0]?.mode).toContain("NO_BACKSLASH_ESCAPES");
    const payloads = ["x' or 1=1 -- ", "\\' or 1=1 -- ", "x\\", "'; DROP TABLE notes; -- ", '" or "" = "'];
    for (const title of payloads) {
      expect(await strict.query().where("title", "=", "title").exec({ title })).toEqual([]);
      await strict.insert().exec({ title, body: title });
      expect(await strict.select().where("title", "=", "title").exec({ title })).toMatchObject({
        body: title,
      });
    }
    expect(await strict.count().exec()).toBe(payloads.length);
    const like = strict.count().where("title", "LIKE", "p");
    expect(await like.exec({ p: "x\\\\" })).toBe(1);
    expect(await like.exec({ p: "x\\%" })).toBe(0);
    expect(await strict.count().where("title", "ILIKE", "p").exec({ p: "X\\\\" })).toBe(1);
    expect(await strict.remove().where("title", "IN", "titles").exec({ titles: payloads })).toBe(5);
  });

  test("ANSI_QUOTES, PIPES_AS_CONCAT and the modes of other databases change no meaning", async () => {
    for (const mode of [
      "ANSI",
      "ORACLE",
      "ANSI_QUOTES,NO_BACKSLASH_ESCAPES,IGNORE_SPACE,HIGH_NOT_PRECEDENCE",
    ]) {
      const pool = await poolWith({}, `SET SESSION sql_mode = '${mode},STRICT_ALL_TABLES'`);
      const repository = mariadb(pool).repository(Person);
      expect(await repository.query().orderBy("age", "desc").orderBy("id", "asc").exec()).toHaveLength(5);
      expect(await repository.count().where("name", "NOT LIKE", "p").exec({ p: "%n%" })).toBe(3);
      expect(await repository.count().where("id", "NOT IN", "ids").exec({ ids: [] })).toBe(5);
    }
  });

  test("0 and false are not text, and nothing is sent", async () => {
    // biome-ignore lint/suspicious/noExplicitAny: an untyped caller.
    const untyped: any = db.repository(Person);
    for (const name of [0, false, [], {}, ["Ann"], 1n])
      expect(await sqlErrorOf(untyped.query().where("name", "=", "name").exec({ name }))).toMatchObject({
        code: "PARAM_TYPE",
        param: "name",
      });
    expect(
      await sqlErrorOf(
        untyped
          .query()
          .where("name", "IN", "l")
          .exec({ l: ["x", 0] }),
      ),
    ).toMatchObject({
      code: "PARAM_TYPE",
    });
  });

  test("a column that rowtype created distinguishes case, accents and trailing blanks", async () => {
    const notes = db.repository(Note);
    const titles = ["cafe", "Cafe", "café", "cafe ", " cafe", "cafe\t", "CAFE"];
    await notes.insert().execBatch(titles.map((title) => ({ title })));
    for (const title of titles)
      expect(await notes.query().fields("title").where("title", "=", "title").exec({ title })).toEqual([
        { title },
      ]);
    expect(
      await notes
        .count()
        .where("title", "IN", "t")
        .exec({ t: ["cafe", "CAFE "] }),
    ).toBe(1);
    const rows = await notes.query().fields("title").orderBy("title", "asc").exec();
    expect(rows.map(({ title }) => title)).toEqual([...titles].sort());
    await notes.remove().where("title", "IN", "titles").exec({ titles });
  });

  test("on other columns the collation of the column decides, and LIKE is still case-sensitive", async () => {
    await lent.run(
      "CREATE TABLE foreigners (id int PRIMARY KEY AUTO_INCREMENT, name varchar(50) CHARACTER SET latin1 COLLATE latin1_general_ci UNIQUE, amount decimal(12,4), flag bit(1), kind enum('a','b'), at timestamp(6) NULL, day date, j json, small smallint unsigned)",
    );
    const Foreigner = table(
      "foreigners",
      z.object({
        id: column(z.int(), { primaryKey: true, generated: true }),
        name: column(z.string(), { unique: true }),
        amount: column(z.string().nullable(), { type: "decimal(12,4)" }),
        kind: z.enum(["a", "b"]).nullable(),
        at: z.date().nullable(),
        day: z.date().nullable(),
        j: json(z.object({ n: z.number() })).nullable(),
        small: z.int().nullable(),
      }),
    );
    const foreigners = db.repository(Foreigner);
    const stored = {
      name: "Zoë",
      amount: "12345678.1230",
      kind: "b" as const,
      at: new Date("2024-05-06T07:08:09.123Z"),
      day: new Date("2024-05-06"),
      j: { n: 1.5 },
      small: 65_535,
    };
    expect(await foreigners.insert().exec(stored)).toMatchObject(stored);
    expect(await foreigners.count().where("name", "=", "name").exec({ name: "ZOË" })).toBe(1);
    expect(await foreigners.count().where("name", "LIKE", "name").exec({ name: "ZO%" })).toBe(0);
    expect(await foreigners.count().where("name", "LIKE", "name").exec({ name: "Zo_" })).toBe(1);
    expect(await foreigners.count().where("name", "ILIKE", "name").exec({ name: "zOË" })).toBe(1);
    // Its keys go by its collation too.
    const upsert = foreigners.insert().onConflict("name").doUpdate().set("small", "small");
    expect(await upsert.exec({ name: "zoë", small: 1 })).toMatchObject({ name: "Zoë", small: 1 });
    expect(await foreigners.insert().onConflict("name").doNothing().exec({ name: "ZOË" })).toBeNull();
    expect(
      await foreigners
        .insert()
        .onConflict("name")
        .doNothing()
        .execBatch([{ name: "ZOË" }, { name: "Yan" }]),
    ).toBe(1);
    const rename = foreigners.modify().set("small", "small").where("name", "=", "name");
    expect(await rename.exec({ small: 7, name: "ZOË" })).toMatchObject({ name: "Zoë", small: 7 });
  });

  test("no setting of a pool changes what is read or stored", async () => {
    const expected = people.map((person) => ({ role: "member", bornAt: null, ...person }));
    const settings: mysql.PoolOptions[] = [
      { typeCast: () => "nothing" },
      { typeCast: false },
      { dateStrings: true, decimalNumbers: true, jsonStrings: true },
      { timezone: "+05:45", supportBigNumbers: false, bigNumberStrings: false },
      { supportBigNumbers: true, bigNumberStrings: true, rowsAsArray: false, nestTables: true },
      { namedPlaceholders: true, disableEval: true, stringifyObjects: true },
    ];
    for (const options of settings) {
      const pool = await poolWith(options, "SET SESSION time_zone = '+05:45'");
      const repository = mariadb(pool).repository(Person);
      expect(await repository.query().orderBy("id", "asc").exec()).toEqual(expected);
      expect(await repository.sum("balance").exec()).toBe(
        people.reduce((sum, { balance }) => sum + balance, 0n),
      );
      const found = repository.query().fields("id").where("bornAt", "=", "at");
      expect(await found.exec({ at: new Date("1996-02-29T00:00:00Z") })).toEqual([{ id: 1 }]);
      expect(
        await repository
          .modify()
          .set("age", "age")
          .where("id", "=", "id")
          .execBatch([{ age: 30, id: 1 }]),
      ).toBe(1);
    }
  });

  test("rows that an update matches count where the pool counts only those that it changes", async () => {
    const pool = await poolWith({ flags: ["-FOUND_ROWS"] });
    const same = mariadb(pool).repository(Person).modify().set("name", "name").where("id", "<=", "id");
    const before = { id: 2, name: "x" };
    await db.transaction(async () => undefined);
    const [raw] = (await pool.query("UPDATE people SET age = age WHERE id <= 2")) as [
      { affectedRows: number },
      unknown,
    ];
    expect(raw.affectedRows).toBe(0);
    expect(await same.execBatch([before, before])).toBe(4);
    expect(await same.execMany(before)).toHaveLength(2);
    const repository = mariadb(pool).repository(Person);
    for (const { id, name } of people)
      await repository
        .modify()
        .where("id", "=", "id")
        .execPatch({ name }, { id: id ?? 0 });
  });

  test("a default of CURRENT_TIMESTAMP is the time in UTC, for any time zone of the session", async () => {
    const pool = await poolWith({}, "SET SESSION time_zone = '+05:45'");
    const { madeAt } = await mariadb(pool).repository(Note).insert().exec({ title: "zoned" });
    expect(Math.abs(Date.now() - madeAt.getTime())).toBeLessThan(60_000);
  });

  test("generated keys continue after imported ones", async () => {
    const notes = db.repository(Note);
    expect(await notes.insert().exec({ id: 1_000, title: "given" })).toMatchObject({ id: 1_000 });
    expect(await notes.insert().exec({ title: "made" })).toMatchObject({ id: 1_001 });
  });

  test("lists of any length, exactly", async () => {
    const repository = db.repository(Person);
    const bigs = Array.from({ length: 3_000 }, (_, i) => 9007199254740992n + BigInt(2 * i));
    const found = repository.query().fields("id").where("balance", "IN", "list");
    expect(await found.exec({ list: bigs })).toEqual([]);
    expect(await found.exec({ list: [...bigs, 9007199254740993n] })).toEqual([{ id: 2 }]);
    const ids = (length: number) => Array.from({ length }, (_, i) => i + 3);
    const beyond = repository.query().fields("id").where("id", "NOT IN", "list").orderBy("id", "asc");
    expect(await beyond.exec({ list: ids(65_535) })).toEqual([{ id: 1 }, { id: 2 }]);
    expect(await beyond.exec({ list: ids(65_536) })).toEqual([{ id: 1 }, { id: 2 }]);
    const names = Array.from({ length: 2_000 }, (_, i) => `nobody ${i}`);
    expect(
      await repository
        .count()
        .where("name", "IN", "names")
        .exec({ names: [...names, "ann "] }),
    ).toBe(1);
    const dates = Array.from({ length: 2_000 }, (_, i) => new Date(i * 86_400_000));
    expect(await repository.count().where("bornAt", "IN", "dates").exec({ dates })).toBe(0);
    expect(
      await repository
        .count()
        .where("bornAt", "IN", "dates")
        .exec({ dates: [...dates, new Date("1996-02-29")] }),
    ).toBe(1);
  });

  test("an update and a removal by a list use the index", async () => {
    const pool = lent.mysqlPool as mysql.Pool;
    const explain = async (sql: string) => {
      const [rows] = (await pool.execute(`EXPLAIN ${sql}`, [1, 2, 3, 4])) as unknown as [object[]];
      return rows[0];
    };
    await lent.run("CREATE TABLE many (id bigint PRIMARY KEY, n int)");
    await lent.run("INSERT INTO many SELECT seq, seq FROM seq_1_to_5000");
    expect(await explain("DELETE FROM many WHERE id IN (?, ?, ?, ?)")).toMatchObject({
      type: "range",
      key: "PRIMARY",
    });
  });

  test("a batch of more bytes than a packet of the server is stored, and one value of more is refused", async () => {
    const notes = db.repository(Note);
    const body = "é".repeat(20_000);
    const batch = Array.from({ length: 600 }, (_, i) => ({ title: `large ${i}`, body }));
    expect(await notes.insert().execBatch(batch)).toBe(600);
    expect(await notes.count().where("body", "=", "body").exec({ body })).toBe(600);
    for (let tries = 0; tries < 4; tries++) {
      const huge = notes.insert().exec({ title: "huge", body: "x".repeat(20 * 2 ** 20) });
      const { code } = await sqlErrorOf(huge);
      expect(["QUERY_FAILED", "CONNECTION_LOST"]).toContain(code);
      expect(await notes.count().where("title", "=", "title").exec({ title: "huge" })).toBe(0);
    }
    expect(await notes.remove().where("title", "LIKE", "p").exec({ p: "large %" })).toBe(600);
  });

  test("long texts are not kept prepared", async () => {
    const pool = await poolWith({ connectionLimit: 1 });
    const repository = mariadb(pool).repository(Note);
    const prepared = async () => {
      const [rows] = (await pool.query("SHOW SESSION STATUS LIKE 'Com_stmt_%'")) as [
        { Variable_name: string; Value: string }[],
        unknown,
      ];
      const count = (name: string) =>
        Number(rows.find(({ Variable_name }) => Variable_name === `Com_stmt_${name}`)?.Value);
      return count("prepare") - count("close");
    };
    const begun = await prepared();
    for (let n = 2_000; n < 2_010; n++) {
      const titles = Array.from({ length: n }, (_, i) => `t${i}`);
      await repository.insert().execBatch(titles.map((title) => ({ title })));
      expect(
        await repository
          .remove()
          .where("title", "IN", "t")
          .exec({ t: Array(8_000).fill("no") }),
      ).toBe(0);
      expect(await repository.remove().where("title", "LIKE", "p").exec({ p: "t%" })).toBe(n);
    }
    expect((await prepared()) - begun).toBeLessThan(5);
  });
});
