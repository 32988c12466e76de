/**
 * Real descriptions go round both formats unchanged; those with mistakes, or of 3.0 under a changed version line, are
 * read on. Each is read as seldom as possible, since they take most of the time of this folder.
 */
import { isDeepStrictEqual } from "node:util";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { fromJSON, fromYAML, toJSON, toYAML } from "../../src/openapi/index.js";
import { reading } from "./reading.js";
import { allDescriptions, largeDescriptions, realDescriptions } from "./real-descriptions.js";
import { refused } from "./refused.js";

const real = realDescriptions();
const all = allDescriptions();

describe("real descriptions", () => {
  const faultless = new Set(real.map(({ file }) => file));
  let withMistakes = 0;

  it("come from ten producers, of whom eight have large ones", () => {
    expect(new Set(real.map(({ producer }) => producer)).size).toBe(10);
    expect(largeDescriptions()).toHaveLength(8);
    expect(all.length).toBeGreaterThanOrEqual(48);
  });

  it.each(all.map(({ producer, file, text }) => [producer, file, text] as const))(
    "go round unchanged: %s, %s",
    (_, file, text) => {
      const isJson = file.endsWith(".json");
      const read = isJson ? fromJSON : fromYAML;
      const { doc, problems } = reading(read, text);
      if (problems.length > 0) withMistakes++;
      if (faultless.has(file)) expect(problems).toEqual([]);
      if (problems.length === 0) same(read(text), doc);
      else expect(refused(() => read(text)).message).toBe(problems[0]?.message);

      const [json, yaml] = [toJSON(doc), toYAML(doc)];
      const expected: unknown = isJson ? JSON.parse(text) : parse(text, { stringKeys: true });
      same(JSON.parse(json), expected);
      const rounded: unknown = JSON.parse(JSON.stringify(doc, asNumbers));
      expect(JSON.stringify(rounded)).toBe(JSON.stringify(expected));

      const pointers = problems.map(({ pointer }) => pointer);
      const ofYAML = reading(fromYAML, yaml);
      const others = [reading(fromJSON, json), ofYAML, reading(fromYAML, toJSON(doc, { indent: 2 }))];
      for (const again of others) {
        same(again.doc, doc);
        expect(again.problems.map(({ pointer }) => pointer)).toEqual(pointers);
      }
      expect(toYAML(ofYAML.doc)).toBe(yaml);
      expect(JSON.stringify(ofYAML.doc, keepBigints)).toBe(JSON.stringify(doc, keepBigints));
    },
  );

  it("are also some with mistakes", () => {
    expect(withMistakes).toBeGreaterThanOrEqual(4);
  });
});

/** `toEqual` is for its message alone: on a large document it takes many times as long. */
function same(actual: unknown, expected: unknown): void {
  if (!isDeepStrictEqual(actual, expected)) expect(actual).toEqual(expected);
}

function asNumbers(_: string, value: unknown): unknown {
  return typeof value === "bigint" ? Number(value) : value;
}

function keepBigints(_: string, value: unknown): unknown {
  return typeof value === "bigint" ? `${value}n` : value;
}
