/** What `greatest` and `least` are in each dialect, and what comes back from every server. */
import {
  c,
  cast,
  count,
  greatest,
  isNull,
  least,
  length,
  max,
  min,
  nullIf,
  param,
  sum,
  trim,
  value,
} from "rowtype";
import { z } from "zod";
import type { Case } from "./expressions.cases.js";

type Written = Omit<Case, "texts">;

const written: readonly Written[] = [
  {
    name: "numbers: what is null is left out",
    run: ({ people }) =>
      people
        .query()
        .fields(
          "id",
          greatest("age", "teamId").as("a"),
          least("age", param("most")).as("b"),
          greatest("age", "score", value(20.5)).as("c"),
          least("score", "id").as("d"),
          greatest("teamId").as("e"),
        )
        .orderBy("id", "asc"),
    params: { most: 25 },
    rows: [
      { id: 1, a: 30, b: 25, c: 30, d: 0, e: 1 },
      { id: 2, a: 20, b: 20, c: 20.5, d: 1.5, e: 1 },
      { id: 3, a: null, b: 25, c: 20.5, d: 0, e: null },
      { id: 4, a: 20, b: 20, c: 20.5, d: -0.1, e: 2 },
      { id: 5, a: 41, b: 25, c: 41, d: 0, e: 2 },
    ],
  },
  {
    name: "bigints to the ends of 64 bits",
    run: ({ people }) =>
      people
        .query()
        .fields(
          "id",
          greatest("balance", value(-9223372036854775808n)).as("a"),
          least("balance", param("most"), nullIf("balance", "none")).as("b"),
        )
        .orderBy("id", "asc")
        .limit(3),
    params: { most: 9223372036854775807n, none: 0n },
    rows: [
      { id: 1, a: 0n, b: 0n },
      { id: 2, a: 9007199254740993n, b: 9007199254740993n },
      { id: 3, a: -9223372036854775808n, b: -9223372036854775808n },
    ],
  },
  {
    name: "texts by code point",
    run: ({ people }) =>
      people
        .query()
        .fields(
          "id",
          greatest("name", value("Z")).as("a"),
          least(trim("name"), "name", param("other", z.string().nullable())).as("b"),
          greatest(nullIf("role", "guest"), value("a\u{FFFD}"), value("a\u{1F600}")).as("c"),
          greatest(nullIf("role", "guest"), nullIf("role", "guest")).as("d"),
        )
        .orderBy("id", "asc"),
    params: { other: null, guest: "guest" },
    rows: [
      { id: 1, a: "Z", b: "Ann", c: "a\u{1F600}", d: "admin" },
      { id: 2, a: "bob", b: "bob", c: "member", d: "member" },
      { id: 3, a: "Z", b: "Cy_%*?[x]\\", c: "a\u{1F600}", d: null },
      { id: 4, a: "Z", b: "D\u{E9} \u{1F600}", c: "member", d: "member" },
      { id: 5, a: "ann ", b: "ann", c: "a\u{1F600}", d: "admin" },
    ],
    // It orders by the halves of code points.
    h2: [
      { id: 1, a: "Z", b: "Ann", c: "a\u{FFFD}", d: "admin" },
      { id: 2, a: "bob", b: "bob", c: "member", d: "member" },
      { id: 3, a: "Z", b: "Cy_%*?[x]\\", c: "a\u{FFFD}", d: null },
      { id: 4, a: "Z", b: "D\u{E9} \u{1F600}", c: "member", d: "member" },
      { id: 5, a: "ann ", b: "ann", c: "a\u{FFFD}", d: "admin" },
    ],
  },
  {
    name: "dates and booleans",
    run: ({ people }) =>
      people
        .query()
        .fields(
          "id",
          greatest("bornAt", "createdAt").as("a"),
          least("bornAt", param("before"), value(new Date("2000-01-01T00:00:00Z"))).as("b"),
          least("bornAt", nullIf("createdAt", "made")).as("c"),
          greatest("active", value(false)).as("d"),
          least("active", value(true)).as("e"),
        )
        .orderBy("id", "asc"),
    params: { before: new Date("0099-12-31T23:59:59.998Z"), made: new Date("2026-01-02T03:04:05.678Z") },
    rows: [
      {
        id: 1,
        a: new Date("2026-01-02T03:04:05.678Z"),
        b: new Date("0099-12-31T23:59:59.998Z"),
        c: new Date("1996-02-29T00:00:00Z"),
        d: true,
        e: true,
      },
      {
        id: 2,
        a: new Date("2026-01-02T03:04:05.678Z"),
        b: new Date("0099-12-31T23:59:59.998Z"),
        c: null,
        d: false,
        e: false,
      },
      {
        id: 3,
        a: new Date("2026-01-02T03:04:05.678Z"),
        b: new Date("0099-12-31T23:59:59.998Z"),
        c: new Date("0099-12-31T23:59:59.999Z"),
        d: true,
        e: true,
      },
      {
        id: 4,
        a: new Date("2026-01-02T03:04:05.678Z"),
        b: new Date("0099-12-31T23:59:59.998Z"),
        c: null,
        d: true,
        e: true,
      },
      {
        id: 5,
        a: new Date("9999-12-31T23:59:59.999Z"),
        b: new Date("0099-12-31T23:59:59.998Z"),
        c: new Date("9999-12-31T23:59:59.999Z"),
        d: false,
        e: false,
      },
    ],
  },
  {
    name: "inside aggregates and of aggregates, in conditions, groups and orders",
    run: ({ people }) =>
      people
        .query()
        .fields(
          greatest("teamId", "teamId").as("team"),
          max(least("age", value(35))).as("a"),
          greatest(max("age"), min("age"), count()).as("b"),
          greatest(sum("balance"), value(1n)).as("c"),
        )
        .where(greatest(length("name"), "id"), ">", "least")
        .groupBy("team")
        .having(least(sum("age"), value(1000)), ">", "more")
        .orderBy(greatest(count(), value(0)), "desc"),
    params: { least: 0, more: 55 },
    rows: [
      { team: 2, a: 35, b: 41, c: 1n },
      // The sum of nothing is left out.
      { team: null, a: 35, b: 1, c: 1n },
    ],
  },
  {
    name: "calls in calls",
    run: ({ people }) =>
      people
        .query()
        .fields(
          "id",
          greatest(least("age", value(25)), "id").as("a"),
          least(cast("age", "text"), "name").as("b"),
        )
        .whereAnd(c(greatest("id", "id"), "<", "two"), isNull(nullIf("id", "one")))
        .orderBy(least("id", "age"), "desc"),
    params: { one: 1, two: 2 },
    rows: [{ id: 1, a: 25, b: "30" }],
  },
];

