// What the compiler knows of expressions, groups and set operations: the right call, the wrong call, no `any`.
import {
  abs,
  and,
  avg,
  c,
  caseWhen,
  cast,
  coalesce,
  column,
  concat,
  count,
  countDistinct,
  currentDate,
  distance,
  firstValue,
  fn,
  isNull,
  json,
  lag,
  lastValue,
  length,
  max,
  min,
  now,
  ntile,
  nullIf,
  type ParamsOf,
  power,
  type ResultOf,
  rank,
  replace,
  round,
  rowNumber,
  sqrt,
  substring,
  sum,
  table,
  upper,
  vector,
} from "rowtype";
import { postgres } from "rowtype/postgres";
import { sqlite } from "rowtype/sqlite";
import { expectType } from "tsd";
import { z } from "zod";

const User = table(
  "users",
  z.object({
    id: column(z.int(), { primaryKey: true, generated: true }),
    name: z.string(),
    nick: z.string().nullable(),
    age: z.int().nullable(),
    score: z.number(),
    role: z.enum(["admin", "member"]),
    active: z.boolean(),
    balance: z.bigint(),
    settings: json(z.object({ theme: z.string() })),
    createdAt: z.date(),
  }),
);
const Team = table("teams", z.object({ id: z.int(), name: z.string(), size: z.int() }));
const Place = table("places", z.object({ id: z.int(), spot: vector(3), name: z.string() }));

const users = sqlite().repository(User);
const teams = sqlite().repository(Team);
const onPostgres = postgres().repository(User);
const places = postgres().repository(Place);

type IsAny<T> = 0 extends 1 & T ? true : false;

// What comes out: by its column, and null where it can be

const texts = users
  .query()
  .fields(
    "id",
    upper("name").as("big"),
    upper("nick").as("bigNick"),
    length("nick").as("size"),
    concat("name", "nick").as("both"),
    substring("name", "from", "long").as("part"),
    replace("nick", "search", "by").as("other"),
  );
expectType<
  {
    id: number;
    big: string;
    bigNick: string | null;
    size: number | null;
    both: string;
    part: string;
    other: string | null;
  }[]
>({} as ResultOf<typeof texts>);
expectType<{ from: number; long: number; search: string; by: string }>({} as ParamsOf<typeof texts>);

const numbers = users
  .query()
  .fields(
    abs("balance").as("exact"),
    abs("age").as("years"),
    sqrt("score").as("root"),
    power("score", "p").as("square"),
    round("score", 2).as("cents"),
    round("balance").as("even"),
    coalesce("age", "none").as("some"),
    nullIf("role", "usual").as("special"),
    cast("age", "text").as("said"),
    cast("score", "integer").as("whole"),
    now().as("at"),
    currentDate().as("day"),
  );
expectType<
  {
    exact: bigint;
    years: number | null;
    root: number | null;
    square: number;
    cents: number;
    even: bigint;
    some: number;
    special: "admin" | "member" | null;
    said: string | null;
    whole: number;
    at: Date;
    day: string;
  }[]
>({} as ResultOf<typeof numbers>);
expectType<{ p: number; none: number; usual: "admin" | "member" }>({} as ParamsOf<typeof numbers>);

const gathered = users.query().fields(
  count().as("rows"),
  countDistinct("settings").as("kinds"),
  sum("score").as("total"),
  sum("balance").as("exact"),
  avg("balance").as("mean"),
  min("createdAt").as("first"),
  max("role").as("last"),
  count()
    .filter(and(c("age", ">", "age"), isNull("nick")))
    .as("some"),
);
expectType<
  {
    rows: number;
    kinds: number;
    total: number | null;
    exact: bigint | null;
    mean: number | null;
    first: Date | null;
    last: "admin" | "member" | null;
    some: number;
  }[]
>({} as ResultOf<typeof gathered>);
expectType<{ age: number }>({} as ParamsOf<typeof gathered>);

const windows = users.query().fields(
  "id",
  rowNumber()
    .over({ partitionBy: ["role"], orderBy: [["age", "desc"]] })
    .as("place"),
  rank().over().as("rank"),
  ntile(4)
    .over({ orderBy: [["id", "asc"]] })
    .as("quarter"),
  lag("role")
    .over({ orderBy: [["id", "asc"]] })
    .as("before"),
  firstValue("name")
    .over({ partitionBy: ["role"] })
    .as("first"),
  lastValue("name")
    .over({ orderBy: [["id", "asc"]], frame: { rows: ["current row", { following: 2 }] } })
    .as("last"),
  sum("score")
    .over({ partitionBy: ["role"] })
    .as("total"),
);
expectType<
  {
    id: number;
    place: number;
    rank: number;
    quarter: number;
    before: "admin" | "member" | null;
    first: string;
    last: string | null;
    total: number | null;
  }[]
