/** What an output does not declare is not sent, whatever says which keys and items there are. */
import { Ajv2020 } from "ajv/dist/2020.js";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import type { $ZodType, $ZodTypes } from "zod/v4/core";
import { createEngine, GET, type Handler } from "../../src/http/index.js";
import { compileEndpoint } from "../../src/http/pipeline/endpoint.js";
import type { OpenAPI } from "../../src/openapi/index.js";
import { wireDecoder } from "../../src/schema/wire-decode.js";
import { kinds, wireValues, wrappers } from "../schema/kinds.js";

const SECRET = "secret of the row";
const KEY = "undeclared";

// What holds others; what is anything may hold anything.
const declared = kinds.filter(({ name }) =>
  /object|record|tuple|union|section|array|map|set|recurs|named/.test(name),
);
const declaring = wrappers.filter(({ name }) => name !== "piped");

const schemasOf = (kind: (typeof kinds)[number]): z.ZodType[] => {
  const bare = kind.make();
  return [bare, ...declaring.map(({ wrap }) => wrap(bare))];
};

/** More kinds of what says which keys and items there are. */
const more: readonly z.ZodType[] = [
  z.record(z.enum(["a", "b"]), z.string()).or(z.int()),
  z.record(z.literal(["a", "b"]), z.string()),
  z.partialRecord(z.templateLiteral(["a", z.int()]), z.string()),
  z.record(z.string().regex(/^x-/), z.string()),
  z.record(z.int(), z.string()),
  z.record(z.union([z.literal("a"), z.string().regex(/^b/)]), z.string()),
  z.object({ a: z.record(z.enum(["b"]), z.object({ c: z.string() })) }),
  z.tuple([z.object({ a: z.string() }), z.tuple([z.string()])]),
  z.array(z.tuple([z.string(), z.int()])),
  z.union([z.strictObject({ a: z.string(), b: z.string() }), z.strictObject({ c: z.string() })]),
  z.union([z.object({ z: z.string() }), z.record(z.enum(["a"]), z.string())]),
  z.intersection(z.object({ a: z.string() }), z.record(z.string().regex(/^x-/), z.string())),
  z.intersection(z.object({ a: z.object({ b: z.string() }) }), z.object({ a: z.object({ c: z.string() }) })),
  z.discriminatedUnion("kind", [
    z.strictObject({ kind: z.literal("a"), at: z.date() }),
    z.object({ kind: z.literal("b"), by: z.record(z.enum(["x"]), z.bigint()) }),
  ]),
];

/** Values of `more`, as they travel. */
const moreValues: readonly unknown[] = [
  ...wireValues,
  { a: "x", b: "y" },
  { a1: "x" },
  { "x-a": "b" },
  { "5": "x" },
  { a: { b: { c: "x" } } },
  [{ a: "x" }, ["y"]],
  [["x", 1]],
  { c: "x" },
  { a: "x" },
  { a: "x", "x-a": "y" },
  { a: { b: "x", c: "y" } },
  { kind: "a", at: "2024-02-29T00:00:00.000Z" },
  { kind: "b", by: { x: "5" } },
];

/** A value with a key or an item more wherever its schema declares which ones there are. */
function withMore(schema: $ZodType, value: unknown): unknown {
  const def = (schema as $ZodTypes)._zod.def;
  switch (def.type) {
    case "object": {
      if (!isFields(value)) return value;
      const held = Object.entries(value).map(([key, one]) => {
        const field = def.shape[key];
        return [key, field === undefined ? one : withMore(field, one)];
      });
      const isClosed = def.catchall === undefined || def.catchall._zod.def.type === "never";
      return { ...Object.fromEntries(held), ...(isClosed ? { [KEY]: SECRET } : {}) };
    }
    case "record": {
      if (!isFields(value)) return value;
      const held = Object.entries(value).map(([key, one]) => [key, withMore(def.valueType, one)]);
      const isClosed = def.mode !== "loose" && !z.safeParse(def.keyType, KEY).success;
      return { ...Object.fromEntries(held), ...(isClosed ? { [KEY]: SECRET } : {}) };
    }
    case "tuple": {
      if (!Array.isArray(value)) return value;
      const held = value.map((one, i) => (def.items[i] === undefined ? one : withMore(def.items[i], one)));
      return def.rest === null && held.length === def.items.length ? [...held, SECRET] : held;
    }
    case "array":
      return Array.isArray(value) ? value.map((one) => withMore(def.element, one)) : value;
    case "union": {
      const option = def.options.find((one) => z.safeParse(one, value).success);
      return option === undefined ? value : withMore(option, value);
    }
    case "intersection": {
      const [left, right] = [withMore(def.left, value), withMore(def.right, value)];
      const isClosed = [left, right].every((side) => isFields(side) && KEY in side);
      return isClosed && isFields(value) ? { ...value, [KEY]: SECRET } : value;
    }
    case "optional":
    case "nullable":
    case "readonly":
    case "nonoptional":
      return value === undefined || value === null ? value : withMore(def.innerType, value);
    case "lazy":
      return withMore((schema as z.core.$ZodLazy)._zod.innerType, value);
    default:
      return value;
  }
}

