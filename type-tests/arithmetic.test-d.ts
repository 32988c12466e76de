// What the compiler knows of arithmetic: the right call, the wrong call, the boundary, no `any`.
import {
  add,
  coalesce,
  column,
  count,
  div,
  length,
  lower,
  mod,
  mul,
  neg,
  type ParamsOf,
  param,
  type ResultOf,
  sub,
  sum,
  table,
  value,
} from "rowtype";
import { sqlite } from "rowtype/sqlite";
import { expectType } from "tsd";
import { z } from "zod";

const Line = table(
  "lines",
  z.object({
    id: column(z.int(), { primaryKey: true }),
    name: z.string(),
    qty: z.int(),
    price: z.number(),
    age: z.int().nullable(),
    big: z.bigint(),
    owed: z.bigint().nullable(),
  }),
);
const lines = sqlite().repository(Line);

// Null where an operand can be, and always for a quotient

const results = lines
  .query()
  .fields(
    add("qty", "price").as("a"),
    sub("qty", "age").as("b"),
    mul("big", "owed").as("c"),
    div("qty", "qty").as("d"),
    mod("big", value(3n)).as("e"),
    neg("age").as("f"),
    neg(mul("big", "big")).as("g"),
    add(mul("qty", value(2)), coalesce("age", value(0))).as("h"),
    add(length("name"), div("qty", "id")).as("k"),
  );
expectType<
  {
    a: number;
    b: number | null;
    c: bigint | null;
    d: number | null;
    e: bigint | null;
    f: number | null;
    g: bigint;
    h: number;
    k: number | null;
  }[]
>({} as ResultOf<typeof results>);
const gathered = lines.query().fields(sum(mul("qty", "price")).as("i"), div(sum("price"), count()).as("j"));
expectType<{ i: number | null; j: number | null }[]>({} as ResultOf<typeof gathered>);

// A parameter has the type of the operand beside it

const withParams = lines
  .query()
  .fields(
    mul("price", param("rate")).as("a"),
    sub(param("from"), "big").as("b"),
    add(param("own", z.int()), param("other")).as("c"),
  )
  .where(mul("qty", "age"), ">", "least");
expectType<{ rate: number; from: bigint; own: number; other: number; least: number }>(
  {} as ParamsOf<typeof withParams>,
);

// @ts-expect-error a text is not a number
lines.query().fields(add("name", "qty").as("x"));
// @ts-expect-error an expression of text is not a number
add(lower("name"), "qty");
// @ts-expect-error a misspelt field
lines.query().fields(mul("qtyy", "price").as("x"));
// @ts-expect-error the same inside an expression
lines.query().fields(mul(add("qtyy", value(1)), "price").as("x"));
// @ts-expect-error one of two parameters needs a schema
add(param("a"), param("b"));
// @ts-expect-error a number is not an operand: value(7)
add("qty", 7);
// @ts-expect-error no LIKE on numbers
lines.query().where(mul("qty", "price"), "LIKE", "x");
// @ts-expect-error the parameter beside a bigint is a bigint
withParams.exec({ rate: 1, from: 1, own: 1, other: 1, least: 1 });

// A bigint beside a number gives a sentence, which is not a value of a row.
const mixed = lines.query().fields(add("big", "qty").as("x"));
const row = {} as ResultOf<typeof mixed>;
// @ts-expect-error a bigint and a number: cast one
row.x satisfies bigint | number | null;
