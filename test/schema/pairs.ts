/** Random schemas, each with values of which about half fit: what a compiled schema is held against Zod by. */
import * as fc from "fast-check";
import { z } from "zod";

/** A schema, and values for it. */
export interface Pair {
  readonly schema: z.ZodType;
  readonly values: fc.Arbitrary<unknown>;
}

const Level = { low: 0, high: 1, 0: "low", 1: "high" } as const;

class Point {
  readonly x: unknown;
  constructor(x: unknown) {
    this.x = x;
  }
  get a(): unknown {
    return this.x;
  }
}

/** Names that reach a prototype, look like indexes, or are ordinary. */
const names = [
  "a",
  "b",
  "kind",
  "0",
  "constructor",
  "toString",
  "__proto__",
  "hasOwnProperty",
  'é\u2028"\\',
  "",
];
const name = fc.constantFrom(...names);
const shapeName = fc.constantFrom(...names.filter((one) => one !== "__proto__"));

const text = fc.oneof(
  fc.constantFrom(
    "",
    "a",
    "abc",
    " a ",
    "A",
    "1",
    "true",
    "x@example.org",
    "2024-02-29T12:00:00Z",
    "😀",
    "\ud800",
  ),
  fc.string({ maxLength: 5 }),
);
const number = fc.oneof(
  fc.constantFrom(0, -0, 1, 5, -1, 0.5, 2 ** 31, 2 ** 53, Number.NaN, Number.POSITIVE_INFINITY),
  fc.integer(),
  fc.double(),
);
const bigint = fc.oneof(fc.constantFrom(0n, 7n, -1n, 2n ** 63n), fc.bigInt());
const date = fc.oneof(fc.date(), fc.constant(new Date(Number.NaN)));

/** Anything: what a program can hold, with keys and prototypes that are chosen to mislead. */
const anything: fc.Arbitrary<unknown> = fc.letrec((tie) => ({
  any: fc.oneof(
    { maxDepth: 2, depthSize: "small" },
    fc.constantFrom(null, undefined, true, false, Symbol.iterator, Math.max),
    text,
    number,
    bigint,
    date,
    fc.constant(new Uint8Array([1, 2])),
    fc.array(tie("any"), { maxLength: 3 }),
    fc.array(tie("any"), { maxLength: 2 }).map((items) => new Set(items)),
    fc.array(fc.tuple(tie("any"), tie("any")), { maxLength: 2 }).map((pairs) => new Map(pairs)),
    fc.dictionary(name, tie("any"), { maxKeys: 3 }),
    tie("any").map((value) => new Point(value)),
    tie("any").map((value) => Object.create({ a: value, b: value, kind: "a" })),
    tie("any").map((value) =>
      JSON.parse(`{"__proto__":${JSON.stringify(value ?? null, asJson) ?? null},"a":"a"}`),
    ),
    tie("any").map((value) => Object.defineProperty({}, "a", { get: () => value, enumerable: true })),
    tie("any").map((value) => Object.defineProperty({ b: 1 }, "a", { value, enumerable: false })),
    tie("any").map((value) => ({ a: value, [Symbol.for("s")]: 1 })),
    tie("any").map((value) => Object.freeze({ a: value, b: value })),
    // A hole, and a property that is not an item.
    tie("any").map((value) => Object.assign(Array(3), { 0: value, 2: value, a: 1 })),
  ),
})).any;

function asJson(_: string, value: unknown): unknown {
  return typeof value === "bigint" || typeof value === "symbol" ? "x" : value;
}

const leaf = (schema: () => z.ZodType, ...values: readonly fc.Arbitrary<unknown>[]) =>
  fc
    .constant(null)
    .map((): Pair => ({ schema: schema(), values: fc.oneof(...values, ...values, ...values, anything) }));

