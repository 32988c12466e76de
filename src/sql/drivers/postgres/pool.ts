/** A `pg.Pool`, or what has its interface, as a source of connections. */
import { isThenable } from "../../../core/values.js";
import type { PostgresQuery, PostgresResult } from "./query.js";
import type { ElsewhereSource, PostgresClient, PostgresSource } from "./source.js";

/** The part of `pg.Pool` that rowtype uses. A pool that does not call back returns a promise. */
export interface PostgresPool {
  query(config: PostgresQuery): Promise<PostgresResult>;
  connect(): Promise<PostgresClient>;
  connect(callback: (error: Error | undefined, client: PostgresClient | undefined) => void): unknown;
  on?(event: "error", listener: (error: Error) => void): unknown;
}

/** The source over a pool. */
export class PoolSource implements PostgresSource {
  readonly #pool: PostgresPool;

  constructor(pool: PostgresPool) {
    this.#pool = pool;
    // The pool reports the loss of an idle connection by an event, and without a listener the event would end the
    // process. The pool has already removed the connection. The caller can listen too.
    pool.on?.("error", () => undefined);
  }

  /**
   * The pool listens to a client until its callback runs, and the session may end right then. A listener added after a
   * promise resolves would be too late: the loss event would end the process.
   */
  connect<C>(use: (client: PostgresClient) => C): Promise<C> {
    return new Promise((resolve, reject) => {
      let used: { readonly as: C } | undefined;
      const take = (client: PostgresClient | undefined) => {
        // A wrapper of the pool's method may both call back and resolve, to the client or to nothing.
        if (client === undefined) return;
        used ??= { as: use(client) };
        resolve(used.as);
      };
      const connecting = this.#pool.connect((error, client) => (error ? reject(error) : take(client)));
      // A pool of another library may return promises only. They resolve to a client.
      if (isThenable(connecting)) (connecting as PromiseLike<PostgresClient>).then(take, reject);
    });
  }

  elsewhere(database: string): ElsewhereSource | undefined {
    // The parts of a `pg.Pool` that say how it was made.
    const { options, constructor: Pool } = this.#pool as unknown as PoolOrigin;
    if (typeof options !== "object" || options === null) return undefined;
    const { connectionString, password, ssl } = options;
    const pool = new Pool({
      ...options,
      // A copy of the options does not include them.
      ...(password === undefined ? {} : { password }),
      ...(ssl === undefined ? {} : { ssl }),
      ...(connectionString === undefined ? {} : { connectionString: renamed(connectionString, database) }),
      database,
    });
    return { source: new PoolSource(pool), close: () => pool.end() };
  }
}

/** How a pool was made. */
interface PoolOrigin {
  readonly options?: {
    readonly connectionString?: string;
    readonly password?: unknown;
    readonly ssl?: unknown;
  } | null;
  readonly constructor: new (options: object) => PostgresPool & { end(): Promise<void> };
}

/** A connection string with the name of another database. */
function renamed(connectionString: string, database: string): string {
  const url = new URL(connectionString);
  url.pathname = `/${encodeURIComponent(database)}`;
  return url.href;
}
