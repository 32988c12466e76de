/**
 * The parts of which specs are made, each alone: the checked options, the size of a spec and where its parts are, the
 * names that a client may use, examples, and members that are made when they are read.
 */
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { column, json, many, one, table } from "../../../src/index.js";
import type { AnyTable } from "../../../src/sql/declare/declaration.js";
import { grammars } from "../../../src/sql/dialect/grammars.js";
import { aggregatesIn, measured, mostValues } from "../../../src/sql/specs/bounds.js";
import { exampleOf } from "../../../src/sql/specs/examples.js";
import { foreignSpec } from "../../../src/sql/specs/foreign.js";
import { keptFor, madeOnce, objectOf } from "../../../src/sql/specs/members.js";
import {
  aloneOf,
  anyField,
  columnsSeen,
  comparableField,
  fieldName,
  leadsOn,
  mayJoin,
  relationPath,
} from "../../../src/sql/specs/names.js";
import { isRegex, type Permissions, permissionsOf } from "../../../src/sql/specs/permissions.js";
import { aggregateFunctions } from "../../../src/sql/words/functions.js";
import { sqlErrorIn } from "../../kit/thrown.js";

const people = table(
  "people",
  z.object({
    id: column(z.int(), { primaryKey: true }),
    name: z.string(),
    teamId: z.int().nullable(),
    meta: json(z.object({ a: z.int() })),
  }),
  { relations: { team: one("teams", "teamId"), notes: many("notes", "personId") } },
);
const teams = table("teams", z.object({ id: column(z.int(), { primaryKey: true }), title: z.string() }), {
  relations: { members: many("people", "teamId") },
});
const notes = table(
  "notes",
  z.object({ id: column(z.int(), { primaryKey: true }), text: z.string(), personId: z.int() }),
);
const tables = new Map<string, AnyTable>(Object.entries({ people, teams, notes }));
const grammarOf = (dialect: "sqlite" | "oracle") => {
  const grammar = grammars.get(dialect);
  if (grammar === undefined) throw new Error(dialect);
  return grammar;
};
const sqlite = grammarOf("sqlite");
const made = (options: object = {}, of: AnyTable = people, known: ReadonlyMap<string, AnyTable> = tables) =>
  permissionsOf({ table: of, tables: known, grammar: sqlite }, options);
const refusal = (options: unknown, of?: AnyTable, known?: ReadonlyMap<string, AnyTable>) => {
  const { code, message } = sqlErrorIn(() => made(options as object, of, known));
  expect(code).toBe("DECLARATION");
  return message;
};
const team = { fields: ["id", "title"] };
const note = { fields: ["text"] };
const names = ({ columns }: Permissions) => columns.map(({ property }) => property);

