/**
 * Resolves the conditions of a `where`, and those that hold wherever a table is read or changed: the values of a scope,
 * and the filters of its rules.
 */
import { withoutLists } from "../../ast/without-lists.js";
import { infix } from "../../dialect/grammar/forms.js";
import { operandBinder } from "../../value/binder.js";
import type { Resolution } from "../scope/resolution.js";
import type { Layout, ResolvedCondition } from "../scope/resolved.js";
import { NameScope } from "../scope/scope.js";
import { formOf } from "./comparison.js";
import { isOptional, requireOfRows, resolveCondition, resolveFilter } from "./condition.js";
import { dateCondition, specialDates } from "./dates.js";
import { optionalOf } from "./optional.js";
import { constantParameter } from "./param.js";

/** Resolves the conditions of a `where`. */
export function resolveWhere(where: unknown, resolution: Resolution): ResolvedCondition[] {
  const conditions: ResolvedCondition[] = [];
  for (const [i, condition] of resolution.list(where, "where").entries()) {
    const path = `where[${i}]`;
    const resolved = resolveFilter(condition, path, resolution);
    if (!resolution.shared.mayBeOptional && isOptional(condition))
      resolution.add(
        "INVALID_CONDITION",
        "a condition of an update or a removal cannot be optional",
        `${path}.optional`,
      );
    if (resolved !== undefined) {
      requireOfRows(resolved, "filter by having", path, resolution);
      resolution.addOptional(optionalOf(resolved));
      conditions.push(resolved);
    }
  }
  return [...standingConditions(resolution.scope.own, resolution), ...conditions];
}

/** The conditions that every row of a table meets which is there for the statement. */
export function standingConditions(layout: Layout, resolution: Resolution): ResolvedCondition[] {
  if (layout.isPart === true) return [];
  return [...fixedConditions(layout, resolution), ...filterConditions(layout, resolution)];
}

/** The conditions of a `where` that choose among the rows that are there: all but the filters. */
export function limiting(
  where: readonly ResolvedCondition[],
  { table: { fixed, rules }, isPart }: Pick<Layout, "table" | "isPart">,
): readonly ResolvedCondition[] {
  if (isPart === true) return where;
  // They stand after the values of a scope and before the conditions of the statement.
  const from = fixed?.size ?? 0;
  const to = from + (rules?.filters.size ?? 0);
  return from === to ? where : [...where.slice(0, from), ...where.slice(to)];
}

/** A condition of the table itself, whatever a client may see of it. */
export function ownCondition(
  condition: object,
  path: string,
  layout: Layout,
  resolution: Resolution,
): ResolvedCondition | readonly [] {
  return resolveCondition(condition, path, resolution.seeing(new NameScope({ own: layout }))) ?? [];
}

function filterConditions(layout: Layout, resolution: Resolution): ResolvedCondition[] {
  const { rules } = layout.table;
  if (rules === undefined) return [];
  return [...rules.filters].flatMap(([name, condition]) =>
    ownCondition(condition, `filters.${name}`, layout, resolution),
  );
}

/**
 * The conditions that a row meets which is there for everyone, whatever rules are in force, for a text without
 * parameters: lists are written item by item.
 */
export function visibleConditions(layout: Layout, resolution: Resolution): ResolvedCondition[] {
  return [...(layout.table.rules?.declared ?? [])].flatMap(([name, condition]) =>
    ownCondition(withoutLists(condition), `filters.${name}`, layout, resolution),
  );
}

// Each fixed field of a part of a table has one value.
function fixedConditions(
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
