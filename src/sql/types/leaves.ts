/**
 * Leaves: what the parts of a condition or an expression ask of the table that it will meet, and the parameters that
 * they bring. A function does not know the table, so it writes down what it asks, and a builder compares that with its
 * model.
 */
import type { Dialect } from "../words/dialect.js";
import type { NullTest, OperatorsByDialect, RangeTest } from "../words/operators.js";
import type { AnyModel } from "./model.js";
import type { AnyParam } from "./params.js";

/** Where conditions and expressions keep the fields that they name; a type only. */
export declare const fields: unique symbol;
/** Where they keep what they ask of those, and the parameters that they bring; a type only. */
export declare const leaves: unique symbol;

/**
 * Leaves as a condition holds them, by `NoInfer`: a builder's parameter says much of its table, and the compiler would look
 * through all of it for the type arguments of a call of `c` in its place. To compare the result alone costs a third.
 */
export interface Leaves<out L> {
  readonly all: L;
}

/** The requirement of one part on a field: an operator or a need, and the name of a parameter. */
export interface Leaf<F, out O, out Name> {
  readonly field: F;
  readonly operator: O;
  readonly param: Name;
  /** The same by the names of the fields, so that a table looks at the columns that are named and at no others. */
  readonly on: { readonly [P in F & string]: O };
}

/** The leaves of fields that fit a table. An interface: what a column takes is worked out only where it is asked. */
export interface FieldLeaves<M extends AnyModel> {
  readonly field: M["field"];
  readonly param: string;
  readonly on: { readonly [P in M["field"]]?: M["columns"][P]["tests"] };
}

/** A parameter with the values of the expression next to it. */
export interface Beside<out Name, out T, out O = "="> {
  readonly beside: Name;
  readonly of: T;
  readonly operator: O;
}

/** An operator on an expression whose kind is known without its table: the dialect says whether it has it. */
export interface KindLeaf<K extends string, out O> {
  readonly kinds: { readonly [P in K]: O };
}

/** The possible requirements on expressions on a dialect. An interface: only those in use are worked out. */
export interface KindLeaves<D extends Dialect> {
  readonly kinds: {
    readonly text?: OperatorsByDialect<D>["text"] | RangeTest | NullTest;
    readonly number?: OperatorsByDialect<D>["number"] | RangeTest | NullTest;
    readonly date?: OperatorsByDialect<D>["date"] | RangeTest | NullTest;
    readonly boolean?: OperatorsByDialect<D>["boolean"] | NullTest;
    readonly any?: NullTest;
  };
}

/** Everything but leaves of fields that a builder takes of a condition or an expression. */
export type FreeLeaf = AnyParam | Beside<string, unknown, string>;

/** The requirements of a part with a query. */
export interface AskLeaf<out A> {
  readonly asks: A;
}

/** An aggregate of related rows: its fields, and what it asks of those. */
export interface Gathered<out To, out F, out L> {
  readonly of: To;
  readonly fields: F;
  readonly leaves: L;
}

/** The requirements of `of`, and those of its aggregate on the table that the relation leads to. */
export interface OfLeaf<out To, out F, out L> extends AskLeaf<Gathered<To, F, L>> {
  readonly inside: L;
}

/** A condition that names some of these fields only. */
export interface OverFields<out F extends string> {
  readonly [fields]: F;
}
