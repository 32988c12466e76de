/** A statement: a spec, its kind and its table. */

import type { AnyTable } from "../declare/declaration.js";
import type { SetOperation } from "../words/operators.js";
import type { BuilderOnly } from "./builder-only.js";
import type {
  ConflictConditions,
  JoinOn,
  NestedInserts,
  PagePart,
  RelatedValue,
  ReturnedFields,
  SetPaths,
} from "./builder-parts.js";
import type { DistanceCondition, RawCondition } from "./condition-parts.js";
import type { ExpressionOperand } from "./expression.js";
import type {
  AggregateSpec,
  ArithmeticSpec,
  ConditionSpec,
  CreateSpec,
  DeleteSpec,
  FieldSpec,
  JoinSpec,
  OrderBySpec,
  PagingSpec,
  QuerySpec,
  SelectSpec,
  UpdateSpec,
} from "./spec.js";

/** A spec of rows, with the parts that only a builder can hold. */
type WithExpressions<S extends SelectSpec | QuerySpec> = Omit<S, "fields" | "with" | "where" | "joins"> & {
  readonly fields?: readonly SelectedItem[] | undefined;
  /** By name: the spec of a query, the query of a builder, or one with two fields. */
  readonly with?: Readonly<Record<string, unknown>> | undefined;
  readonly where?: readonly Filter[] | undefined;
  readonly joins?: readonly Join[] | undefined;
};

/** The contents of the returned rows of a change; absent for all columns. */
interface ReturningParts {
  readonly returning?: ReturnedFields | undefined;
}

/** The tables that relations may lead to, by their names in the module. */
export type RelatedTables = ReadonlyMap<string, AnyTable>;

/** Where a statement of a builder runs. */
interface OfDatabase {
  /** Identifies its database; absent in statements that no builder made. */
  readonly database?: object | undefined;
}

/** A joined table. */
type Join = JoinSpec | JoinOn;

/** A part of a row. */
export type SelectedItem = FieldSpec | ExpressionOperand;

/** A condition that rows must meet. */
export type Filter = ConditionSpec | DistanceCondition | RawCondition;

export interface SelectStatement extends OfDatabase {
  readonly kind: "select";
  readonly table: AnyTable;
  readonly tables?: RelatedTables | undefined;
  readonly spec: WithExpressions<SelectSpec>;
}

export interface QueryStatement extends OfDatabase {
  readonly kind: "query";
  readonly table: AnyTable;
  readonly tables?: RelatedTables | undefined;
  readonly spec: WithExpressions<QuerySpec> & ReturningParts & { readonly page?: PagePart | undefined };
}

/** A compound query. Its operands are statements, because they may read different tables. */
export interface CompoundStatement extends OfDatabase {
  readonly kind: "compound";
  readonly table: AnyTable;
  readonly spec: CompoundParts;
}

/** The parts of a compound query. */
export interface CompoundParts extends PagingSpec {
  readonly base: QueryStatement;
  readonly operands: readonly CompoundOperand[];
  readonly order_by?: readonly OrderBySpec[] | undefined;
}

/** A query that is combined with the queries before it. */
export interface CompoundOperand {
  readonly operation: SetOperation;
  readonly query: QueryStatement;
}

export interface InsertStatement extends OfDatabase {
  readonly kind: "insert";
  readonly table: AnyTable;
  readonly spec: InsertParts;
}

/** A spec of an insert in which every field has a value, with the parts that only a builder can hold. */
type InsertParts = Omit<CreateSpec, "conflict_set"> &
  ReturningParts & {
    readonly conflict_set?: Readonly<Record<string, Assigned>> | undefined;
    readonly conflict_where?: ConflictConditions | undefined;
    /** The query that gives the rows, if there are no records. */
    readonly from?: BuilderOnly | undefined;
    readonly with?: NestedInserts | undefined;
  };

export interface ModifyStatement extends OfDatabase {
  readonly kind: "modify";
  readonly table: AnyTable;
  readonly tables?: RelatedTables | undefined;
  readonly spec: ModifyParts;
}

/** The new value of a field: the name of a parameter, an expression, values inside it, or a related row's value. */
export type Assigned = string | ExpressionOperand | SetPaths | RelatedValue;

/** A spec of an update in which every field has a value. */
type ModifyParts = Omit<UpdateSpec, "set" | "set_expr"> &
  ReturningParts & {
    readonly set?: Readonly<Record<string, Assigned>> | undefined;
    readonly set_expr?: Readonly<Record<string, Arithmetic>> | undefined;
  };

/** Arithmetic of a field with a parameter, or with a constant in its place. */
type Arithmetic = Omit<ArithmeticSpec, "param"> & { readonly param: string | ExpressionOperand };

export interface RemoveStatement extends OfDatabase {
  readonly kind: "remove";
  readonly table: AnyTable;
  readonly tables?: RelatedTables | undefined;
  readonly spec: DeleteSpec & ReturningParts;
}

/** The function of an aggregate. */
export type AggregateKind = "count" | "sum" | "avg" | "min" | "max";

export interface AggregateStatement extends OfDatabase {
  readonly kind: AggregateKind;
  readonly table: AnyTable;
  readonly tables?: RelatedTables | undefined;
  readonly spec: Omit<AggregateSpec, "joins"> & { readonly joins?: readonly Join[] | undefined };
}

export type Statement =
  | SelectStatement
  | QueryStatement
  | CompoundStatement
  | InsertStatement
  | ModifyStatement
  | RemoveStatement
  | AggregateStatement;