const leaves: readonly fc.Arbitrary<Pair>[] = [
  leaf(() => z.string(), text),
  leaf(() => z.string().min(1).max(3), text),
  leaf(() => z.string().length(1), text),
  leaf(() => z.string().trim().toLowerCase().min(1), text),
  leaf(() => z.string().regex(/^a/g), text),
  leaf(() => z.string().regex(/^a/).regex(/c$/), text),
  leaf(() => z.string().startsWith("a").includes("b").endsWith("c"), fc.constantFrom("abc", "ab", "aXbXc")),
  leaf(() => z.email(), text),
  leaf(() => z.string().email().max(20), text),
  leaf(() => z.uuid(), fc.uuid(), text),
  leaf(() => z.url(), fc.webUrl(), text, fc.constantFrom(" https://a.b/c ", "http:a.b")),
  leaf(() => z.httpUrl(), fc.webUrl(), text),
  leaf(() => z.ipv4(), fc.ipV4(), text),
  leaf(() => z.ipv6(), fc.ipV6(), text),
  leaf(() => z.base64(), fc.base64String(), text),
  leaf(
    () => z.iso.datetime(),
    text,
    fc.date({ noInvalidDate: true }).map((one) => one.toISOString()),
  ),
  leaf(() => z.iso.date(), fc.constantFrom("2024-02-29", "2023-02-29")),
  leaf(() => z.coerce.number(), number, text, date),
  leaf(() => z.coerce.string(), anything),
  leaf(() => z.coerce.date(), date, text),
  leaf(() => z.number(), number),
  leaf(() => z.number().gt(0).lte(10), number),
  leaf(
    () => z.number().multipleOf(0.1),
    number,
    fc.integer().map((one) => one / 10),
  ),
  leaf(() => z.int(), number),
  leaf(() => z.int().min(0).max(5), number),
  leaf(() => z.int32(), number),
  leaf(() => z.uint32(), number),
  leaf(() => z.float32(), number),
  leaf(() => z.nan(), number),
  leaf(() => z.boolean(), fc.boolean()),
  leaf(() => z.bigint(), bigint),
  leaf(() => z.int64().min(0n), bigint),
  leaf(() => z.bigint().multipleOf(7n), bigint),
  leaf(() => z.date(), date),
  leaf(() => z.date().min(new Date(0)), date),
  leaf(() => z.null(), fc.constant(null)),
  leaf(() => z.undefined(), fc.constant(undefined)),
  leaf(() => z.void(), fc.constant(undefined)),
  leaf(() => z.symbol(), fc.constant(Symbol.iterator)),
  leaf(() => z.any(), anything),
  leaf(() => z.unknown(), anything),
  leaf(() => z.never(), anything),
  leaf(() => z.enum(["a", "abc", "__proto__"]), text),
  leaf(() => z.enum(Level), fc.constantFrom(0, 1, 2, "low")),
  leaf(() => z.literal("a"), text),
  leaf(
    () => z.literal(["a", 1, null, true, undefined, 7n]),
    text,
    number,
    fc.constantFrom(null, undefined, 7n),
  ),
  leaf(() => z.literal(0), number),
  leaf(() => z.templateLiteral(["a", z.int()]), fc.constantFrom("a1", "a", "a1.5")),
  leaf(() => z.instanceof(Uint8Array), fc.constant(new Uint8Array([3]))),
  leaf(() => z.stringbool(), fc.constantFrom("true", "no", "maybe")),
  leaf(() => z.json(), fc.jsonValue()),
  leaf(() => z.string().refine((one) => one.length < 3), text),
  leaf(() => z.string().transform((one) => one.length), text),
  leaf(() => z.custom<string>((one) => one === "a"), text),
  leaf(() => z.string().overwrite((one) => `${one}!`), text),
  leaf(() => z.stringFormat("word", (one) => one.length > 1), text),
  leaf(
    () =>
      z.codec(z.iso.datetime(), z.date(), {
        decode: (one) => new Date(one),
        encode: (one) => one.toISOString(),
      }),
    fc.date({ noInvalidDate: true }).map((one) => one.toISOString()),
  ),
];

/** One schema around another. */
type Wrap = (inner: Pair) => Pair;

const same =
  (wrap: (schema: z.ZodType) => z.ZodType, ...more: readonly fc.Arbitrary<unknown>[]): Wrap =>
  ({ schema, values }) => ({ schema: wrap(schema), values: fc.oneof(values, values, ...more) });
const absent = fc.constant(undefined);

