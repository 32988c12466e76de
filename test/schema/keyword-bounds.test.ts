/**
 * Every bound of a schema against its keyword: on both sides of each bound the document and the schema say the same of a
 * value, and every schema has values that both refuse. Bounds are given once, and several in both orders.
 */
import { Ajv2020 } from "ajv/dist/2020.js";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { z as z3 } from "zod/v3";
import { SchemaComponents } from "../../src/schema/components/components.js";
import type { Io, Json } from "../../src/schema/json.js";
import { wireDecoder } from "../../src/schema/wire-decode.js";

type Zod = typeof z;

function described(schema: z.ZodType | z3.ZodTypeAny, io: Io): Json {
  const components = new SchemaComponents();
  const json = components.add(schema, io, "Root");
  expect([...components.finish()]).toEqual([]);
  return json();
}

const ajv = new Ajv2020({ strict: false });

const texts = ["", "a", "ab", "abc", "abcd", "abcde", "xabc", "ABC"];
const numbers = Array.from({ length: 33 }, (_, i) => (i - 16) / 4);
const lists = Array.from({ length: 7 }, (_, length) => Array.from({ length }, (_, i) => i));
const pairs = lists.map((list) => list.map((one) => [one, one]));

/** A schema from the way that it is written, the keywords that it must have, and values on both sides of its bounds. */
interface Bounded {
  readonly name: string;
  readonly make: (z: Zod) => z.ZodType;
  readonly keywords: Json;
  readonly values: readonly unknown[];
  /** Where Zod 3 has no such method. */
  readonly only4?: true;
  /** Why each side may take more than the schema does; the document never refuses what the schema takes. */
  readonly wider?: true;
}

const bounds = [0, 1, 2, 3];

function* textBounds(): Generator<Bounded> {
  for (const n of bounds) {
    yield {
      name: `text of at least ${n}`,
      make: (z) => z.string().min(n),
      keywords: { minLength: n },
      values: texts,
    };
    yield {
      name: `text of at most ${n}`,
      make: (z) => z.string().max(n),
      keywords: { maxLength: n },
      values: texts,
    };
    yield {
      name: `text of ${n}`,
      make: (z) => z.string().length(n),
      keywords: { minLength: n, maxLength: n },
      values: texts,
    };
    for (const m of bounds) {
      const least = Math.max(n, m);
      const most = Math.min(n, m);
      yield {
        name: `text of at least ${n} and ${m}`,
        make: (z) => z.string().min(n).min(m),
        keywords: { minLength: least },
        values: texts,
      };
      yield {
        name: `text of at most ${n} and ${m}`,
        make: (z) => z.string().max(n).max(m),
        keywords: { maxLength: most },
        values: texts,
      };
    }
  }
  yield {
    name: "text that is not empty",
    make: (z) => z.string().nonempty(),
    keywords: { minLength: 1 },
    values: texts,
  };
  yield {
    name: "a pattern",
    make: (z) => z.string().regex(/^ab/),
    keywords: { pattern: "^ab" },
    values: texts,
  };
  yield {
    name: "a beginning",
    make: (z) => z.string().startsWith("ab"),
    keywords: { pattern: "^ab.*" },
    values: texts,
    only4: true,
  };
  yield {
    name: "an end",
    make: (z) => z.string().endsWith("bc"),
    keywords: { pattern: ".*bc$" },
    values: texts,
    only4: true,
  };
}

function* numberBounds(): Generator<Bounded> {
  for (const n of [-2, 0, 0.5, 1, 2.25]) {
    const of = (name: string, make: Bounded["make"], keywords: Json): Bounded => ({
      name: `a number ${name} ${n}`,
      make,
      keywords,
      values: numbers,
    });
    yield of("from", (z) => z.number().min(n), { minimum: n });
    yield of("above", (z) => z.number().gt(n), { exclusiveMinimum: n });
    yield of("to", (z) => z.number().max(n), { maximum: n });
    yield of("below", (z) => z.number().lt(n), { exclusiveMaximum: n });
    // The tighter one counts, whichever comes first; of one value the exclusive one.
    yield of("from and above", (z) => z.number().min(n).gt(n), { exclusiveMinimum: n });
    yield of("above and from", (z) => z.number().gt(n).min(n), { exclusiveMinimum: n });
    yield of("to and below", (z) => z.number().max(n).lt(n), { exclusiveMaximum: n });
    yield of("below and to", (z) => z.number().lt(n).max(n), { exclusiveMaximum: n });
    yield of(
      "from (the looser one last)",
      (z) =>
        z
          .number()
          .min(n)
          .min(n - 1),
      { minimum: n },
    );
    yield of(
      "from (the looser one first)",
      (z) =>
        z
          .number()
          .min(n - 1)
          .min(n),
      { minimum: n },
    );
    yield of(
      "to (the looser one last)",
      (z) =>
        z
          .number()
          .max(n)
          .max(n + 1),
      { maximum: n },
    );
    yield of(
      "to (the looser one first)",
      (z) =>
        z
          .number()
          .max(n + 1)
          .max(n),
      { maximum: n },
    );
  }
  for (const [sign, make, keywords] of [
    ["positive", (z: Zod) => z.number().positive(), { exclusiveMinimum: 0 }],
    ["negative", (z: Zod) => z.number().negative(), { exclusiveMaximum: 0 }],
    ["not negative", (z: Zod) => z.number().nonnegative(), { minimum: 0 }],
    ["not positive", (z: Zod) => z.number().nonpositive(), { maximum: 0 }],
  ] as const)
    yield { name: `a number that is ${sign}`, make, keywords, values: numbers };
  for (const n of [0.5, 1, 2, 3]) {
    yield {
      name: `a multiple of ${n}`,
      make: (z) => z.number().multipleOf(n),
      keywords: { multipleOf: n },
      values: numbers,
    };
    yield {
      name: `an integer from ${n}`,
      make: (z) => z.number().int().min(n),
      keywords: { type: "integer", minimum: n },
      values: numbers,
    };
  }
  yield { name: "an integer", make: (z) => z.number().int(), keywords: { type: "integer" }, values: numbers };
}

