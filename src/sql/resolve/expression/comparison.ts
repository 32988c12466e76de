/**
 * Operators between a value and a parameter, or another field: whether they are allowed, and their form in the
 * dialect.
 */

import { listed, quoted } from "../../../core/errors.js";
import type { ColumnInfo } from "../../declare/declaration.js";
import { type DateForm, type Grammar, isMissing, type OperatorForm } from "../../dialect/grammar/grammar.js";
import { boundBeside, boundIn } from "../../dialect/grammar/value-codec.js";
import {
  type BinderTarget,
  listBinder,
  operandBinder,
  patternBinder,
  soughtBinder,
  storedForm,
} from "../../value/binder.js";
import { fieldOrExpression } from "../../words/names.js";
import type { Operator } from "../../words/operators.js";
import { isLargeObject } from "../scope/layout.js";
import type { Resolution } from "../scope/resolution.js";
import type {
  Comparison,
  Form,
  Membership,
  ParameterPlace,
  Range,
  ResolvedCall,
  ResolvedExpression,
} from "../scope/resolved.js";
import type { GivenParam } from "../scope/resolved-parameter.js";
import { isStoredField, type ResolvedValue } from "../scope/result.js";
import { shapeOf } from "../scope/walk.js";
import { comparesDates, dateCondition, rangesOf, specialDates } from "./dates.js";
import { isOperator, operandOf, operatorsOf } from "./operators.js";
import { boundTo, placeOf } from "./param.js";

/** The operand of an operator: a column, or an expression. */
export type Comparable = Pick<ColumnInfo, "kind" | "property" | "storage">;

/** An allowed operator, with its form. */
export interface Fitting {
  readonly operator: Operator;
  readonly form: OperatorForm;
}

/** The form of an operator for an operand. Without an operand, only whether it is an operator is checked. */
export function resolveOperator(
  operator: unknown,
  compared: Comparable | undefined,
  path: string,
  resolution: Resolution,
): Fitting | undefined {
  if (!isOperator(operator)) {
    const message = `unknown operator ${quoted(operator)}${allowed(compared)}`;
    resolution.add("INVALID_OPERATOR", message, path);
    return undefined;
  }
  if (compared === undefined) return undefined;
  if (!operatorsOf(compared.kind).has(operator)) {
    const message = `${fieldOrExpression(compared.property)} (${compared.kind}) does not take ${operator}${allowed(compared)}`;
    resolution.add("INVALID_OPERATOR", message, path);
    return undefined;
  }
  if (orders.has(operator)) requireOrder(compared, path, resolution);
  const form = resolution.grammar.operators[operator];
  if (!isMissing(form)) return { operator, form };
  resolution.unsupported(form.feature, form.hint, path);
  return undefined;
}

const orders: ReadonlySet<string> = new Set([">", ">=", "<", "<="]);

/** Adds a problem if the dialect stores exact decimals as text, because texts have a different order than numbers. */
export function requireOrder(
  { storage }: Pick<ColumnInfo, "storage">,
  path: string,
  resolution: Resolution,
): void {
  const missing = resolution.grammar.noDecimalOrder;
  if (missing !== undefined && storage.decimal === true)
    resolution.unsupported(missing.feature, missing.hint, path);
}

/** Adds a problem for JSON from an expression, because servers differ in its equality and its order. */
export function requireScalar(
  { storage, expression }: ResolvedValue,
  what: string,
  path: string,
  resolution: Resolution,
): void {
  if (storage.kind !== "json" || isStoredField(expression)) return;
  const message = `${what} takes texts, numbers or booleans of JSON: an object or a list can be selected, and tested for null`;
  resolution.add("INVALID_OPERATOR", message, path);
}

function allowed(compared: Comparable | undefined): string {
  if (compared === undefined) return "";
  const operators = operatorsOf(compared.kind);
  return operators.size === 0 ? "; only null tests" : `; operators: ${listed(operators)}`;
}

/** The form of an operator on a column, which may be stored outside its row, or on an expression. */
export function formOf(
  column: ColumnInfo | undefined,
  { operator, form }: Fitting,
  { grammar, table }: Pick<Resolution, "grammar" | "table">,
): OperatorForm {
  const { largeObjects } = grammar;
  const isEquality = operator === "=" || operator === "!=";
  if (column === undefined) return { ...form, ...form.onExpression };
  if (largeObjects === undefined || !isEquality || !isLargeObject(column, table, grammar)) return form;
  return largeObjects.operators[operator];
}

/** A date in a form in which equal dates are equal values. */
export function comparableDate(date: ResolvedExpression, { comparable }: DateForm): ResolvedCall {
  return { kind: "call", template: comparable, operands: [date], separator: "", params: [] };
}

/** The operand that a parameter is compared with. */
export interface Left {
  readonly expression: ResolvedExpression;
  /** The storage of its values. */
  readonly target: BinderTarget;
  /** The column of the values, if they are those of a column unchanged. */
  readonly column: ColumnInfo | undefined;
}

/**
 * The form of a value next to an operand. Values for one column may share a placeholder, and so may values for the same
 * expression: a grouping expression must equal the selected one.
 */
export function formBeside(
  operand: Form["operand"],
  { expression, target, column }: Left,
  { sharesPlaceholders }: Grammar,
): Form | undefined {
  if (column !== undefined) return { operand, column };
  const { storage } = target;
  const of = { kind: storage.kind, storage, type: undefined };
  return sharesPlaceholders ? { operand, column: of, beside: shapeOf(expression) } : undefined;
}

/** The text around a value next to an operand, if it needs one. */
export function boundOf({ target, column }: Left, grammar: Grammar): string | undefined {
  return column === undefined ? boundBeside(target.storage, grammar) : boundIn(target.storage, grammar);
}

/** The comparison of a column or an expression with a parameter, or with a constant. */
export function comparedWith(
  of: Left,
  fitting: Fitting,
  given: GivenParam,
  resolution: Resolution,
  optional?: string,
): Comparison | Membership | Range {
  const { expression: left, target, column } = of;
  const { grammar } = resolution;
  const { operator } = fitting;
  const form = formOf(column, fitting, resolution);
  const operand = operandOf(operator);
  const place = placeOf(given, target.property, resolution);
  const shared = formBeside(operand, of, grammar);
  const stored = storedForm(column);
  const parameter = (binder: ParameterPlace["binder"]): ParameterPlace => ({
    kind: "parameter",
    ...given,
    binder: boundTo(given, binder),
    form: shared,
    template: operand === "pattern" ? undefined : boundOf(of, grammar),
  });
  const dates = specialDates(target.storage, grammar);
  if (operand === "list") {
    const list = parameter(() => listBinder(target, grammar, place, dates?.spread, stored));
    const one = dates === undefined || dates.spread !== undefined ? left : comparableDate(left, dates);
    const isNegated = operator === "NOT IN";
    const within = dates === undefined || isNegated ? undefined : rangesOf(left, dates);
    return { kind: "membership", form, left: one, list, isNegated, within, optional };
  }
  if (dates !== undefined && comparesDates(operator)) {
    const value = parameter(() => operandBinder(target, grammar, place, stored));
    return dateCondition(left, operator, value, dates, optional);
  }
  const right = parameter(() => {
    if (operand === "value") return operandBinder(target, grammar, place, stored);
    return operand === "pattern" ? patternBinder(target, form, place) : soughtBinder(target, form, place);
  });
  return { kind: "comparison", form, left, right, isEquality: operator === "=", optional };
}