>({} as ResultOf<typeof windows>);
windows.exec();

const cases = users.select().fields(
  caseWhen(z.enum(["old", "young"]))
    .when(c("age", ">", "limit"), "old")
    .when(c("role", "IN", "roles"), "old")
    .else("young")
    .as("group"),
  caseWhen(z.int())
    .when(c("active", "=", "on"), "points")
    .as("bonus"),
);
expectType<{ group: "old" | "young"; bonus: number | null }>({} as ResultOf<typeof cases>);
expectType<{
  limit: number;
  roles: readonly ("admin" | "member")[];
  old: "old" | "young";
  young: "old" | "young";
  on: boolean;
  points: number;
}>({} as ParamsOf<typeof cases>);

expectType<false>(false as IsAny<ResultOf<typeof texts>>);
expectType<false>(false as IsAny<ResultOf<typeof windows>[number]["before"]>);
expectType<false>(false as IsAny<ParamsOf<typeof cases>["on"]>);
users.query().fields(fn.upper("name").as("big"), fn.caseWhen(z.int()).when(isNull("age"), "x").as("y"));

// @ts-expect-error: misspelt
users.query().fields(upper("nam").as("big"));
// @ts-expect-error: numbers have no capitals
users.query().fields("id", upper("age").as("big"));
// @ts-expect-error: text has no sum
users.query().fields(sum("name").as("total"));
// @ts-expect-error: JSON has no order
users.query().fields(max("settings").as("last"));
// @ts-expect-error: booleans have no order
users.query().fields(min("active").as("first"));
// @ts-expect-error: JSON is not a scalar
users.query().fields(cast("settings", "text").as("said"));
// @ts-expect-error: one of them is a number
users.query().fields(concat("name", "score").as("both"));
// @ts-expect-error: no such type
cast("age", "uuid");
// @ts-expect-error: it has no name
users.query().fields(upper("name"));
// @ts-expect-error: it needs a window
rowNumber().as("place");
const ofAgee = rowNumber().over({ orderBy: [["agee", "asc"]] });
// @ts-expect-error: no such field in the window
users.query().fields(ofAgee.as("place"));
// @ts-expect-error: neither asc nor desc
rowNumber().over({ orderBy: [["age", "up"]] });
// @ts-expect-error: no such bound
sum("score").over({ frame: { rows: ["now", "current row"] } });
const liked = count().filter(c("age", "LIKE", "x"));
// @ts-expect-error: numbers have no patterns
users.query().fields(liked.as("n"));
// @ts-expect-error: misspelt, in the condition of a CASE
users.query().fields(caseWhen(z.int()).when(isNull("nik"), "x").as("y"));
// @ts-expect-error: a CASE without a condition has no name
caseWhen(z.int()).as("y");
// @ts-expect-error: text for a number
texts.exec({ from: "1", long: 2, search: "a", by: "b" });
// @ts-expect-error: by is missing
texts.exec({ from: 1, long: 2, search: "a" });
// @ts-expect-error: no label of the CASE
cases.exec({ limit: 1, roles: [], old: "ancient", young: "young", on: true, points: 1 });

// Groups: what stands beside an aggregate is grouped

const grouped = users.query().fields("role", count().as("n"), sum("age").as("total")).groupBy("role");
expectType<{ role: "admin" | "member"; n: number; total: number | null }[]>({} as ResultOf<typeof grouped>);
grouped.exec();
grouped
  .having("n", ">", "least")
  .having("total", "IN", "totals")
  .exec({ least: 1, totals: [1] });
grouped.havingAgg("max", "name", "<", "name").havingAgg("count", "*", ">=", "n").exec({ name: "x", n: 1 });
grouped.havingAgg("sum", "balance", ">", "b").exec({ b: 1n });
grouped
  .havingAgg("countDistinct", "age", "=", "n")
  .orderBy("n", "desc")
  .orderBy("role", "asc")
  .exec({ n: 1 });
