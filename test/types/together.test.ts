/** What it costs the compiler that things of two types stand together: in lists, choices, maps and parameters. */
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { costOf } from "../../bench/compiler/type-cost.mjs";

// These are type tests, which every compiler compiles. Behind each budget stands what was measured on TypeScript 5.9:
// before the builders said their variance it was 160,000, and an error. Most of the parts are two schemas of Zod.
const budgets = {
  together: 16_700, // 16,665
  // With values in the place of parameters, rules, and statements of the client's own.
  "together-builders": 51_130, // 51,123: databases without transactions have no `execTx` and no `stream`
  "together-parts": 91_735, // 91,735, of which 7 are what databases and transactions have in common
  // With answers that are rows, groups, more methods, kinds that are bodies too, styles of queries, and `raw` of clients, which are compared too.
  // The wire form of an output is looked for part by part: 92 here, and 400 less at every call of a client.
  "together-http": 24_720, // 24,715
  // While a database and a transaction declared their repositories each for itself, this was an error.
  "together-databases": 1_850, // 1,840
};

test.each(Object.entries(budgets))("%s", (name, most) => {
  const text = readFileSync(new URL(`../../type-tests/${name}.test-d.ts`, import.meta.url), "utf8");
  const cost = costOf({ "together.ts": text });
  expect(cost).toBeGreaterThan(0);
  expect(cost).toBeLessThanOrEqual(most);
});