describe("the options of specs", () => {
  test("have defaults, and what is given instead", () => {
    expect(made()).toMatchObject({
      maxDepth: 8,
      maxConditions: 64,
      maxJoins: 4,
      maxRows: 10_000,
      maxLimit: undefined,
      defaultLimit: undefined,
      locks: false,
      regex: false,
      isWhole: false,
      operators: undefined,
      aggregates: aggregateFunctions,
      view: { fields: undefined, relations: new Map() },
      relations: new Map(),
    });
    const given = {
      maxDepth: 1,
      maxConditions: 2,
      maxJoins: 3,
      maxRows: 4,
      maxLimit: 5,
      locks: true,
      regex: true,
    };
    expect(made(given)).toMatchObject({ ...given, defaultLimit: 5 });
    expect(made({ maxLimit: 5, defaultLimit: 2 })).toMatchObject({ maxLimit: 5, defaultLimit: 2 });
    expect(made({ defaultLimit: 2 })).toMatchObject({ maxLimit: undefined, defaultLimit: 2 });
  });

  test("are counts from 0 to their most, and truth values", () => {
    const safe = Number.MAX_SAFE_INTEGER;
    const most = {
      maxDepth: 100,
      maxConditions: safe,
      maxJoins: safe,
      maxRows: safe,
      maxLimit: safe,
      defaultLimit: safe,
    };
    for (const [name, bound] of Object.entries(most)) {
      for (const fine of [0, 1, bound]) expect(made({ [name]: fine })).toMatchObject({ [name]: fine });
      for (const odd of [-1, 1.5, bound + 1, Number.NaN, "7", null, true])
        expect(refusal({ [name]: odd })).toBe(`${name} of specs must be a whole number from 0 to ${bound}`);
    }
    expect(refusal({ maxLimit: 5, defaultLimit: 6 })).toContain(
      "defaultLimit of specs must be a whole number from 0 to 5",
    );
    for (const name of ["locks", "regex"])
      for (const odd of [1, "true", null])
        expect(refusal({ [name]: odd })).toBe(`${name} of specs must be a boolean`);
    expect(refusal({ more: 1 })).toContain('"more"');
  });

  test("have fields of the table, in their order, each once", () => {
    expect(names(made())).toEqual(["id", "name", "teamId", "meta"]);
    const some = made({ fields: ["name", "id", "name"] });
    expect(names(some)).toEqual(["name", "id"]);
    expect(some.view.fields).toEqual(new Set(["name", "id"]));
    expect(made({ fields: ["meta", "teamId", "name", "id"] }).view.fields).toBeUndefined();
    for (const odd of [["id", "age"], ["toString"], [7], [undefined], [["id"]]])
      expect(refusal({ fields: odd })).toContain('on table "people"; fields: id, name, teamId, meta');
    expect(refusal({ fields: [] })).toBe("specs needs at least one allowed field");
    for (const odd of ["id", { 0: "id" }, 7, null])
      expect(refusal({ fields: odd })).toBe("fields of specs must be a list");
    // What a scope fixes does not exist.
    const fixed = { ...people, fixed: new Map([["teamId", 1]]) } as unknown as AnyTable;
    expect(names(made({}, fixed))).toEqual(["id", "name", "meta"]);
    expect(refusal({ fields: ["id", "teamId"] }, fixed)).toBe(
      'unknown field "teamId" on table "people"; fields: id, name, meta',
    );
  });

  test("have operators and aggregates that exist, each once", () => {
    expect(made({ operators: ["=", "BETWEEN", "IS NULL", "="] }).operators).toEqual(
      new Set(["=", "BETWEEN", "IS NULL"]),
    );
    for (const fine of ["IS NOT NULL", "NOT BETWEEN", "IN"])
      expect(made({ operators: [fine] }).operators).toEqual(new Set([fine]));
    expect(made({ operators: ["~"], regex: true }).operators).toEqual(new Set(["~"]));
    for (const one of ["~", "~*", "!~", "!~*"])
      expect(refusal({ operators: ["=", one] })).toBe(
        `operators of specs has ${one}, which needs regex: true`,
      );
    expect(refusal({ operators: "=" })).toBe("operators of specs is a list");
    // A hole, too.
    for (const odd of [["=="], [7], new Array(1), ["="].concat(["toString"])])
      expect(refusal({ operators: odd })).toContain("which is none");
    expect(made({ aggregates: true }).aggregates).toEqual(aggregateFunctions);
    expect(made({ aggregates: false }).aggregates).toEqual([]);
    expect(made({ aggregates: ["sum", "count", "sum"] }).aggregates).toEqual(["sum", "count"]);
    for (const odd of [["total"], [undefined]])
      expect(refusal({ aggregates: odd })).toContain("aggregates of specs has");
    expect(refusal({ aggregates: "sum" })).toBe("aggregates of specs is a list");
    expect(["~", "!~*", "=", 7, undefined].map(isRegex)).toEqual([true, true, false, false, false]);
  });

  test("have relations, each with its own fields and limits", () => {
    const relations = {
      team: { ...team, relations: { members: { fields: ["name"], maxLimit: 7 } } },
      notes: note,
    };
    const all = made({ relations, locks: true, maxLimit: 3, regex: true });
    const behind = all.relations.get("team");
    expect([...all.relations.keys()]).toEqual(["team", "notes"]);
    expect(behind).toMatchObject({
      table: teams,
      locks: false,
      regex: true,
      maxLimit: 100,
      defaultLimit: 100,
      isWhole: false,
    });
    expect(behind?.relations.get("members")).toMatchObject({ table: people, maxLimit: 7, defaultLimit: 7 });
    expect(all.view.relations.get("team")?.relations.get("members")?.fields).toEqual(new Set(["name"]));
    expect(all.view.relations.get("team")?.fields).toBeUndefined();
    expect(made({ relations: { team: { ...team, whole: true } } }).relations.get("team")?.isWhole).toBe(true);
    const narrowed = { ...teams, whole: teams } as unknown as AnyTable;
    const scoped = new Map([...tables, ["teams", narrowed]]);
    for (const whole of [true, false])
      expect(
        made({ relations: { team: { ...team, whole } } }, people, scoped).relations.get("team")?.table,
      ).toBe(whole ? teams : narrowed);
  });

  test("have no other relations", () => {
    const at = (option: unknown) => refusal({ relations: { team: option } });
    expect(at({})).toBe('the relation "team" of specs needs its own list of fields');
    expect(at({ fields: ["name"] })).toContain('unknown field "name" on table "teams"');
    expect(at({ ...team, more: 1 })).toContain('the relation "team" of specs');
    expect(at({ ...team, whole: 1 })).toBe('whole of the relation "team" of specs must be a boolean');
    for (const maxLimit of [-1, "7", 1.5]) expect(at({ ...team, maxLimit })).toContain("maxLimit of specs");
    expect(at({ ...team, relations: { other: team } })).toContain(
      'unknown relation "team.other" of specs; relations of "teams": members',
    );
    for (const name of ["toString", "teams"])
      expect(refusal({ relations: { [name]: team } })).toContain(
        `unknown relation "${name}" of specs; relations of "people": team, notes`,
      );
    expect(refusal({ relations: { team } }, people, new Map())).toContain("db.repositories(module)");
    for (const [odd, type] of [
      [[team], "an array"],
      [7, "a number"],
      [null, "null"],
    ] as const) {
      expect(refusal({ relations: odd })).toBe(`relations of specs must be an object, not ${type}`);
      expect(at({ ...team, relations: odd })).toBe(
        `relations of specs at "team" must be an object, not ${type}`,
      );
    }
    const nested = (levels: number): object =>
      levels === 0
        ? {}
        : {
            relations:
              levels % 2 === 0
                ? { team: { ...team, ...nested(levels - 1) } }
                : { members: { fields: ["id"], ...nested(levels - 1) } },
          };
    expect(made(nested(8)).relations.size).toBe(1);
    expect(sqlErrorIn(() => made(nested(9), teams)).message).toContain(
      "relations of specs nest at most 8 levels",
    );
  });
});

