/**
 * Relations of several fields and through tables, with filters on each side: rows, random questions about them, the
 * package's query of a question, and its rows by an evaluator that knows nothing of the package or of SQL.
 */
import { and, c, column, count, exists, many, not, notExists, of, one, or, table, value } from "rowtype";
import { z } from "zod";
import type { Untyped } from "../kit/shop.js";
import type { Chance } from "./expression-chance.js";

/** A row: whole numbers, or null. */
export type Row = Readonly<Record<string, number | null>>;
export type Rows = Readonly<Record<string, readonly Row[]>>;
export type Kind = "inner" | "left" | "right" | "full";

const id = column(z.int(), { primaryKey: true });
const maybe = z.int().nullable();

/** The tables as the package declares them. */
export const module = {
  members: table("rl_members", z.object({ tenant: z.int(), user: z.int(), code: maybe, gone: z.int() }), {
    primaryKey: ["tenant", "user"],
    unique: [["code", "tenant"]],
    filters: { kept: c("gone", "=", value(0)) },
    relations: {
      wrote: many("posts", ["tenant", "author"]),
      coded: many("posts", ["tenant", "badge"], { key: ["tenant", "code"] }),
    },
  }),
  posts: table(
    "rl_posts",
    z.object({ id, tenant: z.int(), author: maybe, editor: maybe, badge: maybe, parent: maybe }),
    {
      relations: {
        writer: one("members", ["tenant", "author"], { optional: true }),
        anyWriter: one("members", ["tenant", "author"], { optional: true, without: ["kept"] }),
        reviewer: one("members", ["tenant", "editor"], { optional: true }),
        holder: one("members", ["badge", "tenant"], { key: ["code", "tenant"], optional: true }),
        above: one("posts", "parent", { optional: true }),
        below: many("posts", "parent"),
        tags: many("tags", { through: "links" }),
        allTags: many("tags", { through: "links", without: ["shown"] }),
        links: many("links", "post"),
      },
    },
  ),
  tags: table("rl_tags", z.object({ id, hidden: z.int() }), {
    filters: { shown: c("hidden", "=", value(0)) },
    relations: {
      posts: many("posts", { through: "links" }),
      next: many("tags", { through: "pairs", from: "first", to: "second" }),
      before: many("tags", { through: "pairs", from: "second", to: "first" }),
    },
  }),
  // The pair is no key: a row may be there twice.
  links: table("rl_links", z.object({ id, post: maybe, tag: maybe, gone: z.int() }), {
    filters: { kept: c("gone", "=", value(0)) },
    relations: {
      entry: one("posts", "post", { optional: true }),
      label: one("tags", "tag", { optional: true }),
    },
  }),
  pairs: table("rl_pairs", z.object({ a: maybe, b: maybe }), {
    relations: { first: one("tags", "a", { optional: true }), second: one("tags", "b", { optional: true }) },
  }),
};
export type Name = keyof typeof module;

/** A relation as the evaluator knows it: equal fields, or two such steps with a table between. */
interface Step {
  readonly table: Name;
  readonly pairs: readonly (readonly [mine: string, theirs: string])[];
}
interface Way {
  readonly steps: readonly Step[];
  readonly isMany: boolean;
  /** Whether the far table's own filter is not in force. */
  readonly isWhole: boolean;
}
const direct = (isMany: boolean, to: Name, ...pairs: [string, string][]): Way => ({
  steps: [{ table: to, pairs }],
  isMany,
  isWhole: false,
});
const through = (between: Name, near: [string, string], to: Name, far: [string, string]): Way => ({
  steps: [
    { table: between, pairs: [near] },
    { table: to, pairs: [far] },
  ],
  isMany: true,
  isWhole: false,
});
const tagsOfPost = through("links", ["id", "post"], "tags", ["tag", "id"]);
const writer = direct(false, "members", ["tenant", "tenant"], ["author", "user"]);

