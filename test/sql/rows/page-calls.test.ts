/** Pages: what is refused, and that a call of one is like that of its query. */
import Sqlite from "better-sqlite3";
import { column, type Database, many, on, raw, rowNumber, table, UnsupportedError } from "rowtype";
import { mariadb } from "rowtype/mariadb";
import { oracle } from "rowtype/oracle";
import { postgres } from "rowtype/postgres";
import { sqlite } from "rowtype/sqlite";
import { recording } from "rowtype/testing";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { onEachServer } from "../../kit/each-server.js";
import { openShop, type Pages, shop, shopOn, type Untyped } from "../../kit/shop.js";
import { sqlErrorIn, sqlErrorOf } from "../../kit/thrown.js";

const codeOf = (pages: Pages) => {
  const error = sqlErrorIn(() => pages.render());
  expect(error.message.length).toBeLessThan(300);
  return error.code;
};

const id = () => column(z.int(), { primaryKey: true });

describe("the order of a page", () => {
  const shop = shopOn(sqlite() as unknown as Database);

  test("holds a key of the table", () => {
    expect(codeOf(shop.orders.query().page(2))).toBe("UNSTABLE_ORDER");
    expect(codeOf(shop.orders.query().orderBy("total", "asc").page(2))).toBe("UNSTABLE_ORDER");
    expect(codeOf(shop.payments.query().orderBy("orderId", "asc").page(2))).toBe("UNSTABLE_ORDER");
    expect(sqlErrorIn(() => shop.orders.query().orderBy("note", "asc").page(2).render()).message).toBe(
      'the order of a page must hold all fields of a key of table "orders" that are never null; keys: id',
    );
    expect(() =>
      shop.orders.query().orderBy("id", "asc").orderBy("note", "asc").page(2).render(),
    ).not.toThrow();
  });

  test("holds a key of each many that is joined, and none of a one", () => {
    const lines = shop.orders.query().join("lines");
    expect(codeOf(lines.orderBy("id", "asc").page(2))).toBe("UNSTABLE_ORDER");
    expect(codeOf(lines.orderBy("lines.id", "asc").page(2))).toBe("UNSTABLE_ORDER");
    expect(codeOf(shop.orders.query().join("payments").orderBy("id", "asc").page(2))).toBe("UNSTABLE_ORDER");
    lines.orderBy("lines.id", "asc").orderBy("id", "asc").page(2).render();
    shop.lines.query().join("order").join("order.customer").orderBy("id", "asc").page(2).render();
    const boss = shop.customers.query().join("orders").join("boss");
    boss.orderBy("orders.id", "asc").orderBy("id", "asc").page(2).render();
  });

  const keyed = table(
    "keyed",
    z.object({
      a: z.int(),
      b: z.string(),
      code: column(z.string().nullable(), { unique: true }),
      mail: column(z.string(), { unique: true }),
      at: column(z.date(), { unique: true, type: { postgres: "timestamptz(6)", mariadb: "datetime(6)" } }),
    }),
    { primaryKey: ["a", "b"] },
  );

  test("a key serves as a whole, and only if it is never null", () => {
    const { query } = postgres().repository(keyed);
    query().orderBy("a", "desc").orderBy("b", "asc").page(1).render();
    query().orderBy("mail", "asc").page(1).render();
    for (const field of ["a", "b", "code"] as const)
      expect(sqlErrorIn(() => query().orderBy(field, "asc").page(1).render())).toMatchObject({
        problems: [{ code: "UNSTABLE_ORDER", path: "order_by" }],
      });
  });

  test("dates that are finer than they are read tell no rows apart", () => {
    const at = (db: { repository: (of: typeof keyed) => unknown }) =>
      (db.repository(keyed) as Untyped).query().orderBy("at", "asc").page(1);
    expect(codeOf(at(postgres()))).toBe("UNSTABLE_ORDER");
    expect(codeOf(at(mariadb()))).toBe("UNSTABLE_ORDER");
    at(sqlite()).render();
    at(oracle()).render();
  });

  test("the fields of a scope have one value, so they need not stand in it", () => {
    const scoped = postgres().repository(keyed).scope({ a: 1 });
    expect(scoped.query().orderBy("b", "asc").page(2).renderAfter().native.sql).toBe(
      'SELECT "a", "b", "code", "mail", "at" FROM "keyed" WHERE "a" = $1 AND "b" > $2 ORDER BY "b" ASC LIMIT 3',
    );
  });
});

