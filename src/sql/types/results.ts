/**
 * Results: what an expression gives, written down without its table, and worked out in it. What a result asks of the
 * columns that it follows from.
 */
import type { output } from "zod/v4/core";
import type { OperandOf, OperatorsByDialect } from "../words/operators.js";
import type { Beside, KindLeaf, Leaf, OfLeaf } from "./leaves.js";
import type { AnyModel, ColumnResults, ColumnSchema, KindOf } from "./model.js";
import type { AnyParam, Param } from "./params.js";
import type { At, PathInto, ValueAt } from "./paths.js";
import type { SqlTypeError } from "./sentences.js";
import type { RelationTarget } from "./target.js";

/** A result that its column says. */
export interface Of<out F, out K> {
  readonly field: F;
  readonly result: K;
}

/** A result that is the same whatever the column. */
export interface Is<out T> {
  readonly type: T;
}

/** An exact decimal, as text of digits. */
export interface IsDecimal<out T = string> extends Is<T> {
  readonly decimal: true;
}

/** A constant text of digits: a decimal among decimals, a text elsewhere. `never` fits in both places. */
interface IsDigits extends Is<string> {
  readonly decimal: never;
}

/** The result of a constant. To the compiler a blank is a number too. */
export type OfConstant<T> = T extends `${number}`
  ? T extends `${string}${" " | "\t" | "\n" | "e" | "x"}${string}`
    ? Is<string>
    : IsDigits
  : Is<Wide<T>>;

/** A result that follows from another as `K` follows from a column that has it. */
export interface Fn<out K, out A> {
  readonly fn: K;
  readonly of: A;
}

/** A result of arithmetic: decimals where one side is, bigints where one side is, numbers otherwise. */
export interface Sum<out A, out B> {
  readonly left: A;
  readonly right: B;
}

/** Any of two results; null only where both may be. */
export interface First<out A, out B> {
  readonly first: A;
  readonly then: B;
}

/** One of several results `A` of one type; null only where all may be. */
export interface AnyOf<out A> extends First<A, A> {
  readonly anyOf: A;
}

/** A result in the table that a relation leads to. */
export interface OfResult<out To, out A> {
  readonly through: To;
  readonly of: A;
}

/** A list of results that are not null. */
export interface ListResult<out A> {
  readonly listOf: A;
}

/** The first result, also null where the other is null. */
export interface NullWith<out A, out B> {
  readonly under: A;
  readonly over: B;
}

/** The same result, which can also be null. */
export type OrNull<A> = A extends Of<infer F, "same"> ? Of<F, "orNull"> : Fn<"orNull", A>;

/** The result of a schema's values, `Is` or `IsDecimal`. An interface: it is worked out only where it is used. */
export interface OfSchema<S extends ColumnSchema> {
  readonly type: S["_zod"]["output"];
  readonly decimal: KindOf<S> extends "decimal" ? true : false;
}

/** The same where they can also be null. */
export interface NullableOfSchema<S extends ColumnSchema> {
  readonly type: output<S> | null;
  readonly decimal: KindOf<S> extends "decimal" ? true : false;
}

/** The result of an expression, in a table. */
export type ResultIn<M extends AnyModel, T> =
  T extends Of<string, keyof ColumnResults<unknown>>
    ? M["columns"][T["field"] & M["field"]]["results"][T["result"]]
    : T extends Is<unknown>
      ? T["type"]
      : OperandResult<M, T>;

// The facts about an expression that are known without its table. A leaf asks its column for the others.
type Inherited = OfColumn | OfResult<string, OfColumn>;
type OfColumn = Of<string, Own> | Fn<Own, unknown> | First<unknown, unknown> | At<string, readonly unknown[]>;
type Own = "same" | "value" | "orNull";

/** Results that are texts, or that a column says. */
export type TextLike = TextResult | OfResult<string, TextResult> | Inherited;
/** Results that are numbers, bigints or decimals, or that a column says. */
export type NumberLike = NumberResult | Inherited;
/** Results that are dates, or that a column says. */
export type DateLike = DateResult | OfResult<string, DateResult> | Inherited;

/** Results that have an order, or that a column says. */
export type RangeLike = TextLike | NumberLike | DateLike;

type TextResult =
  | Of<string, "text">
  | Fn<"text", unknown>
  | (Is<string | null> & { readonly decimal?: false });
