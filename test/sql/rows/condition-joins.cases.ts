/** What joins by conditions are in each dialect, and what comes back from every server. */
import { add, and, between, c, compare, count, isNull, mul, not, or, rowNumber, sum } from "rowtype";
import { day, type Market, notes, prices, sales } from "../../kit/sales.js";
import type { Case } from "../expression/expressions.cases.js";
import { texts } from "./condition-joins.texts.js";

/** The price of a sale: of its product, from a day on and until another day, if there is one. */
const holds = (price: string) =>
  and(
    compare("productId", "=", `${price}.productId`),
    compare("at", ">=", `${price}.from`),
    or(isNull(`${price}.to`), compare("at", "<", `${price}.to`)),
  );

export const written: readonly Omit<Case<Market>, "texts">[] = [
  {
    name: "a left join by a range of days: rows without a match have null as a whole",
    run: ({ sales: of }) =>
      of
        .query()
        .leftJoinOn("price", prices, holds("price"))
        .fields("id", "price.amount")
        .orderBy("id", "asc"),
    rows: [
      { id: 1, price: { amount: 10 } },
      { id: 2, price: { amount: 12 } },
      { id: 3, price: null },
      { id: 4, price: null },
      { id: 5, price: null },
      { id: 6, price: null },
    ],
  },
  {
    name: "a join by a range of days leaves rows without a match out",
    run: ({ sales: of, prices: rates }) =>
      of
        .query()
        .joinOn("price", rates, holds("price"))
        .fields("id", mul("qty", "price.amount").as("total"))
        .orderBy("id", "asc"),
    rows: [
      { id: 1, total: 20 },
      { id: 2, total: 60 },
    ],
  },
  {
    name: "parameters of the condition stand in ON, before those of WHERE",
    run: ({ sales: of }) =>
      of
        .query()
        .where("qty", "<", "most")
        .leftJoinOn("price", prices, and(holds("price"), c("price.amount", ">", "least")))
        .where("id", "<=", "last")
        .fields("id", "price.amount")
        .orderBy("id", "asc"),
    params: { most: 6, least: 10, last: 3 },
    rows: [
      { id: 1, price: null },
      { id: 2, price: { amount: 12 } },
      { id: 3, price: null },
    ],
  },
  {
    name: "a table joined to itself by <",
    run: ({ sales: of }) =>
      of
        .query()
        .joinOn(
          "later",
          sales,
          and(compare("id", "<", "later.id"), compare("productId", "=", "later.productId")),
        )
        .fields("id", "later.id"),
    rows: [{ id: 1, later: { id: 2 } }],
  },
  {
    name: "a left join of a table whose columns may all be null: a row that is all null is a part",
    run: ({ sales: of }) =>
      of
        .query()
        .leftJoinOn(
          "note",
          notes,
          or(
            and(compare("qty", ">=", "note.low"), compare("qty", "<=", "note.high")),
            and(c("qty", "=", "nine"), isNull("note.low")),
          ),
        )
        .fields("id", "note.text")
        .where("id", "!=", "five")
        .orderBy("id", "asc")
        .orderBy("note.text", "asc"),
    params: { nine: 9, five: 5 },
    rows: [
      { id: 1, note: { text: "few" } },
      { id: 2, note: { text: null } },
      { id: 3, note: { text: "few" } },
      { id: 4, note: { text: null } },
      { id: 6, note: { text: "few" } },
    ],
  },
  {
    name: "conditions see what was joined before, arithmetic, not and between",
    run: ({ sales: of }) =>
      of
        .query()
        .leftJoin("product")
        .leftJoinOn(
          "price",
          prices,
          and(compare("product.id", "=", "price.productId"), not(c("product.name", "=", "not"))),
        )
        .leftJoinOn(
          "double",
          prices,
          and(compare("double.amount", ">", add("price.amount", "qty")), between("double.id", "low", "high")),
        )
        .fields("id", "price.id", "double.id")
        .whereOr(c("id", "=", "one"), c("id", "=", "three"))
        .orderBy("id", "asc")
        .orderBy("price.id", "asc"),
    params: { not: "cap", low: 2, high: 3, one: 1, three: 3 },
    rows: [
      { id: 1, price: { id: 1 }, double: { id: 3 } },
      { id: 1, price: { id: 2 }, double: { id: 3 } },
      { id: 3, price: { id: 3 }, double: null },
    ],
  },
  {
    name: "the best of each group as rows: a query with a place, joined by a condition",
    run: ({ products: of, prices: rates }) =>
      of
        .query()
        .joinQuery(
          rates
            .query()
            .fields(
              "productId",
              "amount",
              rowNumber()
                .over({ partitionBy: ["productId"], orderBy: [["amount", "desc"]] })
                .as("place"),
            )
            .where("amount", ">", "least")
            .as("best"),
          and(compare("id", "=", "best.productId"), c("best.place", "<=", "places")),
        )
        .fields("name", "best.amount")
        .where("name", "!=", "not")
        .orderBy("name", "asc"),
    params: { least: 5, places: 1, not: "cap" },
    rows: [
      { name: "ink", best: { amount: 20 } },
      { name: "pen", best: { amount: 12 } },
    ],
  },
  {
    name: "a left join of a query by a condition",
    run: ({ products: of, sales: sold }) =>
      of
        .query()
        .leftJoinQuery(
          sold.query().fields("productId", sum("qty").as("sold")).groupBy("productId").as("per"),
          and(compare("id", "=", "per.productId"), c("per.sold", ">", "least")),
        )
        .fields("id", "per.sold")
        .orderBy("id", "asc"),
    params: { least: 3 },
    rows: [
      { id: 1, per: { sold: 7 } },
      { id: 2, per: null },
      { id: 3, per: { sold: 4 } },
      { id: 4, per: null },
    ],
  },
  {
    name: "a condition that fixes a key gives one row for each of ours, whose sums count once",
    run: ({ sales: of, products: made }) =>
      of
        .query()
        .joinOn(
          "made",
          made,
          and(compare("made.id", "=", "productId"), compare("made.tenantId", "=", "tenantId")),
        )
        .fields("made.name", sum("qty").as("sold"), count().as("times"))
        .groupBy("made.name")
        .orderBy("made.name", "asc"),
    rows: [
      { made: { name: "ink" }, sold: 1, times: 1 },
      { made: { name: "pad" }, sold: 4, times: 1 },
      { made: { name: "pen" }, sold: 7, times: 2 },
    ],
  },
  {
    name: "a scoped repository is joined by a condition: only its part",
    run: ({ sales: of, products: made }) =>
      of
        .query()
        .leftJoinOn("made", made.scope({ tenantId: 1 }), compare("made.id", "<=", "productId"))
        .fields("id", "made.id")
        .where("at", ">=", "from")
        .where("at", "<", "until")
        .orderBy("id", "asc")
        .orderBy("made.id", "asc"),
    params: { from: day("2024-01-01"), until: day("2024-01-10") },
    rows: [
      { id: 5, made: { id: 1 } },
      { id: 5, made: { id: 2 } },
      { id: 6, made: { id: 1 } },
      { id: 6, made: { id: 2 } },
      { id: 6, made: { id: 4 } },
    ],
  },
];

export const cases: readonly Case<Market>[] = written.map((one) => ({
  ...one,
  texts: texts[one.name] ?? { sqlite: "", postgres: "", mariadb: "", oracle: "" },
}));
