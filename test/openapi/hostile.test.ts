import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  fromJSON,
  fromYAML,
  type OpenAPI,
  OpenAPIParseError,
  OpenAPIWriteError,
  toJSON,
  toYAML,
} from "../../src/openapi/index.js";
import { rounds } from "../rounds.js";
import { expectBelow, expectCost, stopwatch } from "../stopwatch.js";
import { JSON_HEAD, refused, YAML_HEAD } from "./refused.js";

// Each takes well under 500 ms on its own; the limit leaves room for a machine that does other things too.
const LIMIT_MS = 2_000;

function timed<T>(work: () => T): { readonly result: T; readonly ms: number } {
  const elapsed = stopwatch();
  const result = work();
  return { result, ms: elapsed() };
}

const times = (count: number, part: (i: number) => string): string =>
  Array.from({ length: count }, (_, i) => part(i)).join("");
const bomb = times(12, (i) => `x-a${i}: &a${i} [${i === 0 ? "1,".repeat(9) : `*a${i - 1},`.repeat(9)}]\n`);
const steps = times(2_000, (i) => `${" ".repeat(i + 1)}a:\n`);

const HOSTILE: [name: string, yaml: string][] = [
  ["an alias bomb", bomb],
  ["question marks", `x-a: ${"? ".repeat(400)}`],
  ["many question marks", `x-a: ${"? ".repeat(10_000)}`],
  ["10,000 open brackets", `x-a: ${"[".repeat(10_000)}`],
  ["10,000 pairs of brackets", `x-a: ${"[".repeat(10_000)}${"]".repeat(10_000)}`],
  ["10,000 flow maps", `x-a: ${"{a: ".repeat(10_000)}${"}".repeat(10_000)}`],
  ["10,000 dashes", `x-a:\n  ${"- ".repeat(10_000)}1`],
  ["2,000 indents", `x-a:\n${steps}`],
  ["a million closing brackets", "]".repeat(1_000_000)],
  ["unknown aliases", `x-a: [${"*a, ".repeat(20_000)}]`],
  ["cyclic aliases", "x-a: &a [*a, *a]\n"],
  ["many documents", "---\n".repeat(100_000)],
  ["anchors without end", `x-a: ${"&a ".repeat(10_000)}`],
  ["a million open brackets", `x-a: ${"[".repeat(1_000_000)}`],
  ["a million open braces, and a key", `x-a: ${"{".repeat(1_000_000)}`],
  ["a million colons", `x-a: ${": ".repeat(500_000)}`],
  ["block maps within brackets, ever less indented", `x-a: [${"  a: 1\n a: 2\n".repeat(10_000)}`],
];

// 200 kB and more of what is wrong again and again, in all ways that the parser reports by itself.
const WRONG: [name: string, yaml: string][] = [
  ["commas", `x-a: [${",".repeat(200_000)}`],
  ["values of which each is a comma", `x-a: [${"[,],".repeat(50_000)}`],
  ["escapes", `x-a: "${"\\x".repeat(100_000)}`],
  ["block scalars where a key should be", `x-a: 1\n${"|\n".repeat(100_000)}`],
  ["headers of block scalars", `x-a:\n${"  - >9x\n".repeat(25_000)}`],
  ["keys without values", "a\n".repeat(100_000)],
  ["lists where a map is", "- a\nb: c\n".repeat(20_000)],
  ["maps in one line", "a: b: c\n".repeat(25_000)],
  ["tabs", "k:\n\t- a\n".repeat(25_000)],
  ["text after values", "k: {a: 1} x\n".repeat(20_000)],
  ["two anchors", "k: &a &b x\n".repeat(20_000)],
  ["directives", "%X\n".repeat(60_000)],
];

