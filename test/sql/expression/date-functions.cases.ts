/** What functions of dates are in each dialect, and what comes back from every server. */
import { c, dateAdd, dateDiff, datePart, dateTrunc, max, param, value } from "rowtype";
import { z } from "zod";
import type { Case } from "./expressions.cases.js";

type Written = Omit<Case, "texts">;

const written: readonly Written[] = [
  {
    name: "dates cut to units",
    run: ({ people }) =>
      people
        .query()
        .fields(
          dateTrunc("year", "createdAt").as("year"),
          dateTrunc("quarter", "createdAt").as("quarter"),
          dateTrunc("month", "createdAt").as("month"),
          dateTrunc("week", "createdAt").as("week"),
          dateTrunc("day", "createdAt").as("day"),
          dateTrunc("hour", "createdAt").as("hour"),
          dateTrunc("minute", "createdAt").as("minute"),
        )
        .limit(1),
    rows: [
      {
        year: new Date("2026-01-01T00:00:00Z"),
        quarter: new Date("2026-01-01T00:00:00Z"),
        month: new Date("2026-01-01T00:00:00Z"),
        week: new Date("2025-12-29T00:00:00Z"),
        day: new Date("2026-01-02T00:00:00Z"),
        hour: new Date("2026-01-02T03:00:00Z"),
        minute: new Date("2026-01-02T03:04:00Z"),
      },
    ],
  },
  {
    name: "parts of dates",
    run: ({ people }) =>
      people
        .query()
        .fields(
          datePart("year", "createdAt").as("year"),
          datePart("quarter", "createdAt").as("quarter"),
          datePart("month", "createdAt").as("month"),
          datePart("week", "createdAt").as("week"),
          datePart("day", "createdAt").as("day"),
          datePart("weekday", "createdAt").as("weekday"),
          datePart("hour", "createdAt").as("hour"),
          datePart("minute", "createdAt").as("minute"),
          datePart("second", "createdAt").as("second"),
        )
        .limit(1),
    rows: [{ year: 2026, quarter: 1, month: 1, week: 1, day: 2, weekday: 5, hour: 3, minute: 4, second: 5 }],
  },
  {
    name: "dates moved by months and by time",
    run: ({ people }) =>
      people
        .query()
        .fields(
          dateAdd("createdAt", param("n"), "quarter").as("a"),
          dateAdd("createdAt", "age", "day").as("b"),
          dateAdd(value(new Date("2024-02-29T00:00:00Z")), value(-1), "second").as("c"),
        )
        .where("id", "=", "id"),
    params: { n: 2, id: 3 },
    rows: [
      {
        a: new Date("2026-07-02T03:04:05.678Z"),
        b: null,
        c: new Date("2024-02-28T23:59:59Z"),
      },
    ],
  },
  {
    name: "whole units between dates",
    run: ({ people }) =>
      people
        .query()
        .fields(
          "id",
          dateDiff("month", "bornAt", param("to", z.date())).as("a"),
          dateDiff("week", "createdAt", "bornAt").as("b"),
        )
        .where("id", "<", "most")
        .orderBy("id", "asc"),
    params: { most: 3, to: new Date("1996-03-28T23:59:59.999Z") },
    rows: [
      { id: 1, a: 0, b: -1557 },
      { id: 2, a: null, b: null },
    ],
  },
  {
    name: "functions of dates in conditions, groups and orders",
    run: ({ people }) =>
      people
        .query()
        .fields(dateTrunc("month", "bornAt").as("month"), max(dateAdd("bornAt", value(-1), "day")).as("eve"))
        .where(datePart("weekday", "createdAt"), "=", "weekday")
        .whereAnd(c(dateDiff("year", "bornAt", "createdAt"), ">", "years"))
        .groupBy("month")
        .orderBy("month", "asc"),
    params: { weekday: 5, years: 0 },
    rows: [
      { month: new Date("0099-12-01T00:00:00Z"), eve: new Date("0099-12-30T23:59:59.999Z") },
      { month: new Date("1996-02-01T00:00:00Z"), eve: new Date("1996-02-28T00:00:00Z") },
    ],
  },
];

