/** Conditions as values: made apart from a builder, checked where they are used. */
import { describeType } from "../../core/errors.js";
import { keyOf, listKey } from "../ast/key.js";
import type { ConditionSpec } from "../ast/spec.js";
import type { Condition, FieldsOf, LeafOf } from "../types/conditions.js";
import type { Leaf } from "../types/model.js";
import type { NullTest, Operator, RangeTest } from "../words/operators.js";

/**
 * `field operator :param`.
 * @example
 * import { c, or } from "rowtype";
 * users.query().whereOr(c("age", ">", "minAge"), c("role", "=", "role"));
 */
export function c<F extends string, O extends Operator, N extends string>(
  field: F,
  operator: O,
  param: N,
): Condition<F, Leaf<F, O, N>> {
  return condition({ field, operator, param }, keyOf("c", field, operator, param));
}

/** `field IS NULL`. */
export function isNull<F extends string>(field: F): Condition<F, Leaf<F, NullTest, never>> {
  return condition({ field, operator: "IS NULL", is_null: true }, keyOf("null", field));
}

/** `field IS NOT NULL`. */
export function notNull<F extends string>(field: F): Condition<F, Leaf<F, NullTest, never>> {
  return condition({ field, operator: "IS NOT NULL", is_null: true }, keyOf("notNull", field));
}

/** `field BETWEEN :low AND :high`, both ends included. */
export function between<F extends string, L extends string, H extends string>(
  field: F,
  low: L,
  high: H,
): Condition<F, Leaf<F, RangeTest, L | H>> {
  return condition(
    { field, operator: "BETWEEN", low_param: low, high_param: high },
    keyOf("between", field, low, high),
  );
}

/** `field NOT BETWEEN :low AND :high`. */
export function notBetween<F extends string, L extends string, H extends string>(
  field: F,
  low: L,
  high: H,
): Condition<F, Leaf<F, RangeTest, L | H>> {
  return condition(
    { field, operator: "NOT BETWEEN", low_param: low, high_param: high },
    keyOf("notBetween", field, low, high),
  );
}

/** All of the conditions, in parentheses. */
export function and<const C extends readonly Condition[]>(
  ...conditions: C
): Condition<FieldsOf<C[number]>, LeafOf<C[number]>> {
  return condition({ logic: "AND", group: specsOf(conditions) }, listKey("and", conditions, keyOfCondition));
}

/** Any of the conditions, in parentheses. */
export function or<const C extends readonly Condition[]>(
  ...conditions: C
): Condition<FieldsOf<C[number]>, LeafOf<C[number]>> {
  return condition({ logic: "OR", group: specsOf(conditions) }, listKey("or", conditions, keyOfCondition));
}

/**
 * The specs of conditions. What is no condition is replaced by a word for it, which the check refuses: an object
 * of somebody else could change between the check and the rendering.
 */
export function specsOf(conditions: readonly unknown[]): readonly ConditionSpec[] {
  const specOf = (one: unknown) =>
    ConditionValue.own(one)?.spec ?? (describeType(one) as unknown as ConditionSpec);
  return Object.freeze(conditions.map(specOf));
}

/** What tells a condition from all others; undefined for what is none, or holds something that is no text. */
export function keyOfCondition(condition: unknown): string | undefined {
  return ConditionValue.own(condition)?.key;
}

class ConditionValue {
  readonly #spec: ConditionSpec;
  readonly #key: string | undefined;

  constructor(spec: ConditionSpec, key: string | undefined) {
    this.#spec = Object.freeze(spec);
    this.#key = key;
    Object.freeze(this);
  }

  get spec(): ConditionSpec {
    return this.#spec;
  }

  get key(): string | undefined {
    return this.#key;
  }

  /** The value as a condition of ours; undefined for what is none, a proxy of one too. */
  static own(value: unknown): ConditionValue | undefined {
    return typeof value === "object" && value !== null && #spec in value ? value : undefined;
  }
}

// Fields and leaf are types only: the cast gives the value those of the function that made it.
function condition<F extends string, L>(spec: ConditionSpec, key: string | undefined): Condition<F, L> {
  return new ConditionValue(spec, key) as unknown as Condition<F, L>;
}
