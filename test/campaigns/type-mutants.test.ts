/** Some of the faults of `npm run test:type-mutants`, which plants all of them: a tired person's, in the types. */
import { expect, test } from "vitest";
import { rounds } from "../rounds.js";
import { faults, type Planted } from "../type-mutants/faults.js";
import { Judge } from "../type-mutants/judge.js";

const wanted = faults.filter(({ unseen }) => unseen === undefined);
const COUNT = Math.min(rounds({ small: 8, full: wanted.length }), wanted.length);
// Spread over all files.
const planted = Array.from(
  { length: COUNT },
  (_, i) => wanted[Math.floor((i * wanted.length) / COUNT)],
).filter((fault): fault is Planted => fault !== undefined);

test(`the type tests see ${COUNT} faults that are planted in the types, one at a time`, () => {
  const judge = new Judge();
  expect(judge.untouched()).toBeUndefined();
  const missed = planted.flatMap((fault) => {
    const { seen, broken } = judge.judge(fault);
    if (seen !== undefined && broken === undefined) return [];
    return [{ file: fault.file, breaks: fault.breaks, broken }];
  });
  expect(missed).toEqual([]);
}, 3_600_000);
