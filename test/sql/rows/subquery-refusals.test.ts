/** Queries inside others that are refused, and what runs with them: values of several forms, scopes, specs. */
import {
  add,
  and,
  coalesce,
  column,
  count,
  decimal,
  exists,
  existsOn,
  inQuery,
  mul,
  not,
  notExists,
  of,
  or,
  param,
  sum,
  table,
  upper,
} from "rowtype";
import { postgres } from "rowtype/postgres";
import { sqlite } from "rowtype/sqlite";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { openShop, type Shop, shopOn, type Untyped } from "../../kit/shop.js";
import { sqlErrorIn, sqlErrorOf } from "../../kit/thrown.js";
import { type Lent, serversAndLocales, titleOf } from "../../servers.js";

const shop = shopOn(sqlite());
const { orders, lines, customers } = shop;
const { lines: others } = shopOn(sqlite());
const { lines: foreign } = shopOn(postgres());

function faultOf(builder: Untyped): string {
  const { code, message } = sqlErrorIn(() => builder.render());
  return `${code}: ${message}`;
}

type Step = "insert" | "onConflict" | "doUpdate" | "modify" | "set" | "where" | "whereOr" | "returning";
interface Chain extends Readonly<Record<Step, (...args: readonly unknown[]) => Chain>> {}
const written = (name: keyof Shop) => shop[name] as unknown as Chain;

// What follows is written as an untyped caller may write it.
const value = (builder: unknown) => builder as never;

describe("a query inside another is refused", () => {
  const query = () => orders.query().fields("id");

  test.each<[string, () => Untyped, string]>([
    [
      "with rows inside of its rows, where values are compared",
      () => query().whereQuery("id", "IN", lines.query().fields("orderId").with("order")),
      'INVALID_CONDITION: values cannot be compared with nested rows: leave out with("order")',
    ],
    [
      "the same in a condition that knew no builder",
      () => query().whereOr(inQuery("id", "IN", value(lines.query().fields("orderId").with("order")))),
      'INVALID_CONDITION: values cannot be compared with nested rows: leave out with("order")',
    ],
    [
      "of another database",
      () => query().whereExists("lines", others.query()),
      "INVALID_RELATION: a condition takes a query of the same database",
    ],
    [
      "of another dialect",
      () => query().whereQuery("id", "IN", foreign.query().fields("orderId")),
      "INVALID_RELATION: a condition takes a query of the same dialect",
    ],
    [
      "of another database, in a condition that knew none",
      () => query().whereOr(exists("lines", value(others.query()))),
      "INVALID_RELATION: a query inside another is of the same database",
    ],
    [
      "of another dialect, in a condition that knew none",
      () => query().whereOr(not(or(existsOn(value(foreign.query()), "id", value("orderId"))))),
      "INVALID_RELATION: a query inside another is of the same database",
    ],
    [
      "that is not a query",
      () => query().whereExists("lines", { where: [] }),
      "INVALID_RELATION: a condition takes a query, not an object",
    ],
    [
      "that is not a query, in a condition",
      () => query().whereOr(inQuery("id", "IN", value("lines"))),
      "INVALID_RELATION: a condition takes a query, not a string",
    ],
    [
      "of another table than the relation leads to",
      () => query().whereOr(notExists("lines", value(customers.query()))),
      'INVALID_RELATION: relation "lines" leads to table "lines", and the query is of "customers"',
    ],
    [
      "of several fields, which the message lists",
      () => query().whereQuery("id", "IN", lines.query().fields("id", "qty")),
      "INVALID_CONDITION: IN takes a query of one field, and this has 2: id, qty",
    ],
    [
      "of values of another kind",
      () => query().whereQuery("id", "IN", lines.query().fields("sku")),
      'INVALID_OPERATOR: "id" and "sku" of the query cannot be compared by IN',
    ],
    [
      "of rows beside a comparison",
      () => query().whereQuery("id", "=", lines.query().fields("id")),
      "INVALID_CONDITION: = takes one value, such as count() or avg(field); IN takes a query of one field",
    ],
    [
      "of one value in a list",
      () => query().whereQuery("id", "IN", lines.count()),
      "INVALID_CONDITION: IN takes a query of one field",
    ],
    [
      "beside a pattern",
      () => query().whereQuery("note", "LIKE", lines.query().fields("sku")),
      "INVALID_OPERATOR: LIKE takes no query",
    ],
    [
      "of one value beside a text",
      () => query().whereQuery("note", "=", lines.count()),
      'INVALID_OPERATOR: "note" and an expression cannot be compared by =',
    ],
    [
      "whose own conditions are wrong",
      () => query().whereOr(exists("lines", value(lines.query().where("skew", "=", "sku")))),
      'INVALID_FIELD: unknown field "skew" on table "lines"; fields: id, orderId, sku, qty',
    ],
    [
      "of an unknown relation, which lists the known ones",
      () => query().fields(of("line", count()).as("n")),
      'INVALID_RELATION: unknown relation "line" of table "orders"; relations: customer, lines, payments',
    ],
    [
      "of a relation to one row, gathered",
      () => query().fields(of("customer", count()).as("n")),
      'INVALID_RELATION: of takes a relation to many rows, and "customer" leads to one: join it',
    ],
    [
      "of related rows that are not gathered",
      () => query().fields(of("lines", value(upper("sku"))).as("n")),
      "INVALID_AGGREGATE: of takes an aggregate of the rows, such as count() or sum(field)",
    ],
    [
      "of a field that the related table does not have",
      () => query().fields(of("lines", sum("total")).as("n")),
      'INVALID_FIELD: unknown field "total": join("order") first, and write "order.total"; tables: lines',
    ],
  ])("%s", (_, builder, fault) => {
    expect(faultOf(builder())).toBe(fault);
  });

  test.each<[string, () => Untyped, string]>([
    [
      "with a lock",
      () => query().whereExists("lines", lines.query().forUpdate()),
      "INVALID_SPEC: a query inside another cannot lock rows (and 1 more)",
    ],
    [
      "in the update of an upsert",
      () => value(written("orders").insert().onConflict("id").doUpdate().whereOr(exists("lines"))),
      "INVALID_CONDITION: the update of an upsert takes no queries: ask before it, or by db.sql",
    ],
    [
      "in what an update returns",
      () =>
        value(
          written("orders")
            .modify()
            .set("note", "note")
            .where("id", "=", "id")
            .returning(of("lines", count()).as("n")),
        ),
      'INVALID_CONDITION: "n" cannot be returned: returning reads one changed row, and a query inside reads other rows',
    ],
  ])("%s", (_, builder, fault) => {
    expect(faultOf(builder())).toBe(fault);
  });

  test("that nests too deep", () => {
    let inside = customers.query();
    for (let i = 0; i < 40; i++) inside = customers.query().whereExists("boss", inside);
    expect(faultOf(inside)).toBe("INVALID_SPEC: queries nest more than 32 tables");
  });

  test("by a sum over two joins, which says what to use", () => {
    const builder = orders.query().join("lines").join("payments").fields(sum("lines.qty").as("n"));
    expect(faultOf(builder)).toMatch(/: use of\(relation, sum\(…\)\)$/);
  });
});

