// What the compiler knows of tables and builders: the right call, the wrong call, the boundary, and no `any`.
import {
  and,
  between,
  c,
  column,
  type Database,
  enumType,
  type Insert,
  isNull,
  json,
  or,
  type ParamsOf,
  type ResultOf,
  type Row,
  type SqlValue,
  type Transaction,
  type TransactionHandle,
  table,
  type Update,
  view,
} from "rowtype";
import { postgres } from "rowtype/postgres";
import { sqlite } from "rowtype/sqlite";
import { recording } from "rowtype/testing";
import { expectAssignable, expectNotType, expectType } from "tsd";
import { z } from "zod";

const User = table(
  "users",
  z.object({
    id: column(z.int(), { primaryKey: true, generated: true }),
    ref: column(z.int(), { generated: "byDefault" }),
    email: column(z.email(), { unique: true }),
    name: z.string().min(1),
    nick: column(z.string(), { name: "nick_name" }).nullable().describe("short"),
    age: column(z.int().nullable(), { check: "age >= 0", index: true }),
    role: column(z.enum(["admin", "member"]), { default: "'member'" }),
    level: z.int().default(1),
    active: z.boolean(),
    balance: z.bigint(),
    photo: z.instanceof(Uint8Array).nullable(),
    settings: json(z.object({ theme: z.string() })),
    tags: z.array(z.string()),
    anything: z.any(),
    brand: z.string().brand<"Brand">(),
    createdAt: column(z.date(), {
      name: "created_at",
      default: { postgres: "now()", sqlite: "CURRENT_TIMESTAMP" },
    }),
  }),
);
type BrandOf = Row<typeof User>["brand"];

const users = sqlite().repository(User);
const onPostgres = postgres().repository(User);

// Databases

expectType<Promise<void>>(postgres().ping());
expectType<Promise<void>>(sqlite().ping({ signal: new AbortController().signal }));
postgres(undefined, { retries: 3, prepare: false });
sqlite(undefined, { retries: 3 });
// @ts-expect-error a number
postgres(undefined, { retries: "3" });
// @ts-expect-error PostgreSQL alone has poolers that cannot have prepared statements
sqlite(undefined, { prepare: false });

// Rows

interface UserRow {
  id: number;
  ref: number;
  email: string;
  name: string;
  nick: string | null;
  age: number | null;
  role: "admin" | "member";
  level: number;
  active: boolean;
  balance: bigint;
  photo: Uint8Array | null;
  settings: { theme: string };
  tags: string[];
  anything: unknown;
  brand: BrandOf;
  createdAt: Date;
}
declare const row: Row<typeof User>;
expectAssignable<UserRow>(row);
expectType<string | null>(row.nick);
expectType<"admin" | "member">(row.role);

// Inserts: generated keys do not exist, defaulted and nullable ones may be left out

declare const insert: Insert<typeof User>;
expectType<string>(insert.email);
expectType<number | undefined>(insert.ref);
expectType<string | null | undefined>(insert.nick);
expectType<number | undefined>(insert.level);
expectType<Date | undefined>(insert.createdAt);
// @ts-expect-error: the database generates it
insert.id;

const required = {
  email: "a@example.org",
  name: "A",
  active: true,
  balance: 1n,
  settings: { theme: "dark" },
  tags: [],
  brand: "x" as BrandOf,
};
expectType<Promise<ResultOf<ReturnType<typeof users.select>>>>(users.insert().exec(required));
expectAssignable<Promise<UserRow>>(users.insert().exec({ ...required, age: null, role: "admin" }));
expectType<Promise<number>>(users.insert().execBatch([required]));
// @ts-expect-error: name is missing
users.insert().exec({ email: "a@example.org" });
// @ts-expect-error: nam is not a key
users.insert().exec({ ...required, nam: "A" });
// @ts-expect-error: id is generated
users.insert().exec({ ...required, id: 1 });
// @ts-expect-error: not one of the roles
users.insert().exec({ ...required, role: "boss" });
// @ts-expect-error: a number for text
users.insert().exec({ ...required, name: 1 });
// @ts-expect-error: null for a column that is not nullable
users.insert().exec({ ...required, name: null });

// Updates

declare const update: Update<typeof User>;
expectType<string | undefined>(update.name);
expectType<number | null | undefined>(update.age);
// @ts-expect-error: the database generates it
update.id;

