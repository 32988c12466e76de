/**
 * Our readers against those of the platform and of `yaml`: they accept the same texts and read the same values,
 * but for what is ours on purpose (duplicate keys, exact integers, numbers beyond doubles).
 */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { OpenAPIParseError } from "../../src/openapi/index.js";
import { readJsonExactly } from "../../src/openapi/json-reader.js";
import { readJson } from "../../src/openapi/json-value.js";
import { plainScalar } from "../../src/openapi/yaml-scalar.js";
import { rounds } from "../rounds.js";

type Outcome = { readonly value: unknown } | { readonly error: unknown };

function outcome(read: () => unknown): Outcome {
  try {
    return { value: read() };
  } catch (error) {
    return { error };
  }
}

/** Bigints as the doubles that JSON.parse makes of them. */
function rounded(value: unknown): unknown {
  if (typeof value === "bigint") return Number(value);
  if (Array.isArray(value)) return value.map(rounded);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, rounded(part)]));
}

const isOurs = (error: unknown): boolean =>
  error instanceof OpenAPIParseError && (error.code === "DUPLICATE_KEY" || error.message.includes("double"));

const PIECES = [
  "{",
  "}",
  "[",
  "]",
  ",",
  ":",
  '"',
  "\\",
  '\\"',
  "-",
  "0",
  "01",
  "1.5",
  ".",
  "e",
  "+",
  "fals",
  "\u0000",
];
const LEAVES = [
  "1",
  "0",
  "-0",
  "1.5",
  "1e5",
  "1E-3",
  "true",
  "false",
  "null",
  '""',
  '"a"',
  '"\\u0041\\n"',
  '"\\ud800"',
];
const NUMBERS = [
  "9007199254740993",
  "-12345678901234567890",
  "1e300",
  "1e400",
  "123456789012345678.5",
  "012345678901234567890",
  "1e-400",
];
const KEYS = ['"a"', '"b"', '"\\u0061"', '"__proto__"', '"1"', '":"', '""'];

const json: fc.Arbitrary<string> = fc.letrec<{ json: string }>((tie) => {
  const gap = fc.constantFrom("", " ", "\n\t", "\r\n");
  const member = fc
    .tuple(fc.constantFrom(...KEYS), gap, tie("json"))
    .map(([key, space, value]) => `${key}${space}:${value}`);
  return {
    json: fc.oneof(
      { maxDepth: 4 },
      fc.constantFrom(...LEAVES, ...NUMBERS),
      fc
        .tuple(gap, fc.array(tie("json"), { maxLength: 3 }))
        .map(([space, items]) => `[${space}${items.join(`,${space}`)}]`),
      fc.array(member, { maxLength: 3 }).map((members) => `{${members.join(",")}}`),
    ),
  };
}).json;
/** JSON with one piece changed, put in or taken out. */
const nearly = fc
  .tuple(json, fc.nat(), fc.nat(2), fc.constantFrom(...PIECES, ""))
  .map(
    ([text, at, cut, piece]) =>
      text.slice(0, at % text.length) + piece + text.slice((at % text.length) + cut),
  );

describe("readers", () => {
  it("accept as JSON what JSON.parse accepts, and read the same values", () => {
    fc.assert(
      fc.property(fc.oneof(json, nearly), (text) => {
        const platform = outcome(() => JSON.parse(text));
        const exact = outcome(() => readJsonExactly(text));
        expect(outcome(() => readJson(text))).toEqual(exact);
        if ("value" in exact) expect({ value: rounded(exact.value) }).toEqual(platform);
        else if (!isOurs(exact.error)) expect(platform).toHaveProperty("error");
      }),
      { numRuns: rounds({ small: 1_000, full: 5_000 }) },
    );
  });

  it("read plain YAML scalars as the core schema of the yaml package does", () => {
    const scalar = fc.oneof(
      fc
        .array(fc.constantFrom(..."0123456789+-.eExob_~af".split("")), { minLength: 1, maxLength: 6 })
        .map((c) => c.join("")),
      fc.constantFrom(
        "true",
        "True",
        "TRUE",
        "tRue",
        "null",
        "Null",
        "NULL",
        "nULL",
        "~",
        "no",
        "y",
        "0x",
        "0o8",
        "0b1",
      ),
    );
    fc.assert(
      fc.property(scalar, (source) => {
        fc.pre(!/^-($|-)|^\.\.\.$/.test(source));
        const expected: unknown = parse(`- ${source}\n`)?.[0];
        fc.pre(typeof expected !== "object" || expected === null);
        const value = plainScalar(source);
        if (typeof expected === "number" && !Number.isFinite(expected)) expect(value).toBeUndefined();
        else expect(rounded(value)).toEqual(expected);
      }),
      { numRuns: rounds({ small: 1_000, full: 5_000 }) },
    );
  });
});
