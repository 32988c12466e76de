/** What is refused of a spec before its names are looked up: values that are no objects, keys, and too many problems. */
import { column, json, many, one, table } from "rowtype";
import { oracle } from "rowtype/oracle";
import { postgres } from "rowtype/postgres";
import { describe, expect, test } from "vitest";
import { z } from "zod";

const tables = {
  posts: table(
    "posts",
    z.object({ id: column(z.int(), { primaryKey: true }), authorId: z.int(), title: z.string() }),
    { relations: { author: one("authors", "authorId") } },
  ),
  authors: table("authors", z.object({ id: column(z.int(), { primaryKey: true }), name: z.string() }), {
    relations: { posts: many("posts", "authorId") },
  }),
};
const { posts } = postgres().repositories(tables);
const fields = ["id", "authorId", "title"] as const;
const alone = posts.specs({ fields });
const joined = posts.specs({
  fields,
  maxLimit: 50,
  relations: { author: { fields: ["id", "name"], maxLimit: 5, relations: { posts: { fields: ["id"] } } } },
});
const kinds = ["query", "select", "insert", "modify", "remove", "aggregate", "compound"] as const;

/** Each issue as `path: code`, and the keys that its message lists. */
function issuesOf(schema: z.ZodType, spec: unknown) {
  return (schema.safeParse(spec).error?.issues ?? []).map((issue) => {
    const code = issue.code === "custom" ? String(issue.params?.["code"]) : issue.code;
    const [, keys = ""] = / keys: (.*)$/.exec(issue.message) ?? [];
    return { at: `${issue.path.join(".")}: ${code}`, keys: keys.split(", ") };
  });
}
const at = (schema: z.ZodType, spec: unknown) => issuesOf(schema, spec).map((one) => one.at);

describe.each(kinds)("the schema of %s", (kind) => {
  test.each([undefined, null, true, false, 7, 0n, "", "query", Symbol("query"), () => ({}), [], [{}]])(
    "refuses %o: it is no object",
    (value) => {
      expect(at(alone[kind], value)).toEqual([": invalid_type"]);
    },
  );

  test("names 50 unknown keys at most, and then looks up no name", () => {
    const spec = (count: number) => ({
      ...Object.fromEntries(Array.from({ length: count }, (_, i) => [`k${i}`, 1])),
      where: [{ field: "hidden", operator: "?", param: "p" }],
      fields: ["hidden"],
      set: { hidden: "p" },
    });
    // `fields` and `set` are keys of some kinds.
    const own = (["where", "fields", "set"] as const).filter((key) => !(key in alone[kind].shape)).length;
    for (const [count, named] of [
      [1, 1 + own],
      [49, Math.min(50, 49 + own)],
      [50, 50],
      [51, 50],
      [500, 50],
    ] as const) {
      const found = at(alone[kind], spec(count));
      expect(found).toHaveLength(named);
      expect(found.every((one) => /^(k\d+|where|fields|set): INVALID_SPEC$/.test(one))).toBe(true);
    }
  });

  test("refuses __proto__, however it is extended", () => {
    const spec: unknown = JSON.parse('{"__proto__":{"fields":["id"]}}');
    const schema = alone[kind];
    for (const one of [schema, schema.strict(), schema.loose(), schema.catchall(z.unknown()), schema.strip()])
      expect(at(one, spec)).toContain("__proto__: INVALID_SPEC");
  });
});

test("50 problems at most are told of a spec", () => {
  const { query } = posts.specs({ fields, maxConditions: 400 });
  for (const count of [1, 49, 50, 51, 400]) {
    const where = Array.from({ length: count }, (_, i) => ({ field: `f${i}`, operator: "=", param: "p" }));
    const found = at(query, { where });
    expect(found).toHaveLength(Math.min(count, 50));
    expect(found.at(-1)).toBe(`where.${Math.min(count, 50) - 1}.field: INVALID_FIELD`);
  }
});

test("unknown keys are refused, dropped or kept, as a strict, stripping or loose object does", () => {
  const { query } = alone;
  const spec = { fields: ["id"], note: 1 };
  expect(at(query, spec)).toEqual(["note: INVALID_SPEC"]);
  expect(at(query.strict(), spec)).toEqual(["note: INVALID_SPEC"]);
  expect(query.strip().parse(spec)).toEqual({ fields: ["id"] });
  expect(query.loose().parse(spec)).toEqual(spec);
  expect(query.catchall(z.int()).parse(spec)).toEqual(spec);
  expect(at(query.catchall(z.string()), spec)).toEqual(["note: invalid_type"]);
});

test("a limit by a parameter alone adds no limit where there is no largest one", () => {
  const spec = posts.specs({ fields, defaultLimit: 5 }).query.parse({ fields: ["id"], limit_param: "n" });
  expect(spec).toStrictEqual({ fields: ["id"], limit_param: "n" });
});