type DateResult = Of<string, "date"> | Fn<"date", unknown> | Is<Date | null>;
type Amounts = "number" | "numberOrNull" | "amount" | "amountOrNull" | "averageOrNull";
type NumberResult = Amount | OfResult<string, Amount>;
type Amount =
  | Of<string, Amounts>
  | Fn<Amounts, unknown>
  | Sum<unknown, unknown>
  | Is<number | bigint | null>
  | IsDecimal<string | null>;

/** The requirements on its column of a result that is the column's own. */
export type ColumnNeed<T, K> = T extends Inherited ? NeedOf<T, K> : never;
type NeedOf<T, K> =
  T extends Of<infer F, Own>
    ? Leaf<F, K, never>
    : T extends Fn<Own, infer A>
      ? ColumnNeed<A, K>
      : T extends First<infer A, infer B>
        ? ColumnNeed<A, K> | ColumnNeed<B, K>
        : T extends At<infer F extends string, infer Keys>
          ? PathInto<F, Keys, K>
          : T extends OfResult<infer To, infer A>
            ? OfLeaf<To, never, ColumnNeed<A, K>>
            : never;

/** The requirements of an operator on an expression, and the parameter that it adds. */
export type TestOf<T, O, N extends string> =
  T extends Of<infer F, Own>
    ? Leaf<F, O, N>
    : T extends Fn<Own, infer A>
      ? TestOf<A, O, N>
      : T extends First<infer A, unknown>
        ? TestOf<A, O, N>
        :
            | (T extends At<infer F extends string, infer Keys>
                ? PathInto<F, Keys, O>
                : T extends OfResult<infer To, infer A>
                  ? OfLeaf<To, never, TestOf<A, O, never>>
                  : KindLeaf<KindOfResult<T>, O>)
            | ([N] extends [never] ? never : Beside<N, T, O>);

/** The kind of a result that is not a column's own. */
export type KindOfResult<T> = T extends TextLike
  ? "text"
  : T extends NumberLike
    ? "number"
    : T extends DateLike
      ? "date"
      : T extends Is<boolean | null> | Of<string, "boolean"> | Fn<"boolean", unknown>
        ? "boolean"
        : "any";

/** The operators of a result that is not a column's own. */
export type OperatorsOfResult<M extends AnyModel, T> = T extends Fn<Own, infer A> | First<infer A, unknown>
  ? A extends Of<string, Own>
    ? M["columns"][A["field"] & M["field"]]["operators"]
    : OperatorsOfResult<M, A>
  : T extends NumberResult
    ? KindOperators<M, "number">
    : T extends OfResult<string, Of<string, Own>>
      ? RelationTarget<M, T["through"]>["columns"][T["of"]["field"]]["operators"]
      : ResultIn<M, T> extends infer V
        ? [V] extends [string | null]
          ? KindOperators<M, "text">
          : [V] extends [boolean | null]
            ? KindOperators<M, "boolean">
            : [V] extends [Date | null]
              ? // In JSON it is text, in any form.
                T extends At<string, readonly unknown[]>
                ? never
                : KindOperators<M, "date">
              : [V] extends [
                    T extends At<string, readonly unknown[]> ? number | null : number | bigint | null,
                  ]
                ? KindOperators<M, "number">
                : never
        : never;

/** Whether a result is of decimals, which are texts to the compiler: `true`, or what does not hold it. */
export type DecimalIn<M extends AnyModel, T> = T extends { readonly decimal: infer Is }
  ? Is
  : T extends Of<infer F, Own>
    ? DecimalColumn<M["columns"][F & M["field"]]>
    : T extends Fn<Own, infer A> | NullWith<infer A, unknown>
      ? DecimalIn<M, A>
      : T extends First<infer A, infer B>
        ? DecimalIn<M, A> | DecimalIn<M, B>
        : T extends OfResult<infer To, infer A>
          ? DecimalIn<RelationTarget<M, To>, A>
          : T extends NumberResult
            ? DecimalAmount<Exclude<ResultIn<M, T>, null>>
            : false;
type DecimalAmount<V> = [V] extends [string] ? true : false;

/** Whether a column holds decimals: texts that are calculated with. */
type DecimalColumn<C extends { readonly value: unknown; readonly tests: unknown }> =
  "a number" extends C["tests"] ? DecimalAmount<C["value"]> : false;

