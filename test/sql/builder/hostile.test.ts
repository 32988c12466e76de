/**
 * Attacks by an untyped caller: nothing of theirs reaches SQL text, and nothing is changed that was not meant. The
 * numbers are those of `threats.test.ts`.
 */
import Sqlite from "better-sqlite3";
import { c, column, json, or, table } from "rowtype";
import { postgres } from "rowtype/postgres";
import { sqlite } from "rowtype/sqlite";
import { beforeEach, describe, expect, test } from "vitest";
import { z } from "zod";
import { Person, Team } from "../../kit/people.js";
import { sqlErrorIn, sqlErrorOf } from "../../kit/thrown.js";

// biome-ignore lint/suspicious/noExplicitAny: these tests are the callers whom no compiler stops.
type Untyped = any;

let handle: InstanceType<typeof Sqlite>;
let teams: Untyped;
beforeEach(async () => {
  handle = new Sqlite(":memory:");
  const db = sqlite(handle);
  await db.createTables(Team);
  teams = db.repository(Team);
  await teams.insert().execBatch([1, 2, 3].map((id) => ({ id, title: `t${id}` })));
});
const count = () => teams.count().exec();

describe("a change affects only the rows of its conditions", () => {
  test("a condition of an update or a removal cannot be left out as optional", async () => {
    const spec = { where: [{ field: "id", operator: "=", param: "id", optional: true }] };
    expect(await sqlErrorOf(teams.removeFromSpec(spec).exec())).toMatchObject({ code: "INVALID_CONDITION" });
    expect(
      await sqlErrorOf(teams.modifyFromSpec({ ...spec, set: { title: "t" } }).execMany({ t: "x" })),
    ).toMatchObject({
      code: "INVALID_CONDITION",
    });
    expect(teams.remove().whereOptional).toBeUndefined();
    expect(await count()).toBe(3);
  });

  test("an optional condition inside a group is refused everywhere", () => {
    const group = { logic: "OR", group: [{ field: "id", operator: "=", param: "id", optional: true }] };
    expect(sqlErrorIn(() => teams.queryFromSpec({ where: [group] }).build())).toMatchObject({
      code: "INVALID_CONDITION",
    });
  });

  test.each([
    ["alone", (b: Untyped) => b.where("id", "NOT IN", "ids")],
    ["in a group", (b: Untyped) => b.whereOr(c("id", "=", "id"), c("id", "NOT IN", "ids"))],
    ["beside another", (b: Untyped) => b.where("id", "NOT IN", "ids").where("title", "NOT IN", "ids2")],
  ])("NOT IN an empty list is not a condition: %s", async (_, conditions) => {
    const values = { id: 1, ids: [], ids2: [] };
    const given = (builder: Untyped) =>
      Object.fromEntries(
        Object.entries({ ...values, t: "x" }).filter(([name]) => builder.render().params.includes(name)),
      );
    const removal = conditions(teams.remove());
    expect(await sqlErrorOf(removal.exec(given(removal)))).toMatchObject({ code: "UNSAFE_DELETE" });
    expect(await sqlErrorOf(removal.execMany(given(removal)))).toMatchObject({ code: "UNSAFE_DELETE" });
    expect(await sqlErrorOf(removal.execBatch([given(removal)]))).toMatchObject({ code: "UNSAFE_DELETE" });
    const update = conditions(teams.modify().set("title", "t"));
    expect(await sqlErrorOf(update.execMany(given(update)))).toMatchObject({ code: "UNSAFE_UPDATE" });
    expect(await count()).toBe(3);
  });

  test("a parameter that changes between two reads does not bypass the check", async () => {
    let reads = 0;
    const shifty = {
      get ids() {
        return reads++ < 2 ? [] : [1];
      },
    };
    for (const call of ["exec", "execMany"]) {
      reads = 0;
      const error = await sqlErrorOf(teams.remove().where("id", "NOT IN", "ids")[call](shifty));
      expect(error.code).toBe("UNSAFE_DELETE");
    }
    expect(await count()).toBe(3);
  });

  test("NOT IN an empty list beside a restricting condition is allowed", async () => {
    expect(
      await teams.remove().where("id", "NOT IN", "ids").where("id", "=", "id").exec({ ids: [], id: 1 }),
    ).toBe(1);
    expect(
      await teams
        .remove()
        .whereAnd(or(c("id", "IN", "none"), c("id", "=", "id")))
        .exec({ none: [], id: 2 }),
    ).toBe(1);
  });

  test("a patch requires a condition, and the parameters of its conditions", async () => {
    const byTitle = teams.modify().where("title", "=", "title");
    expect(await sqlErrorOf(byTitle.execPatch({ title: "t1" }))).toMatchObject({
      code: "MISSING_PARAM",
      param: "title",
    });
    expect(await sqlErrorOf(byTitle.execPatch({ title: "x" }, { title: "t1", more: 1 }))).toMatchObject({
      code: "EXTRA_PARAM",
    });
    expect(await sqlErrorOf(teams.modify().execPatch({ title: "x" }))).toMatchObject({
      code: "UNSAFE_UPDATE",
    });
    expect(await sqlErrorOf(teams.modify().execPatch({}))).toMatchObject({ code: "UNSAFE_UPDATE" });
    expect(
      await sqlErrorOf(teams.modify().set("id", "i").where("id", "=", "id").execPatch({}, { id: 1 })),
    ).toMatchObject({ code: "INVALID_SPEC" });
    expect(await byTitle.execPatch({ title: "x" }, { title: "t1" })).toEqual({ id: 1, title: "x" });
  });
});

