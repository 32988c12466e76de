/**
 * Dynamic builders as their users see them: fields, operators and rows are checked by the compiler, parameters when they
 * are executed. Their methods give the same type, so that a loop and `q = cond ? q.where(…) : q` compile. The run-time
 * side is that of every builder.
 *
 * Type parameters: `R` the row that comes out, `M` the model of the table, `S` what was selected.
 */

import type { AggregateSpec, DeleteSpec, QuerySpec, SelectSpec, UpdateSpec } from "../ast/spec.js";
import type { ArithmeticOperator, ComparisonOperator, OperandOf, Operands } from "../words/operators.js";
import type { ExecOptions } from "../words/options.js";
import type { PathKey } from "../words/paths.js";
import type { Alike } from "./alike.js";
import type { Bound } from "./bound.js";
import type { FittingCondition } from "./conditions.js";
import type { AliasOf, Selection, WhenGrouped } from "./grouping.js";
import type {
  AlikeIn,
  AnyRows,
  FieldList,
  FieldsBeside,
  InnerValue,
  inner,
  QueryInside,
  QueryOf,
  QueryOn,
  QueryOperator,
  RelatedRows,
} from "./inner.js";
import type { ByCondition } from "./joins/joins.js";
import type { AnyModel } from "./model.js";
import type { PagesOn, Streams, TransactionOn } from "./on-dialect.js";
import type {
  AlikeOperand,
  FittingOperand,
  FittingPlain,
  FittingRange,
  OperandExpression,
  OperatorsOn,
  OrderedOperand,
  Parameter,
  Settable,
  ValueIn,
} from "./operands.js";
import type { DynamicPage } from "./page.js";
import type { AnyParam, Constant, OfConstants } from "./params.js";
import type { Reaching } from "./paths.js";
import type { Rendering } from "./rendering.js";
import type { Is } from "./results.js";
import type { Returnable, ReturnedModel } from "./returning.js";
import type { Derived, Source } from "./source.js";
import type { FieldFor, RelationToOne } from "./updates/set-from.js";

/** Parameters that are known when a builder is executed. */
export type DynamicParams = Readonly<Record<string, unknown>>;

/** The last arguments of an executing method: parameters and options. */
export type DynamicArguments = [params?: DynamicParams, options?: ExecOptions];

// If a table is not known, the types of its fields are not known either.
export type AlikeBeside<M extends AnyModel, A, B> = string extends M["field"]
  ? unknown
  : AlikeOperand<M, A, B>;

// The values of an operand that has an order.
export type EndOf<M extends AnyModel, A> = A extends string ? M["columns"][A]["value"] : ValueIn<M, A>;