// The schemas of a table are Zod objects with the same types

expectType<string>(User.insertSchema.parse({}).email);
expectType<number | undefined>(User.insertSchema.parse({}).ref);
expectType<string | undefined>(User.updateSchema.parse({}).name);
expectAssignable<Insert<typeof User>>(User.insertSchema.parse({}));
expectAssignable<Update<typeof User>>(User.updateSchema.parse({}));
expectAssignable<UserRow>(User.schema.parse({}));
expectType<string>(User.columns.nick.name);

// Declarations

// @ts-expect-error: no such key of metadata
column(z.int(), { primary: true });
// @ts-expect-error: neither true nor "byDefault"
column(z.int(), { generated: "always" });
// @ts-expect-error: no column of that name
table("t", z.object({ a: z.int() }), { primaryKey: ["b"] });

column(z.int(), { references: "teams(id)", onDelete: "cascade", onUpdate: "no action" });
// @ts-expect-error: an action of what references nothing
column(z.int(), { onDelete: "cascade" });
// @ts-expect-error: no such action
column(z.int(), { references: "teams(id)", onDelete: "delete" });
// @ts-expect-error: stored without computed
column(z.int(), { stored: true });
column(z.int(), { computed: { postgres: "a + 1" }, stored: false, comment: "one more" });
// @ts-expect-error: computed beside a default
column(z.int(), { computed: "a + 1", default: "1" });
// @ts-expect-error: computed beside generated
column(z.int(), { computed: "a + 1", generated: "byDefault" });
column(z.enum(["a", "b"]).nullable(), { checkValues: true });
// @ts-expect-error: no enum
column(z.string(), { checkValues: true });
table("t", z.object({ a: z.int(), b: z.int() }), {
  indexes: [{ columns: ["a", ["b", "desc"]], unique: true }, { expression: "a + b" }],
  foreignKeys: [{ columns: ["a"], references: () => User, target: ["id"] }],
});
// @ts-expect-error: no column of that name
table("t", z.object({ a: z.int() }), { indexes: [{ columns: ["b"] }] });
// @ts-expect-error: columns beside an expression
table("t", z.object({ a: z.int() }), { indexes: [{ columns: ["a"], expression: "a" }] });
// @ts-expect-error: no column of that name
table("t", z.object({ a: z.int() }), { foreignKeys: [{ columns: ["b"], references: () => User }] });

const Computing = table(
  "computing",
  z.object({
    id: column(z.int(), { primaryKey: true }),
    twice: column(z.int(), { computed: "id * 2" }),
    touched: column(z.date(), { readOnly: true }),
  }),
);
expectType<Insert<typeof Computing>>({} as { id: number });
expectType<Update<typeof Computing>>({} as { id?: number | undefined });
expectType<Row<typeof Computing>>({} as { id: number; twice: number; touched: Date });
// @ts-expect-error: the database computes it
postgres().repository(Computing).insert().exec({ id: 1, twice: 2 });
// @ts-expect-error: only a trigger sets it
postgres().repository(Computing).modify().set("touched", "at");

// Fields

expectType<Promise<{ id: number; nick: string | null }[]>>(users.query().fields("id", "nick").exec());
expectType<Promise<{ id: number; email: string }[]>>(users.query().fields("id").fields("email").exec());
expectType<Promise<{ id: number }>>(users.select().fields("id").exec());
expectType<Promise<{ id: number } | null>>(users.select().fields("id").execOrNull());
expectAssignable<Promise<UserRow[]>>(users.query().exec());
// @ts-expect-error: misspelt
users.query().fields("id", "emial");
// @ts-expect-error: the column's name is not the field's
users.query().fields("nick_name");
users
  .query()
  .fields("id")
  .exec()
  .then(([first]) => {
    // @ts-expect-error: not selected
    first?.email;
  });

// Operators by column and dialect

