/**
 * Queries over several tables as plain data. `relation-queries.ts` makes random ones, `relation-evaluator.ts` says what
 * each gives, `relation-builder.ts` makes it with the package: the last two do not know each other.
 */
import type { Condition, Tree, Type, Value } from "./expression-trees.js";
import { type Field, type Table, tableOf } from "./relation-world.js";

/** How rows of another table are found: by a relation of a table of the scope, or by two fields. */
export type Way =
  | { readonly op: "relation"; readonly path: string }
  | { readonly op: "on"; readonly table: string; readonly mine: string; readonly theirs: string }
  /** The rows of a query as a table. */
  | { readonly op: "source"; readonly source: Query; readonly mine: string; readonly theirs: string };

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
  /** Whether the values of a query hold that of a field; NULL is none of them. */
  | {
      readonly op: "in";
      readonly field: string;
      readonly operator: "IN" | "NOT IN";
      readonly query: Query;
    }
  /** A field and one value over the rows of a query. */
  | {
      readonly op: "value";
      readonly field: string;
      readonly operator: string;
      readonly of: ValueQuestion;
    }
  /** An aggregate of the rows that a relation leads to, and a value. */
  | {
      readonly op: "beside";
      readonly path: string;
      readonly aggregate: Aggregate;
      readonly operator: string;
      readonly param: string;
      readonly value: Exclude<Value, null>;
    }
  | { readonly op: "group"; readonly logic: "and" | "or"; readonly members: readonly Test[] }
  | { readonly op: "not"; readonly member: Test }
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
  | { readonly op: "aggregate"; readonly alias: string; readonly aggregate: Aggregate }
  /** An aggregate of the rows that a relation leads to from each row. */
  | { readonly op: "of"; readonly alias: string; readonly path: string; readonly aggregate: Aggregate };

/** Rows inside of rows: of a relation, which names them, or by two fields. */
export interface Nested {
  readonly name: string;
  readonly way: Way;
  readonly query: Query | undefined;
}

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
  /** A table, or a query that is read as one of this name. */
  readonly table: string;
  readonly source?: Query | undefined;
  /** The name under which it is a table for the whole statement, which may read it again. */
  readonly called?: string | undefined;
  /** Of a query as a table that goes on from what it finds. */
  readonly recursion?: Recursion | undefined;
  readonly joins: readonly Join[];
  readonly tests: readonly Test[];
  /** Undefined for all fields of the own table. */
  readonly picks: readonly Pick[] | undefined;
  readonly groupBy: readonly string[];
  readonly having: readonly Having[];
  readonly nested: readonly Nested[];
  readonly isDistinct: boolean;
  readonly orders: readonly Order[];
  readonly limit: number | undefined;
  readonly offset: number | undefined;
  /** The parameters that hold the limit and the offset, where the text does not. */
  readonly counts?: { readonly limit: string; readonly offset: string } | undefined;
}

/** How a query as a table goes on from its own rows. */
export interface Recursion {
  /** The field of its table that holds what the field `theirs` of its rows does. */
  readonly mine: string;
  readonly theirs: string;
  /** Conditions of what each level finds. */
  readonly tests: readonly Test[];
  /** The column with the level, if it has one. */
  readonly depth: string | undefined;
  readonly maxDepth: number;
}

/** A question that has one value, which can stand inside another query. */
export type ValueQuestion =
  | { readonly op: "count"; readonly query: Query }
  | Extract<Question, { readonly op: "value" }>;

/** A field that is set to one of the row that a relation leads to. */
export interface SetFrom {
  readonly field: string;
  readonly relation: string;
  readonly theirs: string;
}

export type SetVerb = "union" | "unionAll" | "intersect" | "intersectAll" | "except" | "exceptAll";

/** What is asked of a query: its rows, one row, how many there are, or one value of a field over them. */
export type Question =
  | { readonly op: "rows" | "stream" | "first" | "count" | "exists"; readonly query: Query }
  /** The rows of two queries of the same columns together. */
  | {
      readonly op: "compound";
      readonly verb: SetVerb;
      readonly query: Query;
      readonly other: Query;
      readonly orders: readonly Order[];
      readonly limit: number | undefined;
    }
  /** The rows of its table are removed, or a field of them is set; then all rows of the table. */
  | { readonly op: "change"; readonly query: Query; readonly from: SetFrom | undefined }
  /** The rows of the query are stored in another table, whose fields they name; then all rows of that table. */
  | { readonly op: "insert"; readonly into: string; readonly query: Query }
  /** All pages, one after the other. */
  | { readonly op: "pages"; readonly size: number; readonly query: Query }
  | {
      readonly op: "value";
      readonly func: "sum" | "avg" | "min" | "max";
      readonly of: string;
      readonly query: Query;
    };

