/** Joins that are refused, and what else runs over joined tables: counts, locks, streams, plans, specs. */
import { avg, count, countDistinct, mul, sum } from "rowtype";
import { mariadb } from "rowtype/mariadb";
import { oracle } from "rowtype/oracle";
import { postgres } from "rowtype/postgres";
import { sqlite } from "rowtype/sqlite";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  customers,
  openShop,
  orders as ordersTable,
  type Shop,
  shopOn,
  type Untyped,
} from "../../kit/shop.js";
import { sqlErrorIn } from "../../kit/thrown.js";
import { type Lent, servers } from "../../servers.js";

const { orders, lines, customers: clients } = shopOn(sqlite());

function faultOf(builder: Untyped): string {
  const { code, message } = sqlErrorIn(() => builder.render());
  return `${code}: ${message}`;
}

describe("a join is refused", () => {
  const query = () => orders.query();

  test.each<[string, () => Untyped, string]>([
    [
      "of an unknown relation, which lists the known ones",
      () => query().join("custmer"),
      'INVALID_RELATION: unknown relation "custmer" of table "orders"; relations: customer, lines, payments',
    ],
    [
      "from a table that is not joined before",
      () => query().join("customer.country"),
      'INVALID_RELATION: "customer" in "customer.country" must be a table that is joined before; joined: none yet',
    ],
    [
      "of a relation that the joined table does not have",
      () => query().join("customer").join("customer.lines"),
      'INVALID_RELATION: unknown relation "lines" of table "customers"; relations: country, boss, orders',
    ],
    [
      "without a path",
      () => query().join(undefined),
      "INVALID_RELATION: a relation must be a text, not null",
    ],
    ["of a number", () => query().leftJoin(7), "INVALID_RELATION: a relation must be a text, not a number"],
    ["of the prototype", () => query().join("__proto__"), "INVALID_RELATION: unknown relation"],
    ["of a method of objects", () => query().join("toString"), "INVALID_RELATION: unknown relation"],
    [
      "under the name of a field",
      () => query().join("customer", "total"),
      'INVALID_ALIAS: a joined table cannot be named "total": a field has that name; give it another',
    ],
    [
      "under a name twice, whatever its case",
      () => query().join("customer").join("customer.boss", "CUSTOMER"),
      'INVALID_ALIAS: two joined tables are named "CUSTOMER"',
    ],
    ["under no name", () => query().join("customer", "a b"), 'INVALID_ALIAS: "a b" cannot name a table'],
    ["under __proto__", () => query().join("customer", "__proto__"), 'INVALID_ALIAS: "__proto__"'],
    ["under a name with a dot", () => query().join("customer", "a.b"), 'INVALID_ALIAS: "a.b" cannot name'],
    ["under a number", () => query().join("customer", 7), "INVALID_ALIAS: a number cannot name a table"],
    [
      "under the name of an expression",
      () => query().join("lines").fields(count().as("lines")),
      'INVALID_ALIAS: an expression cannot be named "lines": a joined table has that name',
    ],
    [
      "of what is not a table",
      () => query().joinOn("x", { columns: {} }, "id", "id"),
      "INVALID_RELATION: a join takes a table made by table(), or a repository, not an object",
    ],
    ["of null", () => query().leftJoinOn("x", null, "id", "id"), "INVALID_RELATION: a join takes a table"],
    ["of a proxy that throws", () => query().joinOn("x", hostile(), "id", "id"), "INVALID_RELATION: a join"],
    [
      "by an unknown field of ours",
      () => query().joinOn("c", customers, "custId", "id"),
      'INVALID_FIELD: unknown field "custId" on table "orders"; fields: id, customerId, total, note, placedAt',
    ],
    [
      "by an unknown field of theirs",
      () => query().joinOn("c", customers, "customerId", "ident"),
      'INVALID_FIELD: unknown field "ident" on table "customers"',
    ],
    [
      "by fields of two kinds",
      () => query().joinOn("c", customers, "customerId", "name"),
      'INVALID_OPERATOR: "customerId" and "c.name" cannot be compared by =',
    ],
    [
      "of more tables than the server takes",
      () => joinedTimes(orders, 64),
      "UNSUPPORTED: sqlite does not support queries of more than 64 tables: read some of them by queries of their own",
    ],
  ])("%s", (_, builder, message) => {
    expect(faultOf(builder())).toContain(message);
  });

  test("by relations where no module was given", () => {
    const alone = sqlite().repository(ordersTable) as unknown as Untyped;
    expect(faultOf(alone.query().join("customer"))).toBe(
      'INVALID_RELATION: relation "customer" needs the other tables: make the repositories with db.repositories(module)',
    );
  });
});