describe("the size of a spec", () => {
  const leaf = { field: "id", operator: "=", param: "p" };
  const group = (...inner: object[]) => ({ logic: "OR", group: inner });
  const rows = (...where: object[]) => ({ exists: "team", where });
  const times = <T>(count: number, one: T): T[] => Array.from({ length: count }, () => one);
  const few = made({
    maxConditions: 5,
    maxDepth: 2,
    maxJoins: 2,
    fields: ["id", "name"],
    relations: { team, notes: note },
  });
  const fault = (spec: object, permissions = few) => {
    const size = measured(spec, permissions);
    return "problem" in size ? `${size.problem.path}: ${size.problem.message}` : undefined;
  };
  const found = (spec: object) => {
    const size = measured(spec, few);
    if ("problem" in size) throw new Error(size.problem.message);
    return {
      leaves: size.leaves.map(({ path }) => path),
      conditions: size.conditions.map(({ path }) => path),
      queries: size.queries.map(({ path }) => path),
    };
  };

  test("is that of its parts, which are found at any depth", () => {
    expect(found({})).toEqual({ leaves: [], conditions: [], queries: [] });
    expect(found({ where: [leaf, group(leaf, rows(leaf))], having: [leaf] })).toEqual({
      leaves: ["where[0]", "where[1].group[0]", "where[1].group[1].where[0]", "having[0]"],
      conditions: [
        "where[0]",
        "where[1]",
        "where[1].group[0]",
        "where[1].group[1]",
        "where[1].group[1].where[0]",
      ],
      queries: [],
    });
    expect(found({ where: [{ not_exists: "team", where: [leaf] }, rows(), group()] })).toMatchObject({
      leaves: ["where[1]", "where[2]", "where[0].where[0]"],
    });
    const nested = { with: { notes: { where: [leaf], with: { "a b": {} } }, other: 7 } };
    expect(found(nested)).toEqual({
      leaves: ["with.notes.where[0]"],
      conditions: ["with.notes.where[0]"],
      queries: ["with.notes.", "with.other.", 'with.notes.with["a b"].'],
    });
    const compound = {
      base: { where: [leaf] },
      operands: [{ query: { having_agg: [leaf] } }, 7, { query: null }],
    };
    expect(found(compound)).toEqual({
      leaves: ["base.where[0]", "operands[0].query.having_agg[0]"],
      conditions: ["base.where[0]"],
      queries: ["base.", "operands[0].query.", "operands[1].query.", "operands[2].query."],
    });
    expect(found({ where: "text", having: 7, operands: {}, with: [], base: undefined })).toMatchObject({
      leaves: [],
    });
  });

  test("counts a query's own permissions: those of its relation, or none", () => {
    const size = measured({ with: { notes: {}, other: {} }, base: {}, operands: [{}] }, few);
    if ("problem" in size) throw new Error(size.problem.message);
    expect(size.queries.map(({ permissions }) => permissions?.table)).toEqual([
      people,
      people,
      notes,
      undefined,
    ]);
  });

  test("has at most so many conditions, and groups of so many levels", () => {
    for (const key of ["where", "having", "having_agg"])
      expect(fault({ [key]: times(5, leaf) }), key).toBeUndefined();
    expect(fault({ where: times(6, leaf) })).toBe("where: at most 5 conditions");
    expect(fault({ having: times(6, leaf) })).toBe("having: at most 5 conditions");
    expect(fault({ where: times(3, leaf), having: times(2, leaf) })).toBeUndefined();
    expect(fault({ where: times(3, leaf), having: times(3, leaf) })).toBe("having: at most 5 conditions");
    expect(fault({ where: [...times(2, leaf), group(leaf, leaf, leaf)] })).toBeUndefined();
    expect(fault({ where: [...times(2, leaf), group(leaf, leaf, leaf, leaf)] })).toBe(
      "where: at most 5 conditions",
    );
    // Each group has a condition at least: three groups beside three conditions are too many at once.
    expect(fault({ where: [...times(3, leaf), ...times(3, group(leaf))] })).toBe(
      "where: at most 5 conditions",
    );
    expect(fault({ where: [group(leaf, leaf, leaf), group(leaf, leaf, leaf)] })).toBe(
      "where: at most 5 conditions",
    );
    expect(fault({ where: times(6, group()) })).toBe("where: at most 5 conditions");
    expect(fault({ with: { notes: { where: times(3, leaf) } }, where: times(3, leaf) })).toBe(
      "with.notes.where: at most 5 conditions",
    );
    expect(fault({ where: [group(group(leaf))] })).toBeUndefined();
    expect(fault({ where: [group(rows(leaf))] })).toBeUndefined();
    expect(fault({ where: [group(group(group(leaf)))] })).toBe(
      "where[0].group[0].group[0]: groups nest at most 2 levels",
    );
    expect(fault({ where: [rows(rows(rows(leaf)))] })).toBe(
      "where[0].where[0].where[0]: groups nest at most 2 levels",
    );
  });

  test("has at most so many joins in all its queries, and operands", () => {
    expect(fault({ joins: [1, 2] })).toBeUndefined();
    expect(fault({ joins: [1, 2, 3] })).toBe("joins: at most 2 joins");
    expect(fault({ joins: [1], with: { notes: { joins: [1] } } })).toBeUndefined();
    expect(fault({ joins: [1, 2], with: { notes: { joins: [1] } } })).toBe(
      "with.notes.joins: at most 2 joins",
    );
    expect(fault({ operands: times(5, {}) })).toBeUndefined();
    expect(fault({ operands: times(6, {}) })).toBe("operands: at most 5 operands");
  });

  test("has at most so many entries in each list and each map: as many as conditions and fields", () => {
    for (const key of ["fields", "order_by", "group_by", "distinct_on", "on_conflict"]) {
      expect(fault({ [key]: times(7, "id") }), key).toBeUndefined();
      expect(fault({ [key]: times(8, "id") }), key).toBe(`${key}: at most 7 entries in a list`);
      expect(fault({ with: { notes: { [key]: times(8, "id") } } }), key).toBe(
        `with.notes.${key}: at most 7 entries in a list`,
      );
    }
    const mapOf = (count: number) => Object.fromEntries(times(count, 1).map((_, i) => [`f${i}`, "p"]));
    for (const key of ["set", "set_expr", "conflict_set"]) {
      expect(fault({ [key]: mapOf(7) }), key).toBeUndefined();
      expect(fault({ [key]: mapOf(8) }), key).toBe(`${key}: at most 7 fields`);
    }
    expect(
      fault({ joins: times(8, 1) }, made({ maxConditions: 5, maxJoins: 9, fields: ["id", "name"] })),
    ).toBe("joins: at most 7 entries in a list");
  });

  test("has nested rows of at most eight levels", () => {
    const nested = (levels: number): object => (levels === 0 ? {} : { with: { notes: nested(levels - 1) } });
    expect(fault(nested(8))).toBeUndefined();
    expect(fault(nested(9))).toBe("with: nested rows nest at most 8 levels");
  });

  test("in values is bounded by what a spec within the limits can have", () => {
    expect(mostValues(few)).toBe(7_000);
    expect(mostValues(made())).toBe(68_000);
  });

  test("does not hide an aggregate, wherever it is", () => {
    const at = (spec: object) => aggregatesIn(spec, few).map(({ path }) => path);
    const sum = { func: "sum" };
    expect(at({ fields: ["id", sum], having_agg: [sum], with: { notes: { fields: [sum] } } })).toEqual([
      "fields[0]",
      "fields[1]",
      "having_agg[0]",
      "with.notes.fields[0]",
    ]);
    expect(at({ base: { fields: [sum] }, fields: 7 })).toEqual(["base.fields[0]"]);
  });
});

