// What the compiler knows of dynamic builders, aggregates of a query and optional conditions.
import {
  type AnyTable,
  add,
  and,
  between,
  c,
  column,
  count,
  type Database,
  field,
  length,
  lower,
  nullIf,
  or,
  type ParamsOf,
  param,
  raw,
  table,
  trim,
  upper,
  value,
} from "rowtype";
import { sqlite } from "rowtype/sqlite";
import { expectType } from "tsd";
import { z } from "zod";

const User = table(
  "users",
  z.object({ id: column(z.int(), { primaryKey: true }), name: z.string(), age: z.int().nullable() }),
);
const users = sqlite().repository(User);

// A loop and branches keep one type; rows are as before

let q = users.query().fields("id", "name").dynamic();
for (const name of ["a", "b"]) q = q.where("name", "=", name);
q = Math.random() > 0.5 ? q.where("age", ">", "min").orderBy("id", "asc").limit(1) : q;
expectType<Promise<{ id: number; name: string }[]>>(q.exec({ a: 1 }));
expectType<Promise<number>>(q.count().exec({ a: 1 }));
expectType<Promise<boolean>>(q.exists().exec());
// @ts-expect-error: a misspelt field
q.where("nme", "=", "n");
// @ts-expect-error: a number takes no pattern
q.where("age", "LIKE", "n");
// @ts-expect-error: what was not selected
q.exec().then(([row]) => row?.age);
// @ts-expect-error: parameters are an object
q.exec(1);
let one = users.select().dynamic();
one = one.whereOptional(and(c("age", "=", "a")));
expectType<Promise<{ id: number; name: string; age: number | null } | null>>(one.execOrNull({ a: 1 }));
let change = users.modify().dynamic();
for (const field of ["name", "age"] as const) change = change.set(field, field);
change = change.where("id", "=", "id");
expectType<Promise<{ id: number; name: string; age: number | null }>>(change.exec({ id: 1 }));
// @ts-expect-error: a misspelt field
change.set("nme", "n");
let gone = users.remove().dynamic();
gone = gone.whereNull("age");
expectType<Promise<number>>(gone.exec());
let total = users.sum("age").dynamic();
total = total.where("id", ">", "id");
expectType<Promise<number>>(total.exec({ id: 1 }));
let both = users.query().union(users.query()).dynamic();
both = both.limit(1);
expectType<Promise<{ id: number; name: string; age: number | null }[]>>(both.exec({}));
users.insert().onConflict("id").doUpdate().dynamic().set("name", "n").exec({ id: 1, name: "a" }, { n: "b" });

// Operands, in every place of a field

let found = users.query().fields("id", upper("name").as("loud")).dynamic();
for (const text of ["a", "b"]) found = found.where(lower("name"), "LIKE", text);
found = found
  .where(add("age", param("more")), ">", "least")
  .whereNull(nullIf("name", "none"))
  .whereNotNull(trim("name"))
  .whereBetween(length("name"), "low", "high")
  .whereNotBetween("age", "low", "high")
  .whereFields(lower("name"), "=", "name")
  .whereFields("id", "<", add("age", value(1)))
  .whereRaw(raw(z.boolean())`${field("age")} > 1`)
  .orderBy(lower("name"), "asc")
  .orderByNulls("loud", "desc", "last");
expectType<Promise<{ id: number; loud: string }[]>>(found.exec({}));
total = total.where(length("name"), "=", "long");
change = change.where(lower("name"), "=", "n");
gone = gone.where(lower("name"), "IN", "n").whereFields("name", "!=", upper("name"));
// @ts-expect-error: a misspelt field
found.where(lower("nme"), "=", "n");
// @ts-expect-error: a number takes no pattern
found.where(length("name"), "LIKE", "n");
// @ts-expect-error: an aggregate needs groups
found.where(count("id"), "=", "n");
// @ts-expect-error: a boolean has no order
found.whereBetween(raw(z.boolean())`true`, "low", "high");
// @ts-expect-error: values of two types
found.whereFields(lower("name"), "=", "id");
// @ts-expect-error: this is not a condition
found.whereRaw(raw(z.int())`1`);
const upsert = users.insert().onConflict("id").doUpdate().dynamic();
const bounded = upsert.where(lower("name"), "=", "n").whereNull("age").set("age", "a");
expectType<Promise<{ id: number; name: string; age: number | null } | null>>(
  bounded.exec({ id: 1, name: "" }, {}),
);

