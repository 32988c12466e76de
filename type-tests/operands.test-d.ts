// What the compiler knows of operands: nested functions, parameters, constants, raw text; the right call, the wrong call.
import {
  and,
  avg,
  between,
  c,
  caseWhen,
  coalesce,
  column,
  concat,
  count,
  field,
  isNull,
  length,
  lower,
  max,
  nullIf,
  type ParamsOf,
  param,
  type ResultOf,
  raw,
  round,
  rowNumber,
  substring,
  sum,
  table,
  trim,
  upper,
  value,
} from "rowtype";
import { postgres } from "rowtype/postgres";
import { sqlite } from "rowtype/sqlite";
import { expectType } from "tsd";
import { z } from "zod";

const Line = table(
  "lines",
  z.object({
    id: column(z.int(), { primaryKey: true }),
    sku: z.string(),
    note: z.string().nullable(),
    qty: z.int(),
    age: z.int().nullable(),
    big: z.bigint(),
    paidAt: z.date(),
    ok: z.boolean(),
  }),
);
const lines = postgres().repository(Line);
const lite = sqlite().repository(Line);

// Functions nest: results, nullability and parameters.
const nested = lines
  .query()
  .fields(
    "id",
    length(trim("sku")).as("n"),
    upper(trim("note")).as("up"),
    coalesce("age", param("none")).as("a"),
    coalesce("note", lower("sku")).as("text"),
    nullIf(lower("sku"), "sought").as("maybe"),
    substring(trim("sku"), value(1), "long").as("head"),
  )
  .where(lower(trim("sku")), "LIKE", "pattern")
  .whereBetween(length("sku"), "low", "high")
  .whereNotNull(coalesce("age", value(1)));
declare const rows: ResultOf<typeof nested>;
expectType<
  {
    id: number;
    n: number;
    up: string | null;
    a: number;
    text: string;
    maybe: string | null;
    head: string;
  }[]
>(rows);
declare const params: ParamsOf<typeof nested>;
expectType<{ none: number; sought: string; long: number; pattern: string; low: number; high: number }>(
  params,
);

// Aggregates of expressions, and functions of aggregates.
const grouped = lines
  .query()
  .fields(
    upper("sku").as("head"),
    sum(length("note")).as("letters"),
    round(avg("qty"), 2).as("mean"),
    max(coalesce("age", value(0))).as("oldest"),
  )
  .groupBy("head")
  .having(count(), ">", "least")
  .orderBy(count(), "desc");
declare const groups: ResultOf<typeof grouped>;
expectType<{ head: string; letters: number | null; mean: number | null; oldest: number | null }[]>(groups);
declare const least: ParamsOf<typeof grouped>;
expectType<{ least: number }>(least);

// The same expression in groups and in fields.
lines.query().fields(lower("sku").as("s"), count().as("n")).groupBy(lower("sku")).exec();
// Fields that an expression reads beside groups must be grouped.
// @ts-expect-error
void (() => lines.query().fields(lower("sku").as("s"), count().as("n")).groupBy("qty").exec());
// @ts-expect-error
void (() => lines.query().fields(lower("sku").as("s"), count().as("n")).groupBy("t"));

// Windows over expressions.
lines
  .query()
  .fields(
    "id",
    rowNumber()
      .over({ partitionBy: [lower("sku")], orderBy: [[length("note"), "asc"]] })
      .as("place"),
  )
  .exec();
const misspelt = rowNumber()
  .over({ partitionBy: [lower("sku0")] })
  .as("place");
// @ts-expect-error
void (() => lines.query().fields(misspelt));

// Labels of a CASE are parameters or operands.
const labelled = lines.query().fields(
  caseWhen(z.string())
    .when(c(length("sku"), ">", "long"), upper("sku"))
    .when(isNull("age"), value("?"))
    .else("other")
    .as("label"),
);
declare const label: ResultOf<typeof labelled>;
expectType<{ label: string }[]>(label);
declare const labelParams: ParamsOf<typeof labelled>;
expectType<{ long: number; other: string }>(labelParams);

// Conditions of operands in groups.
const conditions = lines
  .query()
  .whereOr(and(c(lower("sku"), "IN", "skus"), between(length("sku"), "p", "q")), isNull(trim("note")));
declare const conditionParams: ParamsOf<typeof conditions>;
expectType<{ skus: readonly string[]; p: number; q: number }>(conditionParams);

// Raw text: its holes are operands, its parameters have schemas, its result is that of its schema.
const found = lines
  .query()
  .fields("id", raw(z.number())`ts_rank(${field("sku")}, ${param("q", z.string())})`.as("rank"))
  .whereRaw(raw(z.boolean())`${lower("sku")} @@ ${param("q", z.string())}`)
  .orderBy("rank", "desc");
declare const ranks: ResultOf<typeof found>;
expectType<{ id: number; rank: number }[]>(ranks);
declare const q: ParamsOf<typeof found>;
expectType<{ q: string }>(q);
const each = lines
  .query()
  .fields(raw(z.string(), { postgres: raw`${field("sku")}`, sqlite: raw`${field("note")}` }).as("x"));
declare const xs: ResultOf<typeof each>;
expectType<{ x: string }[]>(xs);

// Mistakes.
// @ts-expect-error
void (() => lines.query().fields(lower(trim("skuu")).as("x")));
// @ts-expect-error
void (() => lines.query().fields(lower("qty").as("x")));
// @ts-expect-error
void (() => lower(length("sku")));
// @ts-expect-error
void (() => sum(lower("sku")));
// @ts-expect-error
void (() => lines.query().fields(lower("sku")));
// @ts-expect-error
void (() => lines.query().where(length("sku"), "LIKE", "p"));
// @ts-expect-error
void (() => lite.query().where(lower("sku"), "~", "p"));
// @ts-expect-error
void (() => lite.query().whereAnd(c(lower("sku"), "~", "p")));
lines.query().where(lower("sku"), "~", "p");
// @ts-expect-error
void (() => lines.query().where(count(), ">", "p"));
// @ts-expect-error
void (() => lines.query().whereFields(lower("sku"), "=", "qty"));
// @ts-expect-error
void (() => concat("sku", length("sku")));
// @ts-expect-error
void (() => raw(z.number())`x ${"injected"}`);
// @ts-expect-error
void (() => raw(z.number())`x ${param("p")}`);
// @ts-expect-error
void (() => raw(z.number())`x ${1}`);
// @ts-expect-error
void (() => lines.query().fields(raw(z.number())`${field("skuu")}`.as("x")));
// @ts-expect-error
void (() => lines.query().whereRaw(raw(z.number())`1`));
// @ts-expect-error
void (() => lines.query().whereRaw("1 = 1"));
// @ts-expect-error
void (() => nested.exec({ none: 1, sought: "a", long: 1, pattern: "p", low: 1 }));
// @ts-expect-error
void (() => nested.exec({ none: "1", sought: "a", long: 1, pattern: "p", low: 1, high: 2 }));
