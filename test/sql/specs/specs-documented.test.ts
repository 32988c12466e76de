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

/** Whether a builder takes a spec. */
function isTaken(things: Untyped, kind: "query" | "select", spec: object): boolean {
  try {
    things[`${kind}FromSpec`](spec).render();
    return true;
  } catch (error) {
    if (error instanceof BuildError || error instanceof UnsupportedError) return false;
    throw error;
  }
}

describe.each(Object.entries(repositories))("conditions on %s", (dialect, things) => {
  const built = new Map(conditions.map((one) => [one, isTaken(things, "query", { where: [one] })]));

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

const directions = ["asc", "desc", "ASC", undefined];
const nulls = [
  {},
  { nulls: "first" },
  { nulls: "LAST" },
  { nulls_first: true },
  { nulls_last: false },
  { nulls: 1 },
];
const terms: readonly object[] = [...fields, "total"].flatMap((field) =>
  directions.flatMap((direction) =>
    [...nulls, { operator: "<->", param: "p" }, { operator: "<=>" }, { operator: "=", param: "p" }].map(
      (more) => ({
        field,
        ...(direction === undefined ? {} : { direction }),
        ...more,
      }),
    ),
  ),
);
const distances = [
  "place <-> :p",
  " place  <+>  :p ",
  "place <=> :1p",
  "place <> :p",
  "id <#> :p",
  ":p <-> place",
  "",
];
const modes = ["update", "no_key_update", "share", "key_share", "none", "UPDATE", 1];
const waits = [
  {},
  { skip_locked: true },
  { no_wait: true },
  { skip_locked: false, no_wait: true },
  { wait: 1 },
];
const functions = ["count", "sum", "count_distinct", "median"];
const aggregate = { func: "count", field: "*", alias: "total" };

/** Parts of a spec with what they need beside them. */
const parts: readonly object[] = [
  ...terms.map((term) => ({ order_by: [term] })),
  ...distances.map((expression) => ({ order_by: [{ expression, direction: "asc" }] })),
  { order_by: [] },
  ...fields.flatMap((field) => [
    { fields: [field], group_by: [field] },
    { fields: [field], distinct_on: [field], order_by: [{ field, direction: "asc" }] },
    { fields: [field], distinct: true },
    { fields: [field] },
    ...functions.flatMap((func) => [
      { fields: [{ func, field, alias: "total" }] },
      {
        fields: ["name", aggregate],
        group_by: ["name"],
        having_agg: [{ func, field, operator: ">", param: "p" }],
      },
    ]),
  ]),
  { fields: ["id", "name"], group_by: ["id", "name"] },
  { fields: ["id"], group_by: [] },
  { fields: ["id"], distinct_on: [] },
  { fields: ["id"], distinct: 1 },
  { fields: [] },
  { fields: [aggregate] },
  { fields: [{ func: "count", alias: "total" }] },
  { fields: [{ func: "count", alias: "to tal" }] },
  ...operators.flatMap((operator) =>
    ["p", 1].map((param) => ({
      fields: ["name", aggregate],
      group_by: ["name"],
      having: [{ field: "total", operator, param }],
    })),
  ),
];
const locks: readonly object[] = modes.flatMap((mode) => [
  { for_locking: mode },
  ...waits.map((wait) => ({ for_locking: { mode, ...wait } })),
]);

describe.each(Object.entries(repositories))("the other parts of a query on %s", (dialect, things) => {
  const compared = (kind: "query" | "select", specs: readonly object[], options: object) => {
    const { [kind]: schema } = things["specs"](options);
    const isDocumented = documented(schema);
    const count = { taken: 0, refused: 0 };
    const differing = specs.flatMap((spec) => {
      const expected = isTaken(things, kind, spec);
      count[expected ? "taken" : "refused"]++;
      const { success, error } = schema.safeParse(spec);
      const code = error?.issues[0]?.params?.code;
      // A schema of JSON knows each part alone: not which function fits which field, nor what is grouped.
      const isRight = success ? isDocumented(spec) : !isDocumented(spec) || code !== undefined;
      return success === expected && isRight
        ? []
        : [[spec, { success, expected, isRight }, error?.issues[0]?.message]];
    });
    return { count, differing: differing.slice(0, 5) };
  };

  test("is what the schema and its document accept", () => {
    const { count, differing } = compared("query", parts, { regex: true });
    expect(differing).toEqual([]);
    expect(Math.min(count.taken, count.refused)).toBeGreaterThan(50);
  });

  test("locks are those of the dialect, for whom they are allowed", () => {
    for (const kind of ["query", "select"] as const) {
      const flags = dialect === "sqlite" ? [] : [true, false, 1].map((for_update) => ({ for_update }));
      // Whether Oracle can pass over locked rows with a limit is known with the parameters of a call.
      const isLater = (lock: object) =>
        kind === "select" && dialect === "oracle" && /skip_locked":true/.test(JSON.stringify(lock));
      const all = [...locks.filter((lock) => !isLater(lock)), ...flags];
      expect(compared(kind, all, { locks: true }).differing).toEqual([]);
      const { [kind]: without } = things["specs"]({});
      for (const spec of all) expect([spec, without.safeParse(spec).success]).toEqual([spec, false]);
      expect(Object.keys(things["specs"]({ locks: true })[kind].shape).includes("for_locking")).toBe(
        dialect !== "sqlite",
      );
    }
  });

  test("keys and operators are those that the visible fields and the options give", () => {
    const keysOf = (options: object) => Object.keys(things["specs"](options).query.shape);
    const having = ["having", "having_agg"];
    const groups = dialect === "postgres" ? ["group_by", "distinct_on"] : ["group_by"];
    const has = (options: object, keys: readonly string[]) =>
      keys.map((key) => keysOf(options).includes(key));
    const all = (keys: readonly string[], is: boolean) => keys.map(() => is);
    expect(has({}, [...having, ...groups])).toEqual(all([...having, ...groups], true));
    expect(keysOf({}).includes("distinct_on")).toBe(dialect === "postgres");
    expect(has({ operators: [] }, having)).toEqual(all(having, false));
    expect(has({ aggregates: [] }, having)).toEqual(all(having, false));
    // What Oracle cannot compare can be selected, but neither grouped nor ordered.
    const large = { fields: ["settings", "bytes"] };
    expect(has(large, groups)).toEqual(all(groups, dialect !== "oracle"));
    for (const key of ["with", "joins", "for_locking"]) expect(keysOf({})).not.toContain(key);
    const operatorsOf = (options: object) =>
      things["specs"](options).query.shape["having"].unwrap().element.shape.operator
        .options as readonly string[];
    expect(operatorsOf({ fields: ["id"] })).toEqual(expect.not.arrayContaining(["LIKE"]));
    expect(operatorsOf({ fields: ["name"] })).toEqual(expect.arrayContaining(["LIKE", ">"]));
    // Groups are sorted by what they are grouped by, and by the names of aggregates.
    const ordered = { order_by: [{ field: "total", direction: "asc" }], fields: [aggregate] };
    for (const options of [{ fields: ["id"] }, large])
      expect(things["specs"](options).query.safeParse(ordered).success).toBe(true);
  });

  if (dialect === "postgres")
    test("a distance as a text has its form in the document, too", () => {
      const { query } = things["specs"]({});
      const isDocumented = documented(query);
      const spec = (expression: string) => ({ order_by: [{ expression, direction: "asc" }] });
      const blanks = ["", " ", "  ", "\t\n"];
      for (const operator of ["<->", "<#>", "<=>", "<+>", "<*>", "<->>"])
        for (const [i, before] of blanks.entries())
          for (const [j, between] of blanks.entries()) {
            const last = blanks[(i + j) % blanks.length] ?? "";
            for (const [start, end] of [
              ["", ""],
              ["x ", ""],
              ["", "x"],
              ["", " x"],
              ["", "-"],
            ] as const) {
              const text = `${start}${before}place${between}${operator}${last}:p_1${before}${end}`;
              const isKnown = operator.length === 3 && operator !== "<*>";
              const isForm = isKnown && between !== "" && last !== "" && start === "";
              const isRight = isForm && (end === "" || (end === "x" && before === ""));
              expect([text, query.safeParse(spec(text)).success]).toEqual([text, isRight]);
              expect([text, isDocumented(spec(text))]).toEqual([text, isRight]);
            }
          }
    });
});