function isFields(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && Object.getPrototypeOf(value) === Object.prototype;
}

/** A description under which an object holds nothing that it does not name. */
function closed(json: unknown): unknown {
  if (Array.isArray(json)) return json.map(closed);
  if (typeof json !== "object" || json === null) return json;
  const entries = Object.entries(json).map(([key, held]) => {
    if (key === "const" || key === "enum" || key === "default" || key === "discriminator") return [key, held];
    if (key === "properties" || key === "patternProperties") {
      const parts = Object.entries(held as object).map(([name, one]) => [name, closed(one)]);
      return [key, Object.fromEntries(parts)];
    }
    // Of the parts of a whole, none names all that it holds.
    return [key, key === "allOf" ? held : closed(held)];
  });
  const said = Object.fromEntries(entries);
  const isObject = said["type"] === "object" || Array.isArray(said["allOf"]);
  return isObject ? { ...said, unevaluatedProperties: false } : said;
}

const ajv = new Ajv2020({
  strict: false,
  validateFormats: false,
  validateSchema: false,
  logger: false,
  code: { optimize: false },
});

function sendsOf(document: OpenAPI): (value: unknown) => boolean {
  const json = document.paths?.["/x"]?.get as never as {
    responses: { 200: { content: { "application/json": { schema: object } } } };
  };
  const parts = Object.entries(document.components?.schemas ?? {}).map(([name, part]) => [
    name,
    closed(part),
  ]);
  const schema = closed(json.responses[200].content["application/json"].schema) as object;
  const validate = ajv.compile({ ...schema, components: { schemas: Object.fromEntries(parts) } });
  return (value) => validate(value) === true;
}

function readOf(schema: z.ZodType, wire: unknown): z.ZodSafeParseResult<unknown> | undefined {
  try {
    return schema.safeParse(wireDecoder(schema)?.(wire) ?? wire);
  } catch {
    // Bytes cannot be frozen, and sides of an intersection may not be merged.
    return undefined;
  }
}

/** How many of the values were sent, each without what was added to it. */
async function hold(schema: z.ZodType, values: readonly unknown[]): Promise<number> {
  const handler = GET("/x", { output: schema }, (() => 0) as never) as Handler;
  const document = createEngine().withHandlers(handler).openapi();
  const isSaid = sendsOf(document);
  const { success } = compileEndpoint(handler, "");
  let sent = 0;
  for (const wire of values) {
    const read = readOf(schema, wire);
    if (read?.success !== true) continue;
    const given = withMore(schema, read.data);
    const answer: unknown = JSON.parse(JSON.stringify((await success?.steps.encode(given)) ?? null));
    const plain: unknown = JSON.parse(JSON.stringify((await success?.steps.encode(read.data)) ?? null));
    expect(
      answer,
      JSON.stringify(given, (_, one) => (typeof one === "bigint" ? `${one}n` : one)),
    ).toEqual(plain);
    expect(JSON.stringify(answer)).not.toContain(SECRET);
    expect([isSaid(answer), answer]).toEqual([true, answer]);
    sent++;
  }
  return sent;
}

describe("an output", () => {
  test.each(declared.map((kind) => [kind.name, kind] as const))(
    "of %s, bare and wrapped, sends nothing undeclared",
    async (_, kind) => {
      let sent = 0;
      for (const schema of schemasOf(kind)) sent += await hold(schema, wireValues);
      expect(sent).toBeGreaterThan(0);
    },
  );

  test.each(more.map((schema, i) => [i, schema] as const))(
    "of keys and items, case %i",
    async (_, schema) => {
      expect(await hold(schema, moreValues)).toBeGreaterThan(0);
    },
  );

  test("of generated schemas sends nothing undeclared", async () => {
    const wraps = fc.array(fc.constantFrom(...declaring), { minLength: 2, maxLength: 3 });
    const schemas = fc
      .tuple(
        fc.oneof(
          fc.constantFrom(...declared).map((kind) => kind.make()),
          fc.constantFrom(...more),
        ),
        wraps,
      )
      .map(([bare, all]) => all.reduce((schema, { wrap }) => wrap(schema), bare));
    await fc.assert(
      fc.asyncProperty(schemas, async (schema) => void (await hold(schema, moreValues))),
      { numRuns: 15 },
    );
  });
});
