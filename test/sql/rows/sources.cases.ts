/** What queries as tables are in each dialect, and what comes back from every server. */
import { c, count, countDistinct, field, max, or, rowNumber, sum } from "rowtype";
import { customers as customersTable, type Shop, type Untyped } from "../../kit/shop.js";
import type { Case } from "../expression/expressions.cases.js";

/** The shop, and queries over queries. */
export type Sources = Shop & {
  readonly from: (source: unknown) => Untyped;
  readonly once: (name: string, query: unknown) => unknown;
};

type Written = Omit<Case<Sources>, "texts"> & {
  readonly postgres: string;
  /** What differs on SQLite, by what it stands for. */
  readonly sqlite?: readonly (readonly [string, string])[];
  readonly mariadb?: readonly (readonly [string, string])[];
  readonly oracle?: readonly (readonly [string, string])[];
};

const placedAt = new Date("2024-05-06T08:09:10.123Z");
const since = new Date("2020-01-02T08:09:10.123Z");
const wide = (of: string) =>
  `CASE WHEN SUM(${of} >> 32) IS NOT NULL THEN printf('%019d%010d', SUM(${of} >> 32) + (SUM(${of} & 4294967295) >> 32) + 4611686018427387904, SUM(${of} & 4294967295) & 4294967295) END`;

