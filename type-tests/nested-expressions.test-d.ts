// A function of an expression: the parameters in it come out, it gathers rows as its operand does, and no field is let through.
import {
  abs,
  add,
  avg,
  cast,
  ceil,
  coalesce,
  concat,
  count,
  countDistinct,
  dateAdd,
  dateDiff,
  datePart,
  dateTrunc,
  div,
  firstValue,
  floor,
  greatest,
  lag,
  lastValue,
  lead,
  least,
  length,
  listAgg,
  lower,
  ltrim,
  max,
  min,
  mod,
  mul,
  neg,
  nullIf,
  type ParamsOf,
  param,
  power,
  replace,
  round,
  rtrim,
  sqrt,
  sub,
  substring,
  sum,
  table,
  textAgg,
  trim,
  upper,
} from "rowtype";
import { sqlite } from "rowtype/sqlite";
import { expectType } from "tsd";
import { z } from "zod";

const Row = z.object({
  text: z.string(),
  number: z.number(),
  date: z.date(),
  plain: z.boolean(),
  none: z.number().nullable(),
});
const rows = sqlite().repository(table("rows", Row));

// One operand of each kind that brings a parameter, one that gathers rows, one of a field that is not there.
const text = coalesce("text", param("inside"));
const number = coalesce("number", param("inside"));
const date = coalesce("date", param("inside"));
const lastText = max("text");
const lastNumber = max("number");
const lastDate = max("date");
const noText = lower("nosuch");
const noNumber = abs("nosuch");
const noDate = dateTrunc("day", "nosuch");

