/**
 * Values that are of the declared type and that a column of the server does not take: each is an error about the
 * parameter, with its name and without the value. What a statement calculates is not.
 */
import { add, column, type Database, mul, param, SqlError, type Table, table, value } from "rowtype";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { mapSqlErrors } from "../../../src/http/sql/map-sql-errors.js";
import { sqlErrorOf } from "../../kit/thrown.js";
import { type Lent, type Server, servers } from "../../servers.js";

type Named = "postgres" | "mariadb" | "sqlite";

/** A column, a value that it takes, and values that it does not take. */
interface Kind {
  readonly type: string;
  readonly schema: z.ZodType;
  readonly takes: unknown;
  readonly refused: readonly unknown[];
  /** Whether it takes them where it is compared, which is then no error. */
  readonly isCompared?: true;
}

const SECRET = "s3cret";
const int = z.int().nullable();
const number = z.number().nullable();
const text = z.string().nullable();

const kinds: Readonly<Record<Named, readonly Kind[]>> = {
  postgres: [
    { type: "integer", schema: int, takes: 1, refused: [2 ** 31, -(2 ** 40)] },
    { type: "smallint", schema: int, takes: 1, refused: [40_000] },
    { type: "integer", schema: number, takes: 1, refused: [1.5, 1e300] },
    { type: "real", schema: number, takes: 1, refused: [1e308, 1e-300] },
    { type: "integer", schema: z.bigint().nullable(), takes: 1n, refused: [2n ** 40n] },
    { type: "numeric(5,2)", schema: number, takes: 1, refused: [1e6, 999.996], isCompared: true },
    { type: "numeric(3)", schema: int, takes: 1, refused: [1e6], isCompared: true },
    { type: "numeric(12,2)", schema: text, takes: "1", refused: ["99999999999"], isCompared: true },
    { type: "varchar(5)", schema: text, takes: "x", refused: [SECRET], isCompared: true },
    { type: "char(5)", schema: text, takes: "x", refused: [SECRET], isCompared: true },
    ...["uuid", "inet", "interval", "int4range", "time", "date", "timestamptz", "bytea"].map(
      (type): Kind => ({ type, schema: text, takes: null, refused: [`\\${SECRET}`] }),
    ),
    { type: "jsonb", schema: text, takes: null, refused: [`{"${SECRET}`, `{"a": 1,\n "$9 = '": ${SECRET}}`] },
    { type: "xml", schema: text, takes: null, refused: [`<${SECRET}`], isCompared: true },
    { type: "date", schema: text, takes: null, refused: ["2026-02-30"] },
    { type: "mood", schema: text, takes: "sad", refused: [SECRET] },
    { type: "integer[]", schema: z.array(z.int()).nullable(), takes: [1], refused: [[1, 2 ** 40]] },
    {
      type: "varchar(5)[]",
      schema: z.array(z.string()).nullable(),
      takes: ["x"],
      refused: [["x", SECRET]],
      isCompared: true,
    },
  ],
  mariadb: [
    { type: "int", schema: int, takes: 1, refused: [2 ** 31] },
    { type: "smallint unsigned", schema: int, takes: 1, refused: [-1, 1e6] },
    { type: "decimal(3)", schema: int, takes: 1, refused: [1e6] },
    { type: "float", schema: number, takes: 1, refused: [1e308] },
    { type: "decimal(5,2)", schema: number, takes: 1, refused: [1e6] },
    { type: "int", schema: z.bigint().nullable(), takes: 1n, refused: [2n ** 40n] },
    { type: "varchar(5)", schema: text, takes: "x", refused: [SECRET] },
    { type: "char(5)", schema: text, takes: "x", refused: [SECRET] },
    { type: "varchar(9) character set latin1", schema: text, takes: "x", refused: ["\u{1F600}"] },
    ...["uuid", "inet6", "time", "date", "datetime", "int"].map(
      (type): Kind => ({
        type,
        schema: text,
        takes: null,
        refused: [SECRET, "for column `x`.`y`.`other` at row 9"],
      }),
    ),
    ...["enum('a','b')", "set('a','b')"].map(
      (type): Kind => ({ type, schema: text, takes: "a", refused: [SECRET] }),
    ),
    {
      type: "timestamp NULL",
      schema: z.date().nullable(),
      takes: new Date(1e12),
      refused: [new Date("9999-12-31")],
    },
    {
      type: "varbinary(3)",
      schema: z.instanceof(Uint8Array).nullable(),
      takes: new Uint8Array(1),
      refused: [new Uint8Array(4)],
    },
  ].map((kind): Kind => ({ ...kind, isCompared: true })),
  sqlite: [
    { type: "INTEGER", schema: text, takes: null, refused: [SECRET], isCompared: true },
    { type: "INTEGER", schema: number, takes: 1, refused: [1.5], isCompared: true },
    { type: "REAL", schema: text, takes: null, refused: [SECRET], isCompared: true },
  ],
};

