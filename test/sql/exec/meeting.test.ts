/** Items that share a key go into rounds of which each holds a key at most once. */
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { roundsOf } from "../../../src/sql/exec/meeting.js";

test("items are split into rounds in which no key is there twice, each as late as it must be", () => {
  const keys = fc.array(fc.constantFrom(undefined, 1, 2, "1", "x"), { maxLength: 10 });
  fc.assert(
    fc.property(keys, (given) => {
      const items = given.map((key, i) => ({ key, i }));
      const rounds = roundsOf(items, ({ key }) => key);
      expect(new Set(rounds.flat())).toEqual(new Set(items));
      for (const [round, inRound] of rounds.entries()) {
        expect(inRound.map(({ i }) => i)).toEqual(inRound.map(({ i }) => i).sort((a, b) => a - b));
        for (const { key, i } of inRound) {
          const before = items.filter((other) => other.i < i && other.key === key).length;
          expect(round).toBe(key === undefined ? 0 : before);
        }
      }
    }),
  );
});
