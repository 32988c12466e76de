// Nulls of functions over functions, arguments that must be given, and operators of what an expression gives.
import {
  abs,
  add,
  and,
  c,
  caseWhen,
  cast,
  coalesce,
  compare,
  count,
  div,
  field,
  firstValue,
  greatest,
  isNull,
  lag,
  lead,
  lower,
  max,
  min,
  mod,
  mul,
  neg,
  not,
  notNull,
  nullIf,
  or,
  type ParamsOf,
  param,
  type ResultOf,
  raw,
  round,
  rowNumber,
  sqrt,
  sub,
  sum,
  table,
  when,
} from "rowtype";
import { postgres } from "rowtype/postgres";
import { sqlite } from "rowtype/sqlite";
import { expectType } from "tsd";
import { z } from "zod";

const Row = table(
  "rows",
  z.object({
    id: z.int(),
    n: z.number(),
    m: z.number().nullable(),
    big: z.bigint(),
    text: z.string(),
    bool: z.boolean(),
    at: z.date(),
    bytes: z.instanceof(Uint8Array),
    role: z.enum(["a", "b"]),
  }),
);
const rows = sqlite().repository(Row);
const onPostgres = postgres().repository(Row);

// What may be null stays so in the next function.
const nulls = rows.query().fields(
  neg(div("n", "id")).as("quotient"),
  neg(div(abs("n"), "id")).as("ofExpression"),
  div(abs("n"), "id").as("named"),
  round(mod("n", param("by"))).as("rest"),
  mod(abs("n"), param("by2")).as("restOfExpression"),
  abs(sqrt("n")).as("root"),
  sqrt(abs("n")).as("rootOfExpression"),
  sqrt("n").as("rootOfField"),
  abs(nullIf("n", "zero")).as("noZero"),
  nullIf(abs("n"), "zero2").as("noZeroOfExpression"),
  cast(nullIf("n", "zero3"), "text").as("written"),
  lead(abs("n")).over().as("after"),
  lag("n").over().as("before"),
  lag(abs("n")).over().as("beforeOfExpression"),
  firstValue("n").over().as("first"),
  firstValue(abs("n"))
    .over({ orderBy: [["id", "asc"]], frame: { rows: [{ preceding: 2 }, { preceding: 1 }] } })
    .as("firstOfFrame"),
  coalesce(nullIf("n", "zero4"), "n0").as("never"),
  coalesce("m", abs("n")).as("neverOfTwo"),
  coalesce("m", sqrt("n")).as("maybe"),
  coalesce("m", sqrt("n"), abs("n")).as("neverOfThree"),
  coalesce("m", sqrt("n"), nullIf("n", "zero5")).as("maybeOfThree"),
  greatest("m", "n").as("greatest"),
  greatest(sqrt("n"), "m").as("greatestOfNulls"),
  when(c("m", ">", "least")).as("unknown"),
);
expectType<{
  quotient: number | null;
  ofExpression: number | null;
  named: number | null;
  rest: number | null;
  restOfExpression: number | null;
  root: number | null;
  rootOfExpression: number | null;
  rootOfField: number | null;
  noZero: number | null;
  noZeroOfExpression: number | null;
  written: string | null;
  after: number | null;
  before: number | null;
  beforeOfExpression: number | null;
  first: number;
  firstOfFrame: number | null;
  never: number;
  neverOfTwo: number;
  maybe: number | null;
  neverOfThree: number;
  maybeOfThree: number | null;
  greatest: number;
  greatestOfNulls: number | null;
  unknown: boolean | null;
}>({} as ResultOf<typeof nulls>[number]);
expectType<{
  by: number;
  by2: number;
  zero: number;
  zero2: number;
  zero3: number;
  zero4: number;
  zero5: number;
  n0: number;
  least: number;
}>({} as ParamsOf<typeof nulls>);
const sums = rows
  .query()
  .fields(neg(sum("big")).as("sum"), abs(min("n")).as("min"), round(max(neg("n"))).as("max"));
expectType<{ sum: bigint | null; min: number | null; max: number | null }>(
  {} as ResultOf<typeof sums>[number],
);

// A parameter has a schema, or something beside it.
// @ts-expect-error nothing stands before it
coalesce(param("a"), "text");
const bare = rows.query().fields(greatest(param("a"), param("b")).as("x"));
declare const bareRow: ResultOf<typeof bare>[number];
// @ts-expect-error nor beside it: what it gives is a sentence about that
export const ofBare: string = bareRow.x;
coalesce(param("a", z.string()), "b");

