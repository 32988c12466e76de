/** What `textAgg` and `listAgg` are in each dialect, and what comes back from every server. */
import { c, cast, count, length, listAgg, lower, mul, nullIf, param, textAgg, value } from "rowtype";
import type { Case } from "./expressions.cases.js";

type Written = Omit<Case, "texts">;

const written: readonly Written[] = [
  {
    name: "texts of groups, with a separator that is a parameter or a constant",
    run: ({ people }) =>
      people
        .query()
        .fields(
          "teamId",
          textAgg("name", "between", { orderBy: [["id", "desc"]] }).as("names"),
          textAgg(lower("role"), value(", "), {
            orderBy: [
              [length("name"), "asc"],
              ["id", "asc"],
            ],
          }).as("roles"),
        )
        .groupBy("teamId")
        .orderBy("teamId", "asc"),
    params: { between: " / " },
    rows: [
      { teamId: 1, names: "bob / Ann", roles: "admin, member" },
      { teamId: 2, names: "ann  / Dé \u{1F600}", roles: "member, admin" },
      { teamId: null, names: "Cy_%*?[x]\\", roles: "guest" },
    ],
  },
  {
    name: "texts without NULLs and of rows that are filtered; null of none",
    run: ({ people }) =>
      people.query().fields(
        textAgg(nullIf("role", "not"), param("by"), { orderBy: [["id", "asc"]] }).as("a"),
        textAgg("email", "by", { orderBy: [["name", "asc"]] })
          .filter(c("age", "<", "most"))
          .as("b"),
        textAgg(nullIf("role", "not"), value("x"))
          .filter(c("role", "=", "not"))
          .as("c"),
      ),
    params: { not: "admin", by: "--", most: 31 },
    rows: [{ a: "member--guest--member", b: "ann@example.org--de@example.org--bob@example.org", c: null }],
  },
  {
    name: "groups by their texts",
    run: ({ people }) =>
      people
        .query()
        .fields("teamId", count().as("n"))
        .groupBy("teamId")
        .having(textAgg("role", "by", { orderBy: [["role", "asc"]] }), "LIKE", "pattern")
        .orderBy(textAgg("name", "by", { orderBy: [["name", "asc"]] }), "desc"),
    params: { by: "", pattern: "admin%" },
    rows: [
      { teamId: 2, n: 2 },
      { teamId: 1, n: 2 },
    ],
  },
  {
    name: "lists of texts, numbers, bigints and booleans",
    run: ({ people }) =>
      people
        .query()
        .fields(
          "teamId",
          listAgg("name", { orderBy: [["name", "asc"]] }).as("names"),
          listAgg("age", { orderBy: [["id", "asc"]] }).as("ages"),
          listAgg("score", { orderBy: [["score", "desc"]] }).as("scores"),
          listAgg("balance", { orderBy: [["id", "asc"]] }).as("balances"),
          listAgg("active", { orderBy: [["id", "desc"]] }).as("actives"),
        )
        .groupBy("teamId")
        .orderBy("teamId", "asc"),
    rows: [
      {
        teamId: 1,
        names: ["Ann", "bob"],
        ages: [30, 20],
        scores: [1.5, 0],
        balances: [0n, 9007199254740993n],
        actives: [false, true],
      },
      {
        teamId: 2,
        names: ["Dé \u{1F600}", "ann "],
        ages: [20, 41],
        scores: [0, -0.1],
        balances: [0n, 0n],
        actives: [false, true],
      },
      {
        teamId: null,
        names: ["Cy_%*?[x]\\"],
        ages: [],
        scores: [0],
        balances: [-9223372036854775808n],
        actives: [true],
      },
    ],
  },
  {
    name: "lists of dates and of expressions, filtered, and of no rows",
    run: ({ people }) =>
      people
        .query()
        .fields(
          listAgg("bornAt", { orderBy: [["bornAt", "desc"]] }).as("dates"),
          listAgg(mul("id", value(2)), {
            orderBy: [
              ["age", "asc"],
              ["id", "desc"],
            ],
          })
            .filter(c("id", ">", "id"))
            .as("twice"),
          listAgg(cast("age", "text"), { orderBy: [["id", "asc"]] }).as("texts"),
          listAgg("role")
            .filter(c("id", ">", "none"))
            .as("nothing"),
        )
        .where("id", "<", "most"),
    params: { id: 1, none: 100, most: 5 },
    rows: [
      {
        dates: [new Date("1996-02-29T00:00:00Z"), new Date("0099-12-31T23:59:59.999Z")],
        twice: [8, 4, 6],
        texts: ["30", "20", "20"],
        nothing: [],
      },
    ],
  },
];

