/**
 * Dates: milliseconds of the years 1 to 9999 whatever the zones, and columns that hold more than milliseconds, or one
 * date in two forms, which are compared, ordered and grouped as the dates that are read of them.
 */
import {
  and,
  c,
  caseWhen,
  coalesce,
  column,
  count,
  countDistinct,
  type Database,
  firstValue,
  max,
  min,
  nullIf,
  or,
  rank,
  table,
  value,
} from "rowtype";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { sqlErrorOf } from "../../kit/thrown.js";
import { zonedDatabase, zones } from "../../kit/zoned.js";
import { type Lent, servers } from "../../servers.js";

const live = servers.filter(({ name }) => name === "postgres" || name === "mariadb" || name === "sqlite");

const edges = [
  "0001-01-01T00:00:00.000Z",
  "0001-01-01T13:59:59.999Z",
  "0004-02-29T12:00:00.001Z",
  "1969-12-31T23:59:59.999Z",
  "2026-03-29T01:30:00.123Z",
  "9999-12-31T09:59:59.999Z",
  "9999-12-31T23:59:59.999Z",
].map((text) => new Date(text));

/** What a column of dates may be declared as, by server. */
const declared: Readonly<Record<string, readonly (string | undefined)[]>> = {
  postgres: [
    undefined,
    "timestamptz",
    "timestamptz(3)",
    "timestamp",
    "timestamp(3)",
    "timestamp(6) with time zone",
    "moment",
  ],
  mariadb: [undefined, "datetime(3)", "datetime(6)"],
  sqlite: [undefined, "TEXT", "INTEGER", "timestamp"],
};

let made = 0;
const tableOf = (type: string | undefined) =>
  table(
    `dates_${++made}`,
    z.object({
      id: column(z.int(), { primaryKey: true }),
      at: column(z.date().nullable(), type === undefined ? {} : { type }),
      made: column(z.date(), {
        ...(type === undefined ? {} : { type }),
        default: "CURRENT_TIMESTAMP",
      }),
    }),
  );

for (const server of live)
  describe.skipIf(!server.available)(`dates of ${server.name}`, () => {
    let lent: Lent;
    beforeAll(async () => {
      lent = await server.lend();
      if (server.name === "postgres") await lent.run("CREATE DOMAIN moment AS timestamptz");
    });
    afterAll(() => lent.close());

    for (const type of declared[server.name] ?? [])
      for (const zone of zones[server.name as keyof typeof zones])
        test(`${type ?? "no declared type"}: the years 1 to 9999 in the zone ${zone}`, async () => {
          const Time = tableOf(type);
          const { db, end } = zonedDatabase(server, lent, zone);
          try {
            await db.createTables(Time);
            const times = db.repository(Time);
            const before = Date.now();
            for (const [id, at] of edges.entries()) {
              const stored = await times.insert().exec({ id, at });
              expect(stored.at).toEqual(at);
              expect(Math.abs(stored.made.getTime() - before)).toBeLessThan(60_000);
            }
            await times.insert().execBatch([{ id: 100, at: null, made: edges[6] as Date }]);
            await times
              .modify()
              .set("made", "made")
              .where("id", "=", "id")
              .exec({ id: 100, made: edges[0] as Date });
            for (const [id, at] of edges.entries()) {
              expect(await times.query().fields("id").where("at", "=", "at").exec({ at })).toEqual([{ id }]);
              expect(await times.count().where("at", "<=", "at").exec({ at })).toBe(id + 1);
              expect(await times.count().where("at", ">", "at").exec({ at })).toBe(edges.length - id - 1);
              expect(
                await times
                  .count()
                  .where("at", "IN", "list")
                  .exec({ list: [at, edges[0] as Date] }),
              ).toBe(id === 0 ? 1 : 2);
            }
            const order = times.query().where("id", "<", "id").orderBy("at", "asc").orderBy("id", "asc");
            const rows = await order.exec({ id: 100 });
            expect(rows.map(({ at }) => at)).toEqual(edges);
            const streamed: unknown[] = [];
            for await (const row of order.stream({ id: 100 })) streamed.push(row.at);
            expect(streamed).toEqual(edges);
            const ends = await times.query().fields(min("at").as("first"), max("at").as("last")).exec();
            expect(ends).toEqual([{ first: edges[0], last: edges[6] }]);
            if (type === "INTEGER") return;
            // A text of the caller's own binds and reads dates as well.
            const raw = db.sql(
              `SELECT id, at FROM ${Time.name} WHERE at = :at`,
              z.object({ id: z.int(), at: z.date() }),
            );
            for (const [id, at] of edges.entries()) expect(await raw.exec({ at })).toEqual([{ id, at }]);
          } finally {
            await end();
          }
        });
  });

