/** What is the answer to a question over plain arrays: of the rows that `relation-evaluator.ts` works out. */
import { Beyond } from "./expression-evaluator.js";
import { Refused, textOf } from "./relation-aggregates.js";
import {
  type Answer,
  answerOf,
  areEqual,
  holds,
  inOrder,
  type Ranked,
  refuseWhole,
  rowsAt,
  rowsIn,
  valueOver,
} from "./relation-evaluator.js";
import {
  aggregateOf,
  allOf,
  insideOf,
  joinedName,
  ownPlace,
  type Place,
  placesOf,
  type Query,
  type Question,
  tableAt,
  typeOfAggregate,
} from "./relation-plans.js";
import { plainOf, type Row, tableOf, type World } from "./relation-world.js";

/** What is asked of a query. */
export function solve(question: Question, world: World): Answer | unknown {
  try {
    return solved(question, world);
  } catch (error) {
    // What nobody reads, a server need not find out.
    if (error instanceof Refused && error.code === "RECURSION_LIMIT" && !readsAll(question))
      throw new Beyond(error.code);
    throw error;
  }
}

/** Whether all rows of a recursion are asked for, and nothing else. */
function readsAll({ op, query }: Question): boolean {
  const { source, joins, tests, nested, limit, offset, picks, groupBy } = query;
  const isAlone = source?.recursion !== undefined && picks === undefined && groupBy.length === 0;
  return (
    op === "rows" &&
    isAlone &&
    [...joins, ...tests, ...nested].length === 0 &&
    (limit ?? offset) === undefined
  );
}

function solved(question: Question, world: World): Answer | unknown {
  const { query } = question;
  refuseWhole(query);
  for (const inside of everySource(question)) rowsAt({ table: "", source: inside }, world);
  if (question.op === "compound") return compounded(question, world);
  if (question.op === "change") return changed(question, world);
  if (question.op === "insert") return inserted(question, world);
  if (question.op === "rows" || question.op === "stream" || question.op === "pages") {
    if (question.op === "pages") refuseUnstable(query);
    return answerOf(query, world);
  }
  if (question.op === "first") {
    const { rows } = answerOf(query, world);
    return { rows, from: 0, to: Math.min(1, rows.length) };
  }
  const plain: Query = {
    ...allOf(query.table),
    joins: query.joins,
    tests: query.tests,
    source: query.source,
  };
  if (question.op === "exists") return rowsIn(answerOf(plain, world)).length > 0;
  const result = typeOfAggregate(aggregateOf(question));
  const zero = result.kind === "dec" ? { units: 0n, scale: result.scale } : result.kind === "num" ? 0 : 0n;
  return plainOf(valueOver(question, world) ?? zero, result);
}

/** The queries as tables of all levels, which a server reads whether their rows are needed or not. */
function everySource(question: Question): readonly Query[] {
  const inQuery = (query: Query): readonly Query[] => {
    const sources = [
      query.source,
      ...query.joins.map(({ way }) => (way.op === "source" ? way.source : undefined)),
    ];
    return [...sources.filter((one) => one !== undefined), ...insideOf(query).flatMap(inQuery)];
  };
  return [...inQuery(question.query), ...(question.op === "compound" ? inQuery(question.other) : [])];
}

/** The rows of two queries, as a set or with all that are equal. */
function compounded(
  { verb, query, other, orders, limit }: Extract<Question, { op: "compound" }>,
  world: World,
): Answer {
  refuseWhole(other);
  const left = answerOf(query, world).rows;
  const right = answerOf(other, world).rows;
  const isSet = !verb.endsWith("All");
  const kept = verb.startsWith("union")
    ? [...left, ...right]
    : matched(left, right, verb.startsWith("intersect"), isSet);
  const rows = isSet ? [...new Map(kept.map((one) => [textOf(one.row), one] as const)).values()] : kept;
  const keysOf = ({ values }: Ranked) =>
    orders.map(({ by }) => (typeof by === "string" ? (values[by] ?? null) : null));
  const sorted = [...rows].sort((one, another) => inOrder(keysOf(one), keysOf(another), orders));
  let rank = 0;
  const ranked = sorted.map((one, at) => {
    const before = sorted[at - 1];
    if (before !== undefined && inOrder(keysOf(before), keysOf(one), orders) !== 0) rank++;
    return { ...one, rank };
  });
  return { rows: ranked, from: 0, to: Math.min(ranked.length, limit ?? ranked.length) };
}

