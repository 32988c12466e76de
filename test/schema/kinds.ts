/** Schemas of every kind, wrappers of every kind, and values as they travel, to hold a document against a server. */
import * as fc from "fast-check";
import { z } from "zod";
import { z as z3 } from "zod/v3";

export interface Kind {
  readonly name: string;
  readonly make: () => z.ZodType;
  /** Whether the document may accept more than the server: a rule that JSON Schema cannot say. */
  readonly isWider?: true;
}

// What TypeScript makes of `enum Level { low, high }`.
const Level = { low: 0, high: 1, 0: "low", 1: "high" } as const;

const isoDate = () =>
  z.codec(z.iso.datetime(), z.date(), {
    decode: (text) => new Date(text),
    encode: (date) => date.toISOString(),
  });

/** One of each. */
export const kinds: readonly Kind[] = [
  { name: "string", make: () => z.string() },
  { name: "string with limits", make: () => z.string().min(1).max(3) },
  { name: "pattern", make: () => z.string().regex(/^a/) },
  { name: "two patterns", make: () => z.string().regex(/^a/).regex(/c$/) },
  { name: "pattern with a flag", make: () => z.string().regex(/^a/i), isWider: true },
  { name: "email", make: () => z.email(), isWider: true },
  { name: "template", make: () => z.templateLiteral(["a", z.int()]), isWider: true },
  { name: "int", make: () => z.int(), isWider: true },
  { name: "int from 0 to 5", make: () => z.int().min(0).max(5) },
  { name: "int32", make: () => z.int32(), isWider: true },
  { name: "uint32", make: () => z.uint32() },
  { name: "number", make: () => z.number() },
  { name: "number above 0", make: () => z.number().gt(0).lt(10) },
  { name: "multiple", make: () => z.int().multipleOf(5).min(-1000).max(1000) },
  { name: "boolean", make: () => z.boolean() },
  { name: "null", make: () => z.null() },
  { name: "date", make: () => z.date(), isWider: true },
  { name: "bigint", make: () => z.bigint() },
  { name: "bytes", make: () => z.instanceof(Uint8Array), isWider: true },
  { name: "enum", make: () => z.enum(["a", "abc"]) },
  { name: "numeric enum", make: () => z.enum(Level) },
  { name: "literal", make: () => z.literal("a") },
  { name: "bigint literal", make: () => z.literal(5n) },
  { name: "literals", make: () => z.literal(["a", 1, null, true]) },
  { name: "any", make: () => z.any() },
  { name: "unknown", make: () => z.unknown() },
  { name: "json", make: () => z.json() },
  { name: "object", make: () => z.object({ a: z.string() }) },
  { name: "strict object", make: () => z.strictObject({ a: z.string().optional() }) },
  { name: "loose object", make: () => z.looseObject({ a: z.int() }), isWider: true },
  { name: "object with a catchall", make: () => z.object({}).catchall(z.string()) },
  { name: "array", make: () => z.array(z.string()).max(1) },
  { name: "array of what may be absent", make: () => z.array(z.string().optional()) },
  { name: "set", make: () => z.set(z.number()) },
  { name: "set of two", make: () => z.set(z.string()).min(2), isWider: true },
  { name: "map", make: () => z.map(z.string(), z.date()), isWider: true },
  { name: "record", make: () => z.record(z.string(), z.number()) },
  { name: "record by enum", make: () => z.record(z.enum(["a", "b"]), z.string()) },
  { name: "partial record", make: () => z.partialRecord(z.enum(["a", "b"]), z.string()) },
  { name: "loose record", make: () => z.looseRecord(z.string().regex(/^a/), z.number()) },
  { name: "record by number", make: () => z.record(z.number(), z.string()) },
  { name: "tuple", make: () => z.tuple([z.string(), z.number().optional()]) },
  { name: "tuple with a rest", make: () => z.tuple([z.string()]).rest(z.bigint()) },
  { name: "union", make: () => z.union([z.int().min(0).max(9), z.date(), z.literal(7n)]), isWider: true },
  {
    name: "exclusive union",
    make: () => z.xor([z.object({ a: z.string() }), z.object({ kind: z.string() })]),
    isWider: true,
  },
  {
    name: "discriminated union",
    make: () =>
      z.discriminatedUnion("kind", [
        z.object({ kind: z.literal("a"), at: z.date().optional() }),
        z.strictObject({ kind: z.literal(["b", "c"]) }),
      ]),
    isWider: true,
  },
  {
    name: "intersection",
    make: () => z.intersection(z.object({ a: z.string() }), z.object({ b: z.bigint().optional() })),
  },
  {
    name: "strict intersection",
    make: () =>
      z.intersection(z.strictObject({ a: z.string() }), z.strictObject({ b: z.string().optional() })),
  },
  {
    name: "half strict intersection",
    make: () => z.intersection(z.strictObject({ a: z.string() }), z.object({ b: z.string().optional() })),
  },
  { name: "codec", make: isoDate, isWider: true },
  { name: "stringbool", make: () => z.stringbool(), isWider: true },
  { name: "refined", make: () => z.string().refine((text) => text.length < 3), isWider: true },
  { name: "piped", make: () => z.string().pipe(z.string().max(1)), isWider: true },
  {
    name: "recursive",
    make: () => {
      const Tree = z.object({
        a: z.string(),
        get b() {
          return z.array(Tree).optional();
        },
      });
      return Tree;
    },
  },
  {
    name: "lazy record",
    make: () => {
      const record: z.ZodType = z.lazy(() => z.record(z.string(), record));
      return record;
    },
  },
  { name: "named", make: () => z.object({ a: z.int().min(0).max(99) }).meta({ id: "Named" }) },
];

