/** Resolves GROUP BY and HAVING, and refuses ungrouped expressions that have several values in a group. */

import { listed, quoted } from "../../../core/errors.js";
import { ExpressionOperand } from "../../ast/expression.js";
import { EXPRESSION } from "../../words/names.js";
import { resolveAggregate } from "../expression/aggregate.js";
import { readAggregate } from "../expression/aggregate-spec.js";
import { comparedWith, requireScalar, resolveOperator } from "../expression/comparison.js";
import { comparableOf, leftOf } from "../expression/value.js";
import { comparedField, comparedValue } from "../scope/layout.js";
import { conditionWith } from "../scope/replace.js";
import type { Resolution } from "../scope/resolution.js";
import type { Field, ResolvedCondition, ResolvedExpression, ResolvedQuery } from "../scope/resolved.js";
import type { GivenParam } from "../scope/resolved-parameter.js";
import type { ResolvedValue } from "../scope/result.js";
import { hasAggregate, hasWindow, looseFields, shapeOf } from "../scope/walk.js";
import { type ResolvedSelection, selectedFields } from "./selection.js";

type Spec = Readonly<Record<string, unknown>>;

interface Grouping {
  readonly groupBy: readonly ResolvedExpression[];
  readonly having: readonly ResolvedCondition[];
}

/** The grouping of rows that are not groups. */
export const ungrouped: Grouping = { groupBy: [], having: [] };

/** The order of the rows, and the expressions that make them distinct. */
type Ordering = Pick<ResolvedQuery, "orderBy" | "distinctOn">;

/** Resolves `group_by`, `having` and `having_agg`. */
export function resolveGrouping(
  spec: Spec,
  selection: ResolvedSelection,
  { orderBy, distinctOn }: Ordering,
  resolution: Resolution,
): Grouping {
  const { group_by: groupBy, having, having_agg: havingAgg } = spec;
  const isPlain = groupBy === undefined && having === undefined && havingAgg === undefined;
  const ordersGroups = orderBy.some(({ operand }) => hasAggregate(operand));
  const differInGroups = distinctOn.some(hasAggregate);
  if (isPlain && selection.expressions.size === 0 && !ordersGroups && !differInGroups) return ungrouped;
  const groups = resolveGroups(groupBy, selection, resolution);
  const filters = resolution.list(having, "having");
  const aggregates = resolution
    .list(havingAgg, "having_agg")
    .flatMap((filter, i) => resolveHavingAgg(filter, `having_agg[${i}]`, resolution) ?? []);
  const named = filters.flatMap(
    (filter, i) => resolveHaving(filter, selection, groups, `having[${i}]`, resolution) ?? [],
  );
  if (isGrouped(spec, selection)) requireGrouped(spec, selection, distinctOn, groups, resolution);
  else if (filters.length > 0)
    resolution.add(
      "INVALID_AGGREGATE",
      "HAVING filters groups: it needs GROUP BY, or an aggregate among the fields",
      "having",
    );
  else if (ordersGroups)
    resolution.add("INVALID_AGGREGATE", "an aggregate orders groups: it needs GROUP BY", "order_by");
  else if (differInGroups)
    resolution.add("INVALID_AGGREGATE", "DISTINCT ON an aggregate needs GROUP BY", "distinct_on");
  return { groupBy: groups.expressions, having: [...inHaving(named, groups, resolution), ...aggregates] };
}

/** Filters in the form for the server, if it does not recognize grouped expressions in HAVING. */
function inHaving(
  filters: readonly ResolvedCondition[],
  { has, fields }: Groups,
  { grammar }: Resolution,
): readonly ResolvedCondition[] {
  const { inHaving: template } = grammar.expressions;
  if (template === undefined) return filters;
  // The server knows the name of a field that is itself grouped.
  const isKnown = (part: ResolvedExpression) =>
    part.kind === "field" && fields.get(part.column.property) === part.name;
  const one = (part: ResolvedExpression): ResolvedExpression | undefined =>
    has(part) && !isKnown(part)
      ? { kind: "aggregate", template, operand: part, filter: undefined }
      : undefined;
  return filters.map((filter) => conditionWith(filter, one));
}

/** The expressions by which rows are grouped. */
interface Groups {
  readonly expressions: readonly ResolvedExpression[];
  /** Whether an expression is one of these, and so has one value in each group. */
  readonly has: (expression: ResolvedExpression) => boolean;
  /** The fields among these expressions. */
  readonly fields: ReadonlyMap<string, string>;
}

function resolveGroups(groupBy: unknown, selection: ResolvedSelection, resolution: Resolution): Groups {
  const list = new Set<unknown>(resolution.list(groupBy, "group_by"));
  if (groupBy !== undefined && list.size === 0)
    resolution.add("INVALID_FIELD", "GROUP BY needs at least one field", "group_by");
  const grouped = new Map<string, string>();
  const byShape = new Map<string, ResolvedExpression>();
  [...list].forEach((by, i) => {
    const path = `group_by[${i}]`;
    const alias = typeof by === "string" ? selection.expressions.get(by) : undefined;
    const value = alias ?? resolution.operand(by, path);
    if (value === undefined) return;
    requireScalar(value, "GROUP BY", path, resolution);
    const { expression } = value;
    if (expression.kind === "field") {
      resolution.comparable(expression.column, path);
      grouped.set(expression.column.property, comparedField(expression).sql);
    } else if (hasAggregate(expression) || hasWindow(expression))
      resolution.add("INVALID_AGGREGATE", "GROUP BY takes no aggregate and no window", path);
    const group = comparedValue(value);
    byShape.set(shapeOf(group), group);
  });
  const has = (expression: ResolvedExpression) =>
    expression.kind === "field"
      ? isOneOf(expression, grouped.get(expression.column.property))
      : byShape.size > grouped.size && byShape.has(shapeOf(expression));
  return { expressions: [...byShape.values()], has, fields: grouped };
}

