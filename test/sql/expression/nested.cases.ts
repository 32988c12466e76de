/** What expressions of expressions are in each dialect, and what comes back from every server. */
import {
  and,
  avg,
  between,
  c,
  caseWhen,
  cast,
  coalesce,
  concat,
  count,
  countDistinct,
  isNull,
  lag,
  length,
  lower,
  max,
  notBetween,
  nullIf,
  or,
  param,
  power,
  replace,
  round,
  rowNumber,
  substring,
  sum,
  trim,
  upper,
  value,
} from "rowtype";
import { z } from "zod";
import type { Case } from "./expressions.cases.js";

type Written = Omit<Case, "texts">;

const written: readonly Written[] = [
  {
    name: "functions of functions, and a condition on one",
    run: ({ people }) =>
      people
        .query()
        .fields(
          "id",
          length(trim("name")).as("long"),
          upper(substring(trim("name"), "from", value(2))).as("head"),
        )
        .where(lower(trim("name")), "=", "name")
        .orderBy("id", "asc"),
    params: { from: 1, name: "ann" },
    rows: [
      { id: 1, long: 3, head: "AN" },
      { id: 5, long: 3, head: "AN" },
    ],
  },
  {
    name: "an aggregate of an expression, and a function of an aggregate",
    run: ({ people }) =>
      people
        .query()
        .fields(
          sum(length("role")).as("letters"),
          countDistinct(lower(trim("name"))).as("names"),
          round(avg("age"), 1).as("years"),
          max(coalesce("age", "none")).as("oldest"),
        ),
    params: { none: 99 },
    rows: [{ letters: 27, names: 4, years: 27.8, oldest: 99 }],
  },
  {
    name: "groups of an expression, by its name, in an order by itself",
    run: ({ people }) =>
      people
        .query()
        .fields(upper(trim("name")).as("name_"), count().as("n"))
        .groupBy("name_")
        .orderBy(count(), "desc")
        .orderBy("name_", "asc")
        .limit(2),
    rows: [
      { name_: "ANN", n: 2 },
      { name_: "BOB", n: 1 },
    ],
  },
  {
    name: "groups of an expression by the same expression, with a parameter",
    run: ({ people }) =>
      people
        .query()
        .fields(
          concat(substring("role", value(1), "long"), param("mark", z.string())).as("head"),
          count().as("n"),
        )
        .groupBy(concat(substring("role", value(1), "long"), param("mark", z.string())))
        .having(count(), ">", "least")
        .orderBy("head", "asc"),
    params: { long: 1, mark: "!", least: 1 },
    rows: [
      { head: "a!", n: 2 },
      { head: "m!", n: 2 },
    ],
  },
  {
    name: "conditions on expressions: ranges, null tests, lists, patterns, two of them",
    run: ({ people }) =>
      people
        .query()
        .fields("id")
        .whereOr(
          and(between(length("name"), "low", "high"), c(coalesce("age", param("none")), "IN", "ages")),
          isNull(nullIf("age", "twenty")),
          c(lower("role"), "LIKE", "pattern"),
        )
        .whereAnd(or(notBetween(power("score", value(2)), "p", "q"), c(trim("name"), "!=", "other")))
        .whereNotNull(coalesce("age", value(0)))
        .whereFields(lower("name"), "=", lower(trim("name")))
        .orderBy(length("name"), "desc")
        .orderBy("id", "asc"),
    params: { low: 3, high: 4, none: 1, ages: [30, 1], twenty: 20, pattern: "gue%", p: 1, q: 9, other: "x" },
    rows: [{ id: 3 }, { id: 4 }, { id: 1 }, { id: 2 }],
  },
  {
    name: "labels of a CASE that are fields, constants and expressions",
    run: ({ people }) =>
      people
        .query()
        .fields(
          "id",
          caseWhen(z.string())
            .when(c("age", ">", "old"), upper("name"))
            .when(isNull("age"), value("?"))
            .else("other")
            .as("label"),
        )
        .orderBy("id", "asc"),
    params: { old: 25, other: "young" },
    rows: [
      { id: 1, label: "ANN" },
      { id: 2, label: "young" },
      { id: 3, label: "?" },
      { id: 4, label: "young" },
      { id: 5, label: "ANN " },
    ],
  },
  {
    name: "windows over parts and in orders that are expressions",
    run: ({ people }) =>
      people
        .query()
        .fields(
          "id",
          rowNumber()
            .over({ partitionBy: [lower(trim("name"))], orderBy: [[coalesce("age", value(0)), "desc"]] })
            .as("place"),
          lag(upper("role"))
            .over({ orderBy: [["id", "asc"]] })
            .as("before"),
        )
        .orderBy("id", "asc"),
    rows: [
      { id: 1, place: 2, before: null },
      { id: 2, place: 1, before: "ADMIN" },
      { id: 3, place: 1, before: "MEMBER" },
      { id: 4, place: 1, before: "GUEST" },
      { id: 5, place: 1, before: "MEMBER" },
    ],
  },
  {
    name: "the first of several that is not null, casts and replacements of expressions",
    run: ({ people }) =>
      people
        .query()
        .fields(
          coalesce("teamId", nullIf("age", value(20)), value(-1)).as("first"),
          cast(round("score", 0), "text").as("text"),
          replace(lower("name"), value("n"), upper("role")).as("mixed"),
        )
        .where("id", "IN", "ids")
        .orderBy("id", "asc"),
    params: { ids: [2, 3] },
    rows: [
      { first: 1, text: "2", mixed: "bob" },
      { first: -1, text: "0", mixed: "cy_%*?[x]\\" },
    ],
  },
];

