/**
 * All ways in which up to four names can go over into one another: what is there, what is declared, and which of the
 * former is which of the latter. One of each shape is enough, because names are only names; two spellings of it are
 * taken, so that no order of the alphabet is lucky.
 */

/** Which former names each declared name has, newest first. */
export type Graph = ReadonlyMap<string, readonly string[]>;

/** What somebody did: the names before, and where each declared name comes from; undefined for a new one. */
export interface Move {
  readonly before: readonly string[];
  readonly from: ReadonlyMap<string, string | undefined>;
}

export const NAMES: readonly string[] = ["a", "b", "c", "d"];

/** All moves, two spellings of each shape. */
export function moves(): readonly Move[] {
  const shapes = new Map<string, Move>();
  for (const before of subsets(NAMES).filter((names) => names.length > 0))
    for (const declared of subsets(NAMES).filter((names) => names.length > 0))
      for (const from of originsOf(declared, before)) {
        const key = shapeOf({ before, from });
        if (!shapes.has(key)) shapes.set(key, { before, from });
      }
  const mirror = new Map(NAMES.map((name, i) => [name, NAMES[NAMES.length - 1 - i] ?? name]));
  return [...shapes.values()].flatMap((move) => [move, spelled(move, (name) => mirror.get(name) ?? name)]);
}

/** What a declaration says of a move. */
export function graphOf({ from }: Move): Graph {
  return new Map(
    [...from].map(([name, origin]) => [name, origin === undefined || origin === name ? [] : [origin]]),
  );
}

/** Whether a declaration can say it: a former name is taken by nobody, or by one that comes from a third in the end. */
export function canBeSaid(graph: Graph): boolean {
  const followed = (name: string, seen: readonly string[]): boolean =>
    (graph.get(name) ?? []).every((former) => {
      if (seen.includes(former)) return false;
      const own = graph.get(former);
      return own === undefined || (own.length > 0 && followed(former, [...seen, former]));
    });
  const formers = [...graph.values()].flat();
  return new Set(formers).size === formers.length && [...graph.keys()].every((one) => followed(one, [one]));
}

/**
 * Where the values of each declared name come from: a name that is there stays, unless another that is not there takes
 * it over.
 */
export function originsIn(graph: Graph, before: readonly string[]): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  const follow = (name: string): void => {
    const former = graph.get(name)?.find((one) => before.includes(one));
    if (former === undefined) return;
    found.set(name, former);
    if (graph.has(former)) follow(former);
  };
  for (const name of graph.keys()) if (!before.includes(name)) follow(name);
  const taken = new Set(found.values());
  for (const name of graph.keys())
    if (before.includes(name) && !found.has(name) && !taken.has(name)) found.set(name, name);
  return found;
}

// A name that is there and declared as a new one cannot be told from one that stays.
function originsOf(
  declared: readonly string[],
  before: readonly string[],
): readonly ReadonlyMap<string, string | undefined>[] {
  const [first, ...others] = declared;
  if (first === undefined) return [new Map()];
  return originsOf(others, before).flatMap((rest) => {
    const taken = new Set(rest.values());
    const free: (string | undefined)[] = before.filter((name) => !taken.has(name));
    if (!before.includes(first)) free.push(undefined);
    return free.map((origin) => new Map([[first, origin], ...rest]));
  });
}

function shapeOf(move: Move): string {
  const texts = permutations(NAMES).map((order) => {
    const { before, from } = spelled(move, (name) => order[NAMES.indexOf(name)] ?? name);
    return JSON.stringify([
      [...before].sort(),
      [...from].map(([name, origin]) => [name, origin ?? ""].join()).sort(),
    ]);
  });
  return texts.sort()[0] ?? "";
}

function spelled({ before, from }: Move, called: (name: string) => string): Move {
  return {
    before: before.map(called),
    from: new Map(
      [...from].map(([name, origin]) => [called(name), origin === undefined ? undefined : called(origin)]),
    ),
  };
}

export function subsets<T>(list: readonly T[]): T[][] {
  const [first, ...others] = list;
  if (first === undefined) return [[]];
  return subsets(others).flatMap((rest) => [rest, [first, ...rest]]);
}

function permutations<T>(list: readonly T[]): T[][] {
  if (list.length === 0) return [[]];
  return list.flatMap((one, i) =>
    permutations(list.filter((_, at) => at !== i)).map((rest) => [one, ...rest]),
  );
}
