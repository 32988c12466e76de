/**
 * Runs the queries of the table "Coming from Kysely, Drizzle or Prisma" in docs/relations.md in rowtype, Kysely and
 * Drizzle on one SQLite handle, and fails where the rows differ; then compares what rows with rows inside cost. Run by
 * `npm run bench coming-from`; `npm ci --prefix bench/peers` installs the peers.
 */
import { deepStrictEqual } from "node:assert";
import Sqlite from "better-sqlite3";
import { column, count, many, of, one, sum, table } from "rowtype";
import { sqlite } from "rowtype/sqlite";
import { z } from "zod";
import { measure } from "./kit/measure.js";

const id = () => column(z.int(), { primaryKey: true });
const tables = {
  customers: table("customers", z.object({ id: id(), name: z.string() })),
  orders: table("orders", z.object({ id: id(), customerId: z.int().nullable(), total: z.int() }), {
    relations: { customer: one("customers", "customerId"), lines: many("lines", "orderId") },
  }),
  lines: table("lines", z.object({ id: id(), orderId: column(z.int(), { index: true }), sku: z.string() })),
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
  return { handle, db, shop };
}

/** The same rows with the names of joined tables in one word, as Kysely has them. */
const flat = (rows: readonly object[]): readonly object[] =>
  rows.map((row) => {
    const { customer, ...rest } = row as { readonly customer?: { readonly name: string } | null };
    return customer === undefined ? rest : { ...rest, customerName: customer?.name ?? null };
  });

const { handle, db, shop } = await opened(4, 4);
const { orders, lines, customers } = shop;
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
