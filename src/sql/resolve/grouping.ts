/** Resolves GROUP BY and HAVING, and sees that nothing stands beside groups that has no one value in each. */

import { listed, quoted } from "../../core/errors.js";
import { readAggregate } from "./aggregate-spec.js";
import { comparedWith, resolveOperator } from "./comparison.js";
import { comparableOf, resolveAggregate } from "./expression.js";
import type { Resolution } from "./resolution.js";
import type { Condition, Expression, Field } from "./resolved.js";
import type { Value } from "./result.js";
import { type Selection, selectedFields } from "./selection.js";

type Spec = Readonly<Record<string, unknown>>;

export interface Grouping {
  readonly groupBy: readonly Field[];
  readonly having: readonly Condition[];
}

/** That of rows which are no groups. */
export const ungrouped: Grouping = { groupBy: [], having: [] };

/** Resolves `group_by`, `having` and `having_agg`. */
export function resolveGrouping(spec: Spec, selection: Selection, resolution: Resolution): Grouping {
  const { group_by: groupBy, having, having_agg: havingAgg } = spec;
  const isPlain = groupBy === undefined && having === undefined && havingAgg === undefined;
  if (isPlain && selection.expressions.size === 0) return ungrouped;
  const names = new Set<unknown>(resolution.list(groupBy, "group_by"));
  const groups = resolution.fields([...names], "group_by");
  for (const [i, { column }] of groups.entries()) resolution.comparable(column, `group_by[${i}]`);
  if (groupBy !== undefined && names.size === 0)
    resolution.add("INVALID_FIELD", "GROUP BY needs at least one field", "group_by");
  const filters = resolution.list(having, "having");
  const aggregates = resolution
    .list(havingAgg, "having_agg")
    .flatMap((filter, i) => resolveHavingAgg(filter, `having_agg[${i}]`, resolution) ?? []);
  const named = filters.flatMap(
    (filter, i) => resolveHaving(filter, selection, `having[${i}]`, resolution) ?? [],
  );
  if (isGrouped(spec, selection)) requireGrouped(spec, selection, names, resolution);
  else if (filters.length > 0)
    resolution.add(
      "INVALID_AGGREGATE",
      "HAVING filters groups: it needs GROUP BY, or an aggregate among the fields",
      "having",
    );
  return { groupBy: groups, having: [...named, ...aggregates] };
}

/** Whether the rows of a query are groups. */
export function isGrouped(spec: Spec, { expressions }: Selection): boolean {
  return (
    spec["group_by"] !== undefined ||
    spec["having_agg"] !== undefined ||
    [...expressions.values()].some(({ expression }) => gathers(expression))
  );
}

/** Whether an expression gathers rows. */
function gathers(expression: Expression): boolean {
  switch (expression.kind) {
    case "aggregate":
      return true;
    case "call":
      return expression.operands.some(gathers);
    default:
      return false;
  }
}

const havingKeys: ReadonlySet<string> = new Set(["field", "operator", "param"]);

function resolveHaving(
  filter: unknown,
  { expressions }: Selection,
  path: string,
  resolution: Resolution,
): Condition | undefined {
  if (!resolution.keys(filter, havingKeys, path)) return undefined;
  const { field: alias, operator, param } = filter;
  const name = resolution.param(param, `${path}.param`);
  const value = typeof alias === "string" ? expressions.get(alias) : undefined;
  if (value === undefined) {
    const known = expressions.size === 0 ? "; there is none" : `: ${listed(expressions.keys())}`;
    const message = `having takes the name of an expression in fields, not ${quoted(alias)}${known}`;
    resolution.add("INVALID_FIELD", message, `${path}.field`);
    return undefined;
  }
  if (value.expression.kind === "window")
    resolution.add("INVALID_AGGREGATE", `${quoted(alias)} is of a window, which HAVING does not see`, path);
  // A name is written out in full: some servers do not know there what the selected things are called.
  return resolveFilter(value, String(alias), operator, name, `${path}.operator`, resolution);
}

