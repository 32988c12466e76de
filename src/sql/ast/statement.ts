/** A statement: a spec, what kind of thing it asks for, and the table that it asks. */
import type { AnyTable } from "../declaration.js";
import type { AggregateSpec, CreateSpec, DeleteSpec, QuerySpec, SelectSpec, UpdateSpec } from "./spec.js";

export interface SelectStatement {
  readonly kind: "select";
  readonly table: AnyTable;
  readonly spec: SelectSpec;
}

export interface QueryStatement {
  readonly kind: "query";
  readonly table: AnyTable;
  readonly spec: QuerySpec;
}

export interface InsertStatement {
  readonly kind: "insert";
  readonly table: AnyTable;
  readonly spec: CreateSpec;
}

export interface UpdateStatement {
  readonly kind: "update";
  readonly table: AnyTable;
  readonly spec: UpdateSpec;
}

export interface DeleteStatement {
  readonly kind: "delete";
  readonly table: AnyTable;
  readonly spec: DeleteSpec;
}

/** What an aggregate does with its field. */
export type AggregateFunction = "count" | "sum" | "avg" | "min" | "max";

export interface AggregateStatement {
  readonly kind: AggregateFunction;
  readonly table: AnyTable;
  readonly spec: AggregateSpec;
}

export type Statement =
  | SelectStatement
  | QueryStatement
  | InsertStatement
  | UpdateStatement
  | DeleteStatement
  | AggregateStatement;
