// What the compiler knows of functions of dates: the right call, the wrong call, no `any`.
import {
  c,
  column,
  count,
  dateAdd,
  dateDiff,
  datePart,
  dateTrunc,
  lower,
  max,
  now,
  type ParamsOf,
  param,
  type ResultOf,
  startOf,
  table,
  value,
} from "rowtype";
import { sqlite } from "rowtype/sqlite";
import { expectType } from "tsd";
import { z } from "zod";

const Invoice = table(
  "invoices",
  z.object({
    id: column(z.int(), { primaryKey: true }),
    text: z.string(),
    days: z.int().nullable(),
    big: z.bigint(),
    paidAt: z.date(),
    dueAt: z.date().nullable(),
  }),
);
const invoices = sqlite().repository(Invoice);

const perMonth = invoices
  .query()
  .fields(dateTrunc("month", "paidAt").as("month"), count().as("n"), max(dateTrunc("day", "dueAt")).as("due"))
  .groupBy("month")
  .orderBy("month", "asc");
expectType<{ month: Date; n: number; due: Date | null }[]>({} as ResultOf<typeof perMonth>);

const all = invoices
  .query()
  .fields(
    dateTrunc("week", "dueAt").as("a"),
    datePart("weekday", "paidAt").as("b"),
    datePart("second", "dueAt").as("c"),
    dateAdd("paidAt", "days", "day").as("d"),
    dateAdd("paidAt", "big", "second").as("e"),
    dateAdd("dueAt", value(1), "month").as("f"),
    dateDiff("month", "paidAt", "dueAt").as("g"),
    dateDiff("year", "paidAt", now()).as("h"),
    dateTrunc("year", dateAdd("paidAt", param("n"), "quarter")).as("i"),
    dateTrunc("hour", param("at")).as("j"),
    dateDiff("minute", value(new Date()), param("to", z.date().nullable())).as("k"),
  );
expectType<
  {
    a: Date | null;
    b: number;
    c: number | null;
    d: Date | null;
    e: Date;
    f: Date | null;
    g: number | null;
    h: number;
    i: Date;
    j: Date;
    k: number | null;
  }[]
>({} as ResultOf<typeof all>);
expectType<{ n: number; at: Date; to: Date | null }>({} as ParamsOf<typeof all>);

const where = invoices
  .query()
  .where(dateTrunc("month", "paidAt"), ">=", "from")
  .whereAnd(
    c(datePart("weekday", "paidAt"), "IN", "days"),
    c(dateDiff("day", "paidAt", "dueAt"), "<", "most"),
  )
  .orderBy(dateAdd("paidAt", "days", "day"), "desc");
expectType<{ from: Date; days: readonly number[]; most: number }>({} as ParamsOf<typeof where>);

// @ts-expect-error: a text is not a date
invoices.query().fields(dateTrunc("month", "text").as("x"));
// @ts-expect-error: an expression of text is not a date
dateTrunc("month", lower("text"));
// @ts-expect-error: a misspelt field
invoices.query().fields(dateTrunc("month", "paidat").as("x"));
// @ts-expect-error: no such unit
dateTrunc("century", "paidAt");
// @ts-expect-error: seconds are not cut
dateTrunc("second", "paidAt");
// @ts-expect-error: a weekday is a part only
dateAdd("paidAt", value(1), "weekday");
// @ts-expect-error: a text is not a number of units
invoices.query().fields(dateAdd("paidAt", "text", "day").as("x"));
// @ts-expect-error: a constant text is not a number of units
dateAdd("paidAt", value("1"), "day");
// @ts-expect-error: a number is not a date
invoices.query().fields(dateDiff("day", "paidAt", "days").as("x"));
// @ts-expect-error: a date has no pattern
invoices.query().where(dateTrunc("month", "paidAt"), "LIKE", "p");
// @ts-expect-error: a text for a date
where.exec({ from: "2026-01-01", days: [1], most: 1 });
// @ts-expect-error: a missing parameter
all.exec({ n: 1, at: new Date() });

