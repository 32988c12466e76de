/** Sales at prices that hold for a time: what joins by conditions, right and full joins are tried on. */
import { column, type Database, many, one, table } from "rowtype";
import { z } from "zod";
import type { Untyped } from "./shop.js";

const id = () => column(z.int(), { primaryKey: true });

export const products = table("products", z.object({ id: id(), name: z.string(), tenantId: z.int() }), {
  relations: { sales: many("sales", "productId") },
});

export const sales = table(
  "sales",
  z.object({
    id: id(),
    productId: column(z.int().nullable(), { name: "product_id" }),
    tenantId: z.int(),
    qty: z.int(),
    at: column(z.date(), { name: "sold_at" }),
  }),
  { relations: { product: one("products", "productId") } },
);

export const prices = table(
  "prices",
  z.object({
    id: id(),
    productId: z.int(),
    from: column(z.date(), { name: "valid_from" }),
    to: column(z.date().nullable(), { name: "valid_to" }),
    amount: z.int(),
  }),
);

// Nothing in a row of it says that the row is there.
export const notes = table(
  "notes",
  z.object({ low: z.int().nullable(), high: z.int().nullable(), text: z.string().nullable() }),
);

export const market = { products, sales, prices, notes };

/** The untyped repositories of the market. */
export type Market = Readonly<Record<keyof typeof market, Untyped>>;

export function marketOn(db: Database): Market {
  return db.repositories(market) as unknown as Market;
}

export const day = (text: string): Date => new Date(`${text}T00:00:00.000Z`);

/** Makes the tables and fills them: a product without sales, a sale without a product, one of a product that is gone. */
export async function openMarket(db: Database): Promise<void> {
  await db.createTables(products, sales, prices, notes);
  await db
    .repository(products)
    .insert()
    .execBatch([
      { id: 1, name: "pen", tenantId: 1 },
      { id: 2, name: "ink", tenantId: 1 },
      { id: 3, name: "pad", tenantId: 2 },
      { id: 4, name: "cap", tenantId: 1 },
    ]);
  await db
    .repository(sales)
    .insert()
    .execBatch([
      { id: 1, productId: 1, tenantId: 1, qty: 2, at: day("2024-01-10") },
      { id: 2, productId: 1, tenantId: 1, qty: 5, at: day("2024-02-01") },
      { id: 3, productId: 2, tenantId: 1, qty: 1, at: day("2024-01-20") },
      { id: 4, productId: null, tenantId: 1, qty: 9, at: day("2024-03-01") },
      { id: 5, productId: 3, tenantId: 2, qty: 4, at: day("2024-01-05") },
      { id: 6, productId: 99, tenantId: 2, qty: 3, at: day("2024-01-06") },
    ]);
  await db
    .repository(prices)
    .insert()
    .execBatch([
      { id: 1, productId: 1, from: day("2024-01-01"), to: day("2024-02-01"), amount: 10 },
      { id: 2, productId: 1, from: day("2024-02-01"), to: null, amount: 12 },
      { id: 3, productId: 2, from: day("2024-01-25"), to: null, amount: 20 },
      { id: 4, productId: 4, from: day("2024-01-01"), to: null, amount: 7 },
    ]);
  await db
    .repository(notes)
    .insert()
    .execBatch([
      { low: 1, high: 3, text: "few" },
      { low: 4, high: null, text: "many" },
      { low: null, high: null, text: null },
      { low: 5, high: 5, text: null },
    ]);
}
