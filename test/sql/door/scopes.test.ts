/** Scopes: a repository for a part of a table, from which nothing of another part is reached. */
import { column, json, table } from "rowtype";
import { mariadb } from "rowtype/mariadb";
import { oracle } from "rowtype/oracle";
import { postgres } from "rowtype/postgres";
import { sqlite } from "rowtype/sqlite";
import { beforeEach, describe, expect, test } from "vitest";
import { z } from "zod";
import { onEachServer } from "../../kit/each-server.js";
import { sqlErrorIn, sqlErrorOf } from "../../kit/thrown.js";

const Note = table(
  "notes",
  z.object({
    id: column(z.int(), { primaryKey: true, generated: true }),
    tenantId: column(z.int(), { name: "tenant_id" }),
    slug: z.string(),
    text: z.string().nullable(),
    tags: json(z.array(z.string())).nullable(),
    at: z.date().nullable(),
    kind: z.enum(["a", "b"]).nullable(),
  }),
  { unique: [["tenantId", "slug"]] },
);
const notes = sqlite().repository(Note);
// biome-ignore lint/suspicious/noExplicitAny: some callers are not typed.
type Untyped = any;
const untyped: Untyped = notes;

describe("the text of a scope", () => {
  test.each([
    ["sqlite", sqlite(), "?", '"'],
    ["postgres", postgres(), "$1", '"'],
    ["mariadb", mariadb(), "?", "`"],
    ["oracle", oracle(), ":p0", '"'],
  ] as const)("every statement on %s has the condition, and the value is bound", (_, db, mark, quote) => {
    const scope = (db as unknown as ReturnType<typeof sqlite>).repository(Note).scope({ tenantId: 7 });
    const builders = [
      scope.query(),
      scope.select(),
      scope.count(),
      scope.modify().set("text", "t").where("slug", "=", "s"),
      scope.remove().where("slug", "=", "s"),
      scope.query().exists(),
    ];
    for (const builder of builders) {
      const { native, params, constants } = builder.render();
      expect(native.sql).toContain(`${quote}tenant_id${quote} = `);
      expect(native.sql).not.toContain("7");
      expect(params).not.toContain("value_1");
      expect(constants).toEqual({ value_1: 7 });
    }
    expect(scope.query().render().native.sql).toContain(`${quote}tenant_id${quote} = ${mark}`);
  });

  test("each query of a set operation has its own condition", () => {
    const one = notes.scope({ tenantId: 1 }).query().fields("slug");
    const { native, constants } = one.union(notes.scope({ tenantId: 2 }).query().fields("slug")).render();
    expect(native.sql.match(/"tenant_id" = \?/g)).toHaveLength(2);
    expect(Object.values(constants ?? {})).toEqual([1, 2]);
  });

  test("scopes of equal values share what was rendered, and others do not", () => {
    const text = (tenantId: number) => notes.scope({ tenantId }).query().where("slug", "=", "s").render();
    text(1);
    expect(text(1)).toBe(text(1));
    expect(text(1)).not.toBe(text(2));
  });
});

describe("the values of a scope", () => {
  test.each([
    ["null", { tenantId: null }],
    ["undefined", { tenantId: undefined }],
    ["a text for a number", { tenantId: "1" }],
    ["a fraction", { tenantId: 1.5 }],
    ["a number beyond 2^53", { tenantId: 2 ** 53 }],
    ["a value that an enum does not have", { kind: "c" }],
    ["an object", { tenantId: new Number(1) }],
  ])("%s is PARAM_TYPE at once", (_, values) => {
    expect(sqlErrorIn(() => untyped.scope(values))).toMatchObject({ code: "PARAM_TYPE" });
  });

  test.each([
    ["no field", {}, "INVALID_CONDITION"],
    ["a list", [1], "INVALID_CONDITION"],
    ["null", null, "INVALID_CONDITION"],
    ["a text", "tenantId", "INVALID_CONDITION"],
    ["a field that is not there", { tenant: 1 }, "INVALID_FIELD"],
    ["a name of the prototype", { constructor: 1 }, "INVALID_FIELD"],
    ["a field that the database sets", { id: 1 }, "INVALID_FIELD"],
    ["a field of JSON", { tags: ["a"] }, "INVALID_OPERATOR"],
  ])("%s is refused", (_, values, code) => {
    expect(sqlErrorIn(() => untyped.scope(values))).toMatchObject({ code });
  });

  test("a scope of a scope has the fields of both, and no other value of one", () => {
    const scope = notes.scope({ tenantId: 1 });
    const inner = scope.scope({ kind: "a" } as never) as Untyped;
    expect(inner.query().render().constants).toEqual({ value_1: 1, value_2: "a" });
    expect(inner.scope({ tenantId: 1, kind: "a" }).query().render().constants).toEqual({
      value_1: 1,
      value_2: "a",
    });
    expect(sqlErrorIn(() => inner.scope({ tenantId: 2 }))).toMatchObject({ code: "INVALID_CONDITION" });
  });

  test("a date that is changed afterwards changes no scope", () => {
    const at = new Date(0);
    const scope = notes.scope({ at });
    at.setTime(1);
    expect(scope.query().render().constants).toEqual({ value_1: new Date(0) });
  });
});

