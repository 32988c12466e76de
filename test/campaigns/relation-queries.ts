/** Random queries over the five tables, as plain data: such as every server can answer, or the package has to refuse. */
import type { Chance } from "./expression-chance.js";
import type { Kind, Tree } from "./expression-trees.js";
import { someOf } from "./expression-values.js";
import {
  areAlike,
  called,
  comparisons,
  hasField,
  isScalar,
  keysOf,
  OperandMaker,
  scalars,
} from "./relation-operands.js";
import {
  type Aggregate,
  type AggregateName,
  aggregateOf,
  allOf,
  fieldIn,
  fieldsOf,
  type Having,
  type Join,
  joinedName,
  type Nested,
  type Order,
  ownPlace,
  type Pick,
  type Place,
  placeAt,
  placesOf,
  type Query,
  type Question,
  splitName,
  type Test,
  tableAt,
  typeOfAggregate,
  type Way,
} from "./relation-plans.js";
import { type Type, tables, type World } from "./relation-world.js";

const names = Object.keys(tables);
/** Makes queries over a world. */
export class QueryMaker {
  readonly #chance: Chance;
  readonly #operands: OperandMaker;
  #names = 0;

  constructor(chance: Chance, world: World) {
    this.#chance = chance;
    this.#operands = new OperandMaker(chance, world);
  }

