/**
 * The specs: plain JSON that describes a builder, with property names as fields. The state of a builder is its
 * spec, so these are also the nodes that `resolve/` reads. `F` is the union of the allowed fields.
 */
import type { AggregateFunction } from "../words/functions.js";
import type { LockMode } from "../words/locks.js";
import type {
  ArithmeticOperator,
  DistanceOperator,
  NullTest,
  Operator,
  RangeTest,
  SetOperation,
} from "../words/operators.js";

/** A field compared with a parameter; with `optional` it applies only if the parameter is given. */
export interface ComparisonSpec<F extends string = string> {
  readonly field: F;
  readonly operator: Operator;
  readonly param: string;
  readonly optional?: boolean | undefined;
  /** Not a null test: for writers that write every key. */
  readonly is_null?: false | undefined;
}

/** `IS NULL` or `IS NOT NULL`. */
export interface NullSpec<F extends string = string> {
  /** Applies the condition only if all its parameters are given. */
  readonly optional?: boolean | undefined;
  readonly field: F;
  readonly operator?: NullTest | undefined;
  readonly is_null?: boolean | undefined;
}

/** `BETWEEN` or `NOT BETWEEN`, both ends included. */
export interface RangeSpec<F extends string = string> {
  /** Applies the condition only if all its parameters are given. */
  readonly optional?: boolean | undefined;
  readonly field: F;
  readonly operator: RangeTest;
  readonly low_param: string;
  readonly high_param: string;
}

/** Two fields compared with each other. */
export interface FieldsSpec<F extends string = string> {
  /** Applies the condition only if all its parameters are given. */
  readonly optional?: boolean | undefined;
  readonly field: F;
  readonly operator: Operator;
  readonly right_field: F;
}

/** Conditions joined by one word, in parentheses. */
export interface GroupSpec<F extends string = string> {
  /** Applies the condition only if all its parameters are given. */
  readonly optional?: boolean | undefined;
  readonly logic: "AND" | "OR";
  readonly group: readonly ConditionSpec<F>[];
}

export type ConditionSpec<F extends string = string> =
  | ComparisonSpec<F>
  | NullSpec<F>
  | RangeSpec<F>
  | FieldsSpec<F>
  | GroupSpec<F>;

/** One term of `ORDER BY`. By default NULLs sort as the greatest value. */
export interface OrderBySpec {
  /** A field, or the name of an expression. */
  readonly field?: string | undefined;
  readonly direction: "asc" | "desc";
  readonly nulls?: "first" | "last" | undefined;
  /** Short for `nulls: "first"`. */
  readonly nulls_first?: boolean | undefined;
  /** Short for `nulls: "last"`. */
  readonly nulls_last?: boolean | undefined;
  /** With `param`: orders by the distance of a vector from the parameter. */
  readonly operator?: DistanceOperator | undefined;
  readonly param?: string | undefined;
  /** `field operator :param` as text; it replaces the three keys. */
  readonly expression?: string | undefined;
}

/** A row lock: its mode, and the treatment of rows that another transaction has locked. */
export type LockSpec =
  | LockMode
  | {
      readonly mode: LockMode;
      /** Skips locked rows. */
      readonly skip_locked?: boolean | undefined;
      /** Fails at once if a row is locked. */
      readonly no_wait?: boolean | undefined;
    };

/** An aggregate with its name in the row. `count` without a field, or with `*`, counts rows. */
export interface AggregateFieldSpec<F extends string = string> {
  readonly func: AggregateFunction;
  readonly field?: F | "*" | undefined;
  readonly alias: string;
}

/** A part of a row: a field, or an aggregate with a name. */
export type FieldSpec<F extends string = string> = F | AggregateFieldSpec<F>;

/** A filter on groups by the name of a selected aggregate. */
export interface HavingSpec {
  readonly field: string;
  readonly operator: Operator;
  readonly param: string;
}

/** A filter on groups by an aggregate that need not be selected; `count` accepts `*` as its field. */
export interface HavingAggSpec<F extends string = string> {
  readonly func: AggregateFunction;
  readonly field: F | "*";
  readonly operator: Operator;
  readonly param: string;
}

/** One row. Without `fields`: all columns. */
export interface SelectSpec<F extends string = string> extends RowsSpec<F> {
  /** Short for `for_locking: "update"`. */
  readonly for_update?: boolean | undefined;
}