/** The conditions of every dynamic builder, joined by AND. */
export interface DynamicFiltering<M extends AnyModel> {
  /** Adds `field operator :param`. */
  where<F extends M["field"]>(field: F, operator: M["columns"][F]["operators"], param: string): this;
  /** Adds `operand operator :param`. */
  where<const A extends FittingPlain<M>>(operand: A, operator: OperatorsOn<M, A>, param: string): this;
  /** Adds `field operator value`. */
  where<F extends M["field"], O extends M["columns"][F]["operators"], C>(
    field: F,
    operator: O,
    value: C & Constant<NoInfer<Operands<M["columns"][F]["value"]>[O]>>,
    ...none: OfConstants<C>
  ): this;
  where<const A extends FittingPlain<M>, O extends OperatorsOn<M, A>, C>(
    operand: A,
    operator: O,
    value: C & Constant<NoInfer<OperandOf<ValueIn<M, A>, O>>>,
    ...none: OfConstants<C>
  ): this;
  /** Adds a parenthesised group joined by AND. */
  whereAnd(...conditions: readonly FittingCondition<M>[]): this;
  /** Adds a parenthesised group joined by OR. */
  whereOr(...conditions: readonly FittingCondition<M>[]): this;
  /** Adds raw text that is a condition, `raw(z.boolean())…`, in parentheses. */
  whereRaw(text: FittingPlain<M> & OperandExpression<Is<boolean>>): this;
  /** Adds `operand IS NULL`. */
  whereNull(operand: M["field"] | FittingPlain<M>): this;
  /** Adds `operand IS NOT NULL`. */
  whereNotNull(operand: M["field"] | FittingPlain<M>): this;
  /** Adds `left operator right`, two fields of values of one type. */
  whereFields<F extends M["field"]>(
    left: F,
    operator: M["columns"][F]["operators"] & ComparisonOperator,
    right: Alike<M, F>["field"],
  ): this;
  whereFields<const A extends M["field"] | FittingPlain<M>, const B extends M["field"] | FittingPlain<M>>(
    left: A,
    operator: ComparisonOperator & OperatorsOn<M, A>,
    right: B & AlikeBeside<M, A, B>,
  ): this;
  /** Adds `operand BETWEEN :low AND :high`, both ends included. */
  whereBetween<const A extends M["rangeField"] | FittingRange<M>>(
    operand: A & OrderedOperand<M, A>,
    low: string | Constant<NoInfer<EndOf<M, A>>>,
    high: string | Constant<NoInfer<EndOf<M, A>>>,
  ): this;
  /** Adds `operand NOT BETWEEN :low AND :high`. */
  whereNotBetween<const A extends M["rangeField"] | FittingRange<M>>(
    operand: A & OrderedOperand<M, A>,
    low: string | Constant<NoInfer<EndOf<M, A>>>,
    high: string | Constant<NoInfer<EndOf<M, A>>>,
  ): this;
  /** Adds `EXISTS`: the relation leads to rows; if a query is given, to rows of it. */
  whereExists<const To extends M["relation"]>(relation: To, query?: RelatedRows<M, To, unknown>): this;
  /** Adds `NOT EXISTS`: the relation leads to no rows; if a query is given, to no rows of it. */
  whereNotExists<const To extends M["relation"]>(relation: To, query?: RelatedRows<M, To, unknown>): this;
  /** Adds `EXISTS`: the query has rows in which `theirs`, a field of its own table, is equal to `mine`. */
  whereExistsOn<A extends string, T, const C extends ByCondition<M, A, Derived<T, M["dialect"]>>>(
    query: Source<A, T, AnyParam, M["dialect"]>,
    on: C,
  ): this;
  whereExistsOn<Q extends AnyRows<M["dialect"], unknown>, F extends M["field"]>(
    query: Q,
    mine: F,
    theirs: AlikeIn<M, F, Q[typeof inner]["model"]>["field"],
  ): this;
  whereExistsOn<
    Q extends AnyRows<M["dialect"], unknown>,
    const F extends FieldList<M>,
    const G extends FieldsBeside<M, F, Q[typeof inner]["model"]>,
  >(query: Q, mine: F, theirs: G): this;
  /** Adds `NOT EXISTS`: the query has no such rows. */
  whereNotExistsOn<A extends string, T, const C extends ByCondition<M, A, Derived<T, M["dialect"]>>>(
    query: Source<A, T, AnyParam, M["dialect"]>,
    on: C,
  ): this;
  whereNotExistsOn<Q extends AnyRows<M["dialect"], unknown>, F extends M["field"]>(
    query: Q,
    mine: F,
    theirs: AlikeIn<M, F, Q[typeof inner]["model"]>["field"],
  ): this;
  whereNotExistsOn<
    Q extends AnyRows<M["dialect"], unknown>,
    const F extends FieldList<M>,
    const G extends FieldsBeside<M, F, Q[typeof inner]["model"]>,
  >(query: Q, mine: F, theirs: G): this;
  /** Adds `field operator (query)`: `IN` and `NOT IN` a query of one field, a comparison with `count()`, `avg(field)` … */
  whereQuery<
    F extends M["field"],
    O extends M["columns"][F]["operators"] & QueryOperator,
    Q extends QueryOn<M["dialect"], unknown>,
  >(field: F, operator: O, query: Q & QueryOf<O, Q>): this;
  /** The builder itself. */
  dynamic(): this;
  /** Validates and renders now, and gives the builder back. Throws what `exec` would. */
  build(): this;
}

/** The conditions of a dynamic builder that reads. */
export interface DynamicReading<M extends AnyModel> extends DynamicFiltering<M> {
  /** Adds `field operator :param`, applied only when `param` is given. */
  whereOptional<F extends M["field"]>(field: F, operator: M["columns"][F]["operators"], param: string): this;
  /** Adds a condition, applied only when all its parameters are given. */
  whereOptional(condition: FittingCondition<M>): this;
}