const texts: Readonly<Record<string, Case["texts"]>> = {
  "functions of functions, and a condition on one": {
    sqlite:
      'SELECT "id", length(trim("name")) AS "long", upper(substr(trim("name"), ?, ?)) AS "head" FROM "people" WHERE lower(trim("name")) = ? ORDER BY "id" ASC',
    postgres:
      'SELECT "id", CAST(char_length(trim("name")) AS bigint) AS "long", upper(substring(trim("name"), CAST($1 AS integer), CAST(CAST($2 AS bigint) AS integer)) COLLATE "und-x-icu") COLLATE "C" AS "head" FROM "people" WHERE lower(trim("name") COLLATE "und-x-icu") COLLATE "C" = $3 ORDER BY "id" ASC',
    mariadb:
      "SELECT `id`, CHAR_LENGTH(TRIM(`name`)) AS `long`, UPPER(CONVERT(SUBSTRING(TRIM(`name`), CAST(? AS SIGNED), CAST(? AS SIGNED)) USING utf8mb4) COLLATE utf8mb4_unicode_520_ci /*M!101001 COLLATE utf8mb4_uca1400_nopad_as_cs */) COLLATE utf8mb4_nopad_bin AS `head` FROM `people` WHERE LOWER(CONVERT(TRIM(`name`) USING utf8mb4) COLLATE utf8mb4_unicode_520_ci /*M!101001 COLLATE utf8mb4_uca1400_nopad_as_cs */) COLLATE utf8mb4_nopad_bin = ? ORDER BY `id` ASC",
    oracle:
      'SELECT "id", LENGTH(TRIM("name")) AS "long", UPPER(SUBSTR(TRIM("name"), :p0, CAST(:p1 AS NUMBER))) AS "head" FROM "people" WHERE LOWER(TRIM("name")) = :p2 ORDER BY "id" ASC',
  },
  "an aggregate of an expression, and a function of an aggregate": {
    sqlite:
      'SELECT SUM(length("role")) AS "letters", COUNT(DISTINCT lower(trim("name"))) AS "names", CASE WHEN abs(AVG("age")) < 1e12 THEN round(AVG("age") * 1.000000000000001, 1) ELSE round(AVG("age"), 1) END AS "years", MAX(coalesce("age", ?)) AS "oldest" FROM "people"',
    postgres:
      'SELECT SUM(CAST(char_length("role") AS bigint)) AS "letters", COUNT(DISTINCT lower(trim("name") COLLATE "und-x-icu") COLLATE "C") AS "names", round(CAST(CAST(AVG("age") AS text) AS numeric), 1) AS "years", MAX(coalesce("age", $1)) AS "oldest" FROM "people"',
    mariadb:
      "SELECT SUM(CHAR_LENGTH(`role`)) AS `letters`, COUNT(DISTINCT LOWER(CONVERT(TRIM(`name`) USING utf8mb4) COLLATE utf8mb4_unicode_520_ci /*M!101001 COLLATE utf8mb4_uca1400_nopad_as_cs */) COLLATE utf8mb4_nopad_bin) AS `names`, CASE WHEN ABS(AVG(CAST(`age` AS DOUBLE))) < 1e45 THEN CAST(ROUND(CAST(AVG(CAST(`age` AS DOUBLE)) AS DECIMAL(65, 20)), 1) AS DOUBLE) ELSE ROUND(AVG(CAST(`age` AS DOUBLE)), 0) END AS `years`, MAX(COALESCE(`age`, CAST(? AS SIGNED))) AS `oldest` FROM `people`",
    oracle:
      'SELECT SUM(LENGTH("role")) AS "letters", COUNT(DISTINCT LOWER(TRIM("name"))) AS "names", ROUND(CAST(AVG("age") AS NUMBER), 1) AS "years", MAX(COALESCE("age", :p0)) AS "oldest" FROM "people"',
  },
  "groups of an expression, by its name, in an order by itself": {
    sqlite:
      'SELECT upper(trim("name")) AS "name_", COUNT(*) AS "n" FROM "people" GROUP BY upper(trim("name")) ORDER BY COUNT(*) DESC, "name_" ASC LIMIT 2',
    postgres:
      'SELECT upper(trim("name") COLLATE "und-x-icu") COLLATE "C" AS "name_", COUNT(*) AS "n" FROM "people" GROUP BY upper(trim("name") COLLATE "und-x-icu") COLLATE "C" ORDER BY COUNT(*) DESC, "name_" ASC LIMIT 2',
    mariadb:
      "SELECT UPPER(CONVERT(TRIM(`name`) USING utf8mb4) COLLATE utf8mb4_unicode_520_ci /*M!101001 COLLATE utf8mb4_uca1400_nopad_as_cs */) COLLATE utf8mb4_nopad_bin AS `name_`, COUNT(*) AS `n` FROM `people` GROUP BY UPPER(CONVERT(TRIM(`name`) USING utf8mb4) COLLATE utf8mb4_unicode_520_ci /*M!101001 COLLATE utf8mb4_uca1400_nopad_as_cs */) COLLATE utf8mb4_nopad_bin ORDER BY COUNT(*) DESC, `name_` ASC LIMIT 2",
    oracle:
      'SELECT UPPER(TRIM("name")) AS "name_", COUNT(*) AS "n" FROM "people" GROUP BY UPPER(TRIM("name")) ORDER BY COUNT(*) DESC, "name_" ASC FETCH NEXT 2 ROWS ONLY',
  },
  "groups of an expression by the same expression, with a parameter": {
    sqlite:
      'SELECT concat(substr("role", ?, ?), ?) AS "head", COUNT(*) AS "n" FROM "people" GROUP BY concat(substr("role", ?, ?), ?) HAVING COUNT(*) > ? ORDER BY "head" ASC',
    postgres:
      'SELECT concat(substring("role", CAST(CAST($1 AS bigint) AS integer), CAST($2 AS integer)), CAST($3 AS text)) AS "head", COUNT(*) AS "n" FROM "people" GROUP BY concat(substring("role", CAST(CAST($1 AS bigint) AS integer), CAST($2 AS integer)), CAST($3 AS text)) HAVING COUNT(*) > $4 ORDER BY "head" ASC',
    mariadb:
      "SELECT CONCAT(IFNULL(SUBSTRING(`role`, CAST(? AS SIGNED), CAST(? AS SIGNED)), ''), IFNULL(? COLLATE utf8mb4_nopad_bin, '')) AS `head`, COUNT(*) AS `n` FROM `people` GROUP BY CONCAT(IFNULL(SUBSTRING(`role`, CAST(? AS SIGNED), CAST(? AS SIGNED)), ''), IFNULL(? COLLATE utf8mb4_nopad_bin, '')) HAVING COUNT(*) > CAST(? AS SIGNED) ORDER BY `head` ASC",
    oracle:
      'SELECT SUBSTR("role", CAST(:p0 AS NUMBER), :p1) || :p2 AS "head", COUNT(*) AS "n" FROM "people" GROUP BY SUBSTR("role", CAST(:p0 AS NUMBER), :p1) || :p2 HAVING COUNT(*) > :p3 ORDER BY "head" ASC',
  },
  "conditions on expressions: ranges, null tests, lists, patterns, two of them": {
    sqlite:
      'SELECT "id" FROM "people" WHERE ((length("name") BETWEEN ? AND ? AND coalesce("age", ?) IN (SELECT value FROM json_each(?))) OR nullif("age", ?) IS NULL OR lower("role") GLOB ?) AND ((power("score", ?) NOT BETWEEN ? AND ? OR trim("name") <> ?)) AND coalesce("age", ?) IS NOT NULL AND lower("name") = lower(trim("name")) ORDER BY length("name") DESC, "id" ASC',
    postgres:
      'SELECT "id" FROM "people" WHERE ((CAST(char_length("name") AS bigint) BETWEEN $1 AND $2 AND coalesce("age", $3) = ANY($4)) OR nullif("age", $5) IS NULL OR lower("role" COLLATE "und-x-icu") COLLATE "C" LIKE $6) AND ((power("score", CAST(CAST($7 AS double precision) AS double precision)) NOT BETWEEN $8 AND $9 OR trim("name") <> $10)) AND coalesce("age", CAST($11 AS bigint)) IS NOT NULL AND lower("name" COLLATE "und-x-icu") COLLATE "C" = lower(trim("name") COLLATE "und-x-icu") COLLATE "C" ORDER BY CAST(char_length("name") AS bigint) DESC, "id" ASC',
    mariadb:
      "SELECT `id` FROM `people` WHERE ((CHAR_LENGTH(`name`) BETWEEN CAST(? AS SIGNED) AND CAST(? AS SIGNED) AND COALESCE(`age`, CAST(? AS SIGNED)) IN (?)) OR NULLIF(`age`, CAST(? AS SIGNED)) IS NULL OR LOWER(CONVERT(`role` USING utf8mb4) COLLATE utf8mb4_unicode_520_ci /*M!101001 COLLATE utf8mb4_uca1400_nopad_as_cs */) COLLATE utf8mb4_nopad_bin LIKE ? COLLATE utf8mb4_nopad_bin ESCAPE 0x5C) AND ((POWER(`score`, CAST(? AS DOUBLE)) NOT BETWEEN ? AND ? OR TRIM(`name`) <> ?)) AND COALESCE(`age`, CAST(? AS SIGNED)) IS NOT NULL AND LOWER(CONVERT(`name` USING utf8mb4) COLLATE utf8mb4_unicode_520_ci /*M!101001 COLLATE utf8mb4_uca1400_nopad_as_cs */) COLLATE utf8mb4_nopad_bin = LOWER(CONVERT(TRIM(`name`) USING utf8mb4) COLLATE utf8mb4_unicode_520_ci /*M!101001 COLLATE utf8mb4_uca1400_nopad_as_cs */) COLLATE utf8mb4_nopad_bin ORDER BY CHAR_LENGTH(`name`) DESC, `id` ASC",
    oracle: `SELECT "id" FROM "people" WHERE ((LENGTH("name") BETWEEN :p0 AND :p1 AND COALESCE("age", :p2) IN (:p3)) OR NULLIF("age", :p4) IS NULL OR LOWER("role") LIKE :p5 ESCAPE '\\') AND ((POWER("score", CAST(:p6 AS BINARY_DOUBLE)) NOT BETWEEN :p7 AND :p8 OR TRIM("name") <> :p9)) AND COALESCE("age", CAST(:p10 AS NUMBER)) IS NOT NULL AND LOWER("name") = LOWER(TRIM("name")) ORDER BY LENGTH("name") DESC, "id" ASC`,
  },
  "labels of a CASE that are fields, constants and expressions": {
    sqlite:
      'SELECT "id", CASE WHEN "age" > ? THEN upper("name") WHEN "age" IS NULL THEN ? ELSE ? END AS "label" FROM "people" ORDER BY "id" ASC',
    postgres:
      'SELECT "id", CASE WHEN "age" > $1 THEN upper("name" COLLATE "und-x-icu") COLLATE "C" WHEN "age" IS NULL THEN CAST($2 AS text) ELSE CAST($3 AS text) END AS "label" FROM "people" ORDER BY "id" ASC',
    mariadb:
      "SELECT `id`, CASE WHEN `age` > ? THEN UPPER(CONVERT(`name` USING utf8mb4) COLLATE utf8mb4_unicode_520_ci /*M!101001 COLLATE utf8mb4_uca1400_nopad_as_cs */) COLLATE utf8mb4_nopad_bin WHEN `age` IS NULL THEN ? COLLATE utf8mb4_nopad_bin ELSE ? COLLATE utf8mb4_nopad_bin END AS `label` FROM `people` ORDER BY `id` ASC",
    oracle:
      'SELECT "id", CASE WHEN "age" > :p0 THEN UPPER("name") WHEN "age" IS NULL THEN :p1 ELSE :p2 END AS "label" FROM "people" ORDER BY "id" ASC',
  },
  "windows over parts and in orders that are expressions": {
    sqlite:
      'SELECT "id", ROW_NUMBER() OVER (PARTITION BY lower(trim("name")) ORDER BY coalesce("age", ?) DESC) AS "place", LAG(upper("role")) OVER (ORDER BY "id" ASC) AS "before" FROM "people" ORDER BY "id" ASC',
    postgres:
      'SELECT "id", ROW_NUMBER() OVER (PARTITION BY lower(trim("name") COLLATE "und-x-icu") COLLATE "C" ORDER BY coalesce("age", CAST($1 AS bigint)) DESC) AS "place", LAG(upper("role" COLLATE "und-x-icu") COLLATE "C") OVER (ORDER BY "id" ASC) AS "before" FROM "people" ORDER BY "id" ASC',
    mariadb:
      "SELECT `id`, ROW_NUMBER() OVER (PARTITION BY LOWER(CONVERT(TRIM(`name`) USING utf8mb4) COLLATE utf8mb4_unicode_520_ci /*M!101001 COLLATE utf8mb4_uca1400_nopad_as_cs */) COLLATE utf8mb4_nopad_bin ORDER BY COALESCE(`age`, CAST(? AS SIGNED)) DESC) AS `place`, LAG(UPPER(CONVERT(`role` USING utf8mb4) COLLATE utf8mb4_unicode_520_ci /*M!101001 COLLATE utf8mb4_uca1400_nopad_as_cs */) COLLATE utf8mb4_nopad_bin) OVER (ORDER BY `id` ASC) AS `before` FROM `people` ORDER BY `id` ASC",
    oracle:
      'SELECT "id", ROW_NUMBER() OVER (PARTITION BY LOWER(TRIM("name")) ORDER BY COALESCE("age", CAST(:p0 AS NUMBER)) DESC) AS "place", LAG(UPPER("role")) OVER (ORDER BY "id" ASC) AS "before" FROM "people" ORDER BY "id" ASC',
  },
  "the first of several that is not null, casts and replacements of expressions": {
    sqlite:
      'SELECT coalesce("team_id", nullif("age", ?), ?) AS "first", rowtype_number_text(CASE WHEN abs("score") < 1e13 THEN round("score" * 1.000000000000001, 0) ELSE round("score", 0) END) AS "text", replace(lower("name"), ?, upper("role")) AS "mixed" FROM "people" WHERE "id" IN (SELECT value FROM json_each(?)) ORDER BY "id" ASC',
    postgres: `SELECT coalesce("team_id", nullif("age", CAST($1 AS bigint)), CAST($2 AS bigint)) AS "first", (CASE WHEN abs(CAST(CAST(round(CAST(CAST("score" AS text) AS numeric), 0) AS text) AS double precision)) >= 1e21 OR (abs(CAST(CAST(round(CAST(CAST("score" AS text) AS numeric), 0) AS text) AS double precision)) < 1e-6 AND CAST(CAST(round(CAST(CAST("score" AS text) AS numeric), 0) AS text) AS double precision) <> 0) THEN regexp_replace(CAST(CAST(CAST(round(CAST(CAST("score" AS text) AS numeric), 0) AS text) AS double precision) AS text), 'e([+-])0', 'e\\1') ELSE CAST(CAST(CAST(CAST(CAST(round(CAST(CAST("score" AS text) AS numeric), 0) AS text) AS double precision) AS text) AS numeric) AS text) END) COLLATE "C" AS "text", replace(lower("name" COLLATE "und-x-icu") COLLATE "C", CAST(CAST($3 AS text) AS text), CAST(upper("role" COLLATE "und-x-icu") COLLATE "C" AS text)) AS "mixed" FROM "people" WHERE "id" = ANY($4) ORDER BY "id" ASC`,
    mariadb:
      "SELECT COALESCE(`team_id`, NULLIF(`age`, CAST(? AS SIGNED)), CAST(? AS SIGNED)) AS `first`, CONVERT(CONCAT(IF(CASE WHEN ABS(`score`) < 1e45 THEN CAST(ROUND(CAST(`score` AS DECIMAL(65, 20)), 0) AS DOUBLE) ELSE ROUND(`score`, 0) END < 0, '-', ''), CASE WHEN ABS(CAST(CASE WHEN ABS(`score`) < 1e45 THEN CAST(ROUND(CAST(`score` AS DECIMAL(65, 20)), 0) AS DOUBLE) ELSE ROUND(`score`, 0) END AS DOUBLE)) = 0 OR (ABS(CAST(CASE WHEN ABS(`score`) < 1e45 THEN CAST(ROUND(CAST(`score` AS DECIMAL(65, 20)), 0) AS DOUBLE) ELSE ROUND(`score`, 0) END AS DOUBLE)) >= 1e-6 AND ABS(CAST(CASE WHEN ABS(`score`) < 1e45 THEN CAST(ROUND(CAST(`score` AS DECIMAL(65, 20)), 0) AS DOUBLE) ELSE ROUND(`score`, 0) END AS DOUBLE)) < 1e21) THEN TRIM(TRAILING '.' FROM TRIM(TRAILING '0' FROM CAST(CAST(CAST(ABS(CAST(CASE WHEN ABS(`score`) < 1e45 THEN CAST(ROUND(CAST(`score` AS DECIMAL(65, 20)), 0) AS DOUBLE) ELSE ROUND(`score`, 0) END AS DOUBLE)) AS CHAR) AS DECIMAL(65, 30)) AS CHAR))) WHEN LOCATE('e-', CAST(ABS(CAST(CASE WHEN ABS(`score`) < 1e45 THEN CAST(ROUND(CAST(`score` AS DECIMAL(65, 20)), 0) AS DOUBLE) ELSE ROUND(`score`, 0) END AS DOUBLE)) AS CHAR)) > 0 THEN CAST(ABS(CAST(CASE WHEN ABS(`score`) < 1e45 THEN CAST(ROUND(CAST(`score` AS DECIMAL(65, 20)), 0) AS DOUBLE) ELSE ROUND(`score`, 0) END AS DOUBLE)) AS CHAR) WHEN LOCATE('e', CAST(ABS(CAST(CASE WHEN ABS(`score`) < 1e45 THEN CAST(ROUND(CAST(`score` AS DECIMAL(65, 20)), 0) AS DOUBLE) ELSE ROUND(`score`, 0) END AS DOUBLE)) AS CHAR)) > 0 THEN REPLACE(CAST(ABS(CAST(CASE WHEN ABS(`score`) < 1e45 THEN CAST(ROUND(CAST(`score` AS DECIMAL(65, 20)), 0) AS DOUBLE) ELSE ROUND(`score`, 0) END AS DOUBLE)) AS CHAR), 'e', 'e+') ELSE CONCAT(LEFT(TRIM(LEADING '0' FROM SUBSTRING(CAST(ABS(CAST(CASE WHEN ABS(`score`) < 1e45 THEN CAST(ROUND(CAST(`score` AS DECIMAL(65, 20)), 0) AS DOUBLE) ELSE ROUND(`score`, 0) END AS DOUBLE)) AS CHAR), 3)), 1), IF(LENGTH(TRIM(LEADING '0' FROM SUBSTRING(CAST(ABS(CAST(CASE WHEN ABS(`score`) < 1e45 THEN CAST(ROUND(CAST(`score` AS DECIMAL(65, 20)), 0) AS DOUBLE) ELSE ROUND(`score`, 0) END AS DOUBLE)) AS CHAR), 3))) > 1, CONCAT('.', SUBSTRING(TRIM(LEADING '0' FROM SUBSTRING(CAST(ABS(CAST(CASE WHEN ABS(`score`) < 1e45 THEN CAST(ROUND(CAST(`score` AS DECIMAL(65, 20)), 0) AS DOUBLE) ELSE ROUND(`score`, 0) END AS DOUBLE)) AS CHAR), 3)), 2)), ''), 'e-', LENGTH(CAST(ABS(CAST(CASE WHEN ABS(`score`) < 1e45 THEN CAST(ROUND(CAST(`score` AS DECIMAL(65, 20)), 0) AS DOUBLE) ELSE ROUND(`score`, 0) END AS DOUBLE)) AS CHAR)) - LENGTH(TRIM(LEADING '0' FROM SUBSTRING(CAST(ABS(CAST(CASE WHEN ABS(`score`) < 1e45 THEN CAST(ROUND(CAST(`score` AS DECIMAL(65, 20)), 0) AS DOUBLE) ELSE ROUND(`score`, 0) END AS DOUBLE)) AS CHAR), 3))) - 1) END) USING utf8mb4) COLLATE utf8mb4_nopad_bin AS `text`, REPLACE(LOWER(CONVERT(`name` USING utf8mb4) COLLATE utf8mb4_unicode_520_ci /*M!101001 COLLATE utf8mb4_uca1400_nopad_as_cs */) COLLATE utf8mb4_nopad_bin, ? COLLATE utf8mb4_nopad_bin, UPPER(CONVERT(`role` USING utf8mb4) COLLATE utf8mb4_unicode_520_ci /*M!101001 COLLATE utf8mb4_uca1400_nopad_as_cs */) COLLATE utf8mb4_nopad_bin) AS `mixed` FROM `people` WHERE `id` IN (?) ORDER BY `id` ASC",
    oracle: `SELECT COALESCE("team_id", NULLIF("age", CAST(:p0 AS NUMBER)), CAST(:p1 AS NUMBER)) AS "first", REGEXP_REPLACE(TO_CHAR(CAST(ROUND(CAST("score" AS NUMBER), 0) AS NUMBER), 'TM9', 'NLS_NUMERIC_CHARACTERS=''.,'''), '^(-?)[.]', '\\10.') AS "text", REPLACE(LOWER("name"), :p2, UPPER("role")) AS "mixed" FROM "people" WHERE "id" IN (:p3) ORDER BY "id" ASC`,
  },
};

/** The cases. */
export const nestedCases: readonly Case[] = written.map((one) => {
  const own = texts[one.name];
  if (own === undefined) throw new Error(`no text of: ${one.name}`);
  return { ...one, texts: own };
});
