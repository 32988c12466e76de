/** Conditions of updates, removals and aggregates. */
import type { ComparisonOperator, OperandOf, Operands, RangeTest } from "../../words/operators.js";
import type { Alike } from "../alike.js";
import type { Bounded } from "../builders.js";
import type { FittingCondition, LeafOf } from "../conditions.js";
import type {
  AlikeIn,
  AllRows,
  AnyRows,
  FieldList,
  FieldsBeside,
  InnerParams,
  inner,
  QueryBeside,
  QueryOn,
  QueryOperator,
  RelatedRows,
} from "../inner.js";
import type { ByCondition, WithCondition } from "../joins/joins.js";
import type { AnyModel } from "../model.js";
import type {
  AlikeOperand,
  FittingPlain,
  FittingRange,
  OperandExpression,
  OperatorsOfExpression,
  OperatorsOn,
  OrderedOperand,
  TestsOf,
  ValueIn,
  ValueOf,
  WithEnds,
  WithOperand,
  WithTest,
} from "../operands.js";
import type { AnyParam, Constant, OfEnds, Param, ParamOr } from "../params.js";
import type { Is, ParamsOfLeaves } from "../results.js";
import type { Asked } from "../sentences.js";
import type { Derived, Source } from "../source.js";

/** Methods of update, removal and aggregates: conditions, joined by AND. */
export interface Filtering<
  K extends "modify" | "remove" | "aggregate",
  R,
  P extends AnyParam,
  M extends AnyModel,
