/**
 * Queries over several tables as plain data. `relation-queries.ts` makes random ones, `relation-evaluator.ts` says what
 * each gives, `relation-builder.ts` makes it with the package: the last two do not know each other.
 */
import type { Condition, Tree, Type, Value } from "./expression-trees.js";
import { type Field, tableOf } from "./relation-world.js";

/** How rows of another table are found: by a relation of a table of the scope, or by two fields. */
export type Way =
  | { readonly op: "relation"; readonly path: string }
  | { readonly op: "on"; readonly table: string; readonly mine: string; readonly theirs: string };

export interface Join {
  readonly way: Way;
  readonly name: string;
  /** Whether the builder is told the name, or takes the last word of the path. */
  readonly isNamed: boolean;
  readonly isLeft: boolean;
}

export type Test =
  | { readonly op: "plain"; readonly condition: Condition }
  | { readonly op: "fields"; readonly left: string; readonly operator: string; readonly right: string }
  | {
      readonly op: "exists";
      readonly is: boolean;
      readonly way: Way;
      readonly query: Query | undefined;
    }
  /** A condition whose parameters may be left out, all or one of them; then it does not apply. */
  | { readonly op: "optional"; readonly condition: Condition; readonly given: "all" | "one" | "none" };

export type AggregateName = "count" | "countDistinct" | "sum" | "avg" | "min" | "max";

export interface Aggregate {
  readonly func: AggregateName;
  /** What it is of; undefined for the rows themselves. */
  readonly of: Tree | undefined;
  readonly filter: Condition | undefined;
}

export type Pick =
  | { readonly op: "field"; readonly name: string }
  /** All fields of a joined table, or of the own one where it has no name. */
  | { readonly op: "all"; readonly of: string }
  | { readonly op: "tree"; readonly alias: string; readonly tree: Tree }
  | { readonly op: "aggregate"; readonly alias: string; readonly aggregate: Aggregate };

export interface Order {
  /** A field or an alias, or an expression. */
  readonly by: string | Tree;
  readonly direction: "asc" | "desc";
  readonly nulls: "first" | "last" | undefined;
}

export interface Having {
  /** An alias of an aggregate, or the aggregate itself. */
  readonly of: string | Aggregate;
  readonly operator: string;
  readonly param: string;
  /** In the type of what the aggregate gives. */
  readonly value: Exclude<Value, null>;
}

export interface Query {
  readonly table: string;
  readonly joins: readonly Join[];
  readonly tests: readonly Test[];
  /** Undefined for all fields of the own table. */
  readonly picks: readonly Pick[] | undefined;
  readonly groupBy: readonly string[];
  readonly having: readonly Having[];
  readonly isDistinct: boolean;
  readonly orders: readonly Order[];
  readonly limit: number | undefined;
  readonly offset: number | undefined;
}

/** What is asked of a query: its rows, one row, how many there are, or one value of a field over them. */
export type Question =
  | { readonly op: "rows" | "first" | "count" | "exists"; readonly query: Query }
  | {
      readonly op: "value";
      readonly func: "sum" | "avg" | "min" | "max";
      readonly of: string;
      readonly query: Query;
    };

/** A table in the scope of a query; the own one has no name. */
export interface Place {
  readonly name: string;
  readonly table: string;
  /** The name of the place that leads to it. */
  readonly from: string;
  /** The fields that are equal: one of the place that leads to it, and one of its own. */
  readonly mine: string;
  readonly theirs: string;
  readonly isMany: boolean;
  readonly isLeft: boolean;
}

/** The place and the field of a name in a scope. */
export function splitName(name: string): readonly [place: string, field: string] {
  const dot = name.indexOf(".");
  return dot < 0 ? ["", name] : [name.slice(0, dot), name.slice(dot + 1)];
}

export const joinedName = (place: string, field: string): string =>
  place === "" ? field : `${place}.${field}`;

/** Where a way leads to, from the places of a scope. */
export function placeAt(way: Way, places: readonly Place[]): Omit<Place, "name" | "isLeft"> {
  if (way.op === "on") {
    const [from, mine] = splitName(way.mine);
    const { table, theirs } = way;
    return { table, from, mine, theirs, isMany: !tableOf(table).keys.includes(theirs) };
  }
  const [from, relation] = splitName(way.path);
  const found = places.find(({ name }) => name === from);
  const known = found && tableOf(found.table).relations[relation];
  if (known === undefined) throw new Error(`no such relation: ${way.path}`);
  return { ...known, from };
}

/** What the places of a query depend on. */
interface Parts {
  readonly table: string;
  readonly joins: readonly Join[];
}

/** The places of a query: the own table, and those that are joined. */
export function placesOf({ table, joins }: Parts): readonly Place[] {
  const own: Place = { name: "", table, from: "", mine: "", theirs: "", isMany: false, isLeft: false };
  const places = [own];
  for (const { way, name, isLeft } of joins) places.push({ ...placeAt(way, places), name, isLeft });
  return places;
}

/** The fields of a scope by name. */
export function fieldsOf(places: readonly Place[]): ReadonlyMap<string, Field> {
  return new Map(
    places.flatMap(({ name, table }) =>
      Object.entries(tableOf(table).fields).map(([field, type]) => [joinedName(name, field), type] as const),
    ),
  );
}

/** The field of a name in a scope. */
export function fieldIn(places: readonly Place[], name: string): Field {
  const [of, field] = splitName(name);
  const place = places.find((one) => one.name === of);
  const found = place && tableOf(place.table).fields[field];
  if (found === undefined) throw new Error(`no such field: ${name}`);
  return found;
}

/** The fields that a part of an expression names. */
export function namesIn(part: unknown): readonly string[] {
  if (Array.isArray(part)) return part.flatMap(namesIn);
  if (typeof part !== "object" || part === null || part instanceof Date) return [];
  if ("op" in part && part.op === "field" && "type" in part && "name" in part) return [String(part.name)];
  return Object.values(part).flatMap(namesIn);
}

/** The type of what an aggregate gives. */
export function typeOfAggregate({ func, of }: Aggregate): Type {
  const type: Type = of?.type ?? { kind: "int", scale: 0 };
  if (func === "count" || func === "countDistinct") return { kind: "int", scale: 0 };
  if (func !== "avg") return type;
  return type.kind === "dec" ? { kind: "dec", scale: type.scale + 4 } : { kind: "num", scale: 0 };
}
