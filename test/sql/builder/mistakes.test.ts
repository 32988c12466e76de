/** The mistakes of untyped callers: refused with a code before anything is sent, with a message in words. */
import { BuildError, c, column, on, or, ParameterError, table, UnsupportedError } from "rowtype";
import { sqlite } from "rowtype/sqlite";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { Person } from "../../kit/people.js";
import { sqlErrorIn, sqlErrorOf } from "../../kit/thrown.js";

// biome-ignore lint/suspicious/noExplicitAny: these tests are the callers whom no compiler stops.
const people: any = sqlite().repository(Person);
// biome-ignore lint/suspicious/noExplicitAny: likewise, of conditions.
const anyC: any = c;

describe("a builder with a mistake", () => {
  const mistakes: [string, () => { render(): unknown }, string, RegExp][] = [
    [
      "an unknown field",
      () => people.query().where("agee", "=", "x"),
      "INVALID_FIELD",
      /unknown field "agee" on table "people"; fields: id, email, name, age/,
    ],
    [
      "a column's name in place of its property",
      () => people.query().where("born_at", "=", "x"),
      "INVALID_FIELD",
      /"born_at"/,
    ],
    [
      "a field of the prototype",
      () => people.query().where("constructor", "=", "x"),
      "INVALID_FIELD",
      /"constructor"/,
    ],
    ["__proto__", () => people.query().where("__proto__", "=", "x"), "INVALID_FIELD", /"__proto__"/],
    ["an implicit column", () => people.query().where("rowid", "=", "x"), "INVALID_FIELD", /"rowid"/],
    [
      "SQL in place of a field",
      () => people.query().orderBy('id"; DROP TABLE people; --', "asc"),
      "INVALID_FIELD",
      /fields:/,
    ],
    ["an array in place of a field", () => people.query().fields(["id"]), "INVALID_FIELD", /an array/],
    [
      "an unknown operator",
      () => people.query().where("age", "==", "x"),
      "INVALID_OPERATOR",
      /unknown operator "=="; operators: =, !=/,
    ],
    [
      "an operator of the prototype",
      () => people.query().where("age", "toString", "x"),
      "INVALID_OPERATOR",
      /"toString"/,
    ],
    [
      "an operator that the column does not take",
      () => people.query().where("age", "LIKE", "x"),
      "INVALID_OPERATOR",
      /field "age" \(number\) does not take LIKE/,
    ],
    [
      "an order of booleans",
      () => people.query().where("active", ">", "x"),
      "INVALID_OPERATOR",
      /does not take >/,
    ],
    [
      "a comparison of JSON",
      () => people.query().where("settings", "=", "x"),
      "INVALID_OPERATOR",
      /only null tests/,
    ],
    [
      "a range of booleans",
      () => people.query().whereBetween("active", "a", "b"),
      "INVALID_OPERATOR",
      /has no order/,
    ],
    [
      "a parameter's name with a blank",
      () => people.query().where("age", "=", "the age"),
      "INVALID_PARAM",
      /"the age"/,
    ],
    [
      "a parameter's name of 64 letters",
      () => people.query().where("age", "=", "x".repeat(64)),
      "INVALID_PARAM",
      /at most 63/,
    ],
    ["no parameter at all", () => people.query().where("age", "="), "INVALID_PARAM", /undefined/],
    [
      "a direction in capitals",
      () => people.query().orderBy("age", "ASC"),
      "INVALID_DIRECTION",
      /asc or desc/,
    ],
    [
      "NULLs in the middle",
      () => people.query().orderByNulls("age", "asc", "middle"),
      "INVALID_NULLS",
      /first or last/,
    ],
    ["a negative limit", () => people.query().limit(-1), "INVALID_PARAM", /limit must be a whole number/],
    ["a limit as text", () => people.query().limit("10"), "INVALID_PARAM", /limit/],
    ["an offset beyond 2^53", () => people.query().offset(2 ** 53), "INVALID_PARAM", /offset/],
    ["an empty group", () => people.query().whereOr(), "INVALID_CONDITION", /at least one/],
    ["an empty group in a group", () => people.query().whereOr(or()), "INVALID_CONDITION", /at least one/],
    [
      "a group of something else",
      () => people.query().whereAnd({ field: "id" }),
      "INVALID_CONDITION",
      /not "an object"/,
    ],
    ["a group of text", () => people.query().whereAnd("1 = 1"), "INVALID_CONDITION", /not "a string"/],
    [
      "an unknown field in a group",
      () => people.query().whereOr(anyC("agee", "=", "x")),
      "INVALID_FIELD",
      /"agee"/,
    ],
    [
      "DISTINCT ordered by an unselected field",
      () => people.query().fields("name").distinct().orderBy("age", "asc"),
      "INVALID_FIELD",
      /selected/,
    ],
    ["an update without a condition", () => people.modify().set("age", "age"), "UNSAFE_UPDATE", /where/],
    ["an update that sets nothing", () => people.modify().where("id", "=", "id"), "INVALID_SPEC", /set/],
    [
      "a field set twice",
      () => people.modify().set("age", "a").set("age", "b").where("id", "=", "id"),
      "INVALID_FIELD",
      /twice/,
    ],
    [
      "an unknown field set",
      () => people.modify().set("agee", "a").where("id", "=", "id"),
      "INVALID_FIELD",
      /"agee"/,
    ],
    ["a removal without a condition", () => people.remove(), "UNSAFE_DELETE", /where/],
  ];

  test.each(mistakes)("%s", (_, build, code, message) => {
    const builder = build();
    const error = sqlErrorIn(() => builder.render());
    expect(error).toBeInstanceOf(BuildError);
    expect(error.code).toBe(code);
    expect(error.message).toMatch(message);
    expect(error.message.length).toBeLessThan(300);
  });

  test("all problems come together, with the path to each", () => {
    const builder = people
      .query()
      .where("agee", "=", "x")
      .whereOr(anyC("name", "==", "y"))
      .orderBy("age", "up");
    const error = sqlErrorIn(() => builder.build());
    expect(error).toBeInstanceOf(BuildError);
    const { problems } = error as BuildError;
    expect(problems.map(({ code, path }) => [code, path])).toEqual([
      ["INVALID_FIELD", "where[0].field"],
      ["INVALID_OPERATOR", "where[1].group[0].operator"],
      ["INVALID_DIRECTION", "order_by[0].direction"],
    ]);
  });

  test("building never throws, safeRender gives the error as a value", () => {
    const result = people.query().where("agee", "=", "x").safeRender();
    expect(result).toMatchObject({ success: false, error: { code: "INVALID_FIELD" } });
    expect(people.query().safeRender()).toMatchObject({ success: true, data: { params: [] } });
  });

  test("a missing feature of a dialect is UNSUPPORTED with dialect, feature and hint", () => {
    const error = sqlErrorIn(() => people.query().where("name", "~", "x").render());
    expect(error).toBeInstanceOf(UnsupportedError);
    expect(error).toMatchObject({
      code: "UNSUPPORTED",
      dialect: "sqlite",
      feature: expect.any(String),
      hint: expect.any(String),
    });
  });

  test("a huge name does not make a huge message, and control characters are escaped", () => {
    const error = sqlErrorIn(() =>
      people
        .query()
        .where(`\u0000\n\u2028${"x".repeat(100_000)}`, "=", "x")
        .render(),
    );
    expect(error.message.length).toBeLessThan(300);
    expect([...error.message].filter((char) => char < " " || char === "\u2028")).toEqual([]);
  });

  test("nothing is sent: no event reports a statement", async () => {
    const sent: string[] = [];
    const off = on("db.query.started", ({ sql }) => sent.push(sql));
    await sqlErrorOf(people.query().where("agee", "=", "x").exec({ x: 1 }));
    await sqlErrorOf(people.query().where("age", "=", "x").exec({}));
    off();
    expect(sent).toEqual([]);
  });
});