describe("pages are refused", () => {
  const things = table(
    "things",
    z.object({
      id: id(),
      data: z.object({ a: z.int() }),
      list: z.array(z.int()),
      level: column(z.enum(["low", "high"]), { type: { mariadb: "enum('low', 'high')" } }),
      weight: column(z.number(), { type: { mariadb: "float" } }),
      exact: column(z.number(), { type: "numeric(30, 10)" }),
      short: column(z.number(), { type: "numeric(15, 2)" }),
      bytes: z.instanceof(Uint8Array),
    }),
  );
  const query = (db: unknown = sqlite()) =>
    ((db as Database).repository(things) as unknown as Untyped).query().orderBy("id", "asc");

  test.each([
    ["limit", () => query().limit(2).page(2)],
    ["offset", () => query().offset(2).page(2)],
    ["limitParam", () => (query() as never as { limitParam(name: string): Untyped }).limitParam("n").page(2)],
    [
      "offsetParam",
      () => (query() as never as { offsetParam(name: string): Untyped }).offsetParam("n").page(2),
    ],
    ["distinct", () => query().distinct().page(2)],
    ["distinctOn", () => query(postgres()).distinctOn("id").page(2)],
    ["groups", () => query().fields("id").groupBy("id").page(2)],
    [
      "windows",
      () =>
        query()
          .fields(
            "id",
            rowNumber()
              .over({ orderBy: [["id", "asc"]] })
              .as("n"),
          )
          .page(2),
    ],
    ["orders by expressions", () => query().orderBy(raw(z.int())`1`, "asc").page(2)],
    ["orders by JSON", () => query().orderBy("data", "asc").page(2)],
    ["orders by lists", () => query().orderBy("list", "asc").page(2)],
    ["orders by a FLOAT of MariaDB", () => query(mariadb()).orderBy("weight", "asc").page(2)],
    ["orders by an ENUM of MariaDB", () => query(mariadb()).orderBy("level", "asc").page(2)],
    ["orders by a NUMERIC that is read as a double", () => query(postgres()).orderBy("exact", "asc").page(2)],
    ["orders by a BLOB of Oracle", () => query(oracle()).orderBy("bytes", "asc").page(2)],
  ])("beside %s", (_, pages) => {
    expect(codeOf(pages())).toBe("UNSUPPORTED");
  });

  test("beside set operations", () => {
    const both = query().union(query()) as unknown as { page(size: number): unknown };
    expect(() => both.page(2)).toThrow(UnsupportedError);
  });

  test("other dialects order by floats and enums", () => {
    query(postgres())
      .orderBy("weight", "asc")
      .orderBy("level", "asc")
      .orderBy("short", "asc")
      .page(2)
      .render();
  });

  test.each([0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 53, "2", null, undefined, 2n, {}])(
    "with a size of %s",
    (size) => {
      expect(codeOf(query().page(size))).toBe("INVALID_PARAM");
    },
  );
});

onEachServer("a call of a page", (world) => {
  const pages = () => world().people.query().fields("name").orderBy("id", "asc").page(2);

  test("calls back with its rows, tells the events about them, and lets go of the one behind them", async () => {
    const { people } = world();
    const seen: unknown[] = [];
    people.onScan((row) => void seen.push(row));
    const told: unknown[] = [];
    const off = on("db.query.completed", ({ operation, rowsReturned }) =>
      told.push([operation, rowsReturned]),
    );
    const { rows, next } = await pages().exec();
    off();
    expect(rows).toHaveLength(2);
    expect(Object.keys(rows[0] ?? {})).toEqual(["name"]);
    expect(next).toBeTypeOf("string");
    expect(seen).toEqual(rows);
    expect(told).toEqual([["QUERY", 2]]);
  });

  test("runs in its transaction, and is aborted by its signal", async () => {
    const { db, people } = world();
    const asked = pages();
    const { next } = await asked.exec();
    const failed = db.transaction(async (tx) => {
      await people.remove().where("id", ">", "least").exec({ least: 0 }, { tx });
      expect(await asked.exec({ tx })).toEqual({ rows: [], next: null });
      expect(await asked.exec({}, { tx, after: next ?? "" })).toEqual({ rows: [], next: null });
      expect(await asked.execTx(tx)).toEqual({ rows: [], next: null });
      expect(await asked.execTx(tx, {}, { after: next ?? "" })).toEqual({ rows: [], next: null });
      throw new Error("undone");
    });
    await expect(failed).rejects.toThrow("undone");
    const signal = AbortSignal.abort();
    expect((await sqlErrorOf(asked.exec({ signal }))).code).toBe("ABORTED");
    expect((await sqlErrorOf(asked.exec({ signal, after: next ?? "" }))).code).toBe("ABORTED");
  });

  test("with optional conditions has a text for each set of them, on every page", async () => {
    const { people } = world();
    const asked = people.query().fields("id").whereOptional("id", ">", "least").orderBy("id", "asc").page(2);
    const first = await asked.exec();
    expect(await asked.exec({ least: first.rows[1]?.id ?? 0 })).toEqual(
      await asked.exec({}, { after: first.next ?? "" }),
    );
    expect(await asked.exec({ least: 1_000_000 }, { after: first.next ?? "" })).toEqual({
      rows: [],
      next: null,
    });
  });
});

