/** Random values and rows: ends of ranges, ends of months, texts that are easy to get wrong. */
import type { Chance } from "./expression-chance.js";
import type { Kind, Row, Type, Value } from "./expression-trees.js";

/** The fields of the table, by name. */
export const fields: Readonly<Record<string, Type & { readonly nullable: boolean }>> = {
  i1: { kind: "int", scale: 0, nullable: false },
  i2: { kind: "int", scale: 0, nullable: true },
  b1: { kind: "big", scale: 0, nullable: false },
  b2: { kind: "big", scale: 0, nullable: true },
  p2: { kind: "dec", scale: 2, nullable: false },
  p4: { kind: "dec", scale: 4, nullable: true },
  p0: { kind: "dec", scale: 0, nullable: true },
  n1: { kind: "num", scale: 0, nullable: false },
  n2: { kind: "num", scale: 0, nullable: true },
  t1: { kind: "text", scale: 0, nullable: false },
  t2: { kind: "text", scale: 0, nullable: true },
  f1: { kind: "bool", scale: 0, nullable: false },
  f2: { kind: "bool", scale: 0, nullable: true },
  d1: { kind: "date", scale: 0, nullable: false },
  d2: { kind: "date", scale: 0, nullable: true },
  j: { kind: "json", scale: 0, nullable: true },
};

/** The digits of the decimals that fields have, before and behind the point. */
const digits: Readonly<Record<string, number>> = { p2: 8, p4: 5, p0: 6 };

const day = (text: string) => new Date(`${text}Z`);

// Ends of months, leap days, ISO weeks at the turn of a year, both ends of the calendar.
const dates: readonly Date[] = [
  "2024-02-29T23:59:59.999",
  "2023-02-28T00:00:00.000",
  "2024-01-31T12:30:00.000",
  "2025-08-31T00:00:00.001",
  "2020-12-31T23:59:59.999",
  "2021-01-03T10:00:00.000",
  "2021-01-04T00:00:00.000",
  "2018-12-31T05:06:07.008",
  "2016-01-01T00:00:00.000",
  "2000-02-29T06:00:00.500",
  "1970-01-01T00:00:00.000",
  "1969-12-31T23:59:59.999",
  "1900-03-01T01:02:03.004",
  "2100-02-28T22:00:00.000",
].map(day);
const farDates: readonly Date[] = [
  "0001-01-01T00:00:00.000",
  "0004-02-29T00:00:00.000",
  "9999-12-31T23:59:59.999",
  "1582-10-15T00:00:00.000",
].map(day);

const texts: readonly string[] = [
  "",
  " ",
  "a",
  "A",
  "Ann Low",
  "  two  blanks ",
  "100%",
  "a_b\\c",
  "it's",
  '"quoted"',
  "日本語",
  "x\u{1F600}y",
  "\uFF5E",
  "ab\tc\nd",
  "zzz ZZZ 09",
];

/** A value of a type; far ones are at the ends of its range. */
export function someOf(chance: Chance, { kind, scale }: Type, far: boolean, whole = 6): Exclude<Value, null> {
  switch (kind) {
    case "int": {
      if (far) return chance.of([9007199254740991n, -9007199254740991n, 4294967296n, -2147483648n, 0n]);
      return chance.of([0n, 1n, -1n, 2n, BigInt(chance.below(2001) - 1000), BigInt(chance.below(21) - 10)]);
    }
    case "big": {
      const edge = 2n ** 63n;
      if (far) return chance.of([edge - 1n, -edge, -edge + 1n, 9007199254740993n, 0n, -1n]);
      return chance.of([0n, 1n, -1n, BigInt(chance.below(200_001) - 100_000), -7n, 10n]);
    }
    case "dec": {
      const most = 10n ** BigInt(whole + scale) - 1n;
      if (far) return { units: chance.of([most, -most, 1n, -1n, 0n, most / 2n]), scale };
      const some = BigInt(chance.below(1_000_000) - 500_000);
      return {
        units: chance.of([0n, 1n, -1n, 5n, some, some / 1000n, 10n ** BigInt(scale)]) % (most + 1n),
        scale,
      };
    }
    case "num":
      if (far) return chance.of([1e15, -1e15, 0.1, -0.1, 1.5e-5, 123456789.125, 0]);
      return chance.of([0, 1, -1, 0.5, -2.5, (chance.below(20_001) - 10_000) / 8, chance.below(100)]);
    case "text":
      return chance.of(texts);
    case "bool":
      return chance.oneIn(2);
    case "date":
      return far ? chance.of(farDates) : chance.of(dates);
    case "json":
      return { json: documentOf(chance) };
  }
}

/** A document of the column `j`: texts, numbers, booleans, lists, and steps that are absent or null. */
function documentOf(chance: Chance): unknown {
  const orNull = <T>(value: T): T | null => (chance.oneIn(4) ? null : value);
  const number = () => chance.of([0, 1, -1, 0.5, -2.5, 1e15, 123456789.125, chance.below(100)]);
  const inner = () => ({
    ...(chance.oneIn(4) ? {} : { deep: orNull(chance.of(texts)) }),
    list: Array.from({ length: chance.below(4) }, number),
  });
  return {
    theme: chance.of(texts),
    size: orNull(number()),
    ...(chance.oneIn(3) ? {} : { on: chance.oneIn(2) }),
    'a "key.': chance.of(texts),
    inner: orNull(inner()),
    tags: Array.from({ length: chance.below(3) }, () => chance.of(texts)),
  };
}

/** The paths into such a document that lead to values of a kind. */
export const paths: Readonly<Partial<Record<Kind, readonly (readonly (string | number)[])[]>>> = {
  text: [["theme"], ["inner", "deep"], ["tags", 0], ["tags", 1], ['a "key.']],
  num: [["size"], ["inner", "list", 0], ["inner", "list", 2]],
  bool: [["on"]],
  json: [["inner"], ["inner", "list"], ["tags"]],
};

/** A row of the table; its `id` is a whole number. */
export function rowOf(chance: Chance, id: number, far: boolean): Row {
  const row: Record<string, Value> = { id: BigInt(id) };
  for (const [name, type] of Object.entries(fields))
    row[name] =
      type.nullable && chance.oneIn(4) ? null : someOf(chance, type, far && !chance.oneIn(4), digits[name]);
  return row;
}
