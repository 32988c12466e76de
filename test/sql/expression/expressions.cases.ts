/** What expressions, groups and set operations are in each dialect, and what comes back from every server. */
import {
  abs,
  and,
  avg,
  c,
  caseWhen,
  cast,
  ceil,
  coalesce,
  concat,
  count,
  countDistinct,
  currentDate,
  currentTime,
  currentTimestamp,
  type Database,
  denseRank,
  firstValue,
  floor,
  isNull,
  lag,
  lastValue,
  lead,
  length,
  lower,
  ltrim,
  max,
  min,
  notNull,
  now,
  ntile,
  nullIf,
  or,
  power,
  type Rendered,
  rank,
  replace,
  round,
  rowNumber,
  rtrim,
  sqrt,
  substring,
  sum,
  trim,
  upper,
} from "rowtype";
import { z } from "zod";
import { Person, Team } from "../../kit/people.js";

const typed = (db: Database<"sqlite">) => ({ people: db.repository(Person), teams: db.repository(Team) });

/** The repositories that the cases are about, typed as SQLite's: what the cases use every dialect has. */
export type Repositories = ReturnType<typeof typed>;

/** A query and everything that is expected of it. */
export interface Case<R = Repositories> {
  readonly name: string;
  readonly run: (of: R) => { render(): Rendered };
  readonly params?: Readonly<Record<string, unknown>>;
  /** The text on each dialect. */
  readonly texts: {
    readonly sqlite: string;
    readonly postgres: string;
    readonly mariadb: string;
    readonly oracle: string;
  };
  /** The rows that come back, on every server. */
  readonly rows: readonly Readonly<Record<string, unknown>>[];
  /** Those from the stand-in for Oracle, which adds doubles up as decimals. */
  readonly h2?: readonly Readonly<Record<string, unknown>>[];
}

