/** `db.sql`: values are bound, rows come as a Zod object says, and errors are those of every other statement. */
import { json, on, type SqlEvents, type SqlValue } from "rowtype";
import { recording } from "rowtype/testing";
import { describe, expect, expectTypeOf, test } from "vitest";
import { z } from "zod";
import { onEachServer } from "../../kit/each-server.js";
import { Person, Team } from "../../kit/people.js";
import { sqlErrorOf } from "../../kit/thrown.js";

onEachServer("text of one's own", (world) => {
  // Names as rowtype has created them: in quotes, those of the dialect.
  const own = [Person, Team].flatMap(({ name, columns }) => [
    name,
    ...Object.values(columns).map((c) => c.name),
  ]);
  const names = new RegExp(`(?<!:)\\b(${own.join("|")})\\b`, "g");
  const quote = () => ((world().db.dialect as string) === "mariadb" ? "`" : '"');
  const sql = (text: string) => text.replace(names, (name) => quote() + name + quote());
  const dual = () => ((world().db.dialect as string) === "oracle" ? " FROM DUAL" : "");

  test("gives rows with the types of the schema: text, numbers, bigints, booleans, dates, bytes, JSON, lists", async () => {
    const { db, people } = world();
    const rows = await db
      .sql(sql(`SELECT * FROM people WHERE id IN (:one, :two, :three, :four) ORDER BY id`), Person.schema)
      .exec({ one: 1, two: 2, three: 3, four: 4 });
    expect(rows).toHaveLength(4);
    expect(rows).toEqual(await people.query().where("id", "<=", "id").orderBy("id", "asc").exec({ id: 4 }));
  });

  test("gives computed values under their aliases", async () => {
    const { db } = world();
    const Count = z.object({
      teamId: z.int().nullable(),
      people: z.int(),
      best: z.number(),
      total: z.bigint(),
    });
    const query = db.sql(
      sql(`SELECT team_id AS teamId, COUNT(*) AS people, MAX(score) AS best, SUM(balance) AS total
       FROM people WHERE team_id = :team GROUP BY team_id`),
      Count,
    );
    expectTypeOf(query.exec).returns.resolves.toEqualTypeOf<
      { teamId: number | null; people: number; best: number; total: bigint }[]
    >();
    expect(await query.exec({ team: 1 })).toEqual([
      { teamId: 1, people: 2, best: 1.5, total: 9007199254740993n },
    ]);
  });

  test("finds a column whose name the server has put in another case", async () => {
    const { db } = world();
    const rows = await db
      .sql(sql(`SELECT id AS bigId FROM teams WHERE id = :id`), z.object({ bigId: z.int() }))
      .exec({ id: 1 });
    expect(rows).toEqual([{ bigId: 1 }]);
  });

  test("without a schema gives the number of rows that it changed", async () => {
    const { db, teams } = world();
    const rename = db.sql(sql(`UPDATE teams SET title = :title WHERE id >= :id`));
    expectTypeOf(rename.exec).returns.resolves.toEqualTypeOf<number>();
    expect(await rename.exec({ title: "same", id: 1 })).toBe(2);
    expect(await rename.exec({ title: "same", id: 1 })).toBe(2);
    expect(await rename.exec({ title: "none", id: 9 })).toBe(0);
    expect(await teams.count().where("title", "=", "title").exec({ title: "same" })).toBe(2);
    // And asked for rows that it has not, it has none.
    expect(
      await db.sql(sql(`DELETE FROM teams WHERE id = :id`), z.object({ id: z.int() })).exec({ id: 5 }),
    ).toEqual([]);
    expect(await db.sql(sql(`SELECT id FROM teams`)).exec()).toBe(2);
  });

  test.each<[string, keyof typeof Person.columns, SqlValue]>([
    ["text with every troublesome character", "name", `' " \\ % $1 :x ? -- /* \n \u{1F600} é`],
    ["a whole number", "age", 5],
    ["a bigint", "balance", 9007199254740993n],
    ["null", "age", null],
    ["a date", "createdAt", new Date("2024-02-29T12:34:56.789Z")],
    ["bytes", "photo", new Uint8Array([0, 255, 39])],
    ["true", "active", true],
    ["false", "active", false],
    ["a fraction", "score", -0.25],
  ])("binds %s with its own type", async (_, field, value) => {
    const { db, people } = world();
    const { name } = Person.columns[field];
    const update = db.sql(sql(`UPDATE people SET ${name} = :value WHERE id = :id`));
    expect(await update.exec({ value, id: 2 })).toBe(1);
    expect(await people.select().where("id", "=", "id").exec({ id: 2 })).toMatchObject({ [field]: value });
  });

  test("refuses values that are not scalars, before anything is sent", async () => {
    const { db } = world();
    const query = db.sql(sql(`SELECT :a AS a${dual()}`), z.object({ a: z.string() }));
    const values = [
      ["x"],
      [],
      { a: 1 },
      { dir: 3001, val: "x" },
      Number.NaN,
      Number.POSITIVE_INFINITY,
      "a\0b",
      "\ud800",
      Symbol("s"),
      () => 1,
      new Date(Number.NaN),
      2n ** 63n,
      new Map(),
      { toPostgres: () => "x" },
      new String("x"),
    ];
    // A list is a value where there are arrays.
    const hasArrays = (world().db.dialect as string) === "postgres";
    for (const a of values.filter((value) => !hasArrays || !Array.isArray(value)))
      expect(await sqlErrorOf(query.exec({ a: a as never }))).toMatchObject({
        code: "PARAM_TYPE",
        param: "a",
      });
  });

  test("names the missing or unknown parameter", async () => {
    const { db } = world();
    const query = db.sql(sql(`SELECT :a AS a${dual()}`), z.object({ a: z.string() }));
    for (const params of [undefined, {}, { a: undefined as never }, Object.create({ a: "x" })])
      expect(await sqlErrorOf(query.exec(params))).toMatchObject({ code: "MISSING_PARAM", param: "a" });
    expect(await sqlErrorOf(query.exec({ a: "x", b: "y" }))).toMatchObject({
      code: "EXTRA_PARAM",
      param: "b",
    });
    expect(await sqlErrorOf(query.exec("x" as never))).toMatchObject({ code: "PARAM_TYPE" });
  });

  test("a row that does not fit the schema is a DecodeError that names the column", async () => {
    const { db } = world();
    const text = sql(`SELECT title, id FROM teams ORDER BY id`);
    const faults: readonly [z.ZodObject, string][] = [
      [z.object({ title: z.int() }), "title"],
      [z.object({ title: z.string(), id: z.int().max(1) }), "id"],
      [z.object({ title: z.enum(["One"]) }), "title"],
      [z.object({ missing: z.string() }), "missing"],
      [z.object({ title: z.object({}) }), "title"],
    ];
    for (const [schema, field] of faults)
      expect(await sqlErrorOf(db.sql(text, schema).exec())).toMatchObject({ code: "DECODE_FAILED", field });
    expect(await sqlErrorOf(db.sql(text, z.strictObject({ id: z.int() })).exec())).toMatchObject({
      code: "DECODE_FAILED",
    });
    const lacking = z.object({ id: z.int(), more: z.string().optional(), most: z.string().default("x") });
    expect(await db.sql(text, lacking).exec()).toEqual([
      { id: 1, most: "x" },
      { id: 2, most: "x" },
    ]);
  });

  test("refinements and transforms of the schema apply to the rows", async () => {
    const { db } = world();
    const text = sql(`SELECT title FROM teams WHERE id = 1`);
    const Length = z.object({ title: z.string().transform((title) => title.length) });
    expect(await db.sql(text, Length).exec()).toEqual([{ title: 3 }]);
    const Loud = z.object({ title: z.string() }).transform(({ title }) => ({ loud: title.toUpperCase() }));
    expect(await sqlErrorOf(db.sql(text, Loud as never).exec())).toMatchObject({ code: "DECLARATION" });
  });

  test("runs in the given transaction, and in its own", async () => {
    const { db, teams } = world();
    const text = sql(`INSERT INTO teams (id, title) VALUES (:id, :title)`);
    const failing = db.transaction(async (tx) => {
      await tx.sql(text).exec({ id: 7, title: "seven" });
      await db.sql(text).exec({ id: 8, title: "eight" }, { tx });
      await db.sql(text).execTx(tx, { id: 9, title: "nine" });
      const Id = z.object({ id: z.int() });
      expect(await tx.sql(sql(`SELECT id FROM teams WHERE id > :id`), Id).exec({ id: 6 })).toHaveLength(3);
      throw new RangeError("back");
    });
    await expect(failing).rejects.toThrow(RangeError);
    expect(await teams.count().exec()).toBe(2);
    const late = await db.transaction(async (tx) => tx.sql(text));
    expect(await sqlErrorOf(late.exec({ id: 1, title: "x" }))).toMatchObject({ code: "TRANSACTION_CLOSED" });
    const ended = db.sql(text).exec({ id: 1, title: "x" }, { signal: AbortSignal.abort() });
    expect(await sqlErrorOf(ended)).toMatchObject({ code: "ABORTED" });
  });

  test("errors and events are those of every other statement", async () => {
    const { db } = world();
    const heard: Partial<SqlEvents["db.query.completed"] & SqlEvents["db.query.failed"]>[] = [];
    const offs = [
      on("db.query.completed", (e) => heard.push(e)),
      on("db.query.failed", (e) => heard.push(e)),
    ];
    await db
      .sql(sql(`SELECT id FROM teams WHERE title = :t`), z.object({ id: z.int() }))
      .exec({ t: "secret" });
    await db.sql(sql(`UPDATE teams SET title = :t`)).exec({ t: "secret" });
    const taken = await sqlErrorOf(
      db.sql(sql(`INSERT INTO teams (id, title) VALUES (:id, :t)`)).exec({ id: 1, t: "secret" }),
    );
    for (const off of offs) off();
    expect(taken).toMatchObject({ code: "UNIQUE_VIOLATION" });
    expect(heard).toMatchObject([
      { table: "", operation: "SQL", rowsReturned: 0 },
      { table: "", operation: "SQL", rowsAffected: 2 },
      { table: "", operation: "SQL", error: taken },
    ]);
    expect(JSON.stringify(heard.map(({ error, ...rest }) => [rest, error?.message]))).not.toContain("secret");
    expect(await sqlErrorOf(db.sql("SELEC 1").exec())).toMatchObject({ code: "QUERY_FAILED" });
    expect(await sqlErrorOf(db.sql("SELECT 1; DROP TABLE teams").exec())).toMatchObject({
      code: "QUERY_FAILED",
    });
    expect(await world().teams.count().exec()).toBe(2);
  });

  test("names of prototype members are ordinary names", async () => {
    const { db } = world();
    if ((db.dialect as string) === "mariadb") return;
    const rows = await db
      .sql(
        sql(`SELECT id AS __proto__, id AS constructor FROM teams WHERE id = 1`),
        z.object({ constructor: z.int() }),
      )
      .exec();
    expect(rows).toEqual([{ constructor: 1 }]);
    expect(Object.getPrototypeOf(rows[0])).toBe(Object.prototype);
  });
});

