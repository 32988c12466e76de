/** The queries over queries of one database, in transactions or not. */
import type { BuilderPlace, DraftSource } from "../builder/draft/draft.js";
import type { ChainMemory } from "../builder/draft/memory.js";
import { queryFrom, queryOnce, recursion } from "../builder/from.js";
import type { QueryBuilder } from "../builder/query.js";
import type { NamedQuery } from "../builder/source.js";
import type { Callbacks } from "../exec/callbacks.js";
import type { Session } from "../exec/session.js";
import type { AnyRows, inner } from "../types/inner.js";
import type { AnyParam } from "../types/params.js";
import type {
  ColumnsIn,
  Source as Named,
  Once,
  Recursion,
  RecursionOptions,
  RecursionRows,
  SourceQuery,
} from "../types/source.js";
import type { Dialect } from "../words/dialect.js";

/** What runs queries over queries: a database, and a transaction of it. */
export interface ReadsQueries<out D extends Dialect> {
  /**
   * A query over a query that was named by `as`: its fields have no prefix.
   * @throws {BuildError} `INVALID_RELATION` for anything else.
   * @example
   * const ranked = orders.query().fields("id", "total", rowNumber().partitionBy("customerId").orderBy("total", "desc").as("place"));
   * db.from(ranked.as("ranked")).fields("id", "total").where("place", "<=", "n").exec({ n: 3 });
   */
  from<R, P extends AnyParam, E extends D>(source: Named<string, R, P, E>): SourceQuery<R, P, E>;
  /**
   * A query as a table that a statement writes once, before it (`WITH name AS (…)`), and may read twice. In statements
   * that change rows it stands in its place, as one of `query.as(name)` does.
   * @throws {BuildError} `INVALID_RELATION` for what is not a query of this database.
   */
  with<const A extends string, Q extends AnyRows<D>>(name: A, query: Q): Once<A, Q>;
  /**
   * A query as a table that begins with `start`, level 1, and goes on with what `step` makes of the level before, until
   * it finds nothing: at most `maxDepth` (1,000) levels, then `RECURSION_LIMIT`. `depth` names a column with the level.
   * @throws {BuildError} `INVALID_RELATION` for what is not a query of this database.
   */
  recursive<const A extends string, Q extends AnyRows<D>, P extends AnyParam, const L extends string = never>(
    name: A,
    start: Q,
    step: (
      self: Named<A, ColumnsIn<Q[typeof inner]>, never, Q[typeof inner]["dialect"]>,
    ) => RecursionRows<
      { readonly [K in keyof Q[typeof inner]["row"]]: unknown },
      P,
      Q[typeof inner]["dialect"]
    >,
    options?: RecursionOptions<L>,
  ): Recursion<A, Q, P, L>;
}

// Callbacks are those of a table, and a query as one has none.
const NO_CALLBACKS: Callbacks = Object.seal({ onScan: null, onRecord: null });

/** What `from` and `with` of a database do. */
export class DerivedQueries {
  readonly #database: Pick<DraftSource, "grammar" | "memory" | "place">;

  constructor(session: Session, memory: ChainMemory) {
    const place: BuilderPlace = { session, callbacks: NO_CALLBACKS };
    this.#database = { grammar: session.grammar, memory, place };
  }

  /**
   * The builder over a query as a table, which runs in the session.
   * @throws {BuildError} `INVALID_RELATION` for anything else.
   */
  from(source: unknown, session: Session): QueryBuilder {
    const { place } = this.#database;
    return queryFrom(source, this.#database, session === place.session ? place : { ...place, session });
  }

  /** A query as a table that goes on from its own rows. @throws {BuildError} for what is not a query of rows. */
  recursive(name: string, start: unknown, step: unknown, options: unknown): NamedQuery {
    return recursion(name, start, step, options, this.#database);
  }

  /** A query that a statement writes once. @throws {BuildError} `INVALID_RELATION` for what is not a query. */
  once(name: string, query: unknown): NamedQuery {
    return queryOnce(name, query, this.#database);
  }
}
