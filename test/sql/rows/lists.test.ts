/**
 * Lists that are written out, a placeholder for each item: on SQLite's engine with a grammar that does so, three
 * items to a list, so that the text and what it finds are seen at once.
 */
import Sqlite from "better-sqlite3";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { and, c, column, or, table } from "../../../src/index.js";
import type { Driver } from "../../../src/sql/contract/driver.js";
import { writtenOutLists } from "../../../src/sql/dialect/grammar/forms.js";
import { sqlite } from "../../../src/sql/dialect/sqlite/grammar.js";
import { makeDatabase } from "../../../src/sql/door/database.js";
import { QueryError } from "../../../src/sql/words/errors.js";
import { sqlErrorIn, sqlErrorOf } from "../../kit/thrown.js";

const Thing = table(
  "things",
  z.object({ id: column(z.int(), { primaryKey: true }), size: z.int().nullable(), name: z.string() }),
);
const sizes = [0, 1, 2, 3, 4, 5, 6, 7, 8, null];

let handle: InstanceType<typeof Sqlite>;
const sent: { sql: string; params: readonly unknown[] }[] = [];
const driver: Driver = {
  run: ({ sql, params }) => {
    sent.push({ sql, params });
    // The engine's driver takes numbered parameters by name.
    const values = /\?\d/.test(sql) ? [Object.fromEntries(params.map((one, i) => [i + 1, one]))] : params;
    const statement = handle.prepare(sql).raw();
    return { rows: statement.all(...values) as unknown[][], affected: 0 };
  },
  connect: () => Promise.reject(new Error("no transactions here")),
  translate: (error) => new QueryError("QUERY_FAILED", "the statement failed", { cause: error }),
};
const thingsWith = (most: number, changes: Partial<typeof sqlite> = {}) => {
  const operators = { ...sqlite.operators, ...writtenOutLists(most) };
  const grammar = { ...sqlite, operators, encodeList: (values: readonly unknown[]) => values, ...changes };
  return makeDatabase("sqlite", grammar, driver).repository(Thing);
};
const things = thingsWith(3);
const last = () => sent[sent.length - 1];

beforeAll(() => {
  handle = new Sqlite(":memory:");
  handle.exec("CREATE TABLE things (id INTEGER PRIMARY KEY, size INTEGER, name TEXT)");
  for (const [id, size] of sizes.entries())
    handle.prepare("INSERT INTO things VALUES (?, ?, ?)").run(id, size, `n${id}`);
});
afterAll(() => void handle.close());

