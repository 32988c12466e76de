/** What queries over several tables are in each dialect, and what comes back from every server. */
import { c, coalesce, count, field, isNull, lower, max, or, rowNumber, sum } from "rowtype";
import { customers, orders, payments, type Shop } from "../../kit/shop.js";
import type { Case } from "../expression/expressions.cases.js";
import { texts } from "./joins.texts.js";

const since = new Date("2020-01-02T08:09:10.123Z");
const placedAt = new Date("2024-05-06T08:09:10.123Z");

const written: readonly Omit<Case<Shop>, "texts">[] = [
  {
    name: "a left join: the part is null as a whole, or an object whose field may be null",
    run: ({ orders }) =>
      orders.query().leftJoin("customer").fields("id", "customer.nick").orderBy("id", "asc"),
    rows: [
      { id: 1, customer: { nick: "A" } },
      { id: 2, customer: { nick: null } },
      { id: 3, customer: null },
      { id: 4, customer: { nick: null } },
    ],
  },
  {
    name: "a join: rows without a related row are left out, and conditions and orders name its fields",
    run: ({ orders }) =>
      orders
        .query()
        .join("customer")
        .leftJoin("customer.country")
        .fields("id", "total", "customer.name", "country.name")
        .where("customer.name", "!=", "not")
        .whereOr(c("country.name", "=", "one"), isNull("country.id"))
        .orderBy("customer.name", "desc"),
    params: { not: "Dan", one: "Austria" },
    rows: [
      { id: 4, total: 40n, customer: { name: "Cy" }, country: null },
      { id: 1, total: 9007199254740993n, customer: { name: "Ann" }, country: { name: "Austria" } },
    ],
  },
  {
    name: "all fields of a joined table and of the own one: dates, names of columns, ids that meet",
    run: ({ orders }) =>
      orders.query().leftJoin("customer", "buyer").fields("buyer.*", "*").orderBy("id", "asc").limit(3),
    rows: [
      {
        buyer: { id: 1, name: "Ann", nick: "A", since, countryId: 1, bossId: null },
        id: 1,
        customerId: 1,
        total: 9007199254740993n,
        note: "first",
        placedAt,
      },
      {
        buyer: { id: 2, name: "Bob", nick: null, since: null, countryId: 2, bossId: 1 },
        id: 2,
        customerId: 2,
        total: 20n,
        note: null,
        placedAt,
      },
      { buyer: null, id: 3, customerId: null, total: 30n, note: null, placedAt },
    ],
  },
  {
    name: "without fields the row is that of the own table",
    run: ({ lines }) => lines.query().join("order").where("order.note", "=", "note").orderBy("id", "asc"),
    params: { note: "first" },
    rows: [
      { id: 1, orderId: 1, sku: "A1", qty: 2 },
      { id: 2, orderId: 1, sku: "B2", qty: 3 },
    ],
  },
  {
    name: "a table joined to itself, by its relation and by fields",
    run: ({ customers: of }) =>
      of
        .query()
        .leftJoin("boss")
        .leftJoinOn("peer", customers, "bossId", "bossId")
        .fields("name", "boss.name", "peer.name")
        .orderBy("id", "asc")
        .orderBy("peer.id", "asc"),
    rows: [
      { name: "Ann", boss: null, peer: null },
      { name: "Bob", boss: { name: "Ann" }, peer: { name: "Bob" } },
      { name: "Bob", boss: { name: "Ann" }, peer: { name: "Cy" } },
      { name: "Cy", boss: { name: "Ann" }, peer: { name: "Bob" } },
      { name: "Cy", boss: { name: "Ann" }, peer: { name: "Cy" } },
    ],
  },
  {
    name: "a joined table with the name of the own one",
    run: ({ orders: of }) =>
      of.query().joinOn("orders", orders, "id", "id").fields("id", "orders.total").where("id", "=", "id"),
    params: { id: 2 },
    rows: [{ id: 2, orders: { total: 20n } }],
  },
  {
    name: "a table without a key: a row of nulls is there, and none is not",
    run: ({ orders: of }) =>
      of
        .query()
        .leftJoinOn("payment", payments, "id", "orderId")
        .fields("id", "payment.amount", "payment.method")
        .orderBy("id", "asc")
        .limit(3),
    rows: [
      { id: 1, payment: { amount: null, method: null } },
      { id: 2, payment: { amount: 7, method: "card" } },
      { id: 3, payment: null },
    ],
  },
  {
    name: "five joins",
    run: ({ lines }) =>
      lines
        .query()
        .join("order")
        .leftJoin("order.customer")
        .leftJoin("customer.country")
        .leftJoin("customer.boss")
        .leftJoin("boss.country", "home")
        .fields("sku", "order.note", "customer.name", "country.name", "boss.name", "home.name")
        .orderBy("id", "asc"),
    rows: [
      {
        sku: "A1",
        order: { note: "first" },
        customer: { name: "Ann" },
        country: { name: "Austria" },
        boss: null,
        home: null,
      },
      {
        sku: "B2",
        order: { note: "first" },
        customer: { name: "Ann" },
        country: { name: "Austria" },
        boss: null,
        home: null,
      },
      {
        sku: "A1",
        order: { note: null },
        customer: { name: "Bob" },
        country: { name: "Brazil" },
        boss: { name: "Ann" },
        home: { name: "Austria" },
      },
    ],
  },
  {
    name: "groups: a part that is absent and one whose field is null are two",
    run: ({ orders }) =>
      orders
        .query()
        .leftJoin("customer")
        .fields("customer.nick", count().as("n"), max("id").as("last"))
        .groupBy("customer.nick")
        .orderBy("last", "asc"),
    rows: [
      { customer: { nick: "A" }, n: 1, last: 1 },
      { customer: null, n: 1, last: 3 },
      { customer: { nick: null }, n: 2, last: 4 },
    ],
  },
  {
    name: "groups over a many: aggregates of its fields, and filters on them",
    run: ({ orders }) =>
      orders
        .query()
        .join("lines")
        .fields("id", sum("lines.qty").as("units"), count("lines.id").as("n"))
        .groupBy("id")
        .having("units", ">", "least")
        .havingAgg("max", "lines.qty", "<=", "most")
        .orderBy("id", "asc"),
    params: { least: 0, most: 4 },
    rows: [{ id: 1, units: 5, n: 2 }],
  },
  {
    name: "expressions of joined fields, which may be null where the part is",
    run: ({ orders }) =>
      orders
        .query()
        .leftJoin("customer")
        .fields(
          "id",
          lower("customer.name").as("low"),
          coalesce("customer.nick", field("customer.name")).as("called"),
          rowNumber()
            .over({
              orderBy: [
                ["customer.name", "desc"],
                ["id", "asc"],
              ],
            })
            .as("place"),
        )
        .orderBy("id", "asc"),
    rows: [
      { id: 1, low: "ann", called: "A", place: 4 },
      { id: 2, low: "bob", called: "Bob", place: 3 },
      { id: 3, low: null, called: null, place: 1 },
      { id: 4, low: "cy", called: "Cy", place: 2 },
    ],
  },
  {
    name: "DISTINCT with a part, and dates of it",
    run: ({ lines }) =>
      lines
        .query()
        .join("order")
        .leftJoin("order.customer")
        .fields("customer.since", "order.placedAt")
        .distinct()
        .orderBy("customer.since", "asc"),
    rows: [
      { customer: { since }, order: { placedAt } },
      { customer: { since: null }, order: { placedAt } },
    ],
  },
  {
    name: "set operations, ordered by fields of a part",
    run: ({ orders }) =>
      orders
        .query()
        .leftJoin("customer")
        .fields("id", "customer.name", "customer.since")
        .where("id", "<", "most")
        .union(
          orders
            .query()
            .leftJoin("customer")
            .fields("id", "customer.name", "customer.since")
            .whereNull("customer.id"),
        )
        .orderBy("customer.name", "desc")
        .limit(3),
    params: { most: 3 },
    rows: [
      { id: 3, customer: null },
      { id: 2, customer: { name: "Bob", since: null } },
      { id: 1, customer: { name: "Ann", since } },
    ],
  },
  {
    name: "conditions that compare fields of two tables, and optional ones",
    run: ({ orders }) =>
      orders
        .query()
        .join("customer")
        .fields("id")
        .whereFields("id", "=", "customer.id")
        .whereOptional("customer.name", "=", "name")
        .whereOr(or(c("customer.bossId", "=", "boss"), isNull("customer.bossId")))
        .orderBy("id", "asc"),
    params: { boss: 1 },
    rows: [{ id: 1 }, { id: 2 }],
  },
  {
    name: "a scope keeps its condition, of its own table",
    run: ({ orders }) =>
      orders
        .scope({ customerId: 2 })
        .query()
        .join("customer")
        .join("customer.orders", "all")
        .fields("id", "all.id"),
    rows: [{ id: 2, all: { id: 2 } }],
  },
];

export const cases: readonly Case<Shop>[] = written.map((one) => ({
  ...one,
  texts: texts[one.name] ?? { sqlite: "", postgres: "", mariadb: "", oracle: "" },
}));
