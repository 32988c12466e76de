/**
 * Resolved statements: a spec in a scope and a dialect. Names are columns, operators forms of the dialect, expressions
 * trees; parameters have binders. Plain data: `render/` writes it, looks up nothing and refuses nothing.
 */
import type { TableJoin } from "../../ast/builder-parts.js";
import type { AnyTable, ColumnInfo } from "../../declare/declaration.js";
import type { DateForm, OperatorForm } from "../../dialect/grammar/grammar.js";
import type { Output } from "../../value/output.js";
import type { SetOperation } from "../../words/operators.js";
import type { Lock, ResolvedPage } from "./resolved-page.js";
import type { LeavesOut, Literal, PagingClause, ParameterPlace, Within } from "./resolved-parameter.js";

export type { Lock } from "./resolved-page.js";
export type { Form, LeavesOut, Literal, PagingClause, ParameterPlace, Within } from "./resolved-parameter.js";

/** A field of a scope. */
export interface Field {
  readonly kind: "field";
  readonly column: ColumnInfo;
  readonly table: AnyTable;
  /** Whether it can be null in the rows of the scope. */
  readonly nullable: boolean;
  /** The quoted name of its column, after the name of its table if a statement has several tables. */
  readonly name: string;
  /** Its quoted name in a result. */
  readonly label: string;
  /** The SQL text of the field: the name, or in comparisons a form in which equal values are the same. */
  readonly sql: string;
  /** The form of its dates, if it holds dates. */
  readonly dates: DateForm | undefined;
  /** The field as a value of a row. */
  readonly output: Output;
  /** Whether a query as a table computes it, so that no column stores its values. */
  readonly isComputed?: boolean;
}

/** A table as statements use it. */
export interface Layout {
  readonly table: AnyTable;
  /** Its quoted name, with its SQL schema, and with its name in the statement if that differs. */
  readonly name: string;
  /** The rows of a query as a table. */
  readonly rows?: Subquery["query"];
  /** Whether these rows are only those of a part of the table already. */
  readonly isPart?: true;
  /** Whether a right or full join keeps rows without its own. */
  readonly mayMiss?: true;
  /** The keys of these rows; absent for a table, whose declaration contains them. */
  readonly keys?: readonly (readonly string[])[];
  /** The quoted name before its fields, if a statement has several tables. */
  readonly qualifier: string | undefined;
  /** By property. */
  readonly fields: ReadonlyMap<string, Field>;
  /** All columns, separated by commas. */
  readonly columns: string;
  /** The date fields. */
  readonly dates: readonly Field[];
  /** Whether the comparable form of some fields differs from their name. */
  readonly comparesOtherwise: boolean;
  readonly outputs: readonly Output[];
}

/** A function or an operation, as a template of the grammar. */
export interface ResolvedCall {
  readonly kind: "call";
  readonly template: string;
  /** The operands for `{f}`, joined by `separator`, and the parameters for `{0}`, `{1}`. */
  readonly operands: readonly ResolvedExpression[];
  readonly separator: string;
  readonly params: readonly ResolvedExpression[];
  /** Whether the server must know a time zone by its name. */
  readonly zoned?: true;
}

/** Text of the program, with expressions in its holes. */
export interface Fragment {
  readonly kind: "fragment";
  /** The text before each hole, and after the last one. */
  readonly texts: readonly string[];
  readonly holes: readonly ResolvedExpression[];
}

/** A function over the rows of a group. */
export interface GroupAggregate {
  readonly kind: "aggregate";
  readonly template: string;
  readonly operand: ResolvedExpression;
  /** `FILTER (WHERE …)`. */
  readonly filter: ResolvedCondition | undefined;
  /** Whether its value may be greater than all aggregated values, and than their number. */
  readonly isSum?: boolean;
  /** The values for `{1}` and `{2}` of the template, if the values are aggregated into a list or a text. */
  readonly listing?: Listing | undefined;
}

/** How all values of a group are collected into one. */
export interface Listing {
  /** The text between two values. */
  readonly separator: ResolvedExpression | undefined;
  readonly orderBy: readonly OrderTerm[];
}

export interface Case {
  readonly kind: "case";
  readonly whens: readonly { readonly condition: ResolvedCondition; readonly result: ResolvedExpression }[];
  readonly otherwise: ResolvedExpression | undefined;
}

/** A condition as an expression. */
interface Test {
  readonly kind: "test";
  readonly condition: ResolvedCondition;
}

