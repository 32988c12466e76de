/** The types of expressions: what `upper`, `sum`, `caseWhen` make, and what `fields` makes of them. */
import type { Frame, Window } from "../words/windows.js";
import type { Condition, FieldsOf, LeafOf } from "./conditions.js";
import type { fields, leaves } from "./leaves.js";
import type {
  ComparedOperand,
  ExpressionRole,
  names,
  OperandExpression,
  Parameter,
  result,
  role,
  SideFields,
  SideLeaves,
} from "./operands.js";
import type { Constant, Param } from "./params.js";
import type { OfConstant, OrNull } from "./results.js";

// The members of an operand stand in both: what an interface extends costs the compiler again in each use.

/** An expression with a name, which the row then has; checked where it is used. */
export interface Expression<
  // Without `out`: the compiler does not find by itself how a name as a key varies, and need not.
  Alias extends string = string,
  out T = unknown,
  out F extends string = string,
  out L = unknown,
  out Role extends ExpressionRole = ExpressionRole,
> {
  readonly [result]: T;
  readonly [fields]: F;
  readonly [leaves]: L;
  readonly [role]: Role;
  readonly alias: Alias;
  readonly [names]: { readonly [Name in Alias]: "the name of an expression" };
}

/** A name and the requirements of an expression: one that is compared with fewer members costs less. */
export interface Aliased {
  readonly [result]: unknown;
  readonly [fields]: string;
  readonly [role]: ExpressionRole;
  readonly alias: string;
}

/** An expression without a name. */
export interface Value<
  out T,
  out F extends string = never,
  out L = never,
  out Role extends ExpressionRole = "plain",
> {
  readonly [result]: T;
  readonly [fields]: F;
  readonly [leaves]: L;
  readonly [role]: Role;
  /** Names the expression: letters, digits and `_`, and no field of the table. */
  as<const A extends string>(alias: A): Expression<A, T, F, L, Role>;
}

/** A constant: an operand, and a value in the place of a parameter. It keeps its literal type, for enums. */
export interface ConstantValue<out T> extends Value<OfConstant<T>>, Constant<T> {}

/** Any expression without a name. */
export type AnyValue = Value<unknown, string, unknown, ExpressionRole>;

/** Any aggregate. */
export type AnyAggregate = AggregateValue<unknown, string, unknown>;

/** A function over the rows of a group, or with `over` over a window. */
export interface AggregateValue<out T, out F extends string = never, out L = never>
  extends Value<T, F, L, "aggregate"> {
  /** Aggregates only the rows that meet a condition. */
  filter<const C extends Condition>(condition: C): AggregateValue<T, F | FieldsOf<C>, L | LeafOf<C>>;
  /** One value for each row, over the rows around it; without a window over all rows. */
  over<const G extends string = never>(window?: Window<G>): Value<T, F | G, L>;
  over<const W extends OperandWindow>(window: W): Value<T, F | FieldsOfWindow<W>, L | LeavesOfWindow<W>>;
}

/** All values of a group in one. It has no form over a window. */
export interface ListingValue<out T, out F extends string = never, out L = never>
  extends Value<T, F, L, "aggregate"> {
  /** Gathers only the rows that meet a condition. */
  filter<const C extends Condition>(condition: C): ListingValue<T, F | FieldsOf<C>, L | LeafOf<C>>;
}

/** A function that requires a window. */
export interface RankingValue<out T, out F extends string = never, out L = never> {
  /** One value for each row, over the rows around it. */
  over<const G extends string = never>(window?: Window<G>): Value<T, F | G, L>;
  over<const W extends OperandWindow>(window: W): Value<T, F | FieldsOfWindow<W>, L | LeavesOfWindow<W>>;
}

/** The first or last value of a window, which a frame can leave without any. */
export interface EdgeValue<out A, out F extends string, out L = never> {
  /** One value for each row, over the rows around it. With a frame it may be null. */
  over<const G extends string = never, const W extends Frame | undefined = undefined>(
    window?: Window<G> & { readonly frame?: W },
  ): Value<EdgeResult<A, W>, F | G, L>;
  over<const W extends OperandWindow>(
    window: W,
  ): Value<EdgeResult<A, W["frame"]>, F | FieldsOfWindow<W>, L | LeavesOfWindow<W>>;
}

type EdgeResult<A, W> = undefined extends W ? A : OrNull<A>;

/** A window whose parts and order are operands. */
type OperandWindow = Window<string | OperandExpression>;

type OperandIn<W extends OperandWindow> =
  | (W extends { readonly partitionBy: readonly (infer P)[] } ? P : never)
  | (W extends { readonly orderBy: readonly (readonly [infer O, unknown])[] } ? O : never);
type FieldsOfWindow<W extends OperandWindow> = SideFields<OperandIn<W>>;
type LeavesOfWindow<W extends OperandWindow> = SideLeaves<OperandIn<W>>;

/** A CASE whose labels are values of type `V`: the result `T`, or `T0` if no condition may hold. */
export interface CaseWhen<T, T0, V, F extends string = never, L = never> {
  /** Where the condition holds, the label is the parameter, or the operand. */
  when<const C extends Condition, N extends string>(
    condition: C,
    param: N,
  ): CaseValue<T, T0, V, F | FieldsOf<C>, L | LeafOf<C> | Param<N, V>>;
  when<const C extends Condition, const A extends Exclude<ComparedOperand, string>>(
    condition: C,
    label: A,
  ): CaseValue<T, T0, V, F | FieldsOf<C> | SideFields<A>, L | LeafOf<C> | Label<A, V>>;
}

/** A CASE with at least one label; null where no condition holds. */
export interface CaseValue<T, T0, V, F extends string, L> extends CaseWhen<T, T0, V, F, L>, Value<T0, F, L> {
  /** The label where no condition holds. */
  else<N extends string>(param: N): Value<T, F, L | Param<N, V>>;
  else<const A extends Exclude<ComparedOperand, string>>(
    label: A,
  ): Value<T, F | SideFields<A>, L | Label<A, V>>;
}

type Label<A, V> = A extends Parameter<infer N> ? Param<N, V> : SideLeaves<A>;

/** The effect of expressions on the grouping of their query. */
export type RoleOf<E> = E extends Aliased
  ? E[typeof role] extends "aggregate"
    ? SelectedExpression<E>
    : E[typeof role] extends "plain"
      ? LooseExpression<E>
      : Exclude<E[typeof role], "plain"> | SelectedExpression<E>
  : never;

/** An expression in a row, by its name. */
interface SelectedExpression<out E extends Aliased> {
  readonly named: E["alias"];
  readonly shape: E[typeof result];
}

/**
 * The fields of an expression of one row, which may be grouped by as a whole: by its name, or by the same expression.
 * An interface: what it says is worked out only where rows are grouped.
 */
export interface LooseExpression<out E extends Aliased> {
  readonly loose: E[typeof fields];
  readonly named: E["alias"];
  readonly shape: E[typeof result];
}
