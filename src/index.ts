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
export { ddl } from "./sql/ddl/ddl.js";
export { toDbml, toMermaid } from "./sql/ddl/diagram.js";
export { column, json, vector } from "./sql/declare/column.js";
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
} from "./sql/declare/declaration.js";
export { type TableOptions, table } from "./sql/declare/table.js";
export type { Database, PingOptions } from "./sql/door/database.js";
export type { Sql, SqlParams } from "./sql/door/raw.js";
export type { Repository, Transaction } from "./sql/door/repository.js";
export type { Callback, CallbackContext } from "./sql/exec/callbacks.js";
export { and, between, c, isNull, notBetween, notNull, or } from "./sql/expression/condition.js";
export * from "./sql/expression/functions.js";
export * as fn from "./sql/expression/functions.js";
export type { SpecOptions } from "./sql/specs/permissions.js";
export type { SpecSchema, SpecSchemas } from "./sql/specs/schemas.js";
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
export type { AggregateName, Grouped, Selection } from "./sql/types/grouping.js";
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
export type { AnyParam, OptionalParam, Param, Presence, RequiredParam } from "./sql/types/params.js";
export type { Query, Select, Selecting } from "./sql/types/reading.js";
export type { ParamsOf, Rendering, ResultOf } from "./sql/types/rendering.js";
export type { SqlTypeError } from "./sql/types/sentences.js";
export type { SqlValue } from "./sql/value/scalar.js";
export type { Dialect } from "./sql/words/dialect.js";
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
} from "./sql/words/errors.js";
export { type Operation, on, type SqlEvents } from "./sql/words/events.js";
export type { AggregateFunction as GatheringFunction, CastTarget } from "./sql/words/functions.js";
export type { LockMode } from "./sql/words/locks.js";
export type {
  ArithmeticOperator,
  DistanceOperator,
  Kind,
  NullTest,
  Operator,
  RangeTest,
  SetOperation,
} from "./sql/words/operators.js";
export type {
  DatabaseOptions,
  ExecOptions,
  Isolation,
  LockOptions,
  TransactionHandle,
  TransactionOptions,
} from "./sql/words/options.js";
export type { Rendered, SafeRendered } from "./sql/words/rendered.js";
export type { Frame, FrameBound, Window } from "./sql/words/windows.js";