const texts: Readonly<Record<string, Case["texts"]>> = {
  "texts of groups, with a separator that is a parameter or a constant": {
    sqlite:
      'SELECT "team_id", group_concat("name", ? ORDER BY "id" DESC) AS "names", group_concat(lower("role"), ? ORDER BY length("name") ASC, "id" ASC) AS "roles" FROM "people" GROUP BY "team_id" ORDER BY "team_id" ASC NULLS LAST',
    postgres:
      'SELECT "team_id", string_agg("name", CAST($1 AS text) ORDER BY "id" DESC) AS "names", string_agg(lower("role" COLLATE "und-x-icu") COLLATE "C", CAST($2 AS text) ORDER BY CAST(char_length("name") AS bigint) ASC, "id" ASC) AS "roles" FROM "people" GROUP BY "team_id" ORDER BY "team_id" ASC',
    mariadb:
      "SELECT `team_id`, SUBSTRING(GROUP_CONCAT(CONCAT(? COLLATE utf8mb4_nopad_bin, `name`) ORDER BY `id` DESC SEPARATOR ''), CHAR_LENGTH(? COLLATE utf8mb4_nopad_bin) + 1) AS `names`, SUBSTRING(GROUP_CONCAT(CONCAT(? COLLATE utf8mb4_nopad_bin, LOWER(CONVERT(`role` USING utf8mb4) COLLATE utf8mb4_unicode_520_ci /*M!101001 COLLATE utf8mb4_uca1400_nopad_as_cs */) COLLATE utf8mb4_nopad_bin) ORDER BY CHAR_LENGTH(`name`) ASC, `id` ASC SEPARATOR ''), CHAR_LENGTH(? COLLATE utf8mb4_nopad_bin) + 1) AS `roles` FROM `people` GROUP BY `team_id` ORDER BY `team_id` IS NULL, `team_id` ASC",
    oracle:
      'SELECT "team_id", SUBSTR(LISTAGG(NVL2("name", :p0 || "name", NULL), \'\') WITHIN GROUP (ORDER BY "id" DESC), NVL(LENGTH(:p0), 0) + 1) AS "names", SUBSTR(LISTAGG(NVL2(LOWER("role"), :p1 || LOWER("role"), NULL), \'\') WITHIN GROUP (ORDER BY LENGTH("name") ASC, "id" ASC), NVL(LENGTH(:p1), 0) + 1) AS "roles" FROM "people" GROUP BY "team_id" ORDER BY "team_id" ASC',
  },
  "texts without NULLs and of rows that are filtered; null of none": {
    sqlite:
      'SELECT group_concat(nullif("role", ?), ? ORDER BY "id" ASC) AS "a", group_concat("email_address", ? ORDER BY "name" ASC) FILTER (WHERE "age" < ?) AS "b", group_concat(nullif("role", ?), ?) FILTER (WHERE "role" = ?) AS "c" FROM "people"',
    postgres:
      'SELECT string_agg(nullif("role", $1), CAST($2 AS text) ORDER BY "id" ASC) AS "a", string_agg("email_address", CAST($2 AS text) ORDER BY "name" ASC) FILTER (WHERE "age" < $3) AS "b", string_agg(nullif("role", $1), CAST($4 AS text)) FILTER (WHERE "role" = $5) AS "c" FROM "people"',
    mariadb:
      "SELECT SUBSTRING(GROUP_CONCAT(CONCAT(? COLLATE utf8mb4_nopad_bin, NULLIF(`role`, ?)) ORDER BY `id` ASC SEPARATOR ''), CHAR_LENGTH(? COLLATE utf8mb4_nopad_bin) + 1) AS `a`, SUBSTRING(GROUP_CONCAT(CONCAT(? COLLATE utf8mb4_nopad_bin, CASE WHEN `age` < ? THEN `email_address` END) ORDER BY `name` ASC SEPARATOR ''), CHAR_LENGTH(? COLLATE utf8mb4_nopad_bin) + 1) AS `b`, SUBSTRING(GROUP_CONCAT(CONCAT(? COLLATE utf8mb4_nopad_bin, CASE WHEN `role` = ? THEN NULLIF(`role`, ?) END) SEPARATOR ''), CHAR_LENGTH(? COLLATE utf8mb4_nopad_bin) + 1) AS `c` FROM `people`",
    oracle:
      'SELECT SUBSTR(LISTAGG(NVL2(NULLIF("role", :p0), :p1 || NULLIF("role", :p0), NULL), \'\') WITHIN GROUP (ORDER BY "id" ASC), NVL(LENGTH(:p1), 0) + 1) AS "a", SUBSTR(LISTAGG(NVL2(CASE WHEN "age" < :p2 THEN "email_address" END, :p1 || CASE WHEN "age" < :p2 THEN "email_address" END, NULL), \'\') WITHIN GROUP (ORDER BY "name" ASC), NVL(LENGTH(:p1), 0) + 1) AS "b", SUBSTR(LISTAGG(NVL2(CASE WHEN "role" = :p3 THEN NULLIF("role", :p0) END, :p4 || CASE WHEN "role" = :p3 THEN NULLIF("role", :p0) END, NULL), \'\') WITHIN GROUP (ORDER BY NULL), NVL(LENGTH(:p4), 0) + 1) AS "c" FROM "people"',
  },
  "groups by their texts": {
    sqlite:
      'SELECT "team_id", COUNT(*) AS "n" FROM "people" GROUP BY "team_id" HAVING group_concat("role", ? ORDER BY "role" ASC) GLOB ? ORDER BY group_concat("name", ? ORDER BY "name" ASC) DESC NULLS FIRST',
    postgres:
      'SELECT "team_id", COUNT(*) AS "n" FROM "people" GROUP BY "team_id" HAVING string_agg("role", CAST($1 AS text) ORDER BY "role" ASC) LIKE $2 ORDER BY string_agg("name", CAST($1 AS text) ORDER BY "name" ASC) DESC',
    mariadb:
      "SELECT `team_id`, COUNT(*) AS `n` FROM `people` GROUP BY `team_id` HAVING SUBSTRING(GROUP_CONCAT(CONCAT(? COLLATE utf8mb4_nopad_bin, `role`) ORDER BY `role` ASC SEPARATOR ''), CHAR_LENGTH(? COLLATE utf8mb4_nopad_bin) + 1) LIKE ? COLLATE utf8mb4_nopad_bin ESCAPE 0x5C ORDER BY SUBSTRING(GROUP_CONCAT(CONCAT(? COLLATE utf8mb4_nopad_bin, `name`) ORDER BY `name` ASC SEPARATOR ''), CHAR_LENGTH(? COLLATE utf8mb4_nopad_bin) + 1) IS NULL DESC, SUBSTRING(GROUP_CONCAT(CONCAT(? COLLATE utf8mb4_nopad_bin, `name`) ORDER BY `name` ASC SEPARATOR ''), CHAR_LENGTH(? COLLATE utf8mb4_nopad_bin) + 1) DESC",
    oracle:
      'SELECT "team_id", COUNT(*) AS "n" FROM "people" GROUP BY "team_id" HAVING SUBSTR(LISTAGG(NVL2("role", :p0 || "role", NULL), \'\') WITHIN GROUP (ORDER BY "role" ASC), NVL(LENGTH(:p0), 0) + 1) LIKE :p1 ESCAPE \'\\\' ORDER BY SUBSTR(LISTAGG(NVL2("name", :p0 || "name", NULL), \'\') WITHIN GROUP (ORDER BY "name" ASC), NVL(LENGTH(:p0), 0) + 1) DESC',
  },
  "lists of texts, numbers, bigints and booleans": {
    sqlite:
      'SELECT "team_id", json_group_array("name" ORDER BY "name" ASC) AS "names", json_group_array("age" ORDER BY "id" ASC) FILTER (WHERE "age" IS NOT NULL) AS "ages", json_group_array(rowtype_number_text("score") ORDER BY "score" DESC) AS "scores", json_group_array(CAST("balance" AS TEXT) ORDER BY "id" ASC) AS "balances", json_group_array("active" ORDER BY "id" DESC) AS "actives" FROM "people" GROUP BY "team_id" ORDER BY "team_id" ASC NULLS LAST',
    postgres:
      'SELECT "team_id", coalesce(array_agg("name" ORDER BY "name" ASC), \'{}\') AS "names", coalesce(array_agg("age" ORDER BY "id" ASC) FILTER (WHERE "age" IS NOT NULL), \'{}\') AS "ages", coalesce(array_agg("score" ORDER BY "score" DESC), \'{}\') AS "scores", coalesce(array_agg("balance" ORDER BY "id" ASC), \'{}\') AS "balances", coalesce(array_agg("active" ORDER BY "id" DESC), \'{}\') AS "actives" FROM "people" GROUP BY "team_id" ORDER BY "team_id" ASC',
    mariadb:
      "SELECT `team_id`, CONCAT('[', IFNULL(GROUP_CONCAT(JSON_QUOTE(CONVERT(`name` USING utf8mb4)) ORDER BY `name` ASC SEPARATOR ','), ''), ']') AS `names`, CONCAT('[', IFNULL(GROUP_CONCAT(CONCAT('\"', `age`, '\"') ORDER BY `id` ASC SEPARATOR ','), ''), ']') AS `ages`, CONCAT('[', IFNULL(GROUP_CONCAT(CONCAT('\"', CAST(`score` AS CHAR(40)), '\"') ORDER BY `score` DESC SEPARATOR ','), ''), ']') AS `scores`, CONCAT('[', IFNULL(GROUP_CONCAT(CONCAT('\"', `balance`, '\"') ORDER BY `id` ASC SEPARATOR ','), ''), ']') AS `balances`, CONCAT('[', IFNULL(GROUP_CONCAT(CONCAT('\"', `active`, '\"') ORDER BY `id` DESC SEPARATOR ','), ''), ']') AS `actives` FROM `people` GROUP BY `team_id` ORDER BY `team_id` IS NULL, `team_id` ASC",
    oracle:
      'SELECT "team_id", NVL(JSON_ARRAYAGG("name" ORDER BY "name" ASC ABSENT ON NULL RETURNING CLOB), TO_CLOB(\'[]\')) AS "names", NVL(JSON_ARRAYAGG("age" ORDER BY "id" ASC ABSENT ON NULL RETURNING CLOB), TO_CLOB(\'[]\')) AS "ages", NVL(JSON_ARRAYAGG(REGEXP_REPLACE(TO_CHAR(CAST("score" AS NUMBER), \'TM9\', \'NLS_NUMERIC_CHARACTERS=\'\'.,\'\'\'), \'^(-?)[.]\', \'\\10.\') ORDER BY "score" DESC ABSENT ON NULL RETURNING CLOB), TO_CLOB(\'[]\')) AS "scores", NVL(JSON_ARRAYAGG(TO_CHAR("balance") ORDER BY "id" ASC ABSENT ON NULL RETURNING CLOB), TO_CLOB(\'[]\')) AS "balances", NVL(JSON_ARRAYAGG("active" ORDER BY "id" DESC ABSENT ON NULL RETURNING CLOB), TO_CLOB(\'[]\')) AS "actives" FROM "people" GROUP BY "team_id" ORDER BY "team_id" ASC',
  },
  "lists of dates and of expressions, filtered, and of no rows": {
    sqlite:
      'SELECT json_group_array(strftime(\'%Y-%m-%d %H:%M:%f\', substr("born_at" || \'.000\', 1, 23)) ORDER BY substr("born_at" || \'.000\', 1, 23) DESC NULLS FIRST) FILTER (WHERE "born_at" IS NOT NULL) AS "dates", json_group_array(rowtype_whole("id" * CAST(? AS INTEGER)) ORDER BY "age" ASC NULLS LAST, "id" DESC) FILTER (WHERE "id" > ?) AS "twice", json_group_array(CAST(CAST("age" AS INTEGER) AS TEXT) ORDER BY "id" ASC) FILTER (WHERE CAST(CAST("age" AS INTEGER) AS TEXT) IS NOT NULL) AS "texts", json_group_array("role") FILTER (WHERE "id" > ?) AS "nothing" FROM "people" WHERE "id" < ?',
    postgres:
      'SELECT coalesce(array_agg("born_at" ORDER BY "born_at" DESC) FILTER (WHERE "born_at" IS NOT NULL), \'{}\') AS "dates", coalesce(array_agg(("id" * CAST($1 AS bigint)) ORDER BY "age" ASC, "id" DESC) FILTER (WHERE "id" > $2), \'{}\') AS "twice", coalesce(array_agg(CAST("age" AS text) COLLATE "C" ORDER BY "id" ASC) FILTER (WHERE CAST("age" AS text) COLLATE "C" IS NOT NULL), \'{}\') AS "texts", coalesce(array_agg("role") FILTER (WHERE "id" > $3), \'{}\') AS "nothing" FROM "people" WHERE "id" < $4',
    mariadb:
      "SELECT CONCAT('[', IFNULL(GROUP_CONCAT(CONCAT('\"', `born_at`, '\"') ORDER BY `born_at` IS NULL DESC, `born_at` DESC SEPARATOR ','), ''), ']') AS `dates`, CONCAT('[', IFNULL(GROUP_CONCAT(CONCAT('\"', CASE WHEN `id` > ? THEN (`id` * CAST(? AS SIGNED)) END, '\"') ORDER BY `age` IS NULL, `age` ASC, `id` DESC SEPARATOR ','), ''), ']') AS `twice`, CONCAT('[', IFNULL(GROUP_CONCAT(JSON_QUOTE(CONVERT(CONVERT(CAST(`age` AS CHAR) USING utf8mb4) COLLATE utf8mb4_nopad_bin USING utf8mb4)) ORDER BY `id` ASC SEPARATOR ','), ''), ']') AS `texts`, CONCAT('[', IFNULL(GROUP_CONCAT(JSON_QUOTE(CONVERT(CASE WHEN `id` > ? THEN `role` END USING utf8mb4)) SEPARATOR ','), ''), ']') AS `nothing` FROM `people` WHERE `id` < ?",
    oracle:
      'SELECT NVL(JSON_ARRAYAGG(TO_CHAR(SYS_EXTRACT_UTC("born_at"), \'YYYY-MM-DD HH24:MI:SS.FF3\') ORDER BY "born_at" DESC ABSENT ON NULL RETURNING CLOB), TO_CLOB(\'[]\')) AS "dates", NVL(JSON_ARRAYAGG(CASE WHEN "id" > :p0 THEN (CAST(CAST("id" * CAST(:p1 AS NUMBER) + 776627963145224192 AS NUMBER(19)) - 1553255926290448383 AS NUMBER(19)) + 776627963145224191) END ORDER BY "age" ASC, "id" DESC ABSENT ON NULL RETURNING CLOB), TO_CLOB(\'[]\')) AS "twice", NVL(JSON_ARRAYAGG(TO_CHAR("age") ORDER BY "id" ASC ABSENT ON NULL RETURNING CLOB), TO_CLOB(\'[]\')) AS "texts", NVL(JSON_ARRAYAGG(CASE WHEN "id" > :p2 THEN "role" END ABSENT ON NULL RETURNING CLOB), TO_CLOB(\'[]\')) AS "nothing" FROM "people" WHERE "id" < :p3',
  },
};

/** The cases. */
export const listingCases: readonly Case[] = written.map((one) => {
  const own = texts[one.name];
  if (own === undefined) throw new Error(`no text of: ${one.name}`);
  return { ...one, texts: own };
});