describe("what a scope leaves out", () => {
  const scope = notes.scope({ tenantId: 1 });

  test("its schemas do not have the fields, and its table does", () => {
    expect(Object.keys((scope.insertSchema as Untyped).shape)).toEqual([
      "slug",
      "text",
      "tags",
      "at",
      "kind",
    ]);
    expect(Object.keys((scope.updateSchema as Untyped).shape)).toEqual([
      "slug",
      "text",
      "tags",
      "at",
      "kind",
    ]);
    expect(scope.table).toBe(Note);
    expect("insertSchema" in notes).toBe(false);
  });

  test("set, a patch, an upsert and a record cannot name them", async () => {
    const open: Untyped = scope;
    const byId = open.modify().where("id", "=", "id");
    const errors = [
      await sqlErrorOf(byId.set("tenantId", "t").exec({ id: 1, t: 2 })),
      await sqlErrorOf(byId.setExpr("tenantId", "+", "t").exec({ id: 1, t: 2 })),
      await sqlErrorOf(byId.execPatch({ tenantId: 2 }, { id: 1 })),
      await sqlErrorOf(open.modifyFromSpec({ set: { tenantId: "t" }, where: [] }).exec({ t: 2 })),
      await sqlErrorOf(
        open.insert().onConflict("slug").doUpdate().set("tenantId", "t").exec({ slug: "a" }, { t: 2 }),
      ),
    ];
    for (const error of errors) expect(error.code).toBe("INVALID_FIELD");
    for (const key of ["tenantId", "tenant_id"])
      expect(await sqlErrorOf(open.insert().exec({ slug: "a", [key]: 2 }))).toMatchObject({
        code: "EXTRA_PARAM",
      });
  });

  test("specs neither show nor accept them", () => {
    const schemas = scope.specs();
    const spec = { where: [{ field: "tenantId", operator: "=", param: "t" }] };
    expect(schemas.query.safeParse(spec).success).toBe(false);
    expect(schemas.query.safeParse({ fields: ["tenantId"] }).success).toBe(false);
    expect(schemas.query.safeParse({ where: [{ field: "slug", operator: "=", param: "t" }] }).success).toBe(
      true,
    );
    expect(JSON.stringify(z.toJSONSchema(schemas.query, { unrepresentable: "any" }))).not.toContain(
      "tenantId",
    );
    expect(() => (scope as Untyped).specs({ fields: ["tenantId"] })).toThrow(/unknown field "tenantId"/);
  });

  test("a key without them that is not declared is refused, with them it is", () => {
    const open: Untyped = scope;
    expect(sqlErrorIn(() => open.insert().onConflict("id").doNothing().render())).toMatchObject({
      code: "INVALID_FIELD",
    });
    for (const key of [["slug"], ["tenantId", "slug"], ["slug", "tenantId"]])
      expect(
        open
          .insert()
          .onConflict(...key)
          .doNothing()
          .render().native.sql,
      ).toContain("DO NOTHING");
    const spec = { on_conflict: ["slug"], conflict_action: "nothing" };
    expect(open.insertFromSpec(spec).render().native.sql).toContain("DO NOTHING");
  });

  test("any key is refused unless every key that an insert can give holds the fields", () => {
    const spec = { on_conflict: [], conflict_action: "nothing" };
    // The id is generated, so no insert gives one that a row of another part has.
    expect((scope as Untyped).insert().onConflict().doNothing().render().native.sql).toContain("DO NOTHING");
    expect((scope as Untyped).insertFromSpec(spec).render().native.sql).toContain("DO NOTHING");
    const Slug = table("slugs", z.object({ tenantId: z.int(), slug: column(z.string(), { unique: true }) }), {
      unique: [["tenantId", "slug"]],
    });
    const slugs: Untyped = sqlite().repository(Slug).scope({ tenantId: 1 });
    for (const insert of [slugs.insert().onConflict().doNothing(), slugs.insertFromSpec(spec)])
      expect(sqlErrorIn(() => insert.render())).toMatchObject({ code: "INVALID_FIELD" });
  });
});

onEachServer("scopes", (world) => {
  const db = () => world().db;
  beforeEach(async () => {
    await db().dropTables(Note);
    await db().createTables(Note);
  });

  test("two tenants do not meet, whatever onRecord does", async () => {
    const whole = db().repository(Note);
    const [one, two] = [whole.scope({ tenantId: 1 }), whole.scope({ tenantId: 2 })];
    const seen: unknown[] = [];
    whole.onRecord((record) => {
      seen.push(record.tenantId);
      record.tenantId = 99;
    });
    try {
      await one.insert().exec({ slug: "a", text: "mine" });
      await two.insert().execBatch([{ slug: "a" }, { slug: "b" }]);
      await two.insert().onConflict("slug").doUpdate().exec({ slug: "b", text: "again" });
    } finally {
      whole.onRecord(null);
    }
    expect(seen).toEqual([1, 2, 2, 2]);
    expect(await one.query().fields("slug", "text").exec()).toEqual([{ slug: "a", text: "mine" }]);
    const others = await two.query().fields("tenantId", "slug", "text").orderBy("slug", "asc").exec();
    expect(others).toEqual([
      { tenantId: 2, slug: "a", text: null },
      { tenantId: 2, slug: "b", text: "again" },
    ]);
    expect(
      await one
        .modify()
        .set("text", "t")
        .where("slug", "IN", "s")
        .execMany({ t: "x", s: ["a", "b"] }),
    ).toHaveLength(1);
    expect(await one.remove().whereNotNull("slug").exec()).toBe(1);
    expect(await whole.count().exec()).toBe(2);
  });

  test("a scope by a date finds its rows", async () => {
    const at = new Date("2026-01-02T03:04:05.678Z");
    const scope = db().repository(Note).scope({ at });
    await scope.insert().exec({ tenantId: 5, slug: "dated" });
    expect(await scope.query().fields("slug").exec()).toEqual([{ slug: "dated" }]);
    expect(await scope.remove().where("tenantId", "=", "t").exec({ t: 5 })).toBe(1);
  });
});
