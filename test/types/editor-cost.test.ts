/**
 * What the types cost the editor: a completion and the errors of one file, over 100 tables and 500 queries. An edit throws
 * away what a checker knew, so the editor pays this after each: counts, which are the same on every machine.
 */

import { expect, test } from "vitest";
import { type Counts, type EditorCounts, editorCounts } from "../../bench/compiler/type-completion.mjs";

// What was measured when the bound was set; it can only fall. The goal of a completion is 1,200, 900 and 1,900. That an
// error of `where` names the fields on every compiler costs a completion 44 symbols and 9 types.
const most: { readonly [Request in keyof EditorCounts]: Counts } = {
  // That `where` takes a constant costs a completion 84 instantiations and 40 types: the compiler tries one overload more.
  // Relations of several fields and through a table cost it 11 types. `NoInfer` costs it 2 types, and the errors 49; it
  // spares the errors 147 instantiations, and a condition in a group half of its price. `bind` costs 6 types, and the errors
  // 20 symbols. That a model holds its shape and a query its columns, so that a join of a repository looks at no other table,
  // costs 4 symbols, and the errors 2. That databases and transactions have one declaration of their repositories, so that a
  // function takes either, costs both 2 instantiations and 6 types.
  completion: { instantiations: 1_557, types: 1_244, symbols: 2_289 },
  // That `set` takes one too costs the errors 6 types.
  errors: { instantiations: 5_227, types: 2_651, symbols: 5_037 },
};

// The same tables as objects of Zod, without a library: the floor.
const bare = editorCounts("bare Zod objects");
const cost = editorCounts("rowtype");

const requests = ["completion", "errors"] as const;
const counts = ["instantiations", "types", "symbols"] as const;
const measured = requests.flatMap((request) =>
  counts.map((count) => ({ request, count, ours: cost[request][count], zod: bare[request][count] })),
);

test.each(measured)("$request: $ours $count, where bare Zod takes $zod", ({ request, count, ours, zod }) => {
  expect(zod).toBeGreaterThan(0);
  expect(ours).toBeGreaterThan(0);
  expect(ours).toBeLessThanOrEqual(most[request][count]);
});

test("TypeScript 6.0 counts the same", () => {
  expect(editorCounts("rowtype", "typescript")).toEqual(cost);
});
