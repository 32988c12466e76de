/** What conditions turned round, and conditions as values, are in each dialect, and what comes back from every server. */
import {
  and,
  between,
  boolAnd,
  boolOr,
  c,
  caseWhen,
  coalesce,
  count,
  isNull,
  lower,
  max,
  not,
  notNull,
  or,
  value,
  when,
} from "rowtype";
import { z } from "zod";
import type { Case } from "./expressions.cases.js";

type Written = Omit<Case, "texts">;

const written: readonly Written[] = [
  {
    name: "a condition turned round leaves out what is unknown",
    run: ({ people }) =>
      people
        .query()
        .fields("id")
        .whereAnd(not(c("age", "=", "age")))
        .whereOr(not(and(c("role", "=", "role"), notNull("teamId"))), not(not(isNull("bornAt"))))
        .orderBy("id", "asc"),
    params: { age: 41, role: "admin" },
    rows: [{ id: 2 }, { id: 4 }],
  },
  {
    name: "lists, ranges and texts turned round",
    run: ({ people }) =>
      people
        .query()
        .fields("id")
        .whereAnd(
          not(c("id", "IN", "none")),
          not(c("role", "IN", "roles")),
          not(between("id", "low", "high")),
          not(c(lower("name"), "STARTS WITH", "start")),
        )
        .orderBy("id", "asc"),
    params: { none: [], roles: ["guest"], low: 4, high: 9, start: "b" },
    rows: [{ id: 1 }],
  },
  {
    name: "a condition as a value of the row, in the order, and compared",
    run: ({ people }) =>
      people
        .query()
        .fields(
          "id",
          when(c("age", ">", "age")).as("old"),
          when(not(c("age", ">", "age"))).as("young"),
          coalesce(when(or(isNull("age"), c("active", "=", "active"))), value(true)).as("either"),
        )
        .where(when(c("role", "=", "role")), "=", "yes")
        .orderBy(when(c("age", ">", "age")), "desc")
        .orderBy("id", "desc"),
    params: { age: 20, role: "admin", yes: false, active: false },
    rows: [
      { id: 3, old: null, young: null, either: true },
      { id: 4, old: false, young: true, either: false },
      { id: 2, old: false, young: true, either: true },
    ],
  },
  {
    name: "groups of a condition",
    run: ({ people }) =>
      people
        .query()
        .fields(
          when(isNull("teamId")).as("alone"),
          count().as("n"),
          caseWhen(z.int())
            .when(not(c(max("age"), ">", "most")), value(0))
            .else(value(1))
            .as("label"),
        )
        .groupBy("alone")
        .orderBy("alone", "asc"),
    params: { most: 50 },
    rows: [
      { alone: false, n: 4, label: 0 },
      // The greatest of nothing is unknown.
      { alone: true, n: 1, label: 1 },
    ],
  },
  {
    name: "what holds in all and in any rows of a group",
    run: ({ people }) =>
      people
        .query()
        .fields(
          "teamId",
          boolAnd(c("age", ">", "age")).as("all"),
          boolOr(c("age", ">", "age")).as("any"),
          boolOr(c("active", "=", "active"))
            .filter(c("role", "!=", "role"))
            .as("some"),
        )
        .groupBy("teamId")
        .having(boolAnd(not(c("id", "=", "id"))), "=", "yes")
        .orderBy("teamId", "asc"),
    params: { age: 25, active: false, role: "admin", id: 9, yes: true },
    rows: [
      { teamId: 1, all: false, any: true, some: true },
      { teamId: 2, all: false, any: true, some: false },
      { teamId: null, all: null, any: null, some: false },
    ],
  },
  {
    name: "over a window, and of no rows",
    run: ({ people }) =>
      people
        .query()
        .fields(
          "id",
          boolAnd(notNull("age"))
            .over({ partitionBy: ["teamId"] })
            .as("known"),
        )
        .where("id", ">", "id")
        .orderBy("id", "asc"),
    params: { id: 2 },
    rows: [
      { id: 3, known: false },
      { id: 4, known: true },
      { id: 5, known: true },
    ],
  },
  {
    name: "all and any of no rows are unknown",
    run: ({ people }) =>
      people
        .query()
        .fields(boolAnd(isNull("age")).as("all"), boolOr(isNull("age")).as("any"))
        .where("id", ">", "id"),
    params: { id: 100 },
    rows: [{ all: null, any: null }],
  },
];

