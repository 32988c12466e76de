/** The schemas of `specs()`, kind by kind: what each takes, what it refuses, and with which words at which place. */
import { column, type Database, DeclarationError, table, vector } from "rowtype";
import { mariadb } from "rowtype/mariadb";
import { oracle } from "rowtype/oracle";
import { postgres } from "rowtype/postgres";
import { sqlite } from "rowtype/sqlite";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { Person } from "../../kit/people.js";
import type { Untyped } from "../../kit/spec-methods.js";
import { sqlErrorIn } from "../../kit/thrown.js";

const people: Untyped = postgres().repository(Person);
const narrow = { fields: ["id", "name", "age", "active"] };
const leaf = { field: "age", operator: ">", param: "min" };

/** A refusal in one line: `path: code`. */
function refusals(schema: z.ZodType, spec: unknown): string[] {
  const { error } = schema.safeParse(spec);
  return (error?.issues ?? []).map((issue) => {
    const { path, code } = issue;
    return `${path.join(".")}: ${issue.code === "custom" ? String(issue.params?.["code"]) : code}`;
  });
}

/** A copy of a value that counts how often something in it is looked at, or asked for. */
function countLooks(value: unknown): { readonly watched: unknown; readonly looks: () => number } {
  let count = 0;
  const watch = (one: unknown): unknown =>
    typeof one !== "object" || one === null
      ? one
      : new Proxy(one, {
          get: (target, key) => {
            count++;
            return watch(Reflect.get(target, key));
          },
          has: (target, key) => {
            count++;
            return Reflect.has(target, key);
          },
          getOwnPropertyDescriptor: (target, key) => {
            count++;
            return Reflect.getOwnPropertyDescriptor(target, key);
          },
        });
  return { watched: watch(value), looks: () => count };
}

const builders: Readonly<Record<string, string>> = { aggregate: "count" };
const build = (kind: string, spec: unknown) => people[`${builders[kind] ?? kind}FromSpec`](spec).render();

describe("the schema of each kind accepts what its builder accepts", () => {
  const taken: readonly [kind: string, name: string, spec: unknown][] = [
    ["query", "aggregates", { fields: ["name", { func: "count", alias: "n" }], group_by: ["name"] }],
    [
      "query",
      "groups and their filters",
      {
        fields: [
          "name",
          { func: "sum", field: "age", alias: "total" },
          { func: "count", field: "*", alias: "n" },
        ],
        group_by: ["name"],
        having: [{ field: "total", operator: ">=", param: "least" }],
        having_agg: [
          { func: "count", field: "*", operator: ">", param: "n" },
          { func: "count_distinct", field: "age", operator: "IN", param: "list" },
        ],
        order_by: [{ field: "total", direction: "desc", nulls_last: true }],
      },
    ],
    ["query", "fields compared", { where: [{ field: "id", operator: "<=", right_field: "age" }] }],
    ["query", "optional conditions", { where: [{ ...leaf, optional: true }] }],
    ["query", "all forms of paging", { limit: 5, limit_param: "n", offset_param: "m" }],
    [
      "query",
      "every place of NULLs",
      {
        order_by: [
          { field: "age", direction: "asc", nulls: "first" },
          { field: "id", direction: "desc", nulls_first: true, nulls_last: false },
        ],
      },
    ],
    [
      "query",
      "DISTINCT ON",
      { distinct_on: ["name"], order_by: [{ field: "name", direction: "asc" }], fields: ["name", "id"] },
    ],
    ["select", "one row", { fields: ["id"], where: [leaf], distinct: true }],
    ["insert", "nothing", {}],
    ["insert", "a conflict that does nothing", { on_conflict: ["id"], conflict_action: "nothing" }],
    [
      "insert",
      "a conflict that sets",
      { on_conflict: ["id"], conflict_action: "update", conflict_set: { name: "name", age: "newAge" } },
    ],
    ["modify", "assignments", { set: { name: "n" }, where: [leaf] }],
    ["modify", "arithmetic", { set_expr: { age: { operator: "+", param: "by" } }, where: [leaf] }],
    ["remove", "conditions", { where: [leaf, { field: "name", is_null: true }] }],
    ["aggregate", "no field", {}],
    ["aggregate", "a field and conditions", { field: "age", where: [leaf] }],
    [
      "compound",
      "operands with order and paging of their own",
      {
        base: { fields: ["id"], order_by: [{ field: "id", direction: "asc" }], limit: 3 },
        operands: [
          { operation: "union_all", query: { fields: ["id"], where: [leaf] } },
          { operation: "except", query: { fields: ["id"], limit_param: "n" } },
        ],
        order_by: [{ field: "id", direction: "desc" }],
        limit: 10,
      },
    ],
  ];

  test("insert: a conflict on any key, where every key is shown", () => {
    const { insert } = people.specs();
    const spec = { on_conflict: [], conflict_action: "nothing" };
    expect(refusals(insert, spec)).toEqual([]);
    expect(() => build("insert", insert.parse(spec))).not.toThrow();
    expect(refusals(insert, { ...spec, conflict_action: "update" })).toContain("on_conflict: INVALID_FIELD");
  });

  test.each(taken)("%s: %s", (kind, _, spec) => {
    const { [kind]: schema } = people.specs(narrow);
    expect(refusals(schema, spec)).toEqual([]);
    expect(() => build(kind, schema.parse(spec))).not.toThrow();
  });
});