users.query().where("name", "LIKE", "p");
users.query().where("role", "ILIKE", "p");
users.query().where("age", ">=", "p");
users.query().where("balance", "IN", "p");
users.query().where("createdAt", "<", "p");
users.query().where("active", "!=", "p");
users.query().where("photo", "=", "p");
users.query().where("tags", "=", "p");
onPostgres.query().where("name", "~*", "p");
onPostgres.query().where("tags", "@>", "p");
// @ts-expect-error: misspelt
users.query().where("agee", "=", "p");
// @ts-expect-error: numbers have no patterns
users.query().where("age", "LIKE", "p");
// @ts-expect-error: booleans have no order
users.query().where("active", ">", "p");
// @ts-expect-error: bytes have no lists
users.query().where("photo", "IN", "p");
// @ts-expect-error: JSON takes null tests only
users.query().where("settings", "=", "p");
// @ts-expect-error: what may be anything is kept as JSON
users.query().where("anything", "LIKE", "p");
// @ts-expect-error: only PostgreSQL has regular expression operators
users.query().where("name", "~", "p");
// @ts-expect-error: only PostgreSQL has array operators
users.query().where("tags", "@>", "p");
users.query().where("name", "ICONTAINS", "q").exec({ q: "50%" });
users.query().where("role", "STARTS WITH", "q").exec({ q: "adm" });
// @ts-expect-error: a number contains no text
users.query().where("age", "CONTAINS", "q");
// @ts-expect-error: a text is looked for, not a number
users.query().where("name", "ENDS WITH", "q").exec({ q: 1 });
// @ts-expect-error: no operator at all
users.query().where("age", "==", "p");
// @ts-expect-error: booleans have no range
users.query().whereBetween("active", "a", "b");
users.query().whereNull("settings").whereNotNull("photo");

// Parameters

const search = users
  .query()
  .where("age", ">", "min")
  .where("name", "LIKE", "like")
  .where("role", "IN", "roles")
  .whereBetween("createdAt", "from", "to")
  .limitParam("size");
expectType<{
  min: number;
  like: string;
  roles: readonly ("admin" | "member")[];
  from: Date;
  to: Date;
  size: number;
}>({} as ParamsOf<typeof search>);
const all = { min: 1, like: "a", roles: ["admin"] as const, from: new Date(), to: new Date(), size: 1 };
search.exec(all);
search.exec(Object.freeze(all));
// Parameters can be put together step by step
const some: ParamsOf<typeof search> = { ...all };
some.min = 2;
search.exec(some);
search.exec(all, { signal: new AbortController().signal });
// @ts-expect-error: all are missing
search.exec();
// @ts-expect-error: some are missing
search.exec({ min: 1 });
// @ts-expect-error: one is too many
search.exec({ ...all, max: 2 });
// @ts-expect-error: text for a number
search.exec({ ...all, min: "1" });
// @ts-expect-error: undefined is missing
search.exec({ ...all, min: undefined });
// @ts-expect-error: a comparison does not take null
search.exec({ ...all, min: null });
// @ts-expect-error: a scalar for a list
search.exec({ ...all, roles: "admin" });
users.query().exec();
users.query().exec({});
users.query().exec(undefined, {});
// @ts-expect-error: there are no parameters
users.query().exec({ x: 1 });

// The last of limit and limitParam wins, in the parameters too

users.query().limitParam("n").limit(3).exec();
users.query().limit(3).limitParam("n").offsetParam("m").exec({ n: 1, m: 2 });
users.query().limitParam("n").limitParam("m").exec({ m: 1 });
// @ts-expect-error: n was replaced
users.query().limitParam("n").limit(3).exec({ n: 1 });
users.query().where("id", "=", "n").limitParam("n").limit(3).exec({ n: 1 });

// A name used twice has both types

const twice = users.query().where("age", ">", "n").where("level", "<", "n");
expectType<{ n: number }>({} as ParamsOf<typeof twice>);
const narrowed = users.query().where("role", "=", "r").where("name", "!=", "r");
expectType<{ r: "admin" | "member" }>({} as ParamsOf<typeof narrowed>);
// @ts-expect-error: a number and text at once
users.query().where("age", "=", "x").where("name", "=", "x").exec({ x: 1 });
const yes = users.query().where("active", "=", "on").where("active", "!=", "on");
expectType<{ on: boolean }>({} as ParamsOf<typeof yes>);

// Optional conditions

