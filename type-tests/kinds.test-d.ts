// What each function takes, by the kinds of columns, and what it gives of a column that may be null and of one that may not.
import {
  abs,
  add,
  avg,
  cast,
  concat,
  dateAdd,
  dateDiff,
  datePart,
  dateTrunc,
  decimal,
  distance,
  div,
  greatest,
  json,
  least,
  length,
  listAgg,
  max,
  min,
  neg,
  param,
  power,
  type ResultOf,
  replace,
  round,
  sqrt,
  substring,
  sum,
  table,
  textAgg,
  upper,
  value,
  vector,
} from "rowtype";
import { postgres } from "rowtype/postgres";
import { expectType } from "tsd";
import { z } from "zod";

const kinds = {
  text: z.string(),
  number: z.number(),
  bigint: z.bigint(),
  date: z.date(),
  boolean: z.boolean(),
  bytes: z.instanceof(Uint8Array),
  list: z.array(z.string()),
  json: json(z.object({ a: z.string() })),
  vector: vector(3),
  decimal: decimal(10, 2),
};
const nullable = {
  text: kinds.text.nullable(),
  number: kinds.number.nullable(),
  bigint: kinds.bigint.nullable(),
  date: kinds.date.nullable(),
  boolean: kinds.boolean.nullable(),
  bytes: kinds.bytes.nullable(),
  list: kinds.list.nullable(),
  json: kinds.json.nullable(),
  vector: kinds.vector.nullable(),
  decimal: kinds.decimal.nullable(),
};
const full = postgres().repository(table("full", z.object(kinds)));
const empty = postgres().repository(table("empty", z.object(nullable)));

const upperRows = full.query().fields(upper("text").as("ofText"));
expectType<{ ofText: string }>({} as ResultOf<typeof upperRows>[number]);
const upperOfNullableRows = empty.query().fields(upper("text").as("ofText"));
expectType<{ ofText: string | null }>({} as ResultOf<typeof upperOfNullableRows>[number]);
// @ts-expect-error upper needs text
empty.query().fields(upper("number").as("x"));
// @ts-expect-error upper needs text
full.query().fields(upper("bigint").as("x"));
// @ts-expect-error upper needs text
empty.query().fields(upper("date").as("x"));
// @ts-expect-error upper needs text
full.query().fields(upper("boolean").as("x"));
// @ts-expect-error upper needs text
empty.query().fields(upper("bytes").as("x"));
// @ts-expect-error upper needs text
full.query().fields(upper("list").as("x"));
// @ts-expect-error upper needs text
empty.query().fields(upper("json").as("x"));
// @ts-expect-error upper needs text
full.query().fields(upper("vector").as("x"));
// @ts-expect-error upper needs text
empty.query().fields(upper("decimal").as("x"));
const lengthRows = full.query().fields(length("text").as("ofText"));
expectType<{ ofText: number }>({} as ResultOf<typeof lengthRows>[number]);
const lengthOfNullableRows = empty.query().fields(length("text").as("ofText"));
expectType<{ ofText: number | null }>({} as ResultOf<typeof lengthOfNullableRows>[number]);
// @ts-expect-error length needs text
empty.query().fields(length("number").as("x"));
// @ts-expect-error length needs text
full.query().fields(length("bigint").as("x"));
// @ts-expect-error length needs text
empty.query().fields(length("date").as("x"));
// @ts-expect-error length needs text
full.query().fields(length("boolean").as("x"));
// @ts-expect-error length needs text
empty.query().fields(length("bytes").as("x"));
// @ts-expect-error length needs text
full.query().fields(length("list").as("x"));
// @ts-expect-error length needs text
empty.query().fields(length("json").as("x"));
// @ts-expect-error length needs text
full.query().fields(length("vector").as("x"));
// @ts-expect-error length needs text
empty.query().fields(length("decimal").as("x"));
const concatRows = full.query().fields(concat("text").as("ofText"));
expectType<{ ofText: string }>({} as ResultOf<typeof concatRows>[number]);
const concatOfNullableRows = empty.query().fields(concat("text").as("ofText"));
expectType<{ ofText: string }>({} as ResultOf<typeof concatOfNullableRows>[number]);
// @ts-expect-error concat needs text
empty.query().fields(concat("number").as("x"));
// @ts-expect-error concat needs text
full.query().fields(concat("bigint").as("x"));
// @ts-expect-error concat needs text
empty.query().fields(concat("date").as("x"));
// @ts-expect-error concat needs text
full.query().fields(concat("boolean").as("x"));
// @ts-expect-error concat needs text
empty.query().fields(concat("bytes").as("x"));
// @ts-expect-error concat needs text
full.query().fields(concat("list").as("x"));
// @ts-expect-error concat needs text
empty.query().fields(concat("json").as("x"));
// @ts-expect-error concat needs text
full.query().fields(concat("vector").as("x"));
// @ts-expect-error concat needs text
empty.query().fields(concat("decimal").as("x"));
const substringRows = full.query().fields(substring("text", "from", "count").as("ofText"));
expectType<{ ofText: string }>({} as ResultOf<typeof substringRows>[number]);
const substringOfNullableRows = empty.query().fields(substring("text", "from", "count").as("ofText"));
expectType<{ ofText: string | null }>({} as ResultOf<typeof substringOfNullableRows>[number]);
// @ts-expect-error substring needs text
empty.query().fields(substring("number", "from", "count").as("x"));
// @ts-expect-error substring needs text
full.query().fields(substring("bigint", "from", "count").as("x"));
// @ts-expect-error substring needs text
empty.query().fields(substring("date", "from", "count").as("x"));
// @ts-expect-error substring needs text
full.query().fields(substring("boolean", "from", "count").as("x"));
// @ts-expect-error substring needs text
empty.query().fields(substring("bytes", "from", "count").as("x"));
// @ts-expect-error substring needs text
full.query().fields(substring("list", "from", "count").as("x"));
// @ts-expect-error substring needs text
empty.query().fields(substring("json", "from", "count").as("x"));
// @ts-expect-error substring needs text
full.query().fields(substring("vector", "from", "count").as("x"));
// @ts-expect-error substring needs text
empty.query().fields(substring("decimal", "from", "count").as("x"));
const replaceRows = full.query().fields(replace("text", "what", "by").as("ofText"));
expectType<{ ofText: string }>({} as ResultOf<typeof replaceRows>[number]);
const replaceOfNullableRows = empty.query().fields(replace("text", "what", "by").as("ofText"));
expectType<{ ofText: string | null }>({} as ResultOf<typeof replaceOfNullableRows>[number]);
// @ts-expect-error replace needs text
empty.query().fields(replace("number", "what", "by").as("x"));
// @ts-expect-error replace needs text
full.query().fields(replace("bigint", "what", "by").as("x"));
// @ts-expect-error replace needs text
empty.query().fields(replace("date", "what", "by").as("x"));
// @ts-expect-error replace needs text
full.query().fields(replace("boolean", "what", "by").as("x"));
// @ts-expect-error replace needs text
empty.query().fields(replace("bytes", "what", "by").as("x"));
// @ts-expect-error replace needs text
full.query().fields(replace("list", "what", "by").as("x"));
// @ts-expect-error replace needs text
empty.query().fields(replace("json", "what", "by").as("x"));
// @ts-expect-error replace needs text
full.query().fields(replace("vector", "what", "by").as("x"));
// @ts-expect-error replace needs text
empty.query().fields(replace("decimal", "what", "by").as("x"));
const textAggRows = full.query().fields(textAgg("text", value(",")).as("ofText"));
expectType<{ ofText: string | null }>({} as ResultOf<typeof textAggRows>[number]);
const textAggOfNullableRows = empty.query().fields(textAgg("text", value(",")).as("ofText"));
expectType<{ ofText: string | null }>({} as ResultOf<typeof textAggOfNullableRows>[number]);
// @ts-expect-error textAgg needs text
empty.query().fields(textAgg("number", value(",")).as("x"));
// @ts-expect-error textAgg needs text
full.query().fields(textAgg("bigint", value(",")).as("x"));
// @ts-expect-error textAgg needs text
empty.query().fields(textAgg("date", value(",")).as("x"));
// @ts-expect-error textAgg needs text
full.query().fields(textAgg("boolean", value(",")).as("x"));
// @ts-expect-error textAgg needs text
empty.query().fields(textAgg("bytes", value(",")).as("x"));
// @ts-expect-error textAgg needs text
full.query().fields(textAgg("list", value(",")).as("x"));
// @ts-expect-error textAgg needs text
empty.query().fields(textAgg("json", value(",")).as("x"));
// @ts-expect-error textAgg needs text
full.query().fields(textAgg("vector", value(",")).as("x"));
// @ts-expect-error textAgg needs text
empty.query().fields(textAgg("decimal", value(",")).as("x"));
const absRows = full
  .query()
  .fields(abs("number").as("ofNumber"), abs("bigint").as("ofBigint"), abs("decimal").as("ofDecimal"));
