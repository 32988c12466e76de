/**
 * What a query over several tables gives, worked out over plain arrays, without the package and without a server:
 * joins row by row, then conditions, groups, orders and pages, as SQL says it.
 */
import { Beyond, compared, evaluate, evaluateCondition } from "./expression-evaluator.js";
import type { Value } from "./expression-trees.js";
import { aggregated, type Joined, Refused, refuseFanOut, textOf } from "./relation-aggregates.js";
import {
  type Aggregate,
  aggregateOf,
  allOf,
  fieldIn,
  type Having,
  insideOf,
  joinedName,
  type Order,
  ownPlace,
  type Place,
  placeAt,
  placesOf,
  type Query,
  type Question,
  type Recursion,
  splitName,
  type Test,
  tableAt,
  typeOfAggregate,
  valuesIn,
  type Way,
} from "./relation-plans.js";
import { plainOf, type Row, type Type, type World } from "./relation-world.js";

/** A row of the result. Rows of one rank may come in any order. */
export interface Ranked {
  readonly rank: number;
  readonly row: unknown;
  /** What its columns hold, by their names. */
  readonly values: Row;
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

function joinedRows(world: World, query: Query, isStart: (row: Row) => boolean): readonly Joined[] {
  const places = placesOf(query);
  let rows: readonly Joined[] = rowsAt(query, world)
    .filter(isStart)
    .map((values) => ({ values, absent: new Set() }));
  for (const place of places.slice(1)) {
    rows = rows.flatMap((row) => joinedTo(row, place, world));
    if (rows.length > MOST_ROWS) throw new Beyond("too many rows");
  }
  return rows;
}

// What reads nothing of the rows around is worked out once.
const known = new WeakMap<object, readonly Row[] | { readonly value: Value }>();

/** The rows of a table, or of a query as one. */
export function rowsAt(
  { table, source }: { readonly table: string; readonly source?: Query | undefined },
  world: World,
): readonly Row[] {
  if (source === undefined) return world[table] ?? [];
  const before = known.get(source);
  if (before !== undefined && !("value" in before)) return before;
  const { rows, from, to } = answerOf(source, world);
  const start = rows.slice(from, to).map(({ values }) => values);
  const found = source.recursion === undefined ? start : levels(source, source.recursion, start, world);
  known.set(source, found);
  return found;
}

/** The rows of a query that goes on from its own rows, level by level. */
function levels(
  { table, picks = [] }: Query,
  { mine, theirs, tests, depth, maxDepth }: Recursion,
  start: readonly Row[],
  world: World,
): readonly Row[] {
  const places = [ownPlace(table)];
  const names = picks.flatMap((pick) => (pick.op === "field" ? [pick.name] : []));
  const all: Row[] = [];
  let level = start;
  for (let at = 1; level.length > 0; at++) {
    if (at > maxDepth) throw new Refused("RECURSION_LIMIT");
    if (all.length > MOST_ROWS) throw new Beyond("too many rows");
    all.push(...level.map((row) => (depth === undefined ? row : { ...row, [depth]: BigInt(at) })));
    level = level.flatMap((row) =>
      (world[table] ?? [])
        .filter((one) => areEqual(one[mine] ?? null, row[theirs] ?? null))
        .filter((values) =>
          tests.every((test) => holds(test, { values, absent: new Set() }, places, world) === true),
        )
        .map((one) => Object.fromEntries(names.map((name) => [name, one[name] ?? null]))),
    );
  }
  return all;
}

function joinedTo(row: Joined, place: Place, world: World): readonly Joined[] {
  const { name, from, mine, theirs, isLeft } = place;
  const value = row.values[joinedName(from, mine)] ?? null;
  const found = rowsAt(place, world).filter((one) => areEqual(one[theirs] ?? null, value));
  const named = (of: Row) =>
    Object.fromEntries(Object.entries(of).map(([field, one]) => [joinedName(name, field), one]));
  if (found.length === 0 && isLeft) {
    const { fields } = tableAt(place);
    const nothing = named(Object.fromEntries(Object.keys(fields).map((field) => [field, null])));
    return [{ values: { ...row.values, ...nothing }, absent: new Set([...row.absent, name]) }];
  }
  return found.map((one) => ({ ...row, values: { ...row.values, ...named(one) } }));
}

export const areEqual = (one: Value, other: Value): boolean =>
  one !== null && other !== null && compared(one, other) === 0;

export function holds(test: Test, row: Joined, places: readonly Place[], world: World): boolean | null {
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
    case "in": {
      const [name = ""] = Object.keys(tableAt({ table: "", source: test.query }).fields);
      const value = row.values[test.field] ?? null;
      const all = rowsAt({ table: "", source: test.query }, world).map((one) => one[name] ?? null);
      const some = all.filter((one) => one !== null);
      if (some.length > 0 && value === null) return null;
      return some.some((one) => areEqual(one, value)) === (test.operator === "IN");
    }
    case "value":
      return compares(test.operator, row.values[test.field] ?? null, valueOver(test.of, world));
    case "beside":
      return compares(test.operator, aggregateBeside(test, row, places, world), test.value);
    case "not": {
      const member = holds(test.member, row, places, world);
      return member === null ? null : !member;
    }
    case "group": {
      const members = test.members.map((member) => holds(member, row, places, world));
      const decisive = test.logic === "or";
      if (members.includes(decisive)) return decisive;
      return members.includes(null) ? null : !decisive;
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

/** The rows that are left; the query is one whose order leaves no choice. */
export const rowsIn = ({ rows, from, to }: Answer): readonly unknown[] =>
  rows.slice(from, to).map(({ row }) => row);

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
    row: selectedRow(unit, query, places, world),
    values: selectedValues(unit, query, places, world),
    keys: query.orders.map(({ by }) => orderKey(by, unit, query, world)),
  }));
  const kept = query.isDistinct
    ? [...new Map(keyed.map((one) => [textOf(one.row), one] as const)).values()]
    : keyed;
  const sorted = kept.sort((one, other) => inOrder(one.keys, other.keys, query.orders));
  let rank = 0;
  const rows = sorted.map(({ row, values, keys }, at) => {
    const before = sorted[at - 1];
    if (before !== undefined && inOrder(before.keys, keys, query.orders) !== 0) rank++;
    return { rank, row, values };
  });
  const from = Math.min(query.offset ?? 0, rows.length);
  return { rows, from, to: Math.min(rows.length, from + (query.limit ?? rows.length)) };
}

