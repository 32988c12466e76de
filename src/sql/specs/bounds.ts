/** The size of a spec, measured before recursive code walks it: the number and the depth of its conditions. */
import { pathTo } from "../ast/path.js";
import type { Problem } from "../words/errors.js";
import type { Permissions } from "./permissions.js";

type Members = Readonly<Record<string, unknown>>;

/** A part of a spec and its path. */
export interface PlacedPart {
  readonly path: string;
  readonly value: Members;
}

/** A query of a spec, with the client's permissions in it: undefined after a relation that the client may not use. */
export interface PlacedQuery extends PlacedPart {
  readonly permissions: Permissions | undefined;
}

/** The parts of a spec, or the problem that there are too many. */
type Measured = Parts | { readonly problem: Problem };

/** The parts of a spec that are checked one by one. */
export interface Parts {
  /** The conditions of all levels, in `where` and `having`, without groups. */
  readonly leaves: readonly PlacedPart[];
  /** The conditions of all levels in `where`, including groups. */
  readonly conditions: readonly PlacedPart[];
  /** The inner queries: those of nested rows, and those of a compound. */
  readonly queries: readonly PlacedQuery[];
}

const lists = [
  "joins",
  "fields",
  "order_by",
  "group_by",
  "having",
  "having_agg",
  "distinct_on",
  "on_conflict",
] as const;
const maps = ["set", "set_expr", "conflict_set"] as const;

/** The maximum number of values in a spec before any other check: more than a spec within the limits can have. */
export function mostValues({ maxConditions, columns }: Permissions): number {
  return 1_000 * (maxConditions + columns.length);
}

/** Measures a spec of any kind. Parts of the wrong shape are skipped. */
export function measured(spec: object, permissions: Permissions): Measured {
  const { maxConditions, columns, maxJoins } = permissions;
  const mostNames = maxConditions + columns.length;
  const members = membersOf(spec);
  if (listOf(members["operands"]).length > maxConditions)
    return excess(`at most ${maxConditions} operands`, "operands");
  const leaves: PlacedPart[] = [];
  const conditions: PlacedPart[] = [];
  const queries = queriesIn(members, permissions);
  if (queries === undefined) return excess(`nested rows nest at most ${MOST_NESTED} levels`, "with");
  let joins = 0;
  for (const { path, value } of queries) {
    joins += listOf(value["joins"]).length;
    if (joins > maxJoins) return excess(`at most ${maxJoins} joins`, `${path}joins`);
    for (const key of lists)
      if (listOf(value[key]).length > mostNames)
        return excess(`at most ${mostNames} entries in a list`, path + key);
    for (const key of maps)
      if (Object.keys(membersOf(value[key])).length > mostNames)
        return excess(`at most ${mostNames} fields`, path + key);
    const problem = gather({ path: `${path}where`, value }, leaves, conditions, permissions);
    if (problem !== undefined) return { problem };
    for (const key of ["having", "having_agg"]) leaves.push(...placed(listOf(value[key]), path + key));
    if (leaves.length > maxConditions) return excess(`at most ${maxConditions} conditions`, `${path}having`);
  }
  return { leaves, conditions, queries: queries.slice(1) };
}

/** Adds the conditions of a `where`, level by level, until there are too many. */
function gather(
  { path, value }: PlacedPart,
  leaves: PlacedPart[],
  conditions: PlacedPart[],
  { maxConditions, maxDepth }: Permissions,
): Problem | undefined {
  let groups: readonly PlacedPart[] = [{ path, value: { group: value["where"] } }];
  for (let depth = 0; groups.length > 0; depth++) {
    if (depth > maxDepth) return problemOf(`groups nest at most ${maxDepth} levels`, groups[0]?.path ?? path);
    const inner: PlacedPart[] = [];
    for (const group of groups) {
      const [key, list] = innerOf(group.value);
      // Every group has at least one condition: there are at least this many.
      if (leaves.length + inner.length + list.length > maxConditions)
        return problemOf(`at most ${maxConditions} conditions`, path);
      const place = depth === 0 ? path : `${group.path}.${key}`;
      for (const one of placed(list, place)) {
        conditions.push(one);
        (isGroup(one.value) ? inner : leaves).push(one);
      }
    }
    groups = inner;
  }
  return undefined;
}

/** The conditions inside a condition: those of a group, or of the rows that it looks for. */
function innerOf(condition: Members): readonly [key: string, list: readonly unknown[]] {
  const isExists = "exists" in condition || "not_exists" in condition;
  const key = isExists ? "where" : "group";
  return [key, listOf(condition[key])];
}

// An empty group is refused later. Here it counts as a condition, because a spec could have any number of them.
function isGroup(condition: Members): boolean {
  return innerOf(condition)[1].length > 0;
}

function placed(list: readonly unknown[], path: string): PlacedPart[] {
  return list.map((one, i) => ({ path: `${path}[${i}]`, value: membersOf(one) }));
}

const MOST_NESTED = 8;

/**
 * The spec itself, the queries of a compound, and those of nested rows. The key of the query follows each path.
 * Undefined if they nest too deep.
 */
function queriesIn(spec: Members, permissions: Permissions): readonly PlacedQuery[] | undefined {
  const operands = listOf(spec["operands"]).map((operand, i) => ({
    path: `operands[${i}].query.`,
    value: membersOf(membersOf(operand)["query"]),
    permissions,
  }));
  const base = "base" in spec ? [{ path: "base.", value: membersOf(spec["base"]), permissions }] : [];
  const found: PlacedQuery[] = [];
  let level: readonly PlacedQuery[] = [{ path: "", value: spec, permissions }, ...base, ...operands];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > MOST_NESTED) return undefined;
    found.push(...level);
    level = level.flatMap(({ path, value, permissions: around }) =>
      Object.entries(membersOf(value["with"])).map(([name, query]) => ({
        path: `${pathTo(`${path}with`, name)}.`,
        value: membersOf(query),
        permissions: around?.relations.get(name),
      })),
    );
  }
  return found;
}

/** The parts of a spec that may be aggregates: the entries of `fields` and `having_agg`. */
export function aggregatesIn(spec: object, permissions: Permissions): readonly PlacedPart[] {
  return (queriesIn(membersOf(spec), permissions) ?? []).flatMap(({ path, value }) =>
    ["fields", "having_agg"].flatMap((key) => placed(listOf(value[key]), path + key)),
  );
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

// The spec is our own copy, and no name of the client is looked up in it.
function membersOf(value: unknown): Members {
  return typeof value === "object" && value !== null ? (value as Members) : {};
}

function excess(message: string, path: string): { readonly problem: Problem } {
  return { problem: problemOf(message, path) };
}

function problemOf(message: string, path: string): Problem {
  return { code: "INVALID_SPEC", message, path };
}
