/** The door of `rowtype`: tables, columns, conditions, specs, SQL errors and events. */

export type {
  AggregateFieldSpec,
  AggregateSpec,
  ArithmeticSpec,
  ComparisonSpec,
  CompoundQuerySpec,
  ConditionSpec,
  CreateSpec,
  DeleteSpec,
  FieldSpec,
  FieldsSpec,
  GroupSpec,
  HavingAggSpec,
  HavingSpec,
  LockSpec,
  NullSpec,
  OperandSpec,
  OrderBySpec,
  PagingSpec,
  QuerySpec,
  RangeSpec,
  SelectSpec,
  SetSpec,
  UpdateSpec,
} from "./sql/ast/spec.js";
export { column, json, vector } from "./sql/column.js";
export { and, between, c, isNull, notBetween, notNull, or } from "./sql/condition.js";
export type { Database, PingOptions } from "./sql/database.js";
export { ddl } from "./sql/ddl/ddl.js";
export { toDbml, toMermaid } from "./sql/ddl/diagram.js";
export type {
  AnyTable,
  ByDialect,
  ColumnInfo,
  ColumnMeta,
  Insert,
  InsertShape,
  Row,
  Storage,
  Table,
  Update,
  UpdateShape,
} from "./sql/declaration.js";
export type { Dialect } from "./sql/dialect/dialect.js";
export {
  BuildError,
  CallbackError,
  ConstraintError,
  DeclarationError,
  DecodeError,
  MultipleRowsError,
  NoRowsError,
  ParameterError,
  type Problem,
  QueryError,
  SqlError,
  type SqlErrorCode,
  UnsupportedError,
} from "./sql/errors.js";
export { type Operation, on, type SqlEvents } from "./sql/events.js";
export type { Callback, CallbackContext } from "./sql/exec/callbacks.js";
export type { Isolation } from "./sql/exec/driver.js";
export type {
  DatabaseOptions,
  ExecOptions,
  LockOptions,
  TransactionHandle,
  TransactionOptions,
} from "./sql/exec/options.js";

export * from "./sql/expression/functions.js";
export * as fn from "./sql/expression/functions.js";
export type { Sql, SqlParams } from "./sql/raw.js";
export type { Rendered, SafeRendered } from "./sql/render/rendered.js";
export type { Repository, Transaction } from "./sql/repository.js";
export type { SpecOptions } from "./sql/specs/profile.js";
export type { SpecSchema, SpecSchemas } from "./sql/specs/schemas.js";
export { type TableOptions, table } from "./sql/table.js";
export type { Aggregate, Filtering, Modify, Remove, Scope } from "./sql/types/changing.js";
export type { Compound, Operand, OperandParts } from "./sql/types/combining.js";
export type { Condition, FittingCondition } from "./sql/types/conditions.js";
export type { Conflict, Create, Upsert } from "./sql/types/creating.js";
export type {
  AggregateValue,
  CaseValue,
  CaseWhen,
  EdgeValue,
  Expression,
  ExpressionRole,
  FittingExpression,
  Is,
  Loose,
  Of,
  RankingValue,
  Value,
} from "./sql/types/expressions.js";
export type { AggregateFunction as GatheringFunction, CastTarget } from "./sql/types/functions.js";
export type { AggregateName, Grouped, Selection } from "./sql/types/grouping.js";
export type { LockMode } from "./sql/types/locks.js";
// What inferred types of a user's own exports name: without it their declarations could not be written.
export type {
  AnyModel,
  Column,
  ColumnModel,
  ColumnResults,
  Leaf,
  Model,
  Shape,
  Trait,
} from "./sql/types/model.js";
export type {
  ArithmeticOperator,
  DistanceOperator,
  Kind,
  NullTest,
  Operator,
  RangeTest,
  SetOperation,
} from "./sql/types/operators.js";
export type { AnyParam, OptionalParam, Param, Presence, RequiredParam } from "./sql/types/params.js";
export type { Query, Select, Selecting } from "./sql/types/reading.js";
export type { ParamsOf, Rendering, ResultOf } from "./sql/types/rendering.js";
export type { SqlTypeError } from "./sql/types/sentences.js";
export type { Frame, FrameBound, Window } from "./sql/types/windows.js";
export type { SqlValue } from "./sql/value/scalar.js";
