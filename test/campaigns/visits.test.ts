/** The work for a body grows with the body: random recursive schemas in large numbers. */
import { describe, expect, test } from "vitest";
import { patience, rounds } from "../rounds.js";
import { chanceOf } from "../schema/recursive.js";
import { visitsOfZod3, visitsOfZod4 } from "../schema/visits-of.js";

const SCHEMAS = rounds({ small: 60, full: 10_000 });
const FIRST = 1_000;

describe("the visits of a random recursive schema", () => {
  test(
    "are in proportion to a body of any depth",
    async () => {
      for (let seed = FIRST; seed < FIRST + SCHEMAS; seed++) {
        expect(await visitsOfZod4(chanceOf(seed)), `schema ${seed} of Zod 4`).toBeLessThan(1);
        expect(await visitsOfZod3(chanceOf(seed)), `schema ${seed} of Zod 3`).toBeLessThan(1);
      }
    },
    patience(60_000, 1_000, SCHEMAS),
  );
});
