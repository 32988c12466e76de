/**
 * The builders of a table that is not known before run time, for generic code: fields are strings, operators those of all
 * kinds, parameters and rows records. The run time checks what the compiler does not know.
 */
import type { CreateSpec } from "../ast/spec.js";
import type { Dialect } from "../words/dialect.js";
import type { AggregateFunction } from "../words/functions.js";
import type { Kind } from "../words/kinds.js";
import type { Operator, OperatorsByDialect } from "../words/operators.js";
import type { LockOptions } from "../words/options.js";
import type { NoRelations, Relations } from "../words/relations.js";
import type { DynamicCompound, Operand } from "./combining.js";
import type { FittingCondition } from "./conditions.js";
import type {
  DynamicArguments,
  DynamicParams,
  DynamicQuery,
  DynamicSelect,
  DynamicSelecting,
} from "./dynamic.js";
import type { Expression } from "./expressions.js";
import type { AnyRows, TableRowsOn } from "./inner.js";
import type { DynamicUpsert } from "./inserts/dynamic-create.js";
import type { AnyShape, ColumnResults, Declared, shape } from "./model.js";
import type { TransactionOn } from "./on-dialect.js";
import type { OperandExpression } from "./operands.js";
import type { AnyParam } from "./params.js";
import type { Rendering } from "./rendering.js";
import type { Source } from "./source.js";

/** A row, a record or changes of a table that is not known. */
export type UnknownRow = Record<string, unknown>;

/** The model of a table that is not known. */
export interface UnknownModel {
  readonly dialect: Dialect;
  readonly row: UnknownRow;
  readonly insert: Readonly<UnknownRow>;
  readonly update: Readonly<UnknownRow>;
  readonly field: string;
  readonly own: string;
  readonly shown: string;
  readonly rangeField: string;
  readonly numberField: string;
  readonly vectorField: string;
  readonly keyField: string;
  readonly ruled: {
    readonly keys: string[];
    readonly demanded: never;
    readonly names: string;
    readonly hiding: never;
  };
  readonly columns: Readonly<Record<string, UnknownColumn>>;
  readonly table: unknown;
  readonly tables: NoRelations;
  readonly relations: Relations;
  readonly relation: string;
  readonly alias: never;
  readonly joins: never;
  readonly joined: NoRelations;
  readonly missing: never;
  readonly every: string;
  readonly [shape]: AnyShape;
}

interface UnknownColumn {
  readonly type: unknown;
  readonly value: unknown;
  readonly operators: OperatorsByDialect<"postgres">[Kind];
  readonly tests: string;
  readonly role: string;
  readonly results: ColumnResults<unknown>;
}

/** What is joined: a table, or a repository. */
type Joinable = Declared<unknown> | TableRowsOn<unknown, Dialect>;

/** How rows of two tables are connected: by a field of ours and one of theirs, by lists of them, or by a condition. */
type Connection =
  | [mine: string, theirs: string]
  | [mine: readonly string[], theirs: readonly string[]]
  | [on: FittingCondition<UnknownModel>];

