/** Specs from outside: what the schemas of a table refuse, and what a builder of a spec refuses all the same. */
import { BuildError, type QuerySpec } from "rowtype";
import { sqlite } from "rowtype/sqlite";
import { describe, expect, test } from "vitest";
import { onEachServer } from "../../kit/each-server.js";
import { Person } from "../../kit/people.js";
import { sqlErrorIn, sqlErrorOf } from "../../kit/thrown.js";
import { expectCost } from "../../stopwatch.js";

const people = sqlite().repository(Person);
const leaf = { field: "age", operator: ">", param: "min" } as const;

/** A condition in n nested groups. */
function nested(levels: number): object {
  let condition: object = leaf;
  for (let i = 0; i < levels; i++) condition = { logic: "AND", group: [condition] };
  return condition;
}

describe("the schema of a table's query specs", () => {
  const { query, select } = people.specs();

  test.each([
    ["nothing", {}],
    [
      "every key",
      {
        fields: ["id", "name"],
        where: [leaf],
        order_by: [{ field: "id", direction: "asc", nulls: "first" }],
        limit: 1,
        offset: 2,
        distinct: true,
      },
    ],
    [
      "every form of condition",
      {
        where: [
          leaf,
          { field: "age", is_null: true },
          { field: "age", operator: "IS NOT NULL" },
          { field: "age", operator: "BETWEEN", low_param: "a", high_param: "b" },
          { logic: "OR", group: [leaf, { logic: "AND", group: [leaf] }] },
        ],
      },
    ],
    ["groups eight levels deep", { where: [nested(8)] }],
    ["64 conditions", { where: Array(64).fill(leaf) }],
  ])("takes %s", (_, spec) => {
    expect(query.safeParse(spec).error?.issues).toBeUndefined();
    expect(() => people.queryFromSpec(query.parse(spec)).build()).not.toThrow();
  });

  test.each([
    ["an unknown key", { unions: [] }],
    ["a field that is none", { fields: ["agee"] }],
    ["no field at all", { fields: [] }],
    ["a column's name", { fields: ["born_at"] }],
    ["__proto__ as a field", { fields: ["__proto__"] }],
    ["fields as text", { fields: "id" }],
    ["a field in a list", { fields: [["id"]] }],
    ["an unknown operator", { where: [{ ...leaf, operator: "==" }] }],
    ["a regular expression", { where: [{ ...leaf, field: "name", operator: "~" }] }],
    ["SQL as a parameter's name", { where: [{ ...leaf, param: "a; DROP TABLE people" }] }],
    ["a leaf that is a group too", { where: [{ ...leaf, logic: "AND", group: [leaf] }] }],
    ["an empty group", { where: [{ logic: "OR", group: [] }] }],
    ["a group without logic", { where: [{ group: [leaf] }] }],
    ["a raw marker", { where: [{ sql: "1 = 1", __raw: true }] }],
    ["groups nine levels deep", { where: [nested(9)] }],
    ["groups 50,000 levels deep", { where: [nested(50_000)] }],
    ["65 conditions", { where: Array(65).fill(leaf) }],
    ["65 conditions in a group", { where: [{ logic: "OR", group: Array(65).fill(leaf) }] }],
    ["a direction in capitals", { order_by: [{ field: "id", direction: "ASC" }] }],
    ["a negative limit", { limit: -1 }],
    ["a limit as text", { limit: "10" }],
    ["a limit beyond 2^53", { limit: 1e21 }],
    ["a list", []],
    ["null", null],
  ])("refuses %s", async (_, spec) => {
    const { success } = await expectCost(500, () => query.safeParse(spec));
    expect(success).toBe(false);
  });

  test("a select spec has no paging", () => {
    expect(select.safeParse({ fields: ["id"] }).success).toBe(true);
    expect(select.safeParse({ limit: 1 }).success).toBe(false);
  });

  test("only allowed fields can be named, and all of them are the default", () => {
    const narrow = people.specs({ fields: ["id", "name"] }).query;
    expect(narrow.safeParse({ fields: ["email"] }).success).toBe(false);
    expect(narrow.safeParse({ where: [{ field: "email", operator: "=", param: "x" }] }).success).toBe(false);
    expect(narrow.safeParse({ order_by: [{ field: "email", direction: "asc" }] }).success).toBe(false);
    expect(people.queryFromSpec(narrow.parse({})).render().sql).toBe('SELECT "id", "name" FROM "people"');
  });

  test("the maximum limit is also the default", () => {
    const capped = people.specs({ maxLimit: 50 }).query;
    expect(capped.parse({}).limit).toBe(50);
    expect(capped.safeParse({ limit: 51 }).success).toBe(false);
    expect(people.specs({ maxLimit: 50, defaultLimit: 10 }).query.parse({}).limit).toBe(10);
  });

  test("depth and number can be set", () => {
    const shallow = people.specs({ maxDepth: 1, maxConditions: 3 }).query;
    expect(shallow.safeParse({ where: [nested(1)] }).success).toBe(true);
    expect(shallow.safeParse({ where: [nested(2)] }).success).toBe(false);
    expect(shallow.safeParse({ where: [leaf, nested(1), leaf] }).success).toBe(true);
    expect(shallow.safeParse({ where: [leaf, nested(1), leaf, leaf] }).success).toBe(false);
  });
});

