/**
 * The steps of a chain. A builder knows only its own step and the one before: what a long chain means is worked
 * out once, where its end is rendered, and not copied anew at every step.
 */

/** One step: keys of the spec that are set, or a list of it that grows. */
export type Edit =
  | { readonly before: Edit | undefined; readonly values: object }
  | { readonly before: Edit | undefined; readonly list: string; readonly items: readonly unknown[] };

/** The spec that a chain of steps makes of the one that it began with, which stays as it is. */
export function edited<S extends object>(start: S, last: Edit | undefined): S {
  if (last === undefined) return start;
  const steps: Edit[] = [];
  for (let step: Edit | undefined = last; step !== undefined; step = step.before) steps.push(step);
  // Seen by its keys; a step says which.
  const spec = { ...start } as Record<string, unknown>;
  const grown = new Map<string, unknown[]>();
  for (let i = steps.length - 1; i >= 0; i--) {
    const step = steps[i];
    if (step === undefined) break;
    if ("values" in step) {
      Object.assign(spec, step.values);
      continue;
    }
    let list = grown.get(step.list);
    if (list === undefined) {
      const begun = spec[step.list];
      list = Array.isArray(begun) ? [...begun] : [];
      grown.set(step.list, list);
      spec[step.list] = list;
    }
    list.push(...step.items);
  }
  // The steps are made by the methods of a builder of `S`; what is wrong with them the check finds.
  return spec as S;
}
