import { describe, expect, test } from "vitest";
import { z } from "zod";
import { z as z3 } from "zod/v3";
import { SchemaComponents } from "../../src/schema/components/components.js";
import type { Io, Json } from "../../src/schema/json.js";

function describeIt(
  schema: z.ZodType | z3.ZodTypeAny,
  io: Io = "output",
): { json: Json; components: [string, Json][] } {
  const components = new SchemaComponents();
  const described = components.add(schema, io, "Root");
  const list = [...components.finish()];
  return { json: described(), components: list };
}

const isoDate = z.codec(z.iso.datetime(), z.date(), {
  decode: (t) => new Date(t),
  encode: (d) => d.toISOString(),
});

describe("Zod 4 as JSON Schema", () => {
  test.each<[string, z.ZodType, Json, Json?]>([
    [
      "an object says nothing of other fields",
      z.object({ a: z.string() }),
      { type: "object", properties: { a: { type: "string" } }, required: ["a"] },
    ],
    [
      "a strict one closes",
      z.strictObject({}),
      { type: "object", properties: {}, additionalProperties: false },
    ],
    ["a loose one opens", z.looseObject({}), { type: "object", properties: {}, additionalProperties: true }],
    [
      "a catchall says what is let through",
      z.object({}).catchall(z.int()),
      { type: "object", properties: {}, additionalProperties: { type: "integer" } },
    ],
    ["int", z.int(), { type: "integer" }],
    ["int with a limit", z.int().min(1), { type: "integer", minimum: 1 }],
    ["number().int()", z.number().int().positive(), { type: "integer", exclusiveMinimum: 0 }],
    ["int32", z.int32(), { type: "integer", format: "int32" }],
    ["float32", z.float32(), { type: "number", format: "float" }],
    ["float64", z.float64(), { type: "number", format: "double" }],
    ["uint32 keeps its limits", z.uint32(), { type: "integer", minimum: 0, maximum: 4294967295 }],
    ["email", z.email(), { type: "string", format: "email" }],
    ["uuid", z.uuid(), { type: "string", format: "uuid" }],
    ["url", z.url(), { type: "string", format: "uri" }],
    ["datetime", z.iso.datetime(), { type: "string", format: "date-time" }],
    [
      "an email with a pattern of its own",
      z.email().regex(/^a/),
      { type: "string", format: "email", pattern: "^a" },
    ],
    ["a pattern", z.string().regex(/^a/).max(3), { type: "string", pattern: "^a", maxLength: 3 }],
    ["includes", z.string().includes("a"), { type: "string", pattern: "a" }],
    ["base64", z.base64(), { type: "string", contentEncoding: "base64" }],
    ["date", z.date(), { type: "string", format: "date-time" }],
    ["bigint", z.bigint(), { type: "string", pattern: "^-?\\d+$" }],
    ["int64", z.int64(), { type: "string", pattern: "^-?\\d+$" }],
    ["a bigint literal", z.literal(5n), { type: "string", const: "5" }],
    ["bytes", z.instanceof(Uint8Array), { type: "string", contentEncoding: "base64" }],
    ["a set", z.set(z.date()), { type: "array", items: { type: "string", format: "date-time" } }],
    [
      "a record",
      z.record(z.string(), z.int()),
      { type: "object", additionalProperties: { type: "integer" } },
    ],
    [
      "a record of anything",
      z.record(z.string(), z.unknown()),
      { type: "object", additionalProperties: true },
    ],
    ["a nullable string", z.string().min(1).nullable(), { type: ["string", "null"], minLength: 1 }],
    ["a nullable enum", z.enum(["a"]).nullable(), { type: ["string", "null"], enum: ["a", null] }],
    ["a nullable literal", z.literal("a").nullable(), { type: ["string", "null"], enum: ["a", null] }],
    ["a nullable date", z.date().nullable(), { type: ["string", "null"], format: "date-time" }],
    [
      "a nullable bigint that may be left out",
      z.bigint().nullable().optional(),
      { type: ["string", "null"], pattern: "^-?\\d+$" },
    ],
    [
      "a nullable object",
      z.object({ a: z.string() }).nullable(),
      { type: ["object", "null"], properties: { a: { type: "string" } }, required: ["a"] },
    ],
    ["a union of literals", z.union([z.literal("a"), z.literal("b")]), { type: "string", enum: ["a", "b"] }],
    ["a union of types", z.union([z.string(), z.number()]), { type: ["string", "number"] }],
    [
      "a tuple",
      z.tuple([z.string(), z.int()]),
      {
        type: "array",
        prefixItems: [{ type: "string" }, { type: "integer" }],
        items: false,
        minItems: 2,
        maxItems: 2,
      },
    ],
    ["readonly", z.string().readonly(), { type: "string" }],
    [
      "never in an object",
      z.object({ a: z.never().optional() }),
      { type: "object", properties: { a: { not: {} } } },
    ],
    ["a refinement and a brand", z.string().refine(Boolean).brand("x"), { type: "string" }],
    [
      "a codec, by its wire side",
      isoDate,
      { type: "string", format: "date-time" },
      { type: "string", format: "date-time" },
    ],
    [
      "a codec in an object",
      z.object({ at: isoDate.nullable() }),
      {
        type: "object",
        properties: { at: { type: ["string", "null"], format: "date-time" } },
        required: ["at"],
      },
    ],
    ["a transform", z.string().transform(Number), {}, { type: "string" }],
    ["coerced", z.coerce.number(), { type: "number" }],
    ["json()", z.object({ a: z.unknown() }), { type: "object", properties: { a: {} }, required: ["a"] }],
    ["a symbol", z.symbol(), {}],
    ["undefined", z.undefined(), {}],
  ])("%s", (_name, schema, output, input) => {
    expect(describeIt(schema, "output").json).toEqual(output);
    if (input !== undefined) expect(describeIt(schema, "input").json).toEqual(input);
  });

  test("a field with a catch is not required of requests", () => {
    const schema = z.object({ a: z.string().catch("x"), b: z.string() });
    expect(describeIt(schema, "input").json).toMatchObject({ required: ["b"] });
    expect(describeIt(schema, "output").json).toMatchObject({ required: ["a", "b"] });
  });

  test("a default that is made anew each time is left out", () => {
    const schema = z.object({
      at: z.date().default(() => new Date()),
      id: z.string().default(() => Math.random().toString()),
      n: z.int().default(1),
    });
    expect(describeIt(schema, "input").json["properties"]).toEqual({
      at: { type: "string", format: "date-time" },
      id: { type: "string" },
      n: { type: "integer", default: 1 },
    });
  });

  test("of metadata, keywords and extensions stay, the rest goes", () => {
    const schema = z
      .string()
      .meta({ title: "T", description: "D", deprecated: true, "x-own": 1, owner: "me", column: {} });
    expect(describeIt(schema).json).toEqual({
      type: "string",
      title: "T",
      description: "D",
      deprecated: true,
      "x-own": 1,
    });
  });

  test("recursion through getters, lazy and mutual references comes to an end", () => {
    const tree: z.ZodType = z.lazy(() => z.object({ kids: z.array(tree) }));
    const A = z.object({
      get b() {
        return B.optional();
      },
    });
    const B = z.object({
      get a() {
        return A.nullable();
      },
    });
    for (const schema of [tree, A, z.json()]) {
      const { json, components } = describeIt(schema);
      const text = JSON.stringify([json, components]);
      expect(text).not.toContain("$defs");
      expect(text).not.toContain("__");
      const names = components.map(([name]) => name);
      for (const [, name] of text.matchAll(/#\/components\/schemas\/([^"]+)/g)) expect(names).toContain(name);
    }
  });

  test("a nullable union with a discriminator keeps it", () => {
    const schema = z
      .discriminatedUnion("t", [z.object({ t: z.literal("a") }), z.object({ t: z.literal("b") })])
      .nullable();
    expect(describeIt(schema).json).toEqual({
      anyOf: [
        {
          oneOf: [{ $ref: "#/components/schemas/RootA" }, { $ref: "#/components/schemas/RootB" }],
          discriminator: {
            propertyName: "t",
            mapping: { a: "#/components/schemas/RootA", b: "#/components/schemas/RootB" },
          },
        },
        { type: "null" },
      ],
    });
  });
});

describe("Zod 3 as JSON Schema", () => {
  test("is brought to 2020-12", () => {
    const schema = z3.object({
      n: z3.number().positive(),
      t: z3.tuple([z3.string(), z3.date()]),
      o: z3.string().optional(),
      e: z3.string().nullable(),
      b: z3.bigint(),
      bn: z3.bigint().nullable(),
      bu: z3.union([z3.bigint(), z3.boolean()]),
      bl: z3.union([z3.literal(7n), z3.literal("x")]),
    });
    expect(describeIt(schema).json).toEqual({
      type: "object",
      properties: {
        n: { type: "number", exclusiveMinimum: 0 },
        t: {
          type: "array",
          minItems: 2,
          maxItems: 2,
          prefixItems: [{ type: "string" }, { type: "string", format: "date-time" }],
          items: false,
        },
        o: { type: "string" },
        e: { type: ["string", "null"] },
        b: { type: "string", pattern: "^-?\\d+$" },
        bn: { anyOf: [{ type: "string", pattern: "^-?\\d+$" }, { type: "null" }] },
        bu: { anyOf: [{ type: "string", pattern: "^-?\\d+$" }, { type: "boolean" }] },
        bl: {
          anyOf: [
            { type: "string", const: "7" },
            { type: "string", const: "x" },
          ],
        },
      },
      required: ["n", "t", "e", "b", "bn", "bu", "bl"],
    });
  });
});