const written: readonly Written[] = [
  {
    name: "a grouped query that is joined: sums of bigints and dates, and a part that is null as a whole",
    run: ({ orders, customers }) =>
      customers
        .query()
        .leftJoinQuery(
          orders
            .query()
            .fields("customerId", sum("total").as("spent"), max("placedAt").as("last"))
            .where("id", ">", "id")
            .groupBy("customerId")
            .orderBy("customerId", "asc")
            .as("orders"),
          "id",
          "customerId",
        )
        .fields("name", "orders.spent", "orders.last")
        .where("id", ">", "customer")
        .orderBy("id", "asc"),
    params: { id: 2, customer: 1 },
    rows: [
      { name: "Bob", orders: null },
      { name: "Cy", orders: { spent: 40n, last: placedAt } },
    ],
    postgres:
      'SELECT "customers"."name", CASE WHEN "orders"."customer_id" IS NULL THEN 0 ELSE 1 END AS "orders.*", "orders"."spent" AS "orders.spent", "orders"."last" AS "orders.last" FROM "customers" LEFT JOIN (SELECT "customer_id", SUM("total") AS "spent", MAX("placed_at") AS "last" FROM "orders" WHERE "id" > $1 GROUP BY "customer_id") "orders" ON "customers"."id" = "orders"."customer_id" WHERE "customers"."id" > $2 ORDER BY "customers"."id" ASC',
    sqlite: [
      ['SUM("total")', wide('"total"')],
      ['MAX("placed_at")', `MAX(substr("placed_at" || '.000', 1, 23))`],
    ],
  },
  {
    name: "the best of each group: numbered inside, chosen outside",
    run: ({ orders, from }) =>
      from(
        orders
          .query()
          .fields(
            "id",
            "note",
            "total",
            rowNumber()
              .over({ partitionBy: ["note"], orderBy: [["total", "desc"]] })
              .as("place"),
          )
          .as("ranked"),
      )
        .fields("id", "total")
        .where("place", "<=", "n")
        .orderBy("id", "asc"),
    params: { n: 2 },
    rows: [
      { id: 1, total: 9007199254740993n },
      { id: 3, total: 30n },
      { id: 4, total: 40n },
    ],
    postgres:
      'SELECT "id", "total" FROM (SELECT "id", "note", "total", ROW_NUMBER() OVER (PARTITION BY "note" ORDER BY "total" DESC) AS "place" FROM "orders") "ranked" WHERE "place" <= $1 ORDER BY "id" ASC',
    // What a query works out is compared as an expression is.
    mariadb: [["<= $1", "<= CAST($1 AS SIGNED)"]],
  },
  {
    name: "a query over a query: all columns, dates and bigints as they are stored, a limit with its order",
    run: ({ orders, from }) =>
      from(orders.query().orderBy("total", "desc").limit(1).as("o")).where("placedAt", "=", "at"),
    params: { at: placedAt },
    rows: [{ id: 1, customerId: 1, total: 9007199254740993n, note: "first", placedAt }],
    postgres:
      'SELECT "id", "customer_id", "total", "note", "placed_at" FROM (SELECT "id", "customer_id", "total", "note", "placed_at" FROM "orders" ORDER BY "total" DESC LIMIT 1) "o" WHERE "placed_at" = $1',
    sqlite: [['"placed_at" = $1', '"placed_at" BETWEEN $1 AND $1']],
  },
  {
    name: "a query in a query in a query, each with a parameter of one name",
    run: ({ orders, from }) =>
      from(
        from(orders.query().where("id", ">=", "id").as("a"))
          .where("total", "<", "total")
          .where("id", "<", "most")
          .fields("id", "total")
          .as("b"),
      )
        .where("id", ">=", "id")
        .orderBy("id", "desc"),
    params: { id: 2, most: 4, total: 100n },
    rows: [
      { id: 3, total: 30n },
      { id: 2, total: 20n },
    ],
    postgres:
      'SELECT "id", "total" FROM (SELECT "id", "total" FROM (SELECT "id", "customer_id", "total", "note", "placed_at" FROM "orders" WHERE "id" >= $1) "a" WHERE "total" < $2 AND "id" < $3) "b" WHERE "id" >= $1 ORDER BY "id" DESC',
  },
  {
    name: "one query joined twice, over itself: its parameter is one",
    run: ({ orders, from }) => {
      const small = (name: string) =>
        orders.query().where("total", "<", "total").fields("id", "customerId").as(name);
      return from(small("orders"))
        .joinQuery(small("own"), "id", "id")
        .leftJoinQuery(small("third"), "own.customerId", "customerId")
        .fields("id", "own.id", "third.id")
        .orderBy("id", "asc");
    },
    params: { total: 40n },
    rows: [
      { id: 2, own: { id: 2 }, third: { id: 2 } },
      { id: 3, own: { id: 3 }, third: null },
    ],
    postgres:
      'SELECT "orders"."id", "own"."id" AS "own.id", CASE WHEN "third"."customer_id" IS NULL THEN 0 ELSE 1 END AS "third.*", "third"."id" AS "third.id" FROM (SELECT "id", "customer_id" FROM "orders" WHERE "total" < $1) "orders" JOIN (SELECT "id", "customer_id" FROM "orders" WHERE "total" < $1) "own" ON "orders"."id" = "own"."id" LEFT JOIN (SELECT "id", "customer_id" FROM "orders" WHERE "total" < $1) "third" ON "own"."customer_id" = "third"."customer_id" ORDER BY "orders"."id" ASC',
  },
  {
    name: "joined fields with names of their own, and tables joined to a query",
    run: ({ orders, from }) =>
      from(
        orders
          .query()
          .leftJoin("customer")
          .fields(
            "id",
            field("customer.name").as("who"),
            field("customer.since").as("since"),
            field("customer.id").as("buyer"),
          )
          .as("o"),
      )
        .joinOn("c", customersTable, "buyer", "id")
        .fields("*", "c.nick")
        .whereOr(c("since", "=", "since"), c("who", "=", "who"))
        .orderBy("who", "asc"),
    params: { since, who: "Cy" },
    rows: [
      { id: 1, who: "Ann", since, buyer: 1, c: { nick: "A" } },
      { id: 4, who: "Cy", since: null, buyer: 3, c: { nick: null } },
    ],
    postgres:
      'SELECT "o"."id", "o"."who", "o"."since", "o"."buyer", "c"."nick" AS "c.nick" FROM (SELECT "orders"."id", "customer"."name" AS "who", "customer"."since_at" AS "since", "customer"."id" AS "buyer" FROM "orders" LEFT JOIN "customers" "customer" ON "orders"."customer_id" = "customer"."id") "o" JOIN "customers" "c" ON "o"."buyer" = "c"."id" WHERE ("o"."since" = $1 OR "o"."who" = $2) ORDER BY "o"."who" ASC',
    sqlite: [
      ['"o"."since" = $1', '"o"."since" BETWEEN $1 AND $1'],
      ['"who" ASC', '"who" ASC NULLS LAST'],
    ],
    mariadb: [['"o"."who" ASC', '"o"."who" IS NULL, "o"."who" ASC']],
  },
  {
    name: "sums of a query with one row for each: it repeats nothing",
    run: ({ orders, lines }) =>
      orders
        .query()
        .joinQuery(
          lines.query().fields("orderId", sum("qty").as("pieces")).groupBy("orderId").as("counted"),
          "id",
          "orderId",
        )
        .fields(sum("counted.pieces").as("pieces"), sum("total").as("all"), count().as("n")),
    rows: [{ pieces: 10, all: 9007199254741013n, n: 2 }],
    postgres:
      'SELECT SUM("counted"."pieces") AS "pieces", SUM("orders"."total") AS "all", COUNT(*) AS "n" FROM "orders" JOIN (SELECT "orderId", SUM("qty") AS "pieces" FROM "lines" GROUP BY "orderId") "counted" ON "orders"."id" = "counted"."orderId"',
    sqlite: [['SUM("orders"."total")', wide('"orders"."total"')]],
  },
  {
    name: "groups of groups: sums of sums, and how many differ",
    run: ({ orders, from }) =>
      from(
        orders
          .query()
          .fields("note", "customerId", sum("total").as("spent"))
          .groupBy("note", "customerId")
          .as("spent"),
      )
        .fields(
          "note",
          sum("spent").as("all"),
          max("spent").as("most"),
          countDistinct("customerId").as("customers"),
        )
        .groupBy("note")
        .orderBy("most", "asc"),
    rows: [
      { note: null, all: 90n, most: 40n, customers: 2 },
      { note: "first", all: 9007199254740993n, most: 9007199254740993n, customers: 1 },
    ],
    postgres:
      'SELECT "note", SUM("spent") AS "all", MAX("spent") AS "most", COUNT(DISTINCT "customer_id") AS "customers" FROM (SELECT "note", "customer_id", SUM("total") AS "spent" FROM "orders" GROUP BY "note", "customer_id") "spent" GROUP BY "note" ORDER BY "most" ASC',
    sqlite: [
      ['SUM("spent")', wide('rowtype_whole("spent")')],
      ['SUM("total")', wide('"total"')],
      ['"most" ASC', '"most" ASC NULLS LAST'],
    ],
    mariadb: [['"most" ASC', 'MAX("spent") IS NULL, MAX("spent") ASC']],
  },
  {
    name: "a sum that is compared with a field",
    run: ({ orders, customers }) =>
      orders
        .query()
        .joinQuery(
          orders.query().fields("customerId", sum("total").as("all")).groupBy("customerId").as("spent"),
          "customerId",
          "customerId",
        )
        .fields("id")
        .whereFields("total", "=", "spent.all")
        .where("spent.all", "<", "most")
        .whereExists("customer", customers.query().where("name", "!=", "name"))
        .orderBy("id", "asc"),
    params: { most: 9007199254740992n, name: "Ann" },
    rows: [{ id: 2 }, { id: 4 }],
    postgres:
      'SELECT "orders"."id" FROM "orders" JOIN (SELECT "customer_id", SUM("total") AS "all" FROM "orders" GROUP BY "customer_id") "spent" ON "orders"."customer_id" = "spent"."customer_id" WHERE "orders"."total" = "spent"."all" AND "spent"."all" < $1 AND EXISTS (SELECT 1 AS "one" FROM "customers" WHERE "customers"."id" = "orders"."customer_id" AND "customers"."name" <> $2) ORDER BY "orders"."id" ASC',
    sqlite: [
      ['= "spent"."all"', '= rowtype_whole("spent"."all")'],
      ['SUM("total")', wide('"total"')],
    ],
    mariadb: [["< $1", "< CAST($1 AS SIGNED)"]],
  },
  {
    name: "a query as a table inside a condition",
    run: ({ orders, customers, from }) =>
      customers
        .query()
        .fields("id")
        .whereExistsOn(
          from(orders.query().where("total", ">", "least").as("customers")).where("note", "!=", "note"),
          "id",
          "customerId",
        )
        .whereNotExistsOn(
          orders.query().joinQuery(orders.query().where("total", ">", "least").as("customers"), "id", "id"),
          "bossId",
          "id",
        )
        .orderBy("id", "asc"),
    params: { least: 20n, note: "other" },
    rows: [{ id: 1 }],
    postgres:
      'SELECT "id" FROM "customers" WHERE EXISTS (SELECT 1 AS "one" FROM (SELECT "id", "customer_id", "total", "note", "placed_at" FROM "orders" WHERE "total" > $1) "own" WHERE "own"."customer_id" = "customers"."id" AND "own"."note" <> $2) AND NOT EXISTS (SELECT 1 AS "one" FROM "orders" JOIN (SELECT "id", "customer_id", "total", "note", "placed_at" FROM "orders" WHERE "total" > $1) "customers_" ON "orders"."id" = "customers_"."id" WHERE "orders"."id" = "customers"."bossId") ORDER BY "id" ASC',
  },
  {
    name: "a query that was made of optional conditions, inside and outside",
    run: ({ orders, from }) =>
      from(
        orders
          .query()
          .whereOptional("note", "=", "note")
          .whereOptional(or(c("id", "=", "id"), c("total", "=", "total")))
          .as("o"),
      )
        .fields("id")
        .whereOptional("id", "<", "most")
        .orderBy("id", "asc"),
    params: { most: 3 },
    rows: [{ id: 1 }, { id: 2 }],
    postgres:
      'SELECT "id" FROM (SELECT "id", "customer_id", "total", "note", "placed_at" FROM "orders" WHERE "note" = $1 AND ("id" = $2 OR "total" = $3)) "o" WHERE "id" < $4 ORDER BY "id" ASC',
  },
  {
    name: "a query that is written once and stands twice: over itself, and in a condition",
    run: ({ orders, customers, from, once }) => {
      const some = once("some", orders.query().where("id", ">", "id").fields("id", "customerId", "placedAt"));
      const late = once("late", from(some).where("placedAt", ">=", "at").fields("id"));
      return from(some)
        .joinQuery(late, "id", "id")
        .leftJoinQuery(some, "customerId", "customerId")
        .fields("id", "some.placedAt", count().as("n"))
        .whereExistsOn(
          customers.query().joinQuery(some, "id", "customerId").where("name", "!=", "name"),
          "customerId",
          "id",
        )
        .groupBy("id", "some.placedAt")
        .orderBy("id", "asc");
    },
    params: { id: 1, at: placedAt, name: "Bob" },
    rows: [{ id: 4, some: { placedAt }, n: 1 }],
    // H2 finds nothing where a named query stands in a condition.
    h2: [],
    postgres:
      'WITH "some" AS (SELECT "id", "customer_id", "placed_at" FROM "orders" WHERE "id" > $1), "late" AS (SELECT "id" FROM "some" WHERE "placed_at" >= $2) SELECT "own"."id", CASE WHEN "some"."customer_id" IS NULL THEN 0 ELSE 1 END AS "some.*", "some"."placed_at" AS "some.placedAt", COUNT(*) AS "n" FROM "some" "own" JOIN "late" "late" ON "own"."id" = "late"."id" LEFT JOIN "some" "some" ON "own"."customer_id" = "some"."customer_id" WHERE EXISTS (SELECT 1 AS "one" FROM "customers" JOIN "some" "some_" ON "customers"."id" = "some_"."customer_id" WHERE "customers"."id" = "own"."customer_id" AND "customers"."name" <> $3) GROUP BY "own"."id", "some"."placed_at", CASE WHEN "some"."customer_id" IS NULL THEN 0 ELSE 1 END ORDER BY "own"."id" ASC',
    sqlite: [['"some"."placed_at"', `substr("some"."placed_at" || '.000', 1, 23)`]],
  },
  {
    name: "a number of rows of a query that is written once",
    run: ({ orders, from, once }) => {
      const some = once("some", orders.query().whereOptional("id", ">", "id"));
      return from(some).fields(count().as("n")).whereOptional("id", "<", "most");
    },
    params: { most: 3 },
    rows: [{ n: 2 }],
    postgres:
      'WITH "some" AS (SELECT "id", "customer_id", "total", "note", "placed_at" FROM "orders" WHERE "id" > $1) SELECT COUNT(*) AS "n" FROM "some" WHERE "id" < $2',
  },
];

const questions = (text: string) => text.replace(/\$\d/g, "?");
const backticks = (text: string) => questions(text).replaceAll('"', "`");
const oracle = (text: string) =>
  text.replace(/LIMIT (\d)/, "FETCH NEXT $1 ROWS ONLY").replace(/\$(\d)/g, (_, at) => `:p${Number(at) - 1}`);
const changed = (text: string, changes: Written["sqlite"] = []) =>
  changes.reduce((changing, [from, to]) => changing.replaceAll(from, () => to), text);

export const cases: readonly Case<Sources>[] = written.map(
  ({ postgres, sqlite, mariadb, oracle: onOracle, ...rest }) => ({
    ...rest,
    texts: {
      postgres,
      sqlite: questions(changed(postgres, sqlite)),
      mariadb: backticks(changed(postgres, mariadb)),
      oracle: oracle(changed(postgres, onOracle)),
    },
  }),
);
