/** The entry point of `rowtype`: tables, columns, conditions, specs, SQL errors and events. */

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
export { column, decimal, json, vector } from "./sql/declare/column.js";
export type {
  AnyDeclared,
  AnyReadable,
  AnyTable,
  AnyView,
  ByDialect,
  CheckInfo,
  ColumnInfo,
  ColumnMeta,
  Constraints,
  Deferrable,
  EnumType,
  ForeignKeyInfo,
  IndexedColumn,
  IndexInfo,
  Insert,
  InsertShape,
  Queried,
  ReferentialAction,
  Row,
  Storage,
  Table,
  Update,
  UpdateShape,
  View,
  ViewInfo,
} from "./sql/declare/declaration.js";
export { enumType } from "./sql/declare/enum-type.js";
export type {
  ColumnIndexOptions,
  ExpressionIndexOptions,
  ForeignKeyOptions,
  IndexOptions,
  TableOptions,
} from "./sql/declare/options.js";
export { type ManyOptions, many, type OneOptions, one, type ThroughOptions } from "./sql/declare/relation.js";
export { table } from "./sql/declare/table.js";
export { type ViewOptions, view } from "./sql/declare/view.js";
export type { Database, PingOptions } from "./sql/door/database.js";
export type { ModelsOf } from "./sql/door/models.js";
export type { NativeOptions, NativeResult } from "./sql/door/native.js";
export type { Sql, SqlOptions } from "./sql/door/raw.js";
export type {
  ReadingRepository,
  Repository,
  RepositoryOf,
  ScopedRepository,
  Transaction,
} from "./sql/door/repository.js";
export type { UnknownReadingRepository, UnknownRepository } from "./sql/door/unknown-repository.js";
export type { Callback, CallbackContext } from "./sql/exec/callbacks.js";
export { and, between, c, isNull, not, notBetween, notNull, or } from "./sql/expression/condition.js";
export * from "./sql/expression/functions.js";
/** Every function of expressions, under its name. */
export * as fn from "./sql/expression/functions.js";
export { inserted } from "./sql/expression/inserted.js";
export { param, value } from "./sql/expression/operands.js";
export { compare, exists, existsOn, inQuery, notExists, notExistsOn } from "./sql/expression/queries.js";
export { field, type RawFragment, type RawTag, raw } from "./sql/expression/raw.js";
export { startOf } from "./sql/expression/start-of.js";
export type { ConditionOperator, SpecOptions } from "./sql/specs/permissions.js";
export type { ReadingSchemas, SpecSchema, SpecSchemas } from "./sql/specs/schemas.js";
export type { AtomicCallOptions, Bound, BoundResults, RunsAtomic } from "./sql/types/bound.js";
export type { Aggregate, Modify, Remove } from "./sql/types/changing.js";
export type { Compound, DynamicCompound, Operand, OperandParts } from "./sql/types/combining.js";
export type { Condition, FittingCondition } from "./sql/types/conditions.js";
export type { Conflict, Create, Upsert } from "./sql/types/creating.js";
export type {
  DynamicAggregate,
  DynamicArguments,
  DynamicFiltering,
  DynamicModify,
  DynamicParams,
  DynamicQuery,
  DynamicReading,
  DynamicRemove,
  DynamicSelect,
  DynamicSelecting,
} from "./sql/types/dynamic.js";
export type {
  AggregateValue,
  CaseValue,
  CaseWhen,
  EdgeValue,
  Expression,
  ListingValue,
  LooseExpression,
  RankingValue,
  Value,
} from "./sql/types/expressions.js";
export type { AggregateName, Grouped, Selection } from "./sql/types/grouping.js";
export type { DynamicUpsert } from "./sql/types/inserts/dynamic-create.js";
export type {
  Graph,
  InsertOf,
  InsideRow,
  NestingCreate,
} from "./sql/types/inserts/nesting-create.js";
export type { InsertInside } from "./sql/types/inserts/recorded.js";
export type { Absent, Joined } from "./sql/types/joined.js";
export type { Beside, KindLeaf, Leaf } from "./sql/types/leaves.js";
// The inferred types of a user's exports name these: without them their declarations could not be written.
export type {
  AnyModel,
  Column,
  ColumnModel,
  ColumnResults,
  Declared,
  InKeys,
  Model,
  Models,
  Shape,
  Trait,
} from "./sql/types/model.js";
export type {
  ExpressionRole,
  FittingExpression,
  FittingOperand,
  Loose,
  OperandExpression,
  Parameter,
} from "./sql/types/operands.js";
export type { DynamicPage, Page, PageArguments, PageOf } from "./sql/types/page.js";
export type {
  AnyParam,
  Constant,
  OptionalParam,
  Param,
  Presence,
  RequiredParam,
} from "./sql/types/params.js";
export type { At, PathLeaf, Place, Step } from "./sql/types/paths.js";
export type { Query, Select } from "./sql/types/reading.js";
export type { ParamsOf, Rendering, ResultOf } from "./sql/types/rendering.js";
export type { First, Fn, Is, IsDecimal, Of, Sum } from "./sql/types/results.js";
export type { ScopedModel, ScopeValues } from "./sql/types/scoped.js";
export type { Selecting } from "./sql/types/selecting.js";
export type { SqlTypeError } from "./sql/types/sentences.js";
export type {
  Derived,
  Recursion,
  RecursionOptions,
  Source,
  SourceQuery,
  ValueColumn,
} from "./sql/types/source.js";
export type {
  NoSchemas,
  SqlArguments,
  SqlParamSchemas,
  SqlParams,
  SqlParamsOf,
  SqlValueOn,
} from "./sql/types/sql-text.js";
export type {
  UnknownCompound,
  UnknownCreate,
  UnknownModel,
  UnknownQuery,
  UnknownRow,
  UnknownSelect,
  UnknownSelecting,
} from "./sql/types/unknown.js";
export type { Scope } from "./sql/types/updates/update-state.js";
export type { Filtering } from "./sql/types/values/filtering.js";
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
  StaleVersionError,
  UnsupportedError,
} from "./sql/words/errors.js";
export { type Operation, on, type SqlEvents } from "./sql/words/events.js";
export type { AggregateFunction as GatheringFunction, CastTarget } from "./sql/words/functions.js";
export type { Kind } from "./sql/words/kinds.js";
export type { LockMode } from "./sql/words/locks.js";
export type {
  ArithmeticOperator,
  DistanceOperator,
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
  PageOptions,
  TransactionHandle,
  TransactionOptions,
} from "./sql/words/options.js";
export type { Many, NoRelations, One, Relation, Relations, Through, Ways } from "./sql/words/relations.js";
export type { Rendered, SafeRendered } from "./sql/words/rendered.js";
export type { SqlValue } from "./sql/words/sql-value.js";
export type { Frame, FrameBound, Window } from "./sql/words/windows.js";
