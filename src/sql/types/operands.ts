/** The types of operands: what stands in the place of a field, what it asks there, and what comes out. */

import type { OperandOf } from "../words/operators.js";
import type { AskLeaves } from "./asks.js";
import type { Beside, FieldLeaves, FreeLeaf, fields, KindLeaves, leaves } from "./leaves.js";
import type { AnyModel } from "./model.js";
import type { AnyParam, Param, ParamOr } from "./params.js";
import type { PathLeaves } from "./paths.js";
import type {
  First,
  Fn,
  NumberLike,
  Of,
  OperatorsOfResult,
  ParamsOfLeaves,
  RangeLike,
  ResultIn,
  Sum,
} from "./results.js";
import type { SqlTypeError } from "./sentences.js";

/** The key under which an expression keeps whether it gathers rows; a type only. */
export declare const role: unique symbol;

/** The key under which an expression keeps its result; a type only. */
export declare const result: unique symbol;

/** The key under which an expression keeps its name as a key, so that a name which is taken does not fit; a type only. */
export declare const names: unique symbol;

/**
 * Whether an expression is of one row, or gathers the rows of a group. One that does both names the fields that it
 * reads outside an aggregate.
 */
export type ExpressionRole = "plain" | "aggregate" | Loose<string>;

/**
 * The base of every expression, with a name or without: an operand of others. `T` is how its result follows, `F` the
 * fields that it names, `L` what it asks of them and the parameters that it brings.
 */
export interface OperandExpression<
  out T = unknown,
  out F extends string = string,
  out L = unknown,
  out Role extends ExpressionRole = ExpressionRole,
> {
  readonly [result]: T;
  readonly [fields]: F;
  readonly [leaves]: L;
  readonly [role]: Role;
}

declare const parameter: unique symbol;

/** A parameter with the values of the operand next to it. */
export interface Parameter<out N extends string> {
  readonly [parameter]: N;
}

/** An operand: a field's name, an expression, or a parameter with the values of the operand next to it. */
export type ComparedOperand = string | OperandExpression | Parameter<string>;

// To look for one member costs the compiler a quarter of what an expression as a whole costs, and no other type has it.

/** A value with a result: an expression. */
export interface WithResult<out T = unknown> {
  readonly [result]: T;
}

interface WithFields {
  readonly [fields]: string;
}

/** A value with requirements: an expression. */
export interface WithLeaves {
  readonly [leaves]: unknown;
}

interface WithRole {
  readonly [role]: ExpressionRole;
}

export type SideResult<A> = A extends string ? Of<A, "same"> : A extends WithResult<infer T> ? T : never;
export type SideFields<A> = A extends string ? A : A extends WithFields ? A[typeof fields] : never;
export type SideLeaves<A> = A extends WithLeaves ? A[typeof leaves] : never;

/** The role of a function of operands: if only some of them aggregate, the fields of the others stay loose. */
export type SidesRole<A> = [RoleOfOperand<A>] extends ["plain"]
  ? "plain"
  : A extends unknown
    ? RoleOfOperand<A> extends "plain"
      ? [SideFields<A>] extends [never]
        ? never
        : Loose<SideFields<A>>
      : RoleOfOperand<A>
    : never;

/** An expression that fits a table. An interface: what it asks of the table is worked out only where one is used. */
export interface FittingOperand<M extends AnyModel> {
  readonly [fields]: M["field"];
  readonly [leaves]: FieldLeaves<M> | KindLeaves<M["dialect"]> | FreeLeaf | PathLeaves<M> | AskLeaves<M>;
}

/** One of single rows that fits a table: what conditions take. */
export interface FittingPlain<M extends AnyModel> {
  readonly [fields]: M["field"];
  readonly [leaves]: FieldLeaves<M> | KindLeaves<M["dialect"]> | FreeLeaf | PathLeaves<M> | AskLeaves<M>;
  readonly [role]: "plain";
}

/** One of values that have an order. */
export interface FittingRange<M extends AnyModel> extends FittingPlain<M> {
  readonly [result]: RangeLike;
}

/** One with a name, as `fields` takes it. */
export interface FittingExpression<M extends AnyModel> {
  // The members of a fitting operand: what an interface extends costs the compiler again in each use.
  readonly [fields]: M["field"];
  readonly [leaves]: FieldLeaves<M> | KindLeaves<M["dialect"]> | FreeLeaf | PathLeaves<M> | AskLeaves<M>;
  // A key that is no name: of an object whose members are all optional, one is demanded.
  readonly [names]: {
    readonly [Name in M["own" | "alias"] | symbol]?: "a name that no field and no join has";
  };
}

/** The values of an expression that are not null, in a table. */
export type ValueIn<M extends AnyModel, A> =
  A extends WithResult<infer T> ? Exclude<ResultIn<M, T>, null> : never;

/**
 * The parameters of a builder with those of an operand. A conditional type, so that a method which is not called with
 * one costs nothing.
 */
export type WithOperand<P extends AnyParam, M extends AnyModel, A> = A extends WithLeaves
  ? P | ParamsOfLeaves<M, A[typeof leaves]>
  : P;

