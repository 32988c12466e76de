/** Builders made in loops, aggregates of a query, and conditions that count only where all their parameters are given. */
import {
  type AnyTable,
  abs,
  and,
  between,
  c,
  count,
  type Database,
  isNull,
  length,
  lower,
  max,
  or,
  type QuerySpec,
  trim,
} from "rowtype";
import { mariadb } from "rowtype/mariadb";
import { oracle } from "rowtype/oracle";
import { postgres } from "rowtype/postgres";
import { sqlite } from "rowtype/sqlite";
import { describe, expect, test } from "vitest";
import { onEachServer } from "../../kit/each-server.js";
import { Person, people } from "../../kit/people.js";
import { sqlErrorIn, sqlErrorOf } from "../../kit/thrown.js";

const lite = sqlite().repository(Person);

describe("the text of exists() and of optional groups", () => {
  const forms = (people: typeof lite) => ({
    exists: people.query().where("age", ">", "min").orderBy("id", "asc").limit(3).exists(),
    optional: people
      .query()
      .fields("id")
      .whereOptional(or(c("age", ">", "min"), c("name", "=", "name"))),
    range: people
      .query()
      .fields("id")
      .whereOptional(between("age", "low", "high")),
  });
  const exists = (q: string) => `SELECT ${q}id${q} FROM ${q}people${q} WHERE ${q}age${q} > `;
  test.each([
    [sqlite().repository(Person), '"', ["?", "?", "?"], " LIMIT 1"],
    [postgres().repository(Person), '"', ["$1", "$1", "$2"], " LIMIT 1"],
    [mariadb().repository(Person), "`", ["?", "?", "?"], " LIMIT 1"],
    [oracle().repository(Person), '"', [":p0", ":p0", ":p1"], " FETCH NEXT 1 ROWS ONLY"],
  ] as const)("%#", (repository, q, [one, first, second], limit) => {
    const built = forms(repository as unknown as typeof lite);
    expect(built.exists.render().native.sql).toBe(exists(q) + one + limit);
    expect(built.optional.render().native.sql).toBe(
      `SELECT ${q}id${q} FROM ${q}people${q} WHERE (${q}age${q} > ${first} OR ${q}name${q} = ${second})`,
    );
    expect(built.range.render().native.sql).toBe(
      `SELECT ${q}id${q} FROM ${q}people${q} WHERE (${q}age${q} BETWEEN ${first} AND ${second})`,
    );
  });
});

describe("optional conditions", () => {
  const built = lite
    .query()
    .whereOptional(and(c("age", ">", "min"), or(c("name", "=", "name"), isNull("teamId"))))
    .whereOptional(between("score", "low", "high"));

  test("are a part of the spec, which renders the same", () => {
    const spec = built.toSpec();
    expect(spec.where).toEqual([
      {
        logic: "AND",
        group: [
          { field: "age", operator: ">", param: "min" },
          {
            logic: "OR",
            group: [
              { field: "name", operator: "=", param: "name" },
              { field: "teamId", operator: "IS NULL", is_null: true },
            ],
          },
        ],
        optional: true,
      },
      { field: "score", operator: "BETWEEN", low_param: "low", high_param: "high", optional: true },
    ]);
    const again = lite.queryFromSpec(JSON.parse(JSON.stringify(spec)) as QuerySpec);
    expect(again.render()).toEqual(built.render());
    expect(lite.specs().query.safeParse(spec).success).toBe(true);
  });

  test.each([
    [
      "in a group",
      { where: [{ logic: "AND", group: [{ field: "id", operator: "=", param: "p", optional: true }] }] },
    ],
    [
      "optional that is not a boolean",
      { where: [{ logic: "AND", group: [{ field: "id", is_null: true }], optional: 1 }] },
    ],
  ])("%s: refused", (_, spec) => {
    expect(sqlErrorIn(() => lite.queryFromSpec(spec as never).build()).code).toBe("INVALID_CONDITION");
    expect(lite.specs().query.safeParse(spec).success).toBe(false);
  });

  test("of an update or a removal: refused", () => {
    const group = {
      logic: "AND",
      group: [{ field: "id", operator: "=", param: "p" }],
      optional: true,
    } as const;
    expect(sqlErrorIn(() => lite.removeFromSpec({ where: [group] }).build()).code).toBe("INVALID_CONDITION");
  });

  test("what is not a condition: refused", () => {
    for (const wrong of [undefined, null, 1, {}, [c("id", "=", "p")]])
      expect(
        sqlErrorIn(() =>
          lite
            .query()
            .whereOptional(wrong as never)
            .build(),
        ).code,
      ).toBe("INVALID_CONDITION");
  });
});

