/** The steps that add conditions. */
import { describeType } from "../../core/errors.js";
import { RawCondition } from "../ast/condition-parts.js";
import { ExpressionOperand, paramPart } from "../ast/expression.js";
import { keyOf, listKey } from "../ast/key.js";
import { keyOfCondition, queriesIn, specsOf } from "../expression/condition.js";
import { type AnyDraft, type ChainStep, failed, type Placing } from "./draft/draft.js";

/** The values that can take the place of a field. */
export type FilterOperand = string | ExpressionOperand;

/** `operand operator :param`. */
export function comparing<D extends AnyDraft>(
  field: FilterOperand,
  operator: string,
  param: unknown,
): ChainStep<D> {
  const key = keyOf("where", field, operator, paramPart(param));
  const on = (draft: D, placed: Placing) => draft.filtered(placed({ field, operator, param }));
  return { key, parts: [param], on };
}

/** A group in parentheses. */
export function grouped<D extends AnyDraft>(
  logic: "AND" | "OR",
  conditions: readonly unknown[],
): ChainStep<D> {
  const key = listKey(logic === "AND" ? "whereAnd" : "whereOr", conditions, keyOfCondition);
  const operands = operandsOf(conditions);
  const on = (draft: D, placed: Placing) => draft.filtered(placed({ logic, group: specsOf(conditions) }));
  return { key, operands, parts: conditions, on };
}

/** The drafts of the queries in conditions. */
export function operandsOf(conditions: readonly unknown[]): readonly AnyDraft[] {
  // The queries of builders are drafts.
  return conditions.flatMap(queriesIn).map(({ draft }) => draft as AnyDraft);
}

/** `IS NULL` or `IS NOT NULL`. */
export function nullTested<D extends AnyDraft>(
  field: FilterOperand,
  operator: "IS NULL" | "IS NOT NULL",
): ChainStep<D> {
  const key = keyOf(operator === "IS NULL" ? "whereNull" : "whereNotNull", field);
  return { key, on: (draft) => draft.filtered({ field, operator, is_null: true }) };
}

/** `BETWEEN` or `NOT BETWEEN`. */
export function ranged<D extends AnyDraft>(
  field: FilterOperand,
  operator: "BETWEEN" | "NOT BETWEEN",
  low: unknown,
  high: unknown,
): ChainStep<D> {
  const method = operator === "BETWEEN" ? "whereBetween" : "whereNotBetween";
  const key = keyOf(method, field, paramPart(low), paramPart(high));
  const condition = { field, operator, low_param: low, high_param: high };
  return { key, parts: [low, high], on: (draft, placed) => draft.filtered(placed(condition)) };
}

/** Two operands compared with each other. */
export function comparedFields<D extends AnyDraft>(
  left: FilterOperand,
  operator: string,
  right: FilterOperand,
): ChainStep<D> {
  const key = keyOf("whereFields", left, operator, right);
  return { key, on: (draft) => draft.filtered({ field: left, operator, right_field: right }) };
}

/** Raw text that is a condition; a problem for any other value. */
export function filteredByText<D extends AnyDraft>(text: unknown): ChainStep<D> {
  const node = ExpressionOperand.own(text)?.node;
  if (node?.kind === "raw") return { key: undefined, on: (draft) => draft.filtered(new RawCondition(node)) };
  const message = `whereRaw takes raw(z.boolean())\`…\`, not ${describeType(text)}`;
  return failed({ code: "INVALID_CONDITION", message, path: "where" });
}
