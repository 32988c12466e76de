// What the compiler knows of greatest and least, of conditions as values, and of what gathers them: the right call, the wrong call, the boundary, no `any`.
import {
  and,
  boolAnd,
  boolOr,
  c,
  coalesce,
  column,
  count,
  decimal,
  greatest,
  isNull,
  least,
  length,
  listAgg,
  lower,
  max,
  mul,
  not,
  or,
  type ParamsOf,
  param,
  type ResultOf,
  table,
  textAgg,
  value,
  when,
} from "rowtype";
import { sqlite } from "rowtype/sqlite";
import { expectType } from "tsd";
import { z } from "zod";

const Line = table(
  "lines",
  z.object({
    id: column(z.int(), { primaryKey: true }),
    name: z.string(),
    note: z.string().nullable(),
    qty: z.int(),
    price: z.number(),
    age: z.int().nullable(),
    big: z.bigint(),
    net: decimal(10, 2),
    gross: decimal(10, 2).nullable(),
    paidAt: z.date().nullable(),
    madeAt: z.date(),
    open: z.boolean(),
    tags: z.array(z.string()),
  }),
);
const lines = sqlite().repository(Line);

// Null only where all operands may be

const extremes = lines
  .query()
  .fields(
    greatest("age", "qty").as("a"),
    greatest("age", "age").as("b"),
    least("note", param("other")).as("c"),
    least("gross", "net").as("d"),
    greatest("paidAt", "paidAt").as("e"),
    least("paidAt", "madeAt", value(new Date())).as("f"),
    greatest("open", value(true)).as("g"),
    greatest(mul("qty", "age"), length("note")).as("h"),
    least("big").as("i"),
    coalesce(greatest("age", "age"), value(1)).as("j"),
    lower(least("name", "note")).as("l"),
    mul(least("qty", "price"), value(2)).as("m"),
  );
expectType<
  {
    a: number;
    b: number | null;
    c: string;
    d: string;
    e: Date | null;
    f: Date;
    g: boolean;
    h: number | null;
    i: bigint;
    j: number;
    l: string;
    m: number;
  }[]
>({} as ResultOf<typeof extremes>);
const ofGroup = lines.query().fields(greatest(max("age"), count()).as("k"));
expectType<{ k: number }[]>({} as ResultOf<typeof ofGroup>);

const withParams = lines
  .query()
  .fields(greatest(param("a"), "big").as("x"), least("paidAt", param("b"), param("c", z.date())).as("y"))
  .where(greatest("name", "note"), "LIKE", "d");
expectType<{ a: bigint; b: Date; c: Date; d: string }>({} as ParamsOf<typeof withParams>);

// @ts-expect-error a misspelt field
lines.query().fields(greatest("agee", "qty").as("x"));
// @ts-expect-error a list has no order
lines.query().fields(greatest("tags", "tags").as("x"));
// @ts-expect-error at least one operand
greatest();
// @ts-expect-error a number is not an operand: value(7)
greatest("qty", 7);
// @ts-expect-error no LIKE on numbers
lines.query().where(greatest("qty", "age"), "LIKE", "x");

// Values of two types are a sentence, which is not a value of a row.
const mixed = lines.query().fields(greatest("name", "qty").as("x"), least(param("a"), param("b")).as("y"));
const row = {} as ResultOf<typeof mixed>;
// @ts-expect-error values of two types
row.x satisfies string | number | null;
// @ts-expect-error give one of these parameters a schema
row.y satisfies string | number | null;

// Many operands cost the compiler no depth.
const many = lines
  .query()
  .fields(
    greatest(
      "age",
      "age",
      "age",
      "age",
      "age",
      "age",
      "age",
      "age",
      "age",
      "age",
      "age",
      "age",
      "age",
      "age",
      "age",
      "age",
      "age",
      "age",
      "age",
      "age",
      "age",
      "age",
      "age",
      "age",
      "age",
      "age",
      "age",
      "age",
      "age",
      "age",
      "age",
      "age",
      "age",
      "age",
      "age",
      "age",
      "age",
      "age",
      "age",
      "age",
      "age",
      "age",
      "age",
      "age",
      "age",
      "age",
      "age",
      "age",
      "age",
      "age",
      "age",
      "age",
      "age",
      "age",
      "age",
      "age",
      "age",
      "age",
      "age",
      "age",
      "age",
      "age",
      "age",
      "qty",
    ).as("x"),
  );
