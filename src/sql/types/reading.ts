/**
 * Select and query as their users see them. The run-time side is `builder/select.ts` and `builder/query.ts`, untyped
 * beneath; the cast from one to the other is in `repository.ts` alone.
 *
 * Type parameters: `R` the row that comes out, `P` the parameters, `M` the model of the table, and `S` a state where a
 * method depends on what was called before.
 */
import type { QuerySpec, SelectSpec } from "../ast/spec.js";
import type { Dialect } from "../words/dialect.js";
import type { ComparisonOperator, DistanceOperator, ListOperator, OperandOf } from "../words/operators.js";
import type { LockOptions, TransactionHandle } from "../words/options.js";
import type { Compound, Operand, OperandParts, operandParts } from "./combining.js";
import type { Alike, FittingCondition, LeafOf, ParamsOfLeaves } from "./conditions.js";
import type {
  Expression,
  FittingExpression,
  LeafOfExpression,
  ResultIn,
  RoleOf,
  result,
} from "./expressions.js";
import type {
  Aggregated,
  AggregateName,
  AliasOf,
  Grouped,
  OperatorsOfValue,
  Selection,
  WhenGrouped,
} from "./grouping.js";
import type { AnyModel } from "./model.js";
import type { AnyParam, ExecArguments, PagingParam, Param, ParamsArgument } from "./params.js";
import type { Rendering } from "./rendering.js";
import type { SqlTypeError } from "./sentences.js";

// The builder that a method of a shared interface gives, by the kind of the builder that it was called on. A
// look-up costs the compiler less than a type parameter that stands for the builder itself; and every interface
// that is extended costs it anew in each step of a chain, so the longest chains have one beneath them, not four.
interface Builders<R, P extends AnyParam, M extends AnyModel, S extends Selection> {
  readonly select: Select<R, P, M, S>;
  readonly query: Query<R, P, M, S>;
}

// The first call of `fields` takes the place of all columns.
type RowSoFar<R, S> = "some fields" extends S ? R : unknown;

/** What select and query share: conditions, joined by AND; the columns that come out; their order. */
export interface Selecting<
  K extends "select" | "query",
  R,
  P extends AnyParam,
  M extends AnyModel,
  S extends Selection,
