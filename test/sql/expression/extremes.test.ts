/** `greatest` and `least`: their texts, before the judges of each dialect, their rows on each server, what is refused. */
import { c, column, type Database, decimal, greatest, least, param, sum, table, value } from "rowtype";
import { mariadb } from "rowtype/mariadb";
import { oracle } from "rowtype/oracle";
import { postgres } from "rowtype/postgres";
import { sqlite } from "rowtype/sqlite";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { Person } from "../../kit/people.js";
import { describeCases } from "../../kit/run-cases.js";
import { type Lent, servers, titleOf } from "../../servers.js";
import { extremeCases } from "./extremes.cases.js";

describeCases("greatest and least", extremeCases);

const Price = table(
  "prices",
  z.object({
    id: column(z.int(), { primaryKey: true }),
    net: decimal(10, 2),
    gross: decimal(12, 4).nullable(),
    huge: z.bigint(),
    real: z.number().nullable(),
    fine: column(z.date(), {
      type: {
        postgres: "timestamp(6)",
        mariadb: "datetime(6)",
        sqlite: "integer",
        oracle: "timestamp(6) with time zone",
      },
    }),
    plain: z.date().nullable(),
    note: z.string().nullable(),
  }),
);

const record = {
  id: 1,
  net: "-12.50",
  gross: null,
  huge: 9223372036854775807n,
  real: null,
  fine: new Date("1969-12-31T23:59:59.999Z"),
  plain: null,
  note: null,
};

for (const server of servers)
  describe.skipIf(!server.available)(`one of several values on ${titleOf(server)}`, () => {
    let lent: Lent;
    beforeAll(async () => {
      lent = await server.lend();
      await lent.db.createTables(Price);
      await lent.db
        .repository(Price)
        .insert()
        .execBatch([record, { ...record, id: 2, gross: "-12.4999", plain: new Date(0) }]);
    });
    afterAll(() => lent.close());
    const query = () => lent.db.repository(Price).query();

    test("decimals have the greater scale", async () => {
      const rows = await query()
        .fields(
          greatest("net", "gross").as("a"),
          least("net", "gross", param("most")).as("b"),
          greatest("gross", "gross").as("c"),
          least("net", value("-12.505")).as("d"),
        )
        .orderBy("id", "asc")
        .exec({ most: "-12.51" });
      expect(rows).toEqual([
        { a: "-12.5000", b: "-12.5100", c: null, d: "-12.505" },
        { a: "-12.4999", b: "-12.5100", c: "-12.4999", d: "-12.505" },
      ]);
    });

    test("dates that are kept in other ways are one kind of date", async ({ skip }) => {
      if (server.name === "h2") skip("H2 has no intervals of numbers");
      const rows = await query()
        .fields(greatest("fine", "plain").as("a"), least("plain", "fine").as("b"))
        .orderBy("id", "asc")
        .exec();
      const fine = record.fine;
      expect(rows).toEqual([
        { a: fine, b: fine },
        { a: new Date(0), b: fine },
      ]);
    });

    test("sums of bigints beside bigints, and beside each other", async () => {
      const rows = await query()
        .fields(
          greatest(sum("huge"), sum("huge")).as("wide"),
          least(sum("huge").filter(c("id", "=", "one")), value(1n)).as("narrow"),
        )
        .exec({ one: 1 });
      expect(rows).toEqual([{ wide: 18446744073709551614n, narrow: 1n }]);
    });

    test("two hundred operands, of which all are null or one is not", async () => {
      const none = Array.from({ length: 199 }, () => "real" as const);
      const texts = Array.from({ length: 199 }, () => "note" as const);
      const rows = await query()
        .fields(
          greatest("real", ...none).as("a"),
          least(value(2.5), ...none).as("b"),
          greatest(value("a"), ...texts).as("c"),
        )
        .where("id", "=", "id")
        .exec({ id: 1 });
      expect(rows).toEqual([{ a: null, b: 2.5, c: "a" }]);
    });
  });

describe("greatest and least", () => {
  test("calls in calls make a text that grows as they do", () => {
    for (const db of [sqlite(), postgres(), mariadb(), oracle()]) {
      // What the test uses every dialect has.
      const repository = (db as Database<"sqlite">).repository(Price);
      const lengthOf = (levels: number) => {
        let nested = greatest("real", "real");
        for (let i = 1; i < levels; i++) nested = least(nested, "real") as never;
        return repository.query().fields(nested.as("x")).render().native.sql.length;
      };
      expect(lengthOf(60)).toBeLessThan(2.2 * lengthOf(30));
    }
  });

  // What the compiler refuses, an untyped caller still gives.
  const untyped = { greatest, least } as unknown as Record<
    string,
    (...operands: unknown[]) => { as(alias: string): never }
  >;
  test.each([
    ["no operand", () => untyped["greatest"]?.(), "greatest needs at least one operand"],
    [
      "values of two kinds",
      () => untyped["least"]?.("name", "age"),
      'least takes values of one kind, not "name" (text) and "age" (number): cast one',
    ],
    [
      "a constant of another kind",
      () => untyped["greatest"]?.("balance", value(2)),
      'greatest takes values of one kind, not "balance" (bigint) and an expression (number): cast one',
    ],
    [
      "what has no order",
      () => untyped["greatest"]?.("photo", "photo"),
      'greatest takes values that have an order, "photo" holds bytes',
    ],
    [
      "parameters alone",
      () => untyped["least"]?.(param("a"), param("b")),
      'nothing says the type of parameter "a": give it a schema, param(name, schema) (and 1 more)',
    ],
    [
      "what is not an operand",
      () => untyped["least"]?.("age", null),
      "an operand is the name of a field, an expression, param(…) or value(…), not null",
      "INVALID_FIELD",
    ],
    [
      "a proxy of an operand",
      () => untyped["least"]?.("age", new Proxy(value(1), {})),
      "an operand is the name of a field, an expression, param(…) or value(…), not an object",
      "INVALID_FIELD",
    ],
  ])("refuse %s", (_, make, message, code = "INVALID_CONDITION") => {
    const builder = sqlite()
      .repository(Person)
      .query()
      .fields(make()?.as("x") as never);
    expect(() => builder.render()).toThrow(expect.objectContaining({ code, message }));
  });

  test("refuse decimals that have no order on the dialect", () => {
    const Old = table(
      "olds",
      z.object({
        id: column(z.int(), { primaryKey: true }),
        text: column(z.string(), { type: "decimal(10, 2)" }),
      }),
    );
    const olds = sqlite().repository(Old).query();
    const unsupported = expect.objectContaining({ code: "UNSUPPORTED" });
    expect(() => olds.fields(greatest("text", "text").as("x")).render()).toThrow(unsupported);
  });
});
