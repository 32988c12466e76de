/**
 * The builders as their users see them: every method with its types. The run-time side is one class a builder
 * in `builder/`, untyped beneath; the cast from one to the other is in `repository.ts` alone.
 *
 * Type parameters: `R` the row that comes out, `P` the parameters, `M` the model of the table, and `S`
 * a state where a method depends on what was called before.
 */
import type {
  AggregateSpec,
  CreateSpec,
  DeleteSpec,
  QuerySpec,
  SelectSpec,
  UpdateSpec,
} from "../ast/spec.js";
import type { ExecOptions, TransactionHandle } from "../exec/options.js";
import type { Rendered, SafeRendered } from "../render/rendered.js";
import type { FittingCondition, LeafOf, ParamsOfLeaves } from "./conditions.js";
import type { AnyModel } from "./model.js";
import type { ComparisonOperator, OperandOf } from "./operators.js";
import type { AnyParam, PagingParam, Param, ParamsArgument, ParamsObject } from "./params.js";
import type { SqlTypeError } from "./sentences.js";

/** Whether `fields` has been called on a builder. */
export type Selection = "all columns" | "some fields";

/** Whether an update or a removal has a condition. */
export type Scope = "no condition" | "with condition";

// The builder that a method of a shared interface gives, by the kind of the builder that it was called on. A
// look-up costs the compiler less than a type parameter that stands for the builder itself; and every interface
// that is extended costs it anew in each step of a chain, so the longest chains have one beneath them, not four.
interface Builders<R, P extends AnyParam, M extends AnyModel, S extends Selection> {
  readonly select: Select<R, P, M, S>;
  readonly query: Query<R, P, M, S>;
}

interface Bounded<R, P extends AnyParam, M extends AnyModel> {
  readonly modify: Modify<P, M, "with condition">;
  readonly remove: Remove<P, M, "with condition">;
  readonly aggregate: Aggregate<R, P, M>;
}

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
    G extends AlikeField<M, F>,
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
  /** Adds columns; the row then holds exactly those that were named. */
  fields<const F extends readonly M["field"][]>(
    ...names: F
  ): Builders<
    "all columns" extends S
      ? { [Name in F[number]]: M["columns"][Name]["type"] }
      : R & { [Name in F[number]]: M["columns"][Name]["type"] },
    P,
    M,
    "some fields"
  >[K];
  /** Removes duplicate rows. */
  distinct(): Builders<R, P, M, S>[K];
  /** Adds a term to the order. NULLs sort as the greatest value on every dialect. */
  orderBy(field: M["field"], direction: "asc" | "desc"): Builders<R, P, M, S>[K];
  /** Adds a term to the order and says where NULLs go. */
  orderByNulls(
    field: M["field"],
    direction: "asc" | "desc",
    nulls: "first" | "last",
  ): Builders<R, P, M, S>[K];
}

/** What update, removal and aggregates share: conditions, joined by AND. */
export interface Filtering<K extends keyof Bounded<R, P, M>, R, P extends AnyParam, M extends AnyModel> {
  /** Adds `field operator :param`; `exec` then demands `param` with the type of the column. */
  where<F extends M["field"], O extends M["columns"][F]["operators"], N extends string>(
    field: F,
    operator: O,
    param: N,
  ): Bounded<R, P | Param<N, OperandOf<M["columns"][F]["value"], O>>, M>[K];
  /** Adds a parenthesised group joined by AND. */
  whereAnd<const C extends readonly FittingCondition<M>[]>(
    ...conditions: C
  ): Bounded<R, P | ParamsOfLeaves<M, LeafOf<C[number]>>, M>[K];
  /** Adds a parenthesised group joined by OR. */
  whereOr<const C extends readonly FittingCondition<M>[]>(
    ...conditions: C
  ): Bounded<R, P | ParamsOfLeaves<M, LeafOf<C[number]>>, M>[K];
  /** Adds `field IS NULL`. */
  whereNull(field: M["field"]): Bounded<R, P, M>[K];
  /** Adds `field IS NOT NULL`. */
  whereNotNull(field: M["field"]): Bounded<R, P, M>[K];
  /** Adds `left operator right`, two fields of values of one type. */
  whereFields<
    F extends M["field"],
    O extends M["columns"][F]["operators"] & ComparisonOperator,
    G extends AlikeField<M, F>,
  >(left: F, operator: O, right: G): Bounded<R, P, M>[K];
  /** Adds `field BETWEEN :low AND :high`, both ends included. */
  whereBetween<F extends M["rangeField"], L extends string, H extends string>(
    field: F,
    low: L,
    high: H,
  ): Bounded<R, P | Param<L, M["columns"][F]["value"]> | Param<H, M["columns"][F]["value"]>, M>[K];
  /** Adds `field NOT BETWEEN :low AND :high`. */
  whereNotBetween<F extends M["rangeField"], L extends string, H extends string>(
    field: F,
    low: L,
    high: H,
  ): Bounded<R, P | Param<L, M["columns"][F]["value"]> | Param<H, M["columns"][F]["value"]>, M>[K];
}