expectType<{ ofNumber: number; ofBigint: bigint; ofDecimal: string }>({} as ResultOf<typeof absRows>[number]);
const absOfNullableRows = empty
  .query()
  .fields(abs("number").as("ofNumber"), abs("bigint").as("ofBigint"), abs("decimal").as("ofDecimal"));
expectType<{ ofNumber: number | null; ofBigint: bigint | null; ofDecimal: string | null }>(
  {} as ResultOf<typeof absOfNullableRows>[number],
);
// @ts-expect-error abs needs a number
full.query().fields(abs("text").as("x"));
// @ts-expect-error abs needs a number
empty.query().fields(abs("date").as("x"));
// @ts-expect-error abs needs a number
full.query().fields(abs("boolean").as("x"));
// @ts-expect-error abs needs a number
empty.query().fields(abs("bytes").as("x"));
// @ts-expect-error abs needs a number
full.query().fields(abs("list").as("x"));
// @ts-expect-error abs needs a number
empty.query().fields(abs("json").as("x"));
// @ts-expect-error abs needs a number
full.query().fields(abs("vector").as("x"));
const roundRows = full
  .query()
  .fields(
    round("number", 2).as("ofNumber"),
    round("bigint", 2).as("ofBigint"),
    round("decimal", 2).as("ofDecimal"),
  );
expectType<{ ofNumber: number; ofBigint: bigint; ofDecimal: string }>(
  {} as ResultOf<typeof roundRows>[number],
);
const roundOfNullableRows = empty
  .query()
  .fields(
    round("number", 2).as("ofNumber"),
    round("bigint", 2).as("ofBigint"),
    round("decimal", 2).as("ofDecimal"),
  );