  question(): Question {
    const chance = this.#chance;
    const choice = chance.below(12);
    const of = this.query(this.#table(), 3, 2, "outside");
    if (choice > 4) return { op: "rows", query: of };
    const { groupBy, having, nested, isDistinct, orders, limit, offset } = allOf("");
    const picks = of.picks?.filter(({ op }) => op === "field" || op === "all");
    const rows: Query = {
      ...of,
      ...{ groupBy, having, nested, isDistinct, orders, limit, offset },
      picks: picks === undefined || picks.length > 0 ? picks : undefined,
    };
    if (choice === 0) return { op: "count", query: rows };
    if (choice === 1) return { op: "exists", query: rows };
    if (choice === 2 && rows.source === undefined)
      return { op: "first", query: { ...rows, orders: this.#ordersOf(rows, true) } };
    if (choice === 3) {
      const fields = this.#ordersOf(rows, !chance.oneIn(8)).filter(({ by }) => typeof by === "string");
      return { op: "pages", size: 1 + chance.below(6), query: { ...rows, orders: fields } };
    }
    return this.#valueOf(rows) ?? { op: "rows", query: of };
  }

  /** One value over the rows of a query. */
  #valueOf(query: Query): Extract<Question, { op: "value" }> | undefined {
    const numbers = [...fieldsOf(placesOf(query))].filter(([, { kind }]) => /^(int|big|dec)$/.test(kind));
    if (numbers.length === 0 || query.source !== undefined) return undefined;
    const func = this.#chance.of(["sum", "avg", "min", "max"] as const);
    return { op: "value", func, of: this.#chance.of(numbers)[0], query };
  }

  // Pages and sums of marks are refused more often.
  #table(): string {
    const table = this.#chance.of(names);
    return table === "marks" && this.#chance.oneIn(2) ? "orders" : table;
  }

  /**
   * A query of a table.
   * @param depth how deep there may be queries inside it.
   * @param role what it is: inside another one a limit must leave no choice, and so must the order of nested rows.
   */
  query(table: string, most: number, depth: number, role: Role): Query {
    const chance = this.#chance;
    const own = role === "outside" && depth > 0 && chance.oneIn(12) ? this.#source(depth - 1) : undefined;
    const start = { table: own === undefined ? table : chance.of(called), source: own };
    const joins = this.#joinsOf(start, chance.below(most + 1), depth);
    const places = placesOf({ ...start, joins });
    const tests = Array.from({ length: chance.below(3) }, () => this.#testOf(places, depth));
    const whole: Query = { ...allOf(start.table), ...start, joins, tests };
    // An order cannot say whether a part is there, so groups and different rows of parts have no total one.
    const isPlain = role !== "outside" && joins.some(({ isLeft }) => isLeft);
    const shape = isPlain ? 2 + chance.below(4) : chance.below(6);
    const query = shape === 0 ? this.#grouped(whole, places) : this.#plain(whole, places, shape === 1);
    const nested = shape > 1 && role !== "inside" ? this.#nestedIn(places, depth) : [];
    const isPaged = chance.oneIn(4);
    const isOrdered = isPaged || role !== "inside";
    return {
      ...query,
      nested,
      orders: isOrdered ? this.#ordersOf(query, role !== "outside") : [],
      limit: isPaged ? chance.below(5) + Number(role === "inside") : undefined,
      offset: isPaged && chance.oneIn(3) ? chance.below(4) : undefined,
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
    const query = this.query(this.#table(), 2, depth, "inside");
    const places = placesOf(query);
    const picks = query.picks?.flatMap((pick): readonly Pick[] => {
      if (pick.op === "all") return pick.of === "" ? [pick] : [];
      if (pick.op !== "field" || !pick.name.includes(".")) return [pick];
      const { kind, scale } = fieldIn(places, pick.name);
      if (kind === "json" || query.groupBy.length > 0 || query.isDistinct) return [];
      const tree: Tree = { op: "field", name: pick.name, type: { kind, scale } };
      return [{ op: "tree", alias: this.#alias(), tree }];
    });
    if (picks?.length === 0) return this.#source(depth);
    const named = { ...query, picks };
    if (!Object.values(tableAt(ownPlace("", named)).fields).some(isScalar)) return this.#source(depth);
    return { ...named, orders: named.limit === undefined ? [] : this.#ordersOf(named, true) };
  }

  #alias(): string {
    return `x${this.#names++}`;
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
    const source = this.#source(depth - 1);
    const fields = Object.entries(tableAt(ownPlace("", source)).fields).map(([field, type]) => ({
      field,
      type,
    }));
    const pairs = this.#operands.pairs(places, fields);
    if (pairs.length === 0) return undefined;
    const [mine, { field }] = this.#chance.of(pairs);
    return { op: "source", source, mine, theirs: field };
  }

  #testOf(places: readonly Place[], depth: number): Test {
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
      const test = this.#testOf(places, depth - 1);
      return test.op === "optional" ? { op: "plain", condition: test.condition } : test;
    };
    if (chance.oneIn(3)) return { op: "not", member: member() };
    return { op: "group", logic: chance.oneIn(3) ? "and" : "or", members: [member(), member()] };
  }

  /** A field beside the values of a query, or beside one value over its rows. */
  #valueTest(places: readonly Place[], depth: number): Test | undefined {
    const chance = this.#chance;
    const query = this.query(this.#table(), 2, depth - 1, "inside");
    const field = (type: Type) =>
      this.#operands.fieldOf(places, (own) => areAlike(own, { ...type, nullable: true }));
    if (chance.oneIn(2)) {
      const rows = { ...allOf(query.table), joins: query.joins, tests: query.tests, source: query.source };
      const of = chance.oneIn(4) ? ({ op: "count", query: rows } as const) : this.#valueOf(rows);
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
    const ordered = { ...one, orders: one.limit === undefined ? [] : this.#ordersOf(one, true) };
    return { op: "in", field: own, operator: chance.of(["IN", "NOT IN"] as const), query: ordered };
  }

  #plain(start: Omit<Query, "picks">, places: readonly Place[], isDistinct: boolean): Query {
    const chance = this.#chance;
    if (chance.oneIn(8) && !isDistinct) return { ...start, picks: undefined };
    const picks: Pick[] = Array.from({ length: 1 + chance.below(4) }, () => {
      if (!isDistinct && chance.oneIn(5)) return { op: "all", of: chance.of(places).name };
      if (chance.oneIn(4))
        return {
          op: "tree",
          alias: this.#alias(),
          tree: this.#operands.treeOf(places, chance.of(scalars), 1 + chance.below(2)),
        };
      return {
        op: "field",
        name: this.#operands.fieldOf(places, isDistinct ? isScalar : () => true) ?? "id",
      };
    });
    return { ...start, picks, isDistinct };
  }

  #grouped(start: Omit<Query, "picks">, places: readonly Place[]): Query {
    const chance = this.#chance;
    const fields = Array.from(
      { length: chance.below(3) },
      () => this.#operands.fieldOf(places, isScalar) ?? "id",
    );
    const trees: readonly Pick[] = chance.oneIn(4)
      ? [{ op: "tree", alias: this.#alias(), tree: this.#operands.treeOf(places, chance.of(scalars), 1) }]
      : [];
    const shown = fields.filter(() => !chance.oneIn(5)).map((name) => ({ op: "field", name }) as const);
    const count = 1 + chance.below(3);
    const aggregates = Array.from({ length: count }, () => this.#aggregateOf(places)).map((aggregate) => ({
      op: "aggregate" as const,
      alias: this.#alias(),
      aggregate,
    }));
    // An expression of no field is no group of its own to some servers.
    const by = trees.flatMap((one) => (one.op === "tree" && hasField(one.tree) ? [one.alias] : []));
    const picks: readonly Pick[] = [...shown, ...(by.length === 0 ? [] : trees), ...aggregates];
    const groupBy = [...fields, ...by];
    const having = chance.oneIn(3) ? [this.#havingOf(aggregates, places)] : [];
    return { ...start, picks, groupBy, having };
  }

  #havingOf(picks: readonly Extract<Pick, { op: "aggregate" }>[], places: readonly Place[]): Having {
    const chance = this.#chance;
    const ordered = picks.filter(({ aggregate }) => typeOfAggregate(aggregate).kind !== "num");
    const pick = chance.oneIn(2) && ordered.length > 0 ? chance.of(ordered) : undefined;
    let aggregate = pick?.aggregate ?? this.#aggregateOf(places);
    while (typeOfAggregate(aggregate).kind === "num") aggregate = this.#aggregateOf(places);
    const value = someOf(chance, typeOfAggregate(aggregate), false, 4);
    return { of: pick?.alias ?? aggregate, operator: chance.of(comparisons), param: chance.param(), value };
  }

  #aggregateOf(places: readonly Place[]): Aggregate {
    const chance = this.#chance;
    const func = chance.of<AggregateName>([
      "count",
      "count",
      "countDistinct",
      "sum",
      "sum",
      "avg",
      "min",
      "max",
    ]);
    const filter = chance.oneIn(5) ? this.#operands.compared(places) : undefined;
    if (func === "count" && chance.oneIn(2)) return { func, of: undefined, filter };
    const kinds: readonly Kind[] =
      func === "sum" || func === "avg"
        ? ["int", "big", "dec"]
        : func === "count" || func === "countDistinct"
          ? scalars
          : ["int", "big", "dec", "num", "text", "date"];
    const name = this.#operands.fieldOf(places, (type) => isScalar(type) && kinds.includes(type.kind));
    if (name === undefined || chance.oneIn(6))
      return { func, of: this.#operands.treeOf(places, chance.of(kinds), 1), filter };
    const { kind, scale } = fieldIn(places, name);
    return { func, of: { op: "field", name, type: { kind: kind as Kind, scale } }, filter };
  }

  /** An order; a total one leaves no choice between rows that differ. */
  #ordersOf(query: Query, isTotal: boolean): readonly Order[] {
    const chance = this.#chance;
    const places = placesOf(query);
    const { picks = [], groupBy, isDistinct } = query;
    const isGrouped = groupBy.length > 0 || picks.some(({ op }) => op === "aggregate");
    const chosen = picks.flatMap((pick) =>
      pick.op === "field" ? [pick.name] : pick.op === "all" ? [] : [pick.alias],
    );
    const ordered = isGrouped
      ? [...new Set([...chosen, ...groupBy])]
      : isDistinct
        ? chosen
        : [...chosen, ...fieldsOf(places).keys()];
    const possible = ordered.filter((name) => {
      const pick = picks.find((one) => one.op !== "field" && one.op !== "all" && one.alias === name);
      if (pick !== undefined) return true;
      return isScalar(fieldIn(places, name));
    });
    const order = (by: string | Tree): Order => ({
      by,
      direction: chance.of(["asc", "desc"] as const),
      nulls: chance.oneIn(2) ? undefined : chance.of(["first", "last"] as const),
    });
    const some =
      possible.length === 0 ? [] : Array.from({ length: chance.below(3) }, () => order(chance.of(possible)));
    const trees =
      !isGrouped && !isDistinct && !isTotal && chance.oneIn(6)
        ? [order(this.#operands.treeOf(places, chance.of(scalars), 1))]
        : [];
    const rest = isGrouped
      ? possible
      : isDistinct
        ? possible
        : places.flatMap((place) => keysOf(place).map((key) => joinedName(place.name, key)));
    return [...some, ...trees, ...(isTotal ? rest.map(order) : [])];
  }
}

type Role = "outside" | "inside" | "nested";