/** `… OVER (…)`. */
export interface Windowed {
  readonly kind: "window";
  readonly of: ResolvedExpression;
  readonly partitionBy: readonly ResolvedExpression[];
  readonly orderBy: readonly OrderTerm[];
  /** The content of a window without parts and order, if the dialect requires one. */
  readonly whole: string | undefined;
  readonly frame: string | undefined;
}

/** The value that an upsert proposes for a field. */
export interface Proposed {
  readonly kind: "proposed";
  readonly field: Field;
  /** A parameter with its type, `{0}`, if the value is a parameter. */
  readonly template: string;
}

/** A query in parentheses: a value, or the rows that a condition searches. */
export interface Subquery {
  readonly kind: "subquery";
  readonly query: ResolvedQuery | ResolvedAggregate;
  /** The fields of the outer statement that it reads. */
  readonly reads: readonly Field[];
}

/** Rows of a query inside a row of the statement, as JSON: a list of them, or one. */
export interface Nested {
  readonly kind: "nested";
  /** The query of the rows: the aggregated rows, or a table in FROM. */
  readonly query: ResolvedQuery;
  /** `single`: the list of the one row of an aggregate. */
  readonly shape: "row" | "list" | "single";
  /** The values of a row in the form for JSON. */
  readonly values: readonly ResolvedExpression[];
  /** The text after the row in the aggregate. */
  readonly orderBy: readonly OrderTerm[];
  readonly paging: readonly PagingClause[];
  /** The query as a table, if its rows cannot be aggregated as they are found. */
  readonly table: NestedTable | undefined;
  /** The fields of the outer statement that it reads. */
  readonly reads: readonly Field[];
}

/** A query of nested rows as a table in FROM. */
export interface NestedTable {
  /** Its quoted name. */
  readonly name: string;
  /** The position of a row among those of one outer row, if it is needed: its quoted name, and their order. */
  readonly number: (Pick<Windowed, "partitionBy" | "orderBy"> & { readonly name: string }) | undefined;
  readonly where: readonly ResolvedCondition[];
}

export type ResolvedExpression =
  | Subquery
  | Nested
  | Proposed
  | Field
  | ParameterPlace
  | Literal
  | ResolvedCall
  | Fragment
  | GroupAggregate
  | Case
  | Test
  | Windowed;

/** A comparison of two expressions. */
export interface Comparison {
  readonly kind: "comparison";
  readonly form: OperatorForm;
  readonly left: ResolvedExpression;
  readonly right: ResolvedExpression;
  /** Whether it is true for only one value of `left`. */
  readonly isEquality: boolean;
  /** Whether it is true where two values that are both read are equal. */
  readonly equates?: true;
  /** The parameter of an optional condition. */
  readonly optional: string | undefined;
}

/** A test whether a value is in a list that is a parameter. */
export interface Membership {
  readonly kind: "membership";
  readonly form: OperatorForm;
  readonly left: ResolvedExpression;
  readonly list: ParameterPlace;
  /** Whether the test is negated. */
  readonly isNegated: boolean;
  /** The ranges that it implies, if an index serves these but not the test. */
  readonly within?: Within | undefined;
  readonly optional: string | undefined;
}

export interface Range {
  readonly kind: "range";
  readonly operand: ResolvedExpression;
  readonly word: string;
  readonly low: ResolvedExpression;
  readonly high: ResolvedExpression;
  readonly optional: string | undefined;
}

interface ResolvedNullTest {
  readonly kind: "null test";
  readonly operand: ResolvedExpression;
  readonly test: string;
}

export interface Group {
  readonly kind: "group";
  readonly logic: "AND" | "OR";
  /** The parameters without which the group does not apply. */
  readonly optional?: readonly string[] | undefined;
  readonly members: readonly ResolvedCondition[];
}

/** Text of the program that is a condition. */
interface Truth {
  readonly kind: "truth";
  readonly text: ResolvedExpression;
}

/** A negated condition. */
interface Negation {
  readonly kind: "negation";
  readonly of: ResolvedCondition;
}

/** Whether a query has rows. */
interface Exists {
  readonly kind: "exists";
  readonly rows: Subquery;
  readonly isNegated: boolean;
}

/** Whether a value is among the values of a query of one item. */
export interface Among {
  readonly kind: "among";
  readonly left: ResolvedExpression;
  readonly rows: Subquery;
  readonly isNegated: boolean;
  /** How the values are read, if the list cannot contain the query itself. */
  readonly through: Through | undefined;
}

/** A query as a table. */
interface Through {
  /** Its quoted name. */
  readonly table: string;
  /** Its only column. */
  readonly column: Literal;
  /** The value in the list. */
  readonly value: ResolvedExpression;
}

