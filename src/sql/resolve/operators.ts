/**
 * Which operators a column takes, at run time: the twin of `types/operators.ts`. A dialect that lacks one says
 * so in its grammar; here is only what makes sense for a kind of column.
 */
import { type DistanceOperator, distanceOperators, type Kind, type Operator } from "../words/operators.js";

const equality: readonly Operator[] = ["=", "!="];
const comparison: readonly Operator[] = [...equality, ">", ">=", "<", "<="];
const lists: readonly Operator[] = ["IN", "NOT IN"];
const patterns: readonly Operator[] = ["LIKE", "NOT LIKE", "ILIKE", "NOT ILIKE"];
const regexes: readonly Operator[] = ["~", "~*", "!~", "!~*"];
const arrays: readonly Operator[] = ["@>", "<@", "&&"];

const operatorsByKind: { readonly [K in Kind]: ReadonlySet<Operator> } = {
  text: new Set([...comparison, ...lists, ...patterns, ...regexes]),
  number: new Set([...comparison, ...lists]),
  bigint: new Set([...comparison, ...lists]),
  date: new Set([...comparison, ...lists]),
  boolean: new Set([...equality, ...lists]),
  bytes: new Set(equality),
  array: new Set([...equality, ...arrays]),
  json: new Set(),
  vector: new Set(),
};

const all: ReadonlySet<string> = new Set([...comparison, ...lists, ...patterns, ...regexes, ...arrays]);

/** Whether a value from outside is an operator at all. */
export function isOperator(value: unknown): value is Operator {
  return typeof value === "string" && all.has(value);
}

const distances: ReadonlySet<unknown> = new Set(distanceOperators);

/** Whether a value from outside is an operator between vectors. */
export function isDistanceOperator(value: unknown): value is DistanceOperator {
  return distances.has(value);
}

/** The operators of a kind of column. */
export function operatorsOf(kind: Kind): ReadonlySet<Operator> {
  return operatorsByKind[kind];
}

/** Whether values of a kind have an order, for BETWEEN. */
export function hasOrder(kind: Kind): boolean {
  return operatorsByKind[kind].has(">");
}

/** What the parameter of an operator is: a list, a pattern, or a value of the column. */
export function operandOf(operator: Operator): "list" | "pattern" | "value" {
  if (lists.includes(operator)) return "list";
  return patterns.includes(operator) || regexes.includes(operator) ? "pattern" : "value";
}
