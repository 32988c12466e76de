/** What arithmetic of exact decimals is in each dialect, and what comes back from every server. */
import {
  abs,
  add,
  avg,
  c,
  caseWhen,
  ceil,
  coalesce,
  column,
  count,
  type Database,
  decimal,
  div,
  floor,
  isNull,
  max,
  min,
  mod,
  mul,
  neg,
  nullIf,
  param,
  round,
  sub,
  sum,
  table,
  value,
} from "rowtype";
import { z } from "zod";
import type { World } from "../../kit/run-cases.js";
import type { Case } from "./expressions.cases.js";

export const Line = table(
  "order_lines",
  z.object({
    id: column(z.int(), { primaryKey: true }),
    orderId: z.int(),
    qty: z.int(),
    price: decimal(10, 2),
    rate: decimal(5, 4).nullable(),
    weight: decimal(12, 6).nullable(),
    points: z.bigint(),
    score: z.number(),
    total: decimal(12, 2),
  }),
);

const rows = [
  { id: 1, orderId: 1, qty: 3, price: "0.10", rate: "0.1900", weight: "1.000001", points: 7n },
  { id: 2, orderId: 1, qty: -2, price: "19.99", rate: "0.0700", weight: null, points: -7n },
  { id: 3, orderId: 2, qty: 0, price: "-12345678.90", rate: null, weight: "-999999.999999", points: 0n },
  { id: 4, orderId: 2, qty: 7, price: "0.00", rate: "0.0000", weight: "0.000000", points: 9007199254740993n },
  { id: 5, orderId: 3, qty: 9, price: "99999999.99", rate: "9.9999", weight: "0.000005", points: 2n },
];

const repositories = (db: Database<"sqlite">) => ({ lines: db.repository(Line) });

/** The lines of orders. */
export const lines: World<ReturnType<typeof repositories>> = {
  tables: [Line],
  repositories,
  create: async (db) => {
    await db.createTables(Line);
    const all = rows.map((row) => ({ ...row, score: 0.5, total: "0" }));
    await db.repository(Line).insert().execBatch(all);
  },
};

type Written = Omit<Case<ReturnType<typeof repositories>>, "texts">;

