/**
 * The methods of select and query, as their users see them. The untyped run-time side is `builder/selecting.ts`.
 *
 * Type parameters: `K` the builder, `R` the row that comes out, `P` the parameters, `M` the model of the table, and `S` a
 * state where a method depends on what was called before: a union, which grows at each step, of
 *
 * | member of `S` | added by | asked by |
 * |---|---|---|
 * | `"all columns"` | the start of a builder | nobody: it keeps `S` from being `never` |
 * | `"some fields"` | `fields` | `fields`: the first call replaces all columns, a further one adds to the row |
 * | `Nests` | `with`, `withOn` | `fields`, which keeps nested rows; `WhenGrouped`, which refuses them together with groups |
 * | `Fewer` | conditions, `limit`, `offset` | `NestedResult`: a nested row may be missing |
 * | `"aggregate"` | `having` of an aggregate | `WhenGrouped`: the rows are groups |
 * | `SelectedExpression` | `fields`, of an expression with an aggregate | the same |
 * | `Loose`, `LooseExpression` | `fields`, of fields outside an aggregate | `WhenGrouped`: they must be grouped, or their expression |
 * | `Grouped` | `groupBy` | `WhenGrouped`: the rows are groups, and these fields may be selected |
 */

import type { ComparisonOperator, OperandOf, Operands, RangeTest } from "../words/operators.js";
import type { Alike } from "./alike.js";
import type { Builders, Tested } from "./builders.js";
import type { FittingCondition, LeafOf } from "./conditions.js";
import type { AliasOf, Grouped, GroupedBy, Selection } from "./grouping.js";
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
  RowsModel,
} from "./inner.js";
import type { Joined, Last, Nesting, Selected } from "./joined.js";
import type { ByCondition, Joins, WithCondition } from "./joins/joins.js";
import type { Early, EarlyFull, Nulled, Outer } from "./joins/outer.js";
import type { AnyModel } from "./model.js";
import type { Fewer, NestedList, NestedResult, Nests } from "./nesting.js";
import type { Locks, OnDialect } from "./on-dialect.js";
import type {
  AlikeOperand,
  FittingExpression,
  FittingOperand,
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
} from "./operands.js";
import type { AnyParam, Constant, OfEnds, OptionalOf, Param, ParamOr } from "./params.js";
import type { Is, ParamsOfLeaves } from "./results.js";
import type { Asked } from "./sentences.js";
import type { Derived, Source } from "./source.js";
import type { RelationTarget } from "./target.js";
import type { Measuring } from "./values/measuring.js";

// Every extended interface costs the compiler again in each step of a chain, so the longest chains have one base
// interface, not four.

/** The methods that select and query share: conditions, joined by AND; the selected columns; their order. */
export interface Selecting<
  K extends "select" | "query",
  R,
  P extends AnyParam,
  M extends AnyModel,
  S extends Selection,
