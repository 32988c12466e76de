/**
 * Functions of dates on the servers, in several zones of their sessions, held against arithmetic of our own over random
 * dates: ends of months, leap years, ISO weeks at the turn of a year, the years 1 and 9999, before 1970.
 */
import { isDeepStrictEqual } from "node:util";
import {
  c,
  coalesce,
  column,
  count,
  type Database,
  dateAdd,
  dateDiff,
  datePart,
  dateTrunc,
  type Insert,
  max,
  min,
  param,
  QueryError,
  table,
  value,
} from "rowtype";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { added, difference, instantOf, type Part, partOf, truncated, type Unit } from "../../kit/calendar.js";
import { zonedDatabase } from "../../kit/zoned.js";
import { type Lent, type Server, servers } from "../../servers.js";

const truncUnits = ["year", "quarter", "month", "week", "day", "hour", "minute"] as const;
const partUnits = ["year", "quarter", "month", "week", "day", "weekday", "hour", "minute", "second"] as const;
const units = [...truncUnits, "second"] as const;
const forms = ["plain", "fine", "zoneless", "epoch"] as const;
type Form = (typeof forms)[number];

const Moment = table(
  "moments",
  z.object({
    id: column(z.int(), { primaryKey: true }),
    plain: z.date().nullable(),
    fine: column(z.date().nullable(), {
      type: {
        postgres: "timestamptz(6)",
        mariadb: "datetime(6)",
        sqlite: "TEXT",
        oracle: "TIMESTAMP(6) WITH TIME ZONE",
      },
    }),
    zoneless: column(z.date().nullable(), {
      type: {
        postgres: "timestamp(6)",
        mariadb: "datetime(3)",
        sqlite: "TEXT",
        oracle: "TIMESTAMP WITH TIME ZONE",
      },
    }),
    epoch: column(z.date().nullable(), {
      type: {
        postgres: "timestamp(3)",
        mariadb: "datetime(6)",
        sqlite: "INTEGER",
        oracle: "TIMESTAMP(3) WITH TIME ZONE",
      },
    }),
    other: z.date(),
    n: z.int(),
    // How many days, and how many seconds, lie up to the other date.
    apart: z.int(),
    seconds: z.bigint(),
  }),
);

let seed = 20_261_122;
function random(below: number): number {
  seed = (Math.imul(seed, 1_103_515_245) + 12_345) >>> 0;
  return Math.floor((seed / 2 ** 32) * below);
}

const times = [0, 1, 999, 43_200_000, 86_399_999, 86_399_000];
function randomDate(): Date {
  const year =
    [1 + random(9_999), 1, 9_999, 1_900 + random(200), 4 * (1 + random(2_499)), 2_000][random(6)] ?? 1;
  const month = random(3) === 0 ? ([1, 2, 12][random(3)] ?? 1) : 1 + random(12);
  const last = instantOf(year, month, 28);
  const day = 1 + random(28);
  const time = random(2) === 0 ? random(86_400_000) : (times[random(times.length)] ?? 0);
  if (random(3) !== 0) return instantOf(year, month, day, time);
  // The end of the month, if it is in the same one.
  const later = new Date(last.getTime() + random(4) * 86_400_000 + time);
  return partOf("month", later) === month ? later : instantOf(year, month, 28, time);
}

const ROWS = 2_500;
const moments: Insert<typeof Moment>[] = Array.from({ length: ROWS }, (_, id) => {
  const date = id % 97 === 0 ? null : randomDate();
  const close =
    date !== null && random(3) === 0
      ? added(date, [1, -1][random(2)] ?? 1, units[random(3)] ?? "year")
      : undefined;
  const near =
    close !== undefined && close >= instantOf(1, 1, 1) && close <= instantOf(9_999, 12, 31)
      ? close
      : undefined;
  const other = near ?? randomDate();
  const year = date === null ? 1 : partOf("year", date);
  const n = random(2) === 0 ? random(year) * -1 : random(10_000 - year);
  const ms = date === null ? 0 : other.getTime() - date.getTime();
  const apart = Math.trunc(ms / 86_400_000);
  const seconds = BigInt(Math.trunc(ms / 1_000));
  return { id, plain: date, fine: date, zoneless: date, epoch: date, other, n: n + 0, apart, seconds };
});

const zones: Readonly<Record<string, readonly string[]>> = {
  sqlite: [""],
  postgres: ["UTC", "Asia/Kolkata", "America/New_York"],
  mariadb: ["+00:00", "+05:30", "-05:00"],
};

const nullable = <T>(date: Date | null | undefined, give: (date: Date) => T): T | null =>
  date === null || date === undefined ? null : give(date);

