/** Queries as tables that are refused, and what else may be done with them: values of every kind, depths, specs, locks. */
import { column, count, type Database, decimal, field, json, sum, table } from "rowtype";
import { mariadb } from "rowtype/mariadb";
import { oracle } from "rowtype/oracle";
import { postgres } from "rowtype/postgres";
import { sqlite } from "rowtype/sqlite";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { type Shop, shopOn, type Untyped } from "../../kit/shop.js";
import { sqlErrorIn } from "../../kit/thrown.js";
import { type Lent, servers } from "../../servers.js";

const db = sqlite();
const { orders, customers, lines } = shopOn(db);

function over(source: unknown, on: Database = db): Untyped {
  return on.from(source as never) as unknown as Untyped;
}

function faultOf(build: () => Untyped): string {
  const { code, message } = sqlErrorIn(() => build().render());
  return `${code}: ${message}`;
}

const grouped = () => orders.query().fields("customerId", sum("total").as("spent")).groupBy("customerId");

describe("a query as a table is refused", () => {
  test.each<[string, () => Untyped, string]>([
    [
      "without a name",
      () => customers.query().joinQuery(grouped(), "id", "customerId"),
      "INVALID_RELATION: joinQuery takes a query with a name, query.as(name), not an object",
    ],
    [
      "that is null",
      () => customers.query().leftJoinQuery(null, "id", "customerId"),
      "INVALID_RELATION: leftJoinQuery takes a query with a name",
    ],
    ["to from, that is a table", () => over(orders), "INVALID_RELATION: from takes a query with a name"],
    [
      "of another database",
      () => over(shopOn(sqlite()).orders.query().as("o")),
      "INVALID_RELATION: from takes a query of the same database",
    ],
    [
      "of another dialect",
      () => customers.query().joinQuery(shopOn(postgres()).orders.query().as("o"), "id", "id"),
      "INVALID_RELATION: joinQuery takes a query of the same dialect",
    ],
    [
      "with nested rows",
      () => over(orders.query().with("lines").as("o")),
      'UNSUPPORTED: a query as a table has no nested rows: leave out with(…) of "o"',
    ],
    [
      "under a name with a blank",
      () => over(orders.query().as('o" --')),
      'INVALID_ALIAS: "o\\" --" cannot name a query: letters, digits and _, at most 63',
    ],
    [
      "under no name",
      () => over(orders.query().as(undefined)),
      "INVALID_ALIAS: undefined cannot name a query",
    ],
    ["under __proto__", () => over(orders.query().as("__proto__")), 'INVALID_ALIAS: "__proto__"'],
    [
      "under the name of a field",
      () => customers.query().joinQuery(grouped().as("name"), "id", "customerId"),
      'INVALID_ALIAS: a joined table cannot be named "name": a field has that name; give it another',
    ],
    [
      "under a name twice",
      () =>
        customers
          .query()
          .joinQuery(grouped().as("o"), "id", "customerId")
          .joinQuery(grouped().as("O"), "id", "customerId"),
      'INVALID_ALIAS: two joined tables are named "O"',
    ],
    [
      "with a part of a row",
      () => over(orders.query().leftJoin("customer").fields("id", "customer.name").as("o")),
      'INVALID_FIELD: "customer.name" is not a column of a query as a table: give it a name, field("customer.name").as(…)',
    ],
    [
      "with a mistake of its own, and nothing else is said",
      () => over(orders.query().fields("nope").as("o")).where("other", "=", "x"),
      'INVALID_FIELD: unknown field "nope" on table "orders"; fields: id, customerId, total, note, placedAt',
    ],
    [
      "with a lock",
      () => over(shopOn(postgres()).orders.query().forUpdate().as("o"), postgres()),
      "INVALID_RELATION: from takes a query of the same database",
    ],
    [
      "joined by a field that it does not have",
      () => customers.query().joinQuery(grouped().as("o"), "id", "total"),
      'INVALID_FIELD: unknown field "total" on table "o"; fields: customerId, spent',
    ],
    [
      "joined by fields of two kinds",
      () => customers.query().joinQuery(grouped().as("o"), "name", "customerId"),
      'INVALID_OPERATOR: "name" and "o.customerId" cannot be compared by =',
    ],
    [
      "by an unknown field",
      () => over(grouped().as("o")).where("total", "=", "x"),
      'INVALID_FIELD: unknown field "total" on table "o"; fields: customerId, spent',
    ],
    [
      "by a relation",
      () => over(orders.query().as("o")).join("customer"),
      'INVALID_RELATION: unknown relation "customer" of table "o", which declares none',
    ],
    [
      "where its rows repeat what is summed",
      () => orders.query().joinQuery(lines.query().as("l"), "id", "orderId").fields(sum("total").as("all")),
      'FAN_OUT: sum would take a value once for each row of "l", which is joined',
    ],
    [
      "written once under the name of a table",
      () => over(db.with("orders", orders.query() as never)),
      'INVALID_ALIAS: a query cannot be named "orders": the statement reads a table of that name',
    ],
    [
      "where two that are written once have one name",
      () =>
        over(db.with("o", orders.query() as never)).joinQuery(
          db.with("O", orders.query().where("id", "=", "id") as never),
          "id",
          "id",
        ),
      'INVALID_ALIAS: two queries of the statement are named "O": make it once, and use it twice',
    ],
    [
      "where a count is given to with",
      () => over(db.with("o", orders.count() as never)),
      "INVALID_RELATION: with takes a query of rows, and this is a count",
    ],
  ])("%s", (_, build, fault) => {
    expect(faultOf(build).slice(0, fault.length)).toBe(fault);
  });

  test("a lock inside, and one of its rows", () => {
    const pg = postgres();
    const { orders } = shopOn(pg);
    expect(faultOf(() => over(orders.query().forUpdate().as("o"), pg))).toBe(
      "INVALID_SPEC: a query inside another cannot lock rows",
    );
    expect(faultOf(() => over(orders.query().as("o"), pg).forUpdate())).toBe(
      "INVALID_SPEC: the rows of a query as a table cannot be locked",
    );
  });

  test("by a spec: a builder over one, and one that joins one", () => {
    expect(() => over(grouped().as("o")).toSpec()).toThrow("a spec cannot hold a query as a table");
    expect(() => customers.query().joinQuery(grouped().as("o"), "id", "customerId").toSpec()).toThrow(
      "a spec cannot hold joins by fields",
    );
    expect(() =>
      over(grouped().as("o"))
        .union(over(grouped().as("o")))
        .toSpec(),
    ).toThrow("a spec cannot hold");
  });
});