function* listBounds(): Generator<Bounded> {
  for (const n of bounds) {
    const of = (
      what: string,
      make: Bounded["make"],
      keywords: Json,
      more: Partial<Bounded> = {},
    ): Bounded => ({
      name: `a ${what} ${n}`,
      make,
      keywords,
      values: lists,
      ...more,
    });
    yield of("list of at least", (z) => z.array(z.number()).min(n), { minItems: n });
    yield of("list of at most", (z) => z.array(z.number()).max(n), { maxItems: n });
    yield of("list of", (z) => z.array(z.number()).length(n), { minItems: n, maxItems: n });
    // A set is a list on the wire that may hold an item twice: its least size is said, its largest is not.
    yield of("set of at least", (z) => z.set(z.number()).min(n), { minItems: n });
    yield of("set of at most", (z) => z.set(z.number()).max(n), {}, { wider: true });
    yield of("set of", (z) => z.set(z.number()).size(n), { minItems: n }, { wider: true });
    yield of(
      "map of at least",
      (z) => z.map(z.number(), z.number()).min(n),
      { minItems: n },
      { only4: true, values: pairs },
    );
    for (const m of bounds) {
      yield of(
        `list of at least ${m} and`,
        (z) => z.array(z.number()).min(m).min(n),
        { minItems: Math.max(n, m) },
        { only4: true },
      );
      yield of(
        `list of at most ${m} and`,
        (z) => z.array(z.number()).max(m).max(n),
        { maxItems: Math.min(n, m) },
        { only4: true },
      );
    }
  }
  yield {
    name: "a list without a bound",
    make: (z) => z.array(z.number()),
    keywords: {},
    values: [...lists, 1, ["a"]],
  };
  yield {
    name: "a set without a bound",
    make: (z) => z.set(z.number()),
    keywords: {},
    values: [...lists, 1, ["a"]],
  };
  yield {
    name: "a list that is not empty",
    make: (z) => z.array(z.number()).nonempty(),
    keywords: { minItems: 1 },
    values: lists,
  };
  yield {
    name: "a tuple",
    make: (z) => z.tuple([z.number(), z.number()]),
    keywords: { minItems: 2, maxItems: 2 },
    values: lists,
  };
  yield {
    name: "a tuple with a rest",
    make: (z) => z.tuple([z.number(), z.number()]).rest(z.number()),
    keywords: { minItems: 2 },
    values: lists,
  };
  yield {
    name: "a tuple whose last may be missing",
    make: (z) => z.tuple([z.number(), z.number().optional()]),
    keywords: { minItems: 1, maxItems: 2 },
    values: lists,
    only4: true,
  };
}

const KEYWORDS = new Set(
  "minLength maxLength pattern minimum maximum exclusiveMinimum exclusiveMaximum multipleOf minItems maxItems".split(
    " ",
  ),
);

const all = [...textBounds(), ...numberBounds(), ...listBounds()];

describe.each([
  ["Zod 4", all, z],
  // The few methods that are used here have the same names; the compiler sees two libraries.
  ["Zod 3", all.filter(({ only4 }) => only4 !== true), z3 as unknown as Zod],
] as const)("%s", (_version, cases, zod) => {
  test.each(cases.map((one) => [one.name, one] as const))(
    "%s",
    (_name, { make, keywords, values, wider }) => {
      const schema = make(zod);
      for (const io of ["input", "output"] as const) {
        const json = described(schema, io);
        const said = Object.fromEntries(
          Object.entries(json).filter(([keyword]) => KEYWORDS.has(keyword) || keyword in keywords),
        );
        expect(said).toEqual(keywords);
        const accepts = ajv.compile(json);
        // Text for a number, and a list for text: every type refuses something.
        let refused = 0;
        for (const value of [...values, null, {}, typeof values[0] === "string" ? 1 : "1"]) {
          const taken = takes(schema, value);
          const allowed = accepts(value);
          if (wider === true && !taken) continue;
          expect(allowed, JSON.stringify(value)).toBe(taken);
          if (!taken) refused++;
        }
        if (wider !== true) expect(refused).toBeGreaterThan(2);
      }
    },
  );
});

/** Whether a schema takes a value as it travels. */
function takes(schema: z.ZodType, value: unknown): boolean {
  const decode = "_zod" in schema ? wireDecoder(schema) : undefined;
  try {
    return schema.safeParse(decode === undefined ? fromWire(schema, value) : decode(value)).success;
  } catch {
    return false;
  }
}

/** Sets and maps of Zod 3 travel as lists too. */
function fromWire(schema: z.ZodType, value: unknown): unknown {
  return Array.isArray(value) && schema instanceof (z3.ZodSet as never) ? new Set(value) : value;
}
