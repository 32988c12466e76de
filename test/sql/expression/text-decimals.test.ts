/**
 * Texts of columns whose declared type is an exact decimal: SQLite keeps them as text, which has another order than their
 * numbers, so each place that needs an order refuses them there; equality is taken, and other dialects take all of it.
 */
import * as rowtype from "rowtype";
import { BuildError, column, table, UnsupportedError } from "rowtype";
import { recording } from "rowtype/testing";
import { describe, expect, test } from "vitest";
import { z } from "zod";

// biome-ignore lint/suspicious/noExplicitAny: each place is called in the same way, by its name.
type Untyped = any;

const { between, c, caseWhen, compare, greatest, least, max, min, not, notBetween, rowNumber }: Untyped =
  rowtype;

const price = column(z.string(), { type: "numeric(10, 2)" });
const Item = table(
  "items",
  z.object({ id: column(z.int(), { primaryKey: true }), n: z.int(), price, low: price }),
);
const dialects = ["postgres", "mariadb", "sqlite", "oracle"] as const;

const comparisons = ["<", "<=", ">", ">="];
const spec = (condition: object) => (items: Untyped) =>
  items.queryFromSpec({ fields: ["id"], where: [condition] });
const fields = (make: () => Untyped) => (items: Untyped) => items.query().fields(make().as("x"));
const where = (condition: () => Untyped) => (items: Untyped) => items.query().whereAnd(condition());

/** Where an order is needed. */
const needing: Readonly<Record<string, (items: Untyped) => Untyped>> = {
  ...Object.fromEntries(
    comparisons.flatMap((operator) => [
      [operator, (items: Untyped) => items.query().where("price", operator, "p")],
      [`${operator} in a condition`, where(() => not(c("price", operator, "p")))],
      [`${operator} of two fields`, where(() => compare("price", operator, "low"))],
      [`${operator} in a spec`, spec({ field: "price", operator, param: "p" })],
      [`${operator} of two fields in a spec`, spec({ field: "price", operator, right_field: "low" })],
    ]),
  ),
  BETWEEN: (items) => items.query().whereBetween("price", "p", "q"),
  "BETWEEN in a condition": where(() => between("price", "p", "q")),
  "NOT BETWEEN in a condition": where(() => notBetween("price", "p", "q")),
  "BETWEEN in a spec": spec({ field: "price", operator: "BETWEEN", low_param: "p", high_param: "q" }),
  "BETWEEN in CASE": fields(() =>
    caseWhen(z.string())
      .when(between("price", "p", "q"), "label")
      .else("other"),
  ),
  "BETWEEN of a change": (items) => items.remove().whereOr(between("price", "p", "q")),
  "ORDER BY": (items) => items.query().orderBy("price", "asc"),
  "ORDER BY in a window": fields(() => rowNumber().over({ orderBy: [["price", "asc"]] })),
  min: fields(() => min("price")),
  max: fields(() => max("price")),
  greatest: fields(() => greatest("price", "low")),
  least: fields(() => least("price", "low")),
};

const taken: Readonly<Record<string, (items: Untyped) => Untyped>> = {
  "=": (items) => items.query().where("price", "=", "p"),
  "!=": (items) => items.query().where("price", "!=", "p"),
  IN: (items) => items.query().where("price", "IN", "p"),
  "= of two fields": where(() => compare("price", "=", "low")),
  "BETWEEN of a number": (items) => items.query().whereBetween("n", "p", "q"),
};

function codesOf(make: () => Untyped): readonly string[] {
  try {
    make().build();
    return [];
  } catch (error) {
    if (error instanceof BuildError) return error.problems.map(({ code }) => code);
    if (error instanceof UnsupportedError) return [error.code];
    throw error;
  }
}

describe.each(dialects)("texts of decimals on %s", (dialect) => {
  const { items }: Untyped = recording(dialect).repositories({ items: Item });

  test.each(Object.entries(needing))("%s", (_name, make) => {
    expect(codesOf(() => make(items))).toEqual(dialect === "sqlite" ? ["UNSUPPORTED"] : []);
  });

  test.each(Object.entries(taken))("%s is taken", (_name, make) => {
    expect(codesOf(() => make(items))).toEqual([]);
  });
});