const havingAggKeys: ReadonlySet<string> = new Set(["func", "field", "operator", "param"]);

function resolveHavingAgg(filter: unknown, path: string, resolution: Resolution): Condition | undefined {
  if (!resolution.keys(filter, havingAggKeys, path)) return undefined;
  const { func, field, operator, param } = filter;
  const name = resolution.param(param, `${path}.param`);
  const aggregate = readAggregate(func, field, path, resolution);
  if (aggregate === undefined) return undefined;
  const value = resolveAggregate(aggregate, path, resolution);
  if (value === undefined) return undefined;
  return resolveFilter(value, String(field), operator, name, `${path}.operator`, resolution);
}

function resolveFilter(
  value: Value,
  property: string,
  operator: unknown,
  param: string | undefined,
  path: string,
  resolution: Resolution,
): Condition | undefined {
  const fitting = resolveOperator(operator, comparableOf(value), path, resolution);
  if (fitting === undefined || param === undefined) return undefined;
  const left = { expression: value.expression, target: { ...value, property }, column: undefined };
  return comparedWith(left, fitting, param, resolution);
}

// What is not grouped has no one value in a group: some servers refuse it, others give that of any row.
function requireGrouped(
  spec: Spec,
  selection: Selection,
  groups: ReadonlySet<unknown>,
  resolution: Resolution,
): void {
  const refuse = (field: string, path: string) => {
    const message = `field ${quoted(field)} stands beside groups: name it in GROUP BY, or gather it by an aggregate`;
    resolution.add("INVALID_AGGREGATE", message, path);
  };
  const { expressions } = selection;
  for (const field of selectedFields(selection, resolution).keys())
    if (!groups.has(field)) refuse(field, "fields");
  for (const { expression } of expressions.values())
    for (const { column } of looseFields(expression))
      if (!groups.has(column.property)) refuse(column.property, "fields");
  const { order_by: orderBy } = spec;
  const terms = Array.isArray(orderBy) ? orderBy : [];
  for (const [i, term] of terms.entries()) {
    const { field } = Object(term) as { readonly field?: unknown };
    if (typeof field !== "string" || groups.has(field) || expressions.has(field)) continue;
    if (resolution.scope.field(field) !== undefined) refuse(field, `order_by[${i}].field`);
  }
}

/** The fields that an expression reads outside an aggregate. */
function looseFields(expression: Expression): readonly Field[] {
  switch (expression.kind) {
    case "field":
      return [expression];
    case "call":
      return [...expression.operands, ...expression.params].flatMap(looseFields);
    case "case": {
      const parts = expression.whens.flatMap(({ condition, result }) => [
        ...fieldsIn(condition),
        ...looseFields(result),
      ]);
      return expression.otherwise === undefined ? parts : [...parts, ...looseFields(expression.otherwise)];
    }
    case "window": {
      // A window is over the groups, so its function gathers none of the rows in them.
      const { of, partitionBy, orderBy } = expression;
      const own = of.kind === "aggregate" ? fieldsOfAggregate(of) : looseFields(of);
      return [
        ...own,
        ...partitionBy.flatMap(looseFields),
        ...orderBy.flatMap(({ operand }) => looseFields(operand)),
      ];
    }
    default:
      return [];
  }
}

function fieldsOfAggregate({
  operand,
  filter,
}: Extract<Expression, { kind: "aggregate" }>): readonly Field[] {
  return filter === undefined ? looseFields(operand) : [...looseFields(operand), ...fieldsIn(filter)];
}

function fieldsIn(condition: Condition): readonly Field[] {
  switch (condition.kind) {
    case "group":
      return condition.members.flatMap(fieldsIn);
    case "comparison":
      return [...looseFields(condition.left), ...looseFields(condition.right)];
    case "membership":
      return looseFields(condition.left);
    case "range":
    case "null test":
      return looseFields(condition.operand);
  }
}
