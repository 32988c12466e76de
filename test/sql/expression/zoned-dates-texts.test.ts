/**
 * The texts of functions of dates in a time zone, before the judges of each dialect; which zones are one text; and what is
 * refused before anything is sent.
 */
import { dateAdd, dateDiff, datePart, dateTrunc, lower, param, startOf, value } from "rowtype";
import { mariadb } from "rowtype/mariadb";
import { oracle } from "rowtype/oracle";
import { postgres } from "rowtype/postgres";
import { sqlite } from "rowtype/sqlite";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { COURT_MS, courts, type Judge } from "../../kit/judges.js";
import { sqlErrorIn } from "../../kit/thrown.js";
import { Change } from "../../kit/zoned-days.js";
import { type Changes, queries, texts } from "./zoned-dates.texts.js";

const databases = { sqlite: sqlite(), postgres: postgres(), mariadb: mariadb(), oracle: oracle() };
const dialects = ["sqlite", "postgres", "mariadb", "oracle"] as const;
// What these queries use, every dialect has.
const on = (dialect: (typeof dialects)[number]) =>
  databases[dialect].repository(Change) as unknown as Changes;
const names = Object.keys(queries) as (keyof typeof queries)[];
const changes = on("sqlite");

describe.each(dialects)("the text of functions of dates in zones on %s", (dialect) => {
  test.each(names)("%s", (name) => {
    expect(queries[name](on(dialect)).render().native.sql).toBe(texts[name][dialect]);
  });
});

for (const { dialect, available, open } of courts)
  describe.skipIf(!available)(`functions of dates in zones before the judge of ${dialect}`, () => {
    let judge: Judge;
    let close: () => Promise<void>;
    beforeAll(async () => {
      ({ judge, close } = await open(Change));
    }, COURT_MS);
    afterAll(() => close());

    test.each(names)("%s", async (name) => {
      expect(await judge(texts[name][dialect])).toBeUndefined();
    });
  });

describe("zones and texts", () => {
  const day = (zone: string) =>
    changes
      .query()
      .fields(dateTrunc("day", "at", { zone }).as("day"))
      .render().native;
  const bound = (zone: string) =>
    changes
      .query()
      .fields(dateTrunc("day", "at", { zone: value(zone) }).as("day"))
      .render().native;

  test("two zones by their names are two texts, also from one builder", () => {
    const query = changes.query();
    const [berlin, apia] = ["Europe/Berlin", "Pacific/Apia"].map(
      (zone) => query.fields(dateTrunc("day", "at", { zone }).as("x")).render().sql,
    );
    expect(berlin).toContain("'Europe/Berlin'");
    expect(apia).toContain("'Pacific/Apia'");
    const utc = query.fields(dateTrunc("day", "at").as("x")).render().sql;
    expect(utc).not.toContain("rowtype_zone");
  });

  test("two constant zones are one text, and the zone is bound", () => {
    expect(bound("Europe/Berlin").sql).toBe(bound("Pacific/Apia").sql);
    expect(bound("Europe/Berlin").sql).not.toContain("Berlin");
  });

  test("names that PostgreSQL reads as abbreviations are sent as the zones that they link to", () => {
    expect(day("CET").sql).toContain("'Europe/Brussels'");
    expect(day("est").sql).toContain("'America/Panama'");
    // In July this is the summer time, which the abbreviation has not.
    expect(startOf("CET", "day", new Date("2025-07-02T12:00:00Z"))).toEqual(new Date("2025-07-01T22:00:00Z"));
  });
});