export type ResolvedCondition =
  | Comparison
  | Membership
  | Range
  | ResolvedNullTest
  | Group
  | Truth
  | Negation
  | Exists
  | Among;

/** A term of an order: a template whose `{f}` is the operand, with the position of NULLs. */
export interface OrderTerm {
  readonly template: string;
  readonly operand: ResolvedExpression;
}

/** A selected item: its SQL text, its name, and its result. */
export interface Item {
  readonly expression: ResolvedExpression;
  /** Its quoted name in the result. */
  readonly name: string;
  /** Whether the name follows even a column of that name, because other tables may have such a column. */
  readonly isNamed?: boolean;
  readonly output: Output;
  /** The form of its dates, if it gives dates. */
  readonly dates?: DateForm | undefined;
}

/** A joined table. */
export interface ResolvedJoin {
  readonly kind: TableJoin;
  readonly table: Layout;
  readonly on: ResolvedCondition;
  /** Whether one row of the table that leads to it may have several of its rows. */
  readonly isMany: boolean;
  /** The table that leads to it, if there is one between; `on` connects the two. */
  readonly through?: JoinedBetween | undefined;
}

/** A table between, its connection with those before, and the joined table once more if only its rows are found. */
export interface JoinedBetween extends Pick<ResolvedJoin, "table" | "on"> {
  readonly found?: Pick<ResolvedJoin, "table" | "on"> | undefined;
}

/** The tables of a statement: its own table, and the joined tables in their order. */
export interface From {
  readonly from: Layout;
  readonly joins: readonly ResolvedJoin[];
}

/** A query that is written once, before the statement that reads it: `WITH name AS (…)`. */
export interface NamedRows {
  /** Its quoted name. */
  readonly name: string;
  readonly rows: Subquery["query"];
  /** The recursive step over its own rows, and the names of its columns. */
  readonly recursion?: {
    readonly columns: readonly string[];
    readonly step: ResolvedQuery;
    readonly maxDepth: number;
  };
}

/** Facts about the queries inside a statement. */
interface MayOmit extends LeavesOut {
  /** The parameters of their optional conditions; absent if there are none. */
  readonly optionalInside?: readonly string[] | undefined;
  /** The queries that are written once. A later one may read earlier ones. */
  readonly named?: readonly NamedRows[] | undefined;
}

/** Rows of a query. */
export interface ResolvedQuery extends From, MayOmit {
  readonly kind: "query";
  readonly isDistinct: boolean;
  readonly distinctOn: readonly ResolvedExpression[];
  /** The items of the rows; undefined for all columns. */
  readonly items: readonly Item[] | undefined;
  readonly where: readonly ResolvedCondition[];
  readonly groupBy: readonly ResolvedExpression[];
  readonly having: readonly ResolvedCondition[];
  readonly orderBy: readonly OrderTerm[];
  readonly paging: readonly PagingClause[];
  readonly lock: Lock | undefined;
  /**
   * The name of the row identity, if the dialect does not accept a limit with a lock: the limit then selects the
   * rows by it, and the lock applies to them.
   */
  readonly findBy: string | undefined;
  /** Whether at most one row is requested. */
  readonly isOne: boolean;
  /** Set if the rows are read page by page. It contains the conditions for the rows after a page. */
  readonly page?: (ResolvedPage & { readonly after: readonly ResolvedCondition[] }) | undefined;
}

/** Queries combined from left to right. */
export interface ResolvedCompound extends MayOmit {
  readonly kind: "compound";
  /** The table that errors name. */
  readonly of: Layout;
  /** The selected items, with the names of the first query. */
  readonly items: readonly Item[];
  readonly base: ResolvedOperand;
  readonly operands: readonly (ResolvedOperand & { readonly operation: SetOperation })[];
  /** Whether the order uses more than names, and so needs a derived table. */
  readonly ordersTable: boolean;
  readonly orderBy: readonly OrderTerm[];
  readonly paging: readonly PagingClause[];
}

/** A query of a compound and its items, in the order and with the names of the first query. */
export interface ResolvedOperand {
  readonly query: ResolvedQuery;
  readonly items: readonly Item[];
}

/** One number over the matching rows. */
export interface ResolvedAggregate extends From, MayOmit {
  readonly kind: "aggregate";
  readonly expression: ResolvedExpression;
  readonly output: Output;
  readonly where: readonly ResolvedCondition[];
}

/** A statement that reads. */
export type ResolvedReading = ResolvedQuery | ResolvedCompound | ResolvedAggregate;
