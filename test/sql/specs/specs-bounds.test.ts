/** Every bound of a spec: what is at it is taken, and what is one beyond it is refused by it. */
import { column, many, one, table } from "rowtype";
import { mariadb } from "rowtype/mariadb";
import { postgres } from "rowtype/postgres";
import { sqlite } from "rowtype/sqlite";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { sqlErrorIn } from "../../kit/thrown.js";

const nodes = table(
  "nodes",
  z.object({
    id: column(z.int(), { primaryKey: true }),
    name: z.string(),
    rank: z.int(),
    parentId: z.int().nullable(),
  }),
  { relations: { parent: one("nodes", "parentId"), children: many("nodes", "parentId") } },
);

type Db = ReturnType<typeof sqlite>;
const repositoryOf = (db: Db) => db.repositories({ nodes }).nodes;

interface Options {
  readonly maxConditions?: number;
  readonly maxDepth?: number;
  readonly maxJoins?: number;
  readonly maxRows?: number;
  readonly maxLimit?: number;
}

const fields = ["id", "name", "rank"] as const;

/** The schemas of a client that may follow both relations, twelve levels deep if that is possible. */
function schemasOf(options: Options, levels = 8) {
  type Relations = Readonly<
    Record<string, { fields: typeof fields; maxLimit: number; relations?: Relations }>
  >;
  const relationsOf = (level: number): Relations => {
    const inner = level === 1 ? {} : { relations: relationsOf(level - 1) };
    return {
      parent: { fields, maxLimit: 3, ...inner },
      children: { fields, maxLimit: 3, ...inner },
    };
  };
  // The depth is not known to the compiler.
  const specs = repositoryOf(sqlite()).specs as unknown as (
    options: object,
  ) => ReturnType<ReturnType<typeof repositoryOf>["specs"]>;
  return specs({ ...options, relations: relationsOf(levels) });
}

const leaf = { field: "rank", operator: "=", param: "rank" };
const times = <T>(count: number, make: (i: number) => T): T[] =>
  Array.from({ length: count }, (_, i) => make(i));
const wrapped = (levels: number, wrap: (inner: object) => object, inner: object = leaf): object =>
  times(levels, () => wrap).reduce((inside, one) => one(inside), inner);
const sums = (count: number) => times(count, (i) => ({ func: "sum", field: "rank", alias: `a${i}` }));
const having = (count: number) =>
  times(count, () => ({ func: "sum", field: "rank", operator: ">", param: "least" }));

type Kind = keyof ReturnType<typeof schemasOf>;

/** A bound: a spec that has so much of what it bounds, and how it refuses more. */
type Bound = readonly [
  what: string,
  options: Options,
  kind: Kind,
  bound: number,
  spec: (count: number) => object,
  refusal: RegExp,
];

const few = { maxConditions: 5 };
const conditions = /at most 5 conditions/;
const entries = /at most 9 entries in a list/;

