/** What expressions give: how their values are stored, and whether they can be null. */
import type { ColumnInfo, Storage } from "../declare/declaration.js";
import type { AggregateFunction, CallName, CastTarget } from "../words/functions.js";
import type { Expression } from "./resolved.js";

/** The values of a field or an expression. */
export interface Result {
  readonly storage: Storage;
  readonly nullable: boolean;
  /** What values of JSON are held against. */
  readonly schema?: ColumnInfo["schema"] | undefined;
}

/** An expression, and what it gives. */
export interface Value extends Result {
  readonly expression: Expression;
}

const text: Storage = { kind: "text" };
const number: Storage = { kind: "number" };
const integer: Storage = { kind: "number", integer: true };
const bigint: Storage = { kind: "bigint", integer: true };
const wide: Storage = { kind: "bigint", integer: true, wide: true };
const date: Storage = { kind: "date" };

/** A whole number, which a count or a place is. */
export const wholeNumber: Result = { storage: integer, nullable: false };

/** The result of an aggregate. */
export function resultOfAggregate(func: AggregateFunction, operand: Result | undefined): Result {
  if (func === "count" || func === "count_distinct") return wholeNumber;
  if (func === "avg") return { storage: number, nullable: true };
  if (func === "sum")
    return { storage: operand?.storage.kind === "bigint" ? wide : amount(operand), nullable: true };
  return { ...valuesOf(operand), nullable: true };
}

/** The result of a function of one row, by its first operand. */
export function resultOfCall(func: CallName, operand: Result | undefined): Result {
  const nullable = operand?.nullable === true;
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
      return { storage: operand?.storage.kind === "bigint" ? bigint : number, nullable };
    case "sqrt":
      return { storage: number, nullable: true };
    case "power":
      return { storage: number, nullable };
    case "now":
    case "current_timestamp":
      return { storage: date, nullable: false };
    case "coalesce":
      return { ...valuesOf(operand), nullable: false };
    case "null_if":
      return { ...valuesOf(operand), nullable: true };
    default:
      return { storage: text, nullable };
  }
}

const casts: { readonly [To in CastTarget]: Storage } = {
  text,
  integer,
  number,
  boolean: { kind: "boolean" },
  date,
};

/** The result of a cast. */
export function resultOfCast(to: CastTarget, { nullable }: Result): Result {
  return { storage: casts[to], nullable };
}

/** The result of the distance of a vector. */
export function resultOfDistance(nullable: boolean): Result {
  return { storage: number, nullable };
}

/** Values as they are. */
export function valuesOf(operand: Result | undefined): Result {
  if (operand === undefined) return { storage: text, nullable: true };
  const { storage, nullable, schema } = operand;
  return { storage, nullable, schema };
}

// Sums and amounts are numbers of the kind of their operand, but not bound to its few allowed values.
function amount(operand: Result | undefined): Storage {
  if (operand?.storage.kind === "bigint") return bigint;
  return operand?.storage.integer === true ? integer : number;
}