const texts: Readonly<Record<string, Case["texts"]>> = {
  "a condition turned round leaves out what is unknown": {
    sqlite:
      'SELECT "id" FROM "people" WHERE (NOT ("age" = ?)) AND (NOT ("role" = ? AND "team_id" IS NOT NULL) OR NOT (NOT ("born_at" IS NULL))) ORDER BY "id" ASC',
    postgres:
      'SELECT "id" FROM "people" WHERE (NOT ("age" = $1)) AND (NOT ("role" = $2 AND "team_id" IS NOT NULL) OR NOT (NOT ("born_at" IS NULL))) ORDER BY "id" ASC',
    mariadb:
      "SELECT `id` FROM `people` WHERE (NOT (`age` = ?)) AND (NOT (`role` = ? AND `team_id` IS NOT NULL) OR NOT (NOT (`born_at` IS NULL))) ORDER BY `id` ASC",
    oracle:
      'SELECT "id" FROM "people" WHERE (NOT ("age" = :p0)) AND (NOT ("role" = :p1 AND "team_id" IS NOT NULL) OR NOT (NOT ("born_at" IS NULL))) ORDER BY "id" ASC',
  },
  "lists, ranges and texts turned round": {
    sqlite:
      'SELECT "id" FROM "people" WHERE (NOT ("id" IN (SELECT value FROM json_each(?))) AND NOT ("role" IN (SELECT value FROM json_each(?))) AND NOT ("id" BETWEEN ? AND ?) AND NOT (lower("name") GLOB ?)) ORDER BY "id" ASC',
    postgres:
      'SELECT "id" FROM "people" WHERE (NOT ("id" = ANY($1)) AND NOT ("role" = ANY($2)) AND NOT ("id" BETWEEN $3 AND $4) AND NOT (lower("name" COLLATE "und-x-icu") COLLATE "C" LIKE $5)) ORDER BY "id" ASC',
    mariadb:
      "SELECT `id` FROM `people` WHERE (NOT (`id` IN (?)) AND NOT (`role` IN (?)) AND NOT (`id` BETWEEN ? AND ?) AND NOT (LOWER(CONVERT(`name` USING utf8mb4) COLLATE utf8mb4_unicode_520_ci /*M!101001 COLLATE utf8mb4_uca1400_nopad_as_cs */) COLLATE utf8mb4_nopad_bin LIKE ? COLLATE utf8mb4_nopad_bin ESCAPE 0x5C)) ORDER BY `id` ASC",
    oracle:
      'SELECT "id" FROM "people" WHERE (NOT ("id" IN (:p0)) AND NOT ("role" IN (:p1)) AND NOT ("id" BETWEEN :p2 AND :p3) AND NOT (LOWER("name") LIKE :p4 ESCAPE \'\\\')) ORDER BY "id" ASC',
  },
  "a condition as a value of the row, in the order, and compared": {
    sqlite:
      'SELECT "id", ("age" > ?) AS "old", (NOT ("age" > ?)) AS "young", coalesce(("age" IS NULL OR "active" = ?), ?) AS "either" FROM "people" WHERE ("role" = ?) = ? ORDER BY ("age" > ?) DESC NULLS FIRST, "id" DESC',
    postgres:
      'SELECT "id", ("age" > $1) AS "old", (NOT ("age" > $1)) AS "young", coalesce(("age" IS NULL OR "active" = $2), CAST($3 AS boolean)) AS "either" FROM "people" WHERE ("role" = $4) = $5 ORDER BY ("age" > $1) DESC, "id" DESC',
    mariadb:
      "SELECT `id`, (`age` > ?) AS `old`, (NOT (`age` > ?)) AS `young`, COALESCE((`age` IS NULL OR `active` = ?), ?) AS `either` FROM `people` WHERE (`role` = ?) = ? ORDER BY (`age` > ?) IS NULL DESC, (`age` > ?) DESC, `id` DESC",
    oracle:
      'SELECT "id", CASE WHEN "age" > :p0 THEN 1 WHEN NOT ("age" > :p0) THEN 0 END AS "old", CASE WHEN NOT ("age" > :p0) THEN 1 WHEN NOT (NOT ("age" > :p0)) THEN 0 END AS "young", COALESCE(CASE WHEN ("age" IS NULL OR "active" = :p1) THEN 1 WHEN NOT ("age" IS NULL OR "active" = :p1) THEN 0 END, :p2) AS "either" FROM "people" WHERE CASE WHEN "role" = :p3 THEN 1 WHEN NOT ("role" = :p3) THEN 0 END = :p4 ORDER BY CASE WHEN "age" > :p0 THEN 1 WHEN NOT ("age" > :p0) THEN 0 END DESC, "id" DESC',
  },
  "groups of a condition": {
    sqlite:
      'SELECT ("team_id" IS NULL) AS "alone", COUNT(*) AS "n", CASE WHEN NOT (MAX("age") > ?) THEN ? ELSE ? END AS "label" FROM "people" GROUP BY ("team_id" IS NULL) ORDER BY "alone" ASC NULLS LAST',
    postgres:
      'SELECT ("team_id" IS NULL) AS "alone", COUNT(*) AS "n", CASE WHEN NOT (MAX("age") > $1) THEN CAST($2 AS bigint) ELSE CAST($3 AS bigint) END AS "label" FROM "people" GROUP BY ("team_id" IS NULL) ORDER BY "alone" ASC',
    mariadb:
      "SELECT (`team_id` IS NULL) AS `alone`, COUNT(*) AS `n`, CASE WHEN NOT (MAX(`age`) > CAST(? AS SIGNED)) THEN CAST(? AS SIGNED) ELSE CAST(? AS SIGNED) END AS `label` FROM `people` GROUP BY (`team_id` IS NULL) ORDER BY (`team_id` IS NULL) IS NULL, (`team_id` IS NULL) ASC",
    oracle:
      'SELECT CASE WHEN "team_id" IS NULL THEN 1 WHEN NOT ("team_id" IS NULL) THEN 0 END AS "alone", COUNT(*) AS "n", CASE WHEN NOT (MAX("age") > :p0) THEN CAST(:p1 AS NUMBER) ELSE CAST(:p2 AS NUMBER) END AS "label" FROM "people" GROUP BY CASE WHEN "team_id" IS NULL THEN 1 WHEN NOT ("team_id" IS NULL) THEN 0 END ORDER BY "alone" ASC',
  },
  "what holds in all and in any rows of a group": {
    sqlite:
      'SELECT "team_id", MIN(("age" > ?)) AS "all", MAX(("age" > ?)) AS "any", MAX(("active" = ?)) FILTER (WHERE "role" <> ?) AS "some" FROM "people" GROUP BY "team_id" HAVING MIN((NOT ("id" = ?))) = ? ORDER BY "team_id" ASC NULLS LAST',
    postgres:
      'SELECT "team_id", bool_and(("age" > $1)) AS "all", bool_or(("age" > $1)) AS "any", bool_or(("active" = $2)) FILTER (WHERE "role" <> $3) AS "some" FROM "people" GROUP BY "team_id" HAVING bool_and((NOT ("id" = $4))) = $5 ORDER BY "team_id" ASC',
    mariadb:
      "SELECT `team_id`, MIN((`age` > ?)) AS `all`, MAX((`age` > ?)) AS `any`, MAX(CASE WHEN `role` <> ? THEN (`active` = ?) END) AS `some` FROM `people` GROUP BY `team_id` HAVING MIN((NOT (`id` = ?))) = ? ORDER BY `team_id` IS NULL, `team_id` ASC",
    oracle:
      'SELECT "team_id", MIN(CASE WHEN "age" > :p0 THEN 1 WHEN NOT ("age" > :p0) THEN 0 END) AS "all", MAX(CASE WHEN "age" > :p0 THEN 1 WHEN NOT ("age" > :p0) THEN 0 END) AS "any", MAX(CASE WHEN "role" <> :p1 THEN CASE WHEN "active" = :p2 THEN 1 WHEN NOT ("active" = :p2) THEN 0 END END) AS "some" FROM "people" GROUP BY "team_id" HAVING MIN(CASE WHEN NOT ("id" = :p3) THEN 1 WHEN NOT (NOT ("id" = :p3)) THEN 0 END) = :p4 ORDER BY "team_id" ASC',
  },
  "over a window, and of no rows": {
    sqlite:
      'SELECT "id", MIN(("age" IS NOT NULL)) OVER (PARTITION BY "team_id") AS "known" FROM "people" WHERE "id" > ? ORDER BY "id" ASC',
    postgres:
      'SELECT "id", bool_and(("age" IS NOT NULL)) OVER (PARTITION BY "team_id") AS "known" FROM "people" WHERE "id" > $1 ORDER BY "id" ASC',
    mariadb:
      "SELECT `id`, MIN((`age` IS NOT NULL)) OVER (PARTITION BY `team_id`) AS `known` FROM `people` WHERE `id` > ? ORDER BY `id` ASC",
    oracle:
      'SELECT "id", MIN(CASE WHEN "age" IS NOT NULL THEN 1 WHEN NOT ("age" IS NOT NULL) THEN 0 END) OVER (PARTITION BY "team_id") AS "known" FROM "people" WHERE "id" > :p0 ORDER BY "id" ASC',
  },
  "all and any of no rows are unknown": {
    sqlite:
      'SELECT MIN(("age" IS NULL)) AS "all", MAX(("age" IS NULL)) AS "any" FROM "people" WHERE "id" > ?',
    postgres:
      'SELECT bool_and(("age" IS NULL)) AS "all", bool_or(("age" IS NULL)) AS "any" FROM "people" WHERE "id" > $1',
    mariadb:
      "SELECT MIN((`age` IS NULL)) AS `all`, MAX((`age` IS NULL)) AS `any` FROM `people` WHERE `id` > ?",
    oracle:
      'SELECT MIN(CASE WHEN "age" IS NULL THEN 1 WHEN NOT ("age" IS NULL) THEN 0 END) AS "all", MAX(CASE WHEN "age" IS NULL THEN 1 WHEN NOT ("age" IS NULL) THEN 0 END) AS "any" FROM "people" WHERE "id" > :p0',
  },
};

/** The cases. */
export const testCases: readonly Case[] = written.map((one) => {
  const own = texts[one.name];
  if (own === undefined) throw new Error(`no text of: ${one.name}`);
  return { ...one, texts: own };
});
