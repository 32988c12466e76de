/** What functions of dates in a time zone are in each dialect. */
import { type Database, dateAdd, dateDiff, datePart, dateTrunc, param, value } from "rowtype";
import { Change } from "../../kit/zoned-days.js";

// What these queries use, every dialect has.
const changesOf = (db: Database<"sqlite">) => db.repository(Change);
/** The repositories of all dialects, as far as these queries use them. */
export type Changes = ReturnType<typeof changesOf>;

/** The queries by their names. */
export const queries = {
  "days of a zone by its name": (of: Changes) =>
    of.query().fields(dateTrunc("day", "at", { zone: "America/Sao_Paulo" }).as("day")),
  "hours of a zone": (of: Changes) =>
    of.query().fields(dateTrunc("hour", "at", { zone: "Australia/Lord_Howe" }).as("hour")),
  "weekdays of a constant zone": (of: Changes) =>
    of.query().fields(datePart("weekday", "at", { zone: value("Pacific/Apia") }).as("weekday")),
  "days of a zone that is a parameter": (of: Changes) =>
    of.query().fields(dateAdd("at", "n", "day", { zone: param("zone") }).as("moved")),
  "months between two dates": (of: Changes) =>
    of.query().fields(dateDiff("month", "at", "other", { zone: "Europe/Berlin" }).as("months")),
  "hours, which are as long everywhere": (of: Changes) =>
    of.query().fields(dateAdd("at", value(2), "hour", { zone: param("zone") }).as("moved")),
};

