/** The repository of a table: where builders begin, typed by the table and the dialect. */

import type { $ZodObject, output } from "zod/v4/core";
import type {
  AggregateSpec,
  CompoundQuerySpec,
  CreateSpec,
  DeleteSpec,
  QuerySpec,
  SelectSpec,
  UpdateSpec,
} from "../ast/spec.js";
import type { CreateParts, QueryStatement, SelectStatement, UpdateParts } from "../ast/statement.js";
import { AvgBuilder, CountBuilder, MaxBuilder, MinBuilder, SumBuilder } from "../builder/aggregate.js";
import type { Builder, RepositoryContext } from "../builder/builder.js";
import { CompoundBuilder, partsOf } from "../builder/compound.js";
import { CreateBuilder } from "../builder/create.js";
import { Memory } from "../builder/memory.js";
import { ModifyBuilder } from "../builder/modify.js";
import { QueryBuilder } from "../builder/query.js";
import { RemoveBuilder } from "../builder/remove.js";
import { SelectBuilder } from "../builder/select.js";
import type { AnyTable, Table } from "../declare/declaration.js";
import { checkTable } from "../declare/table.js";
import type { Grammar } from "../dialect/grammar.js";
import { tableFault } from "../dialect/names.js";
import type { Callback, Callbacks } from "../exec/callbacks.js";
import type { Row } from "../exec/decode.js";
import type { Session } from "../exec/session.js";
import { unknownField } from "../resolve/scope.js";
import { foreignSpec } from "../specs/foreign.js";
import type { SpecOptions } from "../specs/permissions.js";
import { type SpecSchemas, specSchemas } from "../specs/schemas.js";
import type { Aggregate, Modify, Remove } from "../types/changing.js";
import type { Compound } from "../types/combining.js";
import type { Create } from "../types/creating.js";
import type { AnyModel, Model, Shape, VectorsOn } from "../types/model.js";
import type { OptionalParam } from "../types/params.js";
import type { Query, Select } from "../types/reading.js";
import type { Dialect } from "../words/dialect.js";
import { BuildError, UnsupportedError } from "../words/errors.js";
import type { TransactionHandle } from "../words/options.js";
import type { Sql } from "./raw.js";

/** A running transaction. */
export interface Transaction<out D extends Dialect = Dialect> extends TransactionHandle {
  readonly dialect: D;
  /** The repository of the table on the database, whose builders run in this transaction here. */
  repository<S extends Shape>(table: Table<S> & VectorsOn<S, D>): Repository<Model<S, D>["row"], Model<S, D>>;
  /** Text of your own, run in this transaction. */
  sql<S extends $ZodObject>(text: string, row: S): Sql<output<S>[]>;
  sql(text: string): Sql<number>;
  /** Runs `work` in a savepoint: what it did is undone when it rejects. */
  transaction<T>(work: (tx: Transaction<D>) => Promise<T>): Promise<T>;
}

/** The builders of one table on one database. `R` is the row, first so that an editor shows it. */
export interface Repository<R, M extends AnyModel> {
  readonly table: AnyTable;
  readonly dialect: M["dialect"] & Dialect;

  /** One row. */
  select(): Select<R, never, M, "all columns">;
  /** All matching rows. */
  query(): Query<R, never, M, "all columns">;
  /** New rows. */
  insert(): Create<R, never, M>;
  /** Changes to rows. */
  modify(): Modify<never, M, "no condition">;
  /** Removal of rows. */
  remove(): Remove<never, M, "no condition">;
  /** The number of matching rows. */
  count(): Aggregate<number, never, M>;
  /** The sum of a field over the matching rows; 0 where there are none. A bigint for a field of bigints. */
  sum<F extends M["numberField"]>(field: F): Aggregate<NumberOf<M["columns"][F]["value"]>, never, M>;
  /** The average of a field over the matching rows; 0 where there are none. */
  avg<F extends M["numberField"]>(field: F): Aggregate<number, never, M>;
  /** The least value of a field over the matching rows; 0 where there are none. */
  min<F extends M["numberField"]>(field: F): Aggregate<NumberOf<M["columns"][F]["value"]>, never, M>;
  /** The greatest value of a field over the matching rows; 0 where there are none. */
  max<F extends M["numberField"]>(field: F): Aggregate<NumberOf<M["columns"][F]["value"]>, never, M>;