describe("the names that a client may use", () => {
  const alone = made({ fields: ["id", "name"] });
  const joined = made({
    fields: ["id", "meta"],
    relations: { team: { ...team, relations: { members: { fields: ["name"] } } } },
  });

  test("are those of the table, and with a relation's name those behind it", () => {
    expect([...columnsSeen(alone).keys()]).toEqual(["id", "name"]);
    expect([...columnsSeen(joined).keys()]).toEqual(["id", "meta", "team.id", "team.title", "members.name"]);
    expect(columnsSeen(joined).get("team.title")?.table).toBe(teams);
    expect([...columnsSeen({ ...joined, maxJoins: 0 }).keys()]).toEqual(["id", "meta"]);
    expect([mayJoin(alone), mayJoin(joined), mayJoin({ ...joined, maxJoins: 0 })]).toEqual([
      false,
      true,
      false,
    ]);
    expect([leadsOn(alone), leadsOn(joined), leadsOn(made({ relations: { team } }))]).toEqual([
      false,
      true,
      false,
    ]);
    expect(aloneOf(alone)).toBe(alone);
    expect(aloneOf(joined)).toMatchObject({ maxJoins: 0, table: people });
  });

  test("are taken by a schema, and with joins also those of a join that the spec names", () => {
    const takes = (schema: z.ZodType | undefined, names: readonly string[]) =>
      names.map((name) => schema?.safeParse(name).success);
    expect(takes(anyField(alone) as z.ZodType, ["id", "name", "meta", "x.id", ""])).toEqual([
      true,
      true,
      false,
      false,
      false,
    ]);
    const wide = ["id", "team.id", "x.id", "x.a-b", `${"n".repeat(63)}.id`];
    expect(takes(anyField(joined) as z.ZodType, wide)).toEqual(wide.map(() => true));
    const odd = ["x.", ".x", "x.y.z", "1.x", "x", `${"n".repeat(64)}.id`, " x.id", "name"];
    expect(takes(anyField(joined) as z.ZodType, odd)).toEqual(odd.map(() => false));
    expect(fieldName(alone, () => false)).toBeUndefined();
    expect(
      takes(fieldName(alone, ({ column }) => column.property === "id") as z.ZodType, ["id", "name"]),
    ).toEqual([true, false]);
    const path = relationPath("A join");
    expect(path.description).toBe("A join, a dot, and a relation of its table.");
    expect(takes(path, ["a.b", "_1.x2"])).toEqual([true, true]);
    expect(takes(path, ["a", "a.", "a.b.c", "1.b", "a.1", "a.b ", " a.b", `a.${"b".repeat(64)}`])).toEqual(
      Array(8).fill(false),
    );
  });

  test("are those of comparable fields where values are sorted", () => {
    const oracle = permissionsOf({ table: people, tables, grammar: grammarOf("oracle") }, {});
    expect((comparableField(oracle) as z.ZodType).safeParse("meta").success).toBe(false);
    expect((comparableField(oracle) as z.ZodType).safeParse("name").success).toBe(true);
    const only = permissionsOf({ table: people, tables, grammar: grammarOf("oracle") }, { fields: ["meta"] });
    expect(comparableField(only)).toBeUndefined();
  });
});

