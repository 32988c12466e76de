/**
 * Values under attack, on every server; the numbers are those of the list of threats that the package is held
 * against. A value is bound and comes back as it was, or it is refused with a `ParameterError` before anything is
 * sent. It is never changed, and never a part of the SQL.
 */
import { setTimeout } from "node:timers/promises";
import fc from "fast-check";
import { column, type Database, on, table } from "rowtype";
import { mariadb } from "rowtype/mariadb";
import { oracle } from "rowtype/oracle";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { onEachServer } from "../../kit/each-server.js";
import { Person, Team } from "../../kit/people.js";
import { sqlErrorIn, sqlErrorOf } from "../../kit/thrown.js";
import { type Lent, servers } from "../../servers.js";
import { expectBelow, expectCost, expectSoon, idleCost, stopwatch } from "../../stopwatch.js";

// biome-ignore lint/suspicious/noExplicitAny: these tests are the callers whom no compiler stops.
type Untyped = any;

const payloads = [
  "'",
  "''",
  '"',
  "`",
  "\\",
  "\\'",
  "x' OR '1'='1",
  "x' or 1=1 -- ",
  "'; DROP TABLE teams; --",
  "/* x */ --",
  "# x",
  "$1 ? :p0 :title @x",
  "%s %d {{x}}",
  "%_[a]*",
  "NULL",
  "0x41",
  "\r\n\t\b\u001a",
  "\u{1F600}é\u2028\ufeff\u200b",
  '{"a":1}',
];

