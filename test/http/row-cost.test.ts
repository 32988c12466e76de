/** What a row costs, measured on the built package as `bench/rows.ts` does it, only shorter. */
import { expect, test } from "vitest";
import { rowCost } from "../../bench/kit/row-cost.js";
import { expectBelow } from "../stopwatch.js";

test("a row of CSV or NDJSON costs at most 1.5 times JSON.stringify and a write by hand", async () => {
  const ofTheBound = async () => {
    const costs = await rowCost(["by hand", "ndjson", "csv"], { rounds: 3, rows: 20_000 });
    const byHand = costs.get("by hand") ?? Number.NaN;
    expect(byHand).toBeGreaterThan(0);
    return Math.max(costs.get("ndjson") ?? Number.NaN, costs.get("csv") ?? Number.NaN) / byHand;
  };
  await expectBelow(1.5, ofTheBound);
});
