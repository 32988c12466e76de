/** Right calls in which one part of one argument is a getter: it counts its reads, changes, or throws at some of them. */

/** A part of an argument: the place of the argument, then the keys that lead to it. */
export type Path = readonly [number, ...(string | number)[]];

/** The parts of plain objects among the arguments, those of objects and lists inside them too. */
export function* partsOf(args: readonly unknown[]): Generator<Path> {
  function* within(value: unknown, path: Path): Generator<Path> {
    if (path.length > 5) return;
    if (Array.isArray(value)) for (const [i, item] of value.entries()) yield* within(item, [...path, i]);
    // What is frozen was made by this package.
    if (!isPlain(value) || Object.isFrozen(value)) return;
    for (const [key, inner] of Object.entries(value)) {
      yield [...path, key];
      yield* within(inner, [...path, key]);
    }
  }
  for (const [i, arg] of args.entries()) yield* within(arg, [i]);
}

/** The arguments with a getter in that place. It is given the number of the read and what stood there. */
export function withGetter(
  args: readonly unknown[],
  [first, ...rest]: Path,
  read: (nth: number, held: unknown) => unknown,
): readonly unknown[] {
  const placed = (value: unknown, [key, ...more]: readonly (string | number)[]): unknown => {
    if (key === undefined) return value;
    if (Array.isArray(value)) return value.map((item, i) => (i === key ? placed(item, more) : item));
    const held = Reflect.get(Object(value), key);
    const copy = Object.defineProperties({}, Object.getOwnPropertyDescriptors(Object(value)));
    if (more.length > 0) return Object.assign(copy, { [key]: placed(held, more) });
    let reads = 0;
    return Object.defineProperty(copy, key, {
      enumerable: true,
      configurable: true,
      get: () => read(++reads, held),
    });
  };
  return args.map((arg, i) => (i === first ? placed(arg, rest) : arg));
}

export function isPlain(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && Object.getPrototypeOf(value) === Object.prototype;
}
