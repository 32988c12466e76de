/** The work for a value grows with the value and with the schema, and no faster, whatever the schema tries. */
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { compiledParse, REFUSED } from "../../src/schema/compiled/parse.js";
import { MAX_FIELDS, toFields } from "../../src/schema/issues.js";
import { memoized, remembering } from "../../src/schema/memoized.js";
import { boundedWork, validateOutput, validator } from "../../src/schema/validate.js";
import { wireDecoder } from "../../src/schema/wire-decode.js";
import { wireEncoder } from "../../src/schema/wire-encode.js";
import { chanceOf } from "./recursive.js";
import { Visits } from "./visits.js";
import { visitsOfZod3, visitsOfZod4 } from "./visits-of.js";

const SCHEMAS = 25;
/** Intersections whose sides declare parts of a value as they are: their work grew with the square of its depth. */
const GREW = [2105, 2405];

describe("the visits of a random recursive schema", () => {
  test("are in proportion to a body of any depth: Zod 4", async () => {
    for (const seed of [...Array(SCHEMAS).keys(), ...GREW])
      expect(await visitsOfZod4(chanceOf(seed)), `schema ${seed}`).toBeLessThan(1);
  });

  test("are in proportion to a body of any depth: Zod 3", async () => {
    for (let seed = 0; seed < SCHEMAS; seed++)
      expect(await visitsOfZod3(chanceOf(seed)), `schema ${seed}`).toBeLessThan(1);
  });
});