/** What every builder can show of itself without executing. */
export interface Rendering {
  /**
   * The SQL, with names and as the driver gets it.
   * @throws {BuildError | UnsupportedError} when something is wrong with the builder.
   */
  render(): Rendered;
  /** Like `render`, with the error as a value. */
  safeRender(): SafeRendered;
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
  exec(...args: [...ParamsArgument<P>, options?: ExecOptions]): Promise<{ [K in keyof R]: R[K] }>;
  execTx(tx: TransactionHandle, ...args: ParamsArgument<P>): Promise<{ [K in keyof R]: R[K] }>;
  /** The row, or `null` when there is none. */
  execOrNull(
    ...args: [...ParamsArgument<P>, options?: ExecOptions]
  ): Promise<{ [K in keyof R]: R[K] } | null>;
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
  /** Leaves out so many rows: a whole number from 0. */
  offset(count: number): Query<R, Exclude<P, PagingParam<"offset">>, M, S>;
  limitParam<N extends string>(
    param: N,
  ): Query<R, Exclude<P, PagingParam<"limit">> | Param<N, number, "limit">, M, S>;
  offsetParam<N extends string>(
    param: N,
  ): Query<R, Exclude<P, PagingParam<"offset">> | Param<N, number, "offset">, M, S>;
  /** The rows, in order; `[]` when there are none. */
  exec(...args: [...ParamsArgument<P>, options?: ExecOptions]): Promise<{ [K in keyof R]: R[K] }[]>;
  execTx(tx: TransactionHandle, ...args: ParamsArgument<P>): Promise<{ [K in keyof R]: R[K] }[]>;
}

/** New rows. */
export interface Create<R, P extends AnyParam, M extends AnyModel> extends Rendering {
  /** Validates and renders now, and gives the builder back. Throws what `exec` would. */
  build(): Create<R, P, M>;
  /** The builder as JSON; the matching `…FromSpec` makes an equal builder of it. */
  toSpec(): CreateSpec;
  /**
   * Says what happens when a row with the same key is there already. The fields are those of a declared key; a
   * conflict on another key is a `UNIQUE_VIOLATION`.
   */
  onConflict<const F extends readonly M["field"][]>(...fields: F): Conflict<M>;
  /** Stores a record and gives the stored row. */
  exec(record: M["insert"], ...args: [...ParamsArgument<P>, options?: ExecOptions]): Promise<R>;
  execTx(tx: TransactionHandle, record: M["insert"], ...args: ParamsArgument<P>): Promise<R>;
  /** Stores all records or none, and gives the number of rows stored. */
  execBatch(
    records: readonly M["insert"][],
    ...args: [...ParamsArgument<P>, options?: ExecOptions]
  ): Promise<number>;
  /** Stores all records or none, and gives the stored rows in the order of the records. */
  execMany(
    records: readonly M["insert"][],
    ...args: [...ParamsArgument<P>, options?: ExecOptions]
  ): Promise<R[]>;
}

/** An insert of which it is still to be said what happens on a conflict. */
export interface Conflict<M extends AnyModel> {
  /** Leaves the row that is there as it is; `exec` then gives `null`. */
  doNothing(): Create<M["row"] | null, never, M>;
  /** Updates the row that is there: every inserted column outside the key, unless `set` says which. */
  doUpdate(): Upsert<never, M>;
}

/** An insert that updates on a conflict. */
export interface Upsert<P extends AnyParam, M extends AnyModel> extends Create<M["row"], P, M> {
  /** Sets a field of the row that is there. A parameter named like a field is the value of the proposed row. */
  set<F extends keyof M["update"] & M["field"], N extends string>(
    field: F,
    param: N,
  ): Upsert<N extends M["field"] ? P : P | Param<N, M["columns"][F]["type"]>, M>;
}

