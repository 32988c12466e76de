/** Declarations of rules that cannot work are refused with the table, and the column or the filter. */
import { and, between, c, column, compare, json, lower, table, value } from "rowtype";
import { mariadb } from "rowtype/mariadb";
import { oracle } from "rowtype/oracle";
import { postgres } from "rowtype/postgres";
import { sqlite } from "rowtype/sqlite";
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

describe("a filter that its columns do not take is refused with the table, before there is a statement", () => {
  const columns = z.object({
    id,
    size: z.int(),
    name: z.string(),
    state: z.enum(["draft", "live"]),
    isOn: z.boolean(),
    more: json(z.object({ k: z.string() })),
  });
  // What an untyped caller may give: the compiler looks at names of fields alone.
  const given = (one: unknown) => value(one as string);
  const wrong: Readonly<Record<string, object>> = {
    "a value of another kind": c("size", "=", value("x")),
    "no member of an enum": c("state", "=", value("gone")),
    "no member of an enum in a group": and(c("size", ">", value(1)), c("state", "=", value("gone"))),
    null: c("size", "=", given(null)),
    NaN: c("size", ">", value(Number.NaN)),
    "a value where a list is taken": c("size", "IN", given(1)),
    "a list of another kind": c("size", "IN", value(["x"])),
    "the end of a range": between("size", value(1), value("x")),
    "an operator of another kind": c("size", "LIKE", value("x")),
    "an operator that there is not": c("size", "==" as "=", value(1)),
    "an order that there is not": c("isOn", ">", value(true)),
    "a comparison of JSON": c("more", "=" as never, given({ k: "x" })),
    "fields of two kinds": compare("size", "=", "name"),
    "a function of another kind": compare(lower("size"), "=", value("x")),
  };
  test.each(Object.entries(wrong))("%s", (_, filter) => {
    // Each has its own table: what one repository has found is not asked again.
    const ruled = () => table("ruled", columns, { filters: { shown: filter } } as object);
    for (const database of [postgres, mariadb, sqlite, oracle])
      for (const open of [
        () => database().repository(ruled()),
        () => database().repositories({ ruled: ruled() }),
      ]) {
        const error = sqlErrorIn(open);
        expect(error.code).toBe("DECLARATION");
        expect(error.message).toMatch(/^filter "shown" of table "ruled" cannot work: /);
      }
  });

  test("one that a dialect lacks is left to the statements, which may leave it out", () => {
    const ruled = table("ruled", columns, { filters: { shown: c("name", "~", value("^a")) } });
    const rows = sqlite().repository(ruled);
    expect(sqlErrorIn(() => rows.query().render()).code).toBe("UNSUPPORTED");
    rows.without("shown").query().render();
    postgres().repository(ruled).query().render();
  });
});
