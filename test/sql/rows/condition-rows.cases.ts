/** Rows of other queries that are found by conditions, nested and in EXISTS, in each dialect and on every server. */
import { and, c, compare, count, existsOn, isNull, max, notExistsOn, or, sum } from "rowtype";
import { day, type Market } from "../../kit/sales.js";
import type { Case } from "../expression/expressions.cases.js";
import { texts } from "./condition-rows.texts.js";

// The repositories of the cases have no types.
type Untyped = (query: unknown, on: unknown) => unknown;
const [existing, missing] = [existsOn, notExistsOn] as unknown as readonly [Untyped, Untyped];

const holds = and(
  compare("productId", "=", "price.productId"),
  compare("at", ">=", "price.from"),
  or(isNull("price.to"), compare("at", "<", "price.to")),
);

export const written: readonly Omit<Case<Market>, "texts">[] = [
  {
    name: "rows inside of rows by a range",
    run: ({ sales, prices }) =>
      sales
        .query()
        .fields("id")
        .withOn("price", prices.query().fields("id", "amount", "from"), holds)
        .orderBy("id", "asc"),
    rows: [
      { id: 1, price: [{ id: 1, amount: 10, from: day("2024-01-01") }] },
      { id: 2, price: [{ id: 2, amount: 12, from: day("2024-02-01") }] },
      ...[3, 4, 5, 6].map((id) => ({ id, price: [] })),
    ],
  },
  {
    name: "a row that is found by several rows is in each of them, with an order and a limit for each",
    run: ({ prices, sales }) =>
      prices
        .query()
        .fields("id")
        .withOn(
          "later",
          sales.query().fields("id").where("qty", "<", "most").orderBy("at", "desc").limit(2),
          and(compare("from", "<=", "later.at"), c("later.qty", ">", "least")),
        )
        .where("id", "<", "last")
        .orderBy("id", "asc"),
    params: { most: 9, least: 1, last: 4 },
    rows: [
      { id: 1, later: [{ id: 2 }, { id: 1 }] },
      { id: 2, later: [{ id: 2 }] },
      { id: 3, later: [{ id: 2 }] },
    ],
  },
  {
    name: "nested rows by a condition on what was joined, and on what the query has joined",
    run: ({ sales, prices }) =>
      sales
        .query()
        .join("product")
        .fields("id", "product.name")
        .withOn(
          "price",
          prices.query().joinOn("made", prices, "productId", "id").fields("id"),
          and(compare("product.id", "=", "price.productId"), compare("price.made.amount", ">", "qty")),
        )
        .where("qty", "<", "most")
        .orderBy("id", "asc"),
    params: { most: 4 },
    rows: [
      { id: 1, product: { name: "pen" }, price: [{ id: 1 }, { id: 2 }] },
      { id: 3, product: { name: "ink" }, price: [{ id: 3 }] },
    ],
  },
  {
    name: "rows of the table itself",
    run: ({ sales }) =>
      sales
        .query()
        .fields("id")
        .withOn(
          "before",
          sales.query().fields("id", "qty").orderBy("id", "asc"),
          and(compare("before.id", "<", "id"), compare("before.productId", "=", "productId")),
        )
        .where("productId", "=", "one")
        .orderBy("id", "asc"),
    params: { one: 1 },
    rows: [
      { id: 1, before: [] },
      { id: 2, before: [{ id: 1, qty: 2 }] },
    ],
  },
  {
    name: "EXISTS of a named query by a condition, the parameters of both in their order",
    run: ({ sales, prices }) =>
      sales
        .query()
        .fields("id")
        .where("qty", ">", "qty")
        .whereExistsOn(
          prices.query().where("amount", ">=", "amount").as("price"),
          and(holds, c("price.id", "!=", "not")),
        )
        .where("id", "<", "last")
        .orderBy("id", "asc"),
    params: { qty: 0, amount: 10, not: 9, last: 9 },
    rows: [{ id: 1 }, { id: 2 }],
  },
  {
    name: "NOT EXISTS of a named query by a condition",
    run: ({ sales, prices }) =>
      sales.query().fields("id").whereNotExistsOn(prices.query().as("price"), holds).orderBy("id", "asc"),
    rows: [{ id: 3 }, { id: 4 }, { id: 5 }, { id: 6 }],
  },
  {
    name: "EXISTS of groups, whose columns are those of the query's row",
    run: ({ products, sales }) =>
      products
        .query()
        .fields("id")
        .whereExistsOn(
          sales
            .query()
            .fields("productId", sum("qty").as("sold"), max("at").as("last"))
            .groupBy("productId")
            .as("per"),
          and(compare("id", "=", "per.productId"), c("per.sold", ">", "sold")),
        )
        .orderBy("id", "asc"),
    params: { sold: 3 },
    rows: [{ id: 1 }, { id: 3 }],
  },
  {
    name: "EXISTS of the first rows of a query: the limit holds before the condition",
    run: ({ products, sales }) =>
      products
        .query()
        .fields("id")
        .whereExistsOn(
          sales.query().orderBy("qty", "desc").limit(3).as("best"),
          compare("id", "=", "best.productId"),
        )
        .orderBy("id", "asc"),
    rows: [{ id: 1 }, { id: 3 }],
  },
  {
    name: "existsOn and notExistsOn in a group, and of a scope",
    run: ({ products, sales, prices }) =>
      products
        .query()
        .fields("id", "name")
        .whereOr(
          existing(
            sales.scope({ tenantId: 2 }).query().as("sale"),
            and(compare("sale.productId", "=", "id"), c("sale.qty", ">", "least")),
          ),
          missing(prices.query().as("price"), compare("price.productId", "=", "id")),
          c("name", "=", "name"),
        )
        .orderBy("id", "asc"),
    params: { least: 3, name: "cap" },
    rows: [
      { id: 3, name: "pad" },
      { id: 4, name: "cap" },
    ],
  },
  {
    name: "a query of a table with the name of the table around it, by <",
    run: ({ sales }) =>
      sales
        .query()
        .fields("id")
        .whereExistsOn(
          sales.query().as("later"),
          and(compare("id", "<", "later.id"), compare("qty", "<", "later.qty")),
        )
        .whereNotExistsOn(sales.query().where("qty", ">", "qty").as("more"), compare("more.id", "<", "id"))
        .orderBy("id", "asc"),
    params: { qty: 4 },
    rows: [{ id: 1 }, { id: 2 }],
  },
  {
    name: "beside groups of what was joined",
    run: ({ sales, prices }) =>
      sales
        .query()
        .join("product")
        .fields("product.name", count().as("n"))
        .whereExistsOn(
          prices.query().as("price"),
          and(compare("product.id", "=", "price.productId"), compare("at", ">=", "price.from")),
        )
        .groupBy("product.name")
        .orderBy("product.name", "asc"),
    rows: [{ product: { name: "pen" }, n: 2 }],
  },
];

export const cases: readonly Case<Market>[] = written.map((one) => ({
  ...one,
  texts: texts[one.name] ?? { sqlite: "", postgres: "", mariadb: "", oracle: "" },
}));
