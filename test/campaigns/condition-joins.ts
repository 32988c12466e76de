/**
 * Random joins by conditions, right and full joins, and rows that are found by conditions; and an evaluator of them that
 * shares no code with the package.
 */
import { and, c, compare, isNull, not, or } from "rowtype";
import { expect } from "vitest";
import type { Untyped } from "../kit/shop.js";
import type { Lent } from "../servers.js";
import type { Chance } from "./expression-chance.js";

/** A row: whole numbers, or null. */
export type Row = Readonly<Record<string, number | null>>;
export type Rows = Readonly<Record<string, readonly Row[]>>;
type Kind = "inner" | "left" | "right" | "full";

/** A condition as data. A side is the name of a field, with that of its table before it, or a parameter. */
type Test =
  | { readonly op: string; readonly left: string; readonly right: string }
  | { readonly op: string; readonly left: string; readonly param: string }
  | { readonly isNull: string }
  | { readonly all: readonly Test[] }
  | { readonly any: readonly Test[] }
  | { readonly not: Test };

interface Join {
  readonly kind: Kind;
  readonly name: string;
  readonly table: string;
  /** A tenant, if only its part is joined. */
  readonly part: number | undefined;
  /** Whether it is joined as a query with a name. */
  readonly asQuery: boolean;
  readonly on: Test | readonly [string, string];
}

/** A query, and the values of its parameters. */
export interface Question {
  readonly table: string;
  readonly part: number | undefined;
  readonly joins: readonly Join[];
  readonly where: Test | undefined;
  readonly found:
    | { readonly way: "with" | "exists" | "missing"; readonly table: string; readonly on: Test }
    | undefined;
  readonly params: Readonly<Record<string, number>>;
}

/** The tables: `sure` has a key, `loose` has no column that is never null. */
export const columns = {
  sure: ["id", "tenant", "a", "b"],
  other: ["id", "tenant", "a", "b"],
  loose: ["tenant", "a", "b"],
} as const;
type Table = keyof typeof columns;
const tables = Object.keys(columns) as readonly Table[];

/** Rows with few values, so that many are equal, and with NULLs in what is compared. */
export function rowsOf(chance: Chance): Rows {
  const value = () => (chance.next() < 0.25 ? null : chance.below(4));
  const row = (table: Table, id: number): Row => {
    const plain = { tenant: 1 + chance.below(2), a: value(), b: value() };
    return table === "loose"
      ? { ...plain, tenant: chance.next() < 0.2 ? null : plain.tenant }
      : { id, ...plain };
  };
  return Object.fromEntries(
    tables.map((table) => [table, Array.from({ length: 3 + chance.below(4) }, (_, i) => row(table, i + 1))]),
  );
}

/** Makes a question. */
export function questionOf(chance: Chance, kinds: readonly Kind[]): Question {
  const params: Record<string, number> = {};
  const known: string[] = [];
  const table = chance.of(["sure", "other"] as const);
  const own = columns[table] as readonly string[];
  known.push(...own);
  const part = () => (chance.next() < 0.3 ? 1 + chance.below(2) : undefined);
  const test = (theirs: readonly string[], depth = 0): Test => {
    const dice = chance.below(depth > 1 ? 4 : 8);
    if (dice === 0) return { isNull: chance.of(theirs) };
    if (dice === 1) {
      const param = `p${Object.keys(params).length}`;
      params[param] = chance.below(4);
      return { op: chance.of(["=", "<", ">=", "!="]), left: chance.of(theirs), param };
    }
    if (dice <= 4)
      return {
        op: chance.of(["=", "<", "<=", ">", ">=", "!="]),
        left: chance.of(known),
        right: chance.of(theirs),
      };
    if (dice === 6) return { not: test(theirs, depth + 1) };
    const parts = [test(theirs, depth + 1), test(theirs, depth + 1)];
    if (dice === 5) return { any: parts };
    return { all: parts };
  };
  const joins: Join[] = [];
  for (let i = 0; i < 1 + chance.below(3); i++) {
    const name = `j${i}`;
    const joined = chance.of(tables);
    const theirs = columns[joined].map((column) => `${name}.${column}`);
    const kind = chance.of(kinds);
    const pair = [chance.of(known), chance.of(theirs)] as const;
    // PostgreSQL takes a full join only with an equality that always holds.
    const equal: Test = { op: "=", left: pair[0], right: pair[1] };
    const isPair = chance.next() < 0.25;
    const on = isPair ? pair : kind === "full" ? { all: [equal, test(theirs)] } : test(theirs);
    joins.push({ kind, name, table: joined, part: part(), asQuery: chance.next() < 0.25, on });
    known.push(...theirs);
  }
  const found = chance.of(["none", "with", "exists", "missing"] as const);
  const inside = chance.of(tables);
  return {
    table,
    part: part(),
    joins,
    where: chance.next() < 0.4 ? test(known) : undefined,
    found:
      found === "none"
        ? undefined
        : { way: found, table: inside, on: test(columns[inside].map((column) => `in.${column}`)) },
    params,
  };
}

