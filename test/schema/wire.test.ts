import { describe, expect, test } from "vitest";
import { z } from "zod";
import { wireDecoder } from "../../src/schema/wire-decode.js";
import { wireEncoder } from "../../src/schema/wire-encode.js";

const decode = (schema: z.ZodType, value: unknown) => (wireDecoder(schema) ?? ((v) => v))(value);
const encode = (schema: z.ZodType, value: unknown) => (wireEncoder(schema) ?? ((v) => v))(value);
const at = new Date("2024-02-29T12:00:00.000Z");

describe("decoding", () => {
  test("a schema without dates, bigints or bytes compiles to nothing", () => {
    expect(wireDecoder(z.object({ a: z.string(), b: z.array(z.int()) }))).toBeUndefined();
  });

  test.each([
    ["2024-02-29T12:00:00.000Z", at],
    ["2024-02-29T13:00:00+01:00", at],
    ["2024-02-29T12:00Z", at],
    ["2024-02-29", new Date("2024-02-29T00:00:00.000Z")],
  ])("%s is a date", (text, date) => {
    expect(decode(z.date(), text)).toEqual(date);
  });

  test.each([
    "2023-02-29",
    "2024-13-01T00:00:00Z",
    "2024-01-01T00:00:00",
    "2024",
    "yesterday",
    "2024-01-01T25:00:00Z",
    5,
    null,
  ])("%s stays as it is for Zod to refuse", (value) => {
    expect(decode(z.date(), value)).toBe(value);
  });

  test("bigints are decimal text of any length that is sane", () => {
    expect(decode(z.bigint(), "-9007199254740993")).toBe(-9007199254740993n);
    expect(decode(z.bigint(), "1.5")).toBe("1.5");
    const endless = "9".repeat(5000);
    expect(decode(z.bigint(), endless)).toBe(endless);
  });

  test("bytes are canonical base64", () => {
    expect(decode(z.instanceof(Uint8Array), "AAH/")).toEqual(new Uint8Array([0, 1, 255]));
    expect(decode(z.instanceof(Uint8Array), "AAH/!")).toBe("AAH/!");
  });

  test("descends into objects, arrays, tuples, records, unions, intersections, wrappers, maps and sets", () => {
    const schema = z.object({
      list: z.array(z.date()),
      pair: z.tuple([z.date(), z.string()]).rest(z.bigint()),
      by: z.record(z.string(), z.date()),
      maybe: z.date().nullable().optional(),
      dated: z.date().default(at).readonly(),
      any: z.union([z.bigint(), z.string()]),
      tagged: z.discriminatedUnion("t", [
        z.object({ t: z.literal("d"), v: z.date() }),
        z.object({ t: z.literal("s"), v: z.string() }),
      ]),
      both: z.intersection(z.object({ a: z.date() }), z.object({ b: z.bigint() })),
      map: z.map(z.string(), z.date()),
      set: z.set(z.bigint()),
    });
    const iso = at.toISOString();
    expect(
      decode(schema, {
        list: [iso],
        pair: [iso, iso, "7"],
        by: { x: iso },
        maybe: null,
        dated: iso,
        any: "not a number",
        tagged: { t: "s", v: iso },
        both: { a: iso, b: "1" },
        map: [["k", iso]],
        set: ["1", "2"],
        undeclared: iso,
      }),
    ).toEqual({
      list: [at],
      pair: [at, iso, 7n],
      by: { x: at },
      maybe: null,
      dated: at,
      any: "not a number",
      tagged: { t: "s", v: iso },
      both: { a: at, b: 1n },
      map: new Map([["k", at]]),
      set: new Set([1n, 2n]),
      undeclared: iso,
    });
  });

  test("recursive schemas are followed to the end", () => {
    const node = z.object({
      at: z.date(),
      get children() {
        return z.array(node);
      },
    });
    expect(decode(node, { at: "2024-02-29", children: [{ at: "2024-02-29", children: [] }] })).toEqual({
      at: new Date("2024-02-29"),
      children: [{ at: new Date("2024-02-29"), children: [] }],
    });
  });

  test("unchanged values are not copied, and the given value is never changed", () => {
    const schema = z.object({ a: z.object({ d: z.date() }), b: z.object({ d: z.date().optional() }) });
    const given = { a: { d: "2024-02-29" }, b: {} };
    const result = decode(schema, given) as typeof given;
    expect(given.a.d).toBe("2024-02-29");
    expect(result.b).toBe(given.b);
  });

  test("row 63: an own __proto__ key stays a key", () => {
    const given: unknown = JSON.parse('{"d":"2024-02-29","__proto__":{"x":1}}');
    const result = decode(z.looseObject({ d: z.date() }), given);
    expect(Object.getPrototypeOf(result)).toBe(Object.prototype);
    expect(Object.keys(result as object)).toEqual(["d", "__proto__"]);
  });
});

