/** Conditions as declarations see them: a declaration keeps one, and knows no more of it than what it names. */
import { safely } from "../../core/errors.js";

/** What a condition names. */
export interface ConditionNames {
  readonly fields: readonly string[];
  readonly params: readonly string[];
  /** What a condition on a row alone cannot hold: queries, aggregates. */
  readonly others: readonly string[];
}

/** A condition, whose data is a part of a spec. */
export interface NamedCondition {
  readonly spec: object;
  readonly names: ConditionNames;
}

// Conditions of another copy of this package are recognised too.
const CONDITION = Symbol.for("rowtype.condition");

/** Marks the class of conditions. */
export function markCondition(prototype: NamedCondition): void {
  Object.defineProperty(prototype, CONDITION, { value: true });
}

/** The value as a condition; undefined for any other value. */
export function asCondition(value: unknown): NamedCondition | undefined {
  if (typeof value !== "object" || value === null || !safely(() => Reflect.get(value, CONDITION) === true))
    return undefined;
  // Only conditions have the mark.
  return value as NamedCondition;
}