> {
  // Written out: as the `relation` of `Joins`, a join costs the compiler seven instantiations more.
  /**
   * Joins a relation of this table (`"customer"`) or of a joined one (`"customer.country"`). Its fields are then
   * `name.field`; its name is the last word, or `name`. A `many` gives a row for each match.
   */
  join<const To extends M["relation"], A extends string = Last<To>>(
    relation: To,
    name?: A,
  ): Builders<R, P, Joined<M, A, RelationTarget<M, To>, never>, S>[K];
  /** The same, but keeps rows without a match: the whole part of the row is then null. */
  leftJoin<const To extends M["relation"], A extends string = Last<To>>(
    relation: To,
    name?: A,
  ): Builders<R, P, Joined<M, A, RelationTarget<M, To>, string>, S>[K];
  /** Joins a table by two fields that are equal, or by a condition. */
  readonly joinOn: Joins<K, R, P, M, M, never, S>["table"];
  /** The same, but keeps rows without a match: the whole part of the row is then null. */
  readonly leftJoinOn: Joins<K, R, P, M, M, string, S>["table"];
  /** Joins a query that was named by `as`, by two fields that are equal or by a condition. Its parameters join the others. */
  readonly joinQuery: Joins<K, R, P, M, M, never, S>["query"];
  readonly leftJoinQuery: Joins<K, R, P, M, M, string, S>["query"];
  /** Joins a relation and keeps the rows of its table without ours: our fields are then null, and so is what was joined before. */
  readonly rightJoin: Early<S, "rightJoin", Joins<K, Nulled<R>, P, M, Outer<M>, never, S>["relation"]>;
  /** The same, but also keeps our rows without a match, as a left join does. */
  readonly fullJoin: EarlyFull<M, S, "fullJoin", Joins<K, Nulled<R>, P, M, Outer<M>, string, S>["relation"]>;
  /** The same of any table, by two fields that are equal, or by a condition. */
  readonly rightJoinOn: Early<S, "rightJoinOn", Joins<K, Nulled<R>, P, M, Outer<M>, never, S>["table"]>;
  readonly fullJoinOn: EarlyFull<M, S, "fullJoinOn", Joins<K, Nulled<R>, P, M, Outer<M>, string, S>["table"]>;
  /** The same of a query that was named by `as`. */
  readonly rightJoinQuery: Early<S, "rightJoinQuery", Joins<K, Nulled<R>, P, M, Outer<M>, never, S>["query"]>;
  readonly fullJoinQuery: EarlyFull<
    M,
    S,
    "fullJoinQuery",
    Joins<K, Nulled<R>, P, M, Outer<M>, string, S>["query"]
  >;
  // `const` spares the compiler a look at the result where an expression stands in the place of a field.
  /** Adds `field operator :param`; `exec` then demands `param` with the type of the column. */
  where<F extends M["field"], const O extends M["columns"][F]["operators"], N extends Asked["param"]>(
    field: F,
    operator: O,
    param: N,
  ): Builders<R, P | Param<N, Operands<M["columns"][F]["value"]>[O]>, M, S | Fewer>[K];
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
  ): Builders<R, WithOperand<P, M, A>, M, S | Fewer>[K];
  /** Adds `operand operator :param`; `exec` then demands `param` with the type of the operand. */
  where<const A, O extends OperatorsOfExpression<M, A>, N extends string>(
    operand: A & {},
    operator: O,
    param: N,
    ...none: A & {} extends FittingPlain<M> ? never[] : [never]
  ): Tested<K, R, P, M, S, A, O, N>;
  /** Adds a parenthesised group joined by AND. */
  whereAnd<const C extends readonly FittingCondition<M>[]>(
    ...conditions: C
  ): Builders<R, P | ParamsOfLeaves<M, LeafOf<C[number]>>, M, S | Fewer>[K];
  /** Adds a parenthesised group joined by OR. */
  readonly whereOr: Selecting<K, R, P, M, S>["whereAnd"];
  /** Adds raw text that is a condition, `raw(z.boolean())…`, in parentheses. */
  whereRaw<const A extends FittingPlain<M> & OperandExpression<Is<boolean>>>(
    text: A,
  ): Builders<R, WithOperand<P, M, A>, M, S | Fewer>[K];
  /** Adds `field IS NULL`. */
  whereNull(field: M["field"]): Builders<R, P, M, S | Fewer>[K];
  whereNull<const A>(
    operand: A & {},
    ...none: A & {} extends FittingPlain<M> ? never[] : [never]
  ): Builders<R, WithOperand<P, M, A>, M, S | Fewer>[K];
  /** Adds `field IS NOT NULL`. */
  readonly whereNotNull: Selecting<K, R, P, M, S>["whereNull"];
  /** Adds `left operator right`, two fields of values of one type. */
  whereFields<
    F extends M["field"],
    O extends M["columns"][F]["operators"] & ComparisonOperator,
    G extends Alike<M, F>["field"],
  >(left: F, operator: O, right: G): Builders<R, P, M, S | Fewer>[K];
  whereFields<
    const A extends M["field"] | FittingPlain<M>,
    O extends ComparisonOperator & OperatorsOn<M, A>,
    const B extends M["field"] | FittingPlain<M>,
  >(
    left: A,
    operator: O,
    right: B & AlikeOperand<M, A, B>,
  ): Builders<R, WithOperand<P, M, A | B>, M, S | Fewer>[K];
  /** Adds `field BETWEEN :low AND :high`, both ends included. */
  whereBetween<F extends M["rangeField"], L extends Asked["param"], H extends Asked["param"]>(
    field: F,
    low: L,
    high: H,
  ): Builders<
    R,
    P | Param<L, M["columns"][F]["value"]> | Param<H, M["columns"][F]["value"]>,
    M,
    S | Fewer
  >[K];
  /** The same where an end, or both, is `value(x)`. */
  whereBetween<F extends M["rangeField"], const L, const H>(
    field: F,
    low: L & (string | Constant<NoInfer<M["columns"][F]["value"]>>),
    high: H & (string | Constant<NoInfer<M["columns"][F]["value"]>>),
    ...none: OfEnds<L | H>
  ): Builders<
    R,
    P | ParamOr<L, M["columns"][F]["value"]> | ParamOr<H, M["columns"][F]["value"]>,
    M,
    S | Fewer
  >[K];
  whereBetween<const A, L extends string, H extends string>(
    operand: A & {} & OrderedOperand<M, A>,
    low: L,
    high: H,
    ...none: A & {} extends FittingRange<M> ? never[] : [never]
  ): Tested<K, R, P, M, S, A, RangeTest, L | H>;
  whereBetween<const A, const L, const H>(
    operand: A & {} & OrderedOperand<M, A>,
    low: L & (string | Constant<NoInfer<ValueIn<M, A>>>),
    high: H & (string | Constant<NoInfer<ValueIn<M, A>>>),
    ...none: A & {} extends FittingRange<M> ? OfEnds<L | H> : [never]
  ): Builders<R, WithEnds<P, M, A, L | H>, M, S | Fewer>[K];
  /** Adds `field NOT BETWEEN :low AND :high`. */
  readonly whereNotBetween: Selecting<K, R, P, M, S>["whereBetween"];
  /** Adds `EXISTS`: the relation leads to rows; if a query is given, to rows of it. */
  whereExists<const To extends M["relation"], Q extends RelatedRows<M, To> = AllRows>(
    relation: To,
    query?: Q,
  ): Builders<R, P | InnerParams<Q>, M, S | Fewer>[K];
  /** Adds `NOT EXISTS`: the relation leads to no rows; if a query is given, to no rows of it. */
  readonly whereNotExists: Selecting<K, R, P, M, S>["whereExists"];
  /** Adds `EXISTS`: the query, which was named by `as`, has rows for which a condition holds; it names their columns `name.column`. */
  whereExistsOn<
    A extends string,
    T,
    Q extends AnyParam,
    const C extends ByCondition<M, A, Derived<T, M["dialect"]>>,
  >(
    query: Source<A, T, Q, M["dialect"]>,
    on: C,
  ): Builders<R, WithCondition<P | Q, M, A, Derived<T, M["dialect"]>, C>, M, S | Fewer>[K];
  /** The same by fields: the query has rows in which `theirs`, a field of its own table, is equal to `mine`. */
  whereExistsOn<
    Q extends AnyRows<M["dialect"]>,
    F extends M["field"],
    G extends AlikeIn<M, F, Q[typeof inner]["model"]>["field"],
  >(query: Q, mine: F, theirs: G): Builders<R, P | InnerParams<Q>, M, S | Fewer>[K];
  /** The same by several fields that are equal pair by pair. */
  whereExistsOn<
    Q extends AnyRows<M["dialect"]>,
    const F extends FieldList<M>,
    const G extends FieldsBeside<M, F, Q[typeof inner]["model"]>,
  >(query: Q, mine: F, theirs: G): Builders<R, P | InnerParams<Q>, M, S | Fewer>[K];
  /** Adds `NOT EXISTS`: the query has no such rows. */
  readonly whereNotExistsOn: Selecting<K, R, P, M, S>["whereExistsOn"];
  /** Adds `field operator (query)`: `IN` and `NOT IN` a query of one field, a comparison with `count()`, `avg(field)` … */
  whereQuery<
    F extends M["field"],
    O extends M["columns"][F]["operators"] & QueryOperator,
    Q extends QueryOn<M["dialect"]>,
  >(
    field: F,
    operator: O,
    query: Q & QueryBeside<M["columns"][F]["value"], O, Q>,
  ): Builders<R, P | InnerParams<Q>, M, S | Fewer>[K];
  /** Adds `field operator :param`, applied only when `param` is given: a search endpoint is one chain. */
  whereOptional<F extends M["field"], O extends M["columns"][F]["operators"], N extends string>(
    field: F,
    operator: O,
    param: N,
  ): Builders<R, P | Param<N, Operands<M["columns"][F]["value"]>[O], "optional">, M, S | Fewer>[K];
  /** Adds a condition, applied only when all its parameters are given. */
  whereOptional<const C extends FittingCondition<M>>(
    condition: C,
  ): Builders<R, P | OptionalOf<ParamsOfLeaves<M, LeafOf<C>>>, M, S | Fewer>[K];
  /** Adds columns and named expressions; the row then has exactly these. */
  fields<const F extends readonly (M["field"] | M["every"] | FittingExpression<M>)[]>(
    ...names: F
  ): [F[number]] extends [M["own"]]
    ? Builders<
        "some fields" extends S
          ? R & { [Name in F[number] & M["field"]]: M["columns"][Name]["type"] }
          : Nests extends S
            ? Omit<R, M["own"]> & { [Name in F[number] & M["field"]]: M["columns"][Name]["type"] }
            : { [Name in F[number] & M["field"]]: M["columns"][Name]["type"] },
        P,
        M,
        S | "some fields"
      >[K]
    : Selected<K, R, P, M, S, F[number]>[[Extract<F[number], string>] extends [M["own"]] ? "own" : "joined"];
  /**
   * Each row has rows of a relation inside: a list for a `many`, a row for a `one`, or `null` if it may find nothing.
   * The query has its own fields, conditions, order and limit; without one, they are whole rows.
   */
  with<const To extends keyof M["relations"] & string, Q extends RelatedRows<M, To> = AllRows>(
    relation: To,
    query?: Q,
  ): Builders<R & { [Name in To]: NestedResult<M, To, Q> }, P | InnerParams<Q>, Nesting<M, To>, S | Nests>[K];
  /** Each row has a list of the rows of a query that meet a condition, which names their fields `name.field`. */
  withOn<A extends string, Q extends AnyRows<M["dialect"]>, const C extends ByCondition<M, A, RowsModel<Q>>>(
    name: A,
    query: Q,
    on: C,
  ): Builders<
    R & { [Name in A]: NestedList<Q> },
    WithCondition<P | InnerParams<Q>, M, A, RowsModel<Q>, C>,
    Nesting<M, A>,
    S | Nests
  >[K];
  /** The same by fields: the rows in which `theirs`, a field of the query's own table, is equal to `mine`. */
  withOn<
    A extends string,
    Q extends AnyRows<M["dialect"]>,
    F extends M["field"],
    G extends AlikeIn<M, F, Q[typeof inner]["model"]>["field"],
  >(
    name: A,
    query: Q,
    mine: F,
    theirs: G,
  ): Builders<R & { [Name in A]: NestedList<Q> }, P | InnerParams<Q>, Nesting<M, A>, S | Nests>[K];
  /** The same by several fields that are equal pair by pair. */
  withOn<
    A extends string,
    Q extends AnyRows<M["dialect"]>,
    const F extends FieldList<M>,
    const G extends FieldsBeside<M, F, Q[typeof inner]["model"]>,
  >(
    name: A,
    query: Q,
    mine: F,
    theirs: G,
  ): Builders<R & { [Name in A]: NestedList<Q> }, P | InnerParams<Q>, Nesting<M, A>, S | Nests>[K];
  /** Groups the rows by these fields; only these and aggregates can be selected. */
  groupBy<F extends M["field"]>(...fields: F[]): Builders<R, P, M, S | Grouped<F>>[K];
  /** The same by names of expressions in `fields`, and by expressions of single rows. */
  groupBy<const F extends readonly (M["field"] | AliasOf<R, M> | FittingPlain<M>)[]>(
    ...by: F
  ): Builders<R, WithOperand<P, M, F[number]>, M, S | Grouped<GroupedBy<F[number]>>>[K];
  /** Only groups whose aggregate, by its name or as an expression, meets a condition. */
  readonly having: Measuring<K, R, P, M, S>["having"];
  /** Only groups whose aggregate of a field meets a condition; `count` takes `*` for the rows themselves. */
  readonly havingAgg: Measuring<K, R, P, M, S>["havingAgg"];
  /**
   * Keeps rows whose vector is within a distance of the parameter: `<->` Euclidean, `<#>` negative inner
   * product, `<=>` cosine, `<+>` taxicab.
   */
  readonly whereDistance: Measuring<K, R, P, M, S>["whereDistance"];
  /** Removes duplicate rows. */
  distinct(): Builders<R, P, M, S>[K];
  /** One row for each combination of these fields: the first in the order, which must begin with them. */
  readonly distinctOn: OnDialect<
    M,
    "postgres",
    "DISTINCT ON",
    <const F extends readonly (M["field"] | FittingPlain<M>)[]>(
      ...by: F
    ) => Builders<R, WithOperand<P, M, F[number]>, M, S>[K]
  >;
  /** Locks the rows against changes and other locks. Only in a transaction. */
  readonly forUpdate: Locks<M, "postgres" | "mariadb" | "oracle", Builders<R, P, M, S>[K]>;
  /** Locks the rows against changes; rows that reference them may still be written. Only in a transaction. */
  readonly forNoKeyUpdate: Locks<M, "postgres", Builders<R, P, M, S>[K]>;
  /** Locks the rows against changes; others may share the lock. Only in a transaction. */
  readonly forShare: Locks<M, "postgres" | "mariadb", Builders<R, P, M, S>[K]>;
  /** Locks the keys of the rows against changes. Only in a transaction. */
  readonly forKeyShare: Locks<M, "postgres", Builders<R, P, M, S>[K]>;
  /** Adds a term to the order. NULLs sort as the greatest value on every dialect. */
  orderBy(field: M["field"] | AliasOf<R, M>, direction: "asc" | "desc"): Builders<R, P, M, S>[K];
  /** One argument is too few. */
  orderBy(alone: Asked["order"]): never;
  orderBy<const A>(
    operand: A & {},
    direction: "asc" | "desc",
    ...none: A & {} extends FittingOperand<M> ? never[] : [never]
  ): Builders<R, WithOperand<P, M, A>, M, S>[K];
  /** Adds a term to the order and says where NULLs go. */
  orderByNulls(
    field: M["field"] | AliasOf<R, M>,
    direction: "asc" | "desc",
    nulls: "first" | "last",
  ): Builders<R, P, M, S>[K];
  orderByNulls<const A>(
    operand: A & {},
    direction: "asc" | "desc",
    nulls: "first" | "last",
    ...none: A & {} extends FittingOperand<M> ? never[] : [never]
  ): Builders<R, WithOperand<P, M, A>, M, S>[K];
  /** Adds the distance of a vector from the parameter to the order: the nearest come first with `asc`. */
  readonly orderByExpr: Measuring<K, R, P, M, S>["orderByExpr"];
}
