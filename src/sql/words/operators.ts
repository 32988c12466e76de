/**
 * The operators by name, and which of them a column takes, by its kind and the dialect. These are look-ups only: a
 * `where` costs the compiler an indexed access, not a conditional type.
 */
import type { Dialect } from "./dialect.js";
import type { OperatorsByKind, PostgresOperatorsByKind } from "./kinds.js";

export type EqualityOperator = "=" | "!=";
export type ComparisonOperator = EqualityOperator | ">" | ">=" | "<" | "<=";
export type ListOperator = "IN" | "NOT IN";
type PatternOperator = "LIKE" | "NOT LIKE" | "ILIKE" | "NOT ILIKE";
/** The operators that search for plain text, not a pattern. Those with `I` are case-insensitive. */
const textOperators = [
  "CONTAINS",
  "STARTS WITH",
  "ENDS WITH",
  "ICONTAINS",
  "ISTARTS WITH",
  "IENDS WITH",
] as const;
export type TextOperator = (typeof textOperators)[number];
type RegexOperator = "~" | "~*" | "!~" | "!~*";
export type ArrayOperator = "@>" | "<@" | "&&";
export const distanceOperators = ["<->", "<#>", "<=>", "<+>"] as const;
/** Distances of vectors: Euclidean, negative inner product, cosine, taxicab. */
export type DistanceOperator = (typeof distanceOperators)[number];
/** A distance as a text: a field of vectors, an operator, and a parameter. */
export const DISTANCE: RegExp = /^\s*(\S+)\s+(<->|<#>|<=>|<\+>)\s+:([A-Za-z_][A-Za-z0-9_]{0,62})\s*$/;
/** The operators between a field of numbers and a parameter. */
export const arithmeticOperators = ["+", "-", "*", "/", "%"] as const;
/** An operator of `setExpr`. */
export type ArithmeticOperator = (typeof arithmeticOperators)[number];
/** The operations that combine the rows of two queries. */
export const setOperations = [
  "union",
  "union_all",
  "intersect",
  "intersect_all",
  "except",
  "except_all",
] as const;
/** How a compound query combines the rows of two queries. */
export type SetOperation = (typeof setOperations)[number];
/** Tests whether a value is NULL or not NULL. */
export type NullTest = "IS NULL" | "IS NOT NULL";
/** Tests whether a value is between two others, both included, or not. */
export type RangeTest = "BETWEEN" | "NOT BETWEEN";

/** Every operator that compares a field with a parameter. */
export type Operator =
  | ComparisonOperator
  | ListOperator
  | PatternOperator
  | TextOperator
  | RegexOperator
  | ArrayOperator;

/** The operators of each kind on a dialect. For one of several dialects: the operators that all of them have. */
export type OperatorsByDialect<D extends Dialect> = [D] extends ["postgres"]
  ? PostgresOperatorsByKind
  : OperatorsByKind;

/** The type of the parameter of an operator or a range test, on a column of values `V`. */
export type OperandOf<V, O> = O extends ComparisonOperator | ArrayOperator | RangeTest
  ? V
  : O extends ListOperator
    ? readonly V[]
    : string;

/** The same, to be looked up by an operator: that costs the compiler half of what a conditional type costs. */
export interface Operands<V> {
  readonly "=": V;
  readonly "!=": V;
  readonly ">": V;
  readonly ">=": V;
  readonly "<": V;
  readonly "<=": V;
  readonly "@>": V;
  readonly "<@": V;
  readonly "&&": V;
  readonly IN: readonly V[];
  readonly "NOT IN": readonly V[];
  readonly LIKE: string;
  readonly "NOT LIKE": string;
  readonly ILIKE: string;
  readonly "NOT ILIKE": string;
  readonly CONTAINS: string;
  readonly "STARTS WITH": string;
  readonly "ENDS WITH": string;
  readonly ICONTAINS: string;
  readonly "ISTARTS WITH": string;
  readonly "IENDS WITH": string;
  readonly "~": string;
  readonly "~*": string;
  readonly "!~": string;
  readonly "!~*": string;
}
