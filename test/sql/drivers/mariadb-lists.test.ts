/** Lists on MariaDB that are longer than the parameters of a statement, beside the same ones cut into short lists. */
import { column, type Database, round, table } from "rowtype";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { jsonTable } from "../../../src/sql/dialect/mariadb/lists.js";
import { byteForms } from "../../byte-forms.js";
import { type Lent, servers } from "../../servers.js";

const Value = table(
  "listed",
  z.object({
    id: column(z.int(), { primaryKey: true }),
    text: z.string().nullable(),
    key: column(z.string().nullable(), { index: true }),
    // The caller's own, in which "a" is "A" and "ä".
    folded: column(z.string().nullable(), { type: "varchar(40) COLLATE utf8mb4_unicode_520_ci" }),
    other: column(z.string().nullable(), { type: "varchar(40) COLLATE utf8mb4_general_ci" }),
    big: z.bigint().nullable(),
    real: z.number().nullable(),
    at: z.date().nullable(),
    day: column(z.string().nullable(), { type: "date" }),
    bytes: z.instanceof(Uint8Array).nullable(),
    flag: z.boolean().nullable(),
  }),
);
const texts = [
  "",
  " ",
  "a",
  "A",
  "ä",
  "a ",
  '"a"',
  "\\",
  "\\\\n",
  "\n\t\u0001",
  "😀",
  "\u2028",
  "[1]",
  "x".repeat(40),
];
const rows = texts.map((text, i) => ({
  id: i,
  text,
  key: text,
  folded: text,
  other: text,
  big: 9_007_199_254_740_992n + BigInt(i),
  real: [0, 0.1, 1e300, 1e-300, -2.5, 2 ** 53, 0.3][i % 7] ?? 0,
  at: new Date(Date.UTC(2026, 0, 1, 0, 0, 0, i)),
  day: `2026-01-${String(i + 1).padStart(2, "0")}`,
  bytes: new Uint8Array([i, 0, 255]),
  flag: i % 2 === 0,
}));
const nulls = {
  id: 1_000,
  text: null,
  key: null,
  folded: null,
  other: null,
  big: null,
  real: null,
  at: null,
  day: null,
  bytes: null,
  flag: null,
};

const LONG = 66_000;
const filler: { readonly [Name: string]: (i: number) => unknown } = {
  id: (i) => i + 5_000,
  text: (i) => `none ${i}`,
  key: (i) => `none ${i}`,
  folded: (i) => `none ${i}`,
  other: (i) => `none ${i}`,
  big: (i) => BigInt(i) - 100_000n,
  real: (i) => i + 0.25,
  at: (i) => new Date(i),
  day: (i) => `1${String(i % 1_000).padStart(3, "0")}-01-01`,
};