/** What a schema can be put into. The second is a name of its own that it may be given. */
export const wrappers: readonly { readonly name: string; readonly wrap: (schema: z.ZodType) => z.ZodType }[] =
  [
    { name: "nullable", wrap: (s) => s.nullable() },
    { name: "optional", wrap: (s) => s.optional() },
    { name: "nullish", wrap: (s) => s.nullish() },
    { name: "nonoptional", wrap: (s) => z.nonoptional(s) },
    { name: "readonly", wrap: (s) => s.readonly() },
    { name: "described", wrap: (s) => s.describe("a word") },
    { name: "with an id", wrap: (s) => s.meta({ id: "Given" }) },
    { name: "branded", wrap: (s) => s.brand("b") },
    { name: "lazy", wrap: (s) => z.lazy(() => s) },
    { name: "refined", wrap: (s) => s.refine(() => true) },
    { name: "in an object", wrap: (s) => z.object({ a: s }) },
    { name: "in a strict object", wrap: (s) => z.strictObject({ a: s, b: s.optional() }) },
    { name: "in an array", wrap: (s) => z.array(s) },
    { name: "in a tuple", wrap: (s) => z.tuple([s]) },
    { name: "in a record", wrap: (s) => z.record(z.string(), s) },
    { name: "in a union", wrap: (s) => z.union([s, z.literal("x")]) },
    { name: "in a union with null", wrap: (s) => z.union([s, z.null()]) },
    { name: "in a map", wrap: (s) => z.map(z.string(), s) },
    { name: "in a set", wrap: (s) => z.set(s) },
    { name: "piped", wrap: (s) => s.pipe(z.any()) },
    { name: "catchall", wrap: (s) => z.object({}).catchall(s) },
  ];