const filtered = users.query().whereOptional("age", ">", "min").whereOptional("name", "LIKE", "like");
filtered.exec();
filtered.exec({});
filtered.exec({ min: undefined, like: "a" });
// @ts-expect-error: of the wrong type
filtered.exec({ min: "1" });
const mixed = filtered.where("id", "=", "id");
mixed.exec({ id: 1 });
// @ts-expect-error: id is required
mixed.exec({ min: 1 });
// Required in one place is required.
// @ts-expect-error: min is required now
filtered.where("level", "=", "min").exec({});

// Conditions as values

const grouped = users
  .query()
  .whereOr(
    c("age", ">", "min"),
    and(c("role", "IN", "roles"), isNull("nick")),
    or(between("level", "low", "high")),
  );
expectType<{
  min: number;
  roles: readonly ("admin" | "member")[];
  low: number;
  high: number;
}>({} as ParamsOf<typeof grouped>);
// @ts-expect-error: misspelt
users.query().whereOr(c("agee", ">", "min"));
// @ts-expect-error: numbers have no patterns
users.query().whereAnd(c("age", "LIKE", "min"));
// @ts-expect-error: the second is misspelt
users.query().whereOr(c("age", ">", "min"), c("nam", "=", "n"));
// @ts-expect-error: misspelt, deep in a group
users.query().whereOr(and(or(isNull("nik"))));
// @ts-expect-error: JSON has no range
users.query().whereOr(between("settings", "a", "b"));

// Order

users.query().orderBy("age", "asc").orderByNulls("nick", "desc", "last");
// @ts-expect-error: misspelt
users.query().orderBy("agee", "asc");
// @ts-expect-error: neither asc nor desc
users.query().orderBy("age", "ASC");

// Changes need a condition

const rename = users.modify().set("name", "name").set("age", "age");
expectType<Promise<number>>(users.remove().where("id", "=", "id").exec({ id: 1 }));
expectAssignable<Promise<(UserRow | null)[]>>(
  users
    .remove()
    .where("id", "=", "id")
    .execEach([{ id: 1 }]),
);
expectAssignable<Promise<(UserRow | null)[]>>(
  users
    .modify()
    .dynamic()
    .set("name", "name")
    .where("id", "=", "id")
    .execEach([{ id: 1, name: "x" }]),
);
users
  .remove()
  .where("id", "=", "id")
  // @ts-expect-error: a text for a number
  .execEach([{ id: "1" }]);
// @ts-expect-error: no condition
users.remove().execEach([{}]);
expectAssignable<Promise<UserRow>>(rename.where("id", "=", "id").exec({ name: "B", age: null, id: 1 }));
// @ts-expect-error: no condition
rename.exec({ name: "B", age: 1 });
// @ts-expect-error: no condition
users.remove().exec();
// @ts-expect-error: generated
users.modify().set("id", "id");
// @ts-expect-error: null for a column that is not nullable
rename.where("id", "=", "id").exec({ name: null, age: 1, id: 1 });
users.modify().where("id", "=", "id").execPatch({ nick: null }, { id: 1 });
// @ts-expect-error: generated
users.modify().where("id", "=", "id").execPatch({ id: 2 }, { id: 1 });

// Counts, specs, transactions

expectType<Promise<number>>(users.count().where("age", ">", "min").exec({ min: 1 }));
expectType<number>(0 as ResultOf<ReturnType<typeof users.count>>);
users.queryFromSpec({ fields: ["id"], where: [{ field: "id", operator: "=", param: "id" }] }).exec({ id: 1 });
users.queryFromSpec(search.toSpec()).exec({ anything: "goes" });
const name: unknown = "age";
if (users.isField(name)) users.query().orderBy(name, "asc");
users.query().orderBy(users.field(name), "asc");
// @ts-expect-error: any string is not a field
users.query().orderBy(String(name), "asc");
sqlite().transaction(async (tx) => {
  expectType<Promise<number>>(users.count().exec(undefined, { tx }));
  expectType<Promise<number>>(tx.repository(User).count().exec());
});

// Nothing is any: whatever is assignable to an impossible type is

type IsAny<T> = 0 extends 1 & T ? true : false;
expectType<false>(false as IsAny<Row<typeof User>["id"]>);
expectType<false>(false as IsAny<ResultOf<typeof search>>);
expectType<false>(false as IsAny<ResultOf<typeof search>[number]["settings"]>);
expectType<false>(false as IsAny<ParamsOf<typeof search>["min"]>);
expectType<false>(false as IsAny<Insert<typeof User>["tags"]>);
expectNotType<never>(0 as unknown as ResultOf<typeof search>);

