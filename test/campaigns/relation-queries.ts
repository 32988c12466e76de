/** Random queries over the five tables, as plain data: such as every server can answer, or the package has to refuse. */
import { type Chance, type Kind, someOf, type Tree } from "./expression-trees.js";
import { areAlike, comparisons, hasField, isScalar, OperandMaker, scalars } from "./relation-operands.js";
import {
  type Aggregate,
  type AggregateName,
  fieldIn,
  fieldsOf,
  type Having,
  type Join,
  joinedName,
  type Order,
  type Pick,
  type Place,
  placeAt,
  placesOf,
  type Query,
  type Question,
  splitName,
  type Test,
  typeOfAggregate,
  type Way,
} from "./relation-plans.js";
import { tableOf, tables, type World } from "./relation-world.js";

const names = Object.keys(tables);
// Names of tables, of columns, of what the package itself calls tables: all of them meet something.
const called = [
  "a",
  "orders",
  "people",
  "own",
  "own_",
  "marks",
  "Region",
  "t",
  "people_",
  "since",
  "b_2",
] as const;

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
    const choice = chance.below(10);
    if (choice > 3) return { op: "rows", query: this.query(chance.of(names), 3, 2, false) };
    const of = this.query(chance.of(names), 3, 2, false);
    const plain: Query = {
      ...of,
      groupBy: [],
      having: [],
      isDistinct: false,
      limit: undefined,
      offset: undefined,
    };
    const picks = of.picks?.filter(({ op }) => op === "field" || op === "all");
    const rows: Query = {
      ...plain,
      picks: picks === undefined || picks.length > 0 ? picks : undefined,
      orders: [],
    };
    if (choice === 0) return { op: "count", query: rows };
    if (choice === 1) return { op: "exists", query: rows };
    if (choice === 2) return { op: "first", query: { ...rows, orders: this.#ordersOf(rows, true) } };
    const numbers = [...fieldsOf(placesOf(of))].filter(([, { kind }]) => /^(int|big|dec)$/.test(kind));
    const [field] = chance.of(numbers);
    return { op: "value", func: chance.of(["sum", "avg", "min", "max"] as const), of: field, query: rows };
  }

  /**
   * A query of a table.
   * @param depth how deep there may be queries inside it.
   * @param isInside whether a limit must leave no choice.
   */
  query(table: string, most: number, depth: number, isInside: boolean): Query {
    const chance = this.#chance;
    const joins = this.#joinsOf(table, chance.below(most + 1));
    const places = placesOf({ table, joins });
    const tests = Array.from({ length: chance.below(3) }, () => this.#testOf(places, depth));
    const start = {
      table,
      joins,
      tests,
      groupBy: [],
      having: [],
      isDistinct: false,
      orders: [],
      limit: undefined,
      offset: undefined,
    };
    const shape = chance.below(6);
    const query = shape === 0 ? this.#grouped(start, places) : this.#plain(start, places, shape === 1);
    const isPaged = chance.oneIn(4);
    const orders = isPaged || !isInside ? this.#ordersOf(query, isPaged && isInside) : [];
    return {
      ...query,
      orders,
      limit: isPaged ? chance.below(5) + Number(isInside) : undefined,
      offset: isPaged && chance.oneIn(3) ? chance.below(4) : undefined,
    };
  }

  #alias(): string {
    return `x${this.#names++}`;
  }

  #joinsOf(table: string, count: number): readonly Join[] {
    const joins: Join[] = [];
    for (let i = 0; i < count; i++) {
      const places = placesOf({ table, joins });
      const way = this.#wayFrom(places);
      const isLeft = this.#chance.oneIn(2);
      const word = way.op === "relation" ? splitName(way.path)[1] || splitName(way.path)[0] : "";
      const taken = [...Object.keys(tableOf(table).fields), ...places.map(({ name }) => name)];
      const isFree = (name: string) => !taken.some((one) => one.toLowerCase() === name.toLowerCase());
      const isNamed = word === "" || this.#chance.oneIn(3) || !isFree(word);
      const free = called.filter(isFree);
      joins.push({ way, name: isNamed ? this.#chance.of(free) : word, isNamed, isLeft });
    }
    return joins;
  }

  #wayFrom(places: readonly Place[]): Way {
    const chance = this.#chance;
    const { name, table } = chance.of(places);
    const { relations } = tableOf(table);
    if (!chance.oneIn(4))
      return { op: "relation", path: joinedName(name, chance.of(Object.keys(relations))) };
    const pairs = this.#operands.pairs(
      places,
      names.flatMap((other) =>
        [...fieldsOf([placeOf(other)])].map(([field, type]) => ({ other, field, type })),
      ),
    );
    const [mine, { other, field }] = chance.of(pairs);
    return { op: "on", table: other, mine, theirs: field };
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
    const way = this.#wayFrom(places);
    const { table } = placeAt(way, places);
    const query = chance.oneIn(4) ? undefined : this.query(table, 2, depth - 1, true);
    return { op: "exists", is: !chance.oneIn(3), way, query };
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
      !isGrouped && !isDistinct && chance.oneIn(6)
        ? [order(this.#operands.treeOf(places, chance.of(scalars), 1))]
        : [];
    const rest = isGrouped
      ? possible
      : isDistinct
        ? possible
        : places.flatMap(({ name, table }) => keysOf(table).map((key) => joinedName(name, key)));
    return [...some, ...trees, ...(isTotal ? rest.map(order) : [])];
  }
}

/** What tells the rows of a table apart, as far as they differ. */
const keysOf = (table: string): readonly string[] => {
  const { keys, fields } = tableOf(table);
  return keys.includes("id") ? ["id"] : Object.keys(fields);
};

const placeOf = (table: string): Place => ({
  name: "",
  table,
  from: "",
  mine: "",
  theirs: "",
  isMany: false,
  isLeft: false,
});
