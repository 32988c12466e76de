/** Joins by conditions that are refused, and what else is true of them: specs, pages, sums, kept texts. */
import { and, c, compare, count, exists, inQuery, isNull, or, rowNumber, sum } from "rowtype";
import { sqlite } from "rowtype/sqlite";
import { describe, expect, test } from "vitest";
import { marketOn, notes, prices, products } from "../../kit/sales.js";
import type { Untyped } from "../../kit/shop.js";
import { sqlErrorIn } from "../../kit/thrown.js";

const { sales, products: made, prices: rates } = marketOn(sqlite());
const other = marketOn(sqlite());

function faultOf(builder: Untyped): string {
  const { code, message } = sqlErrorIn(() => builder.render());
  return `${code}: ${message}`;
}

const since = compare("at", ">=", "price.from");
const same = compare("productId", "=", "price.productId");

describe("a join by a condition is refused", () => {
  const query = () => sales.query();

  test.each<[string, () => Untyped, string]>([
    [
      "whose condition names no field of the joined table",
      () => query().joinOn("price", prices, compare("at", ">=", "at")),
      'INVALID_CONDITION: the condition names no field of "price": write "price.field" for a field of it',
    ],
    [
      "of a query, likewise",
      () => query().leftJoinQuery(rates.query().as("price"), c("qty", ">", "least")),
      'INVALID_CONDITION: the condition names no field of "price"',
    ],
    [
      "whose condition has a relation inside",
      () => query().joinOn("price", prices, and(since, exists("product"))),
      "INVALID_CONDITION: a condition that joins rows takes no query: put that into where",
    ],
    [
      "whose condition has a query inside",
      () =>
        query().joinOn(
          "price",
          prices,
          and(since, inQuery("price.id", "IN", rates.query().fields("id") as never)),
        ),
      "INVALID_CONDITION: a condition that joins rows takes no query: put that into where",
    ],
    [
      "whose condition has an aggregate",
      () => query().joinOn("price", prices, compare(sum("price.amount"), ">", "qty")),
      "INVALID_CONDITION: an aggregate needs groups: filter by having",
    ],
    [
      "whose condition has a window",
      () =>
        query().joinOn("price", prices, compare(rowNumber().over({ partitionBy: ["price.id"] }), "<", "qty")),
      "INVALID_CONDITION: a condition cannot use a window function: windows are over the rows that conditions have chosen",
    ],
    [
      "by a misspelt field of theirs",
      () => query().joinOn("price", prices, compare("at", ">=", "price.frm")),
      'INVALID_FIELD: unknown field "price.frm"',
    ],
    [
      "by a misspelt field of ours",
      () => query().joinOn("price", prices, compare("when", ">=", "price.from")),
      'INVALID_FIELD: unknown field "when"',
    ],
    [
      "by a table that is joined behind it",
      () =>
        query()
          .joinOn("price", prices, compare("price.id", "=", "made.id"))
          .joinOn("made", products, compare("made.id", "=", "productId")),
      'INVALID_FIELD: unknown field "made.id"',
    ],
    [
      "by fields of two kinds",
      () => query().joinOn("price", prices, compare("at", ">=", "price.amount")),
      'INVALID_OPERATOR: "at" and "price.amount" cannot be compared by >=',
    ],
    [
      "by what is no condition",
      () => query().joinOn("price", prices, { field: "at", operator: ">=", right_field: "price.from" }),
      "INVALID_CONDITION: a condition must be made by c, isNull, between, and, or, not; not",
    ],
    ["by nothing", () => query().joinOn("price", prices), "INVALID_FIELD: unknown field"],
    [
      "under the name of a field",
      () => query().joinOn("qty", prices, compare("at", ">=", "qty.from")),
      'INVALID_ALIAS: a joined table cannot be named "qty"',
    ],
    [
      "of a repository of another database",
      () => query().joinOn("price", other.prices, since),
      "INVALID_RELATION: a join takes a repository of the same database",
    ],
  ])("%s", (_, builder, message) => {
    expect(faultOf(builder())).toContain(message);
  });
});