onEachServer("threats to values", (world) => {
  const dialect = () => world().db.dialect as string;
  const isOracle = () => dialect() === "oracle";
  /** Runs something that must send nothing. */
  const sendingNothing = async (work: () => Promise<void>) => {
    const sent: string[] = [];
    const off = on("db.query.started", ({ sql }) => sent.push(sql));
    await work().finally(off);
    expect(sent).toEqual([]);
  };
  const untyped = () => world() as Untyped;

  test("text of every kind is stored unchanged, and the SQL does not depend on it", async () => {
    const { db, teams } = world();
    const texts = new Set<string>();
    const off = on("db.query.started", ({ sql }) => texts.add(sql));
    for (const [i, title] of payloads.entries()) {
      const id = 100 + i;
      expect(await teams.insert().exec({ id, title })).toEqual({ id, title });
      expect(await teams.select().where("title", "=", "t").exec({ t: title })).toEqual({ id, title });
      expect(
        await teams
          .modify()
          .set("title", "t")
          .where("id", "=", "id")
          .exec({ t: `${title} `, id }),
      ).toEqual({
        id,
        title: `${title} `,
      });
      expect(
        await teams
          .remove()
          .where("title", "=", "t")
          .exec({ t: `${title} ` }),
      ).toBe(1);
    }
    off();
    // An insert, a select, an update, a removal.
    expect(texts.size).toBe(4);
    expect(await teams.count().exec()).toBe(2);
    expect(await db.repository(Person).count().exec()).toBe(5);
  });

  test("a value of the wrong type is refused in every place", async () => {
    const { teams, people } = untyped();
    const hooks = {
      toPostgres: () => "x",
      toSqlString: () => "1 OR 1=1",
      toJSON: () => "x",
      toString: () => "x",
    };
    const notText = [0, false, 1n, {}, [], ["One"], { dir: 3003, type: "x", val: "One" }, hooks, Symbol("x")];
    const neverText = [
      ...notText,
      () => "One",
      new Date(),
      new Uint8Array(1),
      new String("One"),
      "a\0b",
      "\ud800",
    ];
    const notNumbers = [
      "1",
      true,
      1n,
      Number.NaN,
      Number.POSITIVE_INFINITY,
      1e21,
      1.5,
      2 ** 53,
      {},
      [1],
      new Date(),
    ];
    const notDates = [
      "2024-01-01",
      0,
      new Date(Number.NaN),
      new Date(8.64e15),
      new Date("0000-12-31T00:00:00Z"),
      {},
    ];
    const notBytes = ["x", [1], new ArrayBuffer(1), {}];
    const refused = { code: "PARAM_TYPE", param: "v" };
    await sendingNothing(async () => {
      for (const v of neverText)
        for (const call of [
          () => teams.query().where("title", "=", "v").exec({ v }),
          () =>
            teams
              .query()
              .where("title", "IN", "v")
              .exec({ v: [v] }),
          () => teams.query().whereBetween("title", "v", "w").exec({ v, w: "x" }),
          () => teams.query().where("title", "LIKE", "v").exec({ v }),
          () => teams.count().whereOptional("title", "=", "v").exec({ v }),
          () => teams.remove().where("title", "=", "v").exec({ v }),
          () => teams.modify().set("title", "v").where("id", "=", "id").exec({ v, id: 1 }),
        ])
          expect(await sqlErrorOf(call())).toMatchObject(refused);
      for (const title of neverText)
        expect(await sqlErrorOf(teams.insert().exec({ id: 9, title }))).toMatchObject({
          code: "PARAM_TYPE",
          param: "title",
        });
      for (const v of notNumbers)
        expect(await sqlErrorOf(people.query().where("age", "=", "v").exec({ v }))).toMatchObject(refused);
      for (const v of notDates)
        expect(await sqlErrorOf(people.query().where("bornAt", "=", "v").exec({ v }))).toMatchObject(refused);
      for (const v of notBytes)
        expect(
          await sqlErrorOf(people.modify().set("photo", "v").where("id", "=", "id").exec({ v, id: 1 })),
        ).toMatchObject(refused);
    });
    expect(await world().teams.count().exec()).toBe(2);
  });

  test("numbers are exact or refused, and negative zero is zero", async () => {
    const { people } = world();
    const set = people
      .modify()
      .set("age", "age")
      .set("score", "score")
      .set("balance", "balance")
      .where("id", "=", "id");
    const edges = [
      { age: 2 ** 53 - 1, score: 5e-324, balance: 2n ** 63n - 1n },
      { age: 2 ** 31, score: 1.7976931348623157e308, balance: -(2n ** 63n) },
      { age: 0, score: 0.1 + 0.2, balance: 2n ** 53n + 1n },
    ];
    for (const edge of edges) expect(await set.exec({ ...edge, id: 1 })).toMatchObject(edge);
    const zero = await set.exec({ age: 0, score: -0, balance: 0n, id: 1 });
    expect(Object.is(zero.score, 0)).toBe(true);
    for (const balance of [2n ** 63n, -(2n ** 63n) - 1n])
      expect(await sqlErrorOf(set.exec({ age: 0, score: 0, balance, id: 1 }))).toMatchObject({
        code: "PARAM_TYPE",
      });
    // What is beyond 2^53 in the database is an error for a number, and never rounded.
    await set.exec({ age: 0, score: 0, balance: 2n ** 53n + 1n, id: 1 });
    const AsNumber = table("people", z.object({ id: z.int(), balance: z.int() }));
    const asNumber = world().db.repository(AsNumber).query().where("id", "=", "id");
    expect(await sqlErrorOf(asNumber.exec({ id: 1 }))).toMatchObject({
      code: "DECODE_FAILED",
      field: "balance",
    });
    expect(await people.sum("balance").where("id", "=", "id").exec({ id: 1 })).toBe(2n ** 53n + 1n);
  });

  test("a parameter must be given and not null, and is not read from a prototype", async () => {
    const { teams } = untyped();
    const byTitle = teams.query().where("title", "=", "t");
    await sendingNothing(async () => {
      for (const params of [undefined, {}, { t: undefined }, Object.create({ t: "One" })])
        expect(await sqlErrorOf(byTitle.exec(params))).toMatchObject({ code: "MISSING_PARAM", param: "t" });
      const error = await sqlErrorOf(byTitle.exec({ t: null }));
      expect(error).toMatchObject({ code: "PARAM_TYPE", param: "t" });
      expect(error.message).toContain("whereNull");
      for (const more of ["u", "toString", "constructor"])
        expect(await sqlErrorOf(byTitle.exec({ t: "One", [more]: 1 }))).toMatchObject({
          code: "EXTRA_PARAM",
          param: more,
        });
      expect(await sqlErrorOf(byTitle.exec(JSON.parse('{"t":"One","__proto__":{"x":1}}')))).toMatchObject({
        code: "EXTRA_PARAM",
      });
      for (const none of [null, "t", 5, ["One"]])
        expect(await sqlErrorOf(byTitle.exec(none))).toMatchObject({ code: "PARAM_TYPE" });
    });
    expect(Object.prototype).not.toHaveProperty("x");
  });

  test("IN an empty list matches nothing, NOT IN everything; a value that is not a list is refused", async () => {
    const { teams } = untyped();
    expect(await teams.count().where("id", "IN", "v").exec({ v: [] })).toBe(0);
    expect(await teams.count().where("id", "NOT IN", "v").exec({ v: [] })).toBe(2);
    expect(
      await teams
        .count()
        .where("id", "NOT IN", "v")
        .exec({ v: [1] }),
    ).toBe(1);
    const sparse: number[] = [1];
    sparse[2] = 2;
    await sendingNothing(async () => {
      for (const v of [
        "1",
        1,
        { 0: 1, length: 1 },
        new Set([1]),
        [[1]],
        [null],
        [undefined],
        sparse,
        ["1"],
        [1, "x"],
      ])
        for (const operator of ["IN", "NOT IN"])
          expect(await sqlErrorOf(teams.count().where("id", operator, "v").exec({ v }))).toMatchObject({
            code: "PARAM_TYPE",
            param: "v",
          });
    });
  });

  test("seventy thousand items are one list, or exceed the dialect's limit, which is reported", async () => {
    const { teams } = world();
    const v = Array.from({ length: 70_000 }, (_, i) => i + 2);
    const counted = teams.count().where("id", "IN", "v").exec({ v });
    if (dialect() === "oracle")
      expect(await sqlErrorOf(counted)).toMatchObject({ code: "PARAM_TYPE", param: "v" });
    else expect(await counted).toBe(1);
    expect(
      await teams
        .count()
        .where("id", "IN", "v")
        .exec({ v: v.slice(0, 20_000) }),
    ).toBe(1);
  });

  test("wildcards match, escaped wildcards are literal, and a dangling escape is refused", async () => {
    const { teams } = world();
    const titles = ["a%b", "a_b", "axb", "a\\b", "A%B", "a*b", "a?b", "[ab]", "ab"];
    await teams.insert().execBatch(titles.map((title, i) => ({ id: 10 + i, title })));
    const like = async (pattern: string) => {
      const rows = await teams.query().where("title", "LIKE", "p").orderBy("id", "asc").exec({ p: pattern });
      return rows.map(({ title }) => title);
    };
    expect(await like("a\\%b")).toEqual(["a%b"]);
    expect(await like("a\\_b")).toEqual(["a_b"]);
    expect(await like("a\\\\b")).toEqual(["a\\b"]);
    expect(await like("a_b")).toEqual(["a%b", "a_b", "axb", "a\\b", "a*b", "a?b"]);
    expect(await like("[ab]")).toEqual(["[ab]"]);
    expect(await sqlErrorOf(like("a\\"))).toMatchObject({ code: "PARAM_TYPE", param: "p" });
    const anyText = fc.string({
      unit: fc.constantFrom(..."ab%_\\*?[]^-'\"é\u{1F600}"),
      minLength: 1,
      maxLength: 8,
    });
    await fc.assert(
      fc.asyncProperty(anyText, anyText, async (text, other) => {
        await teams.modify().set("title", "t").where("id", "=", "id").exec({ t: text, id: 1 });
        const escaped = (one: string) => one.replace(/[\\%_]/g, "\\$&");
        const matches = (p: string) =>
          teams.count().where("title", "LIKE", "p").where("id", "=", "id").exec({ p, id: 1 });
        expect(await matches(escaped(text))).toBe(1);
        expect(await matches(`%${escaped(text)}%`)).toBe(1);
        expect(await matches(escaped(other))).toBe(text === other ? 1 : 0);
      }),
      { numRuns: 40 },
    );
  });

  test("sixteen mebibytes are stored, or refused with a message; the process is not blocked", async () => {
    const { people } = world();
    const photo = Buffer.alloc(16 * 2 ** 20, 7);
    const store = () =>
      people
        .modify()
        .set("photo", "photo")
        .where("id", "=", "id")
        .execBatch([{ photo, id: 1 }])
        .catch((error: { code: string }) => error.code);
    const stored = await store();
    // More than a packet of MariaDB as it is installed.
    expect(dialect() === "mariadb" ? [1, "QUERY_FAILED", "CONNECTION_LOST"] : [1]).toContain(stored);
    // The most work at a stretch, in which no timer had its turn.
    const stretch = async () => {
      const stretches: number[] = [];
      let since = stopwatch();
      const beat = () => {
        stretches.push(since());
        since = stopwatch();
      };
      const heart = setInterval(beat, 10);
      await store();
      beat();
      clearInterval(heart);
      return idleCost(Math.max(...stretches));
    };
    if (dialect() !== "sqlite") await expectBelow(250, stretch);
    if (stored === 1) {
      const { photo: read } = await people.select().fields("photo").where("id", "=", "id").exec({ id: 1 });
      expect(Buffer.compare(read ?? Buffer.alloc(0), photo)).toBe(0);
    }
    expect(await people.count().exec()).toBe(5);
  });

  test("a gibibyte is refused before it is sent, at once", async () => {
    const { people } = world();
    const patch = people.modify().where("id", "=", "id");
    const photo = new Uint8Array(2 ** 30);
    // To read the bytes, or to send them, takes longer.
    const refused = await expectCost(200, () => sqlErrorOf(patch.execPatch({ photo }, { id: 1 })));
    expect(refused).toMatchObject({ code: "PARAM_TYPE" });
    expect(await people.count().exec()).toBe(5);
  });

  test("column names are never read from a prototype", async () => {
    const { db, people } = untyped();
    const { count } = await import("rowtype");
    for (const alias of ["__proto__", "constructor", "toString"]) {
      const named = () => people.query().fields(count().as(alias)).render();
      if (alias === "__proto__") expect(sqlErrorIn(named)).toMatchObject({ code: "INVALID_FIELD" });
      else {
        const [row] = await people.query().fields(count().as(alias)).exec();
        expect(Object.getOwnPropertyDescriptor(row, alias)?.value).toBe(5);
        expect(Object.getPrototypeOf(row)).toBe(Object.prototype);
      }
    }
    expect(sqlErrorIn(() => table("t", z.object(JSON.parse('{"__proto__":1}')) as Untyped))).toMatchObject({
      code: "DECLARATION",
    });
    const Odd = table(
      "odd_names",
      z.object({
        id: column(z.int(), { primaryKey: true }),
        constructor: z.string().nullable(),
        hasOwnProperty: z.string().nullable(),
      }),
    );
    await db.dropTables(Odd);
    await db.createTables(Odd);
    const odd = db.repository(Odd);
    expect(await odd.insert().exec({ id: 1, constructor: "c", hasOwnProperty: "h" })).toEqual({
      id: 1,
      constructor: "c",
      hasOwnProperty: "h",
    });
    expect(await odd.insert().exec({ id: 2 })).toEqual({ id: 2, constructor: null, hasOwnProperty: null });
    expect(await odd.query().where("constructor", "=", "toString").exec({ toString: "c" })).toHaveLength(1);
    await db.dropTables(Odd);
  });

  test("text that differs in case, accents or trailing blanks is different, and keys are too", async () => {
    const { db } = world();
    const Word = table("words", z.object({ word: column(z.string(), { primaryKey: true }) }));
    await db.dropTables(Word);
    await db.createTables(Word);
    const words = db.repository(Word);
    const all = ["ann", "ANN", "ann ", "änn", "ann\t", "ａnn"];
    for (const word of all) expect(await words.insert().exec({ word })).toEqual({ word });
    for (const word of all) {
      expect(await words.query().where("word", "=", "w").exec({ w: word })).toEqual([{ word }]);
      expect(
        await words
          .query()
          .where("word", "IN", "w")
          .exec({ w: [word] }),
      ).toEqual([{ word }]);
      expect(await words.query().where("word", "LIKE", "w").exec({ w: word })).toEqual([{ word }]);
    }
    await db.dropTables(Word);
  });

  test("empty text is text, except on Oracle, which refuses it", async () => {
    const { teams } = world();
    const storing = teams.insert().exec({ id: 9, title: "" });
    if (isOracle()) {
      expect(await sqlErrorOf(storing)).toMatchObject({ code: "PARAM_TYPE", param: "title" });
      expect(await sqlErrorOf(teams.query().where("title", "=", "t").exec({ t: "" }))).toMatchObject({
        code: "PARAM_TYPE",
      });
    } else {
      expect(await storing).toEqual({ id: 9, title: "" });
      expect(await teams.count().where("title", "=", "t").exec({ t: "" })).toBe(1);
    }
  });
});