/** The rows that the other side has, or has not; of equal ones each stands for one. */
function matched(
  left: readonly Ranked[],
  right: readonly Ranked[],
  isWanted: boolean,
  isSet: boolean,
): readonly Ranked[] {
  const there = new Map<string, number>();
  for (const { row } of right) there.set(textOf(row), (there.get(textOf(row)) ?? 0) + 1);
  return left.filter(({ row }) => {
    const key = textOf(row);
    const count = there.get(key) ?? 0;
    if (!isSet && count > 0) there.set(key, count - 1);
    return count > 0 === isWanted;
  });
}

/** How many rows a change takes, and all rows of the table behind it. */
function changed({ query, from }: Extract<Question, { op: "change" }>, world: World): Answer {
  const places = [ownPlace(query.table)];
  const before = world[query.table] ?? [];
  const isMeant = (values: Row) =>
    query.tests.every((test) => holds(test, { values, absent: new Set() }, places, world) === true);
  let count = 0;
  const after = before.flatMap((row): readonly Row[] => {
    if (!isMeant(row)) return [row];
    if (from === undefined) {
      count++;
      return [];
    }
    const relation = tableOf(query.table).relations[from.relation];
    if (relation === undefined) throw new Error(`no such relation: ${from.relation}`);
    const { table, mine, theirs } = relation;
    const found = (world[table] ?? []).find((one) => areEqual(one[theirs] ?? null, row[mine] ?? null));
    if (found === undefined) return [row];
    count++;
    return [{ ...row, [from.field]: found[from.theirs] ?? null }];
  });
  return toldOf(count, answerOf(allOf(query.table), { ...world, [query.table]: after }));
}

/** How many rows are stored, and all rows of the table behind it. */
function inserted({ query, into }: Extract<Question, { op: "insert" }>, world: World): Answer {
  const { rows, from, to } = answerOf(query, world);
  const nothing = Object.keys(tableOf(into).fields).map((name) => [name, null] as const);
  const added = rows.slice(from, to).map(({ values }) => ({ ...Object.fromEntries(nothing), ...values }));
  const after = { ...world, [into]: [...(world[into] ?? []), ...added] };
  return toldOf(added.length, answerOf(allOf(into), after));
}

/** A count, and the rows behind it in any order. */
function toldOf(count: number, { rows }: Answer): Answer {
  const told: Ranked = { rank: 0, row: { count }, values: {} };
  const all = [told, ...rows.map((one) => ({ ...one, rank: 1 }))];
  return { rows: all, from: 0, to: all.length };
}

/** The order of pages holds a key of the own table, and of each table of which there may be several rows. */
function refuseUnstable(query: Query): void {
  const places = placesOf(query).filter(({ name, isMany }) => name === "" || isMany);
  const isHeld = (place: Place) => {
    const isIn = (field: string) =>
      tableAt(place).fields[field]?.nullable === false &&
      query.orders.some(({ by }) => by === joinedName(place.name, field));
    const groups = place.source?.groupBy ?? [];
    return tableAt(place).keys.some(isIn) || (groups.length > 0 && groups.every(isIn));
  };
  const isOrdered = ({ name, source }: Place) => {
    const groups = source?.groupBy ?? [];
    const isIn = (field: string) => query.orders.some(({ by }) => by === joinedName(name, field));
    return groups.length > 0 && groups.every(isIn);
  };
  const open = places.filter((place) => !isHeld(place));
  // Whether an expression by which rows are grouped may be NULL is not known here.
  if (open.length > 0 && open.every(isOrdered)) throw new Beyond("a key that is an expression");
  if (open.length > 0) throw new Refused("UNSTABLE_ORDER");
}
