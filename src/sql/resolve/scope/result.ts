/** The results of expressions: how their values are stored, and whether they can be null. */

import { quoted } from "../../../core/errors.js";
import type { ColumnInfo, Storage } from "../../declare/declaration.js";
import { decimalOf, MORE_DIGITS } from "../../kind/decimals.js";
import type { AnyAggregateFunction, CallName, CastTarget } from "../../words/functions.js";
import type { Field, Item, ResolvedAggregate, ResolvedExpression, ResolvedQuery } from "./resolved.js";

/** The values of a field or an expression. */
export interface ValueResult {
  readonly storage: Storage;
  readonly nullable: boolean;
  /** The schema that validates JSON values. */
  readonly schema?: ColumnInfo["schema"] | undefined;
}

/** An expression and its result. */
export interface ResolvedValue extends ValueResult {
  readonly expression: ResolvedExpression;
  /** The value in the form for selected rows, if its compared form differs. */
  readonly selected?: ResolvedValue | undefined;
}

/** A query inside a statement. */
export interface InnerRows {
  readonly query: ResolvedQuery | ResolvedAggregate;
  /** The items of its rows, in their order. */
  readonly columns: readonly InnerColumn[];
}

/** The item with a name in the rows of a query inside a statement. */
export interface InnerColumn {
  readonly name: string;
  readonly value: ResolvedValue;
  /** The value as it is written. */
  readonly item: Item;
}

/** The values of a field. */
export function valueOfField(field: Field): ResolvedValue {
  const { storage, schema } = field.column;
  return { expression: field, storage, nullable: field.nullable, schema };
}

/**
 * Whether values of two storages can replace each other: in a CASE, or as the first non-null value of several. Decimals
 * of two scales are converted to one.
 */
export function areAlike(one: Storage, other: Storage): boolean {
  return one.kind === other.kind && one.decimal === other.decimal && one.item?.kind === other.item?.kind;
}

/** Whether values of two storages have one order. Decimals stored as text have none with texts. */
export function areOfOneKind(one: Storage, other: Storage): boolean {
  return one.kind === other.kind && one.decimal === other.decimal;
}

/** Whether an expression is the stored value of a column. */
export function isStored(expression: ResolvedExpression): expression is Field {
  return expression.kind === "field" && expression.isComputed !== true;
}

/** The name of a value in errors. */
export function nameOf({ expression }: ResolvedValue): string {
  return expression.kind === "field" ? quoted(expression.column.property) : "an expression";
}

const text: Storage = { kind: "text" };
const number: Storage = { kind: "number" };
const integer: Storage = { kind: "number", integer: true };
const bigint: Storage = { kind: "bigint", integer: true };
const wide: Storage = { kind: "bigint", integer: true, wide: true };
const date: Storage = { kind: "date" };

/** A whole number, for a count or a position. */
export const wholeNumber: ValueResult = { storage: integer, nullable: false };

/** The result of an aggregate. */
export function resultOfAggregate(func: AnyAggregateFunction, operand: ValueResult | undefined): ValueResult {
  if (func === "count" || func === "count_distinct") return wholeNumber;
  if (func === "avg") return { storage: average(operand), nullable: true };
  if (func === "sum")
    return { storage: operand?.storage.kind === "bigint" ? wide : amount(operand), nullable: true };
  return { ...valuesOf(operand), nullable: true };
}

/** The result of a function of one row, by its first operand and its other arguments. */
export function resultOfCall(
  func: CallName,
  operand: ValueResult | undefined,
  others: readonly ValueResult[],
  digits = 0,
): ValueResult {
  const nullable = operand?.nullable === true || others.some((other) => other.nullable);
  switch (func) {
    case "length":
      return { storage: integer, nullable };
    case "concat":
    case "current_date":
    case "current_time":
      return { storage: text, nullable: false };
    case "abs":
      return { storage: amount(operand), nullable };
    case "ceil":
    case "floor":
    case "round":
      return { storage: rounded(operand, func === "round" ? digits : 0), nullable };
    case "sqrt":
      return { storage: number, nullable: true };
    case "power":
      return { storage: number, nullable };
    case "now":
    case "current_timestamp":
      return { storage: date, nullable: false };
    case "coalesce":
      return firstOf(operand, others);
    case "null_if":
      return { ...valuesOf(operand), nullable: true };
    default:
      return { storage: text, nullable };
  }
}

/** The type of the first non-null value of several. It has a set of allowed values only if all of them have one. */
function firstOf(operand: ValueResult | undefined, others: readonly ValueResult[]): ValueResult {
  const { storage, schema } = valuesOf(operand);
  const nullable = operand?.nullable !== false && others.every((other) => other.nullable);
  if (storage.values === undefined || others.every((other) => other.storage === storage))
    return { storage, nullable, schema };
  const { values: own, ...wide } = storage;
  const lists = others.map((other) => other.storage.values);
  if (lists.some((values) => values === undefined)) return { storage: wide, nullable };
  return {
    storage: { ...wide, values: new Set([...own, ...lists.flatMap((values) => [...(values ?? [])])]) },
    nullable,
  };
}

const casts: { readonly [To in CastTarget]: Storage } = {
  text,
  integer,
  number,
  boolean: { kind: "boolean" },
  date,
};

/** The result of a cast. */
export function resultOfCast(to: CastTarget, { nullable }: ValueResult): ValueResult {
  return { storage: casts[to], nullable };
}

/** The result of the distance of a vector. */
export function resultOfDistance(nullable: boolean): ValueResult {
  return { storage: number, nullable };
}

/** Values without further restrictions. */
export function valuesOf(operand: ValueResult | undefined): ValueResult {
  if (operand === undefined) return { storage: text, nullable: true };
  const { storage, nullable, schema } = operand;
  return { storage, nullable, schema };
}

// Sums and absolute values are numbers of the operand's kind, but not restricted to its allowed values.
function amount(operand: ValueResult | undefined): Storage {
  if (operand?.storage.kind === "bigint") return bigint;
  if (operand?.storage.kind === "decimal") return decimalOf(operand.storage.scale ?? 0);
  return operand?.storage.integer === true ? integer : number;
}

function rounded(operand: ValueResult | undefined, digits: number): Storage {
  if (operand?.storage.kind === "decimal") return decimalOf(digits);
  return operand?.storage.kind === "bigint" ? bigint : number;
}

function average(operand: ValueResult | undefined): Storage {
  if (operand?.storage.kind !== "decimal") return number;
  return decimalOf((operand.storage.scale ?? 0) + MORE_DIGITS);
}
