/**
 * What a query over several tables gives, worked out over plain arrays, without the package and without a server:
 * joins row by row, then conditions, groups, orders and pages, as SQL says it.
 */
import { Beyond, compared, evaluate, evaluateCondition } from "./expression-evaluator.js";
import type { Decimal, Tree, Value } from "./expression-trees.js";
import {
  type Aggregate,
  fieldIn,
  type Having,
  joinedName,
  namesIn,
  type Order,
  type Pick,
  type Place,
  placeAt,
  placesOf,
  type Query,
  type Question,
  type Test,
  typeOfAggregate,
  type Way,
} from "./relation-plans.js";
import { plainOf, type Row, type Table, tableOf, type World } from "./relation-world.js";

/** A query that the package has to refuse. */
export class Refused extends Error {
  readonly code: string;
  constructor(code: string) {
    super(code);
    this.code = code;
  }
}

/** A row of a scope: the fields of all its places, and for a left-joined place whether it is there. */
interface Joined {
  readonly values: Row;
  readonly absent: ReadonlySet<string>;
}

/** A row of the result. Rows of one rank may come in any order. */
export interface Ranked {
  readonly rank: number;
  readonly row: unknown;
}

/** What a query gives: all of its rows in order, and which of them its limit and its offset leave. */
export interface Answer {
  readonly rows: readonly Ranked[];
  readonly from: number;
  readonly to: number;
}

// What has more rows takes servers too long.
const MOST_ROWS = 1_500;

/** A row before it is what it is selected as: a joined row, or a group of them. */
interface Unit {
  readonly first: Joined;
  readonly members: readonly Joined[];
}

const textOf = (value: unknown): string =>
  JSON.stringify(value, (_, one: unknown) => (typeof one === "bigint" ? `${one}n` : one)) ?? "";

function joinedRows(world: World, query: Query, isStart: (row: Row) => boolean): readonly Joined[] {
  const places = placesOf(query);
  let rows: readonly Joined[] = (world[query.table] ?? [])
    .filter(isStart)
    .map((values) => ({ values, absent: new Set() }));
  for (const place of places.slice(1)) {
    rows = rows.flatMap((row) => joinedTo(row, place, world));
    if (rows.length > MOST_ROWS) throw new Beyond("too many rows");
  }
  return rows;
}

function joinedTo(row: Joined, place: Place, world: World): readonly Joined[] {
  const { name, table, from, mine, theirs, isLeft } = place;
  const value = row.values[joinedName(from, mine)] ?? null;
  const found = (world[table] ?? []).filter((one) => areEqual(one[theirs] ?? null, value));
  const named = (of: Row) =>
    Object.fromEntries(Object.entries(of).map(([field, one]) => [joinedName(name, field), one]));
  if (found.length === 0 && isLeft) {
    const { fields } = tableOf(table);
    const nothing = named(Object.fromEntries(Object.keys(fields).map((field) => [field, null])));
    return [{ values: { ...row.values, ...nothing }, absent: new Set([...row.absent, name]) }];
  }
  return found.map((one) => ({ ...row, values: { ...row.values, ...named(one) } }));
}

const areEqual = (one: Value, other: Value): boolean =>
  one !== null && other !== null && compared(one, other) === 0;

function holds(test: Test, row: Joined, places: readonly Place[], world: World): boolean | null {
  switch (test.op) {
    case "plain":
      return evaluateCondition(test.condition, row.values);
    case "optional":
      return test.given === "all" ? evaluateCondition(test.condition, row.values) : true;
    case "fields":
      return compares(test.operator, row.values[test.left] ?? null, row.values[test.right] ?? null);
    case "exists": {
      const { way, query, is } = test;
      return relatedAnswer(way, query, row, places, world).length > 0 === is;
    }
  }
}

function compares(operator: string, left: Value, right: Value): boolean | null {
  if (left === null || right === null) return null;
  const order = compared(left, right);
  const signs: Readonly<Record<string, boolean>> = {
    "=": order === 0,
    "!=": order !== 0,
    ">": order > 0,
    ">=": order >= 0,
    "<": order < 0,
    "<=": order <= 0,
  };
  return signs[operator] ?? null;
}

/** The rows that a way leads to from a row, as a query of them gives them. */
function relatedAnswer(
  way: Way,
  query: Query | undefined,
  row: Joined,
  places: readonly Place[],
  world: World,
): readonly unknown[] {
  const { table, from, mine, theirs } = placeAt(way, places);
  const value = row.values[joinedName(from, mine)] ?? null;
  const isTheirs = (one: Row) => areEqual(one[theirs] ?? null, value);
  return rowsIn(answerOf(query ?? allOf(table), world, isTheirs));
}

const allOf = (table: string): Query => ({
  table,
  joins: [],
  tests: [],
  picks: undefined,
  groupBy: [],
  having: [],
  isDistinct: false,
  orders: [],
  limit: undefined,
  offset: undefined,
});

/** The rows that are left; the query is one whose order leaves no choice. */
const rowsIn = ({ rows, from, to }: Answer): readonly unknown[] => rows.slice(from, to).map(({ row }) => row);