describe("a name that is not a field", () => {
  test.each<[string, () => Untyped, string]>([
    [
      "of a relation that is not joined",
      () => orders.query().where("customer.name", "=", "n"),
      'unknown field "customer.name": join("customer") first; tables: orders',
    ],
    [
      "of a relation of a joined table",
      () => orders.query().join("customer").where("country.name", "=", "n"),
      'unknown field "country.name": join("customer.country") first; tables: orders, customer',
    ],
    [
      "of a relation, without its name",
      () => lines.query().orderBy("placedAt", "asc"),
      'unknown field "placedAt": join("order") first, and write "order.placedAt"; tables: lines',
    ],
    [
      "of a joined table, without its name",
      () => orders.query().join("customer").where("name", "=", "n"),
      'unknown field "name": write "customer.name"; tables: orders, customer',
    ],
    [
      "of a joined table, misspelt",
      () => clients.query().join("country").where("country.nam", "=", "n"),
      'unknown field "country.nam"; fields of "countries": id, name; tables: customers, country',
    ],
    [
      "of nothing",
      () => clients.query().join("country").fields("town.*"),
      'unknown field "town.*"; tables: customers, country',
    ],
    [
      "with two dots",
      () => orders.query().join("customer").fields("customer.country.name"),
      'unknown field "customer.country.name"',
    ],
  ])("%s", (_, builder, message) => {
    expect(faultOf(builder())).toContain(`INVALID_FIELD: ${message}`);
  });

  test("of a joined table beside an aggregate must be grouped", () => {
    expect(faultOf(orders.query().join("customer").fields("customer.name", count().as("n")))).toContain(
      'INVALID_AGGREGATE: field "customer.name" is not grouped',
    );
  });
});

describe("fan-out", () => {
  const two = () => orders.query().join("lines").join("payments");

  test.each<[string, () => Untyped]>([
    ["a sum over two manys", () => two().fields(sum("lines.qty").as("n"))],
    ["a count over two manys", () => two().fields(count("lines.id").as("n"))],
    ["an average of both", () => two().fields(avg(mul("lines.qty", "payments.amount")).as("n"))],
    ["a filter of groups", () => two().fields("id").groupBy("id").havingAgg("sum", "lines.qty", ">", "n")],
    ["a sum of the own table over a many", () => orders.query().join("lines").fields(sum("total").as("n"))],
    ["the same as an aggregate", () => orders.sum("total").leftJoin("lines")],
    [
      "a sum that a many leads away from, through a one",
      () => lines.query().join("order").join("order.payments").fields(sum("qty").as("n")),
    ],
    [
      "a sum over fields that are not a key",
      () => orders.query().joinOn("l", ordersTable, "customerId", "customerId").fields(sum("total").as("n")),
    ],
  ])("%s is refused", (_, builder) => {
    expect(faultOf(builder())).toMatch(/^FAN_OUT: (sum|avg|count) would take /);
  });

  test.each<[string, () => Untyped]>([
    ["counts of one many", () => orders.query().join("lines").fields(count("id").as("n"), count().as("m"))],
    ["distinct values over two manys", () => two().fields(countDistinct("lines.id").as("n"))],
    [
      "a sum at the end of two manys in a row",
      () => clients.query().join("orders").join("orders.lines").fields(sum("lines.qty").as("n")),
    ],
    [
      "a sum of both ends of a many",
      () =>
        orders
          .query()
          .join("lines")
          .fields(sum(mul("lines.qty", "id")).as("n")),
    ],
    ["a sum over a one", () => lines.query().join("order").fields(sum("qty").as("n"))],
    [
      "a sum over fields that are a key",
      () => lines.query().joinOn("o", ordersTable, "orderId", "id").fields(sum("qty").as("n")),
    ],
  ])("%s is not", (_, builder) => {
    expect(() => builder().render()).not.toThrow();
  });
});

describe("locks of several tables", () => {
  const locked = (of: Shop) =>
    of.orders.query().join("customer").fields("id").where("id", "=", "id").forUpdate({ noWait: true });

  test("are of the own table, where the dialect can say so", () => {
    expect(locked(shopOn(postgres())).render().native.sql).toMatch(
      / WHERE "orders"\."id" = \$1 FOR UPDATE OF "orders" NOWAIT$/,
    );
    expect(locked(shopOn(oracle())).render().native.sql).toMatch(
      / WHERE "orders"\."id" = :p0 FOR UPDATE OF "orders"\."id" NOWAIT$/,
    );
    for (const db of [mariadb(), sqlite()])
      expect(sqlErrorIn(() => locked(shopOn(db)).render()).code).toBe("UNSUPPORTED");
    expect(sqlErrorIn(() => locked(shopOn(oracle())).limit(1).render()).code).toBe("UNSUPPORTED");
  });
});

