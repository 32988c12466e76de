/**
 * The parts that a call is made of, each alone: names of parameters, parts of a batch, cursors of pages, texts of keys,
 * the caller's SQL, and ranges of dates.
 */
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { column, table } from "../../../src/index.js";
import type { Grammar } from "../../../src/sql/dialect/grammar/grammar.js";
import { grammars } from "../../../src/sql/dialect/grammars.js";
import { rangesAround } from "../../../src/sql/exec/date-ranges.js";
import { exactText } from "../../../src/sql/exec/exact-text.js";
import { parseNamed, writeNamed } from "../../../src/sql/exec/named.js";
import { cursorText, readCursor } from "../../../src/sql/exec/page-cursor.js";
import {
  areOptions,
  asList,
  asRecord,
  checkNames,
  eachOf,
  isGiven,
  reading,
} from "../../../src/sql/exec/params.js";
import { inParts } from "../../../src/sql/exec/parts.js";
import { faultOf } from "../../../src/sql/kind/kinds.js";
import { ParameterError } from "../../../src/sql/words/errors.js";
import { sqlErrorIn } from "../../kit/thrown.js";

const Item = table(
  "items",
  z.object({ id: column(z.int(), { primaryKey: true }), word: column(z.string(), { name: "a_word" }) }),
);
const grammarOf = (dialect: "postgres" | "mariadb" | "sqlite" | "oracle"): Grammar => {
  const grammar = grammars.get(dialect);
  if (grammar === undefined) throw new Error(dialect);
  return grammar;
};
const thrown = (call: () => unknown) => {
  const { code, message, param } = sqlErrorIn(call) as ParameterError;
  return { code, message, param };
};
const unreadable = new Proxy(
  {},
  {
    ownKeys: () => {
      throw new Error("secret");
    },
    getOwnPropertyDescriptor: () => {
      throw new Error("secret");
    },
  },
);

