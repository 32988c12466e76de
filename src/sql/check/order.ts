/** Checks an order: its fields and names, directions, the place of NULLs, distances. */
import { listed, quoted } from "../../core/errors.js";
import { readExpression } from "../ast/order.js";
import { resultOf } from "../ast/result.js";
import { checkDecimal } from "./condition.js";
import { checkDistance } from "./distance.js";
import type { Problems } from "./problems.js";
import type { Selection } from "./selection.js";

const keys: ReadonlySet<string> = new Set([
  "field",
  "direction",
  "nulls",
  "nulls_first",
  "nulls_last",
  "operator",
  "param",
  "expression",
]);

/**
 * Checks `order_by`.
 * @param only what an order may name: every column, or what the rows have, and for what reason no more.
 */
export function checkOrder(
  orderBy: unknown,
  selection: Selection,
  only: "columns" | "DISTINCT" | "a compound query",
  problems: Problems,
): void {
  problems.list(orderBy, "order_by").forEach((term, i) => {
    const path = `order_by[${i}]`;
    if (!problems.keys(term, keys, path)) return;
    const { direction, operator, param, expression } = term;
    if (direction !== "asc" && direction !== "desc")
      problems.add(
        "INVALID_DIRECTION",
        `direction is asc or desc, not ${quoted(direction)}`,
        `${path}.direction`,
      );
    checkNulls(term, path, problems);
    if (expression !== undefined) checkExpressionText(term, path, problems);
    const { field } = readExpression(expression) ?? term;
    if (expression === undefined && (operator !== undefined || param !== undefined))
      checkDistance({ field, operator, param }, (part) => `${path}.${part}`, problems);
    else if (expression === undefined) checkTerm(field, selection, `${path}.field`, problems);
    checkSelected(
      field,
      selection,
      only,
      expression === undefined ? `${path}.field` : `${path}.expression`,
      problems,
    );
  });
}

function checkTerm(field: unknown, { expressions }: Selection, path: string, problems: Problems): void {
  const node = typeof field === "string" ? expressions.get(field) : undefined;
  const column = node === undefined ? problems.column(field, path) : undefined;
  if (node !== undefined) checkDecimal(resultOf(node, problems.table), path, problems);
  if (column === undefined) return;
  checkDecimal(column, path, problems);
  problems.comparable(column, path);
}

function checkNulls(term: Readonly<Record<string, unknown>>, path: string, problems: Problems): void {
  const { nulls, nulls_first: first, nulls_last: last } = term;
  if (nulls !== undefined && nulls !== "first" && nulls !== "last")
    problems.add("INVALID_NULLS", `nulls is first or last, not ${quoted(nulls)}`, `${path}.nulls`);
  for (const [key, value] of Object.entries({ nulls_first: first, nulls_last: last }))
    if (value !== undefined && typeof value !== "boolean")
      problems.add("INVALID_NULLS", `${key} is a boolean`, `${path}.${key}`);
  const said = [nulls !== undefined, first === true, last === true].filter(Boolean).length;
  if (said > 1) problems.add("INVALID_NULLS", "where NULLs go is said once", path);
}

function checkExpressionText(
  { expression, field, operator, param }: Readonly<Record<string, unknown>>,
  path: string,
  problems: Problems,
): void {
  const parts = readExpression(expression);
  if (parts !== undefined) checkDistance(parts, () => `${path}.expression`, problems);
  else
    problems.add(
      "INVALID_SPEC",
      "an expression is a field of vectors, one of <-> <#> <=> <+>, and :param",
      `${path}.expression`,
    );
  if (field !== undefined || operator !== undefined || param !== undefined)
    problems.add("INVALID_SPEC", "an expression stands in place of field, operator and param", path);
}

function checkSelected(
  field: unknown,
  { fields, expressions }: Selection,
  only: "columns" | "DISTINCT" | "a compound query",
  path: string,
  problems: Problems,
): void {
  if (only === "columns" || fields === undefined || typeof field !== "string") return;
  if (problems.table.columns[field] === undefined || fields.has(field) || expressions.has(field)) return;
  const names = listed([...fields, ...expressions.keys()]);
  const message = `${only} orders by selected fields only, ${quoted(field)} is not; selected: ${names}`;
  problems.add("INVALID_FIELD", message, path);
}
