/** Resolves conditions on the values of a query: whether a value is among them, how it compares with the only one. */
import { listed, quoted } from "../../../core/errors.js";
import { isObject } from "../../../core/values.js";
import { BuilderOnly } from "../../ast/builder-only.js";
import type { InnerStatement } from "../../ast/inner-query.js";
import type { Resolution } from "../scope/resolution.js";
import type { Item, Literal, ResolvedCondition, ResolvedQuery } from "../scope/resolved.js";
import { nameOf, type ResolvedValue } from "../scope/result.js";
import { hasAggregate, hasWindow, parametersOfOrder } from "../scope/walk.js";
import { type Fitting, resolveOperator } from "./comparison.js";
import { givenIn, resolveApart } from "./inner.js";
import { operandOf } from "./operators.js";
import { compareValues, sidesOf } from "./two-values.js";
import { comparableOf, outputOf } from "./value.js";

const keys: ReadonlySet<string> = new Set(["field", "operator", "query"]);

/** Resolves `{ field, operator, query }`. */
export function resolveAmong(
  condition: object,
  path: string,
  resolution: Resolution,
): ResolvedCondition | undefined {
  if (!resolution.keys(condition, keys, path)) return undefined;
  const value = resolution.operand(condition["field"], `${path}.field`);
  const compared = value === undefined ? undefined : comparableOf(value);
  const fitting = resolveOperator(condition["operator"], compared, `${path}.operator`, resolution);
  const place = `${path}.query`;
  const statement = statementOf(condition["query"], place, resolution);
  if (value === undefined || fitting === undefined || statement === undefined) return undefined;
  const { operator } = fitting;
  const operand = operandOf(operator);
  const isList = statement.kind === "query" || statement.kind === "select";
  if (operand !== "list" && operand !== "value") {
    resolution.add("INVALID_OPERATOR", `${operator} takes no query`, `${path}.operator`);
    return undefined;
  }
  if (isList !== (operand === "list") || statement.kind === "compound") {
    const message = isList
      ? `${operator} takes one value, such as count() or avg(field); IN takes a query of one field`
      : `${operator} takes a query of one field`;
    resolution.add("INVALID_CONDITION", message, place);
    return undefined;
  }
  const inner = resolveApart(statement, place, resolution);
  const [column, ...more] = inner?.columns ?? [];
  if (inner === undefined || column === undefined) return undefined;
  if (more.length > 0) {
    const names = listed(inner.columns.map(({ name }) => name));
    const message = `${operator} takes a query of one field, and this has ${inner.columns.length}: ${names}`;
    resolution.add("INVALID_CONDITION", message, place);
    return undefined;
  }
  const { query } = inner.subquery;
  if (query.kind === "query") refuseNested(query, place, resolution);
  if (query.kind === "aggregate") {
    const found: ResolvedValue = { ...column.value, expression: inner.subquery, nullable: true };
    return compareValues(value, found, fitting, path, resolution);
  }
  return amongOf(value, query, column.value, fitting, path, resolution);
}

function refuseNested({ items = [] }: ResolvedQuery, path: string, resolution: Resolution): void {
  for (const { output } of items)
    if (output.nested !== undefined) {
      const message = `values cannot be compared with nested rows: leave out with(${quoted(output.name)})`;
      resolution.add("INVALID_CONDITION", message, path);
    }
}

function statementOf(given: unknown, path: string, resolution: Resolution): InnerStatement | undefined {
  if (BuilderOnly.isOne(given)) return givenIn(given, path, resolution);
  if (!isObject(given)) {
    resolution.add("INVALID_SPEC", `a query must be an object, not ${quoted(given)}`, path);
    return undefined;
  }
  const { table: name, whole, ...spec } = given;
  const { tables } = resolution.scope;
  const table = typeof name === "string" ? tables?.get(name) : undefined;
  if (table !== undefined)
    return { kind: "query", table: whole === true ? (table.whole ?? table) : table, tables, spec };
  const message = `${quoted(name)} is not a table of the module; tables: ${listed(tables?.keys() ?? [])}`;
  resolution.add("INVALID_SPEC", message, `${path}.table`);
  return undefined;
}

// The name of a query as a table, and of its only column. Nothing else is in scope.
const TABLE = "found";
const COLUMN = "value";

function amongOf(
  left: ResolvedValue,
  query: ResolvedQuery,
  found: ResolvedValue,
  { operator }: Fitting,
  path: string,
  resolution: Resolution,
): ResolvedCondition | undefined {
  if (left.storage.kind !== found.storage.kind) {
    const message = `${nameOf(left)} and ${nameOf(found)} of the query cannot be compared by ${operator}`;
    resolution.add("INVALID_OPERATOR", message, path);
    return undefined;
  }
  for (const { expression } of [left, found])
    if (expression.kind === "field") resolution.comparable(expression.column, path);
  const { quote } = resolution.grammar;
  const isNegated = operator === "NOT IN";
  const { items, where } = query;
  const itemOf = (expression: Item["expression"]): Item => ({
    expression,
    name: quote(COLUMN),
    output: items?.[0]?.output ?? outputOf(found, COLUMN, resolution),
  });
  if (isPlain(query, found)) {
    const sides = sidesOf(left, found, resolution);
    const isThere = { kind: "null test", operand: found.expression, test: " IS NOT NULL" } as const;
    resolution.shared.unwritten.push(...parametersOfOrder(query.orderBy));
    const inside: ResolvedQuery = {
      ...query,
      isDistinct: false,
      items: [itemOf(sides.right)],
      where: found.nullable ? [...where, isThere] : where,
      orderBy: [],
    };
    const rows = { kind: "subquery", query: inside, reads: [] } as const;
    return { kind: "among", left: sides.left, rows, isNegated, through: undefined };
  }
  const column: Literal = { kind: "literal", sql: `${quote(TABLE)}.${quote(COLUMN)}` };
  const sides = sidesOf(left, { ...found, expression: column }, resolution);
  const ordered = query.paging.length > 0 || query.distinctOn.length > 0;
  if (!ordered) resolution.shared.unwritten.push(...parametersOfOrder(query.orderBy));
  const inside: ResolvedQuery = {
    ...query,
    items: [itemOf(found.expression)],
    orderBy: ordered ? query.orderBy : [],
  };
  const rows = { kind: "subquery", query: inside, reads: [] } as const;
  const through = { table: quote(TABLE), column, value: sides.right };
  return { kind: "among", left: sides.left, rows, isNegated, through };
}

// Whether the list contains the rows themselves: duplicates do not matter, and a further condition can be added.
function isPlain(
  { distinctOn, groupBy, having, paging }: ResolvedQuery,
  { expression }: ResolvedValue,
): boolean {
  const isOfRows = !hasAggregate(expression) && !hasWindow(expression) && groupBy.length === 0;
  return isOfRows && distinctOn.length === 0 && having.length === 0 && paging.length === 0;
}