describe("the names of parameters", () => {
  const check = (params: unknown, required: readonly string[], more: readonly string[] = []) =>
    checkNames(params, required, new Set([...required, ...more]), Item);

  test("are all that are required, and no others than are known", () => {
    const given = { a: 1, b: null };
    expect(check(given, ["a", "b"])).toBe(given);
    expect(check(given, ["a"], ["b"])).toBe(given);
    expect(check(undefined, [])).toEqual({});
    expect(check({}, [], ["a"])).toEqual({});
    for (const missing of [
      { a: 1 },
      { a: 1, b: undefined },
      Object.assign(Object.create({ b: 1 }), { a: 1 }),
    ])
      expect(thrown(() => check(missing, ["a", "b"]))).toEqual({
        code: "MISSING_PARAM",
        param: "b",
        message: 'parameter "b" is missing',
      });
    const extra = (message: string) => ({
      code: "EXTRA_PARAM",
      param: "c",
      message: `unknown parameter "c"; ${message}`,
    });
    expect(thrown(() => check({ a: 1, c: 1 }, ["a"], ["b"]))).toEqual(extra("parameters: a, b"));
    expect(thrown(() => check({ c: undefined }, []))).toEqual(extra("there are no parameters"));
    expect(thrown(() => check({ a: 1, b: 2, c: 3 }, ["a", "b"]))).toEqual(extra("parameters: a, b"));
  });

  test("are those of an object that can be read", () => {
    for (const [value, type] of [
      [null, "null"],
      [[], "an array"],
      ["a", "a string"],
      [7, "a number"],
    ] as const)
      expect(thrown(() => asRecord(value, Item))).toEqual({
        code: "PARAM_TYPE",
        param: "",
        message: `parameters must be an object, not ${type}`,
      });
    const message = "parameters must be an object that can be read";
    expect(thrown(() => check(unreadable, ["a"]))).toMatchObject({ code: "PARAM_TYPE", message });
    expect(thrown(() => check(unreadable, []))).toMatchObject({ code: "PARAM_TYPE", message });
    const own = new ParameterError("MISSING_PARAM", "a", "t", "own");
    expect(
      sqlErrorIn(() =>
        reading("x", Item, () => {
          throw own;
        }),
      ),
    ).toBe(own);
    expect(reading("x", Item, () => 7)).toBe(7);
  });

  test("count as given with every own value but undefined", () => {
    for (const value of [null, 0, "", false, {}]) expect(isGiven({ a: value }, "a")).toBe(true);
    expect([isGiven({ a: undefined }, "a"), isGiven({}, "a"), isGiven({}, "toString")]).toEqual([
      false,
      false,
      false,
    ]);
  });

  test("are options if there are only these keys, and at least one", () => {
    for (const options of [{ tx: null }, { signal: undefined }, { tx: 1, signal: 2 }])
      expect(areOptions(options)).toBe(true);
    for (const other of [{}, { tx: 1, a: 1 }, { a: 1 }, null, undefined, "tx", 7, unreadable, { size: 1 }])
      expect(areOptions(other)).toBe(false);
    expect(areOptions(Object.assign(() => 1, { tx: null }))).toBe(false);
    const halfRead = new Proxy(
      { tx: null, signal: null },
      {
        getOwnPropertyDescriptor: (target, key) => {
          if (key === "signal") throw new Error("secret");
          return Reflect.getOwnPropertyDescriptor(target, key);
        },
      },
    );
    expect(areOptions(halfRead)).toBe(false);
    expect([areOptions({ size: 1 }, "size"), areOptions({ size: 1, a: 1 }, "size")]).toEqual([true, false]);
  });

  test("of a batch belong to a list, whose item an error names once", () => {
    expect(asList([1], Item)).toEqual([1]);
    expect(thrown(() => asList({ 0: 1, length: 1 }, Item)).message).toBe(
      "a batch takes a list, not an object",
    );
    expect(eachOf(["a", "b"], (item, i) => item + i)).toEqual(["a0", "b1"]);
    const failing = (error: Error) =>
      (() => {
        try {
          return eachOf([0, 1, 2], (item) => {
            if (item === 1) throw error;
          });
        } catch (found) {
          return found as ParameterError;
        }
      })();
    const error = new ParameterError("PARAM_TYPE", "a", "t", "message");
    expect(failing(error)).toMatchObject({ code: "PARAM_TYPE", param: "a", index: 1 });
    expect(failing(error.at(7))).toMatchObject({ index: 7 });
    const other = new RangeError("x");
    expect(failing(other)).toBe(other);
  });
});

describe("the parts of a batch", () => {
  const sizes = { "": 0, ab: 6, tea: 9, ü: 3 };
  test("hold every record in order, as many as fit, and no fewer than that", () => {
    const value = fc.oneof(
      fc
        .constantFrom(...Object.keys(sizes))
        .map((text) => ({ value: text as unknown, size: 3 * text.length })),
      fc.nat(40).map((size) => ({ value: new Uint8Array(size) as unknown, size })),
      fc.constantFrom<unknown>(null, 1, 2n, true, new Date(0)).map((one) => ({ value: one, size: 16 })),
    );
    const run = fc.record({
      batch: fc.array(fc.array(value, { maxLength: 3 }), { maxLength: 12 }),
      most: fc.integer({ min: 1, max: 5 }),
      mostBytes: fc.option(fc.integer({ min: 1, max: 100 }), { nil: undefined }),
    });
    fc.assert(
      fc.property(run, ({ batch, most, mostBytes }) => {
        const records = batch.map((values) => ({
          values: values.map((one) => one.value),
          size: values.reduce((sum, one) => sum + one.size, 0),
        }));
        const parts = inParts(records, { most, mostBytes });
        expect(parts.flat()).toEqual(records);
        const sum = (part: typeof records) => part.reduce((all, { size }) => all + size, 0);
        const fits = (part: typeof records) =>
          part.length <= most && (mostBytes === undefined || sum(part) <= mostBytes);
        for (const [i, part] of parts.entries()) {
          expect(part.length > 0 && (part.length === 1 || fits(part))).toBe(true);
          const [next] = parts[i + 1] ?? [];
          if (next !== undefined) expect(fits([...part, next])).toBe(false);
        }
      }),
      { numRuns: 500 },
    );
  });
});

