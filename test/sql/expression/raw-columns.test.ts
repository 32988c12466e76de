/**
 * A field in raw text is the bare column, in every clause alike, and a parameter or a constant beside it is bound as
 * that column is: of every kind and declared type, in sessions of several time zones.
 */
import {
  type AnyTable,
  c,
  column,
  count,
  type Database,
  datePart,
  dateTrunc,
  field,
  max,
  param,
  raw,
  rowNumber,
  table,
  value,
} from "rowtype";
import { mariadb } from "rowtype/mariadb";
import { oracle } from "rowtype/oracle";
import { postgres } from "rowtype/postgres";
import { sqlite } from "rowtype/sqlite";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { sqlErrorIn } from "../../kit/thrown.js";
import { zonedDatabase, zones } from "../../kit/zoned.js";
import type { Server } from "../../servers.js";
import { at, kinds, live, type Named } from "./raw-columns.kinds.js";

// biome-ignore lint/suspicious/noExplicitAny: the tables are made by the tests, so no compiler knows their fields.
type Untyped = any;

const id = column(z.int(), { primaryKey: true });
const typed = (schema: z.ZodType, type: string | undefined) =>
  type === undefined ? schema : (column as Untyped)(schema, { type });

let made = 0;
const holder = (schema: z.ZodType, type: string | undefined) =>
  table(`kept_${++made}`, z.object({ id, other: z.int().nullable(), f: typed(schema, type) }));

async function inZones(server: Server, run: (db: Database, zone: string) => Promise<void>): Promise<void> {
  const lent = await server.lend();
  try {
    if (server.name === "postgres") await lent.run("CREATE TYPE mood AS ENUM ('sad', 'happy')");
    if (server.name === "postgres") await lent.run("CREATE DOMAIN citext_ AS text");
    for (const zone of zones[server.name as Named]) {
      const { db, end } = zonedDatabase(server, lent, zone);
      await run(db, zone).finally(end);
    }
  } finally {
    await lent.close();
  }
}

describe.each(live)("beside a field on $name", (server) => {
  const { name, available } = server;
  const cases = kinds.flatMap((one) => (one.types[name as Named] ?? []).map((type) => ({ ...one, type })));

  test.skipIf(!available)(
    "a parameter and a constant find its value, whatever the type and the zone",
    async () => {
      const wrong: string[] = [];
      await inZones(server, async (db, zone) => {
        // The zone of the session is that of dates alone.
        const isFirst = zone === zones[name as Named][0];
        for (const { schema, type, values, neither, isNoConstant } of cases) {
          if (!isFirst && schema.type !== "date") continue;
          const T = holder(schema, type);
          await db.createTables(T);
          const kept: Untyped = db.repository(T as AnyTable);
          await kept.insert().execBatch(values.map((f, i) => ({ id: i + 1, other: null, f })));
          const found = async (condition: Untyped, params: object) => {
            const rows = await kept
              .query()
              .fields("id")
              .whereRaw(condition)
              .orderBy("id", "asc")
              .exec(params);
            return rows.map((row: { id: number }) => row.id);
          };
          const asked: [string, Untyped, unknown][] = [
            [
              "own schema",
              (f: unknown) => [
                raw(z.boolean())`${field("f")} = ${param("p", T.schema.shape["f"] as Untyped)}`,
                { p: f },
              ],
              0,
            ],
            [
              "plain schema",
              (f: unknown) => [raw(z.boolean())`${field("f")} = ${param("p", schema)}`, { p: f }],
              0,
            ],
            [
              "before it",
              (f: unknown) => [raw(z.boolean())`${param("p", schema)} = ${field("f")}`, { p: f }],
              0,
            ],
            ...(isNoConstant
              ? []
              : [
                  ["constant", (f: Untyped) => [raw(z.boolean())`${field("f")} = ${value(f)}`, {}], 0] as [
                    string,
                    Untyped,
                    unknown,
                  ],
                ]),
          ];
          for (const [how, ask] of asked)
            for (const [f, ids] of [
              [values[0], [1]],
              [values[1], [2]],
              ...(neither === undefined ? [] : [[neither, []]]),
            ] as const) {
              const [condition, params] = ask(f);
              const got = await found(condition, params).catch((error: Error) => String(error.message));
              if (JSON.stringify(got) !== JSON.stringify(ids))
                wrong.push(
                  `${type ?? schema.type} in ${zone}, ${how}: ${JSON.stringify(got)}, not ${JSON.stringify(ids)}`,
                );
            }
          await db.dropTables(T);
        }
      });
      expect(wrong).toEqual([]);
    },
    60_000,
  );
});

const hour = 3_600_000;

/** The day on which an instant falls three hours behind UTC. */
const localDay = (instant: Date) => new Date(instant.getTime() - 3 * hour).toISOString().slice(0, 10);

