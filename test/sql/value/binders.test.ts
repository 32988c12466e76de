/** What each binder sends for a value, and what it says of a value that it refuses; on every dialect. */

import { describe, expect, test } from "vitest";
import { z } from "zod";
import { column, decimal, json, table } from "../../../src/index.js";
import type { ColumnInfo } from "../../../src/sql/declare/declaration.js";
import { grammars } from "../../../src/sql/dialect/grammars.js";
import {
  assignedBinder,
  type Binder,
  cappedBinder,
  countBinder,
  divisorBinder,
  listBinder,
  memberBinder,
  numberBinder,
  operandBinder,
  patternBinder,
  soughtBinder,
  storedBinder,
  textBinder,
} from "../../../src/sql/value/binder.js";
import { ParameterError } from "../../../src/sql/words/errors.js";

const Item = table(
  "items",
  z.object({
    id: column(z.int(), { primaryKey: true }),
    name: z.string(),
    word: z.string().nullable(),
    short: z.string().max(3),
    tag: z.string().trim(),
    mood: z.enum(["sad", "glad"]).nullable(),
    count: z.int().nullable(),
    size: z.bigint(),
    price: decimal(5, 2),
    meta: json(z.object({ n: z.int() })),
  }),
);
const fieldOf = (name: keyof typeof Item.columns): ColumnInfo => Item.columns[name];
const place = { param: "p", table: Item };
const HALF = "\ud800";

/** The value that is sent, or what the parameter takes instead. */
function boundBy(bind: Binder, value: unknown): unknown {
  try {
    return { sends: bind(value) };
  } catch (error) {
    if (!(error instanceof ParameterError)) throw error;
    expect(error).toMatchObject({ code: "PARAM_TYPE", param: "p", table: "items" });
    return error.message.replace(/^parameter "p"(: field "\w+")? takes /, "");
  }
}

/** A binder's cases: a value, and the value sent or the refusal. */
function check(bind: Binder, cases: readonly (readonly [value: unknown, sent: unknown])[]): void {
  for (const [value, sent] of cases)
    expect(boundBy(bind, value), String(Object.prototype.toString.call(value))).toEqual(
      typeof sent === "string" ? sent : { sends: (sent as readonly unknown[])[0] },
    );
}

for (const grammar of grammars.values()) {
  const isOracle = grammar.emptyTextIsNull;
  const noEmpty = 'text with a character: here "" is NULL';
  const binds = (name: keyof typeof Item.columns) => ({
    operand: operandBinder(fieldOf(name), grammar, place),
    list: listBinder(fieldOf(name), grammar, place),
    stored: storedBinder(fieldOf(name), grammar, place),
    assigned: assignedBinder(fieldOf(name), grammar, place),
    divisor: divisorBinder(fieldOf(name), grammar, place),
  });

  describe(`a binder of ${grammar.dialect}`, () => {
    test("of an operand sends a value of the column", () => {
      check(binds("name").operand, [
        ["a", ["a"]],
        ["", isOracle ? noEmpty : [""]],
        [1, "text, not a number"],
        [undefined, "text, not undefined"],
        ["a\0", "text without NUL and lone surrogates"],
        [null, "a value in a comparison, not null: use whereNull or whereNotNull"],
      ]);
      check(binds("mood").operand, [
        ["sad", ["sad"]],
        ["bad", "one of its 2 values, not a string"],
      ]);
    });

    test("of a list sends every item, in their order, or refuses the first that does not fit", () => {
      const sent = (items: readonly unknown[]) => [grammar.encodeList(items)];
      check(binds("count").list, [
        [[3, 1, 2], sent([3, 1, 2])],
        [[], sent([])],
        [[1, null], "a list without null"],
        [[1, 1.5], "a list whose items are each a whole number up to 2^53 - 1"],
        // A hole.
        [new Array(1), "a list whose items are each a finite number, not undefined"],
        [1, "a list, not a number"],
        [new Set([1]), "a list, not an object"],
        [{ length: 1, 0: 1 }, "a list, not an object"],
      ]);
      const twice = listBinder(fieldOf("count"), grammar, place, (item) => [item, -Number(item)]);
      check(twice, [
        [[], sent([])],
        [[1, 2], sent([1, -1, 2, -2])],
      ]);
    });

    test("of a stored value sends null, and the empty text as null only where that is the same", () => {
      const asNull = isOracle ? [null] : [""];
      check(binds("word").stored, [
        [null, [null]],
        ["a", ["a"]],
        ["", asNull],
        [1, "text, not a number"],
      ]);
      check(binds("name").stored, [["", isOracle ? noEmpty : [""]]]);
      check(binds("count").stored, [
        [1, [1]],
        [null, [null]],
        ["", "a finite number, not a string"],
      ]);
      check(binds("size").stored, [["", "a bigint, not a string"]]);
    });

    test("of a value that is set checks it by the schema", () => {
      check(binds("name").assigned, [
        ["a", ["a"]],
        [null, "a value, not null"],
        [1, "text, not a number"],
      ]);
      check(binds("word").assigned, [
        ["a", ["a"]],
        [null, [null]],
        [undefined, "text, not undefined"],
      ]);
      check(binds("short").assigned, [
        ["abc", ["abc"]],
        ["abcd", "Too big: expected string to have <=3 characters"],
        [null, "Invalid input: expected string, received null"],
      ]);
      check(binds("tag").assigned, [[" a ", ["a"]]]);
    });

    test("of a value that is set has the schema of an update, and the column's own where there is none", () => {
      const own = fieldOf("short");
      const updated = { ...Item, updateSchema: z.object({ short: z.string().max(5).toUpperCase() }) };
      const bind = assignedBinder(own, grammar, { param: "p", table: updated as unknown as typeof Item });
      check(bind, [
        ["abcd", ["ABCD"]],
        ["abcdef", "Too big: expected string to have <=5 characters"],
      ]);
      // A view has none.
      const { updateSchema, ...view } = Item;
      const ofView = assignedBinder(own, grammar, { param: "p", table: view as unknown as typeof Item });
      check(ofView, [["abcd", "Too big: expected string to have <=3 characters"]]);
    });

    test("of a value inside JSON sends JSON of its schema", () => {
      const member = (schema: z.ZodType) =>
        memberBinder({ property: "meta", storage: { kind: "json" }, schema }, grammar, place);
      const { encode } = grammar.values.json;
      const sent = (value: unknown) => [encode(value as never, { kind: "json" })];
      check(member(z.string().trim()), [
        [" a ", sent("a")],
        [1, "Invalid input: expected string, received number"],
        ["a\0", "JSON without NUL and lone surrogates"],
      ]);
      check(member(z.string().optional()), [[undefined, "a value, not undefined"]]);
      check(member(z.string().nullable()), [[null, sent(null)]]);
      const date = z.codec(z.string(), z.date(), {
        decode: (text) => new Date(text),
        encode: (value) => value.toISOString(),
      });
      check(member(date), [
        [new Date(0), sent("1970-01-01T00:00:00.000Z")],
        ["1970-01-01T00:00:00.000Z", "Invalid input: expected date, received string"],
      ]);
    });

    test("of a divisor refuses zero of every kind", () => {
      const zero = "a divisor other than 0";
      const whole = binds("size").divisor;
      check(binds("count").divisor, [
        [1, [1]],
        [-1, [-1]],
        [0, zero],
        [-0, zero],
        [Number.NaN, "a finite number, not NaN"],
      ]);
      expect(boundBy(whole, 0n)).toBe(zero);
      expect(boundBy(whole, 1n)).toEqual({ sends: binds("size").operand(1n) });
    });
  });
}