describe("the cursor of a page", () => {
  const kinds = {
    text: "tea",
    number: 1.5,
    bigint: -(2n ** 62n),
    boolean: true,
    date: new Date("2026-01-02T03:04:05.678Z"),
    bytes: new Uint8Array([0, 1, 255]),
  };
  const orderOf = (kind: keyof typeof kinds, nullable: boolean) => ({
    kind,
    nullable,
    fault: (value: unknown) => faultOf({ kind }, value),
  });

  test("gives back the values of its own order", () => {
    const of = fc.tuple(
      fc.constantFrom(...(Object.keys(kinds) as (keyof typeof kinds)[])),
      fc.boolean(),
      fc.boolean(),
    );
    fc.assert(
      fc.property(fc.array(of, { minLength: 1, maxLength: 4 }), (columns) => {
        const values = columns.map(([kind, , isNull]) => (isNull ? null : kinds[kind]));
        const order = columns.map(([kind, nullable]) => orderOf(kind, nullable));
        const text = cursorText("order", values);
        expect(text).toMatch(/^[\w-]+$/);
        const isRefused = columns.some(([, nullable, isNull]) => isNull && !nullable);
        expect(readCursor(text, "order", order)).toEqual(isRefused ? undefined : values);
        expect(readCursor(text, "other", order)).toBeUndefined();
        expect(readCursor(text, "order", [...order, orderOf("text", true)])).toBeUndefined();
        expect(readCursor(text, "order", order.slice(1))).toBeUndefined();
      }),
    );
  });

  test("is refused in every other form", () => {
    const order = [orderOf("text", false)];
    const text = cursorText("order", ["tea"]);
    expect(readCursor(text, "order", order)).toEqual(["tea"]);
    for (const odd of [
      undefined,
      null,
      7,
      "",
      "AAAA",
      text.slice(1),
      text.slice(0, -1),
      `${text}A`,
      `${text}=`,
      `${text}!`,
      ` ${text}`,
      `${text.slice(0, 9)}!${text.slice(9)}`,
    ])
      expect(readCursor(odd, "order", order), String(odd)).toBeUndefined();
    const plain = Buffer.from(text, "base64url").toString();
    for (const changed of [
      plain.replace("tea", "tee"),
      plain.replace(/^\["./, '["_'),
      `x${plain}`,
      plain.slice(0, 20),
    ])
      expect(readCursor(Buffer.from(changed).toString("base64url"), "order", order)).toBeUndefined();
  });

  test("has only values of its kinds", () => {
    const read = (kind: keyof typeof kinds, json: unknown) =>
      readCursor(cursorText("o", [json]), "o", [orderOf(kind, false)]);
    expect(read("bigint", "12")).toEqual([12n]);
    for (const odd of ["", "1.5", "x12", "12x", "1".repeat(21), 12, "9".repeat(20), null])
      expect(read("bigint", odd), String(odd)).toBeUndefined();
    expect(read("date", "2026-01-02T03:04:05.678Z")).toEqual([kinds.date]);
    for (const odd of [
      "2026-01-02",
      "x2026-01-02T03:04:05.678Z",
      "2026-01-02T03:04:05.678Zx",
      "2026-13-02T03:04:05.678Z",
      "+002026-01-02T03:04:05.678Z",
      ["2026-01-02T03:04:05.678Z"],
      7,
    ])
      expect(read("date", odd), String(odd)).toBeUndefined();
    expect(read("bytes", "AAH/")).toEqual([kinds.bytes]);
    expect(read("bytes", 7)).toBeUndefined();
    for (const odd of [7, null, "a\0"]) expect(read("text", odd)).toBeUndefined();
    expect(read("boolean", "true")).toBeUndefined();
  });
});

test("texts are equal for the values that are stored as one, and for no others", () => {
  const apart: readonly unknown[] = [
    ...["", "1", "a", "1:a", "null", "true", 0, 1, 1.5, -1, null, undefined, true, false],
    ...[new Date(0), new Date(1), new Uint8Array([1]), new Uint8Array([1, 0]), new Uint8Array()],
    ...[[], [1], ["1"], [1, 2], [2, 1], [[1], 2], [[1, 2]], ["a", "b"], ["a,s1:b"]],
    ...[{}, { a: 1 }, { a: "1" }, { b: 1 }, { a: 1, b: 2 }, { a: { b: 1 } }, { a: null }],
    ...[new Set([1]), new Set([2, 1]), new Map([[1, 2]]), new Map([[2, 1]])],
  ];
  for (const [i, one] of apart.entries())
    for (const [j, other] of apart.entries())
      expect(exactText(one) === exactText(other), `${i} ${j}`).toBe(i === j);
  const same: readonly (readonly [unknown, unknown])[] = [
    [0, -0],
    [1, 1n],
    [
      { a: 1, b: 2 },
      { b: 2, a: 1 },
    ],
    [
      { c: 1, a: 2, b: { y: 1, x: 2 } },
      { b: { x: 2, y: 1 }, c: 1, a: 2 },
    ],
    [{ a: 1, b: undefined }, { a: 1 }],
    [new Uint8Array([1, 2]), Buffer.from([0, 1, 2]).subarray(1)],
  ];
  for (const [one, other] of same) expect(exactText(one)).toBe(exactText(other));
});

describe("the caller's SQL", () => {
  const written = (text: string, grammar: Grammar, lengths: Readonly<Record<string, number>> = {}) => {
    const { sql, places } = writeNamed(parseNamed(text, grammar), grammar, (name) => lengths[name] ?? 0);
    return [sql, ...places.map(({ name, item }) => (item === undefined ? name : `${name} ${item}`))];
  };
  const [postgres, mariadb] = [grammarOf("postgres"), grammarOf("mariadb")];

  test("has a placeholder for each name and each item of a list, once or each time", () => {
    const text =
      "SELECT :a, ':a', \":b\" /* :c */ WHERE x IN (:...l) AND y = :a::int OR z IN (:...l) AND w = :l";
    const [sql, ...places] = written(text, postgres, { l: 2 });
    expect(sql).toBe(
      "SELECT $1, ':a', \":b\" /* :c */ WHERE x IN ($2, $3) AND y = $1::int OR z IN ($2, $3) AND w = $4",
    );
    expect(places).toEqual(["a", "l 0", "l 1", "l"]);
    const [other, ...more] = written(
      "SELECT :a, `:b` WHERE x IN (:...l) AND y = :a OR z IN (:...l)",
      mariadb,
      { l: 2 },
    );
    expect(other).toBe("SELECT ?, `:b` WHERE x IN (?, ?) AND y = ? OR z IN (?, ?)");
    expect(more).toEqual(["a", "l 0", "l 1", "a", "l 0", "l 1"]);
    expect(written("", postgres)).toEqual([""]);
    expect(written("SELECT 1", postgres)).toEqual(["SELECT 1"]);
    expect(written(":a", postgres)).toEqual(["$1", "a"]);
  });

  test("takes as many parameters as a statement may have", () => {
    const few = { ...postgres, maxParams: 3 };
    expect(written("SELECT :a, :...l", few, { l: 2 })).toHaveLength(4);
    for (const [text, l] of [
      ["SELECT :a, :...l", 3],
      ["SELECT :...l, :a", 3],
      ["SELECT :a, :b, :c, :d", 0],
    ] as const)
      expect(sqlErrorIn(() => written(text, few, { l })).message).toContain("more than 3 parameters");
    // What is written twice counts once.
    expect(written("SELECT :a, :b, :c, :a", few)).toHaveLength(4);
  });

  test("has names of 63 characters, no placeholders of the dialect, and no words of transactions at its start", () => {
    const name = "n".repeat(63);
    expect(written(`SELECT :${name}`, postgres)).toEqual(["SELECT $1", name]);
    expect(sqlErrorIn(() => written(`SELECT :${name}n`, postgres))).toMatchObject({ code: "INVALID_PARAM" });
    expect(sqlErrorIn(() => written("SELECT $1", postgres)).message).toContain(
      'write :name in place of "$1"',
    );
    for (const grammar of grammars.values())
      for (const word of grammar.scan.transactionWords)
        for (const text of [word, word.toUpperCase(), `/* a */ ${word} x`, `-- a\n ${word};`])
          expect(
            sqlErrorIn(() => parseNamed(text, grammar)),
            text,
          ).toMatchObject({
            code: "TRANSACTION_REQUIRED",
            message: expect.stringContaining(`"${word.toUpperCase()}" is not allowed here`),
          });
    expect(parseNamed("SELECT commit", postgres).texts).toEqual(["SELECT commit"]);
    expect(parseNamed("/* a /* b */ :c */ SELECT :d", postgres).holes).toEqual([
      { name: "d", isList: false },
    ]);
  });

  test("changes rows if its first word says so", () => {
    const changes = (text: string) => parseNamed(text, mariadb).changes;
    for (const word of ["insert", "UPDATE", "Delete", "merge", "replace"])
      expect(changes(`/* x */ ${word} a`)).toBe(true);
    for (const text of [
      "SELECT 1",
      "call p()",
      "",
      "'update'",
      "(update)".slice(1, 2),
      "WITH a AS (DELETE x) SELECT 1",
    ])
      expect(changes(text), text).toBe(false);
  });
});

test("the ranges around dates hold all of them, as few as may be, across the widest gaps", () => {
  const day = (n: number) => new Date(n * 86_400_000);
  fc.assert(
    fc.property(
      fc.array(fc.nat(60), { minLength: 1, maxLength: 20 }),
      fc.integer({ min: 1, max: 6 }),
      (days, most) => {
        const ranges = rangesAround(days.map(day), most).map((range) =>
          range.map((one) => (one as Date).getTime() / 86_400_000),
        );
        const sorted = [...new Set(days)].sort((a, b) => a - b);
        expect(ranges).toHaveLength(Math.min(most, sorted.length));
        // In order, from a date to a date, without a date between two ranges.
        expect(
          sorted.filter((one) => !ranges.some(([low = 0, high = 0]) => low <= one && one <= high)),
        ).toEqual([]);
        expect(ranges.flat()).toEqual(ranges.flat().sort((a, b) => a - b));
        expect(ranges.flat().every((one) => sorted.includes(one))).toBe(true);
        // The days inside the ranges are as few as with any other choice of gaps.
        const inside = ranges.reduce((sum, [low = 0, high = 0]) => sum + high - low, 0);
        const gaps = sorted
          .slice(1)
          .map((one, i) => one - (sorted[i] ?? 0))
          .sort((a, b) => b - a);
        const span = (sorted.at(-1) ?? 0) - (sorted[0] ?? 0);
        expect(inside).toBe(span - gaps.slice(0, most - 1).reduce((sum, gap) => sum + gap, 0));
      },
    ),
  );
  expect(rangesAround(["2026-01-02 00:00:00.000", "2026-01-01 00:00:00.000"], 1)).toEqual([
    ["2026-01-01 00:00:00.000", "2026-01-02 00:00:00.000"],
  ]);
  expect(() => rangesAround([7], 1)).toThrow("a date that is sent is a Date, or its text");
});
