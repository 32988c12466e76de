// What the compiler knows of declared relations, and of the repositories of a module.
import { type AnyTable, column, type Insert, many, type One, one, type Row, table } from "rowtype";
import { sqlite } from "rowtype/sqlite";
import { expectType } from "tsd";
import { z } from "zod";

const id = column(z.int(), { primaryKey: true });
const customers = table("customers", z.object({ id, name: z.string() }), {
  relations: { orders: many("orders", "customerId") },
});
const orders = table("orders", z.object({ id, customerId: z.int() }), {
  relations: { customer: one("customers", "customerId"), by: one("customers", "customerId", { key: "id" }) },
  unique: [["id", "customerId"]],
});

// A relation keeps its names, and the row is as without.
expectType<One<"customers", "customerId">>(orders.relations.customer);
expectType<"orders">(customers.relations.orders.to);
expectType<{ id: number; customerId: number }>(null as unknown as Row<typeof orders>);
expectType<{ id: number; customerId: number }>(null as unknown as Insert<typeof orders>);
const any: AnyTable = orders;
void any;
const plain = table("t", z.object({ id }));
expectType<Record<never, never>>(plain.relations);

// @ts-expect-error the table has no such field
table("x", z.object({ id }), { relations: { customer: one("customers", "customerID") } });
// @ts-expect-error a relation is not a text
table("x", z.object({ id }), { relations: { customer: "customers" } });
// @ts-expect-error a field of another table is text
many("orders", 1);
// @ts-expect-error an option that is not there
one("customers", "id", { keys: "id" });

// The repositories of a module have the names of its exports.
const db = sqlite();
const shop = db.repositories({ orders, customers, limit: 5 });
async function rows() {
  expectType<{ id: number; customerId: number }[]>(await shop.orders.query().exec());
  expectType<{ name: string }>(await shop.customers.select().fields("name").exec());
  await db.transaction(async (tx) => {
    expectType<{ name: string }>(
      await tx.repositories({ customers }).customers.select().fields("name").exec(),
    );
  });
}
void rows;
// @ts-expect-error a module has no such export
shop.order;
// @ts-expect-error an export that is not a table
void (() => shop.limit.query());
// @ts-expect-error no module
db.repositories("tables");
const unknown = db.repositories({ any });
void (() => unknown.any.query().where("whatever", "=", "p").exec({ p: 1 }));
