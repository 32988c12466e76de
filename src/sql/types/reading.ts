/**
 * Select and query as their users see them. The run-time side is `builder/select.ts` and `builder/query.ts`, untyped;
 * `repository.ts` alone casts one to the other.
 *
 * Type parameters: `R` the row that comes out, `P` the parameters, `M` the model of the table, and `S` a state where a
 * method depends on what was called before.
 */

import type { QuerySpec, SelectSpec } from "../ast/spec.js";
import type { Bound } from "./bound.js";
import type { Aggregate } from "./changing.js";
import type { Compound, Operand, OperandParts, operandParts } from "./combining.js";
import type { DynamicQuery, DynamicSelect } from "./dynamic.js";
import type { Selection, WhenGrouped } from "./grouping.js";
import type { inner, QueryInside } from "./inner.js";
import type { AnyModel } from "./model.js";
import type { Fewer } from "./nesting.js";
import type { PagesOn, Streams, TransactionOn } from "./on-dialect.js";
import type { Page } from "./page.js";
import type { AnyParam, Constant, ExecArguments, PagingParam, Param, ParamsArgument } from "./params.js";
import type { Rendering } from "./rendering.js";
import type { Selecting } from "./selecting.js";
import type { AsTable } from "./source.js";

declare module "./builders.js" {
  interface Builders<R, P extends AnyParam, M extends AnyModel, S extends Selection> {
    readonly select: Select<R, P, M, S>;
    readonly query: Query<R, P, M, S>;
  }
}

/** One row: `LIMIT 1`. */
export interface Select<
  in out R,
  in out P extends AnyParam,
  in out M extends AnyModel,
  in out S extends Selection,
> extends Selecting<"select", R, P, M, S>,
    Rendering {
  /** The same builder, whose parameters are known when it is executed: for loops and branches. */
  dynamic(): DynamicSelect<R, M, S>;
  /**
   * Validates and renders now, and returns the builder.
   * @throws {SqlError} as `exec` does
   */
  build(): Select<R, P, M, S>;
  /** The builder as JSON; the matching `…FromSpec` makes an equal builder from it. */
  toSpec(): SelectSpec;
  /**
   * The row.
   * @throws {NoRowsError} if there is none.
   */
  readonly exec: WhenGrouped<R, M, S, (...args: ExecArguments<P>) => Promise<{ [K in keyof R]: R[K] }>>;
  readonly execTx: WhenGrouped<
    R,
    M,
    S,
    (tx: TransactionOn<M["dialect"]>, ...args: ParamsArgument<P>) => Promise<{ [K in keyof R]: R[K] }>
  >;
  /** A call of `exec` with these values for `atomic`: checked now. */
  readonly bind: WhenGrouped<
    R,
    M,
    S,
    (...args: ParamsArgument<P>) => Bound<{ [K in keyof R]: R[K] }, M["dialect"]>
  >;
  /** The row, or `null` if there is none. */
  readonly execOrNull: WhenGrouped<
    R,
    M,
    S,
    (...args: ExecArguments<P>) => Promise<{ [K in keyof R]: R[K] } | null>
  >;
  /** The server's plan as text. The query is not executed and locks nothing. */
  readonly explain: WhenGrouped<R, M, S, (...args: ExecArguments<P>) => Promise<string>>;
  readonly [inner]: WhenGrouped<R, M, S, QueryInside<R, P, M, S>>;
}

/** All matching rows. */
export interface Query<
  in out R,
  in out P extends AnyParam,
  in out M extends AnyModel,
  in out S extends Selection,