> {
  /** Adds `field operator :param`; `exec` then demands `param` with the type of the column. */
  where<F extends M["field"], O extends M["columns"][F]["operators"], N extends string>(
    field: F,
    operator: O,
    param: N,
  ): Builders<R, P | Param<N, OperandOf<M["columns"][F]["value"], O>>, M, S>[K];
  /** Adds a parenthesised group joined by AND. */
  whereAnd<const C extends readonly FittingCondition<M>[]>(
    ...conditions: C
  ): Builders<R, P | ParamsOfLeaves<M, LeafOf<C[number]>>, M, S>[K];
  /** Adds a parenthesised group joined by OR. */
  whereOr<const C extends readonly FittingCondition<M>[]>(
    ...conditions: C
  ): Builders<R, P | ParamsOfLeaves<M, LeafOf<C[number]>>, M, S>[K];
  /** Adds `field IS NULL`. */
  whereNull(field: M["field"]): Builders<R, P, M, S>[K];
  /** Adds `field IS NOT NULL`. */
  whereNotNull(field: M["field"]): Builders<R, P, M, S>[K];
  /** Adds `left operator right`, two fields of values of one type. */
  whereFields<
    F extends M["field"],
    O extends M["columns"][F]["operators"] & ComparisonOperator,
    G extends Alike<M, F>["field"],
  >(left: F, operator: O, right: G): Builders<R, P, M, S>[K];
  /** Adds `field BETWEEN :low AND :high`, both ends included. */
  whereBetween<F extends M["rangeField"], L extends string, H extends string>(
    field: F,
    low: L,
    high: H,
  ): Builders<R, P | Param<L, M["columns"][F]["value"]> | Param<H, M["columns"][F]["value"]>, M, S>[K];
  /** Adds `field NOT BETWEEN :low AND :high`. */
  whereNotBetween<F extends M["rangeField"], L extends string, H extends string>(
    field: F,
    low: L,
    high: H,
  ): Builders<R, P | Param<L, M["columns"][F]["value"]> | Param<H, M["columns"][F]["value"]>, M, S>[K];
  /** Adds `field operator :param`, applied only when `param` is given: a search endpoint is one chain. */
  whereOptional<F extends M["field"], O extends M["columns"][F]["operators"], N extends string>(
    field: F,
    operator: O,
    param: N,
  ): Builders<R, P | Param<N, OperandOf<M["columns"][F]["value"], O>, "optional">, M, S>[K];
  /** Adds columns and named expressions; the row then holds exactly those. */
  fields<const F extends readonly (M["field"] | FittingExpression<M>)[]>(
    ...names: F
  ): [F[number]] extends [string]
    ? Builders<
        "some fields" extends S
          ? R & { [Name in F[number] & M["field"]]: M["columns"][Name]["type"] }
          : { [Name in F[number] & M["field"]]: M["columns"][Name]["type"] },
        P,
        M,
        S | "some fields"
      >[K]
    : Builders<
        // Without a name of its own, so that an editor shows what comes out.
        RowSoFar<R, S> & {
          [Each in F[number] as Each extends Expression
            ? Each["alias"]
            : Each & string]: Each extends Expression
            ? ResultIn<M, Each[typeof result]>
            : M["columns"][Each & M["field"]]["type"];
        },
        P | ParamsOfLeaves<M, LeafOfExpression<F[number]>>,
        M,
        S | "some fields" | RoleOf<F[number]>
      >[K];
  /** Gathers the rows that have the same values in these fields; what is selected beside them is an aggregate. */
  groupBy<const F extends readonly M["field"][]>(...fields: F): Builders<R, P, M, S | Grouped<F[number]>>[K];
  /** Only groups whose aggregate of that name meets a condition. */
  having<A extends AliasOf<R, M>, O extends OperatorsOfValue<R[A], M["dialect"]>, N extends string>(
    alias: A,
    operator: O,
    param: N,
  ): Builders<R, P | Param<N, OperandOf<Exclude<R[A], null>, O>>, M, S>[K];
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
  ): Builders<R, P | Param<N, OperandOf<Aggregated<M, F & M["field"]>[A]["value"], O>>, M, S>[K];
  /** Only vectors within a distance of the parameter: `<->` Euclidean, `<#>` negative inner product, `<=>` cosine, `<+>` taxicab. */
  whereDistance<F extends M["vectorField"], N extends string, L extends string>(
    field: F,
    operator: DistanceOperator,
    param: N,
    comparison: "<" | "<=",
    limit: L,
  ): Builders<R, P | Param<N, readonly number[]> | Param<L, number>, M, S>[K];
  /** Removes duplicate rows. */
  distinct(): Builders<R, P, M, S>[K];
  /** One row for each combination of these fields: the first by the order, which begins with them. */
  readonly distinctOn: OnDialect<
    M,
    "postgres",
    "DISTINCT ON",
    <const F extends readonly M["field"][]>(...fields: F) => Builders<R, P, M, S>[K]
  >;
  /** Locks the rows against changes and other locks. Only in a transaction. */
  readonly forUpdate: OnDialect<
    M,
    "postgres" | "mariadb" | "oracle",
    "row locks",
    (options?: LockOptions) => Builders<R, P, M, S>[K]
  >;
  /** Locks the rows against changes; rows that refer to them may still be written. Only in a transaction. */
  readonly forNoKeyUpdate: OnDialect<
    M,
    "postgres",
    "row locks",
    (options?: LockOptions) => Builders<R, P, M, S>[K]
  >;
  /** Locks the rows against changes; others may share the lock. Only in a transaction. */
  readonly forShare: OnDialect<
    M,
    "postgres" | "mariadb",
    "row locks",
    (options?: LockOptions) => Builders<R, P, M, S>[K]
  >;
  /** Locks the keys of the rows against changes. Only in a transaction. */
  readonly forKeyShare: OnDialect<
    M,
    "postgres",
    "row locks",
    (options?: LockOptions) => Builders<R, P, M, S>[K]
  >;
  /** Adds a term to the order. NULLs sort as the greatest value on every dialect. */
  orderBy(field: M["field"] | AliasOf<R, M>, direction: "asc" | "desc"): Builders<R, P, M, S>[K];
  /** Adds a term to the order and says where NULLs go. */
  orderByNulls(
    field: M["field"] | AliasOf<R, M>,
    direction: "asc" | "desc",
    nulls: "first" | "last",
  ): Builders<R, P, M, S>[K];
  /** Adds the distance of a vector from the parameter to the order: the nearest come first with `asc`. */
  orderByExpr<F extends M["vectorField"], N extends string>(
    field: F,
    operator: DistanceOperator,
    param: N,
    direction: "asc" | "desc",
  ): Builders<R, P | Param<N, readonly number[]>, M, S>[K];
}