const sheet = table(
  "sheets",
  z.object({
    id: column(z.int(), { primaryKey: true }),
    fine: column(decimal(12, 4), {}),
    rough: column(decimal(10, 2).nullable(), {}),
    at: z.date(),
    day: column(z.date().nullable(), { type: "date" }),
  }),
);

interface Rows {
  execMany(params: object): Promise<unknown>;
}

interface Changing {
  modify(): { set(field: string, param: string): { whereQuery(...given: unknown[]): Rows } };
}

for (const server of serversAndLocales)
  describe.skipIf(!server.available)(`values of several forms on ${titleOf(server)}`, () => {
    let lent: Lent;
    let of: Shop;
    let sheets: Untyped;
    beforeAll(async () => {
      lent = await server.lend();
      await openShop(lent.db);
      of = shopOn(lent.db);
      await lent.db.createTables(sheet);
      sheets = lent.db.repository(sheet) as unknown as Untyped;
      const at = (text: string) => new Date(`${text}T00:00:00.000Z`);
      await lent.db
        .repository(sheet)
        .insert()
        .execBatch([
          { id: 1, fine: "1.5000", rough: null, at: at("2024-01-01"), day: null },
          { id: 2, fine: "2.2500", rough: "1.50", at: at("2024-01-02"), day: at("2024-01-01") },
          { id: 3, fine: "1.5001", rough: "2.25", at: at("2024-01-03"), day: at("2024-01-03") },
        ]);
    });
    afterAll(() => lent.close());

    test("decimals of two scales are equal where their numbers are", async () => {
      const among = sheets.query().fields("id").whereQuery("fine", "IN", sheets.query().fields("rough"));
      expect(await among.orderBy("id", "asc").exec()).toEqual([{ id: 1 }, { id: 2 }]);
      const first = sheets.query().fields("rough").orderBy("rough", "asc").limit(1);
      expect(await sheets.query().fields("id").whereQuery("fine", "NOT IN", first).exec()).toHaveLength(2);
    });

    // H2 itself fails where a date is looked for among moments.
    test.skipIf(titleOf(server).startsWith("h2"))(
      "dates of two forms are equal where they are one moment",
      async () => {
        const among = sheets.query().fields("id").whereQuery("at", "IN", sheets.query().fields("day"));
        expect(await among.orderBy("id", "asc").exec()).toEqual([{ id: 1 }, { id: 3 }]);
        const groups = sheets.query().fields("day").groupBy("day");
        const none = sheets.query().fields("id").whereQuery("at", "NOT IN", groups);
        expect(await none.exec()).toEqual([{ id: 2 }]);
      },
    );

    test("an aggregate over no rows is not a value, a count is 0", async () => {
      const { orders, lines } = of;
      const none = lines.max("qty").where("sku", "=", "sku");
      expect(await orders.query().whereQuery("id", "<", none).exec({ sku: "none" })).toEqual([]);
      const counted = lines.count().where("sku", "=", "sku");
      expect(await orders.count().whereQuery("id", ">", counted).exec({ sku: "none" })).toBe(4);
    });

    test("a call gives the parameters of parts that the text does not need, of the right types", async () => {
      const { orders, lines, customers } = of;
      const byQty = (name: string) => lines.query().orderBy(mul("qty", param(name)), "desc");
      const nested = orders
        .query()
        .fields("id")
        .with(
          "customer",
          customers
            .query()
            .fields("id")
            .orderBy(coalesce("nick", param("none")), "asc"),
        )
        .where("id", "=", "id");
      expect(nested.render().params).toEqual(["id"]);
      if (server.lacks?.(nested.render().native.sql) === undefined) {
        expect(await nested.exec({ id: 1, none: "z" })).toEqual([{ id: 1, customer: { id: 1 } }]);
        expect(await nested.exec({ id: 1 })).toEqual([{ id: 1, customer: { id: 1 } }]);
      }
      const { code } = await sqlErrorOf(nested.exec({ id: 1, none: 5 }));
      expect(code).toBe("PARAM_TYPE");
      const rows = byQty("rate")
        .fields(add("qty", param("more")).as("sum"))
        .limitParam("most");
      const all = { rate: 2, more: 1, most: 5, least: 3 };
      expect(await rows.where("qty", ">=", "least").count().exec(all)).toBe(2);
      expect(await rows.where("qty", ">=", "least").exists().exec(all)).toBe(true);
      expect((await sqlErrorOf(rows.count().exec({ other: 1 }))).code).toBe("EXTRA_PARAM");
      const among = byQty("rate").fields("orderId").where("qty", ">", "least");
      const found = orders.query().fields("id").whereQuery("id", "IN", among);
      expect(await found.exec({ least: 4, rate: 2 })).toEqual([{ id: 2 }]);
      const there = orders
        .query()
        .fields("id")
        .whereExists("lines", byQty("rate").where("qty", ">", "least"));
      expect(await there.exec({ least: 4, rate: 2 })).toEqual([{ id: 2 }]);
      const many = orders
        .query()
        .fields("id")
        .whereQuery("id", "=", rows.where("qty", ">=", "least").count());
      expect(await many.exec(all)).toEqual([{ id: 2 }]);
      const changing = byQty("rate").fields("id").where("qty", ">", "least");
      const change = (orders as unknown as Changing)
        .modify()
        .set("note", "note")
        .whereQuery("id", "IN", changing);
      expect(await change.execMany({ note: null, least: 4, rate: 2 })).toEqual([
        expect.objectContaining({ id: 3 }),
      ]);
    });

    test("the scope of a query holds inside, and conditions in it may be optional", async () => {
      const { orders, lines } = of;
      const scoped = lines.scope({ sku: "B2" }).query().whereOptional("qty", ">", "least");
      const query = orders.query().fields("id").whereExists("lines", scoped);
      expect(await query.exec()).toEqual([{ id: 1 }]);
      expect(await query.exec({ least: 3 })).toEqual([]);
      const part = orders.scope({ note: "first" }).query().fields("id").whereNotExists("customer.boss");
      expect(sqlErrorIn(() => part.render()).code).toBe("INVALID_RELATION");
    });

    test("a spec holds conditions with queries, and gives the same query again", async () => {
      const { orders, lines, customers } = of;
      const query = orders
        .query()
        .fields("id")
        .whereExists("lines", lines.query().where("sku", "=", "sku"))
        .whereOr(
          notExists("payments"),
          inQuery("customerId", "IN", value(customers.query().fields("bossId"))),
        )
        .whereQuery("id", "IN", lines.query().fields("orderId").limit(9))
        .orderBy("id", "asc");
      const spec = JSON.parse(JSON.stringify(query.toSpec()));
      expect(spec.where).toEqual([
        { exists: "lines", where: [{ field: "sku", operator: "=", param: "sku" }] },
        {
          logic: "OR",
          group: [
            { not_exists: "payments" },
            { field: "customerId", operator: "IN", query: { table: "customers", fields: ["bossId"] } },
          ],
        },
        { field: "id", operator: "IN", query: { table: "lines", fields: ["orderId"], limit: 9 } },
      ]);
      const again = orders.queryFromSpec(spec);
      expect(again.render()).toEqual(query.render());
      expect(await again.exec({ sku: "B2" })).toEqual(await query.exec({ sku: "B2" }));
      expect(await query.exec({ sku: "B2" })).toEqual([{ id: 1 }]);
    });
  });

