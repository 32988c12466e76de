// Exact decimals: text in rows, operators as those of numbers, sums and averages that are text.
import {
  add,
  avg,
  c,
  caseWhen,
  coalesce,
  column,
  concat,
  count,
  type Database,
  decimal,
  div,
  field,
  greatest,
  type Insert,
  max,
  min,
  mul,
  neg,
  nullIf,
  type ParamsOf,
  param,
  type ResultOf,
  type Row,
  round,
  sub,
  sum,
  table,
  textAgg,
  value,
} from "rowtype";
import { expectType } from "tsd";
import { z } from "zod";

const Item = table(
  "items",
  z.object({
    id: z.int(),
    name: z.string(),
    price: decimal(10, 2),
    rate: column(decimal(5, 4), { default: "0" }).nullable(),
  }),
);
declare const db: Database<"sqlite">;
const items = db.repository(Item);

expectType<{ id: number; name: string; price: string; rate: string | null }>({} as Row<typeof Item>);
expectType<string>({} as Insert<typeof Item>["price"]);
const found = items
  .query()
  .where("price", ">=", "low")
  .where("rate", "IN", "rates")
  .whereBetween("price", "a", "b");
expectType<{ low: string; rates: readonly string[]; a: string; b: string }>({} as ParamsOf<typeof found>);
items.query().whereOr(c("price", "<", "low"), c("rate", "=", "rate"));
// @ts-expect-error: a decimal has no patterns
items.query().where("price", "LIKE", "p");
// @ts-expect-error: a decimal has no patterns
items.query().whereOr(c("price", "LIKE", "p"));
// @ts-expect-error: text has no sum
items.sum("name");

expectType<Promise<string>>(items.sum("price").exec());
expectType<Promise<string>>(items.avg("rate").exec());
expectType<Promise<string>>(items.max("rate").exec());
expectType<Promise<number>>(items.avg("id").exec());
const sums = items
  .query()
  .fields(sum("price").as("sum"), avg("rate").as("avg"), max("price").as("max"), avg("id").as("mean"));
expectType<{ sum: string | null; avg: string | null; max: string | null; mean: number | null }[]>(
  {} as ResultOf<typeof sums>,
);
const changed = items.modify().setExpr("price", "+", "more").where("id", "=", "id");
expectType<{ more: string; id: number }>({} as ParamsOf<typeof changed>);

// Arithmetic of decimals gives decimals, with whole numbers and bigints too

const Line = table(
  "lines",
  z.object({
    id: z.int(),
    qty: z.int(),
    points: z.bigint(),
    price: decimal(10, 2),
    rate: decimal(5, 4).nullable(),
    total: decimal(12, 2),
    name: z.string(),
  }),
);
const lines = db.repository(Line);
const calculated = lines
  .query()
  .fields(
    mul("price", "qty").as("a"),
    add("rate", "points").as("b"),
    div("price", value(3)).as("c"),
    neg("price").as("d"),
    mul("price", value("1.19")).as("e"),
    coalesce(sub("price", "rate"), value("0")).as("g"),
    round(mul("price", param("factor")), 2).as("h"),
  )
  .where(mul("price", "qty"), ">", "least");
expectType<
  {
    a: string;
    b: string | null;
    c: string | null;
    d: string;
    e: string;
    g: string;
    h: string;
  }[]
>({} as ResultOf<typeof calculated>);
expectType<{ factor: string; least: string }>({} as ParamsOf<typeof calculated>);
const gathered = lines
  .query()
  .fields(
    sum(mul(mul("price", "qty"), param("rate", decimal(5, 4)))).as("f"),
    div(sum("price"), count()).as("i"),
  )
  .having(sum(mul("price", "qty")), "<", "most");
expectType<{ f: string | null; i: string | null }[]>({} as ResultOf<typeof gathered>);
expectType<{ rate: string; most: string }>({} as ParamsOf<typeof gathered>);
lines.modify().set("total", mul("price", "qty")).where("id", "=", "id");
lines
  .modify()
  .set("total", round(mul("price", "total"), 2))
  .where("id", "=", "id");
// @ts-expect-error: it may be null, and the field is not
lines.modify().set("total", mul("price", "rate")).where("id", "=", "id");
// @ts-expect-error: a decimal is not a whole number
lines.modify().set("qty", mul("price", "qty")).where("id", "=", "id");
// @ts-expect-error: text is not calculated with
lines.query().fields(mul("price", "name").as("x"));
// @ts-expect-error: a constant that is not text of digits
mul("price", value("ten"));
// @ts-expect-error: a decimal has no patterns
lines.query().where(mul("price", "qty"), "LIKE", "p");

