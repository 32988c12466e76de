/**
 * Pages ordered by a field of every kind that may be null, on every type that a column of the kind may have: in both
 * directions and with NULLs in both places, every row comes once, where the whole query has it.
 */
import { column, type Database, decimal, table } from "rowtype";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { sqlErrorOf } from "../../kit/thrown.js";
import { type Kind, kinds } from "../../kit/value-types.kinds.js";
import { cutInto, type Walked, walk } from "../../kit/walk.js";
import { type Lent, serversAndLocales, titleOf } from "../../servers.js";

type Row = { readonly id: number; readonly value: unknown };

interface Loose {
  orderBy(field: string, direction: string): Loose;
  orderByNulls(field: string, direction: string, nulls: string): Loose;
  page(size: number): Walked<Row>;
  exec(): Promise<Row[]>;
}

/** Kinds that the other table has no row for, or not with values that are near to each other. */
const more: readonly Kind[] = [
  {
    zod: "decimal(p, s)",
    schema: decimal(12, 3),
    all: ["-1.500", "0.000", "0.001", "0.010", "999999999.999"],
    types: { postgres: { "": "all" }, mariadb: { "": "all" }, sqlite: { "": "all" }, oracle: { "": "all" } },
  },
  {
    zod: "z.number() in binary digits that text has not",
    schema: z.number(),
    all: [0.1, 0.2, 0.3, -0.1, 1 / 3],
    types: {
      postgres: { real: [0.1, 0.2, 0.3, -0.1, 16777216], "numeric(12,4)": [0.1, 0.2, 0.3, -0.1] },
      mariadb: { "decimal(12,4)": [0.1, 0.2, 0.3, -0.1] },
      sqlite: { "": "all" },
      oracle: { "": "all" },
    },
  },
  {
    zod: "z.date() near to others",
    schema: z.date(),
    all: [
      "2024-02-29T00:00:00.000Z",
      "2024-02-29T00:00:00.001Z",
      "2024-02-28T23:59:59.999Z",
      "1999-12-31T23:59:59.000Z",
    ].map((text) => new Date(text)),
    types: {
      postgres: { "timestamptz(3)": "all", timestamptz: "all", "timestamp(3)": "all", "timestamp(6)": "all" },
      mariadb: {
        "datetime(3)": "all",
        "datetime(6)": "all",
        "timestamp(3) NULL": "all",
        "timestamp(6) NULL": "all",
      },
      sqlite: { "": "all", INTEGER: "all" },
      oracle: { "": "all" },
    },
  },
  {
    zod: "z.string() of a day, a time, an interval",
    schema: z.string(),
    all: [],
    types: {
      postgres: {
        date: ["2024-02-29", "0001-01-01", "9999-12-31"],
        time: ["00:00:00", "23:59:59.999999", "12:00:00"],
        timestamptz: ["2024-02-29 00:00:00+00", "2024-02-29 00:00:00.000001+00"],
        interval: ["1 day", "00:00:01", "1 year"],
        inet: ["10.0.0.1", "9.255.255.255", "::1"],
      },
      mariadb: {
        date: ["2024-02-29", "1000-01-01", "9999-12-31"],
        "time(3)": ["00:00:00.000", "-01:00:00.000", "100:00:00.001"],
        "datetime(6)": ["2024-02-29 00:00:00.000000", "2024-02-29 00:00:00.000001"],
        inet6: ["::1", "::2"],
      },
    },
  },
  {
    zod: "z.string() in an order of people",
    schema: z.string(),
    all: ["a", "B", "Z", "é", "e", "\u{1f600}", "~", ""],
    types: {
      postgres: {
        "": "all",
        'text COLLATE "en-US-x-icu"': "all",
        "varchar(9)": "all",
        "char(3)": ["a  ", "B  ", "Z  ", "b  "],
      },
      mariadb: {
        "": "all",
        "varchar(9) COLLATE utf8mb4_general_ci": "all",
        "varchar(9) COLLATE utf8mb4_uca1400_ai_ci": "all",
        "char(3)": ["a", "B", "Z", "b"],
      },
      sqlite: { "": "all", "TEXT COLLATE NOCASE": "all" },
      oracle: { "": ["a", "B", "Z", "é", "e", "~"] },
    },
  },
];

