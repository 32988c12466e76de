/** The conditions that builders add, each with the cache key of its step. */
import { describeType } from "../../core/errors.js";
import { ExpressionOperand, RawCondition } from "../ast/expression.js";
import { keyOf, listKey } from "../ast/key.js";
import { keyOfCondition, queriesIn, specsOf } from "../expression/condition.js";
import type { Problem } from "../words/errors.js";
import type { AnyDraft } from "./draft/draft.js";

/** The values that can take the place of a field. */
export type FilterOperand = string | ExpressionOperand;

/** A condition that is added. */
export interface Added {
  readonly key: string | undefined;
  readonly condition: () => object;
  /** The drafts that the key names. */
  readonly operands?: readonly AnyDraft[];
}

/** `operand operator :param`. */
export function compared(field: FilterOperand, operator: string, param: string): Added {
  return { key: keyOf("where", field, operator, param), condition: () => ({ field, operator, param }) };
}

/** A group in parentheses. */
export function grouped(logic: "AND" | "OR", conditions: readonly unknown[]): Added {
  const key = listKey(logic === "AND" ? "whereAnd" : "whereOr", conditions, keyOfCondition);
  return { key, condition: () => ({ logic, group: specsOf(conditions) }), operands: operandsOf(conditions) };
}

/** The drafts of the queries in conditions. */
export function operandsOf(conditions: readonly unknown[]): readonly AnyDraft[] {
  // The queries of builders are drafts.
  return conditions.flatMap(queriesIn).map(({ draft }) => draft as AnyDraft);
}

/** `IS NULL` or `IS NOT NULL`. */
export function nullTested(field: FilterOperand, operator: "IS NULL" | "IS NOT NULL"): Added {
  const key = keyOf(operator === "IS NULL" ? "whereNull" : "whereNotNull", field);
  return { key, condition: () => ({ field, operator, is_null: true }) };
}

/** `BETWEEN` or `NOT BETWEEN`. */
export function ranged(
  field: FilterOperand,
  operator: "BETWEEN" | "NOT BETWEEN",
  low: string,
  high: string,
): Added {
  const key = keyOf(operator === "BETWEEN" ? "whereBetween" : "whereNotBetween", field, low, high);
  return { key, condition: () => ({ field, operator, low_param: low, high_param: high }) };
}

/** Two operands compared with each other. */
export function comparedFields(left: FilterOperand, operator: string, right: FilterOperand): Added {
  const key = keyOf("whereFields", left, operator, right);
  return { key, condition: () => ({ field: left, operator, right_field: right }) };
}

/** Raw text that is a condition; a problem for any other value. */
export function rawCondition(text: unknown): RawCondition | Problem {
  const node = ExpressionOperand.own(text)?.node;
  if (node?.kind === "raw") return new RawCondition(node);
  const message = `whereRaw takes raw(z.boolean())\`…\`, not ${describeType(text)}`;
  return { code: "INVALID_CONDITION", message, path: "where" };
}
