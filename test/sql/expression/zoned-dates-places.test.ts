/**
 * Functions of dates in a time zone in every place of a statement, on the servers; null stays null; and a range of
 * `startOf` is served by an index.
 */
import {
  c,
  caseWhen,
  column,
  count,
  type Database,
  dateAdd,
  dateDiff,
  datePart,
  dateTrunc,
  many,
  max,
  now,
  one,
  param,
  rowNumber,
  startOf,
  table,
  value,
} from "rowtype";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { ZoneClocks } from "../../kit/zone-clocks.js";
import { fillZones, whyNoZones } from "../../kit/zone-tables.js";
import { type Lent, servers } from "../../servers.js";

const zone = "America/Sao_Paulo";
const other = "Australia/Lord_Howe";
const clocks = new ZoneClocks(zone, 2010, 2026);
const others = new ZoneClocks(other, 2010, 2026);

const id = column(z.int(), { primaryKey: true });
const shops = table("zone_shops", z.object({ id, name: z.string() }), {
  relations: { sales: many("sales", "shopId") },
});
const sales = table(
  "zone_sales",
  z.object({
    id,
    shopId: z.int(),
    at: z.date(),
    paidAt: z.date().nullable(),
    day: z.date().nullable(),
    n: z.int(),
    fine: column(z.date(), {
      type: {
        postgres: "timestamptz(6)",
        mariadb: "datetime(6)",
        sqlite: "TEXT",
        oracle: "TIMESTAMP(6) WITH TIME ZONE",
      },
    }),
    zoneless: column(z.date(), {
      type: { postgres: "timestamp(6)", mariadb: "timestamp(3)", sqlite: "TEXT", oracle: "TIMESTAMP(3)" },
    }),
    epoch: column(z.date(), {
      type: { postgres: "timestamp(3)", mariadb: "datetime(6)", sqlite: "INTEGER", oracle: "TIMESTAMP(3)" },
    }),
  }),
  { relations: { shop: one("shops", "shopId") }, indexes: [{ columns: ["at"], name: "zone_sales_at" }] },
);
const tables = { shops, sales };

const HOUR = 3_600_000;
// Every five hours around a change at midnight: 21 October 2012 has no hour 0, 24 February 2013 begins an hour late.
const rows = Array.from({ length: 2_000 }, (_, i) => {
  const at = new Date(Date.UTC(2012, 9, 1) + i * 5 * HOUR + (i % 7) * 1_234);
  return {
    id: i,
    shopId: i % 3,
    at,
    paidAt: i % 4 === 0 ? null : new Date(at.getTime() + 26 * HOUR),
    day: null,
    n: (i % 9) - 4,
    fine: at,
    zoneless: at,
    epoch: at,
  };
});

const typed = (db: Database<"sqlite">) => db.repositories(tables);

