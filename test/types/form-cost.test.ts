/** What a route of each form costs the compiler: budgets in instantiations, which are the same number on every machine. */
import { beforeAll, describe, expect, test } from "vitest";
import { type FormTypeCost, formTypeCost } from "../../bench/compiler/form-type-cost.mjs";

// Behind each budget stands what was measured when it was set.
const budgets: { readonly [Name in keyof FormTypeCost]: number } = {
  plain: 550, // 536
  outputs: 1_150, // 1,120; it was 7,565 while the types of outputs were what their schemas were inferred from
  csv: 605, // 590
  file: 405, // 393
  jsonBody: 425, // 413
  form: 340, // 328
  multipart: 400, // 389
  severalBodies: 595, // 580
  query: 440, // 431; 413 before one without a body was refused
  style: 570, // 558
  ifMatch: 425, // 414
  // At most 150 over the same without a group; 199 while the options were held against those of the group with names of both.
  inGroup: 755, // 736
  alone: 620, // 607
};

describe("a route of each form stays within its budget of instantiations", () => {
  let cost: FormTypeCost;
  beforeAll(() => {
    cost = formTypeCost();
  });

  const names = Object.keys(budgets) as (keyof FormTypeCost)[];
  test.each(names)("%s", (name) => {
    expect(cost[name]).toBeGreaterThan(0);
    expect(cost[name]).toBeLessThanOrEqual(budgets[name]);
  });
});
