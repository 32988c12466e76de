/** Specs from outside: what the schemas of a table refuse, and what a builder of a spec refuses all the same. */
import { BuildError, type QuerySpec } from "rowtype";
import { sqlite } from "rowtype/sqlite";
import { describe, expect, test } from "vitest";
import { stopwatch } from "../stopwatch.js";
import { Person } from "./people.js";
import { sqlErrorIn } from "./thrown.js";

const people = sqlite().repository(Person);
const leaf = { field: "age", operator: ">", param: "min" } as const;

/** A condition in so many groups. */
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
    ["an unknown key", { joins: [] }],
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
  ])("refuses %s", (_, spec) => {
    const elapsed = stopwatch();
    expect(query.safeParse(spec).success).toBe(false);
    expect(elapsed()).toBeLessThan(500);
  });

  test("a select spec has no paging", () => {
    expect(select.safeParse({ fields: ["id"] }).success).toBe(true);
    expect(select.safeParse({ limit: 1 }).success).toBe(false);
  });

  test("allowed fields are all that can be named, and all that come when none is named", () => {
    const narrow = people.specs({ fields: ["id", "name"] }).query;
    expect(narrow.safeParse({ fields: ["email"] }).success).toBe(false);
    expect(narrow.safeParse({ where: [{ field: "email", operator: "=", param: "x" }] }).success).toBe(false);
    expect(narrow.safeParse({ order_by: [{ field: "email", direction: "asc" }] }).success).toBe(false);
    expect(people.queryFromSpec(narrow.parse({})).render().sql).toBe('SELECT "id", "name" FROM "people"');
  });

  test("a largest limit is also the one used when none is given", () => {
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
    ["an unknown key", { joins: [] }, "INVALID_SPEC"],
    ["an unknown key of a condition", { where: [{ ...leaf, raw: "1 = 1" }] }, "INVALID_SPEC"],
    ["__proto__ as a key", JSON.parse('{"__proto__":{"where":[]}}'), "INVALID_SPEC"],
    ["a leaf that is a group too", { where: [{ ...leaf, logic: "AND", group: [leaf] }] }, "INVALID_SPEC"],
    ["an empty group", { where: [{ logic: "AND", group: [] }] }, "INVALID_CONDITION"],
    ["a group that is text", { where: [{ logic: "AND", group: "a" }] }, "INVALID_CONDITION"],
    ["where as an object", { where: leaf }, "INVALID_SPEC"],
    ["a field that is none", { fields: ["agee"] }, "INVALID_FIELD"],
    [
      "an operator that only looks like one",
      { where: [{ ...leaf, operator: "\u003e\u200b" }] },
      "INVALID_OPERATOR",
    ],
    [
      "a direction with more behind it",
      { order_by: [{ field: "id", direction: "asc; --" }] },
      "INVALID_DIRECTION",
    ],
    [
      "a direction with a long s",
      { order_by: [{ field: "id", direction: "a\u017fc" }] },
      "INVALID_DIRECTION",
    ],
    ["a limit that is NaN", { limit: Number.NaN }, "INVALID_PARAM"],
    ["110 levels", { where: [nested(110)] }, "INVALID_CONDITION"],
    ["100,000 levels", { where: [nested(100_000)] }, "INVALID_SPEC"],
    ["text", "SELECT 1", "INVALID_SPEC"],
    ["null", null, "INVALID_SPEC"],
    ["a function", { where: [() => leaf] }, "INVALID_SPEC"],
  ])("refuses %s", (_, spec, code) => {
    const builder = from(spec);
    const error = sqlErrorIn(() => builder.render());
    expect(error).toBeInstanceOf(BuildError);
    expect(error.code).toBe(code);
    expect((error as BuildError).problems[0]?.path).toBeDefined();
  });

  test("a spec is read once: what changes afterwards does not count", () => {
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

  test("the other kinds of spec go round as well", () => {
    const update = people.modify().set("name", "name").set("age", "age").where("id", "=", "id");
    expect(people.modifyFromSpec(update.toSpec()).render()).toEqual(update.render());
    const removal = people.remove().where("id", "IN", "ids");
    expect(people.removeFromSpec(removal.toSpec()).render()).toEqual(removal.render());
    const one = people.select().fields("id").where("id", "=", "id").orderBy("id", "asc");
    expect(people.selectFromSpec(one.toSpec()).render()).toEqual(one.render());
    const count = people.count().whereOptional("age", ">", "min");
    expect(people.countFromSpec(count.toSpec()).render()).toEqual(count.render());
    expect(people.insertFromSpec(people.insert().toSpec()).render()).toEqual(people.insert().render());
  });
});