type Repositories = Readonly<Record<string, Untyped>>;

/** The query of a question, by the package. */
export function builderOf({ table, part, joins, where, found }: Question, of: Repositories): Untyped {
  const repository = (name: string, tenant: number | undefined): Untyped => {
    const whole = of[name] as Untyped;
    return tenant === undefined ? whole : whole.scope({ tenant });
  };
  let query = repository(table, part).query();
  for (const { kind, name, table: joined, part: tenant, asQuery, on } of joins) {
    const method = { inner: "join", left: "leftJoin", right: "rightJoin", full: "fullJoin" }[kind];
    const by = Array.isArray(on) ? [on[0], String(on[1]).slice(name.length + 1)] : [conditionOf(on as Test)];
    const steps = query as unknown as Record<string, (...args: readonly unknown[]) => Untyped>;
    const theirs = repository(joined, tenant);
    const next = asQuery
      ? steps[`${method}Query`]?.call(query, theirs.query().as(name), ...by)
      : steps[`${method}On`]?.call(query, name, theirs, ...by);
    query = next as Untyped;
  }
  query = query.fields(
    ...(columns[table as Table] as readonly string[]),
    ...joins.map(({ name }) => `${name}.*`),
  );
  if (where !== undefined) query = whereAnd(query, where);
  if (found === undefined) return query;
  const rows = repository(found.table, undefined).query();
  if (found.way === "with") return query.withOn("in", rows, conditionOf(found.on));
  const named = rows.as("in");
  return found.way === "exists"
    ? query.whereExistsOn(named, conditionOf(found.on))
    : query.whereNotExistsOn(named, conditionOf(found.on));
}

function whereAnd(query: Untyped, test: Test): Untyped {
  return (query as unknown as { whereAnd(one: unknown): Untyped }).whereAnd(conditionOf(test));
}

function conditionOf(test: Test): ReturnType<typeof isNull> {
  const made = (() => {
    if ("isNull" in test) return isNull(test.isNull);
    if ("not" in test) return not(conditionOf(test.not));
    if ("all" in test) return and(...test.all.map(conditionOf));
    if ("any" in test) return or(...test.any.map(conditionOf));
    return "param" in test
      ? c(test.left, test.op as "=", test.param)
      : compare(test.left, test.op as "=", test.right);
  })();
  return made as ReturnType<typeof isNull>;
}

/** The rows of the tables of a query: null where a table has none. The own table has an empty name. */
type Env = ReadonlyMap<string, Row | null>;

