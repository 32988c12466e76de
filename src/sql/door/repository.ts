/** The repository of a table: creates builders, typed by the table and the dialect. */

import type { ZodType } from "zod";
import type {
  AggregateSpec,
  CompoundQuerySpec,
  CreateSpec,
  DeleteSpec,
  QuerySpec,
  SelectSpec,
  UpdateSpec,
} from "../ast/spec.js";
import type { BuilderPlace } from "../builder/draft/draft.js";
import { ChainMemory } from "../builder/draft/memory.js";
import { checkFilters } from "../ddl/filters.js";
import type { AnyReadable, AnyTable, Queried, Table, View, ViewInfo } from "../declare/declaration.js";
import { checkRelations, readModule, type TableModule } from "../declare/module.js";
import { checkTable } from "../declare/table.js";
import { checkSupported } from "../dialect/grammar/names.js";
import type { Callback, Callbacks } from "../exec/callbacks.js";
import type { Session } from "../exec/session.js";
import type { SpecOptions } from "../specs/permissions.js";
import type { ReadingSchemas, SpecSchemas } from "../specs/schemas.js";
import type { Aggregate, Modify, Remove } from "../types/changing.js";
import type { Compound, OperandParts, operandParts } from "../types/combining.js";
import type { Create } from "../types/creating.js";
import type { inner, QueryInside } from "../types/inner.js";
import type { AmountOf, AnyModel, AnyShape, AverageOf, Model, VectorsOn } from "../types/model.js";
import type { Fewer } from "../types/nesting.js";
import type { Page } from "../types/page.js";
import type { OptionalParam } from "../types/params.js";
import type { Query, Select } from "../types/reading.js";
import type { RuleName, WithoutRules } from "../types/rules/without.js";
import type { ScopedModel, ScopeValues } from "../types/scoped.js";
import type { RelationsSeen, SeenRelations } from "../types/seen.js";
import type { SqlTypeError } from "../types/sentences.js";
import type { Dialect } from "../words/dialect.js";
import type { TransactionHandle } from "../words/options.js";
import type { NoRelations } from "../words/relations.js";
import { DerivedQueries, type ReadsQueries } from "./derived.js";
import { Home } from "./home.js";
import type { ModelsOf } from "./models.js";
import type { RunsNative } from "./native.js";
import type { RunsSql } from "./raw.js";
import type { UnknownReadingRepository, UnknownRepository } from "./unknown-repository.js";

/**
 * What databases and transactions have: repositories, whose builders run where they were asked for. One declaration for
 * both: a function that takes either would else make the compiler compare two types of all repositories that there may be.
 */
export interface GivesRepositories<out D extends Dialect = Dialect> {
  /** The repository of a table: one per table, with its callbacks and cached builders. That of a view only reads. */
  repository<S extends AnyShape, V extends ViewInfo | undefined = undefined>(
    table: Queried<S, V> & VectorsOn<S, D>,
  ): V extends undefined
    ? string extends keyof S
      ? UnknownRepository<D>
      : Repository<Model<S, D>["row"], Model<S, D>>
    : string extends keyof S
      ? UnknownReadingRepository<D>
      : ReadingRepository<Model<S, D>["row"], Model<S, D>>;
  /**
   * The repositories of the tables of a module (`import * as tables from "./tables.js"`), by the names of its exports:
   * one for each table. Their queries join by relation. All relations are checked, once; exports that are not tables
   * are left out.
   * @throws {DeclarationError} for a relation that cannot work.
   */
  repositories<T extends object>(tables: T): { readonly [K in keyof T]: RepositoryOf<T, K, D> };
}

/** A running transaction. */
export interface Transaction<out D extends Dialect = Dialect>
  extends TransactionHandle,
    GivesRepositories<D>,
    RunsSql<D>,
    RunsNative,
    ReadsQueries<D> {
  readonly dialect: D;
  /** Runs `work` in a savepoint: rolls back to it when `work` rejects. */
  transaction<T>(work: (tx: Transaction<D>) => Promise<T>): Promise<T>;
}

/**
 * The repository of an export of a module. The mapped type around it has no name: for a named type the compiler would
 * compute the variance in the dialect, which never ends.
 */
export type RepositoryOf<T, K extends keyof T, D extends Dialect> =
  T[K] extends Table<infer S, infer Rel>
    ? string extends keyof S
      ? UnknownRepository<D>
      : unknown extends VectorsOn<S, D>
        ? Repository<Model<S, D>["row"], Model<S, D, ModelsOf<T, D>, K, Rel>>
        : VectorsOn<S, D>
    : T[K] extends View<infer S, infer Rel>
      ? string extends keyof S
        ? UnknownReadingRepository<D>
        : unknown extends VectorsOn<S, D>
          ? ReadingRepository<Model<S, D>["row"], Model<S, D, ModelsOf<T, D>, K, Rel>>
          : VectorsOn<S, D>
      : SqlTypeError<"this is not a table">;