describe("no value of a caller becomes SQL", () => {
  test("a condition that changes between check and rendering is refused", async () => {
    let reads = 0;
    const shifty = {
      field: "title",
      is_null: true,
      get operator() {
        return reads++ === 0 ? "IS NULL" : "IS NULL OR 1=1)--";
      },
    };
    expect(await sqlErrorOf(teams.query().whereAnd(shifty).exec())).toMatchObject({
      code: "INVALID_CONDITION",
    });
    expect(
      await sqlErrorOf(
        teams
          .query()
          .whereOr(or(shifty as never))
          .exec(),
      ),
    ).toMatchObject({ code: "INVALID_CONDITION" });
    expect(reads).toBe(0);
  });

  test("the spec of a builder cannot be changed from outside", () => {
    const builder = teams
      .query()
      .fields("id")
      .whereNull("title")
      .whereOptional("id", "=", "id")
      .orderBy("id", "asc");
    builder.render();
    const spec = builder.toSpec();
    for (const list of [spec.fields, spec.where, spec.order_by]) {
      expect(Object.isFrozen(list)).toBe(true);
      expect(() => list.push("x")).toThrow(TypeError);
    }
    expect(() => {
      spec.where[0].operator = "IS NULL OR 1=1";
    }).toThrow(TypeError);
    expect(Object.isFrozen(teams.modify().set("title", "t").toSpec().set)).toBe(true);
  });

  test("an isolation level is one of three", async () => {
    const levels = ["serializable; DROP TABLE teams; BEGIN", "SERIALIZABLE", "snapshot", 5, {}, null];
    for (const isolation of levels)
      for (const db of [sqlite(handle), postgres()])
        expect(await sqlErrorOf(db.transaction(async () => 1, { isolation } as never))).toMatchObject({
          code: "PARAM_TYPE",
          param: "isolation",
        });
    for (const retries of [Number.NaN, -1, 1.5, "3", Number.POSITIVE_INFINITY])
      expect(await sqlErrorOf(sqlite(handle).transaction(async () => 1, { retries } as never))).toMatchObject(
        { param: "retries" },
      );
  });

  test("names with quotes stay names", async () => {
    const Odd = table(
      'o"; DROP TABLE teams; --',
      z.object({
        'a"b': column(z.int(), { name: 'x"y', primaryKey: true }),
        constructor: z.int().nullable(),
      }),
    );
    const db = sqlite(handle);
    await db.createTables(Odd);
    const odd: Untyped = db.repository(Odd);
    expect(await odd.insert().exec({ 'a"b': 1 })).toEqual({ 'a"b': 1, constructor: null });
    expect(await odd.insert().exec({ 'a"b': 2, constructor: 3 })).toEqual({ 'a"b': 2, constructor: 3 });
    expect(await odd.query().where('a"b', "=", "p").exec({ p: 1 })).toHaveLength(1);
    expect(await count()).toBe(3);
  });
});

