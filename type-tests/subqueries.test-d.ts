// What the compiler knows of queries inside others: whose rows they are, their parameters, and every mistake it refuses.
import {
  abs,
  add,
  avg,
  c,
  coalesce,
  column,
  compare,
  count,
  dateTrunc,
  decimal,
  exists,
  existsOn,
  inQuery,
  isNull,
  listAgg,
  many,
  max,
  min,
  not,
  notExists,
  notExistsOn,
  of,
  one,
  param,
  sum,
  table,
  upper,
  when,
} from "rowtype";
import { postgres } from "rowtype/postgres";
import { sqlite } from "rowtype/sqlite";
import { expectType } from "tsd";
import { z } from "zod";

const id = column(z.int(), { primaryKey: true });
const customers = table(
  "customers",
  z.object({ id, name: z.string(), since: z.date(), bossId: z.int().nullable() }),
  {
    relations: {
      boss: one("customers", "bossId"),
      staff: many("customers", "bossId"),
      orders: many("orders", "customerId"),
    },
  },
);
const orders = table(
  "orders",
  z.object({ id, customerId: z.int().nullable(), total: z.number(), note: z.string().nullable() }),
  {
    relations: {
      customer: one("customers", "customerId"),
      lines: many("lines", "orderId"),
      payments: many("payments", "orderId"),
    },
  },
);
const payments = table("payments", z.object({ id, orderId: z.int(), amount: decimal(10, 2) }));
const lines = table("lines", z.object({ id, orderId: z.int(), sku: z.string(), qty: z.int() }), {
  relations: { order: one("orders", "orderId") },
});
const tables = { customers, orders, lines, payments };
const db = postgres();
const shop = db.repositories(tables);
const other = sqlite().repositories(tables);