for (const server of servers.filter(({ dialect }) => dialect !== "oracle"))
  describe.skipIf(!server.available)(`functions of dates in zones in their places on ${server.name}`, () => {
    let lent: Lent;
    let putBack: (() => Promise<void>) | undefined;
    let db: ReturnType<typeof typed>;
    const missing = server.name === "mariadb" ? whyNoZones() : undefined;
    beforeAll(async () => {
      lent = await server.lend();
      if (server.name === "mariadb" && missing === undefined)
        putBack = await fillZones(lent.url ?? "", [zone, other]);
      // One type for all of them.
      db = typed(lent.db as unknown as Database<"sqlite">);
      await lent.db.createTables(shops, sales);
      await db.shops.insert().execBatch(["a", "b", "c"].map((name, i) => ({ id: i, name })));
      await db.sales.insert().execBatch(rows);
      if (server.name === "postgres") await lent.run("ANALYZE");
      if (server.name === "mariadb") await lent.run("ANALYZE TABLE zone_sales");
    });
    afterAll(async () => {
      await putBack?.();
      await lent?.close();
    });
    const on = (title: string, run: () => Promise<void>) =>
      test(title, async ({ skip }) => {
        if (missing !== undefined) skip(missing);
        await run();
      });

    /** The number of rows of each start of a unit. */
    const counted = (unit: "day" | "month" | "week", of: typeof rows = rows) => {
      const groups = new Map<number, number>();
      for (const { at } of of) {
        const start = clocks.truncated(unit, at).getTime();
        groups.set(start, (groups.get(start) ?? 0) + 1);
      }
      return [...groups].sort(([a], [b]) => a - b).map(([start, n]) => ({ start: new Date(start), sold: n }));
    };

    on("groups, orders and HAVING, by a name, a constant and a parameter", async () => {
      const day = dateTrunc("day", "at", { zone });
      const byName = db.sales.query().fields(day.as("start"), count().as("sold")).groupBy("start");
      expect(await byName.orderBy("start", "asc").exec()).toEqual(counted("day"));
      const byExpression = db.sales.query().fields(day.as("start"), count().as("sold")).groupBy(day);
      expect(await byExpression.orderBy(day, "asc").exec()).toEqual(counted("day"));
      const ofConstant = dateTrunc("week", "at", { zone: value(zone) });
      const byConstant = db.sales.query().fields(ofConstant.as("start"), count().as("sold")).groupBy("start");
      expect(await byConstant.orderBy("start", "asc").exec()).toEqual(counted("week"));
      const ofParameter = dateTrunc("month", "at", { zone: param("zone") });
      const byParameter = db.sales
        .query()
        .fields(ofParameter.as("start"), count().as("sold"))
        .groupBy("start")
        .having("sold", ">", "most")
        .orderBy("start", "asc");
      const full = counted("month").filter(({ sold }) => sold > 140);
      expect(full.length).toBeGreaterThan(5);
      expect(await byParameter.exec({ zone, most: 140 })).toEqual(full);
    });

    on("conditions, aggregates, windows, CASE and queries inside", async () => {
      const start = clocks.truncated("day", rows[100]?.at ?? new Date());
      const inDay = rows.filter(({ at }) => clocks.truncated("day", at).getTime() === start.getTime());
      const ofDay = db.sales.query().where(dateTrunc("day", "at", { zone: param("zone") }), "=", "start");
      expect((await ofDay.orderBy("id", "asc").exec({ zone, start })).map((row) => row.id)).toEqual(
        inDay.map((row) => row.id),
      );
      const evenings = db.sales.count().whereAnd(c(datePart("hour", "at", { zone }), ">=", "hour"));
      const late = rows.filter(({ at }) => clocks.partOf("hour", at) >= 18).length;
      expect(await evenings.exec({ hour: 18 })).toBe(late);
      const [last] = await db.sales
        .query()
        .fields(max(dateTrunc("month", "at", { zone })).as("last"))
        .exec();
      expect(last).toEqual({ last: clocks.truncated("month", rows.at(-1)?.at ?? new Date()) });
      const numbered = await db.sales
        .query()
        .fields(
          "id",
          rowNumber()
            .over({ partitionBy: [dateTrunc("day", "at", { zone })], orderBy: [["id", "asc"]] })
            .as("place"),
          caseWhen(z.string())
            .when(c(datePart("weekday", "at", { zone }), ">", "friday"), value("weekend"))
            .else(value("week"))
            .as("part"),
        )
        .orderBy("id", "asc")
        .limit(400)
        .exec({ friday: 5 });
      const seen = new Map<number, number>();
      for (const [i, row] of numbered.entries()) {
        const at = rows[i]?.at ?? new Date();
        const day = clocks.truncated("day", at).getTime();
        seen.set(day, (seen.get(day) ?? 0) + 1);
        const part = clocks.partOf("weekday", at) > 5 ? "weekend" : "week";
        expect(row).toEqual({ id: i, place: seen.get(day), part });
      }
      const perShop = await db.shops
        .query()
        .with(
          "sales",
          db.sales
            .query()
            .fields("id", dateTrunc("day", "at", { zone }).as("start"))
            .limit(2)
            .orderBy("id", "asc"),
        )
        .orderBy("id", "asc")
        .exec();
      expect(perShop[1]?.sales).toEqual(
        [1, 4].map((i) => ({ id: i, start: clocks.truncated("day", rows[i]?.at ?? new Date()) })),
      );
      const joined = db.sales
        .query()
        .join("shop")
        .fields("shop.name", dateDiff("day", "at", "paidAt", { zone }).as("days"))
        .where("id", "=", "id");
      expect(await joined.exec({ id: 1 })).toEqual([{ shop: { name: "b" }, days: 1 }]);
      expect(await joined.exec({ id: 0 })).toEqual([{ shop: { name: "a" }, days: null }]);
    });

    on("null stays null in every function, and finer dates count as milliseconds", async () => {
      const none = await db.sales
        .query()
        .fields(
          dateTrunc("day", "paidAt", { zone }).as("a"),
          datePart("day", "paidAt", { zone: value(zone) }).as("b"),
          dateAdd("paidAt", "n", "month", { zone: param("zone") }).as("c"),
          dateDiff("day", "paidAt", "at", { zone }).as("d"),
          dateDiff("day", "at", "paidAt", { zone }).as("e"),
          dateAdd("day", value(1), "day", { zone }).as("f"),
          dateTrunc("hour", "day", { zone }).as("g"),
        )
        .whereNull("paidAt")
        .limit(3)
        .exec({ zone });
      expect(none).toEqual(Array(3).fill({ a: null, b: null, c: null, d: null, e: null, f: null, g: null }));
      if (server.name === "postgres")
        await lent.run("UPDATE zone_sales SET fine = fine + interval '999 microseconds'");
      if (server.name === "mariadb")
        await lent.run("UPDATE zone_sales SET fine = fine + INTERVAL 999 MICROSECOND");
      const fine = await db.sales
        .query()
        .fields(
          "id",
          dateTrunc("minute", "fine", { zone: other }).as("minute"),
          dateAdd("fine", "n", "week", { zone }).as("moved"),
          dateDiff("day", "at", "fine", { zone }).as("days"),
        )
        .orderBy("id", "asc")
        .exec();
      for (const { id: i, minute, moved, days } of fine) {
        const { at, n } = rows[i] ?? { at: new Date(), n: 0 };
        expect([minute, moved, days]).toEqual([
          new Date(Math.floor(at.getTime() / 60_000) * 60_000),
          clocks.added(at, n, "week"),
          0,
        ]);
      }
    });

    on("whatever form a column stores its dates in, and of the server's clock", async () => {
      for (const form of ["zoneless", "epoch"] as const) {
        const found = await db.sales
          .query()
          .fields(
            "id",
            dateTrunc("week", form, { zone }).as("a"),
            dateTrunc("hour", form, { zone: other }).as("b"),
            datePart("hour", form, { zone }).as("c"),
            dateAdd(form, "n", "day", { zone }).as("d"),
            dateDiff("month", form, value(new Date("2014-06-01T02:59:59Z")), { zone }).as("e"),
          )
          .orderBy("id", "asc")
          .exec();
        for (const { id: i, ...given } of found) {
          const { at, n } = rows[i] ?? { at: new Date(), n: 0 };
          const a = clocks.truncated("week", at);
          const c = clocks.partOf("hour", at);
          const e = clocks.difference("month", at, new Date("2014-06-01T02:59:59Z"));
          const b = others.truncated("hour", at);
          expect(given, `${form} ${at.toISOString()}`).toEqual({ a, b, c, d: clocks.added(at, n, "day"), e });
        }
      }
      const today = () => startOf(zone, "day", new Date());
      const before = today();
      const [row] = await db.sales
        .query()
        .fields(dateTrunc("day", now(), { zone }).as("today"))
        .limit(1)
        .exec();
      expect([before, today()]).toContainEqual(row?.today);
    });

    on("changes set fields to starts of days", async () => {
      const changed = await db.sales
        .modify()
        .set("day", dateTrunc("day", "at", { zone: param("zone") }))
        .where("id", "<", "most")
        .execMany({ zone, most: 20 });
      expect(changed.map((row) => row.day)).toEqual(changed.map((row) => clocks.truncated("day", row.at)));
      expect(changed).toHaveLength(20);
      const [far] = await db.sales
        .query()
        .fields(
          dateTrunc("month", dateAdd(dateTrunc("day", "at", { zone }), param("n"), "month", { zone }), {
            zone,
          }).as("x"),
        )
        .where("id", "=", "id")
        .exec({ n: 2, id: 700 });
      const at = clocks.added(clocks.truncated("day", rows[700]?.at ?? new Date()), 2, "month");
      expect(far).toEqual({ x: clocks.truncated("month", at) });
    });

    on("an index serves a range of startOf, which finds the rows of the month", async () => {
      const from = startOf(zone, "month", new Date("2013-02-10T00:00:00Z"));
      const to = startOf(zone, "month", new Date("2013-03-10T00:00:00Z"));
      const ofMonth = db.sales.query().fields("id").where("at", ">=", "from").where("at", "<", "to");
      const plan = await ofMonth.explain({ from, to });
      expect(plan).toContain("zone_sales_at");
      expect(plan).not.toMatch(/Seq Scan|SCAN zone_sales\b(?! USING)|"access_type": "ALL"/);
      const month = await db.sales
        .query()
        .fields("id")
        .where(dateTrunc("month", "at", { zone }), "=", "from")
        .orderBy("id", "asc")
        .exec({ from });
      expect(await ofMonth.orderBy("id", "asc").exec({ from, to })).toEqual(month);
      expect(month.length).toBeGreaterThan(100);
    });
  });