describe("the schema of each kind refuses, with the path to the place", () => {
  const refused: readonly [kind: string, name: string, spec: unknown, refusals: readonly string[]][] = [
    ["query", "no object", null, [": invalid_type"]],
    ["query", "a list", [], [": invalid_type"]],
    ["query", "a hidden field", { fields: ["id", "email"] }, ["fields.1: INVALID_FIELD"]],
    ["query", "the name of a column", { fields: ["email_address"] }, ["fields.0: INVALID_FIELD"]],
    [
      "query",
      "hidden fields everywhere",
      {
        where: [{ logic: "OR", group: [leaf, { field: "email", is_null: true }] }],
        order_by: [{ field: "email", direction: "asc" }],
        fields: [{ func: "max", field: "email", alias: "x" }],
      },
      [
        "where.0.group.1.field: INVALID_FIELD",
        "fields.0.field: INVALID_FIELD",
        "order_by.0.field: INVALID_FIELD",
      ],
    ],
    [
      "query",
      "a hidden field to be compared with",
      { where: [{ field: "name", operator: "=", right_field: "email" }] },
      ["where.0.right_field: INVALID_FIELD"],
    ],
    [
      "query",
      "a hidden field in groups",
      { fields: ["id"], group_by: ["id", "email"] },
      ["group_by.1: INVALID_FIELD"],
    ],
    [
      "query",
      "a hidden field in a filter of groups",
      {
        fields: ["id"],
        group_by: ["id"],
        having_agg: [{ func: "max", field: "email", operator: "=", param: "p" }],
      },
      ["having_agg.0.field: INVALID_FIELD"],
    ],
    [
      "query",
      "the name of a hidden field as an alias",
      { fields: [{ func: "count", alias: "email" }] },
      ["fields.0.alias: INVALID_FIELD"],
    ],
    [
      "query",
      "an operator that the field does not take",
      { where: [{ field: "active", operator: ">", param: "p" }] },
      ["where.0.operator: INVALID_OPERATOR"],
    ],
    [
      "query",
      "a regular expression, deep down and in a filter of groups",
      {
        fields: ["name", { func: "max", field: "name", alias: "last" }],
        group_by: ["name"],
        where: [{ logic: "AND", group: [{ field: "name", operator: "~", param: "p" }] }],
        having: [{ field: "last", operator: "!~*", param: "p" }],
      },
      ["where.0.group.0.operator: INVALID_OPERATOR", "having.0.operator: INVALID_OPERATOR"],
    ],
    ["query", "a lock", { for_locking: "update" }, ["for_locking: INVALID_SPEC"]],
    ["select", "a lock by its short name", { for_update: true }, ["for_update: INVALID_SPEC"]],
    ["query", "unknown keys", { joins: [], "a b": 1 }, ["joins: INVALID_SPEC", "a b: INVALID_SPEC"]],
    ["query", "a prototype", JSON.parse('{"__proto__":{"limit":1}}'), ["__proto__: INVALID_SPEC"]],
    ["query", "a limit that is too large", { limit: 51 }, ["limit: too_big"]],
    ["query", "two offsets", { offset: 1, offset_param: "n" }, ["offset_param: INVALID_SPEC"]],
    [
      "query",
      "an unknown direction",
      { order_by: [{ field: "id", direction: "ASC" }] },
      ["order_by.0.direction: INVALID_DIRECTION"],
    ],
    [
      "query",
      "two places of NULLs",
      { order_by: [{ field: "id", direction: "asc", nulls: "first", nulls_last: true }] },
      ["order_by.0: INVALID_NULLS"],
    ],
    [
      "query",
      "raw text as an expression",
      { order_by: [{ expression: "random()", direction: "asc" }] },
      ["order_by.0.expression: INVALID_SPEC"],
    ],
    [
      "query",
      "a lonely field beside an aggregate",
      { fields: ["id", { func: "count", alias: "n" }] },
      ["fields: INVALID_AGGREGATE"],
    ],
    [
      "query",
      "an aggregate of something else",
      { fields: [{ func: "sum", field: "name", alias: "n" }] },
      ["fields.0.field: INVALID_AGGREGATE"],
    ],
    [
      "query",
      "a name that is none",
      { where: [{ ...leaf, param: "a b" }] },
      ["where.0.param: INVALID_PARAM"],
    ],
    ["select", "a limit", { limit: 1 }, ["limit: INVALID_SPEC"]],
    [
      "insert",
      "a key that is none",
      { on_conflict: ["name"], conflict_action: "nothing" },
      ["on_conflict: INVALID_FIELD"],
    ],
    [
      "insert",
      "any key, of which one is hidden",
      { on_conflict: [], conflict_action: "nothing" },
      ["on_conflict: INVALID_FIELD"],
    ],
    [
      "insert",
      "a hidden key, without a word of it",
      { on_conflict: ["email"], conflict_action: "nothing" },
      ["on_conflict.0: INVALID_FIELD", "on_conflict: INVALID_FIELD"],
    ],
    [
      "insert",
      "an update of every field, hidden ones among them",
      { on_conflict: ["id"], conflict_action: "update" },
      ["conflict_set: INVALID_SPEC"],
    ],
    [
      "insert",
      "the value of a hidden field",
      { on_conflict: ["id"], conflict_action: "update", conflict_set: { name: "email" } },
      ["conflict_set.name: INVALID_PARAM"],
    ],
    [
      "insert",
      "a hidden field to be set",
      { on_conflict: ["id"], conflict_action: "update", conflict_set: { role: "role" } },
      ["conflict_set.role: INVALID_FIELD", "conflict_set.role: INVALID_PARAM"],
    ],
    ["modify", "no condition", { set: { name: "n" } }, ["where: UNSAFE_UPDATE"]],
    ["modify", "an empty list of conditions", { set: { name: "n" }, where: [] }, ["where: UNSAFE_UPDATE"]],
    ["modify", "nothing to set", { where: [leaf] }, ["set: INVALID_SPEC"]],
    [
      "modify",
      "nothing to set, in two ways",
      { set: {}, set_expr: {}, where: [leaf] },
      ["set: INVALID_SPEC"],
    ],
    ["modify", "a hidden field", { set: { role: "r" }, where: [leaf] }, ["set.role: INVALID_FIELD"]],
    ["modify", "a literal", { set: { age: 5 }, where: [leaf] }, ["set.age: INVALID_PARAM"]],
    [
      "modify",
      "arithmetic on text, by an operator of its own",
      { set_expr: { name: { operator: "||", param: "p" } }, where: [leaf] },
      ["set_expr.name: INVALID_OPERATOR", "set_expr.name.operator: INVALID_OPERATOR"],
    ],
    [
      "modify",
      "an optional condition",
      { set: { name: "n" }, where: [{ ...leaf, optional: true }] },
      ["where.0.optional: INVALID_CONDITION"],
    ],
    ["remove", "no condition", {}, ["where: UNSAFE_DELETE"]],
    [
      "remove",
      "an empty group",
      { where: [{ logic: "AND", group: [] }] },
      ["where.0.group: INVALID_CONDITION"],
    ],
    ["query", "a star, which would be hidden fields too", { fields: ["*"] }, ["fields.0: invalid_union"]],
    ["aggregate", "a hidden field", { field: "balance" }, ["field: INVALID_FIELD"]],
    ["aggregate", "a star", { field: "*" }, ["field: INVALID_FIELD"]],
    ["compound", "nothing", {}, ["base: INVALID_SPEC", "operands: INVALID_SPEC"]],
    ["compound", "no operand", { base: {}, operands: [] }, ["operands: INVALID_SPEC"]],
    ["compound", "an operand that is none", { base: {}, operands: [5] }, ["operands.0: INVALID_SPEC"]],
    [
      "compound",
      "an unknown operation",
      { base: {}, operands: [{ operation: "UNION ALL SELECT", query: {} }] },
      ["operands.0.operation: INVALID_SPEC"],
    ],
    [
      "compound",
      "a hidden field in an operand",
      { base: { fields: ["id"] }, operands: [{ operation: "union", query: { fields: ["email"] } }] },
      ["operands.0.query.fields.0: INVALID_FIELD"],
    ],
    [
      "compound",
      "another row in an operand",
      { base: { fields: ["id"] }, operands: [{ operation: "union", query: { fields: ["name"] } }] },
      ["operands.0.query.fields: INVALID_FIELD"],
    ],
    [
      "compound",
      "a lock in an operand",
      { base: {}, operands: [{ operation: "union", query: { for_locking: "share" } }] },
      ["operands.0.query.for_locking: INVALID_SPEC"],
    ],
    [
      "compound",
      "an order by what the rows have not",
      {
        base: { fields: ["id"] },
        operands: [{ operation: "union", query: { fields: ["id"] } }],
        order_by: [{ field: "name", direction: "asc" }],
      },
      ["order_by.0.field: INVALID_FIELD"],
    ],
  ];

  test.each(refused)("%s: %s", (kind, _, spec, expected) => {
    const { [kind]: schema } = people.specs({ ...narrow, maxLimit: 50 });
    expect(refusals(schema, spec)).toEqual(expected);
    for (const issue of schema.safeParse(spec).error.issues) {
      expect(issue.message.length).toBeLessThan(300);
      // The message does not mention a field that the client has not named.
      expect(issue.message).not.toMatch(/settings|photo|born/);
    }
  });
});

