/** Where the servers differ: what each answers by itself, and the one answer that rowtype gives on all of them. */
import { ceil, column, concat, type Database, floor, length, round, table } from "rowtype";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { sqlErrorOf } from "../../kit/thrown.js";
import { type Lent, serversAndLocales, titleOf } from "../../servers.js";

const Thing = table(
  "things",
  z.object({
    id: column(z.int(), { primaryKey: true }),
    name: z.string(),
    note: z.string().nullable(),
    size: z.number(),
    count: z.int(),
    price: column(z.string(), {
      type: { postgres: "numeric(10,2)", mariadb: "decimal(10,2)", sqlite: "TEXT", oracle: "NUMBER(10,2)" },
    }),
  }),
);

const rows = [
  { id: 1, name: "Ann", note: null, size: 2.5, count: 7, price: "0.10" },
  { id: 2, name: "anné", note: "n", size: -2.5, count: -7, price: "0.20" },
  { id: 3, name: "Zoë", note: "m", size: -1.5, count: 8, price: "123.00" },
];

const typed = (db: Database<"sqlite">) => db.repository(Thing);
type Things = ReturnType<typeof typed>;

/** What a server answers, as text; an error where it refuses. */
type Native = Readonly<Record<"sqlite" | "postgres" | "mariadb", string>>;

interface Difference {
  readonly name: string;
  /** A statement in the server's own words; its only value is looked at. */
  readonly sql: string;
  readonly native: Native;
  readonly ours: (things: Things) => Promise<unknown>;
  readonly expected: unknown;
}

const ids = async (query: Promise<readonly { readonly id: number }[]>) => (await query).map(({ id }) => id);

const differences: readonly Difference[] = [
  {
    name: "LIKE and the case of letters",
    sql: "SELECT CASE WHEN 'Ann' LIKE 'ann' THEN 'same' ELSE 'other' END AS v",
    native: { sqlite: "same", postgres: "other", mariadb: "same" },
    ours: (things) =>
      ids(things.query().fields("id").where("name", "LIKE", "p").orderBy("id", "asc").exec({ p: "ann%" })),
    expected: [2],
  },
  {
    name: "the place of NULL in an order",
    sql: "SELECT x AS v FROM (SELECT 1 AS x UNION ALL SELECT NULL) t ORDER BY x LIMIT 1",
    native: { sqlite: "null", postgres: "1", mariadb: "null" },
    ours: (things) => ids(things.query().fields("id").orderBy("note", "asc").exec()),
    expected: [3, 2, 1],
  },
  {
    name: "LENGTH in bytes or characters",
    sql: "SELECT LENGTH('\u{e9}') AS v",
    native: { sqlite: "1", postgres: "1", mariadb: "2" },
    ours: (things) => things.query().fields(length("name").as("n")).orderBy("n", "asc").exec(),
    expected: [{ n: 3 }, { n: 3 }, { n: 4 }],
  },
  {
    name: "halves",
    sql: "SELECT ROUND(2.5e0) AS v",
    native: { sqlite: "3", postgres: "3", mariadb: "2" },
    ours: (things) => things.query().fields(round("size").as("n")).orderBy("id", "asc").exec(),
    expected: [{ n: 3 }, { n: -3 }, { n: -2 }],
  },
  {
    name: "the whole number below a negative one",
    sql: "SELECT CAST(-1.5 AS INTEGER) AS v",
    native: { sqlite: "-1", postgres: "-2", mariadb: "-2" },
    ours: (things) =>
      things.query().fields(floor("size").as("low"), ceil("size").as("high")).orderBy("id", "asc").exec(),
    expected: [
      { low: 2, high: 3 },
      { low: -3, high: -2 },
      { low: -2, high: -1 },
    ],
  },
  {
    name: "decimals",
    sql: "SELECT 0.1 + 0.2 AS v",
    native: { sqlite: "0.30000000000000004", postgres: "0.3", mariadb: "0.3" },
    ours: (things) => things.query().fields("price").orderBy("id", "asc").exec(),
    expected: [{ price: "0.10" }, { price: "0.20" }, { price: "123.00" }],
  },
  {
    name: "UNION and INTERSECT side by side",
    sql: "SELECT COUNT(*) AS v FROM (SELECT 1 AS x UNION SELECT 2 INTERSECT SELECT 3) t",
    native: { sqlite: "0", postgres: "1", mariadb: "1" },
    ours: (things) => {
      const one = () => things.query().fields("id").where("id", "=", "one");
      const two = things.query().fields("id").where("id", "=", "two");
      const three = things.query().fields("id").where("id", "=", "three");
      return one().union(two).intersect(three).exec({ one: 1, two: 2, three: 3 });
    },
    expected: [],
  },
  {
    name: "an OFFSET without a LIMIT",
    sql: "SELECT 1 AS v OFFSET 0",
    native: { sqlite: "refused", postgres: "1", mariadb: "refused" },
    ours: (things) => ids(things.query().fields("id").orderBy("id", "asc").offset(1).exec()),
    expected: [2, 3],
  },
  {
    name: "the division of integers",
    sql: "SELECT 7 / 2 AS v",
    native: { sqlite: "3", postgres: "3", mariadb: "3.5" },
    ours: async (things) => {
      const half = things.modify().setExpr("count", "/", "by").where("id", "<", "id");
      return (await half.execMany({ by: 2, id: 3 })).map(({ id, count }) => [id, count]).sort();
    },
    expected: [
      [1, 3],
      [2, -3],
    ],
  },
  {
    name: "text beside NULL",
    sql: "SELECT COALESCE(CONCAT('a', NULL), 'nothing') AS v",
    native: { sqlite: "a", postgres: "a", mariadb: "nothing" },
    ours: (things) => things.query().fields(concat("name", "note").as("both")).orderBy("id", "asc").exec(),
    expected: [{ both: "Ann" }, { both: "ann\u{e9}n" }, { both: "Zo\u{eb}m" }],
  },
];

const isNative = (name: string): name is keyof Native => ["sqlite", "postgres", "mariadb"].includes(name);

for (const server of serversAndLocales)
  describe.skipIf(!server.available)(`differences of servers, on ${titleOf(server)}`, () => {
    let lent: Lent;
    let things: Things;
    beforeAll(async () => {
      lent = await server.lend();
      await lent.db.createTables(Thing);
      // What is used here, every dialect has.
      things = typed(lent.db as unknown as Database<"sqlite">);
      await things.insert().execBatch(rows);
    });
    afterAll(() => lent.close());

    test.each(differences)("$name", async ({ sql, native, ours, expected }) => {
      if (isNative(server.name)) {
        const answer = await lent.run(sql).then(
          ([row]) => {
            const { v } = row as { readonly v: unknown };
            return v === null ? "null" : String(Number.isNaN(Number(v)) ? v : Number(v));
          },
          () => "refused",
        );
        expect(answer).toBe(native[server.name]);
      }
      expect(await ours(things)).toEqual(expected);
    });

    test("an update to the current value finds its row, and counts it", async () => {
      const [, , zoe] = rows;
      const same = things.modify().set("name", "name").where("id", "=", "id");
      expect(await same.exec({ name: "Zo\u{eb}", id: 3 })).toEqual(zoe);
      expect(await same.execBatch([{ name: "Zo\u{eb}", id: 3 }])).toBe(1);
      expect(await same.execMany({ name: "Zo\u{eb}", id: 3 })).toEqual([zoe]);
      expect(await sqlErrorOf(same.exec({ name: "Zo\u{eb}", id: 9 }))).toMatchObject({ code: "NO_ROWS" });
    });
  });
