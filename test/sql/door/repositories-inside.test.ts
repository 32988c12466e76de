/** Repositories where a table or a query is taken: a repository is the query of all of its rows, and in a join its table. */
import { type Database, exists, existsOn, inQuery, notExists, notExistsOn, table } from "rowtype";
import { mariadb } from "rowtype/mariadb";
import { oracle } from "rowtype/oracle";
import { postgres } from "rowtype/postgres";
import { sqlite } from "rowtype/sqlite";
import { recording } from "rowtype/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { customers, openShop, orders, shop, shopOn, type Untyped } from "../../kit/shop.js";
import { sqlErrorIn, sqlErrorOf } from "../../kit/thrown.js";
import { type Lent, serversAndLocales, titleOf } from "../../servers.js";

const names = table("repository_names", z.object({ name: z.string() }));
const copies = table("repository_copies", orders.schema);
const databases = { sqlite, postgres, mariadb, oracle };
const dialects = ["sqlite", "postgres", "mariadb", "oracle"] as const;

// biome-ignore lint/suspicious/noExplicitAny: some callers are not typed.
type Any = any;

/** What places are about: a database, and repositories or queries of the same rows. */
interface Given {
  readonly db: Any;
  readonly orders: Untyped;
  readonly customers: Untyped;
  /** Rows of customers, of orders, and of one field. */
  readonly rows: { readonly customers: Any; readonly orders: Any; readonly names: Any };
}

/** Every method and function that takes a query, by what is written. */
const places: readonly (readonly [string, (given: Given) => Untyped])[] = [
  ["with, to many", ({ customers, rows }) => customers.query().with("orders", rows.orders)],
  ["with, to one", ({ orders, rows }) => orders.select().with("customer", rows.customers)],
  ["withOn", ({ customers, rows }) => customers.query().withOn("all", rows.orders, "id", "customerId")],
  ["whereExists", ({ customers, rows }) => customers.query().whereExists("orders", rows.orders)],
  ["whereNotExists", ({ customers, rows }) => customers.count().whereNotExists("orders", rows.orders)],
  [
    "whereExistsOn",
    ({ customers, rows }) => customers.query().whereExistsOn(rows.orders, "id", "customerId"),
  ],
  [
    "whereNotExistsOn",
    ({ customers, rows }) => customers.select().whereNotExistsOn(rows.orders, "id", "customerId"),
  ],
  ["whereQuery", ({ customers, rows }) => customers.query().whereQuery("name", "IN", rows.names)],
  [
    "exists and notExists",
    ({ customers, rows }) =>
      customers.query().whereOr(exists("orders", rows.orders), notExists("boss", rows.customers)),
  ],
  [
    "existsOn and notExistsOn",
    ({ customers, rows }) =>
      customers
        .query()
        .whereOr(existsOn(rows.orders, "id", "customerId"), notExistsOn(rows.customers, "bossId", "id")),
  ],
  [
    "inQuery",
    ({ customers, rows }) => customers.query().whereOptional(inQuery("name", "NOT IN", rows.names)),
  ],
  ...["union", "unionAll", "intersect", "except"].flatMap((operation) => [
    [
      operation,
      ({ customers, rows }: Given) => (customers.query() as Any)[operation](rows.customers),
    ] as const,
    [
      `${operation} of a compound`,
      ({ customers, rows }: Given) =>
        (customers.query().union(customers.query()) as Any)[operation](rows.customers),
    ] as const,
  ]),
  ["with of a database", ({ db, rows }) => db.from(db.with("once", rows.customers)).fields("id", "name")],
  [
    "recursive, as the start",
    ({ db, customers, rows }) =>
      db.from(
        db.recursive("staff", rows.customers, (self: unknown) =>
          customers.query().joinQuery(self, "bossId", "id"),
        ),
      ),
  ],
];

function given(db: Database, rowsOf: (repository: Any) => unknown = (repository) => repository): Given {
  const of = shopOn(db);
  const rows = {
    customers: rowsOf(of.customers),
    orders: rowsOf(of.orders),
    names: rowsOf(db.repository(names)),
  };
  return { db, orders: of.orders, customers: of.customers, rows };
}

const scoped = (repository: Any) =>
  repository.scope(repository.table === names ? { name: "Ann" } : { id: 1 });