/** The cases, by what they are about. */
export const cases: readonly Case[] = [
  {
    name: "functions of text",
    run: ({ people }) =>
      people
        .query()
        .fields(
          upper("role").as("big"),
          lower("email").as("small"),
          trim("name").as("bare"),
          ltrim("name").as("left"),
          rtrim("name").as("right"),
          length("name").as("size"),
        )
        .where("id", "IN", "ids")
        .orderBy("id", "asc"),
    params: { ids: [4, 5] },
    texts: {
      sqlite:
        'SELECT upper("role") AS "big", lower("email_address") AS "small", trim("name") AS "bare", ltrim("name") AS "left", rtrim("name") AS "right", length("name") AS "size" FROM "people" WHERE "id" IN (SELECT value FROM json_each(?)) ORDER BY "id" ASC',
      postgres:
        'SELECT upper("role" COLLATE "und-x-icu") COLLATE "C" AS "big", lower("email_address" COLLATE "und-x-icu") COLLATE "C" AS "small", trim("name") AS "bare", ltrim("name") AS "left", rtrim("name") AS "right", CAST(char_length("name") AS bigint) AS "size" FROM "people" WHERE "id" = ANY($1) ORDER BY "id" ASC',
      mariadb:
        "SELECT UPPER(CONVERT(`role` USING utf8mb4) COLLATE utf8mb4_unicode_520_ci /*M!101001 COLLATE utf8mb4_uca1400_nopad_as_cs */) COLLATE utf8mb4_nopad_bin AS `big`, LOWER(CONVERT(`email_address` USING utf8mb4) COLLATE utf8mb4_unicode_520_ci /*M!101001 COLLATE utf8mb4_uca1400_nopad_as_cs */) COLLATE utf8mb4_nopad_bin AS `small`, TRIM(`name`) AS `bare`, LTRIM(`name`) AS `left`, RTRIM(`name`) AS `right`, CHAR_LENGTH(`name`) AS `size` FROM `people` WHERE `id` IN (?) ORDER BY `id` ASC",
      oracle:
        'SELECT UPPER("role") AS "big", LOWER("email_address") AS "small", TRIM("name") AS "bare", LTRIM("name") AS "left", RTRIM("name") AS "right", LENGTH("name") AS "size" FROM "people" WHERE "id" IN (:p0) ORDER BY "id" ASC',
    },
    rows: [
      {
        big: "MEMBER",
        small: "de@example.org",
        bare: "D\u{e9} \u{1f600}",
        left: "D\u{e9} \u{1f600}",
        right: "D\u{e9} \u{1f600}",
        size: 4,
      },
      { big: "ADMIN", small: "eve@example.org", bare: "ann", left: "ann ", right: "ann", size: 4 },
    ],
  },
  {
    name: "concat leaves NULL out",
    run: ({ people }) =>
      people.query().fields("id", concat("name", "role").as("both")).where("id", "=", "id"),
    params: { id: 2 },
    texts: {
      sqlite: 'SELECT "id", concat("name", "role") AS "both" FROM "people" WHERE "id" = ?',
      postgres: 'SELECT "id", concat("name", "role") AS "both" FROM "people" WHERE "id" = $1',
      mariadb:
        "SELECT `id`, CONCAT(IFNULL(`name`, ''), IFNULL(`role`, '')) AS `both` FROM `people` WHERE `id` = ?",
      oracle: 'SELECT "id", "name" || "role" AS "both" FROM "people" WHERE "id" = :p0',
    },
    rows: [{ id: 2, both: "bobmember" }],
  },
  {
    name: "substring and replace, by parameters",
    run: ({ people }) =>
      people
        .query()
        .fields(
          substring("email", "from", "long").as("part"),
          replace("email", "search", "by").as("other"),
          substring("name", "one", "one").as("head"),
        )
        .where("id", "=", "id"),
    params: { id: 4, from: 2, long: 3, search: "example", by: "test", one: 1 },
    texts: {
      sqlite:
        'SELECT substr("email_address", ?, ?) AS "part", replace("email_address", ?, ?) AS "other", substr("name", ?, ?) AS "head" FROM "people" WHERE "id" = ?',
      postgres:
        'SELECT substring("email_address", CAST($1 AS integer), CAST($2 AS integer)) AS "part", replace("email_address", CAST($3 AS text), CAST($4 AS text)) AS "other", substring("name", CAST($5 AS integer), CAST($5 AS integer)) AS "head" FROM "people" WHERE "id" = $6',
      mariadb:
        "SELECT SUBSTRING(`email_address`, CAST(? AS SIGNED), CAST(? AS SIGNED)) AS `part`, REPLACE(`email_address`, ?, ?) AS `other`, SUBSTRING(`name`, CAST(? AS SIGNED), CAST(? AS SIGNED)) AS `head` FROM `people` WHERE `id` = ?",
      oracle:
        'SELECT SUBSTR("email_address", :p0, :p1) AS "part", REPLACE("email_address", :p2, :p3) AS "other", SUBSTR("name", :p4, :p4) AS "head" FROM "people" WHERE "id" = :p5',
    },
    rows: [{ part: "e@e", other: "de@test.org", head: "D" }],
  },
  {
    name: "functions of numbers: floors and halves of negatives too",
    run: ({ people }) =>
      people
        .query()
        .fields(
          "id",
          abs("score").as("size"),
          ceil("score").as("up"),
          floor("score").as("down"),
          sqrt("score").as("root"),
          power("score", "two").as("square"),
          round("score").as("whole"),
          round("score", 2).as("cents"),
          abs("balance").as("exact"),
          round("balance", 1).as("same"),
        )
        .where("id", "IN", "ids")
        .orderBy("id", "asc"),
    params: { two: 2, ids: [2, 4] },
    texts: {
      sqlite:
        'SELECT "id", abs("score") AS "size", ceil("score") AS "up", floor("score") AS "down", sqrt("score") AS "root", power("score", ?) AS "square", CASE WHEN abs("score") < 1e13 THEN round("score" * 1.000000000000001, 0) ELSE round("score", 0) END AS "whole", CASE WHEN abs("score") < 1e11 THEN round("score" * 1.000000000000001, 2) ELSE round("score", 2) END AS "cents", abs("balance") AS "exact", "balance" AS "same" FROM "people" WHERE "id" IN (SELECT value FROM json_each(?)) ORDER BY "id" ASC',
      postgres:
        'SELECT "id", abs("score") AS "size", ceil("score") AS "up", floor("score") AS "down", CASE WHEN "score" >= 0 THEN sqrt(CAST("score" AS double precision)) END AS "root", power("score", CAST($1 AS double precision)) AS "square", round(CAST(CAST("score" AS text) AS numeric), 0) AS "whole", round(CAST(CAST("score" AS text) AS numeric), 2) AS "cents", abs("balance") AS "exact", "balance" AS "same" FROM "people" WHERE "id" = ANY($2) ORDER BY "id" ASC',
      mariadb:
        "SELECT `id`, ABS(`score`) AS `size`, CEILING(`score`) AS `up`, FLOOR(`score`) AS `down`, SQRT(`score`) AS `root`, POWER(`score`, ?) AS `square`, CASE WHEN ABS(`score`) < 1e45 THEN CAST(ROUND(CAST(`score` AS DECIMAL(65, 20)), 0) AS DOUBLE) ELSE ROUND(`score`, 0) END AS `whole`, CASE WHEN ABS(`score`) < 1e45 THEN CAST(ROUND(CAST(`score` AS DECIMAL(65, 20)), 2) AS DOUBLE) ELSE ROUND(`score`, 0) END AS `cents`, ABS(`balance`) AS `exact`, `balance` AS `same` FROM `people` WHERE `id` IN (?) ORDER BY `id` ASC",
      oracle:
        'SELECT "id", ABS("score") AS "size", CEIL("score") AS "up", FLOOR("score") AS "down", CASE WHEN "score" >= 0 THEN SQRT("score") END AS "root", POWER("score", :p0) AS "square", ROUND(CAST("score" AS NUMBER), 0) AS "whole", ROUND(CAST("score" AS NUMBER), 2) AS "cents", ABS("balance") AS "exact", "balance" AS "same" FROM "people" WHERE "id" IN (:p1) ORDER BY "id" ASC',
    },
    rows: [
      {
        id: 2,
        size: 1.5,
        up: 2,
        down: 1,
        root: 1.224744871391589,
        square: 2.25,
        whole: 2,
        cents: 1.5,
        exact: 9007199254740993n,
        same: 9007199254740993n,
      },
      {
        id: 4,
        size: 0.1,
        up: 0,
        down: -1,
        root: null,
        square: 0.010000000000000002,
        whole: 0,
        cents: -0.1,
        exact: 0n,
        same: 0n,
      },
    ],
  },
  {
    name: "coalesce and nullIf",
    run: ({ people }) =>
      people
        .query()
        .fields("id", coalesce("age", "none").as("years"), nullIf("role", "usual").as("special"))
        .where("id", "<=", "id")
        .orderBy("id", "asc"),
    params: { none: -1, usual: "member", id: 3 },
    texts: {
      sqlite:
        'SELECT "id", coalesce("age", ?) AS "years", nullif("role", ?) AS "special" FROM "people" WHERE "id" <= ? ORDER BY "id" ASC',
      postgres:
        'SELECT "id", coalesce("age", $1) AS "years", nullif("role", $2) AS "special" FROM "people" WHERE "id" <= $3 ORDER BY "id" ASC',
      mariadb:
        "SELECT `id`, COALESCE(`age`, CAST(? AS SIGNED)) AS `years`, NULLIF(`role`, ?) AS `special` FROM `people` WHERE `id` <= ? ORDER BY `id` ASC",
      oracle:
        'SELECT "id", COALESCE("age", :p0) AS "years", NULLIF("role", :p1) AS "special" FROM "people" WHERE "id" <= :p2 ORDER BY "id" ASC',
    },
    rows: [
      { id: 1, years: 30, special: "admin" },
      { id: 2, years: 20, special: null },
      { id: 3, years: -1, special: "guest" },
    ],
  },
  {
    name: "casts",
    run: ({ people }) =>
      people
        .query()
        .fields(
          cast("age", "text").as("years"),
          cast("score", "text").as("points"),
          cast("score", "integer").as("whole"),
          cast("active", "text").as("said"),
          cast("active", "integer").as("flag"),
          cast("age", "boolean").as("known"),
          cast("balance", "text").as("digits"),
          cast("createdAt", "text").as("day"),
          cast("age", "number").as("float"),
        )
        .where("id", "=", "id"),
    params: { id: 2 },
    texts: {
      sqlite: `SELECT CAST(CAST("age" AS INTEGER) AS TEXT) AS "years", rowtype_number_text("score") AS "points", CAST("score" AS INTEGER) AS "whole", CASE "active" WHEN 1 THEN 'true' WHEN 0 THEN 'false' END AS "said", CAST("active" AS INTEGER) AS "flag", ("age" <> 0) AS "known", CAST("balance" AS TEXT) AS "digits", strftime('%Y-%m-%d %H:%M:%f', "created_at") AS "day", CAST("age" AS REAL) AS "float" FROM "people" WHERE "id" = ?`,
      postgres: `SELECT CAST("age" AS text) COLLATE "C" AS "years", (CASE WHEN abs(CAST(CAST("score" AS text) AS double precision)) >= 1e21 OR (abs(CAST(CAST("score" AS text) AS double precision)) < 1e-6 AND CAST(CAST("score" AS text) AS double precision) <> 0) THEN regexp_replace(CAST(CAST(CAST("score" AS text) AS double precision) AS text), 'e([+-])0', 'e\\1') ELSE CAST(CAST(CAST(CAST(CAST("score" AS text) AS double precision) AS text) AS numeric) AS text) END) COLLATE "C" AS "points", CAST(trunc("score") AS bigint) AS "whole", CAST("active" AS text) AS "said", CAST(CAST("active" AS integer) AS bigint) AS "flag", ("age" <> 0) AS "known", CAST("balance" AS text) COLLATE "C" AS "digits", to_char("created_at" AT TIME ZONE 'UTC', 'YYYY-MM-DD HH24:MI:SS.MS') AS "day", CAST("age" AS double precision) AS "float" FROM "people" WHERE "id" = $1`,
      mariadb:
        "SELECT CONVERT(CAST(`age` AS CHAR) USING utf8mb4) COLLATE utf8mb4_nopad_bin AS `years`, CONVERT(CONCAT(IF(`score` < 0, '-', ''), CASE WHEN ABS(CAST(`score` AS DOUBLE)) = 0 OR (ABS(CAST(`score` AS DOUBLE)) >= 1e-6 AND ABS(CAST(`score` AS DOUBLE)) < 1e21) THEN TRIM(TRAILING '.' FROM TRIM(TRAILING '0' FROM CAST(CAST(CAST(ABS(CAST(`score` AS DOUBLE)) AS CHAR) AS DECIMAL(65, 30)) AS CHAR))) WHEN LOCATE('e-', CAST(ABS(CAST(`score` AS DOUBLE)) AS CHAR)) > 0 THEN CAST(ABS(CAST(`score` AS DOUBLE)) AS CHAR) WHEN LOCATE('e', CAST(ABS(CAST(`score` AS DOUBLE)) AS CHAR)) > 0 THEN REPLACE(CAST(ABS(CAST(`score` AS DOUBLE)) AS CHAR), 'e', 'e+') ELSE CONCAT(LEFT(TRIM(LEADING '0' FROM SUBSTRING(CAST(ABS(CAST(`score` AS DOUBLE)) AS CHAR), 3)), 1), IF(LENGTH(TRIM(LEADING '0' FROM SUBSTRING(CAST(ABS(CAST(`score` AS DOUBLE)) AS CHAR), 3))) > 1, CONCAT('.', SUBSTRING(TRIM(LEADING '0' FROM SUBSTRING(CAST(ABS(CAST(`score` AS DOUBLE)) AS CHAR), 3)), 2)), ''), 'e-', LENGTH(CAST(ABS(CAST(`score` AS DOUBLE)) AS CHAR)) - LENGTH(TRIM(LEADING '0' FROM SUBSTRING(CAST(ABS(CAST(`score` AS DOUBLE)) AS CHAR), 3))) - 1) END) USING utf8mb4) COLLATE utf8mb4_nopad_bin AS `points`, CAST(TRUNCATE(`score`, 0) AS SIGNED) AS `whole`, CONVERT(CASE `active` WHEN 1 THEN 'true' WHEN 0 THEN 'false' END USING utf8mb4) COLLATE utf8mb4_nopad_bin AS `said`, CAST(`active` AS SIGNED) AS `flag`, (`age` <> 0) AS `known`, CONVERT(CAST(`balance` AS CHAR) USING utf8mb4) COLLATE utf8mb4_nopad_bin AS `digits`, CONVERT(LEFT(DATE_FORMAT(`created_at`, '%Y-%m-%d %H:%i:%s.%f'), 23) USING utf8mb4) COLLATE utf8mb4_nopad_bin AS `day`, CAST(`age` AS DOUBLE) AS `float` FROM `people` WHERE `id` = ?",
      oracle: `SELECT TO_CHAR("age") AS "years", REGEXP_REPLACE(TO_CHAR(CAST("score" AS NUMBER), 'TM9', 'NLS_NUMERIC_CHARACTERS=''.,'''), '^(-?)[.]', '\\10.') AS "points", TRUNC("score") AS "whole", CASE "active" WHEN 1 THEN 'true' WHEN 0 THEN 'false' END AS "said", "active" AS "flag", CASE WHEN "age" <> 0 THEN 1 WHEN "age" = 0 THEN 0 END AS "known", TO_CHAR("balance") AS "digits", TO_CHAR(SYS_EXTRACT_UTC("created_at"), 'YYYY-MM-DD HH24:MI:SS.FF3') AS "day", CAST("age" AS BINARY_DOUBLE) AS "float" FROM "people" WHERE "id" = :p0`,
    },
    rows: [
      {
        years: "20",
        points: "1.5",
        whole: 1,
        said: "false",
        flag: 0,
        known: true,
        digits: "9007199254740993",
        day: "2026-01-02 03:04:05.678",
        float: 20,
      },
    ],
  },
  {
    name: "CASE: the first condition that holds, null where none does",
    run: ({ people }) =>
      people
        .query()
        .fields(
          "id",
          caseWhen(z.enum(["old", "young", "?"]))
            .when(isNull("age"), "unknown")
            .when(or(c("age", ">", "limit"), and(c("role", "=", "role"), notNull("bornAt"))), "old")
            .else("young")
            .as("group"),
          caseWhen(z.int())
            .when(c("active", "=", "on"), "points")
            .as("bonus"),
        )
        .orderBy("group", "asc")
        .orderBy("id", "asc"),
    params: { unknown: "?", limit: 40, old: "old", role: "admin", young: "young", on: true, points: 7 },
    texts: {
      sqlite:
        'SELECT "id", CASE WHEN "age" IS NULL THEN ? WHEN ("age" > ? OR ("role" = ? AND "born_at" IS NOT NULL)) THEN ? ELSE ? END AS "group", CASE WHEN "active" = ? THEN ? END AS "bonus" FROM "people" ORDER BY "group" ASC, "id" ASC',
      postgres:
        'SELECT "id", CASE WHEN "age" IS NULL THEN CAST($1 AS text) WHEN ("age" > $2 OR ("role" = $3 AND "born_at" IS NOT NULL)) THEN CAST($4 AS text) ELSE CAST($5 AS text) END AS "group", CASE WHEN "active" = $6 THEN CAST($7 AS bigint) END AS "bonus" FROM "people" ORDER BY "group" ASC, "id" ASC',
      mariadb:
        "SELECT `id`, CASE WHEN `age` IS NULL THEN ? COLLATE utf8mb4_nopad_bin WHEN (`age` > ? OR (`role` = ? AND `born_at` IS NOT NULL)) THEN ? COLLATE utf8mb4_nopad_bin ELSE ? COLLATE utf8mb4_nopad_bin END AS `group`, CASE WHEN `active` = ? THEN CAST(? AS SIGNED) END AS `bonus` FROM `people` ORDER BY `group` ASC, `id` ASC",
      oracle:
        'SELECT "id", CASE WHEN "age" IS NULL THEN :p0 WHEN ("age" > :p1 OR ("role" = :p2 AND "born_at" IS NOT NULL)) THEN :p3 ELSE :p4 END AS "group", CASE WHEN "active" = :p5 THEN CAST(:p6 AS NUMBER) END AS "bonus" FROM "people" ORDER BY "group" ASC, "id" ASC',
    },
    rows: [
      { id: 3, group: "?", bonus: 7 },
      { id: 1, group: "old", bonus: 7 },
      { id: 5, group: "old", bonus: null },
      { id: 2, group: "young", bonus: null },
      { id: 4, group: "young", bonus: 7 },
    ],
  },
  {
    name: "aggregates over all rows",
    run: ({ people }) =>
      people
        .query()
        .fields(
          count().as("rows"),
          count("age").as("ages"),
          countDistinct("age").as("kinds"),
          sum("age").as("total"),
          sum("balance").as("exact"),
          avg("age").as("mean"),
          min("bornAt").as("first"),
          max("name").as("last"),
          avg("score").as("points"),
        ),
    texts: {
      sqlite: `SELECT COUNT(*) AS "rows", COUNT("age") AS "ages", COUNT(DISTINCT "age") AS "kinds", SUM("age") AS "total", CASE WHEN SUM("balance" >> 32) IS NOT NULL THEN printf('%019d%010d', SUM("balance" >> 32) + (SUM("balance" & 4294967295) >> 32) + 4611686018427387904, SUM("balance" & 4294967295) & 4294967295) END AS "exact", AVG("age") AS "mean", MIN("born_at") AS "first", MAX("name") AS "last", AVG("score") AS "points" FROM "people"`,
      postgres:
        'SELECT COUNT(*) AS "rows", COUNT("age") AS "ages", COUNT(DISTINCT "age") AS "kinds", SUM("age") AS "total", SUM("balance") AS "exact", AVG("age") AS "mean", MIN("born_at") AS "first", MAX("name") AS "last", AVG("score") AS "points" FROM "people"',
      mariadb:
        "SELECT COUNT(*) AS `rows`, COUNT(`age`) AS `ages`, COUNT(DISTINCT `age`) AS `kinds`, SUM(`age`) AS `total`, SUM(`balance`) AS `exact`, AVG(CAST(`age` AS DOUBLE)) AS `mean`, MIN(`born_at`) AS `first`, MAX(`name`) AS `last`, AVG(CAST(`score` AS DOUBLE)) AS `points` FROM `people`",
      oracle:
        'SELECT COUNT(*) AS "rows", COUNT("age") AS "ages", COUNT(DISTINCT "age") AS "kinds", SUM("age") AS "total", SUM("balance") AS "exact", AVG("age") AS "mean", MIN("born_at") AS "first", MAX("name") AS "last", AVG("score") AS "points" FROM "people"',
    },
    rows: [
      {
        rows: 5,
        ages: 4,
        kinds: 3,
        total: 111,
        exact: -9214364837600034815n,
        mean: 27.75,
        first: new Date("0099-12-31T23:59:59.999Z"),
        last: "bob",
        points: 0.27999999999999997,
      },
    ],
    h2: [
      {
        rows: 5,
        ages: 4,
        kinds: 3,
        total: 111,
        exact: -9214364837600034815n,
        mean: 27.75,
        first: new Date("0099-12-31T23:59:59.999Z"),
        last: "bob",
        points: 0.28,
      },
    ],
  },
  {
    name: "aggregates over no rows",
    run: ({ people }) =>
      people
        .query()
        .fields(count().as("rows"), sum("age").as("total"), avg("score").as("mean"), max("role").as("last"))
        .where("id", "<", "id"),
    params: { id: 0 },
    texts: {
      sqlite:
        'SELECT COUNT(*) AS "rows", SUM("age") AS "total", AVG("score") AS "mean", MAX("role") AS "last" FROM "people" WHERE "id" < ?',
      postgres:
        'SELECT COUNT(*) AS "rows", SUM("age") AS "total", AVG("score") AS "mean", MAX("role") AS "last" FROM "people" WHERE "id" < $1',
      mariadb:
        "SELECT COUNT(*) AS `rows`, SUM(`age`) AS `total`, AVG(CAST(`score` AS DOUBLE)) AS `mean`, MAX(`role`) AS `last` FROM `people` WHERE `id` < ?",
      oracle:
        'SELECT COUNT(*) AS "rows", SUM("age") AS "total", AVG("score") AS "mean", MAX("role") AS "last" FROM "people" WHERE "id" < :p0',
    },
    rows: [{ rows: 0, total: null, mean: null, last: null }],
  },
  {
    name: "a filter of what rows are grouped by, by its name and beside an aggregate",
    run: ({ people }) =>
      people
        .query()
        .fields(concat("role", "name").as("both"), count().as("members"))
        .groupBy("both")
        .having("both", "IN", "which")
        .having("members", "<", "most"),
    params: { which: ["adminAnn", "guest"], most: 3 },
    texts: {
      sqlite:
        'SELECT concat("role", "name") AS "both", COUNT(*) AS "members" FROM "people" GROUP BY concat("role", "name") HAVING concat("role", "name") IN (SELECT value FROM json_each(?)) AND COUNT(*) < ?',
      postgres:
        'SELECT concat("role", "name") AS "both", COUNT(*) AS "members" FROM "people" GROUP BY concat("role", "name") HAVING concat("role", "name") = ANY($1) AND COUNT(*) < $2',
      mariadb:
        "SELECT CONCAT(IFNULL(`role`, ''), IFNULL(`name`, '')) AS `both`, COUNT(*) AS `members` FROM `people` GROUP BY CONCAT(IFNULL(`role`, ''), IFNULL(`name`, '')) HAVING MIN(CONCAT(IFNULL(`role`, ''), IFNULL(`name`, ''))) IN (?) AND COUNT(*) < CAST(? AS SIGNED)",
      oracle:
        'SELECT "role" || "name" AS "both", COUNT(*) AS "members" FROM "people" GROUP BY "role" || "name" HAVING "role" || "name" IN (:p0) AND COUNT(*) < :p1',
    },
    rows: [{ both: "adminAnn", members: 1 }],
  },
  {
    name: "groups, their filters by name and by aggregate, and an order by name",
    run: ({ people }) =>
      people
        .query()
        .fields("role", count().as("members"), sum("age").as("total"))
        .groupBy("role")
        .having("members", ">=", "least")
        .havingAgg("max", "age", "<", "most")
        .havingAgg("count", "*", "IN", "sizes")
        .orderBy("total", "desc")
        .orderBy("role", "asc"),
    params: { least: 1, most: 100, sizes: [1, 2] },
    texts: {
      sqlite:
        'SELECT "role", COUNT(*) AS "members", SUM("age") AS "total" FROM "people" GROUP BY "role" HAVING COUNT(*) >= ? AND MAX("age") < ? AND COUNT(*) IN (SELECT value FROM json_each(?)) ORDER BY "total" DESC NULLS FIRST, "role" ASC',
      postgres:
        'SELECT "role", COUNT(*) AS "members", SUM("age") AS "total" FROM "people" GROUP BY "role" HAVING COUNT(*) >= $1 AND MAX("age") < $2 AND COUNT(*) = ANY($3) ORDER BY "total" DESC, "role" ASC',
      mariadb:
        "SELECT `role`, COUNT(*) AS `members`, SUM(`age`) AS `total` FROM `people` GROUP BY `role` HAVING COUNT(*) >= CAST(? AS SIGNED) AND MAX(`age`) < CAST(? AS SIGNED) AND COUNT(*) IN (?) ORDER BY SUM(`age`) IS NULL DESC, SUM(`age`) DESC, `role` ASC",
      oracle:
        'SELECT "role", COUNT(*) AS "members", SUM("age") AS "total" FROM "people" GROUP BY "role" HAVING COUNT(*) >= :p0 AND MAX("age") < :p1 AND COUNT(*) IN (:p2) ORDER BY "total" DESC, "role" ASC',
    },
    rows: [
      { role: "admin", members: 2, total: 71 },
      { role: "member", members: 2, total: 40 },
    ],
  },
  {
    name: "an aggregate of some rows",
    run: ({ people }) =>
      people
        .query()
        .fields(
          "active",
          count()
            .filter(c("age", ">", "age"))
            .as("old"),
          sum("score")
            .filter(c("role", "=", "role"))
            .as("points"),
          countDistinct("teamId").filter(notNull("age")).as("teams"),
        )
        .groupBy("active")
        .orderBy("active", "asc"),
    params: { age: 25, role: "member" },
    texts: {
      sqlite:
        'SELECT "active", COUNT(*) FILTER (WHERE "age" > ?) AS "old", SUM("score") FILTER (WHERE "role" = ?) AS "points", COUNT(DISTINCT "team_id") FILTER (WHERE "age" IS NOT NULL) AS "teams" FROM "people" GROUP BY "active" ORDER BY "active" ASC',
      postgres:
        'SELECT "active", COUNT(*) FILTER (WHERE "age" > $1) AS "old", SUM("score") FILTER (WHERE "role" = $2) AS "points", COUNT(DISTINCT "team_id") FILTER (WHERE "age" IS NOT NULL) AS "teams" FROM "people" GROUP BY "active" ORDER BY "active" ASC',
      mariadb:
        "SELECT `active`, COUNT(CASE WHEN `age` > ? THEN 1 END) AS `old`, SUM(CASE WHEN `role` = ? THEN `score` END) AS `points`, COUNT(DISTINCT CASE WHEN `age` IS NOT NULL THEN `team_id` END) AS `teams` FROM `people` GROUP BY `active` ORDER BY `active` ASC",
      oracle:
        'SELECT "active", COUNT(CASE WHEN "age" > :p0 THEN 1 END) AS "old", SUM(CASE WHEN "role" = :p1 THEN "score" END) AS "points", COUNT(DISTINCT CASE WHEN "age" IS NOT NULL THEN "team_id" END) AS "teams" FROM "people" GROUP BY "active" ORDER BY "active" ASC',
    },
    rows: [
      { active: false, old: 1, points: 1.5, teams: 2 },
      { active: true, old: 1, points: -0.1, teams: 2 },
    ],
  },
  {
    name: "a group by what may be NULL, with NULL as the greatest",
    run: ({ people }) =>
      people
        .query()
        .fields("teamId", max("age").as("oldest"))
        .groupBy("teamId")
        .orderByNulls("oldest", "asc", "first")
        .orderBy("teamId", "asc"),
    texts: {
      sqlite:
        'SELECT "team_id", MAX("age") AS "oldest" FROM "people" GROUP BY "team_id" ORDER BY "oldest" ASC, "team_id" ASC NULLS LAST',
      postgres:
        'SELECT "team_id", MAX("age") AS "oldest" FROM "people" GROUP BY "team_id" ORDER BY "oldest" ASC NULLS FIRST, "team_id" ASC',
      mariadb:
        "SELECT `team_id`, MAX(`age`) AS `oldest` FROM `people` GROUP BY `team_id` ORDER BY `oldest` ASC, `team_id` IS NULL, `team_id` ASC",
      oracle:
        'SELECT "team_id", MAX("age") AS "oldest" FROM "people" GROUP BY "team_id" ORDER BY "oldest" ASC NULLS FIRST, "team_id" ASC',
    },
    rows: [
      { teamId: null, oldest: null },
      { teamId: 1, oldest: 30 },
      { teamId: 2, oldest: 41 },
    ],
  },
  {
    name: "places in a window",
    run: ({ people }) =>
      people
        .query()
        .fields(
          "id",
          rowNumber()
            .over({ orderBy: [["id", "desc"]] })
            .as("place"),
          rank()
            .over({ orderBy: [["age", "asc"]] })
            .as("rank"),
          denseRank()
            .over({ orderBy: [["age", "asc"]] })
            .as("dense"),
          ntile(2)
            .over({ orderBy: [["id", "asc"]] })
            .as("half"),
        )
        .orderBy("id", "asc"),
    texts: {
      sqlite:
        'SELECT "id", ROW_NUMBER() OVER (ORDER BY "id" DESC) AS "place", RANK() OVER (ORDER BY "age" ASC NULLS LAST) AS "rank", DENSE_RANK() OVER (ORDER BY "age" ASC NULLS LAST) AS "dense", NTILE(2) OVER (ORDER BY "id" ASC) AS "half" FROM "people" ORDER BY "id" ASC',
      postgres:
        'SELECT "id", ROW_NUMBER() OVER (ORDER BY "id" DESC) AS "place", RANK() OVER (ORDER BY "age" ASC) AS "rank", DENSE_RANK() OVER (ORDER BY "age" ASC) AS "dense", NTILE(2) OVER (ORDER BY "id" ASC) AS "half" FROM "people" ORDER BY "id" ASC',
      mariadb:
        "SELECT `id`, ROW_NUMBER() OVER (ORDER BY `id` DESC) AS `place`, RANK() OVER (ORDER BY `age` IS NULL, `age` ASC) AS `rank`, DENSE_RANK() OVER (ORDER BY `age` IS NULL, `age` ASC) AS `dense`, NTILE(2) OVER (ORDER BY `id` ASC) AS `half` FROM `people` ORDER BY `id` ASC",
      oracle:
        'SELECT "id", ROW_NUMBER() OVER (ORDER BY "id" DESC) AS "place", RANK() OVER (ORDER BY "age" ASC) AS "rank", DENSE_RANK() OVER (ORDER BY "age" ASC) AS "dense", NTILE(2) OVER (ORDER BY "id" ASC) AS "half" FROM "people" ORDER BY "id" ASC',
    },
    rows: [
      { id: 1, place: 5, rank: 3, dense: 2, half: 1 },
      { id: 2, place: 4, rank: 1, dense: 1, half: 1 },
      { id: 3, place: 3, rank: 5, dense: 4, half: 1 },
      { id: 4, place: 2, rank: 1, dense: 1, half: 2 },
      { id: 5, place: 1, rank: 4, dense: 3, half: 2 },
    ],
  },
  {
    name: "neighbours and ends of a window",
    run: ({ people }) =>
      people
        .query()
        .fields(
          "id",
          lag("age")
            .over({ orderBy: [["id", "asc"]] })
            .as("before"),
          lead("balance", 2)
            .over({ orderBy: [["id", "asc"]] })
            .as("behind"),
          firstValue("role")
            .over({ partitionBy: ["active"], orderBy: [["id", "asc"]] })
            .as("first"),
          lastValue("id")
            .over({
              orderBy: [["id", "asc"]],
              frame: { rows: ["unbounded preceding", "unbounded following"] },
            })
            .as("last"),
        )
        .orderBy("id", "asc"),
    texts: {
      sqlite:
        'SELECT "id", LAG("age") OVER (ORDER BY "id" ASC) AS "before", LEAD("balance", 2) OVER (ORDER BY "id" ASC) AS "behind", FIRST_VALUE("role") OVER (PARTITION BY "active" ORDER BY "id" ASC) AS "first", LAST_VALUE("id") OVER (ORDER BY "id" ASC ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING) AS "last" FROM "people" ORDER BY "id" ASC',
      postgres:
        'SELECT "id", LAG("age") OVER (ORDER BY "id" ASC) AS "before", LEAD("balance", 2) OVER (ORDER BY "id" ASC) AS "behind", FIRST_VALUE("role") OVER (PARTITION BY "active" ORDER BY "id" ASC) AS "first", LAST_VALUE("id") OVER (ORDER BY "id" ASC ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING) AS "last" FROM "people" ORDER BY "id" ASC',
      mariadb:
        "SELECT `id`, LAG(`age`) OVER (ORDER BY `id` ASC) AS `before`, LEAD(`balance`, 2) OVER (ORDER BY `id` ASC) AS `behind`, FIRST_VALUE(`role`) OVER (PARTITION BY `active` ORDER BY `id` ASC) AS `first`, LAST_VALUE(`id`) OVER (ORDER BY `id` ASC ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING) AS `last` FROM `people` ORDER BY `id` ASC",
      oracle:
        'SELECT "id", LAG("age") OVER (ORDER BY "id" ASC) AS "before", LEAD("balance", 2) OVER (ORDER BY "id" ASC) AS "behind", FIRST_VALUE("role") OVER (PARTITION BY "active" ORDER BY "id" ASC) AS "first", LAST_VALUE("id") OVER (ORDER BY "id" ASC ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING) AS "last" FROM "people" ORDER BY "id" ASC',
    },
    rows: [
      { id: 1, before: null, behind: -9223372036854775808n, first: "admin", last: 5 },
      { id: 2, before: 30, behind: 0n, first: "member", last: 5 },
      { id: 3, before: 20, behind: 0n, first: "admin", last: 5 },
      { id: 4, before: null, behind: null, first: "admin", last: 5 },
      { id: 5, before: 20, behind: null, first: "member", last: 5 },
    ],
  },
  {
    name: "aggregates over windows and frames",
    run: ({ people }) =>
      people
        .query()
        .fields(
          "id",
          sum("id")
            .over({ orderBy: [["id", "asc"]], frame: { rows: [{ preceding: 1 }, "current row"] } })
            .as("two"),
          sum("id")
            .over({ orderBy: [["id", "asc"]], frame: { range: ["current row", { following: 2 }] } })
            .as("ahead"),
          count()
            .filter(c("age", ">", "age"))
            .over({ partitionBy: ["active"] })
            .as("old"),
          max("score").over().as("best"),
        )
        .orderBy("id", "asc"),
    params: { age: 25 },
    texts: {
      sqlite:
        'SELECT "id", SUM("id") OVER (ORDER BY "id" ASC ROWS BETWEEN 1 PRECEDING AND CURRENT ROW) AS "two", SUM("id") OVER (ORDER BY "id" ASC RANGE BETWEEN CURRENT ROW AND 2 FOLLOWING) AS "ahead", COUNT(*) FILTER (WHERE "age" > ?) OVER (PARTITION BY "active") AS "old", MAX("score") OVER () AS "best" FROM "people" ORDER BY "id" ASC',
      postgres:
        'SELECT "id", SUM("id") OVER (ORDER BY "id" ASC ROWS BETWEEN 1 PRECEDING AND CURRENT ROW) AS "two", SUM("id") OVER (ORDER BY "id" ASC RANGE BETWEEN CURRENT ROW AND 2 FOLLOWING) AS "ahead", COUNT(*) FILTER (WHERE "age" > $1) OVER (PARTITION BY "active") AS "old", MAX("score") OVER () AS "best" FROM "people" ORDER BY "id" ASC',
      mariadb:
        "SELECT `id`, SUM(`id`) OVER (ORDER BY `id` ASC ROWS BETWEEN 1 PRECEDING AND CURRENT ROW) AS `two`, SUM(`id`) OVER (ORDER BY `id` ASC RANGE BETWEEN CURRENT ROW AND 2 FOLLOWING) AS `ahead`, COUNT(CASE WHEN `age` > ? THEN 1 END) OVER (PARTITION BY `active`) AS `old`, MAX(`score`) OVER (PARTITION BY (`id` IS NULL) * 0) AS `best` FROM `people` ORDER BY `id` ASC",
      oracle:
        'SELECT "id", SUM("id") OVER (ORDER BY "id" ASC ROWS BETWEEN 1 PRECEDING AND CURRENT ROW) AS "two", SUM("id") OVER (ORDER BY "id" ASC RANGE BETWEEN CURRENT ROW AND 2 FOLLOWING) AS "ahead", COUNT(CASE WHEN "age" > :p0 THEN 1 END) OVER (PARTITION BY "active") AS "old", MAX("score") OVER () AS "best" FROM "people" ORDER BY "id" ASC',
    },
    rows: [
      { id: 1, two: 1, ahead: 6, old: 1, best: 1.5 },
      { id: 2, two: 3, ahead: 9, old: 1, best: 1.5 },
      { id: 3, two: 5, ahead: 12, old: 1, best: 1.5 },
      { id: 4, two: 7, ahead: 9, old: 1, best: 1.5 },
      { id: 5, two: 9, ahead: 5, old: 1, best: 1.5 },
    ],
  },
  {
    name: "DISTINCT expressions, in order",
    run: ({ people }) => people.query().fields(upper("role").as("big")).distinct().orderBy("big", "desc"),
    texts: {
      sqlite: 'SELECT DISTINCT upper("role") AS "big" FROM "people" ORDER BY "big" DESC',
      postgres:
        'SELECT DISTINCT upper("role" COLLATE "und-x-icu") COLLATE "C" AS "big" FROM "people" ORDER BY "big" DESC',
      mariadb:
        "SELECT DISTINCT UPPER(CONVERT(`role` USING utf8mb4) COLLATE utf8mb4_unicode_520_ci /*M!101001 COLLATE utf8mb4_uca1400_nopad_as_cs */) COLLATE utf8mb4_nopad_bin AS `big` FROM `people` ORDER BY `big` DESC",
      oracle: 'SELECT DISTINCT UPPER("role") AS "big" FROM "people" ORDER BY "big" DESC',
    },
    rows: [{ big: "MEMBER" }, { big: "GUEST" }, { big: "ADMIN" }],
  },
  {
    name: "a union takes each row once, with an order and a limit of the whole",
    run: ({ people }) =>
      people
        .query()
        .fields("id", "name")
        .where("id", "<=", "low")
        .union(people.query().fields("name", "id").where("age", "=", "age"))
        .orderBy("name", "desc")
        .limit(3)
        .offset(1),
    params: { low: 2, age: 20 },
    texts: {
      sqlite:
        'SELECT "id", "name" FROM "people" WHERE "id" <= ? UNION SELECT "id", "name" FROM "people" WHERE "age" = ? ORDER BY "name" DESC LIMIT 3 OFFSET 1',
      postgres:
        'SELECT "id", "name" FROM "people" WHERE "id" <= $1 UNION SELECT "id", "name" FROM "people" WHERE "age" = $2 ORDER BY "name" DESC LIMIT 3 OFFSET 1',
      mariadb:
        "SELECT `id`, `name` FROM `people` WHERE `id` <= ? UNION SELECT `id`, `name` FROM `people` WHERE `age` = ? ORDER BY `name` DESC LIMIT 3 OFFSET 1",
      oracle:
        'SELECT "id", "name" FROM "people" WHERE "id" <= :p0 UNION SELECT "id", "name" FROM "people" WHERE "age" = :p1 ORDER BY "name" DESC OFFSET 1 ROWS FETCH NEXT 3 ROWS ONLY',
    },
    rows: [
      { id: 4, name: "D\u{e9} \u{1f600}" },
      { id: 1, name: "Ann" },
    ],
  },
  {
    name: "from left to right, whatever the server's precedence",
    run: ({ people }) =>
      people
        .query()
        .fields("id")
        .where("id", "=", "a")
        .union(people.query().fields("id").where("id", "=", "b"))
        .intersect(people.query().fields("id").where("id", "=", "b"))
        .orderBy("id", "asc"),
    params: { a: 1, b: 2 },
    texts: {
      sqlite:
        'SELECT "id" FROM "people" WHERE "id" = ? UNION SELECT "id" FROM "people" WHERE "id" = ? INTERSECT SELECT "id" FROM "people" WHERE "id" = ? ORDER BY "id" ASC',
      postgres:
        '(SELECT "id" FROM "people" WHERE "id" = $1 UNION SELECT "id" FROM "people" WHERE "id" = $2) INTERSECT SELECT "id" FROM "people" WHERE "id" = $2 ORDER BY "id" ASC',
      mariadb:
        "(SELECT `id` FROM `people` WHERE `id` = ? UNION SELECT `id` FROM `people` WHERE `id` = ?) INTERSECT SELECT `id` FROM `people` WHERE `id` = ? ORDER BY `id` ASC",
      oracle:
        '(SELECT "id" FROM "people" WHERE "id" = :p0 UNION SELECT "id" FROM "people" WHERE "id" = :p1) INTERSECT SELECT "id" FROM "people" WHERE "id" = :p1 ORDER BY "id" ASC',
    },
    rows: [{ id: 2 }],
  },
  {
    name: "all rows of both, less those of a third as often as it has them",
    run: ({ people }) =>
      people
        .query()
        .fields("age")
        .unionAll(people.query().fields("age").where("age", "=", "age"))
        .exceptAll(people.query().fields("age").where("id", "IN", "ids"))
        .orderBy("age", "asc"),
    params: { age: 20, ids: [1, 2] },
    texts: {
      sqlite:
        'SELECT "age" FROM (SELECT "age", ROW_NUMBER() OVER (PARTITION BY "age") AS "row" FROM (SELECT "age" FROM "people" UNION ALL SELECT "age" FROM "people" WHERE "age" = ?) EXCEPT SELECT "age", ROW_NUMBER() OVER (PARTITION BY "age") AS "row" FROM (SELECT "age" FROM "people" WHERE "id" IN (SELECT value FROM json_each(?)))) ORDER BY "age" ASC NULLS LAST',
      postgres:
        'SELECT "age" FROM "people" UNION ALL SELECT "age" FROM "people" WHERE "age" = $1 EXCEPT ALL SELECT "age" FROM "people" WHERE "id" = ANY($2) ORDER BY "age" ASC',
      mariadb:
        "SELECT `age` FROM (SELECT `age` FROM `people` UNION ALL SELECT `age` FROM `people` WHERE `age` = ? EXCEPT ALL SELECT `age` FROM `people` WHERE `id` IN (?)) `rows` ORDER BY `age` IS NULL, `age` ASC",
      oracle:
        'SELECT "age" FROM "people" UNION ALL SELECT "age" FROM "people" WHERE "age" = :p0 EXCEPT ALL SELECT "age" FROM "people" WHERE "id" IN (:p1) ORDER BY "age" ASC',
    },
    rows: [{ age: 20 }, { age: 20 }, { age: 20 }, { age: 41 }, { age: null }],
  },
  {
    name: "rows that are in both as often",
    run: ({ people }) =>
      people
        .query()
        .fields("role", "active")
        .intersectAll(people.query().fields("active", "role").where("active", "=", "on"))
        .orderBy("role", "asc"),
    params: { on: true },
    texts: {
      sqlite:
        'SELECT "role", "active" FROM (SELECT "role", "active", ROW_NUMBER() OVER (PARTITION BY "role", "active") AS "row" FROM (SELECT "role", "active" FROM "people") INTERSECT SELECT "role", "active", ROW_NUMBER() OVER (PARTITION BY "role", "active") AS "row" FROM (SELECT "role", "active" FROM "people" WHERE "active" = ?)) ORDER BY "role" ASC',
      postgres:
        'SELECT "role", "active" FROM "people" INTERSECT ALL SELECT "role", "active" FROM "people" WHERE "active" = $1 ORDER BY "role" ASC',
      mariadb:
        "SELECT `role`, `active` FROM `people` INTERSECT ALL SELECT `role`, `active` FROM `people` WHERE `active` = ? ORDER BY `role` ASC",
      oracle:
        'SELECT "role", "active" FROM "people" INTERSECT ALL SELECT "role", "active" FROM "people" WHERE "active" = :p0 ORDER BY "role" ASC',
    },
    rows: [
      { role: "admin", active: true },
      { role: "guest", active: true },
      { role: "member", active: true },
    ],
  },
  {
    name: "an operand keeps its own order and limit; EXCEPT; an order with NULLs",
    run: ({ people }) =>
      people
        .query()
        .fields("age")
        .orderBy("id", "desc")
        .limit(3)
        .except(people.query().fields("age").orderBy("id", "asc").limit(1))
        .orderByNulls("age", "asc", "first"),
    texts: {
      sqlite:
        'SELECT "age" FROM (SELECT "age" FROM "people" ORDER BY "id" DESC LIMIT 3) EXCEPT SELECT "age" FROM (SELECT "age" FROM "people" ORDER BY "id" ASC LIMIT 1) ORDER BY "age" ASC',
      postgres:
        '(SELECT "age" FROM "people" ORDER BY "id" DESC LIMIT 3) EXCEPT (SELECT "age" FROM "people" ORDER BY "id" ASC LIMIT 1) ORDER BY "age" ASC NULLS FIRST',
      mariadb:
        "(SELECT `age` FROM `people` ORDER BY `id` DESC LIMIT 3) EXCEPT (SELECT `age` FROM `people` ORDER BY `id` ASC LIMIT 1) ORDER BY `age` ASC",
      oracle:
        'SELECT "age" FROM (SELECT "age" FROM "people" ORDER BY "id" DESC FETCH NEXT 3 ROWS ONLY) MINUS SELECT "age" FROM (SELECT "age" FROM "people" ORDER BY "id" ASC FETCH NEXT 1 ROWS ONLY) ORDER BY "age" ASC NULLS FIRST',
    },
    rows: [{ age: null }, { age: 20 }, { age: 41 }],
  },
  {
    name: "operands of another table, with expressions under the names of the first",
    run: ({ people, teams }) =>
      people
        .query()
        .fields("id", upper("role").as("label"))
        .where("id", "=", "id")
        .unionAll(teams.query().fields(upper("title").as("label"), "id"))
        .orderBy("id", "asc")
        .orderBy("label", "asc"),
    params: { id: 2 },
    texts: {
      sqlite:
        'SELECT "id", upper("role") AS "label" FROM "people" WHERE "id" = ? UNION ALL SELECT "id", upper("title") AS "label" FROM "teams" ORDER BY "id" ASC, "label" ASC',
      postgres:
        'SELECT "id", upper("role" COLLATE "und-x-icu") COLLATE "C" AS "label" FROM "people" WHERE "id" = $1 UNION ALL SELECT "id", upper("title" COLLATE "und-x-icu") COLLATE "C" AS "label" FROM "teams" ORDER BY "id" ASC, "label" ASC',
      mariadb:
        "SELECT `id`, UPPER(CONVERT(`role` USING utf8mb4) COLLATE utf8mb4_unicode_520_ci /*M!101001 COLLATE utf8mb4_uca1400_nopad_as_cs */) COLLATE utf8mb4_nopad_bin AS `label` FROM `people` WHERE `id` = ? UNION ALL SELECT `id`, UPPER(CONVERT(`title` USING utf8mb4) COLLATE utf8mb4_unicode_520_ci /*M!101001 COLLATE utf8mb4_uca1400_nopad_as_cs */) COLLATE utf8mb4_nopad_bin AS `label` FROM `teams` ORDER BY `id` ASC, `label` ASC",
      oracle:
        'SELECT "id", UPPER("role") AS "label" FROM "people" WHERE "id" = :p0 UNION ALL SELECT "id", UPPER("title") AS "label" FROM "teams" ORDER BY "id" ASC, "label" ASC',
    },
    rows: [
      { id: 1, label: "ONE" },
      { id: 2, label: "MEMBER" },
      { id: 2, label: "TWO" },
    ],
  },
  {
    name: "groups in operands",
    run: ({ people }) =>
      people
        .query()
        .fields("role", count().as("n"))
        .groupBy("role")
        .union(people.query().fields("role", count().as("n")).where("active", "=", "on").groupBy("role"))
        .orderBy("role", "asc")
        .orderBy("n", "desc"),
    params: { on: true },
    texts: {
      sqlite:
        'SELECT "role", COUNT(*) AS "n" FROM "people" GROUP BY "role" UNION SELECT "role", COUNT(*) AS "n" FROM "people" WHERE "active" = ? GROUP BY "role" ORDER BY "role" ASC, "n" DESC',
      postgres:
        'SELECT "role", COUNT(*) AS "n" FROM "people" GROUP BY "role" UNION SELECT "role", COUNT(*) AS "n" FROM "people" WHERE "active" = $1 GROUP BY "role" ORDER BY "role" ASC, "n" DESC',
      mariadb:
        "SELECT `role`, COUNT(*) AS `n` FROM `people` GROUP BY `role` UNION SELECT `role`, COUNT(*) AS `n` FROM `people` WHERE `active` = ? GROUP BY `role` ORDER BY `role` ASC, `n` DESC",
      oracle:
        'SELECT "role", COUNT(*) AS "n" FROM "people" GROUP BY "role" UNION SELECT "role", COUNT(*) AS "n" FROM "people" WHERE "active" = :p0 GROUP BY "role" ORDER BY "role" ASC, "n" DESC',
    },
    rows: [
      { role: "admin", n: 2 },
      { role: "admin", n: 1 },
      { role: "guest", n: 1 },
      { role: "member", n: 2 },
      { role: "member", n: 1 },
    ],
  },
];

