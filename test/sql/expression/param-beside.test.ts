/**
 * A parameter without a schema has the values of the first operand that has a type of its own; without such an operand,
 * those of the first constant. It holds whichever place each of them has.
 */
import SQLite from "better-sqlite3";
import {
  abs,
  add,
  type BuildError,
  column,
  decimal,
  div,
  greatest,
  least,
  mod,
  mul,
  param,
  sub,
  table,
  value,
} from "rowtype";
import { sqlite } from "rowtype/sqlite";
import { expect, test } from "vitest";
import { z } from "zod";
import { sqlErrorIn, sqlErrorOf } from "../../kit/thrown.js";

const Amount = table(
  "amounts",
  z.object({
    id: column(z.int(), { primaryKey: true }),
    double: z.number(),
    big: z.bigint(),
    price: decimal(10, 2),
  }),
);
const db = sqlite(new SQLite(":memory:"));
await db.createTables(Amount);
await db.repository(Amount).insert().exec({ id: 1, double: 7.5, big: 7n, price: "7.50" });

/** A field of a kind, a constant of it, and values of a parameter: one that fits, and those of other kinds. */
const kinds = [
  { field: "double", constant: 2.5, fits: 2.5, others: [2n, "2.50", true] },
  { field: "big", constant: 2n, fits: 2n, others: [2, "2", null] },
  { field: "price", constant: "2.50", fits: "2.50", others: [2.5, 2n, "x"] },
] as const;
const functions = { add, sub, mul, div, mod, greatest, least } as const;

/** The forms of an operand that gives a parameter its type. */
function typed(field: string, constant: unknown): readonly (readonly [string, unknown])[] {
  const made: unknown = abs(field);
  return [
    ["the field", field],
    ["an expression", made],
    ["a constant", value(constant as number)],
  ];
}

type Untyped = (...operands: readonly unknown[]) => { as(name: string): never };

const cases = Object.entries(functions).flatMap(([name, func]) =>
  kinds.flatMap(({ field, constant, fits, others }) =>
    typed(field, constant)
      // A constant that is a text is a decimal in arithmetic; the greatest of texts is a text.
      .filter(([what]) => !(what === "a constant" && field === "price" && /est$|st$/.test(name)))
      .flatMap(([what, operand]) =>
        [
          [operand, param("p")],
          [param("p"), operand],
        ].map((operands, i) => ({
          title: `${name}: ${what} ${field} ${i === 0 ? "before" : "after"} the parameter`,
          func: func as unknown as Untyped,
          operands,
          fits,
          others,
        })),
      ),
  ),
);

test.each(cases)("$title", async ({ func, operands, fits, others }) => {
  const query = db
    .repository(Amount)
    .select()
    .fields(func(...operands).as("r"));
  const exec = Reflect.get(query, "exec") as (params: object) => Promise<object>;
  const run = (p: unknown) => exec.call(query, { p });
  expect(Object.keys(await run(fits))).toEqual(["r"]);
  for (const other of others) expect((await sqlErrorOf(run(other))).code, String(other)).toBe("PARAM_TYPE");
});

test.each(Object.entries(functions))(
  "%s of parameters alone says that they have no type, once",
  (_, func) => {
    const none = (func as unknown as Untyped)(param("p"), param("q")).as("r");
    const error = sqlErrorIn(() => db.repository(Amount).select().fields(none).build());
    expect(error.code).toBe("INVALID_CONDITION");
    expect(error.message).toMatch(/schema/);
  },
);

test.each(Object.entries(functions))("%s of an unknown field names it and nothing else", (_, func) => {
  const wrong = (func as unknown as Untyped)("nothing", param("p")).as("r");
  const error = sqlErrorIn(() => db.repository(Amount).select().fields(wrong).build());
  expect((error as BuildError).problems.map(({ code }) => code)).toEqual(["INVALID_FIELD"]);
});