describe("a call with a mistake", () => {
  const byAge = people.query().where("age", "=", "age");
  const calls: [string, () => Promise<unknown>, string, string, RegExp][] = [
    ["a missing parameter", () => byAge.exec(), "MISSING_PARAM", "age", /"age" is missing/],
    ["undefined", () => byAge.exec({ age: undefined }), "MISSING_PARAM", "age", /missing/],
    [
      "a parameter of the prototype",
      () => people.query().where("age", "=", "toString").exec({}),
      "MISSING_PARAM",
      "toString",
      /missing/,
    ],
    ["an extra parameter", () => byAge.exec({ age: 1, agee: 2 }), "EXTRA_PARAM", "agee", /parameters: age/],
    [
      "a parameter where there are none",
      () => people.query().exec({ x: 1 }),
      "EXTRA_PARAM",
      "x",
      /there are no parameters/,
    ],
    ["null in a comparison", () => byAge.exec({ age: null }), "PARAM_TYPE", "age", /whereNull/],
    ["text for a number", () => byAge.exec({ age: "1" }), "PARAM_TYPE", "age", /a string/],
    ["a fraction for an integer", () => byAge.exec({ age: 1.5 }), "PARAM_TYPE", "age", /whole number/],
    ["NaN", () => byAge.exec({ age: Number.NaN }), "PARAM_TYPE", "age", /NaN/],
    ["an infinity", () => byAge.exec({ age: Number.POSITIVE_INFINITY }), "PARAM_TYPE", "age", /infinity/],
    ["an object", () => byAge.exec({ age: { toString: () => "1" } }), "PARAM_TYPE", "age", /an object/],
    ["a list for a scalar", () => byAge.exec({ age: [1] }), "PARAM_TYPE", "age", /an array/],
    [
      "a number for text",
      () => people.query().where("name", "=", "n").exec({ n: 0 }),
      "PARAM_TYPE",
      "n",
      /text, not a number/,
    ],
    [
      "false for text",
      () => people.query().where("name", "=", "n").exec({ n: false }),
      "PARAM_TYPE",
      "n",
      /a boolean/,
    ],
    [
      "NUL in text",
      () => people.query().where("name", "=", "n").exec({ n: "a\0b" }),
      "PARAM_TYPE",
      "n",
      /NUL/,
    ],
    [
      "a lone surrogate",
      () => people.query().where("name", "=", "n").exec({ n: "\ud800" }),
      "PARAM_TYPE",
      "n",
      /surrogates/,
    ],
    [
      "a value that the enum lacks",
      () => people.query().where("role", "=", "r").exec({ r: "boss" }),
      "PARAM_TYPE",
      "r",
      /3 values/,
    ],
    [
      "an invalid Date",
      () =>
        people
          .query()
          .where("bornAt", "=", "d")
          .exec({ d: new Date("x") }),
      "PARAM_TYPE",
      "d",
      /valid Date/,
    ],
    [
      "a Date in the year 10000",
      () =>
        people
          .query()
          .where("bornAt", "=", "d")
          .exec({ d: new Date("+010000-01-01T00:00:00Z") }),
      "PARAM_TYPE",
      "d",
      /9999/,
    ],
    [
      "a number for a bigint",
      () => people.query().where("balance", "=", "b").exec({ b: 1 }),
      "PARAM_TYPE",
      "b",
      /a bigint/,
    ],
    [
      "a bigint of 65 bits",
      () =>
        people
          .query()
          .where("balance", "=", "b")
          .exec({ b: 2n ** 63n }),
      "PARAM_TYPE",
      "b",
      /64 bits/,
    ],
    [
      "a scalar for IN",
      () => people.query().where("id", "IN", "ids").exec({ ids: 1 }),
      "PARAM_TYPE",
      "ids",
      /a list/,
    ],
    [
      "text for IN",
      () => people.query().where("name", "IN", "ids").exec({ ids: "ab" }),
      "PARAM_TYPE",
      "ids",
      /a list/,
    ],
    [
      "null in a list",
      () =>
        people
          .query()
          .where("id", "NOT IN", "ids")
          .exec({ ids: [1, null] }),
      "PARAM_TYPE",
      "ids",
      /without null/,
    ],
    [
      "a list in a list",
      () =>
        people
          .query()
          .where("id", "IN", "ids")
          .exec({ ids: [[1]] }),
      "PARAM_TYPE",
      "ids",
      /an array/,
    ],
    [
      "a pattern that ends in a backslash",
      () => people.query().where("name", "LIKE", "p").exec({ p: "a\\" }),
      "PARAM_TYPE",
      "p",
      /backslash/,
    ],
    [
      "a negative limit",
      () => people.query().limitParam("n").exec({ n: -1 }),
      "PARAM_TYPE",
      "n",
      /whole number from 0/,
    ],
    ["parameters that are a list", () => byAge.exec([1]), "PARAM_TYPE", "", /an array/],
    ["a record that is none", () => people.insert().exec(null), "PARAM_TYPE", "", /null/],
    [
      "a record without a required key",
      () => people.insert().exec({ email: "a@b.co" }),
      "MISSING_PARAM",
      "name",
      /"name" is missing/,
    ],
    [
      "a record with an unknown key",
      () => people.insert().exec({ nam: "x" }),
      "EXTRA_PARAM",
      "nam",
      /keys: id, email, name/,
    ],
    [
      "JSON of another shape",
      () =>
        people
          .modify()
          .set("settings", "s")
          .where("id", "=", "id")
          .exec({ s: { theme: 1 }, id: 1 }),
      "PARAM_TYPE",
      "s",
      /settings/,
    ],
  ];

  test.each(calls)("%s", async (_, call, code, param, message) => {
    const error = await sqlErrorOf(call());
    expect(error).toBeInstanceOf(ParameterError);
    expect(error).toMatchObject({ code, param, table: "people" });
    expect(error.message).toMatch(message);
  });

  test("no message holds the value of a parameter", async () => {
    const secret = "hunter2\0";
    const error = await sqlErrorOf(people.query().where("name", "=", "n").exec({ n: secret }));
    expect(error.message).not.toContain("hunter2");
    const inserted = await sqlErrorOf(people.insert().exec({ email: "hunter2" }));
    expect(inserted.message).not.toContain("hunter2");
  });
});

