/** A table with a column of every kind, in plain and in declared types, and random rows of it with what is hard to keep. */
import { column, decimal, json, many, one, table } from "rowtype";
import { z } from "zod";

/** What has a value row and, by the batch that they were stored in, the rows around it. */
export const parents = table(
  "parents",
  z.object({ id: column(z.int(), { primaryKey: true }), valueId: z.int() }),
  { relations: { value: one("values", "valueId"), beside: many("values", "batch") } },
);

const bytes = () => z.instanceof(Uint8Array);
const moods = ["glad", 'so "so"', "sad, \\ ö"] as const;

export const values = table(
  "nested_values",
  z.object({
    id: column(z.int(), { primaryKey: true }),
    batch: column(z.int(), { index: true }),
    text: z.string().nullable(),
    double: z.number().nullable(),
    whole: z.int().nullable(),
    big: z.bigint().nullable(),
    flag: z.boolean().nullable(),
    at: z.date().nullable(),
    bytes: bytes().nullable(),
    money: decimal(18, 4).nullable(),
    most: column(decimal(18, 9).nullable(), {
      type: { postgres: "numeric(38,20)", mariadb: "decimal(38,20)" },
    }),
    any: json(z.unknown()),
    mood: z.enum(moods).nullable(),
    tags: z.array(z.string()).nullable(),
    bigs: z.array(z.bigint()),
    doubles: z.array(z.number()),
    flags: z.array(z.boolean()),
    dates: z.array(z.date()),
    blobs: z.array(bytes()),
    // Some servers pad these, and say so in every answer or in none.
    fixed: column(z.string().nullable(), { type: "char(12)" }),
    named: column(z.string().nullable(), {
      type: {
        postgres: 'varchar(60) COLLATE "und-x-icu"',
        mariadb: "varchar(60) COLLATE utf8mb4_general_ci",
        sqlite: "varchar(60) COLLATE NOCASE",
      },
    }),
    exact: column(z.string().nullable(), {
      type: { postgres: "numeric(24,6)", mariadb: "decimal(24,6)", sqlite: "text" },
    }),
    single: column(z.number().nullable(), { type: { postgres: "real", mariadb: "float", sqlite: "real" } }),
    ratio: column(z.number().nullable(), {
      type: { postgres: "numeric(30,10)", mariadb: "decimal(30,10)", sqlite: "numeric" },
    }),
    small: column(z.int().nullable(), { type: "smallint" }),
    micro: column(z.date().nullable(), { type: { postgres: "timestamptz(6)", mariadb: "datetime(6)" } }),
    local: column(z.date().nullable(), { type: { postgres: "timestamp(3)", mariadb: "datetime(3)" } }),
    raw: column(bytes().nullable(), {
      type: { postgres: "bytea", mariadb: "varbinary(60)", sqlite: "blob" },
    }),
    plain: column(json(z.unknown()), { type: { postgres: "json", mariadb: "longtext", sqlite: "text" } }),
  }),
);

/** The same numbers in every run. */
export function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

const CHARACTERS = [
  "a",
  '"',
  "\\",
  "\n",
  "\t",
  "\u0001",
  "\u007f",
  "\u2028",
  "é",
  "e\u0301",
  "\u{1F600}",
].concat(["'", "%", "{", "[", ",", " ", "\uFFFD", "\uFEFF", "\u{10FFFF}", "\\u0000", "null"]);
const KEYS = ["__proto__", "constructor", "toString", "", " ", '"', "a.b", "$", "0", "\\", "\u0001", "ключ"];
const INT64 = [-(2n ** 63n), 2n ** 63n - 1n, -1n, 0n, 2n ** 53n + 1n, -(2n ** 53n) - 1n];
const DOUBLES = [-0, 0, 5e-324, -2.2250738585072014e-308, Number.MAX_VALUE, -Number.MAX_VALUE].concat([
  Number.MIN_VALUE,
  Number.EPSILON,
  0.1 + 0.2,
  2 ** 53,
  -(2 ** 53) - 2,
  1e21,
  1e-7,
  123456789.125,
]);

