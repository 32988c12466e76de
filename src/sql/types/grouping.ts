/** The types of grouping: the conditions on groups, and the refusal of ungrouped fields. */
import type { Dialect } from "../words/dialect.js";
import type { OperatorsByDialect } from "../words/operators.js";
import type { AnyModel } from "./model.js";
import type { Fewer, Nests } from "./nesting.js";
import type { Loose, WithResult } from "./operands.js";
import type { SqlTypeError } from "./sentences.js";

/**
 * The state of a builder's rows: whether `fields` has been called, whether an aggregate is selected, the fields
 * that expressions read, the grouped fields.
 */
export type Selection =
  | "all columns"
  | "some fields"
  | "aggregate"
  | Nests
  | Fewer
  | Loose<string>
  | NamedItem
  | Grouped<unknown>;

/** An expression in a row, by its name. */
interface NamedItem {
  readonly named: string;
  readonly shape: unknown;
}

/** The row before a call of `fields`, the first of which replaces all columns, and not what is nested. */
export type RowSoFar<R, M extends AnyModel, S> = "some fields" extends S
  ? R
  : Nests extends S
    ? Omit<R, M["own"]>
    : unknown;

/** The terms that rows are grouped by: fields, names of expressions, results of expressions. */
export interface Grouped<out F> {
  readonly grouped: F;
}

/** The terms that an operand groups by. */
export type GroupedBy<A> = A extends WithResult<infer T> ? T : A;

/** `F`; a sentence if a field is not grouped. */
export type WhenGrouped<R, M extends AnyModel, S, F> = [S] extends [
  "all columns" | "some fields" | Nests | Fewer | Loose<string>,
]
  ? F
  : Nests extends S
    ? SqlTypeError<"rows inside rows cannot be combined with groups: leave out with(…), or the groups">
    : [Ungrouped<R, M, S>] extends [never]
      ? F
      : SqlTypeError<`"${Ungrouped<R, M, S>}" is not grouped: name it in groupBy, or aggregate it`>;

type Ungrouped<R, M extends AnyModel, S> = UngroupedOf<R, M, S, GroupedOf<S>>;
type UngroupedOf<R, M extends AnyModel, S, G> = Exclude<(keyof R & M["field"]) | LooseOf<S, G>, G>;
// An expression that is grouped as a whole leaves none of its fields loose.
type LooseOf<S, G> =
  S extends Loose<string>
    ? S extends { readonly named: G } | { readonly shape: G }
      ? never
      : S["loose"]
    : never;
type GroupedOf<S> = S extends Grouped<unknown> ? S["grouped"] : never;

/** The names of the expressions in a row. */
export type AliasOf<R, M extends AnyModel> = Exclude<keyof R & string, M["field"] | M["alias"]>;

/** The operators for the values of an expression. */
export type OperatorsOfValue<V, D extends Dialect> = [V] extends [string | null]
  ? OperatorsByDialect<D>["text"]
  : [V] extends [boolean | null]
    ? OperatorsByDialect<D>["boolean"]
    : OperatorsByDialect<D>["number"];

/** An aggregate of `havingAgg`. */
export type AggregateName = "count" | "countDistinct" | "sum" | "avg" | "min" | "max";

/** The fields and results of the aggregates of `havingAgg`. */
export interface Aggregated<M extends AnyModel, F extends M["field"] = M["field"]> {
  readonly count: { readonly field: M["field"] | "*"; readonly value: number };
  readonly countDistinct: { readonly field: M["field"]; readonly value: number };
  readonly sum: {
    readonly field: M["numberField"];
    readonly value: Exclude<M["columns"][F]["results"]["amountOrNull"], null>;
  };
  readonly avg: {
    readonly field: M["numberField"];
    readonly value: Exclude<M["columns"][F]["results"]["averageOrNull"], null>;
  };
  readonly min: { readonly field: M["rangeField"]; readonly value: M["columns"][F]["value"] };
  readonly max: { readonly field: M["rangeField"]; readonly value: M["columns"][F]["value"] };
}
