/** Builders are values: a chain that is written again is the same one, and no step changes what it was made of. */
import { and, c, caseWhen, count, isNull, upper } from "rowtype";
import { sqlite } from "rowtype/sqlite";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { Person } from "../../kit/people.js";
import { sqlErrorIn } from "../../kit/thrown.js";

const people = sqlite().repository(Person);
// biome-ignore lint/suspicious/noExplicitAny: some of these callers no compiler stops.
const untyped: any = people;

describe("a chain that is written again", () => {
  const chains: readonly [string, () => { render(): unknown; build(): unknown }][] = [
    ["conditions and an order", () => people.query().where("age", ">", "min").orderBy("id", "asc").limit(3)],
    [
      "groups of conditions",
      () => people.query().whereOr(c("age", ">", "a"), and(isNull("age"), c("id", "=", "b"))),
    ],
    [
      "expressions",
      () => people.query().fields("role", count().as("n"), upper("role").as("big")).groupBy("role"),
    ],
    ["an update", () => people.modify().set("age", "a").setExpr("score", "+", "s").where("id", "=", "id")],
    ["an upsert", () => people.insert().onConflict("email").doUpdate().set("name", "email")],
    ["a sum", () => people.sum("age").where("id", "<", "id")],
    [
      "a union",
      () =>
        people
          .query()
          .fields("id")
          .union(people.query().fields("id").where("age", "=", "a"))
          .limit(2),
    ],
  ];
  test.each(chains)("is the same builder once it was accepted twice: %s", (_, chain) => {
    expect(chain().build()).not.toBe(chain());
    expect(chain().build()).toBe(chain());
    expect(chain().render()).toBe(chain().render());
  });

  test("is another builder if a step has other arguments, or another number of them", () => {
    const base = people.query();
    const others = [
      base.where("age", ">", "min"),
      base.where("age", ">=", "min"),
      base.where("age", ">", "max"),
      base.whereOptional("age", ">", "min"),
      base.fields("id"),
      base.fields("id", "age"),
      base.fields("id").fields("age"),
      base.limit(1),
      base.limitParam("n"),
      base.offset(1),
      base.whereAnd(c("age", ">", "min")),
      base.whereOr(c("age", ">", "min")),
      base.whereAnd(and(c("age", ">", "min"))),
      untyped.query().limit("1"),
      untyped.query().fields("id\0age"),
      untyped.query().where("age", ">\0min"),
    ];
    expect(new Set([base, ...others]).size).toBe(others.length + 1);
    expect(people.select().where("id", "=", "id")).not.toBe(people.query().where("id", "=", "id"));
  });

  test("is a new builder if a step holds an object of the caller", () => {
    const labelled = () =>
      people.query().fields(caseWhen(z.string()).when(isNull("age"), "a").else("b").as("label"));
    expect(labelled()).not.toBe(labelled());
    expect(labelled().render()).toEqual(labelled().render());
  });

  test("is a new builder until it was accepted twice", () => {
    const chain = () => people.query().where("age", "<", "neverRendered").orderBy("name", "desc");
    const [first, second] = [chain(), chain()];
    expect(first).not.toBe(second);
    second.build();
    expect(chain()).not.toBe(second);
    first.build();
    expect(chain()).toBe(first);
    // Its beginning was accepted with it.
    expect(people.query().where("age", "<", "neverRendered")).toBe(
      people.query().where("age", "<", "neverRendered"),
    );
  });

  test("is a new, correct builder if a name is too long for the cache", () => {
    const long = "x".repeat(300);
    const chain = () => untyped.query().having(long, "=", "n");
    expect(chain()).not.toBe(chain());
    expect(sqlErrorIn(() => chain().render()).code).toBe("INVALID_FIELD");
  });

  test("a mistake is found again each time", () => {
    for (let i = 0; i < 2; i++)
      expect(sqlErrorIn(() => untyped.query().where("agee", "=", "x").render()).code).toBe("INVALID_FIELD");
  });

  test("random chains do not accumulate", () => {
    const fresh = sqlite().repository(Person);
    const kept = fresh.query().where("age", ">", "min");
    for (let i = 0; i < 20_000; i++) fresh.query().limit(i).offset(i);
    expect(kept.render().sql).toContain('"age" > :min');
    expect(fresh.query().where("age", ">", "min").render()).toEqual(kept.render());
  });
});

describe("a builder", () => {
  test("is not changed by a step", () => {
    const base = people.query().fields("id").where("age", ">", "min");
    const before = base.render();
    base.where("name", "=", "name").orderBy("id", "asc").fields("name").limit(2);
    expect(base.render()).toBe(before);
    expect(base.toSpec()).toEqual({ fields: ["id"], where: [{ field: "age", operator: ">", param: "min" }] });
  });

  test("cannot be changed from outside, nor through its results", () => {
    const base = people.query().where("age", ">", "min");
    expect(Object.isFrozen(base)).toBe(true);
    expect(() => Object.assign(base, { exec: () => [] })).toThrow(TypeError);
    const names = ["id", "name"] as const;
    const mutable: string[] = [...names];
    const chosen = untyped.query().fields(...mutable);
    mutable.push("age");
    expect(chosen.render().sql).toBe('SELECT "id", "name" FROM "people"');
  });
});
