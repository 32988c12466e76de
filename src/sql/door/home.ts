/** A table on a database, or a part of one: its repository, first builders and scopes. Untyped under the repository. */
import { Lru } from "../../core/lru.js";
import type { CompoundQuerySpec, CreateSpec } from "../ast/spec.js";
import type { AggregateStatement, Statement } from "../ast/statement.js";
import type { AggregateBuilder } from "../builder/aggregate.js";
import type { AnyBuilder } from "../builder/builder.js";
import { compoundPartsOf } from "../builder/compound.js";
import type { BuilderPlace, DraftSource } from "../builder/draft/draft.js";
import { TableRows } from "../builder/inner.js";
import { withFixed } from "../builder/keys.js";
import type { AnyTable } from "../declare/declaration.js";
import { partOf, tablesWithin, withoutRules } from "../declare/scoped.js";
import type { Callback } from "../exec/callbacks.js";
import type { DecodedRow } from "../exec/decode.js";
import type { Session } from "../exec/session.js";
import { unknownField } from "../resolve/scope/scope.js";
import { foreignSpec } from "../specs/foreign.js";
import type { AnySpecOptions } from "../specs/permissions.js";
import { specSchemas } from "../specs/schemas.js";
import { BuildError } from "../words/errors.js";
import { leavesRules } from "../words/rules.js";
import { pageOfSpec } from "./pages.js";
import { keyOfScope, readScope } from "./scope.js";
import { starts } from "./starts.js";
import { readNames } from "./without.js";

/** How many scopes of a table are kept. The memory limit of the database bounds the cache of each. */
const MOST_SCOPES = 200;

/** A table on a database: its repository and its initial builders, created on first use. */
export class Home {
  readonly source: DraftSource;
  readonly whole: AnyTable;
  readonly #beginnings = new Map<Statement["kind"], AnyBuilder>();
  #made: Members | undefined;
  #repository: object | undefined;
  #Placed: (new (place: BuilderPlace) => PlacedRepository) | undefined;
  // A tenant's next request reuses the texts that the last one rendered.
  readonly #scopes = new Lru<string, Home>({ max: MOST_SCOPES });
  // A table has few rules.
  readonly #without = new Map<string, Home>();
  #ofSpecs: DraftSource | undefined;

  /** @param whole the table that the source's table is a part of. */
  constructor(source: DraftSource, whole: AnyTable = source.table) {
    this.source = source;
    this.whole = whole;
  }

  get repository(): object {
    this.#repository ??= repositoryOf(this.#members, this.source.place);
    return this.#repository;
  }

  /** The same repository for another place: its builders run there. */
  repositoryAt(place: BuilderPlace): object {
    if (place === this.source.place) return this.repository;
    this.#Placed ??= placedClass(this.#members);
    return new this.#Placed(place);
  }

  /** The same, in a session. */
  repositoryIn(session: Session): object {
    return this.repositoryAt({ session, callbacks: this.source.place.callbacks });
  }

