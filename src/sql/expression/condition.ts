/** Conditions as values: created without a builder, checked where they are used. */
import { describeType } from "../../core/errors.js";
import { Negated } from "../ast/condition-parts.js";
import { ConditionValue, type LateKey } from "../ast/condition-value.js";
import { constantsIn } from "../ast/constants-in.js";
import { paramPart } from "../ast/expression.js";
import type { ConstantNode } from "../ast/given-node.js";
import type { Offered } from "../ast/inner-query.js";
import { keyOf, listKey } from "../ast/key.js";
import type { ConditionSpec } from "../ast/spec.js";
import type { ConstantLeaf, FitsResult } from "../types/asks.js";
import type { Condition, FieldsOf, LeafOf } from "../types/conditions.js";
import type { Leaf } from "../types/leaves.js";
import type { OperandExpression } from "../types/operands.js";
import type { Constant } from "../types/params.js";
import type { TestOf } from "../types/results.js";
import type { NullTest, Operator, RangeTest } from "../words/operators.js";

/**
 * `operand operator :param`; the operand is a field, or an expression of single rows.
 * @example
 * import { c, or } from "rowtype";
 * users.query().whereOr(c("age", ">", "minAge"), c("role", "=", "role"));
 */
export function c<F extends string, O extends Operator, N extends string>(
  field: F,
  operator: O,
  param: N,
): Condition<F, Leaf<F, O, N>>;
export function c<T, F extends string, L, O extends Operator, N extends string>(
  operand: OperandExpression<T, F, L>,
  operator: O,
  param: N,
): Condition<F, L | TestOf<T, O, N>>;
export function c<const F extends string, O extends Operator, T>(
  field: F,
  operator: O,
  value: Constant<T>,
): Condition<F, Leaf<F, O, never> | ConstantLeaf<F, O, T>>;
export function c<T, F extends string, L, O extends Operator, V>(
  operand: OperandExpression<T, F, L>,
  operator: O,
  value: Constant<V>,
): Condition<F, L | TestOf<T, O, never> | FitsResult<T, O, V>>;
export function c(field: unknown, operator: Operator, param: unknown): Condition {
  const key = () => keyOf("c", field, operator, paramPart(param));
  return condition({ field, operator, param }, key, [], 0, constantsOf(param));
}

function constantsOf(low: unknown, high?: unknown): readonly ConstantNode[] | undefined {
  // The names of parameters are by far the most usual.
  return typeof low === "string" && typeof high !== "object" ? undefined : constantsIn([low, high]);
}

/** `operand IS NULL`. */
export function isNull<F extends string>(field: F): Condition<F, Leaf<F, NullTest, never>>;
export function isNull<T, F extends string, L>(
  operand: OperandExpression<T, F, L>,
): Condition<F, L | TestOf<T, NullTest, never>>;
export function isNull(field: unknown): Condition {
  return condition({ field, operator: "IS NULL", is_null: true }, () => keyOf("null", field));
}

/** `operand IS NOT NULL`. */
export function notNull<F extends string>(field: F): Condition<F, Leaf<F, NullTest, never>>;
export function notNull<T, F extends string, L>(
  operand: OperandExpression<T, F, L>,
): Condition<F, L | TestOf<T, NullTest, never>>;
export function notNull(field: unknown): Condition {
  return condition({ field, operator: "IS NOT NULL", is_null: true }, () => keyOf("notNull", field));
}

/** `operand BETWEEN :low AND :high`, both ends included. */
export function between<F extends string, L extends string, H extends string>(
  field: F,
  low: L,
  high: H,
): Condition<F, Leaf<F, RangeTest, L | H>>;
export function between<T, F extends string, A, L extends string, H extends string>(
  operand: OperandExpression<T, F, A>,
  low: L,
  high: H,
): Condition<F, A | TestOf<T, RangeTest, L | H>>;
export function between<
  const F extends string,
  const L extends string | Constant<unknown>,
  const H extends string | Constant<unknown>,
>(field: F, low: L, high: H): Condition<F, Leaf<F, RangeTest, NamesOf<L | H>> | EndsLeaf<F, L | H>>;
export function between<
  T,
  F extends string,
  A,
  const L extends string | Constant<unknown>,
  const H extends string | Constant<unknown>,
>(
  operand: OperandExpression<T, F, A>,
  low: L,
  high: H,
): Condition<F, A | TestOf<T, RangeTest, NamesOf<L | H>> | EndsFit<T, L | H>>;
export function between(field: unknown, low: unknown, high: unknown): Condition {
  return ranged("between", "BETWEEN", field, low, high);
}

/** `operand NOT BETWEEN :low AND :high`. */
export function notBetween<F extends string, L extends string, H extends string>(
  field: F,
  low: L,
  high: H,
): Condition<F, Leaf<F, RangeTest, L | H>>;
export function notBetween<T, F extends string, A, L extends string, H extends string>(
  operand: OperandExpression<T, F, A>,
  low: L,
  high: H,
): Condition<F, A | TestOf<T, RangeTest, L | H>>;
export function notBetween<
  const F extends string,
  const L extends string | Constant<unknown>,
  const H extends string | Constant<unknown>,
