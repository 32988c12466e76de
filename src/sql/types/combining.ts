/**
 * Compound queries as their users see them. The run-time side is `builder/compound.ts`, untyped;
 * `repository.ts` alone casts one to the other.
 */

import type { CompoundQuerySpec } from "../ast/spec.js";
import type { Dialect } from "../words/dialect.js";
import type { DistanceOperator } from "../words/operators.js";
import type { Bound } from "./bound.js";
import type { DynamicArguments, DynamicParams } from "./dynamic.js";
import type { AnyModel } from "./model.js";
import type { Streams, TransactionOn } from "./on-dialect.js";
import type { AnyParam, Constant, ExecArguments, PagingParam, Param, ParamsArgument } from "./params.js";
import type { Rendering } from "./rendering.js";

/** The key of a query's requirements for a set operation; a type only. */
export declare const operandParts: unique symbol;

/** A query that can be combined with others: with the same row, on the same dialect. */
export interface Operand<R, P extends AnyParam, D extends Dialect> {
  readonly [operandParts]: OperandParts<R, P, D>;
}

/**
 * The requirements of a set operation. A row fits only if it is the same, so it is both a parameter and a result
 * of a function.
 */
export interface OperandParts<R, out P extends AnyParam, out D extends Dialect> {
  readonly row: (row: { [K in keyof R]: R[K] }) => { [K in keyof R]: R[K] };
  readonly params: P;
  readonly dialect: D;
}

/** Combined queries; order and paging apply to the whole result. */
export interface Compound<in out R, in out P extends AnyParam, in out M extends AnyModel> extends Rendering {
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
  /**
   * Validates and renders now, and returns the builder.
   * @throws {SqlError} as `exec` does
   */
  build(): Compound<R, P, M>;
  /** The same builder, whose parameters are known when it is executed: for loops and branches. */
  dynamic(): DynamicCompound<R, M>;
  /** The builder as JSON; the matching `…FromSpec` makes an equal builder from it. */
  toSpec(): CompoundQuerySpec;
  /** Adds a term to the order. NULLs sort as the greatest value on every dialect. */
  orderBy(field: keyof R & string, direction: "asc" | "desc"): Compound<R, P, M>;
  /** Adds a term to the order, with the position of NULLs. */
  orderByNulls(
    field: keyof R & string,
    direction: "asc" | "desc",
    nulls: "first" | "last",
  ): Compound<R, P, M>;
  /** Adds the distance of a vector from the parameter to the order. */
  orderByExpr<F extends keyof R & M["vectorField"], N extends string>(
    field: F,
    operator: DistanceOperator,
    param: N,
    direction: "asc" | "desc",
  ): Compound<R, P | Param<N, readonly number[]>, M>;
  /** At most n rows: a whole number from 0, written into the SQL. For a varying number use `limitParam`. */
  limit(count: number | Constant<number>): Compound<R, Exclude<P, PagingParam<"limit">>, M>;
  /** Skips the first n rows: a whole number from 0. */
  offset(count: number | Constant<number>): Compound<R, Exclude<P, PagingParam<"offset">>, M>;
  limitParam<N extends string>(
    param: N,
  ): Compound<R, Exclude<P, PagingParam<"limit">> | Param<N, number, "limit">, M>;
  offsetParam<N extends string>(
    param: N,
  ): Compound<R, Exclude<P, PagingParam<"offset">> | Param<N, number, "offset">, M>;
  /** The rows, in order; `[]` if there are none. */
  exec(...args: ExecArguments<P>): Promise<{ [K in keyof R]: R[K] }[]>;
  execTx(tx: TransactionOn<M["dialect"]>, ...args: ParamsArgument<P>): Promise<{ [K in keyof R]: R[K] }[]>;
  /** A call of `exec` with these values for `atomic`: checked now. */
  bind(...args: ParamsArgument<P>): Bound<{ [K in keyof R]: R[K] }[], M["dialect"]>;
  /** The rows one by one, in order, with at most a page of 256 rows in memory. */
  readonly stream: Streams<
    M["dialect"],
    (...args: ExecArguments<P>) => AsyncIterable<{ [K in keyof R]: R[K] }>
  >;
  /** The server's plan as text. The query is not executed. */
  explain(...args: ExecArguments<P>): Promise<string>;
}

/** A dynamic compound query. */
export interface DynamicCompound<in out R, in out M extends AnyModel> extends Rendering {
  union(other: Operand<R, AnyParam, M["dialect"]>): this;
  unionAll(other: Operand<R, AnyParam, M["dialect"]>): this;
  intersect(other: Operand<R, AnyParam, M["dialect"]>): this;
  intersectAll(other: Operand<R, AnyParam, M["dialect"]>): this;
  except(other: Operand<R, AnyParam, M["dialect"]>): this;
  exceptAll(other: Operand<R, AnyParam, M["dialect"]>): this;
  dynamic(): this;
  build(): this;
  toSpec(): CompoundQuerySpec;
  orderBy(field: keyof R & string, direction: "asc" | "desc"): this;
  orderByNulls(field: keyof R & string, direction: "asc" | "desc", nulls: "first" | "last"): this;
  limit(count: number | Constant<number>): this;
  offset(count: number | Constant<number>): this;
  limitParam(param: string): this;
  offsetParam(param: string): this;
  exec(...args: DynamicArguments): Promise<{ [K in keyof R]: R[K] }[]>;
  execTx(tx: TransactionOn<M["dialect"]>, params?: DynamicParams): Promise<{ [K in keyof R]: R[K] }[]>;
  bind(params?: DynamicParams): Bound<{ [K in keyof R]: R[K] }[], M["dialect"]>;
  readonly stream: Streams<
    M["dialect"],
    (...args: DynamicArguments) => AsyncIterable<{ [K in keyof R]: R[K] }>
  >;
  explain(...args: DynamicArguments): Promise<string>;
}
