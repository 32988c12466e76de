/** Fields set to expressions: right calls, wrong ones, and what the parameters are. */
import {
  c,
  coalesce,
  column,
  field,
  inserted,
  length,
  nullIf,
  param,
  raw,
  sum,
  table,
  upper,
  value,
} from "rowtype";
import { sqlite } from "rowtype/sqlite";
import { expectType } from "tsd";
import { z } from "zod";

const Item = table(
  "items",
  z.object({
    id: column(z.int(), { primaryKey: true, generated: true }),
    name: z.string(),
    note: z.string().nullable(),
    count: z.int(),
    state: z.enum(["new", "old"]),
    at: z.date(),
  }),
);

const items = sqlite().repository(Item);
const update = items.modify().where("id", "=", "id");

// Expressions, constants, fields and parameters.
expectType<
  Promise<{ id: number; name: string; note: string | null; count: number; state: "new" | "old"; at: Date }>
>(update.set("name", upper("name")).set("count", value(3)).exec({ id: 1 }));
update.set("note", field("name")).exec({ id: 1 });
update.set("note", param("note")).exec({ id: 1, note: null });
update.set("state", param("state")).exec({ id: 1, state: "new" });
update.set("name", coalesce("note", param("none"))).exec({ id: 1, none: "" });
update.set("count", length("name")).exec({ id: 1 });
update.set("at", raw(z.date())`CURRENT_TIMESTAMP`).exec({ id: 1 });
update.set("state", field("state")).exec({ id: 1 });

// @ts-expect-error the parameter of an operand is missing
update.set("name", coalesce("note", param("none"))).exec({ id: 1 });
// @ts-expect-error a parameter has the type of the field
update.set("state", param("state")).exec({ id: 1, state: "other" });
// @ts-expect-error the field is never null
update.set("name", field("note"));
// @ts-expect-error the field is never null
update.set("count", nullIf("count", "none"));
// @ts-expect-error a text is not a number
update.set("count", upper("name"));
// @ts-expect-error a text may be none of the few values
update.set("state", field("name"));
// @ts-expect-error a constant of another type
update.set("count", value("3"));
// @ts-expect-error an aggregate needs groups
update.set("count", sum("count"));
// @ts-expect-error no such field
update.set("name", upper("nam"));
// @ts-expect-error the field is generated
update.set("id", value(3));
// @ts-expect-error a condition is missing
items.modify().set("name", upper("name")).exec();

// A dynamic builder keeps its type.
let dynamic = update.dynamic();
dynamic = dynamic.set("name", upper("name")).set("count", param("count"));
// @ts-expect-error the field is never null
dynamic.set("name", field("note"));
dynamic.exec({ id: 1, count: 2 });

// Upserts: a row that does not meet the conditions is null.
const Stock = table(
  "stock",
  z.object({ item: column(z.string(), { primaryKey: true }), count: z.int(), note: z.string().nullable() }),
);
const stock = sqlite().repository(Stock);
const record = { item: "a", count: 1 };
interface StockRow {
  item: string;
  count: number;
  note: string | null;
}
const upsert = stock.insert().onConflict("item").doUpdate();
expectType<Promise<StockRow>>(
  upsert.set("note", coalesce(inserted("note"), param("none"))).exec(record, { none: "" }),
);
expectType<Promise<StockRow | null>>(upsert.where("count", "<", "most").exec(record, { most: 1 }));
expectType<Promise<(StockRow | null)[]>>(upsert.whereNull("note").execMany([record]));
expectType<Promise<number>>(upsert.whereOr(c("count", "<", "most")).execBatch([record], { most: 1 }));
expectType<Promise<StockRow | null>>(
  upsert
    .whereFields("count", "<", inserted("count"))
    .dynamic()
    .set("count", param("n"))
    .exec(record, { n: 1 }),
);
expectType<Promise<StockRow | null>>(stock.insert().onConflict().doNothing().exec(record));

// @ts-expect-error the parameter of the condition is missing
upsert.where("count", "<", "most").exec(record);
// @ts-expect-error a parameter does not have the name of a field
upsert.where("count", "<", "count");
// @ts-expect-error a field of texts does not take numbers
upsert.set("note", inserted("count"));
// @ts-expect-error the field is never null
upsert.set("count", coalesce(inserted("note"), "item"));
// @ts-expect-error no such field
upsert.set("note", inserted("nope"));
// @ts-expect-error an update needs a key
stock.insert().onConflict().doUpdate();
// @ts-expect-error conditions belong to an update
stock.insert().onConflict("item").doNothing().where("count", "<", "most");