> {
  /** Adds `field operator :param`; `exec` then demands `param` with the type of the column. */
  where<F extends M["field"], O extends M["columns"][F]["operators"], N extends Asked["param"]>(
    field: F,
    operator: O,
    param: N,
  ): Bounded<R, P | Param<N, Operands<M["columns"][F]["value"]>[O]>, M>[K];
  /** One argument is too few. */
  where(alone: Asked["test"]): never;
  // The rest, not a constraint, says which operators there are: an editor offers the constraints of every overload. It is
  // written out because the name of a type would cost a completion 26 instantiations.
  /** The same with `value(x)` in the place of the parameter. */
  where<const A extends {}, const O extends {}, T = never>(
    operand: A,
    operator: O,
    value: Constant<T> & Constant<NoInfer<OperandOf<ValueOf<M, A>, O>>>,
    ...none: O extends ([T] extends [never] ? never : TestsOf<M, A>) ? never[] : [never]
  ): Bounded<R, WithOperand<P, M, A>, M>[K];
  /** Adds `operand operator :param`; `exec` then demands `param` with the type of the operand. */
  where<const A, O extends OperatorsOfExpression<M, A>, N extends string>(
    operand: A & {},
    operator: O,
    param: N,
    ...none: A & {} extends FittingPlain<M> ? never[] : [never]
  ): Bounded<R, WithTest<P, M, A, O, N>, M>[K];
  /** Adds a parenthesised group joined by AND. */
  whereAnd<const C extends readonly FittingCondition<M>[]>(
    ...conditions: C
  ): Bounded<R, P | ParamsOfLeaves<M, LeafOf<C[number]>>, M>[K];
  /** Adds a parenthesised group joined by OR. */
  readonly whereOr: Filtering<K, R, P, M>["whereAnd"];
  /** Adds raw text that is a condition, `raw(z.boolean())…`, in parentheses. */
  whereRaw<const A extends FittingPlain<M> & OperandExpression<Is<boolean>>>(
    text: A,
  ): Bounded<R, WithOperand<P, M, A>, M>[K];
  /** Adds `field IS NULL`. */
  whereNull(field: M["field"]): Bounded<R, P, M>[K];
  whereNull<const A>(
    operand: A & {},
    ...none: A & {} extends FittingPlain<M> ? never[] : [never]
  ): Bounded<R, WithOperand<P, M, A>, M>[K];
  /** Adds `field IS NOT NULL`. */
  readonly whereNotNull: Filtering<K, R, P, M>["whereNull"];
  /** Adds `left operator right`, two fields of values of one type. */
  whereFields<
    F extends M["field"],
    O extends M["columns"][F]["operators"] & ComparisonOperator,
    G extends Alike<M, F>["field"],
  >(left: F, operator: O, right: G): Bounded<R, P, M>[K];
  whereFields<
    const A extends M["field"] | FittingPlain<M>,
    O extends ComparisonOperator & OperatorsOn<M, A>,
    const B extends M["field"] | FittingPlain<M>,
  >(left: A, operator: O, right: B & AlikeOperand<M, A, B>): Bounded<R, WithOperand<P, M, A | B>, M>[K];
  /** Adds `EXISTS`: the relation leads to rows; if a query is given, to rows of it. */
  whereExists<const To extends M["relation"], Q extends RelatedRows<M, To> = AllRows>(
    relation: To,
    query?: Q,
  ): Bounded<R, P | InnerParams<Q>, M>[K];
  /** Adds `NOT EXISTS`: the relation leads to no rows; if a query is given, to no rows of it. */
  readonly whereNotExists: Filtering<K, R, P, M>["whereExists"];
  /** Adds `EXISTS`: the query, which was named by `as`, has rows for which a condition holds; it names their columns `name.column`. */
  whereExistsOn<
    A extends string,
    T,
    Q extends AnyParam,
    const C extends ByCondition<M, A, Derived<T, M["dialect"]>>,
  >(
    query: Source<A, T, Q, M["dialect"]>,
    on: C,
  ): Bounded<R, WithCondition<P | Q, M, A, Derived<T, M["dialect"]>, C>, M>[K];
  /** The same by fields: the query has rows in which `theirs`, a field of its own table, is equal to `mine`. */
  whereExistsOn<
    Q extends AnyRows<M["dialect"]>,
    F extends M["field"],
    G extends AlikeIn<M, F, Q[typeof inner]["model"]>["field"],
  >(query: Q, mine: F, theirs: G): Bounded<R, P | InnerParams<Q>, M>[K];
  /** The same by several fields that are equal pair by pair. */
  whereExistsOn<
    Q extends AnyRows<M["dialect"]>,
    const F extends FieldList<M>,
    const G extends FieldsBeside<M, F, Q[typeof inner]["model"]>,
  >(query: Q, mine: F, theirs: G): Bounded<R, P | InnerParams<Q>, M>[K];
  /** Adds `NOT EXISTS`: the query has no such rows. */
  readonly whereNotExistsOn: Filtering<K, R, P, M>["whereExistsOn"];
  /** Adds `field operator (query)`: `IN` and `NOT IN` a query of one field, a comparison with `count()`, `avg(field)` … */
  whereQuery<
    F extends M["field"],
    O extends M["columns"][F]["operators"] & QueryOperator,
    Q extends QueryOn<M["dialect"]>,
  >(
    field: F,
    operator: O,
    query: Q & QueryBeside<M["columns"][F]["value"], O, Q>,
  ): Bounded<R, P | InnerParams<Q>, M>[K];
  /** Adds `field BETWEEN :low AND :high`, both ends included. */
  whereBetween<F extends M["rangeField"], L extends Asked["param"], H extends Asked["param"]>(
    field: F,
    low: L,
    high: H,
  ): Bounded<R, P | Param<L, M["columns"][F]["value"]> | Param<H, M["columns"][F]["value"]>, M>[K];
  /** The same where an end, or both, is `value(x)`. */
  whereBetween<F extends M["rangeField"], const L, const H>(
    field: F,
    low: L & (string | Constant<NoInfer<M["columns"][F]["value"]>>),
    high: H & (string | Constant<NoInfer<M["columns"][F]["value"]>>),
    ...none: OfEnds<L | H>
  ): Bounded<R, P | ParamOr<L, M["columns"][F]["value"]> | ParamOr<H, M["columns"][F]["value"]>, M>[K];
  whereBetween<const A, L extends string, H extends string>(
    operand: A & {} & OrderedOperand<M, A>,
    low: L,
    high: H,
    ...none: A & {} extends FittingRange<M> ? never[] : [never]
  ): Bounded<R, WithTest<P, M, A, RangeTest, L | H>, M>[K];
  whereBetween<const A, const L, const H>(
    operand: A & {} & OrderedOperand<M, A>,
    low: L & (string | Constant<NoInfer<ValueIn<M, A>>>),
    high: H & (string | Constant<NoInfer<ValueIn<M, A>>>),
    ...none: A & {} extends FittingRange<M> ? OfEnds<L | H> : [never]
  ): Bounded<R, WithEnds<P, M, A, L | H>, M>[K];
  /** Adds `field NOT BETWEEN :low AND :high`. */
  readonly whereNotBetween: Filtering<K, R, P, M>["whereBetween"];
}