const texts: Readonly<Record<string, Case["texts"]>> = {
  "dates cut to units": {
    sqlite: `SELECT strftime('%Y-01-01 00:00:00.000', substr("created_at" || '.000', 1, 23)) AS "year", rowtype_date_quarter(substr("created_at" || '.000', 1, 23)) AS "quarter", strftime('%Y-%m-01 00:00:00.000', substr("created_at" || '.000', 1, 23)) AS "month", strftime('%Y-%m-%d 00:00:00.000', substr("created_at" || '.000', 1, 23), '-6 days', 'weekday 1') AS "week", strftime('%Y-%m-%d 00:00:00.000', substr("created_at" || '.000', 1, 23)) AS "day", strftime('%Y-%m-%d %H:00:00.000', substr("created_at" || '.000', 1, 23)) AS "hour", strftime('%Y-%m-%d %H:%M:00.000', substr("created_at" || '.000', 1, 23)) AS "minute" FROM "people" LIMIT 1`,
    postgres: `SELECT date_trunc('year', "created_at", 'UTC') AS "year", date_trunc('quarter', "created_at", 'UTC') AS "quarter", date_trunc('month', "created_at", 'UTC') AS "month", date_trunc('week', "created_at", 'UTC') AS "week", date_trunc('day', "created_at", 'UTC') AS "day", date_trunc('hour', "created_at", 'UTC') AS "hour", date_trunc('minute', "created_at", 'UTC') AS "minute" FROM "people" LIMIT 1`,
    mariadb:
      "SELECT (TIMESTAMP'0001-01-01 00:00:00.000' + INTERVAL TIMESTAMPDIFF(YEAR, TIMESTAMP'0001-01-01 00:00:00.000', `created_at`) YEAR) AS `year`, (TIMESTAMP'0001-01-01 00:00:00.000' + INTERVAL TIMESTAMPDIFF(QUARTER, TIMESTAMP'0001-01-01 00:00:00.000', `created_at`) QUARTER) AS `quarter`, (TIMESTAMP'0001-01-01 00:00:00.000' + INTERVAL TIMESTAMPDIFF(MONTH, TIMESTAMP'0001-01-01 00:00:00.000', `created_at`) MONTH) AS `month`, (TIMESTAMP'0001-01-01 00:00:00.000' + INTERVAL TIMESTAMPDIFF(WEEK, TIMESTAMP'0001-01-01 00:00:00.000', `created_at`) WEEK) AS `week`, (TIMESTAMP'0001-01-01 00:00:00.000' + INTERVAL TIMESTAMPDIFF(DAY, TIMESTAMP'0001-01-01 00:00:00.000', `created_at`) DAY) AS `day`, (TIMESTAMP'0001-01-01 00:00:00.000' + INTERVAL TIMESTAMPDIFF(HOUR, TIMESTAMP'0001-01-01 00:00:00.000', `created_at`) HOUR) AS `hour`, (TIMESTAMP'0001-01-01 00:00:00.000' + INTERVAL TIMESTAMPDIFF(MINUTE, TIMESTAMP'0001-01-01 00:00:00.000', `created_at`) MINUTE) AS `minute` FROM `people` LIMIT 1",
    oracle: `SELECT FROM_TZ(CAST(TRUNC(SYS_EXTRACT_UTC("created_at"), 'YYYY') AS TIMESTAMP), 'UTC') AS "year", FROM_TZ(CAST(TRUNC(SYS_EXTRACT_UTC("created_at"), 'Q') AS TIMESTAMP), 'UTC') AS "quarter", FROM_TZ(CAST(TRUNC(SYS_EXTRACT_UTC("created_at"), 'MM') AS TIMESTAMP), 'UTC') AS "month", FROM_TZ(CAST(TRUNC(SYS_EXTRACT_UTC("created_at"), 'IW') AS TIMESTAMP), 'UTC') AS "week", FROM_TZ(CAST(TRUNC(SYS_EXTRACT_UTC("created_at"), 'DD') AS TIMESTAMP), 'UTC') AS "day", FROM_TZ(CAST(TRUNC(SYS_EXTRACT_UTC("created_at"), 'HH24') AS TIMESTAMP), 'UTC') AS "hour", FROM_TZ(CAST(TRUNC(SYS_EXTRACT_UTC("created_at"), 'MI') AS TIMESTAMP), 'UTC') AS "minute" FROM "people" FETCH NEXT 1 ROWS ONLY`,
  },
  "parts of dates": {
    sqlite: `SELECT CAST(strftime('%Y', substr("created_at" || '.000', 1, 23)) AS INTEGER) AS "year", ((CAST(strftime('%m', substr("created_at" || '.000', 1, 23)) AS INTEGER) + 2) / 3) AS "quarter", CAST(strftime('%m', substr("created_at" || '.000', 1, 23)) AS INTEGER) AS "month", ((CAST(strftime('%j', substr("created_at" || '.000', 1, 23), '-3 days', 'weekday 4') AS INTEGER) + 6) / 7) AS "week", CAST(strftime('%d', substr("created_at" || '.000', 1, 23)) AS INTEGER) AS "day", (CAST(strftime('%w', substr("created_at" || '.000', 1, 23), '-1 day') AS INTEGER) + 1) AS "weekday", CAST(strftime('%H', substr("created_at" || '.000', 1, 23)) AS INTEGER) AS "hour", CAST(strftime('%M', substr("created_at" || '.000', 1, 23)) AS INTEGER) AS "minute", CAST(strftime('%S', substr("created_at" || '.000', 1, 23)) AS INTEGER) AS "second" FROM "people" LIMIT 1`,
    postgres: `SELECT CAST(extract(year FROM "created_at" AT TIME ZONE 'UTC') AS bigint) AS "year", CAST(extract(quarter FROM "created_at" AT TIME ZONE 'UTC') AS bigint) AS "quarter", CAST(extract(month FROM "created_at" AT TIME ZONE 'UTC') AS bigint) AS "month", CAST(extract(week FROM "created_at" AT TIME ZONE 'UTC') AS bigint) AS "week", CAST(extract(day FROM "created_at" AT TIME ZONE 'UTC') AS bigint) AS "day", CAST(extract(isodow FROM "created_at" AT TIME ZONE 'UTC') AS bigint) AS "weekday", CAST(extract(hour FROM "created_at" AT TIME ZONE 'UTC') AS bigint) AS "hour", CAST(extract(minute FROM "created_at" AT TIME ZONE 'UTC') AS bigint) AS "minute", CAST(trunc(extract(second FROM "created_at" AT TIME ZONE 'UTC')) AS bigint) AS "second" FROM "people" LIMIT 1`,
    mariadb:
      "SELECT YEAR(`created_at`) AS `year`, QUARTER(`created_at`) AS `quarter`, MONTH(`created_at`) AS `month`, WEEK(`created_at`, 3) AS `week`, DAYOFMONTH(`created_at`) AS `day`, (WEEKDAY(`created_at`) + 1) AS `weekday`, HOUR(`created_at`) AS `hour`, MINUTE(`created_at`) AS `minute`, SECOND(`created_at`) AS `second` FROM `people` LIMIT 1",
    oracle: `SELECT EXTRACT(YEAR FROM SYS_EXTRACT_UTC("created_at")) AS "year", CAST(TO_CHAR(SYS_EXTRACT_UTC("created_at"), 'Q') AS NUMBER) AS "quarter", EXTRACT(MONTH FROM SYS_EXTRACT_UTC("created_at")) AS "month", CAST(TO_CHAR(SYS_EXTRACT_UTC("created_at"), 'IW') AS NUMBER) AS "week", EXTRACT(DAY FROM SYS_EXTRACT_UTC("created_at")) AS "day", (MOD(CAST(TO_CHAR(SYS_EXTRACT_UTC("created_at"), 'J') AS NUMBER), 7) + 1) AS "weekday", EXTRACT(HOUR FROM SYS_EXTRACT_UTC("created_at")) AS "hour", EXTRACT(MINUTE FROM SYS_EXTRACT_UTC("created_at")) AS "minute", TRUNC(EXTRACT(SECOND FROM SYS_EXTRACT_UTC("created_at"))) AS "second" FROM "people" FETCH NEXT 1 ROWS ONLY`,
  },
  "dates moved by months and by time": {
    sqlite: `SELECT rowtype_date_add(substr("created_at" || '.000', 1, 23), ?, 'quarter') AS "a", rowtype_date_add(substr("created_at" || '.000', 1, 23), "age", 'day') AS "b", rowtype_date_add(?, ?, 'second') AS "c" FROM "people" WHERE "id" = ?`,
    postgres: `SELECT (("created_at" AT TIME ZONE 'UTC' + make_interval(months => CAST(CAST($1 AS bigint) * 3 AS integer)) + interval '103830043 days' - interval '105551469 days' + interval '1721426 days') AT TIME ZONE 'UTC') AS "a", (("created_at" AT TIME ZONE 'UTC' + make_interval(days => CAST("age" AS integer)) + interval '103830043 days' - interval '105551469 days' + interval '1721426 days') AT TIME ZONE 'UTC') AS "b", ((CAST($2 AS timestamptz) AT TIME ZONE 'UTC' + CAST(CAST($3 AS bigint) AS double precision) * interval '1 second' + interval '103830043 days' - interval '105551469 days' + interval '1721426 days') AT TIME ZONE 'UTC') AS "c" FROM "people" WHERE "id" = $4`,
    mariadb:
      "SELECT (SELECT CASE WHEN d IS NULL OR n IS NULL THEN NULL WHEN n NOT BETWEEN -120000 AND 120000 OR COALESCE(d + INTERVAL n QUARTER < TIMESTAMP'0001-01-01 00:00:00.000', TRUE) THEN TIMESTAMP'0001-01-01 00:00:00.000' + INTERVAL (9223372036854775807 + TO_DAYS(d)) MICROSECOND ELSE d + INTERVAL n QUARTER END FROM JSON_TABLE(JSON_ARRAY(`created_at`, CAST(? AS SIGNED)), '$' COLUMNS (d DATETIME(6) PATH '$[0]', n BIGINT PATH '$[1]')) AS moved) AS `a`, (TIMESTAMP'0001-01-01 00:00:00.000' + INTERVAL (TIMESTAMPDIFF(MICROSECOND, TIMESTAMP'0001-01-01 00:00:00.000', `created_at`) + `age` * 86400000000 + 8907834139254775808 - 8907834139254775808 - 9223372036854775807 - 1 + 9223372036854775807 + 1) MICROSECOND) AS `b`, (TIMESTAMP'0001-01-01 00:00:00.000' + INTERVAL (TIMESTAMPDIFF(MICROSECOND, TIMESTAMP'0001-01-01 00:00:00.000', ?) + CAST(? AS SIGNED) * 1000000 + 8907834139254775808 - 8907834139254775808 - 9223372036854775807 - 1 + 9223372036854775807 + 1) MICROSECOND) AS `c` FROM `people` WHERE `id` = ?",
    oracle: `SELECT (FROM_TZ(CAST(ADD_MONTHS(TRUNC(SYS_EXTRACT_UTC("created_at"), 'MM'), CAST(:p0 AS NUMBER) * 3) AS TIMESTAMP) + NUMTODSINTERVAL(LEAST(EXTRACT(DAY FROM SYS_EXTRACT_UTC("created_at")), EXTRACT(DAY FROM LAST_DAY(ADD_MONTHS(TRUNC(SYS_EXTRACT_UTC("created_at"), 'MM'), CAST(:p0 AS NUMBER) * 3)))) - 1, 'DAY') + (SYS_EXTRACT_UTC("created_at") - CAST(TRUNC(SYS_EXTRACT_UTC("created_at"), 'DD') AS TIMESTAMP)), 'UTC') - NUMTODSINTERVAL(1721423, 'DAY') + NUMTODSINTERVAL(1721423, 'DAY')) AS "a", ("created_at" + NUMTODSINTERVAL("age", 'DAY') - NUMTODSINTERVAL(1721423, 'DAY') + NUMTODSINTERVAL(1721423, 'DAY')) AS "b", (:p1 + NUMTODSINTERVAL(CAST(:p2 AS NUMBER), 'SECOND') - NUMTODSINTERVAL(1721423, 'DAY') + NUMTODSINTERVAL(1721423, 'DAY')) AS "c" FROM "people" WHERE "id" = :p3`,
  },
  "whole units between dates": {
    sqlite: `SELECT "id", rowtype_date_diff(substr("born_at" || '.000', 1, 23), ?, 'month') AS "a", rowtype_date_diff(substr("created_at" || '.000', 1, 23), substr("born_at" || '.000', 1, 23), 'week') AS "b" FROM "people" WHERE "id" < ? ORDER BY "id" ASC`,
    postgres: `SELECT "id", CAST(extract(year FROM age(CAST($1 AS timestamptz) AT TIME ZONE 'UTC', "born_at" AT TIME ZONE 'UTC') * 12) AS bigint) AS "a", CAST(trunc(extract(epoch FROM "born_at" - "created_at") / 604800) AS bigint) AS "b" FROM "people" WHERE "id" < $2 ORDER BY "id" ASC`,
    mariadb:
      "SELECT `id`, TIMESTAMPDIFF(MONTH, `born_at`, ?) AS `a`, TIMESTAMPDIFF(WEEK, `created_at`, `born_at`) AS `b` FROM `people` WHERE `id` < ? ORDER BY `id` ASC",
    oracle: `SELECT "id", TRUNC((((EXTRACT(YEAR FROM SYS_EXTRACT_UTC(:p0)) * 12 + EXTRACT(MONTH FROM SYS_EXTRACT_UTC(:p0))) * 100000000000 + CAST(TO_CHAR(SYS_EXTRACT_UTC(:p0), 'DDHH24MISSFF3') AS NUMBER)) - ((EXTRACT(YEAR FROM SYS_EXTRACT_UTC("born_at")) * 12 + EXTRACT(MONTH FROM SYS_EXTRACT_UTC("born_at"))) * 100000000000 + CAST(TO_CHAR(SYS_EXTRACT_UTC("born_at"), 'DDHH24MISSFF3') AS NUMBER))) / 100000000000) AS "a", TRUNC(((CAST(TO_CHAR(SYS_EXTRACT_UTC("born_at"), 'J') AS NUMBER) * 86400000 + CAST(TO_CHAR(SYS_EXTRACT_UTC("born_at"), 'SSSSSFF3') AS NUMBER)) - (CAST(TO_CHAR(SYS_EXTRACT_UTC("created_at"), 'J') AS NUMBER) * 86400000 + CAST(TO_CHAR(SYS_EXTRACT_UTC("created_at"), 'SSSSSFF3') AS NUMBER))) / 604800000) AS "b" FROM "people" WHERE "id" < :p1 ORDER BY "id" ASC`,
  },
  "functions of dates in conditions, groups and orders": {
    sqlite: `SELECT strftime('%Y-%m-01 00:00:00.000', substr("born_at" || '.000', 1, 23)) AS "month", MAX(rowtype_date_add(substr("born_at" || '.000', 1, 23), ?, 'day')) AS "eve" FROM "people" WHERE (CAST(strftime('%w', substr("created_at" || '.000', 1, 23), '-1 day') AS INTEGER) + 1) = ? AND (rowtype_date_diff(substr("born_at" || '.000', 1, 23), substr("created_at" || '.000', 1, 23), 'year') > ?) GROUP BY strftime('%Y-%m-01 00:00:00.000', substr("born_at" || '.000', 1, 23)) ORDER BY "month" ASC NULLS LAST`,
    postgres: `SELECT date_trunc('month', "born_at", 'UTC') AS "month", MAX((("born_at" AT TIME ZONE 'UTC' + make_interval(days => CAST(CAST($1 AS bigint) AS integer)) + interval '103830043 days' - interval '105551469 days' + interval '1721426 days') AT TIME ZONE 'UTC')) AS "eve" FROM "people" WHERE CAST(extract(isodow FROM "created_at" AT TIME ZONE 'UTC') AS bigint) = $2 AND (CAST(extract(year FROM age("created_at" AT TIME ZONE 'UTC', "born_at" AT TIME ZONE 'UTC') * 1) AS bigint) > $3) GROUP BY date_trunc('month', "born_at", 'UTC') ORDER BY "month" ASC`,
    mariadb:
      "SELECT (TIMESTAMP'0001-01-01 00:00:00.000' + INTERVAL TIMESTAMPDIFF(MONTH, TIMESTAMP'0001-01-01 00:00:00.000', `born_at`) MONTH) AS `month`, MAX((TIMESTAMP'0001-01-01 00:00:00.000' + INTERVAL (TIMESTAMPDIFF(MICROSECOND, TIMESTAMP'0001-01-01 00:00:00.000', `born_at`) + CAST(? AS SIGNED) * 86400000000 + 8907834139254775808 - 8907834139254775808 - 9223372036854775807 - 1 + 9223372036854775807 + 1) MICROSECOND)) AS `eve` FROM `people` WHERE (WEEKDAY(`created_at`) + 1) = CAST(? AS SIGNED) AND (TIMESTAMPDIFF(YEAR, `born_at`, `created_at`) > CAST(? AS SIGNED)) GROUP BY (TIMESTAMP'0001-01-01 00:00:00.000' + INTERVAL TIMESTAMPDIFF(MONTH, TIMESTAMP'0001-01-01 00:00:00.000', `born_at`) MONTH) ORDER BY (TIMESTAMP'0001-01-01 00:00:00.000' + INTERVAL TIMESTAMPDIFF(MONTH, TIMESTAMP'0001-01-01 00:00:00.000', `born_at`) MONTH) IS NULL, (TIMESTAMP'0001-01-01 00:00:00.000' + INTERVAL TIMESTAMPDIFF(MONTH, TIMESTAMP'0001-01-01 00:00:00.000', `born_at`) MONTH) ASC",
    oracle: `SELECT FROM_TZ(CAST(TRUNC(SYS_EXTRACT_UTC("born_at"), 'MM') AS TIMESTAMP), 'UTC') AS "month", MAX(("born_at" + NUMTODSINTERVAL(CAST(:p0 AS NUMBER), 'DAY') - NUMTODSINTERVAL(1721423, 'DAY') + NUMTODSINTERVAL(1721423, 'DAY'))) AS "eve" FROM "people" WHERE (MOD(CAST(TO_CHAR(SYS_EXTRACT_UTC("created_at"), 'J') AS NUMBER), 7) + 1) = :p1 AND (TRUNC((((EXTRACT(YEAR FROM SYS_EXTRACT_UTC("created_at")) * 12 + EXTRACT(MONTH FROM SYS_EXTRACT_UTC("created_at"))) * 100000000000 + CAST(TO_CHAR(SYS_EXTRACT_UTC("created_at"), 'DDHH24MISSFF3') AS NUMBER)) - ((EXTRACT(YEAR FROM SYS_EXTRACT_UTC("born_at")) * 12 + EXTRACT(MONTH FROM SYS_EXTRACT_UTC("born_at"))) * 100000000000 + CAST(TO_CHAR(SYS_EXTRACT_UTC("born_at"), 'DDHH24MISSFF3') AS NUMBER))) / 1200000000000) > :p2) GROUP BY FROM_TZ(CAST(TRUNC(SYS_EXTRACT_UTC("born_at"), 'MM') AS TIMESTAMP), 'UTC') ORDER BY "month" ASC`,
  },
};

/** The cases. */
export const dateCases: readonly Case[] = written.map((one) => {
  const own = texts[one.name];
  if (own === undefined) throw new Error(`no text of: ${one.name}`);
  return { ...one, texts: own };
});
