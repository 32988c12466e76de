/** What is wrong about an expression without a name is said of the expression, and not of a field. */
import { add, c, column, concat, dateTrunc, param, sum, table, upper } from "rowtype";
import { recording } from "rowtype/testing";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { sqlErrorOf } from "../../kit/thrown.js";

const Row = table(
  "rows",
  z.object({ id: column(z.int(), { primaryKey: true }), name: z.string(), n: z.int(), at: z.date() }),
);
const OPERATORS = ["=", ">", "IN", "LIKE", "CONTAINS", "@>", "~", "LIKES"];
const WRONG = [null, "x", 1, 1.5, Number.NaN, true, new Date(Number.NaN), "a\\", "\0", [1, "x"], [null], {}];

describe.each(["sqlite", "postgres", "mariadb", "oracle"] as const)("an expression on %s", (dialect) => {
  const rows = recording(dialect).repository(Row);
  // The wrong words and values are the point.
  const untyped = c as unknown as (...of: readonly unknown[]) => unknown;
  const asked = rows as unknown as {
    query(): { whereAnd(condition: unknown): { exec(params: unknown): Promise<unknown> } };
  };
  const expressions = {
    number: add("n", "n"),
    text: concat("name", "name"),
    date: dateTrunc("day", "at"),
    called: upper("name"),
    withParameter: add("n", param("more")),
  };
  test.each(Object.entries(expressions))("of a %s has no name in a message", async (_, expression) => {
    const said: string[] = [];
    for (const operator of OPERATORS)
      for (const given of WRONG) {
        const call = async () => {
          await asked
            .query()
            .whereAnd(untyped(expression, operator, "p"))
            .exec({ p: given, more: 1 });
        };
        await call().catch((error: Error) => said.push(error.message));
      }
    expect(said.filter((message) => message.includes("its value"))).toEqual([]);
    expect(said.filter((message) => message.includes("the expression")).length).toBeGreaterThan(5);
  });

  test("of a group says what it is", async () => {
    const totals = rows.query().fields("name").groupBy("name").having(sum("n"), ">", "least");
    const error = await sqlErrorOf(totals.exec({ least: "many" } as never));
    expect(error.message).toBe('parameter "least": the expression takes a finite number, not a string');
  });
});
