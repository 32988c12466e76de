/** What the types of routes cost the compiler: budgets in instantiations, which are the same number on every machine. */
import { beforeAll, describe, expect, test } from "vitest";
import { type HttpTypeCost, httpTypeCost } from "../../bench/compiler/http-type-cost.mjs";

// Behind each budget stands what was measured when it was set. That one of 1,000 routes costs no more than one of 300 is
// measured by a campaign.
const budgets: { readonly [Name in keyof HttpTypeCost]: number } = {
  // 11 of these hold the path's Zod object against the template, as a shape of schemas is held.
  of300: 900, // 895
  of300WithClient: 1_000, // 943
};

describe("a route stays within its budget of instantiations", () => {
  let cost: HttpTypeCost;
  beforeAll(() => {
    cost = httpTypeCost();
  });

  const names = Object.keys(budgets) as (keyof HttpTypeCost)[];
  test.each(names)("%s", (name) => {
    expect(cost[name]).toBeGreaterThan(0);
    expect(cost[name]).toBeLessThanOrEqual(budgets[name]);
  });
});
