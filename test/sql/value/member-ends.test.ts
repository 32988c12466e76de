/**
 * How the value at the end of a JSON path is compared: held against the values that its schema accepts. A scalar kind
 * holds for all of them, whole numbers and lists of values only where the schema accepts no others.
 */

import { describe, expect, test } from "vitest";
import { z } from "zod";
import type { $ZodType } from "zod/v4/core";
import { safeParse } from "zod/v4/core";
import { decimal } from "../../../src/index.js";
import { memberEnd } from "../../../src/sql/value/member.js";

// As TypeScript compiles it.
const Level = { low: 1, high: 2, 1: "low", 2: "high" } as const;
const codec = z.codec(z.string(), z.date(), {
  decode: (text) => new Date(text),
  encode: (date) => date.toISOString(),
});

/** A schema; `finite` if it lists its values, `other` if JSON holds them in another form or they compare otherwise. */
interface Kind {
  readonly schema: $ZodType;
  readonly finite?: true;
  readonly other?: true;
}
const kinds: Readonly<Record<string, Kind>> = {
  text: { schema: z.string() },
  "text of a format": { schema: z.email() },
  "text of a template": { schema: z.templateLiteral(["a-", z.int()]) },
  "a decimal": { schema: decimal(5, 2), other: true },
  "a number": { schema: z.number() },
  "a whole number": { schema: z.int() },
  "a whole number by a check": { schema: z.number().int() },
  "a whole number of 32 bits": { schema: z.int32() },
  "a number of 32 bits": { schema: z.float32() },
  "a boolean": { schema: z.boolean() },
  "a bigint": { schema: z.bigint(), other: true },
  null: { schema: z.null() },
  anything: { schema: z.any(), other: true },
  unknown: { schema: z.unknown(), other: true },
  "an object": { schema: z.object({}) },
  "a list": { schema: z.array(z.int()) },
  "a codec": { schema: codec, other: true },
  "an enum": { schema: z.enum(["a", "b"]), finite: true },
  "an enum of whole numbers": { schema: z.enum({ one: 1, two: 2 }), finite: true },
  "an enum of numbers": { schema: z.enum({ one: 1, half: 1.5 }), finite: true },
  "an enum of TypeScript": { schema: z.enum(Level), finite: true },
  "an enum of text and numbers": { schema: z.enum({ one: 1, b: "b" }), finite: true },
  "a literal": { schema: z.literal("a"), finite: true },
  "literals of text": { schema: z.literal(["b", "c"]), finite: true },
  "literals of whole numbers": { schema: z.literal([1, 2]), finite: true },
  "literals of numbers": { schema: z.literal([1, 1.5]), finite: true },
  "literals of both": { schema: z.literal([1, "a"]), finite: true },
  "a literal boolean": { schema: z.literal(true), finite: true },
  "a literal null": { schema: z.literal(null), finite: true },
  "literals with null": { schema: z.literal(["a", null]), finite: true },
  "a literal bigint": { schema: z.literal(1n), finite: true },
};
const wrappers: Readonly<Record<string, (schema: $ZodType) => $ZodType>> = {
  "": (schema) => schema,
  "optional ": (schema) => z.optional(schema),
  "nullable ": (schema) => z.nullable(schema),
  "read-only ": (schema) => z.readonly(schema),
  "lazy ": (schema) => z.lazy(() => schema as z.ZodType),
  "null or ": (schema) => z.union([z.null(), schema]),
};

const samples: readonly unknown[] = [
  ...["a", "b", "c", "x", "", "a-1", "me@x.org", "1.5", "one", "two", "low", "1"],
  ...[0, 1, 2, 1.5, 2.5, -1, 2 ** 40],
  ...[true, false, 1n, 2n, {}, [], [1], new Date(0)],
];
const accepts = (schema: $ZodType, value: unknown) => safeParse(schema, value).success;