describe("invalid calls", () => {
  test("fields without a name are not all fields", () => {
    expect(sqlErrorIn(() => teams.query().fields().build())).toMatchObject({ code: "INVALID_FIELD" });
    expect(sqlErrorIn(() => teams.queryFromSpec({ fields: [] }).build())).toMatchObject({
      code: "INVALID_FIELD",
    });
    expect(sqlErrorIn(() => teams.specs({ fields: [] }))).toMatchObject({ code: "DECLARATION" });
    expect(sqlErrorIn(() => teams.specs({ fields: ["nope"] }))).toMatchObject({ code: "DECLARATION" });
  });

  test("set takes a name, and an update sets something", () => {
    expect(sqlErrorIn(() => teams.modify().set(["title"], "t").where("id", "=", "id").build())).toMatchObject(
      { code: "INVALID_FIELD" },
    );
    expect(
      sqlErrorIn(() =>
        teams.modifyFromSpec({ set: {}, where: [{ field: "id", operator: "=", param: "id" }] }).build(),
      ),
    ).toMatchObject({ code: "INVALID_SPEC" });
  });

  test("chaining on a broken spec does not throw, and its problem is kept", () => {
    for (const spec of [null, 5, "x", [], { where: 5 }, { fields: "id" }, { order_by: {} }]) {
      const builder = teams.queryFromSpec(spec).where("id", "=", "id").fields("id").orderBy("id", "asc");
      expect(sqlErrorIn(() => builder.render())).toMatchObject({ code: "INVALID_SPEC" });
    }
  });

  test("an optional parameter is not found on the prototype", async () => {
    expect(await teams.query().whereOptional("title", "=", "constructor").exec({})).toHaveLength(3);
    expect(await teams.query().whereOptional("title", "=", "toString").exec()).toHaveLength(3);
  });

  test("a record is its own keys, and undefined is not given", async () => {
    expect(await sqlErrorOf(teams.insert().exec(Object.create({ id: 9, title: "inherited" })))).toMatchObject(
      { code: "MISSING_PARAM" },
    );
    expect(await sqlErrorOf(teams.insert().exec({ id: 9, title: undefined }))).toMatchObject({
      code: "MISSING_PARAM",
      param: "title",
    });
    expect(
      await sqlErrorOf(teams.insert().exec(JSON.parse('{"id":9,"title":"x","__proto__":{"a":1}}'))),
    ).toMatchObject({ code: "EXTRA_PARAM", param: "__proto__" });
    expect(Object.prototype).not.toHaveProperty("a");
  });

  test("a batch is a list, and the item that is wrong is named before anything is sent", async () => {
    for (const list of [null, {}, "ab", undefined]) {
      expect(await sqlErrorOf(teams.insert().execBatch(list))).toMatchObject({ code: "PARAM_TYPE" });
      expect(await sqlErrorOf(teams.remove().where("id", "=", "id").execBatch(list))).toMatchObject({
        code: "PARAM_TYPE",
      });
    }
    const nul = [
      { id: 8, title: "fine" },
      { id: 9, title: "a\0b" },
    ];
    expect(await sqlErrorOf(teams.insert().execBatch(nul))).toMatchObject({
      code: "PARAM_TYPE",
      param: "title",
      index: 1,
    });
    const removal = teams.remove().where("id", "=", "id");
    expect(await sqlErrorOf(removal.execBatch([{ id: 1 }, { id: "x" }]))).toMatchObject({ index: 1 });
    const rename = teams.modify().set("title", "t").where("id", "=", "id");
    expect(await sqlErrorOf(rename.execBatch([{ id: 1, t: "x" }, { id: 1 }]))).toMatchObject({
      code: "MISSING_PARAM",
      index: 1,
    });
    expect(await count()).toBe(3);
  });

  test("a pattern of megabytes is bound without an overflow", async () => {
    const pattern = `${"\\\\".repeat(4_000_000)}%`;
    expect(
      await sqlErrorOf(
        teams
          .query()
          .where("title", "LIKE", "p")
          .exec({ p: `${pattern}\\` }),
      ),
    ).toMatchObject({ code: "PARAM_TYPE" });
    expect(await sqlErrorOf(teams.query().where("title", "ILIKE", "p").exec({ p: pattern }))).toMatchObject({
      code: "PARAM_TYPE",
    });
  });

  test("a refinement cannot be asynchronous, and its text cannot forge a line of a log", async () => {
    const Odd = table(
      "odd",
      z.object({
        id: column(z.int(), { primaryKey: true }),
        slow: z
          .string()
          .refine(async () => true)
          .nullable(),
        loud: z
          .string()
          .refine((text) => text === "", { error: "no\r\nadmin logged in" })
          .nullable(),
      }),
    );
    const odd: Untyped = sqlite(handle).repository(Odd);
    expect(await sqlErrorOf(odd.insert().exec({ id: 1, slow: "x" }))).toMatchObject({ code: "DECLARATION" });
    const error = await sqlErrorOf(odd.insert().exec({ id: 1, loud: "x" }));
    expect(error.message).toContain("no\\u000d\\u000aadmin");
  });
});

