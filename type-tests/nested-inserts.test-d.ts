// What the compiler knows of records inside of records: what each relation takes and gives, and every mistake.
import { column, lower, many, one, param, type SqlTypeError, table } from "rowtype";
import { mariadb } from "rowtype/mariadb";
import { postgres } from "rowtype/postgres";
import { sqlite } from "rowtype/sqlite";
import { expectType } from "tsd";
import { z } from "zod";

const id = column(z.int(), { primaryKey: true, generated: true });
const customers = table("customers", z.object({ id, name: z.string(), nick: z.string().nullable() }), {
  relations: { orders: many("orders", "customerId") },
});
const orders = table(
  "orders",
  z.object({ id, customerId: z.int(), shipToId: z.int().nullable(), note: z.string().nullable() }),
  {
    relations: {
      customer: one("customers", "customerId"),
      shipTo: one("customers", "shipToId"),
      lines: many("lines", "orderId"),
    },
  },
);
const lines = table("lines", z.object({ id, orderId: z.int(), sku: z.string(), qty: z.int() }), {
  relations: { order: one("orders", "orderId"), taxes: many("taxes", "lineId") },
});
const taxes = table("taxes", z.object({ id, lineId: z.int(), rate: z.number() }));
const tables = { customers, orders, lines, taxes };
const shop = sqlite().repositories(tables);

interface Line {
  id: number;
  orderId: number;
  sku: string;
  qty: number;
}

async function nests() {
  const create = shop.orders.insert().with("lines");
  const order = await create.exec({ customerId: 1, lines: [{ sku: "a", qty: 1 }] });
  expectType<{
    id: number;
    customerId: number;
    shipToId: number | null;
    note: string | null;
    lines: Line[];
  }>(order);
  expectType<(typeof order)[]>(await create.execMany([{ customerId: 1, note: "x", lines: [] }]));
  expectType<number>(await create.execBatch([{ customerId: 1, lines: [] }]));
  expectType<{
    customerId: number;
    shipToId?: number | null | undefined;
    note?: string | null | undefined;
    lines: readonly { sku: string; qty: number }[];
  }>(create.insertSchema.parse({}));

  // The inner insert's own rows and records, three levels deep.
  const deep = shop.orders
    .insert()
    .with("lines", shop.lines.insert().returning("sku").with("taxes", shop.taxes.insert().returning("rate")))
    .returning("id");
  expectType<{ id: number; lines: { sku: string; taxes: { rate: number }[] }[] }>(
    await deep.exec({ customerId: 1, lines: [{ sku: "a", qty: 1, taxes: [{ rate: 0.2 }] }] }),
  );

  // A record, and null where the reference may be missing.
  const up = shop.orders
    .insert()
    .returning("id")
    .with("customer", shop.customers.insert().returning("name"))
    .with("shipTo", shop.customers.insert().returning("nick"));
  expectType<{ id: number; customer: { name: string }; shipTo: { nick: string | null } | null }>(
    await up.exec({ customer: { name: "ann" }, shipTo: null }),
  );
  expectType<{
    note?: string | null | undefined;
    customer: { name: string; nick?: string | null | undefined };
    shipTo: { name: string; nick?: string | null | undefined } | null;
  }>(up.insertSchema.parse({}));

  // Parameters of both.
  const both = shop.orders
    .insert()
    .returning("id")
    .with("lines", shop.lines.insert().returning("id", lower(param("a", z.string())).as("low")));
  expectType<{ id: number; lines: { id: number; low: string }[] }>(
    await both.exec({ customerId: 1, lines: [] }, { a: "A" }),
  );
  await both.dynamic().exec({ customerId: 1, lines: [] }, { a: "A" });
}

function refuses() {
  const create = shop.orders.insert().with("lines");
  // @ts-expect-error the key's field is filled
  create.exec({ customerId: 1, lines: [{ sku: "a", qty: 1, orderId: 1 }] });
  // @ts-expect-error a child without its field
  create.exec({ customerId: 1, lines: [{ sku: "a" }] });
  // @ts-expect-error nested records are required
  create.exec({ customerId: 1 });
  // @ts-expect-error a list is no record
  create.exec({ customerId: 1, lines: { sku: "a", qty: 1 } });
  const up = shop.orders.insert().with("customer");
  // @ts-expect-error the field of a `one` is filled
  up.exec({ customerId: 1, customer: { name: "ann" } });
  // @ts-expect-error a reference that cannot be missing
  up.exec({ customer: null });
  // @ts-expect-error an insert of another table
  shop.orders.insert().with("lines", shop.taxes.insert());
  // @ts-expect-error an insert of another dialect
  shop.orders.insert().with("lines", mariadb().repositories(tables).lines.insert());
  // @ts-expect-error a query is no insert
  shop.orders.insert().with("lines", shop.lines.query());
  // @ts-expect-error no relation
  shop.orders.insert().with("line");
  // @ts-expect-error a table without its module has no relations
  postgres().repository(orders).insert().with("lines");
  // @ts-expect-error onConflict before with
  shop.orders.insert().onConflict("id").doNothing().with("lines");
  // @ts-expect-error the same of an upsert
  shop.orders.insert().onConflict("id").doUpdate().with("lines");
  // @ts-expect-error onConflict after with
  create.onConflict("id");
  // @ts-expect-error an insert inside that keeps rows
  shop.orders.insert().with("lines", shop.lines.insert().onConflict("id").doNothing());
  // @ts-expect-error an insert inside that changes rows
  shop.orders.insert().with("lines", shop.lines.insert().onConflict("id").doUpdate());
  // @ts-expect-error rows of a query have no others inside
  create.execFrom(shop.orders.query());
  expectType<SqlTypeError<"onConflict cannot be combined with with(…)">>(create.onConflict);
  expectType<SqlTypeError<"execFrom cannot be combined with with(…)">>(create.execFrom);
}

export const all = [nests, refuses];
