/**
 * Update, removal and aggregates as their users see them: the builders whose state is their conditions. The run-time
 * side is in `builder/`, untyped; `repository.ts` alone casts one to the other.
 *
 * Type parameters: `R` the row that comes out, `P` the parameters, `M` the model of the table, and `S` a state where a
 * method depends on what was called before.
 */

import type { AggregateSpec, DeleteSpec, UpdateSpec } from "../ast/spec.js";
import type { ArithmeticOperator, Operands } from "../words/operators.js";
import type { ExecOptions } from "../words/options.js";
import type { PathKey } from "../words/paths.js";
import type { Bound } from "./bound.js";
import type { FittingCondition, LeafOf } from "./conditions.js";
import type { DynamicAggregate, DynamicModify, DynamicRemove } from "./dynamic.js";
import type { Selection } from "./grouping.js";
import type { InnerValue, inner } from "./inner.js";
import type { Joins } from "./joins/joins.js";
import type { FullJoining, Nulled, Outer } from "./joins/outer.js";
import type { AnyModel } from "./model.js";
import type { OnDialect, TransactionOn } from "./on-dialect.js";
import type { FittingPlain, Parameter, ParamIn, Settable, WithOperand } from "./operands.js";
import type {
  AnyParam,
  Constant,
  ExecArguments,
  Kept,
  OfConstants,
  OptionalOf,
  Param,
  ParamsArgument,
  ParamsObject,
} from "./params.js";
import type { Reaching, SettableAt } from "./paths.js";
import type { Rendering } from "./rendering.js";
import type { ParamsOfLeaves } from "./results.js";
import type { Returnable, ReturnedModel, WithReturned } from "./returning.js";
import type { Asked } from "./sentences.js";
import type { FieldFor, RelationToOne } from "./updates/set-from.js";
import type {
  AfterCondition,
  AfterSet,
  Changing,
  Gated,
  Scope,
  UpdateState,
} from "./updates/update-state.js";
import type { Filtering } from "./values/filtering.js";

declare module "./builders.js" {
  interface Builders<R, P extends AnyParam, M extends AnyModel, S extends Selection> {
    readonly aggregate: Aggregate<R, P, M>;
  }
  interface Bounded<R, P extends AnyParam, M extends AnyModel> {
    // Here `R` is not a row but the state of the update before the step.
    readonly modify: Modify<P, M, R extends keyof AfterCondition ? AfterCondition[R] : never>;
    readonly remove: Remove<P, M, "with condition">;
    readonly aggregate: Aggregate<R, P, M>;
  }
}