/** The same of Zod 3. */
export const kindsZod3: readonly {
  readonly name: string;
  readonly make: () => z3.ZodTypeAny;
  readonly isWider?: true;
}[] = [
  { name: "string", make: () => z3.string() },
  { name: "string with limits", make: () => z3.string().min(1).max(3) },
  { name: "pattern", make: () => z3.string().regex(/^a/) },
  { name: "pattern with a flag", make: () => z3.string().regex(/^a/i), isWider: true },
  { name: "includes", make: () => z3.string().includes("b.").startsWith("a-").endsWith("c/") },
  { name: "int", make: () => z3.number().int().min(0).max(5) },
  { name: "number", make: () => z3.number().gt(0).lte(10) },
  { name: "boolean", make: () => z3.boolean() },
  { name: "null", make: () => z3.null() },
  { name: "date", make: () => z3.date(), isWider: true },
  { name: "bigint", make: () => z3.bigint() },
  { name: "enum", make: () => z3.enum(["a", "abc"]) },
  { name: "numeric enum", make: () => z3.nativeEnum(Level) },
  { name: "literal", make: () => z3.literal("a") },
  { name: "bigint literal", make: () => z3.literal(5n) },
  { name: "any", make: () => z3.any() },
  { name: "object", make: () => z3.object({ a: z3.string() }) },
  { name: "strict object", make: () => z3.object({ a: z3.string().optional() }).strict() },
  { name: "passthrough object", make: () => z3.object({ a: z3.string().optional() }).passthrough() },
  { name: "object with a catchall", make: () => z3.object({}).catchall(z3.string()) },
  { name: "array", make: () => z3.array(z3.string()).max(1) },
  { name: "set", make: () => z3.set(z3.number()) },
  { name: "set of two", make: () => z3.set(z3.string()).min(2), isWider: true },
  { name: "map", make: () => z3.map(z3.string(), z3.date()), isWider: true },
  { name: "record", make: () => z3.record(z3.number()) },
  { name: "tuple", make: () => z3.tuple([z3.string(), z3.bigint()]) },
  { name: "tuple with a rest", make: () => z3.tuple([z3.string()]).rest(z3.bigint()) },
  { name: "union", make: () => z3.union([z3.number().int(), z3.literal(7n), z3.null()]) },
  {
    name: "discriminated union",
    make: () =>
      z3.discriminatedUnion("kind", [
        z3.object({ kind: z3.literal("a"), at: z3.date().optional() }),
        z3.object({ kind: z3.enum(["b", "c"]) }).strict(),
      ]),
    isWider: true,
  },
  {
    name: "intersection",
    make: () => z3.intersection(z3.object({ a: z3.string() }), z3.object({ b: z3.bigint().optional() })),
  },
  { name: "refined", make: () => z3.string().refine((text) => text.length < 3), isWider: true },
];

export const wrappersZod3: readonly {
  readonly name: string;
  readonly wrap: (schema: z3.ZodTypeAny) => z3.ZodTypeAny;
}[] = [
  { name: "nullable", wrap: (s) => s.nullable() },
  { name: "optional", wrap: (s) => s.optional() },
  { name: "described", wrap: (s) => s.describe("a word") },
  { name: "branded", wrap: (s) => s.brand("b") },
  { name: "readonly", wrap: (s) => s.readonly() },
  { name: "lazy", wrap: (s) => z3.lazy(() => s) },
  { name: "refined", wrap: (s) => s.refine(() => true) },
  { name: "in an object", wrap: (s) => z3.object({ a: s }) },
  { name: "in an array", wrap: (s) => z3.array(s) },
  { name: "in a record", wrap: (s) => z3.record(s) },
  { name: "in a union", wrap: (s) => z3.union([s, z3.literal("x")]) },
  { name: "in a map", wrap: (s) => z3.map(z3.string(), s) },
];

const scalars: readonly unknown[] = [
  "",
  "a",
  "A",
  "abc",
  "abcd",
  "a1",
  "a-b.c/",
  "b",
  "x",
  "5",
  "-7",
  "true",
  "a@example.org",
  "2024-02-29T00:00:00.000Z",
  "AQID",
  0,
  1,
  5,
  -1,
  1.5,
  4294967295,
  4294967296,
  2 ** 53,
  1e300,
  true,
  false,
  null,
];

const samples: readonly unknown[] = [
  ...scalars,
  [],
  {},
  ["a"],
  ["a", "a"],
  ["a", "b"],
  ["a", 1],
  ["a", null],
  ["a", "7"],
  [1, 1],
  [["a", "2024-02-29T00:00:00.000Z"]],
  { a: "a" },
  { a: 5 },
  { a: 5, z: 1 },
  { a: "a", b: "5" },
  { a: "a", z: 1 },
  { a: "a", b: [{ a: "b" }] },
  { a: {} },
  { b: "b" },
  { ab: "x" },
  { "1": "x" },
  { kind: "a" },
  { kind: "a", at: "2024-02-29T00:00:00.000Z" },
  { kind: "b" },
  { kind: "b", z: 1 },
  { kind: "d" },
];

/** Values as they travel: those that some kind knows, and such in lists and objects. */
export const wireValues: readonly unknown[] = [
  ...samples,
  ...samples.map((value) => [value]),
  ...samples.map((value) => ({ a: value })),
  ...samples.map((value) => [["k", value]]),
];

/** Some of them, and some that nobody thought of. */
export const wireValue: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom(...wireValues),
  fc.jsonValue({ maxDepth: 2 }),
);