/** The same with the parameter that an operator compares the operand with, which is not a name of a field. */
export type WithTest<P extends AnyParam, M extends AnyModel, A, O, N extends string> = A extends WithLeaves
  ? P | ParamsOfLeaves<M, A[typeof leaves]> | Param<N, OperandOf<ValueIn<M, A>, O>>
  : never;

/** The parameters of a builder with those of an operand and of the ends of a range that are names of parameters. */
export type WithEnds<P extends AnyParam, M extends AnyModel, A, L> = A extends WithLeaves
  ? P | ParamsOfLeaves<M, A[typeof leaves]> | ParamOr<L, ValueIn<M, A>>
  : never;

/**
 * The operators that an expression, or a field, takes on a dialect. Any other type has the one that all have:
 * the compiler makes it the constraint of a type parameter, and then looks at no results.
 */
export type OperatorsOn<M extends AnyModel, A> =
  A extends WithResult<infer T>
    ? OperatorsOfOperand<M, T>
    : A extends M["field"]
      ? M["columns"][A]["operators"]
      : "=";

/** The operators that an expression takes on a dialect. */
export type OperatorsOfExpression<M extends AnyModel, A> =
  A extends WithResult<infer T> ? OperatorsOfOperand<M, T> : "=";

/** The operators between a field, or an expression of one row, and a constant; none for anything else. */
export type TestsOf<M extends AnyModel, A> = A extends M["field"]
  ? M["columns"][A]["operators"]
  : A extends FittingPlain<M>
    ? OperatorsOfExpression<M, A>
    : never;

type OperatorsOfOperand<M extends AnyModel, T> = T extends object
  ? T extends Of<string, "same" | "value" | "orNull">
    ? M["columns"][T["field"] & M["field"]]["operators"]
    : OperatorsOfResult<M, T>
  : "=";

/** An operand whose values have an order, or a sentence: only the table knows the kind of a path into JSON. */
export type OrderedOperand<M extends AnyModel, A> =
  "<" extends OperatorsOn<M, A> ? unknown : SqlTypeError<"these values have no order">;

/** What has a value and asks something of its table: an expression, not the constraint of one. */
interface Answer {
  readonly [result]: unknown;
  readonly [leaves]: unknown;
}

/**
 * The requirements and parameters of expressions. Where a call is refused the compiler takes the constraint in place of
 * its arguments, and the calls that follow must not ask for the parameters of every expression that there may be.
 */
export type LeafOfExpression<E> = E extends Answer ? E[typeof leaves] : never;

/** The role of an operand. */
type RoleOfOperand<A> = A extends WithRole ? A[typeof role] : "plain";

/** Fields that an expression reads outside an aggregate. */
export interface Loose<out F> {
  readonly loose: F;
}

/** The parameter that an untyped one becomes next to an operand. */
export type Neighbour<P, Other> = P extends Parameter<infer N> ? Beside<N, SideResult<Other>> : never;

/** The parameter of a place whose type the function says: by its name, or by `param`. */
export type ParamIn<A, T> = A extends string
  ? Param<A, T>
  : A extends Parameter<infer N>
    ? Param<N, T>
    : never;

/** An operand of numbers, or a sentence. */
export type NumberSide<A> = A extends string | Parameter<string> | OperandExpression<NumberLike>
  ? A
  : SqlTypeError<"this is not a number">;

/** An operand next to another: one of two parameters needs a schema. */
export type BesideOperand<A, B> =
  A extends Parameter<string>
    ? B extends Parameter<string>
      ? SqlTypeError<"give one of these parameters a schema">
      : unknown
    : unknown;

/** The result of arithmetic. */
export type Calculated<A, B> =
  A extends Parameter<string>
    ? Fn<"amount", SideResult<B>>
    : B extends Parameter<string>
      ? Fn<"amount", SideResult<A>>
      : Sum<SideResult<A>, SideResult<B>>;

/** The result of the first operand that is not null. */
export type FirstOf<A extends readonly unknown[]> = A extends readonly [infer Only]
  ? SideResult<Only>
  : A extends readonly [infer Head, ...infer Rest]
    ? First<SideResult<Head>, FirstOf<Rest>>
    : never;

/** An operand whose values may be compared with those of another, or a sentence. */
export type AlikeOperand<M extends AnyModel, A, B> = [ValueOf<M, A>] extends [Kin<ValueOf<M, B>>]
  ? unknown
  : SqlTypeError<"values of two types cannot be compared">;

/** The values of an operand that are not null. */
export type ValueOf<M extends AnyModel, A> = A extends M["field"] ? M["columns"][A]["value"] : ValueIn<M, A>;
type Kin<V> = V extends string ? string : V extends number ? number : V extends boolean ? boolean : V;

/** An expression whose values a field can hold, or a sentence. */
export type Settable<M extends AnyModel, F extends M["field"], A> =
  A extends WithResult<infer T>
    ? [ResultIn<M, T>] extends [M["columns"][F]["type"]]
      ? unknown
      : [Exclude<ResultIn<M, T>, null>] extends [M["columns"][F]["type"]]
        ? SqlTypeError<`${F} is never null, and this may be: use coalesce`>
        : SqlTypeError<`${F} does not hold values of this type`>
    : never;
