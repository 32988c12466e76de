/** The methods of select and query that compare aggregates and distances, with a parameter or with a constant. */
import type { ComparisonOperator, DistanceOperator, ListOperator, OperandOf } from "../../words/operators.js";
import type { Builders } from "../builders.js";
import type { Aggregated, AggregateName, AliasOf, OperatorsOfValue, Selection } from "../grouping.js";
import type { AnyModel } from "../model.js";
import type { Fewer } from "../nesting.js";
import type { FittingOperand, OperatorsOn, ValueIn, WithOperand, WithTest } from "../operands.js";
import type { AnyParam, Constant, OfConstants, OfEnds, Param, ParamOr } from "../params.js";

/** Methods that are looked up where they are used. */
export interface Measuring<
  K extends "select" | "query",
  R,
  P extends AnyParam,
  M extends AnyModel,
  S extends Selection,
> {
  /** Only groups whose aggregate of that name meets a condition. */
  having<A extends AliasOf<R, M>, O extends OperatorsOfValue<R[A], M["dialect"]>, N extends string>(
    alias: A,
    operator: O,
    param: N,
  ): Builders<R, P | Param<N, OperandOf<Exclude<R[A], null>, O>>, M, S | Fewer>[K];
  /** Only groups whose aggregate meets a condition. */
  having<const A extends FittingOperand<M>, O extends OperatorsOn<M, A>, N extends string>(
    aggregate: A,
    operator: O,
    param: N,
  ): Builders<R, WithTest<P, M, A, O, N>, M, S | Fewer | "aggregate">[K];
  // As in `where`, the rest says which operators there are.
  having<A extends AliasOf<R, M>, const O extends {}, T = never>(
    alias: A,
    operator: O,
    value: Constant<T> & Constant<NoInfer<OperandOf<Exclude<R[A], null>, O>>>,
    ...none: O extends ([T] extends [never] ? never : OperatorsOfValue<R[A], M["dialect"]>)
      ? never[]
      : [never]
  ): Builders<R, P, M, S | Fewer>[K];
  having<const A extends FittingOperand<M>, const O extends {}, T = never>(
    aggregate: A,
    operator: O,
    value: Constant<T> & Constant<NoInfer<OperandOf<ValueIn<M, A>, O>>>,
    ...none: O extends ([T] extends [never] ? never : OperatorsOn<M, A>) ? never[] : [never]
  ): Builders<R, WithOperand<P, M, A>, M, S | Fewer | "aggregate">[K];
  /** Only groups whose aggregate of a field meets a condition; `count` takes `*` for the rows themselves. */
  havingAgg<
    A extends AggregateName,
    F extends Aggregated<M>[A]["field"],
    O extends ComparisonOperator | ListOperator,
    N extends string,
  >(
    aggregate: A,
    field: F,
    operator: O,
    param: N,
  ): Builders<R, P | Param<N, OperandOf<Aggregated<M, F & M["field"]>[A]["value"], O>>, M, S | Fewer>[K];
  havingAgg<
    A extends AggregateName,
    const F extends {},
    O extends ComparisonOperator | ListOperator,
    T = never,
  >(
    aggregate: A,
    field: F,
    operator: O,
    value: Constant<T> & Constant<NoInfer<OperandOf<Aggregated<M, F & M["field"]>[A]["value"], O>>>,
    ...none: F extends ([T] extends [never] ? never : Aggregated<M>[A]["field"]) ? never[] : [never]
  ): Builders<R, P, M, S | Fewer>[K];
  /**
   * Keeps rows whose vector is within a distance of the parameter: `<->` Euclidean, `<#>` negative inner
   * product, `<=>` cosine, `<+>` taxicab.
   */
  whereDistance<F extends M["vectorField"], N extends string, L extends string>(
    field: F,
    operator: DistanceOperator,
    param: N,
    comparison: "<" | "<=",
    limit: L,
  ): Builders<R, P | Param<N, readonly number[]> | Param<L, number>, M, S | Fewer>[K];
  whereDistance<F extends M["vectorField"], const V, const L>(
    field: F,
    operator: DistanceOperator,
    vector: V & (string | Constant<readonly number[]>),
    comparison: "<" | "<=",
    limit: L & (string | Constant<number>),
    ...none: OfEnds<V | L>
  ): Builders<R, P | ParamOr<V, readonly number[]> | ParamOr<L, number>, M, S | Fewer>[K];
  /** Adds the distance of a vector from the parameter to the order: the nearest come first with `asc`. */
  orderByExpr<F extends M["vectorField"], N extends string>(
    field: F,
    operator: DistanceOperator,
    param: N,
    direction: "asc" | "desc",
  ): Builders<R, P | Param<N, readonly number[]>, M, S>[K];
  orderByExpr<F extends M["vectorField"], C>(
    field: F,
    operator: DistanceOperator,
    value: C & Constant<readonly number[]>,
    direction: "asc" | "desc",
    ...none: OfConstants<C>
  ): Builders<R, P, M, S>[K];
}
