/** Random queries over the five tables, as plain data: such as every server can answer, or the package has to refuse. */
import type { Chance } from "./expression-chance.js";
import type { Tree } from "./expression-trees.js";
import { someOf } from "./expression-values.js";
import { areAlike, called, comparisons, isScalar, type OperandMaker } from "./relation-operands.js";
import {
  aggregateOf,
  allOf,
  fieldIn,
  fieldsOf,
  type Join,
  joinedName,
  type Nested,
  ownPlace,
  type Pick,
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
  type Way,
} from "./relation-plans.js";
import type { ShapeMaker } from "./relation-shapes.js";
import { type Type, tables } from "./relation-world.js";

const names = Object.keys(tables);
/** Makes queries over a world. */
export class QueryMaker {
  readonly #chance: Chance;
  readonly #operands: OperandMaker;
  readonly #shapes: ShapeMaker;
  #shared: readonly Query[] = [];
  #recurses = true;

  constructor(chance: Chance, operands: OperandMaker, shapes: ShapeMaker) {
    this.#chance = chance;
    this.#operands = operands;
    this.#shapes = shapes;
  }

  /** Begins with another statement, which does not read the queries of the one before. */
  begin(recurses: boolean): void {
    this.#shared = [];
    this.#recurses = recurses;
  }

  // Pages and sums of marks are refused more often.
  table(): string {
    const table = this.#chance.of(names);
    return table === "marks" && this.#chance.oneIn(2) ? "orders" : table;
  }

  /** One value over the rows of a query. */
  valueOf(query: Query): Extract<Question, { op: "value" }> | undefined {
    const numbers = [...fieldsOf(placesOf(query))].filter(([, { kind }]) => /^(int|big|dec)$/.test(kind));
    if (numbers.length === 0 || query.source !== undefined) return undefined;
    const func = this.#chance.of(["sum", "avg", "min", "max"] as const);
    return { op: "value", func, of: this.#chance.of(numbers)[0], query };
  }

  /**
   * A query of a table.
   * @param depth how deep there may be queries inside it.
   * @param role what it is: inside another one a limit must leave no choice, and so must the order of nested rows.
   */
  query(table: string, most: number, depth: number, role: Role): Query {
    const chance = this.#chance;
    const own = role === "outside" && depth > 0 && chance.oneIn(8) ? this.#given(depth - 1) : undefined;
    const start = { table: own === undefined ? table : (own.called ?? chance.of(called)), source: own };
    const joins = this.#joinsOf(start, chance.below(most + 1), depth);
    const places = placesOf({ ...start, joins });
    const tests = Array.from({ length: chance.below(3) }, () => this.testOf(places, depth));
    const whole: Query = { ...allOf(start.table), ...start, joins, tests };
    // An order cannot say whether a part is there, so groups and different rows of parts have no total one.
    const isPlain = role !== "outside" && joins.some(({ isLeft }) => isLeft);
    const shape = isPlain ? 2 + chance.below(4) : chance.below(6);
    const query =
      shape === 0 ? this.#shapes.grouped(whole, places) : this.#shapes.plain(whole, places, shape === 1);
    const nested = shape > 1 && role !== "inside" ? this.#nestedIn(places, depth) : [];
    const isPaged = chance.oneIn(4);
    const isOrdered = isPaged || role !== "inside";
    return {
      ...query,
      nested,
      orders: isOrdered ? this.#shapes.ordersOf(query, role !== "outside") : [],
      limit: isPaged ? chance.below(5) + Number(role === "inside") : undefined,
      offset: isPaged && chance.oneIn(3) ? chance.below(4) : undefined,
      counts: chance.oneIn(4) ? { limit: chance.param(), offset: chance.param() } : undefined,
    };
  }

  #nestedIn(places: readonly Place[], depth: number): readonly Nested[] {
    const chance = this.#chance;
    if (depth === 0 || chance.oneIn(2)) return [];
    const [own] = places;
    const { relations = {}, fields = {} } = own === undefined ? {} : tableAt(own);
    const taken = [...places.map(({ name }) => name.toLowerCase()), ...Object.keys(fields)];
    const free = Object.keys(relations).filter((name) => !taken.includes(name));
    const all = free.slice(0, chance.below(3)).map((name): Nested => {
      const way: Way = { op: "relation", path: name };
      const { table } = placeAt(way, places);
      return { name, way, query: chance.oneIn(4) ? undefined : this.query(table, 1, depth - 1, "nested") };
    });
    const way = this.#onFrom(own === undefined ? [] : [own]);
    if (way === undefined || !chance.oneIn(4)) return all;
    return [...all, { name: "beside", way, query: this.query(way.table, 1, depth - 1, "nested") }];
  }

