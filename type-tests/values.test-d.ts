// What the compiler knows of value(x) in the place of a parameter.
import { and, between, c, column, json, length, lower, table, value } from "rowtype";
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

// In the place of what a field is set to: of its type, null where it may be, lists, bytes and JSON

const files = table(
  "files",
  z.object({
    id: column(z.int(), { primaryKey: true }),
    n: z.int(),
    note: z.string().nullable(),
    bytes: z.instanceof(Uint8Array),
    tags: z.array(z.string()),
    doc: json(z.object({ a: z.string(), b: z.object({ n: z.int() }) })),
    state: z.enum(["open", "paid"]),
  }),
);
const stored = postgres().repository(files);
const update = stored.modify().where("id", "=", value(1));
void update
  .set("n", value(1))
  .set("note", value(null))
  .set("bytes", value(new Uint8Array()))
  .set("tags", value(["a"]))
  .set("doc", value({ a: "x", b: { n: 1 } }))
  .set("state", value("paid"))
  .exec();
void update.setExpr("n", "+", value(1)).setPath("doc", ["b", "n"], value(2)).exec();
const upsert = stored.insert().onConflict("id").doUpdate();
void upsert.set("note", value(null)).set("tags", value([])).setPath("doc", ["a"], value("y"));
void upsert.set("n", value(1)).where("n", "<", value(5)).where("note", "LIKE", value("a%"));
// @ts-expect-error another kind
update.set("n", value("x"));
// @ts-expect-error never null
update.set("n", value(null));
// @ts-expect-error no member of the enum
update.set("state", value("opne"));
// @ts-expect-error a member that the schema has not
update.set("doc", value({ a: 1, b: { n: 1 } }));
// @ts-expect-error another kind
update.setExpr("n", "+", value("x"));
// @ts-expect-error another kind
update.setPath("doc", ["b", "n"], value("x"));
// @ts-expect-error another kind
upsert.set("n", value("x"));
// @ts-expect-error never null
upsert.set("n", value(null));
// @ts-expect-error another kind
upsert.where("n", "<", value("x"));
// @ts-expect-error another kind
upsert.setPath("doc", ["a"], value(1));
