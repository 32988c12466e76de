/** The types of conditions as values: what `c`, `and`, `or` make, and what a builder takes of them. */
import type { ConditionSpec } from "../ast/spec.js";
import type { OperandOf } from "../words/operators.js";
import type { AnyModel, Leaf } from "./model.js";
import type { AnyParam, Param } from "./params.js";

declare const fields: unique symbol;
declare const leaves: unique symbol;

/**
 * A condition made apart from a builder; checked where it is used. `F` is the fields that it names, first so
 * that an error about a misspelt one lists the right ones; `L` is the union of what its parts ask.
 */
export interface Condition<out F extends string = string, out L = unknown> {
  readonly [fields]: F;
  readonly [leaves]: L;
  /** The condition as JSON. */
  readonly spec: ConditionSpec;
}

/** A condition that fits a table. */
export type FittingCondition<M extends AnyModel> = Condition<M["field"], M["leaf"]>;

/** The fields of a condition or a union of conditions. */
export type FieldsOf<C extends Condition> = C[typeof fields];

/** The leaves of a condition or a union of conditions. */
export type LeafOf<C extends Condition> = C[typeof leaves];

/** The parameters that the leaves of a group or an expression bring to a builder. */
export type ParamsOfLeaves<M extends AnyModel, L> =
  L extends Leaf<string, unknown, string>
    ? [L["param"]] extends [never]
      ? never
      : Param<L["param"], OperandOf<M["columns"][L["field"] & M["field"]]["value"], L["operator"]>>
    : Extract<L, AnyParam>;

/**
 * The fields whose values may be compared with those of a field. A member of an interface, not an alias: an error then
 * lists them in place of its name.
 */
export interface Alike<M extends AnyModel, F extends M["field"]> {
  readonly field: {
    [G in M["field"]]: M["columns"][G]["value"] extends M["columns"][F]["value"]
      ? G
      : M["columns"][F]["value"] extends M["columns"][G]["value"]
        ? G
        : never;
  }[M["field"]];
}