/** One row: `LIMIT 1`. */
export interface Select<R, P extends AnyParam, M extends AnyModel, S extends Selection>
  extends Selecting<"select", R, P, M, S>,
    Rendering {
  /** Validates and renders now, and gives the builder back. Throws what `exec` would. */
  build(): Select<R, P, M, S>;
  /** The builder as JSON; the matching `…FromSpec` makes an equal builder of it. */
  toSpec(): SelectSpec;
  /** The row. @throws {NoRowsError} when there is none. */
  readonly exec: WhenGrouped<R, M, S, (...args: ExecArguments<P>) => Promise<{ [K in keyof R]: R[K] }>>;
  readonly execTx: WhenGrouped<
    R,
    M,
    S,
    (tx: TransactionHandle, ...args: ParamsArgument<P>) => Promise<{ [K in keyof R]: R[K] }>
  >;
  /** The row, or `null` when there is none. */
  readonly execOrNull: WhenGrouped<
    R,
    M,
    S,
    (...args: ExecArguments<P>) => Promise<{ [K in keyof R]: R[K] } | null>
  >;
  /** The server's plan for this, as text. Nothing is carried out and nothing locked. */
  readonly explain: WhenGrouped<R, M, S, (...args: ExecArguments<P>) => Promise<string>>;
}

/** All matching rows. */
export interface Query<R, P extends AnyParam, M extends AnyModel, S extends Selection>
  extends Selecting<"query", R, P, M, S>,
    Rendering {
  /** Validates and renders now, and gives the builder back. Throws what `exec` would. */
  build(): Query<R, P, M, S>;
  /** The builder as JSON; the matching `…FromSpec` makes an equal builder of it. */
  toSpec(): QuerySpec;
  /** At most so many rows: a whole number from 0, written into the SQL. What varies belongs in `limitParam`. */
  limit(count: number): Query<R, Exclude<P, PagingParam<"limit">>, M, S>;
  /** Leaves out the first n rows: a whole number from 0. */
  offset(count: number): Query<R, Exclude<P, PagingParam<"offset">>, M, S>;
  limitParam<N extends string>(
    param: N,
  ): Query<R, Exclude<P, PagingParam<"limit">> | Param<N, number, "limit">, M, S>;
  offsetParam<N extends string>(
    param: N,
  ): Query<R, Exclude<P, PagingParam<"offset">> | Param<N, number, "offset">, M, S>;
  /** The rows, in order; `[]` when there are none. */
  readonly exec: WhenGrouped<R, M, S, (...args: ExecArguments<P>) => Promise<{ [K in keyof R]: R[K] }[]>>;
  readonly execTx: WhenGrouped<
    R,
    M,
    S,
    (tx: TransactionHandle, ...args: ParamsArgument<P>) => Promise<{ [K in keyof R]: R[K] }[]>
  >;
  /**
   * The rows one by one, in order, of which never more than a page is in memory. The statement ends when the loop does,
   * by its end, a `break` or an error; its connection then goes back.
   */
  readonly stream: WhenGrouped<
    R,
    M,
    S,
    (...args: ExecArguments<P>) => AsyncIterable<{ [K in keyof R]: R[K] }>
  >;
  /** The server's plan for this, as text. Nothing is carried out and nothing locked. */
  readonly explain: WhenGrouped<R, M, S, (...args: ExecArguments<P>) => Promise<string>>;
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
  readonly [operandParts]: WhenGrouped<R, M, S, OperandParts<R, P, M["dialect"]>>;
}

// What only some dialects have is a sentence on the others.
type OnDialect<M extends AnyModel, D extends Dialect, Feature extends string, F> = M["dialect"] extends D
  ? F
  : SqlTypeError<`${M["dialect"]} has no ${Feature}`>;
