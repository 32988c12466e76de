// What the compiler knows of inserts from queries: rows that fit, the parameters of both, and every mistake that it refuses.
import { coalesce, column, decimal, field, inserted, many, max, one, sum, table, value } from "rowtype";
import { postgres } from "rowtype/postgres";
import { sqlite } from "rowtype/sqlite";
import { expectType } from "tsd";
import { z } from "zod";

const id = column(z.int(), { primaryKey: true });
const orders = table(
  "orders",
  z.object({
    id,
    customerId: z.int().nullable(),
    total: decimal(12, 2),
    note: z.string().nullable(),
    at: z.date(),
  }),
  { relations: { customer: one("customers", "customerId") } },
);
const customers = table("customers", z.object({ id, name: z.string() }), {
  relations: { orders: many("orders", "customerId") },
});
const archive = table(
  "archive",
  z.object({
    id,
    total: decimal(12, 2),
    note: z.string().nullable(),
    at: z.date(),
    runs: column(z.int(), { default: "1" }),
    row: column(z.int(), { generated: true }),
  }),
);
const names = table("names", z.object({ id, label: z.string(), tenant: z.int() }));
const tables = { orders, customers, archive, names };
const shop = sqlite().repositories(tables);

const rows = () => shop.orders.query().fields("id", "total", "note", "at");

async function fits() {
  expectType<number>(await shop.archive.insert().execFrom(rows()));
  await shop.archive.insert().execFrom(rows().where("total", ">", "least"), { least: "1.00" });
  await shop.archive.insert().execFrom(shop.orders.select().fields("id", "total", "note", "at"));
  await shop.archive
    .insert()
    .onConflict("id")
    .doUpdate()
    .set("note", "other")
    .set("total", inserted("total"))
    .execFrom(rows().where("id", ">", "least"), { least: 1, other: "x" });
  await shop.names
    .scope({ tenant: 1 })
    .insert()
    .execFrom(
      shop.customers
        .query()
        .join("orders")
        .fields("id", coalesce(max("orders.note"), value("")).as("label"))
        .groupBy("id"),
    );
  await shop.archive
    .insert()
    .dynamic()
    .execFrom(rows().dynamic().where("id", ">", "least"), { least: 1 });
}

async function mistakes() {
  const insert = shop.archive.insert();
  // @ts-expect-error a field is missing
  await insert.execFrom(shop.orders.query().fields("id", "total", "note"));
  // @ts-expect-error a field that the table does not have
  await insert.execFrom(shop.orders.query());
  // @ts-expect-error a field that only the database sets
  await insert.execFrom(shop.archive.query());
  // @ts-expect-error a value that may be null
  await insert.execFrom(shop.orders.query().fields("id", "note", "at", sum("total").as("total")));
  // @ts-expect-error a value of another type
  await insert.execFrom(shop.orders.query().fields("id", "total", "at", coalesce("id", value(1)).as("note")));
  // @ts-expect-error a part of a row
  await insert.execFrom(rows().join("customer").fields("customer.name"));
  // @ts-expect-error a parameter is missing
  await insert.execFrom(rows().where("id", ">", "least"));
  // @ts-expect-error a parameter of another type
  await insert.execFrom(rows().where("id", ">", "least"), { least: "1" });
  // @ts-expect-error one value
  await insert.execFrom(shop.orders.count());
  // @ts-expect-error a query of another dialect
  await insert.execFrom(postgres().repositories(tables).orders.query().fields("id", "total", "note", "at"));
  // @ts-expect-error pages are complete
  await insert.execFrom(rows().orderBy("id", "asc").page(2));
  // @ts-expect-error records
  await insert.execFrom([{ id: 1 }]);
  // @ts-expect-error what the scope fixes
  await shop.names.scope({ tenant: 1 }).insert().execFrom(shop.names.query());
}

export { field, fits, mistakes };
