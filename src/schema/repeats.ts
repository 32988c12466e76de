/**
 * Whether Zod would visit one value many times. A union tries its variants in turn, and an intersection runs both
 * sides: each level of a recursive schema can double the work of the level below.
 */
import type { $ZodType, $ZodTypes } from "zod/v4/core";
import { childrenOf, type Side } from "./graph.js";
import { circlesOf } from "./recursion.js";

/** The direction of a run: reading a value or writing one. */
export type RunDirection = "forward" | "backward";

const known = { forward: new WeakMap<$ZodType, boolean>(), backward: new WeakMap<$ZodType, boolean>() };

/** Whether the work of a run may exceed a few times the size of the value and the schema. */
export function repeatsVisits(schema: $ZodType, direction: RunDirection): boolean {
  let repeats = known[direction].get(schema);
  if (repeats === undefined) {
    const inner = (node: $ZodType) => childrenOf(node, "both").map(([, child]) => child);
    repeats =
      isRepeating(schema, { inner, branches: (node) => branchesOf(node, direction) }) ||
      joinsInCircle(schema, inner);
    known[direction].set(schema, repeats);
  }
  return repeats;
}

/** The questions about schemas: the inner schemas, and those of them that run for the same value, if several do. */
interface Branching<S extends object> {
  inner(schema: S): readonly S[];
  branches(schema: S): readonly S[];
}

/** Like `repeatsVisits`, for schemas of any kind. */
export function isRepeating<S extends object>(root: S, { inner, branches }: Branching<S>): boolean {
  const nodes = reachedFrom(root, inner);
  const branching = nodes.map(branches).filter((all) => all.length > 1);
  if (branching.length === 0) return false;
  const recursive = new Set(circlesOf(new Set(nodes), inner).flat());
  const known = new Map<S, ReadonlySet<S>>();
  const recursiveIn = (branch: S) => {
    const found =
      known.get(branch) ?? new Set(reachedFrom(branch, inner).filter((node) => recursive.has(node)));
    known.set(branch, found);
    return found;
  };
  return (
    branching.some((several) => overlap(several.map(recursiveIn))) ||
    runsOf(root, { inner, branches }) > 4 * nodes.length
  );
}

/** Whether an intersection contains itself: each level then joins again what the levels below it have joined. */
function joinsInCircle(root: $ZodType, inner: (schema: $ZodType) => readonly $ZodType[]): boolean {
  const nodes = reachedFrom(root, inner);
  const isJoining = (node: $ZodType) => (node as $ZodTypes)._zod.def.type === "intersection";
  return nodes.some(isJoining) && circlesOf(new Set(nodes), inner).flat().some(isJoining);
}

function reachedFrom<S>(root: S, inner: (schema: S) => readonly S[]): readonly S[] {
  const seen = new Set<S>([root]);
  for (const current of seen) for (const next of inner(current)) seen.add(next);
  return [...seen];
}

/** All schemas that a schema leads to, beginning with itself. */
export function nodesOf(schema: $ZodType, side: Side): readonly $ZodType[] {
  return reachedFrom(schema, (node) => childrenOf(node, side).map(([, child]) => child));
}

/** Whether two of the sets have a member in common. */
function overlap<S>(sets: readonly ReadonlySet<S>[]): boolean {
  const seen = new Set<S>();
  for (const set of sets) {
    for (const one of set) if (seen.has(one)) return true;
    for (const one of set) seen.add(one);
  }
  return false;
}

/** The inner schemas that run for the same value; none or one if each has a value of its own. */
function branchesOf(schema: $ZodType, direction: RunDirection): readonly $ZodType[] {
  const inside = childrenOf(schema, "both").map(([, child]) => child);
  const { type, checks } = (schema as $ZodTypes)._zod.def;
  // To write a value, Zod runs a schema with checks twice: without them and with them.
  if (direction === "backward" && (checks?.length ?? 0) > 0) return [...inside, ...inside];
  switch (type) {
    case "union":
      return direction === "forward" && isToldByTag(schema) ? [] : inside;
    case "intersection":
    case "pipe":
      return inside;
    default:
      return [];
  }
}

/** Whether a union, when it reads, runs only the variant that its discriminator names. */
export function isToldByTag(schema: $ZodType): boolean {
  const def = (schema as $ZodTypes)._zod.def;
  return (
    def.type === "union" &&
    "discriminator" in def &&
    (!("unionFallback" in def) || def.unionFallback !== true)
  );
}

/** How often a value may be visited. A schema inside itself counts once; a separate test finds repetition. */
function runsOf<S extends object>(root: S, { inner, branches }: Branching<S>): number {
  const counts = new Map<S, number>();
  const count = (schema: S): number => {
    const found = counts.get(schema);
    if (found !== undefined) return found;
    counts.set(schema, 1);
    const several = branches(schema);
    const runs =
      several.length > 1
        ? several.reduce((sum, branch) => sum + count(branch), 0)
        : inner(schema).reduce((most, child) => Math.max(most, count(child)), 1);
    counts.set(schema, runs);
    return runs;
  };
  return count(root);
}

/** Whether a pipe passes its own result to itself: each level would run twice as often as the level above it. */
export function feedsItself(schema: $ZodType): boolean {
  return nodesOf(schema, "both").some((node) => {
    const def = (node as $ZodTypes)._zod.def;
    if (def.type !== "pipe") return false;
    return [def.in, def.out].every((side) => nodesOf(side, "both").includes(node));
  });
}