describe("a declaration with a mistake", () => {
  // biome-ignore lint/suspicious/noExplicitAny: declarations that the compiler would stop.
  const anything: any = { column, table };
  const id = column(z.int(), { primaryKey: true });
  const declarations: [string, () => unknown, RegExp][] = [
    [
      "an unknown key of metadata",
      () => anything.column(z.int(), { primary: true }),
      /unknown key "primary".*primaryKey/,
    ],
    ["metadata of the wrong type", () => anything.column(z.int(), { name: 5 }), /"name"/],
    ["no schema", () => anything.column(undefined, {}), /Zod 4/],
    ["a table that is not a Zod object", () => anything.table("t", z.string()), /Zod object/],
    ["a table without columns", () => table("t", z.object({})), /no columns/],
    ["a table without a name", () => table("", z.object({ id })), /cannot name a table/],
    ["an optional column", () => table("t", z.object({ id, a: z.string().optional() })), /nullable/],
    [
      "a transformed column",
      () => table("t", z.object({ id, a: z.string().transform(Number) })),
      /transform/,
    ],
    ["a piped column", () => table("t", z.object({ id, a: z.string().pipe(z.string()) })), /pipe/],
    ["a map as a column", () => table("t", z.object({ id, a: z.map(z.string(), z.string()) })), /json/],
    [
      "literals of several types",
      () => table("t", z.object({ id, a: z.literal(["a", 1]) })),
      /several types/,
    ],
    [
      "two columns of one name",
      () => table("t", z.object({ id, a: column(z.int(), { name: "id" }) })),
      /two columns named "id"/,
    ],
    [
      "two primary keys",
      () => table("t", z.object({ id, b: column(z.int(), { primaryKey: true }) })),
      /options.primaryKey/,
    ],
    [
      "a primary key declared twice",
      () => table("t", z.object({ id, b: z.int() }), { primaryKey: ["id", "b"] }),
      /twice/,
    ],
    [
      "a key of an unknown column",
      () => anything.table("t", z.object({ a: z.int() }), { primaryKey: ["b"] }),
      /unknown column "b"/,
    ],
    [
      "a nullable primary key",
      () => table("t", z.object({ a: column(z.int().nullable(), { primaryKey: true }) })),
      /nullable/,
    ],
    ["generated text", () => table("t", z.object({ a: column(z.string(), { generated: true }) })), /integer/],
    [
      "a generated column with a default",
      () => table("t", z.object({ a: column(z.int(), { generated: true, default: "1" }) })),
      /default/,
    ],
    [
      "a reference without its column",
      () => table("t", z.object({ id, a: column(z.int(), { references: "teams" }) })),
      /"table\(column\)"/,
    ],
    [
      "a reference that does not end",
      () => table("t", z.object({ id, a: column(z.int(), { references: "teams(id" }) })),
      /not "teams\(id"/,
    ],
    [
      "a reference with more behind it",
      () => table("t", z.object({ id, a: column(z.int(), { references: "teams(id) ON DELETE CASCADE" }) })),
      /"table\(column\)"/,
    ],
    [
      "a reference to nothing",
      () => table("t", z.object({ id, a: column(z.int(), { references: "teams( )" }) })),
      /"table\(column\)"/,
    ],
  ];

  test.each(declarations)("%s", (_, declare, message) => {
    const error = sqlErrorIn(declare);
    expect(error.code).toBe("DECLARATION");
    expect(error.message).toMatch(message);
  });
});
