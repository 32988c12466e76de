/** Whether two results are alike in all that a program can see: prototypes, the order of keys, and whose parts they are. */

/** The first difference, by its path; undefined if there is none. */
export function difference(
  actual: unknown,
  expected: unknown,
  given: ReadonlySet<unknown>,
  path = "value",
): string | undefined {
  if (Object.is(actual, expected)) return undefined;
  if (typeof actual !== "object" || typeof expected !== "object" || actual === null || expected === null)
    return `${path}: ${String(actual)} in place of ${String(expected)}`;
  // What Zod hands on as it was given is not copied, and what it copies is not handed on.
  if (given.has(expected) || given.has(actual)) return `${path}: given and made are confused`;
  if (Object.getPrototypeOf(actual) !== Object.getPrototypeOf(expected)) return `${path}: another prototype`;
  if (Object.isFrozen(actual) !== Object.isFrozen(expected)) return `${path}: frozen or not`;
  if (actual instanceof Date)
    return actual.getTime() === Number(expected) ? undefined : `${path}: another time`;
  if (actual instanceof Set || actual instanceof Map)
    return difference([...actual], [...(expected as Set<unknown>)], given, path);
  const keys = Reflect.ownKeys(actual);
  const others = Reflect.ownKeys(expected as object);
  if (keys.length !== others.length || keys.some((key, i) => key !== others[i]))
    return `${path}: keys ${keys.map(String)} in place of ${others.map(String)}`;
  for (const key of keys) {
    const found = difference(
      Reflect.get(actual, key),
      Reflect.get(expected as object, key),
      given,
      `${path}.${String(key)}`,
    );
    if (found !== undefined) return found;
  }
  return undefined;
}

/** All objects inside of a value. */
export function partsOf(value: unknown, found: Set<unknown> = new Set()): ReadonlySet<unknown> {
  if (typeof value !== "object" || value === null || found.has(value)) return found;
  found.add(value);
  if (value instanceof Map || value instanceof Set) for (const one of value) partsOf(one, found);
  for (const key of Reflect.ownKeys(value)) partsOf(Reflect.get(value, key), found);
  const prototype: unknown = Object.getPrototypeOf(value);
  if (typeof prototype === "object" && prototype !== null && !Object.hasOwn(prototype, "constructor"))
    partsOf(prototype, found);
  return found;
}
