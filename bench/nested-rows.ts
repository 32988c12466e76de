/**
 * Nested rows in one statement, compared with two queries whose rows are put together here: both by rowtype, with equal
 * values to the last digit. Run by `npm run bench:nested`, on SQLite in memory and the servers of the live tests; a
 * missing server is left out. Only the ratios of the client's CPU time are results.
 */
import { deepStrictEqual } from "node:assert";
import { column, type Database, decimal, many, table } from "rowtype";
import { z } from "zod";
import { servers } from "../test/servers.js";
import { measure } from "./measure.js";

const orders = table("orders", z.object({ id: column(z.int(), { primaryKey: true }), note: z.string() }), {
  relations: { lines: many("lines", "orderId") },
});
const lines = table(
  "lines",
  z.object({
    id: column(z.int(), { primaryKey: true }),
    orderId: column(z.int(), { index: true }),
    sku: z.string(),
    price: decimal(10, 2),
    ratio: z.number(),
    weight: z.bigint(),
    active: z.boolean(),
    at: z.date(),
  }),
);
const ORDERS = 1_000;
const LINES_OF_EACH = 10;

for (const server of servers) {
  if (!["sqlite", "postgres", "mariadb"].includes(server.name)) continue;
  if (!server.available) {
    console.log(`${server.name}: no server answers`);
    continue;
  }
  const lent = await server.lend();
  try {
    await lent.db.createTables(orders, lines);
    // What is used here, every server has.
    const of = (lent.db as Database<"sqlite">).repositories({ orders, lines });
    const numbers = Array.from({ length: ORDERS }, (_, i) => i + 1);
    await of.orders.insert().execBatch(numbers.map((id) => ({ id, note: `order ${id}` })));
    const made = numbers.flatMap((orderId) =>
      Array.from({ length: LINES_OF_EACH }, (_, i) => ({
        id: orderId * LINES_OF_EACH + i,
        orderId,
        sku: `A${i}`,
        price: `${orderId}.25`,
        ratio: i / 3,
        weight: 2n ** 53n + BigInt(i),
        active: i % 2 === 0,
        at: new Date(1_767_225_600_123 + i),
      })),
    );
    await of.lines.insert().execBatch(made);
    const nested = of.orders
      .query()
      .with("lines", of.lines.query().orderBy("id", "asc"))
      .where("id", "<=", "last")
      .orderBy("id", "asc");
    const outer = of.orders.query().where("id", "<=", "last").orderBy("id", "asc");
    const inner = of.lines.query().where("orderId", "<=", "last").orderBy("id", "asc");
    const two = async (last: number) => {
      const found = await outer.exec({ last });
      const all = await inner.exec({ last });
      const groups = new Map<number, typeof all>();
      for (const line of all) {
        const group = groups.get(line.orderId);
        if (group === undefined) groups.set(line.orderId, [line]);
        else group.push(line);
      }
      return found.map((order) => ({ ...order, lines: groups.get(order.id) ?? [] }));
    };
    for (const last of [20, ORDERS]) {
      deepStrictEqual(await nested.exec({ last }), await two(last));
      const times = await measure({ one: () => nested.exec({ last }), two: () => two(last) });
      const ratio = (times.get("one") ?? Number.NaN) / (times.get("two") ?? Number.NaN);
      console.log(
        `${server.name}, ${last} orders with ${LINES_OF_EACH} lines each, one statement ÷ two: ${ratio.toFixed(2)}`,
      );
    }
  } finally {
    await lent.close();
  }
}