describe("a builder of a spec", () => {
  // biome-ignore lint/suspicious/noExplicitAny: these are the specs that no compiler has seen.
  const from = (spec: any) => people.queryFromSpec(spec as QuerySpec);

  test.each([
    ["an unknown key", { unions: [] }, "INVALID_SPEC", "unions"],
    ["an unknown key of a condition", { where: [{ ...leaf, raw: "1 = 1" }] }, "INVALID_SPEC", "where[0].raw"],
    ["__proto__ as a key", JSON.parse('{"__proto__":{"where":[]}}'), "INVALID_SPEC", "__proto__"],
    ["a key of odd letters", { "a\n.b": 1 }, "INVALID_SPEC", '["a\\n.b"]'],
    [
      "a leaf that is a group too",
      { where: [{ ...leaf, logic: "AND", group: [leaf] }] },
      "INVALID_SPEC",
      "where[0].field",
    ],
    ["an empty group", { where: [{ logic: "AND", group: [] }] }, "INVALID_CONDITION", "where[0].group"],
    [
      "a group that is text",
      { where: [{ logic: "AND", group: "a" }] },
      "INVALID_CONDITION",
      "where[0].group",
    ],
    ["where as an object", { where: leaf }, "INVALID_SPEC", "where"],
    ["distinct_on as text", { distinct_on: "id" }, "INVALID_SPEC", "distinct_on"],
    ["a field that is none", { fields: ["id", "agee"] }, "INVALID_FIELD", "fields[1]"],
    [
      "a field of an aggregate that is none",
      { fields: [{ func: "sum", field: "agee", alias: "x" }] },
      "INVALID_FIELD",
      "fields[0].field",
    ],
    [
      "an operator that only looks like one",
      { where: [leaf, { ...leaf, operator: "\u003e\u200b" }] },
      "INVALID_OPERATOR",
      "where[1].operator",
    ],
    [
      "a direction with more behind it",
      { order_by: [{ field: "id", direction: "asc; --" }] },
      "INVALID_DIRECTION",
      "order_by[0].direction",
    ],
    [
      "a direction with a long s",
      { order_by: [{ field: "id", direction: "a\u017fc" }] },
      "INVALID_DIRECTION",
      "order_by[0].direction",
    ],
    ["a limit that is NaN", { limit: Number.NaN }, "INVALID_PARAM", "limit"],
    ["two offsets", { offset: 1, offset_param: "n" }, "INVALID_SPEC", "offset_param"],
    ["110 levels", { where: [nested(110)] }, "INVALID_CONDITION", /^where\[0\](\.group\[0\])+$/],
    ["100,000 levels", { where: [nested(100_000)] }, "INVALID_SPEC", /^where\[0\](\.group\[0\])+/],
    ["text", "SELECT 1", "INVALID_SPEC", ""],
    ["null", null, "INVALID_SPEC", ""],
    ["a function", { where: [() => leaf] }, "INVALID_SPEC", "where[0]"],
    ["a bigint", { limit: 1n }, "INVALID_SPEC", "limit"],
    ["a list of four thousand million", { where: new Array(2 ** 32 - 1) }, "INVALID_SPEC", "where"],
  ])("refuses %s", (_, spec, code, path) => {
    const builder = from(spec);
    const error = sqlErrorIn(() => builder.render());
    expect(error).toBeInstanceOf(BuildError);
    expect(error.code).toBe(code);
    const found = (error as BuildError).problems[0]?.path;
    if (typeof path === "string") expect(found).toBe(path);
    else expect(found).toMatch(path);
  });

  test("circular and repeated objects are refused in bounded time", () => {
    const circle: { where: unknown[] } = { where: [] };
    circle.where.push({ logic: "AND", group: circle.where });
    expect(sqlErrorIn(() => from(circle).render()).code).toBe("INVALID_SPEC");
    let doubled: object = leaf;
    for (let i = 0; i < 60; i++) doubled = { logic: "AND", group: [doubled, doubled] };
    expect(sqlErrorIn(() => from({ where: [doubled] }).render()).code).toBe("INVALID_SPEC");
  });

  test("undefined keys are absent", () => {
    const spec = { fields: undefined, where: [{ ...leaf, optional: undefined }], limit: undefined };
    expect(from(spec).toSpec()).toStrictEqual({ where: [leaf] });
    expect(people.query().limit(5).toSpec()).toStrictEqual({ limit: 5 });
    expect(people.query().limitParam("n").limit(5).offset(1).toSpec()).toStrictEqual({ limit: 5, offset: 1 });
    const kept = { where: [leaf] as const, set: { age: "age", name: undefined } };
    expect(people.modifyFromSpec(kept).toSpec()).toStrictEqual({ where: [leaf], set: { age: "age" } });
  });

  test("false is the same as an absent key", async () => {
    const { query, remove } = people.specs();
    const said = { ...leaf, optional: false, is_null: false } as const;
    const spec = { where: [said, { logic: "OR" as const, group: [said] }], distinct: false };
    const left = people.queryFromSpec({ where: [leaf, { logic: "OR", group: [leaf] }] }).render();
    expect(people.queryFromSpec(spec).render()).toEqual(left);
    expect(people.queryFromSpec(query.parse(spec)).render()).toEqual(left);
    expect(people.removeFromSpec(remove.parse({ where: [said] })).render()).toEqual(
      people.removeFromSpec({ where: [leaf] }).render(),
    );
    await expect(people.queryFromSpec({ where: [said] }).exec({})).rejects.toMatchObject({
      code: "MISSING_PARAM",
    });
  });

  test("a count counts the rows, for any field in its spec", () => {
    expect(people.countFromSpec({ field: "age" }).render().sql).toBe('SELECT COUNT(*) FROM "people"');
    expect(sqlErrorIn(() => people.countFromSpec({ field: "agee" }).render()).code).toBe("INVALID_FIELD");
    expect(sqlErrorIn(() => people.sumFromSpec({}).render()).code).toBe("INVALID_AGGREGATE");
  });

  test("a part that a spec cannot hold is an error, not omitted", () => {
    const twice = people.modify().set("age", "a").set("age", "b").where("id", "=", "id");
    expect(sqlErrorIn(() => twice.toSpec()).code).toBe("INVALID_FIELD");
    expect(sqlErrorIn(() => from({ where: 5 }).toSpec()).code).toBe("INVALID_SPEC");
    expect(
      sqlErrorIn(() =>
        people
          .query()
          .union(5 as never)
          .toSpec(),
      ).code,
    ).toBe("INVALID_SPEC");
  });

  test("a spec is read once: later changes have no effect", () => {
    let reads = 0;
    const shifty = {
      get fields() {
        return reads++ === 0 ? ["id"] : ['id" FROM secrets --'];
      },
    };
    const builder = from(shifty);
    expect(builder.render().sql).toBe('SELECT "id" FROM "people"');
    const mutable = { fields: ["id"] };
    const kept = from(mutable);
    mutable.fields.push("email");
    expect(kept.render().sql).toBe('SELECT "id" FROM "people"');
    expect(Object.isFrozen(kept.toSpec().fields)).toBe(true);
  });

  test("updates and removals without a condition are refused, an empty list too", () => {
    expect(sqlErrorIn(() => people.modifyFromSpec({ set: { age: "age" }, where: [] }).render()).code).toBe(
      "UNSAFE_UPDATE",
    );
    expect(sqlErrorIn(() => people.removeFromSpec({}).render()).code).toBe("UNSAFE_DELETE");
    expect(
      sqlErrorIn(() => people.modifyFromSpec({ set: { "age = 1; --": "x" }, where: [leaf] }).render()).code,
    ).toBe("INVALID_FIELD");
  });
});