describe("a zone that is none", () => {
  const hostile: unknown[] = [
    "Europe/Berln",
    "",
    " ",
    "Europe/Berlin ",
    "Europe/Berlin'; DROP TABLE changes; --",
    "Europe/Berlin\0",
    "Europe/Berlin\n",
    "Europe//Berlin",
    "../../etc/passwd",
    "/Europe/Berlin",
    "+05:30",
    "-03",
    "UTC+3",
    "<-03>3",
    "EST5EDT,M3.2.0,M11.1.0",
    "FOO+3",
    "SYSTEM",
    "localtime",
    "posixrules",
    // A runtime knows them, and PostgreSQL knows other zones by these names.
    "IST",
    "PST",
    "ACT",
    "SystemV/PST8PDT",
    "constructor",
    "__proto__",
    "\ud800",
    "Ä/Ö",
    "x".repeat(100_000),
    7,
    7n,
    true,
    null,
    undefined,
    new Date(),
    ["Europe/Berlin"],
    { toString: () => "Europe/Berlin" },
  ];
  // biome-ignore lint/suspicious/noExplicitAny: these tests are the callers whom no compiler stops.
  const any = (given: unknown): any => given;
  const functions: [string, (zone: unknown) => { as(alias: string): never }][] = [
    ["dateTrunc", (zone) => any(dateTrunc)("day", "at", { zone })],
    ["datePart", (zone) => any(datePart)("hour", "at", { zone })],
    ["dateAdd", (zone) => any(dateAdd)("at", value(1), "day", { zone })],
    ["dateAdd of hours", (zone) => any(dateAdd)("at", value(1), "hour", { zone })],
    ["dateDiff", (zone) => any(dateDiff)("day", "at", "other", { zone })],
  ];

  describe.each(functions)("in %s", (func, make) => {
    test.each(hostile.map((zone) => [typeof zone === "string" ? zone.slice(0, 40) : typeof zone, zone]))(
      "%j is refused",
      async (_name, zone) => {
        for (const dialect of dialects) {
          const render = (given: unknown) => () => on(dialect).query().fields(make(given).as("x")).render();
          const error = sqlErrorIn(render(zone));
          // What is no text is no operand.
          expect(error.code).toBe(typeof zone === "string" ? "PARAM_TYPE" : "INVALID_CONDITION");
          expect(error.message.length).toBeLessThan(300);
          expect(error.message).not.toContain("DROP");
          expect(sqlErrorIn(render(value(any(zone))))).toMatchObject({ code: "PARAM_TYPE" });
        }
        const query = changes.query().fields(make(param("zone")).as("x"));
        const error = await query.exec(any({ zone })).catch((thrown: unknown) => thrown);
        // A parameter that the text does not need may be left out.
        if (zone !== undefined || func !== "dateAdd of hours")
          expect(any(error).code).toMatch(
            zone === undefined ? /^(MISSING_PARAM|PARAM_TYPE)$/ : /^PARAM_TYPE$/,
          );
        expect(any(error).message).not.toContain("DROP");
      },
    );
  });

  test("other options, and expressions as zones, are refused", () => {
    const thrower = new Proxy(
      {},
      {
        ownKeys: () => {
          throw new Error("no");
        },
      },
    );
    for (const options of [{}, null, "Europe/Berlin", [], { zone: "UTC", tz: 1 }, { tz: "UTC" }, thrower])
      expect(
        sqlErrorIn(() =>
          changes
            .query()
            .fields(any(dateTrunc)("day", "at", options).as("x"))
            .render(),
        ),
      ).toMatchObject({ code: "INVALID_CONDITION" });
    const byField = any(dateTrunc)("day", "at", { zone: lower("zone") });
    expect(sqlErrorIn(() => changes.query().fields(byField.as("x")).render())).toMatchObject({
      code: "INVALID_CONDITION",
      message: expect.stringContaining("not an expression"),
    });
    const ofNumbers = any(dateTrunc)("day", "at", { zone: param("zone", z.number()) });
    expect(sqlErrorIn(() => changes.query().fields(ofNumbers.as("x")).render())).toMatchObject({
      code: "INVALID_CONDITION",
    });
  });

  test("startOf refuses them, unknown units and what is no date", () => {
    const at = new Date("2026-01-01T00:00:00Z");
    for (const zone of hostile)
      expect(sqlErrorIn(() => startOf(any(zone), "day", at))).toMatchObject({
        code: "PARAM_TYPE",
        param: "zone",
      });
    for (const unit of ["second", "weekday", "", "constructor", null, undefined])
      expect(sqlErrorIn(() => startOf("UTC", any(unit), at))).toMatchObject({
        code: "PARAM_TYPE",
        param: "unit",
      });
    const noDates = [new Date(Number.NaN), "2026-01-01", 0, null, undefined, Object.create(Date.prototype)];
    for (const date of [...noDates, new Date(-1e15), new Date(8.64e15)])
      expect(sqlErrorIn(() => startOf("UTC", "day", any(date)))).toMatchObject({
        code: "PARAM_TYPE",
        param: "date",
      });
  });
});

describe("zones that are parameters", () => {
  test("a schema checks them, too", async () => {
    const of = z.enum(["Europe/Berlin", "Europe/Paris"]);
    const query = changes.query().fields(dateTrunc("day", "at", { zone: param("zone", of) }).as("x"));
    await expect(query.exec({ zone: "Europe/Rome" as never })).rejects.toMatchObject({ code: "PARAM_TYPE" });
  });

  test("specs have no functions of dates, with a zone or without", () => {
    const query = changes.query().fields(dateTrunc("day", "at", { zone: "UTC" }).as("x"));
    expect(sqlErrorIn(() => query.toSpec())).toMatchObject({ code: "INVALID_SPEC" });
    const spec = { fields: [{ func: "dateTrunc", unit: "day", date: "at", zone: "UTC", alias: "x" }] };
    expect(changes.specs().query.safeParse(spec).success).toBe(false);
  });
});