describe("queries in queries", () => {
  const nested = (levels: number) => {
    let query = orders.query().where("id", ">", "id0");
    for (let i = 1; i <= levels; i++) query = over(query.as(`level${i}`)).where("id", ">", `id${i}`);
    return query;
  };

  test("30 levels are one statement with 31 parameters", () => {
    const { native } = nested(30).render();
    expect(native.params).toHaveLength(31);
    expect(native.sql.match(/FROM/g)).toHaveLength(31);
  });

  test("more than 32 levels are refused", () => {
    expect(faultOf(() => nested(33))).toBe("INVALID_SPEC: queries nest more than 32 levels");
  });

  test("a chain that is written again is the same statement", () => {
    const build = () => over(grouped().where("id", ">", "id").as("o")).where("spent", ">", "least");
    build().render();
    const once = build();
    once.render();
    expect(build()).toBe(once);
    expect(over(grouped().where("id", ">", "id").as("other")).where("spent", ">", "least")).not.toBe(once);
  });

  test("a sum over a query with one row for each is not a fan-out, whether by groups or by a key", () => {
    const one = orders.query().join("customer").fields("id", field("customer.name").as("who")).as("o");
    const sums = [
      lines.query().joinQuery(one, "orderId", "id").fields(sum("qty").as("n")),
      customers.query().joinQuery(grouped().as("o"), "id", "customerId").fields(sum("id").as("n")),
    ];
    for (const query of sums) expect(query.render().sql).toContain("SUM(");
  });

  test("each dialect writes a query in parentheses with its name, without a word between", () => {
    for (const on of [postgres(), mariadb(), sqlite(), oracle()] as Database[]) {
      const { sql } = over(shopOn(on).orders.query().fields("id").as("o"), on).render().native;
      expect(sql.replace(/[`"]/g, "")).toBe("SELECT id FROM (SELECT id FROM orders) o");
    }
  });
});

const things = table(
  "source_things",
  z.object({
    id: column(z.int(), { primaryKey: true }),
    text: z.string().nullable(),
    day: column(z.date().nullable(), { name: "day_at" }),
    big: z.bigint().nullable(),
    amount: decimal(18, 10).nullable(),
    double: z.number().nullable(),
    flag: z.boolean().nullable(),
    bytes: z.instanceof(Uint8Array).nullable(),
    doc: json(z.object({ a: z.array(z.number()), b: z.string().nullable() })).nullable(),
    list: z.array(z.string()).nullable(),
    word: z.enum(["one", "two"]).nullable(),
  }),
);

const rows = [
  {
    id: 1,
    text: "quote ' \" \\ emoji 🎉 \u2028 end",
    day: new Date("1969-12-31T23:59:59.001Z"),
    big: -9223372036854775808n,
    amount: "12345678.0123456789",
    double: 0.1 + 0.2,
    flag: false,
    bytes: new Uint8Array([0, 255, 10]),
    doc: { a: [1, 0.1], b: null },
    list: ["", "b"],
    word: "two" as const,
  },
  {
    id: 2,
    text: null,
    day: null,
    big: null,
    amount: null,
    double: null,
    flag: null,
    bytes: null,
    doc: null,
    list: null,
    word: null,
  },
];

for (const server of servers)
  describe.skipIf(!server.available)(`values through queries as tables on ${server.name}`, () => {
    let lent: Lent;
    beforeAll(async () => {
      lent = await server.lend();
      await lent.db.createTables(things);
      await lent.db.repository(things).insert().execBatch(rows);
    });
    afterAll(() => lent.close());

    test("every kind comes back as it is stored: over one query, over two, joined, written once", async () => {
      const { db } = lent;
      const query = db.repository(things).query();
      const plain = await query.orderBy("id", "asc").exec();
      expect(plain[1]).toEqual(rows[1]);
      const twice = db.from(db.from(query.as("a")).as("b"));
      expect(await twice.orderBy("id", "asc").exec()).toEqual(plain);
      expect(await db.from(db.with("c", query)).orderBy("id", "asc").exec()).toEqual(plain);
      const joined = await query
        .leftJoinQuery(query.where("flag", "=", "flag").as("other"), "id", "id")
        .fields("id", "other.*")
        .orderBy("id", "asc")
        .exec({ flag: false });
      expect(joined).toEqual([
        { id: 1, other: plain[0] },
        { id: 2, other: null },
      ]);
    });

    test("values are compared with what the query has, as with what a table has", async () => {
      const { db } = lent;
      const query = db.repository(things).query();
      const [first] = await query.orderBy("id", "asc").exec();
      const over = db.from(query.as("a"));
      for (const name of ["text", "day", "big", "amount", "double", "flag", "word"] as const) {
        const condition = over.dynamic().where(name, "=" as never, "value");
        expect([name, await condition.count().exec({ value: first?.[name] })]).toEqual([name, 1]);
      }
    });
  });

for (const server of servers)
  describe.skipIf(!server.available)(`calls of queries as tables on ${server.name}`, () => {
    let lent: Lent;
    let of: Shop;
    beforeAll(async () => {
      lent = await server.lend();
      const { openShop } = await import("../../kit/shop.js");
      await openShop(lent.db);
      of = shopOn(lent.db);
    });
    afterAll(() => lent.close());

    test("counts, existence, streams, plans and transactions", async () => {
      const { db } = lent;
      const query = over(of.orders.query().where("id", ">", "id").as("o"), db);
      expect(await query.count().exec({ id: 1 })).toBe(3);
      expect(await query.where("id", ">", "most").exists().exec({ id: 1, most: 4 })).toBe(false);
      const streamed: unknown[] = [];
      for await (const row of query.fields("id").orderBy("id", "asc").stream({ id: 2 })) streamed.push(row);
      expect(streamed).toEqual([{ id: 3 }, { id: 4 }]);
      if (server.name !== "h2") expect(await query.explain({ id: 1 })).not.toBe("");
      await db.transaction(async (tx) => {
        const inside = tx.from(
          of.orders.query().fields("id", count().as("n")).groupBy("id").as("o") as never,
        );
        expect(await inside.count().exec()).toBe(4);
      });
    });
  });