describe("pages with rows inside of rows", () => {
  test("hold the rows of each of theirs, and their own callbacks see those first", async () => {
    const db = sqlite(new Sqlite(":memory:"));
    await openShop(db as unknown as Database);
    const { orders, lines } = shopOn(db as unknown as Database);
    const seen: unknown[] = [];
    for (const of of [orders, lines])
      (of as unknown as Scanned).onScan((row) => void seen.push(Object.keys(row)));
    const query = orders.query() as unknown as { with(name: string, query: unknown): Untyped };
    const asked = query
      .with("lines", lines.query().fields("sku").orderBy("id", "asc"))
      .leftJoin("customer")
      .fields("note")
      .orderBy("customer.nick", "desc")
      .orderBy("id", "asc")
      .page(2);
    const { rows, next } = await asked.exec();
    expect(rows).toEqual([
      { note: null, lines: [{ sku: "A1" }] },
      { note: null, lines: [] },
    ]);
    expect(seen).toEqual([["sku"], ["note", "lines"], ["note", "lines"]]);
    expect((await asked.exec({ after: next })).rows).toEqual([
      { note: null, lines: [] },
      { note: "first", lines: [{ sku: "A1" }, { sku: "B2" }] },
    ]);
  });
});

interface Scanned {
  onScan(callback: (row: object) => void): void;
}

describe("a builder of pages", () => {
  test("is found again, with both of its texts", async () => {
    const db = recording("sqlite", () => [{ id: 1 }, { id: 2 }]);
    const { people } = { people: db.repository(table("people", z.object({ id: id() }))) };
    const asked = () => people.query().orderBy("id", "asc").page(1);
    const { next } = await asked().exec();
    asked().build();
    expect(asked()).toBe(asked());
    expect(asked().renderAfter()).toBe(asked().renderAfter());
    await asked().exec({ after: next ?? "" });
    expect(db.statements.map(({ sql, params }) => [sql, params])).toEqual([
      ['SELECT "id" FROM "people" ORDER BY "id" ASC LIMIT 2', []],
      ['SELECT "id" FROM "people" WHERE "id" > ? ORDER BY "id" ASC LIMIT 2', [1]],
    ]);
  });

  test("shows the plan of the page that a call would give", async () => {
    const db = sqlite(new Sqlite(":memory:"));
    const people = table("people", z.object({ id: id() }));
    await db.createTables(people);
    await db
      .repository(people)
      .insert()
      .execBatch([{ id: 1 }, { id: 2 }]);
    const asked = db.repository(people).query().orderBy("id", "asc").page(1);
    const { next } = await asked.exec();
    expect(await asked.explain()).toBe("SCAN people");
    expect(await asked.explain({ after: next ?? "" })).toContain("SEARCH people USING");
  });

  test("of a lock needs a transaction", async () => {
    const people = recording("postgres").repository(table("people", z.object({ id: id() })));
    const asked = people.query().forUpdate().orderBy("id", "asc").page(1);
    expect((await sqlErrorOf(asked.exec())).code).toBe("TRANSACTION_REQUIRED");
  });

  test("keeps the parameters of a dynamic query open, and those of a table that nobody knows", async () => {
    const db = recording("postgres", () => [{ id: 1 }]);
    const people = table("people", z.object({ id: id() }), { relations: { friends: many("people", "id") } });
    const dynamic = db
      .repository(people)
      .query()
      .dynamic()
      .where("id", ">", "least")
      .orderBy("id", "asc")
      .page(1);
    expect(await dynamic.exec({ least: 0 })).toEqual({ rows: [{ id: 1 }], next: null });
    const unknown = (db as Database)
      .repository(people as never)
      .query()
      .orderBy("id", "asc")
      .page(1);
    expect(await unknown.exec()).toEqual({ rows: [{ id: 1 }], next: null });
  });
});

