/**
 * The steps of a chain. A builder stores only its own step and a link to the previous one: the spec of a long
 * chain is computed once, when its end is rendered, and not copied at every step.
 */

/** One step: keys of the spec that are set, or a list in it that grows. */
export type Edit =
  | { readonly before: Edit | undefined; readonly values: object }
  | { readonly before: Edit | undefined; readonly list: string; readonly items: readonly unknown[] };

/** The spec that results from a chain of steps and its initial spec. The initial spec is not changed. */
export function edited<S extends object>(start: S, last: Edit | undefined): S {
  if (last === undefined) return start;
  const steps: Edit[] = [];
  for (let step: Edit | undefined = last; step !== undefined; step = step.before) steps.push(step);
  // Typed by its keys, because a step names keys.
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
  // The methods of a builder of `S` make the steps. The check finds their mistakes.
  return spec as S;
}
