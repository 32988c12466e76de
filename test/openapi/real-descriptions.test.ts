/** Real descriptions go round both formats unchanged. */
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { fromJSON, fromYAML, toJSON, toYAML } from "../../src/openapi/index.js";
import { largeDescriptions, realDescriptions } from "./real-descriptions.js";

const all = realDescriptions();

describe("real descriptions", () => {
  it("come from ten producers, of whom eight have large ones", () => {
    expect(new Set(all.map(({ producer }) => producer)).size).toBe(10);
    expect(largeDescriptions()).toHaveLength(8);
  });

  it.each(all.map(({ producer, file, text }) => [producer, file, text] as const))(
    "go round unchanged: %s, %s",
    (_, file, text) => {
      const doc = file.endsWith(".json") ? fromJSON(text) : fromYAML(text);
      const rounded: unknown = JSON.parse(
        JSON.stringify(doc, (_, value) => (typeof value === "bigint" ? Number(value) : value)),
      );
      const expected: unknown = file.endsWith(".json") ? JSON.parse(text) : parse(text, { stringKeys: true });
      expect(rounded).toEqual(expected);
      expect(JSON.stringify(rounded)).toBe(JSON.stringify(expected));

      const yaml = toYAML(doc);
      expect(fromYAML(yaml)).toEqual(doc);
      expect(toYAML(fromYAML(yaml))).toBe(yaml);
      expect(fromJSON(toJSON(doc))).toEqual(doc);
      expect(fromYAML(toJSON(doc, { indent: 2 }))).toEqual(doc);
      expect(JSON.stringify(fromYAML(yaml), keepBigints)).toBe(JSON.stringify(doc, keepBigints));
    },
  );
});

function keepBigints(_: string, value: unknown): unknown {
  return typeof value === "bigint" ? `${value}n` : value;
}
