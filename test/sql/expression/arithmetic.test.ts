/** Arithmetic: its texts, before the judges of each dialect, its rows on each server, and what is refused. */
import { add, column, div, mod, mul, neg, param, sub, sum, table, value } from "rowtype";
import { sqlite } from "rowtype/sqlite";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { Person } from "../../kit/people.js";
import { describeCases } from "../../kit/run-cases.js";
import { type Lent, servers, titleOf } from "../../servers.js";
import { arithmeticCases } from "./arithmetic.cases.js";

describeCases("arithmetic", arithmeticCases);

const Amount = table(
  "amounts",
  z.object({
    id: column(z.int(), { primaryKey: true }),
    small: column(z.int(), { type: { postgres: "integer", mariadb: "int unsigned" } }),
    exact: column(z.number(), { type: { postgres: "numeric(20, 4)", mariadb: "decimal(20, 4)" } }),
    large: z.int(),
    huge: z.bigint(),
    real: z.number(),
    none: z.int().nullable(),
  }),
);

const record = {
  id: 1,
  small: 2147483647,
  exact: 0.1,
  large: 9007199254740991,
  huge: -9223372036854775808n,
  real: 1.5e308,
  none: null,
};

for (const server of servers)
  describe.skipIf(!server.available)(`the ends of the ranges on ${titleOf(server)}`, () => {
    let lent: Lent;
    beforeAll(async () => {
      lent = await server.lend();
      await lent.db.createTables(Amount);
      await lent.db.repository(Amount).insert().exec(record);
    });
    afterAll(() => lent.close());
    const query = () => lent.db.repository(Amount).query();

    test("whole numbers have 64 bits, whatever type a column declares", async () => {
      const row = query().fields(
        div(mul("small", "small"), "small").as("same"),
        sub("small", param("more")).as("below"),
        add("small", param("more")).as("above"),
        sub(mul("large", value(1000)), mul("large", value(999))).as("back"),
        add("huge", value(9223372036854775807n)).as("least"),
        mod("huge", value(-1n)).as("rest"),
      );
      expect(await row.exec({ more: 4294967296 })).toEqual([
        {
          same: 2147483647,
          below: -2147483649,
          above: 6442450943,
          back: 9007199254740991,
          least: -1n,
          rest: 0n,
        },
      ]);
    });

    test("a declared decimal is calculated with as a number", async () => {
      const rows = await query()
        .fields(add("exact", value(0.2)).as("a"), mul("exact", value(3)).as("b"))
        .exec();
      expect(rows).toEqual([{ a: 0.1 + 0.2, b: 0.1 * 3 }]);
    });

    test.each([
      ["a product", mul("huge", value(2n))],
      ["a difference", sub("huge", value(1n))],
      ["a difference from zero", sub(mul("huge", value(0n)), "huge")],
      ["a negated number", neg("huge")],
      ["a quotient", div("huge", value(-1n))],
      ["a product of numbers", mul("large", value(9007199254740991))],
    ] as const)("%s beyond 64 bits is an error", async (_, expression) => {
      const failing = query().fields(expression.as("over"));
      await expect(failing.exec()).rejects.toMatchObject({ code: "QUERY_FAILED" });
    });

    test("a sum of bigints beyond 64 bits is an error", async () => {
      const failing = query().fields(add(sum("huge"), value(-1n)).as("over"));
      await expect(failing.exec()).rejects.toMatchObject({ code: "QUERY_FAILED" });
    });

    test("a whole number beyond 2^53 is never rounded", async () => {
      const failing = query().fields(add("large", value(1)).as("over"));
      await expect(failing.exec()).rejects.toMatchObject({ code: "DECODE_FAILED" });
    });

    test("a number that would be infinite is an error", async () => {
      const failing = query().fields(mul("real", value(10)).as("over"));
      // Oracle calculates with infinities, which are not numbers of a row.
      const code = server.dialect === "oracle" ? "DECODE_FAILED" : "QUERY_FAILED";
      await expect(failing.exec()).rejects.toMatchObject({ code });
    });

    test("what is null stays null", async () => {
      const rows = await query()
        .fields(add("none", "id").as("a"), neg("none").as("b"), div("none", "none").as("c"))
        .exec();
      expect(rows).toEqual([{ a: null, b: null, c: null }]);
    });
  });

describe("arithmetic is refused", () => {
  const people = sqlite().repository(Person).query();
  // What the compiler refuses, an untyped caller still gives.
  const untyped = { add, div, neg } as unknown as Record<
    string,
    (...operands: unknown[]) => { as(alias: string): never }
  >;

  test.each([
    ["a text", () => untyped["add"]?.("name", "age"), 'add takes numbers, "name" holds text'],
    [
      "a bigint beside a number",
      () => untyped["add"]?.("balance", "age"),
      'add takes two numbers or two bigints, not "balance" (bigint) and "age" (number): cast one',
    ],
    [
      "a constant of another kind",
      () => untyped["div"]?.("balance", value(2)),
      'div takes two numbers or two bigints, not "balance" (bigint) and an expression (number): cast one',
    ],
    [
      "two parameters without a schema",
      () => untyped["add"]?.(param("a"), param("b")),
      'nothing says the type of parameter "a": give it a schema, param(name, schema) (and 1 more)',
    ],
    [
      "what is not an operand",
      () => untyped["neg"]?.(7),
      "an operand is the name of a field, an expression, param(…) or value(…), not a number",
      "INVALID_FIELD",
    ],
  ])("%s", (_, make, message, code = "INVALID_CONDITION") => {
    const builder = people.fields(make()?.as("x") as never);
    expect(() => builder.render()).toThrow(expect.objectContaining({ code, message }));
  });
});