// The parameters must be given, beside optional ones too.
const some = rows.query().where("id", "=", "id").whereOptional("n", ">", "least");
some.exec({ id: 1 });
some.exec({ id: 1, least: 2 });
some.exec({ id: 1, least: undefined });
// @ts-expect-error without any
some.exec();
// @ts-expect-error without the one that is demanded
some.exec({ least: 2 });
// @ts-expect-error which is never undefined
some.exec({ id: undefined, least: 2 });
// @ts-expect-error nor in place of the options
some.exec({}, { timeoutMs: 1 });
const optional = rows.query().whereOptional("n", ">", "least");
optional.exec();
optional.exec({});
const all = rows.query().where("id", "=", "id");
// @ts-expect-error without any
all.exec();
declare const tx: Parameters<typeof all.execTx>[0];
// @ts-expect-error in a transaction
all.execTx(tx);
// @ts-expect-error beside optional ones
some.execTx(tx);
optional.execTx(tx);
// @ts-expect-error a builder without parameters has none
rows.query().exec({ id: 1 });

// An order is one of values that have it.
// @ts-expect-error a truth value lies between nothing
rows.query().whereBetween(when(c("n", ">", "p")), "low", "high");
// @ts-expect-error nor does raw text that gives one
rows.query().whereNotBetween(raw(z.boolean())`TRUE`, "low", "high");
// @ts-expect-error nor an update's
rows.modify().whereBetween(when(c("n", ">", "p")), "low", "high");
// @ts-expect-error truth values are equal or not
rows.query().where(when(c("n", ">", "p")), "<", "q");
// @ts-expect-error in a group too
rows.query().whereAnd(c(when(c("n", ">", "p")), "<", "q"));
rows.query().whereAnd(c(when(c("n", ">", "p")), "=", "q"));
// @ts-expect-error bytes of raw text are not compared in a group
rows.query().whereAnd(c(raw(z.instanceof(Uint8Array))`x`, "=", "q"));
rows.query().whereAnd(isNull(raw(z.instanceof(Uint8Array))`x`));
// @ts-expect-error LIKE of a number
rows.query().whereAnd(c(abs("n"), "LIKE", "q"));
// @ts-expect-error regular expressions are PostgreSQL's
rows.query().whereAnd(c(coalesce("text", "t"), "~", "q"));
onPostgres.query().whereAnd(c(coalesce("text", "t"), "~", "q"));
// @ts-expect-error of a constant text too
rows.query().whereAnd(c(raw(z.string())`x`, "~", "q"));
onPostgres.query().whereAnd(c(raw(z.string())`x`, "~", "q"));

// An enum is a text among texts.
rows.query().whereFields(lower("text"), "=", "role").whereFields("role", "!=", lower("text"));
rows
  .query()
  .whereFields("text", "=", "role")
  .whereAnd(compare("role", "=", "text"));
// @ts-expect-error and no number
rows.query().whereFields(abs("n"), "=", "role");

// The parts of a window are asked as all operands are, and bring their parameters.
const windows = rows.query().fields(
  sum("n")
    .over({
      partitionBy: [coalesce("m", param("part"))],
      orderBy: [[abs(coalesce("m", param("order"))), "asc"]],
    })
    .as("x"),
  rowNumber()
    .over({ orderBy: [[coalesce("m", param("place")), "desc"]] })
    .as("place"),
);
expectType<{ part: number; order: number; place: number }>({} as ParamsOf<typeof windows>);
const unfit = abs("text");
const ordered = sum("n").over({ orderBy: [[unfit, "asc"]] });
const parted = sum("n").over({ partitionBy: [unfit] });
const placed = rowNumber().over({ orderBy: [[unfit, "asc"]] });
const first = firstValue("n").over({ orderBy: [[unfit, "asc"]] });
const misspelt = rowNumber().over({ orderBy: [["nosuch", "asc"]] });
// @ts-expect-error an order by a text as a number
rows.query().fields(ordered.as("x"));
// @ts-expect-error a part by one
rows.query().fields(parted.as("x"));
// @ts-expect-error the place in one
rows.query().fields(placed.as("x"));
// @ts-expect-error the first of one
rows.query().fields(first.as("x"));
// @ts-expect-error by a field that is not there
rows.query().fields(misspelt.as("x"));

// Groups ask of each of their conditions what a place does.
for (const group of [and, or]) {
  // @ts-expect-error no such field
  rows.query().whereAnd(group(isNull("text"), notNull("nosuch")));
  // @ts-expect-error no such field
  rows.query().whereOr(group(c("nosuch", "=", "p"), isNull("text")));
  // @ts-expect-error not that operator
  rows.query().whereOr(group(isNull("text"), c("n", "LIKE", "p")));
}
// @ts-expect-error no such field
rows.query().whereAnd(not(notNull("nosuch")));
// @ts-expect-error in a filter
rows.query().fields(count().filter(isNull("nosuch")).as("x"));
// @ts-expect-error in a label
rows.query().fields(when(isNull("nosuch")).as("x"));
// @ts-expect-error of two types
rows.query().whereAnd(compare("text", "=", "n"));
const groups = rows
  .query()
  .whereAnd(not(and(c("id", "=", "a"), or(c("n", "IN", "b"), c(abs("n"), ">", "c")))))
  .fields(
    count()
      .filter(and(c("text", "=", "d"), c("at", "<", "e")))
      .as("x"),
  );