const lend = (name: string): Promise<Lent> => {
  const server = servers.find((one) => one.name === name);
  if (server === undefined) throw new Error(`there is no ${name}`);
  return server.lend();
};
const there = (name: string) => servers.some((server) => server.name === name && server.available);

describe.skipIf(!there("mariadb"))("on MariaDB", () => {
  test("under NO_BACKSLASH_ESCAPES a value that would break out finds no row", async () => {
    const { createPool } = await import("mysql2/promise");
    const lent = await lend("mariadb");
    await lent.db.createTables(Team);
    await lent.run("INSERT INTO teams VALUES (1, 'One'), (2, 'Two')");
    const { host, port, user, database } = (lent.mysqlPool as Untyped).pool.config.connectionConfig;
    const pool = createPool({ host, port, user, database });
    pool.on("connection", (connection) => connection.query("SET SESSION sql_mode = 'NO_BACKSLASH_ESCAPES'"));
    const db = mariadb(pool);
    for (const title of ["x' or 1=1 -- ", "x\\' or 1=1 -- ", "' UNION SELECT 1, user() -- "]) {
      expect(await db.repository(Team).query().where("title", "=", "t").exec({ t: title })).toEqual([]);
      const raw = db.sql("SELECT id FROM teams WHERE title = :t", z.object({ id: z.int() }));
      expect(await raw.exec({ t: title })).toEqual([]);
    }
    await pool.end();
    await lent.close();
  });
});