/** Whether a field has one value in groups by a text: the text of its column, or the field's written form. */
function isOneOf({ name, sql }: Field, by: string | undefined): boolean {
  return by !== undefined && (by === name || by === sql);
}

/** Whether the rows of a query are groups. */
export function isGrouped(spec: Spec, { expressions }: ResolvedSelection): boolean {
  return (
    spec["group_by"] !== undefined ||
    spec["having_agg"] !== undefined ||
    (Array.isArray(spec["having"]) && spec["having"].some(isExpressionFilter)) ||
    [...expressions.values()].some(({ expression }) => hasAggregate(expression))
  );
}

function isExpressionFilter(filter: unknown): boolean {
  return ExpressionOperand.own(Object(filter).field) !== undefined;
}

const havingKeys: ReadonlySet<string> = new Set(["field", "operator", "param"]);

function resolveHaving(
  filter: unknown,
  { expressions }: ResolvedSelection,
  groups: Groups,
  path: string,
  resolution: Resolution,
): ResolvedCondition | undefined {
  if (!resolution.keys(filter, havingKeys, path)) return undefined;
  const { field: alias, operator, param } = filter;
  const name = resolution.given(param, `${path}.param`);
  if (ExpressionOperand.own(alias) !== undefined) {
    const own = resolution.operand(alias, `${path}.field`);
    if (own === undefined) return undefined;
    for (const { column } of looseFields(own.expression, groups.has))
      refuseLoose(column.property, groups, `${path}.field`, resolution);
    refuseWindow(own, "the expression", `${path}.field`, resolution);
    return resolveFilter(own, EXPRESSION, operator, name, `${path}.operator`, resolution);
  }
  const value = typeof alias === "string" ? expressions.get(alias) : undefined;
  if (value === undefined) {
    const known = expressions.size === 0 ? "; fields has none" : `: ${listed(expressions.keys())}`;
    const message = `having takes the name of an expression in fields, not ${quoted(alias)}${known}`;
    resolution.add("INVALID_FIELD", message, `${path}.field`);
    return undefined;
  }
  refuseWindow(value, quoted(alias), path, resolution);
  // The full expression replaces a name, because some servers do not know the names of selected items here.
  return resolveFilter(value, String(alias), operator, name, `${path}.operator`, resolution);
}

function refuseWindow(
  { expression }: ResolvedValue,
  name: string,
  path: string,
  resolution: Resolution,
): void {
  if (!hasWindow(expression)) return;
  resolution.add("INVALID_AGGREGATE", `${name} is a window function, which HAVING cannot use`, path);
}

const havingAggKeys: ReadonlySet<string> = new Set(["func", "field", "operator", "param"]);

function resolveHavingAgg(
  filter: unknown,
  path: string,
  resolution: Resolution,
): ResolvedCondition | undefined {
  if (!resolution.keys(filter, havingAggKeys, path)) return undefined;
  const { func, field, operator, param } = filter;
  const name = resolution.given(param, `${path}.param`);
  const aggregate = readAggregate(func, field, path, resolution);
  if (aggregate === undefined) return undefined;
  const value = resolveAggregate(aggregate, path, resolution);
  if (value === undefined) return undefined;
  return resolveFilter(value, String(field), operator, name, `${path}.operator`, resolution);
}

function resolveFilter(
  value: ResolvedValue,
  property: string,
  operator: unknown,
  param: GivenParam | undefined,
  path: string,
  resolution: Resolution,
): ResolvedCondition | undefined {
  const fitting = resolveOperator(operator, comparableOf(value), path, resolution);
  if (fitting === undefined || param === undefined) return undefined;
  return comparedWith(leftOf(value, resolution, property), fitting, param, resolution);
}

// An ungrouped expression has several values in a group: some servers refuse it, others return that of any row.
function requireGrouped(
  spec: Spec,
  selection: ResolvedSelection,
  distinctOn: readonly ResolvedExpression[],
  groups: Groups,
  resolution: Resolution,
): void {
  const requireNone = (expression: ResolvedExpression, path: string) => {
    for (const { column } of looseFields(expression, groups.has))
      refuseLoose(column.property, groups, path, resolution);
  };
  const { expressions } = selection;
  for (const field of selectedFields(selection, resolution).values()) requireNone(field, "fields");
  for (const { expression } of expressions.values()) requireNone(expression, "fields");
  for (const [i, expression] of distinctOn.entries()) requireNone(expression, `distinct_on[${i}]`);
  const { order_by: orderBy } = spec;
  const terms = Array.isArray(orderBy) ? orderBy : [];
  for (const [i, term] of terms.entries()) {
    const { field: by } = Object(term) as { readonly field?: unknown };
    const path = `order_by[${i}].field`;
    if (typeof by === "string") {
      const field = expressions.has(by) ? undefined : resolution.scope.field(by);
      if (field !== undefined) requireNone(field, path);
    } else if (ExpressionOperand.own(by) !== undefined) {
      const value = resolution.operand(by, path);
      if (value !== undefined) requireNone(value.expression, path);
    }
  }
}

function refuseLoose(field: string, { fields }: Groups, path: string, resolution: Resolution): void {
  const message = fields.has(field)
    ? `field ${quoted(field)} is grouped by its milliseconds, and raw text takes what is stored: group by the raw text too`
    : `field ${quoted(field)} is not grouped: name it in GROUP BY or use it in an aggregate`;
  resolution.add("INVALID_AGGREGATE", message, path);
}