/** What the functions give of each row. */
const ofCalendar = moments.map(({ plain: date, n, other, apart, seconds }, id) => {
  const all: Record<string, unknown> = { id };
  for (const unit of truncUnits) all[`trunc_${unit}`] = nullable(date, (d) => truncated(unit, d));
  for (const unit of partUnits) all[`part_${unit}`] = nullable(date, (d) => partOf(unit as Part, d));
  for (const unit of units) all[`add_${unit}`] = nullable(date, (d) => added(d, n, unit as Unit));
  for (const unit of units) all[`diff_${unit}`] = nullable(date, (d) => difference(unit, d, other));
  all["far_days"] = nullable(date, (d) => added(d, apart, "day"));
  all["far_seconds"] = nullable(date, (d) => added(d, Number(seconds), "second"));
  return all;
});

for (const server of servers.filter(({ name }) => name in zones))
  describe.skipIf(!server.available)(`functions of dates on ${server.name}`, () => {
    let lent: Lent;
    beforeAll(async () => {
      lent = await server.lend();
      await lent.db.createTables(Moment);
      await lent.db.repository(Moment).insert().execBatch(moments);
      await finer(server, lent);
    }, 120_000);
    afterAll(() => lent?.close());

    describe.each(zones[server.name] ?? [])("in the zone %s", (zone) => {
      let at: ReturnType<typeof zonedDatabase>;
      beforeAll(() => {
        at = zonedDatabase(server, lent, zone);
      });
      afterAll(() => at?.end());
      // What these tests use, every server has.
      const repository = () => momentsOf(at.db as unknown as Database<"sqlite">);

      test.each(forms)("of every row of the column %s they are those of the calendar", async (form) => {
        const rows = await repository()
          .query()
          .fields(
            "id",
            dateTrunc("year", form).as("trunc_year"),
            dateTrunc("quarter", form).as("trunc_quarter"),
            dateTrunc("month", form).as("trunc_month"),
            dateTrunc("week", form).as("trunc_week"),
            dateTrunc("day", form).as("trunc_day"),
            dateTrunc("hour", form).as("trunc_hour"),
            dateTrunc("minute", form).as("trunc_minute"),
            ...partUnits.map((unit) => datePart(unit, form).as(`part_${unit}`)),
            ...units.map((unit) => dateAdd(form, "n", unit).as(`add_${unit}`)),
            ...units.map((unit) => dateDiff(unit, form, "other").as(`diff_${unit}`)),
            dateAdd(form, "apart", "day").as("far_days"),
            dateAdd(form, "seconds", "second").as("far_seconds"),
          )
          .orderBy("id", "asc")
          .exec();
        expect(rows).toHaveLength(ROWS);
        for (const [i, row] of rows.entries()) {
          const { plain: date, n, other } = moments[i] as (typeof moments)[0];
          // `toEqual` is for its message alone: it takes many times as long, and these are a million values.
          if (!isDeepStrictEqual(row, ofCalendar[i]))
            expect(row, `${date?.toISOString()} ${n} ${other.toISOString()}`).toEqual(ofCalendar[i]);
        }
      });

      test.each(forms)(
        "they stand in conditions, groups, orders and aggregates, of the column %s",
        async (form) => {
          await stand(repository(), form);
        },
      );

      test("what leaves the years 1 to 9999 is an error, and null stays null", async () => {
        const first = instantOf(1, 1, 1);
        const last = instantOf(9_999, 12, 31, 86_399_999);
        for (const unit of units) {
          const before = repository()
            .query()
            .fields(dateAdd(value(first), value(-1), unit).as("d"))
            .limit(1);
          const after = repository()
            .query()
            .fields(dateAdd(value(last), param("n"), unit).as("d"))
            .limit(1);
          await expect(before.exec(), unit).rejects.toThrow(QueryError);
          for (const n of [1, 1_000_000, Number.MAX_SAFE_INTEGER])
            await expect(after.exec({ n }), `${unit} ${n}`).rejects.toThrow(QueryError);
          const none = repository()
            .query()
            .fields(dateAdd("plain", value(5), unit).as("d"))
            .whereNull("plain");
          expect(await none.limit(1).exec()).toEqual([{ d: null }]);
          expect(
            await repository()
              .query()
              .fields(dateAdd(value(last), value(-1), unit).as("d"))
              .limit(1)
              .exec(),
          ).toEqual([{ d: added(last, -1, unit) }]);
        }
      });

      test("parameters, constants and expressions are operands", async () => {
        const when = new Date("2024-02-29T23:59:59.999Z");
        const [row] = await repository()
          .query()
          .fields(
            dateTrunc("month", param("when")).as("a"),
            datePart("weekday", value(when)).as("b"),
            dateAdd(dateAdd(param("when"), value(1), "year"), param("n"), "month").as("c"),
            dateDiff("month", param("from", z.date()), param("when")).as("d"),
            dateTrunc("day", coalesce("zoneless", "when")).as("e"),
            dateAdd(max("epoch"), value(-1), "second").as("f"),
            dateDiff("day", min("fine"), max("zoneless")).as("g"),
            max(dateTrunc("month", "fine")).as("h"),
          )
          .groupBy("id", "zoneless")
          .where("id", "=", "id")
          .exec({ when, n: -12, from: new Date("2024-01-31T00:00:00Z"), id: 0 });
        expect(row).toEqual({
          a: new Date("2024-02-01T00:00:00Z"),
          b: 4,
          c: new Date("2024-02-28T23:59:59.999Z"),
          d: 0,
          e: new Date("2024-02-29T00:00:00Z"),
          f: null,
          g: null,
          h: null,
        });
      });
    });
  });

