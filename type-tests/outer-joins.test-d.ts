// What the compiler knows of right and full joins, and of rows that are found by a condition.
import {
  and,
  c,
  coalesce,
  column,
  compare,
  existsOn,
  field,
  isNull,
  many,
  notExistsOn,
  one,
  or,
  sum,
  table,
} from "rowtype";
import { mariadb } from "rowtype/mariadb";
import { postgres } from "rowtype/postgres";
import { sqlite } from "rowtype/sqlite";
import { expectType } from "tsd";
import { z } from "zod";

const id = column(z.int(), { primaryKey: true });
const orders = table("orders", z.object({ id, customerId: z.int(), total: z.number(), at: z.date() }), {
  relations: { customer: one("customers", "customerId"), lines: many("lines", "orderId") },
});
const customers = table("customers", z.object({ id, name: z.string(), since: z.date().nullable() }), {
  relations: { orders: many("orders", "customerId") },
});
const lines = table("lines", z.object({ id, orderId: z.int(), sku: z.string(), qty: z.int() }), {
  relations: { order: one("orders", "orderId") },
});
const rates = table("rates", z.object({ id, from: z.date(), to: z.date().nullable(), rate: z.number() }));
const tables = { orders, customers, lines, rates };
const shop = postgres().repositories(tables);
const within = and(compare("at", ">=", "rate.from"), or(isNull("rate.to"), compare("at", "<", "rate.to")));

async function outer() {
  // Our fields are nullable one by one, theirs are as they are declared.
  expectType<{ sku: string | null; order: { total: number } }[]>(
    await shop.lines.query().rightJoin("order").fields("sku", "order.total").exec(),
  );
  expectType<{ sku: string | null; order: { total: number } | null }[]>(
    await shop.lines.query().fullJoin("order").fields("sku", "order.total").exec(),
  );
  // Without fields the row is our own.
  expectType<{ id: number | null; orderId: number | null; sku: string | null; qty: number | null }>(
    await shop.lines.select().rightJoin("order").exec(),
  );
  // What was joined before may be missing as a whole; what is joined behind is as it is joined.
  expectType<
    {
      id: number | null;
      customer: { name: string } | null;
      line: { qty: number };
      order: { id: number } | null;
    }[]
  >(
    await shop.orders
      .query()
      .join("customer")
      .rightJoin("lines", "line")
      .leftJoin("line.order", "order")
      .fields("id", "customer.name", "line.qty", "order.id")
      .where("customer.name", "=", "name")
      .exec({ name: "a" }),
  );
  // A second one makes the first part nullable.
  expectType<{ order: { id: number } | null; rate: { rate: number } }[]>(
    await shop.lines
      .query()
      .rightJoin("order")
      .rightJoinOn("rate", rates, compare("order.at", ">=", "rate.from"))
      .fields("order.id", "rate.rate")
      .exec(),
  );
  expectType<{ id: number | null; rate: { rate: number } }[]>(
    await shop.orders
      .query()
      .where("total", ">", "least")
      .rightJoinOn("rate", shop.rates, and(within, c("rate.rate", ">", "rate")))
      .fields("id", "rate.rate")
      .exec({ least: 1, rate: 2 }),
  );
  expectType<{ id: number | null; line: { sku: string } | null }[]>(
    await shop.orders.query().fullJoinOn("line", lines, "id", "orderId").fields("id", "line.sku").exec(),
  );
  expectType<{ id: number | null; best: { sold: number | null } }[]>(
    await shop.orders
      .query()
      .rightJoinQuery(
        shop.lines
          .query()
          .fields("orderId", sum("qty").as("sold"))
          .where("qty", ">", "least")
          .groupBy("orderId")
          .as("best"),
        "id",
        "orderId",
      )
      .fields("id", "best.sold")
      .exec({ least: 1 }),
  );
  expectType<{ id: number | null; rate: { id: number } | null }[]>(
    await shop.orders
      .query()
      .fullJoinQuery(shop.rates.query().as("rate"), and(compare("id", "=", "rate.id"), within))
      .fields("id", "rate.id")
      .exec(),
  );
  // Expressions of what may be missing may be null.
  expectType<{ or: number | null; twice: number }[]>(
    await shop.lines
      .query()
      .rightJoin("order")
      .fields(field("qty").as("or"), coalesce("qty", field("order.id")).as("twice"))
      .exec(),
  );
  expectType<number>(await shop.orders.count().fullJoin("lines", "line").exec());
  expectType<{ total: number; orders: { id: number } }>(
    await mariadb()
      .repositories(tables)
      .customers.select()
      .rightJoin("orders")
      .fields(field("orders.total").as("total"), "orders.id")
      .exec(),
  );
}

