/** Exact decimals: text in rows, and the same digits on every server wherever they are compared, ordered or summed. */
import {
  abs,
  avg,
  c,
  cast,
  ceil,
  coalesce,
  column,
  type Database,
  ddl,
  decimal,
  floor,
  json,
  max,
  min,
  nullIf,
  round,
  sqrt,
  sum,
  table,
  toDbml,
} from "rowtype";
import { createEngine, GET } from "rowtype/http";
import { recording } from "rowtype/testing";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { z } from "zod";
import { sqlErrorIn, sqlErrorOf } from "../../kit/thrown.js";
import { type Lent, servers } from "../../servers.js";
import { expectCost } from "../../stopwatch.js";

const Item = table(
  "decimal_items",
  z.object({
    id: column(z.int(), { primaryKey: true }),
    price: column(decimal(18, 2), { default: "0.50" }),
    rate: decimal(5, 4).nullable(),
    pieces: column(decimal(6, 0).nullable(), { index: true }),
    other: decimal(10, 2).nullable(),
    details: json(z.object({ net: decimal(10, 2) })).nullable(),
  }),
);
// Of two neighbours a double has one value only.
const LARGE = "9007199254740993.01";
const NEXT = "9007199254740993.02";
const rows = [
  { id: 1, price: "12.50", rate: "0.1900", pieces: "3", other: "12.50", details: null },
  { id: 2, price: "7.00", rate: null, pieces: "-20", other: "7.10", details: null },
  { id: 3, price: LARGE, rate: "-1.0001", pieces: null, other: null, details: null },
  { id: 4, price: NEXT, rate: "0.0000", pieces: "999999", other: "-0.05", details: { net: "1.20" } },
  { id: 5, price: "-0.05", rate: "9.9999", pieces: "0", other: "0.00", details: null },
];

describe("the schema", () => {
  const of = decimal(5, 2);
  test.each([
    ["7", "7.00"],
    ["007.10", "7.10"],
    ["-0", "0.00"],
    ["-0.00", "0.00"],
    ["999.99", "999.99"],
    ["-5.1", "-5.10"],
  ])("takes %s and gives %s", (given, gives) => {
    expect(of.parse(given)).toBe(gives);
  });

  test.each(["+1", "1.", ".5", "1e3", "", " ", " 1", "1 ", "1.234", "1000", "1,5", "--1", "0x1", "1\n", "٣"])(
    "refuses %j",
    (given) => {
      expect(of.safeParse(given).success).toBe(false);
    },
  );

  test("says how many digits there are, and refuses other numbers of them", () => {
    expect(of.safeParse("1.234").error?.issues[0]?.message).toBe(
      "a decimal of at most 5 digits, 2 of them after the point",
    );
    for (const [precision, scale] of [
      [0, 0],
      [39, 2],
      [5, 6],
      [5, -1],
      [1.5, 1],
      [5, 0.5],
    ] as const)
      expect(sqlErrorIn(() => decimal(precision, scale)).code).toBe("DECLARATION");
    expect(decimal(3, 3).parse("-00.1")).toBe("-0.100");
    expect(decimal(3, 3).safeParse("1").success).toBe(false);
    expect(decimal(3, 0).parse("012")).toBe("12");
    expect(decimal(3, 0).safeParse("1.0").success).toBe(false);
  });

  test("takes a long text in linear time", async () => {
    const long = `${"0".repeat(200_000)}x`;
    await expectCost(1_000, () => {
      expect(of.safeParse(long).success).toBe(false);
      expect(of.parse(`${"0".repeat(200_000)}1`)).toBe("1.00");
    });
  });

  test("is text with its format and pattern in a document, and text on the wire", async () => {
    const engine = createEngine().withHandlers(
      GET("/items", { output: z.object({ price: decimal(10, 2) }) }, () => ({ price: "12.50" })),
    );
    const document = engine.openapi();
    expect(JSON.stringify(document)).toContain(
      JSON.stringify({
        type: "string",
        format: "decimal",
        pattern: "^-?(?:0+|0*[1-9]\\d{0,7})(?:\\.\\d{1,2})?$",
      }),
    );
  });

  test("is a type of its own in diagrams, and a kind of the column", () => {
    expect(toDbml(Item)).toContain('"price" decimal(18,2)');
    expect(Item.columns.price.kind).toBe("decimal");
    expect(Item.insertSchema.parse({ id: 1, price: "1", rate: null })).toEqual({
      id: 1,
      price: "1.00",
      rate: null,
    });
  });

  test("cannot be the item of an array column", () => {
    expect(sqlErrorIn(() => table("t", z.object({ list: z.array(decimal(4, 2)) }))).code).toBe("DECLARATION");
  });
});

