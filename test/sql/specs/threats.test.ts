/**
 * The threats against SQL text and specs, by number: what is sent, and that nothing comes of it but a coded error that
 * names the place. `hostile.test.ts` holds those that need rows; its tests bear the same numbers.
 */
import Sqlite from "better-sqlite3";
import {
  BuildError,
  and as both,
  column,
  c as condition,
  type Database,
  type Dialect,
  fn,
  on,
  type SqlError,
  table,
  UnsupportedError,
} from "rowtype";
import { mariadb } from "rowtype/mariadb";
import { oracle } from "rowtype/oracle";
import { postgres } from "rowtype/postgres";
import { sqlite } from "rowtype/sqlite";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { hostileWords } from "../../kit/hostile-edits.js";
import { createPeople, Person, Team } from "../../kit/people.js";
import { fromSpec, peopleOf, type Untyped } from "../../kit/spec-methods.js";
import { sqlErrorIn, sqlErrorOf } from "../../kit/thrown.js";
import { expectCost } from "../../stopwatch.js";

const databases: Readonly<Record<Dialect, Database>> = {
  sqlite: sqlite() as unknown as Database,
  postgres: postgres() as unknown as Database,
  mariadb: mariadb() as unknown as Database,
  oracle: oracle() as unknown as Database,
};
const dialects = ["sqlite", "postgres", "mariadb", "oracle"] as const;
const others = ["sqlite", "mariadb", "oracle"] as const;
const { count, upper, sum, rowNumber, lag, coalesce, caseWhen, cast } = fn as Untyped as Record<
  string,
  Untyped
>;
const people: Untyped = peopleOf(databases.postgres);
const leaf = { field: "id", operator: "=", param: "id" };
const order = { field: "id", direction: "asc" };

/** A spec with something of an attacker at one place, which the error must name. */
type Planted = readonly [place: string, kind: string, spec: object];

/** A word in place of a field, everywhere in specs. */
const asField = (word: unknown): readonly Planted[] => [
  ["fields[0]", "query", { fields: [word] }],
  ["where[0].field", "query", { where: [{ ...leaf, field: word }] }],
  ["where[0].field", "query", { where: [{ field: word, is_null: true }] }],
  [
    "where[0].field",
    "count",
    { where: [{ field: word, operator: "BETWEEN", low_param: "a", high_param: "b" }] },
  ],
  ["where[0].right_field", "query", { where: [{ field: "id", operator: "=", right_field: word }] }],
  ["where[0].group[0].field", "remove", { where: [{ logic: "OR", group: [{ ...leaf, field: word }] }] }],
  ["order_by[0].field", "query", { order_by: [{ field: word, direction: "asc" }] }],
  [
    "order_by[0].field",
    "select",
    { order_by: [{ field: word, operator: "<->", param: "p", direction: "asc" }] },
  ],
  ["group_by[0]", "query", { fields: ["id"], group_by: [word] }],
  [
    "having_agg[0].field",
    "query",
    {
      fields: ["id"],
      group_by: ["id"],
      having_agg: [{ func: "max", field: word, operator: "=", param: "p" }],
    },
  ],
  [
    "having[0].field",
    "query",
    { fields: ["id"], group_by: ["id"], having: [{ field: word, operator: "=", param: "p" }] },
  ],
  ["fields[0].field", "query", { fields: [{ func: "max", field: word, alias: "x" }] }],
  ["distinct_on[0]", "query", { distinct_on: [word] }],
  ["field", "sum", { field: word }],
  ["on_conflict[0]", "insert", { on_conflict: [word], conflict_action: "nothing" }],
  ["base.fields[0]", "compound", { base: { fields: [word] }, operands: [{ operation: "union", query: {} }] }],
  [
    "operands[0].query.where[0].field",
    "compound",
    { base: {}, operands: [{ operation: "union", query: { where: [{ ...leaf, field: word }] } }] },
  ],
  [
    "order_by[0].field",
    "compound",
    { base: {}, operands: [{ operation: "union", query: {} }], order_by: [{ ...order, field: word }] },
  ],
];

/** A word as a key of what is set: only text can be one. */
const asKey = (word: string): readonly Planted[] => [
  ["set", "modify", { set: { [word]: "p" }, where: [leaf] }],
  ["set_expr", "modify", { set_expr: { [word]: { operator: "+", param: "p" } }, where: [leaf] }],
  [
    "conflict_set",
    "insert",
    { on_conflict: ["id"], conflict_action: "update", conflict_set: { [word]: "p" } },
  ],
];

/** The error of a spec that must be refused, with the path that it names. */
function refusal(
  dialect: Dialect,
  [, kind, spec]: Planted,
): SqlError & { readonly problems?: readonly { path?: string }[] } {
  return sqlErrorIn(() => fromSpec(peopleOf(databases[dialect]), { kind, spec }).render());
}

function expectRefused(dialect: Dialect, planted: Planted, codes: RegExp): void {
  const error = refusal(dialect, planted);
  expect(error.message.length).toBeLessThan(300);
  if (error instanceof UnsupportedError) return;
  expect(error).toBeInstanceOf(BuildError);
  expect(error.code).toMatch(codes);
  const paths = error.problems?.map(({ path = "" }) => path) ?? [];
  expect(
    paths.some((path) => path.startsWith(planted[0])),
    `${planted[0]} in ${paths.join(" ")}`,
  ).toBe(true);
}

