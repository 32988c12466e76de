/** The cases of `expressions.cases.ts`: their texts, before the judges of each dialect, and their rows on each server. */
import type { CompoundQuerySpec, Database, QuerySpec, Rendered } from "rowtype";
import { sqlite } from "rowtype/sqlite";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createPeople, Person, Team } from "../../kit/people.js";
import { describeCases } from "../../kit/run-cases.js";
import { type Lent, serversAndLocales, titleOf } from "../../servers.js";
import { cases, clockCases, type Repositories } from "./expressions.cases.js";

interface Executable {
  render(): Rendered;
  toSpec(): unknown;
  exec(params?: object): Promise<unknown>;
}

const repositories = (db: Database): Repositories => {
  // The cases are written against SQLite's operators, which every dialect has.
  const typed = db as unknown as Database<"sqlite">;
  return { people: typed.repository(Person), teams: typed.repository(Team) };
};
const texts = [...cases, ...clockCases];

describeCases("expressions", cases);

describe("expressions and specs", () => {
  const of = repositories(sqlite());
  const { people } = of;

  test.each(texts)("$name: the same text from its own spec, unless specs cannot hold it", ({ run }) => {
    const builder = run(of) as unknown as Executable;
    let spec: unknown;
    try {
      spec = JSON.parse(JSON.stringify(builder.toSpec()));
    } catch (error) {
      expect(error).toMatchObject({ code: "INVALID_SPEC" });
      return;
    }
    const again =
      "base" in Object(spec)
        ? people.compoundFromSpec(spec as CompoundQuerySpec)
        : people.queryFromSpec(spec as QuerySpec);
    expect(again.render()).toEqual(builder.render());
  });

  test("aggregates and their groups are in specs", () => {
    const builders = texts.map(({ run }) => run(of) as unknown as Executable);
    const specs = builders.filter((builder) => {
      try {
        builder.toSpec();
        return true;
      } catch {
        return false;
      }
    });
    expect(specs.length).toBeGreaterThan(7);
  });
});

for (const server of serversAndLocales)
  describe.skipIf(!server.available)(`more of expressions on ${titleOf(server)}`, () => {
    let lent: Lent;
    let of: Repositories;
    beforeAll(async () => {
      lent = await server.lend();
      await createPeople(lent.db);
      of = repositories(lent.db);
    });
    afterAll(() => lent.close());

    test("the clock of the server is in UTC", async () => {
      const [one] = clockCases;
      if (one === undefined) throw new Error("there is a case of the clock");
      const row = (await (one.run(of) as unknown as Executable).exec()) as Readonly<Record<string, unknown>>;
      const { now, stamp, day, time } = row;
      expect(now).toBeInstanceOf(Date);
      expect(stamp).toBeInstanceOf(Date);
      // A zone is off by a quarter of an hour at least.
      expect(Math.abs(Number(now) - Date.now())).toBeLessThan(300_000);
      expect(Math.abs(Number(stamp) - Date.now())).toBeLessThan(300_000);
      expect(day).toMatch(/^\d{4}-\d\d-\d\d$/);
      expect(time).toMatch(/^\d\d:\d\d:\d\d$/);
      expect(Math.abs(Number(new Date(`${String(day)}T${String(time)}Z`)) - Date.now())).toBeLessThan(
        300_000,
      );
    });

    test("an optional condition of an operand applies if its parameter is given", async () => {
      const { people } = of;
      const both = people
        .query()
        .fields("id")
        .whereOptional("id", "<", "low")
        .intersect(people.query().fields("id").whereOptional("id", ">", "high"))
        .orderBy("id", "asc");
      const ids = (rows: readonly { id: number }[]) => rows.map(({ id }) => id);
      expect(ids(await both.exec({ low: 4, high: 1 }))).toEqual([2, 3]);
      expect(ids(await both.exec({ low: 4 }))).toEqual([1, 2, 3]);
      expect(ids(await both.exec())).toEqual([1, 2, 3, 4, 5]);
    });

    test("arithmetic: whole numbers stay whole, and the sign of a remainder is that of the field", async () => {
      const { people } = of;
      const before = await people.select().where("id", "=", "id").exec({ id: 2 });
      const set = (operator: "+" | "-" | "*" | "/" | "%") =>
        people
          .modify()
          .setExpr("balance", operator, "n")
          .setExpr("score", operator, "x")
          .where("id", "=", "id");
      await people.modify().where("id", "=", "id").execPatch({ balance: 20n }, { id: 2 });
      const steps = [
        ["+", 2n, 0.5, 22n, 2],
        ["/", 3n, -2, 7n, -1],
        ["-", 14n, 4.5, -7n, -5.5],
        ["%", 4n, 2, -3n, -1.5],
        ["*", -5n, 2, 15n, -3],
        ["/", -2n, 2, -7n, -1.5],
      ] as const;
      for (const [operator, n, x, balance, score] of steps)
        expect(await set(operator).exec({ n, x, id: 2 }), operator).toMatchObject({ balance, score });
      const years = people.modify().setExpr("age", "/", "n").where("id", "=", "id");
      expect((await years.exec({ n: 3, id: 2 })).age).toBe(6);
      const { balance, score, age } = before;
      await people.modify().where("id", "=", "id").execPatch({ balance, score, age }, { id: 2 });
      await expect(years.exec({ n: 0, id: 2 })).rejects.toMatchObject({ code: "PARAM_TYPE", param: "n" });
      const exact = people.modify().setExpr("balance", "+", "n").where("id", "=", "id");
      expect((await exact.exec({ n: 2n, id: 2 })).balance).toBe(9007199254740995n);
      await exact.exec({ n: -2n, id: 2 });
    });
  });
