/** Declarations of rules that cannot work are refused at once, with the table and the column. */
import { column, table } from "rowtype";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { sqlErrorIn } from "../../kit/thrown.js";

const id = column(z.int(), { primaryKey: true });
const refused = (shape: Record<string, z.ZodType>, options = {}) => {
  const error = sqlErrorIn(() => table("ruled", z.object({ id, ...shape }), options));
  expect(error.code).toBe("DECLARATION");
  expect(error.message).toContain('"ruled"');
  return error.message;
};
// What an untyped caller may give.
const auto = (schema: z.ZodType, of: string, more = {}) => column(schema, { auto: of, ...more } as object);

describe("columns that every change sets", () => {
  test.each([
    ["updated", z.string(), "a date"],
    ["version", z.number(), "a whole number"],
    ["version", z.int().nullable(), "not null"],
    ["version", z.bigint(), "a whole number"],
    ["deleted", z.date(), "may be null"],
    ["deleted", z.boolean().nullable(), "a date"],
  ])("%s of another kind is refused", (of, schema, wanted) => {
    expect(refused({ other: auto(schema, of) })).toMatch(new RegExp(`"other".*${wanted}`));
  });

  test.each([
    ["default", { default: "2" }],
    ["generated", { generated: true }],
    ["primaryKey", { primaryKey: true }],
    ["computed", { computed: "1" }],
    ["readOnly", { readOnly: true }],
  ])("%s beside it is refused", (key, more) => {
    expect(refused({ other: auto(z.int(), "version", more) })).toMatch(
      new RegExp(`"other".*excludes "${key}"`),
    );
  });

  test.each(["updated", "version", "deleted"])("two columns of %s are refused", (of) => {
    const schema = of === "version" ? z.int() : z.date().nullable();
    expect(refused({ first: auto(schema, of), other: auto(schema, of) })).toMatch(/first.*other/);
  });

  test("one in a primary key of several is refused", () => {
    const declared = () =>
      table("ruled", z.object({ a: z.int(), other: auto(z.int(), "version") }), {
        primaryKey: ["a", "other"],
      });
    expect(sqlErrorIn(declared).message).toMatch(/"other".*"ruled".*primary key/);
  });

  test("a version that cannot name a parameter is refused", () => {
    expect(refused({ "row version": auto(z.int(), "version") })).toMatch(/row version/);
  });

  test("an unknown rule is refused", () => {
    expect(sqlErrorIn(() => auto(z.int(), "count")).message).toMatch(/"auto" has a value of the wrong type/);
  });

  test("the mark is found through chained methods", () => {
    const T = table("ruled", z.object({ id, gone: column(z.date(), { auto: "deleted" }).nullable() }));
    expect(T.columns.gone).toMatchObject({ auto: "deleted", readOnly: true, optional: true });
  });
});
