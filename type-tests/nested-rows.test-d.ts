// What the compiler knows of rows inside of rows: what each relation gives, their parameters, and every mistake.
import {
  c,
  coalesce,
  column,
  count,
  field,
  many,
  nullIf,
  one,
  type SqlTypeError,
  table,
  upper,
} from "rowtype";
import { postgres } from "rowtype/postgres";
import { sqlite } from "rowtype/sqlite";
import { expectType } from "tsd";
import { z } from "zod";

const id = column(z.int(), { primaryKey: true });
const customers = table(
  "customers",
  z.object({ id, name: z.string(), since: z.date(), bossId: z.int().nullable() }),
  { relations: { boss: one("customers", "bossId"), orders: many("orders", "customerId") } },
);
const orders = table(
  "orders",
  z.object({ id, customerId: z.int(), shipToId: z.int().nullable(), total: z.bigint() }),
  {
    relations: {
      customer: one("customers", "customerId"),
      shipTo: one("customers", "shipToId"),
      lines: many("lines", "orderId"),
    },
  },
);
const lines = table("lines", z.object({ id, orderId: z.int(), sku: z.string(), qty: z.int() }), {
  relations: { order: one("orders", "orderId") },
});
const db = postgres();
const shop = db.repositories({ customers, orders, lines });

const absent = <T>(value: T) => value as Extract<T, null>;

interface Line {
  id: number;
  orderId: number;
  sku: string;
  qty: number;
}

// A list, with the fields and the parameters of its query.
expectType<{ id: number; lines: { sku: string; qty: number }[] }[]>(
  await shop.orders
    .query()
    .fields("id")
    .with("lines", shop.lines.query().fields("sku", "qty").where("qty", ">", "min").limit(3))
    .where("id", "=", "id")
    .exec({ id: 1, min: 2 }),
);
// Whole rows without a query, and fields that are chosen later.
expectType<{ id: number; lines: Line[] }[]>(await shop.orders.query().with("lines").fields("id").exec());
expectType<{ total: bigint; id: number; lines: Line[] }[]>(
  await shop.orders.query().with("lines").fields("id").fields("total").exec(),
);
expectType<{ id: number; customerId: number; shipToId: number | null; total: bigint; lines: Line[] }>(
  await shop.orders.select().with("lines").exec(),
);

// A reference: a row, or null where its field is nullable or its query may leave it out.
const named = shop.customers.query().fields("name");
expectType<{ id: number; customer: { name: string } }[]>(
  await shop.orders.query().fields("id").with("customer", named).exec(),
);
expectType<{ id: number; shipTo: { name: string } | null }[]>(
  await shop.orders.query().fields("id").with("shipTo", named).exec(),
);
expectType<{ id: number; customer: { name: string } | null }[]>(
  await shop.orders
    .query()
    .fields("id")
    .with("customer", named.where("name", "=", "name"))
    .exec({ name: "a" }),
);
for (const query of [
  named.whereNull("bossId"),
  named.whereFields("id", "!=", "bossId"),
  named.whereExists("orders"),
  named.whereQuery("id", "IN", shop.customers.query().fields("id")),
  named.limit(1),
  named.offset(1),
])
  expectType<{ name: string } | null | undefined>(
    (await shop.orders.query().fields("id").with("customer", query).exec())[0]?.customer,
  );
// Conditions with parameters, of any kind, and limits that are parameters.
for (const query of [
  named.where(upper("name"), "=", "p"),
  named.whereOr(c("name", "=", "p")),
  named.whereOptional("name", "=", "p"),
  named.whereOptional(c("name", "=", "p")),
  named.whereQuery("id", "=", shop.orders.max("customerId").where("shipToId", "=", "p")),
])
  expectType<{ name: string } | null>(
    (await shop.orders.select().fields("id").with("customer", query).dynamic().exec({ p: "a" })).customer,
  );
const ranged = await shop.orders
  .select()
  .with("customer", named.whereBetween("since", "from", "to").limitParam("n").offsetParam("m"))
  .exec({ from: new Date(), to: new Date(), n: 1, m: 0 });