/** Many rows. */
export interface QuerySpec<F extends string = string> extends RowsSpec<F>, PagingSpec {
  /** The cursor of a page, in a spec of pages only: `pageFromSpec` takes it. */
  readonly after?: string | undefined;
}

/** A related table whose rows are joined to those of the statement. */
export interface JoinSpec {
  /** A relation of the table, or, after the name of a joined table and a dot, one of that table. */
  readonly relation: string;
  /** The name of the joined table in the statement; default the last word of `relation`. */
  readonly as?: string | undefined;
  /** `left` keeps rows for which there is no related row; default `inner`. */
  readonly kind?: JoinKind | undefined;
  /** In a scope: all rows of the table, not only the part of the scope. */
  readonly whole?: true | undefined;
}

/** Nested rows. */
interface NestedSpec extends QuerySpec {
  /** In a scope: all rows of the table, not only the part of the scope. */
  readonly whole?: true | undefined;
}

/** The treatment of rows without a related row. */
export type JoinKind = "inner" | "left";

interface RowsSpec<F extends string> {
  readonly joins?: readonly JoinSpec[] | undefined;
  readonly fields?: readonly FieldSpec<F>[] | undefined;
  /** The rows of relations inside each row, by the names of the relations. */
  readonly with?: { readonly [relation: string]: NestedSpec } | undefined;
  readonly where?: readonly ConditionSpec<F>[] | undefined;
  readonly order_by?: readonly OrderBySpec[] | undefined;
  readonly group_by?: readonly F[] | undefined;
  readonly having?: readonly HavingSpec[] | undefined;
  readonly having_agg?: readonly HavingAggSpec<F>[] | undefined;
  readonly distinct?: boolean | undefined;
  /** One row for each combination of these fields. */
  readonly distinct_on?: readonly F[] | undefined;
  readonly for_locking?: LockSpec | undefined;
}

/**
 * The part of the rows to return. Numbers are written into the text, parameters are not. A limit together with its
 * parameter is the maximum of the parameter.
 */
export interface PagingSpec {
  readonly limit?: number | undefined;
  readonly offset?: number | undefined;
  readonly limit_param?: string | undefined;
  readonly offset_param?: string | undefined;
}

/** Queries combined from left to right; order and paging apply to the whole result. */
export interface CompoundQuerySpec<F extends string = string> extends PagingSpec {
  readonly base: QuerySpec<F>;
  readonly operands: readonly OperandSpec<F>[];
  readonly order_by?: readonly OrderBySpec[] | undefined;
}

/** A query that is combined with the queries before it. */
export interface OperandSpec<F extends string = string> {
  readonly operation: SetOperation;
  readonly query: QuerySpec<F>;
}

/** Maps fields to parameters. */
export type SetSpec<F extends string = string> = { readonly [Field in F]?: string | undefined };

/** The result of an arithmetic operator on a field and a parameter. */
export interface ArithmeticSpec {
  readonly operator: ArithmeticOperator;
  readonly param: string;
}

/** An insert: the record determines the columns. A conflict on a declared key does nothing, or updates the row. */
export interface CreateSpec<F extends string = string> {
  /** The properties of the key. */
  readonly on_conflict?: readonly F[] | undefined;
  readonly conflict_action?: "nothing" | "update" | undefined;
  /** A parameter with the name of a field takes the value of the proposed row. */
  readonly conflict_set?: SetSpec<F> | undefined;
}

/** An update. */
export interface UpdateSpec<F extends string = string> {
  readonly set?: SetSpec<F> | undefined;
  readonly set_expr?: { readonly [Field in F]?: ArithmeticSpec | undefined } | undefined;
  readonly where?: readonly ConditionSpec<F>[] | undefined;
}

/** A removal. */
export interface DeleteSpec<F extends string = string> {
  readonly where?: readonly ConditionSpec<F>[] | undefined;
}

/** An aggregate over the matching rows; `count` does not need a field, and counts rows even if it names one. */
export interface AggregateSpec<F extends string = string> {
  readonly field?: F | undefined;
  readonly joins?: readonly JoinSpec[] | undefined;
  readonly where?: readonly ConditionSpec<F>[] | undefined;
}