const written: readonly Written[] = [
  {
    name: "revenue and tax of orders",
    run: ({ lines }) =>
      lines
        .query()
        .fields(
          "orderId",
          sum(mul("qty", "price")).as("gross"),
          sum(mul(mul("price", "qty"), param("rate", decimal(5, 4)))).as("tax"),
        )
        .groupBy("orderId")
        .orderBy("gross", "desc"),
    params: { rate: "0.19" },
    rows: [
      { orderId: 3, gross: "899999999.91", tax: "170999999.982900" },
      { orderId: 2, gross: "0.00", tax: "0.000000" },
      { orderId: 1, gross: "-39.68", tax: "-7.539200" },
    ],
  },
  {
    name: "decimals of two scales: all six functions",
    run: ({ lines }) =>
      lines
        .query()
        .fields(
          "id",
          add("price", "rate").as("a"),
          sub("rate", "price").as("b"),
          mul("price", "rate").as("c"),
          div("price", "rate").as("d"),
          mod("price", "rate").as("e"),
          neg("weight").as("f"),
        )
        .orderBy("id", "asc"),
    rows: [
      { id: 1, a: "0.2900", b: "0.0900", c: "0.019000", d: "0.52631579", e: "0.1000", f: "-1.000001" },
      { id: 2, a: "20.0600", b: "-19.9200", c: "1.399300", d: "285.57142857", e: "0.0400", f: null },
      { id: 3, a: null, b: null, c: null, d: null, e: null, f: "999999.999999" },
      { id: 4, a: "0.0000", b: "0.0000", c: "0.000000", d: null, e: null, f: "0.000000" },
      {
        id: 5,
        a: "100000009.9899",
        b: "-99999989.9901",
        c: "999989999.900001",
        d: "10000100.00000000",
        e: "0.0000",
        f: "-0.000005",
      },
    ],
  },
  {
    name: "whole numbers that were calculated before have the type of a whole number next to a decimal",
    run: ({ lines }) =>
      lines
        .query()
        .fields("id", add(mul("qty", "qty"), "price").as("a"), mul(neg("qty"), "price").as("b"))
        .orderBy("id", "asc"),
    rows: [
      { id: 1, a: "9.10", b: "-0.30" },
      { id: 2, a: "23.99", b: "39.98" },
      { id: 3, a: "-12345678.90", b: "0.00" },
      { id: 4, a: "49.00", b: "0.00" },
      { id: 5, a: "100000080.99", b: "-899999999.91" },
    ],
  },
  {
    name: "decimals with whole numbers, bigints and constants, whose digits are their own",
    run: ({ lines }) =>
      lines
        .query()
        .fields(
          "id",
          mul("price", value("1.19")).as("a"),
          mul("price", value("2")).as("b"),
          add("qty", "price").as("c"),
          div("points", "price").as("d"),
          mod(value(7n), "price").as("e"),
          mul("qty", value("-0.5")).as("f"),
          div(value("1"), value("3")).as("g"),
          sub(count().over({}), "price").as("h"),
        )
        .orderBy("id", "asc"),
    rows: [
      {
        id: 1,
        a: "0.1190",
        b: "0.20",
        c: "3.10",
        d: "70.000000",
        e: "0.00",
        f: "-1.5",
        g: "0.3333",
        h: "4.90",
      },
      {
        id: 2,
        a: "23.7881",
        b: "39.98",
        c: "17.99",
        d: "-0.350175",
        e: "7.00",
        f: "1.0",
        g: "0.3333",
        h: "-14.99",
      },
      {
        id: 3,
        a: "-14691357.8910",
        b: "-24691357.80",
        c: "-12345678.90",
        d: "0.000000",
        e: "7.00",
        f: "0.0",
        g: "0.3333",
        h: "12345683.90",
      },
      { id: 4, a: "0.0000", b: "0.00", c: "7.00", d: null, e: null, f: "-3.5", g: "0.3333", h: "5.00" },
      {
        id: 5,
        a: "118999999.9881",
        b: "199999999.98",
        c: "100000008.99",
        d: "0.000000",
        e: "7.00",
        f: "-4.5",
        g: "0.3333",
        h: "-99999994.99",
      },
    ],
  },
  {
    name: "quotients are rounded away from zero at a half, and not before",
    run: ({ lines }) =>
      lines
        .query()
        .fields(
          "id",
          div(value("1"), value("32")).as("half"),
          div(value("-1"), value("32")).as("minus"),
          div(value("1"), value("32.0001")).as("less"),
          div("weight", value(8)).as("eighth"),
          div(value("2"), value("-3")).as("thirds"),
        )
        .where("id", "=", "id"),
    params: { id: 5 },
    rows: [
      {
        id: 5,
        half: "0.0313",
        minus: "-0.0313",
        less: "0.03124990",
        eighth: "0.0000006250",
        thirds: "-0.6667",
      },
    ],
  },
  {
    name: "a parameter is a decimal as the operand beside it",
    run: ({ lines }) =>
      lines
        .query()
        .fields("id", mul("price", param("factor")).as("a"), sub(param("from"), mul("price", "qty")).as("b"))
        .where(mul("price", "qty"), ">", "least")
        .orderBy(sub(value("0"), "price"), "asc"),
    params: { factor: "1.5", from: "1000", least: "-40" },
    rows: [
      { id: 5, a: "149999999.9850", b: "-899998999.91" },
      { id: 2, a: "29.9850", b: "1039.98" },
      { id: 1, a: "0.1500", b: "999.70" },
      { id: 4, a: "0.0000", b: "1000.00" },
      { id: 3, a: "-18518518.3500", b: "1000.00" },
    ],
  },
  {
    name: "functions of calculated decimals, brought to one scale where they stand for each other",
    run: ({ lines }) =>
      lines
        .query()
        .fields(
          "id",
          coalesce(mul("rate", "price"), "price", value("0")).as("a"),
          coalesce(nullIf("price", value("0.1")), abs("weight")).as("b"),
          nullIf("price", mul("rate", value("0"))).as("c"),
          abs(sub("price", "qty")).as("d"),
          round(mul("price", "rate"), 2).as("e"),
          round("price", 4).as("f"),
          ceil(div("price", value("7"))).as("g"),
          floor(div("price", value("7"))).as("h"),
          caseWhen(decimal(12, 4))
            .when(c(mul("price", "qty"), "<", "zero"), "price")
            .else(mul("price", value("1.19")))
            .as("i"),
          round("price", 0).as("j"),
        )
        .orderBy("id", "asc")
        .limit(4),
    params: { zero: "0", price: "-1.5" },
    rows: [
      {
        id: 1,
        a: "0.019000",
        b: "1.000001",
        c: "0.1000",
        d: "2.90",
        e: "0.02",
        f: "0.1000",
        g: "1",
        h: "0",
        i: "0.1190",
        j: "0",
      },
      {
        id: 2,
        a: "1.399300",
        b: "19.990000",
        c: "19.9900",
        d: "21.99",
        e: "1.40",
        f: "19.9900",
        g: "3",
        h: "2",
        i: "-1.5000",
        j: "20",
      },
      {
        id: 3,
        a: "-1.500000",
        b: "-12345678.900000",
        c: "-12345678.9000",
        d: "12345678.90",
        e: null,
        f: "-12345678.9000",
        g: "-1763668",
        h: "-1763669",
        i: "-14691357.8910",
        j: "-12345679",
      },
      {
        id: 4,
        a: "0.000000",
        b: "0.000000",
        c: null,
        d: "7.00",
        e: "0.00",
        f: "0.0000",
        g: "0",
        h: "0",
        i: "0.0000",
        j: "0",
      },
    ],
  },
  {
    name: "aggregates of calculated decimals, HAVING and calculations with aggregates",
    run: ({ lines }) =>
      lines
        .query()
        .fields(
          "orderId",
          avg(mul("price", "rate")).as("mean"),
          min(sub("price", "weight")).as("least"),
          max(mul("price", value("0.5"))).as("most"),
          div(sum("price"), count()).as("each"),
          sum(mul("price", "qty"))
            .filter(c("qty", ">", "some"))
            .as("some"),
        )
        .groupBy("orderId")
        .having(sum(mul("price", value("2"))), "<", "limit")
        .orderBy(sum(mul("price", "qty")), "desc"),
    params: { some: 0, limit: "1000" },
    rows: [
      {
        orderId: 2,
        mean: "0.0000000000",
        least: "-11345678.900001",
        most: "0.000",
        each: "-6172839.450000",
        some: "0.00",
      },
      {
        orderId: 1,
        mean: "0.7091500000",
        least: "-0.900001",
        most: "9.995",
        each: "10.045000",
        some: "0.30",
      },
    ],
  },
  {
    name: "groups and orders of calculated decimals, and comparisons of two scales",
    run: ({ lines }) =>
      lines
        .query()
        .fields(mod("price", value("1")).as("cents"), count().as("n"), sum("rate").as("rates"))
        .whereFields(mul("price", "qty"), ">=", sub("price", "weight"))
        .whereAnd(isNull(nullIf("price", mul("price", value("1.00")))))
        .groupBy("cents")
        .orderBy("cents", "asc"),
    rows: [
      { cents: "-0.90", n: 1, rates: null },
      { cents: "0.00", n: 1, rates: "0.0000" },
      { cents: "0.10", n: 1, rates: "0.1900" },
      { cents: "0.99", n: 1, rates: "9.9999" },
    ],
  },
];