/** The methods that a dynamic select and a dynamic query share. */
export interface DynamicSelecting<R, M extends AnyModel> extends DynamicReading<M> {
  /** Adds a term to the order. NULLs sort as the greatest value on every dialect. */
  orderBy(operand: M["field"] | AliasOf<R, M> | FittingOperand<M>, direction: "asc" | "desc"): this;
  /** Adds a term to the order and says where NULLs go. */
  orderByNulls(
    operand: M["field"] | AliasOf<R, M> | FittingOperand<M>,
    direction: "asc" | "desc",
    nulls: "first" | "last",
  ): this;
  /** Removes duplicate rows. */
  distinct(): this;
}

/** A dynamic `select()`. */
export interface DynamicSelect<in out R, in out M extends AnyModel, in out S extends Selection>
  extends DynamicSelecting<R, M>,
    Rendering {
  /** The builder as JSON; the matching `…FromSpec` makes an equal builder of it. */
  toSpec(): SelectSpec;
  /** The row. @throws {NoRowsError} when there is none. */
  readonly exec: WhenGrouped<R, M, S, (...args: DynamicArguments) => Promise<{ [K in keyof R]: R[K] }>>;
  readonly execTx: WhenGrouped<
    R,
    M,
    S,
    (tx: TransactionOn<M["dialect"]>, params?: DynamicParams) => Promise<{ [K in keyof R]: R[K] }>
  >;
  readonly bind: WhenGrouped<
    R,
    M,
    S,
    (params?: DynamicParams) => Bound<{ [K in keyof R]: R[K] }, M["dialect"]>
  >;
  /** The row, or `null` when there is none. */
  readonly execOrNull: WhenGrouped<
    R,
    M,
    S,
    (...args: DynamicArguments) => Promise<{ [K in keyof R]: R[K] } | null>
  >;
  /** The server's plan for this, as text. */
  readonly explain: WhenGrouped<R, M, S, (...args: DynamicArguments) => Promise<string>>;
  readonly [inner]: WhenGrouped<R, M, S, QueryInside<R, unknown, M, S>>;
}

/** A dynamic `query()`. */
export interface DynamicQuery<in out R, in out M extends AnyModel, in out S extends Selection>
  extends DynamicSelecting<R, M>,
    Rendering {
  /** The builder as JSON; the matching `…FromSpec` makes an equal builder of it. */
  toSpec(): QuerySpec;
  /** At most this number of rows. */
  limit(count: number | Constant<number>): this;
  /** Leaves out the first n rows. */
  offset(count: number | Constant<number>): this;
  limitParam(param: string): this;
  offsetParam(param: string): this;
  /** Pages of n rows; the order must hold a key. */
  page(size: number): PagesOn<M["dialect"], DynamicPage<R>>;
  /** The number of rows that meet the conditions. */
  count(): DynamicAggregate<number, M>;
  /** Whether a row meets the conditions. */
  exists(): DynamicAggregate<boolean, M>;
  /** The rows, in order; `[]` when there are none. */
  readonly exec: WhenGrouped<R, M, S, (...args: DynamicArguments) => Promise<{ [K in keyof R]: R[K] }[]>>;
  readonly execTx: WhenGrouped<
    R,
    M,
    S,
    (tx: TransactionOn<M["dialect"]>, params?: DynamicParams) => Promise<{ [K in keyof R]: R[K] }[]>
  >;
  readonly bind: WhenGrouped<
    R,
    M,
    S,
    (params?: DynamicParams) => Bound<{ [K in keyof R]: R[K] }[], M["dialect"]>
  >;
  /** The rows one by one, in order. */
  readonly stream: WhenGrouped<
    R,
    M,
    S,
    Streams<M["dialect"], (...args: DynamicArguments) => AsyncIterable<{ [K in keyof R]: R[K] }>>
  >;
  /** The server's plan for this, as text. */
  readonly explain: WhenGrouped<R, M, S, (...args: DynamicArguments) => Promise<string>>;
  readonly [inner]: WhenGrouped<R, M, S, QueryInside<R, unknown, M, S>>;
}

/** A dynamic aggregate: `count()`, `sum(f)` and the like. */
export interface DynamicAggregate<in out R, in out M extends AnyModel> extends DynamicReading<M>, Rendering {
  /** The builder as JSON; the matching `…FromSpec` makes an equal builder of it. */
  toSpec(): AggregateSpec;
  exec(...args: DynamicArguments): Promise<R>;
  execTx(tx: TransactionOn<M["dialect"]>, params?: DynamicParams): Promise<R>;
  bind(params?: DynamicParams): Bound<R, M["dialect"]>;
  readonly [inner]: InnerValue<R, unknown, M>;
}

