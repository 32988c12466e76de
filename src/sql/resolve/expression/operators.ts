/**
 * The operators of columns at run time. A grammar lists the operators that its dialect lacks; the table of kinds lists
 * those that a kind of column allows.
 */
import { type Kind, kinds, meets } from "../../words/kinds.js";
import { type DistanceOperator, distanceOperators, type Operator } from "../../words/operators.js";
import type { TextPlace } from "../scope/resolved-parameter.js";

const lists: ReadonlySet<Operator> = new Set<Operator>(["IN", "NOT IN"]);
const patterns: ReadonlySet<Operator> = new Set<Operator>([
  "LIKE",
  "NOT LIKE",
  "ILIKE",
  "NOT ILIKE",
  "~",
  "~*",
  "!~",
  "!~*",
]);

const operatorsByKind: ReadonlyMap<string, ReadonlySet<Operator>> = new Map(
  Object.entries(kinds).map(([kind, { operators, postgres }]) => [
    kind,
    new Set<Operator>([...operators, ...postgres]),
  ]),
);
const none: ReadonlySet<Operator> = new Set();

const all: ReadonlySet<string> = new Set(
  [...operatorsByKind.values()].flatMap((operators) => [...operators]),
);

/** Whether a foreign value is an operator at all. */
export function isOperator(value: unknown): value is Operator {
  return typeof value === "string" && all.has(value);
}

const distances: ReadonlySet<unknown> = new Set(distanceOperators);

/** Whether a foreign value is an operator between vectors. */
export function isDistanceOperator(value: unknown): value is DistanceOperator {
  return distances.has(value);
}

/** The operators of a kind of column. */
export function operatorsOf(kind: Kind): ReadonlySet<Operator> {
  return operatorsByKind.get(kind) ?? none;
}

/** Whether values of a kind have an order, for BETWEEN. */
export function hasOrder(kind: Kind): boolean {
  return meets(kind, "an order");
}

const places: ReadonlyMap<Operator, TextPlace> = new Map<Operator, TextPlace>([
  ["CONTAINS", "inside"],
  ["ICONTAINS", "inside"],
  ["STARTS WITH", "start"],
  ["ISTARTS WITH", "start"],
  ["ENDS WITH", "end"],
  ["IENDS WITH", "end"],
]);

/** The kind of an operator's parameter: a list, a pattern, a plain text, or a value of the column. */
export function operandOf(operator: Operator): "list" | "pattern" | "value" | TextPlace {
  if (lists.has(operator)) return "list";
  const place = places.get(operator);
  if (place !== undefined) return place;
  return patterns.has(operator) ? "pattern" : "value";
}
