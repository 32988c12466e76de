/** What the types of queries over several tables cost the compiler: instantiations, the same number on every machine. */
import { beforeAll, describe, expect, test } from "vitest";
import { type RelationTypeCost, relationTypeCost } from "../../bench/compiler/relation-type-cost.mjs";

describe("queries over several tables keep their budget of instantiations", () => {
  let cost: RelationTypeCost;
  beforeAll(() => {
    cost = relationTypeCost(["one table", "join of five", "rows inside of rows"]);
  }, 240_000);

  // Measured: 1,156, of which 3 refuse names of expressions that are taken. Each table has two of the eight shapes, so that no query is one that was compiled before.
  test("1,156 a query on average over eight shapes, of which 1,000 is the goal", () => {
    expect(cost.perQuery).toBeGreaterThan(0);
    expect(cost.perQuery).toBeLessThanOrEqual(1_156);
  });

  // Measured when the budget was set: 28,254. What a query does not name it does not pay for.
  test("a module of 100 tables with relations costs its tables", () => {
    expect(cost.declared).toBeLessThanOrEqual(28_820);
  });

  // Measured: 35,527.
  test("a join of forty tables compiles, and costs in proportion", () => {
    expect(cost.forty).toBeLessThanOrEqual(35_600);
  });

  // Measured: 1,686, of which 1,407 are those of any first query. That a reference may be optional, and may lead past the
  // rules of its table, costs 6.
  test("the first rows inside of rows", () => {
    expect(cost.first["rows inside of rows"]).toBeGreaterThan(0);
    expect(cost.first["rows inside of rows"]).toBeLessThanOrEqual(1_690);
  });

  // Measured: 3,926.
  test("the first join of five tables", () => {
    expect(cost.first["join of five"]).toBeGreaterThan(cost.first["one table"] ?? 0);
    expect(cost.first["join of five"]).toBeLessThanOrEqual(3_950);
  });
});