// Aggregates

expectType<Promise<number>>(users.sum("age").exec());
expectType<Promise<bigint>>(users.max("balance").exec());
expectType<Promise<number>>(users.avg("balance").where("age", ">", "min").exec({ min: 1 }));
// @ts-expect-error: text has no sum
users.sum("name");
// @ts-expect-error: misspelt
users.min("agee");

// Upserts

const upsert = users.insert().onConflict("email").doUpdate();
expectAssignable<Promise<UserRow>>(upsert.exec(required));
expectAssignable<Promise<UserRow | null>>(users.insert().onConflict("email").doNothing().exec(required));
expectType<false>(false as null extends ResultOf<typeof upsert> ? true : false);
users
  .insert()
  .onConflict("email")
  .doNothing()
  .exec(required)
  .then((stored) => {
    // @ts-expect-error: it may be null
    stored.id;
  });
upsert.set("name", "email").exec(required);
upsert.set("age", "newAge").exec(required, { newAge: 3 });
upsert.set("age", "newAge").exec(required, { newAge: null }, {});
// @ts-expect-error: newAge is missing
upsert.set("age", "newAge").exec(required);
// @ts-expect-error: newAge is a number
upsert.set("age", "newAge").exec(required, { newAge: "3" });
// @ts-expect-error: misspelt
users.insert().onConflict("emial");
// @ts-expect-error: it has not been said what happens then
users.insert().onConflict("email").exec(required);
// @ts-expect-error: a plain insert has no parameters
users.insert().exec(required, { name: "x" });
users.insert().exec(required, undefined, {});

// Options stand in the place of parameters where there are none

declare const inside: TransactionHandle;
const signalled = { tx: inside, signal: new AbortController().signal };
users.insert().exec(required, signalled);
users.insert().exec(required, { tx: inside });
users.insert().exec(required, {}, { tx: inside });
users.insert().execMany([required], { tx: inside });
users.insert().execBatch([required], { tx: null });
users.insert().onConflict("email").doNothing().exec(required, { tx: inside });
users.query().exec({ tx: inside });
users.query().exec({}, { tx: inside });
users.query().exec(undefined, signalled);
users.query().stream({ signal: signalled.signal });
users.select().execOrNull({ tx: inside });
users.count().exec({ tx: inside });
users.query().union(users.query()).exec({ tx: inside });
users.remove().whereNull("age").exec({ tx: inside });
users.modify().whereNull("age").execPatch({ name: "x" }, { tx: inside });
upsert.set("age", "newAge").exec(required, { newAge: 3 }, { tx: inside });
// @ts-expect-error: where there are parameters, they come first
upsert.set("age", "newAge").exec(required, { tx: inside });
// @ts-expect-error: where there are parameters, they come first
users.query().where("id", "=", "id").exec({ tx: inside });
// @ts-expect-error: neither a parameter nor an option
users.query().exec({ tx: inside, limit: 3 });
// @ts-expect-error: no transaction
users.insert().exec(required, { tx: 5 });
// @ts-expect-error: no signal
users.query().exec({ signal: "now" });

// What an upsert sets, and on which key

users.insert().onConflict("id").doUpdate().set("nick", "name");
// @ts-expect-error: the proposed name is text, an age is a number
upsert.set("age", "name");
// @ts-expect-error: the proposed nick may be null, a name is not
upsert.set("name", "nick");
// @ts-expect-error: no key
users.insert().onConflict("name");
// @ts-expect-error: an update needs a key
users.insert().onConflict().doUpdate();
const Ranked = table("ranked", z.object({ a: z.int(), b: z.int(), c: z.int() }), {
  primaryKey: ["a"],
  unique: [["b", "c"]],
});
const ranked = sqlite().repository(Ranked);
ranked.insert().onConflict("a").doNothing();
ranked.insert().onConflict("b", "c").doNothing();
// @ts-expect-error: a key with another one only
ranked.insert().onConflict("b");

// An update sets something

