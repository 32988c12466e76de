/**
 * The specs: plain JSON that says what a builder does, with property names as fields. The state of a builder
 * is its spec, so these are also the nodes that `check/` and `render/` read.
 */
import type { LockMode } from "../types/locks.js";
import type { NullTest, Operator, RangeTest } from "../types/operators.js";

/** A field compared with a parameter; `optional` applies it only where the parameter is given. */
export interface ComparisonSpec {
  readonly field: string;
  readonly operator: Operator;
  readonly param: string;
  readonly optional?: true | undefined;
}

/** `IS NULL` or `IS NOT NULL`. */
export interface NullSpec {
  readonly field: string;
  readonly operator?: NullTest | undefined;
  readonly is_null?: boolean | undefined;
}

/** `BETWEEN` or `NOT BETWEEN`, both ends included. */
export interface RangeSpec {
  readonly field: string;
  readonly operator: RangeTest;
  readonly low_param: string;
  readonly high_param: string;
}

/** Two fields compared with each other. */
export interface FieldsSpec {
  readonly field: string;
  readonly operator: Operator;
  readonly right_field: string;
}

/** Conditions joined by one word, in parentheses. */
export interface GroupSpec {
  readonly logic: "AND" | "OR";
  readonly group: readonly ConditionSpec[];
}

export type ConditionSpec = ComparisonSpec | NullSpec | RangeSpec | FieldsSpec | GroupSpec;

/** One term of `ORDER BY`; NULLs sort as the greatest value unless said otherwise. */
export interface OrderBySpec {
  readonly field: string;
  readonly direction: "asc" | "desc";
  readonly nulls?: "first" | "last" | undefined;
}

/** A row lock: its mode, and what happens with rows that somebody else has locked. */
export type LockSpec =
  | LockMode
  | {
      readonly mode: LockMode;
      /** Leaves them out. */
      readonly skip_locked?: boolean | undefined;
      /** Fails at once. */
      readonly no_wait?: boolean | undefined;
    };

/** Many rows. No `fields`: all columns. */
export interface QuerySpec {
  readonly fields?: readonly string[] | undefined;
  readonly where?: readonly ConditionSpec[] | undefined;
  readonly order_by?: readonly OrderBySpec[] | undefined;
  readonly limit?: number | undefined;
  readonly offset?: number | undefined;
  readonly limit_param?: string | undefined;
  readonly offset_param?: string | undefined;
  readonly distinct?: boolean | undefined;
  /** One row for each combination of these fields. */
  readonly distinct_on?: readonly string[] | undefined;
  readonly for_locking?: LockSpec | undefined;
}

/** One row. */
export interface SelectSpec {
  readonly fields?: readonly string[] | undefined;
  readonly where?: readonly ConditionSpec[] | undefined;
  readonly order_by?: readonly OrderBySpec[] | undefined;
  readonly distinct?: boolean | undefined;
  readonly distinct_on?: readonly string[] | undefined;
  readonly for_locking?: LockSpec | undefined;
  /** Short for `for_locking: "update"`. */
  readonly for_update?: boolean | undefined;
}

/** An insert: the record gives the columns. On a conflict of a declared key it does nothing, or updates. */
export interface CreateSpec {
  /** The properties of the key. */
  readonly on_conflict?: readonly string[] | undefined;
  readonly conflict_action?: "nothing" | "update" | undefined;
  /** Field to parameter. One named like a field takes the value of the proposed row. */
  readonly conflict_set?: Readonly<Record<string, string>> | undefined;
}

/** An update: field to parameter. */
export interface UpdateSpec {
  readonly set?: Readonly<Record<string, string>> | undefined;
  readonly where?: readonly ConditionSpec[] | undefined;
}

/** A removal. */
export interface DeleteSpec {
  readonly where?: readonly ConditionSpec[] | undefined;
}

/** An aggregate over the matching rows; a count needs no field. */
export interface AggregateSpec {
  readonly field?: string | undefined;
  readonly where?: readonly ConditionSpec[] | undefined;
}