/** The same relations as plain data. */
const ways: Readonly<Record<Name, Readonly<Record<string, Way>>>> = {
  members: {
    wrote: direct(true, "posts", ["tenant", "tenant"], ["user", "author"]),
    coded: direct(true, "posts", ["tenant", "tenant"], ["code", "badge"]),
  },
  posts: {
    writer,
    anyWriter: { ...writer, isWhole: true },
    reviewer: direct(false, "members", ["tenant", "tenant"], ["editor", "user"]),
    holder: direct(false, "members", ["badge", "code"], ["tenant", "tenant"]),
    above: direct(false, "posts", ["parent", "id"]),
    below: direct(true, "posts", ["id", "parent"]),
    tags: tagsOfPost,
    allTags: { ...tagsOfPost, isWhole: true },
    links: direct(true, "links", ["id", "post"]),
  },
  tags: {
    posts: through("links", ["id", "tag"], "posts", ["post", "id"]),
    next: through("pairs", ["id", "a"], "tags", ["b", "id"]),
    before: through("pairs", ["id", "b"], "tags", ["a", "id"]),
  },
  links: { entry: direct(false, "posts", ["post", "id"]), label: direct(false, "tags", ["tag", "id"]) },
  pairs: { first: direct(false, "tags", ["a", "id"]), second: direct(false, "tags", ["b", "id"]) },
};
const fields: Readonly<Record<Name, readonly string[]>> = {
  members: ["tenant", "user", "code", "gone"],
  posts: ["id", "tenant", "author", "editor", "badge", "parent"],
  tags: ["id", "hidden"],
  links: ["id", "post", "tag", "gone"],
  pairs: ["a", "b"],
};
/** The field that a filter wants to be 0. */
const filters: Readonly<Partial<Record<Name, string>>> = { members: "gone", tags: "hidden", links: "gone" };

/** Random rows: NULL in keys, keys that lead nowhere, equal pairs, hidden rows. */
export function rowsOf(chance: Chance): Rows {
  const some = (most: number) => (chance.oneIn(5) ? null : 1 + chance.below(most));
  const hidden = () => (chance.oneIn(4) ? 1 : 0);
  const ids = (least: number) => Array.from({ length: least + chance.below(4) }, (_, i) => i + 1);
  const codes = new Set<string>();
  const members = [1, 2].flatMap((tenant) =>
    ids(2).map((user) => {
      const code = some(3);
      const isTaken = codes.has(`${tenant} ${code}`);
      codes.add(`${tenant} ${code}`);
      return { tenant, user, code: isTaken ? null : code, gone: hidden() };
    }),
  );
  return {
    members,
    posts: ids(4).map((post) => ({
      id: post,
      tenant: 1 + chance.below(2),
      author: some(5),
      editor: some(5),
      badge: some(3),
      parent: some(7),
    })),
    tags: ids(2).map((tag) => ({ id: tag, hidden: hidden() })),
    links: ids(5).map((link) => ({ id: link, post: some(8), tag: some(5), gone: hidden() })),
    pairs: ids(3).map(() => ({ a: some(5), b: some(5) })),
  };
}

/** A condition on one field of the row that is asked, with a value. */
interface Compared {
  readonly field: string;
  readonly operator: "=" | "!=" | "<" | ">=";
  readonly value: number;
}
interface Related {
  readonly path: string;
  readonly inside: Compared | undefined;
}
type Test =
  | { readonly op: "compare"; readonly compared: Compared }
  | { readonly op: "exists"; readonly is: boolean; readonly related: Related }
  | { readonly op: "count"; readonly path: string; readonly least: number }
  | { readonly op: "and" | "or"; readonly members: readonly Test[] }
  | { readonly op: "not"; readonly member: Test };

/** A query, as data. */
export interface Question {
  readonly table: Name;
  readonly joins: readonly { readonly kind: Kind; readonly path: string; readonly name: string }[];
  readonly tests: readonly Test[];
  readonly counted: string | undefined;
  readonly nested: readonly Related[];
}

const base = Object.keys(fields) as readonly Name[];

/** Where a path leads to from the places of a query; each has the name of its table. */
function targetOf(path: string, places: ReadonlyMap<string, Name>): Way & { readonly to: Name } {
  const [from, relation] = path.includes(".") ? (path.split(".") as [string, string]) : ["", path];
  const way = ways[places.get(from) ?? "posts"][relation];
  const to = way?.steps.at(-1)?.table;
  if (way === undefined || to === undefined) throw new Error(`no relation ${path}`);
  return { ...way, to };
}

