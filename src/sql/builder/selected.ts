/** Shared by `fields` and `returning`: the parts of a row. */
import { describeType } from "../../core/errors.js";
import { ReturnedFields } from "../ast/builder-parts.js";
import { ExpressionOperand, NamedExpression } from "../ast/expression.js";
import { listKey, operandKey } from "../ast/key.js";
import type { InsertStatement, SelectedItem } from "../ast/statement.js";
import type { ChangeStatement } from "../resolve/statement.js";
import { isAggregateFunction } from "../words/functions.js";
import type { ChainStep, Draft } from "./draft/draft.js";

type ReturningDraft = Draft<InsertStatement | ChangeStatement>;

/**
 * The stored form of a part of a row. An aggregate that a spec can hold is stored as its spec. A value that is neither
 * a field nor an expression is replaced by a description, which the check refuses: a foreign object could change
 * between the check and the rendering.
 */
export function selected(one: unknown): SelectedItem {
  if (typeof one === "string") return one;
  const expression = ExpressionOperand.own(one);
  if (expression === undefined) return describeType(one);
  if (!(expression instanceof NamedExpression)) return expression;
  const { node, alias } = expression;
  if (node.kind !== "aggregate" || node.filter !== undefined) return expression;
  const { func, operand: field } = node;
  if (typeof field === "object" || !isAggregateFunction(func)) return expression;
  return Object.freeze(field === undefined ? { func, alias } : { func, field, alias });
}

/** The step that adds parts to the returned rows. */
export function returningAlso<D extends ReturningDraft>(names: readonly unknown[]): ChainStep<D> {
  const on = (draft: D) => {
    const { returning } = draft.spec;
    return draft.with({
      returning: new ReturnedFields([...(returning?.list ?? []), ...names.map(selected)]),
    });
  };
  return { key: listKey("returning", names, operandKey), on };
}