describe("a join by a condition", () => {
  test("is nothing that a spec can hold", () => {
    const builder = sales.query().leftJoinOn("price", prices, since);
    expect(sqlErrorIn(() => builder.toSpec())).toMatchObject({
      code: "INVALID_SPEC",
      message: expect.stringContaining("joins by conditions"),
    });
  });

  test("counts as a many: a sum of ours would count rows twice", () => {
    const summed = (on: unknown) =>
      sales.query().joinOn("price", prices, on).fields(sum("qty").as("sold"), count().as("n"));
    const message = 'FAN_OUT: sum would take a value once for each row of "price", which is joined';
    expect(faultOf(summed(and(since, same)))).toContain(message);
    // An equality fixes a key only where it always holds, and only with values of the other side.
    expect(faultOf(summed(or(compare("price.id", "=", "productId"), since)))).toContain(message);
    expect(faultOf(summed(compare("price.id", "=", "price.productId")))).toContain(message);
    expect(faultOf(summed(compare("price.id", ">=", "productId")))).toContain(message);
  });

  test("counts as a one where it fixes a key of theirs by =, by a field or by a parameter", () => {
    const summed = (on: unknown) => sales.query().joinOn("price", prices, on).fields(sum("qty").as("sold"));
    const params = (builder: Untyped) => builder.render().params;
    expect(params(summed(and(compare("productId", "=", "price.id"), since)))).toEqual([]);
    expect(params(summed(and(since, and(c("price.id", "=", "id")))))).toEqual(["id"]);
  });

  test("of a many: the order of a page must hold a key of it", () => {
    const paged = (on: unknown) =>
      sales.query().joinOn("price", prices, on).fields("id", "price.id").orderBy("id", "asc");
    const fault = (builder: Untyped) => sqlErrorIn(() => builder.page(10).render()).code;
    expect(fault(paged(since))).toBe("UNSTABLE_ORDER");
    expect(paged(since).orderBy("price.id", "asc").page(10).render().sql).toContain("LIMIT 11");
    expect(
      paged(compare("price.id", "=", "productId"))
        .page(10)
        .render().sql,
    ).toContain("LIMIT 11");
    expect(
      fault(
        sales
          .query()
          .joinOn("note", notes, compare("note.low", "<", "qty"))
          .orderBy("id", "asc"),
      ),
    ).toBe("UNSTABLE_ORDER");
  });

  test("stands between tables whose rows it would repeat", () => {
    const builder = made
      .query()
      .join("sales")
      .joinOn("price", prices, compare("sales.at", ">=", "price.from"))
      .fields("price.id", sum("price.amount").as("paid"))
      .groupBy("price.id");
    // Each price is there once for each of the sales that lead to it, as with any relation of a sale.
    expect(builder.render().sql).toContain("SUM");
    const beside = made
      .query()
      .join("sales")
      .joinOn("price", prices, compare("id", "=", "price.productId"))
      .fields(count().as("n"));
    expect(faultOf(beside)).toContain(
      'FAN_OUT: count would take each row of "sales" once for each row of "price"',
    );
  });

  test("gives one builder for one chain, and another for another condition", () => {
    const chain = (operator: ">" | "<", name: string) =>
      sales
        .query()
        .leftJoinOn("price", prices, and(compare("at", operator, "price.from"), c("price.id", "=", name)));
    chain(">", "id").render();
    const first = chain(">", "id");
    first.render();
    expect(chain(">", "id")).toBe(first);
    expect(chain("<", "id")).not.toBe(first);
    expect(chain(">", "other").render().params).toEqual(["other"]);
    sales.query().leftJoinQuery(rates.query().as("price"), since).render();
    const query = sales.query().leftJoinQuery(rates.query().as("price"), since);
    query.render();
    expect(sales.query().leftJoinQuery(rates.query().as("price"), since)).toBe(query);
    expect(sales.query().leftJoinQuery(rates.query().as("price"), isNull("price.to"))).not.toBe(query);
    expect(sales.query().joinQuery(rates.query().as("price"), since)).not.toBe(query);
  });
});
