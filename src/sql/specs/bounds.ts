/** How large a spec is, judged before anything recursive walks it: the number of its conditions, and how deep they nest. */
import type { Problem } from "../errors.js";
import type { Profile } from "./profile.js";

type Members = Readonly<Record<string, unknown>>;

/** Something of a spec and the path to it. */
export interface Placed {
  readonly path: string;
  readonly value: Members;
}

/** The conditions of a spec, of `where` and `having`, or the problem that it is too large. */
export type Measured = { readonly leaves: readonly Placed[] } | { readonly problem: Problem };

const namedLists = ["fields", "order_by", "group_by", "having", "having_agg", "distinct_on"] as const;

/** Measures a spec of rows, or of a compound query. Parts that are of another shape than they must be are left out. */
export function measured(spec: object, profile: Profile): Measured {
  const { maxConditions, maxDepth, columns } = profile;
  const mostNames = maxConditions + columns.length;
  const leaves: Placed[] = [];
  const members = membersOf(spec);
  const operands = listOf(members["operands"]);
  if (operands.length > maxConditions) return excess(`at most ${maxConditions} operands`, "operands");
  for (const { path, value } of queriesIn(members)) {
    for (const key of [...namedLists, "on_conflict"])
      if (listOf(value[key]).length > mostNames)
        return excess(`at most ${mostNames} entries in a list`, `${path}${key}`);
    for (const key of ["having", "having_agg"]) leaves.push(...placed(listOf(value[key]), `${path}${key}`));
    let level: readonly Placed[] | undefined = inLevel(listOf(value["where"]), `${path}where`, maxConditions);
    for (let depth = 0; level === undefined || level.length > 0; depth++) {
      const groups: Placed[] = [];
      for (const one of level ?? []) (isGroup(one.value) ? groups : leaves).push(one);
      if (level === undefined || leaves.length + groups.length > maxConditions)
        return excess(`at most ${maxConditions} conditions`, `${path}where`);
      if (groups.length > 0 && depth >= maxDepth)
        return excess(`groups nest at most ${maxDepth} levels`, groups[0]?.path ?? "");
      level = membersOfGroups(groups, maxConditions);
    }
    if (leaves.length > maxConditions) return excess(`at most ${maxConditions} conditions`, `${path}having`);
  }
  return { leaves };
}

// An empty group is refused by the check; here it counts as one condition, for what is empty is not without a price.
function isGroup(condition: Members): boolean {
  return listOf(condition["group"]).length > 0;
}

function membersOfGroups(groups: readonly Placed[], most: number): readonly Placed[] | undefined {
  const level: Placed[] = [];
  for (const { path, value } of groups) {
    const inside = inLevel(listOf(value["group"]), `${path}.group`, most);
    if (inside === undefined || level.length + inside.length > most) return undefined;
    level.push(...inside);
  }
  return level;
}

/** Undefined where there are more than there may be: every group holds at least one condition. */
function inLevel(list: readonly unknown[], path: string, most: number): readonly Placed[] | undefined {
  return list.length > most ? undefined : placed(list, path);
}

function placed(list: readonly unknown[], path: string): Placed[] {
  return list.map((one, i) => ({ path: `${path}[${i}]`, value: membersOf(one) }));
}

/** The queries of a compound, or the spec itself; each path ends where the key of the query follows. */
function queriesIn(spec: Members): readonly Placed[] {
  const operands = listOf(spec["operands"]).map((operand, i) => ({
    path: `operands[${i}].query.`,
    value: membersOf(membersOf(operand)["query"]),
  }));
  return [{ path: "", value: spec }, { path: "base.", value: membersOf(spec["base"]) }, ...operands];
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

// The spec is a copy without a prototype of somebody else's.
function membersOf(value: unknown): Members {
  return typeof value === "object" && value !== null ? (value as Members) : {};
}

function excess(message: string, path: string): { readonly problem: Problem } {
  return { problem: { code: "INVALID_SPEC", message, path } };
}