const bounds: readonly Bound[] = [
  ["conditions", few, "query", 5, (n) => ({ where: times(n, () => leaf) }), conditions],
  [
    "conditions of a group",
    few,
    "query",
    5,
    (n) => ({ where: [{ logic: "OR", group: times(n, () => leaf) }] }),
    conditions,
  ],
  ...["exists", "not_exists"].map(
    (key): Bound => [
      `conditions inside ${key}`,
      few,
      "query",
      5,
      (n) => ({ where: [{ [key]: "children", where: times(n, () => leaf) }] }),
      conditions,
    ],
  ),
  [
    "conditions of several places",
    few,
    "query",
    5,
    (n) => ({ where: [leaf, leaf], limit: 1, with: { children: { where: times(n - 2, () => leaf) } } }),
    conditions,
  ],
  [
    "conditions of having_agg",
    few,
    "query",
    5,
    (n) => ({ fields: sums(1), having_agg: having(n) }),
    conditions,
  ],
  [
    "conditions of where and having_agg",
    few,
    "query",
    5,
    (n) => ({ fields: sums(1), where: [leaf], having_agg: having(n - 1) }),
    conditions,
  ],
  [
    "conditions of having",
    few,
    "query",
    5,
    (n) => ({ fields: ["rank"], group_by: ["rank"], having: times(n, () => leaf) }),
    conditions,
  ],
  [
    "conditions of an update",
    few,
    "modify",
    5,
    (n) => ({ set: { name: "name" }, where: times(n, () => leaf) }),
    conditions,
  ],
  ["conditions of a removal", few, "remove", 5, (n) => ({ where: times(n, () => leaf) }), conditions],
  ["conditions of a selection", few, "select", 5, (n) => ({ where: times(n, () => leaf) }), conditions],
  ["conditions of an aggregate", few, "aggregate", 5, (n) => ({ where: times(n, () => leaf) }), conditions],
  [
    "conditions of the base and the operands",
    few,
    "compound",
    5,
    (n) => ({
      base: { fields: ["id"], where: [leaf] },
      operands: [{ operation: "union", query: { fields: ["id"], where: times(n - 1, () => leaf) } }],
    }),
    conditions,
  ],
  [
    "operands",
    few,
    "compound",
    5,
    (n) => ({
      base: { fields: ["id"] },
      operands: times(n, () => ({ operation: "union", query: { fields: ["id"] } })),
    }),
    /at most 5 operands/,
  ],

  [
    "levels of groups",
    { maxDepth: 3 },
    "query",
    3,
    (n) => ({ where: [wrapped(n, (inner) => ({ logic: "AND", group: [inner] }))] }),
    /groups nest at most 3 levels/,
  ],
  // What is sought inside another is a level too, negated or not.
  ...["exists", "not_exists"].map(
    (key): Bound => [
      `levels of ${key}`,
      { maxDepth: 3 },
      "query",
      3,
      (n) => ({ where: [wrapped(n, (inner) => ({ [key]: "children", where: [inner] }))] }),
      /groups nest at most 3 levels/,
    ],
  ),
  [
    "levels of groups and negations",
    { maxDepth: 4 },
    "query",
    4,
    (n) => ({
      where: [
        wrapped(
          n - 2,
          (inner) => ({ not_exists: "parent", where: [inner] }),
          wrapped(2, (inner) => ({ logic: "OR", group: [inner] })),
        ),
      ],
    }),
    /groups nest at most 4 levels/,
  ],
  [
    "levels of groups inside nested rows",
    { maxDepth: 3 },
    "query",
    3,
    (n) => ({
      limit: 1,
      with: { children: { where: [wrapped(n, (inner) => ({ logic: "AND", group: [inner] }))] } },
    }),
    /groups nest at most 3 levels/,
  ],

  ["entries of fields", few, "query", 9, (n) => ({ fields: sums(n) }), entries],
  [
    "entries of order_by",
    few,
    "query",
    9,
    (n) => ({ order_by: times(n, () => ({ field: "rank", direction: "asc" })) }),
    entries,
  ],
  [
    "entries of group_by",
    few,
    "query",
    9,
    (n) => ({ fields: ["rank"], group_by: times(n, () => "rank") }),
    entries,
  ],
  [
    "entries of joins",
    { ...few, maxJoins: 20 },
    "query",
    9,
    (n) => ({ joins: times(n, (i) => ({ relation: "parent", as: `p${i}` })) }),
    entries,
  ],
  [
    "entries of on_conflict",
    few,
    "insert",
    9,
    (n) => ({ on_conflict: times(n, () => "id"), conflict_action: "nothing" }),
    entries,
  ],
  [
    "entries of a list in nested rows",
    few,
    "query",
    9,
    (n) => ({
      limit: 1,
      with: { children: { order_by: times(n, () => ({ field: "rank", direction: "asc" })) } },
    }),
    entries,
  ],
  ...(["set", "set_expr"] as const).map(
    (key): Bound => [
      `fields of ${key}`,
      few,
      "modify",
      9,
      (n) => ({
        [key]: Object.fromEntries(times(n, (i) => [`f${i}`, key === "set" ? "p" : { op: "+", param: "p" }])),
        where: [leaf],
      }),
      /at most 9 fields/,
    ],
  ),
  [
    "fields of conflict_set",
    few,
    "insert",
    9,
    (n) => ({
      on_conflict: ["id"],
      conflict_action: "update",
      conflict_set: Object.fromEntries(times(n, (i) => [`f${i}`, "p"])),
    }),
    /at most 9 fields/,
  ],

  [
    "joins",
    { maxJoins: 2 },
    "query",
    2,
    (n) => ({ joins: times(n, (i) => ({ relation: "parent", as: `p${i}` })) }),
    /at most 2 joins/,
  ],
  [
    "joins of all queries",
    { maxJoins: 2 },
    "query",
    2,
    (n) => ({
      joins: [{ relation: "parent", as: "p" }],
      limit: 1,
      with: { children: { joins: times(n - 1, (i) => ({ relation: "parent", as: `p${i}` })) } },
    }),
    /at most 2 joins/,
  ],

  [
    "levels of nested rows",
    { maxRows: 1e6 },
    "query",
    8,
    (n) => wrapped(n, (inner) => ({ limit: 1, with: { children: inner } }), {}),
    /nested rows nest at most 8 levels/,
  ],
  [
    "rows with all nested ones",
    { maxRows: 6 },
    "query",
    3,
    (n) => ({ limit: 2, with: { children: { limit: n } } }),
    /at most 6 rows with all nested ones/,
  ],
  [
    "rows of one with all nested ones",
    { maxRows: 2 },
    "query",
    2,
    (n) => ({ limit: 1, with: { children: { limit: n } } }),
    /at most 2 rows with all nested ones/,
  ],
  [
    "rows of two nested lists",
    { maxRows: 10 },
    "query",
    3,
    (n) => ({
      limit: 2,
      with: { children: { limit: n, with: { parent: {} } }, parent: { with: { children: { limit: 2 } } } },
    }),
    /at most 10 rows with all nested ones/,
  ],
  ["rows", { maxLimit: 7 }, "query", 7, (n) => ({ limit: n }), /./],
  ["rows of a nested list", {}, "query", 3, (n) => ({ limit: 1, with: { children: { limit: n } } }), /./],
  [
    "letters of a parameter's name",
    {},
    "query",
    63,
    (n) => ({ where: [{ ...leaf, param: "p".repeat(n) }] }),
    /./,
  ],
  ["the name of the parameter of the limit", {}, "query", 63, (n) => ({ limit_param: "p".repeat(n) }), /./],
];

