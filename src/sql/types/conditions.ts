/** The types of conditions as values: what `c`, `and`, `or` make, and what a builder takes of them. */
import type { ConditionSpec } from "../ast/spec.js";
import type { AnyModel } from "./model.js";
import type { OperandOf } from "./operators.js";

declare const leaf: unique symbol;

/**
 * A condition made apart from a builder; checked where it is used. `Leaf` is the union of what its parts ask:
 * `[field, operator, parameter]`.
 */
export interface Condition<out Leaf = unknown> {
  readonly [leaf]: Leaf;
  /** The condition as JSON. */
  readonly spec: ConditionSpec;
}

/** The leaves of a condition or a union of conditions. */
export type LeafOf<C extends Condition> = C[typeof leaf];

/** The parameters that the leaves of a group bring to a builder. */
export type ParamsOfLeaves<M extends AnyModel, L> = L extends readonly [
  infer F extends M["field"],
  infer O,
  infer Name extends string,
]
  ? Name extends string
    ? readonly [Name, OperandOf<M["columns"][F]["value"], O>]
    : never
  : never;
