/**
 * Runs the queries of the table "Coming from Kysely, Drizzle or Prisma" in docs/relations.md in rowtype, Kysely and
 * Drizzle on one SQLite handle, and fails where the rows differ; then compares what rows with rows inside cost. Run by
 * `npm run bench coming-from`; `npm ci --prefix bench/peers` installs the peers.
 */
import { deepStrictEqual } from "node:assert";
import Sqlite from "better-sqlite3";
import { column, compare, count, many, of, one, sum, table, value } from "rowtype";
import { sqlite } from "rowtype/sqlite";
import { z } from "zod";
import { measure } from "./kit/measure.js";

const id = () => column(z.int(), { primaryKey: true });
const tables = {
  customers: table("customers", z.object({ id: id(), name: z.string() })),
  orders: table("orders", z.object({ id: id(), customerId: z.int().nullable(), total: z.int() }), {
    relations: {
      customer: one("customers", "customerId"),
      lines: many("lines", "orderId"),
      tags: many("tags", { through: "orderTags" }),
    },
  }),
  lines: table(
    "lines",
    z.object({
      id: id(),
      orderId: column(z.int(), { index: true }),
      sku: z.string(),
    }),
    {
      relations: { order: one("orders", "orderId") },
    },
  ),
  tags: table("tags", z.object({ id: id(), name: z.string() })),
  orderTags: table("orderTags", z.object({ orderId: z.int(), tagId: z.int() }), {
    primaryKey: ["orderId", "tagId"],
    relations: { order: one("orders", "orderId"), tag: one("tags", "tagId") },
  }),
  seats: table("seats", z.object({ room: z.int(), place: z.int(), name: z.string() }), {
    primaryKey: ["room", "place"],
  }),
  guests: table("guests", z.object({ id: id(), room: z.int(), place: z.int() }), {
    relations: { seat: one("seats", ["room", "place"]) },
  }),
};

/** A handle with so many orders, and the same tables in rowtype. */
async function opened(orders: number, linesOfEach: number) {
  const handle = new Sqlite(":memory:");
  const db = sqlite(handle);
  await db.createTables(...Object.values(tables));
  const shop = db.repositories(tables);
  await shop.customers.insert().execBatch(["Ann", "Bob", "Ada"].map((name, i) => ({ id: i + 1, name })));
  const numbers = Array.from({ length: orders }, (_, i) => i + 1);
  await shop.orders
    .insert()
    .execBatch(numbers.map((i) => ({ id: i, customerId: i % 4 === 0 ? null : i % 4, total: 10 * i })));
  const each = Array.from({ length: linesOfEach }, (_, i) => i);
  const lines = numbers
    .filter((order) => orders > 10 || order !== 3)
    .flatMap((orderId) =>
      each.map((i) => ({ id: orderId * 100 + i, orderId, sku: i === 0 ? `A${orderId}` : "B2" })),
    );
  await shop.lines.insert().execBatch(lines);
  await shop.tags.insert().execBatch(["new", "paid"].map((name, i) => ({ id: i + 1, name })));
  await shop.orderTags.insert().execBatch(
    [
      [1, 1],
      [1, 2],
      [2, 2],
    ].map(([orderId = 0, tagId = 0]) => ({ orderId, tagId })),
  );
  const places = [1, 2].flatMap((room) => [1, 2].map((place) => ({ room, place })));
  await shop.seats.insert().execBatch(places.map((one) => ({ ...one, name: `${one.room}/${one.place}` })));
  await shop.guests.insert().execBatch(places.map((one, i) => ({ id: 4 - i, ...one })));
  return { handle, db, shop };
}

/** The same rows with the names of joined tables in one word, as Kysely has them. */
const flat = (rows: readonly object[]): readonly object[] =>
  rows.map((row) =>
    Object.fromEntries(
      Object.entries(row).flatMap(([name, part]) => {
        if (name === "customer" && part === null) return [["customerName", null]];
        if (typeof part !== "object" || part === null || Array.isArray(part)) return [[name, part]];
        return Object.entries(part as object).map(([field, one]) => [
          name + field.slice(0, 1).toUpperCase() + field.slice(1),
          one,
        ]);
      }),
    ),
  );