  /** A builder of a spec; its parameters are checked at run time. Problems of the spec come with `build` or `exec`. */
  queryFromSpec(spec: QuerySpec): Query<Partial<R>, OptionalParam, M, "some fields">;
  selectFromSpec(spec: SelectSpec): Select<Partial<R>, OptionalParam, M, "some fields">;
  insertFromSpec(spec: CreateSpec): Create<R | null, OptionalParam, M>;
  compoundFromSpec(spec: CompoundQuerySpec): Compound<Partial<R>, OptionalParam, M>;
  modifyFromSpec(spec: UpdateSpec): Modify<OptionalParam, M, "from a spec">;
  removeFromSpec(spec: DeleteSpec): Remove<OptionalParam, M, "with condition">;
  countFromSpec(spec: AggregateSpec): Aggregate<number, OptionalParam, M>;
  sumFromSpec(spec: AggregateSpec): Aggregate<number | bigint, OptionalParam, M>;
  avgFromSpec(spec: AggregateSpec): Aggregate<number, OptionalParam, M>;
  minFromSpec(spec: AggregateSpec): Aggregate<number | bigint, OptionalParam, M>;
  maxFromSpec(spec: AggregateSpec): Aggregate<number | bigint, OptionalParam, M>;

  /**
   * Called with every row that select, query, insert and modify give, before the caller gets it; `null` removes it.
   * One for the table on this database: it holds in transactions, and for builders that were made before.
   * Rows are partial where `fields` narrowed them. An error undoes what the call had begun and comes as a
   * `CallbackError`.
   */
  onScan(callback: Callback<Partial<R>, Transaction<M["dialect"]>> | null): void;
  /**
   * Called with every record before it is stored; `null` removes it. What it changes is validated again. An error
   * comes as a `CallbackError`, in a batch with the `index` of the record.
   */
  onRecord(callback: Callback<M["insert"], Transaction<M["dialect"]>> | null): void;

  /** Zod schemas of the specs of this table, for specs that come from outside. */
  specs<F extends M["field"] = M["field"]>(options?: SpecOptions<F>): SpecSchemas<F>;
  /** Whether a name from outside is a field. */
  isField(name: unknown): name is M["field"];
  /** The name as a field. @throws {BuildError} `INVALID_FIELD` when it is none. */
  field(name: unknown): M["field"];
}

// An aggregate of literals is a number like any other.
type NumberOf<V> = [V] extends [bigint] ? bigint : number;

/** The tables of one database: who asks for the repository of one, in a transaction or not, shares its builders. */
export class Tables {
  readonly #session: Session;
  readonly #memory = new Memory();
  // A table that nobody else holds goes, with all that was rendered for it.
  readonly #homes = new WeakMap<AnyTable, Home>();

  constructor(session: Session) {
    this.#session = session;
  }

  /**
   * The repository of a table, whose builders run in the session.
   * @throws {UnsupportedError} for a table that the dialect cannot have.
   */
  repository<R, M extends AnyModel>(table: AnyTable, session: Session): Repository<R, M> {
    const home = this.#homes.get(table) ?? this.#open(table);
    const untyped = session === this.#session ? home.repository : repositoryOf(home, session);
    // The one place where the untyped builders get their types: `types/` describes these classes.
    return untyped as Repository<R, M>;
  }

  #open(table: AnyTable): Home {
    checkTable(table, "repository");
    const { grammar } = this.#session;
    checkDialect(table, grammar);
    const callbacks: Callbacks = { onScan: null, onRecord: null };
    const home = new Home({ table, grammar, session: this.#session, callbacks, memory: this.#memory });
    this.#homes.set(table, home);
    return home;
  }
}

type BuilderKind<B extends Builder<object>> = new (context: RepositoryContext, spec: object) => B;

/** A table on a database: its repository, and the builders where chains begin, made when they are first asked for. */
class Home {
  readonly context: RepositoryContext;
  readonly #beginnings = new Map<BuilderKind<Builder<object>>, Builder<object>>();
  #repository: object | undefined;