expectType<{ ofNumber: number | null; ofBigint: bigint | null; ofDecimal: string | null }>(
  {} as ResultOf<typeof roundOfNullableRows>[number],
);
// @ts-expect-error round needs a number
full.query().fields(round("text", 2).as("x"));
// @ts-expect-error round needs a number
empty.query().fields(round("date", 2).as("x"));
// @ts-expect-error round needs a number
full.query().fields(round("boolean", 2).as("x"));
// @ts-expect-error round needs a number
empty.query().fields(round("bytes", 2).as("x"));
// @ts-expect-error round needs a number
full.query().fields(round("list", 2).as("x"));
// @ts-expect-error round needs a number
empty.query().fields(round("json", 2).as("x"));
// @ts-expect-error round needs a number
full.query().fields(round("vector", 2).as("x"));
const sqrtRows = full
  .query()
  .fields(sqrt("number").as("ofNumber"), sqrt("bigint").as("ofBigint"), sqrt("decimal").as("ofDecimal"));
expectType<{ ofNumber: number | null; ofBigint: number | null; ofDecimal: number | null }>(
  {} as ResultOf<typeof sqrtRows>[number],
);
const sqrtOfNullableRows = empty
  .query()
  .fields(sqrt("number").as("ofNumber"), sqrt("bigint").as("ofBigint"), sqrt("decimal").as("ofDecimal"));
expectType<{ ofNumber: number | null; ofBigint: number | null; ofDecimal: number | null }>(
  {} as ResultOf<typeof sqrtOfNullableRows>[number],
);
// @ts-expect-error sqrt needs a number
full.query().fields(sqrt("text").as("x"));
// @ts-expect-error sqrt needs a number
empty.query().fields(sqrt("date").as("x"));
// @ts-expect-error sqrt needs a number
full.query().fields(sqrt("boolean").as("x"));
// @ts-expect-error sqrt needs a number
empty.query().fields(sqrt("bytes").as("x"));
// @ts-expect-error sqrt needs a number
full.query().fields(sqrt("list").as("x"));
// @ts-expect-error sqrt needs a number
empty.query().fields(sqrt("json").as("x"));
// @ts-expect-error sqrt needs a number
full.query().fields(sqrt("vector").as("x"));
const powerRows = full
  .query()
  .fields(
    power("number", "exponent").as("ofNumber"),
    power("bigint", "exponent").as("ofBigint"),
    power("decimal", "exponent").as("ofDecimal"),
  );
expectType<{ ofNumber: number; ofBigint: number; ofDecimal: number }>(
  {} as ResultOf<typeof powerRows>[number],
);
const powerOfNullableRows = empty
  .query()
  .fields(
    power("number", "exponent").as("ofNumber"),
    power("bigint", "exponent").as("ofBigint"),
    power("decimal", "exponent").as("ofDecimal"),
  );
expectType<{ ofNumber: number | null; ofBigint: number | null; ofDecimal: number | null }>(
  {} as ResultOf<typeof powerOfNullableRows>[number],
);
// @ts-expect-error power needs a number
full.query().fields(power("text", "exponent").as("x"));
// @ts-expect-error power needs a number
empty.query().fields(power("date", "exponent").as("x"));
// @ts-expect-error power needs a number
full.query().fields(power("boolean", "exponent").as("x"));
// @ts-expect-error power needs a number
empty.query().fields(power("bytes", "exponent").as("x"));
// @ts-expect-error power needs a number
full.query().fields(power("list", "exponent").as("x"));
// @ts-expect-error power needs a number
empty.query().fields(power("json", "exponent").as("x"));
// @ts-expect-error power needs a number
full.query().fields(power("vector", "exponent").as("x"));
const negRows = full
  .query()
  .fields(neg("number").as("ofNumber"), neg("bigint").as("ofBigint"), neg("decimal").as("ofDecimal"));
expectType<{ ofNumber: number; ofBigint: bigint; ofDecimal: string }>({} as ResultOf<typeof negRows>[number]);
const negOfNullableRows = empty
  .query()
  .fields(neg("number").as("ofNumber"), neg("bigint").as("ofBigint"), neg("decimal").as("ofDecimal"));
expectType<{ ofNumber: number | null; ofBigint: bigint | null; ofDecimal: string | null }>(
  {} as ResultOf<typeof negOfNullableRows>[number],
);
// @ts-expect-error neg needs a number
full.query().fields(neg("text").as("x"));
// @ts-expect-error neg needs a number
empty.query().fields(neg("date").as("x"));
// @ts-expect-error neg needs a number
full.query().fields(neg("boolean").as("x"));
// @ts-expect-error neg needs a number
empty.query().fields(neg("bytes").as("x"));
// @ts-expect-error neg needs a number
full.query().fields(neg("list").as("x"));
// @ts-expect-error neg needs a number
empty.query().fields(neg("json").as("x"));
// @ts-expect-error neg needs a number
full.query().fields(neg("vector").as("x"));
const addRows = full
  .query()
  .fields(
    add("number", param("other")).as("ofNumber"),
    add("bigint", param("other")).as("ofBigint"),
    add("decimal", param("other")).as("ofDecimal"),
  );
expectType<{ ofNumber: number; ofBigint: bigint; ofDecimal: string }>({} as ResultOf<typeof addRows>[number]);
const addOfNullableRows = empty
  .query()
  .fields(
    add("number", param("other")).as("ofNumber"),
    add("bigint", param("other")).as("ofBigint"),
    add("decimal", param("other")).as("ofDecimal"),
  );