const server = servers.find(({ name }) => name === "mariadb");
describe.skipIf(server?.available !== true)("long lists on MariaDB", () => {
  let lent: Lent;
  let db: Database<"mariadb">;
  beforeAll(async () => {
    lent = (await server?.lend()) as Lent;
    db = lent.db as Database<"mariadb">;
    await db.createTables(Value);
    await db
      .repository(Value)
      .insert()
      .execBatch([...rows, nulls]);
  });
  afterAll(() => lent.close());

  // biome-ignore lint/suspicious/noExplicitAny: the fields are given by name.
  type Untyped = any;
  const ids = (found: readonly { id: number }[]) => found.map(({ id }) => id);

  test.each(Object.keys(filler))("of %s find what short ones find", async (field) => {
    for (const operator of ["IN", "NOT IN"]) {
      const query = (db.repository(Value).query() as Untyped)
        .fields("id")
        .where(field, operator, "list")
        .orderBy("id", "asc");
      for (const wanted of [[2, 3, 5]]) {
        const some = wanted.map((i) => (rows as Untyped)[i][field]);
        const none = Array.from({ length: LONG }, (_, i) => filler[field]?.(i));
        const short = await query.exec({ list: [...some, none[0]] });
        expect(ids(await query.exec({ list: [...none, ...some] }))).toEqual(ids(short));
        // A text too long for the temporary tables of the server.
        if (["text", "key", "folded"].includes(field) && wanted.length === 3)
          expect(
            ids(await query.exec({ list: [...none.slice(0, 66_000), ...some, "y".repeat(2_000)] })),
          ).toEqual(ids(short));
        const streamed: { id: number }[] = [];
        if (wanted.length === 3) {
          for await (const row of query.stream({ list: [...none, ...some] })) streamed.push(row);
          expect(ids(streamed)).toEqual(ids(short));
        }
      }
    }
  });

  test("several in one statement, in a group, beside other parameters", async () => {
    const query = db
      .repository(Value)
      .query()
      .fields("id")
      .where("id", "NOT IN", "none")
      .where("text", "IN", "texts")
      .where("id", ">=", "least")
      .orderBy("id", "asc");
    const none = Array.from({ length: 40_000 }, (_, i) => i + 5_000);
    const many = [...none.map(String), ...texts];
    expect(ids(await query.exec({ none, texts: many, least: 3 }))).toEqual(
      ids(rows.filter(({ id }) => id >= 3)),
    );
  });

  test("in updates and removals, which read them once", async () => {
    const Big = table(
      "listed_big",
      z.object({
        id: column(z.int(), { primaryKey: true }),
        key: column(z.string(), { index: true }),
        n: z.int(),
      }),
    );
    await db.createTables(Big);
    await lent.run("INSERT INTO listed_big SELECT seq, CONCAT('k', seq), 0 FROM seq_1_to_4000");
    const big = db.repository(Big);
    const every = Array.from({ length: LONG }, (_, i) => i * 2);
    const keys = every.map((i) => `k${i}`);
    await db.transaction(async (tx) => {
      const set = big.modify().set("n", "n").where("id", "IN", "ids");
      expect(await set.execMany({ n: 1, ids: every }, { tx })).toHaveLength(2_000);
      expect(await big.count().where("n", "=", "n").exec({ n: 1 }, { tx })).toBe(2_000);
    });
    await big.remove().where("id", ">", "most").exec({ most: 10 });
    expect(await big.remove().where("key", "NOT IN", "keys").exec({ keys })).toBe(5);
    expect(await big.remove().where("id", "IN", "ids").execMany({ ids: every })).toHaveLength(5);
    expect(await big.count().exec()).toBe(0);
  });

  test.each(Object.entries(byteForms))("hold the bytes of %s, and none around them", async (_, make) => {
    const { before, after, value } = jsonTable.list([make([0, 255, 39]), make([])], { kind: "bytes" });
    const found = await lent.run(
      `SELECT HEX(list.\`UNHEX(v)\`) AS hex FROM (${before}'${value}'${after}) AS list`,
    );
    expect(found).toEqual([{ hex: "00FF27" }, { hex: "" }]);
  });

  test("numbers that no decimal holds are rounded to what they are", async () => {
    const Number_ = table(
      "numbers_rounded",
      z.object({ id: column(z.int(), { primaryKey: true }), n: z.number() }),
    );
    await db.createTables(Number_);
    const numbers = [
      1e300, -1e300, 1e45, 1e44, 9.99e44, 1.7976931348623157e308, 5e-324, 2.675, -2.675, 1e17, 0,
    ];
    await db
      .repository(Number_)
      .insert()
      .execBatch(numbers.map((n, id) => ({ id, n })));
    const rounded = await db
      .repository(Number_)
      .query()
      .fields("n", round("n", 2).as("r"))
      .orderBy("id", "asc")
      .exec();
    expect(rounded.map(({ r }) => r)).toEqual(
      numbers.map((n) => (Math.abs(n) === 2.675 ? Math.sign(n) * 2.68 : n === 5e-324 ? 0 : n)),
    );
  });
});
