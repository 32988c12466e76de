/** Checks what rows have, and how they are grouped: fields, expressions, GROUP BY, HAVING. */
import { listed, quoted } from "../../core/errors.js";
import { type ExpressionNode, NamedExpression, nodeOfHaving } from "../ast/expression.js";
import { resultOf } from "../ast/result.js";
import type { ConditionSpec } from "../ast/spec.js";
import { checkOperator } from "./condition.js";
import { checkAlias, checkExpression, checkGathering, isGathering } from "./expression.js";
import type { Problems } from "./problems.js";

type Spec = Readonly<Record<string, unknown>>;

/** What the rows of a query have. */
export interface Selection {
  /** The fields; undefined where they are all columns. */
  readonly fields: ReadonlySet<string> | undefined;
  readonly expressions: ReadonlyMap<string, ExpressionNode>;
}

const aggregateKeys: ReadonlySet<string> = new Set(["func", "field", "alias"]);

/** Checks `fields`, and tells what they are. */
export function checkFields(fields: unknown, problems: Problems): Selection {
  const names = new Set<string>();
  const expressions = new Map<string, ExpressionNode>();
  // All columns are asked for by no list at all; an empty one may be a filter that has left nothing.
  if (Array.isArray(fields) && fields.length === 0)
    problems.add("INVALID_FIELD", "fields needs at least one name", "fields");
  problems.list(fields, "fields").forEach((one, i) => {
    const path = `fields[${i}]`;
    if (typeof one !== "object" || one === null) {
      const column = problems.column(one, path);
      if (column !== undefined) names.add(column.property);
      return;
    }
    const named = one instanceof NamedExpression ? one : aggregateOf(one, path, problems);
    if (named === undefined) return;
    checkExpression(named, path, problems);
    if (expressions.has(named.alias))
      problems.add("INVALID_FIELD", `two expressions are called ${quoted(named.alias)}`, `${path}.alias`);
    expressions.set(named.alias, named.node);
  });
  return { fields: fields === undefined ? undefined : names, expressions };
}

/** Checks GROUP BY and HAVING, and that nothing stands beside an aggregate that is not grouped. */
export function checkGrouping(spec: Spec, selection: Selection, problems: Problems): void {
  const { group_by: groupBy, having, having_agg: havingAgg } = spec;
  const groups = new Set<unknown>(problems.list(groupBy, "group_by"));
  [...groups].forEach((field, i) => {
    const column = problems.column(field, `group_by[${i}]`);
    if (column !== undefined) problems.comparable(column, `group_by[${i}]`);
  });
  if (groupBy !== undefined && groups.size === 0)
    problems.add("INVALID_FIELD", "groupBy needs at least one field", "group_by");
  const filters = problems.list(having, "having");
  const aggregates = problems.list(havingAgg, "having_agg");
  aggregates.forEach((filter, i) => {
    checkHavingAgg(filter, `having_agg[${i}]`, problems);
  });
  filters.forEach((filter, i) => {
    checkHaving(filter, selection, `having[${i}]`, problems);
  });
  if (!isGrouped(spec, selection)) {
    if (filters.length > 0)
      problems.add(
        "INVALID_AGGREGATE",
        "having filters groups: call groupBy, or select an aggregate",
        "having",
      );
    return;
  }
  checkGrouped(spec, selection, groups, problems);
}

/** Whether the rows of a query are groups. */
export function isGrouped(spec: Spec, { expressions }: Selection): boolean {
  return (
    spec["group_by"] !== undefined ||
    spec["having_agg"] !== undefined ||
    [...expressions.values()].some(({ kind }) => kind === "aggregate")
  );
}

// An aggregate of a spec, as the expression that it is.
function aggregateOf(spec: object, path: string, problems: Problems): NamedExpression | undefined {
  if (!problems.keys(spec, aggregateKeys, path)) return undefined;
  const { func, field, alias } = spec;
  if (!isGathering(func)) {
    problems.add("INVALID_AGGREGATE", unknownFunction(func), `${path}.func`);
    return undefined;
  }
  if (field !== undefined && typeof field !== "string") {
    problems.column(field, `${path}.field`);
    return undefined;
  }
  if (typeof alias !== "string") {
    checkAlias(alias, `${path}.alias`, problems);
    return undefined;
  }
  return new NamedExpression({ kind: "aggregate", func, field }, alias);
}

