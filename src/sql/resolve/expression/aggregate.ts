/** Resolves functions over the rows of a group. */

import type { AggregateNode, OperandNode } from "../../ast/expression.js";
import type { AnyAggregateFunction } from "../../words/functions.js";
import { meets } from "../../words/kinds.js";
import { aggregates, type SingleAggregate } from "../scope/functions.js";
import { comparedField } from "../scope/layout.js";
import type { Resolution } from "../scope/resolution.js";
import type { Literal, ResolvedCondition } from "../scope/resolved.js";
import { nameOf, type ResolvedValue } from "../scope/result.js";
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
    const message = `${func} cannot contain ${gathered}: it reads the single rows of a group`;
    resolution.add("INVALID_AGGREGATE", message, path);
    return undefined;
  }
  return checks[func]?.(value, path, resolution) ?? value;
}

type Check = (value: ResolvedValue, path: string, resolution: Resolution) => ResolvedValue;

/** How a function takes its values; the others take all values as they are. */
const checks: { readonly [F in AnyAggregateFunction]?: Check } = {
  count_distinct: distinct,
  sum: (value, path, resolution) => numeric("sum", value, path, resolution),
  avg: (value, path, resolution) => numeric("avg", value, path, resolution),
  min: (value, path, resolution) => ordered("min", value, path, resolution),
  max: (value, path, resolution) => ordered("max", value, path, resolution),
};

function distinct(value: ResolvedValue, path: string, resolution: Resolution): ResolvedValue {
  requireScalar(value, "countDistinct", path, resolution);
  if (value.expression.kind !== "field") return value;
  resolution.comparable(value.expression.column, path);
  // Equal values are counted once.
  return { ...value, expression: comparedField(value.expression) };
}

function numeric(
  func: "sum" | "avg",
  value: ResolvedValue,
  path: string,
  resolution: Resolution,
): ResolvedValue {
  if (!meets(value.storage.kind, "a number")) refuse(func, "of numbers", value, path, resolution);
  requireDigits(func, value, path, resolution);
  return narrowed(value, resolution);
}

function ordered(
  func: "min" | "max",
  value: ResolvedValue,
  path: string,
  resolution: Resolution,
): ResolvedValue {
  if (hasOrder(value.storage.kind)) requireOrder(value, path, resolution);
  else refuse(func, "that has an order", value, path, resolution);
  return value;
}

function refuse(
  func: AnyAggregateFunction,
  what: string,
  value: ResolvedValue,
  path: string,
  resolution: Resolution,
): void {
  const message = `${func} takes a field ${what}, ${nameOf(value)} holds ${value.storage.kind}`;
  resolution.add("INVALID_AGGREGATE", message, path);
}

/** A function over the values of an expression, or over all rows. A filter restricts them. */
export function aggregated(
  func: SingleAggregate,
  of: ResolvedValue | undefined,
  filter: ResolvedCondition | undefined,
  { grammar: { expressions } }: Resolution,
): ResolvedValue {
  const form = aggregates[func];
  const result = form.gives(of);
  const template = form.template(expressions, result.storage);
  const isSum = func === "sum";
  if (filter === undefined || expressions.filters) {
    const operand = of?.expression ?? allRows;
    return { expression: { kind: "aggregate", template, operand, filter, isSum }, ...result };
  }
  const whens = [{ condition: filter, result: of?.expression ?? eachRow }];
  const operand = { kind: "case", whens, otherwise: undefined } as const;
  return { expression: { kind: "aggregate", template, operand, filter: undefined, isSum }, ...result };
}