/** Updates rows. It needs a condition, and a field to set, before it can be executed. */
export interface Modify<in out P extends AnyParam, in out M extends AnyModel, in out S extends UpdateState>
  extends Filtering<"modify", S, P, M>,
    Rendering {
  /**
   * Validates and renders now, and returns the builder.
   * @throws {SqlError} as `exec` does
   */
  build(): Modify<P, M, S>;
  /** The same builder, whose parameters are known when it is executed: for loops and branches. */
  dynamic(): DynamicModify<M>;
  /** The builder as JSON; the matching `…FromSpec` makes an equal builder from it. */
  toSpec(): UpdateSpec;
  /** Adds columns and named expressions of one row; the returned rows then have exactly these. */
  returning<const F extends readonly Returnable<M>[]>(
    ...names: F
  ): Modify<WithReturned<P, M, F[number]>, ReturnedModel<M, F[number]>, S>;
  /** Sets a field to a parameter. */
  set<F extends keyof M["update"] & M["field"], N extends Asked["param"]>(
    field: F,
    param: N,
  ): Modify<P | Param<N, M["columns"][F]["type"]>, M, AfterSet[S]>;
  /** Sets a field to a value of its type, `value(x)`; `value(null)` where it may be null. */
  set<F extends keyof M["update"] & M["field"], C>(
    field: F,
    value: C & Constant<NoInfer<Kept<M["columns"][F]["type"]>>>,
    ...none: OfConstants<C>
  ): Modify<P, M, AfterSet[S]>;
  /** One argument is too few. */
  set(alone: Asked["set"]): never;
  /** Sets a field to the result of an expression, which sees the values before the update. */
  set<F extends keyof M["update"] & M["field"], const A>(
    field: F,
    operand: A & {} & Settable<M, F, A>,
    ...none: A & {} extends FittingPlain<M> ? never[] : [never]
  ): Modify<WithOperand<P, M, A>, M, AfterSet[S]>;
  set<F extends keyof M["update"] & M["field"], const A>(
    field: F,
    param: A & {},
    ...none: A & {} extends Parameter<string> ? never[] : [never]
  ): Modify<P | ParamIn<A, M["columns"][F]["type"]>, M, AfterSet[S]>;
  /**
   * Sets a value inside a JSON field to a parameter of its schema: a member of an object, which is created where it is
   * absent, or a place in a list. Nothing changes where there is no such object, or no such place.
   */
  setPath<F extends keyof M["update"] & M["field"], const K extends readonly [PathKey, ...PathKey[]], C>(
    field: F,
    keys: K & Reaching<M, F, K>,
    value: C & Constant<NoInfer<Kept<SettableAt<M["columns"][F]["type"], K>>>>,
    ...none: OfConstants<C>
  ): Modify<P, M, AfterSet[S]>;
  setPath<
    F extends keyof M["update"] & M["field"],
    const K extends readonly [PathKey, ...PathKey[]],
    N extends string,
  >(
    field: F,
    keys: K & Reaching<M, F, K>,
    param: N,
  ): Modify<P | Param<N, SettableAt<M["columns"][F]["type"], K>>, M, AfterSet[S]>;
  /**
   * Sets a field to a field of the row that a relation to one leads to, as it was before the statement. A row whose
   * relation finds nothing is not updated, not counted and not returned.
   */
  setFrom<
    F extends keyof M["update"] & M["field"],
    const To extends RelationToOne<M>,
    G extends FieldFor<M, F, To>["field"],
  >(field: F, relation: To, theirs: G): Modify<P, M, AfterSet[S]>;
  /**
   * Sets a number field to the result of the operator and a parameter; `/` of whole numbers truncates towards
   * zero.
   */
  setExpr<F extends keyof M["update"] & M["numberField"], C>(
    field: F,
    operator: ArithmeticOperator,
    value: C & Constant<NoInfer<M["columns"][F]["value"]>>,
    ...none: OfConstants<C>
  ): Modify<P, M, AfterSet[S]>;
  setExpr<F extends keyof M["update"] & M["numberField"], N extends string>(
    field: F,
    operator: ArithmeticOperator,
    param: N,
  ): Modify<P | Param<N, M["columns"][F]["value"]>, M, AfterSet[S]>;
  /**
   * The updated row.
   * @throws {NoRowsError | MultipleRowsError} unless exactly one row matches; then nothing is changed.
   */
  readonly exec: Changing<S, (...args: ExecArguments<P>) => Promise<M["row"]>>;
  readonly execTx: Changing<
    S,
    (tx: TransactionOn<M["dialect"]>, ...args: ParamsArgument<P>) => Promise<M["row"]>
  >;
  /** A call of `exec` with these values for `atomic`: checked now. */
  readonly bind: Changing<S, (...args: ParamsArgument<P>) => Bound<M["row"], M["dialect"]>>;
  /** The same of `execMany`. */
  readonly bindMany: Changing<S, (...args: ParamsArgument<P>) => Bound<M["row"][], M["dialect"]>>;
  /** All updated rows. */
  readonly execMany: Changing<S, (...args: ExecArguments<P>) => Promise<M["row"][]>>;
  /** Runs once for each set of parameters, all or nothing, and returns the number of changed rows. */
  readonly execBatch: Changing<S, ForEach<P, number>>;
  /** The same, and returns the row of each set, or `null`; for several, `MultipleRowsError` with the `index`. */
  readonly execEach: Changing<S, ForEach<P, (M["row"] | null)[]>>;
  /** Sets exactly the given keys; without any, returns the row unchanged. */
  readonly execPatch: Gated<
    S,
    "UPDATE",
    (changes: M["update"], ...args: ExecArguments<P>) => Promise<M["row"]>
  >;
}

/** Removes rows. It needs a condition before it can be executed. */
export interface Remove<in out P extends AnyParam, in out M extends AnyModel, in out S extends Scope>
  extends Filtering<"remove", unknown, P, M>,
    Rendering {
  /**
   * Validates and renders now, and returns the builder.
   * @throws {SqlError} as `exec` does
   */
  build(): Remove<P, M, S>;
  /** The same builder, whose parameters are known when it is executed: for loops and branches. */
  dynamic(): DynamicRemove<M>;
  /** The builder as JSON; the matching `…FromSpec` makes an equal builder from it. */
  toSpec(): DeleteSpec;
  /** Adds columns and named expressions of one row; the rows of `execMany` then have exactly these. */
  returning<const F extends readonly Returnable<M>[]>(
    ...names: F
  ): Remove<WithReturned<P, M, F[number]>, ReturnedModel<M, F[number]>, S>;
  /** The number of removed rows. */
  readonly exec: Gated<S, "DELETE", (...args: ExecArguments<P>) => Promise<number>>;
  readonly execTx: Gated<
    S,
    "DELETE",
    (tx: TransactionOn<M["dialect"]>, ...args: ParamsArgument<P>) => Promise<number>
  >;
  /** A call of `exec` with these values for `atomic`: checked now. */
  readonly bind: Gated<S, "DELETE", (...args: ParamsArgument<P>) => Bound<number, M["dialect"]>>;
  /** The same of `execMany`. */
  readonly bindMany: Gated<S, "DELETE", (...args: ParamsArgument<P>) => Bound<M["row"][], M["dialect"]>>;
  /** The removed rows. */
  readonly execMany: Gated<S, "DELETE", (...args: ExecArguments<P>) => Promise<M["row"][]>>;
  /** Runs once for each set of parameters, all or nothing, and returns the number of removed rows. */
  readonly execBatch: Gated<S, "DELETE", ForEach<P, number>>;
  /** The same, and returns the row of each set, or `null`; for several, `MultipleRowsError` with the `index`. */
  readonly execEach: Gated<S, "DELETE", ForEach<P, (M["row"] | null)[]>>;
}