/** The rows of a question, by the evaluator, in any order. */
export function answerOf(question: Question, world: Rows): readonly object[] {
  const { table, part, joins, where, found, params } = question;
  const rowsIn = (name: string, tenant: number | undefined) =>
    (world[name] ?? []).filter((row) => tenant === undefined || row["tenant"] === tenant);
  const holds = (test: Test, env: Env) => truth(test, env, params) === true;
  let envs: Env[] = rowsIn(table, part).map((row) => new Map([["", row]]));
  for (const { kind, name, table: joined, part: tenant, on } of joins) {
    const rows = rowsIn(joined, tenant);
    const test: Test = Array.isArray(on) ? { op: "=", left: on[0], right: on[1] } : (on as Test);
    const met = new Set<Row>();
    const next: Env[] = [];
    for (const env of envs) {
      const found = rows.map((row) => new Map(env).set(name, row)).filter((both) => holds(test, both));
      for (const both of found) met.add(both.get(name) as Row);
      next.push(...found);
      if (found.length === 0 && (kind === "left" || kind === "full")) next.push(new Map(env).set(name, null));
    }
    if (kind === "right" || kind === "full")
      for (const row of rows.filter((one) => !met.has(one)))
        next.push(new Map([...nothingIn(["", ...joins.map((one) => one.name)], name), [name, row]]));
    envs = next;
  }
  const kept = envs.filter((env) => where === undefined || holds(where, env));
  return kept.flatMap((env): readonly object[] => {
    const own = Object.fromEntries(
      (columns[table as Table] as readonly string[]).map((one) => [one, env.get("")?.[one] ?? null]),
    );
    const parts = Object.fromEntries(joins.map(({ name }) => [name, env.get(name) ?? null]));
    const row = { ...own, ...parts };
    if (found === undefined) return [row];
    const inside = rowsIn(found.table, undefined).filter((one) =>
      holds(found.on, new Map(env).set("in", one)),
    );
    if (found.way === "with") return [{ ...row, in: inside }];
    return inside.length > 0 === (found.way === "exists") ? [row] : [];
  });
}

// The tables before a join have no row.
function nothingIn(names: readonly string[], until: string): readonly (readonly [string, null])[] {
  return names.slice(0, names.indexOf(until)).map((name) => [name, null] as const);
}

/** True, false, or undefined for unknown. */
function truth(test: Test, env: Env, params: Question["params"]): boolean | undefined {
  if ("isNull" in test) return fieldIn(test.isNull, env) === null;
  if ("not" in test) {
    const is = truth(test.not, env, params);
    return is === undefined ? undefined : !is;
  }
  if ("all" in test || "any" in test) {
    const isAll = "all" in test;
    const all = (isAll ? test.all : test.any).map((one) => truth(one, env, params));
    if (all.includes(!isAll)) return !isAll;
    return all.includes(undefined) ? undefined : isAll;
  }
  const left = fieldIn(test.left, env);
  const right = "param" in test ? (params[test.param] ?? null) : fieldIn(test.right, env);
  if (left === null || right === null) return undefined;
  const is = {
    "=": left === right,
    "!=": left !== right,
    "<": left < right,
    "<=": left <= right,
    ">": left > right,
    ">=": left >= right,
  };
  return is[test.op as keyof typeof is];
}

function fieldIn(field: string, env: Env): number | null {
  const [one = "", column] = field.split(".");
  return column === undefined ? (env.get("")?.[one] ?? null) : (env.get(one)?.[column] ?? null);
}

/** Replaces the rows of the tables of a world, each under its name with a prefix in the database. */
export async function refill(
  world: Rows,
  of: Repositories,
  { run }: Pick<Lent, "run">,
  prefix: string = "",
): Promise<Rows> {
  for (const [name, rows] of Object.entries(world)) {
    await run(`DELETE FROM ${prefix}${name}`);
    const repository = of[name] as unknown as {
      insert(): { execBatch(rows: readonly object[]): Promise<number> };
    };
    await repository.insert().execBatch(rows);
  }
  return world;
}

/** Fails unless a builder gives the rows that are meant, in any order; the failure has all that is needed to repeat it. */
export async function expectRows(
  build: () => Untyped,
  params: object | undefined,
  meant: readonly object[],
  ...said: readonly unknown[]
): Promise<void> {
  let builder: Untyped | undefined;
  try {
    builder = build();
    expect(inAnyOrder((await builder.exec(params)) as readonly object[])).toEqual(inAnyOrder(meant));
  } catch (error) {
    const text = (() => {
      try {
        return builder?.render().native.sql;
      } catch {
        return "no text";
      }
    })();
    expect.fail([...said.map((one) => JSON.stringify(one)), text, String(error)].join("\n"));
  }
}

/** Rows as texts that are equal if the rows are, whatever their order. */
export function inAnyOrder(rows: readonly object[]): readonly string[] {
  const sorted = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map((one) => JSON.stringify(sorted(one))).sort();
    if (typeof value !== "object" || value === null) return value;
    return Object.fromEntries(
      Object.entries(value)
        .sort(([one], [other]) => (one < other ? -1 : 1))
        .map(([key, one]) => [key, sorted(one)]),
    );
  };
  return rows.map((row) => JSON.stringify(sorted(row))).sort();
}
