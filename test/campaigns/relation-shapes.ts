/** What a query selects, groups and orders, at random. */
import type { Chance } from "./expression-chance.js";
import type { Kind, Tree } from "./expression-trees.js";
import { someOf } from "./expression-values.js";
import { comparisons, hasField, isScalar, keysOf, type OperandMaker, scalars } from "./relation-operands.js";
import {
  type Aggregate,
  type AggregateName,
  fieldIn,
  fieldsOf,
  type Having,
  joinedName,
  type Order,
  ownPlace,
  type Pick,
  type Place,
  placeAt,
  placesOf,
  type Query,
  tableAt,
  typeOfAggregate,
} from "./relation-plans.js";

/** Makes the shapes of queries whose places are known. */
export class ShapeMaker {
  readonly #chance: Chance;
  readonly #operands: OperandMaker;
  #names = 0;

  constructor(chance: Chance, operands: OperandMaker) {
    this.#chance = chance;
    this.#operands = operands;
  }

  alias(): string {
    return `x${this.#names++}`;
  }

  plain(start: Omit<Query, "picks">, places: readonly Place[], isDistinct: boolean): Query {
    const chance = this.#chance;
    if (chance.oneIn(8) && !isDistinct) return { ...start, picks: undefined };
    const picks: Pick[] = Array.from({ length: 1 + chance.below(4) }, () => {
      if (!isDistinct && chance.oneIn(5)) return { op: "all", of: chance.of(places).name };
      const beside = !isDistinct && chance.oneIn(6) ? this.#besideOf(places) : undefined;
      if (beside !== undefined) return beside;
      if (chance.oneIn(4))
        return {
          op: "tree",
          alias: this.alias(),
          tree: this.#operands.treeOf(places, chance.of(scalars), 1 + chance.below(2)),
        };
      return {
        op: "field",
        name: this.#operands.fieldOf(places, isDistinct ? isScalar : () => true) ?? "id",
      };
    });
    return { ...start, picks, isDistinct };
  }

  #besideOf(places: readonly Place[]): Pick | undefined {
    const beside = this.beside(places);
    return beside && { op: "of", alias: this.alias(), ...beside };
  }

  /** An aggregate of the rows that a relation to many leads to. */
  beside(places: readonly Place[]): { readonly path: string; readonly aggregate: Aggregate } | undefined {
    // A query that begins with another knows no relations.
    if (places.some(({ name, source }) => name === "" && source !== undefined)) return undefined;
    const paths = places.flatMap((place) =>
      Object.entries(tableAt(place).relations).flatMap(([name, { isMany }]) =>
        isMany ? [joinedName(place.name, name)] : [],
      ),
    );
    if (paths.length === 0) return undefined;
    const path = this.#chance.of(paths);
    const { table } = placeAt({ op: "relation", path }, places);
    return { path, aggregate: this.#aggregateOf([ownPlace(table)]) };
  }

  grouped(start: Omit<Query, "picks">, places: readonly Place[]): Query {
    const chance = this.#chance;
    const fields = Array.from(
      { length: chance.below(3) },
      () => this.#operands.fieldOf(places, isScalar) ?? "id",
    );
    const trees: readonly Pick[] = chance.oneIn(4)
      ? [{ op: "tree", alias: this.alias(), tree: this.#operands.treeOf(places, chance.of(scalars), 1) }]
      : [];
    const shown = fields.filter(() => !chance.oneIn(5)).map((name) => ({ op: "field", name }) as const);
    const count = 1 + chance.below(3);
    const aggregates = Array.from({ length: count }, () => this.#aggregateOf(places)).map((aggregate) => ({
      op: "aggregate" as const,
      alias: this.alias(),
      aggregate,
    }));
    // An expression of no field is not a group of its own to some servers.
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
  ordersOf(query: Query, isTotal: boolean): readonly Order[] {
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
