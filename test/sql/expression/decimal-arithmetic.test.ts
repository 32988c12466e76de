/** Arithmetic of exact decimals: its texts, before the judges, its rows on each server, and what is refused. */
import {
  add,
  avg,
  coalesce,
  column,
  type Database,
  decimal,
  div,
  inserted,
  mod,
  mul,
  neg,
  param,
  round,
  SqlError,
  sub,
  sum,
  table,
  value,
} from "rowtype";
import { mariadb } from "rowtype/mariadb";
import { oracle } from "rowtype/oracle";
import { postgres } from "rowtype/postgres";
import { sqlite } from "rowtype/sqlite";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { describeCasesOf } from "../../kit/run-cases.js";
import { sqlErrorIn } from "../../kit/thrown.js";
import { type Lent, servers, titleOf } from "../../servers.js";
import { decimalCases, Line, lines } from "./decimal-arithmetic.cases.js";

describeCasesOf(lines, "arithmetic of decimals", decimalCases);

const End = table(
  "decimal_ends",
  z.object({
    id: column(z.int(), { primaryKey: true }),
    tenant: decimal(6, 2),
    most: decimal(18, 2),
    fine: decimal(18, 9),
    small: column(z.int(), { type: { postgres: "smallint", mariadb: "int unsigned" } }),
    large: z.bigint(),
    total: decimal(18, 4).nullable(),
  }),
);

const ends = [
  {
    id: 1,
    tenant: "1.50",
    most: "9999999999999999.99",
    fine: "999999999.999999999",
    small: 3,
    large: 9223372036854775807n,
  },
  {
    id: 2,
    tenant: "2.50",
    most: "-9999999999999999.99",
    fine: "0.000000001",
    small: 1,
    large: -9223372036854775808n,
  },
];

for (const server of servers)
  describe.skipIf(!server.available)(`decimals at the ends of their ranges on ${titleOf(server)}`, () => {
    let lent: Lent;
    let db: Database<"sqlite">;
    beforeAll(async () => {
      lent = await server.lend();
      db = lent.db as unknown as Database<"sqlite">;
      await db.createTables(End);
      await db.repository(End).insert().execBatch(ends);
    });
    afterAll(() => lent.close());
    const query = () => db.repository(End).query();

    test("results have all their digits", async () => {
      const rows = await query()
        .fields(
          div("most", "most").as("one"),
          div("fine", "fine").as("ratio"),
          mod("most", "fine").as("rest"),
          mod("large", value("0.7")).as("tenths"),
          sub("small", value("4.5")).as("below"),
          neg("fine").as("other"),
          sub(mul("most", value("9")), mul("most", value("8"))).as("same"),
          div("large", "large").as("huge"),
        )
        .orderBy("id", "asc")
        .exec();
      expect(rows).toEqual([
        {
          one: "1.000000",
          ratio: "1.0000000000000",
          rest: "0.000000000",
          tenths: "0.0",
          below: "-1.5",
          other: "-999999999.999999999",
          same: "9999999999999999.99",
          huge: 1n,
        },
        {
          one: "1.000000",
          ratio: "1.0000000000000",
          rest: "0.000000000",
          tenths: "-0.3",
          below: "-3.5",
          other: "-0.000000001",
          same: "-9999999999999999.99",
          huge: 1n,
        },
      ]);
    });

    // Whole numbers of 64 bits hold 18 digits of any kind.
    test.each([
      ["a quotient", div("most", value("0.3")), "33333333333333333.300000"],
      ["a product", mul("most", "fine"), "9999999999999999980000000.00000000001"],
      ["a sum", add("most", value("0.001")), "9999999999999999.991"],
      ["a number with more digits", round("most", 4), "9999999999999999.9900"],
      ["a sum of a sum", add(sum("large"), value("0.01")), "9223372036854775807.01"],
    ] as const)(
      "%s beyond 64 bits is an error on SQLite, and exact elsewhere",
      async (_, expression, exact) => {
        const one = query()
          .fields(expression.as("x") as never)
          .where("id", "=", "id")
          .exec({ id: 1 } as never);
        if (server.dialect === "sqlite") await expect(one).rejects.toMatchObject({ code: "QUERY_FAILED" });
        else expect(await one).toEqual([{ x: exact }]);
      },
    );

    test("fields are set to what fits their digits, and a change beyond them is an error", async () => {
      const change = db.repository(End).modify().where("id", "=", "id");
      const product = change.set("total", mul("tenant", param("by", decimal(4, 2))));
      expect(await product.exec({ by: "2.25", id: 1 })).toMatchObject({ total: "3.3750" });
      // Of fewer digits after the point than the field has, they are the same number.
      expect(await change.set("total", "tenant").exec({ tenant: "0.5", id: 1 })).toMatchObject({
        total: "0.5000",
      });
      const raised = change.set("total", add("tenant", "tenant"));
      expect(await raised.exec({ id: 1 })).toMatchObject({ total: "3.0000" });
      const rounded = change.set("tenant", round(mul("tenant", value("1.337")), 2));
      expect(await rounded.exec({ id: 2 })).toMatchObject({ tenant: "3.34" });
      const over = change.set("tenant", mul("tenant", value("1000000")));
      await expect(over.exec({ id: 1 })).rejects.toBeInstanceOf(SqlError);
      const upsert = db
        .repository(End)
        .insert()
        .onConflict("id")
        .doUpdate()
        .set("most", sub(inserted("most"), value("0.01")))
        .set("total", add(inserted("most"), "fine"));
      const refused = sqlErrorIn(() => upsert.render());
      expect(refused.message).toContain(
        '"total" has up to 4 digits after the point, and this one 9: round it',
      );
      const stored = db
        .repository(End)
        .insert()
        .onConflict("id")
        .doUpdate()
        .set("total", sub(inserted("tenant"), value("0.001")));
      const record = { id: 2, tenant: "7.5", most: "0", fine: "0", small: 1, large: 1n };
      expect(await stored.exec(record)).toMatchObject({ total: "7.4990" });
    });

    test("a part of a table by a decimal has exactly its rows", async () => {
      const lowest = db.repository(End).scope({ tenant: "0001.5" });
      const other = { most: "1", fine: "0", small: 1, large: 1n };
      expect(await lowest.insert().exec({ ...other, id: 11 })).toMatchObject({ id: 11, tenant: "1.50" });
      await db
        .repository(End)
        .insert()
        .exec({ ...other, id: 12, tenant: "1.51" });
      const found = await lowest
        .query()
        .fields("id", add("tenant", value("1")).as("next"))
        .where("id", ">", "id")
        .exec({ id: 10 });
      expect(found).toEqual([{ id: 11, next: "2.50" }]);
      expect(await lowest.count().where("tenant", "=", "tenant").exec({ tenant: "1.51" })).toBe(0);
      expect(
        await lowest
          .modify()
          .set("total", mul("tenant", value("3")))
          .where("id", ">", "id")
          .execBatch([{ id: 10 }]),
      ).toBe(1);
      expect(
        await lowest
          .remove()
          .where("id", ">", "id")
          .execBatch([{ id: 10 }]),
      ).toBe(1);
      expect(await db.repository(End).remove().where("id", "=", "id").exec({ id: 12 })).toBe(1);
      expect(sqlErrorIn(() => db.repository(End).scope({ tenant: "1.555" })).code).toBe("PARAM_TYPE");
    });

    test("a half is one only where the exact quotient has it", async () => {
      // 1 / 32 = 0.03125; with a divisor that is greater by its last digit the quotient is less than a half.
      const one = query().fields(
        div(param("a", decimal(18, 0)), param("b", decimal(18, 0))).as("half"),
        div(param("a", decimal(18, 0)), param("c", decimal(18, 12))).as("less"),
        div(neg(param("a", decimal(18, 0))), param("b", decimal(18, 0))).as("minus"),
      );
      const [row] = await one.exec({ a: "1", b: "32", c: "32.000000000001" });
      expect(row).toEqual({ half: "0.0313", less: "0.0312499999999990", minus: "-0.0313" });
    });
  });

