/**
 * The requirements of conditions and expressions with queries inside on their table: relations and where these
 * lead, fields that may be compared.
 */
import type { Dialect } from "../words/dialect.js";
import type { ArrayOperator, ComparisonOperator, ListOperator, RangeTest } from "../words/operators.js";
import type { Alike } from "./alike.js";
import type { AnyInner, inner, QueryOn, ValueOfQuery } from "./inner.js";
import type { AskLeaf, FieldLeaves, FreeLeaf, Gathered, KindLeaves } from "./leaves.js";
import type { AnyModel } from "./model.js";
import type { PathLeaves } from "./paths.js";
import type { First, Fn, KindOfResult, Of, Wide } from "./results.js";
import type { SqlTypeError } from "./sentences.js";
import type { KindOfRelation, RelationTarget, TargetName } from "./target.js";

/** Rows of a table, by a relation that leads to it. */
interface Rows<out To, out Name, out D> {
  readonly relation: To;
  readonly rows: Name;
  readonly dialect: D;
}

/** A comparison of fields with values. */
interface Values<out V, out D> {
  readonly values: V;
  readonly dialect: D;
}

/** A comparison of fields with fields. */
interface Alikes<out F> {
  readonly alike: F;
}

/** Constants that are compared with fields. */
interface Fits<out F> {
  readonly fits: F;
}

/** The requirement of a constant that is compared with a field by an operator. */
export type ConstantLeaf<F extends string, O, T> = AskLeaf<Fits<{ readonly [P in F]: ComparedBy<O, T> }>>;

// Patterns and texts that are looked for are texts, whatever the values of the column.
type ComparedBy<O, T> = O extends ListOperator
  ? T extends readonly (infer E)[]
    ? E
    : SqlTypeError<"IN takes a list">
  : O extends ComparisonOperator | ArrayOperator | RangeTest
    ? T
    : T extends string
      ? never
      : T;

/** The same of an expression: its column, or its kind, says what it takes. */
export type FitsResult<T, O, V> =
  T extends Of<infer F extends string, "same" | "value" | "orNull">
    ? ConstantLeaf<F, O, V>
    : T extends Fn<"same" | "value" | "orNull", infer A> | First<infer A, unknown>
      ? FitsResult<A, O, V>
      : [ComparedBy<O, V>] extends [KindValues[KindOfResult<T>]]
        ? never
        : AskLeaf<SqlTypeError<"the expression has values of another kind">>;

interface KindValues {
  readonly text: string;
  readonly number: number | bigint | string;
  readonly date: Date;
  readonly boolean: boolean;
  readonly any: unknown;
}

/** The requirements of `exists`. */
export type RowsLeaf<To, Q extends AnyInner> = Q extends {
  readonly [inner]: { readonly table: infer Name; readonly dialect: infer D };
}
  ? AskLeaf<Rows<To, Name, D>>
  : never;

/** The requirements of a field that is compared with a field of a query, or with its only one. */
export type OnLeaf<F extends string, Q extends QueryOn<Dialect>, G = never> = AskLeaf<
  Values<
    {
      readonly [P in F]: Wide<
        [G] extends [never] ? ValueOfQuery<Q> : Q[typeof inner]["model"]["columns"][G & string]["value"]
      >;
    },
    Q[typeof inner]["dialect"]
  >
>;

/** The same for lists of fields that are compared pair by pair. */
export type OnLeaves<F extends readonly string[], Q extends QueryOn<Dialect>, G extends readonly string[]> = {
  readonly [I in keyof F]: OnLeaf<F[I], Q, G[I & keyof G]>;
}[number];

/** The requirements of fields that are compared with values of one type. */
export type ValuesLeaf<F extends string, V, D extends Dialect> = AskLeaf<
  Values<{ readonly [P in F]: Wide<V> }, D>
>;

/** The requirements of two fields that are compared. */
export type AlikeLeaf<F extends string, G> = AskLeaf<Alikes<{ readonly [P in F]: G }>>;

/** The answers of a table. An interface: it is worked out only where a query is used. */
export interface AskLeaves<M extends AnyModel> {
  readonly asks:
    | { [To in M["relation"]]: Rows<To, TargetName<M, To>, M["dialect"]> }[M["relation"]]
    | Values<{ readonly [F in M["field"]]?: Wide<M["columns"][F]["value"]> }, M["dialect"]>
    | Alikes<{ readonly [F in M["field"]]?: Alike<M, F>["field"] }>
    | Fits<{ readonly [F in M["field"]]?: M["columns"][F]["value"] }>
    | {
        [To in M["relation"]]: KindOfRelation<M, To> extends "many"
          ? Gathered<To, RelationTarget<M, To>["field"], LeavesIn<RelationTarget<M, To>>>
          : never;
      }[M["relation"]];
}

type LeavesIn<M extends AnyModel> = FieldLeaves<M> | KindLeaves<M["dialect"]> | FreeLeaf | PathLeaves<M>;
