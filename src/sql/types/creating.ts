/**
 * The public types of inserts. The run-time side is `builder/insert.ts`, untyped; `door/repository.ts` alone
 * casts one to the other. `R` is the stored row, `P` the parameters, `M` the model of the table.
 */

import type { CreateSpec } from "../ast/spec.js";
import type { ComparisonOperator, Operands, RangeTest } from "../words/operators.js";
import type { PathKey } from "../words/paths.js";
import type { Bound } from "./bound.js";
import type { FittingCondition, LeafOf } from "./conditions.js";
import type { AnyRows, InnerParams, inner } from "./inner.js";
import type { DynamicCreate, DynamicUpsert } from "./inserts/dynamic-create.js";
import type { Direct, Graph, InsertOf, InsideRow, NestingCreate } from "./inserts/nesting-create.js";
import type { InsertInside, InsideOf, RecordSchema, UpsertInside, WholeRecords } from "./inserts/recorded.js";
import type { AnyModel } from "./model.js";
import type { TransactionOn } from "./on-dialect.js";
import type {
  AlikeOperand,
  FittingPlain,
  FittingRange,
  OperandExpression,
  OperatorsOfExpression,
  OperatorsOn,
  OrderedOperand,
  Parameter,
  Settable,
  WithOperand,
  WithTest,
} from "./operands.js";
import type {
  AnyParam,
  Constant,
  ExecArguments,
  Kept,
  OfConstants,
  Param,
  ParamsArgument,
} from "./params.js";
import type { Reaching, SettableAt } from "./paths.js";
import type { Rendering } from "./rendering.js";
import type { Is, ParamsOfLeaves } from "./results.js";
import type { Returnable, ReturnedModel, ReturnedRow, WithReturned } from "./returning.js";
import type { Asked, SqlTypeError } from "./sentences.js";
import type { Storable } from "./storable.js";

/** New rows. */
export interface Create<in out R, in out P extends AnyParam, in out M extends AnyModel> extends Rendering {
  /**
   * Validates and renders now, and returns the builder.
   * @throws {SqlError} as `exec` does
   */
  build(): Create<R, P, M>;
  /** The builder as JSON; the matching `…FromSpec` makes an equal builder from it. */
  toSpec(): CreateSpec;
  /** The same builder, whose parameters are known when it is executed: for loops and branches. */
  dynamic(): DynamicCreate<M, R>;
  /** Adds columns and named expressions of one row; the returned rows then have exactly these. */
  returning<const F extends readonly Returnable<M>[]>(
    ...names: F
  ): Create<
    ReturnedRow<M, F[number]> | Extract<R, null>,
    WithReturned<P, M, F[number]>,
    ReturnedModel<M, F[number]>
  >;
  /**
   * Without a key: an existing row of any declared key is kept.
   */
  onConflict(): AnyConflict<M, P>;
  /**
   * Selects the key whose conflicts are handled. The fields must be a declared key; a conflict on another key is
   * a `UNIQUE_VIOLATION`.
   */
  onConflict(field: M["keyField"]): Conflict<M, P>;
  /** The same for a key of several fields, in any order. */
  onConflict(...key: [field: M["keyField"]] | M["ruled"]["keys"]): Conflict<M, P>;
  /** Stores a record and returns the stored row. */
  exec(record: M["insert"], ...args: ExecArguments<P>): Promise<R>;
  execTx(tx: TransactionOn<M["dialect"]>, record: M["insert"], ...args: ParamsArgument<P>): Promise<R>;
  /** A call of `exec` with this record for `atomic`: checked now. */
  bind(record: M["insert"], ...args: ParamsArgument<P>): Bound<R, M["dialect"]>;
  /** The same of `execMany`. */
  bindMany(records: readonly M["insert"][], ...args: ParamsArgument<P>): Bound<R[], M["dialect"]>;
  /** Stores all records or none, and returns the number of stored rows. */
  execBatch(records: readonly M["insert"][], ...args: ExecArguments<P>): Promise<number>;
  /** Stores all records or none, and returns the stored rows in the order of the records. */
  execMany(records: readonly M["insert"][], ...args: ExecArguments<P>): Promise<R[]>;
  /**
   * Nests the records of a related table in each record: of a `many` a list, of a `one` a record. They are stored in one
   * transaction with it, and the fields that hold the key are filled. `insert` is one of that table; without one its
   * whole rows are stored and returned.
   */
  with<const To extends keyof M["relations"] & string, Q extends InsertOf<M, To> = WholeRecords>(
    relation: To & Plain<R> & Direct<M, To>,
    insert?: Q,
  ): NestingCreate<R, InsideRow<M, To, Q>, P | InsideOf<Q>["params"], Graph<M, To, Q>>;
  /** The Zod object of a record. */
  readonly insertSchema: RecordSchema<M["insert"], InsertInside<M["insert"], R, P, M>>;
  /**
   * Stores the rows of a query, which must have what a record has, and returns their number. The server does it: rows
   * are not validated by Zod, and callbacks do not see them.
   */
  execFrom<Q extends AnyRows<M["dialect"]>>(
    query: Q & Storable<M, Q[typeof inner]["row"]>,
    ...args: ExecArguments<P | InnerParams<Q>>
  ): Promise<number>;
}