const anyRow = () => true;

/** What a query gives. */
export function answerOf(query: Query, world: World, isStart: (row: Row) => boolean = anyRow): Answer {
  const places = placesOf(query);
  refuseWhole(query);
  const met = joinedRows(world, query, isStart).filter((row) =>
    query.tests.every((test) => holds(test, row, places, world) === true),
  );
  const units = unitsOf(query, met).filter((unit) =>
    query.having.every((having) => havingHolds(having, unit, query)),
  );
  const keyed = units.map((unit) => ({
    row: selectedRow(unit, query, places),
    keys: query.orders.map(({ by }) => orderKey(by, unit, query)),
  }));
  const kept = query.isDistinct
    ? [...new Map(keyed.map((one) => [textOf(one.row), one] as const)).values()]
    : keyed;
  const sorted = kept.sort((one, other) => inOrder(one.keys, other.keys, query.orders));
  let rank = 0;
  const rows = sorted.map(({ row, keys }, at) => {
    const before = sorted[at - 1];
    if (before !== undefined && inOrder(before.keys, keys, query.orders) !== 0) rank++;
    return { rank, row };
  });
  const from = Math.min(query.offset ?? 0, rows.length);
  return { rows, from, to: Math.min(rows.length, from + (query.limit ?? rows.length)) };
}

/** What is asked of a query. */
export function solve(question: Question, world: World): Answer | unknown {
  const { query } = question;
  if (question.op === "rows") return answerOf(query, world);
  if (question.op === "first") {
    const { rows } = answerOf(query, world);
    return { rows, from: 0, to: Math.min(1, rows.length) };
  }
  const plain: Query = { ...allOf(query.table), joins: query.joins, tests: query.tests };
  if (question.op === "exists") return rowsIn(answerOf(plain, world)).length > 0;
  const places = placesOf(plain);
  const aggregate = asked(question, places);
  refuseFanOut(aggregate, places);
  refuseWhole(plain);
  const met = joinedRows(world, plain, anyRow).filter((row) =>
    plain.tests.every((test) => holds(test, row, places, world) === true),
  );
  const result = typeOfAggregate(aggregate);
  const zero = result.kind === "dec" ? { units: 0n, scale: result.scale } : result.kind === "num" ? 0 : 0n;
  return plainOf(aggregated(aggregate, met) ?? zero, result);
}

function asked(question: Question, places: readonly Place[]): Aggregate {
  if (question.op !== "value") return { func: "count", of: undefined, filter: undefined };
  const { kind, scale } = fieldIn(places, question.of);
  if (kind === "json") throw new Error(`no number: ${question.of}`);
  const of: Tree = { op: "field", name: question.of, type: { kind, scale } };
  return { func: question.func, of, filter: undefined };
}

function aggregatesIn({ picks = [], having }: Query): readonly Aggregate[] {
  return [
    ...picks.flatMap((pick) => (pick.op === "aggregate" ? [pick.aggregate] : [])),
    ...having.flatMap(({ of }) => (typeof of === "string" ? [] : [of])),
  ];
}

/** A query is refused whether there are rows or not. */
function refuseWhole(query: Query): void {
  const places = placesOf(query);
  for (const one of aggregatesIn(query)) refuseFanOut(one, places);
  for (const test of query.tests)
    if (test.op === "exists" && test.query !== undefined) refuseWhole(test.query);
}

/** A sum, an average or a count of what joins repeat. */
function refuseFanOut({ func, of }: Aggregate, places: readonly Place[]): void {
  if (func !== "sum" && func !== "avg" && func !== "count") return;
  const wayTo = (name: string): readonly string[] => {
    const place = places.find((one) => one.name === name);
    return place === undefined || name === "" ? [""] : [...wayTo(place.from), name];
  };
  const many = places.filter(({ isMany }) => isMany).map(({ name }) => name);
  const areApart = many.some((one) =>
    many.some((other) => !wayTo(one).includes(other) && !wayTo(other).includes(one)),
  );
  const own = func === "count" || of === undefined ? [] : namesIn(of).map((name) => placeOf(name));
  const isBefore = own.length > 0 && many.some((one) => !own.some((place) => wayTo(place).includes(one)));
  if (areApart || isBefore) throw new Refused("FAN_OUT");
}

const placeOf = (name: string): string => (name.includes(".") ? name.slice(0, name.indexOf(".")) : "");

