/**
 * HAVING on what rows are grouped by, on every server: for each kind of expression the filter keeps the groups that the
 * same comparison in JavaScript keeps, by the name of the expression, by itself, and inside another one.
 */
import {
  add,
  and,
  between,
  c,
  caseWhen,
  cast,
  coalesce,
  column,
  concat,
  count,
  type Database,
  datePart,
  dateTrunc,
  decimal,
  field,
  json,
  length,
  lower,
  mul,
  not,
  notNull,
  one,
  param,
  path,
  raw,
  table,
  value,
  when,
} from "rowtype";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { type Lent, serversAndLocales, titleOf } from "../../servers.js";

const makers = table(
  "having_makers",
  z.object({ id: column(z.int(), { primaryKey: true }), name: z.string() }),
);
const things = table(
  "having_things",
  z.object({
    id: column(z.int(), { primaryKey: true }),
    makerId: z.int().nullable(),
    name: z.string(),
    note: z.string().nullable(),
    size: z.int().nullable(),
    weight: z.number(),
    big: z.bigint(),
    price: decimal(10, 2),
    level: z.enum(["low", "high"]),
    isNew: z.boolean(),
    at: z.date(),
    fine: column(z.date().nullable(), {
      type: { postgres: "timestamptz(6)", mariadb: "datetime(6)", oracle: "timestamp(6) with time zone" },
    }),
    doc: json(z.object({ kind: z.string() })),
  }),
  { relations: { maker: one("makers", "makerId") } },
);
const tables = { makers, things };

const typed = (db: Database) => (db as unknown as Database<"sqlite">).repositories(tables);
type World = ReturnType<typeof typed>;

/** A query whose methods take what the compiler does not know. */
interface Loose {
  leftJoin(path: string): Loose;
  fields(...fields: readonly unknown[]): Loose;
  groupBy(...by: readonly unknown[]): Loose;
  having(of: unknown, operator: string, param: string): Loose;
  havingAgg(...of: readonly string[]): Loose;
  union(other: Loose): Loose;
  exec(params?: object): Promise<{ readonly g: unknown; readonly n?: number }[]>;
}

// biome-ignore lint/suspicious/noExplicitAny: an expression of any kind.
type Any = any;

interface Grouped {
  readonly of: () => Any;
  readonly params?: object;
  /** Whether its values have an order. */
  readonly unordered?: true;
  /** Another expression that is made of it, and its value. */
  readonly made?: readonly [(of: Any) => Any, (value: Any) => unknown];
  readonly joins?: true;
  /** What H2, which stands in for Oracle, has not. */
  readonly h2?: string;
}

const loud: Grouped["made"] = [(of) => concat(of, value("!")), (text: string) => `${text}!`];
const more: Grouped["made"] = [(of) => add(of, value(1)), (n: number | null) => (n === null ? null : n + 1)];

const NO_REPEAT = "no knowledge of what it groups by in HAVING";
const NO_PARAMETER = "no knowledge of what it groups by beside parameters";
const NO_DATES = "not these functions of dates";

