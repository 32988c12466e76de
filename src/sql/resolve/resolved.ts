/**
 * Resolved statements: what a spec means in a scope and a dialect. Names have become columns, operators the forms of
 * the dialect, parameters have their binders, expressions are trees. Plain data: `render/` writes it, and has nothing
 * to look up and nothing to refuse.
 */
import type { AnyTable, ColumnInfo } from "../declare/declaration.js";
import type { DateForm, OperatorForm } from "../dialect/grammar.js";
import type { Binder } from "../value/binder.js";
import type { Output } from "../value/output.js";
import type { SetOperation } from "../words/operators.js";

/** A field of a scope. */
export interface Field {
  readonly kind: "field";
  readonly column: ColumnInfo;
  readonly table: AnyTable;
  /** Whether it can be null in the rows of the scope. */
  readonly nullable: boolean;
  /** The name of its column, in quotes. */
  readonly name: string;
  /** What statements write for it: the name, or where values are compared what makes equal ones the same. */
  readonly sql: string;
  /** How its dates are kept, where it holds dates. */
  readonly dates: DateForm | undefined;
  /** What it gives as a value of a row. */
  readonly output: Output;
}

/** A table as statements see it. */
export interface Layout {
  readonly table: AnyTable;
  /** Its name in quotes, with its SQL schema. */
  readonly name: string;
  /** By property. */
  readonly fields: ReadonlyMap<string, Field>;
  /** All columns, separated by commas. */
  readonly columns: string;
  /** The fields of dates. */
  readonly dates: readonly Field[];
  /** Whether some of the fields are written otherwise where they are compared. */
  readonly comparesOtherwise: boolean;
  readonly outputs: readonly Output[];
}

/** In what form a value goes to a placeholder: those that go in one form may share it. */
export interface Form {
  readonly operand: "value" | "list" | "pattern" | "count";
  readonly column: ColumnInfo | undefined;
}

/** The place of a parameter. */
export interface Parameter {
  readonly kind: "parameter";
  readonly name: string;
  /** Makes the binder when the statement is first executed, for many are only rendered. */
  readonly binder: () => Binder;
  /**
   * Places with one name and one form are one placeholder, where the dialect has such: a server infers one type for
   * it, so the value must be of one type and form in all of them.
   */
  readonly form: Form | undefined;
}

/** Text of this package. */
export interface Literal {
  readonly kind: "literal";
  readonly sql: string;
}

/** A function or an operation, as a template of the grammar. */
export interface Call {
  readonly kind: "call";
  readonly template: string;
  /** What stands for `{f}`, with `separator` between. */
  readonly operands: readonly Expression[];
  readonly separator: string;
  /** What stands for `{0}`, `{1}`. */
  readonly params: readonly Expression[];
}

/** A function over the rows of a group. */
export interface Aggregate {
  readonly kind: "aggregate";
  readonly template: string;
  readonly operand: Expression;
  /** `FILTER (WHERE …)`. */
  readonly filter: Condition | undefined;
}

export interface Case {
  readonly kind: "case";
  readonly whens: readonly { readonly condition: Condition; readonly result: Expression }[];
  readonly otherwise: Expression | undefined;
}

/** `… OVER (…)`. */
export interface Windowed {
  readonly kind: "window";
  readonly of: Expression;
  readonly partitionBy: readonly Expression[];
  readonly orderBy: readonly OrderTerm[];
  /** What stands in place of parts and order, where the dialect does not take a window without both. */
  readonly whole: string | undefined;
  readonly frame: string | undefined;
}

export type Expression = Field | Parameter | Literal | Call | Aggregate | Case | Windowed;

/** A comparison of two expressions. */
export interface Comparison {
  readonly kind: "comparison";
  readonly form: OperatorForm;
  readonly left: Expression;
  readonly right: Expression;
  /** Whether it holds for one value of `left` alone. */
  readonly isEquality: boolean;
  /** The parameter without which the condition does not count. */
  readonly optional: string | undefined;
}

/** A test whether a value is in a list that is a parameter. */
export interface Membership {
  readonly kind: "membership";
  readonly form: OperatorForm;
  readonly left: Expression;
  readonly list: Parameter;
  /** Whether the value must not be in it. */
  readonly isNegated: boolean;
  readonly optional: string | undefined;
}

export interface Range {
  readonly kind: "range";
  readonly operand: Expression;
  readonly word: string;
  readonly low: Expression;
  readonly high: Expression;
  readonly optional: string | undefined;
}

export interface NullTest {
  readonly kind: "null test";
  readonly operand: Expression;
  readonly test: string;
}

