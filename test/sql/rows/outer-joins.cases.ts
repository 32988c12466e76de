/** What right joins are in each dialect, and what comes back from every server. */
import { and, c, coalesce, compare, count, field, isNull, notNull, sum } from "rowtype";
import { day, type Market, notes, prices, products, sales } from "../../kit/sales.js";
import type { Case } from "../expression/expressions.cases.js";
import { texts } from "./outer-joins.texts.js";

export const written: readonly Omit<Case<Market>, "texts">[] = [
  {
    name: "a right join by a relation: rows of theirs without ours, our fields null one by one",
    run: ({ sales: of }) =>
      of
        .query()
        .rightJoin("product")
        .fields("id", "qty", "at", "product.name")
        .orderBy("product.name", "asc")
        .orderBy("id", "asc"),
    rows: [
      { id: null, qty: null, at: null, product: { name: "cap" } },
      { id: 3, qty: 1, at: day("2024-01-20"), product: { name: "ink" } },
      { id: 5, qty: 4, at: day("2024-01-05"), product: { name: "pad" } },
      { id: 1, qty: 2, at: day("2024-01-10"), product: { name: "pen" } },
      { id: 2, qty: 5, at: day("2024-02-01"), product: { name: "pen" } },
    ],
  },
  {
    name: "a right join of a many: their field that is equal to ours may be null",
    run: ({ products: of }) =>
      of.query().rightJoin("sales").fields("name", "sales.id").orderBy("sales.id", "asc"),
    rows: [
      { name: "pen", sales: { id: 1 } },
      { name: "pen", sales: { id: 2 } },
      { name: "ink", sales: { id: 3 } },
      { name: null, sales: { id: 4 } },
      { name: "pad", sales: { id: 5 } },
      { name: null, sales: { id: 6 } },
    ],
  },
  {
    name: "without fields the row is that of the own table, all null where it is missing",
    run: ({ sales: of }) =>
      of.query().rightJoin("product").where("product.id", ">=", "from").orderBy("product.id", "asc"),
    params: { from: 3 },
    rows: [
      { id: 5, productId: 3, tenantId: 2, qty: 4, at: day("2024-01-05") },
      { id: null, productId: null, tenantId: null, qty: null, at: null },
    ],
  },
  {
    name: "left joins before and behind: what was joined before is null as a whole",
    run: ({ sales: of }) =>
      of
        .query()
        .leftJoinOn("price", prices, and(compare("productId", "=", "price.productId"), isNull("price.to")))
        .join("product", "made")
        .rightJoin("product", "every")
        .leftJoin("every.sales", "again")
        .fields("id", "price.amount", "made.name", "every.name", "again.id")
        .orderBy("every.id", "asc")
        .orderBy("id", "asc")
        .orderBy("again.id", "asc"),
    rows: [
      { id: 1, price: { amount: 12 }, made: { name: "pen" }, every: { name: "pen" }, again: { id: 1 } },
      { id: 1, price: { amount: 12 }, made: { name: "pen" }, every: { name: "pen" }, again: { id: 2 } },
      { id: 2, price: { amount: 12 }, made: { name: "pen" }, every: { name: "pen" }, again: { id: 1 } },
      { id: 2, price: { amount: 12 }, made: { name: "pen" }, every: { name: "pen" }, again: { id: 2 } },
      { id: 3, price: { amount: 20 }, made: { name: "ink" }, every: { name: "ink" }, again: { id: 3 } },
      { id: 5, price: null, made: { name: "pad" }, every: { name: "pad" }, again: { id: 5 } },
      { id: null, price: null, made: null, every: { name: "cap" }, again: null },
    ],
  },
  {
    name: "a right join after a right join",
    run: ({ sales: of }) =>
      of
        .query()
        .rightJoin("product")
        .rightJoinOn("price", prices, "product.id", "productId")
        .fields("id", "product.name", "price.id")
        .where("price.amount", "<", "most")
        .orderBy("price.id", "asc")
        .orderBy("id", "asc"),
    params: { most: 12 },
    rows: [
      { id: 1, product: { name: "pen" }, price: { id: 1 } },
      { id: 2, product: { name: "pen" }, price: { id: 1 } },
      { id: null, product: { name: "cap" }, price: { id: 4 } },
    ],
  },
  {
    name: "a right join by a range, its parameters in ON",
    run: ({ sales: of, prices: rates }) =>
      of
        .query()
        .rightJoinOn(
          "price",
          rates,
          and(
            compare("productId", "=", "price.productId"),
            compare("at", ">=", "price.from"),
            c("qty", ">", "least"),
          ),
        )
        .fields("id", "price.id")
        .orderBy("price.id", "asc")
        .orderBy("id", "asc"),
    params: { least: 1 },
    rows: [
      { id: 1, price: { id: 1 } },
      { id: 2, price: { id: 1 } },
      { id: 2, price: { id: 2 } },
      { id: null, price: { id: 3 } },
      { id: null, price: { id: 4 } },
    ],
  },
  {
    name: "a right join of a query keeps the rows that meet its conditions, and no others",
    run: ({ sales: of, products: made }) =>
      of
        .query()
        .rightJoinQuery(
          made.query().fields("id", "name").where("tenantId", "=", "tenant").as("made"),
          "productId",
          "id",
        )
        .fields("id", "made.name")
        .orderBy("made.name", "asc")
        .orderBy("id", "asc"),
    params: { tenant: 1 },
    rows: [
      { id: null, made: { name: "cap" } },
      { id: 3, made: { name: "ink" } },
      { id: 1, made: { name: "pen" } },
      { id: 2, made: { name: "pen" } },
    ],
  },
  {
    name: "a right join of a query by a condition",
    run: ({ sales: of, products: made }) =>
      of
        .query()
        .rightJoinQuery(
          made.query().fields("id", "name").where("id", ">", "after").as("made"),
          and(compare("made.id", "=", "productId"), c("qty", ">", "least")),
        )
        .fields("id", "made.name")
        .orderBy("made.id", "asc"),
    params: { after: 1, least: 1 },
    rows: [
      { id: null, made: { name: "ink" } },
      { id: 5, made: { name: "pad" } },
      { id: null, made: { name: "cap" } },
    ],
  },
  {
    name: "a scope of ours: the rows of others are not there, and nothing of theirs is lost",
    run: ({ sales: of }) =>
      of
        .scope({ tenantId: 1 })
        .query()
        .rightJoin("product")
        .fields("id", "tenantId", "product.name")
        .orderBy("product.id", "asc")
        .orderBy("id", "asc"),
    rows: [
      { id: 1, tenantId: 1, product: { name: "pen" } },
      { id: 2, tenantId: 1, product: { name: "pen" } },
      { id: 3, tenantId: 1, product: { name: "ink" } },
      { id: null, tenantId: null, product: { name: "pad" } },
      { id: null, tenantId: null, product: { name: "cap" } },
    ],
  },
  {
    name: "a scope of theirs: no row of another tenant comes back as one without ours",
    run: ({ sales: of, products: made }) =>
      of
        .query()
        .rightJoinOn("made", made.scope({ tenantId: 1 }), "productId", "id")
        .fields("id", "made.name")
        .orderBy("made.id", "asc")
        .orderBy("id", "asc"),
    rows: [
      { id: 1, made: { name: "pen" } },
      { id: 2, made: { name: "pen" } },
      { id: 3, made: { name: "ink" } },
      { id: null, made: { name: "cap" } },
    ],
  },
  {
    name: "scopes on both sides, by a condition, and counted",
    run: ({ sales: of, products: made }) =>
      of
        .scope({ tenantId: 2 })
        .query()
        .rightJoinOn("made", made.scope({ tenantId: 1 }), compare("made.id", "<", "productId"))
        .fields("made.name", count("id").as("sold"))
        .groupBy("made.name")
        .orderBy("made.name", "asc"),
    rows: [
      { made: { name: "cap" }, sold: 1 },
      { made: { name: "ink" }, sold: 2 },
      { made: { name: "pen" }, sold: 2 },
    ],
  },
  {
    name: "a part before that has no column that is never null",
    run: ({ sales: of }) =>
      of
        .query()
        .joinOn("note", notes, and(compare("qty", ">=", "note.low"), isNull("note.high")))
        .rightJoin("product")
        .fields("id", "note.high", "product.id")
        .orderBy("product.id", "asc"),
    rows: [
      { id: 2, note: { high: null }, product: { id: 1 } },
      { id: null, note: null, product: { id: 2 } },
      { id: 5, note: { high: null }, product: { id: 3 } },
      { id: null, note: null, product: { id: 4 } },
    ],
  },
  {
    name: "expressions and conditions over what may be missing, and rows inside of rows",
    run: ({ sales: of }) =>
      of
        .query()
        .rightJoin("product", "made")
        .fields("id", coalesce("qty", field("made.id")).as("qtyOrId"))
        .with("product")
        .whereOr(isNull("id"), and(notNull("productId"), c("qty", "=", "qty")))
        .orderBy("made.id", "asc"),
    params: { qty: 4 },
    rows: [
      { id: 5, qtyOrId: 4, product: { id: 3, name: "pad", tenantId: 2 } },
      { id: null, qtyOrId: 4, product: null },
    ],
  },
  {
    name: "as a table: what was a key of ours is none any more",
    run: ({ sales: of, products: made }) =>
      made
        .query()
        .joinQuery(
          of.query().rightJoin("product").fields("id", field("product.id").as("of")).as("all"),
          "id",
          "of",
        )
        .fields("name", "all.id")
        .whereNull("all.id"),
    rows: [{ name: "cap", all: { id: null } }],
  },
  {
    name: "groups of sums",
    run: ({ sales: of }) =>
      of
        .query()
        .rightJoinOn("made", products, "productId", "id")
        .fields("made.name", sum("qty").as("sold"))
        .groupBy("made.name")
        .orderBy("made.name", "asc"),
    rows: [
      { made: { name: "cap" }, sold: null },
      { made: { name: "ink" }, sold: 1 },
      { made: { name: "pad" }, sold: 4 },
      { made: { name: "pen" }, sold: 7 },
    ],
  },
  {
    name: "a table right joined to itself by <",
    run: ({ sales: of }) =>
      of
        .query()
        .rightJoinOn(
          "later",
          sales,
          and(compare("id", "<", "later.id"), compare("productId", "=", "later.productId")),
        )
        .fields("id", "later.id")
        .orderBy("later.id", "asc"),
    rows: [1, 2, 3, 4, 5, 6].map((id) => ({ id: id === 2 ? 1 : null, later: { id } })),
  },
];

export const cases: readonly Case<Market>[] = written.map((one) => ({
  ...one,
  texts: texts[one.name] ?? { sqlite: "", postgres: "", mariadb: "", oracle: "" },
}));
