/** What rows inside of rows are in each dialect, and what comes back from every server. */
import { c, count, upper } from "rowtype";
import type { Shop } from "../../kit/shop.js";
import type { Case } from "../expression/expressions.cases.js";
import { texts } from "./nested-rows.texts.js";

const placedAt = new Date("2024-05-06T08:09:10.123Z");
const since = new Date("2020-01-02T08:09:10.123Z");

const written: readonly Omit<Case<Shop>, "texts">[] = [
  {
    name: "a list of the rows of a relation, in an order of its own; empty where there are none",
    run: ({ orders, lines }) =>
      orders
        .query()
        .fields("id")
        .with("lines", lines.query().fields("sku", "qty").where("qty", ">", "min").orderBy("id", "desc"))
        .where("id", "<", "max")
        .orderBy("id", "asc"),
    params: { min: 2, max: 4 },
    rows: [
      { id: 1, lines: [{ sku: "B2", qty: 3 }] },
      { id: 2, lines: [{ sku: "A1", qty: 5 }] },
      { id: 3, lines: [] },
    ],
  },
  {
    name: "a row of a reference, or null where it is null",
    run: ({ orders, customers }) =>
      orders
        .query()
        .fields("id")
        .with("customer", customers.query().fields("name", "since"))
        .orderBy("id", "asc"),
    rows: [
      { id: 1, customer: { name: "Ann", since } },
      { id: 2, customer: { name: "Bob", since: null } },
      { id: 3, customer: null },
      { id: 4, customer: { name: "Cy", since: null } },
    ],
  },
  {
    name: "the best of each list: an order and a limit of its own",
    run: ({ orders, lines }) =>
      orders
        .query()
        .fields("id")
        .with("lines", lines.query().fields("sku").orderBy("qty", "desc").limit(1))
        .orderBy("id", "asc")
        .limit(2),
    rows: [
      { id: 1, lines: [{ sku: "B2" }] },
      { id: 2, lines: [{ sku: "A1" }] },
    ],
  },
  {
    name: "a limit that is a parameter, and an offset",
    run: ({ orders, lines }) =>
      orders
        .query()
        .fields("id")
        .with("lines", lines.query().fields("sku").orderBy("id", "asc").limitParam("n").offset(1))
        .orderBy("id", "asc"),
    params: { n: 5 },
    rows: [
      { id: 1, lines: [{ sku: "B2" }] },
      { id: 2, lines: [] },
      { id: 3, lines: [] },
      { id: 4, lines: [] },
    ],
  },
  {
    name: "values of every kind as they would be by themselves",
    run: ({ customers, orders }) =>
      customers
        .query()
        .fields("id")
        .with("orders", orders.query().fields("total", "note", "placedAt"))
        .where("id", "<", "max")
        .orderBy("id", "asc"),
    params: { max: 3 },
    rows: [
      { id: 1, orders: [{ total: 9007199254740993n, note: "first", placedAt }] },
      { id: 2, orders: [{ total: 20n, note: null, placedAt }] },
    ],
  },
  {
    name: "rows in rows in rows: a table inside itself",
    run: ({ orders, lines }) =>
      orders
        .query()
        .fields("id")
        .with(
          "lines",
          lines.query().fields("qty").orderBy("id", "asc").with("order", orders.query().fields("id")),
        )
        .orderBy("id", "asc")
        .limit(1),
    rows: [
      {
        id: 1,
        lines: [
          { qty: 2, order: { id: 1 } },
          { qty: 3, order: { id: 1 } },
        ],
      },
    ],
  },
  {
    name: "joined tables inside, and expressions; a table inside itself",
    run: ({ orders, lines }) =>
      orders
        .query()
        .fields("id")
        .with(
          "lines",
          lines
            .query()
            .join("order")
            .leftJoin("order.customer")
            .fields(upper("sku").as("big"), "order.id", "customer.nick")
            .orderBy("customer.nick", "asc")
            .orderBy("id", "asc"),
        )
        .where("id", "<", "max")
        .orderBy("id", "asc"),
    params: { max: 3 },
    rows: [
      {
        id: 1,
        lines: [
          { big: "A1", order: { id: 1 }, customer: { nick: "A" } },
          { big: "B2", order: { id: 1 }, customer: { nick: "A" } },
        ],
      },
      { id: 2, lines: [{ big: "A1", order: { id: 2 }, customer: { nick: null } }] },
    ],
  },
  {
    name: "groups inside, and an order by what they are called",
    run: ({ orders, lines }) =>
      orders
        .query()
        .fields("id")
        .with(
          "lines",
          lines
            .query()
            .fields("sku", count().as("n"))
            .groupBy("sku")
            .orderBy("n", "desc")
            .orderBy("sku", "desc"),
        )
        .where("id", "<", "max")
        .orderBy("id", "asc"),
    params: { max: 3 },
    rows: [
      {
        id: 1,
        lines: [
          { sku: "B2", n: 1 },
          { sku: "A1", n: 1 },
        ],
      },
      { id: 2, lines: [{ sku: "A1", n: 1 }] },
    ],
  },
  {
    name: "an aggregate inside: a list of one row, whatever there is",
    run: ({ orders, lines }) =>
      orders
        .query()
        .fields("id")
        .with("lines", lines.query().fields(count().as("n")))
        .orderBy("id", "asc"),
    rows: [
      { id: 1, lines: [{ n: 2 }] },
      { id: 2, lines: [{ n: 1 }] },
      { id: 3, lines: [{ n: 0 }] },
      { id: 4, lines: [{ n: 0 }] },
    ],
  },
  {
    name: "rows by two fields: of a table without a key, and with conditions beside joins around",
    run: ({ orders, payments }) =>
      orders
        .query()
        .join("customer", "buyer")
        .fields("id", "buyer.name")
        .withOn("paid", payments.query().fields("amount", "method"), "id", "orderId")
        .whereOr(c("buyer.name", "=", "one"), c("buyer.name", "=", "other"))
        .orderBy("id", "asc"),
    params: { one: "Ann", other: "Bob" },
    rows: [
      { id: 1, buyer: { name: "Ann" }, paid: [{ amount: null, method: null }] },
      { id: 2, buyer: { name: "Bob" }, paid: [{ amount: 7, method: "card" }] },
    ],
  },
  {
    name: "all columns on both sides; a reference with a condition is null where it is not met",
    run: ({ lines, orders }) =>
      lines
        .query()
        .with("order", orders.query().where("note", "=", "note"))
        .orderBy("id", "asc")
        .offset(1)
        .limit(2),
    params: { note: "first" },
    rows: [
      {
        id: 2,
        orderId: 1,
        sku: "B2",
        qty: 3,
        order: { id: 1, customerId: 1, total: 9007199254740993n, note: "first", placedAt },
      },
      { id: 3, orderId: 2, sku: "A1", qty: 5, order: null },
    ],
  },
  {
    name: "DISTINCT inside",
    run: ({ customers, orders }) =>
      customers
        .query()
        .fields("id")
        .with("orders", orders.query().fields("placedAt").distinct().orderBy("placedAt", "asc"))
        .orderBy("id", "asc")
        .limit(1),
    rows: [{ id: 1, orders: [{ placedAt }] }],
  },
];

export const cases: readonly Case<Shop>[] = written.map((one) => {
  const of = texts[one.name];
  if (of === undefined) throw new Error(`no texts for ${one.name}`);
  return { ...one, texts: of };
});