// In a time zone: a name, a parameter or a constant.
const zoned = invoices
  .query()
  .fields(
    dateTrunc("day", "dueAt", { zone: "America/Sao_Paulo" }).as("a"),
    datePart("hour", "paidAt", { zone: param("zone") }).as("b"),
    dateAdd("paidAt", "days", "day", { zone: value("Europe/Berlin") }).as("c"),
    dateDiff("week", "paidAt", param("to"), {
      zone: param("other", z.enum(["Asia/Tokyo", "Asia/Seoul"])),
    }).as("d"),
    max(dateTrunc("month", dateAdd("paidAt", param("n"), "month"), { zone: param("zone") })).as("e"),
    datePart("weekday", param("at"), { zone: "UTC" }).as("f"),
    dateDiff("day", "paidAt", dateTrunc("year", now(), { zone: "UTC" }), { zone: "UTC" }).as("g"),
    dateDiff("day", "paidAt", "dueAt", { zone: "UTC" }).as("h"),
    datePart("day", "dueAt", { zone: "UTC" }).as("i"),
  )
  .groupBy("dueAt", "paidAt", "days");
expectType<
  {
    a: Date | null;
    b: number;
    c: Date | null;
    d: number;
    e: Date | null;
    f: number;
    g: number;
    h: number | null;
    i: number | null;
  }[]
>({} as ResultOf<typeof zoned>);
expectType<{ zone: string; to: Date; other: "Asia/Tokyo" | "Asia/Seoul"; n: number; at: Date }>(
  {} as ParamsOf<typeof zoned>,
);
const zonedWhere = invoices
  .query()
  .where(dateTrunc("day", "paidAt", { zone: param("zone") }), "=", "day")
  .whereAnd(c(datePart("hour", "paidAt", { zone: "Asia/Kathmandu" }), "<", "hour"));
expectType<{ zone: string; day: Date; hour: number }>({} as ParamsOf<typeof zonedWhere>);
expectType<Date>(startOf("America/Sao_Paulo", "month", new Date()));

// @ts-expect-error: options without a zone
dateTrunc("day", "paidAt", {});
// @ts-expect-error: another option
dateTrunc("day", "paidAt", { zone: "UTC", locale: "de" });
// @ts-expect-error: a zone that may be missing
dateTrunc("day", "paidAt", { zone: undefined as string | undefined });
// @ts-expect-error: a number is not a zone
datePart("day", "paidAt", { zone: 2 });
// @ts-expect-error: a constant number is not a zone
datePart("day", "paidAt", { zone: value(2) });
// @ts-expect-error: a parameter of numbers is not a zone
dateAdd("paidAt", value(1), "day", { zone: param("zone", z.int()) });
// @ts-expect-error: an expression over a field is not a zone
dateDiff("day", "paidAt", "dueAt", { zone: lower("text") });
// @ts-expect-error: no such unit
dateTrunc("century", "paidAt", { zone: "UTC" });
// @ts-expect-error: seconds are not cut
startOf("UTC", "second", new Date());
// @ts-expect-error: a weekday is a part only
dateAdd("paidAt", value(1), "weekday", { zone: "UTC" });
// @ts-expect-error: a text is not a date
invoices.query().fields(dateTrunc("month", "text", { zone: "UTC" }).as("x"));
// @ts-expect-error: a misspelt field
invoices.query().fields(dateDiff("day", "paidAt", "dueat", { zone: "UTC" }).as("x"));
// @ts-expect-error: a text is not a number of units
invoices.query().fields(dateAdd("paidAt", "text", "day", { zone: "UTC" }).as("x"));
// @ts-expect-error: a zone is text
zoned.exec({ zone: 1, to: new Date(), other: "Asia/Tokyo", n: 1, at: new Date() });
// @ts-expect-error: a missing zone
zonedWhere.exec({ day: new Date(), hour: 1 });
// @ts-expect-error: a text is not a date
startOf("UTC", "day", "2026-01-01");