/** The result of an expression whose own kind no column says, in a table. */
type OperandResult<M extends AnyModel, T> =
  T extends Fn<keyof ColumnResults<unknown>, unknown>
    ? ColumnResults<ResultIn<M, T["of"]>>[T["fn"]]
    : T extends Sum<unknown, unknown>
      ? Added<ResultIn<M, T["left"]>, ResultIn<M, T["right"]>>
      : T extends First<unknown, unknown>
        ? T extends AnyOf<unknown>
          ? OneKind<Exclude<ResultIn<M, T["anyOf"]>, null>> | NullOfAll<M, T["anyOf"]>
          : Firsts<ResultIn<M, T["first"]>, ResultIn<M, T["then"]>>
        : T extends NullWith<unknown, unknown>
          ? ResultIn<M, T["under"]> | Extract<ResultIn<M, T["over"]>, null>
          : T extends At<string, readonly unknown[]>
            ? ValueAt<M["columns"][T["json"] & M["field"]]["type"], T["keys"]>
            : T extends ListResult<unknown>
              ? Exclude<ResultIn<M, T["listOf"]>, null>[]
              : T extends OfResult<string, unknown>
                ? ResultIn<RelationTarget<M, T["through"]>, T["of"]>
                : never;

type Added<A, B> = [A | B] extends [number | null]
  ? number | Extract<A | B, null>
  : [A | B] extends [string | number | bigint | null]
    ? [Exclude<A | B, null>] extends [number | bigint]
      ? [Exclude<A, null>] extends [Exclude<B, null>]
        ? bigint | Extract<A | B, null>
        : SqlTypeError<"a bigint and a number: cast one">
      : string | Extract<A | B, null>
    : SqlTypeError<"these cannot be calculated with">;

type Firsts<A, B> =
  Wide<Exclude<B, null>> extends Wide<Exclude<A, null>>
    ? null extends A
      ? null extends B
        ? A | B
        : Exclude<A, null> | B
      : A | Exclude<B, null>
    : SqlTypeError<"values of two types">;

type OneKind<V> = [V] extends [string]
  ? V
  : [V] extends [number]
    ? V
    : [V] extends [bigint]
      ? V
      : [V] extends [boolean]
        ? V
        : [V] extends [Date]
          ? V
          : SqlTypeError<"values of two types">;

type NullOfAll<M extends AnyModel, A> = [NeverNull<M, A>] extends [never] ? null : never;
type NeverNull<M extends AnyModel, A> = A extends unknown
  ? null extends ResultIn<M, A>
    ? never
    : true
  : never;

/** A literal's own type, made wide. */
export type Wide<T> = T extends string
  ? string
  : T extends number
    ? number
    : T extends bigint
      ? bigint
      : T extends boolean
        ? boolean
        : T;

/** The operators of a kind of values. */
type KindOperators<M extends AnyModel, K extends "text" | "number" | "date" | "boolean"> = OperatorsByDialect<
  M["dialect"]
>[K];

/** The parameters that leaves bring to a builder. */
export type ParamsOfLeaves<M extends AnyModel, L> = L extends LeafParts
  ? [L["param"]] extends [never]
    ? never
    : Param<L["param"], OperandOf<M["columns"][L["field"] & M["field"]]["value"], L["operator"]>>
  : L extends Beside<string, unknown, string>
    ? Param<L["beside"], OperandOf<Exclude<ResultIn<M, L["of"]>, null>, L["operator"]>>
    : L extends AnyParam
      ? L
      : L extends OfLeaf<string, string, unknown>
        ? ParamsInside<RelationTarget<M, L["asks"]["of"]>, L["inside"]>
        : never;

// A leaf without `on`, whose members cost the compiler as much as all others.
interface LeafParts {
  readonly field: string;
  readonly operator: unknown;
  readonly param: string;
}

// The same of leaves in a related table, where no further relation leads on: the compiler must see an end.
type ParamsInside<M extends AnyModel, L> = L extends LeafParts
  ? [L["param"]] extends [never]
    ? never
    : Param<L["param"], OperandOf<M["columns"][L["field"] & M["field"]]["value"], L["operator"]>>
  : L extends Beside<string, unknown, string>
    ? Param<L["beside"], OperandOf<Exclude<ResultIn<M, L["of"]>, null>, L["operator"]>>
    : Extract<L, AnyParam>;