const wraps: readonly Wrap[] = [
  same((s) => s.optional(), absent),
  same((s) => s.nullable(), fc.constant(null)),
  same((s) => s.nullish(), absent),
  same((s) => z.exactOptional(s), absent),
  same((s) => z.nonoptional(s.optional()), absent),
  same((s) => s.default({ a: "made" }), absent),
  same((s) => s.default(() => ["made"]), absent),
  same((s) => s.prefault("a"), absent),
  same((s) => s.catch("caught"), anything),
  same((s) => s.catch(() => ({})), anything),
  same((s) => s.readonly()),
  same((s) => s.brand("b")),
  same((s) => s.describe("words")),
  same((s) => s.pipe(z.any())),
  same((s) => z.lazy(() => s)),
  same((s) => s.refine(() => true)),
  ({ schema, values }) => ({
    schema: z.array(schema).max(3),
    values: some(fc.array(values, { maxLength: 4 })),
  }),
  ({ schema, values }) => ({
    schema: z.set(schema),
    values: some(fc.array(values, { maxLength: 3 }).map((v) => new Set(v))),
  }),
  ({ schema, values }) => ({
    schema: z.record(z.string(), schema),
    values: some(fc.dictionary(name, values, { maxKeys: 3 })),
  }),
  ({ schema, values }) => ({
    schema: z.record(z.enum(["a", "b"]), schema),
    values: some(fc.record({ a: values, b: values })),
  }),
  ({ schema, values }) => ({
    schema: z.partialRecord(z.enum(["a", "b"]), schema),
    values: some(fc.dictionary(fc.constantFrom("a", "b", "c"), values, { maxKeys: 2 })),
  }),
  ({ schema, values }) => ({
    schema: z.looseRecord(z.string().regex(/^a/), schema),
    values: some(fc.dictionary(name, values, { maxKeys: 3 })),
  }),
  ({ schema, values }) => ({
    schema: z.record(z.number(), schema),
    values: some(fc.dictionary(fc.constantFrom("0", "1.5", "x"), values, { maxKeys: 2 })),
  }),
  ({ schema, values }) => ({
    schema: z.map(z.string(), schema),
    values: some(fc.array(fc.tuple(text, values), { maxLength: 2 }).map((v) => new Map(v))),
  }),
  ({ schema, values }) => ({
    schema: z.tuple([z.string(), schema.optional()]).rest(schema),
    values: some(
      fc.tuple(text, values).chain((v) => fc.array(values, { maxLength: 2 }).map((w) => [...v, ...w])),
    ),
  }),
  ({ schema, values }) => ({
    schema: z.intersection(z.object({ a: schema }), z.object({ b: schema.optional() })),
    values: some(fc.record({ a: values, b: values }, { requiredKeys: ["a"] })),
  }),
  ({ schema, values }) => {
    const tree: z.ZodType = z.object({
      a: schema,
      get b() {
        return z.array(tree).optional();
      },
    });
    return { schema: tree, values: some(values.chain((v) => fc.constant({ a: v, b: [{ a: v }] }))) };
  },
];

function some(values: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> {
  return fc.oneof(values, values, values, values, anything);
}

function objectOf(
  make: (shape: Record<string, z.ZodType>) => z.ZodType,
  fields: readonly [string, Pair][],
): Pair {
  const shape = Object.fromEntries(fields.map(([key, { schema }]) => [key, schema]));
  const parts = Object.fromEntries(fields.map(([key, { values }]) => [key, values]));
  const whole = fc.record(parts, { noNullPrototype: false });
  const partial = fc.record(parts, { requiredKeys: [], noNullPrototype: true });
  const more = fc
    .tuple(whole, fc.dictionary(name, anything, { maxKeys: 2 }))
    .map(([a, b]) => ({ ...b, ...a }));
  return { schema: make(shape), values: fc.oneof(whole, whole, whole, partial, more, anything) };
}

const objects: readonly ((shape: Record<string, z.ZodType>) => z.ZodType)[] = [
  (shape) => z.object(shape),
  (shape) => z.object(shape),
  (shape) => z.object(shape).partial(),
  (shape) => z.strictObject(shape),
  (shape) => z.looseObject(shape),
  (shape) => z.object(shape).catchall(z.string()),
];

/** Random pairs: every kind, in every wrapper, in objects, lists, unions and discriminated unions. */
export const pairs: fc.Arbitrary<Pair> = fc.letrec<{ pair: Pair }>((tie) => {
  const inner = tie("pair");
  return {
    pair: fc.oneof(
      { maxDepth: 4, depthSize: "small", withCrossShrink: true },
      fc.oneof(...leaves),
      fc.tuple(fc.constantFrom(...wraps), inner).map(([wrap, one]) => wrap(one)),
      fc
        .tuple(
          fc.constantFrom(...objects),
          fc.uniqueArray(fc.tuple(shapeName, inner), { selector: ([key]) => key, maxLength: 4 }),
        )
        .map(([make, fields]) => objectOf(make, fields)),
      fc.array(inner, { minLength: 1, maxLength: 3 }).map((all) => ({
        schema: z.union(all.map(({ schema }) => schema) as [z.ZodType]),
        values: fc.oneof(...all.map(({ values }) => values)),
      })),
      fc.tuple(inner, inner).map(([one, other]) => {
        const parts = [objectOf(tagged("a"), [["b", one]]), objectOf(tagged("b"), [["a", other]])];
        const values = parts.map((part, i) =>
          part.values.map((value) =>
            typeof value === "object" && value !== null && !Array.isArray(value)
              ? { ...value, kind: i === 0 ? "a" : "b" }
              : value,
          ),
        );
        return {
          schema: z.discriminatedUnion("kind", parts.map(({ schema }) => schema) as never),
          values: fc.oneof(...values),
        };
      }),
    ),
  };
}).pair;

const tagged = (tag: string) => (shape: Record<string, z.ZodType>) =>
  z.object({ kind: z.literal(tag), ...shape });