expectType<{ ofNumber: number | null; ofBigint: bigint | null; ofDecimal: string | null }>(
  {} as ResultOf<typeof addOfNullableRows>[number],
);
// @ts-expect-error add needs a number
full.query().fields(add("text", param("other")).as("x"));
// @ts-expect-error add needs a number
empty.query().fields(add("date", param("other")).as("x"));
// @ts-expect-error add needs a number
full.query().fields(add("boolean", param("other")).as("x"));
// @ts-expect-error add needs a number
empty.query().fields(add("bytes", param("other")).as("x"));
// @ts-expect-error add needs a number
full.query().fields(add("list", param("other")).as("x"));
// @ts-expect-error add needs a number
empty.query().fields(add("json", param("other")).as("x"));
// @ts-expect-error add needs a number
full.query().fields(add("vector", param("other")).as("x"));
const divRows = full
  .query()
  .fields(
    div("number", param("other")).as("ofNumber"),
    div("bigint", param("other")).as("ofBigint"),
    div("decimal", param("other")).as("ofDecimal"),
  );
expectType<{ ofNumber: number | null; ofBigint: bigint | null; ofDecimal: string | null }>(
  {} as ResultOf<typeof divRows>[number],
);
const divOfNullableRows = empty
  .query()
  .fields(
    div("number", param("other")).as("ofNumber"),
    div("bigint", param("other")).as("ofBigint"),
    div("decimal", param("other")).as("ofDecimal"),
  );
expectType<{ ofNumber: number | null; ofBigint: bigint | null; ofDecimal: string | null }>(
  {} as ResultOf<typeof divOfNullableRows>[number],
);
// @ts-expect-error div needs a number
full.query().fields(div("text", param("other")).as("x"));
// @ts-expect-error div needs a number
empty.query().fields(div("date", param("other")).as("x"));
// @ts-expect-error div needs a number
full.query().fields(div("boolean", param("other")).as("x"));
// @ts-expect-error div needs a number
empty.query().fields(div("bytes", param("other")).as("x"));
// @ts-expect-error div needs a number
full.query().fields(div("list", param("other")).as("x"));
// @ts-expect-error div needs a number
empty.query().fields(div("json", param("other")).as("x"));
// @ts-expect-error div needs a number
full.query().fields(div("vector", param("other")).as("x"));
const sumRows = full
  .query()
  .fields(sum("number").as("ofNumber"), sum("bigint").as("ofBigint"), sum("decimal").as("ofDecimal"));
expectType<{ ofNumber: number | null; ofBigint: bigint | null; ofDecimal: string | null }>(
  {} as ResultOf<typeof sumRows>[number],
);
const sumOfNullableRows = empty
  .query()
  .fields(sum("number").as("ofNumber"), sum("bigint").as("ofBigint"), sum("decimal").as("ofDecimal"));
expectType<{ ofNumber: number | null; ofBigint: bigint | null; ofDecimal: string | null }>(
  {} as ResultOf<typeof sumOfNullableRows>[number],
);
// @ts-expect-error sum needs a number
full.query().fields(sum("text").as("x"));
// @ts-expect-error sum needs a number
empty.query().fields(sum("date").as("x"));
// @ts-expect-error sum needs a number
full.query().fields(sum("boolean").as("x"));
// @ts-expect-error sum needs a number
empty.query().fields(sum("bytes").as("x"));
// @ts-expect-error sum needs a number
full.query().fields(sum("list").as("x"));
// @ts-expect-error sum needs a number
empty.query().fields(sum("json").as("x"));
// @ts-expect-error sum needs a number
full.query().fields(sum("vector").as("x"));
const avgRows = full
  .query()
  .fields(avg("number").as("ofNumber"), avg("bigint").as("ofBigint"), avg("decimal").as("ofDecimal"));
expectType<{ ofNumber: number | null; ofBigint: number | null; ofDecimal: string | null }>(
  {} as ResultOf<typeof avgRows>[number],
);
const avgOfNullableRows = empty
  .query()
  .fields(avg("number").as("ofNumber"), avg("bigint").as("ofBigint"), avg("decimal").as("ofDecimal"));
expectType<{ ofNumber: number | null; ofBigint: number | null; ofDecimal: string | null }>(
  {} as ResultOf<typeof avgOfNullableRows>[number],
);
// @ts-expect-error avg needs a number
full.query().fields(avg("text").as("x"));
// @ts-expect-error avg needs a number
empty.query().fields(avg("date").as("x"));
// @ts-expect-error avg needs a number
full.query().fields(avg("boolean").as("x"));
// @ts-expect-error avg needs a number
empty.query().fields(avg("bytes").as("x"));
// @ts-expect-error avg needs a number
full.query().fields(avg("list").as("x"));
// @ts-expect-error avg needs a number
empty.query().fields(avg("json").as("x"));
// @ts-expect-error avg needs a number
full.query().fields(avg("vector").as("x"));
const minRows = full
  .query()
  .fields(
    min("text").as("ofText"),
    min("number").as("ofNumber"),
    min("bigint").as("ofBigint"),
    min("date").as("ofDate"),
    min("decimal").as("ofDecimal"),
  );