describe("aggregates of a query that would lie are refused", () => {
  const q = lite.query().where("id", ">", "id");
  test.each([
    ["the count of distinct rows", q.fields("name").distinct().count()],
    ["the count of groups", q.fields("name", count().as("n")).groupBy("name").count()],
    ["the count of an aggregate", q.fields(count().as("n")).count()],
    ["whether an aggregate has a row", q.fields(max("id").as("n")).exists()],
    ["the count of what is made of aggregates", q.fields(abs(max("id")).as("n")).count()],
    ["groups with a filter", q.fields("name").groupBy("name").havingAgg("count", "*", ">", "n").exists()],
  ])("%s", (_, built) => {
    const error = sqlErrorIn(() => built.build());
    expect(error.code).toBe("INVALID_SPEC");
  });
});

onEachServer("dynamic builders and aggregates of a query", (world) => {
  test("operands stand where fields do, in upserts and for tables that are not known too", async () => {
    const { people, teams, db } = world();
    let q = people.query().fields("id").dynamic();
    for (const param of ["a", "b"]) q = q.where(lower("name"), "!=", param);
    q = q
      .whereBetween(length("name"), "low", "high")
      .whereNotNull(trim("name"))
      .orderBy(length("name"), "desc");
    expect(await q.orderBy("id", "asc").exec({ a: "ann", b: "bob", low: 3, high: 6 })).toEqual([
      { id: 4 },
      { id: 5 },
    ]);
    const any = db
      .repository(Person as AnyTable)
      .query()
      .fields("id")
      .where(lower("name"), "=", "n");
    expect(await any.whereFields(length("name"), ">", "id").exec({ n: "ann" })).toEqual([{ id: 1 }]);
    const upsert = teams.insert().onConflict("id").doUpdate().dynamic().where(lower("title"), "=", "t");
    expect(await upsert.exec({ id: 1, title: "Uno" }, { t: "two" })).toBeNull();
    expect(await upsert.exec({ id: 1, title: "Uno" }, { t: "one" })).toEqual({ id: 1, title: "Uno" });
  });

  test("a loop and branches make a query, whose parameters are checked when it runs", async () => {
    const { people } = world();
    let q = people.query().fields("id").dynamic();
    for (const [i, name] of ["n", "a"].entries()) q = q.where("name", "ICONTAINS", `p${i}${name}`);
    q = q.orderBy("id", "asc");
    expect(await q.exec({ p0n: "n", p1a: "A" })).toEqual([{ id: 1 }, { id: 5 }]);
    expect(await q.limit(1).exec({ p0n: "n", p1a: "A" })).toEqual([{ id: 1 }]);
    expect(await q.count().exec({ p0n: "n", p1a: "A" })).toBe(2);
    expect((await sqlErrorOf(q.exec({ p0n: "n" }))).code).toBe("MISSING_PARAM");
    expect((await sqlErrorOf(q.exec({ p0n: "n", p1a: "A", x: 1 }))).code).toBe("EXTRA_PARAM");
    expect((await sqlErrorOf(q.exec({ p0n: 1, p1a: "A" }))).code).toBe("PARAM_TYPE");
  });

  test("so are changes, aggregates and compound queries", async () => {
    const { people } = world();
    let change = people.modify().dynamic();
    expect(sqlErrorIn(() => change.set("name", "n").build()).code).toBe("UNSAFE_UPDATE");
    for (const field of ["id", "age"] as const) change = change.where(field, "=", field);
    expect((await change.set("name", "n").exec({ id: 1, age: 30, n: "Anna" })).name).toBe("Anna");
    expect(sqlErrorIn(() => people.remove().dynamic().build()).code).toBe("UNSAFE_DELETE");
    let total = people.sum("age").dynamic();
    for (const p of ["a", "b"]) total = total.where("age", ">", p);
    expect(await total.exec({ a: 1, b: 25 })).toBe(71);
    const one = people.query().fields("id").where("id", "=", "a");
    let both = one.union(people.query().fields("id").where("id", "=", "b")).dynamic();
    both = both.orderBy("id", "desc");
    expect(await both.exec({ a: 1, b: 2 })).toEqual([{ id: 2 }, { id: 1 }]);
    expect(await people.remove().dynamic().where("id", "=", "id").exec({ id: 5 })).toBe(1);
  });

  test("count and exists are of the conditions; order, paging and fields do not count", async () => {
    const { people } = world();
    const q = people
      .query()
      .fields("name")
      .where("age", ">=", "min")
      .orderBy("name", "asc")
      .limit(1)
      .offset(7);
    expect(await q.count().exec({ min: 20 })).toBe(4);
    expect(await q.exists().exec({ min: 20 })).toBe(true);
    expect(await q.exists().exec({ min: 99 })).toBe(false);
    expect(await people.query().count().exec()).toBe(5);
    expect(await people.query().exists().exec()).toBe(true);
    expect(await people.query().exists().where("id", "<", "id").exec({ id: 0 })).toBe(false);
    expect(await people.query().fields("age").distinct().exists().exec()).toBe(true);
    expect(await people.query().whereOptional("age", ">", "min").count().exec({})).toBe(5);
    expect((await sqlErrorOf(q.exists().exec({} as never))).code).toBe("MISSING_PARAM");
  });

  test("an optional group counts where all its parameters are given", async () => {
    const { people } = world();
    const q = people
      .query()
      .fields("id")
      .whereOptional(or(c("age", ">", "min"), c("name", "=", "name")))
      .whereOptional(between("id", "low", "high"))
      .whereOptional(isNull("photo"))
      .orderBy("id", "asc");
    const ids = async (params: object) => (await q.exec(params)).map(({ id }) => id);
    expect(await ids({})).toEqual([1, 2, 4, 5]);
    expect(await ids({ min: 25 })).toEqual([1, 2, 4, 5]);
    expect(await ids({ min: 25, name: undefined })).toEqual([1, 2, 4, 5]);
    expect(await ids({ min: 25, name: "bob" })).toEqual([1, 2, 5]);
    expect(await ids({ min: 25, name: "bob", low: 2 })).toEqual([1, 2, 5]);
    expect(await ids({ min: 25, name: "bob", low: 2, high: 4 })).toEqual([2]);
    expect(
      await people
        .count()
        .whereOptional(and(c("age", "=", "a")))
        .exec({ a: 20 }),
    ).toBe(2);
    expect((await sqlErrorOf(q.exec({ x: 1 } as never))).code).toBe("EXTRA_PARAM");
  });
});