describe.each(dialects)("the text on %s", (dialect) => {
  test.each(places)("%s takes a repository as its query", (_, run) => {
    const db = databases[dialect]();
    const texts = (rowsOf: (repository: Any) => unknown) => {
      try {
        const { native, constants } = run(given(db, rowsOf)).render();
        return { native, constants };
      } catch (error) {
        // What the dialect has not, it has not of a query.
        return { error: String(error) };
      }
    };
    expect(texts((one) => one)).toEqual(texts((one) => one.query()));
    expect(texts(scoped)).toEqual(texts((one) => scoped(one).query()));
    expect(texts(scoped)).not.toEqual(texts((one) => one));
    if (dialect !== "oracle") expect(texts(scoped)).not.toHaveProperty("error");
  });

  test("a join takes a repository as its table", () => {
    const db = databases[dialect]();
    const of = shopOn(db);
    const alone = db.repository(customers);
    const joined = (other: unknown) =>
      [of.orders.query(), of.orders.select(), of.orders.count(), of.orders.sum("total")].flatMap(
        (builder) => [
          builder.joinOn("c", other, "customerId", "id").render().native.sql,
          builder.leftJoinOn("c", other, "customerId", "id").render().native.sql,
        ],
      );
    expect(joined(of.customers)).toEqual(joined(customers));
    expect(joined(alone)).toEqual(joined(customers));
    // Of a scope, the part.
    const { native, constants } = of.orders
      .query()
      .leftJoinOn("c", of.customers.scope({ name: "Ann" }), "customerId", "id")
      .render();
    expect(native.sql).toMatch(/ON \(.*id.* = .*id.* AND .*name.* = .*\)/);
    expect(Object.values(constants ?? {})).toEqual(["Ann"]);
  });
});

describe("equal chains are one", () => {
  const db = sqlite();
  const of = shopOn(db) as Any;

  test("with a repository and its table, or its query", () => {
    const query = of.orders.query();
    query.joinOn("c", of.customers, "customerId", "id").render();
    const byTable = query.joinOn("c", customers, "customerId", "id");
    byTable.render();
    expect(query.joinOn("c", of.customers, "customerId", "id")).toBe(byTable);
    query.withOn("c", of.customers, "customerId", "id").render();
    const byQuery = query.withOn("c", of.customers.query(), "customerId", "id");
    byQuery.render();
    expect(query.withOn("c", of.customers, "customerId", "id")).toBe(byQuery);
  });

  test("not those of two scopes", () => {
    const part = (name: string) =>
      of.orders.query().joinOn("c", of.customers.scope({ name }), "customerId", "id").render().constants;
    expect([part("Ann"), part("Bob"), part("Ann")].map((one) => Object.values(one))).toEqual([
      ["Ann"],
      ["Bob"],
      ["Ann"],
    ]);
  });
});

describe("what is refused", () => {
  const db = sqlite();
  const faultIn = (run: () => unknown) => {
    const { code, message } = sqlErrorIn(() => (run() as Untyped).render());
    return `${code}: ${message}`;
  };

  test.each(places)("%s: repositories of others, as their queries are", (_, run) => {
    for (const other of [sqlite(), postgres()]) {
      const swapped = (rowsOf: (repository: Any) => unknown): Given => ({
        ...given(db),
        rows: given(other as unknown as Database, rowsOf).rows,
      });
      const fault = faultIn(() => run(swapped((one) => one)));
      expect(fault).toEqual(faultIn(() => run(swapped((one) => one.query()))));
      expect(fault).toMatch(/INVALID_(RELATION|SPEC): .* of the same (dialect|database)/);
    }
  });

  test("a join: repositories of others, queries, and what looks like a repository", () => {
    const of = shopOn(db) as Any;
    const fault = (other: unknown) => faultIn(() => of.orders.query().joinOn("c", other, "customerId", "id"));
    expect(fault((shopOn(sqlite()) as Any).customers)).toContain(
      "INVALID_RELATION: a join takes a repository of the same database",
    );
    expect(fault((shopOn(postgres()) as Any).customers)).toContain(
      "INVALID_RELATION: a join takes a repository of the same dialect",
    );
    const others = [of.customers.query(), { ...of.customers }, Object.create(of.customers), of];
    for (const other of [...others, new Proxy(of.customers, {})])
      expect(fault(other)).toContain(
        "INVALID_RELATION: a join takes a table made by table(), or a repository, not",
      );
  });

  test("a step of a recursion that does not go on from the level before", () => {
    const of = shopOn(db) as Any;
    const step = (rows: unknown) =>
      faultIn(() => db.from((db as Any).recursive("all", of.orders, () => rows)));
    expect(step(of.orders)).toEqual(step(of.orders.query()));
  });

  test("copies of repositories are no queries", () => {
    const of = shopOn(db) as Any;
    for (const other of [{ ...of.orders }, Object.create(of.orders), new Proxy(of.orders, {})])
      expect(faultIn(() => of.customers.query().withOn("all", other, "id", "customerId"))).toContain(
        "INVALID_RELATION: with takes a query, not an object",
      );
  });

  test("a spec of a scope", () => {
    const of = shopOn(db) as Any;
    const part = of.orders.scope({ id: 1 });
    const inside = [
      of.customers.query().with("orders", part),
      of.customers.query().whereExists("orders", part),
      of.customers.query().joinOn("o", part, "id", "customerId"),
    ];
    for (const builder of inside)
      expect(() => builder.toSpec()).toThrow(expect.objectContaining({ code: "INVALID_SPEC" }));
    expect(of.customers.query().with("orders", of.orders).toSpec()).toEqual({ with: { orders: {} } });
  });
});

