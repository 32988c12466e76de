/** Resolved values in the form for rows, and in the form for conditions. */

import type { Grammar } from "../../dialect/grammar/grammar.js";
import { kindOf } from "../../kind/kinds.js";
import type { BinderTarget } from "../../value/binder.js";
import { codecOf } from "../../value/column-codec.js";
import type { Output } from "../../value/output.js";
import { EXPRESSION } from "../../words/names.js";
import type { Resolution } from "../scope/resolution.js";
import type { ResolvedExpression } from "../scope/resolved.js";
import { isStoredField, type ResolvedValue, type ValueResult } from "../scope/result.js";
import type { Comparable, Left } from "./comparison.js";

/** The output of an expression with a name. */
export function outputOf(
  { storage, nullable, schema }: ValueResult,
  name: string,
  { grammar }: Resolution,
): Output {
  const codec = codecOf({ storage, schema }, grammar);
  // If the dialect has no empty text, NULL stands for it.
  const empty = grammar.emptyTextIsNull && storage.kind === "text" && !nullable;
  const zero = kindOf(storage).zero?.(storage);
  return { name, kind: storage.kind, nullable, zero, ...codec, ...(empty ? { ifNull: "" } : {}) };
}

/** The comparable part of a value, as errors name it. */
export function comparableOf({ storage, expression }: ResolvedValue, name: string = EXPRESSION): Comparable {
  if (expression.kind === "field") return expression.column;
  // Not every server can compare a list of the values of a group.
  const isListed = expression.kind === "aggregate" && storage.kind === "array";
  return { kind: isListed ? "json" : storage.kind, storage, property: name };
}

/** The target for binding values that are used with a value. */
export function targetOf(value: ResolvedValue, name: string = EXPRESSION): BinderTarget {
  return value.expression.kind === "field" ? value.expression.column : { ...value, property: name };
}

/** A value as the left side of a comparison. */
export function leftOf(value: ResolvedValue, { grammar }: Resolution, name?: string): Left {
  const { expression } = value;
  const column = isStoredField(expression) ? expression.column : undefined;
  return { expression: collated(value, grammar), target: targetOf(value, name), column };
}

// With a column, a text has the collation of the column.
function collated({ expression, storage }: ResolvedValue, { expressions }: Grammar): ResolvedExpression {
  const { textAlone } = expressions;
  const isAlone = expression.kind === "call" && expression.operands.length === 0;
  if (textAlone === undefined || storage.kind !== "text" || !isAlone) return expression;
  return { ...expression, template: textAlone.replace("{f}", () => expression.template) };
}
