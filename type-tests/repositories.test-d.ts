// What the compiler knows of repositories where a table or a query is taken: their rows, and every mistake it refuses.
import { type AnyTable, column, count, exists, existsOn, inQuery, many, one, sum, table } from "rowtype";
import { postgres } from "rowtype/postgres";
import { sqlite } from "rowtype/sqlite";
import { expectType } from "tsd";
import { z } from "zod";

const id = column(z.int(), { primaryKey: true });
const customers = table(
  "customers",
  z.object({ id, tenant: z.int(), name: z.string(), bossId: z.int().nullable() }),
  { relations: { boss: one("customers", "bossId"), orders: many("orders", "customerId") } },
);
const orders = table("orders", z.object({ id, customerId: z.int(), total: z.number() }), {
  relations: { customer: one("customers", "customerId") },
});
const names = table("names", z.object({ name: z.string() }));
const copies = table(
  "copies",
  z.object({ id, customerId: z.int(), total: z.number(), note: z.string().nullable() }),
);
const tables = { customers, orders, names, copies };
const db = postgres();
const shop = db.repositories(tables);
const bare = db.repository(customers);
const part = shop.customers.scope({ tenant: 1 });
const other = sqlite().repositories(tables);
declare const anyTable: AnyTable;
const unknown = db.repository(anyTable);

type Customer = { id: number; tenant: number; name: string; bossId: number | null };
type Order = { id: number; customerId: number; total: number };

async function rows() {
  // As the table itself: with and without a module, of a scope.
  expectType<{ id: number; c: { name: string; bossId: number | null } }[]>(
    await shop.orders
      .query()
      .joinOn("c", shop.customers, "customerId", "id")
      .where("c.name", "=", "name")
      .fields("id", "c.name", "c.bossId")
      .exec({ name: "a" }),
  );
  expectType<{ id: number; c: Customer | null }>(
    await shop.orders.select().leftJoinOn("c", bare, "customerId", "id").fields("id", "c.*").exec(),
  );
  expectType<{ c: { name: string } | null; n: number }[]>(
    await shop.orders
      .query()
      .leftJoinOn("c", part, "customerId", "id")
      .fields("c.name", count().as("n"))
      .groupBy("c.name")
      .exec(),
  );
  expectType<number>(
    await shop.orders
      .count()
      .joinOn("c", shop.customers, "customerId", "id")
      .leftJoinOn("boss", part, "c.bossId", "id")
      .where("boss.name", "=", "name")
      .exec({ name: "a" }),
  );
  // As the query of all rows, inside rows.
  expectType<{ id: number; orders: Order[]; all: Order[]; boss: Customer | null }[]>(
    await shop.customers
      .query()
      .fields("id")
      .with("orders", shop.orders)
      .withOn("all", shop.orders, "id", "customerId")
      .with("boss", shop.customers)
      .exec(),
  );
  // A row of a scope may be missing.
  expectType<{ id: number; customer: Customer }[]>(
    await shop.orders.query().fields("id").with("customer", shop.customers).exec(),
  );
  expectType<{ id: number; customer: Customer | null }[]>(
    await shop.orders.query().fields("id").with("customer", part).exec(),
  );
  // In conditions.
  expectType<{ id: number }[]>(
    await shop.customers
      .query()
      .fields("id")
      .whereExists("orders", shop.orders)
      .whereNotExistsOn(shop.orders, "id", "customerId")
      .whereQuery("name", "IN", shop.names)
      .whereOr(
        exists("orders", shop.orders),
        existsOn(shop.orders, "id", "customerId"),
        inQuery("name", "NOT IN", shop.names),
      )
      .exec(),
  );
  expectType<number>(await shop.customers.remove().whereExists("orders", shop.orders).exec());
  expectType<number>(await shop.customers.remove().whereNotExistsOn(shop.orders, "id", "customerId").exec());
  // Inserts, set operations, tables of their own.
  expectType<number>(await shop.copies.insert().execFrom(shop.orders));
  expectType<number>(await shop.copies.insert().dynamic().execFrom(shop.orders));
  expectType<Customer[]>(
    await shop.customers.query().where("id", "=", "id").union(part).except(bare).exec({ id: 1 }),
  );
  const once = db.with("once", shop.orders);
  expectType<Order[]>(await db.from(once).exec());
  expectType<{ sum: number | null }[]>(await db.from(once).fields(sum("total").as("sum")).exec());
  const staff = db.recursive("staff", part, (self) =>
    shop.customers.query().joinQuery(self, "bossId", "id").fields("id", "tenant", "name", "bossId"),
  );
  expectType<Customer[]>(await db.from(staff).exec());
  // In a transaction, and with a table that is not known.
  await db.transaction(async (tx) => {
    const inside = tx.repositories(tables);
    expectType<{ id: number; orders: Order[] }[]>(
      await inside.customers.query().fields("id").withOn("orders", inside.orders, "id", "customerId").exec(),
    );
  });
  expectType<Record<string, unknown>[]>(
    await unknown
      .query()
      .joinOn("c", shop.customers, "customerId", "id")
      .leftJoinOn("u", unknown, "id", "id")
      .with("lines", unknown)
      .withOn("all", shop.orders, "id", "customerId")
      .exec(),
  );
  expectType<Record<string, unknown>[]>(await unknown.query().union(unknown).exec());
  expectType<number>(await unknown.insert().execFrom(shop.orders));
}