/** One value over the rows of a query; NULL where there are none. */
export function valueOver(question: Question, world: World): Value {
  const before = known.get(question);
  if (before !== undefined && "value" in before) return before.value;
  const { query } = question;
  const places = placesOf(query);
  const aggregate = aggregateOf(question);
  refuseFanOut(aggregate, places);
  const met = joinedRows(world, query, anyRow).filter((row) =>
    query.tests.every((test) => holds(test, row, places, world) === true),
  );
  const value = aggregated(aggregate, met);
  known.set(question, { value });
  return value;
}

function aggregatesIn({ picks = [], having }: Query): readonly Aggregate[] {
  return [
    ...picks.flatMap((pick) => (pick.op === "aggregate" ? [pick.aggregate] : [])),
    ...having.flatMap(({ of }) => (typeof of === "string" ? [] : [of])),
  ];
}

/** A query is refused whether there are rows or not. */
export function refuseWhole(query: Query): void {
  const places = placesOf(query);
  for (const one of aggregatesIn(query)) refuseFanOut(one, places);
  for (const of of valuesIn(query.tests)) refuseFanOut(aggregateOf(of), placesOf(of.query));
  for (const inside of insideOf(query)) refuseWhole(inside);
}

function unitsOf(query: Query, rows: readonly Joined[]): readonly Unit[] {
  const { groupBy, picks = [] } = query;
  if (groupBy.length === 0) {
    if (aggregatesIn(query).length === 0) return rows.map((first) => ({ first, members: [first] }));
    return [{ first: rows[0] ?? { values: {}, absent: new Set() }, members: rows }];
  }
  // A part that is absent and one whose field is NULL are two groups, where the part is selected.
  const parts = picks.flatMap((pick) => (pick.op === "field" ? [splitName(pick.name)[0]] : []));
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

function havingHolds({ of, operator, value }: Having, { members }: Unit, { picks = [] }: Query): boolean {
  const pick = picks.find((one) => one.op === "aggregate" && one.alias === of);
  const aggregate = pick?.op === "aggregate" ? pick.aggregate : of;
  return typeof aggregate !== "string" && compares(operator, aggregated(aggregate, members), value) === true;
}

function orderKey(by: Order["by"], unit: Unit, query: Query, world: World): Value {
  const { first, members } = unit;
  const { picks = [] } = query;
  if (typeof by !== "string") return evaluate(by, first.values);
  for (const pick of picks) {
    if (pick.op === "tree" && pick.alias === by) return evaluate(pick.tree, first.values);
    if (pick.op === "aggregate" && pick.alias === by) return aggregated(pick.aggregate, members);
    if (pick.op === "of" && pick.alias === by) return aggregateBeside(pick, first, placesOf(query), world);
  }
  return first.values[by] ?? null;
}

/** NULL is greater than all, where the order does not say where it is. */
export function inOrder(one: readonly Value[], other: readonly Value[], orders: readonly Order[]): number {
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

/** An aggregate of the rows that a relation leads to. */
function aggregateBeside(
  { path, aggregate }: { readonly path: string; readonly aggregate: Aggregate },
  row: Joined,
  places: readonly Place[],
  world: World,
): Value {
  const { table, from, mine, theirs } = placeAt({ op: "relation", path }, places);
  const value = row.values[joinedName(from, mine)] ?? null;
  const found = (world[table] ?? []).filter((one) => areEqual(one[theirs] ?? null, value));
  return aggregated(
    aggregate,
    found.map((values) => ({ values, absent: new Set<string>() })),
  );
}

/** What the columns of a row hold, by the names of fields and aliases. */
function selectedValues(
  { first, members }: Unit,
  { picks = [{ op: "all", of: "" }] }: Query,
  places: readonly Place[],
  world: World,
): Row {
  const values = picks.flatMap((pick): readonly (readonly [string, Value])[] => {
    if (pick.op === "field") return [[pick.name, first.values[pick.name] ?? null]];
    if (pick.op === "tree") return [[pick.alias, evaluate(pick.tree, first.values)]];
    if (pick.op === "aggregate") return [[pick.alias, aggregated(pick.aggregate, members)]];
    if (pick.op === "of") return [[pick.alias, aggregateBeside(pick, first, places, world)]];
    const place = places.find(({ name }) => name === pick.of);
    const names = place === undefined ? [] : Object.keys(tableAt(place).fields);
    return names.map((field) => {
      const name = joinedName(pick.of, field);
      return [name, first.values[name] ?? null];
    });
  });
  return Object.fromEntries(values);
}

/** The row as the package gives it: the fields of joined places in parts, and rows inside. */
function selectedRow(unit: Unit, query: Query, places: readonly Place[], world: World): unknown {
  const row: Record<string, unknown> = {};
  const { first } = unit;
  const types = new Map<string, Type>(
    (query.picks ?? []).flatMap((pick) => {
      if (pick.op === "tree") return [[pick.alias, pick.tree.type] as const];
      return "aggregate" in pick ? [[pick.alias, typeOfAggregate(pick.aggregate)] as const] : [];
    }),
  );
  for (const [name, value] of Object.entries(selectedValues(unit, query, places, world))) {
    const [place, field] = splitName(name);
    const plain = plainOf(value, types.get(name) ?? fieldIn(places, name));
    if (place === "") row[name] = plain;
    else if (first.absent.has(place)) row[place] = null;
    else row[place] = { ...(row[place] as object | undefined), [field]: plain };
  }
  for (const { name, way, query: inside } of query.nested) {
    const rows = relatedAnswer(way, inside, first, places, world);
    row[name] = placeAt(way, places).isMany || way.op === "on" ? rows : (rows[0] ?? null);
  }
  return row;
}
