/** A statement: a spec, what kind of thing it asks for, and the table that it asks. */

import type { AnyTable } from "../declare/declaration.js";
import type { SetOperation } from "../words/operators.js";
import type { DistanceCondition, NamedExpression } from "./expression.js";
import type {
  AggregateSpec,
  ArithmeticSpec,
  ConditionSpec,
  CreateSpec,
  DeleteSpec,
  FieldSpec,
  OrderBySpec,
  PagingSpec,
  QuerySpec,
  SelectSpec,
  UpdateSpec,
} from "./spec.js";

/** A spec of rows, with what only a builder can say. */
type WithExpressions<S extends SelectSpec | QuerySpec> = Omit<S, "fields" | "where"> & {
  readonly fields?: readonly Selected[] | undefined;
  readonly where?: readonly Filter[] | undefined;
};

/** What a row has. */
export type Selected = FieldSpec | NamedExpression;

/** What rows must meet. */
export type Filter = ConditionSpec | DistanceCondition;

export interface SelectStatement {
  readonly kind: "select";
  readonly table: AnyTable;
  readonly spec: WithExpressions<SelectSpec>;
}

export interface QueryStatement {
  readonly kind: "query";
  readonly table: AnyTable;
  readonly spec: WithExpressions<QuerySpec>;
}

/** A compound query: its operands are statements, for they may be of other tables. */
export interface CompoundStatement {
  readonly kind: "compound";
  readonly table: AnyTable;
  readonly spec: CompoundParts;
}

/** The parts of a compound query. */
export interface CompoundParts extends PagingSpec {
  readonly base: QueryStatement;
  readonly operands: readonly Operand[];
  readonly order_by?: readonly OrderBySpec[] | undefined;
}

/** A query that is put to those before it. */
export interface Operand {
  readonly operation: SetOperation;
  readonly query: QueryStatement;
}

export interface InsertStatement {
  readonly kind: "insert";
  readonly table: AnyTable;
  readonly spec: CreateParts;
}

/** A spec of an insert, in which every field that it names has a parameter. */
export type CreateParts = Omit<CreateSpec, "conflict_set"> & {
  readonly conflict_set?: Readonly<Record<string, string>> | undefined;
};

export interface UpdateStatement {
  readonly kind: "update";
  readonly table: AnyTable;
  readonly spec: UpdateParts;
}

/** A spec of an update, in which every field that it names has a parameter. */
export type UpdateParts = Omit<UpdateSpec, "set" | "set_expr"> & {
  readonly set?: Readonly<Record<string, string>> | undefined;
  readonly set_expr?: Readonly<Record<string, ArithmeticSpec>> | undefined;
};

export interface DeleteStatement {
  readonly kind: "delete";
  readonly table: AnyTable;
  readonly spec: DeleteSpec;
}

/** What an aggregate does with its field. */
export type AggregateKind = "count" | "sum" | "avg" | "min" | "max";

export interface AggregateStatement {
  readonly kind: AggregateKind;
  readonly table: AnyTable;
  readonly spec: AggregateSpec;
}

export type Statement =
  | SelectStatement
  | QueryStatement
  | CompoundStatement
  | InsertStatement
  | UpdateStatement
  | DeleteStatement
  | AggregateStatement;