/** A random row: nulls, ends of ranges, and texts that are hard to quote. */
export function makeRow(id: number, batch: number, next: () => number, firstYear: number) {
  const bits = new DataView(new ArrayBuffer(8));
  const int = (below: number) => Math.floor(next() * below);
  const of = <T>(list: readonly [T, ...T[]]): T => list[int(list.length)] ?? list[0];
  const text = (most = 12) =>
    Array.from({ length: int(most) }, () => CHARACTERS[int(CHARACTERS.length)] ?? "").join("");
  const list = <T>(make: () => T) => Array.from({ length: int(3) }, make);
  const orNull = <T>(make: () => T) => (next() < 0.1 ? null : make());
  const double = () => {
    bits.setUint32(0, int(2 ** 32));
    bits.setUint32(4, int(2 ** 32));
    const value = next() < 0.15 ? (DOUBLES[int(DOUBLES.length)] ?? 0) : bits.getFloat64(0);
    return Number.isFinite(value) ? value : next();
  };
  const big = () => {
    const some = BigInt.asIntN(64, (BigInt(int(2 ** 32)) << 32n) | BigInt(int(2 ** 32)));
    return next() < 0.1 ? (INT64[int(INT64.length)] ?? 0n) : some;
  };
  const date = () => {
    const clock = [int(12), 1 + int(28), int(24), int(60), int(60), int(1_000)] as const;
    const made = new Date(Date.UTC(2000, ...clock));
    made.setUTCFullYear(firstYear + int(10_000 - firstYear));
    return made;
  };
  const blob = () => Uint8Array.from({ length: int(20) }, () => int(256));
  const digits = (count: number) => Array.from({ length: count }, () => int(10)).join("");
  const exact = (whole: number, scale: number) => {
    const number = digits(1 + int(whole)).replace(/^0+(?=\d)/, "");
    const said = `${number}.${digits(scale)}`;
    return next() < 0.5 && /[1-9]/.test(said) ? `-${said}` : said;
  };
  const key = () => (next() < 0.5 ? (KEYS[int(KEYS.length)] ?? "") : text());
  const document = (depth: number): unknown => {
    const choice = depth === 0 ? 2 + int(4) : int(6);
    // A literal would set the prototype and not make a key.
    if (choice === 0) return Object.fromEntries(list(() => [key(), document(depth - 1)] as const));
    if (choice === 1) return list(() => document(depth - 1));
    return [text(), double(), null, next() < 0.5][choice - 2];
  };
  return {
    id,
    batch,
    text: orNull(text),
    double: orNull(double),
    whole: orNull(() => (next() < 0.1 ? of([2 ** 53 - 1, 1 - 2 ** 53, 0]) : int(2 ** 31) - 2 ** 30)),
    big: orNull(big),
    flag: orNull(() => next() < 0.5),
    at: orNull(date),
    bytes: orNull(blob),
    money: orNull(() => exact(14, 4)),
    most: orNull(() => exact(9, 9)),
    any: document(3),
    mood: orNull(() => of(moods)),
    tags: orNull(() => list(text)),
    bigs: list(big),
    doubles: list(double),
    flags: list(() => next() < 0.5),
    dates: list(date),
    blobs: list(blob),
    fixed: orNull(() => of(["", "a", "a b", "Äö", "123456789012"])),
    named: orNull(() => text(4)),
    exact: orNull(() => exact(18, 6)),
    single: orNull(() => Math.fround((next() - 0.5) * 10 ** int(20))),
    ratio: orNull(() => int(10 ** 6) / 1_000 - 500),
    small: orNull(() => int(65_536) - 32_768),
    micro: orNull(date),
    local: orNull(date),
    raw: orNull(blob),
    plain: document(2),
  };
}