// The local day of a column, by what it keeps.
const days: { readonly [N in Named]: readonly (readonly [string | undefined, Untyped])[] } = {
  postgres: [
    [
      "timestamp without time zone",
      raw(z.string())`to_char(${field("at")} - interval '3 hours', 'YYYY-MM-DD')`,
    ],
    [
      "timestamp",
      raw(
        z.string(),
      )`to_char(${field("at")} AT TIME ZONE 'UTC' AT TIME ZONE 'America/Sao_Paulo', 'YYYY-MM-DD')`,
    ],
    [
      "timestamp(3)",
      raw(z.string())`CAST(date_trunc('day', ${field("at")} - interval '3 hours') AS date)::text`,
    ],
    ["timestamptz", raw(z.string())`to_char(${field("at")} AT TIME ZONE 'America/Sao_Paulo', 'YYYY-MM-DD')`],
    [undefined, raw(z.string())`to_char(${field("at")} AT TIME ZONE 'America/Sao_Paulo', 'YYYY-MM-DD')`],
  ],
  mariadb: [
    [undefined, raw(z.string())`DATE_FORMAT(CONVERT_TZ(${field("at")}, '+00:00', '-03:00'), '%Y-%m-%d')`],
    ["datetime(6)", raw(z.string())`DATE_FORMAT(${field("at")} - INTERVAL 3 HOUR, '%Y-%m-%d')`],
    ["timestamp(6) NULL", raw(z.string())`DATE_FORMAT(${field("at")} - INTERVAL 3 HOUR, '%Y-%m-%d')`],
  ],
  sqlite: [
    [undefined, raw(z.string())`date(${field("at")}, '-3 hours')`],
    ["INTEGER", raw(z.string())`date(${field("at")} / 1000, 'unixepoch', '-3 hours')`],
  ],
};

// Around the end of each day there and in UTC.
const instants = Array.from(
  { length: 40 },
  (_, i) => new Date(Date.UTC(2026, 2, 7, 0, 59, 59, 999) + i * 2.5 * hour + (i % 3)),
);

describe.each(live)("a report by the local day on $name", (server) => {
  test.skipIf(!server.available).each(days[server.name as Named])("of %s", async (type, day) => {
    const T = table("visits", z.object({ id, at: typed(z.date(), type) as z.ZodDate }));
    await inZones(server, async (db, zone) => {
      await db.createTables(T);
      const visits: Untyped = db.repository(T as AnyTable);
      await visits.insert().execBatch(instants.map((instant, i) => ({ id: i + 1, at: instant })));
      const perDay = new Map<string, number>();
      for (const instant of instants) perDay.set(localDay(instant), (perDay.get(localDay(instant)) ?? 0) + 1);
      const all = [...perDay].map(([on, n]) => ({ on, n }));

      const byAlias = visits.query().fields(day.as("on"), count().as("n")).groupBy("on").orderBy("on", "asc");
      expect(await byAlias.exec(), zone).toEqual(all);
      const byText = visits.query().fields(day.as("on"), count().as("n")).groupBy(day).orderBy(day, "desc");
      expect(await byText.exec(), zone).toEqual([...all].reverse());
      const distinct = visits.query().fields(day.as("on")).distinct().orderBy("on", "asc");
      expect(await distinct.exec(), zone).toEqual(all.map(({ on }) => ({ on })));
      const [, second] = all;
      const of = { on: second?.on ?? "" };
      expect(await visits.query().where(day, "=", "on").count().exec(of), zone).toBe(second?.n);
      const most = byAlias.having("n", ">=", "least");
      expect(await most.exec({ least: 10 }), zone).toEqual(all.filter(({ n }) => n >= 10));
      expect(await visits.query().fields(max(day).as("last")).exec(), zone).toEqual([
        { last: all.at(-1)?.on },
      ]);
      await db.dropTables(T);
    });
  });
});

const dialects = { postgres: postgres(), mariadb: mariadb(), sqlite: sqlite(), oracle: oracle() };

describe.each(Object.entries(dialects))("the text of a field in raw text on %s", (dialect, db) => {
  const types = [
    undefined,
    "timestamp",
    "timestamp(6)",
    "timestamptz",
    "datetime(6)",
    "date",
    "INTEGER",
    "TEXT",
    "moment",
  ];
  const cases = [
    ...types.map((type) => [type, z.date()] as const),
    ...kinds.map(({ schema }) => [undefined, schema] as const),
  ];

  test("is the bare column in every clause", () => {
    const texts = new Set<string>();
    for (const [type, schema] of cases) {
      const repository: Untyped = (db as Untyped).repository(holder(schema, type) as AnyTable);
      const mark = raw(z.int())`mark<${field("f")}>mark`;
      const statements: Untyped[] = [
        repository
          .query()
          .fields("id", mark.as("m"))
          .where(mark, "=", "p")
          .whereRaw(raw(z.boolean())`mark<${field("f")}>mark`)
          .orderBy(mark, "asc"),
        repository
          .query()
          .fields(mark.as("m"), count().as("n"))
          .groupBy("m")
          .having("m", ">", "p")
          .orderBy("m", "asc"),
        repository.query().fields(
          max(mark).as("x"),
          max(mark)
            .filter(c(mark, "=", "p"))
            .as("y"),
        ),
        repository.query().fields(mark.as("m")).distinct().orderBy("m", "asc"),
        repository
          .query()
          .fields(mark.as("m"))
          .union(repository.query().fields(mark.as("m"))),
        repository.query().fields(
          "id",
          rowNumber()
            .over({ partitionBy: [mark], orderBy: [[mark, "asc"]] })
            .as("w"),
        ),
        repository
          .query()
          .fields("id")
          .whereQuery(mark, "IN", repository.query().fields(mark.as("m"))),
        repository.modify().set("other", mark).where("id", "=", "id").returning(mark.as("m")),
        repository.insert().onConflict("id").doUpdate().set("other", mark).returning("id"),
        repository.remove().where(mark, "=", "p").returning(mark.as("m")),
      ];
      for (const statement of statements)
        for (const [, text = ""] of statement.render().native.sql.matchAll(/mark<(.*?)>mark/g))
          texts.add(text);
    }
    const [open, close] = dialect === "mariadb" ? ["`", "`"] : ['"', '"'];
    const bare = `${open}f${close}`;
    expect([...texts].filter((text) => text !== bare && !text.endsWith(`.${bare}`))).toEqual([]);
    expect(texts.size).toBeGreaterThan(0);
  });
});

