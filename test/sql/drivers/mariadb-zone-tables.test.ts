/**
 * MariaDB with and without its tables of time zones, on a server of the test's own: while they are empty a statement with
 * a zone is UNSUPPORTED in every form, the command of the message fills them, and no date becomes NULL.
 */
import { execFileSync } from "node:child_process";
import mysql from "mysql2/promise";
import {
  column,
  count,
  type Database,
  dateAdd,
  dateTrunc,
  param,
  QueryError,
  table,
  UnsupportedError,
  value,
} from "rowtype";
import { mariadb } from "rowtype/mariadb";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { compareAllZones, momentTable } from "../../kit/all-zones.js";
import { whyNoZones } from "../../kit/zone-tables.js";
import { mariadbIsInstalled, type OwnServer, startMariadb } from "../../mariadb-server.js";

const Sale = table(
  "sales",
  z.object({ id: column(z.int(), { primaryKey: true }), at: z.date(), shown: z.date().nullable() }),
);
const Copy = table("copies", z.object({ id: column(z.int(), { primaryKey: true }), moment: z.date() }));
const zone = "America/Sao_Paulo";
const at = new Date("2026-03-01T02:30:00Z");
const start = new Date("2026-02-28T03:00:00Z");

describe.skipIf(!mariadbIsInstalled)("MariaDB without its tables of time zones", () => {
  let server: OwnServer;
  let pool: mysql.Pool;
  let db: Database<"mariadb">;
  beforeAll(async () => {
    server = await startMariadb();
    const admin = await mysql.createConnection(server.url.href);
    await admin.query("CREATE DATABASE zones");
    await admin.end();
    pool = mysql.createPool({ uri: new URL("/zones", server.url).href, connectionLimit: 1 });
    db = mariadb(pool);
    await db.createTables(Sale, Copy);
    await db.repository(Sale).insert().exec({ id: 1, at, shown: null });
  }, 120_000);
  afterAll(async () => {
    await pool?.end();
    await server?.stop();
  });

  const day = dateTrunc("day", "at", { zone });
  const sales = (of: Pick<Database<"mariadb">, "repository"> = db) => of.repository(Sale);
  const copies = () => db.repository(Copy);
  const forms: [string, () => Promise<unknown>][] = [
    ["a query", () => sales().query().fields(day.as("day")).exec()],
    [
      "a query by a parameter",
      () =>
        sales()
          .query()
          .fields(dateTrunc("day", "at", { zone: param("zone") }).as("d"))
          .exec({ zone }),
    ],
    [
      "a query by a constant",
      () =>
        sales()
          .query()
          .fields(dateTrunc("hour", "at", { zone: value(zone) }).as("d"))
          .exec(),
    ],
    [
      "a query without rows",
      () => sales().query().fields(day.as("day")).where("id", "=", "id").exec({ id: 7 }),
    ],
    ["a group", () => sales().query().fields(day.as("day"), count().as("n")).groupBy("day").exec()],
    ["a condition of a count", () => sales().count().where(day, "=", "start").exec({ start })],
    [
      "a union",
      () =>
        sales()
          .query()
          .fields("at")
          .unionAll(sales().query().fields("at").where(day, "=", "start"))
          .exec({ start }),
    ],
    ["a query as a table", () => db.from(sales().query().fields(day.as("day")).as("days")).exec()],
    [
      "a condition with a query",
      () =>
        sales()
          .query()
          .whereQuery("at", "IN", sales().query().fields(day.as("day")))
          .exec(),
    ],
    [
      "an insert of rows",
      () =>
        copies()
          .insert()
          .execFrom(sales().query().fields("id", day.as("moment"))),
    ],
    [
      "an upsert",
      () =>
        sales()
          .insert()
          .onConflict("id")
          .doUpdate()
          .set("shown", dateTrunc("week", "at", { zone }))
          .exec({ id: 1, at, shown: null }),
    ],
    [
      "a batch of changes",
      () =>
        sales()
          .modify()
          .set("shown", day)
          .where("id", "=", "id")
          .execBatch([{ id: 1 }, { id: 2 }]),
    ],
    ["one row", () => sales().query().orderBy(day, "asc").limit(1).exec()],
    ["a page", () => sales().query().where(day, "<=", "start").orderBy("id", "asc").page(1).exec({ start })],
    ["a plan", () => sales().query().fields(day.as("day")).explain()],
    ["an order", () => sales().query().orderBy(day, "asc").exec()],
    ["a change", () => sales().modify().set("shown", day).where("id", "=", "id").exec({ id: 1 })],
    [
      "a removal",
      () => sales().remove().where(day, "<", "start").where("id", "=", "id").exec({ start, id: 1 }),
    ],
    [
      "a transaction",
      () =>
        db.transaction((tx) =>
          sales(tx as never)
            .query()
            .fields(day.as("day"))
            .exec(),
        ),
    ],
    [
      "a stream",
      async () => {
        for await (const _ of sales().query().fields(day.as("day")).stream()) expect.fail("a row");
      },
    ],
    [
      "a stream in a transaction",
      () =>
        db.transaction(async (tx) => {
          for await (const _ of sales(tx as never)
            .query()
            .fields(day.as("day"))
            .stream())
            expect.fail("a row");
        }),
    ],
  ];

  test.each(forms)("%s with a zone is UNSUPPORTED and names the command", async (_, run) => {
    const error = await run().catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(UnsupportedError);
    expect(String(error)).toContain("mariadb-tzinfo-to-sql /usr/share/zoneinfo | mariadb mysql");
    // The connection is as good as before, and without a zone nothing is missing.
    expect(await sales().query().fields(dateTrunc("day", "at").as("day")).exec()).toEqual([
      { day: new Date("2026-03-01T00:00:00Z") },
    ]);
    expect(
      await sales()
        .query()
        .fields(dateAdd("at", value(1), "hour", { zone }).as("x"))
        .exec(),
    ).toEqual([{ x: new Date("2026-03-01T03:30:00Z") }]);
  });

  test("the command fills them, without a new start; the pool is then asked once", async ({ skip }) => {
    const why = whyNoZones();
    if (why !== undefined) skip(why);
    const text = execFileSync("mariadb-tzinfo-to-sql", ["/usr/share/zoneinfo"], {
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"],
      maxBuffer: 100_000_000,
    });
    const filling = await mysql.createConnection({
      uri: new URL("/mysql", server.url).href,
      multipleStatements: true,
    });
    await filling.query(text);
    const selects = async () => {
      const [[row]] = await pool.query<mysql.RowDataPacket[]>("SHOW SESSION STATUS LIKE 'Com_select'");
      return Number(row?.["Value"]);
    };
    const query = sales().query().fields(day.as("day"));
    const before = await selects();
    expect(await query.exec()).toEqual([{ day: start }]);
    const first = (await selects()) - before;
    expect(await query.exec()).toEqual([{ day: start }]);
    expect(await sales().count().where(day, "=", "start").exec({ start })).toBe(1);
    const more = (await selects()) - before - first;
    expect([first, more]).toEqual([2, 2]);

    const [names] = await filling.query<mysql.RowDataPacket[]>("SELECT Name AS name FROM time_zone_name");
    await db.createTables(momentTable);
    await compareAllZones(
      db as Database,
      names.map(({ name }) => String(name)).filter((name) => name !== "Asia/Tokyo"),
    );

    // A zone that the tables lost: what the server has read it keeps, so it is another one.
    await filling.query("DELETE FROM time_zone_name WHERE Name = 'Asia/Tokyo'");
    await filling.end();
    for (const unknown of [
      sales()
        .query()
        .fields(dateTrunc("day", "at", { zone: "Asia/Tokyo" }).as("x")),
      sales()
        .query()
        .fields(dateAdd("at", value(1), "day", { zone: "Asia/Tokyo" }).as("x")),
    ])
      await expect(unknown.exec()).rejects.toThrow(/its tables lack the zone/);
  });

  test("dates of years whose zones the server does not know are an error, and never unchanged", async ({
    skip,
  }) => {
    const why = whyNoZones();
    if (why !== undefined) skip(why);
    for (const far of [
      "1960-06-01T12:00:00Z",
      "1971-01-01T23:59:59Z",
      "2038-01-01T00:00:00Z",
      "9999-12-31T12:00:00Z",
    ]) {
      const query = sales()
        .query()
        .fields(dateTrunc("day", value(new Date(far)), { zone }).as("x"));
      await expect(query.exec(), far).rejects.toThrow(/outside the years 1971 to 2037/);
    }
    const moved = sales()
      .query()
      .fields(dateAdd("at", param("n"), "year", { zone }).as("x"));
    for (const n of [12, -56, 9_000]) await expect(moved.exec({ n }), String(n)).rejects.toThrow(QueryError);
    expect(await moved.exec({ n: 11 })).toEqual([{ x: new Date("2037-03-01T02:30:00Z") }]);
  });
});
