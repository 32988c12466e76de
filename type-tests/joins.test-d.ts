// What the compiler knows of joins: names, rows that nest, nulls of left joins, and every mistake that it refuses.
import { c, column, count, dateTrunc, isNull, many, max, one, or, sum, table, upper } from "rowtype";
import { postgres } from "rowtype/postgres";
import { sqlite } from "rowtype/sqlite";
import { expectType } from "tsd";
import { z } from "zod";

const id = column(z.int(), { primaryKey: true });
const countries = table("countries", z.object({ id, name: z.string(), eu: z.boolean() }));
const customers = table(
  "customers",
  z.object({ id, name: z.string(), limit: z.number(), countryId: z.int().nullable(), since: z.date() }),
  { relations: { country: one("countries", "countryId"), orders: many("orders", "customerId") } },
);
const orders = table(
  "orders",
  z.object({
    id,
    customerId: z.int(),
    shipToId: z.int().nullable(),
    total: z.number(),
    note: z.string().nullable(),
    createdAt: z.date(),
    big: z.bigint(),
  }),
  {
    relations: {
      customer: one("customers", "customerId"),
      shipTo: one("customers", "shipToId"),
      lines: many("lines", "orderId"),
    },
  },
);
const lines = table(
  "lines",
  z.object({ id, orderId: z.int(), productId: z.int(), qty: z.int(), price: z.string() }),
  { relations: { order: one("orders", "orderId"), product: one("products", "productId") } },
);
const products = table("products", z.object({ id, sku: z.string(), name: z.string() }));
const employees = table(
  "employees",
  z.object({ id, managerId: z.int().nullable(), name: z.string(), salary: z.number() }),
  { relations: { manager: one("employees", "managerId"), reports: many("employees", "managerId") } },
);
const tables = { countries, customers, orders, lines, products, employees };
const shop = postgres().repositories(tables);

async function rows() {
  // Two tables.
  expectType<{ id: number; customer: { name: string } }[]>(
    await shop.orders
      .query()
      .join("customer")
      .fields("id", "customer.name")
      .where("customer.name", "LIKE", "n")
      .where("total", ">", "t")
      .orderBy("customer.name", "asc")
      .exec({ n: "a%", t: 1 }),
  );
  // A left join through a left join.
  expectType<
    { id: number; customer: { name: string; since: Date } | null; country: { name: string } | null }[]
  >(
    await shop.orders
      .query()
      .leftJoin("customer")
      .leftJoin("customer.country")
      .fields("id", "customer.name", "customer.since", "country.name")
      .exec(),
  );
  // An inner join through a left one.
  expectType<{ customer: { name: string } | null; country: { name: string } }>(
    await shop.orders
      .select()
      .leftJoin("customer")
      .join("customer.country")
      .fields("customer.name", "country.name")
      .exec(),
  );
  // A table with itself, by relation and by fields.
  expectType<{ name: string; manager: { name: string } | null }[]>(
    await shop.employees
      .query()
      .leftJoin("manager")
      .fields("name", "manager.name")
      .whereFields("salary", ">", "manager.salary")
      .exec(),
  );
  expectType<
    { name: string; boss: { id: number; managerId: number | null; name: string; salary: number } }[]
  >(
    await shop.employees.query().joinOn("boss", employees, "managerId", "id").fields("name", "boss.*").exec(),
  );
  // Under another name, twice.
  expectType<{ payer: { name: string }; receiver: { name: string } | null }[]>(
    await shop.orders
      .query()
      .join("customer", "payer")
      .leftJoin("shipTo", "receiver")
      .fields("payer.name", "receiver.name")
      .exec(),
  );
  // Five tables.
  expectType<
    {
      qty: number;
      order: { total: number };
      product: { sku: string };
      customer: { name: string };
      country: { eu: boolean };
    }[]
  >(
    await shop.lines
      .query()
      .join("order")
      .join("product")
      .join("order.customer")
      .join("customer.country")
      .fields("qty", "order.total", "product.sku", "customer.name", "country.eu")
      .where("country.eu", "=", "eu")
      .exec({ eu: true }),
  );
  // Groups over a join.
  expectType<{ customer: { name: string }; spent: number | null; n: number }[]>(
    await shop.orders
      .query()
      .join("customer")
      .fields("customer.name", sum("total").as("spent"), count().as("n"))
      .groupBy("customer.name")
      .having("spent", ">", "least")
      .havingAgg("max", "customer.since", ">", "since")
      .orderBy("spent", "desc")
      .exec({ least: 5, since: new Date() }),
  );
  // Expressions of a left-joined table are nullable, those of a joined one are not.
  expectType<{ id: number; ship: string | null; last: Date | null; who: string }[]>(
    await shop.orders
      .query()
      .leftJoin("shipTo")
      .join("customer")
      .fields("id", upper("shipTo.name").as("ship"), upper("customer.name").as("who"))
      .fields(dateTrunc("month", "shipTo.since").as("last"))
      .whereOr(c("shipTo.name", "=", "n"), isNull("shipTo.id"), or(c("total", ">", "t")))
      .whereNotNull("shipTo.countryId")
      .whereBetween("customer.since", "a", "b")
      .exec({ n: "a", t: 1, a: new Date(), b: new Date() }),
  );
  // All of the own table, beside others.
  expectType<{ id: number; name: string; eu: boolean; big: string }[]>(
    await shop.countries.query().fields("*", upper("name").as("big")).exec(),
  );
  expectType<{ id: number; sku: string; name: string }[]>(await shop.products.query().fields("*").exec());
  // Without fields the row is that of the own table.
  expectType<{ id: number; sku: string; name: string }[]>(
    await shop.products.query().joinOn("c", customers, "id", "id").exec(),
  );
  // Counts and sums over joins.
  expectType<number>(
    await shop.orders.count().join("customer").where("customer.name", "=", "n").exec({ n: "a" }),
  );
  expectType<number>(
    await shop.orders
      .sum("total")
      .leftJoin("customer")
      .leftJoinOn("twin", orders, "id", "id")
      .where("twin.total", ">", "t")
      .exec({ t: 1 }),
  );
  // The first order of each customer, by name.
  expectType<{ customer: { name: string }; total: number }[]>(
    await shop.orders
      .query()
      .join("customer")
      .distinctOn("customer.name")
      .fields("customer.name", "total")
      .orderBy("customer.name", "asc")
      .exec(),
  );
  // A table of the database, without a module.
  expectType<{ id: number; buyer: { name: string } }[]>(
    await postgres()
      .repository(orders)
      .query()
      .joinOn("buyer", customers, "customerId", "id")
      .fields("id", "buyer.name")
      .exec(),
  );
  // In a transaction, and dynamic.
  await postgres().transaction(async (tx) => {
    const inside = tx
      .repositories(tables)
      .orders.query()
      .join("customer")
      .fields("customer.name", max("total").as("m"));
    expectType<{ customer: { name: string }; m: number | null }[]>(
      await inside.groupBy("customer.name").dynamic().where("customer.name", "=", "n").exec({ n: "a" }),
    );
  });
}
void rows;