/** Their texts. */
export const texts: {
  readonly [N in keyof typeof queries]: Readonly<
    Record<"sqlite" | "postgres" | "mariadb" | "oracle", string>
  >;
} = {
  "days of a zone by its name": {
    sqlite: `SELECT rowtype_zone_start(substr("at" || '.000', 1, 23), 'America/Sao_Paulo', 'day') AS "day" FROM "changes"`,
    postgres: `SELECT date_trunc('day', "at", 'America/Sao_Paulo') AS "day" FROM "changes"`,
    mariadb:
      "SELECT COALESCE(CASE WHEN `at` BETWEEN TIMESTAMP'1971-01-02 00:00:00' AND TIMESTAMP'2037-12-31 23:59:59.999' THEN CASE WHEN CONVERT_TZ(((TIMESTAMP'0001-01-01 00:00:00.000' + INTERVAL TIMESTAMPDIFF(DAY, TIMESTAMP'0001-01-01 00:00:00.000', CONVERT_TZ(`at`, '+00:00', 'America/Sao_Paulo')) DAY) - INTERVAL TIMESTAMPDIFF(SECOND, (TIMESTAMP'0001-01-01 00:00:00.000' + INTERVAL TIMESTAMPDIFF(DAY, TIMESTAMP'0001-01-01 00:00:00.000', CONVERT_TZ(`at`, '+00:00', 'America/Sao_Paulo')) DAY) + INTERVAL 1 DAY, CONVERT_TZ((TIMESTAMP'0001-01-01 00:00:00.000' + INTERVAL TIMESTAMPDIFF(DAY, TIMESTAMP'0001-01-01 00:00:00.000', CONVERT_TZ(`at`, '+00:00', 'America/Sao_Paulo')) DAY) + INTERVAL 1 DAY, '+00:00', 'America/Sao_Paulo')) SECOND), '+00:00', 'America/Sao_Paulo') = (TIMESTAMP'0001-01-01 00:00:00.000' + INTERVAL TIMESTAMPDIFF(DAY, TIMESTAMP'0001-01-01 00:00:00.000', CONVERT_TZ(`at`, '+00:00', 'America/Sao_Paulo')) DAY) THEN ((TIMESTAMP'0001-01-01 00:00:00.000' + INTERVAL TIMESTAMPDIFF(DAY, TIMESTAMP'0001-01-01 00:00:00.000', CONVERT_TZ(`at`, '+00:00', 'America/Sao_Paulo')) DAY) - INTERVAL TIMESTAMPDIFF(SECOND, (TIMESTAMP'0001-01-01 00:00:00.000' + INTERVAL TIMESTAMPDIFF(DAY, TIMESTAMP'0001-01-01 00:00:00.000', CONVERT_TZ(`at`, '+00:00', 'America/Sao_Paulo')) DAY) + INTERVAL 1 DAY, CONVERT_TZ((TIMESTAMP'0001-01-01 00:00:00.000' + INTERVAL TIMESTAMPDIFF(DAY, TIMESTAMP'0001-01-01 00:00:00.000', CONVERT_TZ(`at`, '+00:00', 'America/Sao_Paulo')) DAY) + INTERVAL 1 DAY, '+00:00', 'America/Sao_Paulo')) SECOND) ELSE ((TIMESTAMP'0001-01-01 00:00:00.000' + INTERVAL TIMESTAMPDIFF(DAY, TIMESTAMP'0001-01-01 00:00:00.000', CONVERT_TZ(`at`, '+00:00', 'America/Sao_Paulo')) DAY) - INTERVAL TIMESTAMPDIFF(SECOND, (TIMESTAMP'0001-01-01 00:00:00.000' + INTERVAL TIMESTAMPDIFF(DAY, TIMESTAMP'0001-01-01 00:00:00.000', CONVERT_TZ(`at`, '+00:00', 'America/Sao_Paulo')) DAY) - INTERVAL 1 DAY, CONVERT_TZ((TIMESTAMP'0001-01-01 00:00:00.000' + INTERVAL TIMESTAMPDIFF(DAY, TIMESTAMP'0001-01-01 00:00:00.000', CONVERT_TZ(`at`, '+00:00', 'America/Sao_Paulo')) DAY) - INTERVAL 1 DAY, '+00:00', 'America/Sao_Paulo')) SECOND) END END, TIMESTAMP'0001-01-01 00:00:00.000' + INTERVAL (9223372036854775807 + TO_DAYS(`at`)) MICROSECOND) AS `day` FROM `changes`",
    oracle: `SELECT FROM_TZ(CASE WHEN CAST(FROM_TZ((CAST(TRUNC(CAST("at" AT TIME ZONE 'America/Sao_Paulo' AS TIMESTAMP), 'DD') AS TIMESTAMP) + ((CAST(TRUNC(CAST("at" AT TIME ZONE 'America/Sao_Paulo' AS TIMESTAMP), 'DD') AS TIMESTAMP) + INTERVAL '1' DAY) - CAST(FROM_TZ((CAST(TRUNC(CAST("at" AT TIME ZONE 'America/Sao_Paulo' AS TIMESTAMP), 'DD') AS TIMESTAMP) + INTERVAL '1' DAY), 'UTC') AT TIME ZONE 'America/Sao_Paulo' AS TIMESTAMP))), 'UTC') AT TIME ZONE 'America/Sao_Paulo' AS TIMESTAMP) = CAST(TRUNC(CAST("at" AT TIME ZONE 'America/Sao_Paulo' AS TIMESTAMP), 'DD') AS TIMESTAMP) THEN (CAST(TRUNC(CAST("at" AT TIME ZONE 'America/Sao_Paulo' AS TIMESTAMP), 'DD') AS TIMESTAMP) + ((CAST(TRUNC(CAST("at" AT TIME ZONE 'America/Sao_Paulo' AS TIMESTAMP), 'DD') AS TIMESTAMP) + INTERVAL '1' DAY) - CAST(FROM_TZ((CAST(TRUNC(CAST("at" AT TIME ZONE 'America/Sao_Paulo' AS TIMESTAMP), 'DD') AS TIMESTAMP) + INTERVAL '1' DAY), 'UTC') AT TIME ZONE 'America/Sao_Paulo' AS TIMESTAMP))) ELSE (CAST(TRUNC(CAST("at" AT TIME ZONE 'America/Sao_Paulo' AS TIMESTAMP), 'DD') AS TIMESTAMP) + ((CAST(TRUNC(CAST("at" AT TIME ZONE 'America/Sao_Paulo' AS TIMESTAMP), 'DD') AS TIMESTAMP) - INTERVAL '1' DAY) - CAST(FROM_TZ((CAST(TRUNC(CAST("at" AT TIME ZONE 'America/Sao_Paulo' AS TIMESTAMP), 'DD') AS TIMESTAMP) - INTERVAL '1' DAY), 'UTC') AT TIME ZONE 'America/Sao_Paulo' AS TIMESTAMP))) END, 'UTC') AS "day" FROM "changes"`,
  },
  "hours of a zone": {
    sqlite: `SELECT rowtype_zone_start(substr("at" || '.000', 1, 23), 'Australia/Lord_Howe', 'hour') AS "hour" FROM "changes"`,
    postgres: `SELECT date_trunc('hour', "at", 'Australia/Lord_Howe') AS "hour" FROM "changes"`,
    mariadb:
      "SELECT COALESCE(CASE WHEN `at` BETWEEN TIMESTAMP'1971-01-02 00:00:00' AND TIMESTAMP'2037-12-31 23:59:59.999' THEN `at` - INTERVAL TIMESTAMPDIFF(MICROSECOND, (TIMESTAMP'0001-01-01 00:00:00.000' + INTERVAL TIMESTAMPDIFF(HOUR, TIMESTAMP'0001-01-01 00:00:00.000', CONVERT_TZ(`at`, '+00:00', 'Australia/Lord_Howe')) HOUR), CONVERT_TZ(`at`, '+00:00', 'Australia/Lord_Howe')) MICROSECOND END, TIMESTAMP'0001-01-01 00:00:00.000' + INTERVAL (9223372036854775807 + TO_DAYS(`at`)) MICROSECOND) AS `hour` FROM `changes`",
    oracle: `SELECT ("at" - (CAST("at" AT TIME ZONE 'Australia/Lord_Howe' AS TIMESTAMP) - CAST(TRUNC(CAST("at" AT TIME ZONE 'Australia/Lord_Howe' AS TIMESTAMP), 'HH24') AS TIMESTAMP))) AS "hour" FROM "changes"`,
  },
  "weekdays of a constant zone": {
    sqlite: `SELECT (CAST(strftime('%w', rowtype_zone_clock(substr("at" || '.000', 1, 23), ?), '-1 day') AS INTEGER) + 1) AS "weekday" FROM "changes"`,
    postgres: `SELECT CAST(extract(isodow FROM "at" AT TIME ZONE $1) AS bigint) AS "weekday" FROM "changes"`,
    mariadb:
      "SELECT (WEEKDAY(COALESCE(CASE WHEN `at` BETWEEN TIMESTAMP'1971-01-02 00:00:00' AND TIMESTAMP'2037-12-31 23:59:59.999' THEN CONVERT_TZ(`at`, '+00:00', ?) END, TIMESTAMP'0001-01-01 00:00:00.000' + INTERVAL (9223372036854775807 + TO_DAYS(`at`)) MICROSECOND)) + 1) AS `weekday` FROM `changes`",
    oracle: `SELECT (MOD(CAST(TO_CHAR(CAST("at" AT TIME ZONE :p0 AS TIMESTAMP), 'J') AS NUMBER), 7) + 1) AS "weekday" FROM "changes"`,
  },
  "days of a zone that is a parameter": {
    sqlite: `SELECT rowtype_zone_instant(rowtype_date_add(rowtype_zone_clock(substr("at" || '.000', 1, 23), ?), "n", 'day'), ?) AS "moved" FROM "changes"`,
    postgres: `SELECT (((("at" AT TIME ZONE $1 + make_interval(days => CAST("n" AS integer))) AT TIME ZONE $1) AT TIME ZONE 'UTC' + interval '103830043 days' - interval '105551469 days' + interval '1721426 days') AT TIME ZONE 'UTC') AS "moved" FROM "changes"`,
    mariadb:
      "SELECT (SELECT COALESCE(CASE WHEN clock BETWEEN TIMESTAMP'1971-01-02 00:00:00' AND TIMESTAMP'2037-12-31 23:59:59.999' THEN CASE WHEN CONVERT_TZ((clock - INTERVAL TIMESTAMPDIFF(SECOND, clock + INTERVAL 1 DAY, CONVERT_TZ(clock + INTERVAL 1 DAY, '+00:00', ?)) SECOND), '+00:00', ?) = clock THEN (clock - INTERVAL TIMESTAMPDIFF(SECOND, clock + INTERVAL 1 DAY, CONVERT_TZ(clock + INTERVAL 1 DAY, '+00:00', ?)) SECOND) ELSE (clock - INTERVAL TIMESTAMPDIFF(SECOND, clock - INTERVAL 1 DAY, CONVERT_TZ(clock - INTERVAL 1 DAY, '+00:00', ?)) SECOND) END END, TIMESTAMP'0001-01-01 00:00:00.000' + INTERVAL (9223372036854775807 + TO_DAYS(clock)) MICROSECOND) FROM JSON_TABLE(JSON_ARRAY((TIMESTAMP'0001-01-01 00:00:00.000' + INTERVAL (TIMESTAMPDIFF(MICROSECOND, TIMESTAMP'0001-01-01 00:00:00.000', COALESCE(CASE WHEN `at` BETWEEN TIMESTAMP'1971-01-02 00:00:00' AND TIMESTAMP'2037-12-31 23:59:59.999' THEN CONVERT_TZ(`at`, '+00:00', ?) END, TIMESTAMP'0001-01-01 00:00:00.000' + INTERVAL (9223372036854775807 + TO_DAYS(`at`)) MICROSECOND)) + `n` * 86400000000 + 8907834139254775808 - 8907834139254775808 - 9223372036854775807 - 1 + 9223372036854775807 + 1) MICROSECOND)), '$' COLUMNS (clock DATETIME(6) PATH '$[0]')) AS there) AS `moved` FROM `changes`",
    oracle: `SELECT (FROM_TZ(CASE WHEN CAST(FROM_TZ(((CAST("at" AT TIME ZONE :p0 AS TIMESTAMP) + NUMTODSINTERVAL("n", 'DAY')) + (((CAST("at" AT TIME ZONE :p0 AS TIMESTAMP) + NUMTODSINTERVAL("n", 'DAY')) + INTERVAL '1' DAY) - CAST(FROM_TZ(((CAST("at" AT TIME ZONE :p0 AS TIMESTAMP) + NUMTODSINTERVAL("n", 'DAY')) + INTERVAL '1' DAY), 'UTC') AT TIME ZONE :p0 AS TIMESTAMP))), 'UTC') AT TIME ZONE :p0 AS TIMESTAMP) = (CAST("at" AT TIME ZONE :p0 AS TIMESTAMP) + NUMTODSINTERVAL("n", 'DAY')) THEN ((CAST("at" AT TIME ZONE :p0 AS TIMESTAMP) + NUMTODSINTERVAL("n", 'DAY')) + (((CAST("at" AT TIME ZONE :p0 AS TIMESTAMP) + NUMTODSINTERVAL("n", 'DAY')) + INTERVAL '1' DAY) - CAST(FROM_TZ(((CAST("at" AT TIME ZONE :p0 AS TIMESTAMP) + NUMTODSINTERVAL("n", 'DAY')) + INTERVAL '1' DAY), 'UTC') AT TIME ZONE :p0 AS TIMESTAMP))) ELSE ((CAST("at" AT TIME ZONE :p0 AS TIMESTAMP) + NUMTODSINTERVAL("n", 'DAY')) + (((CAST("at" AT TIME ZONE :p0 AS TIMESTAMP) + NUMTODSINTERVAL("n", 'DAY')) - INTERVAL '1' DAY) - CAST(FROM_TZ(((CAST("at" AT TIME ZONE :p0 AS TIMESTAMP) + NUMTODSINTERVAL("n", 'DAY')) - INTERVAL '1' DAY), 'UTC') AT TIME ZONE :p0 AS TIMESTAMP))) END, 'UTC') - NUMTODSINTERVAL(1721423, 'DAY') + NUMTODSINTERVAL(1721423, 'DAY')) AS "moved" FROM "changes"`,
  },
  "months between two dates": {
    sqlite: `SELECT rowtype_date_diff(rowtype_zone_clock(substr("at" || '.000', 1, 23), 'Europe/Berlin'), rowtype_zone_clock(substr("other" || '.000', 1, 23), 'Europe/Berlin'), 'month') AS "months" FROM "changes"`,
    postgres: `SELECT CAST(extract(year FROM age(("other" AT TIME ZONE 'Europe/Berlin'), ("at" AT TIME ZONE 'Europe/Berlin')) * 12) AS bigint) AS "months" FROM "changes"`,
    mariadb:
      "SELECT TIMESTAMPDIFF(MONTH, COALESCE(CASE WHEN `at` BETWEEN TIMESTAMP'1971-01-02 00:00:00' AND TIMESTAMP'2037-12-31 23:59:59.999' THEN CONVERT_TZ(`at`, '+00:00', 'Europe/Berlin') END, TIMESTAMP'0001-01-01 00:00:00.000' + INTERVAL (9223372036854775807 + TO_DAYS(`at`)) MICROSECOND), COALESCE(CASE WHEN `other` BETWEEN TIMESTAMP'1971-01-02 00:00:00' AND TIMESTAMP'2037-12-31 23:59:59.999' THEN CONVERT_TZ(`other`, '+00:00', 'Europe/Berlin') END, TIMESTAMP'0001-01-01 00:00:00.000' + INTERVAL (9223372036854775807 + TO_DAYS(`other`)) MICROSECOND)) AS `months` FROM `changes`",
    oracle: `SELECT TRUNC((((EXTRACT(YEAR FROM CAST("other" AT TIME ZONE 'Europe/Berlin' AS TIMESTAMP)) * 12 + EXTRACT(MONTH FROM CAST("other" AT TIME ZONE 'Europe/Berlin' AS TIMESTAMP))) * 100000000000 + CAST(TO_CHAR(CAST("other" AT TIME ZONE 'Europe/Berlin' AS TIMESTAMP), 'DDHH24MISSFF3') AS NUMBER)) - ((EXTRACT(YEAR FROM CAST("at" AT TIME ZONE 'Europe/Berlin' AS TIMESTAMP)) * 12 + EXTRACT(MONTH FROM CAST("at" AT TIME ZONE 'Europe/Berlin' AS TIMESTAMP))) * 100000000000 + CAST(TO_CHAR(CAST("at" AT TIME ZONE 'Europe/Berlin' AS TIMESTAMP), 'DDHH24MISSFF3') AS NUMBER))) / 100000000000) AS "months" FROM "changes"`,
  },
  "hours, which are as long everywhere": {
    sqlite: `SELECT rowtype_date_add(substr("at" || '.000', 1, 23), ?, 'hour') AS "moved" FROM "changes"`,
    postgres: `SELECT (("at" AT TIME ZONE 'UTC' + CAST(CAST($1 AS bigint) AS double precision) * interval '1 hour' + interval '103830043 days' - interval '105551469 days' + interval '1721426 days') AT TIME ZONE 'UTC') AS "moved" FROM "changes"`,
    mariadb:
      "SELECT (TIMESTAMP'0001-01-01 00:00:00.000' + INTERVAL (TIMESTAMPDIFF(MICROSECOND, TIMESTAMP'0001-01-01 00:00:00.000', `at`) + CAST(? AS SIGNED) * 3600000000 + 8907834139254775808 - 8907834139254775808 - 9223372036854775807 - 1 + 9223372036854775807 + 1) MICROSECOND) AS `moved` FROM `changes`",
    oracle: `SELECT ("at" + NUMTODSINTERVAL(CAST(:p0 AS NUMBER), 'HOUR') - NUMTODSINTERVAL(1721423, 'DAY') + NUMTODSINTERVAL(1721423, 'DAY')) AS "moved" FROM "changes"`,
  },
};