const texts: Readonly<Record<string, Case["texts"]>> = {
  "numbers: what is null is left out": {
    sqlite:
      'SELECT "id", NULLIF(max(ifnull("age", -9e999), ifnull("team_id", -9e999)), -9e999) AS "a", min(ifnull("age", x\'\'), ?) AS "b", max(ifnull("age", -9e999), "score", ?) AS "c", min("score", "id") AS "d", "team_id" AS "e" FROM "people" ORDER BY "id" ASC',
    postgres:
      'SELECT "id", greatest("age", "team_id") AS "a", least("age", CAST($1 AS bigint)) AS "b", greatest("age", "score", CAST($2 AS double precision)) AS "c", least("score", "id") AS "d", "team_id" AS "e" FROM "people" ORDER BY "id" ASC',
    mariadb:
      "SELECT `id`, (NULLIF(GREATEST(IFNULL(`age`, -99999999999999999999), IFNULL(`team_id`, -99999999999999999999)), -99999999999999999999) DIV 1) AS `a`, (LEAST(IFNULL(`age`, 99999999999999999999), CAST(? AS SIGNED)) DIV 1) AS `b`, GREATEST(IFNULL(`age`, -1.7976931348623157e+308), `score`, CAST(? AS DOUBLE)) AS `c`, LEAST(`score`, `id`) AS `d`, `team_id` AS `e` FROM `people` ORDER BY `id` ASC",
    oracle:
      'SELECT "id", NULLIF(GREATEST(NVL("age", -1E100), NVL("team_id", -1E100)), -1E100) AS "a", LEAST(NVL("age", 1E100), CAST(:p0 AS NUMBER)) AS "b", GREATEST(NVL("age", -BINARY_DOUBLE_INFINITY), "score", CAST(:p1 AS BINARY_DOUBLE)) AS "c", LEAST("score", "id") AS "d", "team_id" AS "e" FROM "people" ORDER BY "id" ASC',
  },
  "bigints to the ends of 64 bits": {
    sqlite:
      'SELECT "id", max("balance", ?) AS "a", min("balance", ?, ifnull(nullif("balance", ?), x\'\')) AS "b" FROM "people" ORDER BY "id" ASC LIMIT 3',
    postgres:
      'SELECT "id", greatest("balance", CAST($1 AS bigint)) AS "a", least("balance", CAST($2 AS bigint), nullif("balance", $3)) AS "b" FROM "people" ORDER BY "id" ASC LIMIT 3',
    mariadb:
      "SELECT `id`, (GREATEST(`balance`, CAST(? AS SIGNED)) DIV 1) AS `a`, (LEAST(`balance`, CAST(? AS SIGNED), IFNULL(NULLIF(`balance`, CAST(? AS SIGNED)), 99999999999999999999)) DIV 1) AS `b` FROM `people` ORDER BY `id` ASC LIMIT 3",
    oracle:
      'SELECT "id", GREATEST("balance", CAST(:p0 AS NUMBER)) AS "a", LEAST("balance", CAST(:p1 AS NUMBER), NVL(NULLIF("balance", :p2), 1E100)) AS "b" FROM "people" ORDER BY "id" ASC FETCH NEXT 3 ROWS ONLY',
  },
  "texts by code point": {
    sqlite:
      'SELECT "id", max("name", ?) AS "a", min(trim("name"), "name", ifnull(?, x\'\')) AS "b", max(ifnull(nullif("role", ?), -9e999), ?, ?) AS "c", NULLIF(max(ifnull(nullif("role", ?), -9e999), ifnull(nullif("role", ?), -9e999)), -9e999) AS "d" FROM "people" ORDER BY "id" ASC',
    postgres:
      'SELECT "id", greatest("name", CAST($1 AS text) COLLATE "C") AS "a", least(trim("name") COLLATE "C", "name", CAST($2 AS text) COLLATE "C") AS "b", greatest(nullif("role", $3) COLLATE "C", CAST($4 AS text) COLLATE "C", CAST($5 AS text) COLLATE "C") AS "c", greatest(nullif("role", $3) COLLATE "C", nullif("role", $3) COLLATE "C") AS "d" FROM "people" ORDER BY "id" ASC',
    mariadb:
      "SELECT `id`, SUBSTRING(GREATEST(CONCAT('1', CONVERT(`name` USING utf8mb4)) COLLATE utf8mb4_nopad_bin, CONCAT('1', CONVERT(? COLLATE utf8mb4_nopad_bin USING utf8mb4)) COLLATE utf8mb4_nopad_bin), 2) AS `a`, SUBSTRING(LEAST(CONCAT('0', CONVERT(TRIM(`name`) USING utf8mb4)) COLLATE utf8mb4_nopad_bin, CONCAT('0', CONVERT(`name` USING utf8mb4)) COLLATE utf8mb4_nopad_bin, IFNULL(CONCAT('0', CONVERT(? COLLATE utf8mb4_nopad_bin USING utf8mb4)) COLLATE utf8mb4_nopad_bin, '1')), 2) AS `b`, SUBSTRING(GREATEST(IFNULL(CONCAT('1', CONVERT(NULLIF(`role`, ?) USING utf8mb4)) COLLATE utf8mb4_nopad_bin, '0'), CONCAT('1', CONVERT(? COLLATE utf8mb4_nopad_bin USING utf8mb4)) COLLATE utf8mb4_nopad_bin, CONCAT('1', CONVERT(? COLLATE utf8mb4_nopad_bin USING utf8mb4)) COLLATE utf8mb4_nopad_bin), 2) AS `c`, SUBSTRING(NULLIF(GREATEST(IFNULL(CONCAT('1', CONVERT(NULLIF(`role`, ?) USING utf8mb4)) COLLATE utf8mb4_nopad_bin, '0'), IFNULL(CONCAT('1', CONVERT(NULLIF(`role`, ?) USING utf8mb4)) COLLATE utf8mb4_nopad_bin, '0')), '0'), 2) AS `d` FROM `people` ORDER BY `id` ASC",
    oracle:
      'SELECT "id", SUBSTR(GREATEST(\'1\' || "name", \'1\' || :p0), 2) AS "a", SUBSTR(LEAST(\'0\' || TRIM("name"), \'0\' || "name", NVL(NULLIF(\'0\' || :p1, \'0\'), \'1\')), 2) AS "b", SUBSTR(GREATEST(\'1\' || NULLIF("role", :p2), \'1\' || :p3, \'1\' || :p4), 2) AS "c", SUBSTR(GREATEST(\'1\' || NULLIF("role", :p2), \'1\' || NULLIF("role", :p2)), 2) AS "d" FROM "people" ORDER BY "id" ASC',
  },
  "dates and booleans": {
    sqlite:
      'SELECT "id", max(ifnull(substr("born_at" || \'.000\', 1, 23), -9e999), substr("created_at" || \'.000\', 1, 23)) AS "a", min(ifnull(substr("born_at" || \'.000\', 1, 23), x\'\'), substr(? || \'.000\', 1, 23), substr(? || \'.000\', 1, 23)) AS "b", NULLIF(min(ifnull(substr("born_at" || \'.000\', 1, 23), x\'\'), ifnull(substr(CASE WHEN "created_at" NOT BETWEEN ? AND ? THEN "created_at" END || \'.000\', 1, 23), x\'\')), x\'\') AS "c", max("active", ?) AS "d", min("active", ?) AS "e" FROM "people" ORDER BY "id" ASC',
    postgres:
      'SELECT "id", greatest("born_at", "created_at") AS "a", least("born_at", CAST($1 AS timestamptz), CAST($2 AS timestamptz)) AS "b", least("born_at", nullif("created_at", $3)) AS "c", greatest("active", CAST($4 AS boolean)) AS "d", least("active", CAST($5 AS boolean)) AS "e" FROM "people" ORDER BY "id" ASC',
    mariadb:
      "SELECT `id`, CAST(SUBSTRING(GREATEST(IFNULL(CONCAT('1', DATE_FORMAT(`born_at`, '%Y-%m-%d %H:%i:%s.%f')), '0'), CONCAT('1', DATE_FORMAT(`created_at`, '%Y-%m-%d %H:%i:%s.%f'))), 2) AS DATETIME(3)) AS `a`, CAST(SUBSTRING(LEAST(IFNULL(CONCAT('0', DATE_FORMAT(`born_at`, '%Y-%m-%d %H:%i:%s.%f')), '1'), CONCAT('0', DATE_FORMAT(?, '%Y-%m-%d %H:%i:%s.%f')), CONCAT('0', DATE_FORMAT(?, '%Y-%m-%d %H:%i:%s.%f'))), 2) AS DATETIME(3)) AS `b`, CAST(SUBSTRING(NULLIF(LEAST(IFNULL(CONCAT('0', DATE_FORMAT(`born_at`, '%Y-%m-%d %H:%i:%s.%f')), '1'), IFNULL(CONCAT('0', DATE_FORMAT(NULLIF(`created_at`, ?), '%Y-%m-%d %H:%i:%s.%f')), '1')), '1'), 2) AS DATETIME(3)) AS `c`, GREATEST(`active`, ?) AS `d`, LEAST(`active`, ?) AS `e` FROM `people` ORDER BY `id` ASC",
    oracle:
      'SELECT "id", GREATEST(NVL("born_at", TIMESTAMP \'-4712-01-01 00:00:00 +00:00\'), "created_at") AS "a", LEAST(NVL("born_at", TIMESTAMP \'9999-12-31 23:59:59.999999 +00:00\'), :p0, :p1) AS "b", NULLIF(LEAST(NVL("born_at", TIMESTAMP \'9999-12-31 23:59:59.999999 +00:00\'), NVL(NULLIF("created_at", :p2), TIMESTAMP \'9999-12-31 23:59:59.999999 +00:00\')), TIMESTAMP \'9999-12-31 23:59:59.999999 +00:00\') AS "c", GREATEST("active", :p3) AS "d", LEAST("active", :p4) AS "e" FROM "people" ORDER BY "id" ASC',
  },
  "inside aggregates and of aggregates, in conditions, groups and orders": {
    sqlite:
      'SELECT NULLIF(max(ifnull("team_id", -9e999), ifnull("team_id", -9e999)), -9e999) AS "team", MAX(min(ifnull("age", x\'\'), ?)) AS "a", max(ifnull(MAX("age"), -9e999), ifnull(MIN("age"), -9e999), COUNT(*)) AS "b", max(ifnull(rowtype_whole(CASE WHEN SUM("balance" >> 32) IS NOT NULL THEN printf(\'%019d%010d\', SUM("balance" >> 32) + (SUM("balance" & 4294967295) >> 32) + 4611686018427387904, SUM("balance" & 4294967295) & 4294967295) END), -9e999), ?) AS "c" FROM "people" WHERE max(length("name"), "id") > ? GROUP BY NULLIF(max(ifnull("team_id", -9e999), ifnull("team_id", -9e999)), -9e999) HAVING min(ifnull(SUM("age"), x\'\'), ?) > ? ORDER BY max(COUNT(*), ?) DESC',
    postgres:
      'SELECT greatest("team_id", "team_id") AS "team", MAX(least("age", CAST($1 AS bigint))) AS "a", greatest(MAX("age"), MIN("age"), COUNT(*)) AS "b", greatest(CAST(SUM("balance") AS bigint), CAST($2 AS bigint)) AS "c" FROM "people" WHERE greatest(CAST(char_length("name") AS bigint), "id") > $3 GROUP BY greatest("team_id", "team_id") HAVING least(SUM("age"), CAST($4 AS bigint)) > $5 ORDER BY greatest(COUNT(*), CAST($6 AS bigint)) DESC',
    mariadb:
      "SELECT (NULLIF(GREATEST(IFNULL(`team_id`, -99999999999999999999), IFNULL(`team_id`, -99999999999999999999)), -99999999999999999999) DIV 1) AS `team`, MAX((LEAST(IFNULL(`age`, 99999999999999999999), CAST(? AS SIGNED)) DIV 1)) AS `a`, (GREATEST(IFNULL(MAX(`age`), -99999999999999999999), IFNULL(MIN(`age`), -99999999999999999999), COUNT(*)) DIV 1) AS `b`, (GREATEST(IFNULL((CAST(SUM(`balance`) AS DECIMAL(65)) DIV 1), -99999999999999999999), CAST(? AS SIGNED)) DIV 1) AS `c` FROM `people` WHERE (GREATEST(CHAR_LENGTH(`name`), `id`) DIV 1) > CAST(? AS SIGNED) GROUP BY (NULLIF(GREATEST(IFNULL(`team_id`, -99999999999999999999), IFNULL(`team_id`, -99999999999999999999)), -99999999999999999999) DIV 1) HAVING (LEAST(IFNULL(SUM(`age`), 99999999999999999999), CAST(? AS SIGNED)) DIV 1) > CAST(? AS SIGNED) ORDER BY (GREATEST(COUNT(*), CAST(? AS SIGNED)) DIV 1) DESC",
    oracle:
      'SELECT NULLIF(GREATEST(NVL("team_id", -1E100), NVL("team_id", -1E100)), -1E100) AS "team", MAX(LEAST(NVL("age", 1E100), CAST(:p0 AS NUMBER))) AS "a", GREATEST(NVL(MAX("age"), -1E100), NVL(MIN("age"), -1E100), COUNT(*)) AS "b", GREATEST(NVL(SUM("balance"), -1E100), CAST(:p1 AS NUMBER)) AS "c" FROM "people" WHERE GREATEST(LENGTH("name"), "id") > :p2 GROUP BY NULLIF(GREATEST(NVL("team_id", -1E100), NVL("team_id", -1E100)), -1E100) HAVING LEAST(NVL(SUM("age"), 1E100), CAST(:p3 AS NUMBER)) > :p4 ORDER BY GREATEST(COUNT(*), CAST(:p5 AS NUMBER)) DESC',
  },
  "calls in calls": {
    sqlite:
      'SELECT "id", max(min(ifnull("age", x\'\'), ?), "id") AS "a", min(ifnull(CAST(CAST("age" AS INTEGER) AS TEXT), x\'\'), "name") AS "b" FROM "people" WHERE (max("id", "id") < ? AND nullif("id", ?) IS NULL) ORDER BY min("id", ifnull("age", x\'\')) DESC',
    postgres:
      'SELECT "id", greatest(least("age", CAST($1 AS bigint)), "id") AS "a", least(CAST("age" AS text) COLLATE "C" COLLATE "C", "name") AS "b" FROM "people" WHERE (greatest("id", "id") < $2 AND nullif("id", $3) IS NULL) ORDER BY least("id", "age") DESC',
    mariadb:
      "SELECT `id`, (GREATEST((LEAST(IFNULL(`age`, 99999999999999999999), CAST(? AS SIGNED)) DIV 1), `id`) DIV 1) AS `a`, SUBSTRING(LEAST(IFNULL(CONCAT('0', CONVERT(CONVERT(CAST(`age` AS CHAR) USING utf8mb4) COLLATE utf8mb4_nopad_bin USING utf8mb4)) COLLATE utf8mb4_nopad_bin, '1'), CONCAT('0', CONVERT(`name` USING utf8mb4)) COLLATE utf8mb4_nopad_bin), 2) AS `b` FROM `people` WHERE ((GREATEST(`id`, `id`) DIV 1) < CAST(? AS SIGNED) AND NULLIF(`id`, CAST(? AS SIGNED)) IS NULL) ORDER BY (LEAST(`id`, IFNULL(`age`, 99999999999999999999)) DIV 1) DESC",
    oracle:
      'SELECT "id", GREATEST(LEAST(NVL("age", 1E100), CAST(:p0 AS NUMBER)), "id") AS "a", SUBSTR(LEAST(NVL(NULLIF(\'0\' || TO_CHAR("age"), \'0\'), \'1\'), \'0\' || "name"), 2) AS "b" FROM "people" WHERE (GREATEST("id", "id") < :p1 AND NULLIF("id", :p2) IS NULL) ORDER BY LEAST("id", NVL("age", 1E100)) DESC',
  },
};

/** The cases. */
export const extremeCases: readonly Case[] = written.map((one) => {
  const own = texts[one.name];
  if (own === undefined) throw new Error(`no text of: ${one.name}`);
  return { ...one, texts: own };
});