// An insert that keeps existing rows may return null.
type Plain<R> = null extends R ? Asked["insert"] : unknown;

/** An insert that handles the conflicts of any key. */
interface AnyConflict<in out M extends AnyModel, in out P extends AnyParam = never> {
  /** Keeps existing rows unchanged; `exec` then returns `null`. */
  doNothing(): Create<M["row"] | null, P, M>;
}

/** An insert with a key, before the action on a conflict is chosen. */
export interface Conflict<in out M extends AnyModel, in out P extends AnyParam = never> {
  /** Keeps an existing row unchanged; `exec` then returns `null`. */
  doNothing(): Create<M["row"] | null, P, M>;
  /** Updates an existing row: every inserted column outside the key, unless `set` names the columns. */
  doUpdate(): Upsert<P, M, M["row"]>;
}

/** An insert that updates on a conflict. */
export interface Upsert<in out P extends AnyParam, in out M extends AnyModel, in out R>
  extends Create<R, P, M> {
  /** Not of an upsert: a row that was there already has rows inside of its own. */
  with<const To extends keyof M["relations"] & string>(relation: To & Asked["insert"]): never;
  readonly insertSchema: RecordSchema<M["insert"], UpsertInside<M["insert"], R, P, M>>;
  /** The same builder, whose parameters are known when it is executed: for loops and branches. */
  dynamic(): DynamicUpsert<M, R>;
  /** Adds columns and named expressions of one row; the returned rows then have exactly these. */
  returning<const F extends readonly Returnable<M>[]>(
    ...names: F
  ): Upsert<
    WithReturned<P, M, F[number]>,
    ReturnedModel<M, F[number]>,
    ReturnedRow<M, F[number]> | Extract<R, null>
  >;
  /**
   * Sets a field of the existing row: to a parameter by its name, where the name of a field is the proposed value,
   * or to an operand, where a field is the stored value and `inserted(field)` the proposed one.
   */
  set<
    F extends keyof M["update"] & M["field"],
    const A extends string | OperandExpression | Parameter<string> | Constant<unknown>,
  >(field: F, value: A & Assignable<M, F, A>): Upsert<AfterSet<P, M, F, A>, M, R>;
  /** Sets a value inside a JSON field of the existing row, as `setPath` of an update does. */
  setPath<
    F extends keyof M["update"] & M["field"],
    const K extends readonly [PathKey, ...PathKey[]],
    N extends string,
  >(
    field: F,
    keys: K & Reaching<M, F, K>,
    param: N & OwnName<M, N>,
  ): Upsert<P | Param<N, SettableAt<M["columns"][F]["type"], K>>, M, R>;
  setPath<F extends keyof M["update"] & M["field"], const K extends readonly [PathKey, ...PathKey[]], C>(
    field: F,
    keys: K & Reaching<M, F, K>,
    value: C & Constant<NoInfer<Kept<SettableAt<M["columns"][F]["type"], K>>>>,
    ...none: OfConstants<C>
  ): Upsert<P, M, R>;
  /** Updates the existing row only where `field operator :param` holds; `exec` otherwise returns `null`. */
  where<F extends M["field"], O extends M["columns"][F]["operators"], N extends Asked["param"]>(
    field: F,
    operator: O,
    param: N & OwnName<M, N>,
  ): Conditional<P | Param<N, Operands<M["columns"][F]["value"]>[O]>, M>;
  where<F extends M["field"], O extends M["columns"][F]["operators"], C>(
    field: F,
    operator: O,
    value: C & Constant<NoInfer<Operands<M["columns"][F]["value"]>[O]>>,
    ...none: OfConstants<C>
  ): Conditional<P, M>;
  /** One argument is too few. */
  where(alone: Asked["test"]): never;
  where<const A, O extends OperatorsOfExpression<M, A>, N extends string>(
    operand: A & {},
    operator: O,
    param: N & OwnName<M, N>,
    ...none: A & {} extends FittingPlain<M> ? never[] : [never]
  ): Conditional<WithTest<P, M, A, O, N>, M>;
  /** Adds a parenthesised group joined by AND. */
  whereAnd<const C extends readonly FittingCondition<M>[]>(
    ...conditions: C
  ): Conditional<P | ParamsOfLeaves<M, LeafOf<C[number]>>, M>;
  /** Adds a parenthesised group joined by OR. */
  whereOr<const C extends readonly FittingCondition<M>[]>(
    ...conditions: C
  ): Conditional<P | ParamsOfLeaves<M, LeafOf<C[number]>>, M>;
  /** Adds raw text that is a condition, `raw(z.boolean())…`, in parentheses. */
  whereRaw<const A extends FittingPlain<M> & OperandExpression<Is<boolean>>>(
    text: A,
  ): Conditional<WithOperand<P, M, A>, M>;
  /** Adds `operand IS NULL`. */
  whereNull<const A extends M["field"] | FittingPlain<M>>(operand: A): Conditional<WithOperand<P, M, A>, M>;
  /** Adds `operand IS NOT NULL`. */
  whereNotNull<const A extends M["field"] | FittingPlain<M>>(
    operand: A,
  ): Conditional<WithOperand<P, M, A>, M>;
  /** Adds `left operator right`, two operands of values of one type. */
  whereFields<
    const A extends M["field"] | FittingPlain<M>,
    O extends ComparisonOperator & OperatorsOn<M, A>,
    const B extends M["field"] | FittingPlain<M>,
  >(left: A, operator: O, right: B & AlikeOperand<M, A, B>): Conditional<WithOperand<P, M, A | B>, M>;
  /** Adds `field BETWEEN :low AND :high`, both ends included. */
  whereBetween<F extends M["rangeField"], L extends Asked["param"], H extends Asked["param"]>(
    field: F,
    low: L & OwnName<M, L>,
    high: H & OwnName<M, H>,
  ): Conditional<P | Param<L | H, M["columns"][F]["value"]>, M>;
  whereBetween<const A, L extends string, H extends string>(
    operand: A & {} & OrderedOperand<M, A>,
    low: L & OwnName<M, L>,
    high: H & OwnName<M, H>,
    ...none: A & {} extends FittingRange<M> ? never[] : [never]
  ): Conditional<WithTest<P, M, A, RangeTest, L | H>, M>;
  /** Adds `field NOT BETWEEN :low AND :high`. */
  whereNotBetween<F extends M["rangeField"], L extends Asked["param"], H extends Asked["param"]>(
    field: F,
    low: L & OwnName<M, L>,
    high: H & OwnName<M, H>,
  ): Conditional<P | Param<L | H, M["columns"][F]["value"]>, M>;
  whereNotBetween<const A, L extends string, H extends string>(
    operand: A & {} & OrderedOperand<M, A>,
    low: L & OwnName<M, L>,
    high: H & OwnName<M, H>,
    ...none: A & {} extends FittingRange<M> ? never[] : [never]
  ): Conditional<WithTest<P, M, A, RangeTest, L | H>, M>;
}