describe("an example of a spec", () => {
  const wide = table(
    "wide",
    z.object({
      "odd name": z.string(),
      meta: json(z.object({})),
      id: column(z.int(), { primaryKey: true }),
      more: z.string(),
      last: z.string(),
    }),
  );
  test("has up to three scalar fields, an order, and at most ten rows", () => {
    const of = made({}, wide);
    const rows = { fields: ["odd name", "id", "more"], order_by: [{ field: "odd name", direction: "asc" }] };
    expect(exampleOf("query", of)).toEqual({ ...rows, limit: 10 });
    expect(exampleOf("query", made({ maxLimit: 3 }, wide))).toMatchObject({ limit: 3 });
    expect(exampleOf("query", made({ maxLimit: 30 }, wide))).toMatchObject({ limit: 10 });
    expect(exampleOf("select", of)).toEqual(rows);
    expect(exampleOf("insert", of)).toEqual({});
    expect(exampleOf("aggregate", of)).toEqual({});
    const { fields } = rows;
    expect(exampleOf("compound", of)).toEqual({
      base: { fields },
      operands: [{ operation: "union_all", query: { fields } }],
      limit: 10,
    });
  });

  test("has parameters of the names of fields, or another where that is none", () => {
    const where = [{ field: "id", operator: "=", param: "id" }];
    expect(exampleOf("remove", made({}, wide))).toEqual({ where });
    expect(exampleOf("modify", made({}, wide))).toEqual({ set: { "odd name": "value" }, where });
    expect(exampleOf("modify", made({ fields: ["id", "more"] }, wide))).toEqual({
      set: { more: "new_more" },
      where,
    });
    expect(exampleOf("remove", made({ fields: ["more", "last"] }, wide))).toEqual({
      where: [{ field: "more", operator: "=", param: "more" }],
    });
  });

  test("is absent without a field that could be set or compared", () => {
    expect(exampleOf("modify", made({ fields: ["id"] }, wide))).toBeUndefined();
    for (const kind of ["modify", "remove"] as const)
      expect(exampleOf(kind, made({ fields: ["meta"] }, wide))).toBeUndefined();
    expect(exampleOf("select", made({ fields: ["meta"] }, wide))).toEqual({ fields: ["meta"] });
  });
});