/** Stored values finer than milliseconds, or in two forms, with the date that each is read as. */
const stored: Readonly<Record<string, { types: readonly string[]; texts: readonly string[] }>> = {
  postgres: {
    types: ["timestamptz", "timestamptz(6)", "timestamp", "timestamp(6) without time zone", "moment"],
    texts: [
      "2026-01-01 10:00:00.123000",
      "2026-01-01 10:00:00.123456",
      "2026-01-01 10:00:00.123999",
      "2026-01-01 10:00:00.124000",
      "2026-01-01 10:00:00.122999",
      "1960-01-01 10:00:00.000001",
      "9999-12-31 23:59:59.999999",
      "2026-01-01 10:00:00.123456",
    ],
  },
  mariadb: {
    types: ["datetime(6)", "datetime(5)"],
    texts: [
      "2026-01-01 10:00:00.123000",
      "2026-01-01 10:00:00.123450",
      "2026-01-01 10:00:00.123990",
      "2026-01-01 10:00:00.124000",
      "2026-01-01 10:00:00.122990",
      "1960-01-01 10:00:00.000010",
      "9999-12-31 23:59:59.999990",
      "2026-01-01 10:00:00.123450",
    ],
  },
  sqlite: {
    types: ["TEXT", "timestamp(6)", "datetime"],
    texts: [
      "2026-01-01 10:00:00",
      "2026-01-01 10:00:00.000",
      "2026-01-01 10:00:00.001",
      "2026-01-01 09:59:59.999",
      "2026-01-01 10:00:01",
      "1960-01-01 10:00:00",
      "9999-12-31 23:59:59.000",
      "2026-01-01 10:00:00",
    ],
  },
};

