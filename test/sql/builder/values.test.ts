/** `value(x)` in the place of a parameter: bound, never written, and one kept text whatever the values. */
import { and, between, c, count, lower, max, not, notBetween, or, sum, value } from "rowtype";
import { mariadb } from "rowtype/mariadb";
import { oracle } from "rowtype/oracle";
import { postgres } from "rowtype/postgres";
import { sqlite } from "rowtype/sqlite";
import { recording } from "rowtype/testing";
import { describe, expect, test } from "vitest";
import { onEachServer } from "../../kit/each-server.js";
import { Person } from "../../kit/people.js";
import { sqlErrorIn } from "../../kit/thrown.js";

const databases = { sqlite: sqlite(), postgres: postgres(), mariadb: mariadb(), oracle: oracle() };
const people = sqlite().repository(Person);

describe("a value in the place of a parameter", () => {
  test.each(Object.entries(databases))("has the text of a parameter on %s", (_, db) => {
    // What these chains use, every dialect has.
    const of = (db as unknown as typeof databases.sqlite).repository(Person);
    const byValues = of
      .query()
      .where("age", ">", value(3))
      .where("name", "IN", value(["a"]))
      .whereBetween("id", value(1), value(2))
      .whereAnd(or(c("name", "LIKE", value("a%")), not(c("name", "=", value("b")))))
      .where(lower("name"), "=", value("x"))
      .limit(value(5));
    const byNames = of
      .query()
      .where("age", ">", "a")
      .where("name", "IN", "b")
      .whereBetween("id", "c", "d")
      .whereAnd(or(c("name", "LIKE", "e"), not(c("name", "=", "f"))))
      .where(lower("name"), "=", "g")
      .limitParam("h");
    const { native, params, constants } = byValues.render();
    expect(native.sql).toBe(byNames.render().native.sql);
    expect(params).toEqual([]);
    expect(native.params).toEqual(native.params.map(() => null));
    expect(Object.values(constants ?? {})).toEqual([3, ["a"], 1, 2, "a%", "b", "x", 5]);
  });

  test("stands beside parameters, which exec takes as before", () => {
    const { params, native } = people
      .query()
      .where("age", ">", value(3))
      .whereBetween("id", "low", value(9))
      .render();
    expect(params).toEqual(["low"]);
    expect(native.params).toEqual([null, "low", null]);
  });

  test("is copied when it is given", async () => {
    const db = recording("postgres", [[]]);
    const names = ["a", "b"];
    const born = new Date(0);
    const query = db.repository(Person).query().fields("id").where("name", "IN", value(names));
    const dated = value(born);
    names.push("c");
    born.setTime(5);
    await query.exec();
    expect(db.statements.at(-1)?.params).toEqual([["a", "b"]]);
    expect(
      people
        .query()
        .whereAnd(c("bornAt", "<", dated))
        .render().constants,
    ).toEqual({
      value_1: new Date(0),
    });
  });

  test("keeps the type of a chain, so that a loop compiles", () => {
    let query = people.query().where("age", ">", value(1));
    for (const word of ["a", "b", "c"]) query = query.where("name", "CONTAINS", value(word));
    expect(Object.values(query.render().constants ?? {})).toEqual([1, "a", "b", "c"]);
  });

  test("is refused by its field, at build, render and exec", async () => {
    const given: unknown[] = ["x", Number.NaN, null, undefined, {}, [1], new Date(0), 1n];
    for (const one of given) {
      const query = people.query().where("age", ">", value(one as number));
      for (const call of [() => query.build(), () => query.render()]) {
        const error = sqlErrorIn(call);
        expect(error).toMatchObject({ code: "PARAM_TYPE", param: "age", table: Person.name });
        expect(String(error)).toContain('value(…): field "age" takes');
      }
      await expect(query.exec()).rejects.toMatchObject({ code: "PARAM_TYPE", param: "age" });
      expect(query.safeRender()).toMatchObject({ success: false, error: { code: "PARAM_TYPE" } });
    }
  });

  test("cannot be a value of a spec, nor of an optional condition", () => {
    const query = people.query().where("age", ">", value(1));
    expect(sqlErrorIn(() => query.toSpec())).toMatchObject({ code: "INVALID_SPEC" });
    // biome-ignore lint/suspicious/noExplicitAny: these callers no compiler stops.
    const loose: any = people.query();
    for (const optional of [
      loose.whereOptional("age", ">", value(1)),
      loose.whereOptional(c("age", ">", value(1))),
      loose.whereOptional(between("age", "low", value(1))),
      loose.whereOptional(or(c("age", ">", "low"), c("age", "<", value(1)))),
    ])
      expect(sqlErrorIn(() => optional.render())).toMatchObject({ code: "INVALID_PARAM" });
  });
});