/** Changes to rows. Needs a condition before it can be executed. */
export interface Modify<P extends AnyParam, M extends AnyModel, S extends Scope>
  extends Filtering<"modify", unknown, P, M>,
    Rendering {
  /** Validates and renders now, and gives the builder back. Throws what `exec` would. */
  build(): Modify<P, M, S>;
  /** The builder as JSON; the matching `…FromSpec` makes an equal builder of it. */
  toSpec(): UpdateSpec;
  /** Sets a field to a parameter. */
  set<F extends keyof M["update"] & M["field"], N extends string>(
    field: F,
    param: N,
  ): Modify<P | Param<N, M["columns"][F]["type"]>, M, S>;
  /** The updated row. @throws {NoRowsError | MultipleRowsError} and nothing is changed unless one row matched. */
  readonly exec: Gated<
    S,
    "UPDATE",
    (...args: [...ParamsArgument<P>, options?: ExecOptions]) => Promise<M["row"]>
  >;
  readonly execTx: Gated<
    S,
    "UPDATE",
    (tx: TransactionHandle, ...args: ParamsArgument<P>) => Promise<M["row"]>
  >;
  /** All updated rows. */
  readonly execMany: Gated<
    S,
    "UPDATE",
    (...args: [...ParamsArgument<P>, options?: ExecOptions]) => Promise<M["row"][]>
  >;
  /** Runs once for each set of parameters, all or nothing, and gives the number of rows changed. */
  readonly execBatch: Gated<
    S,
    "UPDATE",
    (list: readonly ParamsObject<P>[], options?: ExecOptions) => Promise<number>
  >;
  /** Sets exactly the given keys; none gives the row unchanged. */
  readonly execPatch: Gated<
    S,
    "UPDATE",
    (changes: M["update"], ...args: [...ParamsArgument<P>, options?: ExecOptions]) => Promise<M["row"]>
  >;
}

/** Removal of rows. Needs a condition before it can be executed. */
export interface Remove<P extends AnyParam, M extends AnyModel, S extends Scope>
  extends Filtering<"remove", unknown, P, M>,
    Rendering {
  /** Validates and renders now, and gives the builder back. Throws what `exec` would. */
  build(): Remove<P, M, S>;
  /** The builder as JSON; the matching `…FromSpec` makes an equal builder of it. */
  toSpec(): DeleteSpec;
  /** The number of rows removed. */
  readonly exec: Gated<
    S,
    "DELETE",
    (...args: [...ParamsArgument<P>, options?: ExecOptions]) => Promise<number>
  >;
  readonly execTx: Gated<S, "DELETE", (tx: TransactionHandle, ...args: ParamsArgument<P>) => Promise<number>>;
  /** The removed rows. */
  readonly execMany: Gated<
    S,
    "DELETE",
    (...args: [...ParamsArgument<P>, options?: ExecOptions]) => Promise<M["row"][]>
  >;
  /** Runs once for each set of parameters, all or nothing, and gives the number of rows removed. */
  readonly execBatch: Gated<
    S,
    "DELETE",
    (list: readonly ParamsObject<P>[], options?: ExecOptions) => Promise<number>
  >;
}

/** One number over the matching rows. */
export interface Aggregate<R, P extends AnyParam, M extends AnyModel>
  extends Filtering<"aggregate", R, P, M>,
    Rendering {
  /** Validates and renders now, and gives the builder back. Throws what `exec` would. */
  build(): Aggregate<R, P, M>;
  /** The builder as JSON; the matching `…FromSpec` makes an equal builder of it. */
  toSpec(): AggregateSpec;
  /** Adds `field operator :param`, applied only when `param` is given: a search endpoint is one chain. */
  whereOptional<F extends M["field"], O extends M["columns"][F]["operators"], N extends string>(
    field: F,
    operator: O,
    param: N,
  ): Aggregate<R, P | Param<N, OperandOf<M["columns"][F]["value"], O>, "optional">, M>;
  exec(...args: [...ParamsArgument<P>, options?: ExecOptions]): Promise<R>;
  execTx(tx: TransactionHandle, ...args: ParamsArgument<P>): Promise<R>;
}

/** What `exec` of a builder resolves to. */
export type ResultOf<B> = B extends { exec(...args: never): Promise<infer R> } ? R : never;

/** The parameters that `exec` of a builder demands. */
export type ParamsOf<B> = B extends { execTx(tx: never, ...args: infer A): unknown }
  ? Exclude<A[0 & keyof A], undefined>
  : never;

// The fields whose values may be compared with those of a field.
type AlikeField<M extends AnyModel, F extends M["field"]> = {
  [G in M["field"]]: M["columns"][G]["value"] extends M["columns"][F]["value"]
    ? G
    : M["columns"][F]["value"] extends M["columns"][G]["value"]
      ? G
      : never;
}[M["field"]];

type Gated<S extends Scope, Verb extends string, F> = S extends "with condition"
  ? F
  : SqlTypeError<`${Verb} needs a condition first: call where(…)`>;
