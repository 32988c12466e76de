/** Orders things, so that each comes after those that it needs: a view after those that it reads. */

/**
 * Orders things, so that each comes after those that it needs; things in a circle keep the given order.
 * @param needs the other things that one needs.
 */
export function neededFirst<T>(all: readonly T[], needs: (one: T) => readonly T[]): readonly T[] {
  const ordered = new Set<T>();
  const seen = new Set<T>();
  const visit = (one: T): void => {
    if (seen.has(one)) return;
    seen.add(one);
    needs(one).forEach(visit);
    ordered.add(one);
  };
  all.forEach(visit);
  return [...ordered];
}