expectType<{
  ofText: string | null;
  ofNumber: number | null;
  ofBigint: bigint | null;
  ofDate: Date | null;
  ofDecimal: string | null;
}>({} as ResultOf<typeof minRows>[number]);
const minOfNullableRows = empty
  .query()
  .fields(
    min("text").as("ofText"),
    min("number").as("ofNumber"),
    min("bigint").as("ofBigint"),
    min("date").as("ofDate"),
    min("decimal").as("ofDecimal"),
  );
expectType<{
  ofText: string | null;
  ofNumber: number | null;
  ofBigint: bigint | null;
  ofDate: Date | null;
  ofDecimal: string | null;
}>({} as ResultOf<typeof minOfNullableRows>[number]);
// @ts-expect-error min needs an order
full.query().fields(min("boolean").as("x"));
// @ts-expect-error min needs an order
empty.query().fields(min("bytes").as("x"));
// @ts-expect-error min needs an order
full.query().fields(min("list").as("x"));
// @ts-expect-error min needs an order
empty.query().fields(min("json").as("x"));
// @ts-expect-error min needs an order
full.query().fields(min("vector").as("x"));
const maxRows = full
  .query()
  .fields(
    max("text").as("ofText"),
    max("number").as("ofNumber"),
    max("bigint").as("ofBigint"),
    max("date").as("ofDate"),
    max("decimal").as("ofDecimal"),
  );
expectType<{
  ofText: string | null;
  ofNumber: number | null;
  ofBigint: bigint | null;
  ofDate: Date | null;
  ofDecimal: string | null;
}>({} as ResultOf<typeof maxRows>[number]);
const maxOfNullableRows = empty
  .query()
  .fields(
    max("text").as("ofText"),
    max("number").as("ofNumber"),
    max("bigint").as("ofBigint"),
    max("date").as("ofDate"),
    max("decimal").as("ofDecimal"),
  );
expectType<{
  ofText: string | null;
  ofNumber: number | null;
  ofBigint: bigint | null;
  ofDate: Date | null;
  ofDecimal: string | null;
}>({} as ResultOf<typeof maxOfNullableRows>[number]);
// @ts-expect-error max needs an order
full.query().fields(max("boolean").as("x"));
// @ts-expect-error max needs an order
empty.query().fields(max("bytes").as("x"));
// @ts-expect-error max needs an order
full.query().fields(max("list").as("x"));
// @ts-expect-error max needs an order
empty.query().fields(max("json").as("x"));
// @ts-expect-error max needs an order
full.query().fields(max("vector").as("x"));
const dateTruncRows = full.query().fields(dateTrunc("day", "date").as("ofDate"));
expectType<{ ofDate: Date }>({} as ResultOf<typeof dateTruncRows>[number]);
const dateTruncOfNullableRows = empty.query().fields(dateTrunc("day", "date").as("ofDate"));
expectType<{ ofDate: Date | null }>({} as ResultOf<typeof dateTruncOfNullableRows>[number]);
// @ts-expect-error dateTrunc needs a date
full.query().fields(dateTrunc("day", "text").as("x"));
// @ts-expect-error dateTrunc needs a date
empty.query().fields(dateTrunc("day", "number").as("x"));
// @ts-expect-error dateTrunc needs a date
full.query().fields(dateTrunc("day", "bigint").as("x"));
// @ts-expect-error dateTrunc needs a date
full.query().fields(dateTrunc("day", "boolean").as("x"));
// @ts-expect-error dateTrunc needs a date
empty.query().fields(dateTrunc("day", "bytes").as("x"));
// @ts-expect-error dateTrunc needs a date
full.query().fields(dateTrunc("day", "list").as("x"));
// @ts-expect-error dateTrunc needs a date
empty.query().fields(dateTrunc("day", "json").as("x"));
// @ts-expect-error dateTrunc needs a date
full.query().fields(dateTrunc("day", "vector").as("x"));
// @ts-expect-error dateTrunc needs a date
empty.query().fields(dateTrunc("day", "decimal").as("x"));
const datePartRows = full.query().fields(datePart("year", "date").as("ofDate"));
expectType<{ ofDate: number }>({} as ResultOf<typeof datePartRows>[number]);
const datePartOfNullableRows = empty.query().fields(datePart("year", "date").as("ofDate"));
expectType<{ ofDate: number | null }>({} as ResultOf<typeof datePartOfNullableRows>[number]);
// @ts-expect-error datePart needs a date
full.query().fields(datePart("year", "text").as("x"));
// @ts-expect-error datePart needs a date
empty.query().fields(datePart("year", "number").as("x"));
// @ts-expect-error datePart needs a date
full.query().fields(datePart("year", "bigint").as("x"));
// @ts-expect-error datePart needs a date
full.query().fields(datePart("year", "boolean").as("x"));
// @ts-expect-error datePart needs a date
empty.query().fields(datePart("year", "bytes").as("x"));
// @ts-expect-error datePart needs a date
full.query().fields(datePart("year", "list").as("x"));
// @ts-expect-error datePart needs a date
empty.query().fields(datePart("year", "json").as("x"));
// @ts-expect-error datePart needs a date
full.query().fields(datePart("year", "vector").as("x"));
// @ts-expect-error datePart needs a date
empty.query().fields(datePart("year", "decimal").as("x"));
const dateAddRows = full.query().fields(dateAdd("date", param("count"), "day").as("ofDate"));
expectType<{ ofDate: Date }>({} as ResultOf<typeof dateAddRows>[number]);
const dateAddOfNullableRows = empty.query().fields(dateAdd("date", param("count"), "day").as("ofDate"));
expectType<{ ofDate: Date | null }>({} as ResultOf<typeof dateAddOfNullableRows>[number]);
// @ts-expect-error dateAdd needs a date
full.query().fields(dateAdd("text", param("count"), "day").as("x"));
// @ts-expect-error dateAdd needs a date
empty.query().fields(dateAdd("number", param("count"), "day").as("x"));
// @ts-expect-error dateAdd needs a date
full.query().fields(dateAdd("bigint", param("count"), "day").as("x"));
// @ts-expect-error dateAdd needs a date
full.query().fields(dateAdd("boolean", param("count"), "day").as("x"));
// @ts-expect-error dateAdd needs a date
empty.query().fields(dateAdd("bytes", param("count"), "day").as("x"));
// @ts-expect-error dateAdd needs a date
full.query().fields(dateAdd("list", param("count"), "day").as("x"));
// @ts-expect-error dateAdd needs a date
empty.query().fields(dateAdd("json", param("count"), "day").as("x"));
// @ts-expect-error dateAdd needs a date
full.query().fields(dateAdd("vector", param("count"), "day").as("x"));
// @ts-expect-error dateAdd needs a date
empty.query().fields(dateAdd("decimal", param("count"), "day").as("x"));
const dateDiffRows = full.query().fields(dateDiff("day", "date", param("to")).as("ofDate"));
expectType<{ ofDate: number }>({} as ResultOf<typeof dateDiffRows>[number]);
const dateDiffOfNullableRows = empty.query().fields(dateDiff("day", "date", param("to")).as("ofDate"));
expectType<{ ofDate: number | null }>({} as ResultOf<typeof dateDiffOfNullableRows>[number]);
// @ts-expect-error dateDiff needs a date
full.query().fields(dateDiff("day", "text", param("to")).as("x"));
// @ts-expect-error dateDiff needs a date
empty.query().fields(dateDiff("day", "number", param("to")).as("x"));
// @ts-expect-error dateDiff needs a date
full.query().fields(dateDiff("day", "bigint", param("to")).as("x"));
// @ts-expect-error dateDiff needs a date
full.query().fields(dateDiff("day", "boolean", param("to")).as("x"));
// @ts-expect-error dateDiff needs a date
empty.query().fields(dateDiff("day", "bytes", param("to")).as("x"));
// @ts-expect-error dateDiff needs a date
full.query().fields(dateDiff("day", "list", param("to")).as("x"));
// @ts-expect-error dateDiff needs a date
empty.query().fields(dateDiff("day", "json", param("to")).as("x"));
// @ts-expect-error dateDiff needs a date
full.query().fields(dateDiff("day", "vector", param("to")).as("x"));
// @ts-expect-error dateDiff needs a date
empty.query().fields(dateDiff("day", "decimal", param("to")).as("x"));
const castToTextRows = full
  .query()
  .fields(
    cast("text", "text").as("ofText"),
    cast("number", "text").as("ofNumber"),
    cast("bigint", "text").as("ofBigint"),
    cast("date", "text").as("ofDate"),
    cast("boolean", "text").as("ofBoolean"),
    cast("decimal", "text").as("ofDecimal"),
  );