expectType<{ name: string } | null>(ranged.customer);
const busy = shop.customers.query().fields(count().as("n")).having("n", ">", "least");
expectType<{ n: number } | null>(
  (await shop.orders.select().with("customer", busy).exec({ least: 1 })).customer,
);
const specified = shop.orders.select().with("customer", shop.customers.queryFromSpec({}));
expectType<null>(absent((await specified.exec()).customer));
// @ts-expect-error the parameters of a dynamic query are not known here
shop.orders.select().with("customer", named.dynamic());
// Nothing else that has parameters leaves out rows: orders, expressions, rows inside.
const sorted = named.orderBy(coalesce(nullIf("name", "not"), field("name")), "asc");
expectType<{ name: string }>(
  (await shop.orders.select().with("customer", sorted).exec({ not: "a" })).customer,
);
const shown = shop.customers.query().fields(coalesce(nullIf("name", "not"), field("name")).as("who"));
expectType<{ who: string }>(
  (await shop.orders.select().with("customer", shown.distinct()).exec({ not: "a" })).customer,
);
const bought = named.with("orders", shop.orders.query().fields("id").where("total", ">", "least"));
expectType<{ name: string; orders: { id: number }[] }>(
  (await shop.orders.select().with("customer", bought).exec({ least: 1n })).customer,
);
const [bossed] = await shop.orders.query().with("customer", named.join("boss")).fields("customerId").exec();
expectType<{ name: string } | null | undefined>(bossed?.customer);
expectType<{ id: number; customer: { name: string } | null }[]>(
  await shop.orders
    .query()
    .fields("id")
    .with("customer", shop.customers.scope({ name: "Ann" }).query().fields("name"))
    .exec(),
);

// Rows in rows in rows, beside a join, and the same without a relation.
expectType<
  {
    customer: { name: string };
    lines: { qty: number; order: { total: bigint; shipTo: { name: string } | null } }[];
  }[]
>(
  await shop.orders
    .query()
    .with(
      "lines",
      shop.lines
        .query()
        .fields("qty")
        .with("order", shop.orders.query().fields("total").with("shipTo", named)),
    )
    .join("customer")
    .fields("customer.name")
    .exec(),
);
expectType<{ id: number; same: { sku: string }[] }[]>(
  await shop.orders
    .query()
    .fields("id")
    .withOn("same", shop.lines.query().fields("sku").where("sku", "=", "sku"), "id", "orderId")
    .exec({ sku: "A" }),
);
const alone = db.repository(orders);
expectType<{ id: number; same: Line[] }[]>(
  await alone.query().fields("id").withOn("same", shop.lines.query(), "id", "orderId").exec(),
);
for await (const row of shop.orders.query().fields("id").with("lines").stream())
  expectType<{ id: number; lines: Line[] }>(row);

// Mistakes.
// @ts-expect-error an unknown relation
shop.orders.query().with("linez");
// @ts-expect-error rows of another table
shop.orders.query().with("lines", shop.customers.query());
// @ts-expect-error rows of another dialect
shop.orders.query().with("lines", sqlite().repositories({ customers, orders, lines }).lines.query());
// @ts-expect-error the number of rows, and not rows
shop.orders.query().with("lines", shop.lines.count());
// @ts-expect-error a relation where the module is not known
alone.query().with("lines");
// @ts-expect-error a relation of a joined table
shop.orders.query().join("customer").with("customer.orders");
const bySku = shop.orders.query().with("lines", shop.lines.query().where("sku", "=", "sku"));
// @ts-expect-error a parameter of the nested query is missing
bySku.exec();
// @ts-expect-error a parameter of another type
bySku.exec({ sku: 1 });
// @ts-expect-error fields of two types
shop.orders.query().withOn("same", shop.lines.query(), "total", "sku");
// @ts-expect-error an unknown field of theirs
shop.orders.query().withOn("same", shop.lines.query(), "id", "order");
// @ts-expect-error a row that may be missing
(await shop.orders.query().fields("id").with("shipTo", named).exec())[0]?.shipTo.name;
// @ts-expect-error rows inside of rows have no order
shop.orders.query().fields("id").with("lines").orderBy("lines", "asc");
// @ts-expect-error the same under another name, and where NULLs stand
shop.orders.query().withOn("same", shop.lines.query(), "id", "orderId").orderByNulls("same", "asc", "last");
// @ts-expect-error the same where the parameters are known later
shop.orders.query().with("customer").dynamic().orderBy("customer", "asc");
// @ts-expect-error nor are they in groups
shop.orders.query().fields(count().as("n")).with("lines").groupBy("lines");
// @ts-expect-error nor do groups have conditions on them
shop.orders.query().with("lines").having("lines", "=", "lines");
// The name of a relation that is not used, as that of an expression.
expectType<{ lines: number }[]>(
  await shop.orders.query().fields(count().as("lines")).orderBy("lines", "asc").exec(),
);
const grouped = shop.orders.query().fields("customerId", count().as("n")).groupBy("customerId").with("lines");
expectType<SqlTypeError<"rows inside rows cannot be combined with groups: leave out with(…), or the groups">>(
  grouped.exec,
);
// @ts-expect-error rows beside an aggregate
shop.orders.query().with("customer").fields(count().as("n")).exec();
// @ts-expect-error a column holds no rows
shop.orders.query().fields("id").with("lines").as("numbered");
// @ts-expect-error groups with rows inside, in another query
shop.customers.query().with("orders", grouped);
// @ts-expect-error values of a query with rows inside of its rows
shop.orders.query().whereQuery("id", "IN", shop.lines.query().fields("orderId").with("order"));
// @ts-expect-error a field that was not chosen
(await shop.orders.query().with("lines").fields("id").exec())[0]?.total;
