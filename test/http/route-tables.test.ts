/**
 * The tree of routes against a matcher that tries every template: on random tables every path leads to the same
 * target with the same values, also where a branch must be left again.
 */
import fc from "fast-check";
import { expect, test } from "vitest";
import { parseTemplate } from "../../src/http/contract/path.js";
import { Routes } from "../../src/http/pipeline/routes.js";
import { patience, rounds } from "../rounds.js";

/** A segment of a template: a literal, or a parameter, which may have text around it or be the rest of the path. */
type Piece = string | { readonly before: string; readonly after: string } | "*";
type Template = readonly Piece[];

interface Match {
  readonly target: string;
  readonly values: readonly string[];
}

const REST = "*";

function textOf(template: Template): string {
  const texts = template.map((piece, i) => {
    if (piece === REST) return "{rest*}";
    return typeof piece === "string" ? piece : `${piece.before}{p${i}}${piece.after}`;
  });
  return `/${texts.join("/")}`;
}

/** The values of a path that fits; a parameter is never empty, and the rest of a path has no segment that leads elsewhere. */
function valuesOf(template: Template, path: readonly string[]): readonly string[] | undefined {
  const values: string[] = [];
  for (const [i, piece] of template.entries()) {
    const segment = path[i];
    if (segment === undefined) return undefined;
    if (piece === REST) {
      const rest = path.slice(i);
      return rest.some((one) => ["", ".", ".."].includes(one)) ? undefined : [...values, rest.join("/")];
    }
    if (typeof piece === "string") {
      if (piece !== segment) return undefined;
      continue;
    }
    const { before, after } = piece;
    const isWhole = segment.length > before.length + after.length;
    if (!isWhole || !segment.startsWith(before) || !segment.endsWith(after)) return undefined;
    values.push(segment.slice(before.length, segment.length - after.length));
  }
  return template.length === path.length ? values : undefined;
}

/** Literals, then parameters by the length of the text around them and of that before them, then the rest of a path. */
function rankOf(piece: Piece): string {
  if (piece === REST) return "9";
  if (typeof piece === "string") return "0";
  const { before, after } = piece;
  return `${8 - before.length - after.length}${8 - before.length}`;
}

/** The first template that fits, where the better segment at the first difference comes first. */
function naive(table: readonly Template[], path: readonly string[]): Match | undefined {
  const order = (template: Template) => template.map(rankOf).join(" ");
  const sorted = [...table].sort((a, b) => (order(a) < order(b) ? -1 : 1));
  for (const template of sorted) {
    const values = valuesOf(template, path);
    if (values !== undefined) return { target: textOf(template), values };
  }
  return undefined;
}

const ROUNDS = rounds({ small: 1_000, full: 100_000 });
/** Few names, so that templates share beginnings and ends; the empty one is a slash too many. */
const around = fc.constantFrom("", "", "a", "b", "ab");
const piece: fc.Arbitrary<Piece> = fc.oneof(
  fc.constantFrom("a", "b", "ab", ""),
  fc.record({ before: around, after: around }),
);
const template: fc.Arbitrary<Template> = fc
  .tuple(fc.array(piece, { maxLength: 4 }), fc.oneof(piece, piece, fc.constant<Piece>(REST)))
  .map(([pieces, last]) => [...pieces, last]);
const segments = ["a", "b", "ab", "aa", "ba", "aab", "abb", "abab", "aabab", "c", "", ".", ".."];
const anyPath = fc.array(fc.constantFrom(...segments), { minLength: 1, maxLength: 6 });
const value = fc.constantFrom("a", "b", "ab", "ba", "c");

/** A path that a template of the table fits, and perhaps others beside it. */
const pathOf = (table: readonly Template[]) =>
  fc.tuple(fc.nat(), fc.array(value, { minLength: 6, maxLength: 6 })).map(([at, values]) =>
    (table[at % table.length] ?? []).map((piece, i) => {
      const given = values[i] ?? "";
      if (piece === REST) return given;
      return typeof piece === "string" ? piece : `${piece.before}${given}${piece.after}`;
    }),
  );

const tables = fc
  .uniqueArray(template, { minLength: 1, maxLength: 14, selector: (one) => JSON.stringify(one) })
  .chain((table) =>
    fc.tuple(
      fc.constant(table),
      fc.array(fc.oneof(anyPath, pathOf(table)), { minLength: 24, maxLength: 24 }),
    ),
  );

test("the tree leads where a naive matcher does, with the values of the template that it chose", {
  timeout: patience(60_000, 5, ROUNDS),
}, () => {
  let found = 0;
  let missed = 0;
  fc.assert(
    fc.property(tables, ([table, paths]) => {
      const routes = new Routes<string>();
      for (const one of table) routes.at(parseTemplate(textOf(one)), () => textOf(one));
      for (const one of paths) {
        const expected = naive(table, one);
        expect(routes.find(one)).toEqual(expected);
        if (expected === undefined) missed++;
        else found++;
      }
    }),
    { numRuns: ROUNDS },
  );
  // Neither side is the rule.
  expect(Math.min(found, missed)).toBeGreaterThan(ROUNDS);
});