/** Expressions of the clock: their texts; what they give is compared with the time of day. */
export const clockCases: readonly Case[] = [
  {
    name: "the clock of the server",
    run: ({ people }) =>
      people
        .select()
        .fields(
          now().as("now"),
          currentTimestamp().as("stamp"),
          currentDate().as("day"),
          currentTime().as("time"),
        ),
    texts: {
      sqlite: `SELECT strftime('%Y-%m-%d %H:%M:%f', 'now') AS "now", strftime('%Y-%m-%d %H:%M:%f', 'now') AS "stamp", date('now') AS "day", time('now') AS "time" FROM "people" LIMIT 1`,
      postgres: `SELECT now() AS "now", CURRENT_TIMESTAMP AS "stamp", to_char(now() AT TIME ZONE 'UTC', 'YYYY-MM-DD') AS "day", to_char(now() AT TIME ZONE 'UTC', 'HH24:MI:SS') AS "time" FROM "people" LIMIT 1`,
      mariadb:
        "SELECT UTC_TIMESTAMP(3) AS `now`, UTC_TIMESTAMP(3) AS `stamp`, DATE_FORMAT(UTC_TIMESTAMP(), '%Y-%m-%d') AS `day`, DATE_FORMAT(UTC_TIMESTAMP(), '%H:%i:%s') AS `time` FROM `people` LIMIT 1",
      oracle: `SELECT SYSTIMESTAMP AS "now", SYSTIMESTAMP AS "stamp", TO_CHAR(SYS_EXTRACT_UTC(SYSTIMESTAMP), 'YYYY-MM-DD') AS "day", TO_CHAR(SYS_EXTRACT_UTC(SYSTIMESTAMP), 'HH24:MI:SS') AS "time" FROM "people" FETCH NEXT 1 ROWS ONLY`,
    },
    rows: [],
  },
];