describe("a parsed spec contains only what the schema has checked", () => {
  const { query } = people.specs({ ...narrow, maxLimit: 50 });

  test("the input is read once, and the copy cannot change", () => {
    let reads = 0;
    const shifty = {
      get fields() {
        return reads++ === 0 ? ["id"] : ["email"];
      },
    };
    expect(query.parse(shifty).fields).toEqual(["id"]);
    expect(reads).toBe(1);
    const list: unknown = new Proxy(["id"], {
      get: (target, key) => (key === "0" && reads++ > 1 ? "email" : Reflect.get(target, key)),
    });
    expect(query.parse({ fields: list }).fields).toEqual(["id"]);
  });

  test("unreadable input is refused, not thrown", () => {
    const throwing = {
      get where() {
        throw new Error("no");
      },
    };
    expect(refusals(query, throwing)).toEqual([": INVALID_SPEC"]);
    const { proxy, revoke } = Proxy.revocable({}, {});
    revoke();
    expect(refusals(query, { where: [proxy] })).toEqual(["where.0: INVALID_SPEC"]);
    const circle: { where: unknown[] } = { where: [] };
    circle.where.push({ logic: "AND", group: circle.where });
    expect(refusals(query, circle)[0]).toMatch(/INVALID_SPEC$/);
  });

  test("inherited keys are ignored", () => {
    expect(query.parse(Object.create({ fields: ["id"] })).fields).toEqual(narrow.fields);
  });

  test("keys of an extension pass unchanged, and the check still applies", () => {
    const extended = query.extend({ params: z.record(z.string(), z.unknown()), day: z.date() });
    const day = new Date(0);
    const value = extended.parse({ where: [leaf], params: { min: 1 }, day });
    expect(value).toEqual({ fields: narrow.fields, where: [leaf], limit: 50, params: { min: 1 }, day });
    expect(refusals(extended, { where: [{ ...leaf, field: "email" }], params: {}, day })).toEqual([
      "where.0.field: INVALID_FIELD",
    ]);
    expect(refusals(extended, { params: {} })).toEqual(["day: invalid_type"]);
    expect(refusals(query.omit({ where: true }), { where: [leaf] })).toEqual(["where: INVALID_SPEC"]);
    expect(query.loose().parse({ note: 1 })).toMatchObject({ note: 1 });
    expect(refusals(query.loose(), { fields: ["email"] })).toEqual(["fields.0: INVALID_FIELD"]);
  });

  test("a precompiled schema keeps its check", () => {
    for (const schema of [query, people.specs(narrow).insert, people.specs(narrow).aggregate])
      expect(() => z.compile(schema, { strict: true })).toThrow(/compile/);
    expect(refusals(z.compile(query), { order_by: [{ field: "email", direction: "asc" }] })).toEqual([
      "order_by.0.field: INVALID_FIELD",
    ]);
  });

  test("it may stand inside another schema, and be awaited", async () => {
    const request = z.object({ spec: query, note: z.string().refine(async () => true) });
    expect(await request.parseAsync({ spec: { limit_param: "n" }, note: "" })).toEqual({
      spec: { fields: narrow.fields, limit_param: "n", limit: 50 },
      note: "",
    });
    const refusal = await request.safeParseAsync({ spec: { fields: ["email"] }, note: "" });
    expect(refusal.error?.issues.map(({ path }) => path.join("."))).toEqual(["spec.fields.0"]);
  });
});