const untouched = users.modify().where("id", "=", "id");
untouched.execPatch({ name: "x" }, { id: 1 });
// @ts-expect-error: it sets nothing
untouched.exec({ id: 1 });
// @ts-expect-error: it sets nothing
untouched.execMany({ id: 1 });
// @ts-expect-error: it sets nothing
untouched.execBatch([{ id: 1 }]);
// @ts-expect-error: it sets nothing
untouched.execEach([{ id: 1 }]);
// @ts-expect-error: it sets nothing
untouched.execTx(inside, { id: 1 });
untouched.set("name", "name").exec({ id: 1, name: "x" });
untouched.setExpr("age", "+", "by").exec({ id: 1, by: 1 });
users.modify().set("name", "name").where("id", "=", "id").exec({ id: 1, name: "x" });
// @ts-expect-error: no condition
users.modify().set("name", "name").exec({ name: "x" });
users.modifyFromSpec({ set: { name: "name" }, where: [] }).exec({ name: "x" });

// Two fields

users.query().whereFields("age", "<", "level");
users.query().whereFields("name", "!=", "nick");
// @ts-expect-error: a number and text
users.query().whereFields("age", "=", "name");
// @ts-expect-error: no such comparison of two fields
users.query().whereFields("name", "LIKE", "nick");

// What only some dialects have

onPostgres.query().forUpdate({ skipLocked: true }).where("id", "=", "id");
onPostgres.select().distinctOn("name", "age").forKeyShare();
// @ts-expect-error: SQLite has no row locks
users.query().forUpdate();
// @ts-expect-error: SQLite has no DISTINCT ON
users.query().distinctOn("name");
// @ts-expect-error: misspelt
onPostgres.query().distinctOn("nam");

// Callbacks

users.onScan((scanned, { operation, signal, tx }) => {
  expectType<string | undefined>(scanned.email);
  expectAssignable<string>(operation);
  expectType<AbortSignal | undefined>(signal);
  users.count().exec(undefined, { tx });
});
users.onScan(null);
users.onRecord(async (record) => {
  record.name = record.name.trim();
  // @ts-expect-error: generated
  record.id = 1;
});

// Streams and plans take what exec takes

const byAge = users.query().fields("id", "email").where("age", ">", "min");
expectType<AsyncIterable<{ id: number; email: string }>>(byAge.stream({ min: 1 }));
expectType<AsyncIterable<{ id: number; email: string }>>(byAge.union(byAge).stream({ min: 1 }));
expectType<Promise<string>>(byAge.explain({ min: 1 }, { signal: AbortSignal.timeout(1) }));
expectType<Promise<string>>(users.select().explain());
for await (const { email } of byAge.stream({ min: 1 })) expectType<string>(email);
// @ts-expect-error: min is missing
byAge.stream();
// @ts-expect-error: min is a number
byAge.explain({ min: "1" });
// @ts-expect-error: one row is not a stream
users.select().stream();

// SQL of one's own

const database = sqlite();
const games = database.sql(
  "SELECT name, total FROM games WHERE day = :day",
  z.object({ name: z.string(), total: z.bigint().nullable(), size: z.string().transform(Number) }),
);
expectType<Promise<{ name: string; total: bigint | null; size: number }[]>>(games.exec({ day: new Date() }));
expectType<Promise<number>>(database.sql("DELETE FROM games").exec());
expectType<Row<typeof User>[]>(await database.sql("SELECT * FROM users", User.schema).exec());
database.transaction(async (tx) => tx.sql("DELETE FROM games").exec(undefined, { tx }));
games.execTx({} as Transaction, { day: null });
// @ts-expect-error: a list is not a scalar
games.exec({ day: [1] });
// @ts-expect-error: nor is an object
games.exec({ day: {} });
// @ts-expect-error: rows are objects
database.sql("SELECT 1", z.string());

// The names of a literal text are its parameters

const found = database.sql(
  "SELECT a::text, ':no', it''s -- it's :comment\nFROM t /* :block's */ WHERE id = :id AND k IN (:...ks) AND x = :id",
  z.object({ a: z.string() }),
);
expectType<{ readonly id: SqlValue; readonly ks: readonly SqlValue[] }>({} as ParamsOf<typeof found>);
found.exec({ id: 1, ks: ["a", null] });
// @ts-expect-error: a name that is missing
found.exec({ id: 1 });
// @ts-expect-error: a name that the text has not
found.exec({ id: 1, ks: [], no: 1 });
// @ts-expect-error: a list is written out
found.exec({ id: 1, ks: 1 });
// @ts-expect-error: SQLite has no arrays
found.exec({ id: [1], ks: [] });
// @ts-expect-error: no parameters where there are some
found.exec();
database.sql("SELECT ':no' -- :no").exec();
database.sql("SELECT 1").exec({ signal: new AbortController().signal });
// @ts-expect-error: a parameter where there is none
database.sql("SELECT 1").exec({ id: 1 });
postgres()
  .sql("DELETE FROM t WHERE id = ANY(:ids)")
  .exec({ ids: [1, 2] });