/** Further methods of `select()` and `query()` of a table that is not known. */
export interface UnknownSelecting extends DynamicSelecting<UnknownRow, UnknownModel> {
  /** Joins a relation of the table (`"customer"`) or of a joined one (`"customer.country"`). */
  join(relation: string, name?: string): this;
  leftJoin(relation: string, name?: string): this;
  /** Joins a table by two fields that are equal, or by a condition. */
  joinOn(name: string, table: Joinable, ...on: Connection): this;
  leftJoinOn(name: string, table: Joinable, ...on: Connection): this;
  /** Joins a query that was named by `as`, by two fields that are equal, or by a condition. */
  joinQuery(query: Source<string, unknown, AnyParam, Dialect>, ...on: Connection): this;
  leftJoinQuery(query: Source<string, unknown, AnyParam, Dialect>, ...on: Connection): this;
  /** Joins a relation and keeps the rows of its table without ours. */
  rightJoin(relation: string, name?: string): this;
  fullJoin(relation: string, name?: string): this;
  rightJoinOn(name: string, table: Joinable, ...on: Connection): this;
  fullJoinOn(name: string, table: Joinable, ...on: Connection): this;
  rightJoinQuery(query: Source<string, unknown, AnyParam, Dialect>, ...on: Connection): this;
  fullJoinQuery(query: Source<string, unknown, AnyParam, Dialect>, ...on: Connection): this;
  /** Each row has rows of a relation inside. */
  with(relation: string, query?: AnyRows<Dialect, unknown>): this;
  /** Each row has a list of the rows in which `theirs` is equal to `mine`. */
  withOn(name: string, query: AnyRows<Dialect, unknown>, ...on: Connection): this;
  /** Adds columns and named expressions; the row then has exactly these. */
  fields(...names: readonly (string | Expression)[]): this;
  /** Gathers the rows that have the same values in these fields. */
  groupBy(...by: readonly (string | OperandExpression)[]): this;
  /** Only groups whose aggregate of that name meets a condition. */
  having(alias: string | OperandExpression, operator: Operator, param: string): this;
  /** Only groups whose aggregate of a field meets a condition; `count` takes `*` for the rows themselves. */
  havingAgg(aggregate: AggregateName, field: string, operator: Operator, param: string): this;
  forUpdate(options?: LockOptions): this;
  forNoKeyUpdate(options?: LockOptions): this;
  forShare(options?: LockOptions): this;
  forKeyShare(options?: LockOptions): this;
}

type AggregateName = Exclude<AggregateFunction, "count_distinct"> | "countDistinct";

/** `select()` of a table that is not known. */
export interface UnknownSelect
  extends DynamicSelect<UnknownRow, UnknownModel, "all columns">,
    UnknownSelecting {}

/** A query that can be combined with others of a table that is not known. */
type UnknownOperand = UnknownQuery | Operand<UnknownRow, AnyParam, Dialect>;

/** `query()` of a table that is not known. */
export interface UnknownQuery
  extends DynamicQuery<UnknownRow, UnknownModel, "all columns">,
    UnknownSelecting {
  union(other: UnknownOperand): UnknownCompound;
  unionAll(other: UnknownOperand): UnknownCompound;
  intersect(other: UnknownOperand): UnknownCompound;
  intersectAll(other: UnknownOperand): UnknownCompound;
  except(other: UnknownOperand): UnknownCompound;
  exceptAll(other: UnknownOperand): UnknownCompound;
}

/** A compound query of a table that is not known. */
export interface UnknownCompound
  extends Omit<
    DynamicCompound<UnknownRow, UnknownModel>,
    "union" | "unionAll" | "intersect" | "intersectAll" | "except" | "exceptAll"
  > {
  union(other: UnknownOperand): this;
  unionAll(other: UnknownOperand): this;
  intersect(other: UnknownOperand): this;
  intersectAll(other: UnknownOperand): this;
  except(other: UnknownOperand): this;
  exceptAll(other: UnknownOperand): this;
}

/** `insert()` of a table that is not known. `R` is what a record gives. */
export interface UnknownCreate<R = UnknownRow, D extends Dialect = Dialect> extends Rendering {
  build(): this;
  dynamic(): this;
  toSpec(): CreateSpec;
  /** Adds columns and named expressions of one row; the returned rows then have exactly these. */
  returning(...names: readonly (string | Expression)[]): this;
  /** The fields of a declared key: `doNothing()` or `doUpdate()` says what a row that has it becomes. */
  onConflict(...key: readonly string[]): {
    doNothing(): UnknownCreate<UnknownRow | null, D>;
    doUpdate(): DynamicUpsert<UnknownModel, UnknownRow>;
  };
  /** Stores a record and returns the stored row. */
  exec(record: Readonly<UnknownRow>, ...args: DynamicArguments): Promise<R>;
  execTx(tx: TransactionOn<D>, record: Readonly<UnknownRow>, params?: DynamicParams): Promise<R>;
  /** Stores all records or none, and returns the number of stored rows. */
  execBatch(records: readonly Readonly<UnknownRow>[], ...args: DynamicArguments): Promise<number>;
  /** Stores all records or none, and returns the stored rows in the order of the records. */
  execMany(records: readonly Readonly<UnknownRow>[], ...args: DynamicArguments): Promise<R[]>;
  /** Stores the rows of a query, and returns their number. */
  execFrom(query: AnyRows<Dialect, unknown>, ...args: DynamicArguments): Promise<number>;
}
