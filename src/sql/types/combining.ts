/**
 * Compound queries as their users see them. The run-time side is `builder/compound.ts`, untyped beneath; the cast
 * from one to the other is in `repository.ts` alone.
 */
import type { CompoundQuerySpec } from "../ast/spec.js";
import type { Dialect } from "../words/dialect.js";
import type { DistanceOperator } from "../words/operators.js";
import type { TransactionHandle } from "../words/options.js";
import type { AnyModel } from "./model.js";
import type { AnyParam, ExecArguments, PagingParam, Param, ParamsArgument } from "./params.js";
import type { Rendering } from "./rendering.js";

/** Where a query keeps what a set operation asks of it; a type only. */
export declare const operandParts: unique symbol;

/** A query that fits beside others: with the same row, on the same dialect. */
export interface Operand<R, P extends AnyParam, D extends Dialect> {
  readonly [operandParts]: OperandParts<R, P, D>;
}

/** What a set operation asks of a query. A row fits only where it is the same, so it stands on both sides of a function. */
export interface OperandParts<R, out P extends AnyParam, out D extends Dialect> {
  readonly row: (row: { [K in keyof R]: R[K] }) => { [K in keyof R]: R[K] };
  readonly params: P;
  readonly dialect: D;
}

/** Queries put together; order and paging are of the whole. */
export interface Compound<R, P extends AnyParam, M extends AnyModel> extends Rendering {
  /** The rows of both, each once. */
  union<Q extends AnyParam>(other: Operand<R, Q, M["dialect"]>): Compound<R, P | Q, M>;
  /** The rows of both. */
  unionAll<Q extends AnyParam>(other: Operand<R, Q, M["dialect"]>): Compound<R, P | Q, M>;
  /** The rows that are in both, each once. */
  intersect<Q extends AnyParam>(other: Operand<R, Q, M["dialect"]>): Compound<R, P | Q, M>;
  /** The rows that are in both, as often as in the one that has fewer of them. */
  intersectAll<Q extends AnyParam>(other: Operand<R, Q, M["dialect"]>): Compound<R, P | Q, M>;
  /** The rows that are not in the other, each once. */
  except<Q extends AnyParam>(other: Operand<R, Q, M["dialect"]>): Compound<R, P | Q, M>;
  /** The rows that are left when each of the other takes one away. */
  exceptAll<Q extends AnyParam>(other: Operand<R, Q, M["dialect"]>): Compound<R, P | Q, M>;
  /** Validates and renders now, and gives the builder back. Throws what `exec` would. */
  build(): Compound<R, P, M>;
  /** The builder as JSON; the matching `…FromSpec` makes an equal builder of it. */
  toSpec(): CompoundQuerySpec;
  /** Adds a term to the order. NULLs sort as the greatest value on every dialect. */
  orderBy(field: keyof R & string, direction: "asc" | "desc"): Compound<R, P, M>;
  /** Adds a term to the order and says where NULLs go. */
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
  /** At most so many rows: a whole number from 0, written into the SQL. What varies belongs in `limitParam`. */
  limit(count: number): Compound<R, Exclude<P, PagingParam<"limit">>, M>;
  /** Leaves out the first n rows: a whole number from 0. */
  offset(count: number): Compound<R, Exclude<P, PagingParam<"offset">>, M>;
  limitParam<N extends string>(
    param: N,
  ): Compound<R, Exclude<P, PagingParam<"limit">> | Param<N, number, "limit">, M>;
  offsetParam<N extends string>(
    param: N,
  ): Compound<R, Exclude<P, PagingParam<"offset">> | Param<N, number, "offset">, M>;
  /** The rows, in order; `[]` when there are none. */
  exec(...args: ExecArguments<P>): Promise<{ [K in keyof R]: R[K] }[]>;
  execTx(tx: TransactionHandle, ...args: ParamsArgument<P>): Promise<{ [K in keyof R]: R[K] }[]>;
  /** The rows one by one, in order, of which never more than a page is in memory. */
  stream(...args: ExecArguments<P>): AsyncIterable<{ [K in keyof R]: R[K] }>;
  /** The server's plan for this, as text. Nothing is carried out. */
  explain(...args: ExecArguments<P>): Promise<string>;
}