test("an insert of a repository sends that of its query", async () => {
  const db = recording("postgres");
  const source = db.repository(orders);
  for (const rows of [source, source.query(), source.scope({ id: 1 })] as Any[])
    await (db.repository(copies) as Any).insert().execFrom(rows);
  const [ofRepository, ofQuery, ofScope] = db.statements;
  expect(ofRepository).toEqual(ofQuery);
  expect(ofScope).toMatchObject({ params: [1] });
});

for (const server of serversAndLocales)
  describe.skipIf(!server.available)(`repositories inside statements on ${titleOf(server)}`, () => {
    let lent: Lent;
    beforeAll(async () => {
      lent = await server.lend();
      await lent.db.createTables(names, copies);
      await openShop(lent.db);
      await lent.db
        .repository(names)
        .insert()
        .execBatch([{ name: "Ann" }, { name: "Eve" }]);
    });
    afterAll(() => lent.close());

    test.each(places)("%s finds what a query finds", async (_, run) => {
      const found = (rowsOf: (repository: Any) => unknown) =>
        run(given(lent.db, rowsOf))
          .exec()
          .then(sorted, (error) => ({ code: error.code }));
      expect(await found((one) => one)).toEqual(await found((one) => one.query()));
      expect(await found(scoped)).toEqual(await found((one) => scoped(one).query()));
    });

    test("a left join of a scope finds rows of the part alone", async () => {
      const of = shopOn(lent.db) as Any;
      const joined = (other: unknown) =>
        of.orders
          .query()
          .leftJoinOn("c", other, "customerId", "id")
          .fields("id", "c.name")
          .orderBy("id", "asc")
          .exec();
      expect(await joined(of.customers)).toEqual([
        { id: 1, c: { name: "Ann" } },
        { id: 2, c: { name: "Bob" } },
        { id: 3, c: null },
        { id: 4, c: { name: "Cy" } },
      ]);
      expect(await joined(of.customers.scope({ name: "Bob" }))).toEqual([
        { id: 1, c: null },
        { id: 2, c: { name: "Bob" } },
        { id: 3, c: null },
        { id: 4, c: null },
      ]);
      expect(
        await of.orders
          .count()
          .joinOn("c", of.customers.scope({ name: "Bob" }), "customerId", "id")
          .exec(),
      ).toBe(1);
    });

    test("in a transaction, and after it", async () => {
      let kept: Any;
      const count = await (lent.db as Any).transaction(async (tx: Any) => {
        kept = tx.repositories(shop).customers;
        const own = tx.repositories(shop).orders;
        await tx.repository(copies).insert().execFrom(own);
        return own
          .count()
          .joinOn("c", kept, "customerId", "id")
          .whereExistsOn(kept, "customerId", "id")
          .exec();
      });
      expect(count).toBe(3);
      expect(await lent.db.repository(copies).count().exec()).toBe(4);
      // What stands inside is what is written: the statement runs where the builder around it does.
      const of = shopOn(lent.db) as Any;
      const rows = await of.orders
        .count()
        .joinOn("c", kept, "customerId", "id")
        .whereExistsOn(kept, "customerId", "id")
        .exec();
      expect(rows).toBe(3);
      expect(await sqlErrorOf(kept.query().exec())).toMatchObject({ code: "TRANSACTION_CLOSED" });
    });
  });

function sorted(rows: unknown): unknown {
  if (!Array.isArray(rows)) return rows;
  const text = (row: unknown) =>
    JSON.stringify(row, (_, value) => (typeof value === "bigint" ? `${value}` : value));
  return [...rows].sort((a, b) => (text(a) < text(b) ? -1 : 1));
}