for (const server of live)
  describe.skipIf(!server.available)(`dates of ${server.name} with more than milliseconds`, () => {
    const { types, texts } = stored[server.name] ?? { types: [], texts: [] };
    const read = texts.map((text, id) => ({ id, at: new Date(`${text.replace(" ", "T").slice(0, 23)}Z`) }));
    const probes = [...new Set(read.map(({ at }) => at.getTime()))].flatMap((time) => [
      new Date(Math.max(time - 1, 0)),
      new Date(time),
      new Date(Math.min(time + 1, Date.parse("9999-12-31T23:59:59.999Z"))),
    ]);
    let lent: Lent;
    beforeAll(async () => {
      lent = await server.lend();
      if (server.name === "postgres") await lent.run("CREATE DOMAIN moment AS timestamptz");
    });
    afterAll(() => lent.close());

    const filled = async (type: string | undefined, db: Database = lent.db, column_ = type) => {
      const Time = tableOf(type);
      await lent.run(
        `CREATE TABLE ${Time.name} (id int PRIMARY KEY, at ${column_} NULL, made ${column_} NULL)`,
      );
      for (const [id, text] of texts.entries())
        await lent.run(
          `INSERT INTO ${Time.name} (id, at, made) VALUES (${id}, '${text}${zoneOf(column_)}', '${text}${zoneOf(column_)}')`,
        );
      const times = db.repository(Time);
      tables.set(times, Time);
      return times;
    };
    const zoneOf = (type: string | undefined) =>
      server.name === "postgres" && type !== "timestamp" && type?.includes("without") !== true ? "+00" : "";

    for (const type of types)
      for (const [which, zone] of zones[server.name as keyof typeof zones].slice(0, 2).entries())
        test(`${type} in the zone ${zone}: compared, distinguished, ordered and grouped at milliseconds`, async () => {
          const { db, end } = zonedDatabase(server, lent, zone);
          try {
            const times = await filled(type, db);
            const ids = (rows: readonly { id: number }[]) => rows.map(({ id }) => id).sort((a, b) => a - b);
            expect(await times.query().fields("id", "at").orderBy("id", "asc").exec()).toEqual(read);
            const compare: Readonly<Record<string, (a: number, b: number) => boolean>> = {
              "=": (a, b) => a === b,
              "!=": (a, b) => a !== b,
              "<": (a, b) => a < b,
              "<=": (a, b) => a <= b,
              ">": (a, b) => a > b,
              ">=": (a, b) => a >= b,
            };
            // All in the first zone; in another, every third: the times before, at and after stored ones take turns.
            for (const [i, at] of probes.entries()) {
              if (which > 0 && (i + Math.floor(i / 3)) % 3 > 0) continue;
              const time = at.getTime();
              for (const [operator, holds] of Object.entries(compare)) {
                const expected = ids(read.filter((one) => holds(one.at.getTime(), time)));
                const found = times
                  .query()
                  .fields("id")
                  .where("at", operator as "=", "p");
                expect(ids(await found.exec({ p: at })), `${operator} ${at.toISOString()}`).toEqual(expected);
                // The two columns hold the same, and the other side of a comparison may be either.
                const labelled = times.query().fields(
                  "id",
                  caseWhen(z.string())
                    .when(c("at", operator as "=", "p"), "yes")
                    .else("no")
                    .as("is"),
                );
                const labels = await labelled.exec({ p: at, yes: "y", no: "n" });
                expect(ids(labels.filter(({ is }) => is === "y"))).toEqual(expected);
              }
              // There are more than six.
              for (const other of [probes[i % 6], probes[(i + 4) % 6]] as Date[]) {
                const [low, high] = time < other.getTime() ? [at, other] : [other, at];
                const within = (one: { at: Date }) => one.at >= low && one.at <= high;
                expect(
                  ids(await times.query().fields("id").whereBetween("at", "low", "high").exec({ low, high })),
                ).toEqual(ids(read.filter(within)));
                expect(
                  ids(
                    await times.query().fields("id").whereNotBetween("at", "low", "high").exec({ low, high }),
                  ),
                ).toEqual(ids(read.filter((one) => !within(one))));
                const list = [at, other];
                const isIn = (one: { at: Date }) => list.some((item) => item.getTime() === one.at.getTime());
                expect(
                  ids(await times.query().fields("id").where("at", "IN", "list").exec({ list })),
                ).toEqual(ids(read.filter(isIn)));
                expect(
                  ids(await times.query().fields("id").where("at", "NOT IN", "list").exec({ list })),
                ).toEqual(ids(read.filter((one) => !isIn(one))));
              }
              const nulled = await times
                .query()
                .fields("id", nullIf("at", "p").as("other"), nullIf("at", value(at)).as("again"))
                .orderBy("id", "asc")
                .exec({ p: at });
              expect(nulled).toEqual(
                read.map((one) => {
                  const other = one.at.getTime() === time ? null : one.at;
                  return { id: one.id, other, again: other };
                }),
              );
            }
            expect(await times.count().whereFields("at", "=", "made").exec()).toBe(texts.length);
            for (const direction of ["asc", "desc"] as const) {
              const sorted = [...read].sort(
                (a, b) => (a.at.getTime() - b.at.getTime()) * (direction === "asc" ? 1 : -1) || b.id - a.id,
              );
              expect(
                await times.query().fields("id", "at").orderBy("at", direction).orderBy("id", "desc").exec(),
              ).toEqual(sorted);
              expect(
                (await times.query().fields("id", "at").orderBy("at", direction).exec()).map(({ at }) => at),
              ).toEqual(sorted.map(({ at }) => at));
            }
            const counts = new Map<number, number>();
            for (const { at } of read) counts.set(at.getTime(), (counts.get(at.getTime()) ?? 0) + 1);
            const groups = [...counts]
              .sort(([a], [b]) => a - b)
              .map(([time, n]) => ({ at: new Date(time), n }));
            expect(
              await times
                .query()
                .fields("at", count().as("n"))
                .groupBy("at")
                .orderBy("at", "asc")
                .orderBy("n", "asc")
                .exec(),
            ).toEqual(groups);
            expect(
              await times
                .query()
                .fields("at", count().as("n"))
                .groupBy("at")
                .having("n", ">", "least")
                .orderBy("at", "asc")
                .exec({ least: 1 }),
            ).toEqual(groups.filter(({ n }) => n > 1));
            expect(
              await times
                .query()
                .fields("at", coalesce("at", "none").as("same"))
                .groupBy("at")
                .orderBy("at", "desc")
                .exec({ none: new Date(0) }),
            ).toEqual(groups.map(({ at }) => ({ at, same: at })).reverse());
            expect(await times.query().fields("at").distinct().orderBy("at", "asc").exec()).toEqual(
              groups.map(({ at }) => ({ at })),
            );
            const same = times.query().fields(coalesce("at", "none").as("same"), "id").distinct();
            expect(
              await same
                .orderBy("same", "asc")
                .orderBy("id", "asc")
                .exec({ none: new Date(0) }),
            ).toEqual(
              [...read]
                .sort((a, b) => a.at.getTime() - b.at.getTime() || Number(a.id) - Number(b.id))
                .map(({ at, id }) => ({ same: at, id })),
            );
            expect(await times.query().fields(countDistinct("at").as("n")).exec()).toEqual([
              { n: groups.length },
            ]);
            const one = times.query().fields("at");
            const united = one.union(one).orderBy("at", "asc");
            expect(await united.exec()).toEqual(groups.map(({ at }) => ({ at })));
            expect(
              await one
                .where("id", "=", "a")
                .intersect(one.where("id", "=", "b"))
                .exec({ a: 0, b: 1 }),
            ).toHaveLength(1);
            const ranked = await times
              .query()
              .fields(
                "id",
                "at",
                rank()
                  .over({ orderBy: [["at", "asc"]] })
                  .as("place"),
                firstValue("id")
                  .over({ partitionBy: ["at"], orderBy: [["id", "asc"]] })
                  .as("leader"),
              )
              .orderBy("id", "asc")
              .exec();
            expect(ranked).toEqual(
              read.map((row) => ({
                ...row,
                place: read.filter(({ at }) => at < row.at).length + 1,
                leader: read.find(({ at }) => at.getTime() === row.at.getTime())?.id,
              })),
            );
            const last = max("at").as("last");
            for (const p of probes) {
              const latest = read.reduce((a, b) => (a.at > b.at ? a : b)).at;
              expect(await times.query().fields(last).having("last", "=", "p").exec({ p })).toEqual(
                latest.getTime() === p.getTime() ? [{ last: latest }] : [],
              );
            }
            if (server.dialect === "postgres") {
              const tops = (db as Database<"postgres">)
                .repository(tableNamed(times))
                .query()
                .fields("id", "at")
                .distinctOn("at")
                .orderBy("at", "asc")
                .orderBy("id", "desc");
              expect((await tops.exec()).map(({ id }) => id)).toEqual(
                groups.map(({ at }) => read.filter((row) => row.at.getTime() === at.getTime()).at(-1)?.id),
              );
            }
          } finally {
            await end();
          }
        });

    test("keyset paging ends and misses no row", async () => {
      for (const type of types) {
        const times = await filled(type);
        const first = times.query().orderBy("at", "desc").orderBy("id", "desc").limit(2);
        const next = first
          .where("at", "<=", "at")
          .whereOr(c("at", "<", "at"), and(c("at", "=", "at"), or(c("id", "<", "id"))));
        const seen: number[] = [];
        let page = await first.exec();
        while (page.length > 0 && seen.length <= texts.length) {
          seen.push(...page.map(({ id }) => id));
          const end = page.at(-1);
          page = await next.exec({ at: end?.at as Date, id: end?.id as number });
        }
        expect([...seen].sort((a, b) => a - b)).toEqual(read.map(({ id }) => id));
      }
    });

    test("a key with two stored values of one date does not fix a row", async () => {
      const [type = ""] = types;
      const Keyed = table(
        `keyed_${++made}`,
        z.object({ at: column(z.date(), { primaryKey: true, type }), n: z.int() }),
      );
      await lent.db.createTables(Keyed);
      for (const [n, text] of [...new Set(texts)].entries())
        await lent.run(`INSERT INTO ${Keyed.name} (at, n) VALUES ('${text}${zoneOf(type)}', ${n})`);
      const keyed = lent.db.repository(Keyed);
      const update = keyed.modify().set("n", "m").where("at", "=", "at");
      expect(await sqlErrorOf(update.exec({ m: 99, at: read[0]?.at as Date }))).toMatchObject({
        code: "MULTIPLE_ROWS",
      });
      expect(await keyed.count().where("n", "=", "m").exec({ m: 99 })).toBe(0);
      expect(await update.exec({ m: 99, at: read[3]?.at as Date })).toEqual({ at: read[3]?.at, n: 99 });
    });

    test("an index serves every comparison with one date", async () => {
      for (const type of types) {
        const times = await filled(type);
        const name = tableNamed(times).name;
        await lent.run(`CREATE INDEX ${name}_at ON ${name} (at)`);
        await lent.run(`CREATE INDEX ${name}_at_made ON ${name} (made)`);
        if (server.name === "postgres")
          await lent.run(
            `INSERT INTO ${name} SELECT i, TIMESTAMP '2026-02-01' + i * INTERVAL '1 second' FROM generate_series(1000, 20000) i`,
          );
        if (server.name === "mariadb")
          await lent.run(
            `INSERT INTO ${name} SELECT seq, TIMESTAMP'2026-02-01 00:00:00' + INTERVAL seq SECOND, NULL FROM seq_1000_to_20000`,
          );
        if (server.name !== "sqlite")
          await lent.run(server.name === "postgres" ? `ANALYZE ${name}` : `ANALYZE TABLE ${name}`);
        const at = read[0]?.at as Date;
        const plans = [
          await times.query().where("at", "=", "p").explain({ p: at }),
          await times
            .query()
            .where("at", "<", "p")
            .explain({ p: new Date("2026-01-15T00:00:00Z") }),
          await times
            .query()
            .where("at", ">", "p")
            .explain({ p: new Date("2026-05-01T00:00:00Z") }),
          await times
            .query()
            .whereBetween("at", "low", "high")
            .explain({ low: at, high: new Date(at.getTime() + 1) }),
          await times.query().orderBy("made", "desc").limit(1).explain(),
        ];
        for (const plan of plans) expect(plan, `${type}: ${plan}`).toContain(`${name}_at`);
      }
    });

    test.skipIf(server.name === "sqlite")(
      "without a declared type, more than milliseconds is refused, and the error names the alternatives",
      async () => {
        const times = await filled(undefined, lent.db, types[0]);
        const error = await sqlErrorOf(times.query().exec());
        expect(error).toMatchObject({ code: "DECODE_FAILED", field: "at" });
        expect(error.message).toMatch(/microseconds.*timestamptz.*z\.string\(\)/);
        expect(error.message.length).toBeLessThan(300);
        // What holds no more than milliseconds is read.
        expect(await times.select().fields("at").where("id", "=", "id").exec({ id: 0 })).toEqual({
          at: read[0]?.at,
        });
      },
    );
  });

// The table of a repository is what it was made of.
function tableNamed(repository: object) {
  return tables.get(repository) as ReturnType<typeof tableOf>;
}
const tables = new WeakMap<object, ReturnType<typeof tableOf>>();
