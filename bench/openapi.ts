/**
 * The benchmark of the OpenAPI codec: the cost of reading and writing large real documents, compared with
 * `JSON.parse`, `JSON.stringify` and the `yaml` package alone. Run by `npm run bench openapi`; arguments select
 * documents by name, or a part of it. The documents come from development dependencies. CPU time of this
 * process; the two candidates of a ratio are interleaved, medians over the rounds. Only ratios are results: the
 * milliseconds of the yardstick show the scale.
 */

import { fromJSON, fromYAML, toJSON, toYAML } from "rowtype/openapi";
import { parse, stringify } from "yaml";
import { largeDescriptions } from "../test/openapi/real-descriptions.js";
import { measure } from "./kit/measure.js";

const only = process.argv.slice(2).map((name) => name.toLowerCase());
const chosen = largeDescriptions().filter(
  ({ producer }) => only.length === 0 || only.some((name) => producer.toLowerCase().includes(name)),
);

interface Pair {
  readonly work: () => unknown;
  readonly base: () => unknown;
}

/** The operations with a limit, and the maximum ratio of each. */
const LIMITS: Readonly<Record<string, number>> = {
  "fromJSON ÷ JSON.parse, indented": 2.5,
  "fromJSON ÷ JSON.parse, one line": 2.5,
  "fromYAML of JSON ÷ JSON.parse": 3,
  "toJSON ÷ JSON.stringify, indented": 1.2,
  "toJSON ÷ JSON.stringify, one line": 1.2,
  "toJSON ÷ JSON.stringify, with a bigint": 1.3,
  "fromYAML ÷ yaml.parse": 1.1,
  "toYAML ÷ yaml.stringify": 1.2,
};

function pairsOf(text: string, isJson: boolean): Readonly<Record<string, Pair>> {
  const doc = isJson ? fromJSON(text) : fromYAML(text);
  const line = JSON.stringify(doc);
  // One integer that no double holds decides how the whole document is written.
  const large = { ...doc, "x-largest": 2n ** 63n - 1n };
  const indented = JSON.stringify(doc, null, 2);
  const yaml = isJson ? toYAML(doc) : text;
  return {
    "fromJSON ÷ JSON.parse, indented": { work: () => fromJSON(indented), base: () => JSON.parse(indented) },
    "fromJSON ÷ JSON.parse, one line": { work: () => fromJSON(line), base: () => JSON.parse(line) },
    "fromYAML of JSON ÷ JSON.parse": { work: () => fromYAML(indented), base: () => JSON.parse(indented) },
    "toJSON ÷ JSON.stringify, indented": {
      work: () => toJSON(doc, { indent: 2 }),
      base: () => JSON.stringify(doc, null, 2),
    },
    "toJSON ÷ JSON.stringify, one line": { work: () => toJSON(doc), base: () => JSON.stringify(doc) },
    "toJSON ÷ JSON.stringify, with a bigint": { work: () => toJSON(large), base: () => JSON.stringify(doc) },
    "fromYAML ÷ yaml.parse": { work: () => fromYAML(yaml), base: () => parse(yaml) },
    "toYAML ÷ yaml.stringify": { work: () => toYAML(doc), base: () => stringify(doc) },
  };
}

const median = (numbers: readonly number[]): number =>
  [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? Number.NaN;

const ratios = new Map<string, number[]>(Object.keys(LIMITS).map((name) => [name, []]));
const width = Math.max(...Object.keys(LIMITS).map((name) => name.length));
for (const { producer, file, text } of chosen) {
  console.log(
    `${producer}, ${(text.length / 1e6).toFixed(1)} MB of ${file.endsWith(".json") ? "JSON" : "YAML"}`,
  );
  for (const [name, pair] of Object.entries(pairsOf(text, file.endsWith(".json")))) {
    const times = await measure({ work: pair.work, base: pair.base });
    const [work = Number.NaN, base = Number.NaN] = [times.get("work"), times.get("base")];
    ratios.get(name)?.push(work / base);
    console.log(`  ${name.padEnd(width)}  ${(work / base).toFixed(2)}  (${(base / 1000).toFixed(1)} ms)`);
  }
}
console.log(`median of ${chosen.length}`);
for (const [name, all] of ratios) {
  console.log(`  ${name.padEnd(width)}  ${median(all).toFixed(2)}  (limit ${LIMITS[name]})`);
}