describe("specs of joins", () => {
  test("a builder is its spec, and a spec its builder", () => {
    const builder = orders
      .query()
      .leftJoin("customer")
      .join("customer.country", "land")
      .fields("id", "land.name");
    expect(builder.toSpec()).toEqual({
      joins: [
        { relation: "customer", kind: "left" },
        { relation: "customer.country", as: "land" },
      ],
      fields: ["id", "land.name"],
    });
    expect(orders.queryFromSpec(builder.toSpec()).render()).toEqual(builder.render());
    expect(orders.query().join("customer").count().toSpec()).toEqual({ joins: [{ relation: "customer" }] });
  });

  test("a join by fields is in no spec", () => {
    const builder = orders.query().joinOn("c", customers, "customerId", "id");
    expect(sqlErrorIn(() => builder.toSpec())).toMatchObject({
      code: "INVALID_SPEC",
      message: "a spec cannot hold joins by fields such as this one",
    });
  });

  test.each<[unknown, string, string]>([
    [{ joins: "customer" }, "INVALID_SPEC", "joins"],
    [{ joins: [null] }, "INVALID_SPEC", "joins[0]"],
    [{ joins: [{ relation: "customer", on: "1 = 1" }] }, "INVALID_SPEC", "joins[0].on"],
    [{ joins: [{ relation: "customer", kind: "cross" }] }, "INVALID_SPEC", "joins[0].kind"],
    [{ joins: [{ relation: "customer", as: "" }] }, "INVALID_ALIAS", "joins[0].as"],
    [{ joins: [{}] }, "INVALID_RELATION", "joins[0].relation"],
    [{ joins: [{ of: { name: "x", table: customers, mine: "id", theirs: "id" } }] }, "INVALID_SPEC", ""],
  ])("%j is refused", (spec, code, path) => {
    const error = sqlErrorIn(() => orders.queryFromSpec(spec).render());
    expect(error).toMatchObject({ code });
    if (path !== "") expect(error).toMatchObject({ problems: [{ path }] });
  });

  test("specs from clients do not have them", () => {
    const { query } = sqlite().repository(ordersTable).specs();
    const result = query.safeParse({ joins: [{ relation: "customer" }] });
    expect(result.error?.issues.map(({ path, message }) => [path, message])).toEqual([
      [["joins"], expect.stringContaining('unknown key "joins"')],
    ]);
  });
});

test("equal chains are one, and joins of other tables are others", () => {
  const on = (table: unknown) => orders.query().joinOn("x", table, "id", "id");
  expect(on(customers).fields("x.id")).not.toBe(undefined);
  for (let i = 0; i < 2; i++) on(customers).render();
  expect(on(customers)).toBe(on(customers));
  expect(on(ordersTable)).not.toBe(on(customers));
  expect(on(ordersTable).render().sql).not.toBe(on(customers).render().sql);
});

/** A chain of joins that leads to the same table again and again. */
function joinedTimes(of: Untyped, times: number): Untyped {
  let builder = of.query();
  for (let i = 0; i < times; i++)
    builder = builder.joinOn(`o${i}`, ordersTable, i === 0 ? "id" : `o${i - 1}.id`, "id");
  return builder;
}

function hostile(): object {
  const refuse = () => {
    throw new Error("a trap");
  };
  return new Proxy({}, { get: refuse, has: refuse, ownKeys: refuse, getPrototypeOf: refuse });
}

describe.each(servers)("over joined tables on $name", (server) => {
  describe.skipIf(!server.available)("which is there", () => {
    let lent: Lent;
    let of: Shop;
    beforeAll(async () => {
      lent = await server.lend();
      await openShop(lent.db);
      of = shopOn(lent.db);
    });
    afterAll(() => lent.close());

    test("counts count joined rows, and sums take joined fields", async () => {
      expect(await of.orders.query().leftJoin("lines").count().exec()).toBe(5);
      expect(
        await of.orders.count().join("customer").where("customer.name", "=", "n").exec({ n: "Ann" }),
      ).toBe(1);
      expect(await of.orders.sum("lines.qty").join("lines").exec()).toBe(10);
      expect(await of.orders.max("total").join("lines").exec()).toBe(9007199254740993n);
      expect(await of.orders.min("lines.qty").join("lines").where("id", "=", "id").exec({ id: 4 })).toBe(0);
    });

    test("exists, one row, and no row", async () => {
      const named = of.orders.query().join("customer").where("customer.name", "=", "n").exists();
      expect(await named.exec({ n: "Cy" })).toBe(true);
      expect(await named.exec({ n: "Dan" })).toBe(false);
      const one = of.orders.select().leftJoin("customer").fields("customer.*").where("id", "=", "id");
      expect(await one.execOrNull({ id: 3 })).toEqual({ customer: null });
      expect(await one.execOrNull({ id: 2 })).toMatchObject({ customer: { id: 2, name: "Bob" } });
      expect(await one.execOrNull({ id: 9 })).toBeNull();
    });

    test("streams and plans", async () => {
      const query = of.orders
        .query()
        .leftJoin("customer")
        .fields("id", "customer.name")
        .orderBy("id", "desc")
        .limit(2);
      const rows: unknown[] = [];
      for await (const row of query.stream()) rows.push(row);
      expect(rows).toEqual([
        { id: 4, customer: { name: "Cy" } },
        { id: 3, customer: null },
      ]);
      if (server.name !== "h2") expect(await query.explain()).not.toBe("");
    });

    test("40 joins", async () => {
      const query = joinedTimes(of.orders, 40).fields("id", "o39.id", "o20.total").where("o39.id", "=", "id");
      expect(await query.exec({ id: 2 })).toEqual([{ id: 2, o39: { id: 2 }, o20: { total: 20n } }]);
    });
  });
});
