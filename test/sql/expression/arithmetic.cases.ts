/** What arithmetic is in each dialect, and what comes back from every server. */
import {
  add,
  c,
  caseWhen,
  coalesce,
  count,
  div,
  isNull,
  length,
  max,
  min,
  mod,
  mul,
  neg,
  param,
  rowNumber,
  sub,
  sum,
  value,
} from "rowtype";
import { z } from "zod";
import type { Case } from "./expressions.cases.js";

type Written = Omit<Case, "texts">;

const written: readonly Written[] = [
  {
    name: "whole numbers: all six functions, with a parameter and a constant",
    run: ({ people }) =>
      people
        .query()
        .fields(
          "id",
          add("age", "id").as("a"),
          sub("id", "age").as("b"),
          mul("age", param("factor")).as("c"),
          div(neg("age"), value(7)).as("d"),
          mod(neg("age"), value(7)).as("e"),
        )
        .where(add("id", param("far")), ">", "least")
        .orderBy("id", "asc"),
    params: { factor: 4294967296, far: 9007199254740000, least: 9007199254740000 },
    rows: [
      { id: 1, a: 31, b: -29, c: 128849018880, d: -4, e: -2 },
      { id: 2, a: 22, b: -18, c: 85899345920, d: -2, e: -6 },
      { id: 3, a: null, b: null, c: null, d: null, e: null },
      { id: 4, a: 24, b: -16, c: 85899345920, d: -2, e: -6 },
      { id: 5, a: 46, b: -36, c: 176093659136, d: -5, e: -6 },
    ],
  },
  {
    name: "a division by zero is NULL, of whole numbers, of doubles and of bigints",
    run: ({ people }) =>
      people
        .query()
        .fields(
          "id",
          div("id", sub("id", value(2))).as("a"),
          mod("id", sub("id", value(2))).as("b"),
          div("score", "score").as("c"),
          mod("score", "score").as("d"),
          div("balance", "balance").as("e"),
          mod("balance", param("zero")).as("f"),
        )
        .orderBy("id", "asc")
        .limit(3),
    params: { zero: 0n },
    rows: [
      { id: 1, a: -1, b: 0, c: null, d: null, e: null, f: null },
      { id: 2, a: null, b: null, c: 1, d: 0, e: 1n, f: null },
      { id: 3, a: 3, b: 0, c: null, d: null, e: 1n, f: null },
    ],
  },
  {
    name: "doubles, and whole numbers beside them",
    run: ({ people }) =>
      people
        .query()
        .fields(
          "id",
          add("score", value(0.25)).as("a"),
          mul("score", "id").as("b"),
          div("id", value(0.5)).as("c"),
          mod(sub("score", value(7)), value(2)).as("d"),
          sub(length("name"), "score").as("e"),
          neg("score").as("f"),
        )
        .orderBy("id", "asc")
        .limit(2),
    rows: [
      { id: 1, a: 0.25, b: 0, c: 2, d: -1, e: 3, f: 0 },
      { id: 2, a: 1.75, b: 3, c: 4, d: -1.5, e: 1.5, f: -1.5 },
    ],
  },
  {
    name: "bigints to the end of 64 bits",
    run: ({ people }) =>
      people
        .query()
        .fields(
          "id",
          add("balance", value(9223372036854775807n)).as("a"),
          div("balance", param("by")).as("b"),
          mod("balance", param("by")).as("c"),
          mul(div("balance", param("big", z.bigint())), value(-1n)).as("d"),
        )
        .where("balance", "<=", "most")
        .orderBy("id", "asc"),
    params: { by: 10n, big: 9007199254740993n, most: 0n },
    rows: [
      { id: 1, a: 9223372036854775807n, b: 0n, c: 0n, d: 0n },
      { id: 3, a: -1n, b: -922337203685477580n, c: -8n, d: 1023n },
      { id: 4, a: 9223372036854775807n, b: 0n, c: 0n, d: 0n },
      { id: 5, a: 9223372036854775807n, b: 0n, c: 0n, d: 0n },
    ],
  },
  {
    name: "aggregates of arithmetic, and arithmetic with aggregates",
    run: ({ people }) =>
      people
        .query()
        .fields(
          sum(mul("age", "id")).as("weighted"),
          add(sum("score"), count()).as("mean"),
          sub(max("age"), min("age")).as("span"),
          add(sum("balance"), value(9223372036854775807n)).as("total"),
        )
        .having(div(sum("age"), count()), ">", "least"),
    params: { least: 1 },
    rows: [{ weighted: 355, mean: 6.4, span: 21, total: 9007199254740992n }],
  },
  {
    name: "arithmetic over windows, in groups, orders, labels and conditions",
    run: ({ people }) =>
      people
        .query()
        .fields(
          "id",
          mul(rowNumber().over({ orderBy: [["id", "desc"]] }), value(1.5)).as("place"),
          add(coalesce("age", value(0)), value(1)).as("next"),
          caseWhen(z.int())
            .when(c(mod("id", value(2)), "=", "odd"), mul("id", value(100)))
            .else(neg("id"))
            .as("label"),
        )
        .where(mul("id", value(2)), "<", "most")
        .orderBy(mod("id", value(3)), "asc")
        .orderBy("id", "asc"),
    params: { odd: 1, most: 9 },
    rows: [
      { id: 3, place: 3, next: 1, label: 300 },
      { id: 1, place: 6, next: 31, label: 100 },
      { id: 4, place: 1.5, next: 21, label: -4 },
      { id: 2, place: 4.5, next: 21, label: -2 },
    ],
  },
  {
    name: "groups of arithmetic",
    run: ({ people }) =>
      people
        .query()
        .fields(div("age", value(10)).as("decade"), count().as("n"))
        .whereAnd(c(add("age", value(0)), ">", "least"))
        .groupBy("decade")
        .orderBy("decade", "asc"),
    params: { least: 0 },
    rows: [
      { decade: 2, n: 2 },
      { decade: 3, n: 1 },
      { decade: 4, n: 1 },
    ],
  },
  {
    name: "rows whose calculation is null",
    run: ({ people }) =>
      people
        .query()
        .fields("id")
        .whereAnd(isNull(mul("age", "id"))),
    rows: [{ id: 3 }],
  },
];

