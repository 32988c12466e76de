/** The queries over queries of one database, in transactions or not. */
import type { Place, Source } from "../builder/draft.js";
import { queryFrom, queryOnce, recursion } from "../builder/from.js";
import type { Memory } from "../builder/memory.js";
import type { QueryBuilder } from "../builder/query.js";
import type { QuerySource } from "../builder/source.js";
import type { Callbacks } from "../exec/callbacks.js";
import type { Session } from "../exec/session.js";

// Callbacks are those of a table, and a query as one has none.
const NO_CALLBACKS: Callbacks = Object.seal({ onScan: null, onRecord: null });

/** What `from` and `with` of a database do. */
export class DerivedQueries {
  readonly #database: Pick<Source, "grammar" | "memory" | "place">;

  constructor(session: Session, memory: Memory) {
    const place: Place = { session, callbacks: NO_CALLBACKS };
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

  /** A query as a table that goes on from its own rows. @throws {BuildError} for what is no query of rows. */
  recursive(name: string, start: unknown, step: unknown, options: unknown): QuerySource {
    return recursion(name, start, step, options, this.#database);
  }

  /** A query that a statement writes once. @throws {BuildError} `INVALID_RELATION` for what is no query. */
  once(name: string, query: unknown): QuerySource {
    return queryOnce(name, query, this.#database);
  }
}