expectType<{
  ofText: string;
  ofNumber: string;
  ofBigint: string;
  ofDate: string;
  ofBoolean: string;
  ofDecimal: string;
}>({} as ResultOf<typeof castToTextRows>[number]);
const castToTextOfNullableRows = empty
  .query()
  .fields(
    cast("text", "text").as("ofText"),
    cast("number", "text").as("ofNumber"),
    cast("bigint", "text").as("ofBigint"),
    cast("date", "text").as("ofDate"),
    cast("boolean", "text").as("ofBoolean"),
    cast("decimal", "text").as("ofDecimal"),
  );
expectType<{
  ofText: string | null;
  ofNumber: string | null;
  ofBigint: string | null;
  ofDate: string | null;
  ofBoolean: string | null;
  ofDecimal: string | null;
}>({} as ResultOf<typeof castToTextOfNullableRows>[number]);
// @ts-expect-error castToText needs a scalar
empty.query().fields(cast("bytes", "text").as("x"));
// @ts-expect-error castToText needs a scalar
full.query().fields(cast("list", "text").as("x"));
// @ts-expect-error castToText needs a scalar
empty.query().fields(cast("json", "text").as("x"));
// @ts-expect-error castToText needs a scalar
full.query().fields(cast("vector", "text").as("x"));
const castToIntegerRows = full
  .query()
  .fields(
    cast("text", "integer").as("ofText"),
    cast("number", "integer").as("ofNumber"),
    cast("bigint", "integer").as("ofBigint"),
    cast("date", "integer").as("ofDate"),
    cast("boolean", "integer").as("ofBoolean"),
    cast("decimal", "integer").as("ofDecimal"),
  );
expectType<{
  ofText: number;
  ofNumber: number;
  ofBigint: number;
  ofDate: number;
  ofBoolean: number;
  ofDecimal: number;
}>({} as ResultOf<typeof castToIntegerRows>[number]);
const castToIntegerOfNullableRows = empty
  .query()
  .fields(
    cast("text", "integer").as("ofText"),
    cast("number", "integer").as("ofNumber"),
    cast("bigint", "integer").as("ofBigint"),
    cast("date", "integer").as("ofDate"),
    cast("boolean", "integer").as("ofBoolean"),
    cast("decimal", "integer").as("ofDecimal"),
  );
