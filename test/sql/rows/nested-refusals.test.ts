/** Nested rows that are refused, and what else runs with them: streams, plans, locks, transactions, callbacks, specs. */

import Handle from "better-sqlite3";
import { column, count, many, one, rowNumber, table, upper } from "rowtype";
import { mariadb } from "rowtype/mariadb";
import { oracle } from "rowtype/oracle";
import { postgres } from "rowtype/postgres";
import { sqlite } from "rowtype/sqlite";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { lines as linesTable, type Shop, shopOn, type Untyped } from "../../kit/shop.js";
import { sqlErrorIn } from "../../kit/thrown.js";

const { orders, lines, customers } = shopOn(sqlite());

function faultOf(builder: Untyped): string {
  const { code, message } = sqlErrorIn(() => builder.render());
  return `${code}: ${message}`;
}

describe("nested rows are refused", () => {
  const query = () => orders.query();
  const all = () => lines.query();

  test.each<[string, () => Untyped, string]>([
    [
      "of an unknown relation, which lists the known ones",
      () => query().with("linez", all()),
      'INVALID_RELATION: unknown relation "linez" of table "orders"; relations: customer, lines, payments',
    ],
    [
      "of rows of another table",
      () => query().with("lines", customers.query()),
      'INVALID_RELATION: relation "lines" leads to table "lines", and the query is of "customers"',
    ],
    [
      "of a number",
      () => query().with("lines", lines.count()),
      "INVALID_RELATION: with takes a query of rows",
    ],
    ["of a text", () => query().with("lines", "all"), "INVALID_RELATION: with takes a query, not a string"],
    ["of null", () => query().with("lines", null), "INVALID_RELATION: with takes a query, not null"],
    [
      "of a change",
      () => query().with("lines", (lines as unknown as { remove(): unknown }).remove()),
      "INVALID_RELATION: with takes a query, and remove changes rows",
    ],
    [
      "of another database",
      () => query().with("lines", shopOn(sqlite()).lines.query()),
      "INVALID_RELATION: with takes a query of the same database",
    ],
    [
      "of another dialect",
      () => query().with("lines", shopOn(postgres()).lines.query()),
      "INVALID_RELATION: with takes a query of the same dialect",
    ],
    [
      "under the name of a joined table",
      () => query().join("customer").with("customer"),
      'INVALID_ALIAS: nested rows cannot be named "customer": a joined table has that name',
    ],
    [
      "under the name of an expression",
      () => query().fields(upper("note").as("LINES")).with("lines"),
      'INVALID_ALIAS: nested rows cannot be named "lines": an expression has that name',
    ],
    [
      "under the name of a field",
      () => query().withOn("total", all(), "id", "orderId"),
      'INVALID_ALIAS: nested rows cannot be named "total": a field has that name',
    ],
    [
      "under no name",
      () => query().withOn("a b", all(), "id", "orderId"),
      'INVALID_ALIAS: "a b" cannot name',
    ],
    [
      "under __proto__",
      () => query().withOn("__proto__", all(), "id", "orderId"),
      'INVALID_ALIAS: "__proto__"',
    ],
    [
      "under one name twice",
      () => query().with("lines").with("lines", all()),
      'INVALID_ALIAS: nested rows are named "lines" twice',
    ],
    [
      "by an unknown field of theirs",
      () => query().withOn("all", all(), "id", "order"),
      'INVALID_FIELD: unknown field "order" on table "lines"',
    ],
    [
      "by an unknown field of ours",
      () => query().withOn("all", all(), "ident", "orderId"),
      'INVALID_FIELD: unknown field "ident" on table "orders"',
    ],
    ["by fields of two kinds", () => query().withOn("all", all(), "note", "orderId"), "INVALID_OPERATOR"],
    [
      "beside groups",
      () => query().fields("note", count().as("n")).groupBy("note").with("lines"),
      "INVALID_AGGREGATE: nested rows belong to a row, and these rows are groups",
    ],
    [
      "beside an aggregate",
      () => query().fields(count().as("n")).with("lines"),
      "INVALID_AGGREGATE: nested rows belong to a row, and these rows are groups",
    ],
    [
      "in a query with DISTINCT",
      () => query().with("lines").distinct(),
      "UNSUPPORTED: sqlite does not support nested rows in queries with DISTINCT",
    ],
    [
      "in a set operation",
      () => query().with("lines").union(query()),
      "UNSUPPORTED: sqlite does not support nested rows in set operations",
    ],
    [
      "with a mistake inside, which says where",
      () => query().with("lines", all().where("sk", "=", "sku")),
      'INVALID_FIELD: unknown field "sk" on table "lines"',
    ],
    [
      "deeper than eight levels",
      () => {
        let inner = customers.query();
        for (let i = 0; i < 9; i++) inner = customers.query().with("boss", inner);
        return inner;
      },
      "INVALID_SPEC: nested rows nest more than 8 levels",
    ],
  ])("%s", (_, make, fault) => {
    expect(faultOf(make())).toContain(fault);
  });

  test("with a lock inside", () => {
    const of = shopOn(postgres());
    expect(faultOf(of.orders.query().with("lines", of.lines.query().forUpdate()))).toBe(
      "INVALID_SPEC: a query inside another cannot lock rows",
    );
  });

  test("without the module of the tables", () => {
    const alone = sqlite().repository(linesTable) as unknown as Untyped;
    expect(faultOf(alone.query().with("order"))).toContain("needs the other tables");
  });

  test("where the dialect cannot write them: windows, and limits of one row of aggregates, on MariaDB", () => {
    const of = shopOn(mariadb());
    const ranked = of.lines.query().fields("sku", rowNumber().over({}).as("place"));
    expect(faultOf(of.orders.query().with("lines", ranked))).toContain("window functions in nested rows");
    const one = of.lines.query().fields(count().as("n")).limit(1);
    expect(faultOf(of.orders.query().with("lines", one))).toContain("limits of a nested row of aggregates");
  });

  test("eight levels are allowed", () => {
    for (const db of [sqlite(), postgres(), mariadb(), oracle()]) {
      const of: Shop = shopOn(db);
      let inner = of.customers.query().fields("id");
      for (let i = 0; i < 8; i++) inner = of.customers.query().fields("id").with("boss", inner);
      expect(inner.render().native.sql.match(/\bFROM\b/g)).toHaveLength(9);
    }
  });
});