onEachServer("a limit beside its parameter", (world) => {
  const spec = { fields: ["id"] as const, order_by: [{ field: "id", direction: "asc" }] as const };
  const ids = (rows: readonly { readonly id?: number }[]) => rows.map(({ id }) => id);

  test("is the maximum of the parameter", async () => {
    const capped = world().people.queryFromSpec({ ...spec, limit: 2, limit_param: "n" });
    expect(ids(await capped.exec({ n: 1 }))).toEqual([1]);
    expect(ids(await capped.exec({ n: 1_000_000 }))).toEqual([1, 2]);
    expect(ids(await capped.exec({ n: 0 }))).toEqual([]);
    for (const n of [-1, 1.5, "2", null, Number.NaN])
      expect(await sqlErrorOf(capped.exec({ n }))).toMatchObject({ code: "PARAM_TYPE", param: "n" });
    expect(await sqlErrorOf(capped.exec({}))).toMatchObject({ code: "MISSING_PARAM" });
  });

  test("does not bound another place of the same parameter", async () => {
    const union = world().people.compoundFromSpec({
      base: { ...spec, limit_param: "n" },
      operands: [{ operation: "union_all", query: { ...spec, limit_param: "n", limit: 1 } }],
      order_by: [{ field: "id", direction: "desc" }],
      limit_param: "n",
      limit: 4,
      offset_param: "from",
    });
    // Five rows of the first query and one of the second, of which four remain.
    expect(ids(await union.exec({ n: 5, from: 1 }))).toEqual([4, 3, 2, 1]);
    expect(ids(await union.exec({ n: 2, from: 0 }))).toEqual([2, 1]);
  });

  test("applies to a client's spec", async () => {
    const { query, compound } = world().people.specs({ fields: ["id"], maxLimit: 3 });
    const all = query.parse({ ...spec, limit_param: "n" });
    expect(ids(await world().people.queryFromSpec(all).exec({ n: 5 }))).toEqual([1, 2, 3]);
    const both = { base: {}, operands: [{ operation: "union", query: {} }], limit_param: "n" };
    expect(await world().people.compoundFromSpec(compound.parse(both)).exec({ n: 5 })).toHaveLength(3);
  });
});