/** The builders of one view on one database. A table has them too. */
export interface ReadingRepository<in out R, in out M extends AnyModel> {
  readonly table: AnyReadable;
  readonly dialect: M["dialect"] & Dialect;

  /** One row. */
  select(): Select<R, never, M, "all columns">;
  /** All matching rows. */
  query(): Query<R, never, M, "all columns">;
  /** The number of matching rows. */
  count(): Aggregate<number, never, M>;
  /** The sum of a field over the matching rows; 0 if there are none. A bigint for a bigint field. */
  sum<F extends M["numberField"]>(field: F): Aggregate<AmountOf<M["columns"][F]["value"]>, never, M>;
  /** The average of a field over the matching rows; 0 if there are none. */
  avg<F extends M["numberField"]>(field: F): Aggregate<AverageOf<M["columns"][F]["value"]>, never, M>;
  /** The least value of a field over the matching rows; 0 if there are none. */
  min<F extends M["numberField"]>(field: F): Aggregate<AmountOf<M["columns"][F]["value"]>, never, M>;
  /** The greatest value of a field over the matching rows; 0 if there are none. */
  max<F extends M["numberField"]>(field: F): Aggregate<AmountOf<M["columns"][F]["value"]>, never, M>;

  /**
   * A builder from a spec; its parameters are checked at run time. `build` and `exec` throw the problems of the
   * spec.
   */
  queryFromSpec(spec: QuerySpec): Query<Partial<R>, OptionalParam, M, "some fields" | Fewer>;
  /** Pages of a query: `limit` is their size. `after` is the cursor if a call gives none. */
  pageFromSpec(spec: QuerySpec): Page<Partial<R>, OptionalParam>;
  selectFromSpec(spec: SelectSpec): Select<Partial<R>, OptionalParam, M, "some fields" | Fewer>;
  compoundFromSpec(spec: CompoundQuerySpec): Compound<Partial<R>, OptionalParam, M>;
  countFromSpec(spec: AggregateSpec): Aggregate<number, OptionalParam, M>;
  sumFromSpec(spec: AggregateSpec): Aggregate<number | bigint | string, OptionalParam, M>;
  avgFromSpec(spec: AggregateSpec): Aggregate<number | string, OptionalParam, M>;
  minFromSpec(spec: AggregateSpec): Aggregate<number | bigint | string, OptionalParam, M>;
  maxFromSpec(spec: AggregateSpec): Aggregate<number | bigint | string, OptionalParam, M>;

  /**
   * Registers a function that is called with every row that select, query, insert and modify return, before the caller
   * gets it; `null` removes it. There is one callback per table and database: it applies in transactions, and to
   * existing builders. Rows are partial if `fields` narrowed them. An error rolls the call back and becomes a
   * `CallbackError`.
   */
  onScan(callback: Callback<Partial<R>, Transaction<M["dialect"]>> | null): void;
  /** The same repository for the rows in which these fields have these values, as `scope` of a table. */
  scope<const V extends ScopeValues<M>>(values: V): ReadingRepository<R, ScopedModel<M, keyof V & string>>;
  /** The same repository without these rules, as `without` of a table. */
  without<const N extends RuleName<M>>(
    ...names: readonly [N, ...N[]]
  ): ReadingRepository<R, WithoutRules<M, N>>;

  /** Zod schemas of the specs of this table, for specs from clients. */
  specs<F extends M["shown"] = M["shown"], const Rel extends RelationsSeen<M> = NoRelations>(
    options?: SpecOptions<F> & SeenRelations<M, Rel>,
  ): ReadingSchemas<F, keyof Rel>;
  /** Whether a value is the name of a field. */
  isField(name: unknown): name is M["field"];
  /**
   * Returns the name as a field.
   * @throws {BuildError} `INVALID_FIELD` if it is not a field.
   */
  field(name: unknown): M["field"];

  /** The query that stands for the repository where a query is expected: all of its rows. */
  readonly [inner]: QueryInside<R, never, M, "all columns">;
  readonly [operandParts]: OperandParts<R, never, M["dialect"]>;
}

