/** A table on a database, or a part of one: its repository, its first builders, and its scopes. Untyped beneath the repository. */
import { Lru } from "../../core/lru.js";
import type { CompoundQuerySpec, CreateSpec } from "../ast/spec.js";
import type { AggregateStatement, Statement } from "../ast/statement.js";
import type { AggregateBuilder } from "../builder/aggregate.js";
import type { AnyBuilder } from "../builder/builder.js";
import { partsOf } from "../builder/compound.js";
import type { Place, Source } from "../builder/draft.js";
import { withFixed } from "../builder/keys.js";
import type { AnyTable } from "../declare/declaration.js";
import { partOf, tablesWithin } from "../declare/scoped.js";
import type { Callback } from "../exec/callbacks.js";
import type { Row } from "../exec/decode.js";
import { unknownField } from "../resolve/scope.js";
import { foreignSpec } from "../specs/foreign.js";
import type { AnySpecOptions } from "../specs/permissions.js";
import { specSchemas } from "../specs/schemas.js";
import { BuildError } from "../words/errors.js";
import { pageOfSpec } from "./pages.js";
import { keyOfScope, readScope } from "./scope.js";
import { starts } from "./starts.js";

/** How many scopes of a table are kept. What hangs on each is bounded by the memory of the database. */
const MOST_SCOPES = 200;

/** A table on a database: its repository and its initial builders, created on first use. */
export class Home {
  readonly source: Source;
  readonly whole: AnyTable;
  readonly #beginnings = new Map<Statement["kind"], AnyBuilder>();
  #repository: object | undefined;
  // A tenant's next request finds what the last one has rendered.
  readonly #scopes = new Lru<string, Home>({ max: MOST_SCOPES });
  #ofSpecs: Source | undefined;

  /** @param whole the table that the one of the source is a part of. */
  constructor(source: Source, whole: AnyTable = source.table) {
    this.source = source;
    this.whole = whole;
  }

  get repository(): object {
    this.#repository ??= repositoryOf(this, this.source.place);
    return this.#repository;
  }

  /** The part of the table in which fields have one value: the same for the same values, as far as they are kept. */
  scoped(values: unknown): Home {
    const { table, grammar } = this.source;
    const fixed = readScope(values, table, grammar);
    const key = keyOfScope(fixed);
    const known = key === undefined ? undefined : this.#scopes.get(key);
    if (known !== undefined) return known;
    const home = new Home({ ...this.source, table: partOf(table, fixed) }, this.whole);
    if (key !== undefined) this.#scopes.set(key, home);
    return home;
  }

  /** What specs are of: in a scope, related tables that have its fields are narrowed too. */
  get ofSpecs(): Source {
    const { fixed } = this.source.table;
    if (fixed === undefined) return this.source;
    this.#ofSpecs ??= {
      ...this.source,
      tables: tablesWithin(this.source.tables, fixed),
      isNarrowed: true,
    };
    return this.#ofSpecs;
  }

  begin(kind: Statement["kind"]): AnyBuilder {
    let builder = this.#beginnings.get(kind);
    if (builder === undefined) {
      builder = starts[kind](this.source, {});
      builder.draft.begin();
      Object.freeze(builder);
      this.#beginnings.set(kind, builder);
    }
    return builder;
  }
}

/** The repository of a home, whose builders run in a place. */
export function repositoryOf(home: Home, place: Place): object {
  const { source, ofSpecs } = home;
  const { table, grammar } = source;
  const { callbacks } = place;
  const begin = (kind: Statement["kind"]) => () => home.begin(kind).at(place);
  // Aggregates begin with a builder of theirs.
  const aggregate = (kind: AggregateStatement["kind"]) => (field: string) =>
    (home.begin(kind).at(place) as AggregateBuilder).of(field);
  const fromSpec = (kind: Statement["kind"]) => (spec: unknown) =>
    starts[kind](ofSpecs, ...foreignSpec(spec)).at(place);
  const isField = (name: unknown): name is string =>
    typeof name === "string" && table.columns[name] !== undefined;
  const isView = table.view !== undefined;
  const isPart = table.fixed !== undefined && !isView;
  const reading = {
    table: home.whole,
    ...(isPart ? { insertSchema: table.insertSchema, updateSchema: table.updateSchema } : {}),
    scope: (values: unknown) => repositoryOf(home.scoped(values), place),
    dialect: grammar.dialect,
    select: begin("select"),
    query: begin("query"),
    count: begin("count"),
    sum: aggregate("sum"),
    avg: aggregate("avg"),
    min: aggregate("min"),
    max: aggregate("max"),
    queryFromSpec: fromSpec("query"),
    pageFromSpec: (spec: unknown) => pageOfSpec(ofSpecs, spec).at(place),
    selectFromSpec: fromSpec("select"),
    compoundFromSpec: (spec: unknown) => {
      const [parts, problems] = foreignSpec<CompoundQuerySpec>(spec);
      return starts.compound(ofSpecs, partsOf(parts, ofSpecs), problems).at(place);
    },
    countFromSpec: fromSpec("count"),
    sumFromSpec: fromSpec("sum"),
    avgFromSpec: fromSpec("avg"),
    minFromSpec: fromSpec("min"),
    maxFromSpec: fromSpec("max"),
    specs: (options?: AnySpecOptions) => specSchemas(ofSpecs, options),
    onScan: (callback: Callback<Row> | null) => {
      callbacks.onScan = callback;
    },
    isField,
    field: (name: unknown) => {
      if (isField(name)) return name;
      throw new BuildError([{ code: "INVALID_FIELD", message: unknownField(name, table) }]);
    },
  };
  if (isView) return Object.freeze(reading);
  return Object.freeze({
    ...reading,
    insert: begin("insert"),
    modify: begin("modify"),
    remove: begin("remove"),
    insertFromSpec: (spec: unknown) => {
      const [parts, problems] = foreignSpec<CreateSpec>(spec);
      const { on_conflict: key } = parts;
      const own = Array.isArray(key) ? { ...parts, on_conflict: withFixed(key, table) } : parts;
      return starts.insert(ofSpecs, own, problems).at(place);
    },
    modifyFromSpec: fromSpec("modify"),
    removeFromSpec: fromSpec("remove"),
    onRecord: (callback: Callback<Record<string, unknown>> | null) => {
      callbacks.onRecord = callback;
    },
  });
}
