/**
 * Examples of specs, made from the table. Each is valid and runs without parameters, or names its parameters after the
 * fields. The docs page fills its forms with them.
 */
import { isLargeObject } from "../resolve/scope/layout.js";
import { PARAM_NAME } from "../resolve/scope/resolution.js";
import { meets } from "../words/kinds.js";
import type { Permissions } from "./permissions.js";
import type { SpecKind } from "./spec-problems.js";

/** The number of fields in an example. */
const FEW = 3;
const ROWS = 10;

/** An example of a kind of spec; `undefined` if the table does not allow one. */
export function exampleOf(kind: SpecKind, permissions: Permissions): object | undefined {
  const rows = exampleRows(permissions);
  switch (kind) {
    case "query":
      return { ...rows, ...limit(permissions) };
    case "select":
      return rows;
    case "insert":
      return {};
    case "modify": {
      const [field] = permissions.columns.filter(({ readOnly, primaryKey }) => !readOnly && !primaryKey);
      const where = exampleWhere(permissions);
      if (field === undefined || where === undefined) return undefined;
      return { set: { [field.property]: nameFor(field.property, "new_") }, where };
    }
    case "remove": {
      const where = exampleWhere(permissions);
      return where && { where };
    }
    case "aggregate":
      return {};
    case "compound": {
      const { fields } = rows;
      return {
        base: { fields },
        operands: [{ operation: "union_all", query: { fields } }],
        ...limit(permissions),
      };
    }
  }
}

function exampleRows(permissions: Permissions): {
  readonly fields: readonly string[];
  readonly order_by?: unknown;
} {
  const chosen = permissions.columns.filter(({ kind }) => meets(kind, "a scalar"));
  const fields = (chosen.length > 0 ? chosen : permissions.columns).slice(0, FEW);
  const first = fields.find(
    (column) =>
      meets(column.kind, "a scalar") && !isLargeObject(column, permissions.table, permissions.grammar),
  );
  const names = fields.map(({ property }) => property);
  return first === undefined
    ? { fields: names }
    : { fields: names, order_by: [{ field: first.property, direction: "asc" }] };
}

function limit({ maxLimit = ROWS }: Permissions): { readonly limit: number } {
  return { limit: Math.min(ROWS, maxLimit) };
}

function exampleWhere({ columns, table, grammar }: Permissions): readonly object[] | undefined {
  const comparable = columns.filter(
    (column) => meets(column.kind, "a scalar") && !isLargeObject(column, table, grammar),
  );
  const field = comparable.find(({ primaryKey }) => primaryKey) ?? comparable[0];
  return field && [{ field: field.property, operator: "=", param: nameFor(field.property) }];
}

function nameFor(property: string, before = ""): string {
  const name = `${before}${property}`;
  return PARAM_NAME.test(name) ? name : "value";
}