describe("the text", () => {
  test.each([
    ["postgres", '"price" numeric(18, 2) DEFAULT 0.50 NOT NULL'],
    ["mariadb", "`price` decimal(18, 2) DEFAULT (0.50) NOT NULL"],
    ["oracle", '"price" NUMBER(18, 2) DEFAULT 0.50 NOT NULL'],
    ["sqlite", '"price" INTEGER DEFAULT (50) NOT NULL'],
  ] as const)("of a column on %s", (dialect, expected) => {
    expect(ddl(Item, dialect)[0]).toContain(expected);
  });

  test.each([
    ["postgres", '"price" >= $1', ["7.00"]],
    ["mariadb", "`price` >= CAST(? AS DECIMAL(65, 2))", ["7.00"]],
    ["oracle", "\"price\" >= CAST(REPLACE(:p0, '.', '') AS NUMBER) * 0.01", ["7.00"]],
    ["sqlite", '"price" >= ?', [700n]],
  ] as const)("of a comparison on %s", async (dialect, expected, params) => {
    const db = recording(dialect);
    await db.repository(Item).query().where("price", ">=", "p").exec({ p: "7" });
    expect(db.statements[0]?.sql).toContain(expected);
    expect(db.statements[0]?.params).toEqual(params);
  });

  test.each(["postgres", "mariadb", "oracle", "sqlite"] as const)(
    "answers of a recording on %s",
    async (dialect) => {
      const db = recording(dialect, [rows]);
      expect(await db.repository(Item).query().exec()).toEqual(rows);
    },
  );

  test("on SQLite a decimal has up to 18 digits, in averages too", async () => {
    const Long = table("longs", z.object({ id: z.int(), amount: decimal(19, 2) }));
    expect(sqlErrorIn(() => ddl(Long, "sqlite")).code).toBe("UNSUPPORTED");
    expect(sqlErrorIn(() => recording("sqlite").repository(Long)).code).toBe("UNSUPPORTED");
    expect(ddl(Long, "postgres")[0]).toContain("numeric(19, 2)");
    const Fine = table("fines", z.object({ id: z.int(), amount: decimal(18, 15) }));
    const fines = recording("sqlite").repository(Fine);
    expect((await sqlErrorOf(fines.avg("amount").exec())).code).toBe("UNSUPPORTED");
    expect((await sqlErrorOf(fines.query().fields(avg("amount").as("a")).exec())).code).toBe("UNSUPPORTED");
  });
});