// One signature, so that it can be called on a union of builders.
type Assignable<M extends AnyModel, F extends M["field"], A> = A extends string
  ? Proposed<M, F, A>
  : A extends Parameter<infer N>
    ? OwnName<M, N>
    : A extends Constant<unknown>
      ? Constant<Kept<M["columns"][F]["type"]>>
      : A extends FittingPlain<M>
        ? Settable<M, F, A>
        : FittingPlain<M>;

type AfterSet<P extends AnyParam, M extends AnyModel, F extends M["field"], A> = A extends string
  ? A extends M["field"]
    ? P
    : P | Param<A, M["columns"][F]["type"]>
  : A extends Parameter<infer N>
    ? P | Param<N, M["columns"][F]["type"]>
    : WithOperand<P, M, A>;

// An upsert that does not change rows that do not meet its conditions.
type Conditional<P extends AnyParam, M extends AnyModel> = Upsert<P, M, M["row"] | null>;

// The values of the record have the names of the fields.
type OwnName<M extends AnyModel, N extends string> = N extends M["field"]
  ? SqlTypeError<`${N} is a field: take another name, or inserted`>
  : unknown;

// The proposed value must be one that the field accepts; any other name is an additional parameter.
type Proposed<M extends AnyModel, F extends string, N extends string> = N extends M["field"]
  ? M["columns"][N]["type"] extends M["columns"][F]["type"]
    ? unknown
    : SqlTypeError<`the proposed value of ${N} is of another type than ${F}`>
  : unknown;
