/** Queries as tables: what `as` gives, and the model of a query whose columns its row names. */
import type { Dialect } from "../words/dialect.js";
import type { NeedsByKind } from "../words/kinds.js";
import type { NullTest, OperatorsByDialect } from "../words/operators.js";
import type { NoRelations } from "../words/relations.js";
import type { Builders } from "./builders.js";
import type { Selection } from "./grouping.js";
import type { AlikeIn, inner } from "./inner.js";
import type { Joined } from "./joined.js";
import type { AnyModel, ColumnResults, KindOfValue } from "./model.js";
import type { AnyParam } from "./params.js";
import type { SqlTypeError } from "./sentences.js";

declare const source: unique symbol;

/** A query with a name: a table to `from` and `joinQuery`. */
export interface Source<out A extends string, out R, out P extends AnyParam, out D extends Dialect> {
  readonly name: A;
  readonly [source]: { readonly row: R; readonly params: P; readonly dialect: D };
}

/** A query of rows, as `with` of a database takes it. */
export interface RowsOf<out R, out P extends AnyParam, out D extends Dialect> {
  readonly [inner]: { readonly holds: "rows"; readonly row: R; readonly params: P; readonly dialect: D };
}

/** Options of `recursive`. */
export interface RecursionOptions<out L extends string = never> {
  /** How many levels there may be, 1,000 by default; one more is `RECURSION_LIMIT`. */
  readonly maxDepth?: number;
  /** The name of a column with the level, from 1. */
  readonly depth?: L;
}

/** The table of a recursion: the rows of its start, and the level where it has a name. */
export type Recursion<A extends string, R, P extends AnyParam, D extends Dialect, L extends string> = Source<
  A,
  [L] extends [never] ? R : { [K in keyof R | L]: K extends keyof R ? R[K] : number },
  P,
  D
>;

/** What names a query, unless its rows have parts, which are not columns: a sentence about these then. */
export type AsTable<R, P extends AnyParam, M extends AnyModel> = [keyof R & M["alias"]] extends [never]
  ? <A extends string>(name: A) => Source<A, R, P, M["dialect"]>
  : SqlTypeError<`"${keyof R & M["alias"]}" is a part of the row: give its fields names, field("${keyof R & M["alias"]}.name").as("…")`>;

/** The query over a query as a table. */
export type SourceQuery<R, P extends AnyParam, D extends Dialect> = Builders<
  { [K in keyof R]: R[K] },
  P,
  Derived<R, D>,
  "all columns"
>["query"];

/** The joins of queries. Methods of an interface, whose parameters are compared as those of all methods are. */
export interface Joins<
  K extends "select" | "query",
  R,
  P extends AnyParam,
  M extends AnyModel,
  S extends Selection,
> {
  joinQuery<
    A extends string,
    T,
    Q extends AnyParam,
    F extends M["field"],
    G extends AlikeIn<M, F, Derived<T, M["dialect"]>>["field"],
  >(
    query: Source<A, T, Q, M["dialect"]>,
    mine: F,
    theirs: G,
  ): Builders<R, P | Q, Joined<M, A, Derived<T, M["dialect"]>, never>, S>[K];
  leftJoinQuery<
    A extends string,
    T,
    Q extends AnyParam,
    F extends M["field"],
    G extends AlikeIn<M, F, Derived<T, M["dialect"]>>["field"],
  >(
    query: Source<A, T, Q, M["dialect"]>,
    mine: F,
    theirs: G,
  ): Builders<R, P | Q, Joined<M, A, Derived<T, M["dialect"]>, A>, S>[K];
}

/** A column of a query as a table. */
export interface ValueColumn<T, D extends Dialect> {
  readonly type: T;
  readonly value: Exclude<T, null>;
  readonly operators: OperatorsByDialect[D][KindOfValue<Exclude<T, null>>];
  readonly tests:
    | OperatorsByDialect[D][KindOfValue<Exclude<T, null>>]
    | NeedsByKind[KindOfValue<Exclude<T, null>>]
    | NullTest;
  readonly role: "absent";
  readonly results: ColumnResults<T>;
}

/** The model of a query as a table. */
export interface Derived<R, D extends Dialect> {
  readonly dialect: D;
  readonly row: { [K in keyof R]: R[K] };
  readonly insert: NoRelations;
  readonly update: NoRelations;
  readonly field: keyof R & string;
  readonly own: keyof R & string;
  readonly columns: { readonly [K in keyof R & string as K]: ValueColumn<R[K], D> };
  readonly rangeField: FieldsThat<R, "an order">;
  readonly numberField: FieldsThat<R, "a number">;
  readonly vectorField: never;
  readonly keyField: never;
  readonly table: never;
  readonly tables: NoRelations;
  readonly relations: NoRelations;
  readonly relation: never;
  readonly alias: never;
  readonly joins: never;
  readonly joined: NoRelations;
  readonly missing: never;
  readonly every: "*";
}

type FieldsThat<R, Need> = {
  [K in keyof R & string]: Need extends NeedsByKind[KindOfValue<Exclude<R[K], null>>] ? K : never;
}[keyof R & string];