> extends Selecting<"query", R, P, M, S>,
    Rendering {
  /** The same builder, whose parameters are known when it is executed: for loops and branches. */
  dynamic(): DynamicQuery<R, M, S>;
  /** The query as a table with a name, for `from` and `joinQuery`. Its order is dropped unless it has a limit. */
  readonly as: WhenGrouped<R, M, S, AsTable<R, P, M, S>>;
  /** The number of rows that meet the conditions; fields, order and paging do not count. */
  count(): Aggregate<number, P, M>;
  /** Whether a row meets the conditions. */
  exists(): Aggregate<boolean, P, M>;
  /**
   * Validates and renders now, and returns the builder.
   * @throws {SqlError} as `exec` does
   */
  build(): Query<R, P, M, S>;
  /** The builder as JSON; the matching `…FromSpec` makes an equal builder from it. */
  toSpec(): QuerySpec;
  /** At most n rows: a whole number from 0, written into the SQL. For a varying number use `limitParam`. */
  limit(count: number | Constant<number>): Query<R, Exclude<P, PagingParam<"limit">>, M, S | Fewer>;
  /** Skips the first n rows: a whole number from 0. */
  offset(count: number | Constant<number>): Query<R, Exclude<P, PagingParam<"offset">>, M, S | Fewer>;
  limitParam<N extends string>(
    param: N,
  ): Query<R, Exclude<P, PagingParam<"limit">> | Param<N, number, "limit">, M, S | Fewer>;
  offsetParam<N extends string>(
    param: N,
  ): Query<R, Exclude<P, PagingParam<"offset">> | Param<N, number, "offset">, M, S | Fewer>;
  /** Pages of n rows, from 1. The order must hold a key of the table, and one of each `many` that is joined. */
  page(size: number): PagesOn<M["dialect"], Page<R, P>>;
  /** The rows, in order; `[]` if there are none. */
  readonly exec: WhenGrouped<R, M, S, (...args: ExecArguments<P>) => Promise<{ [K in keyof R]: R[K] }[]>>;
  readonly execTx: WhenGrouped<
    R,
    M,
    S,
    (tx: TransactionOn<M["dialect"]>, ...args: ParamsArgument<P>) => Promise<{ [K in keyof R]: R[K] }[]>
  >;
  /** A call of `exec` with these values for `atomic`: checked now. */
  readonly bind: WhenGrouped<
    R,
    M,
    S,
    (...args: ParamsArgument<P>) => Bound<{ [K in keyof R]: R[K] }[], M["dialect"]>
  >;
  /**
   * The rows one by one, in order, with at most a page of 256 rows in memory. The statement ends with the loop
   * (its end, a `break` or an error); then its connection is released.
   */
  readonly stream: WhenGrouped<
    R,
    M,
    S,
    Streams<M["dialect"], (...args: ExecArguments<P>) => AsyncIterable<{ [K in keyof R]: R[K] }>>
  >;
  /** The server's plan as text. The query is not executed and locks nothing. */
  readonly explain: WhenGrouped<R, M, S, (...args: ExecArguments<P>) => Promise<string>>;
  /** The rows of both queries, without duplicates. */
  union<Q extends AnyParam>(other: Operand<R, Q, M["dialect"]>): Compound<R, P | Q, M>;
  /** The rows of both queries, with duplicates. */
  unionAll<Q extends AnyParam>(other: Operand<R, Q, M["dialect"]>): Compound<R, P | Q, M>;
  /** The rows that both queries have, without duplicates. */
  intersect<Q extends AnyParam>(other: Operand<R, Q, M["dialect"]>): Compound<R, P | Q, M>;
  /** The rows that both queries have, as often as in the query that has fewer of them. */
  intersectAll<Q extends AnyParam>(other: Operand<R, Q, M["dialect"]>): Compound<R, P | Q, M>;
  /** The rows that the other query does not have, without duplicates. */
  except<Q extends AnyParam>(other: Operand<R, Q, M["dialect"]>): Compound<R, P | Q, M>;
  /** The rows that remain when each row of the other query removes one equal row. */
  exceptAll<Q extends AnyParam>(other: Operand<R, Q, M["dialect"]>): Compound<R, P | Q, M>;
  readonly [operandParts]: WhenGrouped<R, M, S, OperandParts<R, P, M["dialect"]>>;
  readonly [inner]: WhenGrouped<R, M, S, QueryInside<R, P, M, S>>;
}