describe("declarations that a dialect cannot store", () => {
  const id = column(z.int(), { primaryKey: true });

  test("names that are too long, or equal but for case where that does not count", () => {
    const long = table("t", z.object({ id, long: column(z.int(), { name: "x".repeat(64) }) }));
    expect(sqlErrorIn(() => postgres().repository(long))).toMatchObject({
      code: "UNSUPPORTED",
      dialect: "postgres",
    });
    const cased = table("t", z.object({ id, a: z.int(), A: z.int() }));
    expect(sqlErrorIn(() => sqlite().repository(cased))).toMatchObject({
      code: "UNSUPPORTED",
      dialect: "sqlite",
    });
    expect(() => postgres().repository(cased)).not.toThrow();
  });

  test("JSON with a transform inside, a refinement of the whole row, unknown options", () => {
    expect(
      sqlErrorIn(() => table("t", z.object({ id, j: json(z.object({ n: z.string().transform(Number) })) }))),
    ).toMatchObject({ code: "DECLARATION" });
    for (const j of [
      z.object({ n: z.string().transform(Number) }),
      z.union([z.string(), z.array(z.string().transform(Number))]),
    ])
      expect(sqlErrorIn(() => table("t", z.object({ id, j })))).toMatchObject({ code: "DECLARATION" });
    expect(
      sqlErrorIn(() =>
        table(
          "t",
          z.object({ id, a: z.int() }).refine(({ a }) => a > 0),
        ),
      ),
    ).toMatchObject({ code: "DECLARATION" });
    const untyped: Untyped = { table, column };
    expect(sqlErrorIn(() => untyped.table("t", z.object({ id }), { primarykey: ["id"] }))).toMatchObject({
      code: "DECLARATION",
    });
    expect(sqlErrorIn(() => untyped.table("t", z.object({ id }), null))).toMatchObject({
      code: "DECLARATION",
    });
    expect(sqlErrorIn(() => untyped.column(z.int()))).toMatchObject({ code: "DECLARATION" });
  });

  test("a reference to a key of several columns", async () => {
    const Pair = table("pair", z.object({ x: z.int(), y: z.int() }), { primaryKey: ["x", "y"] });
    const One = table("one", z.object({ id, pair: column(z.int(), { references: () => Pair }) }));
    expect(await sqlErrorOf(sqlite(handle).createTables(Pair, One))).toMatchObject({ code: "DECLARATION" });
  });

  test("a patch ignores the default of a refined column, and applies its refinement", () => {
    const T = table(
      "t",
      z.object({
        id,
        a: z
          .string()
          .default("x")
          .refine((text) => text !== "bad"),
        b: z.int().catch(0),
      }),
    );
    expect(T.updateSchema.parse({})).toEqual({});
    expect(T.updateSchema.safeParse({ a: "bad" }).success).toBe(false);
    expect(T.updateSchema.safeParse({ b: "x" }).success).toBe(false);
    expect(Object.keys(Person.updateSchema.shape)).toContain("id");
  });
});