const havingKeys: ReadonlySet<string> = new Set(["field", "operator", "param"]);

function checkHaving(filter: unknown, { expressions }: Selection, path: string, problems: Problems): void {
  if (!problems.keys(filter, havingKeys, path)) return;
  const { field: alias, operator, param } = filter;
  problems.param(param, `${path}.param`);
  const node = typeof alias === "string" ? expressions.get(alias) : undefined;
  if (node === undefined) {
    const known = expressions.size === 0 ? "; there is none" : `: ${listed(expressions.keys())}`;
    const message = `having takes the name of an expression in fields, not ${quoted(alias)}${known}`;
    problems.add("INVALID_FIELD", message, `${path}.field`);
    return;
  }
  if (node.kind === "window")
    problems.add("INVALID_AGGREGATE", `${quoted(alias)} is of a window, which HAVING does not see`, path);
  checkComparable(node, operator, `${path}.operator`, problems);
}

const havingAggKeys: ReadonlySet<string> = new Set(["func", "field", "operator", "param"]);

function checkHavingAgg(filter: unknown, path: string, problems: Problems): void {
  if (!problems.keys(filter, havingAggKeys, path)) return;
  const { func, field, operator, param } = filter;
  problems.param(param, `${path}.param`);
  if (!isGathering(func)) {
    problems.add("INVALID_AGGREGATE", unknownFunction(func), `${path}.func`);
    return;
  }
  const column = checkGathering(func, field, `${path}.field`, problems);
  if (column === undefined && func !== "count") return;
  checkComparable(nodeOfHaving(func, field), operator, `${path}.operator`, problems);
}

function checkComparable(node: ExpressionNode, operator: unknown, path: string, problems: Problems): void {
  const { storage } = resultOf(node, problems.table);
  checkOperator(operator, { kind: storage.kind, storage, property: "its value" }, path, problems);
}

function unknownFunction(func: unknown): string {
  return `${quoted(func)} is no aggregate; aggregates: count, count_distinct, sum, avg, min, max`;
}

// What is not grouped has no one value in a group: some servers refuse it, others give that of any row.
function checkGrouped(
  spec: Spec,
  { fields, expressions }: Selection,
  groups: ReadonlySet<unknown>,
  problems: Problems,
): void {
  const refuse = (field: string, path: string) => {
    const message = `field ${quoted(field)} stands beside groups: name it in groupBy, or gather it by an aggregate`;
    problems.add("INVALID_AGGREGATE", message, path);
  };
  for (const field of fields ?? Object.keys(problems.table.columns))
    if (!groups.has(field)) refuse(field, "fields");
  for (const node of expressions.values())
    for (const field of looseFields(node)) if (!groups.has(field)) refuse(field, "fields");
  const { order_by: orderBy } = spec;
  const terms = Array.isArray(orderBy) ? orderBy : [];
  for (const [i, term] of terms.entries()) {
    const { field } = Object(term) as { readonly field?: unknown };
    if (typeof field !== "string" || groups.has(field) || expressions.has(field)) continue;
    if (problems.table.columns[field] !== undefined) refuse(field, `order_by[${i}].field`);
  }
}

/** The fields that an expression reads outside an aggregate. */
function looseFields(node: ExpressionNode): readonly string[] {
  switch (node.kind) {
    case "aggregate":
      return [];
    case "call":
      return node.fields;
    case "cast":
    case "distance":
      return [node.field];
    case "case":
      return node.whens.flatMap(({ condition }) => fieldsIn(condition));
    case "ranking":
      return node.field === undefined ? [] : [node.field];
    case "window": {
      const { of, window } = node;
      const filter = of.kind === "aggregate" && of.filter !== undefined ? fieldsIn(of.filter) : [];
      const own = of.field === undefined || of.field === "*" ? [] : [of.field];
      const around = (window.orderBy ?? []).map(([field]) => field);
      return [...own, ...filter, ...(window.partitionBy ?? []), ...around];
    }
  }
}

function fieldsIn(condition: ConditionSpec): string[] {
  if (typeof condition !== "object") return [];
  if ("group" in condition) return condition.group.flatMap(fieldsIn);
  return "right_field" in condition ? [condition.field, condition.right_field] : [condition.field];
}