describe("a foreign spec", () => {
  test("is a frozen copy of an object", () => {
    const given = { where: [{ field: "id" }], limit: 7 };
    const [copy, problems] = foreignSpec<typeof given>(given);
    expect([copy, problems]).toEqual([given, []]);
    expect([copy === given, Object.isFrozen(copy), Object.isFrozen(copy.where[0])]).toEqual([
      false,
      true,
      true,
    ]);
  });

  test("is empty, with its problems, if it is something else", () => {
    const problemsOf = (given: unknown) => {
      const [spec, problems] = foreignSpec(given);
      expect(spec).toEqual({});
      return problems.map(({ code, message, path }) => `${code} ${path}: ${message}`);
    };
    for (const [odd, named] of [
      [null, "null"],
      [7, "a number"],
      ["x", '"x"'],
      [[], "an array"],
      [undefined, "undefined"],
    ] as const)
      expect(problemsOf(odd)).toEqual([`INVALID_SPEC : a spec must be an object, not ${named}`]);
    for (const key of [
      "joins",
      "fields",
      "where",
      "order_by",
      "group_by",
      "having",
      "having_agg",
      "distinct_on",
      "operands",
    ]) {
      expect(problemsOf({ [key]: "id" })).toEqual([`INVALID_SPEC ${key}: ${key} must be a list`]);
      expect(foreignSpec({ [key]: [] })[1]).toEqual([]);
    }
    expect(problemsOf({ fields: 1, where: {} })).toHaveLength(2);
    expect(problemsOf({ where: [() => 1] })).toEqual(["INVALID_SPEC where[0]: a function is not JSON"]);
  });
});

