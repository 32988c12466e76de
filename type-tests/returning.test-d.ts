/** What `returning` makes of the rows of inserts, updates and removals: right calls, wrong ones, and the limits. */
import {
  type AnyTable,
  add,
  c,
  caseWhen,
  coalesce,
  column,
  count,
  lower,
  param,
  type ResultOf,
  sum,
  table,
  upper,
} from "rowtype";
import { postgres } from "rowtype/postgres";
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
    tenantId: z.int(),
  }),
);

const items = sqlite().repository(Item);
const record = { name: "n", count: 1, tenantId: 1 };
const loud = upper("name").as("loud");

// Inserts.
expectType<Promise<{ id: number; loud: string }>>(items.insert().returning("id", loud).exec(record));
expectType<Promise<{ note: string | null }[]>>(items.insert().returning("note").execMany([record]));
expectType<Promise<number>>(items.insert().returning("note").execBatch([record]));
expectType<Promise<{ id: number; loud: string }>>(
  items.insert().returning("id").returning(loud).exec(record),
);
expectType<Promise<{ quiet: string | null; next: number }>>(
  items
    .insert()
    .returning(lower("note").as("quiet"), add("count", param("by")).as("next"))
    .exec(record, { by: 1 }),
);
const wide = items.insert().returning(coalesce("note", param("none")).as("text"));
expectType<{ text: string }>({} as ResultOf<typeof wide>);

// @ts-expect-error the parameter of a returned expression is missing
wide.exec(record);
// @ts-expect-error it has the type of what stands beside it
wide.exec(record, { none: 1 });
// @ts-expect-error the row has what was named alone
(await items.insert().returning("id").exec(record)).name;

// Upserts, in any order of the calls.
expectType<Promise<{ id: number } | null>>(
  items.insert().onConflict("id").doNothing().returning("id").exec(record),
);
expectType<Promise<{ id: number } | null>>(
  items.insert().returning("id").onConflict().doNothing().exec(record),
);
expectType<Promise<{ loud: string }>>(
  items
    .insert()
    .onConflict("id")
    .doUpdate()
    .returning(loud)
    .set("note", "other")
    .exec(record, { other: null }),
);
expectType<Promise<{ loud: string } | null>>(
  items
    .insert()
    .returning(loud)
    .onConflict("id")
    .doUpdate()
    .where("count", "<", "most")
    .exec(record, { most: 1 }),
);
expectType<Promise<({ text: string } | null)[]>>(
  wide.onConflict("id").doUpdate().where("count", "<", "most").execMany([record], { most: 1, none: "" }),
);
// @ts-expect-error a parameter from before the conflict is demanded too
wide.onConflict("id").doNothing().exec(record);

// Updates and removals.
const update = items.modify().set("name", "name").where("id", "=", "id").returning("id", loud);
expectType<Promise<{ id: number; loud: string }>>(update.exec({ id: 1, name: "n" }));
expectType<Promise<{ id: number; loud: string }[]>>(update.execMany({ id: 1, name: "n" }));
expectType<Promise<{ id: number; loud: string }>>(update.execTx({} as never, { id: 1, name: "n" }));
expectType<Promise<number>>(update.execBatch([{ id: 1, name: "n" }]));
expectType<Promise<({ id: number; loud: string } | null)[]>>(update.execEach([{ id: 1, name: "n" }]));
expectType<Promise<{ label: string }>>(
  items
    .modify()
    .returning(
      caseWhen(z.string())
        .when(c("count", ">", "many"), "much")
        .else("little")
        .as("label"),
    )
    .where("id", "=", "id")
    .execPatch({ note: null }, { id: 1, many: 2, much: "m", little: "l" }),
);
expectType<Promise<{ name: string }[]>>(
  items.remove().returning("name").where("id", "=", "id").execMany({ id: 1 }),
);
expectType<Promise<number>>(items.remove().returning("name").where("id", "=", "id").exec({ id: 1 }));
// @ts-expect-error an update still needs a condition
items.modify().set("name", "name").returning("id").exec({ name: "n" });
// @ts-expect-error and something to set
items.modify().where("id", "=", "id").returning("id").exec({ id: 1 });
// @ts-expect-error a removal still needs a condition
items.remove().returning("id").execMany();

// What cannot be returned.
// @ts-expect-error no such field
items.insert().returning("nme");
// @ts-expect-error an expression needs a name
items.insert().returning(upper("name"));
// @ts-expect-error no such field in an expression
items.insert().returning(upper("nme").as("loud"));
// @ts-expect-error an aggregate needs groups
items.modify().returning(count().as("n"));
// @ts-expect-error an aggregate needs groups
items.remove().returning(sum("count").as("n"));
// @ts-expect-error a number has no case
items.modify().returning(upper("count").as("n"));

// Scopes, other dialects, dynamic builders, tables that are not known.
const scope = items.scope({ tenantId: 1 });
expectType<Promise<{ tenantId: number; loud: string }>>(
  scope.insert().returning("tenantId", loud).exec({ name: "n", count: 1 }),
);
// @ts-expect-error the field of the scope is not set
scope.modify().returning("id").set("tenantId", "t");
expectType<Promise<{ id: number }[]>>(
  postgres()
    .repository(Item)
    .modify()
    .set("name", "n")
    .where("name", "~", "p")
    .returning("id")
    .execMany({ n: "", p: "" }),
);
let dynamic = items.modify().returning("id").dynamic();
for (const field of ["name", "note"] as const) dynamic = dynamic.where(field, "=", field);
expectType<Promise<{ id: number }[]>>(dynamic.execMany({ name: "n" }));
expectType<Promise<{ id: number; loud: string }>>(dynamic.returning(loud).exec({}));
expectType<Promise<{ id: number } | null>>(
  items.insert().onConflict("id").doNothing().dynamic().returning("id").exec(record, {}),
);
const any = sqlite().repository(Item as AnyTable);
let unknown = any.modify().set("name", "name");
for (const field of ["id", "name"]) unknown = unknown.returning(field).where(field, "=", field);
expectType<Promise<Record<string, unknown>>>(unknown.exec({}));
expectType<Promise<Record<string, unknown>>>(any.insert().returning("id", loud).exec({}));

// Not any.
// @ts-expect-error an id is a number
expectType<string>((await items.insert().returning("id").exec(record)).id);