describe("pages of specs", () => {
  const people = table("people", z.object({ id: id(), name: z.string(), secret: z.string() }));
  const order_by = [{ field: "id", direction: "asc" as const }];
  const of = recording("sqlite", () => [1, 2, 3].map((n) => ({ id: n, name: "n" }))).repository(people);

  test("take the limit as their size and after as their cursor, which a call replaces", async () => {
    const spec = { fields: ["id", "name"] as const, order_by, limit: 2 };
    const { next } = await of.pageFromSpec(spec).exec();
    const behind = of.pageFromSpec({ ...spec, after: next ?? "" });
    expect((await behind.exec()).rows).toHaveLength(2);
    expect((await sqlErrorOf(behind.exec({}, { after: "other" }))).code).toBe("PARAM_TYPE");
    expect((await sqlErrorOf(of.pageFromSpec({ ...spec, after: "other" }).exec())).code).toBe("PARAM_TYPE");
    expect(behind.toSpec()).toEqual({ ...spec, after: next });
    expect(of.query().fields("id", "name").orderBy("id", "asc").page(2).toSpec()).toEqual(spec);
  });

  test("are refused without a limit, with another number of rows, and with a cursor that is not text", () => {
    const problemsOf = (spec: object) =>
      (sqlErrorIn(() => of.pageFromSpec(spec as never).render()) as { problems?: unknown }).problems;
    expect(problemsOf({ order_by })).toMatchObject([{ code: "INVALID_SPEC", path: "limit" }]);
    expect(problemsOf({ order_by, limit: 0 })).toMatchObject([{ code: "INVALID_PARAM", path: "limit" }]);
    expect(problemsOf({ order_by, limit: 2, after: 4 })).toMatchObject([
      { code: "INVALID_SPEC", path: "after" },
    ]);
    expect(problemsOf({ order_by, limit: 2, page: 4 })).toMatchObject([
      { code: "INVALID_SPEC", path: "page" },
    ]);
    expect(problemsOf({ limit: 2 })).toMatchObject([{ code: "UNSTABLE_ORDER" }]);
    expect(sqlErrorIn(() => of.pageFromSpec({ order_by, limit: 2, offset: 1 }).render()).code).toBe(
      "UNSUPPORTED",
    );
    for (const nothing of [null, 1, "x", [], undefined])
      expect(sqlErrorIn(() => of.pageFromSpec(nothing as never).render()).code).toBe("INVALID_SPEC");
  });

  test("of clients order by listed fields of joined tables, and by no others", async () => {
    const db = sqlite(new Sqlite(":memory:"));
    await openShop(db as unknown as Database);
    const { orders } = db.repositories(shop);
    const { query } = orders.specs({
      fields: ["id"],
      maxLimit: 2,
      relations: { customer: { fields: ["name"] }, lines: { fields: ["id", "sku"] } },
    });
    const joins = [{ relation: "customer", kind: "left" }] as const;
    const byName = (after?: string) => ({
      joins,
      fields: ["id", "customer.name"],
      order_by: [
        { field: "customer.name", direction: "desc" },
        { field: "id", direction: "asc" },
      ],
      ...(after === undefined ? {} : { after }),
    });
    const { rows, next } = await orders.pageFromSpec(query.parse(byName())).exec();
    expect(rows).toEqual([
      { id: 3, customer: null },
      { id: 4, customer: { name: "Cy" } },
    ]);
    expect((await orders.pageFromSpec(query.parse(byName(next ?? ""))).exec()).rows).toEqual([
      { id: 2, customer: { name: "Bob" } },
      { id: 1, customer: { name: "Ann" } },
    ]);
    const hidden = { ...byName(), order_by: [{ field: "customer.nick", direction: "asc" }] };
    expect(query.safeParse(hidden).success).toBe(false);
    const many = { ...byName(), joins: [...joins, { relation: "lines" }] };
    expect(sqlErrorIn(() => orders.pageFromSpec(query.parse(many)).render()).code).toBe("UNSTABLE_ORDER");
  });

  test("come from clients: specs().query lets after through, and queryFromSpec refuses it", async () => {
    const { query, select, compound } = of.specs({ fields: ["id", "name"], maxLimit: 2 });
    const { next } = await of.pageFromSpec(query.parse({ order_by })).exec();
    const spec = query.parse({ order_by, after: next });
    expect(spec).toEqual({ fields: ["id", "name"], order_by, limit: 2, after: next });
    expect((await of.pageFromSpec(spec).exec()).rows).toEqual([
      { id: 1, name: "n" },
      { id: 2, name: "n" },
    ]);
    expect(sqlErrorIn(() => of.queryFromSpec(spec).render())).toMatchObject({
      problems: [{ code: "INVALID_SPEC", path: "after" }],
    });
    expect(query.safeParse({ order_by, after: 4 }).success).toBe(false);
    expect(query.safeParse({ order_by: [{ field: "secret", direction: "asc" }], after: "x" }).success).toBe(
      false,
    );
    expect(select.safeParse({ order_by, after: "x" }).success).toBe(false);
    expect(compound.safeParse({ base: { after: "x" }, operands: [] }).success).toBe(false);
  });
});
