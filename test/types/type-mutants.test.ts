/** The faults of `npm run test:type-mutants`: moves and edits of the sources keep the list alive. */
import { expect, test } from "vitest";
import { faults, faulty } from "../type-mutants/faults.js";

test("what a planted fault replaces stands in its file exactly once", () => {
  expect(faults.length).toBeGreaterThan(60);
  const wrong = faults.flatMap((fault) => {
    try {
      return faulty(fault) === "" ? [fault.breaks] : [];
    } catch (error) {
      return [String(error)];
    }
  });
  expect(wrong).toEqual([]);
});