users.query().groupBy("role").fields("role", count().as("n")).exec();
users.select().fields(count().as("n")).exec();
users.query().fields("id", upper("name").as("big")).exec();
// @ts-expect-error: role is not grouped
users.query().fields("role", count().as("n")).exec();
// @ts-expect-error: name is not grouped
users.query().fields("role", "name", count().as("n")).groupBy("role").exec();
// @ts-expect-error: what upper reads is not grouped
users.query().fields(upper("name").as("big"), count().as("n")).exec();
// @ts-expect-error: all columns beside a group
users.query().groupBy("role").exec();
// @ts-expect-error: likewise of one row
users.select().fields("role", count().as("n")).exec();
// @ts-expect-error: misspelt
users.query().groupBy("rol");
// @ts-expect-error: no such name
grouped.having("m", ">", "least");
// @ts-expect-error: a field is not an aggregate
grouped.having("role", "=", "r");
// @ts-expect-error: numbers have no patterns
grouped.having("n", "LIKE", "x");
// @ts-expect-error: text has no sum
grouped.havingAgg("sum", "name", ">", "x");
// @ts-expect-error: only rows are counted by *
grouped.havingAgg("sum", "*", ">", "x");
// @ts-expect-error: no such aggregate
grouped.havingAgg("median", "age", ">", "x");
// @ts-expect-error: text for a count
grouped.having("n", ">", "least").exec({ least: "1" });
// @ts-expect-error: no such name to order by
grouped.orderBy("m", "asc");

// Set operations

const named = users.query().fields("id", "name").where("age", ">", "min");
const both = named.union(teams.query().fields("id", "name").where("size", "<", "most"));
expectType<{ id: number; name: string }[]>({} as ResultOf<typeof both>);
expectType<{ min: number; most: number }>({} as ParamsOf<typeof both>);
both.intersect(named).exceptAll(named).orderBy("name", "asc").limit(3).offsetParam("skip").exec({
  min: 1,
  most: 2,
  skip: 3,
});
users
  .query()
  .unionAll(users.query().where("age", "=", "n"))
  .exec({ n: 1 });
grouped
  .union(grouped.having("n", "=", "x"))
  .orderBy("n", "desc")
  .exec({ x: 1 });
users.compoundFromSpec(both.toSpec()).exec({ anything: "goes" });
// @ts-expect-error: other columns
named.union(users.query().fields("id", "nick"));
// @ts-expect-error: one column more
named.union(users.query().fields("id", "name", "age"));
// @ts-expect-error: one column less
named.except(users.query().fields("id"));
// @ts-expect-error: another type
named.union(teams.query().fields("id", upper("name").as("nam")));
// @ts-expect-error: a query of another dialect
named.union(onPostgres.query().fields("id", "name"));
// @ts-expect-error: one row is not a query
named.union(users.select().fields("id", "name"));
// @ts-expect-error: what is not grouped, in an operand
grouped.union(users.query().fields("role", count().as("n"), sum("age").as("total")));
// @ts-expect-error: not selected
both.orderBy("age", "asc");
// @ts-expect-error: a parameter of an operand is missing
both.exec({ min: 1 });

// Arithmetic

users
  .modify()
  .setExpr("score", "+", "x")
  .set("name", "n")
  .where("id", "=", "id")
  .exec({ x: 1, n: "a", id: 1 });
users.modify().setExpr("balance", "%", "x").where("id", "=", "id").exec({ x: 1n, id: 1 });
// @ts-expect-error: text has no arithmetic
users.modify().setExpr("name", "+", "x");
// @ts-expect-error: the database generates it
users.modify().setExpr("id", "+", "x");
// @ts-expect-error: no such operator
users.modify().setExpr("score", "^", "x");
// @ts-expect-error: null is not a number
users.modify().setExpr("age", "+", "x").where("id", "=", "id").exec({ x: null, id: 1 });

// Vectors

const near = places
  .query()
  .fields("id", distance("spot", "<->", "here").as("far"))
  .whereDistance("spot", "<=>", "here", "<", "most")
  .orderByExpr("spot", "<->", "here", "asc")
  .limit(5);
expectType<{ id: number; far: number }[]>({} as ResultOf<typeof near>);
near.exec({ here: [1, 2, 3], most: 0.5 });
// @ts-expect-error: vectors are ordered by distance, not compared
places.query().where("spot", "=", "p");
// @ts-expect-error: text is not a vector
places.query().orderByExpr("name", "<->", "here", "asc");
// @ts-expect-error: no such distance
places.query().whereDistance("spot", "<", "here", "<", "most");
// @ts-expect-error: text is not a vector
places.query().fields(distance("name", "<->", "here").as("far"));
// @ts-expect-error: a number for a vector
near.exec({ here: 1, most: 0.5 });
// @ts-expect-error: SQLite has no vectors
sqlite().repository(Place);