/** The builders of one table on one database. `R` is the row; it comes first so that an editor shows it. */
export interface Repository<in out R, in out M extends AnyModel> extends ReadingRepository<R, M> {
  readonly table: AnyTable;
  /** New rows. */
  insert(): Create<R, never, M>;
  /** Updates rows. */
  modify(): Modify<M["ruled"]["demanded"], M, "no condition">;
  /** Removes rows. */
  remove(): Remove<M["ruled"]["demanded"], M, "no condition">;
  insertFromSpec(spec: CreateSpec): Create<R | null, OptionalParam, M>;
  modifyFromSpec(spec: UpdateSpec): Modify<OptionalParam, M, "from a spec">;
  removeFromSpec(spec: DeleteSpec): Remove<OptionalParam, M, "with condition">;
  /**
   * Registers a function that is called with every record before it is stored; `null` removes it. The changed
   * record is validated again. An error becomes a `CallbackError`, in a batch with the `index` of the record.
   */
  onRecord(callback: Callback<M["insert"], Transaction<M["dialect"]>> | null): void;
  /**
   * The same repository for a part of the table: every statement is limited to rows in which these fields have these
   * values, and every insert sets them. The fields are absent from inserts, updates, `set` and specs from clients, and
   * are added to the key of `onConflict`. Scopes do not apply to `db.sql`.
   * @throws {ParameterError} `PARAM_TYPE` for a value that the field cannot hold, null included.
   * @throws {BuildError} `INVALID_FIELD` for a field that cannot be fixed; `INVALID_CONDITION` for no field, and for
   *   one that has a different value in the outer scope.
   */
  scope<const V extends ScopeValues<M>>(values: V): ScopedRepository<R, M, keyof V & string>;
  /**
   * The same repository without these rules of the table, by the name of the filter or of the column. Without
   * `"deleted"` it sees removed rows, may set the time, and truly removes; without `"version"` it demands no version, and
   * still counts; without `"updated"` it may give the time. Nested and joined builders keep the rules of their own
   * repository.
   * @throws {BuildError} `INVALID_FIELD` for a name that no rule of the table has.
   */
  without<const N extends RuleName<M>>(...names: readonly [N, ...N[]]): Repository<R, WithoutRules<M, N>>;

  /** Zod schemas of the specs of this table, for specs from clients. */
  specs<F extends M["shown"] = M["shown"], const Rel extends RelationsSeen<M> = NoRelations>(
    options?: SpecOptions<F> & SeenRelations<M, Rel>,
  ): SpecSchemas<F, keyof Rel>;
}

/** The repository of a part of a table, with the schemas of its inserts and updates. */
export interface ScopedRepository<in out R, in out M extends AnyModel, in out K extends string>
  extends Repository<R, ScopedModel<M, K>> {
  readonly insertSchema: ZodType<ScopedModel<M, K>["insert"]>;
  readonly updateSchema: ZodType<ScopedModel<M, K>["update"]>;
}

/** The tables of one database: all repositories of a table, in transactions or not, share its builders. */
export class Tables {
  readonly #session: Session;
  readonly #memory = new ChainMemory();
  // A table without other references is garbage collected, with its cached builders.
  readonly #homes = new WeakMap<AnyTable, Home>();
  readonly #modules = new WeakMap<object, ReadonlyMap<string, Home>>();
  // By the columns of a table, which its parts share.
  readonly #callbacks = new WeakMap<AnyTable["columns"], Callbacks>();

  /** The queries over queries. */
  readonly sources: DerivedQueries;

  constructor(session: Session) {
    this.#session = session;
    this.sources = new DerivedQueries(session, this.#memory);
  }

  /**
   * The repository of a table. Its builders run in the session.
   * @throws {UnsupportedError} for a table that the dialect does not support.
   */
  repository<R, M extends AnyModel>(table: AnyTable, session: Session): Repository<R, M> {
    const home = this.#homes.get(table) ?? this.#open(table);
    const untyped = session === this.#session ? home.repository : home.repositoryIn(session);
    // The only place where the untyped builders get their types: `types/` describes these classes.
    return untyped as Repository<R, M>;
  }

  /**
   * The repositories of the tables of a module, with the targets of their relations.
   * @throws {DeclarationError} for a relation that cannot work.
   * @throws {UnsupportedError} for a table that the dialect does not support.
   */
  repositories(module: object, session: Session): object {
    const homes = this.#modules.get(module) ?? this.#openModule(module);
    const isOwn = session === this.#session;
    // Without a prototype: the exports of an object may have any name. A transaction seldom uses all of them.
    const repositories: object = Object.create(null);
    for (const [name, home] of homes) {
      let made: object | undefined;
      const get = () => {
        made ??= isOwn ? home.repository : home.repositoryIn(session);
        return made;
      };
      Object.defineProperty(repositories, name, { enumerable: true, get });
    }
    return Object.freeze(repositories);
  }

  // A table has one set of callbacks per database, however it is reached.
  #openModule(module: object): ReadonlyMap<string, Home> {
    const tables = readModule(module, "repositories");
    checkRelations(tables);
    const homes = new Map<string, Home>();
    for (const [name, table] of tables) {
      const { source } = this.#homes.get(table) ?? this.#open(table);
      homes.set(name, new Home({ ...source, tables }));
    }
    this.#modules.set(module, homes);
    return homes;
  }

  #open(table: AnyTable): Home {
    checkTable(table, "repository");
    const { grammar } = this.#session;
    // An unsupported table is refused before any statement exists.
    checkSupported(table, grammar);
    checkFilters(table, grammar);
    const callbacks: Callbacks = { onScan: null, onRecord: null };
    this.#callbacks.set(table.columns, callbacks);
    const place: BuilderPlace = { session: this.#session, callbacks };
    const callbacksOf = ({ columns }: AnyTable) => this.#callbacks.get(columns);
    const home = new Home({ table, tables: NO_TABLES, grammar, memory: this.#memory, place, callbacksOf });
    this.#homes.set(table, home);
    return home;
  }
}

const NO_TABLES: TableModule = new Map();
