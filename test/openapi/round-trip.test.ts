import { isDeepStrictEqual } from "node:util";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { fromJSON, fromYAML, type OpenAPI, toJSON, toYAML } from "../../src/openapi/index.js";
import { rounds } from "../rounds.js";
import { anyValue, description, mapOf, TRICKY_STRINGS } from "./descriptions.js";

const withExtra = (value: unknown): OpenAPI => ({
  openapi: "3.1.1",
  info: { title: "T", version: "1" },
  "x-value": value,
});

/** Equal with the kinds of numbers, the signs of zeros and the order of keys. */
function expectSame(actual: unknown, expected: unknown): void {
  if (!isDeepStrictEqual(actual, expected)) expect(actual).toEqual(expected);
  // Compared as text: lists of one order are equal lists.
  expect(JSON.stringify(orderOf(actual))).toBe(JSON.stringify(orderOf(expected)));
}

function orderOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(orderOf);
  if (typeof value !== "object" || value === null) return typeof value;
  return Object.entries(value).map(([key, part]) => [key, orderOf(part)]);
}

describe("round trips", () => {
  it("give an equal description through JSON, with and without indent", () => {
    fc.assert(
      fc.property(description, fc.nat(4), (doc, indent) => {
        expectSame(fromJSON(toJSON(doc, { indent })), doc);
      }),
      { numRuns: rounds({ small: 30, full: 1_000 }) },
    );
  });

  it("give an equal description through YAML", () => {
    fc.assert(
      fc.property(description, (doc) => {
        const text = toYAML(doc);
        const again = fromYAML(text);
        expectSame(again, doc);
        expect(toYAML(again)).toBe(text);
      }),
      { numRuns: rounds({ small: 30, full: 1_000 }) },
    );
  });

  it("give equal values of every kind under extensions", () => {
    fc.assert(
      fc.property(anyValue, (value) => {
        const doc = withExtra(value);
        expectSame(fromYAML(toYAML(doc)), doc);
        expectSame(fromJSON(toJSON(doc)), doc);
        expectSame(fromYAML(toJSON(doc, { indent: 2 })), doc);
      }),
      { numRuns: 500 },
    );
  });

  it("write JSON as JSON.stringify does where that loses nothing", () => {
    const simple = fc
      .jsonValue({ noUnicodeString: false })
      .filter((value) => !/\d{16}|e\+/.test(JSON.stringify(value)));
    fc.assert(
      fc.property(simple, fc.nat(3), (value, indent) => {
        const doc = withExtra(JSON.parse(JSON.stringify(value)));
        expect(toJSON(doc, { indent })).toBe(JSON.stringify(doc, null, indent));
      }),
    );
  });

  it("write YAML that a reader of YAML 1.1 reads as equal", () => {
    // Such a reader has no bigints; all else must be the same.
    const value = anyValue.map((any) =>
      JSON.parse(JSON.stringify(any, (_, part) => (typeof part === "bigint" ? `${part}` : part))),
    );
    fc.assert(
      fc.property(mapOf(value), (map) => {
        const doc = withExtra(map);
        expect(parse(toYAML(doc), { version: "1.1", uniqueKeys: false, stringKeys: true })).toEqual(doc);
      }),
      { numRuns: 500 },
    );
  });

  it.each(TRICKY_STRINGS.map((text) => [JSON.stringify(text).slice(0, 40), text]))("keep %s", (_, text) => {
    const value = {
      [`k${text}`]: text,
      list: [text, [text], { [`a${text}`]: [text] }],
      nested: { deep: { text } },
    };
    const doc = withExtra(value);
    Object.defineProperty(value, text, { value: [text], enumerable: true });
    expectSame(fromYAML(toYAML(doc)), doc);
    expectSame(fromJSON(toJSON(doc, { indent: 1 })), doc);
    for (const version of ["1.1", "1.2"] as const) {
      const other: unknown = parse(toYAML(doc), { version, uniqueKeys: false });
      expect(other).toEqual(doc);
    }
  });
});
