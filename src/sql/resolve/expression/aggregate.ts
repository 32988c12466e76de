/** Resolves functions over the rows of a group. */

import type { AggregateNode, OperandNode } from "../../ast/expression.js";
import type { Storage } from "../../declare/declaration.js";
import type { ExpressionGrammar } from "../../dialect/grammar/grammar.js";
import type { AggregateFunction, AnyAggregateFunction, ListingFunction } from "../../words/functions.js";
import { meets } from "../../words/kinds.js";
import { compared } from "../scope/layout.js";
import type { Resolution } from "../scope/resolution.js";
import type { Literal, ResolvedCondition } from "../scope/resolved.js";
import { nameOf, type ResolvedValue, resultOfAggregate } from "../scope/result.js";
import { hasAggregate, hasWindow } from "../scope/walk.js";
import { requireOrder, requireScalar } from "./comparison.js";
import { resolveAggregateFilter } from "./condition.js";
import { narrowed, requireDigits } from "./decimals.js";
import { requireNoFanOut } from "./fan-out.js";
import { isListing, resolveListing } from "./listing.js";
import { hasOrder } from "./operators.js";

const allRows: Literal = { kind: "literal", sql: "*" };
const eachRow: Literal = { kind: "literal", sql: "1" };

/** Resolves a function that aggregates rows. */
export function resolveAggregate(
  { func, operand, filter, ...listing }: Omit<AggregateNode, "kind">,
  path: string,
  resolution: Resolution,
): ResolvedValue | undefined {
  const ofRows = func === "count" && (operand === undefined || operand === "*");
  const of = ofRows ? undefined : resolveAggregated(func, operand, `${path}.field`, resolution);
  const condition =
    filter === undefined ? undefined : resolveAggregateFilter(filter, `${path}.filter`, resolution);
  const isBroken = (!ofRows && of === undefined) || (filter !== undefined && condition === undefined);
  if (isBroken) return undefined;
  requireNoFanOut(func, of?.expression, path, resolution);
  if (!isListing(func)) return aggregated(func, of, condition, resolution);
  return of === undefined ? undefined : resolveListing(func, of, listing, condition, path, resolution);
}

function resolveAggregated(
  func: AnyAggregateFunction,
  operand: OperandNode | undefined,
  path: string,
  resolution: Resolution,
): ResolvedValue | undefined {
  if (operand === undefined) {
    resolution.add("INVALID_AGGREGATE", `${func} needs a field`, path);
    return undefined;
  }
  const value = resolution.node(operand, path);
  if (value === undefined) return value;
  const { expression } = value;
  const gathered = hasAggregate(expression) ? "an aggregate" : hasWindow(expression) ? "a window" : undefined;
  if (gathered !== undefined) {
    const message = `${func} cannot take ${gathered}, for it is of the rows of a group`;
    resolution.add("INVALID_AGGREGATE", message, path);
    return undefined;
  }
  if (func === "count" || func === "bool_and" || func === "bool_or" || isListing(func)) return value;
  const { storage } = value;
  const refuse = (what: string) => {
    const message = `${func} takes a field ${what}, ${nameOf(value)} holds ${storage.kind}`;
    resolution.add("INVALID_AGGREGATE", message, path);
  };
  if (func === "count_distinct") {
    requireScalar(value, "countDistinct", path, resolution);
    if (value.expression.kind !== "field") return value;
    resolution.comparable(value.expression.column, path);
    // Equal values are counted once.
    return { ...value, expression: compared(value.expression) };
  } else if (func === "sum" || func === "avg") {
    if (!meets(storage.kind, "a number")) refuse("of numbers");
    requireDigits(func, value, path, resolution);
    return narrowed(value, resolution);
  } else if (hasOrder(storage.kind)) requireOrder(value, path, resolution);
  else refuse("that has an order");
  return value;
}

const templates: { readonly [F in Exclude<AggregateFunction, Written>]: string } = {
  count: "COUNT({f})",
  count_distinct: "COUNT(DISTINCT {f})",
  min: "MIN({f})",
  max: "MAX({f})",
};

/** The functions that each dialect writes in its own way. */
type Written = "sum" | "avg";

function templateOf(
  func: Exclude<AnyAggregateFunction, ListingFunction>,
  result: Storage,
  expressions: ExpressionGrammar,
): string {
  switch (func) {
    case "sum":
      return expressions.sum(result);
    case "avg":
      return expressions.avg(result);
    case "bool_and":
      return expressions.booleans.all;
    case "bool_or":
      return expressions.booleans.any;
    default:
      return templates[func];
  }
}

/** A function over the values of an expression, or over all rows. A filter restricts them. */
export function aggregated(
  func: Exclude<AnyAggregateFunction, ListingFunction>,
  of: ResolvedValue | undefined,
  filter: ResolvedCondition | undefined,
  { grammar: { expressions } }: Resolution,
): ResolvedValue {
  const result = resultOfAggregate(func, of);
  const template = templateOf(func, result.storage, expressions);
  const isSum = func === "sum";
  if (filter === undefined || expressions.filters) {
    const operand = of?.expression ?? allRows;
    return { expression: { kind: "aggregate", template, operand, filter, isSum }, ...result };
  }
  const whens = [{ condition: filter, result: of?.expression ?? eachRow }];
  const operand = { kind: "case", whens, otherwise: undefined } as const;
  return { expression: { kind: "aggregate", template, operand, filter: undefined, isSum }, ...result };
}
