/** An order in which what others need comes before them: views behind those that they read. */

/**
 * Each thing behind those that it needs; in a circle, in the order given.
 * @param needs those of the others that a thing needs.
 */
export function behindNeeded<T>(all: readonly T[], needs: (one: T) => readonly T[]): readonly T[] {
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
