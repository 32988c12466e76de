/**
 * Which operators a column takes, by its kind and the dialect. Look-ups only: a `where` costs the compiler an
 * indexed access, not a conditional type. The run-time twin of this table is `resolve/operators.ts`.
 */
import type { Dialect } from "./dialect.js";

/** What a column holds, as far as SQL is concerned; derived from the Zod schema of the column. */
export type Kind = "text" | "number" | "bigint" | "boolean" | "date" | "bytes" | "json" | "array" | "vector";

export type EqualityOperator = "=" | "!=";
export type ComparisonOperator = EqualityOperator | ">" | ">=" | "<" | "<=";
export type ListOperator = "IN" | "NOT IN";
export type PatternOperator = "LIKE" | "NOT LIKE" | "ILIKE" | "NOT ILIKE";
export type RegexOperator = "~" | "~*" | "!~" | "!~*";
export type ArrayOperator = "@>" | "<@" | "&&";
export const distanceOperators = ["<->", "<#>", "<=>", "<+>"] as const;
export type DistanceOperator = (typeof distanceOperators)[number];
/** The operators between a field of numbers and a parameter. */
export const arithmeticOperators = ["+", "-", "*", "/", "%"] as const;
export type ArithmeticOperator = (typeof arithmeticOperators)[number];
/** How the rows of two queries become one set. */
export const setOperations = [
  "union",
  "union_all",
  "intersect",
  "intersect_all",
  "except",
  "except_all",
] as const;
export type SetOperation = (typeof setOperations)[number];
export type NullTest = "IS NULL" | "IS NOT NULL";
export type RangeTest = "BETWEEN" | "NOT BETWEEN";

/** Every operator that compares a field with a parameter. */
export type Operator = ComparisonOperator | ListOperator | PatternOperator | RegexOperator | ArrayOperator;

// The unions are written out: an error then lists the operators instead of the names of these types.
interface CommonOperators {
  readonly text:
    | "="
    | "!="
    | ">"
    | ">="
    | "<"
    | "<="
    | "IN"
    | "NOT IN"
    | "LIKE"
    | "NOT LIKE"
    | "ILIKE"
    | "NOT ILIKE";
  readonly number: "=" | "!=" | ">" | ">=" | "<" | "<=" | "IN" | "NOT IN";
  readonly bigint: "=" | "!=" | ">" | ">=" | "<" | "<=" | "IN" | "NOT IN";
  readonly date: "=" | "!=" | ">" | ">=" | "<" | "<=" | "IN" | "NOT IN";
  readonly boolean: "=" | "!=" | "IN" | "NOT IN";
  readonly bytes: "=" | "!=";
  readonly array: "=" | "!=";
  readonly json: never;
  readonly vector: never;
}

interface PostgresOperators extends Omit<CommonOperators, "text" | "array"> {
  readonly text:
    | "="
    | "!="
    | ">"
    | ">="
    | "<"
    | "<="
    | "IN"
    | "NOT IN"
    | "LIKE"
    | "NOT LIKE"
    | "ILIKE"
    | "NOT ILIKE"
    | "~"
    | "~*"
    | "!~"
    | "!~*";
  readonly array: "=" | "!=" | "@>" | "<@" | "&&";
}

/** The operators by dialect and kind. */
export interface OperatorsByDialect extends Readonly<Record<Dialect, Readonly<Record<Kind, string>>>> {
  readonly postgres: PostgresOperators;
  readonly mariadb: CommonOperators;
  readonly sqlite: CommonOperators;
  readonly oracle: CommonOperators;
}

/** The range tests, on the kinds that have an order. */
export interface RangeTestsByKind extends Readonly<Record<Kind, string>> {
  readonly text: RangeTest;
  readonly number: RangeTest;
  readonly bigint: RangeTest;
  readonly date: RangeTest;
  readonly boolean: never;
  readonly bytes: never;
  readonly array: never;
  readonly json: never;
  readonly vector: never;
}

/** The type of the parameter of an operator, or range test, on a column of values `V`. */
export type OperandOf<V, O> = O extends ComparisonOperator | ArrayOperator | RangeTest
  ? V
  : O extends ListOperator
    ? readonly V[]
    : string;

/** The needs of expressions that the columns of a kind meet. */
export interface NeedsByKind extends Readonly<Record<Kind, string>> {
  readonly text: "text" | "an order" | "a scalar";
  readonly number: "a number" | "an order" | "a scalar";
  readonly bigint: "a number" | "an order" | "a scalar";
  readonly date: "an order" | "a scalar";
  readonly boolean: "a scalar";
  readonly bytes: never;
  readonly array: never;
  readonly json: never;
  readonly vector: "a vector";
}
