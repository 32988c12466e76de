/** What the types cost in programs that take the compiler long; the budgets of smaller ones are in `test/types`. */
import { expect, test } from "vitest";
import { routeOfThousand } from "../../bench/compiler/http-type-cost.mjs";

test("one of 1,000 routes costs no more than one of 300 may", () => {
  const cost = routeOfThousand();
  expect(cost).toBeGreaterThan(0);
  expect(cost).toBeLessThanOrEqual(900); // 893
}, 480_000);
