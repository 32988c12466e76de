/**
 * `rowtype/postgres`: a database over the caller's own `pg.Pool`. Every value is sent as text and rows are returned as
 * arrays: type parsers of the driver, global or of the pool, do not change the values that are read.
 */

import { isThenable } from "../../core/values.js";
import { acquired } from "../contract/abort.js";
import type {
  Driver,
  DriverRequest,
  DriverResult,
  NativeRequest,
  NativeResult,
  ResultCheck,
} from "../contract/driver.js";
import { postgres as grammar } from "../dialect/postgres/grammar.js";
import { type Database, type DatabaseOptions, makeDatabase } from "../door/database.js";
import { checkHandle, checkOptions } from "../door/handle.js";
import { refusedPostgresValue, translatePostgresError } from "../driver-errors/postgres.js";
import { DeclarationError } from "../words/errors.js";
import {
  type PostgresClient,
  PostgresConnection,
  type PostgresQuery,
  type PostgresResult,
} from "./postgres/connection.js";
import { PostgresStatements } from "./postgres/statements.js";

export type { PostgresClient, PostgresQuery, PostgresResult } from "./postgres/connection.js";

/** The part of `pg.Pool` that rowtype uses. A pool that does not call back returns a promise. */
export interface PostgresPool {
  query(config: PostgresQuery): Promise<PostgresResult>;
  connect(): Promise<PostgresClient>;
  connect(callback: (error: Error | undefined, client: PostgresClient | undefined) => void): unknown;
  on?(event: "error", listener: (error: Error) => void): unknown;
}

/** Options of a PostgreSQL database. */
export interface PostgresOptions extends DatabaseOptions {
  /**
   * Whether statements may be kept prepared on the connections of the pool, at most 256 on each; default `true`. Set it
   * to `false` for a pooler that gives each transaction a different server connection and does not know prepared
   * statements. The setting applies to the whole pool; the last database with a value for it decides.
   */
  readonly prepare?: boolean | undefined;
}

/**
 * Creates a database over a `pg.Pool`; without one it renders and never executes. The caller ends the pool.
 * @example
 * import pg from "pg";
 * import { postgres } from "rowtype/postgres";
 * const db = postgres(new pg.Pool({ connectionString: process.env.DATABASE_URL }));
 */
export function postgres(pool?: PostgresPool, options: PostgresOptions = {}): Database<"postgres"> {
  checkOptions(options, ["retries", "prepare"], "postgres");
  if (pool !== undefined) checkHandle(pool, ["query", "connect"], "a pg.Pool");
  const { prepare }: PostgresOptions = Object(options);
  if (prepare !== undefined && typeof prepare !== "boolean")
    throw new DeclarationError("prepare must be true or false");
  const driver = pool === undefined ? undefined : driverOf(pool);
  if (driver !== undefined && prepare !== undefined) driver.statements.isOn = prepare;
  return makeDatabase("postgres", grammar, driver, options);
}

const drivers = new WeakMap<PostgresPool, PostgresDriver>();

// One driver per pool: a transaction belongs to every database over the pool.
function driverOf(pool: PostgresPool): PostgresDriver {
  const driver = drivers.get(pool) ?? new PostgresDriver(pool);
  drivers.set(pool, driver);
  return driver;
}

class PostgresDriver implements Driver {
  readonly translate: Driver["translate"] = translatePostgresError;
  readonly refusedValue: NonNullable<Driver["refusedValue"]> = refusedPostgresValue;
  readonly statements: PostgresStatements = new PostgresStatements();
  readonly #pool: PostgresPool;

  constructor(pool: PostgresPool) {
    this.#pool = pool;
    // The pool reports the loss of an idle connection by an event, and without a listener the event would end the
    // process. The pool has already removed the connection. The caller can listen too.
    pool.on?.("error", () => undefined);
  }

  elsewhere(database: string): { driver: Driver; close(): Promise<void> } | undefined {
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
    const driver = driverOf(pool);
    driver.statements.isOn = this.statements.isOn;
    return { driver, close: () => pool.end() };
  }

  run(request: DriverRequest, signal: AbortSignal | undefined): Promise<DriverResult> {
    return this.#onConnection(signal, (connection) => connection.run(request, signal));
  }

  runChecked(
    request: DriverRequest,
    check: ResultCheck,
    signal: AbortSignal | undefined,
  ): Promise<DriverResult> {
    return this.#onConnection(signal, (connection) => connection.runChecked(request, check, signal));
  }

  native(request: NativeRequest, signal: AbortSignal | undefined): Promise<NativeResult> {
    return this.#onConnection(signal, (connection) => connection.native(request, signal));
  }

  async #onConnection<T>(
    signal: AbortSignal | undefined,
    work: (connection: PostgresConnection) => Promise<T>,
  ): Promise<T> {
    const connection = await this.connect(signal);
    try {
      return await work(connection);
    } finally {
      await connection.release(false);
    }
  }

  connect(signal: AbortSignal | undefined): Promise<PostgresConnection> {
    return acquired(this.#connected(), signal, (late) => late.release(false));
  }

  /**
   * A connection of the pool. The pool listens to a client until its callback runs, and the session may end right then.
   * A listener added after a promise resolves would be too late: the loss event would end the process.
   */
  #connected(): Promise<PostgresConnection> {
    return new Promise((resolve, reject) => {
      let taken: PostgresConnection | undefined;
      const take = (client: PostgresClient | undefined) => {
        // A wrapper of the pool's method may both call back and resolve, to the client or to nothing.
        if (client === undefined) return;
        taken ??= new PostgresConnection(client, this.statements);
        resolve(taken);
      };
      const connecting = this.#pool.connect((error, client) => (error ? reject(error) : take(client)));
      // A pool of another library may return promises only. They resolve to a client.
      if (isThenable(connecting)) (connecting as PromiseLike<PostgresClient>).then(take, reject);
    });
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