expectType<{
  ofText: number | null;
  ofNumber: number | null;
  ofBigint: number | null;
  ofDate: number | null;
  ofBoolean: number | null;
  ofDecimal: number | null;
}>({} as ResultOf<typeof castToIntegerOfNullableRows>[number]);
// @ts-expect-error castToInteger needs a scalar
empty.query().fields(cast("bytes", "integer").as("x"));
// @ts-expect-error castToInteger needs a scalar
full.query().fields(cast("list", "integer").as("x"));
// @ts-expect-error castToInteger needs a scalar
empty.query().fields(cast("json", "integer").as("x"));
// @ts-expect-error castToInteger needs a scalar
full.query().fields(cast("vector", "integer").as("x"));
const castToBooleanRows = full
  .query()
  .fields(
    cast("text", "boolean").as("ofText"),
    cast("number", "boolean").as("ofNumber"),
    cast("bigint", "boolean").as("ofBigint"),
    cast("date", "boolean").as("ofDate"),
    cast("boolean", "boolean").as("ofBoolean"),
    cast("decimal", "boolean").as("ofDecimal"),
  );
expectType<{
  ofText: boolean;
  ofNumber: boolean;
  ofBigint: boolean;
  ofDate: boolean;
  ofBoolean: boolean;
  ofDecimal: boolean;
}>({} as ResultOf<typeof castToBooleanRows>[number]);
const castToBooleanOfNullableRows = empty
  .query()
  .fields(
    cast("text", "boolean").as("ofText"),
    cast("number", "boolean").as("ofNumber"),
    cast("bigint", "boolean").as("ofBigint"),
    cast("date", "boolean").as("ofDate"),
    cast("boolean", "boolean").as("ofBoolean"),
    cast("decimal", "boolean").as("ofDecimal"),
  );
expectType<{
  ofText: boolean | null;
  ofNumber: boolean | null;
  ofBigint: boolean | null;
  ofDate: boolean | null;
  ofBoolean: boolean | null;
  ofDecimal: boolean | null;
}>({} as ResultOf<typeof castToBooleanOfNullableRows>[number]);
// @ts-expect-error castToBoolean needs a scalar
empty.query().fields(cast("bytes", "boolean").as("x"));
// @ts-expect-error castToBoolean needs a scalar
full.query().fields(cast("list", "boolean").as("x"));
// @ts-expect-error castToBoolean needs a scalar
empty.query().fields(cast("json", "boolean").as("x"));
// @ts-expect-error castToBoolean needs a scalar
full.query().fields(cast("vector", "boolean").as("x"));
const castToDateRows = full
  .query()
  .fields(
    cast("text", "date").as("ofText"),
    cast("number", "date").as("ofNumber"),
    cast("bigint", "date").as("ofBigint"),
    cast("date", "date").as("ofDate"),
    cast("boolean", "date").as("ofBoolean"),
    cast("decimal", "date").as("ofDecimal"),
  );
expectType<{ ofText: Date; ofNumber: Date; ofBigint: Date; ofDate: Date; ofBoolean: Date; ofDecimal: Date }>(
  {} as ResultOf<typeof castToDateRows>[number],
);
const castToDateOfNullableRows = empty
  .query()
  .fields(
    cast("text", "date").as("ofText"),
    cast("number", "date").as("ofNumber"),
    cast("bigint", "date").as("ofBigint"),
    cast("date", "date").as("ofDate"),
    cast("boolean", "date").as("ofBoolean"),
    cast("decimal", "date").as("ofDecimal"),
  );
expectType<{
  ofText: Date | null;
  ofNumber: Date | null;
  ofBigint: Date | null;
  ofDate: Date | null;
  ofBoolean: Date | null;
  ofDecimal: Date | null;
}>({} as ResultOf<typeof castToDateOfNullableRows>[number]);
// @ts-expect-error castToDate needs a scalar
empty.query().fields(cast("bytes", "date").as("x"));
// @ts-expect-error castToDate needs a scalar
full.query().fields(cast("list", "date").as("x"));
// @ts-expect-error castToDate needs a scalar
empty.query().fields(cast("json", "date").as("x"));
// @ts-expect-error castToDate needs a scalar
full.query().fields(cast("vector", "date").as("x"));
const greatestRows = full
  .query()
  .fields(
    greatest("text", param("floor")).as("ofText"),
    greatest("number", param("floor")).as("ofNumber"),
    greatest("bigint", param("floor")).as("ofBigint"),
    greatest("date", param("floor")).as("ofDate"),
    greatest("boolean", param("floor")).as("ofBoolean"),
    greatest("decimal", param("floor")).as("ofDecimal"),
  );
expectType<{
  ofText: string;
  ofNumber: number;
  ofBigint: bigint;
  ofDate: Date;
  ofBoolean: boolean;
  ofDecimal: string;
}>({} as ResultOf<typeof greatestRows>[number]);
const greatestOfNullableRows = empty
  .query()
  .fields(
    greatest("text", param("floor")).as("ofText"),
    greatest("number", param("floor")).as("ofNumber"),
    greatest("bigint", param("floor")).as("ofBigint"),
    greatest("date", param("floor")).as("ofDate"),
    greatest("boolean", param("floor")).as("ofBoolean"),
    greatest("decimal", param("floor")).as("ofDecimal"),
  );
