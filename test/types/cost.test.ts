/** What the types cost the compiler: budgets in instantiations, which are the same number on every machine. */
import { beforeAll, describe, expect, test } from "vitest";
import { type TypeCost, typeCost } from "../../bench/type-cost.mjs";

// Behind each budget stands what was measured when it was set. The last three are what was measured: they can
// only fall. That queries may join and nest other tables costs one over a single
// table 3 % (596 before), and `fields` 15.
const budgets: { readonly [Name in keyof TypeCost]: number } = {
  total: 400_000, // 323,106
  perQuery: 613, // 613
  firstWhere60: 6_500, // 871
  misspeltWhere60: 6_500, // 904
  furtherWhere: 92,
  fieldsOfThree: 115,
  chain160: 15_300, // 15,203
  sqlNames40: 9_000, // 8,392
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