describe.each(dialects)("names in specs on %s", (dialect) => {
  const quotes = hostileWords.filter((word) => /["`[\]';]/.test(word));
  const numbered: readonly [number: number, what: string, words: readonly string[]][] = [
    [1, "fields that break out of quotes", quotes],
    [3, "the name of a column that is declared under another", ["email_address", "born_at", "team_id"]],
    [
      4,
      "columns that servers have by themselves",
      ["rowid", "oid", "_rowid_", "ctid", "xmin", "ROWNUM", "ROWID"],
    ],
    [5, "members of prototypes", ["__proto__", "constructor", "toString", "hasOwnProperty", "valueOf"]],
    [
      12,
      "keys and paths into JSON",
      ["settings.theme", "settings->>'theme'", "settings[0]", 'settings"."theme', "settings.*", "settings\\"],
    ],
    [24, "comments", ["id/*! OR 1=1 */", "id#", "id--", "id -- ", "/**/id"]],
  ];

  test.each(numbered)("threat %i: %s, in every place", (_, __, words) => {
    for (const word of words) {
      for (const planted of asField(word)) expectRefused(dialect, planted, /^INVALID_(FIELD|OPERATOR)$/);
      for (const planted of asKey(word)) expectRefused(dialect, planted, /^INVALID_(FIELD|SPEC)$/);
    }
  });

  test("lists, objects and other values in the place of text", () => {
    for (const word of [["id"], { toString: () => "id" }, 5, true, null, [["id"]], { field: "id" }])
      for (const planted of asField(JSON.parse(JSON.stringify(word)))) {
        const { code } = refusal(dialect, planted);
        expect(code).toMatch(/^(INVALID_(FIELD|SPEC|AGGREGATE|OPERATOR)|UNSUPPORTED)$/);
      }
  });
});

describe("names with a quote that are not fields", () => {
  const words = [
    'x"',
    'x" FROM secrets --',
    "x`",
    "x'",
    "x]",
    "x y",
    "x;",
    "1x",
    "",
    "\u00e9",
    "x".repeat(64),
  ];

  test("aliases, in every form", () => {
    for (const alias of words) {
      const planted: Planted = ["fields[0].alias", "query", { fields: [{ func: "count", alias }] }];
      for (const dialect of dialects) expectRefused(dialect, planted, /^INVALID_FIELD$/);
      for (const make of [
        count(),
        upper("name"),
        rowNumber().over(),
        coalesce("age", "p"),
        cast("age", "text"),
      ])
        expect(sqlErrorIn(() => people.query().fields(make.as(alias)).render())).toMatchObject({
          code: "INVALID_FIELD",
          problems: [{ path: "fields[0].alias" }],
        });
    }
  });

  test("parameters", () => {
    for (const param of words)
      for (const [place, kind, spec] of [
        ["where[0].param", "query", { where: [{ ...leaf, param }] }],
        ["limit_param", "query", { limit_param: param }],
        [
          "offset_param",
          "compound",
          { base: {}, operands: [{ operation: "union", query: {} }], offset_param: param },
        ],
        ["set.age", "modify", { set: { age: param }, where: [leaf] }],
        ["set_expr.age.param", "modify", { set_expr: { age: { operator: "+", param } }, where: [leaf] }],
        [
          "conflict_set.age",
          "insert",
          { on_conflict: ["id"], conflict_action: "update", conflict_set: { age: param } },
        ],
      ] as const)
        expectRefused("postgres", [place, kind, spec], /^INVALID_PARAM$/);
  });

  test("tables and their SQL schemas are quoted, for any name", () => {
    const Odd = table('o"; DROP TABLE people; --', z.object({ id: column(z.int(), { primaryKey: true }) }), {
      schema: 's"; DROP SCHEMA s; --',
    });
    for (const dialect of ["sqlite", "postgres"] as const)
      expect(databases[dialect].repository(Odd).query().render().sql).toBe(
        'SELECT "id" FROM "s""; DROP SCHEMA s; --"."o""; DROP TABLE people; --"',
      );
    expect(databases.mariadb.repository(Odd).query().render().sql).toBe(
      'SELECT `id` FROM `s"; DROP SCHEMA s; --`.`o"; DROP TABLE people; --`',
    );
    // Oracle has no quote in a quoted name at all.
    expect(sqlErrorIn(() => databases.oracle.repository(Odd))).toMatchObject({ code: "UNSUPPORTED" });
  });
});

describe("a hidden column is not a field for a client", () => {
  test.each(dialects)("in every place, on %s", (dialect) => {
    const schemas = (databases[dialect].repository(Person) as Untyped).specs({ fields: ["id", "name"] });
    const schemaOf = (kind: string) => schemas[["count", "sum"].includes(kind) ? "aggregate" : kind];
    for (const word of ["email", "balance", "settings"])
      for (const [, kind, spec] of [...asField(word), ...asKey(word)])
        expect(schemaOf(kind).safeParse(spec).success, JSON.stringify(spec)).toBe(false);
    // As the value of another field, or under its name.
    const takes = { on_conflict: ["id"], conflict_action: "update", conflict_set: { name: "email" } };
    expect(schemas.insert.safeParse(takes).success).toBe(false);
    expect(schemas.query.safeParse({ fields: [{ func: "count", alias: "email" }] }).success).toBe(false);
  });
});

describe("parameters with the names of prototype members", () => {
  test.each(["constructor", "toString", "__proto__", "hasOwnProperty"])(
    "%s is missing if it is not given",
    async (name) => {
      const byName = fromSpec(people, { kind: "query", spec: { where: [{ ...leaf, param: name }] } });
      for (const params of [{}, undefined, JSON.parse("{}"), Object.create({ [name]: 1 })])
        expect(await sqlErrorOf(byName.exec(params))).toMatchObject({ code: "MISSING_PARAM", param: name });
      const given = JSON.parse(`{"${name}":1}`);
      expect(await sqlErrorOf(byName.exec(given))).toMatchObject({ code: "NO_CONNECTION" });
    },
  );
});

describe("words of SQL in specs", () => {
  const directions = [
    "asc; DROP TABLE people",
    "ASC",
    "Desc",
    "asc NULLS FIRST",
    "a\u017fc",
    "de\u017fc",
    "asc --",
    "",
    " asc",
    1,
    null,
    ["asc"],
    {},
  ];
  const operators = [
    "=; DROP TABLE people",
    "= 1 OR 1",
    "==",
    "<=>",
    "IN (SELECT 1)",
    "like",
    "Like",
    "L\u0131KE",
    "LI\u212aE",
    "NOT  IN",
    "\u003e\u200b",
    "\uff1d",
    "IS",
    "OPERATOR(pg_catalog.=)",
    "~~",
    "REGEXP",
    "GLOB",
    "constructor",
    "__proto__",
    "",
    null,
    ["="],
    {},
    0,
  ];

  test("a direction is one of two", () => {
    for (const direction of directions) {
      expectRefused(
        "postgres",
        ["order_by[0].direction", "query", { order_by: [{ field: "id", direction }] }],
        /^INVALID_DIRECTION$/,
      );
      const window = { orderBy: [["id", direction]] };
      expect(
        sqlErrorIn(() => people.query().fields(rowNumber().over(window).as("x")).render()),
      ).toMatchObject({ code: "INVALID_DIRECTION" });
      expect(
        sqlErrorIn(() => people.query().union(people.query()).orderBy("id", direction).render()),
      ).toMatchObject({ code: "INVALID_DIRECTION" });
    }
    for (const nulls of ["first; --", "FIRST", "last)", 1, {}])
      expectRefused(
        "postgres",
        ["order_by[0].nulls", "query", { order_by: [{ ...order, nulls }] }],
        /^INVALID_NULLS$/,
      );
  });

  test.each(dialects)("an operator is one of the list, on %s", (dialect) => {
    for (const operator of operators) {
      expectRefused(
        dialect,
        ["where[0].operator", "query", { where: [{ ...leaf, operator }] }],
        /^INVALID_OPERATOR$/,
      );
      expectRefused(
        dialect,
        [
          "where[0].operator",
          "query",
          { where: [{ field: "id", operator, low_param: "a", high_param: "b" }] },
        ],
        /^INVALID_OPERATOR$/,
      );
      expectRefused(
        dialect,
        ["where[0].operator", "query", { where: [{ field: "id", operator, right_field: "age" }] }],
        /^INVALID_OPERATOR$/,
      );
      expectRefused(
        dialect,
        ["set_expr.age.operator", "modify", { set_expr: { age: { operator, param: "p" } }, where: [leaf] }],
        /^INVALID_OPERATOR$/,
      );
      const grouped = { fields: ["id", { func: "count", alias: "n" }], group_by: ["id"] };
      expectRefused(
        dialect,
        ["having[0].operator", "query", { ...grouped, having: [{ field: "n", operator, param: "p" }] }],
        /^INVALID_OPERATOR$/,
      );
      expectRefused(
        dialect,
        [
          "having_agg[0].operator",
          "query",
          { ...grouped, having_agg: [{ func: "count", field: "*", operator, param: "p" }] },
        ],
        /^INVALID_OPERATOR$/,
      );
    }
    for (const func of ["COUNT", "median", "count(*)", "sum); --", "constructor", null, ["sum"]])
      expectRefused(
        dialect,
        ["fields[0].func", "query", { fields: [{ func, field: "age", alias: "x" }] }],
        /^INVALID_AGGREGATE$/,
      );
  });

  test.each(others)("features of PostgreSQL only are refused on %s, by name", (dialect) => {
    const mine = peopleOf(databases[dialect]);
    for (const [spec, feature] of [
      [{ where: [{ field: "name", operator: "~", param: "p" }] }, "regular expression operators"],
      [
        { where: [{ logic: "OR", group: [{ field: "tags", operator: "&&", param: "p" }] }] },
        "array operators",
      ],
      [{ distinct_on: ["id"] }, "DISTINCT ON"],
      [{ for_locking: "key_share" }, undefined],
    ] as const) {
      const error = sqlErrorIn(() => mine.queryFromSpec(spec).build());
      expect(error).toBeInstanceOf(UnsupportedError);
      expect(error).toMatchObject({
        dialect,
        hint: expect.any(String),
        ...(feature === undefined ? {} : { feature }),
      });
    }
  });

  test("an expression is a field of vectors, an operator, a parameter", () => {
    for (const expression of [
      "lower(name)",
      "CASE WHEN 1=1 THEN id END",
      "(SELECT password FROM users)",
      "id <-> :p -- ",
      "id <-> :p, (SELECT 1)",
      "id/**/<->/**/:p",
      "id <-> :p; DROP TABLE people",
      "id <-> $1",
      "id = :p",
      '"id" <-> :p',
      "",
      5,
      {},
    ])
      expectRefused(
        "postgres",
        ["order_by[0]", "query", { order_by: [{ expression, direction: "asc" }] }],
        /^INVALID_(SPEC|FIELD|OPERATOR)$/,
      );
    const both = { expression: "id <-> :p", field: "id", direction: "asc" };
    expectRefused("postgres", ["order_by[0]", "query", { order_by: [both] }], /^INVALID_/);
  });

  test("set maps each allowed field to one parameter, without duplicates", () => {
    for (const [set, code] of [
      [{ age: "now()" }, "INVALID_PARAM"],
      [{ age: "CURRENT_TIMESTAMP--" }, "INVALID_PARAM"],
      [{ age: "1" }, "INVALID_PARAM"],
      [{ age: 1 }, "INVALID_PARAM"],
      [{ age: null }, "INVALID_PARAM"],
      [{ age: { sql: "now()" } }, "INVALID_PARAM"],
      [{ 'age" = 1, "role': "p" }, "INVALID_FIELD"],
      [{ age: "p", isAdmin: "p" }, "INVALID_FIELD"],
      [["age"], "INVALID_SPEC"],
      ["age = 1", "INVALID_SPEC"],
    ] as const)
      expectRefused("postgres", ["set", "modify", { set, where: [leaf] }], new RegExp(code));
    const twice = { set: { age: "a" }, set_expr: { age: { operator: "+", param: "b" } }, where: [leaf] };
    expectRefused("postgres", ["set_expr.age", "modify", twice], /^INVALID_FIELD$/);
    const schemas = people.specs({ fields: ["id", "name"] });
    expect(schemas.modify.safeParse({ set: { name: "n", role: "r" }, where: [leaf] }).success).toBe(false);
  });

  test("arithmetic never forms a comment with a sign", () => {
    for (const dialect of dialects) {
      const subtract = peopleOf(databases[dialect])
        .modify()
        .setExpr("age", "-", "n")
        .setExpr("score", "/", "m")
        .where("id", "=", "id");
      const { sql } = subtract.render().native;
      expect(sql).toMatch(/ - (?:CAST\()?[?$:]/);
      expect(sql).not.toMatch(/--|\/\*|#/);
    }
  });
});

describe("shapes of specs", () => {
  const from = (kind: string, spec: unknown) => sqlErrorIn(() => fromSpec(people, { kind, spec }).render());

  test("markers of raw SQL are unknown keys", () => {
    for (const raw of [
      { sql: "1 = 1", __raw: true },
      { raw: "1 = 1" },
      { $expr: "1 = 1" },
      { toSQL: "x" },
      { what: "expressions", node: {}, alias: "x" },
    ]) {
      expect(from("query", { where: [raw] }).code).toMatch(/^INVALID_(SPEC|CONDITION)$/);
      expect(from("query", { fields: [raw] }).code).toBe("INVALID_SPEC");
      expect(from("query", { order_by: [raw] }).code).toBe("INVALID_SPEC");
      expect(from("modify", { set: { age: raw }, where: [leaf] }).code).toBe("INVALID_PARAM");
      expect(from("query", { where: [{ ...leaf, param: raw }] }).code).toBe("INVALID_PARAM");
    }
  });

  test.each([
    ["query", { unions: [] }, "unions"],
    ["query", { joins: [{ relation: "team", on: "1 = 1" }] }, "joins[0].on"],
    ["query", { table: "secrets" }, "table"],
    ["query", { from: "secrets" }, "from"],
    ["query", { returning: ["*"] }, "returning"],
    ["query", { for_update: true }, "for_update"],
    ["select", { limit: 5 }, "limit"],
    ["select", { where: [{ ...leaf, schema: "x" }] }, "where[0].schema"],
    ["query", { order_by: [{ ...order, collate: "C" }] }, "order_by[0].collate"],
    ["query", { fields: [{ func: "count", alias: "n", distinct: true }] }, "fields[0].distinct"],
    ["query", { for_locking: { mode: "update", of: "x" } }, "for_locking.of"],
    ["insert", { values: {} }, "values"],
    ["modify", { set: { age: "a" }, where: [leaf], limit: 1 }, "limit"],
    ["remove", { where: [leaf], using: "x" }, "using"],
    ["count", { where: [leaf], group_by: ["id"] }, "group_by"],
    ["compound", { base: {}, operands: [{ operation: "union", query: {}, all: true }] }, "operands[0].all"],
    ["compound", { base: {}, operands: [{ operation: "union", query: {} }], where: [leaf] }, "where"],
  ])("an unknown key of a %s spec is refused: %j", (kind, spec, path) => {
    const error = from(kind, spec) as BuildError;
    expect(error).toMatchObject({ code: "INVALID_SPEC" });
    expect(error.problems[0]?.path).toBe(path);
  });

  test.each([
    ["a leaf that is a group", { ...leaf, logic: "AND", group: [leaf] }],
    ["an empty group", { logic: "AND", group: [] }],
    ["a group without logic", { group: [leaf] }],
    ["a logic without a group", { logic: "OR" }],
    ["a logic of its own", { logic: "OR 1=1 OR", group: [leaf] }],
    ["a group that is text", { logic: "OR", group: "1=1" }],
    ["a group that is an object", { logic: "OR", group: { 0: leaf } }],
    ["a comparison that is a null test", { ...leaf, is_null: true }],
    ["a null test with a parameter", { field: "id", operator: "IS NULL", param: "p" }],
    ["a null test that is none", { field: "id", is_null: false }],
    ["a range with one end", { field: "id", operator: "BETWEEN", low_param: "a" }],
    ["a range by another operator", { field: "id", operator: "=", low_param: "a", high_param: "b" }],
    ["an operator alone", { field: "id", operator: "=" }],
    ["a field alone", { field: "id" }],
    ["nothing", {}],
    ["text", "1 = 1"],
    ["a list", [leaf]],
    ["null", null],
  ])("%s is not a condition", (_, condition) => {
    for (const [kind, spec] of [
      ["query", { where: [condition] }],
      ["remove", { where: [leaf, condition] }],
      ["count", { where: [{ logic: "AND", group: [leaf, condition] }] }],
      ["compound", { base: {}, operands: [{ operation: "except", query: { where: [condition] } }] }],
    ] as const)
      expect(from(kind, spec).code).toMatch(/^INVALID_(CONDITION|SPEC|FIELD|OPERATOR|PARAM)$/);
    expect(people.specs().query.safeParse({ where: [condition] }).success).toBe(false);
  });

  test("depth and number are limited, and refused quickly", async () => {
    const nested = (levels: number) => {
      let condition: object = leaf;
      for (let i = 0; i < levels; i++) condition = { logic: "AND", group: [condition] };
      return { where: [condition] };
    };
    const many = (conditions: number) => ({ where: Array.from({ length: conditions }, () => ({ ...leaf })) });
    const { query } = people.specs();
    expect(query.safeParse(nested(8)).success).toBe(true);
    expect(query.safeParse(many(64)).success).toBe(true);
    for (const spec of [nested(9), nested(100_000), many(65), many(50_000)]) {
      const { success } = await expectCost(100, () => query.safeParse(spec));
      expect(success).toBe(false);
    }
    expect(from("query", nested(101)).code).toBe("INVALID_CONDITION");
    expect(from("query", nested(100_000)).code).toBe("INVALID_SPEC");
    expect(() => fromSpec(people, { kind: "query", spec: nested(100) }).render()).not.toThrow();
  });

  test("a limit is a whole number from 0", () => {
    for (const bad of [
      -1,
      "10",
      1e21,
      Number.NaN,
      Number.POSITIVE_INFINITY,
      2 ** 53,
      1.5,
      null,
      true,
      [1],
      {},
      "1; --",
    ])
      for (const key of ["limit", "offset"]) {
        expect(from("query", { [key]: bad }).code).toBe("INVALID_PARAM");
        const spec = { base: { [key]: bad }, operands: [{ operation: "union", query: {} }] };
        expect(from("compound", spec).code).toBe("INVALID_PARAM");
        expect(people.specs().query.safeParse({ [key]: bad }).success).toBe(false);
      }
    for (const dialect of dialects)
      expect(peopleOf(databases[dialect]).queryFromSpec({ limit: -0, offset: 0 }).render().sql).not.toContain(
        "-",
      );
  });

  test("an empty spec selects the allowed fields, up to the default limit", () => {
    const { query, select, compound } = people.specs({ fields: ["id", "name"], maxLimit: 20 });
    const text = (kind: string, spec: unknown) => fromSpec(people, { kind, spec }).render().sql;
    expect(text("query", query.parse({}))).toBe('SELECT "id", "name" FROM "people" LIMIT 20');
    expect(text("select", select.parse({}))).toBe('SELECT "id", "name" FROM "people" LIMIT 1');
    const both = compound.parse({ base: {}, operands: [{ operation: "union", query: {} }] });
    expect(text("compound", both)).toBe(
      'SELECT "id", "name" FROM "people" UNION SELECT "id", "name" FROM "people" LIMIT 20',
    );
    expect(people.specs({ fields: ["id"], maxLimit: 20, defaultLimit: 5 }).query.parse({}).limit).toBe(5);
  });

  test("a compound query has only known operations, up to a limit", () => {
    const lite: Untyped = peopleOf(databases.sqlite);
    const of = (operands: number) => ({
      base: { fields: ["id"] },
      operands: Array.from({ length: operands }, () => ({
        operation: "union_all",
        query: { fields: ["id"] },
      })),
    });
    expect(() => lite.compoundFromSpec(of(499)).render()).not.toThrow();
    expect(sqlErrorIn(() => lite.compoundFromSpec(of(501)).render())).toMatchObject({
      code: "UNSUPPORTED",
      dialect: "sqlite",
    });
    const chained = Array.from({ length: 500 }).reduce(
      (all: Untyped) => all.unionAll(lite.query().fields("id")),
      lite.query().fields("id"),
    );
    expect(sqlErrorIn(() => (chained as Untyped).render())).toMatchObject({ code: "UNSUPPORTED" });
    for (const operation of [
      "UNION",
      "union all",
      "union all select * from secrets --",
      "minus",
      "constructor",
      null,
      ["union"],
    ])
      expect(from("compound", { base: {}, operands: [{ operation, query: {} }] }).code).toBe("INVALID_SPEC");
    // The limit of an operand stays where it is.
    const inner = {
      base: { fields: ["id"], limit: 1 },
      operands: [{ operation: "union", query: { fields: ["id"], limit: 2 } }],
      limit: 3,
    };
    expect(people.compoundFromSpec(inner).render().sql).toBe(
      '(SELECT "id" FROM "people" LIMIT 1) UNION (SELECT "id" FROM "people" LIMIT 2) LIMIT 3',
    );
  });

  test("a huge name does not make a huge error, nor forge a log line", () => {
    const huge = `${"x".repeat(100_000)}\u0000\r\n\u2028\u0085\u001b[31m`;
    for (const planted of [...asField(huge), ...asKey(huge), ["x", "query", { [huge]: 1 }] as const]) {
      const error = refusal("postgres", planted);
      expect(error.message.length).toBeLessThan(300);
      for (const { path = "" } of error.problems ?? []) {
        expect(path.length).toBeLessThan(400);
        expect(path).toMatch(/^[ -~]*$/);
      }
      // biome-ignore lint/suspicious/noControlCharactersInRegex: these would forge lines of a log.
      expect(error.message).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]/);
    }
  });

  test("the last of duplicate keys is checked, and __proto__ is refused", () => {
    expect(from("query", JSON.parse('{"fields":["id"],"fields":["id\\"; --"]}')).code).toBe("INVALID_FIELD");
    expect(people.queryFromSpec(JSON.parse('{"fields":["id\\"; --"],"fields":["id"]}')).render().sql).toBe(
      'SELECT "id" FROM "people"',
    );
    for (const text of [
      '{"__proto__":{"fields":["id"]}}',
      '{"where":[{"__proto__":{"field":"id"},"is_null":true}]}',
      '{"order_by":[{"field":"id","direction":"asc","__proto__":{"nulls":"first"}}]}',
      '{"fields":[{"func":"count","alias":"n","__proto__":{}}]}',
    ]) {
      const spec = JSON.parse(text);
      expect(from("query", spec).code).toBe("INVALID_SPEC");
      expect(people.specs().query.safeParse(spec).success).toBe(false);
    }
    expect(
      from("modify", JSON.parse('{"set":{"__proto__":"p"},"where":[{"field":"id","is_null":true}]}')).code,
    ).toBe("INVALID_SPEC");
    expect(({} as Record<string, unknown>)["fields"]).toBeUndefined();
  });

  test("values that could change between check and rendering are copied", () => {
    let reads = 0;
    const changing = <T>(first: T, then: T) => ({
      get value() {
        return reads++ === 0 ? first : then;
      },
    });
    const payload = 'id" FROM secrets --';
    const plant: readonly ((get: () => unknown) => [string, object])[] = [
      (get) => [
        "query",
        {
          get fields() {
            return [get()];
          },
        },
      ],
      (get) => [
        "query",
        {
          fields: [
            {
              func: "count",
              get alias() {
                return get() === "id" ? "n" : payload;
              },
            },
          ],
        },
      ],
      (get) => [
        "query",
        {
          where: [
            {
              get field() {
                return get();
              },
              is_null: true,
            },
          ],
        },
      ],
      (get) => [
        "query",
        {
          order_by: [
            {
              field: "id",
              get direction() {
                return get() === "id" ? "asc" : "asc; --";
              },
            },
          ],
        },
      ],
      (get) => [
        "query",
        {
          get limit() {
            return get() === "id" ? 1 : "1; --";
          },
        },
      ],
      (get) => [
        "query",
        {
          get for_locking() {
            return get() === "id" ? "update" : "update; --";
          },
        },
      ],
      (get) => [
        "compound",
        {
          base: { fields: ["id"] },
          operands: [
            {
              get operation() {
                return get() === "id" ? "union" : "; --";
              },
              query: { fields: ["id"] },
            },
          ],
        },
      ],
      (get) => [
        "modify",
        {
          set_expr: {
            age: {
              get operator() {
                return get() === "id" ? "+" : "; --";
              },
              param: "p",
            },
          },
          where: [leaf],
        },
      ],
      (get) => [
        "insert",
        {
          on_conflict: new Proxy(["id"], {
            get: (list, key) => (key === "0" ? get() : Reflect.get(list, key)),
          }),
          conflict_action: "nothing",
        },
      ],
    ];
    for (const make of plant) {
      reads = 0;
      const source = changing("id", payload);
      const [kind, spec] = make(() => source.value);
      const builder = fromSpec(people, { kind, spec });
      const { sql } = builder.render();
      expect(sql).not.toContain("--");
      expect(reads).toBe(1);
      expect(fromSpec(people, { kind, spec: builder.toSpec() }).render().sql).toBe(sql);
    }
  });

  test("proxies of our own values are refused", () => {
    const shifty = (target: object) => {
      let asked = 0;
      return new Proxy(target, {
        get(inner, key) {
          if (key === "alias") return asked++ === 0 ? "n" : 'n" FROM secrets --';
          const value: unknown = Reflect.get(inner, key);
          return typeof value === "function" ? value.bind(inner) : value;
        },
      });
    };
    expect(
      sqlErrorIn(() =>
        people
          .query()
          .fields(shifty(count().as("n")))
          .render(),
      ),
    ).toMatchObject({ code: "INVALID_FIELD" });
    expect(
      sqlErrorIn(() =>
        people
          .query()
          .whereAnd(shifty(condition("id", "=", "p")))
          .render(),
      ),
    ).toMatchObject({ code: "INVALID_CONDITION" });
    expect(sqlErrorIn(() => people.query().union(shifty(people.query())).render())).toMatchObject({
      code: "INVALID_SPEC",
    });
    const window = { partitionBy: ["id"], orderBy: [["id", "asc"]] };
    const counted = people.query().fields(count().over(window).as("n"));
    window.partitionBy[0] = 'id" --';
    window.orderBy.push(["x", "y"]);
    expect(counted.render().sql).toBe(
      'SELECT COUNT(*) OVER (PARTITION BY "id" ORDER BY "id" ASC) AS "n" FROM "people"',
    );
  });

  test("locks and regular expressions need an option", () => {
    const lock = { for_locking: "update" };
    const pattern = { where: [{ field: "name", operator: "~*", param: "p" }] };
    const filter = {
      fields: ["role", { func: "max", field: "name", alias: "x" }],
      group_by: ["role"],
      having: [{ field: "x", operator: "~", param: "p" }],
    };
    for (const spec of [lock, pattern, filter])
      expect(people.specs().query.safeParse(spec).success).toBe(false);
    const open = people.specs({ locks: true, regex: true }).query;
    for (const spec of [lock, pattern, filter]) expect(open.safeParse(spec).success).toBe(true);
  });
});

describe("a change without a condition", () => {
  const handle = new Sqlite(":memory:");
  const mine: Untyped = peopleOf(sqlite(handle) as unknown as Database);
  const sent: string[] = [];
  let off: () => void;
  beforeAll(async () => {
    await createPeople(sqlite(handle) as unknown as Database);
    off = on("db.query.started", ({ sql }) => sent.push(sql));
  });
  afterAll(() => {
    off();
    handle.close();
  });

  test.each([
    ["none", {}],
    ["an empty list", { where: [] }],
    ["an empty group", { where: [{ logic: "AND", group: [] }] }],
    ["an empty group in a group", { where: [{ logic: "OR", group: [{ logic: "AND", group: [] }] }] }],
    ["null", { where: null }],
    ["an object", { where: {} }],
    ["true", { where: true }],
    ["one that may be left out", { where: [{ ...leaf, optional: true }] }],
  ])("%s: refused, and nothing is sent", async (_, spec) => {
    sent.length = 0;
    for (const params of [{}, { id: 1 }, undefined]) {
      for (const method of ["exec", "execMany"] as const) {
        expect((await sqlErrorOf(mine.removeFromSpec(spec)[method](params))).code).toMatch(
          /^(UNSAFE_DELETE|INVALID_)/,
        );
        const change = mine.modifyFromSpec({ set: { age: "id" }, ...spec });
        expect((await sqlErrorOf(change[method](params))).code).toMatch(/^(UNSAFE_UPDATE|INVALID_)/);
      }
      expect((await sqlErrorOf(mine.modifyFromSpec(spec).execPatch({ age: 1 }, params))).code).toMatch(
        /^(UNSAFE_UPDATE|INVALID_|MISSING_PARAM)/,
      );
      expect((await sqlErrorOf(mine.removeFromSpec(spec).execBatch([params]))).code).toMatch(
        /^(UNSAFE_DELETE|INVALID_|PARAM)/,
      );
    }
    expect(sent).toEqual([]);
    expect(handle.prepare("SELECT count(*) AS n FROM people").get()).toEqual({ n: 5 });
    expect(mine.specs().remove.safeParse(spec).success).toBe(false);
    expect(mine.specs().modify.safeParse({ set: { age: "id" }, ...spec }).success).toBe(false);
  });
});

describe("names that a server would cut or fold", () => {
  test("a column or table of 64 bytes is refused where 63 are the most, and 63 characters may be more bytes", () => {
    const of = (name: string, dialect: Dialect) => () =>
      databases[dialect].repository(table("t", z.object({ a: column(z.int(), { name }) })));
    expect(of("x".repeat(63), "postgres")).not.toThrow();
    expect(sqlErrorIn(of("x".repeat(64), "postgres"))).toMatchObject({ code: "UNSUPPORTED" });
    expect(sqlErrorIn(of("\u00e9".repeat(32), "postgres"))).toMatchObject({ code: "UNSUPPORTED" });
    expect(sqlErrorIn(of("x".repeat(129), "oracle"))).toMatchObject({ code: "UNSUPPORTED" });
    expect(sqlErrorIn(of("x".repeat(65), "mariadb"))).toMatchObject({ code: "UNSUPPORTED" });
  });

  test("an alias has at most 63 characters, and must differ from fields by more than case", () => {
    const named = (alias: string) => () => people.query().fields(count().as(alias)).render();
    expect(named("x".repeat(63))).not.toThrow();
    for (const alias of ["x".repeat(64), "AGE", "Born_At", "bornat", "EMAIL_ADDRESS"])
      expect(sqlErrorIn(named(alias))).toMatchObject({ code: "INVALID_FIELD" });
    const twice = {
      fields: [
        { func: "count", alias: "n" },
        { func: "max", field: "age", alias: "n" },
      ],
    };
    expect(sqlErrorIn(() => people.queryFromSpec(twice).render())).toMatchObject({ code: "INVALID_FIELD" });
  });

  test("names stay as they are declared: quoted, never folded", () => {
    const Mixed = table("MixedCase", z.object({ Id: z.int(), select: z.int() }));
    expect(databases.oracle.repository(Mixed).query().render().sql).toBe(
      'SELECT "Id", "select" FROM "MixedCase"',
    );
    expect(Team.name).toBe("teams");
  });
});

describe("expressions of untyped callers", () => {
  const first = (make: () => Untyped) => sqlErrorIn(() => people.query().fields(make()).render());

  test.each([
    ["a number for a field", () => upper(5).as("x"), "INVALID_FIELD"],
    ["SQL for a field", () => upper('name") --').as("x"), "INVALID_FIELD"],
    ["no field", () => upper().as("x"), "INVALID_FIELD"],
    ["a field of numbers for text", () => upper("age").as("x"), "INVALID_OPERATOR"],
    ["text to sum up", () => sum("name").as("x"), "INVALID_AGGREGATE"],
    ["SQL as a filter", () => count().filter("1=1").as("x"), "INVALID_CONDITION"],
    ["an object as a filter", () => count().filter(leaf).as("x"), "INVALID_CONDITION"],
    ["text as parts", () => count().over({ partitionBy: "x" }).as("x"), "INVALID_SPEC"],
    [
      "SQL as a part",
      () =>
        count()
          .over({ partitionBy: ["id) --"] })
          .as("x"),
      "INVALID_FIELD",
    ],
    [
      "a part of a prototype",
      () =>
        count()
          .over({ partitionBy: ["constructor"] })
          .as("x"),
      "INVALID_FIELD",
    ],
    [
      "a word as a bound",
      () =>
        count()
          .over({ frame: { rows: ["now", 1] } })
          .as("x"),
      "INVALID_SPEC",
    ],
    [
      "SQL as a bound",
      () =>
        count()
          .over({ frame: { rows: [{ preceding: "1) --" }, "current row"] } })
          .as("x"),
      "INVALID_SPEC",
    ],
    [
      "two frames",
      () =>
        count()
          .over({ frame: { rows: ["current row", "current row"], range: ["current row", "current row"] } })
          .as("x"),
      "INVALID_SPEC",
    ],
    ["a frame of its own", () => count().over({ frame: "ROWS 1 PRECEDING" }).as("x"), "INVALID_SPEC"],
    ["an unknown key of a window", () => count().over({ order: [] }).as("x"), "INVALID_SPEC"],
    [
      "a term of three parts",
      () =>
        count()
          .over({ orderBy: [["id", "asc", "nulls first"]] })
          .as("x"),
      "INVALID_SPEC",
    ],
    [
      "a window that holds itself",
      () => {
        const w: Untyped = {};
        w.partitionBy = [w];
        return count().over(w).as("x");
      },
      "INVALID_SPEC",
    ],
    ["text as a window", () => count().over("(ORDER BY id)").as("x"), "INVALID_SPEC"],
    ["no field to look back at", () => lag().over().as("x"), "INVALID_FIELD"],
    ["text as a distance of rows", () => lag("age", "1").over().as("x"), "INVALID_PARAM"],
    ["text as buckets", () => (fn as Untyped).ntile("4); --").over().as("x"), "INVALID_PARAM"],
    ["text as digits", () => (fn as Untyped).round("score", "2").as("x"), "INVALID_PARAM"],
    [
      "an object as digits",
      () => (fn as Untyped).round("score", { valueOf: () => 2 }).as("x"),
      "INVALID_PARAM",
    ],
    ["an unknown type", () => cast("age", "text); --").as("x"), "INVALID_OPERATOR"],
    ["SQL as a parameter", () => coalesce("age", "0) --").as("x"), "INVALID_PARAM"],
    ["no parameter", () => coalesce("age").as("x"), "INVALID_PARAM"],
    ["SQL as a case", () => caseWhen(z.string()).when("1=1", "a").as("x"), "INVALID_CONDITION"],
    ["no case", () => caseWhen(z.string()).as("x"), "INVALID_CONDITION"],
    ["an expression without a name", () => count(), "INVALID_FIELD"],
    ["a symbol as a name", () => count().as(Symbol("x")), "INVALID_FIELD"],
    ["the name of a field", () => count().as("age"), "INVALID_FIELD"],
    ["the name of a prototype", () => count().as("__proto__"), "INVALID_FIELD"],
  ])("%s", (_, make, code) => {
    expect(first(make)).toMatchObject({ code });
  });

  test("caseWhen without a schema is a DeclarationError", () => {
    for (const schema of [undefined, null, 5, "text", {}])
      expect(sqlErrorIn(() => caseWhen(schema))).toMatchObject({ code: "DECLARATION" });
  });

  test.each([
    [
      "having of an unknown name",
      () => people.query().fields("role").groupBy("role").having("n", "=", "p"),
      "INVALID_FIELD",
    ],
    [
      "having of SQL",
      () =>
        people.query().fields("role", count().as("n")).groupBy("role").having("count(*) > 0 --", "=", "p"),
      "INVALID_FIELD",
    ],
    ["having without groups", () => people.query().fields("role").having("role", "=", "p"), "INVALID_FIELD"],
    [
      "havingAgg of another function",
      () => people.query().fields("role").groupBy("role").havingAgg("max(age) --", "age", "=", "p"),
      "INVALID_AGGREGATE",
    ],
    [
      "havingAgg of a star",
      () => people.query().fields("role").groupBy("role").havingAgg("sum", "*", "=", "p"),
      "INVALID_FIELD",
    ],
    ["a field beside an aggregate", () => people.query().fields("id", count().as("n")), "INVALID_AGGREGATE"],
    [
      "an order by what is not grouped",
      () => people.query().fields(count().as("n")).orderBy("id", "asc"),
      "INVALID_AGGREGATE",
    ],
    ["groups of nothing", () => people.query().fields("role").groupBy(), "INVALID_FIELD"],
    [
      "groups of an object",
      () =>
        people
          .query()
          .fields("role")
          .groupBy({ toString: () => "role" }),
      "INVALID_FIELD",
    ],
    ["a union with a number", () => people.query().union(5), "INVALID_SPEC"],
    ["a union with SQL", () => people.query().union("SELECT * FROM secrets"), "INVALID_SPEC"],
    ["a union with one row", () => people.query().union(people.select()), "INVALID_SPEC"],
    [
      "a union with a query of another dialect",
      () => people.query().union(peopleOf(databases.sqlite).query()),
      "INVALID_SPEC",
    ],
    [
      "a union of other columns",
      () => people.query().fields("id").union(people.query().fields("name")),
      "INVALID_FIELD",
    ],
    [
      "a union of the same names and other kinds",
      () =>
        people
          .query()
          .fields(upper("name").as("x"))
          .union(people.query().fields(count().as("x"))),
      "INVALID_FIELD",
    ],
    [
      "a union with a query that is wrong",
      () => people.query().union(people.query().where("nope", "=", "p")),
      "INVALID_FIELD",
    ],
    ["a lock in an operand", () => people.query().union(people.query().forUpdate()), "INVALID_SPEC"],
    ["a lock in the first query", () => people.query().forShare().union(people.query()), "INVALID_SPEC"],
    ["a limit of SQL", () => people.query().union(people.query()).limit("1; --"), "INVALID_PARAM"],
    ["an order of SQL", () => people.query().union(people.query()).orderBy('id" --', "asc"), "INVALID_FIELD"],
    [
      "arithmetic of SQL",
      () => people.modify().setExpr("age", "+ 1 --", "p").where("id", "=", "id"),
      "INVALID_OPERATOR",
    ],
    [
      "arithmetic on text",
      () => people.modify().setExpr("name", "+", "p").where("id", "=", "id"),
      "INVALID_OPERATOR",
    ],
    [
      "arithmetic on a prototype",
      () => people.modify().setExpr("__proto__", "+", "p").where("id", "=", "id"),
      "INVALID_FIELD",
    ],
    [
      "a conflict that sets what the field cannot hold",
      () => people.insert().onConflict("id").doUpdate().set("tags", "name"),
      "INVALID_PARAM",
    ],
    [
      "a distance of SQL",
      () => people.query().whereDistance("id", "<-> $1) --", "p", "<", "q"),
      "INVALID_OPERATOR",
    ],
    ["an order by SQL", () => people.query().orderByExpr("id", "<->", "p; --", "asc"), "INVALID_OPERATOR"],
  ])("%s", (_, make: () => Untyped, code) => {
    const error = sqlErrorIn(() => make().render());
    expect(error).toMatchObject({ code });
    expect((error as BuildError).problems.every(({ path }) => path !== undefined)).toBe(true);
  });

  test("names with a NUL are refused, also if a cached chain has an equal key", () => {
    const [id, age] = [condition("id", "=", "p"), condition("age", "=", "q")];
    const inner = () => people.query().whereAnd(id, both(age, condition("id", ">", "r")));
    inner().render();
    const mimic = condition("id", "=", "p\0\0\0and#2\0c\0age\0=\0q" as never);
    expect(
      sqlErrorIn(() =>
        people
          .query()
          .whereAnd(mimic, condition("id", ">", "r"))
          .render(),
      ).code,
    ).toBe("INVALID_PARAM");
    const counted = () => people.query().fields(count("age").as("n"));
    const word = "count\0age\0\0\0\0\0as\0n\0\0\0";
    expect(sqlErrorIn(() => people.query().fields(word).render()).code).toBe("INVALID_FIELD");
    expect(counted().render().sql).toBe('SELECT COUNT("age") AS "n" FROM "people"');
    expect(sqlErrorIn(() => people.query().fields(word).render()).code).toBe("INVALID_FIELD");
    expect(inner().render().sql).toContain("AND (");
  });

  test("the spec of an invalid builder is not a valid spec", () => {
    const broken = [
      people.queryFromSpec({ where: 5 }),
      people.removeFromSpec("all"),
      people.modify().set("age", "a").set("age", "b").where("id", "=", "id"),
      people.query().union(5),
      people.query().fields(upper("name").as("x")),
    ];
    for (const builder of broken) expect(sqlErrorIn(() => builder.toSpec()).code).toMatch(/^INVALID_/);
  });
});
