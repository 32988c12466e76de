/**
 * Update, removal and aggregates as their users see them: the builders whose state is their conditions. The run-time
 * side is in `builder/`, untyped beneath; the cast from one to the other is in `repository.ts` alone.
 *
 * Type parameters: `R` the row that comes out, `P` the parameters, `M` the model of the table, and `S` a state where a
 * method depends on what was called before.
 */
import type { AggregateSpec, DeleteSpec, UpdateSpec } from "../ast/spec.js";
import type { ArithmeticOperator, ComparisonOperator, OperandOf } from "../words/operators.js";
import type { ExecOptions, TransactionHandle } from "../words/options.js";
import type { Alike, FittingCondition, LeafOf, ParamsOfLeaves } from "./conditions.js";
import type { AnyModel } from "./model.js";
import type { AnyParam, ExecArguments, Param, ParamsArgument, ParamsObject } from "./params.js";
import type { Rendering } from "./rendering.js";
import type { SqlTypeError } from "./sentences.js";

/** Whether a removal has a condition. */
export type Scope = "no condition" | "with condition";

/** Whether an update has a condition, and whether it sets something; of one that comes from a spec the check knows. */
export type Change = Scope | "sets, no condition" | "sets, with condition" | "from a spec";

// What an update is after a step. A look-up costs the compiler less than a conditional type.
interface AfterCondition {
  readonly "no condition": "with condition";
  readonly "with condition": "with condition";
  readonly "sets, no condition": "sets, with condition";
  readonly "sets, with condition": "sets, with condition";
  readonly "from a spec": "from a spec";
}

interface AfterSet {
  readonly "no condition": "sets, no condition";
  readonly "with condition": "sets, with condition";
  readonly "sets, no condition": "sets, no condition";
  readonly "sets, with condition": "sets, with condition";
  readonly "from a spec": "from a spec";
}

interface Bounded<R, P extends AnyParam, M extends AnyModel> {
  // `R` is no row here but what the update was before the step.
  readonly modify: Modify<P, M, R extends keyof AfterCondition ? AfterCondition[R] : never>;
  readonly remove: Remove<P, M, "with condition">;
  readonly aggregate: Aggregate<R, P, M>;
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
    G extends Alike<M, F>["field"],
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

/** Changes to rows. Needs a condition, and something to set, before it can be executed. */
export interface Modify<P extends AnyParam, M extends AnyModel, S extends Change>
  extends Filtering<"modify", S, P, M>,
    Rendering {
  /** Validates and renders now, and gives the builder back. Throws what `exec` would. */
  build(): Modify<P, M, S>;
  /** The builder as JSON; the matching `…FromSpec` makes an equal builder of it. */
  toSpec(): UpdateSpec;
  /** Sets a field to a parameter. */
  set<F extends keyof M["update"] & M["field"], N extends string>(
    field: F,
    param: N,
  ): Modify<P | Param<N, M["columns"][F]["type"]>, M, AfterSet[S]>;
  /** Sets a field of numbers to what the operator makes of it and a parameter; of whole numbers `/` gives one. */
  setExpr<F extends keyof M["update"] & M["numberField"], N extends string>(
    field: F,
    operator: ArithmeticOperator,
    param: N,
  ): Modify<P | Param<N, M["columns"][F]["value"]>, M, AfterSet[S]>;
  /** The updated row. @throws {NoRowsError | MultipleRowsError} and nothing is changed unless one row matched. */
  readonly exec: Changing<S, (...args: ExecArguments<P>) => Promise<M["row"]>>;
  readonly execTx: Changing<S, (tx: TransactionHandle, ...args: ParamsArgument<P>) => Promise<M["row"]>>;
  /** All updated rows. */
  readonly execMany: Changing<S, (...args: ExecArguments<P>) => Promise<M["row"][]>>;
  /** Runs once for each set of parameters, all or nothing, and gives the number of rows changed. */
  readonly execBatch: Changing<
    S,
    (list: readonly ParamsObject<P>[], options?: ExecOptions) => Promise<number>
  >;
  /** Sets exactly the given keys; none gives the row unchanged. */
  readonly execPatch: Gated<
    S,
    "UPDATE",
    (changes: M["update"], ...args: ExecArguments<P>) => Promise<M["row"]>
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
  readonly exec: Gated<S, "DELETE", (...args: ExecArguments<P>) => Promise<number>>;
  readonly execTx: Gated<S, "DELETE", (tx: TransactionHandle, ...args: ParamsArgument<P>) => Promise<number>>;
  /** The removed rows. */
  readonly execMany: Gated<S, "DELETE", (...args: ExecArguments<P>) => Promise<M["row"][]>>;
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
  exec(...args: ExecArguments<P>): Promise<R>;
  execTx(tx: TransactionHandle, ...args: ParamsArgument<P>): Promise<R>;
}

type Gated<S extends Change, Verb extends string, F> = S extends "no condition" | "sets, no condition"
  ? SqlTypeError<`${Verb} needs a condition first: call where(…)`>
  : F;

type Changing<S extends Change, F> = S extends "sets, with condition" | "from a spec"
  ? F
  : S extends "with condition"
    ? SqlTypeError<"UPDATE sets nothing: call set(…) or setExpr(…)">
    : SqlTypeError<"UPDATE needs a condition first: call where(…)">;