/** A table in the scope of a query, or a query as one; the own one has no name. */
export interface Place {
  readonly name: string;
  readonly table: string;
  readonly source: Query | undefined;
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

interface At {
  readonly table: string;
  readonly source: Query | undefined;
}

/** What stands at a place: a table, or what the rows of a query are as one. */
export const tableAt = ({ table, source }: At): Table =>
  source === undefined ? tableOf(table) : tableOfSource(source);

/** A query as a table has no relations; what is unique in it follows from what it groups, or from its only table. */
function tableOfSource(query: Query): Table {
  const places = placesOf(query);
  const picks: readonly Pick[] = query.picks ?? [{ op: "all", of: "" }];
  const fields = picks.flatMap((pick): readonly (readonly [string, Field])[] => {
    if (pick.op === "field") return [[pick.name, fieldIn(places, pick.name)]];
    if (pick.op === "all") return Object.entries(tableAt(placeCalled(places, pick.of)).fields);
    // A field of the own table is one under another name too.
    if (pick.op === "tree" && pick.tree.op === "field" && !pick.tree.name.includes("."))
      return [[pick.alias, fieldIn(places, pick.tree.name)]];
    const type = pick.op === "tree" ? pick.tree.type : typeOfAggregate(pick.aggregate);
    return [[pick.alias, { ...type, nullable: true }]];
  });
  const named = new Map(fields);
  if (query.recursion?.depth !== undefined)
    named.set(query.recursion.depth, { kind: "int", scale: 0, nullable: false });
  const isApart = places.slice(1).every(({ isMany }) => !isMany);
  const own = isApart ? tableAt(placeCalled(places, "")).keys : [];
  const called = (key: string) =>
    picks.flatMap((pick) =>
      pick.op === "tree" && pick.tree.op === "field" && pick.tree.name === key ? [pick.alias] : [],
    );
  const alone = query.groupBy.length === 1 ? query.groupBy : [];
  const keys = query.groupBy.length > 0 ? alone : own.flatMap((key) => [key, ...called(key)]);
  const held = query.recursion === undefined ? keys.filter((key) => named.has(key)) : [];
  return { fields: Object.fromEntries(named), keys: held, relations: {} };
}

function placeCalled(places: readonly Place[], name: string): Place {
  const place = places.find((one) => one.name === name);
  if (place === undefined) throw new Error(`no such place: ${name}`);
  return place;
}

/** Where a way leads to, from the places of a scope. */
export function placeAt(way: Way, places: readonly Place[]): Omit<Place, "name" | "isLeft"> {
  if (way.op !== "relation") {
    const [from, mine] = splitName(way.mine);
    const { theirs } = way;
    const at = way.op === "on" ? { table: way.table, source: undefined } : { table: "", source: way.source };
    return { ...at, from, mine, theirs, isMany: !tableAt(at).keys.includes(theirs) };
  }
  const [from, relation] = splitName(way.path);
  const known = tableAt(placeCalled(places, from)).relations[relation];
  if (known === undefined) throw new Error(`no such relation: ${way.path}`);
  return { ...known, source: undefined, from };
}

/** What the places of a query depend on. */
interface Parts {
  readonly table: string;
  readonly source?: Query | undefined;
  readonly joins: readonly Join[];
}

/** The place of a table, or of a query as one, that is a query's own. */
export const ownPlace = (table: string, source?: Query): Place => ({
  name: "",
  table,
  source,
  from: "",
  mine: "",
  theirs: "",
  isMany: false,
  isLeft: false,
});

/** The places of a query: the own table, and those that are joined. */
export function placesOf({ table, source, joins }: Parts): readonly Place[] {
  const places = [ownPlace(table, source)];
  for (const { way, name, isLeft } of joins) places.push({ ...placeAt(way, places), name, isLeft });
  return places;
}

/** The fields of a scope by name. */
export function fieldsOf(places: readonly Place[]): ReadonlyMap<string, Field> {
  return new Map(
    places.flatMap((place) =>
      Object.entries(tableAt(place).fields).map(
        ([field, type]) => [joinedName(place.name, field), type] as const,
      ),
    ),
  );
}

/** The field of a name in a scope. */
export function fieldIn(places: readonly Place[], name: string): Field {
  const [of, field] = splitName(name);
  const found = tableAt(placeCalled(places, of)).fields[field];
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

/** A query of all rows of a table. */
export const allOf = (table: string): Query => ({
  table,
  joins: [],
  tests: [],
  picks: undefined,
  groupBy: [],
  having: [],
  nested: [],
  isDistinct: false,
  orders: [],
  limit: undefined,
  offset: undefined,
});

/** The queries that stand inside a query. */
export function insideOf({ source, joins, tests, nested }: Query): readonly Query[] {
  const inTest = (test: Test): readonly (Query | undefined)[] => {
    if (test.op === "group") return test.members.flatMap(inTest);
    if (test.op === "not") return inTest(test.member);
    if (test.op === "value") return [test.of.query];
    return "query" in test ? [test.query] : [];
  };
  const joined = joins.map(({ way }) => (way.op === "source" ? way.source : undefined));
  const all = [source, ...joined, ...tests.flatMap(inTest), ...nested.map(({ query }) => query)];
  return all.filter((query) => query !== undefined);
}

/** The aggregate that a question asks for. */
export function aggregateOf(question: Question): Aggregate {
  if (question.op !== "value") return { func: "count", of: undefined, filter: undefined };
  const { kind, scale } = fieldIn(placesOf(question.query), question.of);
  if (kind === "json") throw new Error(`no number: ${question.of}`);
  const of: Tree = { op: "field", name: question.of, type: { kind, scale } };
  return { func: question.func, of, filter: undefined };
}

/** The values over queries that tests compare with. */
export function valuesIn(tests: readonly Test[]): readonly ValueQuestion[] {
  return tests.flatMap((test) => {
    if (test.op === "group") return valuesIn(test.members);
    if (test.op === "not") return valuesIn([test.member]);
    return test.op === "value" ? [test.of] : [];
  });
}