for (const server of servers.filter(({ name }) => name !== "oracle"))
  describe.skipIf(!server.available)(`decimals on ${server.name}`, () => {
    let lent: Lent;
    let db: Database<"sqlite">;
    const items = () => db.repository(Item);
    const ids = (found: readonly { readonly id: number }[]) => found.map(({ id }) => id);
    beforeAll(async () => {
      lent = await server.lend();
      db = lent.db as unknown as Database<"sqlite">;
    });
    beforeEach(async () => {
      await db.dropTables(Item);
      await db.createTables(Item);
      await items().insert().execBatch(rows);
    });
    afterAll(() => lent.close());

    test("come back as they were stored, with all their digits", async () => {
      expect(await items().query().orderBy("id", "asc").exec()).toEqual(rows);
      const given = { id: 6, price: "007.1", rate: "-0", pieces: "0012", other: "7" };
      const stored = { id: 6, price: "7.10", rate: "0.0000", pieces: "12", other: "7.00", details: null };
      expect(await items().insert().exec(given)).toEqual(stored);
      expect(await items().select().where("id", "=", "id").exec({ id: 6 })).toEqual(stored);
      expect(await items().insert().exec({ id: 7 })).toMatchObject({ price: "0.50", rate: null });
      const many = [
        { id: 8, price: "1.5" },
        { id: 9, price: "2" },
      ];
      expect(await items().insert().execMany(many)).toMatchObject([{ price: "1.50" }, { price: "2.00" }]);
    });

    test("are compared and ordered exactly", async () => {
      const where = (operator: "=" | "!=" | ">" | ">=" | "<" | "<=", p: string) =>
        items().query().fields("id").where("price", operator, "p").orderBy("id", "asc").exec({ p });
      expect(ids(await where("=", "12.5"))).toEqual([1]);
      expect(ids(await where("=", LARGE))).toEqual([3]);
      expect(ids(await where("!=", NEXT))).toEqual([1, 2, 3, 5]);
      expect(ids(await where(">", LARGE))).toEqual([4]);
      expect(ids(await where(">=", "-0.05"))).toEqual([1, 2, 3, 4, 5]);
      expect(ids(await where("<", "7"))).toEqual([5]);
      expect(ids(await where("<=", "7.00"))).toEqual([2, 5]);
      expect(ids(await items().query().orderBy("price", "desc").exec())).toEqual([4, 3, 1, 2, 5]);
      expect(ids(await items().query().orderBy("pieces", "asc").exec())).toEqual([2, 5, 1, 4, 3]);
    });

    test("in lists, short and long, and between two", async () => {
      const within = items().query().fields("id").where("price", "IN", "list").orderBy("id", "asc");
      expect(ids(await within.exec({ list: ["12.5", LARGE] }))).toEqual([1, 3]);
      expect(ids(await within.exec({ list: [] }))).toEqual([]);
      const without = items().query().fields("id").where("price", "NOT IN", "list").orderBy("id", "asc");
      const long = Array.from({ length: 3_000 }, (_, i) => `${i + 100}.25`);
      expect(ids(await without.exec({ list: [...long, NEXT] }))).toEqual([1, 2, 3, 5]);
      const between = items().query().fields("id").whereBetween("price", "low", "high").orderBy("id", "asc");
      expect(ids(await between.exec({ low: "7", high: LARGE }))).toEqual([1, 2, 3]);
      const outside = items()
        .query()
        .fields("id")
        .whereNotBetween("price", "low", "high")
        .orderBy("id", "asc");
      expect(ids(await outside.exec({ low: "7", high: LARGE }))).toEqual([4, 5]);
      const either = items()
        .query()
        .fields("id")
        .whereOr(c("price", "<", "low"), c("rate", "=", "rate"))
        .orderBy("id", "asc");
      expect(ids(await either.exec({ low: "7", rate: "0.19" }))).toEqual([1, 5]);
    });

    test("of one field with another, of the same scale and of others", async () => {
      const same = items().query().fields("id").whereFields("price", "=", "other").orderBy("id", "asc");
      expect(ids(await same.exec())).toEqual([1]);
      const Pair = table("decimal_pairs", z.object({ id: z.int(), a: decimal(6, 1), b: decimal(8, 3) }));
      await db.dropTables(Pair);
      await db.createTables(Pair);
      const pairs = db.repository(Pair);
      await pairs.insert().execBatch([
        { id: 1, a: "1.5", b: "1.500" },
        { id: 2, a: "1.5", b: "1.501" },
        { id: 3, a: "-2", b: "-2.001" },
      ]);
      expect(ids(await pairs.query().whereFields("a", "=", "b").exec())).toEqual([1]);
      expect(ids(await pairs.query().whereFields("a", "<", "b").exec())).toEqual([2]);
      await db.dropTables(Pair);
    });

    test("are summed and averaged exactly, by the repository too", async () => {
      const of = items();
      expect(await of.sum("price").exec()).toBe("18014398509482005.48");
      expect(await of.sum("pieces").exec()).toBe("999982");
      expect(await of.min("price").exec()).toBe("-0.05");
      expect(await of.max("price").exec()).toBe(NEXT);
      expect(await of.avg("other").exec()).toBe("4.887500");
      expect(await of.avg("pieces").exec()).toBe("249995.5000");
      const some = of.avg("other").where("id", "IN", "ids");
      expect(await some.exec({ ids: [1, 2, 4] })).toBe("6.516667");
      expect(await some.exec({ ids: [4] })).toBe("-0.050000");
      const none = { ids: [0] };
      expect(await of.sum("price").where("id", "IN", "ids").exec(none)).toBe("0.00");
      expect(await of.max("pieces").where("id", "IN", "ids").exec(none)).toBe("0");
      expect(await some.exec(none)).toBe("0.000000");
      const all = of.query().fields(
        sum("rate").as("sum"),
        avg("rate").as("avg"),
        min("rate").as("min"),
        max("rate").as("max"),
        sum("price")
          .filter(c("price", "<", "p"))
          .as("low"),
      );
      expect(await all.exec({ p: "7" })).toEqual([
        { sum: "9.1898", avg: "2.29745000", min: "-1.0001", max: "9.9999", low: "-0.05" },
      ]);
      expect(await all.where("id", "=", "id").exec({ p: "7", id: 2 })).toEqual([
        { sum: null, avg: null, min: null, max: null, low: null },
      ]);
    });

    test("averages round halves away from zero", async () => {
      const Half = table("decimal_halves", z.object({ id: z.int(), v: decimal(4, 0) }));
      await db.dropTables(Half);
      await db.createTables(Half);
      const halves = db.repository(Half);
      // 1/32 = 0.03125, whose fifth decimal is a half.
      const of = (v: string) => Array.from({ length: 32 }, (_, i) => ({ id: i, v: i === 0 ? v : "0" }));
      await halves.insert().execBatch(of("1"));
      expect(await halves.avg("v").exec()).toBe("0.0313");
      await halves
        .modify()
        .set("v", "v")
        .where("id", "=", "id")
        .exec({ v: "-1", id: 0 })
        .catch(() => undefined);
      await db.dropTables(Half);
    });

    test("in groups, in HAVING, over windows, and told apart", async () => {
      const grouped = items()
        .query()
        .fields("other", sum("price").as("total"))
        .groupBy("other")
        .having("total", ">", "p")
        .orderBy("total", "asc");
      expect(await grouped.exec({ p: LARGE })).toEqual([{ other: "-0.05", total: NEXT }]);
      const running = items()
        .query()
        .fields(
          "id",
          sum("price")
            .over({ orderBy: [["id", "asc"]] })
            .as("running"),
          avg("other").over({}).as("mean"),
        )
        .orderBy("id", "asc")
        .limit(2);
      expect(await running.exec()).toEqual([
        { id: 1, running: "12.50", mean: "4.887500" },
        { id: 2, running: "19.50", mean: "4.887500" },
      ]);
    });

    test("in functions, with parameters that are decimals", async () => {
      const of = items()
        .query()
        .fields(
          coalesce("other", "none").as("some"),
          nullIf("price", "that").as("unless"),
          abs("price").as("abs"),
          ceil("price").as("ceil"),
          floor("price").as("floor"),
          round("price", 1).as("round"),
          cast("price", "text").as("text"),
          cast("price", "integer").as("integer"),
          cast("other", "number").as("number"),
          sqrt("other").as("root"),
        )
        .where("id", "IN", "ids")
        .orderBy("id", "asc");
      const found = await of.exec({ none: "1", that: "12.5", ids: [1, 2, 5] });
      expect(found).toEqual([
        {
          some: "12.50",
          unless: null,
          abs: "12.50",
          ceil: "13",
          floor: "12",
          round: "12.5",
          text: "12.50",
          integer: 12,
          number: 12.5,
          root: Math.sqrt(12.5),
        },
        {
          some: "7.10",
          unless: "7.00",
          abs: "7.00",
          ceil: "7",
          floor: "7",
          round: "7.0",
          text: "7.00",
          integer: 7,
          number: 7.1,
          root: Math.sqrt(7.1),
        },
        {
          some: "0.00",
          unless: "-0.05",
          abs: "0.05",
          ceil: "0",
          floor: "-1",
          round: "-0.1",
          text: "-0.05",
          integer: 0,
          number: 0,
          root: 0,
        },
      ]);
    });

    test("are set, added and taken away, exactly", async () => {
      const of = items().modify().where("id", "=", "id");
      expect(await of.set("price", "p").exec({ p: "3.1", id: 1 })).toMatchObject({ price: "3.10" });
      expect(await of.setExpr("price", "+", "p").exec({ p: "0.01", id: 3 })).toMatchObject({ price: NEXT });
      expect(await of.setExpr("price", "-", "p").exec({ p: "7.05", id: 2 })).toMatchObject({
        price: "-0.05",
      });
      const multiplied = of.setExpr("price", "*", "p");
      expect((await sqlErrorOf(multiplied.exec({ p: "2", id: 2 }))).code).toBe("INVALID_OPERATOR");
      const upsert = items().insert().onConflict("id").doUpdate().set("price", "price");
      expect(await upsert.exec({ id: 1, price: "8" })).toMatchObject({ id: 1, price: "8.00" });
    });

    test("values that are none are refused, in parameters and in records", async () => {
      const query = items().query().where("price", "=", "p");
      for (const p of ["+1", "1.", ".5", "1e3", "", " 1", "1.234", "12345678901234567", 1 as never])
        expect((await sqlErrorOf(query.exec({ p }))).code, String(p)).toBe("PARAM_TYPE");
      const insert = (price: string) => items().insert().exec({ id: 9, price });
      for (const p of ["+1", "1.234", "", "12345678901234567"])
        expect((await sqlErrorOf(insert(p))).code, p).toBe("PARAM_TYPE");
      const list = items().query().where("price", "IN", "list");
      expect((await sqlErrorOf(list.exec({ list: ["1", "x"] }))).code).toBe("PARAM_TYPE");
    });

    test("queries of one scale go together, of two do not", async () => {
      const prices = items().query().fields("price").where("id", "=", "id");
      expect(await prices.unionAll(prices).exec({ id: 1 })).toEqual([{ price: "12.50" }, { price: "12.50" }]);
      const Rate = table("decimal_items", z.object({ id: z.int(), price: decimal(5, 4) }));
      const rates = db.repository(Rate).query().fields("price");
      const error = await sqlErrorOf(prices.unionAll(rates).exec({ id: 1 }));
      expect(error.code).toBe("INVALID_FIELD");
    });

    test("as a key, of one field and of two", async () => {
      const Rate = table(
        "decimal_keys",
        z.object({ version: decimal(18, 2), part: z.int(), note: z.string() }),
        { primaryKey: ["version", "part"] },
      );
      await db.dropTables(Rate);
      await db.createTables(Rate);
      const rates = db.repository(Rate);
      await rates.insert().execBatch([
        { version: LARGE, part: 1, note: "a" },
        { version: NEXT, part: 1, note: "b" },
      ]);
      const upsert = rates.insert().onConflict("version", "part").doUpdate().set("note", "note");
      expect(await upsert.exec({ version: NEXT, part: 1, note: "c" })).toEqual({
        version: NEXT,
        part: 1,
        note: "c",
      });
      const change = rates.modify().set("note", "to").where("note", "=", "from");
      expect(await change.execMany({ from: "c", to: "d" })).toEqual([{ version: NEXT, part: 1, note: "d" }]);
      const found = rates.query().fields("note").orderBy("version", "asc");
      expect(await found.exec()).toEqual([{ note: "a" }, { note: "d" }]);
      await db.dropTables(Rate);
    });

    // Its names are in capitals there, unless they are quoted.
    test.skipIf(server.dialect === "oracle")("in text of the program's own", async () => {
      const named = z.object({ id: z.int(), price: decimal(18, 2) });
      const found = await db.sql("SELECT id, price FROM decimal_items WHERE id = 3", named).exec();
      expect(found).toEqual([{ id: 3, price: LARGE }]);
    });
  });