describe("members that are made when they are read", () => {
  test("are made once, each when it is read first, whatever its name", () => {
    let made = 0;
    const members = madeOnce<unknown>({ a: () => ++made, ["__proto__"]: () => "p", b: () => undefined });
    expect(made).toBe(0);
    expect([members["a"], members["a"], made]).toEqual([1, 1, 1]);
    expect([Object.keys(members), Reflect.get(members, "__proto__"), members["b"]]).toEqual([
      ["a", "__proto__", "b"],
      "p",
      undefined,
    ]);
    expect(Object.getPrototypeOf(members)).toBeNull();
    expect({ ...members }).toHaveProperty("a", 1);
    expect(Object.getOwnPropertyDescriptor(members, "a")?.configurable).toBe(true);
  });

  test("make a strict object, and one value for each object that asks", () => {
    const schema = objectOf({ a: () => z.int() });
    expect([schema.safeParse({ a: 1 }).success, schema.safeParse({ a: 1, b: 1 }).success]).toEqual([
      true,
      false,
    ]);
    let count = 0;
    const kept = keptFor((of: object) => [of, ++count]);
    const [one, two] = [{}, {}];
    expect([kept(one), kept(two), kept(one)]).toEqual([
      [one, 1],
      [two, 2],
      [one, 1],
    ]);
    const none = keptFor(() => {
      count++;
      return undefined;
    });
    expect([none(one), none(one), count]).toEqual([undefined, undefined, 3]);
  });
});
