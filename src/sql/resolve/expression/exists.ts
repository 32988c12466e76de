/** Resolves conditions on the existence of rows: of a relation, or of a query and two fields. */
import { describeType } from "../../../core/errors.js";
import { InnerQuery, RowsWhere } from "../../ast/inner-query.js";
import { itemOf } from "../scope/layout.js";
import type { Resolution } from "../scope/resolution.js";
import type {
  Item,
  ResolvedCondition,
  ResolvedExpression,
  ResolvedQuery,
  Subquery,
} from "../scope/resolved.js";
import { wholeNumber } from "../scope/result.js";
import { hasAggregate, hasWindow, parametersOf } from "../scope/walk.js";
import { resolveFound, resolveRelated, rowsSaid, tableFound } from "./inner.js";
import { outputOf } from "./value.js";

const existsKeys: ReadonlySet<string> = new Set(["exists", "where", "whole"]);
const notExistsKeys: ReadonlySet<string> = new Set(["not_exists", "where", "whole"]);

/** Resolves `{ exists }` and `{ not_exists }`. */
export function resolveExists(
  condition: object,
  path: string,
  resolution: Resolution,
): ResolvedCondition | undefined {
  const isNegated = "not_exists" in condition;
  if (!resolution.keys(condition, isNegated ? notExistsKeys : existsKeys, path)) return undefined;
  const { where, whole } = condition;
  const place = `${path}.${isNegated ? "not_exists" : "exists"}`;
  const way = RowsWhere.own(condition[isNegated ? "not_exists" : "exists"]);
  if (way !== undefined) {
    const table = tableFound(way.of, place, resolution);
    const found = table && resolveFound(way.of, table.name, table.statement, place, resolution);
    return found && { kind: "exists", rows: onlyWhether(found.subquery, resolution), isNegated };
  }
  const said = rowsSaid(condition[isNegated ? "not_exists" : "exists"], where, place, resolution, whole);
  if (said === undefined) return undefined;
  const given = InnerQuery.own(where);
  if (given === undefined && where !== undefined && !Array.isArray(where)) {
    resolution.add("INVALID_SPEC", `where must be a list, not ${describeType(where)}`, `${path}.where`);
    return undefined;
  }
  const statement = said.query ?? ({ kind: "query", spec: { where } } as const);
  if (statement.kind !== "query" && statement.kind !== "select") {
    resolution.add("INVALID_RELATION", "exists takes a query of rows", place);
    return undefined;
  }
  const inner = resolveRelated(said, statement, path, resolution);
  return inner && { kind: "exists", rows: onlyWhether(inner.subquery, resolution), isNegated };
}

/** The rows for `EXISTS`. Their order does not matter; their contents matter only for groups. */
export function onlyWhether(subquery: Subquery, resolution: Resolution): Subquery {
  const { query } = subquery;
  if (query.kind === "aggregate") return subquery;
  const { items, isDistinct, paging, distinctOn, groupBy, having } = query;
  const isPaged = paging.length > 0;
  const orderBy = isPaged || distinctOn.length > 0 ? query.orderBy : [];
  const isOneGroup = items?.some(({ expression }) => hasAggregate(expression)) === true;
  // An order may use the name of a selected item.
  const isNamed = orderBy.some(({ operand }) => operand.kind === "literal");
  const isPlain =
    !isOneGroup && !isNamed && distinctOn.length === 0 && groupBy.length === 0 && having.length === 0;
  const one = itemCalled("one", { kind: "literal", sql: "1" }, resolution);
  const reduced: Subquery =
    isPlain && !(isDistinct && isPaged)
      ? { ...subquery, query: { ...query, orderBy, items: [one], isDistinct: false } }
      : { ...subquery, query: isPaged ? counted(query, resolution) : { ...query, orderBy } };
  const written = new Set(parametersOf(reduced));
  resolution.shared.unwritten.push(...parametersOf(subquery).filter((parameter) => !written.has(parameter)));
  return reduced;
}

// SQLite and MariaDB ignore DISTINCT in EXISTS, and MariaDB also GROUP BY, so an offset would skip other rows. They do
// not if each group has a count.
function counted(query: ResolvedQuery, resolution: Resolution): ResolvedQuery {
  const items = query.items ?? [...query.from.fields.values()].map(itemOf);
  const expressions = items.map(({ expression }) => expression);
  const isGrouped = query.groupBy.length > 0;
  if (isGrouped === query.isDistinct || expressions.some((one) => hasAggregate(one) || hasWindow(one)))
    return query;
  return {
    ...query,
    isDistinct: false,
    groupBy: isGrouped ? query.groupBy : expressions,
    items: [...items, itemCalled("rows", allRows, resolution)],
  };
}

const allRows: ResolvedExpression = {
  kind: "aggregate",
  template: "COUNT({f})",
  operand: { kind: "literal", sql: "*" },
  filter: undefined,
};

function itemCalled(name: string, expression: ResolvedExpression, resolution: Resolution): Item {
  const output = outputOf(wholeNumber, name, resolution);
  return { expression, name: resolution.grammar.quote(name), output };
}
