import { describe, expect, it } from "vitest";
import { fromYAML } from "../../src/openapi/index.js";
import { JSON_HEAD, refused, YAML_HEAD } from "./refused.js";

const read = (rest: string): Record<string, unknown> => ({ ...fromYAML(`${YAML_HEAD}${rest}`) });
const value = (source: string): unknown => read(`x-v: ${source}\n`)["x-v"];

describe("fromYAML", () => {
  it.each([
    ["no", "no"],
    ["on", "on"],
    ["y", "y"],
    ['"on"', "on"],
    ["1.0", 1],
    ["'1.0'", "1.0"],
    ["0x10", 16],
    ["0o14", 12],
    ["012", 12],
    ["08", 8],
    ["+5", 5],
    ["-0", -0],
    [".5", 0.5],
    ["5.", 5],
    ["1e3", 1000],
    ["1e20", 1e20],
    ["1_000", "1_000"],
    ["2001-01-01", "2001-01-01"],
    ["12:30:00", "12:30:00"],
    ["9007199254740993", 9007199254740993n],
    ["-9223372036854775808", -9223372036854775808n],
    ["0xFFFFFFFFFFFFFFFF", 18446744073709551615n],
    ["true", true],
    ["False", false],
    ["TRUE", true],
    ["tRUE", "tRUE"],
    ["null", null],
    ["~", null],
    ["", null],
    ["nULL", "nULL"],
    ["!!str 12", "12"],
    ["! 12", "12"],
    ["!!int '12'", 12],
    ["!!float 1", 1],
    ["!!bool true", true],
    ["!!null ''", null],
    ["|\n  a\n  b\n", "a\nb\n"],
    [">-\n  a\n  b\n", "a b"],
    ["{a, b: }", { a: null, b: null }],
    ["{? a : 1}", { a: 1 }],
  ])("reads %s by the core schema of YAML 1.2", (source, expected) => {
    expect(value(source)).toEqual(expected);
  });

  it("reads so under a directive for YAML 1.1 too, as YAML 1.2 says", () => {
    expect(fromYAML(`%YAML 1.1\n---\n${YAML_HEAD}x-v: [no, 012]\n`)).toMatchObject({ "x-v": ["no", 12] });
  });

  it("reads keys as they are written", () => {
    const map = value("{200: a, 08: b, 1.0: c, null: d, yes: e, __proto__: f, 0x1: g}");
    expect(Object.entries(map ?? {})).toEqual([
      ["200", "a"],
      ["08", "b"],
      ["1.0", "c"],
      ["null", "d"],
      ["yes", "e"],
      ["__proto__", "f"],
      ["0x1", "g"],
    ]);
  });

  it("reads a bare null in a type list as the name, elsewhere as null", () => {
    const doc = read("components: {schemas: {A: {type: [string, null], example: [null], x-type: [null]}}}\n");
    expect(doc["components"]).toEqual({
      schemas: { A: { type: ["string", "null"], example: [null], "x-type": [null] } },
    });
    expect(refused(() => read("components: {schemas: {A: {type: null}}}\n"))).toMatchObject({
      code: "WRONG_TYPE",
      pointer: "/components/schemas/A/type",
    });
  });

  it("copies the values of aliases", () => {
    const doc = read("x-a: &a {b: &b [1]}\nx-c: *a\nx-d: [*b, *b]\n&k x-e: *a\nx-k: *k\n");
    expect(doc).toMatchObject({ "x-c": { b: [1] }, "x-d": [[1], [1]], "x-e": { b: [1] }, "x-k": "x-e" });
    expect(doc["x-c"]).not.toBe(doc["x-a"]);
  });

  it("takes an alias for the last anchor of its name before it", () => {
    expect(value("[&a 1, &b [*a], &a 2, *b, *a]")).toEqual([1, [1], 2, [1], 2]);
    expect(value("&a [&a 1, *a]")).toEqual([1, 1]);
  });

  it("does not merge: << is a key as any other, which YAML 1.2 says", () => {
    expect(value("{<<: {a: 1}, b: 2}")).toEqual({ "<<": { a: 1 }, b: 2 });
  });

  it.each(["\r\n", "\r"])("reads line ends of every system: %j", (end) => {
    const text = `${YAML_HEAD}x-v: |\n  a\n  b\nx-q: "a\n  b"\n`;
    expect(fromYAML(text.replaceAll("\n", end))).toEqual(fromYAML(text));
    const wrong = `${text}tags: 3\n`.replaceAll("\n", end);
    expect(refused(() => fromYAML(wrong))).toMatchObject({ line: 8, column: 7, pointer: "/tags" });
  });

  it("takes no other character for the end of a line", () => {
    const text = `${YAML_HEAD}x-v: "a\u0085b\u2028c\u2029d"\ntags: 3\n`;
    expect(refused(() => fromYAML(text))).toMatchObject({ line: 4, column: 7 });
    expect(value("a\u0085b\u2028c\u2029d")).toBe("a\u0085b\u2028c\u2029d");
  });

  it.each([
    ["a custom tag", "!foo 1", "INVALID_SYNTAX", 3, 11],
    ["a custom tag on a map", "!foo {a: 1}", "INVALID_SYNTAX", 3, 11],
    ["bytes", "!!binary aGVsbG8=", "INVALID_SYNTAX", 3, 15],
    ["a set", "!!set {a}", "INVALID_SYNTAX", 3, 12],
    ["a tag that lies", "!!int abc", "INVALID_SYNTAX", 3, 12],
    ["infinity", ".inf", "INVALID_SYNTAX", 3, 6],
    ["a number beyond doubles", "1e400", "INVALID_SYNTAX", 3, 6],
    ["an open quote", '"a', "INVALID_SYNTAX", 4, 1],
    ["an open bracket", "[a", "INVALID_SYNTAX", 4, 1],
    ["a key that is a list", "{[a]: 1}", "INVALID_SYNTAX", 3, 7],
    ["an unknown alias", "*a", "INVALID_SYNTAX", 3, 6],
    ["a cyclic alias", "&a [*a]", "INVALID_SYNTAX", 3, 10],
    ["a nested cyclic alias", "&a {b: {c: *a}}", "INVALID_SYNTAX", 3, 17],
  ])("refuses %s, with its place", (_, source, code, line, column) => {
    const error = refused(() => value(source));
    expect(error.code).toBe(code);
    expect(error.pointer).toMatch(/^\/x-v/);
    expect([error.line, error.column]).toEqual([line, column]);
  });

  it("names both places of a duplicate key", () => {
    const error = refused(() => read("x-v:\n  a: 1\n  b: 2\n  'a': 3\n"));
    expect(error).toMatchObject({
      code: "DUPLICATE_KEY",
      line: 6,
      column: 3,
      pointer: "/x-v/a",
      first: { line: 4, column: 3 },
    });
  });

  it("points at the value of the wrong type, through aliases at the alias", () => {
    const text = "paths:\n  /a:\n    get:\n      tags:\n        - a\n        - 3\n";
    expect(refused(() => read(text))).toMatchObject({
      pointer: "/paths/~1a/get/tags/1",
      line: 8,
      column: 11,
    });
    const aliased = "x-a: &a {get: {tags: 3}}\npaths:\n  /a: *a\n";
    expect(refused(() => read(aliased))).toMatchObject({
      pointer: "/paths/~1a/get/tags",
      line: 5,
      column: 7,
    });
  });

  it("points at the key where the value is missing", () => {
    expect(refused(() => read("servers:\n"))).toMatchObject({
      code: "WRONG_TYPE",
      pointer: "/servers",
      line: 3,
    });
  });

  it("asks to quote text that looks like a number", () => {
    const error = refused(() => fromYAML("openapi: 3.1.0\ninfo:\n  version: 1.0\n"));
    expect(error).toMatchObject({ code: "WRONG_TYPE", pointer: "/info/version", line: 3, column: 12 });
    expect(error.message).toContain("in quotes");
  });

  it("asks to quote a version that is a number", () => {
    const error = refused(() => fromYAML("openapi: 3.1\n"));
    expect(error).toMatchObject({ code: "UNSUPPORTED_VERSION", line: 1, column: 10 });
    expect(error.message).toContain("in quotes");
  });

  it.each(["", "# nothing\n", "abc", "- a", "---\n"])("refuses %j", (text) => {
    expect(refused(() => fromYAML(text))).toMatchObject({ code: "WRONG_TYPE", pointer: "" });
  });

  it("refuses two documents, and accepts one with its markers", () => {
    expect(refused(() => fromYAML(`${YAML_HEAD}---\na: 1\n`))).toMatchObject({
      code: "INVALID_SYNTAX",
      line: 3,
    });
    expect(fromYAML(`---\n${YAML_HEAD}...\n`)).toHaveProperty("openapi");
  });

  it("reads JSON as fromJSON does, flow maps that are not JSON too", () => {
    expect(fromYAML(`${JSON_HEAD}"x":[1e3,18446744073709551616]}`)).toMatchObject({ x: [1000, 2n ** 64n] });
    expect(fromYAML(`${JSON_HEAD}x: no, # comment\n y: [a]}`)).toMatchObject({ x: "no", y: ["a"] });
    expect(refused(() => fromYAML(`${JSON_HEAD}"x":{"a":1,"a":2}}`)).code).toBe("DUPLICATE_KEY");
  });

  it("reads bytes, with and without a byte order mark", () => {
    const bytes = new TextEncoder().encode(`\uFEFF${YAML_HEAD}x-v: é\n`);
    expect(fromYAML(bytes)).toMatchObject({ "x-v": "é" });
    expect(refused(() => fromYAML(bytes.subarray(0, -2))).code).toBe("INVALID_ENCODING");
  });
});