const texts: Readonly<Record<string, Case["texts"]>> = {
  "revenue and tax of orders": {
    sqlite:
      'SELECT "orderId", SUM(rowtype_whole("qty" * "price")) AS "gross", SUM(rowtype_whole(rowtype_whole("price" * "qty") * ?)) AS "tax" FROM "order_lines" GROUP BY "orderId" ORDER BY "gross" DESC NULLS FIRST',
    postgres:
      'SELECT "orderId", SUM(("qty" * "price")) AS "gross", SUM((("price" * "qty") * CAST($1 AS numeric))) AS "tax" FROM "order_lines" GROUP BY "orderId" ORDER BY "gross" DESC',
    mariadb:
      "SELECT `orderId`, SUM((`qty` * `price`)) AS `gross`, SUM(((`price` * `qty`) * CAST(? AS DECIMAL(65, 4)))) AS `tax` FROM `order_lines` GROUP BY `orderId` ORDER BY SUM((`qty` * `price`)) IS NULL DESC, SUM((`qty` * `price`)) DESC",
    oracle:
      'SELECT "orderId", SUM(CAST("qty" * "price" AS NUMBER(38, 2))) AS "gross", SUM(CAST(CAST("price" * "qty" AS NUMBER(38, 2)) * CAST(REPLACE(:p0, \'.\', \'\') AS NUMBER) * 0.0001 AS NUMBER(38, 6))) AS "tax" FROM "order_lines" GROUP BY "orderId" ORDER BY "gross" DESC',
  },
  "decimals of two scales: all six functions": {
    sqlite:
      'SELECT "id", rowtype_whole("price" * 100 + "rate") AS "a", rowtype_whole("rate" - "price" * 100) AS "b", rowtype_whole("price" * "rate") AS "c", rowtype_quotient("price", "rate", 10) AS "d", rowtype_remainder("price", 2, "rate", 0) AS "e", rowtype_whole(0 - "weight") AS "f" FROM "order_lines" ORDER BY "id" ASC',
    postgres:
      'SELECT "id", ("price" + "rate") AS "a", ("rate" - "price") AS "b", ("price" * "rate") AS "c", ROUND(CAST("price" AS numeric(1000, 68)) / NULLIF("rate", 0), 8) AS "d", ("price" % NULLIF("rate", 0)) AS "e", (0 - "weight") AS "f" FROM "order_lines" ORDER BY "id" ASC',
    mariadb:
      "SELECT `id`, (`price` + `rate`) AS `a`, (`rate` - `price`) AS `b`, (`price` * `rate`) AS `c`, ROUND(`price` * 1.000000000 / NULLIF(`rate`, 0), 8) AS `d`, (`price` % NULLIF(`rate`, 0) + 0) AS `e`, (0 - `weight`) AS `f` FROM `order_lines` ORDER BY `id` ASC",
    oracle:
      'SELECT "id", CAST("price" + "rate" AS NUMBER(38, 4)) AS "a", CAST("rate" - "price" AS NUMBER(38, 4)) AS "b", CAST("price" * "rate" AS NUMBER(38, 6)) AS "c", CAST("price" / NULLIF("rate", 0) AS NUMBER(38, 8)) AS "d", MOD("price", NULLIF("rate", 0)) AS "e", CAST(0 - "weight" AS NUMBER(38, 6)) AS "f" FROM "order_lines" ORDER BY "id" ASC',
  },
  "whole numbers that were calculated before have the type of a whole number next to a decimal": {
    sqlite:
      'SELECT "id", rowtype_whole(rowtype_whole("qty" * "qty") * 100 + "price") AS "a", rowtype_whole(rowtype_whole(0 - "qty") * "price") AS "b" FROM "order_lines" ORDER BY "id" ASC',
    postgres:
      'SELECT "id", (("qty" * "qty") + "price") AS "a", ((0 - "qty") * "price") AS "b" FROM "order_lines" ORDER BY "id" ASC',
    mariadb:
      "SELECT `id`, ((`qty` * `qty`) + `price`) AS `a`, ((`qty` * -1) * `price`) AS `b` FROM `order_lines` ORDER BY `id` ASC",
    oracle:
      'SELECT "id", CAST((CAST(CAST("qty" * "qty" + 776627963145224192 AS NUMBER(19)) - 1553255926290448383 AS NUMBER(19)) + 776627963145224191) + "price" AS NUMBER(38, 2)) AS "a", CAST((CAST(CAST(0 - "qty" + 776627963145224192 AS NUMBER(19)) - 1553255926290448383 AS NUMBER(19)) + 776627963145224191) * "price" AS NUMBER(38, 2)) AS "b" FROM "order_lines" ORDER BY "id" ASC',
  },
  "decimals with whole numbers, bigints and constants, whose digits are their own": {
    sqlite:
      'SELECT "id", rowtype_whole("price" * ?) AS "a", rowtype_whole("price" * ?) AS "b", rowtype_whole("qty" * 100 + "price") AS "c", rowtype_quotient("points", "price", 8) AS "d", rowtype_remainder(?, 2, "price", 0) AS "e", rowtype_whole("qty" * ?) AS "f", rowtype_quotient(?, ?, 4) AS "g", rowtype_whole(CAST(COUNT(*) OVER () AS INTEGER) * 100 - "price") AS "h" FROM "order_lines" ORDER BY "id" ASC',
    postgres:
      'SELECT "id", ("price" * CAST($1 AS numeric)) AS "a", ("price" * CAST($2 AS numeric)) AS "b", ("qty" + "price") AS "c", ROUND(CAST("points" AS numeric(1000, 66)) / NULLIF("price", 0), 6) AS "d", (CAST($3 AS bigint) % NULLIF("price", 0)) AS "e", ("qty" * CAST($4 AS numeric)) AS "f", ROUND(CAST(CAST($5 AS numeric) AS numeric(1000, 64)) / NULLIF(CAST($6 AS numeric), 0), 4) AS "g", (CAST(COUNT(*) OVER () AS numeric) - "price") AS "h" FROM "order_lines" ORDER BY "id" ASC',
    mariadb:
      "SELECT `id`, (`price` * CAST(? AS DECIMAL(65, 2))) AS `a`, (`price` * CAST(? AS DECIMAL(65, 0))) AS `b`, (`qty` + `price`) AS `c`, ROUND(`points` * 1.0000000 / NULLIF(`price`, 0), 6) AS `d`, (CAST(? AS SIGNED) % NULLIF(`price`, 0) + 0) AS `e`, (`qty` * CAST(? AS DECIMAL(65, 1))) AS `f`, ROUND(CAST(? AS DECIMAL(65, 0)) * 1.00000 / NULLIF(CAST(? AS DECIMAL(65, 0)), 0), 4) AS `g`, (CAST(COUNT(*) OVER (PARTITION BY (`id` IS NULL) * 0) AS DECIMAL(65)) - `price`) AS `h` FROM `order_lines` ORDER BY `id` ASC",
    oracle:
      'SELECT "id", CAST("price" * CAST(REPLACE(:p0, \'.\', \'\') AS NUMBER) * 0.01 AS NUMBER(38, 4)) AS "a", CAST("price" * CAST(:p1 AS NUMBER) AS NUMBER(38, 2)) AS "b", CAST("qty" + "price" AS NUMBER(38, 2)) AS "c", CAST("points" / NULLIF("price", 0) AS NUMBER(38, 6)) AS "d", MOD(CAST(:p2 AS NUMBER), NULLIF("price", 0)) AS "e", CAST("qty" * CAST(REPLACE(:p3, \'.\', \'\') AS NUMBER) * 0.1 AS NUMBER(38, 1)) AS "f", CAST(CAST(:p4 AS NUMBER) / NULLIF(CAST(:p5 AS NUMBER), 0) AS NUMBER(38, 4)) AS "g", CAST(COUNT(*) OVER () - "price" AS NUMBER(38, 2)) AS "h" FROM "order_lines" ORDER BY "id" ASC',
  },
  "quotients are rounded away from zero at a half, and not before": {
    sqlite:
      'SELECT "id", rowtype_quotient(?, ?, 4) AS "half", rowtype_quotient(?, ?, 4) AS "minus", rowtype_quotient(?, ?, 12) AS "less", rowtype_quotient("weight", CAST(? AS INTEGER), 4) AS "eighth", rowtype_quotient(?, ?, 4) AS "thirds" FROM "order_lines" WHERE "id" = ?',
    postgres:
      'SELECT "id", ROUND(CAST(CAST($1 AS numeric) AS numeric(1000, 64)) / NULLIF(CAST($2 AS numeric), 0), 4) AS "half", ROUND(CAST(CAST($3 AS numeric) AS numeric(1000, 64)) / NULLIF(CAST($2 AS numeric), 0), 4) AS "minus", ROUND(CAST(CAST($1 AS numeric) AS numeric(1000, 68)) / NULLIF(CAST($4 AS numeric), 0), 8) AS "less", ROUND(CAST("weight" AS numeric(1000, 70)) / NULLIF(CAST($5 AS bigint), 0), 10) AS "eighth", ROUND(CAST(CAST($6 AS numeric) AS numeric(1000, 64)) / NULLIF(CAST($7 AS numeric), 0), 4) AS "thirds" FROM "order_lines" WHERE "id" = $8',
    mariadb:
      "SELECT `id`, ROUND(CAST(? AS DECIMAL(65, 0)) * 1.00000 / NULLIF(CAST(? AS DECIMAL(65, 0)), 0), 4) AS `half`, ROUND(CAST(? AS DECIMAL(65, 0)) * 1.00000 / NULLIF(CAST(? AS DECIMAL(65, 0)), 0), 4) AS `minus`, ROUND(CAST(? AS DECIMAL(65, 0)) * 1.000000000 / NULLIF(CAST(? AS DECIMAL(65, 4)), 0), 8) AS `less`, ROUND(`weight` * 1.00000000000 / NULLIF(CAST(? AS SIGNED), 0), 10) AS `eighth`, ROUND(CAST(? AS DECIMAL(65, 0)) * 1.00000 / NULLIF(CAST(? AS DECIMAL(65, 0)), 0), 4) AS `thirds` FROM `order_lines` WHERE `id` = ?",
    oracle:
      'SELECT "id", CAST(CAST(:p0 AS NUMBER) / NULLIF(CAST(:p1 AS NUMBER), 0) AS NUMBER(38, 4)) AS "half", CAST(CAST(:p2 AS NUMBER) / NULLIF(CAST(:p1 AS NUMBER), 0) AS NUMBER(38, 4)) AS "minus", CAST(CAST(:p0 AS NUMBER) / NULLIF(CAST(REPLACE(:p3, \'.\', \'\') AS NUMBER) * 0.0001, 0) AS NUMBER(38, 8)) AS "less", CAST("weight" / NULLIF(CAST(:p4 AS NUMBER), 0) AS NUMBER(38, 10)) AS "eighth", CAST(CAST(:p5 AS NUMBER) / NULLIF(CAST(:p6 AS NUMBER), 0) AS NUMBER(38, 4)) AS "thirds" FROM "order_lines" WHERE "id" = :p7',
  },
  "a parameter is a decimal as the operand beside it": {
    sqlite:
      'SELECT "id", rowtype_whole("price" * ?) AS "a", rowtype_whole(? - rowtype_whole("price" * "qty")) AS "b" FROM "order_lines" WHERE rowtype_whole("price" * "qty") > ? ORDER BY rowtype_whole(? * 100 - "price") ASC',
    postgres:
      'SELECT "id", ("price" * CAST($1 AS numeric)) AS "a", (CAST($2 AS numeric) - ("price" * "qty")) AS "b" FROM "order_lines" WHERE ("price" * "qty") > $3 ORDER BY (CAST($4 AS numeric) - "price") ASC',
    mariadb:
      "SELECT `id`, (`price` * CAST(? AS DECIMAL(65, 2))) AS `a`, (CAST(? AS DECIMAL(65, 2)) - (`price` * `qty`)) AS `b` FROM `order_lines` WHERE (`price` * `qty`) > CAST(? AS DECIMAL(65, 2)) ORDER BY (CAST(? AS DECIMAL(65, 0)) - `price`) ASC",
    oracle:
      'SELECT "id", CAST("price" * CAST(REPLACE(:p0, \'.\', \'\') AS NUMBER) * 0.01 AS NUMBER(38, 4)) AS "a", CAST(CAST(REPLACE(:p1, \'.\', \'\') AS NUMBER) * 0.01 - CAST("price" * "qty" AS NUMBER(38, 2)) AS NUMBER(38, 2)) AS "b" FROM "order_lines" WHERE CAST("price" * "qty" AS NUMBER(38, 2)) > CAST(REPLACE(:p2, \'.\', \'\') AS NUMBER) * 0.01 ORDER BY CAST(CAST(:p3 AS NUMBER) - "price" AS NUMBER(38, 2)) ASC',
  },
  "functions of calculated decimals, brought to one scale where they stand for each other": {
    sqlite:
      'SELECT "id", coalesce(rowtype_whole("rate" * "price"), ?, ?) AS "a", coalesce((nullif("price", ?) * 10000), abs("weight")) AS "b", nullif(("price" * 100), rowtype_whole("rate" * ?)) AS "c", abs(rowtype_whole("price" - "qty" * 100)) AS "d", rowtype_rounded(rowtype_whole("price" * "rate"), 4) AS "e", rowtype_whole("price" * 100) AS "f", (rowtype_quotient("price", ?, 4) / 1000000 + (rowtype_quotient("price", ?, 4) % 1000000 > 0)) AS "g", (rowtype_quotient("price", ?, 4) / 1000000 - (rowtype_quotient("price", ?, 4) % 1000000 < 0)) AS "h", CASE WHEN rowtype_whole("price" * "qty") < ? THEN ? ELSE rowtype_whole("price" * ?) END AS "i", rowtype_rounded("price", 2) AS "j" FROM "order_lines" ORDER BY "id" ASC LIMIT 4',
    postgres:
      'SELECT "id", coalesce(("rate" * "price"), $1, CAST($2 AS numeric)) AS "a", coalesce(nullif("price", CAST($3 AS numeric)), abs("weight")) AS "b", nullif("price", ("rate" * CAST($4 AS numeric))) AS "c", abs(("price" - "qty")) AS "d", round(("price" * "rate"), 2) AS "e", round("price", 4) AS "f", ceil(ROUND(CAST("price" AS numeric(1000, 66)) / NULLIF(CAST($5 AS numeric), 0), 6)) AS "g", floor(ROUND(CAST("price" AS numeric(1000, 66)) / NULLIF(CAST($5 AS numeric), 0), 6)) AS "h", CASE WHEN ("price" * "qty") < $6 THEN CAST($7 AS numeric) ELSE ("price" * CAST($8 AS numeric)) END AS "i", round("price", 0) AS "j" FROM "order_lines" ORDER BY "id" ASC LIMIT 4',
    mariadb:
      "SELECT `id`, COALESCE((`rate` * `price`), CAST(? AS DECIMAL(65, 6)), CAST(? AS DECIMAL(65, 6))) AS `a`, COALESCE(NULLIF(`price`, CAST(? AS DECIMAL(65, 2))), ABS(`weight`)) AS `b`, NULLIF(`price`, (`rate` * CAST(? AS DECIMAL(65, 0)))) AS `c`, ABS((`price` - `qty`)) AS `d`, ROUND((`price` * `rate`), 2) AS `e`, ROUND(`price`, 4) AS `f`, CAST(CEILING(ROUND(`price` * 1.0000000 / NULLIF(CAST(? AS DECIMAL(65, 0)), 0), 6)) AS DECIMAL(65)) AS `g`, CAST(FLOOR(ROUND(`price` * 1.0000000 / NULLIF(CAST(? AS DECIMAL(65, 0)), 0), 6)) AS DECIMAL(65)) AS `h`, CASE WHEN (`price` * `qty`) < CAST(? AS DECIMAL(65, 2)) THEN CAST(? AS DECIMAL(65, 4)) ELSE (`price` * CAST(? AS DECIMAL(65, 2))) END AS `i`, ROUND(`price`, 0) AS `j` FROM `order_lines` ORDER BY `id` ASC LIMIT 4",
    oracle:
      'SELECT "id", COALESCE(CAST("rate" * "price" AS NUMBER(38, 6)), CAST(REPLACE(:p0, \'.\', \'\') AS NUMBER) * 0.000001, CAST(REPLACE(:p1, \'.\', \'\') AS NUMBER) * 0.000001) AS "a", COALESCE(NULLIF("price", CAST(REPLACE(:p2, \'.\', \'\') AS NUMBER) * 0.01), ABS("weight")) AS "b", NULLIF("price", CAST("rate" * CAST(:p3 AS NUMBER) AS NUMBER(38, 4))) AS "c", ABS(CAST("price" - "qty" AS NUMBER(38, 2))) AS "d", ROUND(CAST("price" * "rate" AS NUMBER(38, 6)), 2) AS "e", ROUND("price", 4) AS "f", CEIL(CAST("price" / NULLIF(CAST(:p4 AS NUMBER), 0) AS NUMBER(38, 6))) AS "g", FLOOR(CAST("price" / NULLIF(CAST(:p4 AS NUMBER), 0) AS NUMBER(38, 6))) AS "h", CASE WHEN CAST("price" * "qty" AS NUMBER(38, 2)) < CAST(REPLACE(:p5, \'.\', \'\') AS NUMBER) * 0.01 THEN CAST(REPLACE(:p6, \'.\', \'\') AS NUMBER) * 0.0001 ELSE CAST("price" * CAST(REPLACE(:p7, \'.\', \'\') AS NUMBER) * 0.01 AS NUMBER(38, 4)) END AS "i", ROUND("price", 0) AS "j" FROM "order_lines" ORDER BY "id" ASC FETCH NEXT 4 ROWS ONLY',
  },
  "aggregates of calculated decimals, HAVING and calculations with aggregates": {
    sqlite:
      'SELECT "orderId", rowtype_quotient(SUM(rowtype_whole("price" * "rate")), COUNT(rowtype_whole("price" * "rate")), 4) AS "mean", MIN(rowtype_whole("price" * 10000 - "weight")) AS "least", MAX(rowtype_whole("price" * ?)) AS "most", rowtype_quotient(SUM("price"), CAST(COUNT(*) AS INTEGER), 4) AS "each", SUM(rowtype_whole("price" * "qty")) FILTER (WHERE "qty" > ?) AS "some" FROM "order_lines" GROUP BY "orderId" HAVING SUM(rowtype_whole("price" * ?)) < ? ORDER BY SUM(rowtype_whole("price" * "qty")) DESC NULLS FIRST',
    postgres:
      'SELECT "orderId", ROUND(CAST(SUM(("price" * "rate")) AS numeric(1000, 40)) / COUNT(("price" * "rate")), 10) AS "mean", MIN(("price" - "weight")) AS "least", MAX(("price" * CAST($1 AS numeric))) AS "most", ROUND(CAST(SUM("price") AS numeric(1000, 66)) / NULLIF(CAST(COUNT(*) AS numeric), 0), 6) AS "each", SUM(("price" * "qty")) FILTER (WHERE "qty" > $2) AS "some" FROM "order_lines" GROUP BY "orderId" HAVING SUM(("price" * CAST($3 AS numeric))) < $4 ORDER BY SUM(("price" * "qty")) DESC',
    mariadb:
      "SELECT `orderId`, ROUND(SUM((`price` * `rate`)) * 1.00000000000 / COUNT((`price` * `rate`)), 10) AS `mean`, MIN((`price` - `weight`)) AS `least`, MAX((`price` * CAST(? AS DECIMAL(65, 1)))) AS `most`, ROUND(SUM(`price`) * 1.0000000 / NULLIF(CAST(COUNT(*) AS DECIMAL(65)), 0), 6) AS `each`, SUM(CASE WHEN `qty` > ? THEN (`price` * `qty`) END) AS `some` FROM `order_lines` GROUP BY `orderId` HAVING SUM((`price` * CAST(? AS DECIMAL(65, 0)))) < CAST(? AS DECIMAL(65, 2)) ORDER BY SUM((`price` * `qty`)) IS NULL DESC, SUM((`price` * `qty`)) DESC",
    oracle:
      'SELECT "orderId", ROUND(SUM(CAST("price" * "rate" AS NUMBER(38, 6))) / COUNT(CAST("price" * "rate" AS NUMBER(38, 6))), 10) AS "mean", MIN(CAST("price" - "weight" AS NUMBER(38, 6))) AS "least", MAX(CAST("price" * CAST(REPLACE(:p0, \'.\', \'\') AS NUMBER) * 0.1 AS NUMBER(38, 3))) AS "most", CAST(SUM("price") / NULLIF(COUNT(*), 0) AS NUMBER(38, 6)) AS "each", SUM(CASE WHEN "qty" > :p1 THEN CAST("price" * "qty" AS NUMBER(38, 2)) END) AS "some" FROM "order_lines" GROUP BY "orderId" HAVING SUM(CAST("price" * CAST(:p2 AS NUMBER) AS NUMBER(38, 2))) < CAST(REPLACE(:p3, \'.\', \'\') AS NUMBER) * 0.01 ORDER BY SUM(CAST("price" * "qty" AS NUMBER(38, 2))) DESC',
  },
  "groups and orders of calculated decimals, and comparisons of two scales": {
    sqlite:
      'SELECT rowtype_remainder("price", 0, ?, 2) AS "cents", COUNT(*) AS "n", SUM("rate") AS "rates" FROM "order_lines" WHERE (rowtype_whole("price" * "qty") * 10000) >= rowtype_whole("price" * 10000 - "weight") AND (nullif(("price" * 100), rowtype_whole("price" * ?)) IS NULL) GROUP BY rowtype_remainder("price", 0, ?, 2) ORDER BY "cents" ASC NULLS LAST',
    postgres:
      'SELECT ("price" % NULLIF(CAST($1 AS numeric), 0)) AS "cents", COUNT(*) AS "n", SUM("rate") AS "rates" FROM "order_lines" WHERE ("price" * "qty") >= ("price" - "weight") AND (nullif("price", ("price" * CAST($2 AS numeric))) IS NULL) GROUP BY ("price" % NULLIF(CAST($1 AS numeric), 0)) ORDER BY "cents" ASC',
    mariadb:
      "SELECT (`price` % NULLIF(CAST(? AS DECIMAL(65, 0)), 0) + 0) AS `cents`, COUNT(*) AS `n`, SUM(`rate`) AS `rates` FROM `order_lines` WHERE (`price` * `qty`) >= (`price` - `weight`) AND (NULLIF(`price`, (`price` * CAST(? AS DECIMAL(65, 2)))) IS NULL) GROUP BY (`price` % NULLIF(CAST(? AS DECIMAL(65, 0)), 0) + 0) ORDER BY (`price` % NULLIF(CAST(? AS DECIMAL(65, 0)), 0) + 0) IS NULL, (`price` % NULLIF(CAST(? AS DECIMAL(65, 0)), 0) + 0) ASC",
    oracle:
      'SELECT MOD("price", NULLIF(CAST(:p0 AS NUMBER), 0)) AS "cents", COUNT(*) AS "n", SUM("rate") AS "rates" FROM "order_lines" WHERE CAST("price" * "qty" AS NUMBER(38, 2)) >= CAST("price" - "weight" AS NUMBER(38, 6)) AND (NULLIF("price", CAST("price" * CAST(REPLACE(:p1, \'.\', \'\') AS NUMBER) * 0.01 AS NUMBER(38, 4))) IS NULL) GROUP BY MOD("price", NULLIF(CAST(:p0 AS NUMBER), 0)) ORDER BY "cents" ASC',
  },
};

/** The cases, each with its texts. */
export const decimalCases: readonly Case<ReturnType<typeof repositories>>[] = written.map((one) => {
  const own = texts[one.name];
  if (own === undefined) throw new Error(`no text of: ${one.name}`);
  return { ...one, texts: own };
});