describe("the visits of", () => {
  const deep = (levels: number, end: object = {}) => {
    let body: object = { op: "neg", ...end };
    for (let i = 0; i < levels; i++) body = { op: "neg", arg: body };
    return body;
  };
  const fields = () => ({ at: z.date().optional() });
  const expression = (join: (variants: [z.ZodObject, z.ZodObject]) => z.ZodType) => {
    const Add = z.object({
      op: z.literal("add"),
      ...fields(),
      get arg(): z.ZodType {
        return Either.optional();
      },
    });
    const Neg = z.object({
      op: z.literal("neg"),
      ...fields(),
      get arg(): z.ZodType {
        return Either.optional();
      },
    });
    const Either: z.ZodType = join([Add, Neg]);
    return Either;
  };
  const visited = (body: unknown, work: (value: unknown) => unknown): number => {
    const visits = new Visits(1_000_000);
    visits.countingZod4(() => work(visits.watched(body)));
    return visits.count;
  };

  test("a union of objects with dates double with its body", () => {
    const read = (value: unknown) => {
      const schema = expression(z.union);
      return validator(schema)(wireDecoder(schema)?.(value));
    };
    const half = visited(deep(95), read);
    expect(visited(deep(190), read)).toBeLessThan(2.2 * half);
    expect(half).toBeLessThan(100 * 100);
  });

  test("a discriminated union whose tag is unknown are those of a look at the tag", () => {
    const decode = (value: unknown) =>
      wireDecoder(expression((all) => z.discriminatedUnion("op", all)))?.(value);
    expect(visited({ ...deep(50), op: "?" }, decode)).toBeLessThan(10);
  });

  test.each(["left", "right"])(
    "an intersection inside of itself, whose %s declares a part of all below, double with its body",
    (side) => {
      const Chain = z.object({
        n: z.int(),
        get in(): z.ZodType {
          return Chain.optional();
        },
      });
      const Dated = z.object({
        at: z.date(),
        get in(): z.ZodType {
          return Both.optional();
        },
      });
      const Both: z.ZodType = side === "left" ? z.intersection(Chain, Dated) : z.intersection(Dated, Chain);
      const nested = (levels: number): object => ({
        n: levels,
        at: new Date(0),
        more: 1,
        ...(levels === 0 ? {} : { in: nested(levels - 1) }),
      });
      const write = (value: unknown) => wireEncoder(Both)?.(value);
      expect(visited(nested(200), write)).toBeLessThan(2.2 * visited(nested(100), write));
      const at = "1970-01-01T00:00:00.000Z";
      expect(write(nested(2))).toEqual({ n: 2, at, in: { n: 1, at, in: { n: 0, at } } });
    },
  );

  test.each(["left", "right"])(
    "an intersection inside of itself, whose %s takes all, double with its body",
    (side) => {
      const Named = z.object({ name: z.string(), in: z.any() });
      const Dated = z.object({
        at: z.date(),
        get in(): z.ZodType {
          return z.record(z.string(), Both);
        },
      });
      const Both: z.ZodType = side === "left" ? z.intersection(Named, Dated) : z.intersection(Dated, Named);
      const nested = (levels: number): object =>
        levels === 0
          ? { name: "last", at: "2024-02-29", in: {} }
          : { name: "n", at: "2024-02-29", in: { k: nested(levels - 1) }, more: 1 };
      const write = (value: unknown) => wireEncoder(Both)?.(value);
      expect(visited(nested(200), write)).toBeLessThan(2.2 * visited(nested(100), write));
      // The side that takes all keeps what is undeclared inside.
      expect(wireEncoder(Both)?.(nested(3))).toEqual({ ...nested(3), more: undefined });
    },
  );

  describe.each(["left", "right"])("an intersection inside of itself, to whose %s side", (side) => {
    const bothOf = (taking: z.ZodType) => {
      const Part = z.object({
        n: z.int(),
        get in(): z.ZodType {
          return Both.optional();
        },
      });
      const All = z.object({ n: z.int(), in: taking });
      const Both: z.ZodType = side === "left" ? z.intersection(All, Part) : z.intersection(Part, All);
      return Both;
    };
    const nested = (levels: number): object =>
      levels === 0 ? { n: 0, more: 1 } : { n: levels, in: nested(levels - 1), more: 1 };
    const runs = {
      reads: (schema: z.ZodType) => (value: unknown) => validator(schema)(value),
      writes: (schema: z.ZodType) => (value: unknown) =>
        boundedWork(schema, "backward")._zod.run({ value, issues: [] }, { direction: "backward" }),
    };

    test.each([
      ["all fits", "reads", z.any()],
      ["all fits", "writes", z.any()],
      ["nothing fits", "reads", z.date().optional()],
      ["nothing fits", "writes", z.date().optional()],
    ] as const)("%s, double with its body: %s", (_, run, taking) => {
      const work = (value: unknown) => runs[run](bothOf(taking))(value);
      expect(visited(nested(160), work)).toBeLessThan(2.2 * visited(nested(80), work));
    });
  });

  test("a schema that has one part in many places are no more than its parts", () => {
    const layered = (layers: number) => {
      let part: z.ZodType = z.object({ at: z.date().optional() });
      for (let i = 0; i < layers; i++) {
        const inner = part;
        const variant = (op: string) => z.object({ op: z.literal(op), arg: inner.optional() });
        part = z.union([variant("add"), variant("neg")]);
      }
      return part;
    };
    const read = (value: unknown) => {
      const schema = layered(40);
      expect(compiledParse(schema)(value)).toBe(REFUSED);
      return validator(schema)(wireDecoder(schema)?.(value));
    };
    expect(visited(deep(39), read)).toBeLessThan(40 * 100);
  });
});

test("what failed in a deep union is written in a few lines", async () => {
  const Leaf = z.object({ op: z.literal("leaf") });
  const Neg = z.object({
    op: z.literal("neg"),
    get arg(): z.ZodType {
      return z.union([Leaf, Neg, z.object({ arg: Neg })]);
    },
  });
  let value: object = { op: "?" };
  for (let i = 0; i < 40; i++) value = { op: "neg", arg: value };
  const failure = await validateOutput(Neg, value).catch((error: unknown) => error);
  expect(String(failure).length).toBeLessThan(5_000);
});

