/** What is asked of random queries over the five tables. */
import type { Chance } from "./expression-chance.js";
import { isScalar, OperandMaker } from "./relation-operands.js";
import {
  allOf,
  fieldIn,
  fieldsOf,
  ownPlace,
  type Pick,
  type Place,
  placesOf,
  type Query,
  type Question,
  type SetFrom,
  type SetVerb,
  type Test,
  tableAt,
} from "./relation-plans.js";
import { QueryMaker } from "./relation-queries.js";
import { ShapeMaker } from "./relation-shapes.js";
import { type Field, tableOf, type World } from "./relation-world.js";

const verbs: readonly SetVerb[] = ["union", "unionAll", "intersect", "intersectAll", "except", "exceptAll"];

/** Makes questions over a world. */
export class QuestionMaker {
  readonly #chance: Chance;
  readonly #shapes: ShapeMaker;
  readonly #queries: QueryMaker;

  constructor(chance: Chance, world: World) {
    const operands = new OperandMaker(chance, world);
    this.#chance = chance;
    this.#shapes = new ShapeMaker(chance, operands);
    this.#queries = new QueryMaker(chance, operands, this.#shapes);
  }

  question(): Question {
    const chance = this.#chance;
    const choice = chance.below(14);
    // A change has no recursions in it.
    this.#queries.begin(choice > 0);
    if (choice === 0) return chance.oneIn(3) ? this.#insert() : this.#change();
    const of = this.#queries.query(this.#queries.table(), 3, 2, "outside");
    if (choice === 1) return this.#compound(of);
    if (choice > 6) return { op: chance.oneIn(4) ? "stream" : "rows", query: of };
    const { groupBy, having, isDistinct, orders, limit, offset } = allOf("");
    const picks = of.picks?.filter(({ op }) => op !== "aggregate");
    const rows: Query = {
      ...of,
      ...{ groupBy, having, isDistinct, orders, limit, offset },
      picks: picks === undefined || picks.length > 0 ? picks : undefined,
    };
    const flat: Query = { ...rows, nested: [] };
    if (choice === 2) return { op: "count", query: flat };
    if (choice === 3) return { op: "exists", query: flat };
    if (choice === 4 && rows.source === undefined)
      return { op: "first", query: { ...rows, orders: this.#shapes.ordersOf(rows, true) } };
    if (choice === 5) {
      const named = new Set((picks ?? []).map((pick) => ("alias" in pick ? pick.alias : undefined)));
      const fields = this.#shapes
        .ordersOf(rows, !chance.oneIn(8))
        .filter(({ by }) => typeof by === "string" && !named.has(by));
      return { op: "pages", size: 1 + chance.below(6), query: { ...rows, orders: fields } };
    }
    return this.#queries.valueOf(flat) ?? { op: "rows", query: of };
  }

  /** The rows of a query, and those of one with other conditions. */
  #compound(of: Query): Question {
    const chance = this.#chance;
    const places = placesOf(of);
    const { groupBy, having, nested, orders, limit, offset } = allOf("");
    const names = new Set<string>();
    const picks = (of.picks ?? []).filter((pick): boolean => {
      if (pick.op === "all" || pick.op === "aggregate") return false;
      const name = pick.op === "field" ? pick.name : pick.alias;
      const isNew = !names.has(name);
      names.add(name);
      return isNew && (pick.op !== "field" || isScalar(fieldIn(places, name)));
    });
    if (picks.length === 0 || of.groupBy.length > 0) return { op: "rows", query: of };
    const query: Query = { ...of, ...{ groupBy, having, nested, orders, limit, offset }, picks };
    const tests = Array.from({ length: chance.below(3) }, () => this.#queries.testOf(places, 1));
    return {
      op: "compound",
      verb: chance.of(verbs),
      query,
      other: { ...query, tests },
      orders: this.#shapes.ordersOf(
        { ...query, picks: picks.filter(isPlainName), isDistinct: true },
        chance.oneIn(2),
      ),
      limit: chance.oneIn(3) ? 1 + chance.below(5) : undefined,
    };
  }

  /** Rows for a table whose fields may all be null, and none is a key. */
  #insert(): Question {
    const chance = this.#chance;
    const start = this.#queries.query(this.#queries.table(), 2, 1, "inside");
    const { table, source, joins, tests } = start;
    const query: Query = { ...allOf(table), source, joins, tests };
    const places = placesOf(query);
    const own = tableAt(ownPlace(table, source)).fields;
    const picks = Object.entries(tableOf("marks").fields).flatMap(([name, type]): Pick | readonly [] => {
      const isAlike = (other: Field) => other.kind === type.kind && other.scale === type.scale;
      const isOwn = own[name] !== undefined;
      const possible = [...fieldsOf(places)].filter(([of, one]) => isAlike(one) && (!isOwn || of === name));
      if (possible.length === 0 || chance.oneIn(3) || type.kind === "json") return [];
      const [of] = chance.of(possible);
      if (of === name) return { op: "field", name };
      return { op: "tree", alias: name, tree: { op: "field", name: of, type: { ...type, kind: type.kind } } };
    });
    if (picks.length === 0) return this.#change();
    const whole = { ...query, picks };
    const limit = chance.oneIn(3) ? 1 + chance.below(4) : undefined;
    const orders = limit === undefined ? [] : this.#shapes.ordersOf(whole, true);
    return given({ op: "insert", into: "marks", query: { ...whole, orders, limit } });
  }

  #change(): Question {
    const chance = this.#chance;
    const table = this.#queries.table();
    const places = [ownPlace(table)];
    const tests: Test[] = [];
    // Of a list that may be empty it is not certain that it limits the rows.
    while (!tests.some(({ op }) => op === "exists" || op === "in" || op === "value"))
      tests.push(this.#queries.testOf(places, 2));
    const query = given({ ...allOf(table), tests });
    return { op: "change", query, from: chance.oneIn(3) ? undefined : this.#setFrom(places) };
  }

  #setFrom(places: readonly Place[]): SetFrom | undefined {
    const [own] = places;
    if (own === undefined) return undefined;
    const { keys, fields, relations } = tableAt(own);
    const possible = Object.entries(relations).flatMap(([relation, { table, isMany }]) =>
      isMany
        ? []
        : [...fieldsOf([ownPlace(table)])].flatMap(([theirs, type]) =>
            Object.entries(fields).flatMap(([field, mine]) => {
              const fits =
                mine.kind === type.kind && mine.scale === type.scale && (mine.nullable || !type.nullable);
              return fits && !keys.includes(field) && tableOf(table).fields[theirs] !== undefined
                ? [{ field, relation, theirs }]
                : [];
            }),
          ),
    );
    return possible.length === 0 ? undefined : this.#chance.of(possible);
  }
}

// A set of rows is ordered by the names of its columns.
const isPlainName = (pick: Pick): boolean => pick.op !== "field" || !pick.name.includes(".");

/** The same with all optional conditions given: what a change is told to do, it is told in full. */
function given<T>(part: T): T {
  if (Array.isArray(part)) return part.map(given) as T;
  if (typeof part !== "object" || part === null || part instanceof Date) return part;
  const same = Object.fromEntries(Object.entries(part).map(([key, one]) => [key, given(one)]));
  if (same["op"] !== "optional" || !("condition" in same)) return same as T;
  const plain = { op: "plain", condition: same["condition"] } as Test;
  return plain as T;
}
