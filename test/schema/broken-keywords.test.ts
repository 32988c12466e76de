/**
 * Every keyword that a description writes can be broken: from values that a schema takes, values are made that break one
 * keyword each (one below the minimum, an item too many, a key that is missing, another key, another type …). An
 * independent validator refuses them by that keyword, and the schema refuses them as they are decoded: a keyword that
 * says nothing, or one that the schema does not hold to, is found by itself. Components are part of it.
 */
import { Ajv2020 } from "ajv/dist/2020.js";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { z as z3 } from "zod/v3";
import { SchemaComponents } from "../../src/schema/components/components.js";
import type { Json } from "../../src/schema/json.js";
import { readerOf } from "../../src/schema/reader/reader-of.js";
import type { AnySchema } from "../../src/schema/schema-reader.js";
import { type Kind, kinds, kindsZod3, wireValues, wrappers, wrappersZod3 } from "./kinds.js";

interface Described {
  readonly json: Json;
  readonly components: Readonly<Record<string, unknown>>;
}

function described(schema: AnySchema): Described {
  const components = new SchemaComponents();
  const json = components.add(schema, "input", "Root");
  const all = Object.fromEntries([...components.finish()].map(([name, one]) => [name, one]));
  return { json: json(), components: all };
}

/** Wholly what it says: text that is a date or base64 to the validator too. */
const ajv = new Ajv2020({
  strict: false,
  validateSchema: false,
  allErrors: true,
  logger: false,
  code: { optimize: false },
  formats: {
    "date-time": (text: string) => !Number.isNaN(Date.parse(text)),
    email: /^\S+@\S+$/,
    int32: { type: "number", validate: () => true },
    uri: true,
    decimal: true,
  },
});

/** A value that breaks a keyword. */
type Broken = readonly [keyword: string, value: unknown];

const isFields = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);
const without = (fields: object, name: string) =>
  Object.fromEntries(Object.entries(fields).filter(([key]) => key !== name));

/** Another type than each of these. */
const others: readonly unknown[] = [null, true, 0.5, "§", ["§"], { "§": 1 }];

/** What can be a key or an item beside the others. */
const MORE = "§";

/** How a keyword is broken, given what it says, a value that fits, and its description. */
const breaking: Readonly<Record<string, (said: never, value: never, json: Json) => readonly unknown[]>> = {
  type: () => others,
  const: () => [...others, "another", 123_456],
  enum: () => [...others, "another", 123_456],
  not: () => others,
  minLength: (least: number, text: string) => [text.slice(0, Math.max(0, least - 1))],
  maxLength: (most: number, text: string) => [text.padEnd(most + 1, "a")],
  pattern: (_: string, text: string) => [`§${text}`, `${text}§`, "§", ""],
  minimum: (least: number) => [least - 1],
  exclusiveMinimum: (bound: number) => [bound, bound - 1],
  maximum: (most: number) => [most + 1],
  exclusiveMaximum: (bound: number) => [bound, bound + 1],
  multipleOf: (factor: number, value: number) => [value + factor / 2, value + 1, value + factor],
  minItems: (least: number, list: unknown[]) => [list.slice(0, Math.max(0, least - 1))],
  maxItems: (most: number, list: unknown[]) => [
    [...list, ...Array.from({ length: most + 1 }, () => list[0] ?? "a")].slice(0, most + 1),
  ],
  // With `false` no item may follow those before.
  items: (_: unknown, list: unknown[], { prefixItems = [] }) => [
    [...list.slice(0, (prefixItems as unknown[]).length), MORE],
    ...others.map((other) => [...list.slice(0, (prefixItems as unknown[]).length), other]),
  ],
  prefixItems: (_: unknown, list: unknown[]) =>
    list.flatMap((_one, at) => others.map((other) => list.map((one, i) => (i === at ? other : one)))),
  required: (names: string[], fields: object) => names.map((name) => without(fields, name)),
  properties: (_: unknown, fields: object) =>
    Object.keys(fields).flatMap((name) => others.map((other) => ({ ...fields, [name]: other }))),
  patternProperties: (patterns: object, fields: object) =>
    Object.keys(patterns).flatMap((pattern) =>
      others.map((other) => ({ ...fields, [pattern.replaceAll(/[\^$]/g, "")]: other })),
    ),
  additionalProperties: (_: unknown, fields: object) =>
    others.flatMap((other) => [
      { ...fields, [MORE]: other },
      { ...fields, more: other },
      ...Object.keys(fields).map((name) => ({ ...fields, [name]: other })),
    ]),
  unevaluatedProperties: (_: unknown, fields: object) => [{ ...fields, [MORE]: 1 }],
  propertyNames: (_: unknown, fields: object) => {
    const [first = "a"] = Object.values(fields);
    return [{ ...fields, [MORE]: first }, { [MORE]: "a" }, { [MORE]: 1 }, { [MORE]: null }];
  },
  anyOf: () => others,
  oneOf: (_: unknown, value: unknown) => [
    ...others,
    ...(isFields(value) ? Object.keys(value).map((name) => without(value, name)) : []),
  ],
  allOf: (_: unknown, value: unknown) => [
    ...others,
    ...(isFields(value) ? Object.keys(value).map((name) => without(value, name)) : []),
    ...(typeof value === "string" ? [`§${value}`, `${value}§`] : []),
    ...(typeof value === "number" ? [value + 1, value + 0.5] : []),
  ],
};