async function rows() {
  // The row stays, the parameters of all queries are collected.
  expectType<{ id: number; note: string | null }[]>(
    await shop.orders
      .query()
      .fields("id", "note")
      .whereExists("lines", shop.lines.query().where("sku", "=", "sku").whereOptional("qty", ">", "least"))
      .whereNotExists("customer", shop.customers.select().where("name", "=", "name"))
      .where("total", ">", "total")
      .exec({ sku: "a", name: "b", total: 1 }),
  );
  // Without a query, and by the relation of a joined table.
  expectType<{ id: number }[]>(
    await shop.orders
      .query()
      .leftJoin("customer")
      .fields("id")
      .whereExists("lines")
      .whereExists("customer.boss", shop.customers.query().where("id", "=", "boss"))
      .exec({ boss: 1 }),
  );
  // By two fields, of queries of their own.
  expectType<{ id: number; customerId: number | null; total: number; note: string | null }>(
    await shop.orders
      .select()
      .join("customer")
      .whereExistsOn(shop.lines.query().where("qty", "=", "qty"), "id", "orderId")
      .whereNotExistsOn(shop.customers.query(), "customer.bossId", "id")
      .exec({ qty: 1 }),
  );
  // In a query in a query; one name is one parameter.
  expectType<number>(
    await shop.customers
      .count()
      .whereExists(
        "orders",
        shop.orders
          .query()
          .whereExists("lines", shop.lines.query().where("sku", "=", "text"))
          .where("note", "=", "text"),
      )
      .exec({ text: "a" }),
  );
  // Among the values of a query of one field, and beside one value.
  expectType<{ id: number }[]>(
    await shop.customers
      .query()
      .fields("id")
      .whereQuery("id", "IN", shop.orders.query().fields("customerId").where("total", ">", "total"))
      .whereQuery("bossId", "NOT IN", shop.customers.select().fields("id").where("name", "=", "name"))
      .whereQuery("name", "IN", shop.orders.query().fields("note"))
      .whereQuery("id", ">=", shop.orders.avg("total").where("note", "=", "note"))
      .whereQuery("since", "IN", shop.customers.query().fields(max("since").as("last")).groupBy("bossId"))
      .exec({ total: 1, name: "n", note: "o" }),
  );
  expectType<number>(
    await shop.lines.remove().whereQuery("orderId", "NOT IN", shop.orders.query().fields("id")).exec(),
  );
  expectType<number>(
    await shop.orders.count().join("lines").whereQuery("lines.qty", "<", shop.lines.max("qty")).exec(),
  );
  // As conditions, in groups, turned round, in filters, optional; their parameters join the others.
  expectType<{ id: number; found: boolean | null; n: number }[]>(
    await shop.orders
      .query()
      .leftJoin("customer")
      .fields(
        "id",
        when(notExists("lines")).as("found"),
        count()
          .filter(exists("lines", shop.lines.query().where("qty", ">", "qty")))
          .as("n"),
      )
      .whereOr(
        exists("lines", shop.lines.query().where("sku", "=", "sku")),
        not(existsOn(shop.customers.query().where("name", "=", "name"), "customerId", "id")),
        inQuery("customer.id", "IN", shop.customers.query().fields("bossId")),
        inQuery("total", ">", shop.orders.avg("total")),
        compare("customer.id", "!=", "customer.bossId"),
        compare(upper("note"), "=", "customer.name"),
      )
      .whereOptional(notExistsOn(shop.lines.query().where("id", "=", "line"), "id", "orderId"))
      .groupBy("id")
      .exec({ sku: "a", name: "b", qty: 1 }),
  );
  // Aggregates of related rows: of the table, and of a joined one.
  expectType<{ id: number; lines: number; qty: number | null; others: number; last: string | null }[]>(
    await shop.orders
      .query()
      .join("customer")
      .fields(
        "id",
        of("lines", count().filter(c("sku", "=", "sku"))).as("lines"),
        of("lines", sum("qty")).as("qty"),
        of("customer.orders", count()).as("others"),
        of("customer.orders", max("note")).as("last"),
      )
      .where(of("lines", sum("qty")), ">", "least")
      .orderBy(of("lines", count()), "desc")
      .exec({ sku: "a", least: 2 }),
  );
  // They are texts, dates, lists and calculations as any other operand is.
  const last = of("lines", max("sku"));
  expectType<{ shown: string | null; all: string[]; more: number | null; rate: number }[]>(
    await shop.orders
      .query()
      .join("customer")
      .fields(
        upper(last).as("shown"),
        of("lines", listAgg("sku")).as("all"),
        of("lines", add(sum("qty"), count())).as("more"),
        coalesce(of("lines", avg("qty")), param("none", z.number())).as("rate"),
      )
      .where(last, "LIKE", "like")
      .where(of("customer.orders", max("note")), "=", "note")
      .whereBetween(of("lines", max(upper("sku"))), "from", "to")
      .whereOr(isNull(last), c(of("lines", min("qty")), "<", "most"), compare(last, "=", "note"))
      .exec({ none: 0, like: "A%", note: "n", from: "a", to: "b", most: 3 }),
  );
  expectType<{ day: Date | null }[]>(
    await shop.customers
      .query()
      .fields(dateTrunc("day", of("staff", max("since"))).as("day"))
      .where(of("staff", max("since")), ">", "since")
      .exec({ since: new Date() }),
  );
  expectType<{ paid: string | null; whole: string | null }[]>(
    await shop.orders
      .query()
      .fields(of("payments", sum("amount")).as("paid"), abs(of("payments", sum("amount"))).as("whole"))
      .where(of("payments", max("amount")), ">", "least")
      .exec({ least: "1.00" }),
  );
  // In changes.
  expectType<number>(
    await shop.lines
      .remove()
      .whereExists("order", shop.orders.query().where("note", "=", "note"))
      .exec({ note: "n" }),
  );
  expectType<number>(
    await shop.lines
      .modify()
      .set("qty", "qty")
      .whereNotExistsOn(shop.orders.query(), "orderId", "id")
      .execBatch([{ qty: 1 }]),
  );
  expectType<number>(
    await shop.orders
      .modify()
      .setFrom("note", "customer", "name")
      .where("id", "=", "id")
      .execBatch([{ id: 1 }]),
  );
  // A part of a table is its table.
  expectType<{ id: number }[]>(
    await shop.orders
      .query()
      .fields("id")
      .whereExists("lines", shop.lines.scope({ sku: "a" }).query())
      .exec(),
  );
  // Parameters that are known later.
  const dynamic = shop.orders.query().dynamic();
  expectType<typeof dynamic>(dynamic.whereExists("lines", shop.lines.query().where("sku", "=", "sku")));
  expectType<typeof dynamic>(dynamic.whereNotExists("lines", shop.lines.query().dynamic()));
  expectType<typeof dynamic>(dynamic.whereExistsOn(shop.lines.query(), "id", "orderId"));
}