/** Bounds at which something else is wrong: a field is named twice, or is none. */
const cannotBeFull = /^(entries of (group_by|on_conflict)|fields of |conditions of having$)/;

const said = (schema: z.ZodType, spec: object) =>
  schema.safeParse(spec).error?.issues.map(({ message }) => message) ?? [];

describe("a spec of a client", () => {
  test.each(bounds)("%s", (what, options, kind, bound, spec, refusal) => {
    const schema = schemasOf(options)[kind] as z.ZodType;
    const full = said(schema, spec(bound));
    if (cannotBeFull.test(what)) for (const message of full) expect(message).not.toMatch(refusal);
    else expect(full).toEqual([]);
    const [first, ...others] = said(schema, spec(bound + 1));
    expect(first).toMatch(refusal);
    // Of what is too large nothing else is looked at.
    if (refusal.source !== ".") expect(others).toEqual([]);
    // Far beyond it another bound may come first.
    expect(said(schema, spec(bound + 50))[0]).toMatch(/at most|nest|too|pattern|match/i);
  });

  test("says which conditions are too many", () => {
    const { query } = schemasOf(few);
    const pathsOf = (spec: object) => query.safeParse(spec).error?.issues.map(({ path }) => path);
    const group = (...conditions: readonly object[]) => ({ logic: "OR", group: conditions });
    for (const where of [
      times(6, () => leaf),
      [group(...times(6, () => leaf))],
      [leaf, group(leaf, leaf), group(leaf, group(leaf, leaf))],
    ])
      expect(pathsOf({ where })).toEqual([["where"]]);
    const grouped = { fields: ["name"], group_by: ["name"] };
    expect(pathsOf({ ...grouped, having_agg: having(6) })).toEqual([["having"]]);
    expect(pathsOf({ ...grouped, where: times(3, () => leaf), having_agg: having(3) })).toEqual([["having"]]);
  });

  test("relations of specs nest eight levels", () => {
    expect(() => schemasOf({}, 8)).not.toThrow();
    expect(() => schemasOf({}, 9)).toThrow(/relations of specs nest at most 8 levels/);
  });

  test("the depth that an option gives has a bound too", () => {
    expect(() => schemasOf({ maxDepth: 100 }, 1)).not.toThrow();
    expect(() => schemasOf({ maxDepth: 101 }, 1)).toThrow(
      /maxDepth of specs must be a whole number from 0 to 100/,
    );
  });
});

describe("a spec of a builder", () => {
  const from = (spec: object) => repositoryOf(sqlite()).queryFromSpec(spec as never);

  test.each([
    [
      "levels of groups",
      100,
      (n: number) => ({ where: [wrapped(n, (inner) => ({ logic: "AND", group: [inner] }))] }),
      /groups nest more than 100 levels/,
    ],
    [
      "levels of not_exists",
      32,
      (n: number) => ({ where: [wrapped(n, (inner) => ({ not_exists: "children", where: [inner] }))] }),
      /./,
    ],
    [
      "levels of values",
      256,
      (n: number) => ({ where: wrapped(n - 1, (inner) => [inner], []) }),
      /a spec nests more than 256 levels/,
    ],
  ])("%s", (_, bound, spec, refusal) => {
    const full = (() => {
      try {
        from(spec(bound)).render();
        return "";
      } catch (error) {
        return String(error);
      }
    })();
    expect(full).not.toMatch(new RegExp(refusal.source === "." ? "." : refusal.source));
    expect(sqlErrorIn(() => from(spec(bound + 1)).render()).message).toMatch(refusal);
  });
});

const dialects = [
  [sqlite(), 32_766],
  [postgres(), 65_535],
  [mariadb(), 65_535],
] as unknown as readonly (readonly [Db, number])[];

test.each(dialects.map(([db, most]) => [db.dialect as string, db, most] as const))(
  "a statement on %s counts the parameters of limits, of nested rows and of what is sought",
  (_, db, most) => {
    const order = { order_by: [{ field: "id", direction: "asc" }] };
    const own = { ...leaf, param: "own" };
    const rest = {
      ...order,
      limit_param: "most",
      offset_param: "from",
      with: { children: { ...order, where: [{ ...leaf, param: "nested" }], limit_param: "few" } },
    };
    // More conditions than a client may send; a builder takes them.
    const rendered = (count: number) => {
      const group = times(count, (i) => ({ ...leaf, param: `p${i}` }));
      const where = [
        { not_exists: "children", where: [own] },
        { logic: "OR", group },
      ];
      return repositoryOf(db)
        .queryFromSpec({ ...rest, where } as never)
        .render();
    };
    expect(rendered(most - 5).native.params).toHaveLength(most);
    expect(sqlErrorIn(() => rendered(most - 4))).toMatchObject({
      code: "UNSUPPORTED",
      message: expect.stringContaining(`more than ${most} parameters`),
    });
  },
);
