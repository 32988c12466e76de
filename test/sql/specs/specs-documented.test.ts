/**
 * Every form of a part of a spec on every kind of field, right and wrong: the schema accepts what the builder accepts and
 * the permissions allow, and its JSON Schema accepts what it accepts. Each dialect has operators, locks and groups of its own.
 */
import { Ajv2020 } from "ajv/dist/2020.js";
import { BuildError, column, json, table, UnsupportedError, vector } from "rowtype";
import { mariadb } from "rowtype/mariadb";
import { oracle } from "rowtype/oracle";
import { postgres } from "rowtype/postgres";
import { sqlite } from "rowtype/sqlite";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import type { Untyped } from "../../kit/spec-methods.js";

const common = {
  id: column(z.int(), { primaryKey: true }),
  name: z.string(),
  isDone: z.boolean(),
  at: z.date().nullable(),
  bytes: z.instanceof(Uint8Array),
  settings: json(z.object({ a: z.string() })),
};
const Plain = table("things", z.object(common));
const WithVectors = table("things", z.object({ ...common, place: vector(3) }));
const fields = [...Object.keys(common), "place", "none"];

const repositories: Readonly<Record<string, Untyped>> = {
  postgres: postgres().repository(WithVectors),
  mariadb: mariadb().repository(Plain),
  sqlite: sqlite().repository(Plain),
  oracle: oracle().repository(Plain),
};

const operators = [
  ...[
    "=",
    "!=",
    "<",
    ">=",
    "IN",
    "NOT IN",
    "LIKE",
    "NOT ILIKE",
    "CONTAINS",
    "IENDS WITH",
    "~",
    "!~*",
    "@>",
    "&&",
  ],
  ...["IS NULL", "IS NOT NULL", "BETWEEN", "NOT BETWEEN", "<->", "==", "", 7, undefined],
];
const operands: readonly object[] = [
  {},
  { param: "p" },
  { param: "1p" },
  { param: 1 },
  { right_field: "id" },
  { right_field: "name" },
  { right_field: "none" },
  { low_param: "a", high_param: "b" },
  { low_param: "a" },
  { is_null: true },
  { is_null: false },
  { param: "p", is_null: false },
  { param: "p", is_null: true },
  { param: "p", optional: true },
  { low_param: "a", high_param: "b", optional: false },
  { right_field: "id", optional: true },
  { is_null: true, optional: true },
  { param: "p", optional: 1 },
  { param: "p", right_field: "id" },
];
const conditions = fields.flatMap((field) =>
  operators.flatMap((operator) =>
    operands.map((operand) => ({ field, ...(operator === undefined ? {} : { operator }), ...operand })),
  ),
);

const isRegex = (operator: unknown) => /^!?~\*?$/.test(String(operator));

/** What JSON Schema says of the same, without a word about formats. */
function documented(schema: z.ZodType): (spec: object) => boolean {
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  return ajv.compile(z.toJSONSchema(schema, { io: "input" }));
}

describe.each(Object.entries(repositories))("conditions on %s", (dialect, things) => {
  const isBuilt = (where: readonly object[]) => {
    try {
      things["queryFromSpec"]({ where }).render();
      return true;
    } catch (error) {
      if (error instanceof BuildError || error instanceof UnsupportedError) return false;
      throw error;
    }
  };
  const built = new Map(conditions.map((one) => [one, isBuilt([one])]));

  test("are accepted by the builder in the number that its operators and kinds make", () => {
    // The forms would not tell anything if none of them, or all, were right.
    const count = [...built.values()].filter(Boolean).length;
    expect(count).toBeGreaterThan(dialect === "oracle" ? 50 : 100);
    expect(count).toBeLessThan(conditions.length / 5);
  });

  test.each([
    ["all operators", {}, () => true],
    ["regular expressions too", { regex: true }, () => true],
    ["no operator", { operators: [] }, () => false],
    ["equality alone", { operators: ["="] }, (one: unknown) => one === "="],
    ["tests for NULL alone", { operators: ["IS NULL"] }, (one: unknown) => one === "IS NULL"],
    [
      "tests for what is not NULL alone",
      { operators: ["IS NOT NULL"] },
      (one: unknown) => one === "IS NOT NULL",
    ],
    ["ranges alone", { operators: ["NOT BETWEEN"] }, (one: unknown) => one === "NOT BETWEEN"],
    [
      "lists and texts",
      { operators: ["IN", "CONTAINS"] },
      (one: unknown) => one === "IN" || one === "CONTAINS",
    ],
  ])("with %s are what the schema and its document accept", (_name, options, isAllowed) => {
    const { query } = things["specs"](options);
    const isDocumented = documented(query);
    const differing: unknown[] = [];
    let wrongOnes = 0;
    for (const [condition, isRight] of built) {
      // Most are wrong: with all operators all of them are looked at, and then some.
      if (!isRight && wrongOnes++ % 9 > 0 && Object.keys(options).length > 0) continue;
      const operator =
        "operator" in condition ? condition.operator : "is_null" in condition ? "IS NULL" : undefined;
      const expected = isRight && isAllowed(operator) && ("regex" in options || !isRegex(operator));
      const spec = { where: [condition] };
      const { success, error } = query.safeParse(spec);
      if (success !== expected) differing.push([condition, success, error?.issues[0]?.message]);
      // A schema of JSON does not say which operator fits which field.
      if (success && !isDocumented(spec)) differing.push([condition, "is not documented"]);
      if (
        !success &&
        isDocumented(spec) &&
        !/INVALID_OPERATOR|INVALID_FIELD/.test(String(error?.issues[0]?.params?.code))
      )
        differing.push([condition, "is documented", error?.issues]);
    }
    expect(differing.slice(0, 5)).toEqual([]);
  });
});
