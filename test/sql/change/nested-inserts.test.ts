/** Nested inserts: rows of related tables in one call, all or nothing, one statement for each table and chunk. */
import { column, type Database, many, on, one, table } from "rowtype";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { z } from "zod";
import { sqlErrorOf } from "../../kit/thrown.js";
import { type Lent, servers } from "../../servers.js";

const id = () => column(z.int(), { primaryKey: true, generated: true });
const customers = table(
  "customers",
  z.object({ id: id(), name: column(z.string().min(1), { type: "varchar(40)", unique: true }) }),
  { relations: { orders: many("orders", "customerId") } },
);
const orders = table(
  "orders",
  z.object({
    id: id(),
    customerId: column(z.int().nullable(), { references: () => customers }),
    note: z.string().nullable(),
  }),
  { relations: { customer: one("customers", "customerId"), lines: many("lines", "orderId") } },
);
const lines = table(
  "lines",
  z.object({
    id: id(),
    orderId: column(z.int(), { references: () => orders }),
    sku: z.string(),
    qty: column(z.int().min(1), { check: "qty < 1000" }),
  }),
  { relations: { order: one("orders", "orderId"), taxes: many("taxes", "lineId") } },
);
const taxes = table(
  "taxes",
  z.object({ id: id(), lineId: column(z.int(), { references: () => lines }), rate: z.number() }),
  { relations: { line: one("lines", "lineId") } },
);
const nodes = table(
  "nodes",
  z.object({ id: id(), parentId: column(z.int().nullable(), { references: "nodes(id)" }), name: z.string() }),
  { relations: { parent: one("nodes", "parentId"), children: many("nodes", "parentId") } },
);
const tables = { customers, orders, lines, taxes, nodes };
const all = Object.values(tables);

const repositories = (db: Database<"sqlite">) => db.repositories(tables);

