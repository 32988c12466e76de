/** The types of expressions: what `upper`, `sum`, `caseWhen` make, and what `fields` makes of them. */

import type { Frame, Window } from "../words/windows.js";
import type { Condition, FieldsOf, LeafOf } from "./conditions.js";
import type { AnyModel, ColumnResults } from "./model.js";
import type { AnyParam, Param } from "./params.js";

declare const fields: unique symbol;
declare const leaves: unique symbol;
declare const role: unique symbol;

/** Where an expression keeps what it gives; a type only. */
export declare const result: unique symbol;

/** Whether an expression is of one row, or gathers the rows of a group. */
export type ExpressionRole = "plain" | "aggregate";

/**
 * An expression with a name, which the row then has; checked where it is used. `T` is what it gives, `F` the fields
 * that it names, `L` what it asks of them and the parameters that it brings.
 */
export interface Expression<
  out Alias extends string = string,
  out T = unknown,
  out F extends string = string,
  out L = unknown,
  out Role extends ExpressionRole = ExpressionRole,
> {
  readonly alias: Alias;
  readonly [result]: T;
  readonly [fields]: F;
  readonly [leaves]: L;
  readonly [role]: Role;
}

/** A result that its column says. */
export interface Of<out F, out K> {
  readonly field: F;
  readonly result: K;
}

/** A result that is the same whatever the column. */
export interface Is<out T> {
  readonly type: T;
}

/** An expression that has no name yet. */
export interface Value<
  out T,
  out F extends string = never,
  out L = never,
  out Role extends ExpressionRole = "plain",
> {
  /** Names the expression: letters, digits and `_`, and no field of the table. */
  as<const A extends string>(alias: A): Expression<A, T, F, L, Role>;
}

/** A function over the rows of a group, or with `over` over a window. */
export interface AggregateValue<out T, out F extends string = never, out L = never>
  extends Value<T, F, L, "aggregate"> {
  /** Only the rows that meet a condition. */
  filter<const C extends Condition>(condition: C): AggregateValue<T, F | FieldsOf<C>, L | LeafOf<C>>;
  /** One value for each row, over the rows around it; without a window over all of them. */
  over<const G extends string = never>(window?: Window<G>): Value<T, F | G, L>;
}

/** A function that only a window gives a meaning. */
export interface RankingValue<out T, out F extends string = never, out L = never> {
  /** One value for each row, over the rows around it. */
  over<const G extends string = never>(window?: Window<G>): Value<T, F | G, L>;
}

/** The first or last value of a window, which a frame can leave without any. */
export interface EdgeValue<out F extends string> {
  /** One value for each row, over the rows around it. With a frame it may be null. */
  over<const G extends string = never, const W extends Frame | undefined = undefined>(
    window?: Window<G> & { readonly frame?: W },
  ): Value<Of<F, undefined extends W ? "same" : "orNull">, F | G>;
}

/** A CASE whose labels are values of type `V`. */
export interface CaseWhen<V, F extends string = never, L = never> {
  /** Where the condition holds, the label is the parameter. */
  when<const C extends Condition, N extends string>(
    condition: C,
    param: N,
  ): CaseValue<V, F | FieldsOf<C>, L | LeafOf<C> | Param<N, V>>;
}

/** A CASE with at least one label; null where no condition holds. */
export interface CaseValue<V, F extends string, L> extends CaseWhen<V, F, L>, Value<Is<V | null>, F, L> {
  /** The label where no condition holds. */
  else<N extends string>(param: N): Value<Is<V>, F, L | Param<N, V>>;
}

/** An expression that fits a table. An interface: what it asks of the table is worked out only where one is used. */
export interface FittingExpression<M extends AnyModel> {
  readonly alias: string;
  readonly [fields]: M["field"];
  readonly [leaves]: M["leaf"] | AnyParam;
}

/** The result of an expression, in a table. */
export type ResultIn<M extends AnyModel, T> =
  T extends Of<string, keyof ColumnResults<unknown>>
    ? M["columns"][T["field"] & M["field"]]["results"][T["result"]]
    : T extends Is<unknown>
      ? T["type"]
      : never;

/** What expressions ask and bring. */
export type LeafOfExpression<E> = E extends Expression ? E[typeof leaves] : never;

/** What expressions say of the grouping of their query. */
export type RoleOf<E> = E extends Expression
  ? "aggregate" extends E[typeof role]
    ? "aggregate"
    : Loose<E[typeof fields]>
  : never;

/** Fields that an expression reads outside an aggregate. */
export interface Loose<out F> {
  readonly loose: F;
}