/** Makes a question. */
export function questionOf(chance: Chance, kinds: readonly Kind[]): Question {
  const own = chance.of(base);
  const places = new Map<string, Name>([["", own]]);
  const pathsOf = () =>
    [...places].flatMap(([name, of]) =>
      Object.keys(ways[of]).map((relation) => (name === "" ? relation : `${name}.${relation}`)),
    );
  const joins: { kind: Kind; path: string; name: string }[] = [];
  for (let i = chance.below(4); i > 0; i--) {
    const path = chance.of(pathsOf());
    const name = `j${joins.length}`;
    joins.push({ kind: chance.of(kinds), path, name });
    places.set(name, targetOf(path, new Map(places)).to);
  }
  const compared = (table: Name): Compared => ({
    field: chance.of(fields[table]),
    operator: chance.of(["=", "!=", "<", ">="] as const),
    value: chance.below(5),
  });
  const related = (paths: readonly string[]): Related => {
    const path = chance.of(paths);
    return { path, inside: chance.oneIn(2) ? compared(targetOf(path, places).to) : undefined };
  };
  const test = (depth: number): Test => {
    const dice = chance.below(depth > 1 ? 5 : 8);
    if (dice < 2) {
      const [name, of] = chance.of([...places]);
      const one = compared(of);
      return { op: "compare", compared: { ...one, field: name === "" ? one.field : `${name}.${one.field}` } };
    }
    if (dice < 4) return { op: "exists", is: chance.oneIn(2), related: related(pathsOf()) };
    if (dice === 4) {
      const paths = pathsOf().filter((path) => targetOf(path, places).isMany);
      if (paths.length > 0) return { op: "count", path: chance.of(paths), least: chance.below(3) };
      return test(2);
    }
    if (dice === 5) return { op: "not", member: test(depth + 1) };
    return { op: dice === 6 ? "and" : "or", members: [test(depth + 1), test(depth + 1)] };
  };
  // A relation of the own table, whose name no join has taken.
  const ownPaths = Object.keys(ways[own]);
  const lists = pathsOf().filter((path) => targetOf(path, places).isMany);
  return {
    table: own,
    joins,
    tests: Array.from({ length: chance.below(3) }, () => test(0)),
    counted: lists.length > 0 && chance.oneIn(3) ? chance.of(lists) : undefined,
    nested: chance.oneIn(2) ? [related(ownPaths)] : [],
  };
}

type Repositories = Readonly<Record<string, Untyped>>;
const methods = { inner: "join", left: "leftJoin", right: "rightJoin", full: "fullJoin" } as const;

/** The query of a question, by the package. Its values are constants where the package takes them. */
export function builderOf(
  { table: own, joins, tests, counted, nested }: Question,
  on: Repositories,
): Untyped {
  const places = new Map<string, Name>([["", own]]);
  let query = (on[own] as Untyped).query();
  for (const { kind, path, name } of joins) {
    query = query[methods[kind]](path, name);
    places.set(name, targetOf(path, new Map(places)).to);
  }
  const rows = ({ path, inside }: Related): Untyped[] => {
    if (inside === undefined) return [];
    const { to } = targetOf(path, places);
    return [(on[to] as Untyped).query().where(inside.field, inside.operator, value(inside.value))];
  };
  const condition = (test: Test): ReturnType<typeof not> => {
    const made = (() => {
      if (test.op === "compare") {
        const { field, operator, value: given } = test.compared;
        return c(field, operator, value(given));
      }
      if (test.op === "exists")
        return (test.is ? exists : notExists)(test.related.path, ...(rows(test.related) as never[]));
      if (test.op === "count") return c(of(test.path, count()), ">=", value(test.least));
      if (test.op === "not") return not(condition(test.member));
      return (test.op === "and" ? and : or)(...test.members.map(condition));
    })();
    return made as unknown as ReturnType<typeof not>;
  };
  const parts = joins.map(({ name }) => `${name}.*`);
  const beside = counted === undefined ? [] : [of(counted, count()).as("n")];
  query = query.fields(...fields[own], ...parts, ...beside);
  for (const test of tests)
    query = (query as unknown as { whereAnd(one: unknown): Untyped }).whereAnd(condition(test));
  for (const one of nested) query = query.with(one.path, ...rows(one));
  return query;
}

/** The rows of the places of a query: null where a place has none. The own one has an empty name. */
type Env = ReadonlyMap<string, Row | null>;

