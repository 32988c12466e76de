/** Queries as tables: what `as` gives, and the model of a query whose columns its row names. */
import type { Dialect } from "../words/dialect.js";
import type { NeedsByKind } from "../words/kinds.js";
import type { NullTest, OperatorsByDialect } from "../words/operators.js";
import type { NoRelations } from "../words/relations.js";
import type { Builders } from "./builders.js";
import type { ColumnsOf, DecimalDigits } from "./columns.js";
import type { inner, RowsAsTable } from "./inner.js";
import type { AnyModel, ColumnResults, KindOfValue } from "./model.js";
import type { AnyParam } from "./params.js";
import type { SqlTypeError } from "./sentences.js";

declare const source: unique symbol;

/** A query with a name: a table to `from` and `joinQuery`. */
export interface Source<out A extends string, out R, out P extends AnyParam, out D extends Dialect> {
  readonly name: A;
  readonly [source]: { readonly row: R; readonly params: P; readonly dialect: D };
}

/** A query of rows as a table with a name, as `with` of a database makes it. */
export type Once<A extends string, Q extends RowsAsTable<Dialect>> = Source<
  A,
  Q[typeof inner]["columns"],
  Q[typeof inner]["params"],
  Q[typeof inner]["dialect"]
>;

/** A query of rows, as a recursion goes on with it. */
export interface RecursionRows<out R, out P extends AnyParam, out D extends Dialect> {
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
export type Recursion<
  A extends string,
  Q extends RowsAsTable<Dialect>,
  P extends AnyParam,
  L extends string,
> = Source<
  A,
  [L] extends [never] ? Q[typeof inner]["columns"] : WithLevel<Q[typeof inner]["columns"], L>,
  Q[typeof inner]["params"] | P,
  Q[typeof inner]["dialect"]
>;
type WithLevel<R, L extends string> = { [K in keyof R | L]: K extends keyof R ? R[K] : number };

/** The type of `as`; a sentence if the rows of the query have parts, which are not columns. */
export type AsTable<R, P extends AnyParam, M extends AnyModel, S> = [keyof R & M["alias"]] extends [never]
  ? <A extends string>(name: A) => Source<A, ColumnsOf<R, M, S>, P, M["dialect"]>
  : SqlTypeError<`"${keyof R & M["alias"]}" is a part of the row: give its fields names, field("${keyof R & M["alias"]}.name").as("…")`>;

/** The query over a query as a table. */
export type SourceQuery<R, P extends AnyParam, D extends Dialect> = Builders<
  { [K in keyof R]: InRow<R[K]> },
  P,
  Derived<R, D>,
  "all columns"
>["query"];

/** The value of a column in a row. */
type InRow<T> = DecimalDigits extends T ? string | Extract<T, null> : T;

type KindOfColumn<T> = DecimalDigits extends T ? "decimal" : KindOfValue<Exclude<T, null>>;

/** A column of a query as a table. */
export interface ValueColumn<T, D extends Dialect> {
  readonly type: InRow<T>;
  readonly value: Exclude<InRow<T>, null>;
  readonly operators: OperatorsByDialect<D>[KindOfColumn<T>];
  readonly tests: OperatorsByDialect<D>[KindOfColumn<T>] | NeedsByKind[KindOfColumn<T>] | NullTest;
  readonly role: "absent";
  readonly results: ColumnResults<InRow<T>>;
}

/** The model of a query as a table. */
export interface Derived<R, D extends Dialect> {
  readonly dialect: D;
  readonly row: { [K in keyof R]: InRow<R[K]> };
  readonly insert: NoRelations;
  readonly update: NoRelations;
  readonly field: keyof R & string;
  readonly own: keyof R & string;
  readonly shown: keyof R & string;
  readonly columns: { readonly [K in keyof R & string as K]: ValueColumn<R[K], D> };
  readonly rangeField: FieldsThat<R, "an order">;
  readonly numberField: FieldsThat<R, "a number">;
  readonly vectorField: never;
  readonly keyField: never;
  readonly ruled: never;
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
  [K in keyof R & string]: Need extends NeedsByKind[KindOfColumn<R[K]>] ? K : never;
}[keyof R & string];
