/** Resolves the conditions that hold for all rows of a part of a table. */
import { infix } from "../../dialect/grammar/forms.js";
import { operandBinder } from "../../value/binder.js";
import type { Resolution } from "../scope/resolution.js";
import type { Layout, ResolvedCondition } from "../scope/resolved.js";
import { formOf } from "./comparison.js";
import { dateCondition, specialDates } from "./dates.js";
import { constantParameter } from "./param.js";

/** The conditions of a table that is such a part: each of its fixed fields has one value. */
export function fixedConditions(
  { table, fields }: Pick<Layout, "table" | "fields">,
  { grammar }: Resolution,
): ResolvedCondition[] {
  const { fixed } = table;
  if (fixed === undefined) return [];
  return [...fixed.values()].flatMap(({ column, value }): ResolvedCondition | readonly [] => {
    const left = fields.get(column.property);
    if (left === undefined) return [];
    const place = { param: column.property, table };
    const binder = () => {
      const bind = operandBinder(column, grammar, place);
      return () => bind(value);
    };
    const right = constantParameter(value, { operand: "value", column }, binder, { grammar });
    const dates = specialDates(column.storage, grammar);
    if (dates !== undefined) return dateCondition(left, "=", right, dates);
    const form = formOf(column, { operator: "=", form: infix("=") }, { grammar, table });
    return { kind: "comparison", form, left, right, isEquality: true, optional: undefined };
  });
}
