/** Fields set to expressions: what is sent, what the rows hold afterwards, and what is refused. */
import {
  avg,
  c,
  caseWhen,
  cast,
  coalesce,
  type Database,
  field,
  lower,
  nullIf,
  param,
  raw,
  round,
  rowNumber,
  trim,
  upper,
  value,
} from "rowtype";
import { mariadb } from "rowtype/mariadb";
import { oracle } from "rowtype/oracle";
import { postgres } from "rowtype/postgres";
import { sqlite } from "rowtype/sqlite";
import { expect, test } from "vitest";
import { z } from "zod";
import { onEachServer } from "../../kit/each-server.js";
import { Person } from "../../kit/people.js";

const dialects = { sqlite, postgres, mariadb, oracle } as const;

function peopleOn(dialect: keyof typeof dialects) {
  return (dialects[dialect]() as unknown as Database<"sqlite">).repository(Person);
}

function textOn(dialect: keyof typeof dialects): string {
  return peopleOn(dialect)
    .modify()
    .set("name", upper(trim("name")))
    .set("age", coalesce("age", param("none")))
    .set("score", value(2.5))
    .where("id", "=", "id")
    .render().native.sql;
}

const texts = {
  sqlite:
    'UPDATE "people" SET "name" = upper(trim("name")), "age" = coalesce("age", ?), "score" = ? WHERE "id" = ?',
  postgres:
    'UPDATE "people" SET "name" = upper(trim("name") COLLATE "und-x-icu") COLLATE "C", "age" = coalesce("age", $1), "score" = $2 WHERE "id" = $3',
  mariadb:
    "UPDATE `people` SET `name` = UPPER(CONVERT(TRIM(`name`) USING utf8mb4) COLLATE utf8mb4_unicode_520_ci /*M!101001 COLLATE utf8mb4_uca1400_nopad_as_cs */) COLLATE utf8mb4_nopad_bin, `age` = COALESCE(`age`, CAST(? AS SIGNED)), `score` = ? WHERE `id` = ?",
  oracle:
    'UPDATE "people" SET "name" = UPPER(TRIM("name")), "age" = COALESCE("age", :p0), "score" = :p1 WHERE "id" = :p2',
};

test.each(Object.entries(texts))("an update by expressions has its text on %s", (dialect, text) => {
  expect(textOn(dialect as keyof typeof dialects).split(" RETURNING ")[0]).toBe(text);
});

test("MariaDB assigns together where an assignment reads a field that is set before it", () => {
  const swapped = peopleOn("mariadb").modify().set("email", field("name")).set("name", field("email"));
  expect(swapped.where("id", "=", "id").render().native.sql).toMatch(
    /^SET STATEMENT sql_mode = .* FOR UPDATE /,
  );
  const own = peopleOn("mariadb").modify().set("email", lower("email")).set("name", upper("name"));
  expect(own.where("id", "=", "id").render().native.sql).toMatch(/^UPDATE /);
});

const refused: readonly [string, (people: ReturnType<typeof peopleOn>) => unknown, RegExp][] = [
  ["an aggregate", (p) => p.modify().set("score", avg("age") as never), /an aggregate needs groups/],
  ["a window", (p) => p.modify().set("age", rowNumber().over() as never), /a window is over the rows/],
  ["another kind", (p) => p.modify().set("age", field("name") as never), /cannot hold text/],
  [
    "a value that may be null",
    (p) => p.modify().set("score", nullIf("score", "none") as never),
    /is never null/,
  ],
  ["a number that may not be whole", (p) => p.modify().set("age", round("score") as never), /whole numbers/],
  ["text in place of a few values", (p) => p.modify().set("role", field("name") as never), /a few values/],
  ["JSON", (p) => p.modify().set("settings", raw(z.object({}))`NULL` as never), /cannot hold json/],
];

test.each(refused)("%s is refused before anything is sent", (_, build, message) => {
  for (const dialect of ["sqlite", "postgres", "mariadb", "oracle"] as const) {
    const update = build(peopleOn(dialect)) as { where(...args: string[]): { render(): unknown } };
    const render = () => update.where("id", "=", "id").render();
    expect(render, dialect).toThrow(message);
    expect(render, dialect).toThrow(expect.objectContaining({ code: "INVALID_CONDITION" }));
  }
});