expectType<{
  ofText: string;
  ofNumber: number;
  ofBigint: bigint;
  ofDate: Date;
  ofBoolean: boolean;
  ofDecimal: string;
}>({} as ResultOf<typeof greatestOfNullableRows>[number]);
// @ts-expect-error greatest needs a scalar
empty.query().fields(greatest("bytes", param("floor")).as("x"));
// @ts-expect-error greatest needs a scalar
full.query().fields(greatest("list", param("floor")).as("x"));
// @ts-expect-error greatest needs a scalar
empty.query().fields(greatest("json", param("floor")).as("x"));
// @ts-expect-error greatest needs a scalar
full.query().fields(greatest("vector", param("floor")).as("x"));
const leastRows = full
  .query()
  .fields(
    least("text").as("ofText"),
    least("number").as("ofNumber"),
    least("bigint").as("ofBigint"),
    least("date").as("ofDate"),
    least("boolean").as("ofBoolean"),
    least("decimal").as("ofDecimal"),
  );
expectType<{
  ofText: string;
  ofNumber: number;
  ofBigint: bigint;
  ofDate: Date;
  ofBoolean: boolean;
  ofDecimal: string;
}>({} as ResultOf<typeof leastRows>[number]);
const leastOfNullableRows = empty
  .query()
  .fields(
    least("text").as("ofText"),
    least("number").as("ofNumber"),
    least("bigint").as("ofBigint"),
    least("date").as("ofDate"),
    least("boolean").as("ofBoolean"),
    least("decimal").as("ofDecimal"),
  );
expectType<{
  ofText: string | null;
  ofNumber: number | null;
  ofBigint: bigint | null;
  ofDate: Date | null;
  ofBoolean: boolean | null;
  ofDecimal: string | null;
}>({} as ResultOf<typeof leastOfNullableRows>[number]);
// @ts-expect-error least needs a scalar
empty.query().fields(least("bytes").as("x"));
// @ts-expect-error least needs a scalar
full.query().fields(least("list").as("x"));
// @ts-expect-error least needs a scalar
empty.query().fields(least("json").as("x"));
// @ts-expect-error least needs a scalar
full.query().fields(least("vector").as("x"));
const listAggRows = full
  .query()
  .fields(
    listAgg("text").as("ofText"),
    listAgg("number").as("ofNumber"),
    listAgg("bigint").as("ofBigint"),
    listAgg("date").as("ofDate"),
    listAgg("boolean").as("ofBoolean"),
    listAgg("decimal").as("ofDecimal"),
  );
expectType<{
  ofText: string[];
  ofNumber: number[];
  ofBigint: bigint[];
  ofDate: Date[];
  ofBoolean: boolean[];
  ofDecimal: string[];
}>({} as ResultOf<typeof listAggRows>[number]);
const listAggOfNullableRows = empty
  .query()
  .fields(
    listAgg("text").as("ofText"),
    listAgg("number").as("ofNumber"),
    listAgg("bigint").as("ofBigint"),
    listAgg("date").as("ofDate"),
    listAgg("boolean").as("ofBoolean"),
    listAgg("decimal").as("ofDecimal"),
  );
expectType<{
  ofText: string[];
  ofNumber: number[];
  ofBigint: bigint[];
  ofDate: Date[];
  ofBoolean: boolean[];
  ofDecimal: string[];
}>({} as ResultOf<typeof listAggOfNullableRows>[number]);
// @ts-expect-error listAgg needs a scalar
empty.query().fields(listAgg("bytes").as("x"));
// @ts-expect-error listAgg needs a scalar
full.query().fields(listAgg("list").as("x"));
// @ts-expect-error listAgg needs a scalar
empty.query().fields(listAgg("json").as("x"));
// @ts-expect-error listAgg needs a scalar
full.query().fields(listAgg("vector").as("x"));
const distanceRows = full.query().fields(distance("vector", "<->", "near").as("ofVector"));
expectType<{ ofVector: number }>({} as ResultOf<typeof distanceRows>[number]);
const distanceOfNullableRows = empty.query().fields(distance("vector", "<->", "near").as("ofVector"));
expectType<{ ofVector: number | null }>({} as ResultOf<typeof distanceOfNullableRows>[number]);
// @ts-expect-error distance needs a vector
full.query().fields(distance("text", "<->", "near").as("x"));
// @ts-expect-error distance needs a vector
empty.query().fields(distance("number", "<->", "near").as("x"));
// @ts-expect-error distance needs a vector
full.query().fields(distance("bigint", "<->", "near").as("x"));
// @ts-expect-error distance needs a vector
empty.query().fields(distance("date", "<->", "near").as("x"));
// @ts-expect-error distance needs a vector
full.query().fields(distance("boolean", "<->", "near").as("x"));
// @ts-expect-error distance needs a vector
empty.query().fields(distance("bytes", "<->", "near").as("x"));
// @ts-expect-error distance needs a vector
full.query().fields(distance("list", "<->", "near").as("x"));
// @ts-expect-error distance needs a vector
empty.query().fields(distance("json", "<->", "near").as("x"));
// @ts-expect-error distance needs a vector
empty.query().fields(distance("decimal", "<->", "near").as("x"));