/** Values that differ a little. */
function neighbours(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return [[...value, MORE], [...value, value[0] ?? MORE], value.slice(1)];
  if (isFields(value))
    return [{ ...value, [MORE]: MORE }, ...Object.keys(value).map((name) => without(value, name))];
  if (typeof value === "string") return [`${value}a`, value.slice(1)];
  return typeof value === "number" ? [value + 1, value - 1, value + 0.5, -value] : [];
}

/** What says nothing about whether a value fits. */
const ANNOTATIONS = new Set(
  "title description default example examples deprecated discriminator format contentEncoding contentMediaType $ref $comment readOnly writeOnly".split(
    " ",
  ),
);

/** Which type of value a keyword speaks of. */
const holds: Readonly<Record<string, (value: unknown) => boolean>> = {
  ...Object.fromEntries(
    ["minLength", "maxLength", "pattern"].map((k) => [k, (v: unknown) => typeof v === "string"]),
  ),
  ...Object.fromEntries(
    ["minimum", "exclusiveMinimum", "maximum", "exclusiveMaximum", "multipleOf"].map((k) => [
      k,
      (v: unknown) => typeof v === "number",
    ]),
  ),
  ...Object.fromEntries(["minItems", "maxItems", "items", "prefixItems"].map((k) => [k, Array.isArray])),
  ...Object.fromEntries(
    "required properties patternProperties additionalProperties unevaluatedProperties propertyNames"
      .split(" ")
      .map((k) => [k, isFields]),
  ),
};

/** Each keyword of a description with values that break it, put into the whole value. */
class Breaker {
  readonly places = new Set<string>();
  readonly #components: Described["components"];
  /** Components that are open around a place. */
  readonly #open: string[] = [];

  constructor({ components }: Described) {
    this.#components = components;
  }

