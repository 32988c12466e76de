/** What an event costs, measured on the built package as `bench/streams.ts` does it, only shorter. */
import { expect, test } from "vitest";
import { streamCost } from "../../bench/kit/stream-cost.js";
import { expectBelow } from "../stopwatch.js";

test("a validated event costs at most 5 µs of CPU for each of a hundred clients, or three bare writes", async () => {
  // On a machine that is busy with other things a bare write costs more, too.
  const ofTheBound = async () => {
    const costs = await streamCost(["bare", "rowtype, validated"], { rounds: 5, events: 200 });
    const bare = costs.get("bare") ?? Number.NaN;
    const validated = costs.get("rowtype, validated") ?? Number.NaN;
    expect(bare).toBeGreaterThan(0);
    return validated / Math.max(5, 3 * bare);
  };
  await expectBelow(1, ofTheBound);
});
