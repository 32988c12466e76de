// Exact decimals: text in rows, operators as those of numbers, sums and averages that are text.
import {
  add,
  avg,
  c,
  caseWhen,
  coalesce,
  column,
  count,
  type Database,
  decimal,
  div,
  type Insert,
  max,
  mul,
  neg,
  type ParamsOf,
  param,
  type ResultOf,
  type Row,
  round,
  sub,
  sum,
  table,
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