describe("the issues of a value that does not fit", () => {
  const both = () => {
    const Both: z.ZodType = z.lazy(() =>
      z.object({ a: Both.nullable(), b: z.string() }).and(z.object({ c: z.array(z.string()).optional() })),
    );
    return Both;
  };
  const either = () => {
    const Either: z.ZodType = z.lazy(() =>
      z.union([
        z.object({ a: Either, c: z.array(z.string()).optional() }),
        z.strictObject({ a: Either, b: z.string() }),
        z.null(),
      ]),
    );
    return Either;
  };
  const deep = (levels: number) => {
    let body: unknown = { a: null, c: Array(300).fill(1) };
    for (let i = 0; i < levels; i++) body = { a: body };
    return body;
  };
  /** The parts of all issues that each object and list of the schema gives. */
  const carried = (schema: () => z.ZodType, body: unknown): number => {
    const { memoizer } = z.config();
    let parts = 0;
    z.config({
      memoizer: {
        alloc: (_schema, _payload, empty) => empty,
        guard: () => {},
        attach: ({ _zod }) => {
          _zod.deferred ??= [];
          _zod.deferred.push(() => {
            const { parse } = _zod;
            _zod.run = _zod.parse = (payload, context) => {
              const result = parse(payload, context);
              if (!(result instanceof Promise))
                for (const { path = [] } of result.issues) parts += 1 + path.length;
              return result;
            };
          });
        },
      },
    });
    try {
      expect(validator(schema())(body)).toMatchObject({ ok: false });
    } finally {
      z.config({ memoizer });
    }
    return parts;
  };

  test.each([
    ["intersections", both],
    ["unions", either],
  ])("are in proportion to its depth: %s", (_, schema) => {
    const [few, more] = [carried(schema, deep(100)), carried(schema, deep(300))];
    expect(more / few).toBeLessThan(4);
  });

  test("are as many as an answer names, the first of them", async () => {
    const result = await validator(memoized(both()))(deep(3));
    const plain = both().safeParse(deep(3));
    expect(toFields(result.ok ? [] : result.issues)).toEqual(toFields(plain.error?.issues ?? []));
  });
});

test("whether a value passes is said by one issue, however many there are", () => {
  const many = z.array(z.string());
  const issuesOf = (most?: number) => {
    const { issues } = memoized(many)._zod.run(
      { value: Array(300).fill(1), issues: [] },
      remembering({ async: true }, most),
    ) as { issues: readonly unknown[] };
    return issues.length;
  };
  expect([issuesOf(1), issuesOf()]).toEqual([1, MAX_FIELDS]);
});

test("codecs inside a codec are run backwards once", () => {
  const day = z.codec(z.iso.datetime(), z.date(), {
    decode: (text) => new Date(text),
    encode: (date) => date.toISOString(),
  });
  const stay = z.codec(
    z.object({ from: day, nights: z.union([z.bigint(), day]) }),
    z.tuple([z.date(), z.union([z.bigint(), z.date()])]),
    {
      decode: ({ from, nights }): [Date, bigint | Date] => [from, nights],
      encode: ([from, nights]) => ({ from, nights }),
    },
  );
  const from = "2024-02-29T00:00:00.000Z";
  expect(wireEncoder(stay)?.([new Date(from), 3n])).toEqual({ from, nights: "3" });
  expect(wireEncoder(stay)?.([new Date(from), new Date(from)])).toEqual({ from, nights: from });
});

describe("an intersection whose sides give different values", () => {
  const schemas = [
    z.intersection(z.string().trim(), z.string()),
    z.object({ a: z.array(z.intersection(z.string().trim(), z.string())) }),
    z.intersection(
      z.string().trim(),
      z.string().refine(async () => true),
    ),
    z.union([z.intersection(z.string().trim(), z.string()), z.int()]),
  ];

  test.each(schemas.map((schema, i) => [i, schema] as const))("refuses them: %s", async (_, schema) => {
    const value = schema instanceof z.ZodObject ? { a: [" a"] } : " a";
    const result = await validator(schema)(value);
    expect(result.ok).toBe(false);
    expect(toFields(result.ok ? [] : result.issues)).toEqual([
      { field: "", message: expect.stringContaining("intersection") },
    ]);
  });
});