const upperOf = rows.query().fields(upper(text).as("x"));
expectType<{ inside: string }>({} as ParamsOf<typeof upperOf>);
// @ts-expect-error no such field
rows.query().fields(upper(noText).as("x"));
const upperGathers = rows.query().fields("plain", upper(lastText).as("x"));
// @ts-expect-error it gathers rows as its operand does
upperGathers.exec();
upperGathers.groupBy("plain").exec();
const lowerOf = rows.query().fields(lower(text).as("x"));
expectType<{ inside: string }>({} as ParamsOf<typeof lowerOf>);
// @ts-expect-error no such field
rows.query().fields(lower(noText).as("x"));
const lowerGathers = rows.query().fields("plain", lower(lastText).as("x"));
// @ts-expect-error it gathers rows as its operand does
lowerGathers.exec();
lowerGathers.groupBy("plain").exec();
const trimOf = rows.query().fields(trim(text).as("x"));
expectType<{ inside: string }>({} as ParamsOf<typeof trimOf>);
// @ts-expect-error no such field
rows.query().fields(trim(noText).as("x"));
const trimGathers = rows.query().fields("plain", trim(lastText).as("x"));
// @ts-expect-error it gathers rows as its operand does
trimGathers.exec();
trimGathers.groupBy("plain").exec();
const ltrimOf = rows.query().fields(ltrim(text).as("x"));
expectType<{ inside: string }>({} as ParamsOf<typeof ltrimOf>);
// @ts-expect-error no such field
rows.query().fields(ltrim(noText).as("x"));
const ltrimGathers = rows.query().fields("plain", ltrim(lastText).as("x"));
// @ts-expect-error it gathers rows as its operand does
ltrimGathers.exec();
ltrimGathers.groupBy("plain").exec();
const rtrimOf = rows.query().fields(rtrim(text).as("x"));
expectType<{ inside: string }>({} as ParamsOf<typeof rtrimOf>);
// @ts-expect-error no such field
rows.query().fields(rtrim(noText).as("x"));
const rtrimGathers = rows.query().fields("plain", rtrim(lastText).as("x"));
// @ts-expect-error it gathers rows as its operand does
rtrimGathers.exec();
rtrimGathers.groupBy("plain").exec();
const lengthOf = rows.query().fields(length(text).as("x"));
expectType<{ inside: string }>({} as ParamsOf<typeof lengthOf>);
// @ts-expect-error no such field
rows.query().fields(length(noText).as("x"));
const lengthGathers = rows.query().fields("plain", length(lastText).as("x"));
// @ts-expect-error it gathers rows as its operand does
lengthGathers.exec();
lengthGathers.groupBy("plain").exec();
const concatOf = rows.query().fields(concat(text, "text").as("x"));
expectType<{ inside: string }>({} as ParamsOf<typeof concatOf>);
// @ts-expect-error no such field
rows.query().fields(concat(noText, "text").as("x"));
const concatGathers = rows.query().fields("plain", concat(lastText, "text").as("x"));
// @ts-expect-error it gathers rows as its operand does
concatGathers.exec();
concatGathers.groupBy("plain", "text").exec();
const substringOf = rows.query().fields(substring(text, "from", "count").as("x"));
expectType<{ inside: string; from: number; count: number }>({} as ParamsOf<typeof substringOf>);
// @ts-expect-error no such field
rows.query().fields(substring(noText, "from", "count").as("x"));
const substringGathers = rows.query().fields("plain", substring(lastText, "from", "count").as("x"));
// @ts-expect-error it gathers rows as its operand does
substringGathers.exec({ from: 1, count: 1 });
substringGathers.groupBy("plain").exec({ from: 1, count: 1 });
const replaceOf = rows.query().fields(replace(text, "what", "by").as("x"));
expectType<{ inside: string; what: string; by: string }>({} as ParamsOf<typeof replaceOf>);
// @ts-expect-error no such field
rows.query().fields(replace(noText, "what", "by").as("x"));
const replaceGathers = rows.query().fields("plain", replace(lastText, "what", "by").as("x"));
// @ts-expect-error it gathers rows as its operand does
replaceGathers.exec({ what: "a", by: "a" });
replaceGathers.groupBy("plain").exec({ what: "a", by: "a" });
const absOf = rows.query().fields(abs(number).as("x"));
expectType<{ inside: number }>({} as ParamsOf<typeof absOf>);
// @ts-expect-error no such field
rows.query().fields(abs(noNumber).as("x"));
const absGathers = rows.query().fields("plain", abs(lastNumber).as("x"));
// @ts-expect-error it gathers rows as its operand does
absGathers.exec();
absGathers.groupBy("plain").exec();
const ceilOf = rows.query().fields(ceil(number).as("x"));
expectType<{ inside: number }>({} as ParamsOf<typeof ceilOf>);
// @ts-expect-error no such field
rows.query().fields(ceil(noNumber).as("x"));
const ceilGathers = rows.query().fields("plain", ceil(lastNumber).as("x"));
// @ts-expect-error it gathers rows as its operand does
ceilGathers.exec();
ceilGathers.groupBy("plain").exec();
const floorOf = rows.query().fields(floor(number).as("x"));
expectType<{ inside: number }>({} as ParamsOf<typeof floorOf>);
// @ts-expect-error no such field
rows.query().fields(floor(noNumber).as("x"));
const floorGathers = rows.query().fields("plain", floor(lastNumber).as("x"));
// @ts-expect-error it gathers rows as its operand does
floorGathers.exec();
floorGathers.groupBy("plain").exec();
const roundOf = rows.query().fields(round(number).as("x"));
expectType<{ inside: number }>({} as ParamsOf<typeof roundOf>);
// @ts-expect-error no such field
rows.query().fields(round(noNumber).as("x"));
const roundGathers = rows.query().fields("plain", round(lastNumber).as("x"));
// @ts-expect-error it gathers rows as its operand does
roundGathers.exec();
roundGathers.groupBy("plain").exec();
const sqrtOf = rows.query().fields(sqrt(number).as("x"));
expectType<{ inside: number }>({} as ParamsOf<typeof sqrtOf>);
// @ts-expect-error no such field
rows.query().fields(sqrt(noNumber).as("x"));
const sqrtGathers = rows.query().fields("plain", sqrt(lastNumber).as("x"));
// @ts-expect-error it gathers rows as its operand does
sqrtGathers.exec();
sqrtGathers.groupBy("plain").exec();
const powerOf = rows.query().fields(power(number, "exponent").as("x"));
expectType<{ inside: number; exponent: number }>({} as ParamsOf<typeof powerOf>);
// @ts-expect-error no such field
rows.query().fields(power(noNumber, "exponent").as("x"));
const powerGathers = rows.query().fields("plain", power(lastNumber, "exponent").as("x"));
// @ts-expect-error it gathers rows as its operand does
powerGathers.exec({ exponent: 1 });
powerGathers.groupBy("plain").exec({ exponent: 1 });
const negOf = rows.query().fields(neg(number).as("x"));
expectType<{ inside: number }>({} as ParamsOf<typeof negOf>);
// @ts-expect-error no such field
rows.query().fields(neg(noNumber).as("x"));
const negGathers = rows.query().fields("plain", neg(lastNumber).as("x"));
// @ts-expect-error it gathers rows as its operand does
negGathers.exec();
negGathers.groupBy("plain").exec();
const addOf = rows.query().fields(add(number, param("other")).as("x"));
expectType<{ inside: number; other: number }>({} as ParamsOf<typeof addOf>);
// @ts-expect-error no such field
rows.query().fields(add(noNumber, param("other")).as("x"));
const addGathers = rows.query().fields("plain", add(lastNumber, param("other")).as("x"));
// @ts-expect-error it gathers rows as its operand does
addGathers.exec({ other: 1 });
addGathers.groupBy("plain").exec({ other: 1 });
const subOf = rows.query().fields(sub("number", number).as("x"));
expectType<{ inside: number }>({} as ParamsOf<typeof subOf>);
// @ts-expect-error no such field
rows.query().fields(sub("number", noNumber).as("x"));
const subGathers = rows.query().fields("plain", sub("number", lastNumber).as("x"));
// @ts-expect-error it gathers rows as its operand does
subGathers.exec();
subGathers.groupBy("plain", "number").exec();
const mulOf = rows.query().fields(mul(number, "number").as("x"));
expectType<{ inside: number }>({} as ParamsOf<typeof mulOf>);
// @ts-expect-error no such field
rows.query().fields(mul(noNumber, "number").as("x"));
const mulGathers = rows.query().fields("plain", mul(lastNumber, "number").as("x"));
// @ts-expect-error it gathers rows as its operand does
mulGathers.exec();
mulGathers.groupBy("plain", "number").exec();
const divOf = rows.query().fields(div(number, param("other")).as("x"));
expectType<{ inside: number; other: number }>({} as ParamsOf<typeof divOf>);
// @ts-expect-error no such field
rows.query().fields(div(noNumber, param("other")).as("x"));
const divGathers = rows.query().fields("plain", div(lastNumber, param("other")).as("x"));
// @ts-expect-error it gathers rows as its operand does
divGathers.exec({ other: 1 });
divGathers.groupBy("plain").exec({ other: 1 });
const modOf = rows.query().fields(mod("number", number).as("x"));
expectType<{ inside: number }>({} as ParamsOf<typeof modOf>);
// @ts-expect-error no such field
rows.query().fields(mod("number", noNumber).as("x"));
const modGathers = rows.query().fields("plain", mod("number", lastNumber).as("x"));
// @ts-expect-error it gathers rows as its operand does
modGathers.exec();
modGathers.groupBy("plain", "number").exec();
const dateTruncOf = rows.query().fields(dateTrunc("day", date).as("x"));
expectType<{ inside: Date }>({} as ParamsOf<typeof dateTruncOf>);
// @ts-expect-error no such field
rows.query().fields(dateTrunc("day", noDate).as("x"));
const dateTruncGathers = rows.query().fields("plain", dateTrunc("day", lastDate).as("x"));
// @ts-expect-error it gathers rows as its operand does
dateTruncGathers.exec();
dateTruncGathers.groupBy("plain").exec();
const datePartOf = rows.query().fields(datePart("year", date).as("x"));
expectType<{ inside: Date }>({} as ParamsOf<typeof datePartOf>);
// @ts-expect-error no such field
rows.query().fields(datePart("year", noDate).as("x"));
const datePartGathers = rows.query().fields("plain", datePart("year", lastDate).as("x"));
// @ts-expect-error it gathers rows as its operand does
datePartGathers.exec();
datePartGathers.groupBy("plain").exec();
const dateAddOf = rows.query().fields(dateAdd(date, param("count"), "day").as("x"));
expectType<{ inside: Date; count: number }>({} as ParamsOf<typeof dateAddOf>);
// @ts-expect-error no such field
rows.query().fields(dateAdd(noDate, param("count"), "day").as("x"));
const dateAddGathers = rows.query().fields("plain", dateAdd(lastDate, param("count"), "day").as("x"));
// @ts-expect-error it gathers rows as its operand does
dateAddGathers.exec({ count: 1 });
dateAddGathers.groupBy("plain").exec({ count: 1 });
const dateDiffOf = rows.query().fields(dateDiff("day", "date", date).as("x"));
expectType<{ inside: Date }>({} as ParamsOf<typeof dateDiffOf>);
// @ts-expect-error no such field
rows.query().fields(dateDiff("day", "date", noDate).as("x"));
const dateDiffGathers = rows.query().fields("plain", dateDiff("day", "date", lastDate).as("x"));
// @ts-expect-error it gathers rows as its operand does
dateDiffGathers.exec();
dateDiffGathers.groupBy("plain", "date").exec();
const castOf = rows.query().fields(cast(number, "text").as("x"));
expectType<{ inside: number }>({} as ParamsOf<typeof castOf>);
// @ts-expect-error no such field
rows.query().fields(cast(noNumber, "text").as("x"));
const castGathers = rows.query().fields("plain", cast(lastNumber, "text").as("x"));
// @ts-expect-error it gathers rows as its operand does
castGathers.exec();
castGathers.groupBy("plain").exec();
const coalesceOf = rows.query().fields(coalesce(number, "other").as("x"));
expectType<{ inside: number; other: number }>({} as ParamsOf<typeof coalesceOf>);
// @ts-expect-error no such field
rows.query().fields(coalesce(noNumber, "other").as("x"));
const coalesceGathers = rows.query().fields("plain", coalesce(lastNumber, "other").as("x"));
// @ts-expect-error it gathers rows as its operand does
coalesceGathers.exec({ other: 1 });
coalesceGathers.groupBy("plain").exec({ other: 1 });
const nullIfOf = rows.query().fields(nullIf(number, "other").as("x"));
expectType<{ inside: number; other: number }>({} as ParamsOf<typeof nullIfOf>);
// @ts-expect-error no such field
rows.query().fields(nullIf(noNumber, "other").as("x"));
const nullIfGathers = rows.query().fields("plain", nullIf(lastNumber, "other").as("x"));
// @ts-expect-error it gathers rows as its operand does
nullIfGathers.exec({ other: 1 });
nullIfGathers.groupBy("plain").exec({ other: 1 });
const greatestOf = rows.query().fields(greatest("number", number).as("x"));
expectType<{ inside: number }>({} as ParamsOf<typeof greatestOf>);
// @ts-expect-error no such field
rows.query().fields(greatest("number", noNumber).as("x"));
const greatestGathers = rows.query().fields("plain", greatest("number", lastNumber).as("x"));
// @ts-expect-error it gathers rows as its operand does
greatestGathers.exec();
greatestGathers.groupBy("plain", "number").exec();
const leastOf = rows.query().fields(least(number, param("other")).as("x"));
expectType<{ inside: number; other: number }>({} as ParamsOf<typeof leastOf>);
// @ts-expect-error no such field
rows.query().fields(least(noNumber, param("other")).as("x"));
const leastGathers = rows.query().fields("plain", least(lastNumber, param("other")).as("x"));
// @ts-expect-error it gathers rows as its operand does
leastGathers.exec({ other: 1 });
leastGathers.groupBy("plain").exec({ other: 1 });
const countOf = rows.query().fields(count(number).as("x"));
expectType<{ inside: number }>({} as ParamsOf<typeof countOf>);
// @ts-expect-error no such field
rows.query().fields(count(noNumber).as("x"));
// @ts-expect-error an aggregate in another
count(lastNumber);
const countDistinctOf = rows.query().fields(countDistinct(number).as("x"));
expectType<{ inside: number }>({} as ParamsOf<typeof countDistinctOf>);
// @ts-expect-error no such field
rows.query().fields(countDistinct(noNumber).as("x"));
// @ts-expect-error an aggregate in another
countDistinct(lastNumber);
const sumOf = rows.query().fields(sum(number).as("x"));
expectType<{ inside: number }>({} as ParamsOf<typeof sumOf>);
// @ts-expect-error no such field
rows.query().fields(sum(noNumber).as("x"));
// @ts-expect-error an aggregate in another
sum(lastNumber);
const avgOf = rows.query().fields(avg(number).as("x"));
expectType<{ inside: number }>({} as ParamsOf<typeof avgOf>);
// @ts-expect-error no such field
rows.query().fields(avg(noNumber).as("x"));
// @ts-expect-error an aggregate in another
avg(lastNumber);
const minOf = rows.query().fields(min(number).as("x"));
expectType<{ inside: number }>({} as ParamsOf<typeof minOf>);
// @ts-expect-error no such field
rows.query().fields(min(noNumber).as("x"));
// @ts-expect-error an aggregate in another
min(lastNumber);
const maxOf = rows.query().fields(max(number).as("x"));
expectType<{ inside: number }>({} as ParamsOf<typeof maxOf>);
// @ts-expect-error no such field
rows.query().fields(max(noNumber).as("x"));
// @ts-expect-error an aggregate in another
max(lastNumber);
const textAggOf = rows.query().fields(textAgg(text, "separator").as("x"));
expectType<{ inside: string; separator: string }>({} as ParamsOf<typeof textAggOf>);
// @ts-expect-error no such field
rows.query().fields(textAgg(noText, "separator").as("x"));
// @ts-expect-error an aggregate in another
textAgg(lastText, "separator");
const listAggOf = rows.query().fields(listAgg(number).as("x"));
expectType<{ inside: number }>({} as ParamsOf<typeof listAggOf>);
// @ts-expect-error no such field
rows.query().fields(listAgg(noNumber).as("x"));
// @ts-expect-error an aggregate in another
listAgg(lastNumber);
const lagOf = rows.query().fields(lag(number).over().as("x"));
expectType<{ inside: number }>({} as ParamsOf<typeof lagOf>);
// @ts-expect-error no such field
rows.query().fields(lag(noNumber).over().as("x"));
// @ts-expect-error an aggregate in another
lag(lastNumber).over();
const leadOf = rows.query().fields(lead(number).over().as("x"));
expectType<{ inside: number }>({} as ParamsOf<typeof leadOf>);
// @ts-expect-error no such field
rows.query().fields(lead(noNumber).over().as("x"));
// @ts-expect-error an aggregate in another
lead(lastNumber).over();
const firstValueOf = rows.query().fields(firstValue(number).over().as("x"));
expectType<{ inside: number }>({} as ParamsOf<typeof firstValueOf>);
// @ts-expect-error no such field
rows.query().fields(firstValue(noNumber).over().as("x"));
// @ts-expect-error an aggregate in another
firstValue(lastNumber).over();
const lastValueOf = rows.query().fields(lastValue(number).over().as("x"));
expectType<{ inside: number }>({} as ParamsOf<typeof lastValueOf>);
// @ts-expect-error no such field
rows.query().fields(lastValue(noNumber).over().as("x"));
// @ts-expect-error an aggregate in another
lastValue(lastNumber).over();