describe("encoding", () => {
  test("a date is written if its text is read again, and is an error otherwise", () => {
    for (const text of ["0000-01-01T00:00:00.000Z", "0001-01-01T00:00:00.000Z", "9999-12-31T23:59:59.999Z"]) {
      expect(encode(z.date(), new Date(text))).toBe(text);
      expect(decode(z.date(), text)).toEqual(new Date(text));
    }
    for (const text of ["+010000-01-01T00:00:00.000Z", "-000001-12-31T23:59:59.999Z", "never"])
      expect(() => encode(z.date(), new Date(text))).toThrow(RangeError);
  });

  test("undeclared fields are stripped at every depth", () => {
    const user = z.object({ id: z.int(), tags: z.array(z.object({ t: z.string() })) });
    expect(encode(user, { id: 1, hash: "secret", tags: [{ t: "a", x: 1 }] })).toEqual({
      id: 1,
      tags: [{ t: "a" }],
    });
    expect(encode(z.union([user, z.null()]), { id: 1, tags: [], hash: "s" })).toEqual({ id: 1, tags: [] });
    expect(
      encode(z.intersection(user, z.object({ n: z.bigint() })), { id: 1, tags: [], n: 2n, hash: "s" }),
    ).toEqual({
      id: 1,
      tags: [],
      n: "2",
    });
  });

  test("loose objects and records keep all their keys", () => {
    expect(encode(z.looseObject({ d: z.date() }), { d: at, more: 1 })).toEqual({
      d: at.toISOString(),
      more: 1,
    });
    expect(encode(z.record(z.string(), z.bigint()), { a: 1n })).toEqual({ a: "1" });
    expect(wireEncoder(z.looseObject({ a: z.string() }))).toBeUndefined();
  });

  test("a value of no union variant still loses what no variant declares", () => {
    const schema = z.union([z.object({ a: z.string() }), z.object({ b: z.string() })]);
    expect(encode(schema, { a: 1, hash: "secret" })).toEqual({ a: 1 });
  });

  test("a union of objects with codecs is written by the variant that fits", () => {
    const codec = z.codec(z.string(), z.date(), {
      decode: (t) => new Date(t),
      encode: (d) => d.toISOString(),
    });
    const schema = z.union([
      z.object({ t: z.literal("n"), v: z.bigint() }),
      z.object({ t: z.literal("d"), v: codec }),
    ]);
    expect(encode(schema, { t: "d", v: at, x: 1 })).toEqual({ t: "d", v: at.toISOString() });
    expect(encode(z.union([codec, z.null()]), at)).toBe(at.toISOString());
  });

  test("a variant that needs a promise to decide does no harm", async () => {
    const never = z.string().refine(() => Promise.reject(new Error("no database")));
    expect(decode(z.union([never, z.bigint()]), "5")).toBe(5n);
    await new Promise((resolve) => setTimeout(resolve, 5));
  });

  test("dates, bigints, bytes, maps, sets and codecs take their wire form", () => {
    const codec = z.codec(z.iso.datetime(), z.date(), {
      decode: (t) => new Date(t),
      encode: (d) => d.toISOString(),
    });
    expect(
      encode(
        z.object({
          d: z.date().nullable(),
          n: z.bigint(),
          b: z.instanceof(Uint8Array),
          m: z.map(z.string(), z.date()),
          s: z.set(z.bigint()),
          c: codec,
          o: codec.optional(),
        }),
        { d: at, n: 5n, b: new Uint8Array([0, 1, 255]), m: new Map([["k", at]]), s: new Set([1n]), c: at },
      ),
    ).toEqual({
      d: at.toISOString(),
      n: "5",
      b: "AAH/",
      m: [["k", at.toISOString()]],
      s: ["1"],
      c: at.toISOString(),
    });
  });

  test("fields named like members of Object.prototype are read only where the value holds them", () => {
    expect(encode(z.object({ toString: z.string().optional() }), {})).toEqual({});
  });

  test("what is decoded encodes to what came", () => {
    const schema = z.object({ d: z.date(), list: z.array(z.union([z.bigint(), z.null()])) });
    const wire = { d: at.toISOString(), list: ["1", null] };
    expect(encode(schema, decode(schema, wire))).toEqual(wire);
  });
});
