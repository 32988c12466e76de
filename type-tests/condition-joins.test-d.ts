// What the compiler knows of joins by conditions: rows, parameters, and every mistake that it refuses.
import {
  add,
  and,
  between,
  c,
  column,
  compare,
  isNull,
  many,
  not,
  one,
  or,
  rowNumber,
  sum,
  table,
} from "rowtype";
import { postgres } from "rowtype/postgres";
import { sqlite } from "rowtype/sqlite";
import { expectType } from "tsd";
import { z } from "zod";

const id = column(z.int(), { primaryKey: true });
const orders = table(
  "orders",
  z.object({
    id,
    customerId: z.int(),
    total: z.number(),
    note: z.string().nullable(),
    at: z.date(),
    state: z.enum(["open", "paid"]),
  }),
  { relations: { customer: one("customers", "customerId"), lines: many("lines", "orderId") } },
);
const customers = table("customers", z.object({ id, name: z.string(), since: z.date() }));
const lines = table("lines", z.object({ id, orderId: z.int(), qty: z.int() }));
const rates = table("rates", z.object({ id, from: z.date(), to: z.date().nullable(), rate: z.number() }));
const shop = postgres().repositories({ orders, customers, lines, rates });
const within = and(compare("at", ">=", "rate.from"), or(isNull("rate.to"), compare("at", "<", "rate.to")));

async function rows() {
  expectType<{ id: number; rate: { rate: number } | null }[]>(
    await shop.orders.query().leftJoinOn("rate", rates, within).fields("id", "rate.rate").exec(),
  );
  expectType<{ id: number; rate: { rate: number; to: Date | null } }>(
    await shop.orders.select().joinOn("rate", shop.rates, within).fields("id", "rate.rate", "rate.to").exec(),
  );
  // Parameters of the condition join those of the query, each with the type of its column.
  expectType<{ id: number; rate: { id: number; from: Date; to: Date | null; rate: number } }[]>(
    await shop.orders
      .query()
      .joinOn("rate", rates, and(within, c("rate.rate", ">", "least"), c("state", "IN", "states")))
      .where("total", ">", "most")
      .fields("id", "rate.*")
      .exec({ least: 1, states: ["open"], most: 2 }),
  );
  // What was joined before is in the condition.
  expectType<{ id: number; rate: { rate: number } }[]>(
    await shop.orders
      .query()
      .join("customer")
      .joinOn(
        "rate",
        rates,
        and(compare("customer.since", "<", "rate.from"), between("rate.id", "low", "high")),
      )
      .fields("id", "rate.rate")
      .exec({ low: 1, high: 2 }),
  );
  // The table itself.
  expectType<{ id: number; later: { id: number } }[]>(
    await shop.orders
      .query()
      .joinOn("later", orders, compare("id", "<", "later.id"))
      .fields("id", "later.id")
      .exec(),
  );
  // Queries as tables, with their own parameters.
  expectType<{ id: number; best: { qty: number } | null }[]>(
    await shop.orders
      .query()
      .leftJoinQuery(
        shop.lines
          .query()
          .fields(
            "orderId",
            "qty",
            rowNumber()
              .over({ partitionBy: ["orderId"], orderBy: [["qty", "desc"]] })
              .as("place"),
          )
          .where("qty", ">", "least")
          .as("best"),
        and(compare("id", "=", "best.orderId"), c("best.place", "<=", "places")),
      )
      .fields("id", "best.qty")
      .exec({ least: 1, places: 3 }),
  );
  // Numbers over the rows.
  expectType<number>(await shop.orders.count().leftJoinOn("rate", rates, within).exec());
  expectType<number>(
    await shop.orders
      .sum("total")
      .joinQuery(shop.rates.query().as("rate"), and(within, c("rate.rate", "=", "rate")))
      .exec({ rate: 2 }),
  );
  // Expressions on either side.
  expectType<{ id: number; line: { qty: number } }[]>(
    await shop.orders
      .query()
      .joinOn(
        "line",
        lines,
        and(compare(add("line.qty", "id"), ">", "total"), not(compare("id", "=", "line.orderId"))),
      )
      .fields("id", "line.qty")
      .exec(),
  );
}

function mistakes() {
  const order = shop.orders.query();
  // @ts-expect-error a misspelt field of theirs
  order.leftJoinOn("rate", rates, compare("at", ">", "rate.frm"));
  // @ts-expect-error a misspelt field of ours
  order.joinOn("rate", rates, compare("when", ">", "rate.from"));
  // @ts-expect-error the name of the join is another
  order.joinOn("r", rates, compare("at", ">", "rate.from"));
  // @ts-expect-error fields of two kinds
  order.joinOn("rate", rates, compare("at", ">", "rate.rate"));
  // @ts-expect-error an operator of texts
  order.joinOn("rate", shop.rates, c("rate.rate", "LIKE", "text"));
  // @ts-expect-error a table that is joined later
  order.joinOn("rate", rates, compare("customer.since", "<", "rate.from")).join("customer");
  // @ts-expect-error a misspelt column of a query
  order.joinQuery(shop.lines.query().fields("orderId").as("line"), compare("id", "=", "line.qty"));
  // @ts-expect-error a query on another dialect
  order.joinQuery(sqlite().repository(lines).query().as("line"), compare("id", "=", "line.orderId"));
  // @ts-expect-error a repository on another dialect
  order.joinOn("line", sqlite().repository(lines), compare("id", "=", "line.orderId"));
  // @ts-expect-error no condition
  order.joinOn("rate", rates, "at");
  // @ts-expect-error a parameter is missing
  order.joinOn("rate", rates, c("rate.rate", ">", "least")).exec();
  // @ts-expect-error a parameter of another type
  order.joinOn("rate", rates, c("rate.rate", ">", "least")).exec({ least: "1" });
}
export const used = [rows, mistakes, sum];