/** One number over the matching rows. */
export interface Aggregate<in out R, in out P extends AnyParam, in out M extends AnyModel>
  extends Filtering<"aggregate", R, P, M>,
    Rendering {
  /**
   * Validates and renders now, and returns the builder.
   * @throws {SqlError} as `exec` does
   */
  build(): Aggregate<R, P, M>;
  /** The same builder, whose parameters are known when it is executed: for loops and branches. */
  dynamic(): DynamicAggregate<R, M>;
  /** The builder as JSON; the matching `…FromSpec` makes an equal builder from it. */
  toSpec(): AggregateSpec;
  /** Adds `field operator :param`, applied only if `param` is given: for search endpoints. */
  whereOptional<F extends M["field"], O extends M["columns"][F]["operators"], N extends string>(
    field: F,
    operator: O,
    param: N,
  ): Aggregate<R, P | Param<N, Operands<M["columns"][F]["value"]>[O], "optional">, M>;
  /** Adds a condition, applied only when all its parameters are given. */
  whereOptional<const C extends FittingCondition<M>>(
    condition: C,
  ): Aggregate<R, P | OptionalOf<ParamsOfLeaves<M, LeafOf<C>>>, M>;
  /**
   * Joins a relation of this table (`"customer"`) or of a joined one (`"customer.country"`). Its fields are then
   * `name.field`; its name is the last word, or `name`. A `many` gives a row for each match.
   */
  readonly join: Joins<"aggregate", R, P, M, M, never, "all columns">["relation"];
  /** The same, but keeps rows without a match: the whole part of the row is then null. */
  readonly leftJoin: Joins<"aggregate", R, P, M, M, string, "all columns">["relation"];
  /** Joins a table by two fields that are equal, or by a condition. */
  readonly joinOn: Joins<"aggregate", R, P, M, M, never, "all columns">["table"];
  /** The same, but keeps rows without a match: the whole part of the row is then null. */
  readonly leftJoinOn: Joins<"aggregate", R, P, M, M, string, "all columns">["table"];
  /** Joins a query that was named by `as`, by two fields that are equal or by a condition. Its parameters join the others. */
  readonly joinQuery: Joins<"aggregate", R, P, M, M, never, "all columns">["query"];
  readonly leftJoinQuery: Joins<"aggregate", R, P, M, M, string, "all columns">["query"];
  /** Joins a relation and keeps the rows of its table without ours: our fields are then null, and so is what was joined before. */
  readonly rightJoin: Joins<"aggregate", Nulled<R>, P, M, Outer<M>, never, "all columns">["relation"];
  /** The same, but also keeps our rows without a match, as a left join does. */
  readonly fullJoin: OnDialect<
    M,
    FullJoining,
    "FULL JOIN: take leftJoin, and whereNotExists for the others",
    Joins<"aggregate", Nulled<R>, P, M, Outer<M>, string, "all columns">["relation"]
  >;
  /** The same of any table, by two fields that are equal, or by a condition. */
  readonly rightJoinOn: Joins<"aggregate", Nulled<R>, P, M, Outer<M>, never, "all columns">["table"];
  readonly fullJoinOn: OnDialect<
    M,
    FullJoining,
    "FULL JOIN: take leftJoin, and whereNotExists for the others",
    Joins<"aggregate", Nulled<R>, P, M, Outer<M>, string, "all columns">["table"]
  >;
  /** The same of a query that was named by `as`. */
  readonly rightJoinQuery: Joins<"aggregate", Nulled<R>, P, M, Outer<M>, never, "all columns">["query"];
  readonly fullJoinQuery: OnDialect<
    M,
    FullJoining,
    "FULL JOIN: take leftJoin, and whereNotExists for the others",
    Joins<"aggregate", Nulled<R>, P, M, Outer<M>, string, "all columns">["query"]
  >;
  exec(...args: ExecArguments<P>): Promise<R>;
  execTx(tx: TransactionOn<M["dialect"]>, ...args: ParamsArgument<P>): Promise<R>;
  /** A call of `exec` with these values for `atomic`: checked now. */
  bind(...args: ParamsArgument<P>): Bound<R, M["dialect"]>;
  readonly [inner]: InnerValue<R, P, M>;
}

type ForEach<P extends AnyParam, R> = (list: readonly ParamsObject<P>[], options?: ExecOptions) => Promise<R>;
