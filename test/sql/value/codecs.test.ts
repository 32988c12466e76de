/** What a column's codec refuses, sends and reads, and how a value without a column is bound; on every dialect. */

import { describe, expect, test } from "vitest";
import { z } from "zod";
import { decimal } from "../../../src/index.js";
import type { Storage } from "../../../src/sql/declare/declaration.js";
import { grammars } from "../../../src/sql/dialect/grammars.js";
import { codecOf } from "../../../src/sql/value/column-codec.js";
import { boundScalar } from "../../../src/sql/value/scalar.js";

const kinds = ["text", "number", "bigint", "boolean", "date", "bytes"] as const;
const ofKind: Readonly<Record<(typeof kinds)[number], readonly unknown[]>> = {
  text: ["a", " ", "tea"],
  number: [0, 1.5, -1],
  bigint: [0n, 2n ** 63n - 1n],
  boolean: [true, false],
  date: [new Date(0), new Date(1e12)],
  bytes: [new Uint8Array([1, 2]), Buffer.from("abc").subarray(1)],
};

for (const grammar of grammars.values()) {
  const isOracle = grammar.emptyTextIsNull;
  describe(`a codec of ${grammar.dialect}`, () => {
    test("takes the values of its kind alone", () => {
      for (const kind of kinds)
        for (const other of kinds)
          for (const value of ofKind[other]) {
            const fault = codecOf({ storage: { kind } }, grammar).fault(value);
            expect(fault === undefined, `${kind}: ${other}`).toBe(kind === other);
          }
    });

    test("refuses the empty text where it is NULL, and only for text", () => {
      for (const kind of kinds) {
        const { fault } = codecOf({ storage: { kind } }, grammar);
        const isEmpty = fault("") === 'text with a character: here "" is NULL';
        expect(isEmpty, kind).toBe(isOracle && kind === "text");
        expect(fault("") === undefined, kind).toBe(!isOracle && kind === "text");
      }
      const text = codecOf({ storage: { kind: "text" } }, grammar);
      expect(text.fault(1)).toBe("text, not a number");
      expect(text.fault("a")).toBeUndefined();
    });

    test("reads back what it sends, and no value that the column does not list", () => {
      const storage: Storage = { kind: "text", values: new Set(["a", "b"]) };
      const { decode, encode, fault } = codecOf({ storage }, grammar);
      expect([encode("a"), decode("a"), decode("c")]).toEqual(["a", "a", undefined]);
      expect(fault("c")).toBe("one of its 2 values, not a string");
    });

    test("of a decimal takes as many digits as the column has, and no more than the dialect", () => {
      const most = grammar.unitDigits ?? 38;
      for (const precision of [1, 5, 17, 18, 19, 38]) {
        const { fault, scale } = codecOf({ storage: { kind: "decimal", precision, scale: 0 } }, grammar);
        const digits = Math.min(precision, most);
        const expected = `a decimal as text, of at most ${digits} digits, 0 of them after the point`;
        expect(scale).toBe(0);
        expect(fault("9".repeat(digits)), `${precision}`).toBeUndefined();
        expect(fault("1".padEnd(digits + 1, "0")), `${precision}`).toBe(expected);
        expect(fault(1)).toBe(`${expected}, not a number`);
      }
      const { encode, decode } = codecOf({ storage: { kind: "decimal", precision: 30, scale: 2 } }, grammar);
      expect(decode(encode("-12.50"))).toBe("-12.50");
      expect(codecOf({ storage: { kind: "number", scale: 2 } }, grammar).scale).toBeUndefined();
    });

    test("of JSON without a schema takes any JSON, and reads it as it is", () => {
      const { decode, encode, fault } = codecOf({ storage: { kind: "json" } }, grammar);
      for (const value of [{ a: [1, "x", null] }, [], "text", 1, false]) {
        expect(fault(value)).toBeUndefined();
        expect(decode(encode(value))).toEqual(value);
      }
      expect(fault(new Date(0))).toBe("JSON, not a Date");
    });

    test("of JSON with a schema writes and reads through the codecs inside it", () => {
      const date = z.codec(z.string(), z.date(), {
        decode: (text) => new Date(text),
        encode: (value) => value.toISOString(),
      });
      const schema = z.object({ at: date, word: z.string().toUpperCase() });
      const { decode, encode, fault } = codecOf({ storage: { kind: "json" }, schema }, grammar);
      const value = { at: new Date(0), word: "tea" };
      expect(fault(value)).toBeUndefined();
      expect(decode(encode(value))).toEqual(value);
      for (const other of [{ at: "text" }, { at: new Date(Number.NaN), word: "a" }])
        expect(fault(other)).toBe("a value that its codecs can write");
      expect(fault({ at: new Date(0), word: "\0" })).toBe("JSON without NUL and lone surrogates");
      // A stored value that does not fit.
      const plain = codecOf({ storage: { kind: "json" } }, grammar);
      expect(decode(plain.encode({ at: 7 }))).toBeUndefined();
    });

    test("is made once for a column and dialect", () => {
      const column = { storage: { kind: "text" as const } };
      expect(codecOf(column, grammar)).toBe(codecOf(column, grammar));
      const all = new Set([...grammars.values()].map((one) => codecOf(column, one)));
      expect(all.size).toBe(grammars.size);
      expect(codecOf({ storage: { kind: "text" } }, grammar)).not.toBe(codecOf(column, grammar));
    });

    test("binds a value without a column as a column of its kind would", () => {
      expect(boundScalar(null, grammar)).toEqual({ value: null });
      for (const kind of kinds)
        for (const value of ofKind[kind])
          expect(boundScalar(value, grammar), kind).toEqual({
            value: codecOf({ storage: { kind } }, grammar).encode(value),
          });
      const refused: readonly (readonly [unknown, string])[] = [
        [Number.NaN, "a finite number, not NaN"],
        [2n ** 63n, "a bigint of 64 bits"],
        ["\ud800", "text without NUL and lone surrogates"],
        [new Date(Number.NaN), "a valid Date"],
        ...([undefined, {}, [1], () => 1, Symbol("a")] as const).map((value) => {
          const type = Array.isArray(value) ? "an array" : `a ${typeof value}`;
          const named = value === undefined ? "undefined" : type.replace("a object", "an object");
          const fault = `text, a number, a bigint, a boolean, a Date, bytes or null, not ${named}`;
          return [value, fault] as const;
        }),
      ];
      for (const [value, fault] of refused) expect(boundScalar(value, grammar)).toEqual({ fault });
    });
  });
}

test("the digits of a declared decimal are those of its codec", () => {
  for (const grammar of grammars.values()) {
    const { fault } = codecOf({ storage: { kind: "decimal", precision: 5, scale: 2 } }, grammar);
    const schema = decimal(5, 2);
    for (const text of ["0", "999.99", "-999.99", "1000", "1.234", "", "1e2"])
      expect(fault(text) === undefined, text).toBe(schema.safeParse(text).success);
  }
});