/** A dynamic `modify()`. Whether it has a condition and sets something is checked when it is executed. */
export interface DynamicModify<in out M extends AnyModel> extends DynamicFiltering<M>, Rendering {
  /** Adds columns and named expressions of one row; the returned rows then have exactly these. */
  returning<const F extends readonly Returnable<M>[]>(
    ...names: F
  ): DynamicModify<ReturnedModel<M, F[number]>>;
  /** The builder as JSON; the matching `…FromSpec` makes an equal builder of it. */
  toSpec(): UpdateSpec;
  /** Sets a field to a parameter. */
  set<F extends keyof M["update"] & M["field"]>(field: F, param: string | Parameter<string>): this;
  /** Sets a field to the result of an expression, which sees the values before the update. */
  set<F extends keyof M["update"] & M["field"], const A extends FittingPlain<M>>(
    field: F,
    operand: A & Settable<M, F, A>,
  ): this;
  /** Sets a value inside a JSON field to a parameter. */
  setPath<F extends keyof M["update"] & M["field"], const K extends readonly [PathKey, ...PathKey[]]>(
    field: F,
    keys: K & Reaching<M, F, K>,
    param: string,
  ): this;
  /** Sets a field to a field of the row that a relation to one leads to; a row without one is not updated. */
  setFrom<F extends keyof M["update"] & M["field"], const To extends RelationToOne<M>>(
    field: F,
    relation: To,
    theirs: FieldFor<M, F, To>["field"],
  ): this;
  /** Sets a field of numbers to the result of the operator and a parameter. */
  setExpr<F extends keyof M["update"] & M["numberField"]>(
    field: F,
    operator: ArithmeticOperator,
    param: string,
  ): this;
  /** The updated row. @throws {NoRowsError | MultipleRowsError} and nothing is changed unless one row matched. */
  exec(...args: DynamicArguments): Promise<M["row"]>;
  execTx(tx: TransactionOn<M["dialect"]>, params?: DynamicParams): Promise<M["row"]>;
  bind(params?: DynamicParams): Bound<M["row"], M["dialect"]>;
  bindMany(params?: DynamicParams): Bound<M["row"][], M["dialect"]>;
  /** All updated rows. */
  execMany(...args: DynamicArguments): Promise<M["row"][]>;
  /** Runs once for each set of parameters, all or nothing, and gives the number of rows changed. */
  execBatch(list: readonly DynamicParams[], options?: ExecOptions): Promise<number>;
  /** The same, and gives the changed rows in the order of the list, `null` where none matches. */
  execEach(list: readonly DynamicParams[], options?: ExecOptions): Promise<(M["row"] | null)[]>;
  /** Sets exactly the given keys; none gives the row unchanged. */
  execPatch(changes: M["update"], ...args: DynamicArguments): Promise<M["row"]>;
}

/** A dynamic `remove()`. Whether it has a condition is checked when it is executed. */
export interface DynamicRemove<in out M extends AnyModel> extends DynamicFiltering<M>, Rendering {
  /** Adds columns and named expressions of one row; the rows of `execMany` then have exactly these. */
  returning<const F extends readonly Returnable<M>[]>(
    ...names: F
  ): DynamicRemove<ReturnedModel<M, F[number]>>;
  /** The builder as JSON; the matching `…FromSpec` makes an equal builder of it. */
  toSpec(): DeleteSpec;
  /** The number of rows removed. */
  exec(...args: DynamicArguments): Promise<number>;
  execTx(tx: TransactionOn<M["dialect"]>, params?: DynamicParams): Promise<number>;
  bind(params?: DynamicParams): Bound<number, M["dialect"]>;
  bindMany(params?: DynamicParams): Bound<M["row"][], M["dialect"]>;
  /** The removed rows. */
  execMany(...args: DynamicArguments): Promise<M["row"][]>;
  /** Runs once for each set of parameters, all or nothing, and gives the number of rows removed. */
  execBatch(list: readonly DynamicParams[], options?: ExecOptions): Promise<number>;
  /** The same, and gives the removed rows in the order of the list, `null` where none matches. */
  execEach(list: readonly DynamicParams[], options?: ExecOptions): Promise<(M["row"] | null)[]>;
}
