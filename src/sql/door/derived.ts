/** The queries over queries of one database, inside and outside transactions. */
import type { BuilderPlace, DraftSource } from "../builder/draft/draft.js";
import type { ChainMemory } from "../builder/draft/memory.js";
import { queryFrom, queryOnce, recursion } from "../builder/from.js";
import type { QueryBuilder } from "../builder/query.js";
import type { NamedQuery } from "../builder/source.js";
import type { Callbacks } from "../exec/callbacks.js";
import type { Session } from "../exec/session.js";
import type { inner, RowsAsTable } from "../types/inner.js";
import type { AnyParam } from "../types/params.js";
import type {
  Source as Named,
  Once,
  Recursion,
  RecursionOptions,
  RecursionRows,
  SourceQuery,
} from "../types/source.js";
import type { Dialect } from "../words/dialect.js";

/** Runs queries over queries: a database, or a transaction of it. */
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
   * A query as a table that a statement writes once, at its beginning (`WITH name AS (…)`), and may read several times.
   * Statements that change rows contain it as a subquery, like `query.as(name)`.
   * @throws {BuildError} `INVALID_RELATION` for a value that is not a query of this database.
   */
  with<const A extends string, Q extends RowsAsTable<D>>(name: A, query: Q): Once<A, Q>;
  /**
   * A recursive query as a table. It begins with `start`, level 1; `step` makes each next level from the level before,
   * until it finds no rows. There are at most `maxDepth` (1,000) levels, then `RECURSION_LIMIT`. `depth` names a column
   * with the level.
   * @throws {BuildError} `INVALID_RELATION` for a value that is not a query of this database.
   */
  recursive<
    const A extends string,
    Q extends RowsAsTable<D>,
    P extends AnyParam,
    const L extends string = never,
  >(
    name: A,
    start: Q,
    step: (
      self: Named<A, Q[typeof inner]["columns"], never, Q[typeof inner]["dialect"]>,
    ) => RecursionRows<
      { readonly [K in keyof Q[typeof inner]["row"]]: unknown },
      P,
      Q[typeof inner]["dialect"]
    >,
    options?: RecursionOptions<L>,
  ): Recursion<A, Q, P, L>;
}

// Callbacks belong to tables; a query used as a table has none.
const NO_CALLBACKS: Callbacks = Object.seal({ onScan: null, onRecord: null });

/** Implements `from` and `with` of a database. */
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

  /** A recursive query as a table. @throws {BuildError} for a value that is not a query of rows. */
  recursive(name: string, start: unknown, step: unknown, options: unknown): NamedQuery {
    return recursion(name, start, step, options, this.#database);
  }

  /** A query that a statement writes once. @throws {BuildError} `INVALID_RELATION` for a value that is not a query. */
  once(name: string, query: unknown): NamedQuery {
    return queryOnce(name, query, this.#database);
  }
}