describe("a list with a placeholder for each item", () => {
  const among = things.query().fields("id").where("size", "IN", "sizes").where("id", "<", "below");

  test("is shown as one placeholder", () => {
    const { sql, native } = among.render();
    expect(sql).toBe('SELECT "id" FROM "things" WHERE "size" IN (:sizes) AND "id" < :below');
    expect(native).toEqual({
      sql: 'SELECT "id" FROM "things" WHERE "size" IN (?) AND "id" < ?',
      params: ["sizes", "below"],
    });
  });

  test.each([
    ["no item: a condition that is never true", [], "1 = 0", []],
    ["one item", [4], '"size" IN (?)', [4]],
    ["as many as one list may have", [1, 2, 3], '"size" IN (?, ?, ?)', [1, 2, 3]],
    [
      "more: several lists, the last filled up with its last item",
      [1, 2, 3, 4, 5, 6, 7, 8],
      '("size" IN (?, ?, ?) OR "size" IN (?, ?, ?) OR "size" IN (?, ?))',
      [1, 2, 3, 4, 5, 6, 7, 8],
    ],
  ])("%s", async (_, list, condition, values) => {
    await among.exec({ sizes: list, below: 99 });
    expect(last()).toEqual({
      sql: `SELECT "id" FROM "things" WHERE ${condition} AND "id" < ?`,
      params: [...values, 99],
    });
  });

  test("NOT IN is joined by AND, and is true for every row if the list is empty", async () => {
    const beyond = things.query().fields("id").where("size", "NOT IN", "sizes");
    expect(await beyond.exec({ sizes: [] })).toHaveLength(sizes.length);
    expect(last()?.sql).toBe('SELECT "id" FROM "things" WHERE 1 = 1');
    expect(await beyond.exec({ sizes: [0, 1, 2, 3] })).toHaveLength(5);
    expect(last()?.sql).toBe(
      'SELECT "id" FROM "things" WHERE ("size" NOT IN (?, ?, ?) AND "size" NOT IN (?))',
    );
  });

  test("lists are padded, so that there are few texts", async () => {
    const long = thingsWith(1_000_000).query().fields("id").where("size", "IN", "sizes");
    const lengthFor = async (length: number) => {
      await long.exec({ sizes: Array.from({ length }, (_, i) => i) });
      return last()?.params.length;
    };
    expect([await lengthFor(3), await lengthFor(5), await lengthFor(1_024), await lengthFor(1_025)]).toEqual([
      4, 8, 1_024, 2_048,
    ]);
    // As many as the statement takes, not filled up.
    expect(await lengthFor(sqlite.maxParams)).toBe(sqlite.maxParams);
  });

  test("too many items are a ParameterError that names the longest list, before anything is sent", async () => {
    const before = sent.length;
    const both = things.query().where("size", "IN", "few").where("id", "NOT IN", "many");
    const many = Array.from({ length: 32_766 }, (_, i) => i);
    expect(await sqlErrorOf(both.exec({ few: [1], many }))).toMatchObject({
      code: "PARAM_TYPE",
      param: "many",
      message: expect.stringContaining("32766"),
    });
    expect(sent).toHaveLength(before);
  });

  test("more parameters than a statement takes are refused, without a list too", () => {
    const narrow = thingsWith(3, { maxParams: 2 }).query().where("id", ">", "a").where("id", "<", "b");
    expect(narrow.render().params).toEqual(["a", "b"]);
    expect(sqlErrorIn(() => narrow.where("id", "!=", "c").render())).toMatchObject({
      code: "UNSUPPORTED",
      feature: "more than 2 parameters",
    });
  });

  test("numbered placeholders are renumbered, and shared if possible", async () => {
    const numbered = thingsWith(3, { placeholder: (position) => `?${position}`, sharesPlaceholders: true });
    const query = numbered
      .query()
      .fields("id")
      .whereOr(c("id", "=", "n"), c("size", "IN", "sizes"), and(c("size", "=", "n"), c("name", "=", "name")));
    expect(await query.exec({ n: 9, sizes: [1, 2, 4, 5], name: "x" })).toHaveLength(5);
    expect(last()).toEqual({
      sql: 'SELECT "id" FROM "things" WHERE ("id" = ?1 OR ("size" IN (?2, ?3, ?4) OR "size" IN (?5)) OR ("size" = ?1 AND "name" = ?6))',
      params: [9, 1, 2, 4, 5, "x"],
    });
  });

  test("matches the list, for any lists in any place", async () => {
    const list = fc.array(fc.integer({ min: -1, max: 9 }), { maxLength: 9 });
    const query = things
      .query()
      .fields("id", "size")
      .where("id", ">=", "from")
      .whereOr(
        c("size", "IN", "a"),
        and(c("size", "NOT IN", "b"), c("id", "IN", "a")),
        or(c("id", "NOT IN", "c")),
      )
      .where("id", "NOT IN", "d")
      .orderBy("id", "asc");
    await fc.assert(
      fc.asyncProperty(list, list, list, list, fc.integer({ min: 0, max: 3 }), async (a, b, c, d, from) => {
        const isIn = (value: number | null, values: number[]) => value !== null && values.includes(value);
        const isNotIn = (value: number | null, values: number[]) =>
          values.length === 0 || (value !== null && !values.includes(value));
        const expected = [...sizes.entries()].filter(
          ([id, size]) =>
            id >= from &&
            (isIn(size, a) || (isNotIn(size, b) && isIn(id, a)) || isNotIn(id, c)) &&
            isNotIn(id, d),
        );
        const rows = await query.exec({ a, b, c, d, from });
        expect(rows.map(({ id }) => id)).toEqual(expected.map(([id]) => id));
      }),
    );
  });
});