  /** A query as a table: its columns are fields of its own and what has an alias. */
  #source(depth: number): Query {
    const query = this.query(this.table(), 2, depth, "inside");
    const places = placesOf(query);
    const picks = query.picks?.flatMap((pick): readonly Pick[] => {
      if (pick.op === "all") return pick.of === "" ? [pick] : [];
      if (pick.op !== "field" || !pick.name.includes(".")) return [pick];
      const { kind, scale } = fieldIn(places, pick.name);
      if (kind === "json" || query.groupBy.length > 0 || query.isDistinct) return [];
      const tree: Tree = { op: "field", name: pick.name, type: { kind, scale } };
      return [{ op: "tree", alias: this.#shapes.alias(), tree }];
    });
    if (picks?.length === 0) return this.#source(depth);
    const named = { ...query, picks };
    if (!Object.values(tableAt(ownPlace("", named)).fields).some(isScalar)) return this.#source(depth);
    return { ...named, orders: named.limit === undefined ? [] : this.#shapes.ordersOf(named, true) };
  }

  /** A query as a table: in its place, for the whole statement, or one that goes on from its own rows. */
  #given(depth: number): Query {
    const chance = this.#chance;
    if (chance.oneIn(2)) return this.#source(depth);
    const name = this.#shapes.alias().replace("x", "w");
    const made = {
      ...((this.#recurses && chance.oneIn(2) && this.#recursion(depth)) || this.#source(depth)),
      called: name,
    };
    this.#shared = [...this.#shared, made];
    return made;
  }

  #recursion(depth: number): Query | undefined {
    const chance = this.#chance;
    const table = this.table();
    const own = [ownPlace(table)];
    const kept = [...fieldsOf(own)].filter(([, type]) => isScalar(type) && !chance.oneIn(2));
    const pairs = this.#operands.pairs(
      own,
      kept.map(([field, type]) => ({ field, type })),
    );
    if (pairs.length === 0) return undefined;
    // By a key there are no more rows at each level than there are in the table.
    const { keys } = tableAt(ownPlace(table));
    const narrow = pairs.filter(
      ([mine, { field }]) => mine !== field && (keys.includes(mine) || keys.includes(field)),
    );
    const [mine, { field }] = chance.of(narrow.length > 0 ? narrow : pairs);
    const recursion: Recursion = {
      mine,
      theirs: field,
      tests: chance.oneIn(2) ? [{ op: "plain", condition: this.#operands.compared(own) }] : [],
      depth: chance.oneIn(2) ? "level" : undefined,
      maxDepth: 2 + chance.below(8),
    };
    const tests = Array.from({ length: 1 + chance.below(2) }, () => this.testOf(own, depth));
    const picks = kept.map(([name]) => ({ op: "field", name }) as const);
    return { ...allOf(table), picks, tests, recursion };
  }

  #joinsOf(
    start: { readonly table: string; readonly source: Query | undefined },
    count: number,
    depth: number,
  ): readonly Join[] {
    const joins: Join[] = [];
    for (let i = 0; i < count; i++) {
      const places = placesOf({ ...start, joins });
      const way =
        (this.#chance.oneIn(8) ? this.#sourceFrom(places, depth) : undefined) ?? this.#wayFrom(places);
      if (way === undefined) continue;
      const isLeft = this.#chance.oneIn(2);
      const word = way.op === "relation" ? splitName(way.path)[1] || splitName(way.path)[0] : "";
      const taken = [
        ...Object.keys(tableAt(ownPlace(start.table, start.source)).fields),
        ...places.map(({ name }) => name),
      ];
      const isFree = (name: string) => !taken.some((one) => one.toLowerCase() === name.toLowerCase());
      const isNamed = word === "" || this.#chance.oneIn(3) || !isFree(word);
      const given = way.op === "source" ? way.source.called : undefined;
      if (given !== undefined) {
        if (isFree(given)) joins.push({ way, name: given, isNamed: true, isLeft });
        continue;
      }
      const free = called.filter(isFree);
      joins.push({ way, name: isNamed ? this.#chance.of(free) : word, isNamed, isLeft });
    }
    return joins;
  }

  #wayFrom(places: readonly Place[]): Exclude<Way, { op: "source" }> | undefined {
    const chance = this.#chance;
    const place = chance.of(places);
    // A query that begins with another knows no relations.
    const isOfQuery = places.some(({ name, source }) => name === "" && source !== undefined);
    const relations = isOfQuery ? [] : Object.keys(tableAt(place).relations);
    if (chance.oneIn(4) || relations.length === 0) return this.#onFrom(places);
    return { op: "relation", path: joinedName(place.name, chance.of(relations)) };
  }

  #onFrom(places: readonly Place[]): Extract<Way, { op: "on" }> | undefined {
    const others = names.flatMap((other) =>
      [...fieldsOf([ownPlace(other)])].map(([field, type]) => ({ other, field, type })),
    );
    const pairs = this.#operands.pairs(places, others);
    if (pairs.length === 0) return undefined;
    const [mine, { other, field }] = this.#chance.of(pairs);
    return { op: "on", table: other, mine, theirs: field };
  }

  #sourceFrom(places: readonly Place[], depth: number): Way | undefined {
    if (depth === 0) return undefined;
    const chance = this.#chance;
    const again = chance.oneIn(2) && this.#shared.length > 0 ? chance.of(this.#shared) : undefined;
    const source = again ?? this.#given(depth - 1);
    const fields = Object.entries(tableAt(ownPlace("", source)).fields).map(([field, type]) => ({
      field,
      type,
    }));
    const pairs = this.#operands.pairs(places, fields);
    if (pairs.length === 0) return undefined;
    const [mine, { field }] = this.#chance.of(pairs);
    return { op: "source", source, mine, theirs: field };
  }

  testOf(places: readonly Place[], depth: number): Test {
    const chance = this.#chance;
    const choice = chance.below(10);
    if (choice < 3) return { op: "plain", condition: this.#operands.compared(places) };
    if (choice === 3) return { op: "plain", condition: this.#operands.conditionOf(places) };
    if (choice === 4) {
      const condition = this.#operands.compared(places);
      if (condition.op === "compare")
        return {
          op: "optional",
          condition,
          given: chance.of(
            condition.operator === "BETWEEN" ? (["all", "one", "none"] as const) : (["all", "none"] as const),
          ),
        };
    }
    if (choice < 7 || depth === 0) {
      const left = this.#operands.fieldOf(places, isScalar) ?? "id";
      const type = fieldIn(places, left);
      const right = this.#operands.fieldOf(places, (other) => areAlike(type, other)) ?? left;
      return { op: "fields", left, operator: type.kind === "bool" ? "=" : chance.of(comparisons), right };
    }
    if (chance.oneIn(4)) return this.#grouping(places, depth);
    const beside = chance.oneIn(5) ? this.#shapes.beside(places) : undefined;
    if (beside !== undefined && typeOfAggregate(beside.aggregate).kind !== "num") {
      const value = someOf(chance, typeOfAggregate(beside.aggregate), false, 4);
      return { op: "beside", ...beside, operator: chance.of(comparisons), param: chance.param(), value };
    }
    const way = this.#wayFrom(places);
    const other = chance.oneIn(3) ? this.#valueTest(places, depth) : undefined;
    if (other !== undefined || way === undefined)
      return other ?? { op: "plain", condition: this.#operands.compared(places) };
    const { table } = placeAt(way, places);
    const query = chance.oneIn(4) ? undefined : this.query(table, 2, depth - 1, "inside");
    return { op: "exists", is: !chance.oneIn(3), way, query };
  }

  #grouping(places: readonly Place[], depth: number): Test {
    const chance = this.#chance;
    const member = (): Test => {
      const test = this.testOf(places, depth - 1);
      return test.op === "optional" ? { op: "plain", condition: test.condition } : test;
    };
    if (chance.oneIn(3)) return { op: "not", member: member() };
    return { op: "group", logic: chance.oneIn(3) ? "and" : "or", members: [member(), member()] };
  }

  /** A field beside the values of a query, or beside one value over its rows. */
  #valueTest(places: readonly Place[], depth: number): Test | undefined {
    const chance = this.#chance;
    const query = this.query(this.table(), 2, depth - 1, "inside");
    const field = (type: Type) =>
      this.#operands.fieldOf(places, (own) => areAlike(own, { ...type, nullable: true }));
    if (chance.oneIn(2)) {
      const rows = { ...allOf(query.table), joins: query.joins, tests: query.tests, source: query.source };
      const of = chance.oneIn(4) ? ({ op: "count", query: rows } as const) : this.valueOf(rows);
      const type = of === undefined ? undefined : typeOfAggregate(aggregateOf(of));
      const own = type && field(type);
      if (own === undefined || of === undefined) return undefined;
      return { op: "value", field: own, operator: chance.of(comparisons), of };
    }
    const name = this.#operands.fieldOf(placesOf(query), (type) => isScalar(type) && type.kind !== "num");
    const type = name === undefined ? undefined : fieldIn(placesOf(query), name);
    const own = type && isScalar(type) ? field(type) : undefined;
    if (name === undefined || own === undefined) return undefined;
    const { groupBy, having, orders } = allOf("");
    const one: Query = { ...query, picks: [{ op: "field", name }], groupBy, having, orders };
    const ordered = { ...one, orders: one.limit === undefined ? [] : this.#shapes.ordersOf(one, true) };
    return { op: "in", field: own, operator: chance.of(["IN", "NOT IN"] as const), query: ordered };
  }
}

type Role = "outside" | "inside" | "nested";