>(field: F, low: L, high: H): Condition<F, Leaf<F, RangeTest, NamesOf<L | H>> | EndsLeaf<F, L | H>>;
export function notBetween<
  T,
  F extends string,
  A,
  const L extends string | Constant<unknown>,
  const H extends string | Constant<unknown>,
>(
  operand: OperandExpression<T, F, A>,
  low: L,
  high: H,
): Condition<F, A | TestOf<T, RangeTest, NamesOf<L | H>> | EndsFit<T, L | H>>;
export function notBetween(field: unknown, low: unknown, high: unknown): Condition {
  return ranged("notBetween", "NOT BETWEEN", field, low, high);
}

function ranged(word: string, operator: RangeTest, field: unknown, low: unknown, high: unknown): Condition {
  const key = () => keyOf(word, field, paramPart(low), paramPart(high));
  const spec = { field, operator, low_param: low, high_param: high };
  return condition(spec, key, [], 0, constantsOf(low, high));
}

/** All of the conditions, in parentheses. */
export function and<const C extends readonly Condition[]>(
  ...conditions: C
): Condition<FieldsOf<C[number]>, LeafOf<C[number]>> {
  return group({ logic: "AND", group: specsOf(conditions) }, "and", conditions);
}

/** Any of the conditions, in parentheses. */
export function or<const C extends readonly Condition[]>(
  ...conditions: C
): Condition<FieldsOf<C[number]>, LeafOf<C[number]>> {
  return group({ logic: "OR", group: specsOf(conditions) }, "or", conditions);
}

/**
 * The negated condition: true where it is false, and unknown where it is unknown, for instance with NULL.
 * @example
 * import { and, c, isNull, not } from "rowtype";
 * users.query().whereAnd(not(and(c("age", "<", "age"), isNull("teamId"))));
 */
export function not<const C extends Condition>(condition: C): Condition<FieldsOf<C>, LeafOf<C>> {
  return turned(condition);
}

function turned<F extends string, L>(one: unknown): Condition<F, L> {
  const [spec] = specsOf([one]);
  // One condition gives one spec.
  const negated = new Negated(spec as NonNullable<typeof spec>);
  return group({ not: negated }, "not", [one]);
}

// Groups that nest deeper than any statement allows have no key: writing it would exhaust the stack.
function group<F extends string, L>(
  spec: object,
  word: string,
  conditions: readonly unknown[],
): Condition<F, L> {
  let levels = 1;
  for (const one of conditions) levels = Math.max(levels, 1 + (ConditionValue.own(one)?.levels ?? 0));
  const key = levels > MOST_LEVELS ? undefined : () => listKey(word, conditions, keyOfCondition);
  return condition(spec, key, conditions.flatMap(queriesIn), levels, constantsIn(conditions));
}

const MOST_LEVELS = 200;

/**
 * The specs of conditions. A value that is not a condition is replaced by its description, which the check refuses: a
 * foreign object could change between the check and the rendering.
 */
export function specsOf(conditions: readonly unknown[]): readonly ConditionSpec[] {
  const specOf = (one: unknown) =>
    ConditionValue.own(one)?.spec ?? (describeType(one) as unknown as ConditionSpec);
  return Object.freeze(conditions.map(specOf));
}

/**
 * The key of a step that keeps conditions as they are, if it has any; undefined if these have constants, which are in no
 * key.
 */
export function keyByConditions(
  step: string | undefined,
  conditions: readonly unknown[],
): string | undefined {
  if (step === undefined || conditions.length === 0) return step;
  // Neither key can be a part of the other.
  return constantsIn(conditions).length > 0
    ? undefined
    : listKey(`${step}\0where`, conditions, keyOfCondition);
}

/**
 * The key that identifies a condition; undefined for any other value, and for a condition with a part that is
 * not text.
 */
export function keyOfCondition(condition: unknown): string | undefined {
  return ConditionValue.own(condition)?.key;
}

/** The queries in a condition, which its key names by their ids. */
export function queriesIn(condition: unknown): readonly Offered[] {
  return ConditionValue.own(condition)?.queries ?? [];
}

/**
 * A condition of a spec.
 * @param queries the queries that its key names.
 */
export function condition<F extends string, L>(
  spec: object,
  key: LateKey,
  queries: readonly Offered[] = [],
  levels = 0,
  constants?: readonly ConstantNode[],
): Condition<F, L> {
  // Fields and leaf exist only as types. The cast gives the value the types of its function. The check finds what an
  // untyped caller has put into the spec.
  return new ConditionValue(spec as ConditionSpec, key, queries, levels, constants) as unknown as Condition<
    F,
    L
  >;
}

type NamesOf<L> = Extract<L, string>;
type EndsLeaf<F extends string, L> = L extends Constant<infer V> ? ConstantLeaf<F, RangeTest, V> : never;
type EndsFit<T, L> = L extends Constant<infer V> ? FitsResult<T, RangeTest, V> : never;