// Aggregates of a query

const counted = users.query().where("name", "=", "n").limit(3);
expectType<Promise<number>>(counted.count().exec({ n: "a" }));
expectType<Promise<boolean>>(counted.exists().exec({ n: "a" }));
// @ts-expect-error: a parameter is missing
counted.exists().exec();

// Optional conditions

const optional = users
  .query()
  .whereOptional(or(c("name", "ICONTAINS", "q"), c("age", "=", "a")))
  .whereOptional(between("id", "low", "high"))
  .where("id", ">", "m");
expectType<{
  m: number;
  q?: string | undefined;
  a?: number | undefined;
  low?: number | undefined;
  high?: number | undefined;
}>({} as ParamsOf<typeof optional>);
optional.exec({ m: 1, q: undefined });
// @ts-expect-error: of the wrong type
optional.exec({ m: 1, q: 1 });
// @ts-expect-error: a misspelt field
users.query().whereOptional(and(c("nme", "=", "n")));
// @ts-expect-error: a condition of an update is never optional
users.modify().whereOptional(and(c("name", "=", "n")));
users
  .count()
  .whereOptional(and(c("name", "=", "n")))
  .exec({});

// A table that is not known: strings, records, and checks at run time

const db = sqlite();
const rowsOf = async (target: AnyTable, field: string, words: readonly string[]) => {
  const unknown = db.repository(target);
  let search = unknown.query().fields("id", count().as("n")).groupBy("id");
  for (const [i] of words.entries()) search = search.where(field, "ICONTAINS", `w${i}`);
  search = search.orderBy(field, "asc").limit(3);
  expectType<number>(await unknown.count().where(field, "~", "p").exec({ p: 1 }));
  expectType<Record<string, unknown>>(await unknown.insert().exec({ a: 1 }));
  expectType<number>(await unknown.remove().whereNull(field).exec());
  await unknown.modify().set(field, "p").where(field, "IN", "q").execMany({ p: 1, q: [] });
  return search.exec({ w0: "a" });
};
expectType<(target: AnyTable, field: string, words: readonly string[]) => Promise<Record<string, unknown>[]>>(
  rowsOf,
);
rowsOf(User, "name", []);
const any = db.repository(User as AnyTable);
// It joins queries, and has rows of others inside.
const bare = db.repository(User);
const numbered = bare.query().fields("id").where("id", ">", "least").as("numbered");
expectType<Record<string, unknown>[]>(
  await any
    .query()
    .joinQuery(numbered, "id", "id")
    .leftJoinQuery(numbered, "id", "id")
    .with("posts")
    .withOn("same", bare.query().where("id", "=", "id"), "id", "id")
    .exec({ least: 1, id: 2 }),
);
// @ts-expect-error a query without a name
any.query().joinQuery(bare.query(), "id", "id");
// @ts-expect-error a number is not a query of rows
any.query().withOn("same", bare.count(), "id", "id");
// @ts-expect-error: no operator at all
any.query().where("a", "==", "p");
expectType<Promise<Record<string, unknown>[]>>(
  any
    .query()
    .fields("a", lower("b").as("c"))
    .where(lower("a"), "=", "p")
    .whereFields("a", "<", add("b", value(1)))
    .groupBy(lower("b"))
    .having(count("a"), ">", "n")
    .orderBy(lower("b"), "asc")
    .exec({}),
);
// @ts-expect-error: a row of what is not known has no type
const first: Promise<{ id: number }> = any.select().exec();
void first;
// A known one stays as it is
expectType<Promise<{ id: number; name: string; age: number | null }[]>>(db.repository(User).query().exec());
// @ts-expect-error: a misspelt field
db.repository(User).query().where("nme", "=", "n");
// Over two dialects
export const overBoth = (either: Database<"postgres" | "sqlite">) => {
  either
    .repository(User as AnyTable)
    .query()
    .where("a", "=", "p")
    .exec({ p: 1 });
  return either.repository(User).query().where("name", "ICONTAINS", "q").exec({ q: "a" });
};
overBoth(db);
