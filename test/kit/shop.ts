/** Tables that are related, and rows with everything that a join may meet: nulls, rows without others, ids that meet. */
import { column, type Database, many, one, type Rendered, table } from "rowtype";
import { z } from "zod";

const id = () => column(z.int(), { primaryKey: true });

export const countries = table("countries", z.object({ id: id(), name: z.string() }));

export const customers = table(
  "customers",
  z.object({
    id: id(),
    name: z.string(),
    nick: z.string().nullable(),
    since: column(z.date().nullable(), { name: "since_at" }),
    countryId: column(z.int().nullable(), { name: "country_id" }),
    bossId: z.int().nullable(),
  }),
  {
    relations: {
      country: one("countries", "countryId"),
      boss: one("customers", "bossId"),
      orders: many("orders", "customerId"),
    },
  },
);

export const orders = table(
  "orders",
  z.object({
    id: id(),
    customerId: column(z.int().nullable(), { name: "customer_id" }),
    total: z.bigint(),
    note: z.string().nullable(),
    placedAt: column(z.date(), { name: "placed_at" }),
  }),
  {
    relations: {
      customer: one("customers", "customerId"),
      lines: many("lines", "orderId"),
      payments: many("payments", "orderId"),
    },
  },
);

export const lines = table("lines", z.object({ id: id(), orderId: z.int(), sku: z.string(), qty: z.int() }), {
  relations: { order: one("orders", "orderId") },
});

// Without a key, as logs are.
export const payments = table(
  "payments",
  z.object({ orderId: z.int(), amount: z.int().nullable(), method: z.string().nullable() }),
  { relations: { order: one("orders", "orderId") } },
);

export const shop = { countries, customers, orders, lines, payments };

type Step = (...args: readonly unknown[]) => Untyped;

/** A builder of pages without its types. */
export interface Pages {
  render(): Rendered;
  renderAfter(): Rendered;
  toSpec(): unknown;
  exec(
    params?: object,
    options?: object,
  ): Promise<{ readonly rows: readonly object[]; readonly next: string | null }>;
}

/** A builder without its types, or a repository. */
export interface Untyped {
  readonly query: Step;
  readonly select: Step;
  readonly count: Step;
  readonly sum: Step;
  readonly avg: Step;
  readonly min: Step;
  readonly max: Step;
  readonly exists: Step;
  readonly scope: Step;
  readonly queryFromSpec: Step;
  readonly compoundFromSpec: Step;
  readonly join: Step;
  readonly leftJoin: Step;
  readonly joinOn: Step;
  readonly leftJoinOn: Step;
  readonly joinQuery: Step;
  readonly leftJoinQuery: Step;
  readonly rightJoin: Step;
  readonly fullJoin: Step;
  readonly rightJoinOn: Step;
  readonly fullJoinOn: Step;
  readonly rightJoinQuery: Step;
  readonly fullJoinQuery: Step;
  readonly as: Step;
  readonly from: Step;
  readonly fields: Step;
  readonly with: Step;
  readonly withOn: Step;
  readonly where: Step;
  readonly whereOr: Step;
  readonly whereNull: Step;
  readonly whereFields: Step;
  readonly whereOptional: Step;
  readonly whereExists: Step;
  readonly whereNotExists: Step;
  readonly whereExistsOn: Step;
  readonly whereNotExistsOn: Step;
  readonly whereQuery: Step;
  readonly orderBy: Step;
  readonly orderByNulls: Step;
  readonly groupBy: Step;
  readonly having: Step;
  readonly havingAgg: Step;
  readonly distinct: Step;
  readonly distinctOn: Step;
  readonly union: Step;
  readonly limit: Step;
  readonly offset: Step;
  readonly page: (...args: readonly unknown[]) => Pages;
  readonly pageFromSpec: (...args: readonly unknown[]) => Pages;
  readonly limitParam: Step;
  readonly offsetParam: Step;
  readonly forUpdate: Step;
  render(): Rendered;
  exec(params?: object, options?: object): Promise<unknown>;
  execOrNull(params?: object): Promise<unknown>;
  stream(params?: object): AsyncIterable<unknown>;
  explain(params?: object): Promise<string>;
  toSpec(): unknown;
}

/** The untyped repositories of the shop. */
export type Shop = Readonly<Record<keyof typeof shop, Untyped>>;

export function shopOn(db: Database): Shop {
  return db.repositories(shop) as unknown as Shop;
}

/** Makes the tables and fills them. */
export async function openShop(db: Database): Promise<void> {
  await db.createTables(countries, customers, orders, lines, payments);
  const date = (text: string) => new Date(`${text}T08:09:10.123Z`);
  await db
    .repository(countries)
    .insert()
    .execBatch([
      { id: 1, name: "Austria" },
      { id: 2, name: "Brazil" },
    ]);
  await db
    .repository(customers)
    .insert()
    .execBatch([
      { id: 1, name: "Ann", nick: "A", since: date("2020-01-02"), countryId: 1, bossId: null },
      { id: 2, name: "Bob", nick: null, since: null, countryId: 2, bossId: 1 },
      { id: 3, name: "Cy", nick: null, since: null, countryId: null, bossId: 1 },
    ]);
  const placedAt = date("2024-05-06");
  await db
    .repository(orders)
    .insert()
    .execBatch([
      { id: 1, customerId: 1, total: 9007199254740993n, note: "first", placedAt },
      { id: 2, customerId: 2, total: 20n, note: null, placedAt },
      { id: 3, customerId: null, total: 30n, note: null, placedAt },
      { id: 4, customerId: 3, total: 40n, note: null, placedAt },
    ]);
  await db
    .repository(lines)
    .insert()
    .execBatch([
      { id: 1, orderId: 1, sku: "A1", qty: 2 },
      { id: 2, orderId: 1, sku: "B2", qty: 3 },
      { id: 3, orderId: 2, sku: "A1", qty: 5 },
    ]);
  await db
    .repository(payments)
    .insert()
    .execBatch([
      { orderId: 1, amount: null, method: null },
      { orderId: 2, amount: 7, method: "card" },
    ]);
}