describe("an intersection that is run once for each value gives what Zod gives", () => {
  const day = () => new Date("2024-02-29");
  const both = (left: z.ZodType, right: z.ZodType) => z.intersection(left, right);
  const held = (value: unknown) => z.any().transform(() => value);
  const sides: Readonly<Record<string, readonly [z.ZodType, unknown]>> = {
    "fields of each side": [both(z.object({ a: z.int() }), z.object({ b: z.int() })), { a: 1, b: 2, c: 3 }],
    "fields of both": [
      both(z.object({ a: z.any() }), z.object({ a: z.object({ b: z.int() }) })),
      { a: { b: 1, c: 2 } },
    ],
    "lists of both": [both(z.array(z.any()), z.array(z.object({ a: z.int() }))), [{ a: 1, b: 2 }]],
    "lists that differ in length": [both(held([1]), held([1, 2])), []],
    "lists that differ inside": [both(held([{ a: 1 }]), held([{ a: 2 }])), []],
    "a list and fields": [both(held([]), held({})), []],
    "days that are one day": [both(held({ at: day() }), held({ at: day() })), {}],
    "days that differ": [both(held({ at: day() }), held({ at: new Date(0) })), {}],
    "instances of a class": [both(held(new URL("a:b")), held(new URL("a:b"))), {}],
    "null and an object": [both(held(null), held({})), {}],
    "the name of a prototype": [
      both(held(JSON.parse('{"__proto__":1,"a":1}')), held(JSON.parse('{"__proto__":2,"a":1}'))),
      {},
    ],
    "a side that does not fit": [both(z.object({ a: z.int() }), z.object({ b: z.int() })), { a: "x", b: 2 }],
    "sides that do not fit": [both(z.object({ a: z.int() }), z.object({ a: z.bigint() })), { a: "x" }],
    "sides that differ where one does not fit": [
      both(held({ a: 1 }), z.object({ a: z.int(), b: z.int() })),
      { a: 2 },
    ],
    "keys that one side refuses": [
      both(z.strictObject({ a: z.int() }), z.object({ b: z.int() })),
      { a: 1, b: 2 },
    ],
    "keys that both refuse": [
      both(z.strictObject({ a: z.int() }), z.strictObject({ a: z.int() })),
      { a: 1, b: 2 },
    ],
    "checks of its own": [
      both(z.object({ a: z.int() }), z.object({ b: z.int() })).refine(() => false, "no"),
      { a: 1, b: 2 },
    ],
    "overwritten by checks of its own": [
      both(z.object({ a: z.int() }), z.object({ b: z.int() })).overwrite((value) => ({
        ...(value as object),
        c: 3,
      })),
      { a: 1, b: 2 },
    ],
    "a side that waits": [
      both(z.object({ a: z.int().refine(async () => true) }), z.object({ b: z.int() })),
      { a: 1, b: 2 },
    ],
    "three sides": [
      both(
        both(z.object({ a: z.any() }), z.object({ a: z.any(), b: z.any() })),
        z.object({ a: z.object({}) }),
      ),
      { a: { c: 1 }, b: 1 },
    ],
  };
  const outcome = async (schema: z.ZodType, value: unknown, direction: "forward" | "backward") => {
    try {
      const { value: given, issues } = await schema._zod.run(
        { value, issues: [] },
        { async: true, direction },
      );
      const told = issues.map((issue) => ({
        code: issue.code,
        path: issue.path,
        message: issue.message,
        keys: "keys" in issue ? issue.keys : [],
      }));
      return issues.length > 0 ? { told } : { given };
    } catch (error) {
      return { thrown: error instanceof Error ? `${error.name}: ${error.message}` : error };
    }
  };

  test.each(Object.keys(sides).flatMap((name) => [[name, "forward"] as const, [name, "backward"] as const]))(
    "%s, %s",
    async (name, direction) => {
      const [schema, value] = sides[name] as (typeof sides)[string];
      const expected = await outcome(schema, value, direction);
      expect(await outcome(memoized(schema) as z.ZodType, value, direction)).toStrictEqual(expected);
      // Inside of another value, and joined again.
      const around = z.object({ x: z.intersection(schema, z.any()) });
      expect(await outcome(memoized(around) as z.ZodType, { x: value }, direction)).toStrictEqual(
        await outcome(around, { x: value }, direction),
      );
    },
  );
});