const grouped: Readonly<Record<string, Grouped>> = {
  "a function of text": { h2: NO_REPEAT, of: () => lower("name"), made: loud },
  "a function of text that may be null": { of: () => lower("note") },
  "several fields": { of: () => concat("name", "level"), made: loud },
  "a length": { h2: NO_REPEAT, of: () => length("name"), made: more },
  arithmetic: { of: () => add("size", value(1)), made: more },
  "a product of doubles": { of: () => mul("weight", value(2)) },
  "a sum of bigints": { of: () => add("big", value(1n)) },
  "a product of decimals": { of: () => mul("price", value("2.0")) },
  "a cast": { of: () => cast("size", "text") },
  "one of several": { h2: NO_REPEAT, of: () => coalesce("note", field("name")), made: loud },
  "one of several, of which one is a parameter": {
    of: () => coalesce("note", param("none")),
    params: { none: "-" },
    made: loud,
  },
  "a part of a date": { h2: NO_REPEAT, of: () => datePart("year", "at"), made: more },
  "the beginning of a date": { h2: NO_DATES, of: () => dateTrunc("month", "at") },
  "the beginning of a fine date that may be null": { h2: NO_DATES, of: () => dateTrunc("day", "fine") },
  "a case": {
    h2: NO_PARAMETER,
    of: () =>
      caseWhen(z.string())
        .when(c("size", ">", "least"), value("large"))
        .else(value("small")),
    params: { least: 1 },
    made: loud,
  },
  "a test": {
    h2: NO_PARAMETER,
    of: () => when(c("size", ">", "least")),
    params: { least: 1 },
    unordered: true,
  },
  "a value inside JSON": { of: () => path("doc", "kind"), h2: "no functions of JSON" },
  "raw text": { h2: NO_REPEAT, of: () => raw(z.int())`${field("id")} - ${field("id")} + 1`, made: more },
  "a function of a joined table": { of: () => lower("maker.name"), joins: true },
  "a field": { of: () => field("name"), made: loud },
  "a field of few values": { of: () => field("level") },
  "a boolean field": { of: () => field("isNew"), unordered: true },
  "a field that may be null": { of: () => field("size"), made: more },
  "a date": { of: () => field("at") },
  "a fine date": { h2: NO_DATES, of: () => field("fine") },
  "a decimal": { of: () => field("price") },
  "a joined field": { of: () => field("maker.name"), joins: true },
};

const at = (n: number) => new Date(Date.UTC(2024, n % 3, 1 + n, 2, 3, 4, n));
const rows = Array.from({ length: 9 }, (_, i) => ({
  id: i + 1,
  makerId: [1, 2, null][i % 3] ?? null,
  name: ["a", "A", "b", "É"][i % 4] ?? "",
  note: [null, "x", "Y"][i % 3] ?? null,
  size: [1, 2, null, 3][i % 4] ?? null,
  weight: [0.1, 1.5][i % 2] ?? 0,
  big: [2n ** 60n, -1n][i % 2] ?? 0n,
  price: ["1.50", "20.00", "3.00"][i % 3] ?? "",
  level: (["low", "high"] as const)[i % 2] ?? "low",
  isNew: i % 2 === 0,
  at: at(i % 4),
  fine: i % 4 === 0 ? null : at(i % 3),
  doc: { kind: ["k", "l"][i % 2] ?? "" },
}));

const plain = (one: unknown) => (one instanceof Date ? one.getTime() : one);
const isSame = (one: unknown, other: unknown) => plain(one) === plain(other);

