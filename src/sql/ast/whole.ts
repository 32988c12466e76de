/**
 * The related tables of a spec that a scope does not restrict: those with `whole: true`. In a spec from a client, the
 * program's permissions decide this. In a spec from a builder it is always set, because the related tables of a builder
 * are whole.
 */

/** The targets of relations, as far as needed here. */
export interface RelationWays {
  /** Whether the relation leads to all rows of its table. */
  readonly isWhole: boolean;
  /** The target of a relation of these rows. */
  readonly targetOf: (relation: string) => RelationWays | undefined;
}

/** All related tables are whole, at all levels. */
export const allWhole: RelationWays = { isWhole: true, targetOf: () => allWhole };

type Members = Readonly<Record<string, unknown>>;
type Joined = ReadonlyMap<unknown, RelationWays>;

/** The spec with `whole: true` for each related table that is whole. The spec must have the right shape. */
export function sayingWhole(spec: object, ways: RelationWays): object {
  const { base, operands }: Members = { ...spec };
  if (!Array.isArray(operands)) return markedQuery(spec, ways);
  const queries = operands.map((one: Members) => ({ ...one, query: markedQuery(one["query"], ways) }));
  return { ...spec, base: markedQuery(base, ways), operands: queries };
}

function markedQuery(given: unknown, ways: RelationWays): object {
  const query: Members = { ...(given as object) };
  const { joins, where, with: nested } = query;
  const joined = new Map<unknown, RelationWays>();
  return {
    ...query,
    ...(Array.isArray(joins) ? { joins: joins.map((join: Members) => markedJoin(join, ways, joined)) } : {}),
    ...(Array.isArray(where) ? { where: markedList(where, ways, joined) } : {}),
    ...(nested === undefined ? {} : { with: markedNested(nested as Members, ways) }),
  };
}

function markedJoin(join: Members, ways: RelationWays, joined: Map<unknown, RelationWays>): object {
  const { relation, as = wayOf(relation)?.name } = join;
  const target = leading(relation, ways, joined);
  if (target !== undefined) joined.set(as, target);
  return target?.isWhole === true ? { ...join, whole: true } : join;
}

function markedNested(nested: Members, ways: RelationWays): object {
  const marked = Object.entries(nested).map(([name, query]) => {
    const target = ways.targetOf(name);
    return [name, target === undefined ? query : saying(markedQuery(query, target), target)] as const;
  });
  return Object.fromEntries(marked);
}

function markedList(list: readonly Members[], ways: RelationWays, joined: Joined): readonly object[] {
  return list.map((condition) => marked(condition, ways, joined));
}

function marked(condition: Members, ways: RelationWays, joined: Joined): object {
  const { group, where, exists, not_exists: notExists = exists, query } = condition;
  if (Array.isArray(group)) return { ...condition, group: markedList(group, ways, joined) };
  // Only programs send such a query, and in a builder its table is whole.
  if (query !== undefined) return { ...condition, query: saying(markedQuery(query, ways), ways) };
  const target = leading(notExists, ways, joined);
  if (target === undefined) return condition;
  const inside = Array.isArray(where) ? { where: markedList(where, target, new Map()) } : {};
  return saying({ ...condition, ...inside }, target);
}

function saying(part: object, { isWhole }: RelationWays): object {
  return isWhole ? { ...part, whole: true } : part;
}

/** The target of a relation of the table, or, with the name of a join and a dot, of a joined table. */
function leading(relation: unknown, ways: RelationWays, joined: Joined): RelationWays | undefined {
  const way = wayOf(relation);
  if (way === undefined) return undefined;
  const from = way.join === undefined ? ways : joined.get(way.join);
  return from?.targetOf(way.name);
}

function wayOf(relation: unknown): { readonly join: string | undefined; readonly name: string } | undefined {
  if (typeof relation !== "string") return undefined;
  const dot = relation.lastIndexOf(".");
  return { join: dot < 0 ? undefined : relation.slice(0, dot), name: relation.slice(dot + 1) };
}