  *of(json: Json, value: unknown, put: (value: unknown) => unknown, at = "#"): Generator<Broken> {
    const { $ref } = json;
    if (typeof $ref === "string") {
      const name = $ref.replace("#/components/schemas/", "");
      if (this.#open.includes(name)) return;
      this.#open.push(name);
      yield* this.of(this.#components[name] as Json, value, put, `#${name}`);
      this.#open.pop();
    }
    for (const [keyword, said] of Object.entries(json)) {
      if (ANNOTATIONS.has(keyword) || keyword.startsWith("x-")) continue;
      const breaks = breaking[keyword];
      if (breaks === undefined) throw new Error(`nobody breaks ${keyword} yet`);
      // Everything beside is let through.
      if (said === true || (isFields(said) && Object.keys(said).length === 0 && keyword !== "not")) continue;
      if (keyword !== "items" || said === false || Array.isArray(value)) this.places.add(`${at} ${keyword}`);
      if (holds[keyword]?.(value) === false) continue;
      for (const broken of breaks(said as never, value as never, json))
        yield [`${at} ${keyword}`, put(broken)];
    }
    // What no keyword speaks of must be as the schema has it, too.
    for (const other of neighbours(value)) yield [`${at} ~`, put(other)];
    yield* this.#inside(json, value, put, at);
  }

  *#inside(json: Json, value: unknown, put: (value: unknown) => unknown, at: string): Generator<Broken> {
    const { properties, items, prefixItems, additionalProperties, allOf } = json;
    if (isFields(value)) {
      const named = isFields(properties) ? properties : {};
      for (const [name, held] of Object.entries(value)) {
        const inner = Object.hasOwn(named, name) ? named[name] : additionalProperties;
        const where = Object.hasOwn(named, name) ? `${at}/${name}` : `${at}/*`;
        if (isFields(inner)) yield* this.of(inner, held, (one) => put({ ...value, [name]: one }), where);
      }
    }
    if (Array.isArray(value)) {
      const first = Array.isArray(prefixItems) ? prefixItems : [];
      for (const [i, held] of value.entries()) {
        const inner: unknown = first[i] ?? items;
        const set = (one: unknown) => put(value.map((old: unknown, at) => (at === i ? one : old)));
        if (isFields(inner)) yield* this.of(inner, held, set, `${at}/${first[i] === undefined ? "[]" : i}`);
      }
    }
    // Every part of a whole is to be held to.
    for (const [i, part] of (Array.isArray(allOf) ? allOf : []).entries())
      yield* this.of(part as Json, value, put, `${at}&${i}`);
  }
}

function takerOf(schema: AnySchema): (value: unknown) => Promise<boolean> {
  const reader = readerOf(schema);
  const decode = reader.wireDecoder();
  const validate = reader.bodyValidator();
  return async (value) => {
    try {
      return (await validate(decode === undefined ? value : decode(value))).ok;
    } catch {
      return false;
    }
  };
}

/** Schemas that the kinds have no example of, for keywords that only they write. */
const more: readonly (readonly [string, () => AnySchema])[] = [
  ["bounds of a number", () => z.number().min(-2).max(5)],
  ["two factors", () => z.int().multipleOf(2).multipleOf(3)],
  ["a list of at least two and at most three", () => z.array(z.int()).min(2).max(3)],
  ["a tuple of three kinds", () => z.tuple([z.string(), z.int(), z.boolean()])],
  [
    "a discriminated union of strict variants",
    () =>
      z.discriminatedUnion("t", [
        z.strictObject({ t: z.literal("a"), n: z.int() }),
        z.strictObject({ t: z.literal("b"), s: z.string() }),
      ]),
  ],
  [
    "a tree with bounds",
    () => {
      const Node = z.strictObject({
        name: z.string().min(1).max(5),
        get kids() {
          return z.array(Node).max(2);
        },
      });
      return Node;
    },
  ],
  ["a loose record of names", () => z.looseRecord(z.enum(["a", "b"]), z.number())],
  [
    "strict sides with a field in common",
    () => z.intersection(z.strictObject({ a: z.string() }), z.strictObject({ a: z.string(), b: z.string() })),
  ],
  ["never in a field", () => z.object({ a: z.never().optional(), b: z.int() })],
];

const values: readonly unknown[] = [
  ...wireValues,
  6,
  [1, 2],
  ["a", 1, true],
  { t: "a", n: 1 },
  { t: "b", s: "x" },
  { name: "ab", kids: [{ name: "c", kids: [] }] },
  { b: 1 },
  { a: 1, b: 2 },
];

/** Where a value that breaks a keyword in one place may fit elsewhere: a union's other variant, a second type. */
const MOST = 4;

async function hold(schema: AnySchema, isWider: boolean): Promise<void> {
  const whole = described(schema);
  const accepts = ajv.compile({ ...whole.json, components: { schemas: whole.components } });
  const takes = takerOf(schema);
  const breaker = new Breaker(whole);
  const broken = new Set<string>();
  const faults: unknown[] = [];
  let used = 0;
  for (const value of values) {
    if (accepts(value) !== true || !(await takes(value))) continue;
    // All types of values: a choice takes several.
    if (used++ > MOST * 4) break;
    for (const [place, wrong] of breaker.of(whole.json, value, (one) => one)) {
      const allowed = accepts(wrong) === true;
      if (broken.has(place) && used > MOST) continue;
      const taken = await takes(wrong);
      if (taken && !allowed) faults.push([place, "the schema takes", wrong]);
      if (allowed && !taken && !isWider) faults.push([place, "the document allows", wrong]);
      if (!allowed && !taken) broken.add(place);
    }
  }
  expect(faults).toEqual([]);
  expect(used).toBeGreaterThan(0);
  // Nothing that is written says nothing.
  expect([...breaker.places].filter((place) => !broken.has(place))).toEqual([]);
}

describe.each([
  ["Zod 4", kinds, wrappers],
  ["Zod 3", kindsZod3, wrappersZod3],
] as const)("each keyword of %s", (_, allKinds, allWrappers) => {
  // A Zod 3 schema is not a Zod 4 schema to the compiler; both are one here.
  const cases = allKinds as readonly Kind[];
  const wraps = allWrappers as typeof wrappers;

  test.each(cases.map((kind, i) => [kind.name, kind, i] as const))("%s", async (_, kind, i) => {
    await hold(kind.make(), kind.isWider === true);
    // Each wrapper has some of the kinds, and each kind two of them.
    for (const wrapper of [wraps[i % wraps.length], wraps[(i * 5 + 3) % wraps.length]])
      await hold((wrapper as (typeof wrappers)[number]).wrap(kind.make()), true);
  });
});

test.each(more)("each keyword of %s", async (_, make) => {
  await hold(make(), false);
});

/** Keywords that no value breaks, and those that others say as well: exactly what is written. */
test.each<readonly [string, () => AnySchema, Json]>([
  [
    "a map",
    () => z.map(z.string(), z.int()),
    {
      type: "array",
      items: {
        type: "array",
        prefixItems: [{ type: "string" }, { type: "integer" }],
        items: false,
        minItems: 2,
        maxItems: 2,
      },
    },
  ],
  [
    "a map of Zod 3",
    () => z3.map(z3.string(), z3.number()),
    {
      type: "array",
      items: {
        type: "array",
        prefixItems: [{ type: "string" }, { type: "number" }],
        items: false,
        minItems: 2,
        maxItems: 2,
      },
    },
  ],
  ["a file of one type", () => z.file().mime("image/png"), { type: "string", contentMediaType: "image/png" }],
  [
    "a file of two types",
    () => z.file().mime(["image/png", "image/gif"]),
    {
      type: "string",
      anyOf: [{ contentMediaType: "image/png" }, { contentMediaType: "image/gif" }],
    },
  ],
  ["any file", () => z.file(), { type: "string" }],
  ["bytes", () => z.instanceof(Uint8Array), { type: "string", contentEncoding: "base64" }],
  ["a date", () => z.date(), { type: "string", format: "date-time" }],
  ["a date of Zod 3", () => z3.date(), { type: "string", format: "date-time" }],
  ["a bigint", () => z.bigint(), { type: "string", pattern: "^-?\\d+$" }],
  ["a bigint of Zod 3", () => z3.bigint(), { type: "string", pattern: "^-?\\d+$" }],
  ["int32", () => z.int32(), { type: "integer", format: "int32" }],
  ["uint32", () => z.uint32(), { type: "integer", minimum: 0, maximum: 4294967295 }],
  [
    "float32",
    () => z.float32(),
    {
      type: "number",
      format: "float",
    },
  ],
  ["float64", () => z.float64(), { type: "number", format: "double" }],
  ["an integer", () => z.int(), { type: "integer" }],
  ["a literal", () => z.literal(5), { type: "number", const: 5 }],
  ["an enum of one", () => z.enum(["a"]), { type: "string", enum: ["a"] }],
  ["a default", () => z.string().default("x"), { type: "string", default: "x" }],
  [
    "a loose record of names",
    () => z.looseRecord(z.enum(["a"]), z.number()),
    {
      type: "object",
      properties: { a: { type: "number" } },
      required: ["a"],
      additionalProperties: true,
    },
  ],
])("what is written of %s", (_, make, json) => {
  expect(described(make()).json).toEqual(json);
});
