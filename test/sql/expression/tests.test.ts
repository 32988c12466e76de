/** Conditions turned round and as values: their texts, before the judges, their rows on each server, what is refused. */
import { boolAnd, boolOr, c, isNull, not, notNull, or, when } from "rowtype";
import { oracle } from "rowtype/oracle";
import { sqlite } from "rowtype/sqlite";
import { describe, expect, test } from "vitest";
import { Person } from "../../kit/people.js";
import { describeCases } from "../../kit/run-cases.js";
import { testCases } from "./tests.cases.js";

describeCases("conditions turned round and as values", testCases);

describe("not", () => {
  const people = sqlite().repository(Person);

  test("of an empty list does not bound a removal", async () => {
    const remove = people.remove().whereAnd(not(c("id", "IN", "ids")));
    await expect(remove.exec({ ids: [] })).rejects.toMatchObject({ code: "UNSAFE_DELETE" });
    const update = people
      .modify()
      .set("age", "age")
      .whereOr(not(not(c("id", "NOT IN", "ids"))), isNull("age"));
    await expect(update.exec({ ids: [], age: 1 })).rejects.toMatchObject({ code: "UNSAFE_UPDATE" });
  });

  test("may apply only where its parameters are given", () => {
    const query = people
      .query()
      .fields("id")
      .whereOptional(not(c("age", ">", "age")));
    expect(query.render().sql).toBe('SELECT "id" FROM "people" WHERE (NOT ("age" > :age))');
    // What its parameters are is known by them.
    void (() => query.exec({ age: 1 }));
    void (() => query.exec({}));
  });

  test("stands in no spec", () => {
    const query = people.query().whereAnd(not(isNull("age")));
    const invalid = expect.objectContaining({ code: "INVALID_SPEC" });
    expect(() => query.toSpec()).toThrow(invalid);
    const condition = { logic: "AND", group: [{ not: { field: "age", is_null: true } }] };
    const untyped = people as unknown as { queryFromSpec(spec: unknown): { render(): unknown } };
    expect(() => untyped.queryFromSpec({ where: [condition] }).render()).toThrow(invalid);
    const own = not(isNull("age")).spec;
    expect(() => untyped.queryFromSpec({ where: [own] }).render()).toThrow(invalid);
  });
});

describe("what is not a condition is refused", () => {
  // What the compiler refuses, an untyped caller still gives.
  const untyped = { boolAnd, boolOr, not, when } as unknown as Record<string, (one: unknown) => never>;
  const people = sqlite().repository(Person).query();
  const message = /^a condition must be made by c, isNull, between, and, or, not; not /;
  for (const [name, make] of Object.entries(untyped))
    test.each([
      ["null", null],
      ["a number", 7],
      ["the name of a field", "active"],
      ["an object like one", { field: "age", is_null: true }],
      ["a proxy of one", new Proxy(isNull("age"), {})],
    ])(`${name} of %s`, (_, given) => {
      const made = make(given);
      const builder =
        name === "not"
          ? people.whereAnd(made)
          : people.fields((made as ReturnType<typeof when>).as("x") as never);
      expect(() => builder.render()).toThrow(
        expect.objectContaining({ code: "INVALID_CONDITION", message: expect.stringMatching(message) }),
      );
    });

  test("conditions turned round more than a hundred times", () => {
    let condition = not(isNull("age"));
    for (let i = 0; i < 20_000; i++) condition = not(condition);
    expect(() => people.whereAnd(condition).render()).toThrow(
      expect.objectContaining({ code: "INVALID_CONDITION", message: "groups nest more than 100 levels" }),
    );
  });

  test("an aggregate in a condition of rows", () => {
    expect(() => people.where(boolOr(notNull("age")) as never, "=" as never, "yes").render()).toThrow(
      expect.objectContaining({ code: "INVALID_CONDITION" }),
    );
  });

  test("conditions as values inside each other where a dialect writes them twice", () => {
    let nested = when(isNull("age"));
    for (let i = 0; i < 7; i++) nested = when(or(isNull(nested), c(nested, "=", "yes"))) as never;
    expect(people.fields(nested.as("x")).render().sql).toContain("IS NULL");
    expect(() => oracle().repository(Person).query().fields(nested.as("x")).render()).toThrow(
      expect.objectContaining({ code: "UNSUPPORTED" }),
    );
  });
});
