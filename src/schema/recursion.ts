/**
 * Finds the schemas that must be components because they contain themselves. The answer depends only on the schemas,
 * not on the start of a walk: each cycle always gets the same components.
 */

/** The questions about a schema. */
interface Circles<S extends object> {
  /** The schemas inside it. */
  inner(schema: S): readonly S[];
  /** The schemas of the lowest rank in a cycle are chosen; `undefined` is already a component, and ends every cycle. */
  rank(schema: S): number | undefined;
}

/** Adds to `chosen` the chosen schemas among those that a root reaches. `seen` is kept from root to root. */
export function findRecursive<S extends object>(
  root: S,
  circles: Circles<S>,
  seen: Set<S>,
  chosen: Set<S>,
): void {
  const fresh = new Set<S>();
  let isTree = true;
  const open = [root];
  for (let schema = open.pop(); schema !== undefined; schema = open.pop()) {
    if (seen.has(schema)) {
      isTree &&= !fresh.has(schema);
      continue;
    }
    seen.add(schema);
    const inner = circles.inner(schema);
    if (inner.length === 0) continue;
    fresh.add(schema);
    for (const next of inner) open.push(next);
  }
  // A node that an earlier root reached was visited with everything under it: no new cycle goes through it.
  if (!isTree) breakCircles([...fresh], circles, chosen);
}

/** Repeats until no cycle is left: removes all nodes of the lowest rank of each cycle. */
function breakCircles<S extends object>(among: readonly S[], circles: Circles<S>, chosen: Set<S>): void {
  const left = new Set(among.filter((schema) => circles.rank(schema) !== undefined && !chosen.has(schema)));
  for (const circle of circlesOf(left, circles.inner)) {
    const ranks = circle.map((schema) => circles.rank(schema) ?? Number.POSITIVE_INFINITY);
    const lowest = Math.min(...ranks);
    circle.forEach((schema, i) => {
      if (ranks[i] === lowest) chosen.add(schema);
    });
    breakCircles(circle, circles, chosen);
  }
}

/** The strongly connected components that contain a cycle, after Tarjan (1972). */
export function circlesOf<S extends object>(
  among: ReadonlySet<S>,
  inner: (schema: S) => readonly S[],
): readonly (readonly S[])[] {
  const found: S[][] = [];
  const index = new Map<S, number>();
  const low = new Map<S, number>();
  const stack: S[] = [];
  const onStack = new Set<S>();

  const visit = (schema: S): void => {
    const own = index.size;
    index.set(schema, own);
    low.set(schema, own);
    stack.push(schema);
    onStack.add(schema);
    let isLoop = false;
    for (const next of inner(schema)) {
      if (!among.has(next)) continue;
      isLoop ||= next === schema;
      if (!index.has(next)) {
        visit(next);
        low.set(schema, Math.min(low.get(schema) ?? own, low.get(next) ?? own));
      } else if (onStack.has(next)) {
        low.set(schema, Math.min(low.get(schema) ?? own, index.get(next) ?? own));
      }
    }
    if (low.get(schema) !== own) return;
    const circle = stack.splice(stack.lastIndexOf(schema));
    for (const one of circle) onStack.delete(one);
    if (isLoop || circle.length > 1) found.push(circle);
  };

  for (const schema of among) if (!index.has(schema)) visit(schema);
  return found;
}
