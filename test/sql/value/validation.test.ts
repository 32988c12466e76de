/** Which schemas say no more than a type, so that a check of the type is all; and what validation reports. */
import { describe, expect, test } from "vitest";
import { z } from "zod";
import * as mini from "zod/mini";
import { $ZodAsyncError, type $ZodType, safeParse } from "zod/v4/core";
import { faultOf } from "../../../src/sql/kind/kinds.js";
import { encoded, saysTypeOnly, validated, validatedOutput } from "../../../src/sql/value/validate.js";
import { DeclarationError } from "../../../src/sql/words/errors.js";
import { sqlErrorIn } from "../../kit/thrown.js";

const plain: Readonly<Record<string, $ZodType>> = {
  text: z.string(),
  "a number": z.number(),
  "a whole number": z.int(),
  "a boolean": z.boolean(),
  "a bigint": z.bigint(),
  "a date": z.date(),
  "an enum": z.enum(["a", "b"]),
  "text of zod/mini": mini.string(),
  "a whole number of zod/mini": mini.int(),
};
const more: Readonly<Record<string, $ZodType>> = {
  "text of a length": z.string().min(1),
  "text that is trimmed": z.string().trim(),
  "text of a format": z.email(),
  "a number by a check": z.number().int(),
  "a number of 32 bits": z.int32(),
  "a number of single precision": z.float32(),
  "a number up to a bound": z.number().max(1),
  "a bigint of a format": z.int64(),
  "a bigint that is positive": z.bigint().positive(),
  "a date up to a bound": z.date().max(new Date(0)),
  "a refined boolean": z.boolean().refine((value) => value),
  "a refined enum": z.enum(["a", "b"]).refine((value) => value === "a"),
  "text that is made": z.coerce.string(),
  "a number that is made": z.coerce.number(),
  "a boolean that is made": z.coerce.boolean(),
  "a bigint that is made": z.coerce.bigint(),
  "a date that is made": z.coerce.date(),
  "a text with a default": z.string().default("a"),
  "a text that is caught": z.string().catch("a"),
  "a literal": z.literal("a"),
  "a list": z.array(z.string()),
  "an object": z.object({}),
  "a union": z.union([z.string(), z.number()]),
  "a transform": z.string().transform((text) => text.length),
};
const wrappers: Readonly<Record<string, (schema: $ZodType) => $ZodType>> = {
  "": (schema) => schema,
  "nullable ": (schema) => z.nullable(schema),
  "optional ": (schema) => z.optional(schema),
  "optional nullable ": (schema) => z.optional(z.nullable(schema)),
};
const storages = [
  ...(["text", "number", "bigint", "boolean", "date"] as const).map((kind) => ({ kind })),
  { kind: "number" as const, integer: true },
  { kind: "text" as const, values: new Set(["a", "b"]) },
];
const samples: readonly unknown[] = [
  ...["a", "b", "c", "", " a ", "1", "me@x.org"],
  ...[0, -1, 1, 7, 1.5, 2 ** 40, 2 ** 53 - 1, 1e300],
  ...[0n, -1n, 2n ** 62n, true, false, new Date(0), new Date(1e12)],
];

describe("a schema that says a type only", () => {
  test.each(Object.entries(wrappers))("is one without checks and formats: %j", (_, wrap) => {
    const found = (all: typeof plain) =>
      Object.entries(all)
        .filter(([, schema]) => saysTypeOnly(wrap(schema)))
        .map(([name]) => name);
    expect(found(plain)).toEqual(Object.keys(plain));
    expect(found(more)).toEqual([]);
  });

  test("changes no value, and refuses none that a storage of its kind takes", () => {
    let known = 0;
    for (const [name, schema] of Object.entries(plain)) {
      const taken = samples.filter((sample) => safeParse(schema, sample).success);
      // A storage of its kind: it takes the same samples.
      const storage = storages.find((one) =>
        samples.every((sample) => (faultOf(one, sample) === undefined) === taken.includes(sample)),
      );
      expect(storage, name).toBeDefined();
      for (const sample of taken) {
        expect(validated(schema, sample)).toEqual({ success: true, data: sample });
        known++;
      }
    }
    expect(known).toBeGreaterThan(30);
  });
});

describe("validation", () => {
  const date = z.codec(z.string(), z.custom<Date>(), {
    decode: (text) => new Date(text),
    encode: (value) => value.toISOString(),
  });
  test("reports the first fault with its path", () => {
    const schema = z.object({ a: z.array(z.int()), b: z.string() });
    for (const run of [validated, validatedOutput, encoded])
      expect(run(schema, { a: [1, "x"], b: 1 })).toMatchObject({
        success: false,
        path: ["a", 1],
        message: "Invalid input: expected number, received string",
      });
    expect(validated(z.string(), 1)).toMatchObject({ success: false, path: [] });
  });

  test("of a value of the output type runs codecs backwards and forwards", () => {
    const at = new Date(0);
    expect(validatedOutput(z.object({ at: date }), { at })).toEqual({ success: true, data: { at } });
    expect(encoded(date, at)).toEqual({ success: true, data: at.toISOString() });
    // What `toISOString` is missing from makes the codec throw.
    const refusal = { success: false, path: [], message: "a codec refuses the value" };
    for (const value of ["text", 7, null, {}, new Date(Number.NaN)]) {
      expect(encoded(date, value)).toEqual(refusal);
      expect(validatedOutput(date, value)).toEqual(refusal);
    }
  });

  test("of a value of the output type parses what has no codec, with its defaults", () => {
    for (const [schema, value, data] of [
      [z.string().catch("x"), 7, "x"],
      [z.string().default("x"), undefined, "x"],
      [z.object({ a: z.string().default("x") }), {}, { a: "x" }],
      [z.string().transform((text) => text.length), "abc", 3],
    ] as const)
      expect(validatedOutput(schema, value)).toEqual({ success: true, data });
  });

  test("cannot wait: a refinement that gives a promise is an error of the declaration, with its cause", () => {
    const later = z.string().refine(async () => true);
    const laterCodec = z.codec(z.string(), z.string(), {
      decode: async (text) => text,
      encode: async (text) => text,
    });
    const failing = [
      () => validated(later, "a"),
      () => validatedOutput(z.object({ a: later, at: date }), { a: "a", at: new Date(0) }),
      () => encoded(later, "a"),
      () => encoded(laterCodec, "a"),
      () => validatedOutput(laterCodec, "a"),
    ];
    for (const call of failing) {
      const error = sqlErrorIn(call);
      expect(error).toBeInstanceOf(DeclarationError);
      expect(error.message).toBe("a column's refinement cannot be asynchronous");
      expect(error.cause).toBeInstanceOf($ZodAsyncError);
    }
  });

  test("lets the error of a refinement through", () => {
    const broken = z.string().refine(() => {
      throw new RangeError("broken");
    });
    expect(() => validated(broken, "a")).toThrow(RangeError);
  });
});