describe("raw text beside groups and functions of dates", () => {
  const T = holder(z.date(), "timestamp");
  const ofT = (db: Untyped) => db.repository(T as AnyTable);

  test("a field that is grouped in another form is not the group, and the refusal says so", () => {
    const text = raw(z.string())`to_char(${field("f")}, 'HH24')`;
    const query = ofT(postgres()).query().fields(text.as("h"), count().as("n")).groupBy("f");
    expect(sqlErrorIn(() => query.render())).toMatchObject({
      code: "INVALID_AGGREGATE",
      message:
        'field "f" is grouped by its milliseconds, and raw text takes what is stored: group by the raw text too',
    });
    expect(query.groupBy(text).render().sql).toContain("to_char(\"f\", 'HH24')");
    // In the form of a column that has one only, it is the group.
    const plain = ofT(mariadb()).query().fields(text.as("h"), count().as("n")).groupBy("f");
    expect(plain.render().sql).toContain("GROUP BY `f`");
  });

  test("text that gives dates without a zone says so by its schema", () => {
    const shifted = raw(column(z.date(), { type: "timestamp" }))`${field("f")} - interval '3 hours'`;
    const query = ofT(postgres()).query().fields(dateTrunc("day", shifted).as("day"));
    expect(query.render().sql).toContain(`("f" - interval '3 hours') AT TIME ZONE 'UTC'`);
  });

  test.skipIf(!live.some(({ name, available }) => name === "postgres" && available))(
    "and is then cut by UTC in every zone",
    async () => {
      const [server] = live.filter(({ name }) => name === "postgres");
      if (server === undefined) return;
      await inZones(server, async (db) => {
        await db.createTables(T);
        await ofT(db).insert().exec({ id: 1, other: null, f: at });
        const shifted = raw(column(z.date(), { type: "timestamp" }))`${field("f")} - interval '3 hours'`;
        const row = ofT(db)
          .select()
          .fields(
            dateTrunc("day", shifted).as("day"),
            shifted.as("there"),
            datePart("hour", shifted).as("hour"),
          );
        expect(await row.where(shifted, "<", "p").exec({ p: at })).toEqual({
          day: new Date("2026-03-08"),
          there: new Date("2026-03-08T20:30:00.123Z"),
          hour: 20,
        });
        await db.dropTables(T);
      });
    },
  );

  test("the column beside a parameter counts, the one before it first, and a declared type of its own before all", () => {
    const Two = table(
      "two",
      z.object({
        id,
        local: column(z.date(), { type: "timestamp" }),
        zoned: column(z.date(), { type: "timestamptz" }),
      }),
    );
    const two = postgres().repository(Two);
    const textOf = (condition: Untyped) =>
      two.query().fields("id").whereRaw(condition).render().native.sql.split("WHERE ")[1];
    expect(
      textOf(
        raw(z.boolean())`${field("local")} < ${value(at)} AND ${field("zoned")} < ${param("p", z.date())}`,
      ),
    ).toBe('("local" < CAST($1 AS timestamp) AND "zoned" < CAST($2 AS timestamptz))');
    expect(
      textOf(
        raw(
          z.boolean(),
        )`${param("p", z.date())} > ${field("local")} AND ${param("p", z.date())} < ${field("zoned")}`,
      ),
    ).toBe('(CAST($1 AS timestamp) > "local" AND CAST($2 AS timestamptz) < "zoned")');
    expect(
      textOf(
        raw(
          z.boolean(),
        )`${field("local")} BETWEEN ${param("p", z.date())} AND ${param("q", z.date())} OR ${field("zoned")} > ${value(at)}`,
      ),
    ).toBe(
      '("local" BETWEEN CAST($1 AS timestamp) AND CAST($2 AS timestamp) OR "zoned" > CAST($3 AS timestamptz))',
    );
    expect(textOf(raw(z.boolean())`${field("local")} < ${param("p", Two.schema.shape.zoned)}`)).toBe(
      '("local" < CAST($1 AS timestamptz))',
    );
  });
});