const declared = postgres().sql("DELETE FROM t WHERE id = ANY(:ids) AND day > :day AND x = :x", undefined, {
  params: { ids: z.array(z.int()), day: z.date().nullable() },
});
expectType<{ readonly ids: number[]; readonly day: Date | null; readonly x: SqlValue | readonly SqlValue[] }>(
  {} as ParamsOf<typeof declared>,
);
// @ts-expect-error: a text is not a number
declared.exec({ ids: ["a"], day: null, x: 1 });
// A text that is not known, one of several, one with dollar quotes: a record
database.sql(String("SELECT :a")).exec({ a: 1, b: [2] });
database.sql(`SELECT ${String(1)} :a`).exec({ a: 1 });
database.sql(String(1) === "1" ? "SELECT :a" : "SELECT :b").exec({ a: 1 });
postgres().sql("SELECT $$ it's :no $$, :a").exec({ a: 1 });
postgres().sql("SELECT $body$ it's :no $body$, :a").exec();
const paid = database.sql("SELECT '$.a', '$.b', :a, x[1:2], a := 1");
expectType<{ readonly a: SqlValue }>({} as ParamsOf<typeof paid>);
// Generic code over two dialects
const both = (db: Database<"postgres" | "sqlite">) => db.sql("SELECT :a").exec({ a: 1 });
expectAssignable<Promise<number>>(both(database));

// A database that records

const recorded = recording("oracle", (statement) => {
  expectType<readonly unknown[]>(statement.params);
  return [{ id: 1 }];
});
expectType<"oracle">(recorded.dialect);
expectAssignable<Database<"oracle">>(recorded);
// Code over any database takes it, whatever its dialect, and its transactions
expectAssignable<Database>(recorded);
expectAssignable<Database>(recording("postgres"));
expectAssignable<Database>(recording("mariadb"));
expectAssignable<Database>(recording("sqlite"));
recorded.transaction(async (tx) => expectAssignable<Transaction>(tx));
expectType<string | undefined>(recorded.statements[0]?.sql);
recording("sqlite", [[{ id: 1 }], []]);
// @ts-expect-error: no such dialect
recording("mysql");

// Views

const Active = view("active", z.object({ id: z.int(), mail: z.string() }), {
  as: "SELECT id, mail FROM users",
  primaryKey: ["id"],
});
const active = postgres().repository(Active);
expectType<Row<typeof Active>>({} as { id: number; mail: string });
expectType<Promise<{ mail: string }[]>>(active.query().fields("mail").exec());
// @ts-expect-error: a view is only read
active.insert();
// @ts-expect-error: nor changed
active.modify();
// @ts-expect-error: nor emptied
postgres().repositories({ Active }).Active.remove();
// @ts-expect-error: it has no schema of inserts
Active.insertSchema;
// @ts-expect-error: it is made by a query
view("v", z.object({ id: z.int() }), {});
// @ts-expect-error: no column of that name
view("v", z.object({ id: z.int() }), { as: "SELECT 1", primaryKey: ["b"] });
expectAssignable<readonly string[]>(enumType("mood", ["sad", "happy"]).values);
expectType<"sad" | "happy">(enumType("mood", ["sad", "happy"]).values[0]);

// Schemas of parameters that the text does not have

const onText = postgres();
onText.sql("DELETE FROM t WHERE a = :a", undefined, { params: { a: z.int() } });
// @ts-expect-error: the text has no such parameter
onText.sql("SELECT a FROM t WHERE a = :a", z.object({}), { params: { b: z.int() } });
// @ts-expect-error: nor this one
onText.sql("DELETE FROM t WHERE a = :a", undefined, { params: { a: z.int(), b: z.int() } });
onText.sql("SELECT 1" as string, z.object({}), { params: { any: z.int() } });