  constructor(context: RepositoryContext) {
    this.context = context;
  }

  get repository(): object {
    this.#repository ??= repositoryOf(this, this.context.session);
    return this.#repository;
  }

  begin<B extends Builder<object>>(Kind: BuilderKind<B>): B {
    let builder = this.#beginnings.get(Kind);
    if (builder === undefined) {
      builder = new Kind(this.context, {}).beginning();
      this.#beginnings.set(Kind, builder);
    }
    // The key is its class.
    return builder as B;
  }
}

function repositoryOf(home: Home, session: Session): object {
  const { table, grammar, callbacks } = home.context;
  const isInside = session !== home.context.session;
  const context = isInside ? { ...home.context, session } : home.context;
  const begin = <B extends Builder<object>>(Kind: BuilderKind<B>): B =>
    isInside ? home.begin(Kind).within(context) : home.begin(Kind);
  const isField = (name: unknown): name is string =>
    typeof name === "string" && table.columns[name] !== undefined;
  return Object.freeze({
    table,
    dialect: grammar.dialect,
    select: () => begin(SelectBuilder),
    query: () => begin(QueryBuilder),
    insert: () => begin(CreateBuilder),
    modify: () => begin(ModifyBuilder),
    remove: () => begin(RemoveBuilder),
    count: () => begin(CountBuilder),
    sum: (field: string) => begin(SumBuilder).of(field),
    avg: (field: string) => begin(AvgBuilder).of(field),
    min: (field: string) => begin(MinBuilder).of(field),
    max: (field: string) => begin(MaxBuilder).of(field),
    queryFromSpec: (spec: unknown) => new QueryBuilder(context, ...foreignSpec<QueryStatement["spec"]>(spec)),
    selectFromSpec: (spec: unknown) =>
      new SelectBuilder(context, ...foreignSpec<SelectStatement["spec"]>(spec)),
    insertFromSpec: (spec: unknown) => new CreateBuilder(context, ...foreignSpec<CreateParts>(spec)),
    compoundFromSpec: (spec: unknown) => {
      const [parts, problems] = foreignSpec<CompoundQuerySpec>(spec);
      return new CompoundBuilder(context, partsOf(parts, table), problems);
    },
    modifyFromSpec: (spec: unknown) => new ModifyBuilder(context, ...foreignSpec<UpdateParts>(spec)),
    removeFromSpec: (spec: unknown) => new RemoveBuilder(context, ...foreignSpec<DeleteSpec>(spec)),
    countFromSpec: (spec: unknown) => new CountBuilder(context, ...foreignSpec<AggregateSpec>(spec)),
    sumFromSpec: (spec: unknown) => new SumBuilder(context, ...foreignSpec<AggregateSpec>(spec)),
    avgFromSpec: (spec: unknown) => new AvgBuilder(context, ...foreignSpec<AggregateSpec>(spec)),
    minFromSpec: (spec: unknown) => new MinBuilder(context, ...foreignSpec<AggregateSpec>(spec)),
    maxFromSpec: (spec: unknown) => new MaxBuilder(context, ...foreignSpec<AggregateSpec>(spec)),
    specs: (options?: SpecOptions<string>) => specSchemas(table, grammar, options),
    onScan: (callback: Callback<Row> | null) => {
      callbacks.onScan = callback;
    },
    onRecord: (callback: Callback<Record<string, unknown>> | null) => {
      callbacks.onRecord = callback;
    },
    isField,
    field: (name: unknown) => {
      if (isField(name)) return name;
      throw new BuildError([{ code: "INVALID_FIELD", message: unknownField(name, table) }]);
    },
  });
}

// What no statement of a table could be on a dialect is refused before there is one.
function checkDialect(table: AnyTable, grammar: Grammar): void {
  const fault = tableFault(table, grammar);
  if (fault !== undefined) throw new UnsupportedError(grammar.dialect, fault.feature, fault.hint);
}