export interface Group {
  readonly kind: "group";
  readonly logic: "AND" | "OR";
  readonly members: readonly Condition[];
}

export type Condition = Comparison | Membership | Range | NullTest | Group;

/** A term of an order: a template whose `{f}` is the operand. Where NULLs go is settled in it. */
export interface OrderTerm {
  readonly template: string;
  readonly operand: Expression;
}

/** Something that rows have: how it is written, what it is called in SQL, and what it gives. */
export interface Item {
  readonly expression: Expression;
  /** Its name in the result, in quotes. */
  readonly name: string;
  readonly output: Output;
}

/** A clause of paging: its count is written into the text, or a parameter. */
export interface PagingClause {
  readonly before: string;
  readonly count: string | number | Parameter;
  readonly after: string;
}

/** Rows of a query. */
export interface ResolvedQuery {
  readonly kind: "query";
  readonly from: Layout;
  readonly isDistinct: boolean;
  readonly distinctOn: readonly Field[];
  /** What the rows have; undefined where it is all columns. */
  readonly items: readonly Item[] | undefined;
  readonly where: readonly Condition[];
  readonly groupBy: readonly Field[];
  readonly having: readonly Condition[];
  readonly orderBy: readonly OrderTerm[];
  readonly paging: readonly PagingClause[];
  readonly lock: Lock | undefined;
  /**
   * The name of the rows' own identity, where the dialect takes no limit beside a lock: the limit then finds the rows
   * by it, and the lock is on what was found.
   */
  readonly findBy: string | undefined;
  /** Whether at most one row is meant. */
  readonly isOne: boolean;
}

/** A row lock. */
export interface Lock {
  readonly sql: string;
  readonly skipsLocked: boolean;
}

/** Queries put together from left to right. */
export interface ResolvedCompound {
  readonly kind: "compound";
  /** The table that errors name. */
  readonly of: Layout;
  /** What the rows have, by the names of the first query. */
  readonly items: readonly Item[];
  readonly base: Operand;
  readonly operands: readonly (Operand & { readonly operation: SetOperation })[];
  /** Whether the order is by more than names, and so by a table of the rows. */
  readonly ordersTable: boolean;
  readonly orderBy: readonly OrderTerm[];
  readonly paging: readonly PagingClause[];
}

/** A query of a compound, and what its rows have: in the order and under the names of the first. */
export interface Operand {
  readonly query: ResolvedQuery;
  readonly items: readonly Item[];
}

/** One number over the matching rows. */
export interface ResolvedAggregate {
  readonly kind: "aggregate";
  readonly from: Layout;
  readonly expression: Expression;
  readonly output: Output;
  readonly where: readonly Condition[];
}

export interface Assignment {
  readonly field: Field;
  readonly value: Expression;
}

export interface ResolvedUpdate {
  readonly kind: "update";
  readonly table: Layout;
  readonly assignments: readonly Assignment[];
  readonly where: readonly Condition[];
  readonly gives: "rows" | "nothing";
  /** How the rows are known, where the update does not give them. */
  readonly known: KnownRows | undefined;
}

/**
 * How the rows of an update are known: `conditions` where these name one row by a key that it keeps, and otherwise
 * `key`, of which the values are found before the update.
 */
export type KnownRows =
  | { readonly by: "conditions" }
  | { readonly by: "key"; readonly key: readonly Field[] };

export interface ResolvedDelete {
  readonly kind: "delete";
  readonly table: Layout;
  readonly where: readonly Condition[];
  readonly gives: "rows" | "nothing";
}

/** An insert; which columns it gives a value, each record says. */
export interface ResolvedInsert {
  readonly kind: "insert";
  readonly table: Layout;
  readonly conflict: Conflict | undefined;
}

/** What an insert does where a row of the same key is there. */
export interface Conflict {
  readonly key: readonly Field[];
  readonly action: "nothing" | "update";
  /** What an update sets; undefined where it is what the record gives. */
  readonly set: readonly ConflictAssignment[] | undefined;
}

/** What a column is set to: a field of the proposed row, or a parameter. */
export interface ConflictAssignment {
  readonly field: Field;
  readonly value: Field | Parameter;
}

/** A statement that reads. */
export type ResolvedReading = ResolvedQuery | ResolvedCompound | ResolvedAggregate;

/** A statement that changes rows which are there. */
export type ResolvedChange = ResolvedUpdate | ResolvedDelete;

/** A statement whose text is the same in every call, but for what is left out. */
export type ResolvedStatement = ResolvedReading | ResolvedChange;