/** What values say. */
function expectedOf(schema: $ZodType, { finite, other }: Pick<Kind, "finite" | "other">) {
  const held = samples.filter((sample) => accepts(schema, sample));
  const [type, ...more] = new Set(held.map((value) => typeof value));
  const nullable = accepts(schema, null) || accepts(schema, undefined);
  const isScalar = type === "string" || type === "number" || type === "boolean";
  if (!isScalar || more.length > 0 || other) return { nullable, storage: { kind: "json" } };
  return {
    nullable,
    storage: {
      kind: type === "string" ? "text" : type,
      integer: type === "number" && held.every(Number.isInteger) ? true : undefined,
      values: finite ? new Set(held) : undefined,
    },
  };
}

function endOf(schema: $ZodType | undefined, steps: readonly (string | number)[] = []) {
  const found = memberEnd(schema, steps);
  if ("lost" in found) return found.lost;
  const { nullable, storage } = found.end;
  return { nullable, storage };
}

const list = Object.entries(kinds);
describe("the end of a path", () => {
  test.each(list)("is of the kind of its values: %s", (_, kind) => {
    for (const [name, wrap] of Object.entries(wrappers)) {
      const schema = wrap(kind.schema);
      const of = expectedOf(schema, kind);
      expect(endOf(schema), name).toEqual(of);
      expect(endOf(z.object({ m: schema }), ["m"]), name).toEqual(of);
      expect(endOf(z.tuple([schema as z.ZodType]), [0]), name).toEqual(of);
      expect(endOf(z.array(schema), [3]), name).toEqual({ ...of, nullable: true });
    }
  });

  test.each(list)("is of the kind of all options of a union: %s", (_, one) => {
    for (const [name, two] of list) {
      const options = [one, two].filter(({ schema }) => samples.some((sample) => accepts(schema, sample)));
      const facts = {
        ...(options.every(({ finite }) => finite) ? { finite: true as const } : {}),
        ...(options.some(({ other }) => other) ? { other: true as const } : {}),
      };
      const schema = z.union([one.schema, two.schema]);
      const of = expectedOf(schema, facts);
      expect(endOf(schema), name).toEqual(of);
      const objects = z.union([z.object({ m: one.schema }), z.object({ m: two.schema })]);
      expect(endOf(objects, ["m"]), name).toEqual(of);
    }
  });

  test("of no schema is anything", () => {
    const anything = { nullable: true, storage: { kind: "json" } };
    for (const steps of [[], ["a"], [0, "b"]]) expect(endOf(undefined, steps)).toEqual(anything);
    expect(endOf(z.object({ a: z.any() }), ["a", "b", 1])).toEqual(anything);
  });

  test("keeps that a step may be absent", () => {
    const Deep = z.object({ a: z.object({ b: z.object({ c: z.int() }) }).optional() });
    expect(endOf(Deep, ["a", "b", "c"])).toEqual({
      nullable: true,
      storage: { kind: "number", integer: true },
    });
    const Held = z.object({ a: z.object({ b: z.object({ c: z.int() }) }) });
    expect(endOf(Held, ["a", "b", "c"])).toMatchObject({ nullable: false });
  });

  test("is lost at the first step that does not exist, or that leads into another form", () => {
    const schema = z.object({ a: z.object({ b: z.int(), c: codec }), s: z.set(z.int()) });
    expect(endOf(schema, ["x"])).toEqual({ before: 0, names: ["a", "s"], closed: undefined });
    expect(endOf(schema, ["a", "x", "y"])).toEqual({ before: 1, names: ["b", "c"], closed: undefined });
    expect(endOf(schema, ["a", "c", "x"])).toMatchObject({
      before: 2,
      closed: "a codec stores it in another form",
    });
    expect(endOf(schema, ["s", 0])).toMatchObject({ before: 1, closed: "a set is stored in another form" });
    // Both sides have it, so there would be an end.
    const both = z.intersection(z.object({ a: z.int() }), z.object({ a: z.int() }));
    expect(endOf(both, ["a"])).toMatchObject({
      before: 0,
      closed: "both sides of an intersection describe it",
    });
  });
});
