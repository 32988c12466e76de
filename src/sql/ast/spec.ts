/**
 * The specs: plain JSON that says what a builder does, with property names as fields. The state of a builder
 * is its spec, so these are also the nodes that `check/` and `render/` read.
 */
import type { GatheringFunction } from "../types/functions.js";
import type { LockMode } from "../types/locks.js";
import type {
  ArithmeticOperator,
  DistanceOperator,
  NullTest,
  Operator,
  RangeTest,
  SetOperation,
} from "../types/operators.js";

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
  /** A field, or the name of an expression. */
  readonly field?: string | undefined;
  readonly direction: "asc" | "desc";
  readonly nulls?: "first" | "last" | undefined;
  /** Short for `nulls: "first"`. */
  readonly nulls_first?: boolean | undefined;
  /** Short for `nulls: "last"`. */
  readonly nulls_last?: boolean | undefined;
  /** With `param`: orders by the distance of a vector from it. */
  readonly operator?: DistanceOperator | undefined;
  readonly param?: string | undefined;
  /** `field operator :param` as text, in place of the three. */
  readonly expression?: string | undefined;
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

/** An aggregate with a name, which the row then has. Without a field, or with `*`, `count` counts rows. */
export interface AggregateFieldSpec {
  readonly func: GatheringFunction;
  readonly field?: string | undefined;
  readonly alias: string;
}

/** What a row has: a field, or an aggregate by its name. */
export type FieldSpec = string | AggregateFieldSpec;

/** A filter on groups by the name of an aggregate. */
export interface HavingSpec {
  readonly field: string;
  readonly operator: Operator;
  readonly param: string;
}

/** A filter on groups by an aggregate of its own; `count` takes `*` for its field. */
export interface HavingAggSpec {
  readonly func: GatheringFunction;
  readonly field: string;
  readonly operator: Operator;
  readonly param: string;
}

/** One row. No `fields`: all columns. */
export interface SelectSpec extends RowsSpec {
  /** Short for `for_locking: "update"`. */
  readonly for_update?: boolean | undefined;
}

/** Many rows. */
export interface QuerySpec extends RowsSpec, PagingSpec {}

interface RowsSpec {
  readonly fields?: readonly FieldSpec[] | undefined;
  readonly where?: readonly ConditionSpec[] | undefined;
  readonly order_by?: readonly OrderBySpec[] | undefined;
  readonly group_by?: readonly string[] | undefined;
  readonly having?: readonly HavingSpec[] | undefined;
  readonly having_agg?: readonly HavingAggSpec[] | undefined;
  readonly distinct?: boolean | undefined;
  /** One row for each combination of these fields. */
  readonly distinct_on?: readonly string[] | undefined;
  readonly for_locking?: LockSpec | undefined;
}

/** Which part of the rows: numbers are written into the text, parameters are not. */
export interface PagingSpec {
  readonly limit?: number | undefined;
  readonly offset?: number | undefined;
  readonly limit_param?: string | undefined;
  readonly offset_param?: string | undefined;
}

/** Queries put together from left to right; order and paging are of the whole. */
export interface CompoundQuerySpec extends PagingSpec {
  readonly base: QuerySpec;
  readonly operands: readonly { readonly operation: SetOperation; readonly query: QuerySpec }[];
  readonly order_by?: readonly OrderBySpec[] | undefined;
}

/** An insert: the record gives the columns. On a conflict of a declared key it does nothing, or updates. */
export interface CreateSpec {
  /** The properties of the key. */
  readonly on_conflict?: readonly string[] | undefined;
  readonly conflict_action?: "nothing" | "update" | undefined;
  /** Field to parameter. One named like a field takes the value of the proposed row. */
  readonly conflict_set?: Readonly<Record<string, string>> | undefined;
}

/** An update: field to parameter, or to what an operator makes of the field and a parameter. */
export interface UpdateSpec {
  readonly set?: Readonly<Record<string, string>> | undefined;
  readonly set_expr?:
    | Readonly<Record<string, { readonly operator: ArithmeticOperator; readonly param: string }>>
    | undefined;
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