for (const server of serversAndLocales)
  describe.skipIf(!server.available)(`HAVING of what is grouped on ${titleOf(server)}`, () => {
    let lent: Lent;
    let of: World;
    beforeAll(async () => {
      lent = await server.lend();
      await lent.db.createTables(makers, things);
      of = typed(lent.db);
      await of.makers.insert().execBatch(["m", "N"].map((name, i) => ({ id: i + 1, name })));
      await of.things.insert().execBatch(rows);
    });
    afterAll(() => lent.close());

    test.for(Object.entries(grouped))(
      "%s",
      async ([, { of: expression, params = {}, unordered, made, joins, h2 }], { skip }) => {
        if (server.name === "h2" && h2 !== undefined) skip(`H2 has ${h2}`);
        const start = () => {
          const query = of.things.query() as unknown as Loose;
          return joins === true ? query.leftJoin("maker") : query;
        };
        const named = () => expression().as("g");
        const groups = () => start().fields(named(), count().as("n")).groupBy("g");
        const all = await groups().exec(params);
        expect(all.length).toBeGreaterThan(0);
        const sorted = (some: readonly { readonly g: unknown; readonly n?: number }[]) =>
          [...some].sort((a, b) => (String(plain(a.g)) < String(plain(b.g)) ? -1 : 1));
        const values = all.map(({ g }) => g).filter((g) => g !== null);
        const [first, last] = [values[0], values.at(-1)];
        const equal = sorted(all.filter(({ g }) => isSame(g, first)));
        const asked = { ...params, p: first };
        // By its name, by itself, and where it is not among the fields.
        expect(await groups().having("g", "=", "p").exec(asked)).toEqual(equal);
        expect(await groups().having(expression(), "=", "p").exec(asked)).toEqual(equal);
        const unnamed = start().fields(count().as("n")).groupBy(expression());
        expect(await unnamed.having(expression(), "=", "p").exec(asked)).toEqual(
          equal.map(({ n }) => ({ n })),
        );
        const others = sorted(all.filter(({ g }) => g !== null && !isSame(g, first)));
        expect(sorted(await groups().having("g", "!=", "p").exec(asked))).toEqual(others);
        const list = { ...params, p: [first, last] };
        const both = sorted(all.filter(({ g }) => isSame(g, first) || isSame(g, last)));
        expect(sorted(await groups().having("g", "IN", "p").exec(list))).toEqual(both);
        if (unordered === undefined) {
          // What is not less, and what is less, is all that is not null.
          const some = await groups().having("g", ">=", "p").exec(asked);
          const rest = await groups().having("g", "<", "p").exec(asked);
          expect(some).toEqual(expect.arrayContaining(equal));
          expect(sorted([...some, ...rest])).toEqual(sorted(all.filter(({ g }) => g !== null)));
        }
        // Beside an aggregate, and in a compound query.
        const many = groups().having("g", "=", "p").havingAgg("count", "*", ">=", "least");
        expect(await many.exec({ ...asked, least: 1 })).toEqual(equal);
        const alone = () => start().fields(named()).groupBy("g");
        const compound = alone()
          .having("g", "=", "p")
          .union(alone().having("g", "=", "other"));
        expect(sorted(await compound.exec({ ...asked, other: last }))).toEqual(both.map(({ g }) => ({ g })));
        if (made === undefined) return;
        const [make, expectedOf] = made;
        const inside = await groups()
          .having(make(expression()), "=", "p")
          .exec({ ...params, p: expectedOf(first) });
        expect(inside).toEqual(equal);
      },
    );

    const inside: readonly [string, (of: Any) => Any, object, (name: string | null) => boolean][] = [
      ["a comparison", (of) => when(c(of, "=", "x")), { x: "a" }, (name) => name === "a"],
      ["a list", (of) => when(c(of, "IN", "x")), { x: ["a", "b"] }, (name) => name === "a" || name === "b"],
      [
        "a range",
        (of) => when(between(of, "x", "z")),
        { x: "a", z: "b" },
        (name) => name === "a" || name === "b",
      ],
      ["a test for null", (of) => when(notNull(of)), {}, (name) => name !== null],
      [
        "a negation in a group",
        (of) => when(and(not(c(of, "=", "x")), c(of, "!=", "z"))),
        { x: "a", z: "b" },
        (name) => name?.toLowerCase() === "é",
      ],
      [
        "a case",
        (of) =>
          when(
            c(
              caseWhen(z.string())
                .when(c(of, "=", "x"), of)
                .else(value("")),
              "=",
              "x",
            ),
          ),
        { x: "b" },
        (name) => name === "b",
      ],
      [
        "raw text",
        (of) => raw(z.boolean())`${of} = ${param("x", z.string())}`,
        { x: "b" },
        (name) => name === "b",
      ],
    ];
    test.for(inside)("what is grouped inside %s", async ([, made, params, keeps], { skip }) => {
      if (server.name === "h2") skip(`H2 has ${NO_REPEAT}`);
      const query = of.things.query() as unknown as Loose;
      const groups = query.fields(lower("name").as("g")).groupBy("g");
      const all = await groups.exec();
      const kept = await groups.having(made(lower("name")), "=", "yes").exec({ ...params, yes: true });
      const names = (some: readonly { readonly g: unknown }[]) => some.map(({ g }) => g as string).sort();
      expect(names(kept)).toEqual(names(all).filter((name) => keeps(name)));
    });
  });
