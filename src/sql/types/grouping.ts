/** The types of grouping: what may be asked of groups, and that nothing stands beside them that is not one. */
import type { Dialect } from "../words/dialect.js";
import type { OperatorsByDialect } from "../words/operators.js";
import type { Loose } from "./expressions.js";
import type { AnyModel } from "./model.js";
import type { SqlTypeError } from "./sentences.js";

/**
 * What has been said of the rows of a builder: whether `fields` has been called, that an aggregate is among them, the
 * fields that an expression reads, the fields that they are grouped by.
 */
export type Selection = "all columns" | "some fields" | "aggregate" | Loose<string> | Grouped<string>;

/** The fields that rows are grouped by. */
export interface Grouped<out F> {
  readonly grouped: F;
}

/** `F`, unless a field stands beside groups that is not grouped: a sentence about it then. */
export type WhenGrouped<R, M extends AnyModel, S, F> = [S] extends [
  "all columns" | "some fields" | Loose<string>,
]
  ? F
  : [Ungrouped<R, M, S>] extends [never]
    ? F
    : SqlTypeError<`"${Ungrouped<R, M, S>}" stands beside groups: name it in groupBy, or gather it by an aggregate`>;

type Ungrouped<R, M extends AnyModel, S> = Exclude<(keyof R & M["field"]) | LooseOf<S>, GroupedOf<S>>;
type LooseOf<S> = S extends Loose<string> ? S["loose"] : never;
type GroupedOf<S> = S extends Grouped<string> ? S["grouped"] : never;

/** The names of the expressions in a row. */
export type AliasOf<R, M extends AnyModel> = Exclude<keyof R & string, M["field"]>;

/** The operators that the values of an expression take. */
export type OperatorsOfValue<V, D extends Dialect> = [V] extends [string | null]
  ? OperatorsByDialect[D]["text"]
  : [V] extends [boolean | null]
    ? OperatorsByDialect[D]["boolean"]
    : OperatorsByDialect[D]["number"];

/** An aggregate of `havingAgg`. */
export type AggregateName = "count" | "countDistinct" | "sum" | "avg" | "min" | "max";

/** What the aggregates of `havingAgg` take and give. */
export interface Aggregated<M extends AnyModel, F extends M["field"] = M["field"]> {
  readonly count: { readonly field: M["field"] | "*"; readonly value: number };
  readonly countDistinct: { readonly field: M["field"]; readonly value: number };
  readonly sum: {
    readonly field: M["numberField"];
    readonly value: Exclude<M["columns"][F]["results"]["amountOrNull"], null>;
  };
  readonly avg: { readonly field: M["numberField"]; readonly value: number };
  readonly min: { readonly field: M["rangeField"]; readonly value: M["columns"][F]["value"] };
  readonly max: { readonly field: M["rangeField"]; readonly value: M["columns"][F]["value"] };
}