function mistakes() {
  const order = shop.orders.query();
  // @ts-expect-error fields of two types cannot be equal
  order.joinOn("c", shop.customers, "total", "name");
  // @ts-expect-error a field that the other table does not have
  order.joinOn("c", shop.customers, "customerId", "customerId");
  // @ts-expect-error a field that we do not have
  order.leftJoinOn("c", part, "buyerId", "id");
  // @ts-expect-error a repository of another dialect
  order.joinOn("c", other.customers, "customerId", "id");
  // @ts-expect-error a query has no table to join: name it, and use joinQuery
  order.joinOn("c", shop.customers.query(), "customerId", "id");
  // @ts-expect-error a database is no repository
  order.joinOn("c", db, "customerId", "id");
  // @ts-expect-error all repositories are not one
  order.joinOn("c", shop, "customerId", "id");
  // @ts-expect-error a join by fields knows no relations of the other table
  order.joinOn("c", shop.customers, "customerId", "id").join("c.boss");
  // @ts-expect-error a field that the joined table does not have
  order.joinOn("c", shop.customers, "customerId", "id").fields("c.total");
  const left = order.leftJoinOn("c", part, "customerId", "id").fields("c.name");
  // @ts-expect-error the left join may have found nothing
  void left.exec().then(([row]) => row?.c.name);
  // @ts-expect-error rows of another table than that of the relation
  order.with("customer", shop.orders);
  // @ts-expect-error a field that the other table does not have
  order.withOn("c", shop.customers, "customerId", "customerId");
  // @ts-expect-error a repository of another dialect
  order.withOn("c", other.customers, "customerId", "id");
  // @ts-expect-error a repository of another dialect
  order.whereExistsOn(other.customers, "customerId", "id");
  // @ts-expect-error rows of several fields
  shop.customers.query().whereQuery("id", "IN", shop.orders);
  // @ts-expect-error rows are not one value
  shop.customers.query().whereQuery("name", "=", shop.names);
  // @ts-expect-error rows that have not what a record has
  void shop.copies.insert().execFrom(shop.customers);
  // @ts-expect-error rows of other fields
  order.union(shop.customers);
  // @ts-expect-error a repository of another dialect
  order.union(other.orders);
  // @ts-expect-error a query without a name is no table
  db.from(shop.orders);
  // @ts-expect-error a repository is no table to be declared
  db.repository(shop.orders);
  // @ts-expect-error a repository is no table to be declared
  void db.createTables(shop.orders);
}

void rows;
void mistakes;