function unitsOf(query: Query, rows: readonly Joined[]): readonly Unit[] {
  const { groupBy, picks = [] } = query;
  if (groupBy.length === 0) {
    if (aggregatesIn(query).length === 0) return rows.map((first) => ({ first, members: [first] }));
    return [{ first: rows[0] ?? { values: {}, absent: new Set() }, members: rows }];
  }
  // A part that is absent and one whose field is NULL are two groups, where the part is selected.
  const parts = picks.flatMap((pick) => (pick.op === "field" ? [placeOf(pick.name)] : []));
  const groups = new Map<string, Joined[]>();
  for (const row of rows) {
    const flags = parts.map((part) => row.absent.has(part));
    const values = groupBy.map((by) => {
      const pick = picks.find((one) => one.op === "tree" && one.alias === by);
      return pick?.op === "tree" ? evaluate(pick.tree, row.values) : (row.values[by] ?? null);
    });
    const key = textOf([flags, values]);
    const group = groups.get(key) ?? [];
    groups.set(key, group);
    group.push(row);
  }
  return [...groups.values()].flatMap((members) => {
    const [first] = members;
    return first === undefined ? [] : [{ first, members }];
  });
}

/** What an aggregate gives over rows. */
function aggregated(aggregate: Aggregate, rows: readonly Joined[]): Value {
  const { func, of, filter } = aggregate;
  const kept = rows.filter(
    ({ values }) => filter === undefined || evaluateCondition(filter, values) === true,
  );
  if (of === undefined) return BigInt(kept.length);
  const known = kept.map(({ values }) => evaluate(of, values)).filter((value) => value !== null);
  if (func === "count") return BigInt(known.length);
  if (func === "countDistinct") return BigInt(new Set(known.map((value) => textOf(value))).size);
  const [first] = known;
  if (first === undefined) return null;
  if (func === "min" || func === "max") {
    const sign = func === "min" ? -1 : 1;
    return known.reduce((best, value) => (compared(value, best) * sign > 0 ? value : best), first);
  }
  if (of.type.kind === "num") {
    const total = known.reduce<number>((sum, value) => sum + Number(value), 0);
    return func === "sum" ? total : total / known.length;
  }
  const units = known.map((value) => (typeof value === "bigint" ? value : (value as Decimal).units));
  const total = units.reduce((sum, value) => sum + value, 0n);
  if (total > 2n ** 53n || total < -(2n ** 53n)) throw new Beyond("a sum that is no safe number");
  const { scale } = of.type;
  if (func === "sum") return of.type.kind === "dec" ? { units: total, scale } : total;
  if (of.type.kind !== "dec") return Number(total) / known.length;
  return { units: halfAway(total * 10_000n, BigInt(known.length)), scale: scale + 4 };
}

function halfAway(dividend: bigint, divisor: bigint): bigint {
  const amount = ((dividend < 0n ? -dividend : dividend) * 2n + divisor) / (2n * divisor);
  return dividend < 0n ? -amount : amount;
}

function havingHolds({ of, operator, value }: Having, { members }: Unit, { picks = [] }: Query): boolean {
  const pick = picks.find((one) => one.op === "aggregate" && one.alias === of);
  const aggregate = pick?.op === "aggregate" ? pick.aggregate : of;
  return typeof aggregate !== "string" && compares(operator, aggregated(aggregate, members), value) === true;
}

function orderKey(by: Order["by"], { first, members }: Unit, { picks = [] }: Query): Value {
  if (typeof by !== "string") return evaluate(by, first.values);
  for (const pick of picks) {
    if (pick.op === "tree" && pick.alias === by) return evaluate(pick.tree, first.values);
    if (pick.op === "aggregate" && pick.alias === by) return aggregated(pick.aggregate, members);
  }
  return first.values[by] ?? null;
}

/** NULL is greater than all, where the order does not say where it is. */
function inOrder(one: readonly Value[], other: readonly Value[], orders: readonly Order[]): number {
  for (const [at, { direction, nulls }] of orders.entries()) {
    const [a = null, b = null] = [one[at], other[at]];
    const sign = direction === "asc" ? 1 : -1;
    if (a === null || b === null) {
      const first = (nulls ?? (direction === "asc" ? "last" : "first")) === "first" ? -1 : 1;
      if ((a === null) !== (b === null)) return a === null ? first : -first;
    } else {
      const order = compared(a, b);
      if (order !== 0) return order * sign;
    }
  }
  return 0;
}

function selectedRow({ first, members }: Unit, { picks, table }: Query, places: readonly Place[]): unknown {
  const row: Record<string, unknown> = {};
  const put = (name: string) => {
    const place = placeOf(name);
    const value = plainOf(first.values[name] ?? null, fieldIn(places, name));
    if (place === "") row[name] = value;
    else if (first.absent.has(place)) row[place] = null;
    else row[place] = { ...(row[place] as object | undefined), [name.slice(place.length + 1)]: value };
  };
  const all = (place: string, { fields }: Table) =>
    Object.keys(fields).forEach((field) => void put(joinedName(place, field)));
  for (const pick of picks ?? [{ op: "all", of: "" } as const satisfies Pick]) {
    if (pick.op === "field") put(pick.name);
    else if (pick.op === "all")
      all(pick.of, tableOf(places.find(({ name }) => name === pick.of)?.table ?? table));
    else if (pick.op === "tree") row[pick.alias] = plainOf(evaluate(pick.tree, first.values), pick.tree.type);
    else row[pick.alias] = plainOf(aggregated(pick.aggregate, members), typeOfAggregate(pick.aggregate));
  }
  return row;
}
