/**
 * Comparisons of dates with several stored values, for example in a column that stores microseconds. Such a date is the
 * range from its first to its last value. The column is not wrapped in an expression, so that an index serves.
 */
import type { Storage } from "../../declare/declaration.js";
import { infix } from "../../dialect/grammar/forms.js";
import type { DateBound, DateForm, Grammar } from "../../dialect/grammar/grammar.js";
import type { ComparisonOperator } from "../../words/operators.js";
import type { Comparison, ParameterPlace, Range, ResolvedExpression, Within } from "../scope/resolved.js";
import { isStoredField } from "../scope/result.js";

/** The date form of a storage, if its dates need a special comparison. */
export function specialDates(storage: Storage, grammar: Grammar): DateForm | undefined {
  if (storage.kind !== "date") return undefined;
  const dates = grammar.dates(storage);
  return dates.isExact && dates.first.template === "{0}" ? undefined : dates;
}

type Ends = readonly [word: string, end: "first" | "last"];

const oneSided: { readonly [O in Exclude<ComparisonOperator, "=" | "!=">]: Ends } = {
  ">": [">", "last"],
  ">=": [">=", "first"],
  "<": ["<", "first"],
  "<=": ["<=", "last"],
};

/** Whether `dateCondition` supports an operator. */
export function comparesDates(operator: string): operator is ComparisonOperator {
  return operator === "=" || operator === "!=" || Object.hasOwn(oneSided, operator);
}

/** `left operator :param` between dates. */
export function dateCondition(
  left: ResolvedExpression,
  operator: ComparisonOperator,
  param: ParameterPlace,
  dates: DateForm,
  optional?: string,
): Comparison | Range {
  const compared = (word: string, end: "first" | "last", isEquality: boolean): Comparison => {
    const right = dateBound(param, dates[end]);
    return { kind: "comparison", form: infix(word), left, right, isEquality, optional };
  };
  if (operator !== "=" && operator !== "!=") return compared(...oneSided[operator], false);
  if (dates.isExact) return compared(operator === "=" ? "=" : "<>", "first", operator === "=");
  const word = operator === "=" ? " BETWEEN " : " NOT BETWEEN ";
  const [low, high] = [dateBound(param, dates.first), dateBound(param, dates.last)];
  return { kind: "range", operand: left, word, low, high, optional };
}

/**
 * The ranges of the dates in a list, for a column as it is stored. An index serves these ranges, but not the form in
 * which the column is compared with a list.
 */
export function rangesOf(left: ResolvedExpression, { first, last, spread }: DateForm): Within | undefined {
  if (!isStoredField(left) || left.sql !== left.name) return undefined;
  // All stored values are in the list.
  if (spread !== undefined) return undefined;
  return { field: left.sql, first: first.template, last: last.template };
}

/** One bound of a range of dates. */
export function dateBound(param: ParameterPlace, { template, bind }: DateBound): ResolvedExpression {
  const { binder } = param;
  const value: ParameterPlace =
    bind === undefined ? param : { ...param, binder: () => composed(binder(), bind) };
  return template === "{0}"
    ? value
    : { kind: "call", template, operands: [], separator: "", params: [value] };
}

function composed(encode: (value: unknown) => unknown, bind: (encoded: unknown) => unknown) {
  return (value: unknown): unknown => bind(encode(value));
}