const texts: Readonly<Record<string, Case["texts"]>> = {
  "whole numbers: all six functions, with a parameter and a constant": {
    sqlite:
      'SELECT "id", rowtype_whole("age" + "id") AS "a", rowtype_whole("id" - "age") AS "b", rowtype_whole("age" * CAST(? AS INTEGER)) AS "c", rowtype_whole(rowtype_whole(0 - "age") / CAST(? AS INTEGER)) AS "d", (rowtype_whole(0 - "age") % CAST(? AS INTEGER)) AS "e" FROM "people" WHERE rowtype_whole("id" + CAST(? AS INTEGER)) > ? ORDER BY "id" ASC',
    postgres:
      'SELECT "id", ("age" + "id") AS "a", ("id" - "age") AS "b", ("age" * CAST($1 AS bigint)) AS "c", ((0 - "age") / NULLIF(CAST($2 AS bigint), 0)) AS "d", ((0 - "age") % NULLIF(CAST($2 AS bigint), 0)) AS "e" FROM "people" WHERE ("id" + CAST($3 AS bigint)) > $4 ORDER BY "id" ASC',
    mariadb:
      "SELECT `id`, (`age` + `id`) AS `a`, (`id` - `age`) AS `b`, (`age` * CAST(? AS SIGNED)) AS `c`, ((`age` * -1) DIV NULLIF(CAST(? AS SIGNED), 0)) AS `d`, ((`age` * -1) % NULLIF(CAST(? AS SIGNED), 0)) AS `e` FROM `people` WHERE (`id` + CAST(? AS SIGNED)) > CAST(? AS SIGNED) ORDER BY `id` ASC",
    oracle:
      'SELECT "id", (CAST(CAST("age" + "id" + 776627963145224192 AS NUMBER(19)) - 1553255926290448383 AS NUMBER(19)) + 776627963145224191) AS "a", (CAST(CAST("id" - "age" + 776627963145224192 AS NUMBER(19)) - 1553255926290448383 AS NUMBER(19)) + 776627963145224191) AS "b", (CAST(CAST("age" * CAST(:p0 AS NUMBER) + 776627963145224192 AS NUMBER(19)) - 1553255926290448383 AS NUMBER(19)) + 776627963145224191) AS "c", (CAST(CAST(TRUNC((CAST(CAST(0 - "age" + 776627963145224192 AS NUMBER(19)) - 1553255926290448383 AS NUMBER(19)) + 776627963145224191) / NULLIF(CAST(:p1 AS NUMBER), 0)) + 776627963145224192 AS NUMBER(19)) - 1553255926290448383 AS NUMBER(19)) + 776627963145224191) AS "d", MOD((CAST(CAST(0 - "age" + 776627963145224192 AS NUMBER(19)) - 1553255926290448383 AS NUMBER(19)) + 776627963145224191), NULLIF(CAST(:p1 AS NUMBER), 0)) AS "e" FROM "people" WHERE (CAST(CAST("id" + CAST(:p2 AS NUMBER) + 776627963145224192 AS NUMBER(19)) - 1553255926290448383 AS NUMBER(19)) + 776627963145224191) > :p3 ORDER BY "id" ASC',
  },
  "a division by zero is NULL, of whole numbers, of doubles and of bigints": {
    sqlite:
      'SELECT "id", rowtype_whole("id" / rowtype_whole("id" - CAST(? AS INTEGER))) AS "a", ("id" % rowtype_whole("id" - CAST(? AS INTEGER))) AS "b", rowtype_finite("score" / "score") AS "c", mod("score", "score") AS "d", rowtype_whole("balance" / "balance") AS "e", ("balance" % ?) AS "f" FROM "people" ORDER BY "id" ASC LIMIT 3',
    postgres:
      'SELECT "id", ("id" / NULLIF(("id" - CAST($1 AS bigint)), 0)) AS "a", ("id" % NULLIF(("id" - CAST($1 AS bigint)), 0)) AS "b", ("score" / NULLIF("score", 0)) AS "c", CAST(CAST(CAST("score" AS text) AS numeric) % NULLIF(CAST(CAST("score" AS text) AS numeric), 0) AS double precision) AS "d", ("balance" / NULLIF("balance", 0)) AS "e", ("balance" % NULLIF(CAST($2 AS bigint), 0)) AS "f" FROM "people" ORDER BY "id" ASC LIMIT 3',
    mariadb:
      "SELECT `id`, (`id` DIV NULLIF((`id` - CAST(? AS SIGNED)), 0)) AS `a`, (`id` % NULLIF((`id` - CAST(? AS SIGNED)), 0)) AS `b`, (`score` / NULLIF(`score`, 0)) AS `c`, (`score` % NULLIF(`score`, 0)) AS `d`, (`balance` DIV NULLIF(`balance`, 0)) AS `e`, (`balance` % NULLIF(CAST(? AS SIGNED), 0)) AS `f` FROM `people` ORDER BY `id` ASC LIMIT 3",
    oracle:
      'SELECT "id", (CAST(CAST(TRUNC("id" / NULLIF((CAST(CAST("id" - CAST(:p0 AS NUMBER) + 776627963145224192 AS NUMBER(19)) - 1553255926290448383 AS NUMBER(19)) + 776627963145224191), 0)) + 776627963145224192 AS NUMBER(19)) - 1553255926290448383 AS NUMBER(19)) + 776627963145224191) AS "a", MOD("id", NULLIF((CAST(CAST("id" - CAST(:p0 AS NUMBER) + 776627963145224192 AS NUMBER(19)) - 1553255926290448383 AS NUMBER(19)) + 776627963145224191), 0)) AS "b", ("score" / NULLIF("score", 0)) AS "c", MOD("score", NULLIF("score", 0)) AS "d", (CAST(CAST(TRUNC("balance" / NULLIF("balance", 0)) + 776627963145224192 AS NUMBER(19)) - 1553255926290448383 AS NUMBER(19)) + 776627963145224191) AS "e", MOD("balance", NULLIF(CAST(:p1 AS NUMBER), 0)) AS "f" FROM "people" ORDER BY "id" ASC FETCH NEXT 3 ROWS ONLY',
  },
  "doubles, and whole numbers beside them": {
    sqlite:
      'SELECT "id", rowtype_finite("score" + ?) AS "a", rowtype_finite("score" * "id") AS "b", rowtype_finite("id" / ?) AS "c", mod(rowtype_finite("score" - ?), ?) AS "d", rowtype_finite(CAST(length("name") AS INTEGER) - "score") AS "e", rowtype_finite(0 - "score") AS "f" FROM "people" ORDER BY "id" ASC LIMIT 2',
    postgres:
      'SELECT "id", ("score" + CAST($1 AS double precision)) AS "a", ("score" * "id") AS "b", ("id" / NULLIF(CAST($2 AS double precision), 0)) AS "c", CAST(CAST(CAST(("score" - CAST($3 AS double precision)) AS text) AS numeric) % NULLIF(CAST(CAST(CAST($4 AS double precision) AS text) AS numeric), 0) AS double precision) AS "d", (CAST(CAST(char_length("name") AS bigint) AS bigint) - "score") AS "e", (0 - "score") AS "f" FROM "people" ORDER BY "id" ASC LIMIT 2',
    mariadb:
      "SELECT `id`, (`score` + CAST(? AS DOUBLE)) AS `a`, (`score` * `id`) AS `b`, (`id` / NULLIF(CAST(? AS DOUBLE), 0)) AS `c`, ((`score` - CAST(? AS DOUBLE)) % NULLIF(CAST(? AS DOUBLE), 0)) AS `d`, ((CAST(CHAR_LENGTH(`name`) AS DECIMAL(65)) DIV 1) - `score`) AS `e`, (0 - `score`) AS `f` FROM `people` ORDER BY `id` ASC LIMIT 2",
    oracle:
      'SELECT "id", ("score" + CAST(:p0 AS BINARY_DOUBLE)) AS "a", ("score" * "id") AS "b", ("id" / NULLIF(CAST(:p1 AS BINARY_DOUBLE), 0)) AS "c", MOD(("score" - CAST(:p2 AS BINARY_DOUBLE)), NULLIF(CAST(:p3 AS BINARY_DOUBLE), 0)) AS "d", (LENGTH("name") - "score") AS "e", (0 - "score") AS "f" FROM "people" ORDER BY "id" ASC FETCH NEXT 2 ROWS ONLY',
  },
  "bigints to the end of 64 bits": {
    sqlite:
      'SELECT "id", rowtype_whole("balance" + ?) AS "a", rowtype_whole("balance" / ?) AS "b", ("balance" % ?) AS "c", rowtype_whole(rowtype_whole("balance" / ?) * ?) AS "d" FROM "people" WHERE "balance" <= ? ORDER BY "id" ASC',
    postgres:
      'SELECT "id", ("balance" + CAST($1 AS bigint)) AS "a", ("balance" / NULLIF(CAST($2 AS bigint), 0)) AS "b", ("balance" % NULLIF(CAST($2 AS bigint), 0)) AS "c", (("balance" / NULLIF(CAST($3 AS bigint), 0)) * CAST($4 AS bigint)) AS "d" FROM "people" WHERE "balance" <= $5 ORDER BY "id" ASC',
    mariadb:
      "SELECT `id`, (`balance` + CAST(? AS SIGNED)) AS `a`, (`balance` DIV NULLIF(CAST(? AS SIGNED), 0)) AS `b`, (`balance` % NULLIF(CAST(? AS SIGNED), 0)) AS `c`, ((`balance` DIV NULLIF(CAST(? AS SIGNED), 0)) * CAST(? AS SIGNED)) AS `d` FROM `people` WHERE `balance` <= ? ORDER BY `id` ASC",
    oracle:
      'SELECT "id", (CAST(CAST("balance" + CAST(:p0 AS NUMBER) + 776627963145224192 AS NUMBER(19)) - 1553255926290448383 AS NUMBER(19)) + 776627963145224191) AS "a", (CAST(CAST(TRUNC("balance" / NULLIF(CAST(:p1 AS NUMBER), 0)) + 776627963145224192 AS NUMBER(19)) - 1553255926290448383 AS NUMBER(19)) + 776627963145224191) AS "b", MOD("balance", NULLIF(CAST(:p1 AS NUMBER), 0)) AS "c", (CAST(CAST((CAST(CAST(TRUNC("balance" / NULLIF(CAST(:p2 AS NUMBER), 0)) + 776627963145224192 AS NUMBER(19)) - 1553255926290448383 AS NUMBER(19)) + 776627963145224191) * CAST(:p3 AS NUMBER) + 776627963145224192 AS NUMBER(19)) - 1553255926290448383 AS NUMBER(19)) + 776627963145224191) AS "d" FROM "people" WHERE "balance" <= :p4 ORDER BY "id" ASC',
  },
  "aggregates of arithmetic, and arithmetic with aggregates": {
    sqlite: `SELECT SUM(rowtype_whole("age" * "id")) AS "weighted", rowtype_finite(CAST(SUM("score") AS REAL) + CAST(COUNT(*) AS INTEGER)) AS "mean", rowtype_whole(CAST(MAX("age") AS INTEGER) - CAST(MIN("age") AS INTEGER)) AS "span", rowtype_whole(rowtype_whole(CASE WHEN SUM("balance" >> 32) IS NOT NULL THEN printf('%019d%010d', SUM("balance" >> 32) + (SUM("balance" & 4294967295) >> 32) + 4611686018427387904, SUM("balance" & 4294967295) & 4294967295) END) + ?) AS "total" FROM "people" HAVING rowtype_whole(CAST(SUM("age") AS INTEGER) / CAST(COUNT(*) AS INTEGER)) > ?`,
    postgres:
      'SELECT SUM(("age" * "id")) AS "weighted", (CAST(SUM("score") AS double precision) + CAST(COUNT(*) AS bigint)) AS "mean", (CAST(MAX("age") AS bigint) - CAST(MIN("age") AS bigint)) AS "span", (CAST(SUM("balance") AS bigint) + CAST($1 AS bigint)) AS "total" FROM "people" HAVING (CAST(SUM("age") AS bigint) / NULLIF(CAST(COUNT(*) AS bigint), 0)) > $2',
    mariadb:
      "SELECT SUM((`age` * `id`)) AS `weighted`, (CAST(SUM(`score`) AS DOUBLE) + (CAST(COUNT(*) AS DECIMAL(65)) DIV 1)) AS `mean`, ((CAST(MAX(`age`) AS DECIMAL(65)) DIV 1) - (CAST(MIN(`age`) AS DECIMAL(65)) DIV 1)) AS `span`, ((CAST(SUM(`balance`) AS DECIMAL(65)) DIV 1) + CAST(? AS SIGNED)) AS `total` FROM `people` HAVING ((CAST(SUM(`age`) AS DECIMAL(65)) DIV 1) DIV NULLIF((CAST(COUNT(*) AS DECIMAL(65)) DIV 1), 0)) > CAST(? AS SIGNED)",
    oracle:
      'SELECT SUM((CAST(CAST("age" * "id" + 776627963145224192 AS NUMBER(19)) - 1553255926290448383 AS NUMBER(19)) + 776627963145224191)) AS "weighted", (CAST(SUM("score") AS BINARY_DOUBLE) + COUNT(*)) AS "mean", (CAST(CAST(MAX("age") - MIN("age") + 776627963145224192 AS NUMBER(19)) - 1553255926290448383 AS NUMBER(19)) + 776627963145224191) AS "span", (CAST(CAST(SUM("balance") + CAST(:p0 AS NUMBER) + 776627963145224192 AS NUMBER(19)) - 1553255926290448383 AS NUMBER(19)) + 776627963145224191) AS "total" FROM "people" HAVING (CAST(CAST(TRUNC(SUM("age") / NULLIF(COUNT(*), 0)) + 776627963145224192 AS NUMBER(19)) - 1553255926290448383 AS NUMBER(19)) + 776627963145224191) > :p1',
  },
  "arithmetic over windows, in groups, orders, labels and conditions": {
    sqlite:
      'SELECT "id", rowtype_finite(CAST(ROW_NUMBER() OVER (ORDER BY "id" DESC) AS INTEGER) * ?) AS "place", rowtype_whole(CAST(coalesce("age", ?) AS INTEGER) + CAST(? AS INTEGER)) AS "next", CASE WHEN ("id" % CAST(? AS INTEGER)) = ? THEN rowtype_whole("id" * CAST(? AS INTEGER)) ELSE rowtype_whole(0 - "id") END AS "label" FROM "people" WHERE rowtype_whole("id" * CAST(? AS INTEGER)) < ? ORDER BY ("id" % CAST(? AS INTEGER)) ASC NULLS LAST, "id" ASC',
    postgres:
      'SELECT "id", (CAST(ROW_NUMBER() OVER (ORDER BY "id" DESC) AS bigint) * CAST($1 AS double precision)) AS "place", (CAST(coalesce("age", CAST($2 AS bigint)) AS bigint) + CAST($3 AS bigint)) AS "next", CASE WHEN ("id" % NULLIF(CAST($4 AS bigint), 0)) = $5 THEN ("id" * CAST($6 AS bigint)) ELSE (0 - "id") END AS "label" FROM "people" WHERE ("id" * CAST($4 AS bigint)) < $7 ORDER BY ("id" % NULLIF(CAST($8 AS bigint), 0)) ASC, "id" ASC',
    mariadb:
      "SELECT `id`, ((CAST(ROW_NUMBER() OVER (ORDER BY `id` DESC) AS DECIMAL(65)) DIV 1) * CAST(? AS DOUBLE)) AS `place`, ((CAST(COALESCE(`age`, CAST(? AS SIGNED)) AS DECIMAL(65)) DIV 1) + CAST(? AS SIGNED)) AS `next`, CASE WHEN (`id` % NULLIF(CAST(? AS SIGNED), 0)) = CAST(? AS SIGNED) THEN (`id` * CAST(? AS SIGNED)) ELSE (`id` * -1) END AS `label` FROM `people` WHERE (`id` * CAST(? AS SIGNED)) < CAST(? AS SIGNED) ORDER BY (`id` % NULLIF(CAST(? AS SIGNED), 0)) IS NULL, (`id` % NULLIF(CAST(? AS SIGNED), 0)) ASC, `id` ASC",
    oracle:
      'SELECT "id", (ROW_NUMBER() OVER (ORDER BY "id" DESC) * CAST(:p0 AS BINARY_DOUBLE)) AS "place", (CAST(CAST(COALESCE("age", CAST(:p1 AS NUMBER)) + CAST(:p2 AS NUMBER) + 776627963145224192 AS NUMBER(19)) - 1553255926290448383 AS NUMBER(19)) + 776627963145224191) AS "next", CASE WHEN MOD("id", NULLIF(CAST(:p3 AS NUMBER), 0)) = :p4 THEN (CAST(CAST("id" * CAST(:p5 AS NUMBER) + 776627963145224192 AS NUMBER(19)) - 1553255926290448383 AS NUMBER(19)) + 776627963145224191) ELSE (CAST(CAST(0 - "id" + 776627963145224192 AS NUMBER(19)) - 1553255926290448383 AS NUMBER(19)) + 776627963145224191) END AS "label" FROM "people" WHERE (CAST(CAST("id" * CAST(:p3 AS NUMBER) + 776627963145224192 AS NUMBER(19)) - 1553255926290448383 AS NUMBER(19)) + 776627963145224191) < :p6 ORDER BY MOD("id", NULLIF(CAST(:p7 AS NUMBER), 0)) ASC, "id" ASC',
  },
  "groups of arithmetic": {
    sqlite:
      'SELECT rowtype_whole("age" / CAST(? AS INTEGER)) AS "decade", COUNT(*) AS "n" FROM "people" WHERE (rowtype_whole("age" + CAST(? AS INTEGER)) > ?) GROUP BY rowtype_whole("age" / CAST(? AS INTEGER)) ORDER BY "decade" ASC NULLS LAST',
    postgres:
      'SELECT ("age" / NULLIF(CAST($1 AS bigint), 0)) AS "decade", COUNT(*) AS "n" FROM "people" WHERE (("age" + CAST($2 AS bigint)) > $3) GROUP BY ("age" / NULLIF(CAST($1 AS bigint), 0)) ORDER BY "decade" ASC',
    mariadb:
      "SELECT (`age` DIV NULLIF(CAST(? AS SIGNED), 0)) AS `decade`, COUNT(*) AS `n` FROM `people` WHERE ((`age` + CAST(? AS SIGNED)) > CAST(? AS SIGNED)) GROUP BY (`age` DIV NULLIF(CAST(? AS SIGNED), 0)) ORDER BY (`age` DIV NULLIF(CAST(? AS SIGNED), 0)) IS NULL, (`age` DIV NULLIF(CAST(? AS SIGNED), 0)) ASC",
    oracle:
      'SELECT (CAST(CAST(TRUNC("age" / NULLIF(CAST(:p0 AS NUMBER), 0)) + 776627963145224192 AS NUMBER(19)) - 1553255926290448383 AS NUMBER(19)) + 776627963145224191) AS "decade", COUNT(*) AS "n" FROM "people" WHERE ((CAST(CAST("age" + CAST(:p1 AS NUMBER) + 776627963145224192 AS NUMBER(19)) - 1553255926290448383 AS NUMBER(19)) + 776627963145224191) > :p2) GROUP BY (CAST(CAST(TRUNC("age" / NULLIF(CAST(:p0 AS NUMBER), 0)) + 776627963145224192 AS NUMBER(19)) - 1553255926290448383 AS NUMBER(19)) + 776627963145224191) ORDER BY "decade" ASC',
  },
  "rows whose calculation is null": {
    sqlite: 'SELECT "id" FROM "people" WHERE (rowtype_whole("age" * "id") IS NULL)',
    postgres: 'SELECT "id" FROM "people" WHERE (("age" * "id") IS NULL)',
    mariadb: "SELECT `id` FROM `people` WHERE ((`age` * `id`) IS NULL)",
    oracle:
      'SELECT "id" FROM "people" WHERE ((CAST(CAST("age" * "id" + 776627963145224192 AS NUMBER(19)) - 1553255926290448383 AS NUMBER(19)) + 776627963145224191) IS NULL)',
  },
};

/** The cases. */
export const arithmeticCases: readonly Case[] = written.map((one) => {
  const own = texts[one.name];
  if (own === undefined) throw new Error(`no text of: ${one.name}`);
  return { ...one, texts: own };
});