onEachServer("tables that are not known before run time", (world) => {
  const unknown = () => (world().db as Database).repository(Person as AnyTable);

  test("every builder takes strings and records", async () => {
    const any = unknown();
    let q = any.query().fields("id", "name");
    for (const p of ["a", "b"]) q = q.where("name", "ICONTAINS", p);
    expect(await q.orderBy("id", "asc").limit(5).exec({ a: "N", b: "a" })).toEqual([
      { id: 1, name: "Ann" },
      { id: 5, name: "ann " },
    ]);
    expect(await any.count().exec()).toBe(5);
    expect(await any.sum("age").where("id", "<", "id").exec({ id: 3 })).toBe(50);
    expect(await any.query().exists().exec()).toBe(true);
    const groups = any.query().fields("role", count().as("n")).groupBy("role").orderBy("role", "asc");
    expect(await groups.having("n", ">", "n").exec({ n: 1 })).toHaveLength(2);
    expect((await any.modify().set("name", "n").where("id", "=", "id").exec({ id: 1, n: "A" }))["name"]).toBe(
      "A",
    );
    expect(await any.select().where("id", "=", "id").execOrNull({ id: 99 })).toBe(null);
    expect(await any.remove().where("id", "=", "id").exec({ id: 5 })).toBe(1);
    const record = { ...people[4], id: 5, email: "new@example.org" };
    expect((await any.insert().exec(record))["email"]).toBe("new@example.org");
    const again = any.insert().onConflict("id").doUpdate().set("name", "other");
    expect((await again.exec(record, { other: "x" }))["name"]).toBe("x");
    const ids = any.query().fields("id").where("id", "=", "a");
    const both = ids.union(any.query().fields("id").where("id", "=", "b")).orderBy("id", "desc");
    expect(await both.exec({ a: 1, b: 2 })).toEqual([{ id: 2 }, { id: 1 }]);
  });

  test("what the compiler does not see is refused at run time", async () => {
    const any = unknown();
    const codeOf = (built: { build(): unknown }) => sqlErrorIn(() => built.build()).code;
    expect(codeOf(any.query().where("nme", "=", "n"))).toBe("INVALID_FIELD");
    expect(codeOf(any.query().where("age", "CONTAINS", "n"))).toBe("INVALID_OPERATOR");
    expect(codeOf(any.query().orderBy("__proto__", "asc"))).toBe("INVALID_FIELD");
    expect(codeOf(any.modify().set("name", "n"))).toBe("UNSAFE_UPDATE");
    const q = any.query().where("age", "=", "n");
    expect((await sqlErrorOf(q.exec({ n: "1" }))).code).toBe("PARAM_TYPE");
    expect((await sqlErrorOf(q.exec())).code).toBe("MISSING_PARAM");
    expect((await sqlErrorOf(q.exec({ n: 1, m: 1 }))).code).toBe("EXTRA_PARAM");
    expect((await sqlErrorOf(any.insert().exec({ a: 1 }))).code).toBeDefined();
  });
});
