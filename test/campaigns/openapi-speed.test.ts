import { describe, it } from "vitest";
import { parse, stringify } from "yaml";
import { fromJSON, fromYAML, toJSON, toYAML } from "../../src/openapi/index.js";
import { largeDescriptions } from "../openapi/real-descriptions.js";
import { expectBelow, stopwatch } from "../stopwatch.js";

// `npm run bench openapi` prints the ratios themselves. Here the test runner has its share in every call from module
// to module (`toJSON` and `fromYAML` are a tenth slower for it), and a busy machine, on which they have been seen a
// quarter slower, must not fail a build.
const SLACK = 1.4;

const real = largeDescriptions().map(({ file, text }) => {
  const doc = file.endsWith(".json") ? fromJSON(text) : fromYAML(text);
  // One integer that no double holds decides how the whole document is written.
  const large = { ...doc, "x-integer": 2n ** 64n };
  return { doc, large, line: JSON.stringify(doc), indented: JSON.stringify(doc, null, 2), yaml: toYAML(doc) };
});
type Real = (typeof real)[number];
/** The YAML of the largest takes the library more than a second. */
const smaller = real.filter(({ yaml }) => yaml.length < 600_000);
/** With integers beyond 2^53 in the place of short ones. */
const exact = real.map((one) => ({
  ...one,
  indented: one.indented.replace(/(": )\d{1,3}(?=,)/g, "$19223372036854775807"),
}));

/** The least time of either of two, taken in turns. */
function ratio(work: () => unknown, base: () => unknown, rounds: number): number {
  const best = [Infinity, Infinity];
  for (let i = 0; i < rounds; i++) {
    for (const [which, run] of [work, base].entries()) {
      const elapsed = stopwatch();
      run();
      best[which] = Math.min(best[which] ?? Infinity, elapsed());
    }
  }
  return (best[0] ?? 0) / (best[1] ?? 1);
}

/** The median of the ratios of several descriptions. */
function medianRatio(of: readonly Real[], work: Run, base: Run, rounds: number): number {
  const ratios = of.map((one) =>
    ratio(
      () => work(one),
      () => base(one),
      rounds,
    ),
  );
  return ratios.sort((a, b) => a - b)[Math.floor(ratios.length / 2)] ?? Number.NaN;
}

type Run = (one: Real) => unknown;

describe("speed on large real documents, compared with the bare libraries", () => {
  it.each<[name: string, base: string, budget: number, of: readonly Real[], work: Run, base: Run]>([
    ["fromJSON", "JSON.parse", 2.5, real, (r) => fromJSON(r.indented), (r) => JSON.parse(r.indented)],
    ["fromJSON of one line", "JSON.parse", 2.5, real, (r) => fromJSON(r.line), (r) => JSON.parse(r.line)],
    [
      "fromJSON with many integers beyond 2^53",
      "JSON.parse",
      2.5,
      exact,
      (r) => fromJSON(r.indented),
      (r) => JSON.parse(r.indented),
    ],
    ["fromYAML of JSON", "JSON.parse", 3, real, (r) => fromYAML(r.indented), (r) => JSON.parse(r.indented)],
    ["toJSON", "JSON.stringify", 1.2, real, (r) => toJSON(r.doc), (r) => JSON.stringify(r.doc)],
    [
      "toJSON with indent",
      "JSON.stringify",
      1.2,
      real,
      (r) => toJSON(r.doc, { indent: 2 }),
      (r) => JSON.stringify(r.doc, null, 2),
    ],
    [
      "toJSON with a bigint",
      "JSON.stringify",
      1.3,
      real,
      (r) => toJSON(r.large),
      (r) => JSON.stringify(r.doc),
    ],
    ["fromYAML", "yaml.parse", 1.1, smaller, (r) => fromYAML(r.yaml), (r) => parse(r.yaml)],
    ["toYAML", "yaml.stringify", 1.2, smaller, (r) => toYAML(r.doc), (r) => stringify(r.doc)],
  ])("%s takes at most its multiple of %s", async (_, __, budget, of, work, base) => {
    const rounds = of === smaller ? 3 : 15;
    await expectBelow(budget * SLACK, () => medianRatio(of, work, base, rounds));
  });
});
