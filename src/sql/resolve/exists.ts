/** Resolves conditions on whether there are rows: of a relation, or of a query and two fields. */
import { describeType } from "../../core/errors.js";
import { InnerQuery } from "../ast/inner-query.js";
import { resolveRelated, rowsSaid } from "./inner.js";
import type { Resolution } from "./resolution.js";
import type { Condition, Item, Subquery } from "./resolved.js";
import { wholeNumber } from "./result.js";
import { outputOf } from "./value.js";
import { gathers } from "./walk.js";

const existsKeys: ReadonlySet<string> = new Set(["exists", "where"]);
const notExistsKeys: ReadonlySet<string> = new Set(["not_exists", "where"]);

/** Resolves `{ exists }` and `{ not_exists }`. */
export function resolveExists(
  condition: object,
  path: string,
  resolution: Resolution,
): Condition | undefined {
  const isNegated = "not_exists" in condition;
  if (!resolution.keys(condition, isNegated ? notExistsKeys : existsKeys, path)) return undefined;
  const { where } = condition;
  const place = `${path}.${isNegated ? "not_exists" : "exists"}`;
  const said = rowsSaid(condition[isNegated ? "not_exists" : "exists"], where, place, resolution);
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

// Whether there are rows does not depend on their order and, but for groups, on what they hold.
function onlyWhether(subquery: Subquery, resolution: Resolution): Subquery {
  const { query } = subquery;
  if (query.kind === "aggregate") return subquery;
  const one: Item = {
    expression: { kind: "literal", sql: "1" },
    name: resolution.grammar.quote("one"),
    output: outputOf(wholeNumber, "one", resolution),
  };
  const isOneGroup = query.items?.some(({ expression }) => gathers(expression)) === true;
  const isPlain =
    !isOneGroup && query.distinctOn.length === 0 && query.groupBy.length === 0 && query.having.length === 0;
  const orderBy = query.paging.length === 0 && query.distinctOn.length === 0 ? [] : query.orderBy;
  return {
    ...subquery,
    query: { ...query, orderBy, ...(isPlain ? { items: [one], isDistinct: false } : {}) },
  };
}