describe("limits", () => {
  const limited = (options: object, spec: object) => people.specs(options).query.parse(spec).limit;

  test.each([
    ["none", {}, {}, undefined],
    ["a default", { defaultLimit: 10 }, {}, 10],
    ["a largest one is the default too", { maxLimit: 50 }, {}, 50],
    ["both", { maxLimit: 50, defaultLimit: 10 }, {}, 10],
    ["one that is given", { maxLimit: 50, defaultLimit: 10 }, { limit: 0 }, 0],
    ["the largest one for a parameter", { maxLimit: 50, defaultLimit: 10 }, { limit_param: "n" }, 50],
    ["the lesser one for a parameter", { maxLimit: 50 }, { limit_param: "n", limit: 20 }, 20],
    [
      "none for a parameter where there is no largest one",
      { defaultLimit: 10 },
      { limit_param: "n" },
      undefined,
    ],
  ])("%s", (_, options, spec, expected) => {
    expect(limited(options, spec)).toBe(expected);
  });

  test("of a compound query are those of all its rows", () => {
    const { compound } = people.specs({ maxLimit: 50 });
    const union = { base: { limit: 1000 }, operands: [{ operation: "union", query: { limit_param: "m" } }] };
    expect(compound.parse(union)).toEqual({ ...union, limit: 50 });
    expect(compound.parse({ ...union, limit_param: "n" })).toEqual({ ...union, limit_param: "n", limit: 50 });
    expect(refusals(compound, { ...union, limit: 51 })).toEqual(["limit: too_big"]);
  });
});