expectType<{ a: number; b: readonly number[]; c: number; d: string; e: Date }>({} as ParamsOf<typeof groups>);
// A name of two places takes what both do.
const twice = rows.query().where("text", "=", "same").where("n", "=", "same");
expectType<{ same: never }>({} as ParamsOf<typeof twice>);

// A parameter without a schema is of the type of the expression beside it, on both sides.
const beside = rows
  .query()
  .fields(
    add(param("a"), abs("n")).as("before"),
    sub(abs("m"), param("b")).as("after"),
    div(param("c"), abs("n")).as("quotient"),
    mul(param("d"), sum("big")).as("whole"),
    mul(param("e"), "n").as("field"),
  )
  .groupBy("n", "m");
expectType<{
  before: number;
  after: number | null;
  quotient: number | null;
  whole: bigint | null;
  field: number;
}>({} as ResultOf<typeof beside>[number]);
expectType<{ a: number; b: number; c: number; d: bigint; e: number }>({} as ParamsOf<typeof beside>);

// Labels of a CASE are parameters, by their names and by param, and operands with parameters of their own.
const labels = rows.query().fields(
  caseWhen(z.enum(["old", "young"]))
    .when(c("n", ">", "least"), "first")
    .when(isNull("m"), param("second"))
    .as("maybe"),
  caseWhen(z.string())
    .when(c("n", "<", "most"), "third")
    .else(param("fourth"))
    .as("always"),
  caseWhen(z.number())
    .when(c("id", "=", "id"), coalesce("m", "fifth"))
    .else("sixth")
    .as("number"),
);
expectType<{ maybe: "old" | "young" | null; always: string; number: number }>(
  {} as ResultOf<typeof labels>[number],
);
expectType<{
  least: number;
  first: "old" | "young";
  second: "old" | "young";
  most: number;
  third: string;
  fourth: string;
  id: number;
  fifth: number;
  sixth: number;
}>({} as ParamsOf<typeof labels>);

// A field that only raw text names is asked for all the same, in each place.
const nosuch = raw(z.number())`f(${field("nosuch")})`;
const good = raw(z.number())`f(${field("n")})`;
rows
  .query()
  .fields(good.as("x"))
  .where(good, "=", "p")
  .orderBy(good, "asc")
  .whereAnd(c(good, "=", "q"));
// @ts-expect-error in a row
rows.query().fields(nosuch.as("x"));
// @ts-expect-error in a condition
rows.query().where(nosuch, "=", "p");
// @ts-expect-error in a group
rows.query().whereAnd(c(nosuch, "=", "p"));
// @ts-expect-error in an optional one
rows.query().whereOptional(isNull(nosuch));
// @ts-expect-error in the order
rows.query().orderBy(nosuch, "asc");
// @ts-expect-error with a place for nulls
rows.query().orderByNulls(nosuch, "asc", "last");
// @ts-expect-error in groups
rows.query().groupBy(nosuch);
// @ts-expect-error in a value that is set
rows.modify().set("n", nosuch);
// @ts-expect-error in a row that comes back
rows.modify().returning(nosuch.as("x"));
// @ts-expect-error in a filter
rows.query().fields(count().filter(isNull(nosuch)).as("x"));
// @ts-expect-error in a further function
rows.query().fields(abs(nosuch).as("x"));
// @ts-expect-error of a combination of rows
rows.query().fields(sum(nosuch).as("x"));

// Nor is the name of a field that is not there taken in any place of a name.
// @ts-expect-error a comparison
rows.query().where("nosuch", "=", "p");
// @ts-expect-error a test for null
rows.query().whereNull("nosuch");
// @ts-expect-error the other one
rows.select().whereNotNull("nosuch");
// @ts-expect-error of a count
rows.count().whereNull("nosuch");
// @ts-expect-error of an update
rows.modify().whereNull("nosuch");
// @ts-expect-error of a removal
rows.remove().whereNotNull("nosuch");
// @ts-expect-error a range
rows.query().whereBetween("nosuch", "low", "high");
// @ts-expect-error two fields
rows.query().whereFields("n", "=", "nosuch");
// @ts-expect-error the other one
rows.query().whereFields("nosuch", "=", "n");
// @ts-expect-error an optional one
rows.query().whereOptional("nosuch", "=", "p");
// @ts-expect-error a group
rows.query().groupBy("nosuch");
// @ts-expect-error an order
rows.query().orderBy("nosuch", "asc");
// @ts-expect-error with a place for nulls
rows.query().orderByNulls("nosuch", "asc", "last");
// @ts-expect-error what is set
rows.modify().set("nosuch", "p");
// @ts-expect-error what comes back
rows.modify().returning("nosuch");
