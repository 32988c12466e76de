/** Long lists of what is wrong: refused quickly, and otherwise as Zod itself judges them. */
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { floodSafeValidator } from "../../src/schema/flood.js";
import { toFields } from "../../src/schema/issues.js";
import { validator } from "../../src/schema/validate.js";
import { wireDecoder } from "../../src/schema/wire-decode.js";
import { expectBelow, expectMoment, stopwatch } from "../stopwatch.js";
import { kinds, wireValue, wrappers } from "./kinds.js";

type Tree = { name: string; kids: Tree[] };
const tree: z.ZodType<Tree> = z.lazy(() => z.object({ name: z.string(), kids: z.array(tree) }));

const item = z.object({ a: z.string(), b: z.int() });
const many = <T>(length: number, of: (i: number) => T) => Array.from({ length }, (_, i) => of(i));
const byKey = (length: number, value: unknown) => Object.fromEntries(many(length, (i) => [`k${i}`, value]));

const hostile: readonly (readonly [name: string, schema: z.ZodType, value: unknown])[] = [
  ["scalars", z.array(z.string()), many(500_000, () => 1)],
  ["objects", z.array(item), many(100_000, () => ({}))],
  ["after good ones", z.array(z.string()), [...many(1_000, () => "a"), ...many(400_000, () => 1)]],
  ["in an object", z.object({ list: z.array(item).optional() }), { list: many(100_000, () => ({})) }],
  ["lists of lists", z.array(z.array(z.string())), many(1_000, () => many(400, () => 1))],
  ["a record", z.record(z.string(), z.int()), byKey(50_000, "a")],
  [
    "a record of lists",
    z.record(z.string(), z.array(z.int())),
    byKey(
      10_000,
      many(10, () => "a"),
    ),
  ],
  ["a set", z.set(z.int()), many(200_000, (i) => `x${i}`)],
  ["a map", z.map(z.string(), z.int()), many(100_000, (i) => [`x${i}`, "y"])],
  ["a tuple with a rest", z.tuple([z.string()]).rest(z.int()), many(300_000, () => "a")],
  ["a catchall", z.object({}).catchall(z.int()), byKey(50_000, "a")],
  ["a union", z.union([z.array(z.string()), z.array(z.boolean())]), many(400_000, () => 1)],
  ["a union in a list", z.array(z.union([z.string(), item])), many(200_000, () => 1)],
  [
    "an intersection",
    z.intersection(z.object({ l: z.array(item) }), z.object({ m: z.int() })),
    { l: many(100_000, () => ({})) },
  ],
  ["a pipe", z.array(z.string()).pipe(z.array(z.email())), many(300_000, () => 1)],
  ["a refined list", z.object({ l: z.array(item) }).refine(() => true), { l: many(100_000, () => ({})) }],
  ["a recursive schema", tree, { name: "a", kids: many(100_000, () => ({ name: 1, kids: [] })) }],
  [
    "deep in a recursive schema",
    tree,
    { name: "a", kids: many(300, () => ({ name: "b", kids: many(300, () => ({})) })) },
  ],
];