expectType<{ x: number }[]>({} as ResultOf<typeof many>);

// Conditions turned round, and as values

const tested = lines
  .query()
  .fields(
    "qty",
    when(c("age", ">", "old")).as("isOld"),
    coalesce(when(not(isNull("age"))), value(false)).as("known"),
    boolAnd(c(lower("name"), "LIKE", "pattern")).as("all"),
    boolOr(or(isNull("age"), c("big", "=", "big")))
      .filter(not(c("open", "=", "open")))
      .as("any"),
  )
  .whereAnd(not(and(c("price", "<", "price"), not(c("qty", "IN", "list")))))
  .whereOptional(not(c("paidAt", ">", "since")))
  .groupBy("qty", "isOld", "known")
  .having(boolOr(isNull("note")), "=", "yes");
expectType<
  { qty: number; isOld: boolean | null; known: boolean; all: boolean | null; any: boolean | null }[]
>({} as ResultOf<typeof tested>);
expectType<{
  old: number;
  pattern: string;
  big: bigint;
  open: boolean;
  price: number;
  list: readonly number[];
  since?: Date | undefined;
  yes: boolean;
}>({} as ParamsOf<typeof tested>);

// @ts-expect-error a misspelt field
lines.query().whereAnd(not(c("agee", ">", "old")));
// @ts-expect-error no LIKE on numbers
lines.query().fields(when(c("age", "LIKE", "old")).as("x"));
// @ts-expect-error a field is not a condition
when("open");
// @ts-expect-error a field is not a condition
boolAnd("open");
// @ts-expect-error a condition needs no name, a value does
lines.query().fields(when(isNull("age")));
const ungrouped = lines.query().fields("qty", boolAnd(isNull("age")).as("all"));
// @ts-expect-error "qty" is not grouped
ungrouped.exec();

// All values of a group

const listed = lines
  .query()
  .fields(
    "open",
    textAgg("name", "by").as("names"),
    textAgg(lower("note"), param("between"), {
      orderBy: [
        [length("name"), "desc"],
        ["id", "asc"],
      ],
    }).as("notes"),
    textAgg("name", value(", "), { orderBy: [[mul("price", param("rate")), "asc"]] })
      .filter(c("age", ">", "age"))
      .as("some"),
    listAgg("age", { orderBy: [["paidAt", "asc"]] }).as("ages"),
    listAgg("gross").as("amounts"),
    listAgg(mul("qty", param("factor"))).as("products"),
    listAgg("paidAt").filter(isNull("age")).as("dates"),
  )
  .groupBy("open")
  .having(textAgg("name", "by"), "LIKE", "pattern");
expectType<
  {
    open: boolean;
    names: string | null;
    notes: string | null;
    some: string | null;
    ages: number[];
    amounts: string[];
    products: number[];
    dates: Date[];
  }[]
>({} as ResultOf<typeof listed>);
expectType<{ by: string; between: string; rate: number; age: number; factor: number; pattern: string }>(
  {} as ParamsOf<typeof listed>,
);

// @ts-expect-error a misspelt field
lines.query().fields(listAgg("agee").as("x"));
// @ts-expect-error a misspelt field of the order
lines.query().fields(listAgg("age", { orderBy: [["idd", "asc"]] }).as("x"));
// @ts-expect-error a misspelt direction
listAgg("age", { orderBy: [["id", "up"]] });
// @ts-expect-error a number is not a text
lines.query().fields(textAgg("age", "by").as("x"));
// @ts-expect-error a list has no order
lines.query().fields(listAgg("tags").as("x"));
// @ts-expect-error a separator
textAgg("name");
// @ts-expect-error no form over a window
textAgg("name", "by").over();
// @ts-expect-error no aggregate of an aggregate
listAgg(max("age"));
// @ts-expect-error a list is compared with nothing
lines.query().groupBy("open").fields("open").having(listAgg("age"), "=", "ages");