async function found() {
  expectType<{ id: number; rate: { rate: number }[] }[]>(
    await shop.orders
      .query()
      .fields("id")
      .withOn(
        "rate",
        shop.rates.query().fields("rate").where("rate", ">", "least"),
        and(within, c("rate.id", "<", "last")),
      )
      .exec({ least: 1, last: 2 }),
  );
  expectType<{ id: number }[]>(
    await shop.orders
      .query()
      .fields("id")
      .whereExistsOn(shop.rates.query().where("rate", ">", "least").as("rate"), within)
      .whereNotExistsOn(shop.rates.query().as("rate"), c("rate.rate", ">", "most"))
      .exec({ least: 1, most: 2 }),
  );
  expectType<{ id: number }[]>(
    await shop.orders
      .query()
      .fields("id")
      .whereOr(
        existsOn(
          shop.rates.query().where("rate", ">", "least").as("rate"),
          and(within, c("rate.id", "=", "rate")),
        ),
        notExistsOn(shop.lines.query().as("line"), compare("line.orderId", "=", "id")),
        c("total", ">", "total"),
      )
      .exec({ least: 1, rate: 2, total: 3 }),
  );
  expectType<number>(
    await shop.orders
      .remove()
      .whereNotExistsOn(
        shop.lines.query().as("line"),
        and(compare("id", "=", "line.orderId"), c("line.qty", ">", "qty")),
      )
      .exec({ qty: 1 }),
  );
  shop.orders.query().dynamic().whereExistsOn(shop.rates.query().as("rate"), within);
}

function mistakes() {
  const line = shop.lines.query();
  // @ts-expect-error after fields
  line.fields("sku").rightJoin("order");
  // @ts-expect-error after nested rows
  line.with("order").fullJoinOn("rate", rates, "id", "id");
  // @ts-expect-error no such relation
  line.rightJoin("ordr");
  // @ts-expect-error MariaDB has no full join
  mariadb().repositories(tables).lines.query().fullJoin("order");
  // @ts-expect-error MariaDB has no full join, of a count either
  mariadb().repositories(tables).lines.count().fullJoin("order");
  // @ts-expect-error a misspelt field of theirs
  line.rightJoinOn("rate", rates, compare("qty", "<", "rate.rat"));
  // @ts-expect-error fields of two kinds
  line.rightJoinOn("rate", rates, "sku", "rate");
  // @ts-expect-error a query without a name
  shop.orders.query().whereExistsOn(shop.rates.query(), within);
  // @ts-expect-error the name is another
  shop.orders.query().whereExistsOn(shop.rates.query().as("r"), within);
  // @ts-expect-error a misspelt field
  shop.orders.query().withOn("rate", shop.rates.query(), compare("at", ">", "rate.frm"));
  // @ts-expect-error a query on another dialect
  shop.orders.query().whereOr(existsOn(sqlite().repository(rates).query().as("rate"), within));
  // @ts-expect-error a misspelt field of theirs
  existsOn(shop.rates.query().as("rate"), compare("at", ">", "rate.frm"));
  // @ts-expect-error a misspelt field of ours, where it is used
  shop.orders.query().whereAnd(existsOn(shop.rates.query().as("rate"), compare("when", ">", "rate.from")));
  // @ts-expect-error fields of two kinds, where it is used
  shop.orders.query().whereAnd(existsOn(shop.rates.query().as("rate"), compare("total", ">", "rate.from")));
  // @ts-expect-error an operator that theirs does not take
  existsOn(shop.rates.query().as("rate"), c("rate.rate", "LIKE", "text"));
  const most = existsOn(shop.rates.query().as("rate"), c("rate.rate", ">", "most"));
  // @ts-expect-error a parameter is missing
  shop.orders.query().whereAnd(most).exec();
}
export const used = [outer, found, mistakes];
