/** What pages are in each dialect, and what comes back from every server: the first page, and those behind a cursor. */

import type { Pages, Shop } from "../../kit/shop.js";
import type { Case } from "../expression/expressions.cases.js";
import { texts } from "./pages.texts.js";

/** The second page of these, as a builder of rows. */
function second(pages: Pages) {
  return {
    render: () => pages.renderAfter(),
    exec: async (params?: object) => {
      const { next } = await pages.exec(params);
      return (await pages.exec(params, { after: next ?? "there is no second page" })).rows;
    },
  };
}

/** The first page. */
function first(pages: Pages) {
  return { render: () => pages.render(), exec: async (params?: object) => (await pages.exec(params)).rows };
}

const written: readonly Omit<Case<Shop>, "texts">[] = [
  {
    name: "the first page: a row more says whether there is another",
    run: ({ lines }) => first(lines.query().orderBy("qty", "desc").orderBy("id", "asc").page(2)),
    rows: [
      { id: 3, orderId: 2, sku: "A1", qty: 5 },
      { id: 2, orderId: 1, sku: "B2", qty: 3 },
    ],
  },
  {
    name: "a page behind a row: one bound for an index, then the terms one inside the other",
    run: ({ lines }) =>
      second(lines.query().fields("sku").orderBy("sku", "asc").orderBy("id", "desc").page(1)),
    rows: [{ sku: "A1" }],
  },
  {
    name: "a key alone, with a condition",
    run: ({ orders }) =>
      second(orders.query().fields("note").where("id", ">", "id").orderBy("id", "desc").page(2)),
    params: { id: 1 },
    rows: [{ note: null }],
  },
  {
    name: "fields that may be null, at their usual place and at another, and those of joined tables",
    run: ({ orders }) =>
      second(
        orders
          .query()
          .leftJoin("customer")
          .fields("id", "customer.name")
          .orderBy("customer.nick", "asc")
          .orderByNulls("note", "desc", "last")
          .orderBy("id", "desc")
          .page(2),
      ),
    rows: [
      { id: 3, customer: null },
      { id: 2, customer: { name: "Bob" } },
    ],
  },
  {
    name: "dates and bigints",
    run: ({ orders }) =>
      second(
        orders
          .query()
          .fields("id")
          .orderBy("placedAt", "desc")
          .orderBy("total", "desc")
          .orderBy("id", "asc")
          .page(3),
      ),
    rows: [{ id: 2 }],
  },
  {
    name: "a joined many, which needs a key of its own in the order",
    run: ({ orders }) =>
      second(
        orders
          .query()
          .leftJoin("lines")
          .fields("id", "lines.sku")
          .orderBy("id", "asc")
          .orderBy("lines.id", "asc")
          .page(2),
      ),
    rows: [
      { id: 2, lines: { sku: "A1" } },
      { id: 3, lines: null },
    ],
  },
];

/** The cases of pages. */
export const cases: readonly Case<Shop>[] = written.map((one) => ({
  ...one,
  texts: texts[one.name] ?? { sqlite: "", postgres: "", mariadb: "", oracle: "" },
}));