const key = () => column(z.int(), { primaryKey: true });
const named = (name: string): name is Named => Object.hasOwn(kinds, name);
const live = servers.filter((server): server is Server & { name: Named } => named(server.name));

for (const server of live)
  describe.skipIf(!server.available)(`values that ${server.name} does not take`, () => {
    let lent: Lent;
    let db: Database<"sqlite">;
    beforeAll(async () => {
      lent = await server.lend();
      db = lent.db as unknown as Database<"sqlite">;
      if (server.name === "postgres") await lent.run("CREATE TYPE mood AS ENUM ('sad')");
    });
    afterAll(() => lent.close());

    const isStrict = server.name === "sqlite";
    const made = async (name: string, { type, schema }: Pick<Kind, "type" | "schema">) => {
      const shape = { id: key(), other: text, given: column(schema, { type, name: "given_value" }) };
      const made = table(name, z.object(shape)) as unknown as Table;
      await db.dropTables(made);
      if (isStrict)
        await lent.run(
          `CREATE TABLE ${name} (id INTEGER PRIMARY KEY, other TEXT, given_value ${type}) STRICT`,
        );
      else await db.createTables(made);
      return db.repository(made) as never as Untyped;
    };

    // SQLite does not say of which row the value is.
    const second = isStrict ? undefined : 1;
    const expectNamed = async (call: Promise<unknown>, index?: number) => {
      const error = await sqlErrorOf(call);
      expect(error).toMatchObject({ code: "PARAM_TYPE", param: "given", cause: expect.anything() });
      expect(error.message.replace(/\([^()]*\)$/, "")).not.toMatch(/s3cret|\d{3}|1\.5/);
      expect(error).toHaveProperty("index", index);
      expect(mapSqlErrors(error)).toMatchObject({ code: "VALIDATION_FAILED" });
    };

    test.each(
      kinds[server.name].map((kind, i) => [`${kind.type}, ${i}`, kind, `refused_values_${i}`] as const),
    )("%s", async (_, kind, table) => {
      const rows = await made(table, kind);
      let id = 0;
      await rows.insert().exec({ id: 1_000, given: kind.takes, other: "x" });
      const records = (given: unknown) =>
        [kind.takes, given, kind.takes].map((one) => ({ id: ++id, given: one, other: "abc" }));
      for (const given of kind.refused) {
        await expectNamed(rows.insert().exec({ id: ++id, given, other: "abcd" }));
        await expectNamed(rows.insert().execBatch(records(given)), second);
        await expectNamed(rows.insert().execMany(records(given)), second);
        await expectNamed(rows.insert().onConflict("id").doUpdate().exec({ id: ++id, given, other: null }));
        await expectNamed(
          rows
            .modify()
            .set("other", "text")
            .set("given", "given")
            .where("id", "=", "id")
            .execMany({ text: "x", given, id: 1_000 }),
        );
        await expectNamed(rows.modify().where("id", "=", "id").execPatch({ given }, { id: 1_000 }));
        await expectNamed(
          db.transaction((tx) => rows.insert().exec({ id: ++id, given, other: "abcd" }, undefined, { tx })),
        );
        if (kind.isCompared === true || Array.isArray(given)) continue;
        await expectNamed(
          rows.query().where("id", ">", "id").where("given", "=", "given").exec({ id: 0, given }),
        );
        await expectNamed(
          rows
            .query()
            .where("given", "IN", "given")
            .exec({ given: [given] }),
        );
        const read = async () => {
          for await (const row of rows.query().where("given", "=", "given").stream({ given }))
            expect(row).toBeDefined();
        };
        await expectNamed(read());
      }
      expect(await rows.count().exec()).toBe(1);
    });

    test("what cannot be told of one parameter is not said of one", async () => {
      if (server.name !== "postgres") return;
      const Two = table(
        "refused_two",
        z.object({
          id: key(),
          one: column(z.string(), { type: "varchar(3)" }),
          two: column(z.string(), { type: "varchar(4)" }),
        }),
      );
      await db.createTables(Two);
      const two = db.repository(Two);
      const said = async (one: string, other: string) =>
        sqlErrorOf(two.insert().exec({ id: 1, one, two: other }));
      // The server says how long the column is: too long for it is one of them, or both are.
      expect(await said("abcd", "abc")).toMatchObject({ code: "PARAM_TYPE", param: "one" });
      expect(await said("abc", "abcdef")).toMatchObject({ code: "PARAM_TYPE", param: "two" });
      expect(await said("abcdef", "abcdef")).toMatchObject({ code: "PARAM_TYPE", param: "" });
    });

    test("what is calculated is a failure of the statement", async () => {
      if (server.name === "sqlite") {
        const rows = await made("refused_calculated", { type: "INTEGER", schema: z.number() });
        await rows.insert().exec({ id: 1, given: 3, other: "x" });
        const half = rows
          .insert()
          .onConflict("id")
          .doUpdate()
          .set("given", mul("given", param("by")));
        const error = await sqlErrorOf(half.exec({ id: 1, given: 1, other: "x" }, { by: 0.5 }));
        expect(error).toMatchObject({ code: "QUERY_FAILED" });
        return;
      }
      const type = server.name === "postgres" ? "integer" : "int";
      const small = server.name === "postgres" ? "numeric(5,2)" : "decimal(5,2)";
      const Calculated = table(
        "refused_calculated",
        z.object({
          id: key(),
          n: column(z.int(), { type }),
          d: column(z.number(), { type: small }),
        }),
      );
      await db.createTables(Calculated);
      const rows = db.repository(Calculated);
      await rows.insert().exec({ id: 1, n: 2 ** 30, d: 999 });
      const changes: readonly (() => Promise<unknown>)[] = [
        () => rows.modify().setExpr("d", "+", "by").where("id", "=", "id").execMany({ by: 500, id: 1 }),
        () => rows.modify().set("n", mul("n", "n")).where("id", "=", "id").execMany({ id: 1 }),
        () =>
          rows
            .modify()
            .set("n", add("n", param("by")))
            .where("id", "=", "id")
            .execMany({ by: 2 ** 30, id: 1 }),
        // Nobody gave it in a call.
        () =>
          rows
            .modify()
            .set("n", value(2 ** 40))
            .where("id", "=", "id")
            .execMany({ id: 1 }),
        // A parameter that might be too great, beside what is.
        () =>
          rows
            .modify()
            .set("n", "n")
            .set("d", mul("d", "d"))
            .where("id", "=", "id")
            .execMany({ n: 5_000, id: 1 }),
        () => rows.insert().onConflict("id").doUpdate().set("d", mul("d", "d")).exec({ id: 1, n: 1, d: 1 }),
      ];
      for (const change of changes)
        expect(await sqlErrorOf(change())).toMatchObject({ code: "QUERY_FAILED" });
      expect(await rows.query().exec()).toEqual([{ id: 1, n: 2 ** 30, d: 999 }]);
    });

    test("a pattern, a text outside of a character set, a text too long for an index", async () => {
      const Searched = table(
        "refused_searched",
        z.object({
          id: key(),
          name: z.string(),
          given: column(z.string().nullable(), {
            name: "given_value",
            index: true,
            type: { mariadb: "varchar(20) CHARACTER SET latin1 COLLATE latin1_bin" },
          }),
        }),
      );
      await db.createTables(Searched);
      const rows = db.repository(Searched) as unknown as Untyped;
      const asked = (operator: string) => rows.query().where("name", operator, "given");
      const long = Array.from({ length: 20_000 }, (_, i) => `${SECRET}${(i * 7919) % 10_007}`).join();
      const calls: Readonly<Record<Named, readonly (() => Promise<unknown>)[]>> = {
        postgres: [
          ...["~", "~*", "!~", "!~*"].map((operator) => () => asked(operator).exec({ given: `[${SECRET}` })),
          () =>
            rows
              .query()
              .where("name", "CONTAINS", "part")
              .where("name", "~", "given")
              .exec({ given: "(", part: "[" }),
          () =>
            rows.modify().where("name", "~", "given").set("name", "name").execMany({ given: "*", name: "x" }),
          () => rows.insert().exec({ id: 1, name: "x", given: long }),
        ],
        mariadb: [
          ...["=", "<", "!="].map(
            (operator) => () => rows.query().where("given", operator, "given").exec({ given: "日" }),
          ),
          () =>
            rows
              .query()
              .where("given", "IN", "given")
              .exec({ given: ["a", "日"] }),
          () =>
            rows
              .query()
              .where("name", "=", "other")
              .where("given", "=", "given")
              .exec({ given: "日", other: "x" }),
          () => rows.query().whereBetween("given", "low", "given").exec({ low: "a", given: "日" }),
        ],
        sqlite: ["LIKE", "ILIKE", "CONTAINS", "STARTS WITH"].map(
          (operator) => () => asked(operator).exec({ given: SECRET.repeat(9_000) }),
        ),
      };
      await rows.insert().exec({ id: 7, name: "x", given: "y" });
      for (const call of calls[server.name]) await expectNamed(call());
      // Which of two it is nobody says, and a constant of the program is no parameter.
      const twice = {
        postgres: () => asked("~").where("name", "~*", "second").exec({ given: "(", second: "[" }),
        mariadb: () =>
          asked("=")
            .where("given", "=", "second")
            .where("given", "IN", "third")
            .exec({ given: "x", second: "日", third: ["本"] }),
        sqlite: () => asked("LIKE").where("name", "ILIKE", "second").exec({ given: long, second: long }),
      };
      expect(await sqlErrorOf(twice[server.name]())).toMatchObject({ code: "PARAM_TYPE", param: "" });
      // The value of a scope is not one of the call.
      if (server.name !== "mariadb") return;
      const scoped = rows.scope({ given: "日" }).query().where("given", "=", "given");
      expect(await sqlErrorOf(scoped.exec({ given: "本" }))).toMatchObject({ code: "QUERY_FAILED" });
    });

    test("SQL text: its parameter is named, and a constant is none", async () => {
      if (server.name !== "postgres") return;
      const error = await sqlErrorOf(
        db
          .sql("SELECT 1 AS one WHERE :n::integer > 1 AND :m::text = 'x'", z.object({ one: z.int() }))
          .exec({ n: SECRET, m: "x" } as never),
      );
      expect(error).toMatchObject({ code: "PARAM_TYPE", param: "n" });
      expect(error.message).not.toContain(SECRET);
      const own = await sqlErrorOf(db.sql(`SELECT '${SECRET}'::integer`).exec());
      expect(own).toBeInstanceOf(SqlError);
      expect(own).toMatchObject({ code: "QUERY_FAILED" });
    });
  });

// The columns differ from case to case: the type of the table is not known here.
// biome-ignore lint/suspicious/noExplicitAny: as the line before says.
type Untyped = any;
