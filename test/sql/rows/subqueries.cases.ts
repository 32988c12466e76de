/** What queries inside others are in each dialect, and what comes back from every server. */
import { c, compare, count, exists, existsOn, inQuery, max, not, notExists, of, or, sum } from "rowtype";
import type { Shop } from "../../kit/shop.js";
import type { Case } from "../expression/expressions.cases.js";

type Written = Omit<Case<Shop>, "texts"> & { readonly postgres: string };

/** The text of PostgreSQL; the others differ in quotes, and in what is replaced below. */
const written: readonly Written[] = [
  {
    name: "rows that have others: by a relation, with its conditions",
    run: ({ orders, lines }) =>
      orders
        .query()
        .fields("id")
        .whereExists("lines", lines.query().where("sku", "=", "sku"))
        .orderBy("id", "asc"),
    params: { sku: "A1" },
    rows: [{ id: 1 }, { id: 2 }],
    postgres:
      'SELECT "id" FROM "orders" WHERE EXISTS (SELECT 1 AS "one" FROM "lines" WHERE "lines"."orderId" = "orders"."id" AND "lines"."sku" = $1) ORDER BY "id" ASC',
  },
  {
    name: "rows that have no others: of the own table, and of a joined one",
    run: ({ orders }) =>
      orders
        .query()
        .leftJoin("customer")
        .fields("id")
        .whereNotExists("lines")
        .whereNotExists("customer.boss")
        .orderBy("id", "asc"),
    rows: [{ id: 3 }],
    postgres:
      'SELECT "orders"."id" FROM "orders" LEFT JOIN "customers" "customer" ON "orders"."customer_id" = "customer"."id" WHERE NOT EXISTS (SELECT 1 AS "one" FROM "lines" WHERE "lines"."orderId" = "orders"."id") AND NOT EXISTS (SELECT 1 AS "one" FROM "customers" WHERE "customers"."id" = "customer"."bossId") ORDER BY "orders"."id" ASC',
  },
  {
    name: "a table inside itself, and inside that its joins: names that meet are told apart",
    run: ({ customers, orders }) =>
      customers
        .query()
        .fields("id")
        .whereExists(
          "boss",
          customers
            .query()
            .whereExists(
              "orders",
              orders.query().join("customer", "customers").where("customers.name", "=", "name"),
            ),
        )
        .orderBy("id", "asc"),
    params: { name: "Ann" },
    rows: [{ id: 2 }, { id: 3 }],
    postgres:
      'SELECT "id" FROM "customers" WHERE EXISTS (SELECT 1 AS "one" FROM "customers" "own" WHERE "own"."id" = "customers"."bossId" AND EXISTS (SELECT 1 AS "one" FROM "orders" JOIN "customers" "customers_" ON "orders"."customer_id" = "customers_"."id" WHERE "orders"."customer_id" = "own"."id" AND "customers_"."name" = $1)) ORDER BY "id" ASC',
  },
  {
    name: "rows by two fields, of a query with a limit",
    run: ({ customers, orders }) =>
      customers
        .query()
        .fields("id")
        .whereExistsOn(orders.query().orderBy("id", "asc").limit(1), "id", "customerId")
        .orderBy("id", "asc"),
    rows: [{ id: 1 }, { id: 2 }, { id: 3 }],
    postgres:
      'SELECT "id" FROM "customers" WHERE EXISTS (SELECT 1 AS "one" FROM "orders" WHERE "orders"."customer_id" = "customers"."id" ORDER BY "orders"."id" ASC LIMIT 1) ORDER BY "id" ASC',
  },
  {
    name: "a field among the values of a query, whose parameters join the others",
    run: ({ customers, orders }) =>
      customers
        .query()
        .fields("id")
        .where("name", "!=", "name")
        .whereQuery(
          "id",
          "IN",
          orders.query().fields("customerId").where("id", ">", "order").orderBy("id", "asc"),
        )
        .orderBy("id", "asc"),
    params: { name: "Ann", order: 1 },
    rows: [{ id: 2 }, { id: 3 }],
    postgres:
      'SELECT "id" FROM "customers" WHERE "name" <> $1 AND "id" IN (SELECT "orders"."customer_id" AS "value" FROM "orders" WHERE "orders"."id" > $2 AND "orders"."customer_id" IS NOT NULL) ORDER BY "id" ASC',
  },
  {
    name: "a field among none of the values, of which NULL is none",
    run: ({ customers, orders }) =>
      customers
        .query()
        .fields("id")
        .whereQuery("id", "NOT IN", orders.query().fields("customerId").whereNull("note").distinct())
        .orderBy("id", "asc"),
    rows: [{ id: 1 }],
    postgres:
      'SELECT "id" FROM "customers" WHERE "id" NOT IN (SELECT "orders"."customer_id" AS "value" FROM "orders" WHERE "orders"."note" IS NULL AND "orders"."customer_id" IS NOT NULL) ORDER BY "id" ASC',
  },
  {
    name: "a field among the values of the first rows, and of groups",
    run: ({ customers, orders, payments }) =>
      customers
        .query()
        .fields("id")
        .whereQuery("id", "IN", orders.query().fields("customerId").orderBy("id", "asc").limit(4))
        .whereQuery("id", "NOT IN", payments.query().fields(max("orderId").as("last")).groupBy("method"))
        .orderBy("id", "asc"),
    rows: [{ id: 3 }],
    postgres:
      'SELECT "id" FROM "customers" WHERE "id" IN (SELECT "found"."value" FROM (SELECT "orders"."customer_id" AS "value" FROM "orders" ORDER BY "orders"."id" ASC LIMIT 4) "found" WHERE "found"."value" IS NOT NULL) AND "id" NOT IN (SELECT "found"."value" FROM (SELECT MAX("payments"."orderId") AS "value" FROM "payments" GROUP BY "payments"."method") "found" WHERE "found"."value" IS NOT NULL) ORDER BY "id" ASC',
  },
  {
    name: "a field beside one value: a number, the greatest of others, a count",
    run: ({ lines, orders }) =>
      lines
        .query()
        .join("order")
        .fields("id")
        .whereQuery("qty", "<", lines.avg("qty").where("sku", "=", "sku"))
        .whereQuery("order.total", "=", orders.max("total"))
        .whereQuery("qty", "<=", orders.count())
        .orderBy("id", "asc"),
    params: { sku: "A1" },
    rows: [{ id: 1 }, { id: 2 }],
    postgres:
      'SELECT "lines"."id" FROM "lines" JOIN "orders" "order" ON "lines"."orderId" = "order"."id" WHERE "lines"."qty" < (SELECT AVG("own"."qty") FROM "lines" "own" WHERE "own"."sku" = $1) AND "order"."total" = (SELECT MAX("orders"."total") FROM "orders") AND "lines"."qty" <= (SELECT COUNT(*) FROM "orders") ORDER BY "lines"."id" ASC',
  },
  {
    name: "conditions as values: in a group, turned round, of two fields",
    run: ({ orders, lines, customers }) =>
      orders
        .query()
        .leftJoin("customer")
        .fields("id")
        .whereOr(
          exists("lines", lines.query().where("sku", "=", "sku") as never),
          not(
            or(
              existsOn(customers.query() as never, "customerId", "id" as never),
              compare("customer.id", "=", "customer.bossId"),
            ),
          ),
          inQuery("customer.id", "IN", customers.query().fields("bossId") as never),
        )
        .orderBy("id", "asc"),
    params: { sku: "B2" },
    rows: [{ id: 1 }],
    postgres:
      'SELECT "orders"."id" FROM "orders" LEFT JOIN "customers" "customer" ON "orders"."customer_id" = "customer"."id" WHERE (EXISTS (SELECT 1 AS "one" FROM "lines" WHERE "lines"."orderId" = "orders"."id" AND "lines"."sku" = $1) OR NOT (EXISTS (SELECT 1 AS "one" FROM "customers" WHERE "customers"."id" = "orders"."customer_id") OR "customer"."id" = "customer"."bossId") OR "customer"."id" IN (SELECT "customers"."bossId" AS "value" FROM "customers" WHERE "customers"."bossId" IS NOT NULL)) ORDER BY "orders"."id" ASC',
  },
  {
    name: "aggregates of related rows do not multiply; of a table that a left join did not find there are none",
    run: ({ orders }) =>
      orders
        .query()
        .leftJoin("customer")
        .fields(
          "id",
          of("lines", count()).as("lines"),
          of("lines", sum("qty")).as("qty"),
          of("payments", count()).as("payments"),
          of("customer.orders", count()).as("others"),
        )
        .where(of("lines", count()), "<", "most")
        .orderBy(of("lines", count()), "desc")
        .orderBy("id", "asc"),
    params: { most: 9 },
    rows: [
      { id: 1, lines: 2, qty: 5, payments: 1, others: 1 },
      { id: 2, lines: 1, qty: 5, payments: 1, others: 1 },
      { id: 3, lines: 0, qty: null, payments: 0, others: 0 },
      { id: 4, lines: 0, qty: null, payments: 0, others: 1 },
    ],
    postgres:
      'SELECT "orders"."id", (SELECT COUNT(*) AS "value" FROM "lines" WHERE "lines"."orderId" = "orders"."id") AS "lines", (SELECT SUM("lines"."qty") AS "value" FROM "lines" WHERE "lines"."orderId" = "orders"."id") AS "qty", (SELECT COUNT(*) AS "value" FROM "payments" WHERE "payments"."orderId" = "orders"."id") AS "payments", (SELECT COUNT(*) AS "value" FROM "orders" "own" WHERE "own"."customer_id" = "customer"."id") AS "others" FROM "orders" LEFT JOIN "customers" "customer" ON "orders"."customer_id" = "customer"."id" WHERE (SELECT COUNT(*) AS "value" FROM "lines" WHERE "lines"."orderId" = "orders"."id") < $1 ORDER BY (SELECT COUNT(*) AS "value" FROM "lines" WHERE "lines"."orderId" = "orders"."id") DESC, "orders"."id" ASC',
  },
  {
    name: "an aggregate of some related rows, in an optional condition that counts",
    run: ({ customers }) =>
      customers
        .query()
        .fields("id", of("orders", count().filter(c("id", ">", "order"))).as("n"))
        .whereOptional(notExists("boss"))
        .orderBy("id", "asc"),
    params: { order: 1 },
    rows: [{ id: 1, n: 0 }],
    postgres:
      'SELECT "id", (SELECT COUNT(*) FILTER (WHERE "orders"."id" > $1) AS "value" FROM "orders" WHERE "orders"."customer_id" = "customers"."id") AS "n" FROM "customers" WHERE (NOT EXISTS (SELECT 1 AS "one" FROM "customers" "own" WHERE "own"."id" = "customers"."bossId")) ORDER BY "id" ASC',
  },
];

const questions = (text: string) => text.replace(/\$\d/g, "?");
const filtered = (text: string) =>
  text.replace(/COUNT\(\*\) FILTER \(WHERE (.*?)\)/g, "COUNT(CASE WHEN $1 THEN 1 END)");
const backticks = (text: string) =>
  questions(filtered(text))
    .replaceAll('"', "`")
    .replace(/AVG\((.*?)\)/g, "AVG(CAST($1 AS DOUBLE))")
    .replace(") < ?", ") < CAST(? AS SIGNED)");
const oracle = (text: string) =>
  filtered(text)
    .replace(/ LIMIT (\d)\)/g, " FETCH NEXT $1 ROWS ONLY)")
    .replace(/\$(\d)/g, (_, at) => `:p${Number(at) - 1}`);

export const cases: readonly Case<Shop>[] = written.map(({ postgres, ...rest }) => ({
  ...rest,
  texts: { postgres, sqlite: questions(postgres), mariadb: backticks(postgres), oracle: oracle(postgres) },
}));
