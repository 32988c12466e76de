/** Conditions as expressions, and conditions that hold in all or any rows of a group. */

import type { TestNode } from "../ast/expression.js";
import type { Condition, FieldsOf, LeafOf } from "../types/conditions.js";
import type { AggregateValue, Value } from "../types/expressions.js";
import type { Is } from "../types/results.js";
import { specsOf } from "./condition.js";
import { AggregateExpression, PlainValue } from "./value.js";

type Truth<C extends Condition> = Value<Is<boolean | null>, FieldsOf<C>, LeafOf<C>>;
type TruthOfAll<C extends Condition> = AggregateValue<Is<boolean | null>, FieldsOf<C>, LeafOf<C>>;

/**
 * The condition as an expression: true, false, or null if it is unknown, for instance with NULL.
 * @example
 * import { c, when } from "rowtype";
 * users.query().fields("id", when(c("age", ">=", "ofAge")).as("isAdult"));
 */
export function when<const C extends Condition>(condition: C): Truth<C> {
  // Results and requirements exist only as types.
  return new PlainValue(testOf(condition)) as unknown as Truth<C>;
}

/** Whether a condition holds in all rows of a group in which it is not unknown; null if there are none. */
export function boolAnd<const C extends Condition>(condition: C): TruthOfAll<C> {
  return overRows("bool_and", condition);
}

/** Whether a condition holds in any row of a group in which it is not unknown; null if there are none. */
export function boolOr<const C extends Condition>(condition: C): TruthOfAll<C> {
  return overRows("bool_or", condition);
}

function overRows<C extends Condition>(func: "bool_and" | "bool_or", condition: C): TruthOfAll<C> {
  const node = { kind: "aggregate", func, operand: testOf(condition) } as const;
  // Results and requirements exist only as types.
  return new AggregateExpression(node) as unknown as TruthOfAll<C>;
}

function testOf(condition: unknown): TestNode {
  const [spec] = specsOf([condition]);
  // One condition gives one spec.
  return Object.freeze({ kind: "test", condition: spec as NonNullable<typeof spec> });
}