describe("chains that differ in their values alone", () => {
  const chains = {
    where: (n: number) => people.query().where("age", ">", value(n)).where("id", "<", value(-n)),
    "a list of any length": (n: number) =>
      people.query().where("id", "IN", value(Array.from({ length: n % 50 }, (_, i) => i + n))),
    groups: (n: number) =>
      people
        .query()
        .whereOr(c("age", ">", value(n)), and(between("id", value(n), "high"), c("name", "=", "x"))),
    ranges: (n: number) => people.query().whereBetween("id", value(n), value(n + 1)),
    "limit and offset": (n: number) => people.query().limit(value(n)).offset(value(n)),
    having: (n: number) =>
      people
        .query()
        .fields("teamId", max("age").as("oldest"))
        .groupBy("teamId")
        .having("oldest", ">", value(n))
        .having(sum("age"), ">", value(n))
        .havingAgg("count", "*", ">", value(n)),
    "queries inside": (n: number) =>
      people.query().whereQuery("id", "IN", people.query().fields("id").where("age", ">", value(n))),
    "set operations": (n: number) => {
      const part = (age: number) => people.query().fields("id").where("age", "=", value(age));
      return part(n)
        .union(part(n + 1))
        .except(part(n + 2));
    },
  };

  test.each(Object.entries(chains))("have one text: %s", (_, chain) => {
    const drafts = new Set<unknown>();
    for (let n = 1; n <= 200; n++) {
      const query = chain(n);
      query.render();
      // A chain is cached when it comes for the second time, and finds itself from the third time on; one of equal queries in it a call later.
      if (n > 3) drafts.add((query as unknown as { draft: unknown }).draft);
    }
    expect(drafts.size).toBe(1);
  });

  test("keep no value: neither in the builder that is kept, nor in what it is found by", () => {
    const secret = "a-secret-nobody-else-has";
    const of = sqlite().repository(Person);
    const query = of.query().whereAnd(c("name", "=", value(secret)), or(c("name", "IN", value([secret]))));
    query.render();
    query.where("name", "=", value(secret)).render();
    const seen = new Set<unknown>();
    const holds = (part: unknown): boolean => {
      if (part === secret) return true;
      if (typeof part !== "object" || part === null || seen.has(part)) return false;
      seen.add(part);
      return Object.values(part).some(holds);
    };
    expect(holds((query as unknown as { draft: { spec: unknown } }).draft.spec)).toBe(false);
    const again = of.query().whereAnd(c("name", "=", value("y")), or(c("name", "IN", value(["z"]))));
    expect(again.render().constants).toEqual({ value_1: "y", value_2: ["z"] });
  });

  test("bind their own values, whatever was bound before", () => {
    const db = sqlite().repository(Person);
    const inner = (low: number, high: number) => {
      const older = db.query().fields("id").where("age", ">", value(low));
      const younger = db.query().fields("id").where("age", ">", value(high));
      return db.query().whereQuery("id", "IN", older).whereQuery("id", "NOT IN", younger);
    };
    expect(Object.values(inner(1, 2).render().constants ?? {})).toEqual([1, 2]);
    expect(Object.values(inner(4, 4).render().constants ?? {})).toEqual([4, 4]);
    expect(Object.values(inner(3, 9).render().constants ?? {})).toEqual([3, 9]);
  });
});

onEachServer("values in the place of parameters", (world) => {
  test("find the rows that parameters find", async () => {
    const { people } = world();
    const rows = await people
      .query()
      .fields("id")
      .where("age", ">=", "age")
      .whereBetween("id", "low", "high")
      .whereOr(c("name", "IN", "names"), notBetween("id", "low", "low"))
      .orderBy("id", "asc")
      .exec({ age: 30, low: 1, high: 4, names: ["Ann"] });
    const same = await people
      .query()
      .fields("id")
      .where("age", ">=", value(30))
      .whereBetween("id", value(1), value(4))
      .whereOr(c("name", "IN", value(["Ann"])), notBetween("id", value(1), value(1)))
      .orderBy("id", "asc")
      .exec();
    expect(same).toEqual(rows);
    expect(await people.query().where("id", "IN", value([])).exec()).toEqual([]);
  });

  test("count, remove and page", async () => {
    const { people } = world();
    const all = people.query().where("id", ">", value(0));
    const number = await all.count().exec();
    expect(await all.exists().exec()).toBe(true);
    const page = await all.orderBy("id", "asc").page(2).exec();
    expect(page.rows).toHaveLength(2);
    const rest = await all
      .orderBy("id", "asc")
      .page(100)
      .exec({}, { after: page.next ?? "" });
    expect(rest.rows).toHaveLength(number - 2);
    const nobody = people.query().fields("id").where("id", "<", value(0));
    expect(await people.query().whereQuery("id", "IN", nobody).exec()).toEqual([]);
    expect(await people.query().fields(count().as("n")).where("id", "=", value(1)).exec()).toEqual([
      { n: 1 },
    ]);
    expect(await people.remove().where("id", "=", value(1)).exec()).toBe(1);
    expect(
      await people
        .remove()
        .where("id", ">", value(1))
        .where("id", "=", "id")
        .execBatch([{ id: 2 }, { id: 1 }]),
    ).toBe(1);
  });
});