describe("arithmetic of decimals is refused", () => {
  const of = sqlite().repository(Line).query();
  // What the compiler refuses, or cannot know, an untyped caller still gives.
  const untyped = { add, sub, mul, div, neg, coalesce } as unknown as Record<
    string,
    (...operands: unknown[]) => { as(alias: string): never }
  >;
  const beside = "of at most 18 digits, 0 of them after the point";

  test.each([
    [
      "a number that may have a fraction",
      () => untyped["mul"]?.("price", "score"),
      'mul takes decimals with decimals, whole numbers or bigints, and "score" is a number that may have a fraction: cast one',
    ],
    [
      "a constant with a fraction that is a number",
      () => untyped["mul"]?.("price", value(1.19)),
      "mul takes decimals with decimals, whole numbers or bigints, and an expression is a number that may have a fraction: cast one",
    ],
    [
      "a text",
      () => untyped["add"]?.("price", value("ten")),
      "a constant for this operand takes a decimal as text",
    ],
    [
      "an exponent",
      () => untyped["add"]?.("price", value("1e3")),
      "a constant for this operand takes a decimal as text",
    ],
    ["very many digits", () => untyped["add"]?.("price", value("9".repeat(100_000))), beside],
    ["null", () => untyped["mul"]?.("price", null), "an operand is the name of a field", "INVALID_FIELD"],
    ["a boolean", () => untyped["neg"]?.(value(true)), "neg takes numbers, an expression holds boolean"],
    [
      "a number where a decimal stands",
      () => untyped["coalesce"]?.("price", value(1)),
      "coalesce takes decimal here, not number",
    ],
  ])("%s", (_, make, message, code = "INVALID_CONDITION") => {
    const error = sqlErrorIn(() => of.fields(make()?.as("x") as never).render());
    expect(error.message).toContain(message);
    expect(error.message.length).toBeLessThan(300);
    expect(error.code).toBe(code);
  });

  test("what leaves 18 digits after the point on SQLite, and 38 elsewhere", () => {
    const Fine = table("fines", z.object({ id: z.int(), fine: decimal(18, 10) }));
    const square = mul("fine", "fine");
    const dbs = { sqlite: sqlite(), postgres: postgres(), mariadb: mariadb(), oracle: oracle() };
    for (const [dialect, db] of Object.entries(dbs)) {
      const query = (db as unknown as Database<"sqlite">).repository(Fine).query();
      if (dialect === "sqlite") {
        const error = sqlErrorIn(() => query.fields(square.as("x")).render());
        expect(error.code).toBe("UNSUPPORTED");
        expect(error.message).toContain("decimals with a scale of more than 18");
        expect(error.message).toContain("round an operand to fewer digits");
        expect(() => query.fields(mul("fine", round("fine", 8)).as("x")).render()).not.toThrow();
      } else expect(() => query.fields(square.as("x")).render()).not.toThrow();
      const fourth = () => query.fields(mul(square, square).as("x")).render();
      expect(sqlErrorIn(fourth).code).toBe("UNSUPPORTED");
      const mean = () => query.fields(avg(mul(square, round("fine", 15))).as("x")).render();
      expect(sqlErrorIn(mean).code).toBe("UNSUPPORTED");
    }
  });
});
