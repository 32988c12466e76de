/** What raw text inside a typed query is in each dialect, and what comes back from every server. */
import { coalesce, count, field, lower, param, raw, sum, value } from "rowtype";
import { z } from "zod";
import type { Case } from "./expressions.cases.js";

type Written = Omit<Case, "texts">;

const written: readonly Written[] = [
  {
    name: "a value, a condition and an order by raw text, with parameters, constants and expressions in its holes",
    run: ({ people }) =>
      people
        .query()
        .fields("id", raw(z.int())`${field("id")} * 10 + ${param("more", z.int())}`.as("more_"))
        .whereRaw(
          raw(
            z.boolean(),
          )`${lower("name")} <> ${value("bob")} AND ${field("id")} < ${param("below", z.int())}`,
        )
        .orderBy(raw(z.int())`0 - ${field("id")}`, "asc"),
    params: { more: 3, below: 4 },
    rows: [
      { id: 3, more_: 33 },
      { id: 1, more_: 13 },
    ],
  },
  {
    name: "a text for each dialect, beside others and inside a function",
    run: ({ people }) =>
      people
        .query()
        .fields(
          "id",
          coalesce(
            raw(z.string().nullable(), {
              sqlite: raw`CASE WHEN ${field("age")} > 25 THEN 'old' END`,
              postgres: raw`CASE WHEN ${field("age")} > 25 THEN 'old'::text END`,
              mariadb: raw`IF(${field("age")} > 25, 'old', NULL)`,
              oracle: raw`CASE WHEN ${field("age")} > 25 THEN 'old' END`,
            }),
            value("young ? :x"),
          ).as("how"),
        )
        .where(raw(z.int())`${field("id")} - 1`, "IN", "rests")
        .orderBy("id", "asc"),
    params: { rests: [0, 2, 4] },
    rows: [
      { id: 1, how: "old" },
      { id: 3, how: "young ? :x" },
      { id: 5, how: "old" },
    ],
  },
  {
    name: "groups of raw text, and an aggregate of one",
    run: ({ people }) =>
      people
        .query()
        .fields(
          raw(z.int())`${field("id")} - ${field("id")}`.as("zero"),
          count().as("n"),
          sum(raw(z.int())`${field("id")} + 1`).as("more_"),
        )
        .groupBy(raw(z.int())`${field("id")} - ${field("id")}`)
        .orderBy("zero", "asc"),
    rows: [{ zero: 0, n: 5, more_: 20 }],
  },
];

const texts: Readonly<Record<string, Case["texts"]>> = {
  "a value, a condition and an order by raw text, with parameters, constants and expressions in its holes": {
    sqlite:
      'SELECT "id", ("id" * 10 + ?) AS "more_" FROM "people" WHERE (lower("name") <> ? AND "id" < ?) ORDER BY (0 - "id") ASC',
    postgres:
      'SELECT "id", ("id" * 10 + CAST($1 AS bigint)) AS "more_" FROM "people" WHERE (lower("name" COLLATE "und-x-icu") COLLATE "C" <> CAST($2 AS text) AND "id" < CAST($3 AS bigint)) ORDER BY (0 - "id") ASC',
    mariadb:
      "SELECT `id`, (`id` * 10 + CAST(? AS SIGNED)) AS `more_` FROM `people` WHERE (LOWER(CONVERT(`name` USING utf8mb4) COLLATE utf8mb4_unicode_520_ci /*M!101001 COLLATE utf8mb4_uca1400_nopad_as_cs */) COLLATE utf8mb4_nopad_bin <> ? COLLATE utf8mb4_nopad_bin AND `id` < CAST(? AS SIGNED)) ORDER BY (0 - `id`) ASC",
    oracle:
      'SELECT "id", ("id" * 10 + CAST(:p0 AS NUMBER)) AS "more_" FROM "people" WHERE (LOWER("name") <> :p1 AND "id" < CAST(:p2 AS NUMBER)) ORDER BY (0 - "id") ASC',
  },
  "a text for each dialect, beside others and inside a function": {
    sqlite: `SELECT "id", coalesce((CASE WHEN "age" > 25 THEN 'old' END), ?) AS "how" FROM "people" WHERE ("id" - 1) IN (SELECT value FROM json_each(?)) ORDER BY "id" ASC`,
    postgres: `SELECT "id", coalesce((CASE WHEN "age" > 25 THEN 'old'::text END), CAST($1 AS text)) AS "how" FROM "people" WHERE ("id" - 1) = ANY($2) ORDER BY "id" ASC`,
    mariadb:
      "SELECT `id`, COALESCE((IF(`age` > 25, 'old', NULL)), ? COLLATE utf8mb4_nopad_bin) AS `how` FROM `people` WHERE (`id` - 1) IN (?) ORDER BY `id` ASC",
    oracle: `SELECT "id", COALESCE((CASE WHEN "age" > 25 THEN 'old' END), :p0) AS "how" FROM "people" WHERE ("id" - 1) IN (:p1) ORDER BY "id" ASC`,
  },
  "groups of raw text, and an aggregate of one": {
    sqlite:
      'SELECT ("id" - "id") AS "zero", COUNT(*) AS "n", SUM(("id" + 1)) AS "more_" FROM "people" GROUP BY ("id" - "id") ORDER BY "zero" ASC',
    postgres:
      'SELECT ("id" - "id") AS "zero", COUNT(*) AS "n", SUM(("id" + 1)) AS "more_" FROM "people" GROUP BY ("id" - "id") ORDER BY "zero" ASC',
    mariadb:
      "SELECT (`id` - `id`) AS `zero`, COUNT(*) AS `n`, SUM((`id` + 1)) AS `more_` FROM `people` GROUP BY (`id` - `id`) ORDER BY `zero` ASC",
    oracle:
      'SELECT ("id" - "id") AS "zero", COUNT(*) AS "n", SUM(("id" + 1)) AS "more_" FROM "people" GROUP BY ("id" - "id") ORDER BY "zero" ASC',
  },
};

/** The cases. */
export const rawTextCases: readonly Case[] = written.map((one) => {
  const own = texts[one.name];
  if (own === undefined) throw new Error(`no text of: ${one.name}`);
  return { ...one, texts: own };
});
