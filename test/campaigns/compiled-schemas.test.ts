/** Compiled schemas beside Zod: whatever a compiled schema accepts, Zod accepts, and makes the same of it. */
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { safeParse } from "zod/v4/core";
import { compiledParse, REFUSED } from "../../src/schema/compiled/parse.js";
import { patience, rounds } from "../rounds.js";
import { difference, partsOf } from "../schema/alike.js";
import { pairs } from "../schema/pairs.js";

const VALUES = 40;
// Zod's own words for an unknown key that is a symbol fail.
const WORDLESS = { error: () => "refused" };
const SCHEMAS = rounds({ small: 1_000, full: 250_000 });

describe("a compiled schema", () => {
  test(
    "accepts only what Zod accepts, and gives what Zod gives",
    () => {
      const seen = { pairs: 0, accepted: 0, compiled: 0 };
      fc.assert(
        fc.property(pairs, fc.integer(), ({ schema, values }, seed) => {
          const parse = compiledParse(schema);
          for (const value of fc.sample(values, { numRuns: VALUES, seed })) {
            seen.pairs++;
            const given = partsOf(value);
            const parsed = parse(value);
            const expected = judged(() => safeParse(schema, value, WORDLESS));
            if (expected !== undefined) seen.accepted++;
            if (parsed === REFUSED) continue;
            seen.compiled++;
            if (expected === undefined) throw new Error("Zod refuses it");
            const found = difference(parsed, expected.data, given);
            if (found !== undefined) throw new Error(found);
          }
        }),
        { numRuns: SCHEMAS },
      );
      // Schemas that hold functions of the application, coerce or recur are left to Zod.
      expect(seen.accepted).toBeGreaterThan(seen.pairs / 4);
      expect(seen.compiled).toBeGreaterThan(seen.accepted / 4);
    },
    patience(60_000, 30, SCHEMAS),
  );
});

function judged(parse: () => { success: boolean; data?: unknown }): { readonly data: unknown } | undefined {
  try {
    const { success, data } = parse();
    return success ? { data } : undefined;
  } catch {
    return undefined;
  }
}