function mistakes() {
  const query = shop.orders.query();
  // @ts-expect-error no such relation
  query.whereExists("line");
  // @ts-expect-error the relation of a table that is not joined
  query.whereExists("customer.boss");
  // @ts-expect-error rows of another table
  query.whereExists("lines", shop.customers.query());
  // @ts-expect-error another dialect
  query.whereExists("lines", other.lines.query());
  // @ts-expect-error a number is not a list of rows
  query.whereExists("lines", shop.lines.count());
  // @ts-expect-error a table is not a query
  query.whereExists("lines", lines);
  // @ts-expect-error a parameter of the query is missing
  query.whereExists("lines", shop.lines.query().where("sku", "=", "sku")).exec();
  // @ts-expect-error a parameter of another type
  query.whereExists("lines", shop.lines.query().where("sku", "=", "sku")).exec({ sku: 1 });
  query
    .where("total", ">", "same")
    .whereExists("lines", shop.lines.query().where("sku", "=", "same"))
    // @ts-expect-error a number and a text at once
    .exec({ same: 1 });
  // @ts-expect-error a field that is not grouped
  query.whereExists("lines", shop.lines.query().fields("sku", sum("qty").as("n")));
  // @ts-expect-error fields of two types
  query.whereExistsOn(shop.lines.query(), "id", "sku");
  // @ts-expect-error no field of theirs
  query.whereExistsOn(shop.lines.query(), "id", "order");
  // @ts-expect-error no field of ours
  query.whereExistsOn(shop.lines.query(), "ids", "orderId");
  // @ts-expect-error another dialect
  query.whereExistsOn(other.lines.query(), "id", "orderId");
  // @ts-expect-error a number is not a list of rows
  query.whereNotExistsOn(shop.lines.count(), "id", "orderId");
  // @ts-expect-error two fields
  query.whereQuery("customerId", "IN", shop.customers.query().fields("id", "bossId"));
  // @ts-expect-error all fields
  query.whereQuery("customerId", "IN", shop.customers.query());
  // @ts-expect-error a text among numbers
  query.whereQuery("customerId", "IN", shop.customers.query().fields("name"));
  // @ts-expect-error rows are not a single value
  query.whereQuery("total", ">", shop.orders.query().fields("total"));
  // @ts-expect-error one value is not a list
  query.whereQuery("total", "IN", shop.orders.avg("total"));
  // @ts-expect-error a number beside a text
  query.whereQuery("note", "=", shop.orders.avg("total"));
  // @ts-expect-error a pattern is not a query
  query.whereQuery("note", "LIKE", shop.orders.query().fields("note"));
  // @ts-expect-error another dialect
  query.whereQuery("id", "IN", other.orders.query().fields("id"));
  // @ts-expect-error not a field
  query.whereQuery("customer.id", "IN", shop.orders.query().fields("id"));
  // @ts-expect-error a field that is not grouped
  query.whereQuery("id", "IN", shop.orders.query().fields("id").groupBy("total"));
  // @ts-expect-error a parameter of the query is missing
  query.whereQuery("id", "IN", shop.orders.query().fields("id").where("total", "=", "t")).exec();
  // @ts-expect-error two fields
  query.dynamic().whereQuery("id", "IN", shop.orders.query().fields("id", "total").dynamic());
  const modify = shop.orders.modify().where("id", "=", "id");
  // @ts-expect-error a text for a number
  modify.setFrom("total", "customer", "name");
  // @ts-expect-error a value that may be null, for a field that is not
  modify.setFrom("total", "customer", "bossId");
  // @ts-expect-error a relation to many
  modify.setFrom("total", "lines", "qty");
  // @ts-expect-error no field of theirs
  modify.setFrom("note", "customer", "note");
  // @ts-expect-error no such relation
  modify.setFrom("note", "owner", "name");
  // @ts-expect-error it needs a condition
  shop.orders.modify().setFrom("note", "customer", "name").exec();
  // @ts-expect-error a dynamic update refuses it too
  modify.dynamic().setFrom("total", "customer", "bossId");
  // @ts-expect-error no such relation
  query.whereOr(exists("line"));
  // @ts-expect-error rows of another table
  query.whereOr(exists("lines", shop.customers.query()));
  // @ts-expect-error another dialect
  query.whereOr(exists("lines", other.lines.query()));
  // @ts-expect-error fields of two types
  query.whereOr(existsOn(shop.lines.query(), "id", "sku"));
  // @ts-expect-error no field of theirs
  existsOn(shop.lines.query(), "id", "order");
  // @ts-expect-error no field of ours
  query.whereOr(existsOn(shop.lines.query(), "ids", "orderId"));
  // @ts-expect-error a text among numbers
  query.whereOr(inQuery("id", "IN", shop.customers.query().fields("name")));
  // @ts-expect-error two fields
  inQuery("id", "IN", shop.customers.query().fields("id", "bossId"));
  // @ts-expect-error another dialect
  query.whereOr(inQuery("id", "IN", other.lines.query().fields("id")));
  // @ts-expect-error one value is not a list
  inQuery("id", "IN", shop.orders.count());
  // @ts-expect-error a number beside a text
  query.whereOr(compare("id", "=", "note"));
  // @ts-expect-error not a field
  query.whereOr(compare("id", "=", "ids"));
  // @ts-expect-error a parameter of the query is missing
  query.whereOr(exists("lines", shop.lines.query().where("sku", "=", "sku"))).exec();
  // @ts-expect-error no such relation
  query.fields(of("line", count()).as("n"));
  // @ts-expect-error no field of theirs
  query.fields(of("lines", sum("total")).as("n"));
  // @ts-expect-error a sum of text
  query.fields(of("lines", sum("sku")).as("n"));
  // @ts-expect-error no aggregate
  of("lines", upper("sku"));
  // @ts-expect-error the parameter of its filter is missing
  query.fields(of("lines", count().filter(c("sku", "=", "sku"))).as("n")).exec();
  // @ts-expect-error a relation to one: join it
  query.fields(of("customer", count()).as("n"));
  // @ts-expect-error a relation to one, of a joined table
  query.join("customer").fields(of("customer.boss", count()).as("n"));
  // @ts-expect-error a relation to one, in a condition
  query.where(of("customer", count()), ">", "n");
  // @ts-expect-error an amount of a text
  query.fields(abs(of("lines", max("sku"))).as("n"));
  // @ts-expect-error a text and a number
  query.fields(add(of("lines", max("sku")), of("lines", count())).as("n"));
  // @ts-expect-error a number is not a text
  query.fields(upper(of("lines", max("qty"))).as("n"));
  // @ts-expect-error a pattern of a number
  query.where(of("lines", max("qty")), "LIKE", "like");
  // @ts-expect-error a pattern of a decimal
  query.where(of("payments", sum("amount")), "LIKE", "like");
  // @ts-expect-error the same as a condition
  query.whereOr(c(of("lines", max("qty")), "LIKE", "like"));
  // @ts-expect-error a day of a text
  query.fields(dateTrunc("day", of("lines", max("sku"))).as("n"));
  // @ts-expect-error a number for a text
  query.where(of("lines", max("sku")), "=", "sku").exec({ sku: 1 });
  // @ts-expect-error an aggregate beside a field that none gathers
  of("lines", add(sum("qty"), "qty"));
  // @ts-expect-error a number beside a text
  query.whereFields(of("lines", max("qty")), "=", "note");
  // @ts-expect-error a table without relations has none
  db.repository(orders).query().whereExists("lines");
  // @ts-expect-error an insert has no conditions
  shop.orders.insert().whereExists("lines");
  // @ts-expect-error rows of another table
  shop.orders.remove().whereExists("lines", shop.customers.query());
  // @ts-expect-error a dynamic query of another table
  query.dynamic().whereExists("lines", shop.customers.query().dynamic());
}

void rows;
void mistakes;