// A label without `else` may be null, and is a decimal all the same.
const label = caseWhen(decimal(10, 2)).when(c("name", "=", "n"), "label");
expectType<{ id: number; worth: string | null; more: string | null }[]>(
  await items
    .query()
    .fields("id", label.as("worth"), add(label, "price").as("more"))
    .exec({ n: "a", label: "1.00" }),
);
expectType<{ total: string | null }[]>(
  await items.query().fields(sum(label).as("total")).exec({ n: "a", label: "1.00" }),
);
// @ts-expect-error: a decimal is not matched by a pattern
items.query().where(label, "LIKE", "pattern");

// A constant of digits is a decimal beside decimals, and a text beside texts; a blank is a text.
expectType<{ a: string; b: string; c: string; d: string }[]>(
  await lines
    .query()
    .fields(
      concat("name", value(" "), value("1")).as("a"),
      add("price", value("0.5")).as("b"),
      concat("name", value("x"), value("\n")).as("c"),
      coalesce(coalesce("rate", value("0")), value("1")).as("d"),
    )
    .exec(),
);
expectType<{ c: string | null; e: string | null }[]>(
  await lines
    .query()
    .fields(textAgg("name", value("1")).as("c"), textAgg("name", value(" ")).as("e"))
    .exec(),
);
// @ts-expect-error: a blank is not a number
mul("price", value(" "));
// @ts-expect-error: a schema of texts is not one of decimals
sum(param("p", z.string()));
// @ts-expect-error: nor beside decimals
mul("price", param("p", z.string()));
// @ts-expect-error: nor is a CASE of texts
sum(caseWhen(z.string()).when(c("name", "=", "n"), "label"));

// A query as a table keeps its decimals, whatever made them.
const worth = lines
  .query()
  .fields(
    "name",
    "rate",
    sum(mul("price", "qty")).as("sum"),
    avg("price").as("mean"),
    max("rate").as("most"),
    coalesce(min("rate"), value("0")).as("least"),
    caseWhen(decimal(5, 2))
      .when(c("name", "=", "n"), "label")
      .as("label"),
    nullIf("rate", value("0")).as("known"),
    greatest("rate", "rate").as("great"),
    field("rate").as("same"),
    count().as("n"),
  )
  .groupBy("name", "rate");
const asTable = db.from(worth.as("worth"));
const once = db.with("once", worth);
const given = { n: "a", label: "1" };
expectType<{ name: string; all: string | null; more: string | null; rows: number | null }[]>(
  await asTable
    .fields(
      "name",
      sum("sum").as("all"),
      sum(mul(add("mean", "most"), add("label", add("known", add("great", add("same", "least")))))).as(
        "more",
      ),
      sum("n").as("rows"),
    )
    .where("least", ">", "low")
    .groupBy("name")
    .exec({ ...given, low: "1" }),
);
expectType<{ sum: string | null; least: string }[]>(
  await db
    .from(once)
    .fields("sum", "least")
    .where(neg("sum"), "<", "most")
    .exec({ ...given, most: "1" }),
);
expectType<{ id: number; due: string | null }[]>(
  await items
    .query()
    .leftJoinQuery(once, "name", "name")
    .fields("id", sub("price", "once.sum").as("due"))
    .exec(given),
);
// Its row, with the level of a recursion.
const again = db.recursive(
  "again",
  items.query().fields("id", "price"),
  (self) => items.query().joinQuery(self, "id", "id").fields("id", "price"),
  { depth: "level" },
);
expectType<{ id: number; price: string; level: number }[]>(await db.from(again).exec());
expectType<{ all: string | null }[]>(await db.from(again).fields(sum("price").as("all")).exec());
// A table of a table.
expectType<{ sum: string | null; n: number }[]>(
  await db
    .from(db.from(once).fields("sum", "n").as("outer"))
    .where("sum", "=", "same")
    .exec({ ...given, same: "1" }),
);
// @ts-expect-error: a decimal of a query has no patterns
asTable.where("sum", "LIKE", "p");
// @ts-expect-error: nor has one of a table
asTable.where("rate", "LIKE", "p");
// @ts-expect-error: nor one that is joined
items.query().joinQuery(once, "name", "name").where("once.mean", "LIKE", "p");
// @ts-expect-error: a text of a query has no sum
asTable.fields(sum("name").as("x"));
asTable.where("name", "LIKE", "p");