describe("bounds", () => {
  const specs = people.specs();
  const leaves = (count: number) => Array.from({ length: count }, () => ({ ...leaf }));
  const nested = (levels: number) => {
    let condition: object = leaf;
    for (let i = 0; i < levels; i++) condition = { logic: "AND", group: [condition] };
    return condition;
  };
  const having = (count: number) =>
    Array.from({ length: count }, () => ({ func: "count", field: "*", operator: ">", param: "n" }));

  test.each([
    ["64 conditions in a group", "query", { where: [{ logic: "OR", group: leaves(64) }] }],
    ["64 conditions at eight levels", "query", { where: Array.from({ length: 64 }, () => nested(8)) }],
    [
      "64 conditions of rows and groups",
      "query",
      { fields: ["id"], group_by: ["id"], where: leaves(60), having_agg: having(4) },
    ],
    [
      "64 conditions over all queries",
      "compound",
      {
        base: { where: leaves(32) },
        operands: [
          { operation: "union", query: { where: leaves(31) } },
          { operation: "union", query: { where: [nested(8)] } },
        ],
      },
    ],
  ])("%s are accepted", (_, kind, spec) => {
    expect(refusals(specs[kind], spec)).toEqual([]);
  });

  test.each([
    ["65 conditions", "query", { where: leaves(65) }, "where"],
    ["65 empty groups", "query", { where: Array(65).fill({ logic: "OR", group: [] }) }, "where"],
    ["nine levels", "remove", { where: [nested(9)] }, "where.0"],
    [
      "65 conditions of rows and groups",
      "query",
      { fields: ["id"], group_by: ["id"], where: leaves(60), having_agg: having(5) },
      "having",
    ],
    [
      "65 conditions over all queries",
      "compound",
      { base: { where: leaves(32) }, operands: [{ operation: "union", query: { where: leaves(33) } }] },
      "operands.0.query.where",
    ],
    [
      "nine levels in an operand",
      "compound",
      { base: {}, operands: [{ operation: "union", query: { where: [nested(9)] } }] },
      "operands.0.query.where.0",
    ],
    [
      "65 operands",
      "compound",
      { base: {}, operands: Array(65).fill({ operation: "union", query: {} }) },
      "operands",
    ],
    ["50,000 conditions", "query", { where: leaves(50_000) }, "where"],
    ["50,000 conditions in a group", "select", { where: [{ logic: "OR", group: leaves(50_000) }] }, "where"],
    ["50,000 conditions of groups", "query", { having_agg: having(50_000) }, "having_agg"],
    ["50,000 fields", "query", { fields: Array(50_000).fill("id") }, "fields"],
    ["50,000 operands", "compound", { base: {}, operands: Array(50_000).fill(0) }, "operands"],
    [
      "50,000 assignments",
      "modify",
      { set: Object.fromEntries(leaves(50_000).map((_, i) => [`k${i}`, "p"])), where: [leaf] },
      "set",
    ],
    ["100,000 levels", "aggregate", { where: [nested(100_000)] }, "where.0"],
  ])("%s are refused at once", (_, kind, spec, path) => {
    const { watched, looks } = countLooks(spec);
    const [first = "", ...more] = refusals(specs[kind], watched);
    // Each item or key is counted, and none is judged.
    expect(looks()).toBeLessThan(2 * 50_000 + 1_000);
    expect(more).toEqual([]);
    expect(first.startsWith(path)).toBe(true);
    expect(first).toMatch(/: INVALID_SPEC$/);
  });

  test.each([
    ["query", "fields"],
    ["query", "order_by"],
    ["query", "group_by"],
    ["query", "distinct_on"],
    ["insert", "on_conflict"],
    ["insert", "conflict_set"],
    ["modify", "set"],
    ["modify", "set_expr"],
  ])("of %s allow as many entries of %s as a spec can mention, and none more", (kind, key) => {
    const columns = ["id", "name", "age"];
    const schema = people.specs({ maxConditions: 2, fields: columns })[kind];
    const isMap = /set/.test(key);
    const complaints = (count: number) => {
      const names = Array.from({ length: count }, (_, i) => `n${i}`);
      const value = isMap ? Object.fromEntries(names.map((name) => [name, "p"])) : names;
      const { error } = schema.safeParse({ [key]: value }) as z.ZodSafeParseResult<unknown>;
      return (error?.issues ?? []).filter(({ message }) => /^at most \d+ (entries|fields)/.test(message));
    };
    const most = 2 + columns.length;
    expect(complaints(most)).toEqual([]);
    expect(complaints(most + 1)).toEqual([
      expect.objectContaining({
        path: [key],
        message: isMap ? `at most ${most} fields` : `at most ${most} entries in a list`,
      }),
    ]);
  });

  test("can be set", () => {
    const { query, compound } = people.specs({ maxDepth: 0, maxConditions: 1 });
    expect(refusals(query, { where: [leaf] })).toEqual([]);
    expect(refusals(query, { where: [nested(1)] })).toEqual(["where.0: INVALID_SPEC"]);
    expect(refusals(query, { where: leaves(2) })).toEqual(["where: INVALID_SPEC"]);
    expect(refusals(compound, { base: {}, operands: [{ operation: "union", query: {} }] })).toEqual([]);
    const deep = people.specs({ maxDepth: 100, maxConditions: 5_000 }).query;
    expect(refusals(deep, { where: [nested(100), ...leaves(4_999)] })).toEqual([]);
  });
});

