/**
 * Where connections of PostgreSQL come from: a `pg.Pool`, the `sql` of postgres.js, or PGlite. The driver and its
 * connections know a handle through this alone.
 */
import type { PostgresNativeQuery, PostgresQuery, PostgresResult } from "./query.js";

/** The part of `pg.PoolClient` that rowtype uses; those of the other clients are made to have it. */
export interface PostgresClient {
  query(config: PostgresQuery | PostgresNativeQuery): Promise<PostgresResult>;
  /** A query that implements its own protocol steps. */
  query(own: OwnSteps): unknown;
  release(destroy?: boolean): void;
  on(event: "error", listener: (error: Error) => void): unknown;
  off(event: "error", listener: (error: Error) => void): unknown;
}

/**
 * An `OwnQuery` or `OwnQueries`, which the client calls with its connection. Their types name those of Node, which a
 * program over another client need not have.
 */
interface OwnSteps {
  readonly text: string;
  submit(connection: never): unknown;
}

/** A client of another package than `pg`. */
export interface ForeignClient extends PostgresClient {
  /** The same object whenever the same session is taken. */
  readonly session: object;
  /**
   * Asks the server to cancel the running statement; resolves when the server has received the request, with false if
   * it cannot be sent. Without this method a statement that runs is awaited.
   */
  cancel?(timeoutMs: number): Promise<boolean>;
}

/** Gives connections. */
export interface PostgresSource {
  /** Whether there is one connection only, so that nothing can run while a transaction is open. */
  readonly hasOneConnection?: boolean;
  /** The most parameters of a statement, where that is fewer than the protocol takes. */
  readonly mostParams?: number;
  /**
   * Takes a connection.
   * @param use is called with it at once, before the promise resolves: whoever listens to it later may miss its loss.
   */
  connect<C>(use: (client: PostgresClient | ForeignClient) => C): Promise<C>;
  /** Opens another database of the same server, or one in memory; undefined where the handle does not tell how. */
  elsewhere(database: string): ElsewhereSource | undefined;
}

/** Another database. */
export interface ElsewhereSource {
  readonly source: PostgresSource;
  close(): Promise<void>;
}