  get #members(): Members {
    this.#made ??= membersOf(this);
    return this.#made;
  }

  /** The part of the table in which fields have one value. The same values return the same part while it is kept. */
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

  /** The same table without some of its rules. */
  without(names: unknown): Home {
    const { table } = this.source;
    const left = [...new Set(readNames(names, table))].sort();
    const key = left.join(" ");
    let home = this.#without.get(key);
    if (home === undefined) {
      home = new Home({ ...this.source, table: withoutRules(table, left) }, this.whole);
      this.#without.set(key, home);
    }
    return home;
  }

  /** The source of specs. In a scope, related tables with the same fields are narrowed too. */
  get ofSpecs(): DraftSource {
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

/** The members of a repository by name: the same everywhere, or made for a place. */
interface Members {
  readonly allRows: (place: BuilderPlace) => AnyBuilder;
  readonly same: Readonly<Record<string, unknown>>;
  readonly placed: Readonly<Record<string, (place: BuilderPlace) => unknown>>;
}

function membersOf(home: Home): Members {
  const { source, ofSpecs } = home;
  const { table, grammar } = source;
  const { callbacks } = source.place;
  const begin = (kind: Statement["kind"]) => (place: BuilderPlace) => () => home.begin(kind).at(place);
  const allRows = (place: BuilderPlace) => home.begin("query").at(place);
  // Aggregates begin with a builder of their own.
  const aggregate = (kind: AggregateStatement["kind"]) => (place: BuilderPlace) => (field: string) =>
    (home.begin(kind).at(place) as AggregateBuilder).of(field);
  const fromSpec = (kind: Statement["kind"]) => (place: BuilderPlace) => (spec: unknown) =>
    starts[kind](ofSpecs, ...foreignSpec(spec)).at(place);
  const isField = (name: unknown): name is string =>
    typeof name === "string" && table.columns[name] !== undefined;
  const isView = table.view !== undefined;
  const isPart = (table.fixed !== undefined || leavesRules(table)) && !isView;
  const same = {
    table: home.whole,
    ...(isPart ? { insertSchema: table.insertSchema, updateSchema: table.updateSchema } : {}),
    dialect: grammar.dialect,
    specs: (options?: AnySpecOptions) => specSchemas(ofSpecs, options),
    onScan: (callback: Callback<DecodedRow> | null) => {
      callbacks.onScan = callback;
    },
    isField,
    field: (name: unknown) => {
      if (isField(name)) return name;
      throw new BuildError([{ code: "INVALID_FIELD", message: unknownField(name, table) }]);
    },
  };
  const placed = {
    scope: (place: BuilderPlace) => (values: unknown) => home.scoped(values).repositoryAt(place),
    without:
      (place: BuilderPlace) =>
      (...names: readonly unknown[]) =>
        home.without(names).repositoryAt(place),
    select: begin("select"),
    query: begin("query"),
    count: begin("count"),
    sum: aggregate("sum"),
    avg: aggregate("avg"),
    min: aggregate("min"),
    max: aggregate("max"),
    queryFromSpec: fromSpec("query"),
    pageFromSpec: (place: BuilderPlace) => (spec: unknown) => pageOfSpec(ofSpecs, spec).at(place),
    selectFromSpec: fromSpec("select"),
    compoundFromSpec: (place: BuilderPlace) => (spec: unknown) => {
      const [parts, problems] = foreignSpec<CompoundQuerySpec>(spec);
      return starts.compound(ofSpecs, compoundPartsOf(parts, ofSpecs), problems).at(place);
    },
    countFromSpec: fromSpec("count"),
    sumFromSpec: fromSpec("sum"),
    avgFromSpec: fromSpec("avg"),
    minFromSpec: fromSpec("min"),
    maxFromSpec: fromSpec("max"),
  };
  if (isView) return { allRows, same, placed };
  return {
    allRows,
    same: {
      ...same,
      onRecord: (callback: Callback<Record<string, unknown>> | null) => {
        callbacks.onRecord = callback;
      },
    },
    placed: {
      ...placed,
      insert: begin("insert"),
      modify: begin("modify"),
      remove: begin("remove"),
      insertFromSpec: (place: BuilderPlace) => (spec: unknown) => insertOfSpec(home, spec).at(place),
      modifyFromSpec: fromSpec("modify"),
      removeFromSpec: fromSpec("remove"),
    },
  };
}

function insertOfSpec({ source, ofSpecs }: Home, spec: unknown): ReturnType<typeof starts.insert> {
  const [parts, problems] = foreignSpec<CreateSpec>(spec);
  const { on_conflict: key } = parts;
  const own = Array.isArray(key) ? { ...parts, on_conflict: withFixed(key, source.table) } : parts;
  return starts.insert(ofSpecs, own, problems);
}

/** The repository of a database, with all members. */
function repositoryOf({ allRows, same, placed }: Members, place: BuilderPlace): object {
  const made = Object.entries(placed).map(([name, make]) => [name, make(place)]);
  return Object.freeze(Object.assign(new OwnRepository(allRows(place)), same, Object.fromEntries(made)));
}

class OwnRepository extends TableRows {
  readonly #allRows: AnyBuilder;

  constructor(allRows: AnyBuilder) {
    super();
    this.#allRows = allRows;
  }

  override get allRows(): AnyBuilder {
    return this.#allRows;
  }
}

/** The repository of a transaction. It is short-lived: each method is made when it is first used. */
abstract class PlacedRepository extends TableRows {
  readonly #place: BuilderPlace;

  constructor(place: BuilderPlace) {
    super();
    this.#place = place;
    Object.freeze(this);
  }

  static placeOf(repository: PlacedRepository): BuilderPlace {
    return repository.#place;
  }
}

/** The class of the repositories of a table in transactions. */
function placedClass({ allRows, same, placed }: Members): new (place: BuilderPlace) => PlacedRepository {
  const Own = class extends PlacedRepository {
    override get allRows(): AnyBuilder {
      return allRows(PlacedRepository.placeOf(this));
    }
  };
  const { prototype } = Own;
  for (const [name, value] of Object.entries(same))
    Object.defineProperty(prototype, name, { value, enumerable: true });
  for (const [name, make] of Object.entries(placed))
    Object.defineProperty(prototype, name, {
      enumerable: true,
      get(this: PlacedRepository) {
        return make(PlacedRepository.placeOf(this));
      },
    });
  return Own;
}