describe("hostile descriptions", () => {
  it.each(HOSTILE)("are refused in time: %s", async (_, yaml) => {
    const result = await expectCost(LIMIT_MS, () => refused(() => fromYAML(YAML_HEAD + yaml)));
    expect(result).toBeInstanceOf(OpenAPIParseError);
  });

  it.each(WRONG)("stop at the first of many errors: %s", async (_, yaml) => {
    const result = await expectCost(LIMIT_MS, () => refused(() => fromYAML(YAML_HEAD + yaml)));
    expect(result.code).toBe("INVALID_SYNTAX");
    expect(result.line).toBeLessThan(7);
  });

  it("takes no longer for errors than for as much text without them", async () => {
    // Where both are fast, neither is measured against the other.
    const ratio = () => {
      const good = timed(() => fromYAML(`${YAML_HEAD}x-a:\n${"  - {a: 1, b: c}\n".repeat(8_000)}`));
      const wrong = timed(() =>
        refused(() => fromYAML(`${YAML_HEAD}x-a:\n${"  - {a: 1, b: c c: d}\n".repeat(8_000)}`)),
      );
      expect(wrong.result.code).toBe("INVALID_SYNTAX");
      return wrong.ms / Math.max(good.ms, 200);
    };
    await expectBelow(1.5, ratio);
  });

  it("counts values, not aliases: 10,000 harmless ones are read", async () => {
    const result = await expectCost(LIMIT_MS, () =>
      fromYAML(`${YAML_HEAD}x-a: &a {b: [1, 2]}\nx-l:\n${"  - *a\n".repeat(10_000)}`),
    );
    expect(result["x-l"]).toHaveLength(10_000);
  });

  it("reads 50,000 keys in one map, and twice the keys in at most three times the time", async () => {
    const map = (count: number): string => `${YAML_HEAD}x-a:\n${times(count, (i) => `  key${i}: ${i}\n`)}`;
    // The least of each so far; the first one also warms up.
    let [once, twice] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
    const ratio = () => {
      once = Math.min(once, timed(() => fromYAML(map(25_000))).ms);
      const { result, ms } = timed(() => fromYAML(map(50_000)));
      expect(Object.keys(result["x-a"] ?? {})).toHaveLength(50_000);
      twice = Math.min(twice, ms);
      return twice / Math.max(once, 500 / 3);
    };
    await expectBelow(3, ratio);
  });

  it.each([
    ["lists", "[", "]"],
    ["maps", '{"a":', "}"],
  ])("refuses 10,000 levels of %s in JSON, closed or not", (_, open, close) => {
    const deep = `${JSON_HEAD}"x":${open.repeat(10_000)}`;
    expect(refused(() => fromJSON(deep)).code).toBe("TOO_COMPLEX");
    const closed = `${deep}1${close.repeat(10_000)}}`;
    expect(refused(() => fromJSON(closed)).code).toBe("TOO_COMPLEX");
    expect(refused(() => fromYAML(closed)).code).toBe("TOO_COMPLEX");
  });

  it("reads the same depth from both formats: 500 levels", () => {
    const nested = (levels: number): string => `${JSON_HEAD}"x":${"[".repeat(levels)}${"]".repeat(levels)}}`;
    const text = nested(499);
    expect(fromJSON(text)).toEqual(fromYAML(toYAML(fromJSON(text))));
    expect(refused(() => fromJSON(nested(500))).code).toBe("TOO_COMPLEX");
    const yaml = `${YAML_HEAD}x: ${"[".repeat(500)}${"]".repeat(500)}`;
    expect(refused(() => fromYAML(yaml)).code).toBe("TOO_COMPLEX");
  });

  it("writes the same depth in both formats: 500 levels", () => {
    const nested = (levels: number): OpenAPI => ({
      openapi: "3.1.1",
      info: { title: "T", version: "1" },
      "x-a": JSON.parse(`${"[".repeat(levels)}${"]".repeat(levels)}`),
    });
    for (const write of [toJSON, toYAML]) {
      expect(fromYAML(write(nested(499)))).toEqual(nested(499));
      expect(() => write(nested(500))).toThrow(OpenAPIWriteError);
    }
  });

  it("refuses depth that aliases pile up", () => {
    const links = times(600, (i) => `x-${i}: &a${i} [${i === 0 ? "" : `*a${i - 1}`}]\n`);
    expect(refused(() => fromYAML(YAML_HEAD + links)).code).toBe("TOO_COMPLEX");
  });

  it("of any text give a description or an OpenAPIParseError, and nothing else", () => {
    const piece = fc.constantFrom(
      ..."a|b|&a|*a|!!str|!x|- |? |: |:|{|}|[|]|,|\n|\n  |\n    |\t|#|'|\"|\\\\|||>|%YAML 1.1\n|---\n|...\n|<<|1|1e999|~|\u2028|\r|@".split(
        "|",
      ),
      "|",
    );
    const text = fc.array(piece, { maxLength: 30 }).map((pieces) => pieces.join(""));
    const read = [
      (rest: string) => fromYAML(`${YAML_HEAD}x-a: ${rest}`),
      (rest: string) => fromYAML(rest),
      (rest: string) => fromYAML(`${JSON_HEAD}x: ${rest}}`),
      (rest: string) => fromJSON(`${JSON_HEAD}"x":${rest}}`),
    ];
    fc.assert(
      fc.property(text, fc.constantFrom(...read), (rest, run) => {
        try {
          const doc = run(rest);
          expect(fromYAML(toYAML(doc))).toEqual(doc);
        } catch (error) {
          expect(error).toBeInstanceOf(OpenAPIParseError);
        }
      }),
      { numRuns: rounds({ small: 600, full: 3_000 }) },
    );
  });

  it("leave prototypes alone", () => {
    const hostile = `${YAML_HEAD}x-a: &a {__proto__: {polluted: 1}}\nx-b: *a\n`;
    const doc = fromYAML(hostile);
    expect({}).not.toHaveProperty("polluted");
    expect(Object.getPrototypeOf(doc["x-b"])).toBe(Object.prototype);
    expect(toJSON(doc)).toContain('"x-b":{"__proto__":{"polluted":1}}');
    expect(fromYAML(toYAML(doc))).toEqual(doc);
  });
});

describe("values that cannot be written", () => {
  const circle: unknown[] = [];
  circle.push(circle);
  it.each([
    ["NaN", Number.NaN, "a finite number"],
    ["an infinity", -Infinity, "a finite number"],
    ["a function", () => 1, "a function"],
    ["a symbol", Symbol("s"), "a symbol"],
    ["a circle", circle, "levels of nesting"],
  ])("are refused by both writers with their place: %s", (_, value, expected) => {
    for (const write of [toJSON, toYAML]) {
      const doc = {
        openapi: "3.1.1",
        info: { title: "T", version: "1" },
        "x-a": { "b/c": [value] },
      } as const;
      expect(() => write(doc)).toThrow(OpenAPIWriteError);
      expect(() => write(doc)).toThrow(expected);
      expect(() => write(doc)).toThrow("/x-a/b~1c/0");
    }
  });
});
