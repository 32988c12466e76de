/** The repository of a table that is unknown before run time, as users see it: `repository(t)` for any table `t`. */
import type {
  AggregateSpec,
  CompoundQuerySpec,
  CreateSpec,
  DeleteSpec,
  QuerySpec,
  SelectSpec,
  UpdateSpec,
} from "../ast/spec.js";
import type { AnyReadable, AnyTable } from "../declare/declaration.js";
import type { Callback } from "../exec/callbacks.js";
import type { SpecOptions } from "../specs/permissions.js";
import type { ReadingSchemas, SpecSchemas } from "../specs/schemas.js";
import type { OperandParts, operandParts } from "../types/combining.js";
import type { DynamicAggregate, DynamicModify, DynamicRemove } from "../types/dynamic.js";
import type { inner, QueryInside } from "../types/inner.js";
import type { DynamicPage } from "../types/page.js";
import type {
  UnknownCompound,
  UnknownCreate,
  UnknownModel,
  UnknownQuery,
  UnknownRow,
  UnknownSelect,
} from "../types/unknown.js";
import type { Dialect } from "../words/dialect.js";

/** The builders of an unknown view: only those that read. */
export interface UnknownReadingRepository<out D extends Dialect = Dialect>
  extends Omit<
    UnknownRepository<D>,
    | ("insert" | "modify" | "remove")
    | ("insertFromSpec" | "modifyFromSpec" | "removeFromSpec")
    | ("onRecord" | "scope" | "without" | "specs" | "table")
  > {
  readonly table: AnyReadable;
  scope(values: Readonly<Record<string, unknown>>): UnknownReadingRepository<D>;
  without(...names: readonly string[]): UnknownReadingRepository<D>;
  specs(options?: SpecOptions<string>): ReadingSchemas<string>;
}

/** The builders of an unknown table: strings, records, and checks at run time. */
export interface UnknownRepository<out D extends Dialect = Dialect> {
  readonly table: AnyTable;
  readonly dialect: D;
  select(): UnknownSelect;
  query(): UnknownQuery;
  insert(): UnknownCreate<UnknownRow, D>;
  modify(): DynamicModify<UnknownModel>;
  remove(): DynamicRemove<UnknownModel>;
  count(): DynamicAggregate<number, UnknownModel>;
  sum(field: string): DynamicAggregate<number | bigint, UnknownModel>;
  avg(field: string): DynamicAggregate<number, UnknownModel>;
  min(field: string): DynamicAggregate<number | bigint, UnknownModel>;
  max(field: string): DynamicAggregate<number | bigint, UnknownModel>;
  queryFromSpec(spec: QuerySpec): UnknownQuery;
  pageFromSpec(spec: QuerySpec): DynamicPage<UnknownRow>;
  selectFromSpec(spec: SelectSpec): UnknownSelect;
  insertFromSpec(spec: CreateSpec): UnknownCreate<UnknownRow | null, D>;
  compoundFromSpec(spec: CompoundQuerySpec): UnknownCompound;
  modifyFromSpec(spec: UpdateSpec): DynamicModify<UnknownModel>;
  removeFromSpec(spec: DeleteSpec): DynamicRemove<UnknownModel>;
  countFromSpec(spec: AggregateSpec): DynamicAggregate<number, UnknownModel>;
  sumFromSpec(spec: AggregateSpec): DynamicAggregate<number | bigint, UnknownModel>;
  avgFromSpec(spec: AggregateSpec): DynamicAggregate<number, UnknownModel>;
  minFromSpec(spec: AggregateSpec): DynamicAggregate<number | bigint, UnknownModel>;
  maxFromSpec(spec: AggregateSpec): DynamicAggregate<number | bigint, UnknownModel>;
  /** As `onScan` of a repository. */
  onScan(callback: Callback<UnknownRow> | null): void;
  /** As `onRecord` of a repository. */
  onRecord(callback: Callback<UnknownRow> | null): void;
  /** As `scope` of a repository. */
  scope(values: Readonly<Record<string, unknown>>): UnknownRepository<D>;
  /** As `without` of a repository. */
  without(...names: readonly string[]): UnknownRepository<D>;
  /** Zod schemas of the specs of this table, for specs from clients. */
  specs(options?: SpecOptions<string>): SpecSchemas<string>;
  /** Whether a value is the name of a field. */
  isField(name: unknown): name is string;
  /** Returns the name as a field. @throws {BuildError} `INVALID_FIELD` if it is not a field. */
  field(name: unknown): string;
  /** The query that stands for the repository where a query is expected: all of its rows. */
  readonly [inner]: QueryInside<UnknownRow, never, UnknownModel, "all columns">;
  readonly [operandParts]: OperandParts<UnknownRow, never, Dialect>;
}
