/**
 * The tree of routes against a matcher that tries every template: on random tables every path leads to the same
 * target with the same values, also where a branch must be left again.
 */
import fc from "fast-check";
import { expect, test } from "vitest";
import { parseTemplate } from "../../src/http/contract/path.js";
import { Routes } from "../../src/http/pipeline/routes.js";
import { patience, rounds } from "../rounds.js";

/** A template by its segments; `null` is a parameter. */
type Template = readonly (string | null)[];

interface Match {
  readonly target: string;
  readonly values: readonly string[];
}

const textOf = (template: Template) => `/${template.map((literal, i) => literal ?? `{p${i}}`).join("/")}`;

/** The values of a path that fits; a parameter is never empty. */
function valuesOf(template: Template, path: readonly string[]): readonly string[] | undefined {
  if (template.length !== path.length) return undefined;
  const values: string[] = [];
  for (const [i, segment] of path.entries()) {
    const literal = template[i];
    if (literal === null && segment !== "") values.push(segment);
    else if (literal !== segment) return undefined;
  }
  return values;
}

/** The first template that fits, in an order in which a literal stands before a parameter at the first difference. */
function naive(table: readonly Template[], path: readonly string[]): Match | undefined {
  const order = (template: Template) => template.map((literal) => (literal === null ? "1" : "0")).join("");
  const sorted = [...table].sort((a, b) => (order(a) < order(b) ? -1 : 1));
  for (const template of sorted) {
    const values = valuesOf(template, path);
    if (values !== undefined) return { target: textOf(template), values };
  }
  return undefined;
}

const ROUNDS = rounds({ small: 1_000, full: 100_000 });
/** Few names, so that templates share beginnings and ends; the empty one is a slash too many. */
const segment = fc.constantFrom("a", "b", "");
const template = fc.array(fc.option(segment, { freq: 2 }), { minLength: 1, maxLength: 5 });
const path = fc.array(fc.constantFrom("a", "b", "c", ""), { minLength: 1, maxLength: 6 });

test("the tree leads where a naive matcher does, with the values of the template that it chose", {
  timeout: patience(60_000, 5, ROUNDS),
}, () => {
  let found = 0;
  let missed = 0;
  fc.assert(
    fc.property(
      fc.uniqueArray(template, { maxLength: 14, selector: (one) => JSON.stringify(one) }),
      fc.array(path, { minLength: 12, maxLength: 12 }),
      (table, paths) => {
        const routes = new Routes<string>();
        for (const one of table) routes.at(parseTemplate(textOf(one)), () => textOf(one));
        for (const one of paths) {
          const expected = naive(table, one);
          expect(routes.find(one)).toEqual(expected);
          if (expected === undefined) missed++;
          else found++;
        }
      },
    ),
    { numRuns: ROUNDS },
  );
  // Neither side is the rule.
  expect(Math.min(found, missed)).toBeGreaterThan(ROUNDS);
});