async function mistakes() {
  const order = shop.orders.query();
  // @ts-expect-error a field of the joined table, misspelt
  order.join("customer").where("customer.nam", "=", "n");
  // @ts-expect-error a field of a table that is not joined
  order.where("customer.name", "=", "n");
  // @ts-expect-error a field of a table that is not joined
  order.fields("customer.name");
  // @ts-expect-error no such relation
  order.join("custmer");
  // @ts-expect-error a path through a relation that is not joined
  order.join("customer.country");
  // @ts-expect-error a path of three words
  order.join("customer").join("customer.country.continent");
  // @ts-expect-error an operator that the joined column does not take
  order.join("customer").where("customer.id", "LIKE", "n");
  // @ts-expect-error a parameter of the wrong type
  order.join("customer").where("customer.name", "=", "n").exec({ n: 1 });
  // @ts-expect-error the left join may have found nothing
  void (await order.leftJoin("shipTo").fields("shipTo.name").exec())[0]?.shipTo.name;
  // @ts-expect-error a field that was not selected
  void (await order.join("customer").fields("customer.name").exec())[0]?.customer.id;
  // @ts-expect-error fields of two types cannot be equal
  order.joinOn("c", customers, "total", "name");
  // @ts-expect-error a field that the other table does not have
  order.joinOn("c", customers, "customerId", "customerId");
  // @ts-expect-error no table
  order.joinOn("c", "customers", "customerId", "id");
  // @ts-expect-error not grouped
  order.join("customer").fields("customer.name", sum("total").as("s")).exec();
  // @ts-expect-error not grouped by this
  order.join("customer").fields("customer.name", sum("total").as("s")).groupBy("customer.id").exec();
  // @ts-expect-error all columns are not grouped
  order.join("customer").fields("customer.*", sum("total").as("s")).groupBy("customer.id").exec();
  // @ts-expect-error the sum of a text
  order.join("customer").fields(sum("customer.name").as("s"));
  // @ts-expect-error fields of two types
  order.join("customer").whereFields("total", ">", "customer.name");
  // @ts-expect-error a condition on a table that is not joined
  order.whereOr(c("customer.name", "=", "n"), c("total", ">", "t"));
  // @ts-expect-error an expression of a table that is not joined
  order.fields(upper("customer.name").as("n"));
  // @ts-expect-error a part of the row has no order
  order.join("customer").fields("customer.name").orderBy("customer", "asc");
  // @ts-expect-error all of a table that is not joined
  order.fields("customer.*");
  // @ts-expect-error a query that reads one table knows no relations
  sqlite().repository(orders).query().join("customer");
  // @ts-expect-error an update joins nothing
  shop.orders.modify().join("customer");
  // @ts-expect-error a removal joins nothing
  shop.orders.remove().join("customer");
}
void mistakes;