for (const server of servers.filter(({ name }) => name !== "oracle"))
  describe.skipIf(!server.available)(`nested inserts on ${server.name}`, () => {
    let lent: Lent;
    let db: Database<"sqlite">;
    let shop: ReturnType<typeof repositories>;
    let off: () => void;
    const sent: string[] = [];
    const inserts = () => sent.filter((sql) => sql.startsWith("INSERT"));
    beforeAll(async () => {
      lent = await server.lend();
      // One type for all of them: what these tests use, every server has.
      db = lent.db as unknown as Database<"sqlite">;
      shop = repositories(db);
    });
    afterAll(() => lent.close());
    beforeEach(async () => {
      await db.dropTables(...all);
      await db.createTables(...all);
      for (const one of Object.values(shop)) {
        one.onScan(null);
        one.onRecord(null);
      }
      sent.length = 0;
      off = on("db.query.started", ({ sql }) => sent.push(sql));
    });
    afterEach(() => off());

    const counts = async () => {
      const list: number[] = [];
      for (const one of [shop.customers, shop.orders, shop.lines, shop.taxes])
        list.push(await one.count().exec());
      return list;
    };
    const order = () => shop.orders.insert().with("lines", shop.lines.insert().with("taxes"));

    test("an order with its lines, and their taxes: three statements, and the rows as the records", async () => {
      const stored = await order().exec({
        note: "x",
        lines: [
          { sku: "a", qty: 1, taxes: [{ rate: 0.5 }] },
          { sku: "b", qty: 2, taxes: [] },
          { sku: "a", qty: 1, taxes: [{ rate: 1 }, { rate: 2 }] },
        ],
      });
      expect(stored).toEqual({
        id: 1,
        customerId: null,
        note: "x",
        lines: [
          { id: 1, orderId: 1, sku: "a", qty: 1, taxes: [{ id: 1, lineId: 1, rate: 0.5 }] },
          { id: 2, orderId: 1, sku: "b", qty: 2, taxes: [] },
          {
            id: 3,
            orderId: 1,
            sku: "a",
            qty: 1,
            taxes: [
              { id: 2, lineId: 3, rate: 1 },
              { id: 3, lineId: 3, rate: 2 },
            ],
          },
        ],
      });
      expect(inserts()).toHaveLength(3);
      expect(Object.keys(stored)).toEqual(["id", "customerId", "note", "lines"]);
      // H2 has no lists in lists.
      const read = shop.orders.query().with("lines", shop.lines.query().with("taxes"));
      if (server.name !== "h2") expect(await read.exec()).toEqual([stored]);
    });

    test("many orders with lines are two statements, whatever their number", async () => {
      const records = Array.from({ length: 50 }, (_, i) => ({
        note: `n${i % 3}`,
        lines: Array.from({ length: i % 4 }, (_, j) => ({ sku: `s${j}`, qty: 1 + (i % 7) })),
      }));
      const create = shop.orders.insert().with("lines");
      const stored = await create.execMany(records);
      expect(inserts()).toHaveLength(2);
      expect(stored.map(({ note, lines }) => [note, lines.map(({ sku, qty }) => [sku, qty])])).toEqual(
        records.map(({ note, lines }) => [note, lines.map(({ sku, qty }) => [sku, qty])]),
      );
      for (const { id: orderId, lines } of stored)
        expect(lines.every((line) => line.orderId === orderId)).toBe(true);
      expect(await create.execBatch(records)).toBe(50);
      expect(inserts()).toHaveLength(4);
      expect(await counts()).toEqual([0, 100, 2 * stored.flatMap((one) => one.lines).length, 0]);
      expect(await create.execMany([])).toEqual([]);
      expect(await create.execBatch([])).toBe(0);
      expect(inserts()).toHaveLength(4);
    });

    test("a one is stored before, with what it leads to; null leaves the reference out", async () => {
      const create = shop.lines
        .insert()
        .returning("sku")
        .with(
          "order",
          shop.orders.insert().returning("note").with("customer", shop.customers.insert().returning("name")),
        );
      const stored = await create.execMany([
        { sku: "a", qty: 1, order: { note: "n", customer: { name: "ann" } } },
        { sku: "b", qty: 2, order: { customer: null } },
      ]);
      expect(stored).toEqual([
        { sku: "a", order: { note: "n", customer: { name: "ann" } } },
        { sku: "b", order: { note: null, customer: null } },
      ]);
      const read = shop.lines.query().fields("sku").join("order").leftJoin("order.customer", "customer");
      expect(await read.fields("order.note", "customer.name").orderBy("sku", "asc").exec()).toEqual([
        { sku: "a", order: { note: "n" }, customer: { name: "ann" } },
        { sku: "b", order: { note: null }, customer: null },
      ]);
    });

    test("both directions in one record", async () => {
      const create = shop.orders.insert().returning("id").with("lines").with("customer");
      expect(await create.exec({ customer: { name: "ann" }, lines: [{ sku: "a", qty: 1 }] })).toEqual({
        id: 1,
        lines: [{ id: 1, orderId: 1, sku: "a", qty: 1 }],
        customer: { id: 1, name: "ann" },
      });
      expect(await shop.orders.query().exec()).toEqual([{ id: 1, customerId: 1, note: null }]);
    });

    test("a tree of the own table", async () => {
      const leaf = shop.nodes.insert().returning("name");
      const tree = leaf.with("children", leaf.with("children", leaf.with("children", leaf)));
      const record = {
        name: "root",
        children: [
          { name: "a", children: [{ name: "a1", children: [{ name: "a11" }] }] },
          {
            name: "b",
            children: [
              { name: "b1", children: [] },
              { name: "b2", children: [] },
            ],
          },
        ],
      };
      expect(await tree.exec(record)).toEqual(record);
      expect(inserts()).toHaveLength(4);
      expect(
        await shop.nodes.query().fields("name").join("parent").fields("parent.name").exec(),
      ).toHaveLength(6);
    });

    test("what is wrong is refused with its path, before anything is sent", async () => {
      const error = await sqlErrorOf(
        order().execMany([
          { lines: [] },
          {
            lines: [
              { sku: "a", qty: 1, taxes: [] },
              { sku: "a", qty: 0, taxes: [] },
            ],
          },
        ]),
      );
      expect(error).toMatchObject({
        code: "PARAM_TYPE",
        table: "lines",
        param: "qty",
        index: 1,
        path: "lines[1].qty",
      });
      expect(sent).toEqual([]);
    });

    test("a failure of any level stores nothing", async () => {
      const good = { sku: "a", qty: 1, taxes: [{ rate: 1 }] };
      const customer = { name: "ann" };
      const create = order().with("customer");
      await create.exec({ customer, lines: [good] });
      const before = await counts();
      // A unique key, and a condition of the database.
      for (const record of [
        { customer, lines: [good] },
        { customer: { name: "bob" }, lines: [good, { ...good, qty: 1000 }, good] },
      ]) {
        const error = await sqlErrorOf(
          create.execMany([{ customer: { name: "eve" }, lines: [good] }, record]),
        );
        expect(["UNIQUE_VIOLATION", "CHECK_VIOLATION"]).toContain(error.code);
        expect(await counts()).toEqual(before);
      }
    });

    test("in a transaction it is a savepoint", async () => {
      await db.transaction(async (tx) => {
        const inside = tx.repositories(tables);
        await inside.customers.insert().exec({ name: "ann" });
        const create = inside.orders.insert().with("lines");
        const error = await sqlErrorOf(
          create.exec({
            lines: [
              { sku: "a", qty: 1 },
              { sku: "a", qty: 1000 },
            ],
          }),
        );
        expect(error.code).toBe("CHECK_VIOLATION");
        await create.exec({ note: "kept", lines: [{ sku: "a", qty: 1 }] });
      });
      expect(await counts()).toEqual([1, 1, 1, 0]);
    });
  });
