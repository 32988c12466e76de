/** The types of conditions as values: the results of `c`, `and`, `or`, and the conditions that a builder accepts. */
import type { ConditionSpec } from "../ast/spec.js";
import type { AskLeaves } from "./asks.js";
import type { FieldLeaves, FreeLeaf, fields, KindLeaves, Leaves, leaves } from "./leaves.js";
import type { AnyModel } from "./model.js";
import type { PathLeaves } from "./paths.js";

/**
 * A condition that is created without a builder and checked where it is used. `F` is the fields that it names,
 * first so that an error about a misspelt field lists the right ones; `L` is the union of the requirements of
 * its parts.
 */
export interface Condition<out F extends string = string, out L = unknown> {
  readonly [fields]: F;
  readonly [leaves]: NoInfer<Leaves<L>>;
  /** The condition as JSON. */
  readonly spec: ConditionSpec;
}

/** A condition that fits a table. */
export interface FittingCondition<M extends AnyModel> {
  readonly [fields]: M["field"];
  readonly [leaves]: Leaves<
    FieldLeaves<M> | KindLeaves<M["dialect"]> | FreeLeaf | PathLeaves<M> | AskLeaves<M>
  >;
  readonly spec: ConditionSpec;
}

/** The fields of a condition or a union of conditions. */
export type FieldsOf<C extends Condition> = C[typeof fields];

/** The leaves of a condition or a union of conditions. */
export type LeafOf<C extends Condition> = C[typeof leaves]["all"];