describe("a step with nested rows", () => {
  test("is found again, and another query of rows leads elsewhere", () => {
    const make = (sku: string) =>
      orders
        .query()
        .with("lines", lines.query().where("sku", "=", sku))
        .fields("id");
    for (let i = 0; i < 2; i++) make("a").render();
    expect(make("a")).toBe(make("a"));
    expect(make("b")).not.toBe(make("a"));
    expect(make("b").render().params).toEqual(["b"]);
  });

  test("may have the name of a column whose field has another: nothing else is read by that name", async () => {
    const db = sqlite(new Handle(":memory:"));
    const parts = table(
      "parts",
      z.object({
        id: column(z.int(), { primaryKey: true }),
        boxId: column(z.int().nullable(), { name: "Box" }),
        label: column(z.string(), { name: "box_" }),
      }),
      { relations: { box: one("parts", "boxId"), inside: many("parts", "boxId") } },
    );
    await db.createTables(parts);
    const of = db.repositories({ parts }).parts;
    await of.insert().execBatch([
      { id: 1, boxId: null, label: "b" },
      { id: 2, boxId: 1, label: "a" },
    ]);
    const inside = of
      .query()
      .fields("id", "boxId")
      .with("box", of.query().fields("label"))
      .orderBy("boxId", "asc");
    expect(
      await of.query().fields("label").with("inside", inside).with("box").orderBy("label", "desc").exec(),
    ).toEqual([
      { label: "b", inside: [{ id: 2, boxId: 1, box: { label: "b" } }], box: null },
      { label: "a", inside: [], box: { id: 1, boxId: null, label: "b" } },
    ]);
  });

  test("shares a parameter by its name with the query around", () => {
    const shared = orders
      .query()
      .with("lines", lines.query().where("id", "=", "id").whereOptional("qty", ">", "least"))
      .where("id", "=", "id");
    expect(shared.render().params).toEqual(["id", "least"]);
  });
});