describe("features of the dialect and of the options", () => {
  const repositories = { sqlite: sqlite(), postgres: postgres(), mariadb: mariadb(), oracle: oracle() };
  const of = (dialect: keyof typeof repositories): Untyped => {
    const db = repositories[dialect] as unknown as Database;
    return db.repository(Person);
  };
  const keysOf = (schema: Untyped) => Object.keys(schema.shape);
  const text = (schema: z.ZodType) => JSON.stringify(z.toJSONSchema(schema, { io: "input" }));

  test("locks are offered by option, in the modes of the dialect", () => {
    const modes = {
      sqlite: [],
      oracle: ["update"],
      mariadb: ["update", "share"],
      postgres: ["update", "no_key_update", "share", "key_share"],
    };
    for (const [dialect, some] of Object.entries(modes)) {
      const { query, select } = of(dialect as keyof typeof modes).specs({ locks: true });
      for (const mode of ["update", "no_key_update", "share", "key_share"]) {
        const takes = some.includes(mode as never);
        expect(query.safeParse({ for_locking: mode }).success).toBe(takes);
        expect(query.safeParse({ for_locking: { mode, skip_locked: true } }).success).toBe(takes);
        expect(select.safeParse({ for_locking: { mode, no_wait: true } }).success).toBe(takes);
      }
      expect(select.safeParse({ for_update: true }).success).toBe(some.length > 0);
      expect(query.safeParse({ for_update: true }).success).toBe(false);
      expect(keysOf(of(dialect as keyof typeof modes).specs().select)).not.toContain("for_locking");
    }
  });

  test("regular expressions are offered by option, on PostgreSQL", () => {
    const spec = { where: [{ field: "name", operator: "!~*", param: "p" }] };
    expect(of("postgres").specs({ regex: true }).query.safeParse(spec).success).toBe(true);
    for (const dialect of ["sqlite", "mariadb", "oracle"] as const) {
      const { query } = of(dialect).specs({ regex: true });
      expect(refusals(query, spec)).toEqual(["where.0.operator: UNSUPPORTED"]);
      expect(text(query)).not.toContain("!~*");
    }
    expect(text(of("postgres").specs().query)).not.toContain("!~*");
  });

  test("DISTINCT ON and operators of arrays are PostgreSQL's", () => {
    expect(keysOf(of("postgres").specs().query)).toContain("distinct_on");
    expect(text(of("postgres").specs().query)).toContain('"@>"');
    for (const dialect of ["sqlite", "mariadb", "oracle"] as const) {
      expect(keysOf(of(dialect).specs().query)).not.toContain("distinct_on");
      expect(text(of(dialect).specs().query)).not.toContain('"@>"');
    }
  });

  test("vectors are ordered by their distance, in both forms", () => {
    const Place = table(
      "places",
      z.object({ id: column(z.int(), { primaryKey: true }), at: vector(3), name: z.string() }),
    );
    const places: Untyped = postgres().repository(Place);
    const { query } = places.specs();
    const parts = { order_by: [{ field: "at", operator: "<->", param: "here", direction: "asc" }], limit: 5 };
    const words = { order_by: [{ expression: "at <-> :here", direction: "asc" }], limit: 5 };
    const sql = 'SELECT "id", "at", "name" FROM "places" ORDER BY "at" <-> $1 ASC LIMIT 5';
    for (const spec of [parts, words]) {
      expect(places.queryFromSpec(query.parse(spec)).render().native.sql).toBe(sql);
      expect(places.queryFromSpec(places.queryFromSpec(spec).toSpec()).render().native.sql).toBe(sql);
    }
    for (const expression of ["at <-> :here; --", "name <-> :here", "at <-> 5", "at<->:here", "lower(name)"])
      expect(refusals(query, { order_by: [{ expression, direction: "asc" }] })).toHaveLength(1);
    const { query: blind } = places.specs({ fields: ["id", "name"] });
    expect(refusals(blind, words)).toEqual(["order_by.0.expression: INVALID_FIELD"]);
    expect(text(blind)).not.toContain("<->");
  });

  test("a table without anything to compare still has schemas", () => {
    const Odd = table("odd", z.object({ data: z.object({ a: z.int() }).nullable() }));
    for (const db of Object.values(repositories)) {
      const odd: Untyped = (db as unknown as Database).repository(Odd);
      const { query, modify } = odd.specs();
      expect(refusals(query, { where: [{ field: "data", is_null: true }] })).toEqual([]);
      expect(refusals(query, { where: [{ field: "data", operator: "=", param: "p" }] })).toHaveLength(1);
      expect(refusals(modify, { set: { data: "d" }, where: [{ field: "data", is_null: true }] })).toEqual([]);
    }
  });
});

describe("invalid options", () => {
  test.each([
    ["null", null],
    ["an unknown option", { maxlimit: 10 }],
    ["fields as text", { fields: "id" }],
    ["no field", { fields: [] }],
    ["a field that is none", { fields: ["id", "constructor"] }],
    ["a depth below 0", { maxDepth: -1 }],
    ["a depth that no check reaches", { maxDepth: 101 }],
    ["conditions as text", { maxConditions: "64" }],
    ["a limit that is NaN", { maxLimit: Number.NaN }],
    ["a default beyond the largest limit", { maxLimit: 10, defaultLimit: 11 }],
    ["a word for a switch", { locks: "yes" }],
    ["a number for a switch", { regex: 1 }],
    ["operators as text", { operators: "=" }],
    ["an operator that is none", { operators: ["=", "=="] }],
    ["an operator of regular expressions without its switch", { operators: ["~"] }],
    ["a hole among operators", { operators: new Array(1) }],
    ["an aggregate that is none", { aggregates: ["median"] }],
    ["a word for aggregates", { aggregates: "count" }],
  ])("%s", (_, options) => {
    const error = sqlErrorIn(() => people.specs(options));
    expect(error).toBeInstanceOf(DeclarationError);
  });
});
