// What the compiler knows of value(x) in the place of a parameter.
import { and, between, c, column, length, lower, table, value } from "rowtype";
import { postgres } from "rowtype/postgres";
import { expectType } from "tsd";
import { z } from "zod";

const orders = table(
  "orders",
  z.object({
    id: column(z.int(), { primaryKey: true }),
    total: z.number(),
    at: z.date(),
    note: z.string().nullable(),
    state: z.enum(["open", "paid"]),
  }),
);
const db = postgres().repositories({ orders });
const q = db.orders.query().fields("id");

// Of the type that the parameter would have, and no parameter of exec

expectType<Promise<{ id: number }[]>>(q.where("total", ">", value(300)).exec());
expectType<Promise<{ id: number }[]>>(q.where("state", "=", value("open")).exec());
expectType<Promise<{ id: number }[]>>(q.where("state", "IN", value(["open"])).exec());
expectType<Promise<{ id: number }[]>>(q.where("state", "LIKE", value("o%")).exec());
expectType<Promise<{ id: number }[]>>(q.where("at", ">", value(new Date())).exec());
expectType<Promise<{ id: number }[]>>(q.where("note", "CONTAINS", value("x")).exec());
expectType<Promise<{ id: number }[]>>(q.where(lower("note"), "=", value("x")).exec());
expectType<Promise<{ id: number }[]>>(q.whereBetween("total", value(1), value(2)).exec());
expectType<Promise<{ id: number }[]>>(q.whereBetween("total", value(1), "high").exec({ high: 2 }));
expectType<Promise<{ id: number }[]>>(
  q
    .whereAnd(
      c("total", ">", value(1)),
      between("id", "low", value(3)),
      and(c("state", "IN", value(["paid"]))),
    )
    .exec({ low: 1 }),
);
expectType<Promise<{ id: number }[]>>(
  q.where("total", ">", "total").where("id", "=", value(1)).limit(value(2)).exec({ total: 1 }),
);
expectType<Promise<number>>(db.orders.remove().where("state", "=", value("open")).exec());

// A chain keeps its type from its first condition on

let found = q.where("total", ">", value(1));
for (const word of ["a", "b"]) found = found.where("note", "CONTAINS", value(word));
let dynamic = db.orders.query().dynamic();
for (const word of ["a", "b"])
  dynamic = dynamic.where("note", "CONTAINS", value(word)).where("id", ">", "id");

// Of another type

// @ts-expect-error another kind
q.where("total", ">", value("x"));
// @ts-expect-error no member of the enum
q.where("state", "=", value("opne"));
// @ts-expect-error no member of the enum in a list
q.where("state", "IN", value(["opne"]));
// @ts-expect-error no list
q.where("state", "IN", value("open"));
// @ts-expect-error a list
q.where("state", "=", value(["open"]));
// @ts-expect-error null is none: whereNull
q.where("note", "=", value(null));
// @ts-expect-error a misspelt field
q.where("totl", ">", value(1));
// @ts-expect-error another kind than the expression
q.where(length("note"), ">", value("x"));
// @ts-expect-error another kind
q.whereBetween("total", value(1), value("x"));
// @ts-expect-error another kind
q.whereAnd(c("total", ">", value("x")));
// @ts-expect-error no member of the enum
q.whereAnd(c("state", "=", value("opne")));
// @ts-expect-error no list
q.whereAnd(c("state", "IN", value("open")));
// @ts-expect-error a misspelt field
q.whereAnd(c("totl", ">", value(1)));
// @ts-expect-error another kind than the expression
q.whereAnd(c(length("note"), ">", value(true)));
// @ts-expect-error an optional condition would always apply
q.whereOptional("total", ">", value(1));
// @ts-expect-error another kind
dynamic.where("total", ">", value("x"));
