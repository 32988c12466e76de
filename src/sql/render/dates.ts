/**
 * Writes comparisons with dates of which several stored values are one: in a column that keeps microseconds, say. A
 * date is then all that lies between its first and its last value, and the column stands alone, so that an
 * index serves.
 */

import type { Storage } from "../declaration.js";
import type { DateBound, DateForm, Grammar } from "../dialect/grammar.js";
import type { ComparisonOperator } from "../types/operators.js";
import type { Binder } from "../value/binder.js";
import { writeTemplate } from "./template.js";
import type { Form, Writer } from "./writer.js";

/** The dates of a storage, where they are not compared as other values are. */
export function specialDates(storage: Storage, grammar: Grammar): DateForm | undefined {
  if (storage.kind !== "date") return undefined;
  const dates = grammar.dates(storage);
  return dates.isExact && dates.first.template === "{0}" ? undefined : dates;
}

/** A parameter that dates are compared with. */
export interface DateParam {
  readonly name: string;
  readonly binder: () => Binder;
  readonly form: Form | undefined;
}

type Comparison = readonly [text: string, ...bounds: readonly ("first" | "last")[]];

const comparisons: { readonly [O in ComparisonOperator]: Comparison } = {
  "=": [" BETWEEN ", "first", "last"],
  "!=": [" NOT BETWEEN ", "first", "last"],
  ">": [" > ", "last"],
  ">=": [" >= ", "first"],
  "<": [" < ", "first"],
  "<=": [" <= ", "last"],
};

/** Whether an operator is one that `writeDateComparison` writes. */
export function comparesDates(operator: string): operator is ComparisonOperator {
  return Object.hasOwn(comparisons, operator);
}

/** `column operator :param`. */
export function writeDateComparison(
  writer: Writer,
  left: () => void,
  operator: ComparisonOperator,
  param: DateParam,
  dates: DateForm,
): void {
  left();
  const isEquality = operator === "=" || operator === "!=";
  if (isEquality && dates.isExact) {
    writeBound(writer.sql(operator === "=" ? " = " : " <> "), param, dates.first);
    return;
  }
  const [text, ...bounds] = comparisons[operator];
  writer.sql(text).each(bounds, " AND ", (bound) => writeBound(writer, param, dates[bound]));
}

/** Writes one end of a range of dates. */
export function writeBound(
  writer: Writer,
  { name, binder, form }: DateParam,
  { template, bind }: DateBound,
): void {
  const encoded = bind === undefined ? binder : () => bound(binder(), bind);
  writeTemplate(writer, template, () => undefined, [() => writer.param(name, encoded, form)]);
}

function bound(encode: Binder, bind: (encoded: unknown) => unknown): Binder {
  return (value) => bind(encode(value));
}