const momentsOf = (db: Database<"sqlite">) => db.repository(Moment);
type Moments = ReturnType<typeof momentsOf>;

/** Stores microseconds behind what rowtype has written, where a column keeps them: they do not count. */
async function finer({ name }: Server, { run }: Lent): Promise<void> {
  if (name === "postgres")
    await run(
      "UPDATE moments SET fine = fine + interval '999 microseconds', zoneless = zoneless + interval '1 microsecond' WHERE fine < '9999-12-31' AND id % 2 = 0",
    );
  if (name === "mariadb")
    await run(
      "UPDATE moments SET fine = fine + INTERVAL 999 MICROSECOND, epoch = epoch + INTERVAL 1 MICROSECOND WHERE fine < '9999-12-31' AND id % 2 = 0",
    );
}

async function stand(of: Moments, form: Form): Promise<void> {
  const known = moments.flatMap(({ id, plain, other }) =>
    plain === null || plain === undefined ? [] : [{ id, date: plain, other }],
  );
  const month = new Date("2000-02-01T00:00:00Z");
  const inMonth = known.filter(({ date }) => truncated("month", date).getTime() >= month.getTime());
  expect(await of.count().where(dateTrunc("month", form), ">=", "month").exec({ month })).toBe(
    inMonth.length,
  );
  const [first] = known;
  const start = truncated("year", first?.date ?? month);
  const same = known.filter(({ date }) => truncated("year", date).getTime() === start.getTime());
  expect(await of.count().where(dateTrunc("year", form), "=", "start").exec({ start })).toBe(same.length);
  expect(
    await of
      .count()
      .where(dateTrunc("year", form), "IN", "starts")
      .exec({ starts: [start] }),
  ).toBe(same.length);
  expect(
    await of
      .count()
      .whereAnd(c(dateDiff("day", form, "other"), "<", "n"))
      .exec({ n: 0 }),
  ).toBe(known.filter(({ date, other }) => difference("day", date, other) < 0).length);
  const groups = await of
    .query()
    .fields(
      dateTrunc("quarter", form).as("quarter"),
      count().as("number"),
      max(dateTrunc("month", form)).as("latest"),
    )
    .whereNotNull(form)
    .groupBy("quarter")
    .orderBy("quarter", "asc")
    .exec();
  const expected = new Map<number, { n: number; latest: Date }>();
  for (const { date } of known) {
    const key = truncated("quarter", date).getTime();
    const latest = truncated("month", date);
    const before = expected.get(key);
    expected.set(key, {
      n: (before?.n ?? 0) + 1,
      latest: before === undefined || latest > before.latest ? latest : before.latest,
    });
  }
  expect(groups).toEqual(
    [...expected]
      .sort(([a], [b]) => a - b)
      .map(([key, { n, latest }]) => ({ quarter: new Date(key), number: n, latest })),
  );
  const weekdays = await of
    .query()
    .fields(datePart("weekday", form).as("weekday"), count().as("number"))
    .whereNotNull(form)
    .groupBy(datePart("weekday", form))
    .orderBy(datePart("weekday", form), "asc")
    .exec();
  expect(weekdays).toEqual(
    [1, 2, 3, 4, 5, 6, 7].map((weekday) => ({
      weekday,
      number: known.filter(({ date }) => partOf("weekday", date) === weekday).length,
    })),
  );
  const last = await of
    .query()
    .fields("id")
    .whereNotNull(form)
    .orderBy(dateAdd(form, "n", "month"), "desc")
    .orderBy("id", "asc")
    .limit(3)
    .exec();
  const order = known
    .map(({ id, date }) => ({ id, at: added(date, moments[id]?.n ?? 0, "month").getTime() }))
    .sort((a, b) => b.at - a.at || a.id - b.id);
  expect(last).toEqual(order.slice(0, 3).map(({ id }) => ({ id })));
}
