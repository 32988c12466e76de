/** Orders with lines, of which the benchmarks of nested rows read. */
import { column, type Database, decimal, many, table } from "rowtype";
import { z } from "zod";

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

export const ORDERS = 1_000;
export const LINES_OF_EACH = 10;

/** Makes the tables with their rows. What is used of them, every dialect has. */
export async function ordersIn(database: Database) {
  const db = database as Database<"sqlite">;
  await db.createTables(orders, lines);
  const stored = db.repositories({ orders, lines });
  const numbers = Array.from({ length: ORDERS }, (_, i) => i + 1);
  await stored.orders.insert().execBatch(numbers.map((id) => ({ id, note: `order ${id}` })));
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
  await stored.lines.insert().execBatch(made);
  return stored;
}