describe("a result", () => {
  test("with a schema of any value is the driver's value, and a union uses the first option that fits", async () => {
    const db = recording("sqlite", [[{ any: "x", either: "5", number: 5 }]]);
    const Row = z.object({
      any: z.unknown(),
      either: z.union([z.int(), z.string()]),
      number: z.union([z.boolean(), z.int(), z.null()]),
    });
    expect(await db.sql("SELECT 1", Row).exec()).toEqual([{ any: "x", either: 5, number: 5 }]);
  });

  test("has JSON with dates and bigints in it", async () => {
    const doc = { at: new Date(5), big: 2n ** 80n, list: [1, null, "x"] };
    const Doc = z.object({ at: z.date(), big: z.bigint(), list: z.array(z.unknown()) });
    const db = recording("postgres", [[{ plain: doc, marked: doc, dates: [new Date(7)] }]]);
    const Row = z.object({ plain: Doc, marked: json(Doc), dates: z.array(z.date()) });
    expect(await db.sql("SELECT 1", Row).exec()).toEqual([{ plain: doc, marked: doc, dates: [new Date(7)] }]);
  });

  test("requires a Zod object whose keys can be columns", async () => {
    const db = recording("sqlite");
    for (const schema of [
      z.string(),
      z.array(z.object({})),
      {},
      null,
      z.object({ a: z.map(z.string(), z.int()) }),
    ])
      expect(await sqlErrorOf(db.sql("SELECT 1", schema as never).exec())).toMatchObject({
        code: "DECLARATION",
      });
  });

  test("of a table's own schema is found by the names of its columns", async () => {
    const db = recording("postgres", [[{ id: 1, title: "One" }]]);
    expect(await db.sql("SELECT * FROM teams", Team.schema).exec()).toEqual([{ id: 1, title: "One" }]);
  });
});