describe("a flood of failures", () => {
  test.each(hostile)("of %s is refused in a moment", async (_, schema, value) => {
    const validate = floodSafeValidator(schema);
    const decoded = wireDecoder(schema)?.(value) ?? value;
    // Zod alone collects every issue.
    const result = await expectMoment(
      () => validate(decoded),
      () => schema.safeParse(decoded),
    );
    expect(result.ok).toBe(false);
    const issues = result.ok ? [] : result.issues;
    expect(issues.length).toBeLessThan(500);
    const isChoice = schema instanceof z.ZodUnion;
    expect(toFields(issues)).toHaveLength(isChoice ? 1 : 50);
  });

  test("names the first of them by their paths", async () => {
    const validate = floodSafeValidator(
      z.object({ list: z.array(item), record: z.record(z.string(), z.int()) }),
    );
    const result = await validate({ list: [{ a: "a", b: 1 }, {}], record: byKey(2_000, "a") });
    expect(result.ok ? [] : toFields(result.issues).slice(0, 4)).toMatchObject([
      { field: "list.1.a" },
      { field: "list.1.b" },
      { field: "record.k0" },
      { field: "record.k1" },
    ]);
  });

  test("of one variant lets another one pass, and a failed one is never taken", async () => {
    const choice = z.union([z.array(z.string()), z.array(z.int())]);
    const validate = floodSafeValidator(z.object({ a: choice, b: choice.catch([7]) }));
    const ints = many(2_000, (i) => i);
    expect(await validate({ a: ints, b: ints })).toEqual({ ok: true, value: { a: ints, b: ints } });
    expect(await validate({ a: ints, b: [...ints, "a"] })).toEqual({ ok: true, value: { a: ints, b: [7] } });
    expect(await validate({ a: [...ints, "a"], b: ints })).toMatchObject({ ok: false });
    const loose = z.union([z.looseRecord(z.string().regex(/^x/), z.int()), z.null()]);
    const others = byKey(2_000, "a");
    const judge = floodSafeValidator(loose);
    expect(await judge(others)).toEqual({ ok: true, value: others });
    expect(await judge({ ...others, x: "a" })).toMatchObject({ ok: false });
  });
});

describe("a valid body", () => {
  test("is validated once, however long its lists are", async () => {
    for (const length of [10, 1_000, 1_001, 20_000]) {
      let count = 0;
      const counted = z.string().refine(() => {
        count++;
        return true;
      });
      const value = { list: many(length, () => "a"), more: [many(length, () => "b")] };
      const schema = z.object({ list: z.array(counted), more: z.array(z.array(counted)) });
      expect(await floodSafeValidator(schema)(value)).toEqual({ ok: true, value });
      expect(count).toBe(2 * length);
    }
  });

  test("costs little more than Zod takes for it", async () => {
    const schema = z.object({
      list: z.array(z.object({ id: z.int(), name: z.string(), tags: z.array(z.string()) })),
    });
    const value = { list: many(2_000, (id) => ({ id, name: "a", tags: ["x", "y"] })) };
    const [ours, zods] = [floodSafeValidator(schema), validator(schema)];
    const time = (validate: (value: unknown) => unknown) => {
      const elapsed = stopwatch();
      for (let i = 0; i < 10; i++) validate(value);
      return elapsed();
    };
    const least = (validate: (value: unknown) => unknown) => Math.min(...many(5, () => time(validate)));
    await expectBelow(1.5, () => least(ours) / least(zods));
  });

  test("has its defaults made anew each time", async () => {
    let n = 0;
    const schema = z.object({ list: z.array(z.int()).default(() => [++n]) });
    const validate = floodSafeValidator(schema);
    const [one, two] = [await validate({}), await validate({})];
    expect(one).not.toEqual(two);
  });
});

test("validates everything as Zod does, kinds in kinds", async () => {
  const schema = fc
    .tuple(fc.constantFrom(...kinds), fc.array(fc.constantFrom(...wrappers), { maxLength: 3 }))
    .map(([kind, wraps]) => wraps.reduce((inner, { wrap }) => wrap(inner), kind.make()));
  await fc.assert(
    fc.asyncProperty(
      schema,
      fc.array(wireValue, { minLength: 10, maxLength: 40 }),
      async (schema, values) => {
        const [ours, zods] = [floodSafeValidator(schema), validator(schema)];
        const decode = wireDecoder(schema) ?? ((value: unknown) => value);
        for (const value of values) {
          const judged = async (validate: typeof ours) => {
            try {
              const result = await validate(decode(structuredClone(value)));
              return result.ok ? result : { ok: false, fields: toFields(result.issues) };
            } catch (error) {
              // Zod cannot freeze bytes.
              return String(error);
            }
          };
          expect(await judged(ours)).toEqual(await judged(zods));
        }
      },
    ),
    { numRuns: 150 },
  );
});