describe("a chain of conditions with queries", () => {
  test("is found again once it came twice, and others lead elsewhere", () => {
    const rare = () => lines.query().where("qty", "<", "most");
    const make = (sku: string) =>
      orders
        .query()
        .whereOr(
          exists("lines", value(lines.query().where("sku", "=", sku))),
          not(and(existsOn(value(rare()), "id", value("orderId")), notExists("payments"))),
        )
        .whereOptional(inQuery("id", "IN", value(rare().fields("orderId"))))
        .fields("id");
    expect(make("a")).not.toBe(make("a"));
    for (let i = 0; i < 2; i++) expect(make("a").render().params).toEqual(["a", "most"]);
    expect(make("a")).toBe(make("a"));
    expect(make("b")).not.toBe(make("a"));
    expect(make("b").render().params).toEqual(["b", "most"]);
    const by = (field: string) =>
      orders.query().whereOr(inQuery(field, "IN", value(rare().fields("orderId"))));
    expect(by("id").render().native.sql).not.toBe(by("customerId").render().native.sql);
  });
});

describe("a spec cannot hold", () => {
  test.each<[string, () => Untyped]>([
    [
      "the query of a scope, which would find more without it",
      () => orders.query().whereExists("lines", lines.scope({ sku: "a" }).query()),
    ],
    ["a query of rows by two fields", () => orders.query().whereExistsOn(lines.query(), "id", "orderId")],
    [
      "a query of rows with a limit in exists",
      () => orders.query().whereExists("lines", lines.query().limit(1)),
    ],
    ["a comparison with an aggregate", () => orders.query().whereQuery("id", ">", lines.count())],
    [
      "the query of a part of a table in a list",
      () => orders.query().whereQuery("id", "IN", lines.scope({ sku: "a" }).query().fields("orderId")),
    ],
    ["an aggregate of related rows", () => orders.query().fields(of("lines", count()).as("n"))],
  ])("%s", (_, builder) => {
    expect(sqlErrorIn(() => builder().toSpec()).code).toBe("INVALID_SPEC");
  });

  test.each<[string, object, string]>([
    [
      "a table that is none of the module",
      { table: "people" },
      '"people" is not a table of the module; tables: countries, customers, orders, lines, payments',
    ],
    [
      "no table",
      {},
      "undefined is not a table of the module; tables: countries, customers, orders, lines, payments",
    ],
    ["an unknown key", { table: "lines", fields: ["id"], whre: [] }, 'unknown key "whre"'],
    ["a table that hides in a prototype", { table: "__proto__" }, '"__proto__" is not a table of the module'],
  ])("%s in a query of values", (_, query, message) => {
    const spec = { where: [{ field: "id", operator: "IN", query }] };
    const error = sqlErrorIn(() => orders.queryFromSpec(spec).render());
    expect(error.code).toBe("INVALID_SPEC");
    expect(error.message).toContain(message);
  });
});
