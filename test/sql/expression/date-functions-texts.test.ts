/** Functions of dates: their texts, before the judges of each dialect, their rows on each server, and their mistakes. */
import { dateAdd, dateDiff, datePart, dateTrunc, now, param, UnsupportedError, value } from "rowtype";
import { oracle } from "rowtype/oracle";
import { sqlite } from "rowtype/sqlite";
import { describe, expect, test } from "vitest";
import { Person } from "../../kit/people.js";
import { describeCases } from "../../kit/run-cases.js";
import { sqlErrorIn } from "../../kit/thrown.js";
import { dateCases } from "./date-functions.cases.js";

describeCases("functions of dates", dateCases);

// biome-ignore lint/suspicious/noExplicitAny: these tests are the callers whom no compiler stops.
const [trunc, part, add, diff]: any[] = [dateTrunc, datePart, dateAdd, dateDiff];
const people = sqlite().repository(Person);
const rendered = (expression: { as(alias: string): never }) => () =>
  people.query().fields(expression.as("x")).render();

describe("a function of dates with a mistake", () => {
  const mistakes: [string, { as(alias: string): never }, string, RegExp][] = [
    [
      "an unknown unit",
      trunc("century", "bornAt"),
      "INVALID_CONDITION",
      /dateTrunc takes a unit, not "century"; units: year/,
    ],
    ["a unit of another function", trunc("second", "bornAt"), "INVALID_CONDITION", /not "second"/],
    ["a unit of the prototype", part("constructor", "bornAt"), "INVALID_CONDITION", /not "constructor"/],
    ["a unit that is SQL", part("day FROM now())--", "bornAt"), "INVALID_CONDITION", /units: year, quarter/],
    [
      "a unit that is not text",
      diff({ toString: () => "day" }, "bornAt", "createdAt"),
      "INVALID_CONDITION",
      /takes a unit/,
    ],
    ["weekdays to add", add("bornAt", value(1), "weekday"), "INVALID_CONDITION", /not "weekday"/],
    [
      "a field of text",
      trunc("day", "name"),
      "INVALID_OPERATOR",
      /dateTrunc takes dates, not "name" \(text\)/,
    ],
    [
      "an expression of numbers",
      diff("day", "bornAt", value(1)),
      "INVALID_CONDITION",
      /takes dates, not an expression \(number\)/,
    ],
    ["an unknown field", trunc("day", "bornat"), "INVALID_FIELD", /unknown field "bornat"/],
    [
      "a number that is not whole",
      add("bornAt", value(1.5), "day"),
      "INVALID_CONDITION",
      /takes a whole number of units/,
    ],
    [
      "a field that is not of whole numbers",
      add("bornAt", "score", "day"),
      "INVALID_OPERATOR",
      /not "score" \(number\)/,
    ],
    ["no number", add("bornAt", undefined, "day"), "INVALID_FIELD", /an operand is the name of a field/],
    ["an object", trunc("day", {}), "INVALID_FIELD", /an operand is the name of a field/],
  ];
  test.each(mistakes)("%s is refused", (_, expression, code, message) => {
    const error = sqlErrorIn(rendered(expression));
    expect(error).toMatchObject({ code });
    expect(error.message).toMatch(message);
  });

  test("a parameter that is not a whole number is refused", async () => {
    const moved = people.query().fields(dateAdd(now(), param("n"), "day").as("x"));
    for (const n of [1.5, "1", null, Number.NaN])
      await expect(moved.exec({ n } as never), String(n)).rejects.toMatchObject({ code: "PARAM_TYPE" });
  });

  test("on Oracle dates that are calculated too often are UNSUPPORTED; elsewhere they nest", () => {
    let date = dateAdd("createdAt", value(1), "month");
    for (let i = 0; i < 9; i++) date = dateAdd(date, value(1), "month") as never;
    expect(people.query().fields(date.as("x")).render().sql).toContain("rowtype_date_add");
    expect(() => oracle().repository(Person).query().fields(date.as("x")).render()).toThrow(UnsupportedError);
  });
});