describe("a binder of a pattern", () => {
  const form = { open: "", between: " LIKE ", close: "" };
  const kinds = [
    { form, empty: [""], of: (text: string) => text },
    { form: { ...form, refusesEmpty: true as const }, empty: 'a pattern with a character: here "" is NULL' },
    { form: { ...form, bind: (text: unknown) => `<${String(text)}>` }, empty: ["<>"] },
  ];
  test.each(kinds)("sends text in the operator's form: %#", ({ form: own, empty }) => {
    const name = fieldOf("name");
    const of = (text: string) => ["bind" in own ? `<${text}>` : text];
    const clean = "without NUL and lone surrogates";
    check(patternBinder(name, own, place), [
      ["", empty],
      ["a%", of("a%")],
      [1, "a pattern as text, not a number"],
      [null, "a pattern as text, not null"],
      [HALF, `a pattern ${clean}`],
      ...["\\", "a\\", "\\a\\", "a\\\\\\"].map(
        (text) => [text, "a pattern that does not end in a single backslash"] as const,
      ),
      ...["\\\\", "\\a", "a\\\\\\\\", "\\\\a"].map((text) => [text, of(text)] as const),
    ]);
    check(soughtBinder(name, own, place), [
      ["", of("")],
      ["a\\", of("a\\")],
      [1, "a text to look for, not a number"],
      [HALF, `a text ${clean}`],
    ]);
  });
});

describe("a binder without a column", () => {
  const finite = "a finite number";
  const clean = "text without NUL and lone surrogates";
  test("of a count takes whole numbers from its least", () => {
    for (const least of [undefined, 0, 1, 5]) {
      const from = least ?? 0;
      const refusal = `a whole number from ${from}`;
      check(countBinder(place, least), [
        [from, [from]],
        [from + 1, [from + 1]],
        [from - 1, refusal],
        [from + 0.5, refusal],
        [2 ** 53 - 1, [2 ** 53 - 1]],
        [2 ** 53, refusal],
        ...[Number.NaN, Number.POSITIVE_INFINITY, "7", 7n, null, undefined, true, {}].map(
          (value) => [value, refusal] as const,
        ),
      ]);
    }
  });

  test("of a count with a maximum sends at most that", () => {
    check(cappedBinder(place, 10), [
      [0, [0]],
      [9, [9]],
      [10, [10]],
      [11, [10]],
      [-1, "a whole number from 0"],
    ]);
    check(cappedBinder(place, undefined), [[1e9, [1e9]]]);
  });

  test("of a number takes a finite number, and of a text a clean one", () => {
    check(numberBinder(place), [
      [1.5, [1.5]],
      [-1, [-1]],
      ...[Number.NaN, Number.NEGATIVE_INFINITY, "1", 1n, null, undefined].map(
        (value) => [value, finite] as const,
      ),
    ]);
    check(textBinder(place), [
      ["a", ["a"]],
      ["", [""]],
      ...[HALF, "\0", 1, null, undefined, ["a"]].map((value) => [value, clean] as const),
    ]);
  });
});