/** The rows of a question, by the evaluator, in any order. */
export function answerOf(question: Question, world: Rows): readonly object[] {
  const { table: own, joins, tests, counted, nested } = question;
  const places = new Map<string, Name>([["", own]]);
  let envs: Env[] = visible(own, world).map((row) => new Map([["", row]]));
  for (const { kind, path, name } of joins) {
    const { to, isWhole } = targetOf(path, places);
    const met = new Set<Row>();
    const next: Env[] = [];
    for (const env of envs) {
      const found = relatedRows(path, env, places, world);
      for (const row of found) {
        met.add(row);
        next.push(new Map(env).set(name, row));
      }
      if (found.length === 0 && (kind === "left" || kind === "full")) next.push(new Map(env).set(name, null));
    }
    if (kind === "right" || kind === "full")
      for (const row of visible(to, world, isWhole).filter((one) => !met.has(one)))
        next.push(new Map([...[...places.keys()].map((place) => [place, null] as const), [name, row]]));
    places.set(name, to);
    envs = next;
  }
  const kept = envs.filter((env) => tests.every((test) => truth(test, env, places, world) === true));
  return kept.map((env) => {
    const row: Record<string, unknown> = Object.fromEntries(
      fields[own].map((field) => [field, env.get("")?.[field] ?? null]),
    );
    for (const { name } of joins) row[name] = env.get(name) ?? null;
    if (counted !== undefined) row["n"] = relatedRows(counted, env, places, world).length;
    for (const { path, inside } of nested) {
      const found = insideRows({ path, inside }, env, places, world);
      row[path] = targetOf(path, places).isMany ? found : (found[0] ?? null);
    }
    return row;
  });
}

/** The rows of a table that its filter does not hide. */
function visible(name: Name, world: Rows, isWhole = false): readonly Row[] {
  const filter = filters[name];
  const rows = world[name] ?? [];
  return filter === undefined || isWhole ? rows : rows.filter((row) => row[filter] === 0);
}

/** The rows that a path leads to from the rows of the places: one for each row between. */
function relatedRows(path: string, env: Env, places: ReadonlyMap<string, Name>, world: Rows): readonly Row[] {
  const { steps, isWhole } = targetOf(path, places);
  const start = env.get(path.includes(".") ? (path.split(".")[0] ?? "") : "") ?? null;
  let rows: readonly (Row | null)[] = [start];
  for (const [i, { table: to, pairs }] of steps.entries()) {
    const others = visible(to, world, isWhole && i === steps.length - 1);
    rows = rows.flatMap((row) =>
      row === null
        ? []
        : others.filter((other) =>
            pairs.every(([mine, theirs]) => row[mine] !== null && row[mine] === other[theirs]),
          ),
    );
  }
  return rows as readonly Row[];
}

/** Those of a query that is given: it keeps the rules of its own repository, whatever the relation leaves out. */
function insideRows(
  { path, inside }: Related,
  env: Env,
  places: ReadonlyMap<string, Name>,
  world: Rows,
): readonly Row[] {
  const rows = relatedRows(path, env, places, world);
  if (inside === undefined) return rows;
  const shown = visible(targetOf(path, places).to, world);
  return rows.filter((row) => shown.includes(row) && compares(inside, row) === true);
}

/** True, false, or undefined for unknown; true where nothing is asked. */
function compares(compared: Compared | undefined, row: Row | null): boolean | undefined {
  if (compared === undefined) return true;
  const [, field = ""] = /([^.]*)$/.exec(compared.field) ?? [];
  const given = row?.[field] ?? null;
  if (given === null) return undefined;
  const is = {
    "=": given === compared.value,
    "!=": given !== compared.value,
    "<": given < compared.value,
    ">=": given >= compared.value,
  };
  return is[compared.operator];
}

function truth(test: Test, env: Env, places: ReadonlyMap<string, Name>, world: Rows): boolean | undefined {
  if (test.op === "compare") {
    const { field } = test.compared;
    return compares(test.compared, env.get(field.includes(".") ? (field.split(".")[0] ?? "") : "") ?? null);
  }
  if (test.op === "exists") {
    return insideRows(test.related, env, places, world).length > 0 === test.is;
  }
  if (test.op === "count") return relatedRows(test.path, env, places, world).length >= test.least;
  if (test.op === "not") {
    const is = truth(test.member, env, places, world);
    return is === undefined ? undefined : !is;
  }
  const all = test.members.map((one) => truth(one, env, places, world));
  const decisive = test.op === "or";
  if (all.includes(decisive)) return decisive;
  return all.includes(undefined) ? undefined : !decisive;
}
