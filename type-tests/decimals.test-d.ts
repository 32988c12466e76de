// Exact decimals: text in rows, operators as those of numbers, sums and averages that are text.
import {
  avg,
  c,
  column,
  type Database,
  decimal,
  type Insert,
  max,
  type ParamsOf,
  type ResultOf,
  type Row,
  sum,
  table,
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