describe("the keys of a condition", () => {
  const leaf = { field: "hidden", operator: "=", param: "p" };
  const ofLeaf = [
    "field",
    "operator",
    "param",
    "right_field",
    "low_param",
    "high_param",
    "is_null",
    "optional",
  ];
  const ofGroup = ["logic", "group"];
  const ofRows = ["exists", "not_exists", "where"];
  const places: readonly (readonly [where: (one: object) => object, path: string])[] = [
    [(one) => ({ where: [one] }), "where.0"],
    [(one) => ({ where: [{ logic: "AND", group: [one] }] }), "where.0.group.0"],
    [
      (one) => ({ where: [{ logic: "OR", group: [{ logic: "AND", group: [one, one] }] }] }),
      "where.0.group.0.group.0",
    ],
  ];

  test.each(places)("are refused before the names in it, with those that it may have", (where, path) => {
    for (const [schema, keys] of [
      [alone.query, [...ofLeaf, ...ofGroup]],
      [alone.remove, [...ofLeaf, ...ofGroup]],
      [joined.query, [...ofLeaf, ...ofGroup, ...ofRows]],
    ] as const) {
      const [first, ...others] = issuesOf(schema, where({ ...leaf, raw: "1 = 1" }));
      expect(first).toEqual({ at: `${path}.raw: INVALID_SPEC`, keys });
      expect(others.every((one) => one.at.endsWith(".raw: INVALID_SPEC"))).toBe(true);
      // The name alone.
      expect(issuesOf(schema, where(leaf))[0]?.at).toBe(`${path}.field: INVALID_FIELD`);
    }
  });

  test("are those of existence only where there are relations", () => {
    for (const key of ofRows)
      for (const [where, path] of places)
        expect(issuesOf(alone.query, where({ [key]: "author" }))[0]).toEqual({
          at: `${path}.${key}: INVALID_SPEC`,
          keys: [...ofLeaf, ...ofGroup],
        });
    for (const key of ["exists", "not_exists"])
      expect(at(joined.query, { where: [{ [key]: "author" }] })).toEqual([]);
  });
});

test("an unknown key of a nested query and of an operand is refused before the names in it", () => {
  expect(at(joined.query, { with: { author: { raw: 1, fields: ["hidden"] } } })).toEqual([
    "with.author.raw: INVALID_SPEC",
  ]);
  expect(at(joined.query, { with: { author: { with: { posts: { raw: 1, fields: ["hidden"] } } } } })).toEqual(
    ["with.author.with.posts.raw: INVALID_SPEC"],
  );
  const operand = (query: object) => [{ operation: "union", query }];
  const base = { fields: ["id"] };
  expect(at(alone.compound, { base: { ...base, raw: 1, where: [{}] }, operands: operand(base) })).toEqual([
    "base.raw: INVALID_SPEC",
  ]);
  expect(at(alone.compound, { base, operands: operand({ fields: ["hidden"], raw: 1 }) })).toEqual([
    "operands.0.query.raw: INVALID_SPEC",
  ]);
});

describe("a spec without fields", () => {
  const large = {
    notes: table(
      "notes",
      z.object({
        id: column(z.int(), { primaryKey: true }),
        parentId: z.int(),
        body: json(z.object({ a: z.int() })),
      }),
      { relations: { answers: many("notes", "parentId"), parent: one("notes", "parentId") } },
    ),
  };
  const { notes } = oracle().repositories(large);
  const visible = ["id", "parentId"] as const;
  const union = (query: object) => ({ base: query, operands: [{ operation: "union", query }] });
  const parts: readonly (readonly [kind: "query" | "select" | "compound", of: (part: object) => object])[] = [
    ["query", (part) => ({ distinct: true, ...part })],
    ["select", (part) => ({ distinct: true, ...part })],
    ["compound", union],
    ["query", (part) => ({ with: { answers: { distinct: true, ...part } } })],
    ["select", (part) => ({ with: { parent: { with: { answers: { distinct: true, ...part } } } } })],
  ];

  test("is one with those that the client may see: what it hides is not compared", () => {
    const limited = { fields: visible, maxLimit: 5 };
    const relations = { answers: limited, parent: { ...limited, relations: { answers: limited } } };
    const narrow = notes.specs({ fields: visible, maxLimit: 5, relations });
    const all = { fields: ["id", "parentId", "body"] as const, maxLimit: 5 };
    const open = notes.specs({
      maxLimit: 5,
      relations: { answers: all, parent: { ...all, relations: { answers: all } } },
    });
    for (const [kind, of] of parts) {
      expect([kind, at(narrow[kind], of({}))]).toEqual([kind, []]);
      expect([kind, at(narrow[kind], of({ fields: ["id"] }))]).toEqual([kind, []]);
      expect([kind, at(open[kind], of({ fields: ["id"] }))]).toEqual([kind, []]);
      // Oracle does not compare large objects.
      expect([kind, at(open[kind], of({}))]).not.toEqual([kind, []]);
    }
  });

  test("has as many rows as its limits make, one for a select", () => {
    const { query, select } = notes.specs({
      fields: visible,
      maxLimit: 2,
      maxRows: 6,
      relations: { answers: { fields: visible, maxLimit: 5 }, parent: { fields: visible, maxLimit: 9 } },
    });
    const nested = { with: { answers: {} } };
    expect(select.safeParse(nested).success).toBe(true);
    expect(at(query, nested)).toEqual(["with: INVALID_SPEC"]);
    expect(query.safeParse({ ...nested, limit: 1 }).success).toBe(true);
    expect(query.safeParse({ with: { answers: { limit: 3 } } }).success).toBe(true);
    expect(at(query, { with: { answers: { limit: 4 } } })).toEqual(["with: INVALID_SPEC"]);
    // A row that is one has no limit of its own, and what is no object is refused for that.
    expect(query.safeParse({ with: { parent: {} } }).success).toBe(true);
    for (const wrong of [null, 7, "answers", { answers: 7 }, { other: {} }])
      expect(query.safeParse({ with: wrong }).success).toBe(false);
  });
});

test("an aggregate that is not allowed is refused with those that are", () => {
  const said = (aggregates: readonly "count"[]) => {
    const spec = { fields: [{ func: "sum", field: "id", alias: "x" }] };
    return posts.specs({ fields, aggregates }).query.safeParse(spec).error?.issues[0]?.message;
  };
  expect(said([])).toBe('aggregate "sum" is not allowed here; there are none');
  expect(said(["count"])).toBe('aggregate "sum" is not allowed here; aggregates: count');
});
