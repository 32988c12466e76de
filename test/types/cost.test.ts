/** What the types cost the compiler: budgets in instantiations, which are the same number on every machine. */
import { beforeAll, describe, expect, test } from "vitest";
import { type TypeCost, typeCost } from "../../bench/type-cost.mjs";

// Behind each budget stands what was measured when it was set. Where both are the same, it can only fall. That queries
// may join and nest other tables costs `fields` 15.
const budgets: { readonly [Name in keyof TypeCost]: number } = {
  total: 400_000, // 327,909
  perQuery: 600, // 600
  firstWhere60: 6_500, // 880
  misspeltWhere60: 6_500, // 1,262
  furtherWhere: 92,
  fieldsOfThree: 115,
  chain160: 15_300, // 15,203
  firstSum: 550, // 517
  firstOperandWhere: 1_137, // 1,137
  firstDateGroup: 750, // 708
  firstRaw: 500, // 455
  firstOfAll: 2_094, // 2,094
  sqlNames40: 9_000, // 8,401
};

describe("the types keep their budget of instantiations", () => {
  let cost: TypeCost;
  beforeAll(async () => {
    cost = await typeCost();
  });

  const names = Object.keys(budgets) as (keyof TypeCost)[];
  test.each(names)("%s", (name) => {
    expect(cost[name]).toBeGreaterThan(0);
    expect(cost[name]).toBeLessThanOrEqual(budgets[name]);
  });
});