const { handle, db, shop } = await opened(4, 4);
const { orders, lines, customers, guests } = shop;
const ours: Readonly<Record<string, () => Promise<readonly object[]>>> = {
  join: () => orders.query().join("customer").fields("id", "customer.name").orderBy("id", "asc").exec(),
  "left join": () =>
    orders.query().leftJoin("customer").fields("id", "customer.name").orderBy("id", "asc").exec(),
  "filter by a joined field": () =>
    orders
      .query()
      .join("customer")
      .fields("id")
      .where("customer.name", "LIKE", "like")
      .orderBy("id", "asc")
      .exec({ like: "A%" }),
  "nested list": () =>
    orders
      .query()
      .fields("id")
      .with("lines", lines.query().fields("sku").orderBy("id", "asc").limit(3))
      .orderBy("id", "asc")
      .exec(),
  "rows that have others": () =>
    orders
      .query()
      .fields("id")
      .whereExists("lines", lines.query().where("sku", "=", "sku"))
      .orderBy("id", "asc")
      .exec({ sku: "A1" }),
  "rows that have none": () =>
    orders.query().fields("id").whereNotExists("lines").orderBy("id", "asc").exec(),
  "a count of related rows": () =>
    orders.query().fields("id", of("lines", count()).as("lines")).orderBy("id", "asc").exec(),
  "a list from a query": () =>
    orders
      .query()
      .fields("id")
      .whereQuery("customerId", "IN", customers.query().fields("id").where("name", "=", "name"))
      .orderBy("id", "asc")
      .exec({ name: "Ann" }),
  "groups over a join": () =>
    orders
      .query()
      .join("customer")
      .fields("customer.name", sum("total").as("spent"))
      .groupBy("customer.name")
      .orderBy("customer.name", "asc")
      .exec(),
  "a query as a table": () =>
    db
      .from(orders.query().where("total", ">", "least").as("best"))
      .fields("id")
      .orderBy("id", "asc")
      .exec({ least: 15 }),
  "a constant": () => orders.query().fields("id").where("total", ">", value(15)).orderBy("id", "asc").exec(),
  "join by a range": () =>
    orders
      .query()
      .joinOn("later", tables.orders, compare("id", "<", "later.id"))
      .fields("id", "later.id")
      .orderBy("id", "asc")
      .orderBy("later.id", "asc")
      .exec(),
  "a right join": () =>
    lines
      .query()
      .rightJoin("order")
      .fields("id", "order.id")
      .orderBy("order.id", "asc")
      .orderBy("id", "asc")
      .exec(),
  "through a table": () =>
    orders
      .query()
      .join("tags")
      .fields("id", "tags.name")
      .orderBy("id", "asc")
      .orderBy("tags.name", "asc")
      .exec(),
  "a key of two columns": () =>
    guests.query().join("seat").fields("id", "seat.name").orderBy("id", "asc").exec(),
};

type Calls = Readonly<Record<string, () => Promise<readonly object[]>>>;
const peers: {
  comingFrom(handle: Sqlite.Database): Readonly<Record<"kysely" | "drizzle" | "nested", Calls>>;
} = await import(new URL("peers/relations.mjs", import.meta.url).href);
const theirs = peers.comingFrom(handle);
for (const [title, query] of Object.entries(ours)) {
  const rows = await query();
  deepStrictEqual(flat((await theirs.kysely[title]?.()) ?? []), flat(rows), `Kysely: ${title}`);
  deepStrictEqual(flat((await theirs.drizzle[title]?.()) ?? []), flat(rows), `Drizzle: ${title}`);
  console.log(`${title}: ${rows.length} rows, the same in all three`);
}

const wide = await opened(1_000, 10);
const all = wide.handle.prepare('SELECT "id" FROM "orders"');
const inside = wide.handle.prepare('SELECT "id", "orderId", "sku" FROM "lines" ORDER BY "orderId"');
const byHand = () => {
  const groups = new Map<unknown, unknown[]>();
  for (const { id: line, orderId, sku } of inside.all() as Record<string, unknown>[]) {
    const group = groups.get(orderId) ?? [];
    groups.set(orderId, group);
    group.push({ id: line, sku });
  }
  return (all.all() as { id: unknown }[]).map(({ id: order }) => ({
    id: order,
    lines: groups.get(order) ?? [],
  }));
};
const nested = wide.shop.orders
  .query()
  .fields("id")
  .with("lines", wide.shop.lines.query().fields("id", "sku"));
const times = await measure({
  "two statements by hand": byHand,
  rowtype: () => nested.exec(),
  ...peers.comingFrom(wide.handle).nested,
});
const base = times.get("two statements by hand") ?? Number.NaN;
console.log(
  `1,000 orders with 10 lines each ÷ two statements by hand: ${[...times]
    .map(([name, time]) => `${name} ${(time / base).toFixed(2)}`)
    .join(", ")}`,
);