/** The kinds and types by which no page is ordered. */
const without: Readonly<Record<string, RegExp>> = {
  sqlite: /^(json|z\.array|z\.string\(\) of a decimal)/,
  postgres: /^(json|z\.array|z\.number\(\) numeric\(20,5\))/,
  mariadb: /^(json|z\.array|z\.number\(\) (float|decimal\(20,5\))|z\.enum\(\) enum)/,
  oracle: /^(json|z\.array|z\.instanceof)/,
};

// Every value, two of them twice, and NULL twice; the ids have nothing to do with their order.
const rowsOf = (values: readonly unknown[]): Row[] =>
  [null, ...values, ...values.slice(0, 2), null].map((value, i) => ({ id: ((i * 7 + 3) % 31) + 1, value }));

// Where NULLs stand by themselves, and at the other end.
const orders = [
  { direction: "asc", nulls: undefined },
  { direction: "asc", nulls: "first" },
  { direction: "desc", nulls: undefined },
  { direction: "desc", nulls: "last" },
] as const;

// On Oracle the empty text is NULL.
const notEmpty = (values: readonly unknown[]) => values.filter((value) => value !== "");

for (const server of serversAndLocales)
  describe.skipIf(!server.available)(`pages by each kind on ${titleOf(server)}`, () => {
    let lent: Lent;
    let made = 0;
    beforeAll(async () => {
      lent = await server.lend();
      if (server.name === "postgres") await lent.run("CREATE TYPE mood AS ENUM ('low', 'hi''gh')");
    });
    afterAll(() => lent.close());

    const cases = [...kinds, ...more]
      // Another locale orders nothing but text in another way.
      .filter(({ schema }) => server.locale === undefined || schema.type === "string")
      .flatMap(({ zod, schema, types, all }) =>
        Object.entries(
          types[server.dialect] ?? (server.dialect === "oracle" ? { "": notEmpty(all) } : {}),
        ).map(([type, held]) => ({
          title: `${zod} ${type}`.trim(),
          schema,
          type,
          values: held === "all" ? all : held,
        })),
      );

    test.each(cases)("$title", async ({ title, schema, type, values }) => {
      const value = type === "" ? schema.nullable() : column(schema.nullable(), { type });
      const of = table(`paged_${++made}`, z.object({ id: column(z.int(), { primaryKey: true }), value }));
      const repository = (lent.db as Database<"sqlite">).repository(of);
      const query = () => repository.query() as unknown as Loose;
      const rows = rowsOf(values);
      if (without[server.dialect]?.test(title) === true) {
        const refused = query()
          .orderBy("value", "asc")
          .orderBy("id", "asc")
          .page(1)
          .exec({}, { after: undefined });
        expect(await sqlErrorOf(refused)).toMatchObject({ code: "UNSUPPORTED" });
        return;
      }
      await lent.db.createTables(of);
      await repository.insert().execBatch(rows as never);
      for (const { direction, nulls } of orders) {
        const named = `${direction}, NULLs ${nulls ?? "where they are"}`;
        const asked = (
          nulls === undefined
            ? query().orderBy("value", direction)
            : query().orderByNulls("value", direction, nulls)
        ).orderBy("id", direction === "asc" ? "desc" : "asc");
        const whole = await asked.exec();
        expect(whole.map(({ id }) => id).sort(), named).toEqual(rows.map(({ id }) => id).sort());
        const first = nulls === undefined ? direction === "desc" : nulls === "first";
        const none = whole.map(({ value }) => value === null);
        expect(first ? none : none.reverse(), named).toEqual(rows.map((_, i) => i < 2));
        // From each row on, and from some.
        for (const size of nulls === undefined ? [1, 3] : [1]) {
          const walked = await walk(asked.page(size), { most: rows.length + 1, title: named });
          expect(walked, named).toEqual(cutInto(whole, size));
        }
      }
    });
  });