test("a specification holds no expression, and none is taken from one", () => {
  const people = peopleOn("sqlite");
  const update = people.modify().set("name", upper("name")).where("id", "=", "id");
  expect(() => update.toSpec()).toThrow(expect.objectContaining({ code: "INVALID_SPEC" }));
  const spec = { set: { name: upper("name") }, where: [{ field: "id", operator: "=", param: "id" }] };
  expect(() => people.modifyFromSpec(spec as never).render()).toThrow(
    expect.objectContaining({ code: "INVALID_SPEC" }),
  );
});

test("a field is set once", () => {
  const update = peopleOn("sqlite").modify().set("name", upper("name")).set("name", "name");
  expect(() => update.where("id", "=", "id").render()).toThrow(/set twice/);
});

onEachServer("fields set to expressions", (world) => {
  test("a row gets what the expressions give", async () => {
    const row = await world()
      .people.modify()
      .set("name", upper(trim("name")))
      .set("age", coalesce("age", param("none")))
      .set("score", value(2.5))
      .where("id", "=", "id")
      .exec({ none: 7, id: 3 });
    expect(row).toMatchObject({ name: "CY_%*?[X]\\", age: 7, score: 2.5 });
  });

  test("assignments see the values before the update", async () => {
    const swap = world().people.modify().set("email", field("name")).set("name", field("email"));
    const one = await swap.where("id", "=", "id").exec({ id: 2 });
    expect([one.email, one.name]).toEqual(["bob", "bob@example.org"]);
    const many = await swap.where("id", ">", "id").execMany({ id: 3 });
    const pairs = new Map(many.map(({ email, name }) => [email, name]));
    expect(pairs).toEqual(
      new Map([
        ["Dé \u{1F600}", "de@example.org"],
        ["ann ", "eve@example.org"],
      ]),
    );
    expect(await swap.where("id", "=", "id").execBatch([{ id: 1 }, { id: 2 }])).toBe(2);
    const names = await world()
      .people.query()
      .fields("name")
      .where("id", "<", "id")
      .orderBy("id", "asc")
      .exec({ id: 3 });
    expect(names).toEqual([{ name: "ann@example.org" }, { name: "bob" }]);
  });

  test("a part of a key that an expression sets is not a key of the changed rows", async () => {
    const moved = world()
      .people.modify()
      .set("email", lower("name"))
      .set("teamId", param("team"))
      .where("id", "=", "id");
    expect(await moved.exec({ team: null, id: 1 })).toMatchObject({ email: "ann", teamId: null });
  });

  test("a label of a case, and a cast", async () => {
    const rows = await world()
      .people.modify()
      .set("age", cast(round("score"), "integer"))
      .set(
        "name",
        caseWhen(z.string())
          .when(c("active", "=", "yes"), value("on"))
          .else("off"),
      )
      .where("id", "IN", "ids")
      .execMany({ yes: true, off: "off", ids: [1, 2] });
    expect(rows.map(({ age, name }) => [age, name])).toEqual([
      [0, "on"],
      [2, "off"],
    ]);
  });

  test("what a column cannot hold changes nothing", async () => {
    const { people } = world();
    const before = await people.query().orderBy("id", "asc").exec();
    const update = people.modify().set("age", raw(z.int())`9007199254740993`).where("id", "=", "id");
    await expect(update.exec({ id: 1 })).rejects.toMatchObject({
      code: expect.stringMatching(/^(DECODE_FAILED|QUERY_FAILED|VALUE_TOO_LONG)$/),
    });
    expect(await people.query().orderBy("id", "asc").exec()).toEqual(before);
  });
});

test.each<[string, "age" | "email"]>([
  ["of another kind", "age"],
  ["that its schema refuses", "email"],
])("a value %s is refused before anything is sent, and names the field", (_, field) => {
  for (const dialect of ["sqlite", "postgres", "mariadb", "oracle"] as const) {
    const update = peopleOn(dialect)
      .modify()
      .set(field, value("x") as never);
    const render = () => update.where("id", "=", "id").render();
    expect(render, dialect).toThrow(expect.objectContaining({ code: "PARAM_TYPE" }));
    expect(render, dialect).toThrow(`field "${field}" takes `);
  }
});
