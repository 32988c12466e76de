/** Dynamic inserts and upserts as their users see them, as `dynamic.ts` has the others. */

import type { CreateSpec } from "../../ast/spec.js";
import type { ComparisonOperator } from "../../words/operators.js";
import type { PathKey } from "../../words/paths.js";
import type { Bound } from "../bound.js";
import type { FittingCondition } from "../conditions.js";
import type { AlikeBeside, DynamicArguments, DynamicParams, EndOf } from "../dynamic.js";
import type { AnyRows, inner } from "../inner.js";
import type { AnyModel } from "../model.js";
import type { TransactionOn } from "../on-dialect.js";
import type {
  FittingPlain,
  FittingRange,
  OperandExpression,
  OperatorsOn,
  OrderedOperand,
  Parameter,
  Settable,
} from "../operands.js";
import type { Constant } from "../params.js";
import type { Reaching } from "../paths.js";
import type { Rendering } from "../rendering.js";
import type { Is } from "../results.js";
import type { Returnable, ReturnedModel, ReturnedRow } from "../returning.js";
import type { Storable } from "../storable.js";

/** A dynamic insert. */
export interface DynamicCreate<in out M extends AnyModel, in out R> extends Rendering {
  dynamic(): this;
  build(): this;
  toSpec(): CreateSpec;
  /** Adds columns and named expressions of one row; the returned rows then have exactly these. */
  returning<const F extends readonly Returnable<M>[]>(
    ...names: F
  ): DynamicCreate<ReturnedModel<M, F[number]>, ReturnedRow<M, F[number]> | Extract<R, null>>;
  exec(record: M["insert"], ...args: DynamicArguments): Promise<R>;
  execTx(tx: TransactionOn<M["dialect"]>, record: M["insert"], params?: DynamicParams): Promise<R>;
  bind(record: M["insert"], params?: DynamicParams): Bound<R, M["dialect"]>;
  bindMany(records: readonly M["insert"][], params?: DynamicParams): Bound<R[], M["dialect"]>;
  execBatch(records: readonly M["insert"][], ...args: DynamicArguments): Promise<number>;
  execMany(records: readonly M["insert"][], ...args: DynamicArguments): Promise<R[]>;
  execFrom<Q extends AnyRows<M["dialect"], unknown>>(
    query: Q & Storable<M, Q[typeof inner]["row"]>,
    ...args: DynamicArguments
  ): Promise<number>;
}

/** A dynamic upsert. */
export interface DynamicUpsert<in out M extends AnyModel, in out R> extends DynamicCreate<M, R> {
  returning<const F extends readonly Returnable<M>[]>(
    ...names: F
  ): DynamicUpsert<ReturnedModel<M, F[number]>, ReturnedRow<M, F[number]> | Extract<R, null>>;
  /** Sets a field of the existing row. A parameter named like a field is the value of the proposed row. */
  set<F extends keyof M["update"] & M["field"]>(field: F, param: string | Parameter<string>): this;
  /** Sets a field to the result of an expression: a field is the stored value, `inserted(field)` the proposed one. */
  set<F extends keyof M["update"] & M["field"], const A extends FittingPlain<M>>(
    field: F,
    operand: A & Settable<M, F, A>,
  ): this;
  /** Updates the existing row only where `operand operator :param` holds; `exec` otherwise returns `null`. */
  where<const A extends M["field"] | FittingPlain<M>>(
    operand: A,
    operator: OperatorsOn<M, A>,
    param: string,
  ): DynamicUpsert<M, R | null>;
  /** Adds a parenthesised group joined by AND. */
  whereAnd(...conditions: readonly FittingCondition<M>[]): DynamicUpsert<M, R | null>;
  /** Adds a parenthesised group joined by OR. */
  whereOr(...conditions: readonly FittingCondition<M>[]): DynamicUpsert<M, R | null>;
  /** Adds raw text that is a condition, `raw(z.boolean())…`, in parentheses. */
  whereRaw(text: FittingPlain<M> & OperandExpression<Is<boolean>>): DynamicUpsert<M, R | null>;
  /** Adds `operand IS NULL`. */
  whereNull(operand: M["field"] | FittingPlain<M>): DynamicUpsert<M, R | null>;
  /** Adds `operand IS NOT NULL`. */
  whereNotNull(operand: M["field"] | FittingPlain<M>): DynamicUpsert<M, R | null>;
  /** Adds `left operator right`, two operands of values of one type. */
  whereFields<const A extends M["field"] | FittingPlain<M>, const B extends M["field"] | FittingPlain<M>>(
    left: A,
    operator: ComparisonOperator & OperatorsOn<M, A>,
    right: B & AlikeBeside<M, A, B>,
  ): DynamicUpsert<M, R | null>;
  /** Adds `operand BETWEEN :low AND :high`, both ends included. */
  whereBetween<const A extends M["rangeField"] | FittingRange<M>>(
    operand: A & OrderedOperand<M, A>,
    low: string | Constant<NoInfer<EndOf<M, A>>>,
    high: string | Constant<NoInfer<EndOf<M, A>>>,
  ): DynamicUpsert<M, R | null>;
  /** Adds `operand NOT BETWEEN :low AND :high`. */
  whereNotBetween<const A extends M["rangeField"] | FittingRange<M>>(
    operand: A & OrderedOperand<M, A>,
    low: string | Constant<NoInfer<EndOf<M, A>>>,
    high: string | Constant<NoInfer<EndOf<M, A>>>,
  ): DynamicUpsert<M, R | null>;
  /** Sets a value inside a JSON field to a parameter. */
  setPath<F extends keyof M["update"] & M["field"], const K extends readonly [PathKey, ...PathKey[]]>(
    field: F,
    keys: K & Reaching<M, F, K>,
    param: string,
  ): this;
}