describe.skipIf(!there("postgres"))("on PostgreSQL", () => {
  test("a signal ends a pattern that takes too long, at the server too", async () => {
    const lent = await lend("postgres");
    const db = lent.db as unknown as Database<"postgres">;
    await db.createTables(Team);
    const teams = db.repository(Team);
    await teams.insert().exec({ id: 1, title: "a".repeat(100_000) });
    const signal = () => AbortSignal.timeout(300);
    const bombs = [
      () =>
        teams
          .query()
          .where("title", "LIKE", "p")
          .exec({ p: `${"%a".repeat(2_000)}%b` }, { signal: signal() }),
      () =>
        teams
          .query()
          .where("title", "~", "p")
          .exec({ p: "^(a?){100}(a){100}\\1\\2+$b" }, { signal: signal() }),
      () =>
        teams
          .query()
          .where("title", "~", "p")
          .exec({ p: "(((a{1,100}){1,100}){1,100}" }, { signal: signal() }),
    ];
    for (const bomb of bombs) {
      await expectSoon(2_000, async () => {
        const outcome = await bomb().then(
          (rows) => `${rows.length} rows`,
          (error: { code: string }) => error.code,
        );
        expect(["0 rows", "ABORTED", "PARAM_TYPE"]).toContain(outcome);
      });
    }
    await setTimeout(50);
    expect(
      await lent.run(
        "SELECT query FROM pg_stat_activity WHERE datname = current_database() AND state = 'active' AND pid <> pg_backend_pid()",
      ),
    ).toEqual([]);
    await lent.close();
  });
});

test("on Oracle empty text in a nullable column is null, and a pattern must not be empty", () => {
  const { sql } = oracle().repository(Person).query().where("name", "=", "n").render();
  expect(sql).toContain('"name" = :n');
  const teams = oracle().repository(Team);
  expect(teams.insert().render().native.sql).toContain(
    'INSERT INTO "teams" ("id", "title") VALUES (:p0, :p1)',
  );
});
